#pragma once

#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/program/ir.h"

namespace oploom::program {

// What generated run functions see. Inputs are tensors (an absent one is undefined), attributes are patched with
// metadata already.
struct RunFrame {
  const Op& op;
  std::span<const Tensor> inputs;               // flat, as op.inputs
  std::span<const Attribute> attributes;
  std::span<Tensor> outputs;                    // to be made
  bool inplace;                                 // the paired inputs are dead and solely held: run in their buffers
  std::uint64_t random_key;                     // (seed, number, trip path, run count) as one counter key

  const Tensor& input(std::size_t group) const;         // undefined where absent
  std::span<const Tensor> list(std::size_t group) const;
  template <typename T>
  const T& attribute(std::size_t i) const {
    return std::get<T>(attributes[i]);
  }
};

}  // namespace oploom::program
