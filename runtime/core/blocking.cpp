#include "runtime/core/blocking.h"

namespace oploom {

LockHooks lock_hooks;

void Unlocked::begin(std::initializer_list<const Tensor*> keep) {
  if (lock_hooks.begin == nullptr) return;
  // Another thread may give a tensor a new storage while the lock is free; the kernel's pointers stay good.
  for (const Tensor* x : keep) {
    if (!x->defined() || kept_count_ == static_cast<int>(std::size(kept_))) continue;
    kept_[kept_count_] = x->impl()->storage;
    hold_storage(kept_[kept_count_++], 1);
  }
  token_ = lock_hooks.begin();
  if (token_ == nullptr) end();
}

void Unlocked::end() noexcept {
  if (token_ != nullptr) lock_hooks.end(token_);
  token_ = nullptr;
  while (kept_count_ > 0) drop_storage(kept_[--kept_count_], 1);
}

}  // namespace oploom
