#pragma once

#include <optional>

#include "runtime/core/dims.h"
#include "runtime/core/tensor.h"

namespace oploom {

// Where a view's elements lie: what the hand-written function of a view op answers.
struct ViewMap {
  Dims shape;
  Dims strides;         // in elements
  std::int64_t offset;  // in elements from the storage's first byte

  ViewMap() : ViewMap(0) {}
  explicit ViewMap(std::int64_t first) : offset(first) {}
  void append(std::int64_t length, std::int64_t stride) {
    shape.push_back(length);
    strides.push_back(stride);
  }
};

// The map that shows x's elements in row-major order as shape, or nothing where the strides forbid
// it. shape has x.numel() elements. The one place that decides whether reshape and its kin give a
// view.
std::optional<ViewMap> reshaped_map(const Tensor& x, Ints shape);

}  // namespace oploom
