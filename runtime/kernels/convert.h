#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/core/dtype.h"
#include "runtime/core/scalar.h"

namespace oploom::kernels {

// n elements from one place to another, strides in bytes. Floats become integers as Scalar::to_int.
using Convert = void (*)(const std::byte* from, std::int64_t from_stride, std::byte* to,
                         std::int64_t to_stride, std::int64_t n);
Convert converter(DType from, DType to);

// What a kernel stores for an element of T: a bool is a byte that is 0 or 1.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

}  // namespace oploom::kernels
