#include "runtime/core/views.h"

#include <algorithm>

namespace oploom {
namespace {

// Axes from `from` up to `end` of x, seen as the target's axes `to` up to `to_end`, which have as
// many elements: true, and the target's strides, where x's axes lie as one run.
bool map_group(Ints x_shape, Ints x_strides, std::size_t from, std::size_t end, Ints shape,
               Dims& strides, std::size_t to, std::size_t to_end) {
  for (std::size_t i = from; i + 1 < end; ++i) {
    if (x_strides[i] != x_strides[i + 1] * x_shape[i + 1]) return false;
  }
  std::int64_t stride = x_strides[end - 1];
  for (std::size_t i = to_end; i-- > to;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return true;
}

// NumPy's rule: walk both shapes, and close a group of axes whenever the products agree.
bool reshape_strides(Ints given_shape, Ints given_strides, Ints shape, Dims& strides) {
  Dims x_shape;
  Dims x_strides;
  for (std::size_t i = 0; i < given_shape.size(); ++i) {
    if (given_shape[i] == 1) continue;  // says nothing about the layout
    x_shape.push_back(given_shape[i]);
    x_strides.push_back(given_strides[i]);
  }
  std::size_t from = 0;
  std::size_t to = 0;
  while (from < x_shape.size() && to < shape.size()) {
    std::size_t end = from + 1;
    std::size_t to_end = to + 1;
    std::int64_t count = x_shape[from];
    std::int64_t to_count = shape[to];
    while (count != to_count) {
      if (count < to_count)
        count *= x_shape[end++];
      else
        to_count *= shape[to_end++];
    }
    if (!map_group(x_shape, x_strides, from, end, shape, strides, to, to_end)) return false;
    from = end;
    to = to_end;
  }
  for (; to < shape.size(); ++to) strides[to] = 1;  // lengths of 1 behind the last
  return true;
}

}  // namespace

std::optional<ViewMap> reshaped_map(const Tensor& x, Ints shape) {
  std::optional<ViewMap> map(std::in_place, x.offset());
  map->shape.assign(shape);
  if (x.contiguous() || x.numel() == 0) {
    map->strides = contiguous_strides(shape);
    return map;
  }
  map->strides.assign(shape);
  if (!reshape_strides(x.shape(), x.strides(), shape, map->strides)) map.reset();
  return map;
}

}  // namespace oploom
