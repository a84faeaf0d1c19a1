#pragma once

#include <cstdint>
#include <vector>

#include "runtime/autograd/record.h"
#include "runtime/core/tensor.h"

// Small float64 tensors for tests.
namespace oploom::test {

inline Tensor constant(Ints shape, const std::vector<double>& data) {
  Tensor x = empty(shape, DType::kFloat64);
  std::copy(data.begin(), data.end(), x.data<double>());
  return x;
}
inline Tensor constant(const std::vector<double>& data) {
  return constant({static_cast<std::int64_t>(data.size())}, data);
}
// A leaf that does not stop gradient.
inline Tensor leaf(Ints shape, const std::vector<double>& data) {
  Tensor x = constant(shape, data);
  set_stop_gradient(x, false);
  return x;
}
inline Tensor leaf(const std::vector<double>& data) {
  return leaf({static_cast<std::int64_t>(data.size())}, data);
}

// The elements of a float64 tensor in row-major order, whatever its strides.
inline std::vector<double> values(const Tensor& x) {
  std::vector<double> found;
  std::vector<std::int64_t> at(static_cast<std::size_t>(x.rank()), 0);
  for (std::int64_t n = 0; n < x.numel(); ++n) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < at.size(); ++i) place += at[i] * x.strides()[i];
    found.push_back(x.data<double>()[place]);
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < x.shape()[i]) break;
      at[i] = 0;
    }
  }
  return found;
}

// x.grad, or zeros.
inline std::vector<double> gradient(const Tensor& x) {
  const Tensor grad = grad_of(x);
  if (!grad.defined()) return std::vector<double>(static_cast<std::size_t>(x.numel()), 0.0);
  return values(grad);
}

}  // namespace oploom::test
