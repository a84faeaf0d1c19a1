#include "runtime/autograd/node.h"

#include "runtime/autograd/extras.h"
#include "runtime/autograd/record.h"

namespace oploom {

void Node::delete_hooks() noexcept { delete hooks_; }

// Freeing a node lets go of the nodes before it. Those whose last holder it was wait in a list
// instead of recursing; the first call of a thread works the list off.
void Node::destroy() noexcept {
  ThreadState& state = thread_state;
  wanted_run_ =
      reinterpret_cast<std::uint64_t>(state.dead_nodes);  // a dead node's field serves as the link
  state.dead_nodes = this;
  if (state.ending_nodes) return;
  state.ending_nodes = true;
  while (Node* node = state.dead_nodes) {
    state.dead_nodes = reinterpret_cast<Node*>(node->wanted_run_);
    node->dispose();
  }
  state.ending_nodes = false;
}

void Node::connect(std::size_t i, const Tensor& x) {
  if (!needs_grad(x)) return;
  TensorImpl& impl = *x.impl();
  Edge& edge = edges_[i];
  if (impl.grad_fn != nullptr) {
    edge.node = Ref<Node>::share(static_cast<Node*>(impl.grad_fn));
    edge.output_nr = impl.output_nr;
  } else {
    edge.node = leaf_node(impl);
  }
}

void Node::connect_list(std::size_t first, TensorList xs) {
  for (std::size_t i = 0; i < xs.size(); ++i) edges_[first + i] = edge_of(xs[i]);
}

bool Node::needs_from(std::size_t first) const {
  for (std::size_t i = first; i < num_edges_; ++i) {
    if (needs(i)) return true;
  }
  return false;
}

bool Node::connected_from(std::size_t first) const {
  for (std::size_t i = first; i < num_edges_; ++i) {
    if (connected(i)) return true;
  }
  return false;
}

NodeHooks& hooks_of(Node& node) {
  if (node.hooks_ == nullptr) node.hooks_ = new NodeHooks;
  return *node.hooks_;
}

}  // namespace oploom
