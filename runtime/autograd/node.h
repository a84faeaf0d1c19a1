#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/autograd/op_info.h"
#include "runtime/core/pool.h"
#include "runtime/core/shared.h"
#include "runtime/core/tensor.h"

namespace oploom {

class Node;
struct NodeHooks;

// Where a gradient goes: an output of the node that made a value. Empty where nothing needs it.
struct Edge {
  Ref<Node> node;
  std::uint32_t output_nr = 0;
  explicit operator bool() const { return static_cast<bool>(node); }
};

// One recorded op. Generated classes derive from NodeOf or ListNodeOf below.
//
// The engine fills the slots (gradients of the outputs), calls verify() on all nodes of a run, then
// backward(), which calls give(i, gradient) for the inputs that needs(i). Slots and edges live in
// the node: no hash map.
class Node : public Shared {
 public:
  const OpInfo& op() const { return *op_; }

  // Gradient of output i; undefined where nothing came (a symbolic zero).
  const Tensor& grad(std::size_t i) const { return slots_[i]; }
  Tensor& grad_slot(std::size_t i) { return slots_[i]; }
  // The same, moved out of the slot, for a rule that may reuse its buffer; the rule that reads it
  // last.
  Tensor take_grad(std::size_t i) { return std::move(slots_[i]); }
  // Whether gradient may be overwritten: nobody else holds it, it is dense, and no graph is
  // recorded (B5).
  bool reusable(const Tensor& gradient) const;
  // Whether this run wants the gradient of input i.
  bool needs(std::size_t i) const {
    const Node* next = edges_[i].node.get();
    return next != nullptr && next->wanted_run_ == run_;
  }
  // The same for any input from first on: a list, which comes last.
  bool needs_from(std::size_t first) const;
  // Hands the gradient of input i to its edge; undefined is a symbolic zero.
  void give(std::size_t i, Tensor gradient);
  void give_list(std::size_t first, std::vector<Tensor> gradients);
  // At recording: whether input i has anywhere to send a gradient (decides what is saved).
  bool connected(std::size_t i) const { return static_cast<bool>(edges_[i].node); }
  bool connected_from(std::size_t first) const;
  void connect(std::size_t i, const Tensor& x);  // the edge of x's present value; once for each i
  void connect(std::size_t i, Edge edge) { edges_[i] = std::move(edge); }
  // Input first+i of a list; a later connect must not come before.
  void connect_list(std::size_t first, std::span<const Tensor> xs);

  virtual void backward() = 0;
  // Tests the saved values that the wanted gradients read (B1); raises kVersion.
  virtual void verify() const {}
  // Of a node with several outputs, one of which was made of another: what comes for the other as a
  // gradient is not all of it. Raises where somebody asks for it; written: what a call wrote with it.
  virtual void expect_whole(std::uint32_t output, bool written) const {
    static_cast<void>(output);
    static_cast<void>(written);
  }
  // Of the same: a call has written this output into a tensor, whose value is that of node `by` from
  // then on.
  virtual void written_by(std::uint32_t output, std::weak_ptr<Node* const> by) {
    static_cast<void>(output);
    static_cast<void>(by);
  }
  // Lets go of saved values.
  virtual void release() noexcept {}

  // --- For the engine.
  std::uint32_t num_edges() const { return num_edges_; }
  std::uint32_t num_slots() const { return num_slots_; }
  Edge& edge(std::size_t i) { return edges_[i]; }
  const Edge& edge(std::size_t i) const { return edges_[i]; }
  void destroy() noexcept final;  // iterative: a chain of a million nodes does not recurse

  bool create_graph() const { return create_graph_; }
  bool retain_graph() const { return retain_graph_; }
  NodeHooks* hooks() const { return hooks_; }
  std::uint32_t target_id = 0;  // of an in-place node: the tensor written (for B8's message)

 protected:
  Node(const OpInfo& op, Edge* edges, std::uint32_t num_edges, Tensor* slots,
       std::uint32_t num_slots)
      : op_(&op), edges_(edges), slots_(slots), num_edges_(num_edges), num_slots_(num_slots) {}
  virtual ~Node() {
    if (hooks_ != nullptr) [[unlikely]]
      delete_hooks();
  }
  virtual void dispose() noexcept = 0;  // delete this, with its own size
  // A gradient rule that is one kernel: gradient = kernel(gradient), in gradient's own buffer where
  // the engine alone holds it (B5). For runs that are bare() only.
  template <typename Kernel>
  void rewrite(Tensor& gradient, Kernel kernel) const {
    if (reusable(gradient)) return kernel(gradient);
    Tensor fresh = empty_like(gradient, gradient.dtype());
    kernel(fresh);
    gradient = std::move(fresh);
  }
  // Whether calls need not be seen: no graph is recorded, nobody listens.
  bool bare() const { return !create_graph_ && thread_state.tracer == nullptr; }
  friend class Engine;
  friend NodeHooks& hooks_of(Node& node);

  void delete_hooks() noexcept;

  const OpInfo* op_;
  Edge* edges_;
  Tensor* slots_;
  std::uint32_t num_edges_;
  std::uint32_t num_slots_;
  std::uint32_t pending_ = 0;  // edges of this run that still point here
  bool freed_ = false;         // its saved values are gone (B8)
  bool create_graph_ = false;  // of this run: gradients are recorded
  bool retain_graph_ = false;  // of this run: a further one may follow
  bool passes_on_ = false;     // of this run: something that the node feeds wants a gradient of it
  std::uint64_t run_ = 0;      // the run that visits it
  std::uint64_t wanted_run_ = 0;  // the last run that wanted it
  NodeHooks* hooks_ = nullptr;    // hooks and retain_grad() of its outputs; owned, rare
};

// A node with a fixed number of inputs and outputs; Self is the final class (for its size in the
// pool).
template <typename Self, std::uint32_t Inputs, std::uint32_t Outputs = 1>
class NodeOf : public Node {
 public:
  static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block) noexcept { pool::free(block, sizeof(Self)); }

 protected:
  explicit NodeOf(const OpInfo& op) : Node(op, own_edges_, Inputs, own_slots_, Outputs) {}
  void dispose() noexcept override { delete static_cast<Self*>(this); }

 private:
  Edge own_edges_[Inputs > 0 ? Inputs : 1];
  Tensor own_slots_[Outputs];
};

// A node with list inputs: the number of edges is known when it is recorded.
template <typename Self, std::uint32_t Outputs = 1>
class ListNodeOf : public Node {
 public:
  static void* operator new(std::size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block) noexcept { pool::free(block, sizeof(Self)); }

 protected:
  ListNodeOf(const OpInfo& op, std::size_t inputs)
      : Node(op, nullptr, static_cast<std::uint32_t>(inputs), own_slots_, Outputs), list_(inputs) {
    edges_ = list_.data();
  }
  void dispose() noexcept override { delete static_cast<Self*>(this); }

 private:
  std::vector<Edge> list_;
  Tensor own_slots_[Outputs];
};

}  // namespace oploom
