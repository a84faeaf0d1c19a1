#pragma once

#include <optional>

#include "runtime/core/dims.h"
#include "runtime/core/tensor.h"

namespace oploom {

// Where a view's elements lie: what the hand-written function of a view op answers.
struct ViewMap {
  Dims shape;
  Dims strides;             // in elements
  std::int64_t offset = 0;  // in elements from the storage's first byte
};

// The map that shows x's elements in row-major order as shape, or nothing where the strides forbid it.
// shape has x.numel() elements. The one place that decides whether reshape and its kin give a view.
std::optional<ViewMap> reshaped_map(const Tensor& x, Ints shape);

}  // namespace oploom
