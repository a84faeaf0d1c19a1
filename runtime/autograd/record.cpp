#include "runtime/autograd/record.h"

#include <unordered_set>
#include <vector>

#include "runtime/autograd/extras.h"
#include "runtime/autograd/family.h"
#include "runtime/core/error.h"
#include "runtime/core/new_tensor.h"
#include "runtime/core/prepare.h"

namespace oploom {
namespace {

bool is_base(const TensorImpl& impl) {
  return impl.family != nullptr && family_of(impl)->base == &impl;
}

void drop_history(TensorImpl& impl) noexcept {
  if (impl.extras != nullptr && impl.extras->retains) sign_off_retained(impl);
  drop(std::exchange(impl.grad_fn, nullptr));
  impl.output_nr = 0;
}

}  // namespace

Edge edge_of(const Tensor& x) {
  if (!needs_grad(x)) return {};
  TensorImpl& impl = *x.impl();
  if (impl.grad_fn != nullptr) {
    return {Ref<Node>::share(static_cast<Node*>(impl.grad_fn)), impl.output_nr};
  }
  return {leaf_node(impl), 0};
}

bool comes_from(const Tensor& x, const Tensor& y) {
  const Edge start = edge_of(x);
  const Edge wanted = edge_of(y);
  if (!start || !wanted) return false;
  const auto is_wanted = [&wanted](const Edge& edge) {
    return edge.node.get() == wanted.node.get() && edge.output_nr == wanted.output_nr;
  };
  std::vector<const Node*> open = {start.node.get()};
  std::unordered_set<const Node*> seen(open.begin(), open.end());
  bool found = is_wanted(start);
  while (!found && !open.empty()) {
    const Node& node = *open.back();
    open.pop_back();
    for (std::size_t i = 0; i < node.num_edges() && !found; ++i) {
      const Edge& edge = node.edge(i);
      if (!edge) continue;
      found = is_wanted(edge);
      if (seen.insert(edge.node.get()).second) open.push_back(edge.node.get());
    }
  }
  return found;
}

Ref<Node> leaf_node(TensorImpl& impl) {
  Extras& extras = extras_of(impl);
  if (extras.accumulate != nullptr) return Ref<Node>::share(extras.accumulate);
  auto* node = new AccumulateNode(impl);
  extras.accumulate = node;
  return Ref<Node>::adopt(node);
}

Tensor make_view(const Tensor& x, const ViewMap& map) {
  TensorImpl& base = *x.impl();
  Family& family = base.family != nullptr ? *family_of(base) : ensure_family(base);
  const bool unrecorded = !grad_enabled() || (base.flags & TensorImpl::kUnrecordedView) != 0;
  TensorImpl& impl = *new_impl(base.dtype);
  impl.storage = base.storage;
  impl.data = base.storage->data + (map.offset << log2_size_of(base.dtype));
  write_map(
      impl, map.shape, map.strides,
      TensorImpl::kHeldByFamily | (unrecorded ? TensorImpl::kUnrecordedView : TensorImpl::kMember));
  hold(family);
  impl.family = &family;
  impl.family_seen = family.counter;
  return Tensor::adopt(&impl);
}

Tensor view_or_copy(const Tensor& x, const std::optional<ViewMap>& map, Ints shape) {
  if (map) return make_view(x, *map);
  Tensor out = copied(x);
  set_map(*out.impl(), shape, contiguous_strides(shape));
  return out;
}

bool stop_gradient(const Tensor& x) { return !needs_grad(x); }

void set_stop_gradient(const Tensor& x, bool stop) {
  if (stop == stop_gradient(x)) return;
  TensorImpl& impl = *x.impl();
  if (stop && impl.grad_fn != nullptr) return detach_(x);
  if (!stop && !is_float(x.dtype())) {
    raise(ErrorKind::kType, "[stop_gradient] Tensor '", x.name(), "' is ", x.dtype(),
          ": only float32 and float64 tensors can have a gradient; cast it first");
  }
  if (is_base(impl)) {
    Family& family = *family_of(impl);
    family.needs_grad = !stop;
    impl.family_seen = ++family.counter;
  } else {
    leave_family(impl);
  }
  impl.flags ^= TensorImpl::kNeedsGrad;
}

bool is_leaf(const Tensor& x) { return !has_history(x); }

Tensor grad_of(const Tensor& x) {
  return x.impl()->extras != nullptr ? x.impl()->extras->grad : Tensor();
}

void set_grad(const Tensor& x, const Tensor& grad) {
  if (!grad.defined()) {
    if (x.impl()->extras != nullptr) x.impl()->extras->grad = Tensor();
    return;
  }
  if (grad.shape() != x.shape() || grad.dtype() != x.dtype()) {
    raise(ErrorKind::kArgument, "[grad] the gradient of Tensor '", x.name(), "' must be ",
          x.dtype(), " of shape ", x.shape(), ", got ", grad.dtype(), " of shape ", grad.shape());
  }
  if (grad.impl() == x.impl()) {
    raise(ErrorKind::kArgument, "[grad] Tensor '", x.name(),
          "' cannot be its own gradient; hand in a clone()");
  }
  extras_of(*x.impl()).grad = grad;
}

Tensor detach(const Tensor& x) { return alias(x, x.shape(), x.strides(), x.offset()); }

void detach_(const Tensor& x) {
  TensorImpl& impl = *x.impl();
  if (is_base(impl)) {
    Family& family = *family_of(impl);
    family.history = Edge{};
    family.needs_grad = false;
    impl.family_seen = ++family.counter;
  } else {
    leave_family(impl);
  }
  drop_history(impl);
  impl.flags &= static_cast<std::uint16_t>(~TensorImpl::kNeedsGrad);
}

}  // namespace oploom
