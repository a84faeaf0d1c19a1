#pragma once

#include <span>
#include <vector>

#include "runtime/program/builder.h"

namespace oploom::program {

// What a generated vjp sees of one op: forward inputs and results, gradients of results, which inputs want one.
// A null Value* is an absent input or a symbolic zero.
class Vjp {
 public:
  Vjp(const Op& op, std::vector<Value*> result_grads, std::vector<bool> needed)
      : op_(op), result_grads_(std::move(result_grads)), needed_(std::move(needed)), input_grads_(op.inputs.size()) {}
  const Op& op() const { return op_; }
  Value* input(std::size_t group) const { return op_.input(group); }
  std::span<Value* const> list(std::size_t group) const { return op_.group(group); }
  Value* output(std::size_t i) const { return op_.results[i].get(); }
  Value* grad(std::size_t output) const { return result_grads_[output]; }
  bool needs(std::size_t group) const;              // any member of a list
  const Attribute& attribute(std::size_t i) const { return op_.attributes[i]; }
  // Attributes as Number / Numbers also where they are metadata.
  Number number(std::size_t i) const;
  Numbers numbers(std::size_t i) const;
  // Brought to the input's shape and dtype here (sum_to, cast: nothing where both agree). Adds.
  void give(std::size_t group, Value* gradient);
  void give_list(std::size_t group, std::span<Value* const> gradients);
  std::vector<Value*> take() { return std::move(input_grads_); }  // along op.inputs

 private:
  const Op& op_;
  std::vector<Value*> result_grads_;
  std::vector<bool> needed_;
  std::vector<Value*> input_grads_;
};

struct GradOptions {
  std::span<Value* const> no_grad;
};
// Appends to the current builder's region ops that compute the gradients of targets (seeded with seeds; null or
// missing: ones) with respect to inputs, all values visible there. Null where no target depends on an input.
std::vector<Value*> gradients(std::span<Value* const> targets, std::span<Value* const> inputs,
                              std::span<Value* const> seeds, GradOptions options);

}  // namespace oploom::program
