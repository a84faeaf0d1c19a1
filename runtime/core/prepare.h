#pragma once

#include <span>
#include <vector>

#include "runtime/core/tensor.h"

namespace oploom {

// to = from, element by element; any strides, broadcasting and dtypes (floats to ints as Scalar::to_int).
// The two must not share bytes unless they are the same map. Reports no errors.
void copy_elements(const Tensor& from, const Tensor& to);

// Inputs as a kernel that wants dense data gets them. Never recorded; undefined stays undefined.
// x itself where it is row-major contiguous, else a fresh copy.
Tensor contiguous(const Tensor& x);
// x itself where it is contiguous and of dtype, else a fresh copy.
Tensor prepared(const Tensor& x, DType dtype);
std::vector<Tensor> contiguous(std::span<const Tensor> xs);
std::vector<Tensor> prepared(std::span<const Tensor> xs, DType dtype);
// The lengths of the members of a list along an axis.
std::vector<std::int64_t> sizes(std::span<const Tensor> xs, std::int64_t axis);
// A fresh contiguous copy.
Tensor copied(const Tensor& x);

}  // namespace oploom
