#pragma once

#include <memory>
#include <optional>
#include <span>

#include "runtime/autograd/node.h"
#include "runtime/core/tensor.h"
#include "runtime/core/thread_state.h"
#include "runtime/core/views.h"

namespace oploom {

using TensorList = std::span<const Tensor>;

// What is read of a Family in every call.
struct FamilyState : Shared {
  std::uint32_t counter = 0;  // moves whenever the root's history or needs_grad does
};
// A member of a family takes its history from the root anew where it is stale (E5).
void take_history_anew(TensorImpl& impl);
inline void sync_history(TensorImpl& impl) {
  if (impl.family_seen != static_cast<FamilyState*>(impl.family)->counter) [[unlikely]]
    take_history_anew(impl);
}

// Whether x does not stop gradient (as its family stands now).
[[gnu::always_inline]] inline bool needs_grad(const Tensor& x) {
  if (!x.defined()) return false;
  TensorImpl& impl = *x.impl();
  if ((impl.flags & TensorImpl::kMember) != 0) [[unlikely]]
    sync_history(impl);
  return (impl.flags & TensorImpl::kNeedsGrad) != 0;
}
inline bool needs_grad(TensorList xs) {
  for (const Tensor& x : xs) {
    if (needs_grad(x)) return true;
  }
  return false;
}

// Whether x is the result of a recorded op (needs gradient and is no leaf).
inline bool has_history(const Tensor& x) { return needs_grad(x) && x.impl()->grad_fn != nullptr; }

// Whether a call on these differentiable inputs is recorded.
template <typename... Inputs>
[[gnu::always_inline]] inline bool recording(const Inputs&... inputs) {
  return grad_enabled() && (needs_grad(inputs) || ...);
}

// Where the gradient of x's present value goes; empty where it stops.
Edge edge_of(const Tensor& x);
// Whether a gradient of x's present value would come to that of y: x was computed from it, or is it.
bool comes_from(const Tensor& x, const Tensor& y);
// The accumulate node of a leaf, made where there is none.
Ref<Node> leaf_node(TensorImpl& impl);
// A fresh result becomes output nr of node.
inline void set_history(Tensor& out, Ref<Node> node, std::uint32_t nr = 0) {
  TensorImpl& impl = *out.impl();
  impl.grad_fn = node.release();
  impl.output_nr = nr;
  impl.flags |= TensorImpl::kNeedsGrad;
}

// A view of x: shares storage, joins x's family (under no_grad: belongs to none, C4). The caller
// sets its history where the call is recorded.
Tensor make_view(const Tensor& x, const ViewMap& map);
// The same where the strides allow it, else a fresh contiguous copy of x's elements as shape.
Tensor view_or_copy(const Tensor& x, const std::optional<ViewMap>& map, Ints shape);

// --- What a user may ask of a tensor.
bool stop_gradient(const Tensor& x);
// False needs a float tensor without history. A view of a tensor that stops gradient leaves its
// family.
void set_stop_gradient(const Tensor& x, bool stop);
bool is_leaf(const Tensor& x);
Tensor grad_of(const Tensor& x);                     // x.grad or undefined
void set_grad(const Tensor& x, const Tensor& grad);  // undefined clears; shape and dtype are tested
Tensor detach(const Tensor& x);  // same storage, no history, a family of its own
void detach_(const Tensor& x);   // drops x's history
void retain_grad(const Tensor& x);

// f gets the gradient of x's present value; what it returns, where defined, takes its place (E8).
// Returns an id for remove_hook.
struct Hook {
  virtual ~Hook() = default;
  virtual Tensor call(const Tensor& gradient) = 0;
};
std::uint64_t register_hook(const Tensor& x, std::unique_ptr<Hook> hook);
bool remove_hook(const Tensor& x, std::uint64_t id);
// For the collector of a binding: visits the hooks that die with x (asked while x has one holder).
void each_hook(const Tensor& x, void (*visit)(Hook&, void*), void* context);

}  // namespace oploom
