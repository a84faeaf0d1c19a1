#pragma once

#include <cstdint>

#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/core/tensor.h"

namespace oploom {

// A base, its views and their views: one root, one history (rule E5).
//
// The root is the storage's elements as laid out when the family was born: of the base's shape
// where the base was dense, else the flat span that it reaches over. It exists only as a value in
// the graph; its gradient is always a dense tensor of root_shape. Each member is a map into it (its
// own offset, shape and strides) and takes its history anew when `counter` has moved on since it
// last looked.
struct Family final : FamilyState {
  Edge history;                // of the root's present value; empty while the base is a leaf
  bool needs_grad = false;     // the root does not stop gradient
  bool rewritten = false;      // the last recorded write replaced the root as a whole
  TensorImpl* base = nullptr;  // weak: null once the base is gone
  std::uint32_t base_id = 0;
  Dims root_shape;
  std::int64_t root_offset = 0;  // of the root's first element in the storage
  Storage* storage = nullptr;    // held, for views too

  void destroy() noexcept override {
    Storage* const held = storage;
    delete this;
    drop_storage(held, 1);
  }
  static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block) noexcept { pool::free(block, sizeof(Family)); }
};

inline Family* family_of(const TensorImpl& impl) { return static_cast<Family*>(impl.family); }
// x's family, made where x has none yet.
Family& ensure_family(TensorImpl& impl);
// x goes its own way on the same storage (or on a new one): no base, no views, no family's history.
void leave_family(TensorImpl& impl) noexcept;

// Whether impl shows a storage that no other living tensor shows, its family's members included
// (C6).
bool shows_alone(const TensorImpl& impl);

// How a member lies in the root.
struct RootMap {
  Dims root_shape;
  Dims shape;
  Dims strides;
  std::int64_t offset = 0;  // from the root's first element
  bool identity = false;    // the member is the root: same shape, dense
  bool covers = false;      // the member shows every element of the root once
};
RootMap root_map(const Family& family, const TensorImpl& impl);

// The root's present value as a place to send gradients.
Edge root_edge(Family& family);

// --- Nodes between members and root; rules by role, so that they have every order.
Ref<Node> make_part_node(const RootMap& map, Edge root);     // root -> member
Ref<Node> make_embed_node(const RootMap& map, Edge member);  // member that covers the root -> root
Ref<Node> make_write_into_node(const RootMap& map, Edge root, Edge member);

}  // namespace oploom
