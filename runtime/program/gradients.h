#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/program/builder.h"

namespace oploom::program {

// What the gradient rule of one op sees: forward inputs and results, gradients of results, which
// inputs want one. A null Value* is an absent input or a symbolic zero. Groups count declared
// inputs, outputs declared outputs.
class Vjp {
 public:
  // result_grads along op.results, needed along op.inputs.
  Vjp(const Op& op, std::vector<Value*> result_grads, std::vector<bool> needed);

  const Op& op() const { return op_; }
  Value* input(std::size_t group) const { return op_.input(group); }
  std::span<Value* const> list(std::size_t group) const { return op_.group(group); }
  Value* output(std::size_t i) const { return op_.results[first_result(i)].get(); }
  Value* grad(std::size_t output) const { return result_grads_[first_result(output)]; }
  // Of an output that is a list.
  std::span<Value* const> grad_list(std::size_t output) const;
  bool needs(std::size_t group) const;  // any member of a list
  const Attribute& attribute(std::size_t i) const { return op_.attributes[i]; }
  // Attributes as Number / Numbers also where they are metadata.
  Number number(std::size_t i) const;
  Numbers numbers(std::size_t i) const;

  // Brought to the input's shape and dtype here (sum_to, cast: nothing where both agree). Adds;
  // null adds nothing. What nobody needs is dropped.
  void give(std::size_t group, Value* gradient);
  void give_list(std::size_t group, std::span<Value* const> gradients);
  // For inputs that are list values: the gradient summed up so far (null: none yet), and what it
  // becomes. A read of one entry adds to one entry of it, where a list of its own would cost its
  // whole length.
  Value* so_far(std::size_t group) const;
  void replace(std::size_t group, Value* gradient);
  // Of a list's entry that the op overwrites: its shape, where types do not tell.
  const std::optional<Numbers>& replaced() const { return replaced_; }

  // --- Of the engine.
  void set_so_far(std::size_t input, Value* gradient) { so_far_[input] = gradient; }
  void set_replaced(const Numbers& shape) { replaced_ = shape; }
  Value* given(std::size_t input) const { return given_[input]; }
  Value* replacement(std::size_t input) const { return replacements_[input]; }

 private:
  std::size_t first_result(std::size_t output) const;
  std::size_t first_input(std::size_t group) const;
  void give_one(std::size_t input, Value* gradient);

  const Op& op_;
  std::vector<Value*> result_grads_;
  std::vector<bool> needed_;
  std::vector<Value*> given_;
  std::vector<Value*> so_far_;
  std::vector<Value*> replacements_;
  std::optional<Numbers> replaced_;
};

// A gradient of zeros for x, a tensor or a list; of a tensor only the shape is read.
Value* zero_gradient(Value* x);
// The sum of two gradients of one value.
Value* sum_of_gradients(Value* a, Value* b);

// In which order the ops of a region are gone through. Both give the same gradients up to rounding
// of sums.
enum class GradOrder : std::uint8_t {
  kProgram,  // from the last op to the first
  kReady,    // an op as soon as all that reads its results is done
};
struct GradOptions {
  std::span<Value* const> no_grad = {};  // values that are constants for this call
  GradOrder order = GradOrder::kProgram;
  // Along inputs: the region that each came from, where it was carried into its own by a loop;
  // empty: their own.
  std::span<const Region* const> homes = {};
};
// Appends to the current builder's region ops that compute the gradients of targets (seeded with
// seeds; null or missing: ones) with respect to inputs, all of them values visible there. Null
// where no target depends on an input, or where it stops gradient. Loops and branches that are gone
// through get further results: what the gradient reads of their inside. Raises kArgument or kType
// for values and seeds that do not fit, kUnimplemented where an op on the way has no gradient; then
// nothing stays appended.
std::vector<Value*> gradients(std::span<Value* const> targets, std::span<Value* const> inputs,
                              std::span<Value* const> seeds, const GradOptions& options = {});

}  // namespace oploom::program
