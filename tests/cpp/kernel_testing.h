#pragma once

#include <numeric>
#include <vector>

#include "generated/kernels.h"
#include "runtime/core/prepare.h"
#include "tests/cpp/errors.h"

// Small tensors for tests that call kernels as generated code does: contiguous inputs, outputs of
// the right shape.
namespace oploom::test::kernel {

using test::error_of;

template <typename T>
Tensor of(Ints shape, const std::vector<T>& values) {
  Tensor x = empty(shape, dtype_of<T>);
  for (std::size_t i = 0; i < values.size(); ++i) x.data<T>()[i] = values[i];
  return x;
}
inline Tensor floats(Ints shape, const std::vector<float>& values) {
  return of<float>(shape, values);
}
inline Tensor ints(Ints shape, const std::vector<std::int64_t>& values) {
  return of<std::int64_t>(shape, values);
}

// 1, 2, 3 ...
inline Tensor counting(Ints shape) {
  Tensor x = empty(shape, DType::kFloat32);
  std::iota(x.data<float>(), x.data<float>() + x.numel(), 1.0F);
  return x;
}

// Elements in row-major order, whatever the strides.
template <typename T = float>
std::vector<T> values(const Tensor& x) {
  const Tensor dense = contiguous(x);
  return std::vector<T>(dense.data<T>(), dense.data<T>() + dense.numel());
}

}  // namespace oploom::test::kernel
