#include <algorithm>
#include <optional>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/blas.h"

namespace oploom::kernels {
namespace {

using blas::Matrix;

// Up to this many multiplications a plain loop is faster than a call of the library.
constexpr std::int64_t kSmall = 64;

// An operand as a batch of matrices: a 1-d x is one row, a 1-d y one column.
struct Batch {
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 0;
  Ints shape;    // of the batch
  Ints strides;  // of the batch
};

Batch batch_of(const Tensor& x, bool transpose, bool vector_is_row) {
  const std::size_t rank = x.shape().size();
  Batch batch;
  if (rank == 1) {
    (vector_is_row ? batch.cols : batch.rows) = x.size(0);
    (vector_is_row ? batch.col_stride : batch.row_stride) = x.strides()[0];
    return batch;
  }
  batch.rows = x.shape()[rank - 2];
  batch.cols = x.shape()[rank - 1];
  batch.row_stride = x.strides()[rank - 2];
  batch.col_stride = x.strides()[rank - 1];
  if (transpose) {
    std::swap(batch.rows, batch.cols);
    std::swap(batch.row_stride, batch.col_stride);
  }
  batch.shape = {x.shape().data(), rank - 2};
  batch.strides = {x.strides().data(), rank - 2};
  return batch;
}

template <typename T>
Matrix<T> matrix_of(const Batch& batch, const T* data) {
  return {data, batch.rows, batch.cols, batch.row_stride, batch.col_stride};
}

// Unsigned of at least int's width: wraps, and does not overflow where smaller types become int.
template <typename T>
using Exact =
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<sizeof(T) < 8, std::uint32_t, std::uint64_t>, T>;

template <typename T>
void multiply_plain(const Matrix<T>& x, const Matrix<T>& y, T* out) {
  using E = Exact<T>;
  for (std::int64_t i = 0; i < x.rows; ++i, out += y.cols) {
    std::fill_n(out, y.cols, T(0));
    for (std::int64_t k = 0; k < x.cols; ++k) {
      const E factor = static_cast<E>(x.data[i * x.row_stride + k * x.col_stride]);
      const T* row = y.data + k * y.row_stride;
      for (std::int64_t j = 0; j < y.cols; ++j) {
        out[j] =
            static_cast<T>(static_cast<E>(out[j]) + factor * static_cast<E>(row[j * y.col_stride]));
      }
    }
  }
}

template <typename T>
void multiply_one(const Matrix<T>& x, const Matrix<T>& y, T* out) {
  if constexpr (std::is_floating_point_v<T>) {
    if (x.rows * y.cols * x.cols > kSmall && blas::takes(x) && blas::takes(y)) {
      return blas::multiply(x, y, out);
    }
  }
  multiply_plain(x, y, out);
}

// A batch of x that lies as one tall matrix needs one product where y is one matrix.
bool merge_rows(Batch& x, const Batch& y) {
  for (const std::int64_t length : y.shape) {
    if (length != 1) return false;
  }
  Batch merged = x;
  for (std::size_t i = x.shape.size(); i-- > 0;) {
    if (x.shape[i] == 1) continue;
    if (merged.rows == 1) merged.row_stride = x.strides[i];  // a stride of one row means nothing
    if (x.strides[i] != merged.rows * merged.row_stride) return false;
    merged.rows *= x.shape[i];
  }
  const bool dense = merged.rows == x.rows || merged.row_stride >= merged.cols;
  if (dense) x = merged;
  return dense;
}

template <typename T>
void multiply_batches(const Batch& x, const Batch& y, Ints batch_shape, const T* x_data,
                      const T* y_data, T* out) {
  const auto rank = batch_shape.size();
  const auto stride = [rank](const Batch& batch, std::size_t i) -> std::int64_t {
    const std::size_t lead = rank - batch.shape.size();
    return i < lead || batch.shape[i - lead] == 1 ? 0 : batch.strides[i - lead];
  };
  std::int64_t at[kMaxRank] = {};
  std::int64_t count = 1;
  for (const std::int64_t length : batch_shape) count *= length;
  for (std::int64_t b = 0; b < count; ++b, out += x.rows * y.cols) {
    multiply_one(matrix_of(x, x_data), matrix_of(y, y_data), out);
    for (std::size_t i = rank; i-- > 0;) {
      x_data += stride(x, i);
      y_data += stride(y, i);
      if (++at[i] < batch_shape[i]) break;
      x_data -= stride(x, i) * batch_shape[i];
      y_data -= stride(y, i) * batch_shape[i];
      at[i] = 0;
    }
  }
}

// x in the result's dtype, and such that the library takes its matrices as they lie.
template <typename T>
Tensor usable(const Tensor& x, bool vector_is_row) {
  if (x.dtype() != dtype_of<T>) return prepared(x, dtype_of<T>);
  if constexpr (std::is_floating_point_v<T>) {
    if (!blas::takes(matrix_of(batch_of(x, false, vector_is_row), x.data<T>())))
      return contiguous(x);
  }
  return x;
}

}  // namespace

void matmul(const Tensor& x, const Tensor& y, bool transpose_x, bool transpose_y, Tensor& out) {
  if (out.numel() == 0) return;
  dispatch(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, bool>) {  // refused by the registry
      const Tensor x_read = usable<T>(x, true);
      const Tensor y_read = usable<T>(y, false);
      Batch left = batch_of(x_read, transpose_x, true);
      const Batch right = batch_of(y_read, transpose_y, false);
      const T* x_data = x_read.data<T>();
      const T* y_data = y_read.data<T>();
      T* to = out.data<T>();
      const int matrix_axes = (x.rank() > 1) + (y.rank() > 1);
      const Dims batch_shape =
          Ints(out.shape().data(), out.shape().size() - static_cast<std::size_t>(matrix_axes));
      const Unlocked unlocked(out.numel() * left.cols, {&x_read, &y_read, &out});
      if (merge_rows(left, right)) {
        multiply_one(matrix_of(left, x_data), matrix_of(right, y_data), to);
      } else {
        multiply_batches(left, right, batch_shape, x_data, y_data, to);
      }
    }
  });
}

}  // namespace oploom::kernels
