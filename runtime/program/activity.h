#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/program/ir.h"

namespace oploom::program {

// Where a value is made: in which region.
inline Region* region_of(const Value* value) {
  return value->op != nullptr ? value->op->parent : value->region;
}

// f(Value*, index among inputs) for every input of a plain op that a gradient can go to.
template <typename F>
void for_each_differentiable(const Op& op, F&& f) {
  const std::size_t groups = op.group_sizes.empty() ? op.inputs.size() : op.group_sizes.size();
  for (std::size_t g = 0, first = 0; g < groups; ++g) {
    const std::size_t count = op.group_sizes.empty() ? 1 : op.group_sizes[g];
    if (g >= op.def->inputs.size() || op.def->inputs[g].differentiable) {
      for (std::size_t i = first; i < first + count; ++i) {
        if (op.inputs[i] != nullptr && can_have_grad(op.inputs[i]->type)) f(op.inputs[i], i);
      }
    }
    first += count;
  }
}
// Whether result i of a plain op can bring a gradient to its inputs.
bool is_differentiable_result(const Op& op, std::size_t i);

// The part of a program that one differentiation has to do with: values that depend on some input
// and that some target depends on, through regions; for the variables of loops that is a fixpoint.
// Time and memory are linear in what the targets depend on.
class Activity {
 public:
  // here: the region that gradients are asked in. Its values and those of the regions around it are
  // visible. Raises kArgument for values that are not, or where an input may hide in a variable of
  // a loop around `here`; kUnimplemented where an active op has no gradient. homes: where inputs
  // came from, as in GradOptions.
  Activity(std::span<Value* const> targets, std::span<Value* const> inputs,
           std::span<Value* const> no_grad, Region& here,
           std::span<const Region* const> homes = {});

  bool active(const Value* value) const { return active_.contains(value); }
  // The ops of region that have to be gone through, last first.
  std::vector<Op*> ops(const Region& region) const;
  bool has(const Op* op) const { return ops_.contains(op); }
  // Active values from outside of op that its regions read or yield, each once, in the order of the
  // program.
  std::vector<Value*> captured(const Op& op) const;
  // Raises kArgument where one of values is made inside a branch or loop that `here` is not in;
  // null passes.
  void expect_visible(const char* what, std::span<Value* const> values) const;
  // `here` and the regions around it, from the inside out.
  std::span<Region* const> visible() const { return visible_; }

 private:
  friend class ActivityGraph;
  std::unordered_set<const Value*> active_;
  std::unordered_set<const Op*> ops_;
  std::unordered_map<const Region*, std::size_t> counts_;  // of ops_ by region
  std::vector<Region*> visible_;
};

}  // namespace oploom::program
