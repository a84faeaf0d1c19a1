#include "runtime/autograd/engine.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "generated/roles.h"
#include "runtime/autograd/extras.h"
#include "runtime/autograd/family.h"
#include "runtime/autograd/turn.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"

namespace oploom {
namespace {

// Nobody but the caller holds x, and x shows all of its storage, which nothing else holds.
bool sole(const Tensor& x) {
  const TensorImpl& impl = *x.impl();
  const std::uint64_t own = (impl.flags & TensorImpl::kHeldByFamily) != 0 ? 0 : Storage::kMap;
  const std::uint64_t familys = impl.family != nullptr ? 1 : 0;
  return impl.count.load(std::memory_order_acquire) == 1 && shows_alone(impl) &&
         impl.storage->counts.load(std::memory_order_acquire) == own + familys &&
         impl.storage->guard == 0 && x.contiguous() && impl.storage->nbytes == x.nbytes();
}

// A tensor that shares memory with nothing a user can reach: x itself where the engine is its one
// holder.
Tensor owned(Tensor x) {
  if (!sole(x)) return roles::clone(x);
  if (x.impl()->family != nullptr) leave_family(*x.impl());
  return x;
}

bool any_defined(const Tensor* slots, std::uint32_t count) {
  return std::any_of(slots, slots + count,
                     [](const Tensor& gradient) { return gradient.defined(); });
}

// Nodes keep the number of the run that saw them last, whatever thread it was of.
std::uint64_t next_run() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

// One backward: finds the nodes, tests them, runs them, stores what came.
class Engine {
 public:
  Engine(bool retain, bool create_graph)
      : retain_(retain),
        create_graph_(create_graph),
        id_(next_run()),
        outer_(std::exchange(thread_state.engine, this)) {}
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void seed(const Tensor& output, Tensor gradient);
  void capture(const Tensor& input, std::size_t index);
  void stop_at(const Tensor& x);
  void accumulate_into_leaves() { into_leaves_ = true; }
  void run(std::vector<Tensor>* captured);
  static void send(Node& from, const Edge& edge, Tensor&& gradient);
  bool reached(const Node& node) const { return node.run_ == id_; }
  bool depends_on(const Node& node) const;

 private:
  struct Capture {
    std::uint32_t output_nr;
    std::size_t index;
  };
  struct Retained {
    Tensor tensor;
    Tensor gradient;
  };
  void clear_nodes() noexcept;
  bool feeds_wanted(const Node& node) const;
  void find_nodes();
  void visit(Node* node);
  [[noreturn, gnu::cold]] void refuse_nested(const Node& node) const;
  void order_nodes();
  void mark_wanted();
  void verify() const;
  void execute(Node& node);
  void execute_asked(Node& node);
  void call_hooks(Node& node);
  void call_hooks(HookList hooks, Tensor* slots);
  void take_captures(Node& node);
  static void expect_whole(const Node& node, std::uint32_t output_nr);
  void finish(AccumulateNode& node);
  void store();
  friend bool is_asked_for(const Node& node);
  bool stopped(const Node& node, std::uint32_t output_nr) const;
  [[noreturn]] void refuse_freed(const Node& node) const;

  const Turn turn_;  // first: taken before anything else
  const bool retain_;
  const bool create_graph_;
  bool into_leaves_ = false;
  bool is_tree_ =
      true;  // no node was found twice: the order in which they were found is one to run in
  bool finished_ = false;  // no node holds anything of this run any more
  const std::uint64_t id_;
  Engine* const outer_;
  // Small graphs need no heap: all lists of a run begin in this buffer.
  std::byte buffer_[4096];
  std::pmr::monotonic_buffer_resource arena_{buffer_, sizeof(buffer_)};
  std::pmr::vector<Edge> roots_{&arena_};
  std::pmr::vector<Tensor> seeds_{&arena_};
  std::pmr::vector<Node*> nodes_{
      &arena_};  // once found: every node; once ordered: each before those it feeds
  std::unordered_map<const Node*, std::vector<Capture>> captures_;
  std::vector<Ref<Node>> held_;  // keys of captures_: an address must not be given to a new node
  std::vector<Edge> stops_;
  std::vector<Tensor>* captured_ = nullptr;
  std::pmr::vector<Retained> retained_{
      &arena_};  // retain_grad() and leaves, stored when all went well
};

Engine::~Engine() {
  // Whatever happened, no node keeps a gradient of this run.
  if (!finished_) clear_nodes();
  thread_state.engine = outer_;
}

void Engine::clear_nodes() noexcept {
  for (Node* node : nodes_) {
    for (std::uint32_t i = 0; i < node->num_slots_; ++i) node->slots_[i] = Tensor();
    node->run_ = 0;
    node->create_graph_ = false;
  }
}

void Engine::seed(const Tensor& output, Tensor gradient) {
  roots_.push_back(edge_of(output));
  seeds_.push_back(std::move(gradient));
}

void Engine::capture(const Tensor& input, std::size_t index) {
  Edge edge = edge_of(input);
  if (!edge) return;
  captures_[edge.node.get()].push_back({edge.output_nr, index});
  held_.push_back(std::move(edge.node));
}

void Engine::stop_at(const Tensor& x) {
  if (Edge edge = edge_of(x)) stops_.push_back(std::move(edge));
}

bool Engine::stopped(const Node& node, std::uint32_t output_nr) const {
  return std::any_of(stops_.begin(), stops_.end(), [&](const Edge& stop) {
    return stop.node.get() == &node && stop.output_nr == output_nr;
  });
}

bool is_asked_for(const Node& node) {
  const Engine* engine = thread_state.engine;
  const NodeHooks* hooks = node.hooks();
  if (hooks != nullptr && !hooks->hooks.empty()) return true;
  if (engine == nullptr) return false;
  return engine->stopped(node, 0) || (engine->into_leaves_ && hooks != nullptr && !hooks->retainers.empty());
}

void Engine::refuse_freed(const Node& node) const {
  std::string written;
  for (const Node* seen : nodes_) {
    if (seen->freed_ && seen->target_id != 0) {
      const std::string name = name_of_id(seen->target_id);
      written = text(" Tensor '", name, "' is written in place by '", seen->op().name,
                     "' with recording: where that happens in every step, the next step's graph "
                     "runs into the last "
                     "one's; call its detach_() before the step, or write under no_grad().");
      break;
    }
  }
  raise(ErrorKind::kRuntime, "backward goes through '", node.op().gradient,
        "' a second time, but its saved values were freed by the first; call the first with "
        "retain_graph=True.",
        written);
}

void Engine::refuse_nested(const Node& node) const {
  raise(ErrorKind::kUnimplemented,
        "backward was called inside a hook on a graph that the outer backward is "
        "still working on ('",
        node.op().gradient, "'); compute what the hook needs from detach()ed values");
}

void Engine::visit(Node* node) {
  if (node->run_ == id_) {
    is_tree_ = false;
    return;
  }
  for (const Engine* outer = outer_; outer != nullptr; outer = outer->outer_) {
    if (node->run_ == outer->id_) refuse_nested(*node);
  }
  node->run_ = id_;
  node->pending_ = 0;
  node->create_graph_ = create_graph_;
  node->retain_graph_ = retain_;
  nodes_.push_back(node);
}

void Engine::find_nodes() {
  nodes_.reserve(64);
  for (const Edge& root : roots_) visit(root.node.get());
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    Node* node = nodes_[at];
    for (std::uint32_t i = 0; i < node->num_edges_; ++i) {
      Node* next = node->edges_[i].node.get();
      if (next == nullptr) continue;
      visit(next);
      ++next->pending_;
    }
  }
}

void Engine::order_nodes() {
  if (is_tree_) return;
  std::pmr::vector<Node*> ordered{&arena_};
  ordered.reserve(nodes_.size());
  for (Node* node : nodes_) {
    if (node->pending_ == 0) ordered.push_back(node);
  }
  for (std::size_t at = 0; at < ordered.size(); ++at) {
    Node* node = ordered[at];
    for (std::uint32_t i = 0; i < node->num_edges_; ++i) {
      Node* next = node->edges_[i].node.get();
      if (next != nullptr && --next->pending_ == 0) ordered.push_back(next);
    }
  }
  nodes_ = std::move(ordered);
}

// Wanted: from here a gradient reaches something that was asked for.
void Engine::mark_wanted() {
  const bool stops = !stops_.empty();
  const bool captures = !captures_.empty();
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    Node* node = nodes_[at];
    node->passes_on_ = feeds_wanted(*node);
    if (stops && node->num_slots_ == 1 && stopped(*node, 0)) continue;
    const bool asked = into_leaves_ && (node->num_edges_ == 0 || node->hooks_ != nullptr);
    if (node->passes_on_ || asked || (captures && captures_.contains(node)))
      node->wanted_run_ = id_;
  }
}

// Whether something that the node feeds wants a gradient of it.
bool Engine::feeds_wanted(const Node& node) const {
  for (std::uint32_t i = 0; i < node.num_edges_; ++i) {
    if (node.needs(i)) return true;
  }
  return false;
}

// Whether a gradient could have come here from a root, were it not zero.
bool Engine::depends_on(const Node& node) const {
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> pending;
  const auto visit = [&](const Node* next) {
    if (next != nullptr && next->wanted_run_ == id_ && seen.insert(next).second)
      pending.push_back(next);
  };
  for (const Edge& root : roots_) visit(root.node.get());
  while (!pending.empty()) {
    const Node* at = pending.back();
    pending.pop_back();
    for (std::uint32_t i = 0; i < at->num_edges_; ++i) visit(at->edges_[i].node.get());
  }
  return seen.contains(&node);
}

void Engine::verify() const {
  for (const Node* node : nodes_) {
    if (node->wanted_run_ != id_ || !node->passes_on_) continue;
    if (node->freed_) refuse_freed(*node);
    node->verify();
  }
}

void Engine::send(Node& from, const Edge& edge, Tensor&& gradient) {
  Node& next = *edge.node;
  if (next.wanted_run_ != from.run_ || !gradient.defined()) return;
  Tensor& slot = next.slots_[edge.output_nr];
  if (!slot.defined()) [[likely]] {
    slot = std::move(gradient);
  } else if (from.reusable(slot) && slot.dtype() == gradient.dtype() &&
             slot.shape() == gradient.shape()) {
    roles::accumulate_(slot, gradient);
  } else {
    slot = roles::accumulate(slot, gradient);
  }
}

void Node::give(std::size_t i, Tensor gradient) {
  if (needs(i)) Engine::send(*this, edges_[i], std::move(gradient));
}

void Node::give_list(std::size_t first, std::vector<Tensor> gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) give(first + i, std::move(gradients[i]));
}

bool Node::reusable(const Tensor& gradient) const {
  return !create_graph_ && gradient.defined() && sole(gradient);
}

void Engine::call_hooks(HookList hooks, Tensor* slots) {
  for (const HookEntry& entry : hooks) {
    Tensor& slot = slots[entry.output_nr];
    if (!slot.defined()) continue;
    // The hook's own: an edit in place is seen downstream of here and nowhere else (E8).
    if (!sole(slot)) slot = roles::clone(slot);
    const Tensor shown = slot;
    Tensor answer = entry.hook->call(shown);
    if (!answer.defined()) continue;
    if (answer.shape() != shown.shape() || answer.dtype() != shown.dtype()) {
      raise(ErrorKind::kArgument, "a hook must return a gradient like the one it got (",
            shown.dtype(), " of shape ", shown.shape(), "), or None; it returned ", answer.dtype(),
            " of shape ", answer.shape());
    }
    slot = std::move(answer);
  }
}

void Engine::call_hooks(Node& node) {
  if (node.hooks_ == nullptr) return;
  // What a call with several outputs wrote: that call's node tells, when it runs.
  for (const HookEntry& entry : node.hooks_->hooks) node.expect_whole(entry.output_nr, false);
  call_hooks(node.hooks_->hooks, node.slots_);
  if (!into_leaves_) return;
  for (const NodeHooks::Retainer& retainer : node.hooks_->retainers) {
    node.expect_whole(retainer.output_nr, false);
    const Tensor& gradient = node.slots_[retainer.output_nr];
    if (gradient.defined()) retained_.push_back({Tensor::share(retainer.tensor), gradient});
  }
}

// An in-place node hands on what a call with several outputs wrote.
void Engine::expect_whole(const Node& node, std::uint32_t output_nr) {
  node.expect_whole(output_nr, false);
  if (node.target_id == 0) return;
  for (std::uint32_t i = 0; i < node.num_edges_; ++i) {
    const Edge& edge = node.edges_[i];
    if (edge) edge.node->expect_whole(edge.output_nr, true);
  }
}

void Engine::take_captures(Node& node) {
  if (captures_.empty()) return;
  const auto found = captures_.find(&node);
  if (found == captures_.end()) return;
  for (const Capture& capture : found->second) {
    expect_whole(node, capture.output_nr);
    (*captured_)[capture.index] = node.slots_[capture.output_nr];
  }
}

void Engine::finish(AccumulateNode& node) {
  if (!into_leaves_ || node.leaf == nullptr || !node.slots_[0].defined()) return;
  Tensor leaf = Tensor::share(node.leaf);
  const Tensor& gradient = node.slots_[0];
  if (gradient.shape() != leaf.shape() || gradient.dtype() != leaf.dtype()) {
    raise(ErrorKind::kVersion, "Leaf Tensor '", leaf.name(),
          "' was of another shape or dtype when it was used: it is now ", leaf.dtype(),
          " of shape ", leaf.shape(), ", its gradient ", gradient.dtype(), " of shape ",
          gradient.shape(), ". Change it before its use, or use the plain form.");
  }
  if (const Tensor kept = grad_of(leaf);
      kept.defined() && (kept.shape() != leaf.shape() || kept.dtype() != leaf.dtype())) {
    raise(ErrorKind::kVersion, "Leaf Tensor '", leaf.name(), "' is ", leaf.dtype(), " of shape ",
          leaf.shape(), ", but its .grad is still ", kept.dtype(), " of shape ", kept.shape(),
          ": it was changed in place since. Call clear_grad() first.");
  }
  retained_.push_back({std::move(leaf), std::move(node.slots_[0])});
}

void Engine::execute(Node& node) {
  if (!node.slots_[0].defined() && node.num_slots_ == 1) return;
  const bool asked =
      node.num_edges_ == 0 || node.hooks_ != nullptr || !stops_.empty() || !captures_.empty();
  if (asked) return execute_asked(node);
  if (node.passes_on_ && any_defined(node.slots_, node.num_slots_)) node.backward();
}

// A node whose gradients somebody asked for, or wants to change or to stop.
void Engine::execute_asked(Node& node) {
  for (std::uint32_t i = 0; i < node.num_slots_ && !stops_.empty(); ++i) {
    if (!stopped(node, i)) continue;
    expect_whole(node, i);
    node.slots_[i] = Tensor();
  }
  auto* accumulate = node.num_edges_ == 0 ? dynamic_cast<AccumulateNode*>(&node) : nullptr;
  if (accumulate != nullptr && accumulate->leaf != nullptr) {
    call_hooks(extras_of(*accumulate->leaf).leaf_hooks, node.slots_);
  }
  call_hooks(node);
  take_captures(node);
  if (accumulate != nullptr) return finish(*accumulate);
  if (node.passes_on_ && any_defined(node.slots_, node.num_slots_)) node.backward();
}

void Engine::run(std::vector<Tensor>* captured) {
  captured_ = captured;
  find_nodes();
  order_nodes();
  mark_wanted();
  verify();
  const GradMode mode(create_graph_);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    // A seed is a gradient like others: added, not assigned.
    Node& node = *roots_[i].node;
    if (node.wanted_run_ == id_) send(node, roots_[i], std::move(seeds_[i]));
  }
  for (Node* node : nodes_) {
    const bool wanted = node->wanted_run_ == id_;
    if (wanted) execute(*node);
    for (std::uint32_t i = 0; i < node->num_slots_; ++i) node->slots_[i] = Tensor();
    if (!retain_ && wanted && node->passes_on_) {
      node->release();
      node->freed_ = true;
    }
  }
  finished_ = true;
  store();
}

// Nothing below fails but for want of memory, so that a backward that raises leaves every .grad as
// it was.
void Engine::store() {
  for (Retained& entry : retained_) {
    Tensor& grad = extras_of(*entry.tensor.impl()).grad;
    Tensor gradient = std::move(entry.gradient);
    if (!grad.defined()) {
      grad = create_graph_ ? roles::clone(gradient) : owned(std::move(gradient));
      continue;
    }
    const bool guarded =
        (grad.impl()->storage->guard & (Storage::kWatched | Storage::kReadOnly)) != 0 ||
        (grad.impl()->flags & TensorImpl::kOverlap) != 0;
    if (create_graph_ || needs_grad(grad) || guarded)
      grad = roles::accumulate(grad, gradient);
    else
      roles::accumulate_(grad, gradient);
  }
}

namespace {

Tensor seed_for(const char* call, const Tensor& output, const Tensor& given) {
  if (!is_float(output.dtype()) || stop_gradient(output)) {
    raise(ErrorKind::kRuntime, "[", call, "] Tensor '", output.name(), "' (", output.dtype(),
          " of shape ", output.shape(),
          ") stops gradient: nothing it was computed from has stop_gradient = False, or it was "
          "computed under no_grad()");
  }
  if (!given.defined()) return roles::ones(output.shape(), output.dtype());
  if (given.shape() != output.shape() || given.dtype() != output.dtype()) {
    raise(ErrorKind::kArgument, "[", call, "] the gradient given for Tensor '", output.name(),
          "' must be ", output.dtype(), " of shape ", output.shape(), ", got ", given.dtype(),
          " of shape ", given.shape());
  }
  return given;
}

// An in-place op that replaced the value of input on which the outputs depend, or null.
const Node* replacer_of(const Engine& engine, const Tensor& input) {
  const std::uint32_t id = input.impl()->id;
  auto* node = static_cast<const Node*>(input.impl()->grad_fn);
  while (id != 0 && node != nullptr && node->target_id == id && node->num_edges() > 0) {
    const Node* before = node->edge(0).node.get();
    if (before != nullptr && engine.reached(*before)) return node;
    node = before;
  }
  return nullptr;
}

}  // namespace

void backward(const Tensor& x, const Tensor& grad, bool retain_graph, bool create_graph) {
  Tensor seed = seed_for("backward", x, grad);
  sync_retained();
  Engine engine(retain_graph || create_graph, create_graph);
  engine.accumulate_into_leaves();
  engine.seed(x, std::move(seed));
  engine.run(nullptr);
}

std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                         TensorList no_grad_vars, GradOptions options) {
  if (!grad_outputs.empty() && grad_outputs.size() != outputs.size()) {
    raise(ErrorKind::kArgument, "[grad] grad_outputs: expected one for each of ", outputs.size(),
          " outputs, got ", grad_outputs.size());
  }
  std::vector<Tensor> result(inputs.size());
  Engine engine(options.retain_graph.value_or(options.create_graph), options.create_graph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    engine.seed(outputs[i],
                seed_for("grad", outputs[i], grad_outputs.empty() ? Tensor() : grad_outputs[i]));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (stop_gradient(inputs[i])) {
      raise(ErrorKind::kRuntime, "[grad] inputs[", i, "]: Tensor '", inputs[i].name(),
            "' stops gradient; set stop_gradient = False before it is used");
    }
    engine.capture(inputs[i], i);
  }
  for (const Tensor& x : no_grad_vars) engine.stop_at(x);
  engine.run(&result);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (result[i].defined()) {
      if (!options.create_graph) result[i] = owned(std::move(result[i]));
      continue;
    }
    const Edge edge = edge_of(inputs[i]);
    if (engine.depends_on(*edge.node)) {  // every gradient on the way was a symbolic zero
      result[i] = roles::zeros(inputs[i].shape(), inputs[i].dtype());
      continue;
    }
    if (const Node* replacer = replacer_of(engine, inputs[i])) {
      raise(ErrorKind::kRuntime, "[grad] inputs[", i,
            "]: the outputs depend on an earlier value of Tensor '", inputs[i].name(), "', which '",
            replacer->op().name, "' has replaced; keep a clone() of that value");
    }
  }
  return result;
}

}  // namespace oploom
