#include "runtime/autograd/family.h"

#include "generated/roles.h"
#include "runtime/autograd/extras.h"
#include "runtime/autograd/record.h"

namespace oploom {
namespace {

constexpr OpInfo kPart{"view", "view_grad"};
constexpr OpInfo kEmbed{"view", "view_grad"};
constexpr OpInfo kWriteInto{"write_into", "write_into_grad"};

// A member's value out of the root's.
struct PartNode final : NodeOf<PartNode, 1> {
  RootMap map;
  explicit PartNode(const RootMap& m) : NodeOf(kPart), map(m) {}
  void backward() override {
    if (needs(0)) give(0, roles::embed(grad(0), map.root_shape, map.strides, map.offset));
  }
};

// The root's value out of a member that shows all of it.
struct EmbedNode final : NodeOf<EmbedNode, 1> {
  RootMap map;
  explicit EmbedNode(const RootMap& m) : NodeOf(kEmbed), map(m) {}
  void backward() override {
    if (needs(0)) give(0, roles::part(grad(0), map.shape, map.strides, map.offset));
  }
};

// The root after a member was written: zero where the part lies (assigned: 0*inf is NaN), and to
// the part what lies there.
struct WriteIntoNode final : NodeOf<WriteIntoNode, 2> {
  RootMap map;
  explicit WriteIntoNode(const RootMap& m) : NodeOf(kWriteInto), map(m) {}
  void backward() override {
    Tensor root_grad = take_grad(0);
    if (needs(1)) give(1, roles::part(root_grad, map.shape, map.strides, map.offset));
    if (!needs(0)) return;
    // In the engine's own buffer, so that filling n rows differentiates in linear time (B5).
    if (reusable(root_grad)) {
      roles::clear_part_(root_grad, map.shape, map.strides, map.offset);
    } else {
      root_grad = roles::clear_part(root_grad, map.shape, map.strides, map.offset);
    }
    give(0, std::move(root_grad));
  }
};

std::int64_t element_offset(const TensorImpl& impl) {
  return (impl.data - impl.storage->data) >> log2_size_of(impl.dtype);
}

// First and last element that a map reaches; {0, -1} + offset where it is empty.
std::pair<std::int64_t, std::int64_t> reach(const TensorImpl& impl) {
  std::int64_t first = element_offset(impl);
  std::int64_t last = first;
  if (impl.numel == 0) return {first, first - 1};
  for (int i = 0; i < impl.rank; ++i) {
    const std::int64_t step = (impl.shape[i] - 1) * impl.strides[i];
    (step < 0 ? first : last) += step;
  }
  return {first, last};
}

}  // namespace

Ref<Node> make_part_node(const RootMap& map, Edge root) {
  auto* node = new PartNode(map);
  node->connect(0, std::move(root));
  return Ref<Node>::adopt(node);
}

Ref<Node> make_embed_node(const RootMap& map, Edge member) {
  auto* node = new EmbedNode(map);
  node->connect(0, std::move(member));
  return Ref<Node>::adopt(node);
}

Ref<Node> make_write_into_node(const RootMap& map, Edge root, Edge member) {
  auto* node = new WriteIntoNode(map);
  node->connect(0, std::move(root));
  node->connect(1, std::move(member));
  return Ref<Node>::adopt(node);
}

RootMap root_map(const Family& family, const TensorImpl& impl) {
  RootMap map;
  map.root_shape = family.root_shape;
  map.shape = Ints(impl.shape, impl.rank);
  map.strides = Ints(impl.strides, impl.rank);
  map.offset = element_offset(impl) - family.root_offset;
  map.covers =
      (impl.flags & TensorImpl::kOverlap) == 0 && impl.numel == count_elements(family.root_shape);
  map.identity =
      map.covers && (impl.flags & TensorImpl::kStrided) == 0 && map.shape == map.root_shape;
  return map;
}

Family& ensure_family(TensorImpl& impl) {
  if (impl.family != nullptr) return *family_of(impl);
  auto* family = new Family;
  family->storage = impl.storage;
  hold_storage(impl.storage, 1);
  family->base = &impl;
  family->base_id = id_of(impl);
  family->needs_grad = (impl.flags & TensorImpl::kNeedsGrad) != 0;
  if ((impl.flags & TensorImpl::kStrided) == 0) {
    family->root_shape = Ints(impl.shape, impl.rank);
    family->root_offset = element_offset(impl);
  } else {
    const auto [first, last] = reach(impl);
    family->root_shape = Dims{last - first + 1};
    family->root_offset = first;
  }
  impl.family = family;
  impl.flags |= TensorImpl::kMember | TensorImpl::kBase;
  impl.family_seen = 0;
  if (impl.grad_fn != nullptr) {
    Edge own{Ref<Node>::share(static_cast<Node*>(impl.grad_fn)), impl.output_nr};
    const RootMap map = root_map(*family, impl);
    if (!map.identity) own = Edge{make_embed_node(map, std::move(own)), 0};
    family->history = std::move(own);
  }
  return *family;
}

void leave_family(TensorImpl& impl) noexcept {
  Shared* family = impl.family;
  if (family == nullptr) return;
  if (static_cast<Family*>(family)->base == &impl) static_cast<Family*>(family)->base = nullptr;
  impl.family = nullptr;
  if ((impl.flags & TensorImpl::kHeldByFamily) != 0) hold_storage(impl.storage, Storage::kMap);
  impl.flags &=
      static_cast<std::uint16_t>(~(TensorImpl::kMember | TensorImpl::kBase |
                                   TensorImpl::kHeldByFamily | TensorImpl::kUnrecordedView));
  drop(family);
}

bool shows_alone(const TensorImpl& impl) {
  const std::uint32_t own = (impl.flags & TensorImpl::kHeldByFamily) != 0 ? 0 : 1;
  return impl.storage->maps() == own &&
         (impl.family == nullptr || impl.family->count.load(std::memory_order_acquire) == 1);
}

Edge root_edge(Family& family) {
  if (!family.needs_grad) return {};
  if (family.history) return family.history;
  if (family.base == nullptr) return {};  // a leaf that is gone: nobody asks for its gradient
  Edge leaf = edge_of(Tensor::share(family.base));
  const RootMap map = root_map(family, *family.base);
  if (map.identity) return leaf;
  return Edge{make_embed_node(map, std::move(leaf)), 0};
}

void take_history_anew(TensorImpl& impl) {
  Family& family = *family_of(impl);
  Ref<Node> node;
  std::uint32_t output_nr = 0;
  const bool leaf = family.base == &impl && !family.history;
  if (family.needs_grad && !leaf) {
    const RootMap map = root_map(family, impl);
    Edge root = root_edge(family);
    if (map.identity && family.history) {
      node = std::move(root.node);
      output_nr = root.output_nr;
    } else {
      node = make_part_node(map, std::move(root));
    }
  }
  if (impl.extras != nullptr && impl.extras->retains) sign_off_retained(impl);
  drop(std::exchange(impl.grad_fn, node.release()));
  impl.output_nr = output_nr;
  impl.flags = static_cast<std::uint16_t>(family.needs_grad ? impl.flags | TensorImpl::kNeedsGrad
                                                            : impl.flags & ~TensorImpl::kNeedsGrad);
  impl.family_seen = family.counter;
  follow_retained(impl);
}

}  // namespace oploom
