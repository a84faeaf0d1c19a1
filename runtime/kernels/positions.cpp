#include "runtime/kernels/positions.h"

#include <algorithm>
#include <numeric>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/rows.h"

namespace oploom::kernels {
namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_position(std::string_view op,
                                                            const char* argument,
                                                            const Tensor& index, std::int64_t at,
                                                            std::int64_t value, int axis,
                                                            std::int64_t length) {
  Dims place = index.shape();
  for (std::size_t i = place.size(); i-- > 0;) {
    const std::int64_t size = place[i];
    place[i] = at % size;
    at /= size;
  }
  const std::string range =
      length == 0 ? std::string("no index") : text("indices from ", -length, " to ", length - 1);
  raise(ErrorKind::kIndex, "[", op, "] ", argument, ": expected ", range, " on axis ", axis,
        " of length ", length, ", got ", value, " at position ", place,
        "; nothing was read or written");
}

// The same index tensor in the broadcast shape.
Tensor broadcast_to(const Tensor& index, Ints shape) {
  if (index.shape() == shape) return prepared(index, DType::kInt64);
  Tensor out = empty(shape, DType::kInt64);
  copy_elements(index, out);
  return out;
}

}  // namespace

void check_positions(std::string_view op, const char* argument, const Tensor& index, int axis,
                     std::int64_t length) {
  infer::expect_lengths(op, "shape", {length});
  const Tensor read = prepared(index, DType::kInt64);
  const std::int64_t* values = read.data<std::int64_t>();
  const auto size = static_cast<std::uint64_t>(length);
  // One unsigned comparison tests both ends; a wrapped sum is far beyond 2 * length.
  bool bad = false;
  for (std::int64_t i = 0; i < read.numel(); ++i) {
    bad |= static_cast<std::uint64_t>(values[i]) + size >= 2 * size;
  }
  if (!bad) [[likely]]
    return;
  for (std::int64_t i = 0; i < read.numel(); ++i) {
    if (values[i] < -length || values[i] >= length) {
      refuse_position(op, argument, index, i, values[i], axis, length);
    }
  }
}

RowPositions row_positions(TensorList indices, Ints shape) {
  RowPositions out;
  out.shape = indices[0].shape();
  for (const Tensor& index : indices) {
    out.shape = infer::broadcast("index", Meta(out.shape, DType::kInt64), Meta(index));
  }
  out.row.resize(static_cast<std::size_t>(count_elements(out.shape)));
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const Tensor index = broadcast_to(indices[axis], out.shape);
    const std::int64_t* values = index.data<std::int64_t>();
    const std::int64_t length = shape[axis];
    for (std::size_t i = 0; i < out.row.size(); ++i) {
      out.row[i] = out.row[i] * length + position(values[i], length);
    }
  }
  out.rows = product_of(shape, 0, indices.size());
  out.width = product_of(shape, indices.size(), shape.size());
  return out;
}

RowPositions row_positions(const Tensor& index, Ints shape) {
  return row_positions(TensorList(&index, 1), shape);
}

std::vector<bool> last_uses(const RowPositions& positions) {
  const std::size_t count = positions.row.size();
  std::vector<bool> last(count, true);
  if (static_cast<std::int64_t>(count) < positions.rows / 16) {
    // Few places in a large x: no table over all rows, or writing row after row would be quadratic.
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return positions.row[a] < positions.row[b];
    });
    for (std::size_t i = 0; i + 1 < count; ++i) {
      if (positions.row[order[i]] == positions.row[order[i + 1]]) last[order[i]] = false;
    }
    return last;
  }
  std::vector<bool> named(static_cast<std::size_t>(positions.rows));
  for (std::size_t i = count; i-- > 0;) {
    const auto row = static_cast<std::size_t>(positions.row[i]);
    last[i] = !named[row];
    named[row] = true;
  }
  return last;
}

}  // namespace oploom::kernels
