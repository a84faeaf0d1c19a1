#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/core/tensor.h"

namespace oploom {

// A hook on one output of a node, or on a leaf (output 0).
struct HookEntry {
  std::uint64_t id;
  std::uint32_t output_nr;
  std::shared_ptr<Hook> hook;
};
using HookList = std::vector<HookEntry>;

struct NodeHooks {
  struct Retainer {
    TensorImpl* tensor;  // weak: the tensor signs off at its end
    std::uint32_t output_nr;
  };
  HookList hooks;
  std::vector<Retainer> retainers;
};
NodeHooks& hooks_of(Node& node);

// Adds what comes to the leaf's .grad. Made anew each step, held by the graph only.
class AccumulateNode final : public NodeOf<AccumulateNode, 0> {
 public:
  explicit AccumulateNode(TensorImpl& leaf);
  ~AccumulateNode() override;
  void backward() override {}  // the engine keeps the sum and stores all of them at its end (B1)
  TensorImpl* leaf;            // weak: null once the leaf is gone
};

// What few tensors have.
struct Extras {
  Tensor grad;
  AccumulateNode* accumulate = nullptr;  // weak
  HookList leaf_hooks;
  Node* retained_at = nullptr;           // where retain_grad() signed on; kept alive by grad_fn
  bool retains = false;
};
Extras& extras_of(TensorImpl& impl);

// After x's history has changed: retain_grad() follows to the new value.
void follow_retained(TensorImpl& impl) noexcept;
void sign_off_retained(TensorImpl& impl) noexcept;
// Tensors with retain_grad() that belong to a family: their history may be stale when backward starts.
void sync_retained();

}  // namespace oploom
