#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/program/builder.h"
#include "runtime/program/gradients.h"
#include "runtime/program/program.h"

// A plain evaluator for programs of toy ops, and a bench to build such programs on. Independent of the interpreter.
namespace oploom::program {

// Runs everything; feeds along program.main.arguments. Raises where a value is read before it is there.
std::vector<Tensor> evaluate(const Program& program, std::span<const Tensor> feeds, std::span<Value* const> fetch);

using Values = std::vector<Value*>;

// A program being built, with values for its inputs.
class Bench {
 public:
  Program program;

  Value* input(double value, bool stop_gradient = false);  // float64 []
  Value* input(std::vector<double> values, bool stop_gradient = false);
  // lengths: of the type, -1 where unknown.
  Value* input(std::vector<double> values, Ints shape, Ints lengths, bool stop_gradient = false);
  Value* whole(std::int64_t value);  // int64 []
  Value* constant(double value);     // float64 []
  void feed(const Value* input, double value);

  // As the recorder builds them: regions know where they will stand before they are filled. types: of the loop's
  // variables where their inits' do not hold what the body yields.
  Values cond(Value* pred, const std::function<Values()>& then, const std::function<Values()>& otherwise);
  Values loop(const Values& inits, const std::function<Value*(const Values&)>& condition,
              const std::function<Values(const Values&)>& body, const std::vector<Type>& types = {});
  // count: of trips. An int64 counter comes before the variables, and is given to body as its first argument.
  Values repeat(std::int64_t count, const Values& inits, const std::function<Values(const Values&)>& body);

  double value(Value* of) const;
  std::vector<double> values(Value* of) const;
  std::vector<double> values_of(const Values& scalars) const;
  // Gradients by central differences of a value.
  std::vector<double> differences(Value* of, const Values& inputs);
  // How many ops of that name there are, regions included.
  std::size_t count(std::string_view name) const;

  Values grad(const Values& targets, const Values& inputs, const Values& seeds = {});
  std::vector<double> gradients_of(Value* target, const Values& inputs);
  GradOptions options;

 private:
  Builder main_{program, program.main};
  Builder::Scope scope_{main_};
  std::vector<Tensor> feeds_;
};

}  // namespace oploom::program
