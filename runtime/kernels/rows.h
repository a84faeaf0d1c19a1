#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "runtime/core/tensor.h"

// What kernels that move rows of elements share.
namespace oploom::kernels {

// a + b: integers wrap, bool is whether either holds.
template <typename T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
void add_row(const T* from, T* to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = plus(to[i], from[i]);
}

// Rows of one element are common, and a call of memmove for each would be slow.
template <typename T>
void copy_row(const T* from, T* to, std::int64_t n) {
  if (n == 1)
    *to = *from;
  else
    std::copy_n(from, n, to);
}

inline std::int64_t product_of(Ints lengths, std::size_t from, std::size_t to) {
  std::int64_t product = 1;
  for (std::size_t i = from; i < to; ++i) product *= lengths[i];
  return product;
}

// x without leading axes (of length 1) beyond rank.
inline Tensor without_lead(const Tensor& x, int rank) {
  if (x.rank() <= rank) return x;
  const auto lead = static_cast<std::size_t>(x.rank() - rank);
  const auto left = static_cast<std::size_t>(rank);
  return alias(x, {x.shape().data() + lead, left}, {x.strides().data() + lead, left}, x.offset());
}

}  // namespace oploom::kernels
