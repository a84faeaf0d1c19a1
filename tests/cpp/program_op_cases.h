#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/program/ir.h"

// A call or more of every differentiable op of the registry, for both modes.
namespace oploom::test {

using Tensors = std::vector<Tensor>;
using Values = std::vector<program::Value*>;

// One rule for both modes, as in runtime/rules.
struct OpCase {
  std::string op;
  Tensors inputs;
  std::function<Tensors(const Tensors&)> eager;
  std::function<Values(const Values&)> recorded;
};
std::vector<OpCase> op_cases();

// Float64 numbers between -1 and 1, none 0, others for another seed.
Tensor noise(Ints shape, std::int64_t seed);

}  // namespace oploom::test
