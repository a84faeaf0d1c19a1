#include "runtime/autograd/extras.h"

#include <algorithm>

#include "runtime/autograd/family.h"
#include "runtime/core/error.h"

namespace oploom {
namespace {

constexpr OpInfo kAccumulate{"accumulate", "accumulate_grad"};

// Few tensors ask for retain_grad(); those of a family must be looked at when backward starts.
std::vector<TensorImpl*>& retaining() {
  static auto* const list = new std::vector<TensorImpl*>;
  return *list;
}

void end_of_tensor(TensorImpl& impl) noexcept {
  if (Extras* extras = impl.extras) {
    if (extras->retains) {
      sign_off_retained(impl);
      std::erase(retaining(), &impl);
    }
    if (extras->accumulate != nullptr) extras->accumulate->leaf = nullptr;
    impl.extras = nullptr;
    delete extras;
  }
  if (impl.family != nullptr && family_of(impl)->base == &impl) family_of(impl)->base = nullptr;
}

[[maybe_unused]] const bool installed = (destroy_autograd = end_of_tensor, true);

std::uint64_t next_hook_id() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

AccumulateNode::AccumulateNode(TensorImpl& x) : NodeOf(kAccumulate), leaf(&x) {}

AccumulateNode::~AccumulateNode() {
  if (leaf != nullptr) leaf->extras->accumulate = nullptr;
}

Extras& extras_of(TensorImpl& impl) {
  if (impl.extras == nullptr) impl.extras = new Extras;
  return *impl.extras;
}

void sign_off_retained(TensorImpl& impl) noexcept {
  Extras& extras = *impl.extras;
  if (extras.retained_at == nullptr) return;
  std::erase_if(hooks_of(*extras.retained_at).retainers,
                [&](const NodeHooks::Retainer& r) { return r.tensor == &impl; });
  extras.retained_at = nullptr;
}

void follow_retained(TensorImpl& impl) noexcept {
  if (impl.extras == nullptr || !impl.extras->retains) return;
  auto* node = static_cast<Node*>(impl.grad_fn);
  impl.extras->retained_at = node;
  if (node != nullptr) hooks_of(*node).retainers.push_back({&impl, impl.output_nr});
}

void sync_retained() {
  for (TensorImpl* impl : retaining()) {
    if ((impl->flags & TensorImpl::kMember) != 0) sync_history(*impl);
  }
}

void retain_grad(const Tensor& x) {
  if (!needs_grad(x)) {
    raise(ErrorKind::kRuntime, "[retain_grad] Tensor '", x.name(), "' stops gradient: it never has one");
  }
  if (x.impl()->grad_fn == nullptr) return;  // a leaf keeps its gradient anyway
  Extras& extras = extras_of(*x.impl());
  if (extras.retains) return;
  extras.retains = true;
  retaining().push_back(x.impl());
  follow_retained(*x.impl());
}

std::uint64_t register_hook(const Tensor& x, std::unique_ptr<Hook> hook) {
  if (!needs_grad(x)) {
    raise(ErrorKind::kRuntime, "[register_hook] Tensor '", x.name(), "' stops gradient: no hook would be called");
  }
  HookEntry entry{next_hook_id(), x.impl()->output_nr, std::move(hook)};
  const std::uint64_t id = entry.id;
  auto* node = static_cast<Node*>(x.impl()->grad_fn);
  if (node == nullptr) entry.output_nr = 0;
  (node != nullptr ? hooks_of(*node).hooks : extras_of(*x.impl()).leaf_hooks).push_back(std::move(entry));
  return id;
}

bool remove_hook(const Tensor& x, std::uint64_t id) {
  const auto with_id = [&](const HookEntry& entry) { return entry.id == id; };
  TensorImpl& impl = *x.impl();
  auto* node = static_cast<Node*>(impl.grad_fn);
  return (impl.extras != nullptr && std::erase_if(impl.extras->leaf_hooks, with_id) > 0) ||
         (node != nullptr && node->hooks() != nullptr && std::erase_if(node->hooks()->hooks, with_id) > 0);
}

void each_hook(const Tensor& x, void (*visit)(Hook&, void*), void* context) {
  TensorImpl& impl = *x.impl();
  if (impl.extras != nullptr) {
    for (HookEntry& entry : impl.extras->leaf_hooks) visit(*entry.hook, context);
  }
  auto* node = static_cast<Node*>(impl.grad_fn);
  if (node == nullptr || node->hooks() == nullptr || node->count.load() != 1) return;
  for (HookEntry& entry : node->hooks()->hooks) visit(*entry.hook, context);
}

}  // namespace oploom
