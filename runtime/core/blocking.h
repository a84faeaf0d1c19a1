#pragma once

#include <cstdint>
#include <initializer_list>

#include "runtime/core/tensor.h"

namespace oploom {

// Below this many elements of work a lock is not worth letting go (17 ns a call).
inline constexpr std::int64_t kUnlockAbove = 32768;

// Bindings install these: begin lets go of the interpreter lock and returns what end needs, or null
// where the caller does not hold it.
struct LockHooks {
  void* (*begin)() = nullptr;
  void (*end)(void*) noexcept = nullptr;
  // Long work asks now and then, with the lock held; raises where the user wants it to stop.
  void (*check)() = nullptr;
};
extern LockHooks lock_hooks;

// lock.lock(); whoever waits lets go of the interpreter's lock, which the one who has it may want.
template <typename Lock>
void lock_unlocked(Lock& lock) {
  if (lock.try_lock()) return;
  struct Released {
    void* token = lock_hooks.begin != nullptr ? lock_hooks.begin() : nullptr;
    ~Released() {
      if (token != nullptr) lock_hooks.end(token);
    }
  } const released;
  lock.lock();
}

// A kernel makes one after it has taken raw pointers, geometry and buffers from its tensors, around
// the loop alone. It keeps the storages alive meanwhile; inside its scope no Tensor may be touched.
class Unlocked {
 public:
  Unlocked(std::int64_t work, std::initializer_list<const Tensor*> keep) {
    if (work > kUnlockAbove) [[unlikely]] begin(keep);
  }
  ~Unlocked() {
    if (token_ != nullptr) [[unlikely]] end();
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  void begin(std::initializer_list<const Tensor*> keep);
  void end() noexcept;
  void* token_ = nullptr;
  int kept_count_ = 0;
  Storage* kept_[6];
};

}  // namespace oploom
