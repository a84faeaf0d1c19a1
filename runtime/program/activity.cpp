#include "runtime/program/activity.h"

#include <algorithm>
#include <numeric>

#include "runtime/core/error.h"
#include "runtime/program/control.h"

namespace oploom::program {

bool is_differentiable_result(const Op& op, std::size_t i) {
  if (!op.recorded || (op.def->flags & OpDef::kUpdate) != 0) return false;
  if (!can_have_grad(op.results[i]->type)) return false;
  const auto& outputs = op.def->outputs;
  if (outputs.empty()) return true;
  const auto list =
      std::find_if(outputs.begin(), outputs.end(), [](const OutputDef& def) { return def.list; });
  std::size_t at = i;
  if (list != outputs.end()) {
    const auto before = static_cast<std::size_t>(list - outputs.begin());
    const std::size_t length = op.results.size() + 1 - outputs.size();
    if (at >= before) at = at < before + length ? before : at - length + 1;
  }
  return outputs[at].differentiable;
}

// The ways that gradients can take: edges run from what is read to what is made of it. A node is a
// value, or a plain op between its inputs and its results. Found from the targets backwards, then
// gone from the inputs forwards; control flow is no more than edges here, so a loop's fixpoint
// costs nothing extra.
class ActivityGraph {
 public:
  ActivityGraph(Activity& activity, std::span<Value* const> no_grad) : activity_(activity) {
    for (const Value* value : no_grad) constants_.insert(value);
  }

  void find_from(std::span<Value* const> targets);
  void refuse_hidden(std::span<Value* const> inputs, std::span<const Region* const> homes) const;
  void reach_from(std::span<Value* const> inputs);

 private:
  struct Node {
    const Value* value;  // null for an op
    const Op* op;        // null for a value
  };
  struct Edge {
    std::uint32_t from, to;
  };

  bool is_constant(const Value* value) const {
    return value->stopped || !can_have_grad(value->type) || constants_.contains(value);
  }
  std::uint32_t node_of(const void* key, Node node);
  void add_edge(const Value* from, std::uint32_t to);
  void visit_value(const Value& value, std::uint32_t node);
  void visit_argument(const Value& value, std::uint32_t node);
  void visit_result(const Value& value, std::uint32_t node);
  bool may_start(const Value* input) const;
  std::size_t depth_of(const Region* region) const;
  void make_active(const Node& node);

  Activity& activity_;
  std::unordered_set<const Value*> constants_;
  std::unordered_map<const void*, std::uint32_t> ids_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<const Value*> open_variables_;  // of loops around `here`
};

std::uint32_t ActivityGraph::node_of(const void* key, Node node) {
  const auto [entry, fresh] = ids_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return entry->second;
}

void ActivityGraph::add_edge(const Value* from, std::uint32_t to) {
  if (is_constant(from)) return;
  edges_.push_back({node_of(from, {from, nullptr}), to});
}

void ActivityGraph::find_from(std::span<Value* const> targets) {
  for (const Value* target : targets) {
    if (!is_constant(target)) node_of(target, {target, nullptr});
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {  // grows meanwhile
    const Node node = nodes_[i];
    if (node.value != nullptr)
      visit_value(*node.value, i);
    else
      for_each_differentiable(*node.op,
                              [&](const Value* input, std::size_t) { add_edge(input, i); });
  }
}

void ActivityGraph::visit_value(const Value& value, std::uint32_t node) {
  if (value.op == nullptr)
    visit_argument(value, node);
  else if (value.op->recorded)
    visit_result(value, node);
}

void ActivityGraph::visit_argument(const Value& value, std::uint32_t node) {
  const Op* loop = value.region->parent;
  if (loop == nullptr) return;  // of the program
  if (depth_of(value.region) < activity_.visible_.size()) {
    open_variables_.push_back(&value);
    return;
  }
  add_edge(loop->inputs[value.index], node);
  add_edge(loop->regions[1]->yields[value.index], node);
}

void ActivityGraph::visit_result(const Value& value, std::uint32_t node) {
  const Op& op = *value.op;
  if (op.def == &kIf) {
    for (const auto& branch : op.regions) add_edge(branch->yields[value.index], node);
  } else if (op.def == &kWhile) {
    add_edge(op.inputs[value.index], node);
    add_edge(op.regions[1]->yields[value.index], node);
  } else if (is_differentiable_result(op, value.index)) {
    const std::uint32_t from = node_of(&op, {nullptr, &op});
    edges_.push_back({from, node});
  }
}

// Counted from the inside out; beyond the last one for a region that is not around `here`.
std::size_t ActivityGraph::depth_of(const Region* region) const {
  const auto& visible = activity_.visible_;
  return static_cast<std::size_t>(std::find(visible.begin(), visible.end(), region) -
                                  visible.begin());
}

// Whether gradients are kept for input at all. Of what is made inside an open loop that is not
// known yet.
bool ActivityGraph::may_start(const Value* input) const {
  if (is_constant(input)) return false;
  return input->needs_grad || region_of(input)->parent != nullptr;
}

void ActivityGraph::refuse_hidden(std::span<Value* const> inputs,
                                  std::span<const Region* const> homes) const {
  for (const Value* variable : open_variables_) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Region* made_in = homes.empty() ? region_of(inputs[i]) : homes[i];
      if (inputs[i] == variable || !may_start(inputs[i]) ||
          depth_of(made_in) <= depth_of(variable->region))
        continue;
      raise(ErrorKind::kArgument, "[grad] inputs[", i, "]: expected a value that loop variable ",
            variable->index, " (%", variable->id,
            ") of the loop around this call cannot hold, got %", inputs[i]->id,
            " from outside of that loop; a target depends on the variable, and the trips before "
            "this one may have put"
            " the input into it. Ask for the gradient after the loop, or detach() the variable.");
    }
  }
}

void ActivityGraph::make_active(const Node& node) {
  if (node.value != nullptr) activity_.active_.insert(node.value);
  const Op* op = node.op;
  if (node.value != nullptr) {
    op = node.value->op;
    if (op == nullptr || (op->def != &kIf && op->def != &kWhile)) return;
  } else if (op->def->vjp == nullptr && (op->def->flags & OpDef::kZeroGradient) == 0) {
    raise(ErrorKind::kUnimplemented, "[grad] '", shown_name(*op), "' at ", op->position,
          " has no gradient, but a target depends on an input through it",
          op->def->no_gradient == nullptr ? "" : " (",
          op->def->no_gradient == nullptr ? "" : op->def->no_gradient,
          op->def->no_gradient == nullptr ? "" : ")",
          "; detach() what goes in, or name it in no_grad_vars");
  }
  if (activity_.ops_.insert(op).second) ++activity_.counts_[op->parent];
}

void ActivityGraph::reach_from(std::span<Value* const> inputs) {
  std::vector<std::uint32_t> first(nodes_.size() + 1, 0);  // edges sorted by where they start
  for (const Edge& edge : edges_) ++first[edge.from + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> to(edges_.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (const Edge& edge : edges_) to[next[edge.from]++] = edge.to;

  std::vector<bool> reached(nodes_.size(), false);
  std::vector<std::uint32_t> front;
  const auto reach = [&](std::uint32_t node) {
    if (reached[node]) return;
    reached[node] = true;
    front.push_back(node);
  };
  for (const Value* input : inputs) {
    const auto entry = ids_.find(input);
    if (entry != ids_.end() && may_start(input)) reach(entry->second);
  }
  while (!front.empty()) {
    const std::uint32_t node = front.back();
    front.pop_back();
    for (std::uint32_t i = first[node]; i < first[node + 1]; ++i) reach(to[i]);
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (reached[i]) make_active(nodes_[i]);
  }
}

namespace {

void note_captured(const Activity& activity, const Op& op,
                   std::unordered_set<const Region*>& inside,
                   std::unordered_set<const Value*>& seen, std::vector<Value*>& captured) {
  const auto note = [&](Value* value) {
    if (!activity.active(value) || inside.contains(region_of(value))) return;
    if (seen.insert(value).second) captured.push_back(value);
  };
  for (const auto& region : op.regions) {
    inside.insert(region.get());
    for (const auto& inner : region->ops) {
      if (!activity.has(inner.get())) continue;
      for_each_differentiable(*inner, [&](Value* input, std::size_t) { note(input); });
      note_captured(activity, *inner, inside, seen, captured);
    }
    for (Value* value : region->yields) note(value);
  }
}

}  // namespace

Activity::Activity(std::span<Value* const> targets, std::span<Value* const> inputs,
                   std::span<Value* const> no_grad, Region& here,
                   std::span<const Region* const> homes) {
  for (Region* region = &here; region != nullptr;) {
    visible_.push_back(region);
    region = region->parent == nullptr ? nullptr : region->parent->parent;
  }
  expect_visible("outputs", targets);
  expect_visible("inputs", inputs);
  ActivityGraph graph(*this, no_grad);
  graph.find_from(targets);
  graph.refuse_hidden(inputs, homes);
  graph.reach_from(inputs);
}

void Activity::expect_visible(const char* what, std::span<Value* const> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    if (std::find(visible_.begin(), visible_.end(), region_of(values[i])) != visible_.end())
      continue;
    raise(ErrorKind::kArgument, "[grad] ", what, "[", i,
          "]: expected a value that can be seen here, got %", values[i]->id,
          ", which is made inside a branch or loop; let that return it and use the result");
  }
}

std::vector<Op*> Activity::ops(const Region& region) const {
  std::vector<Op*> found;
  const auto entry = counts_.find(&region);
  if (entry == counts_.end()) return found;
  found.reserve(entry->second);
  for (std::size_t i = region.ops.size(); i-- > 0 && found.size() < entry->second;) {
    if (ops_.contains(region.ops[i].get())) found.push_back(region.ops[i].get());
  }
  return found;
}

std::vector<Value*> Activity::captured(const Op& op) const {
  std::vector<Value*> captured;
  std::unordered_set<const Region*> inside;
  std::unordered_set<const Value*> seen;
  note_captured(*this, op, inside, seen, captured);
  return captured;
}

}  // namespace oploom::program
