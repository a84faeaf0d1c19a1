#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/autograd/record.h"
#include "runtime/core/dims.h"
#include "runtime/core/tensor.h"

// Index tensors: tested before a kernel runs, and turned into positions counted from 0.
namespace oploom::kernels {

inline std::int64_t position(std::int64_t index, std::int64_t length) {
  return index < 0 ? index + length : index;
}

// Raises kIndex for the first index outside -length to length - 1.
void check_positions(std::string_view op, const char* argument, const Tensor& index, int axis,
                     std::int64_t length);

// Rows of x that index tensors on its first axes point at: x is seen as a matrix of rows.
struct RowPositions {
  std::vector<std::int64_t> row;  // in row-major order of the indices' broadcast shape
  Dims shape;                     // the indices' broadcast shape
  std::int64_t rows = 1;          // of x
  std::int64_t width = 1;         // elements a row
};
RowPositions row_positions(TensorList indices, Ints shape);
RowPositions row_positions(const Tensor& index, Ints shape);

// For each place in `row`: whether no later one names the same row.
std::vector<bool> last_uses(const RowPositions& positions);

}  // namespace oploom::kernels
