#include "runtime/kernels/blas.h"

#include <cblas.h>

#include <algorithm>

namespace oploom::blas {
namespace {

constexpr std::int64_t kMaxInt = INT32_MAX;

blasint narrow(std::int64_t value) { return static_cast<blasint>(value); }

// How the library is told of a matrix: its leading dimension, and whether it lies transposed.
struct Layout {
  CBLAS_TRANSPOSE transpose;
  blasint leading;
};

template <typename T>
bool rows_lie_dense(const Matrix<T>& x) {
  return (x.cols == 1 || x.col_stride == 1) && (x.rows == 1 || x.row_stride >= x.cols);
}

template <typename T>
Layout layout_of(const Matrix<T>& x) {
  // A stride of a length of 1 means nothing, but the library tests it.
  if (rows_lie_dense(x)) {
    return {CblasNoTrans, narrow(x.rows == 1 ? std::max<std::int64_t>(x.cols, 1) : x.row_stride)};
  }
  return {CblasTrans, narrow(x.cols == 1 ? std::max<std::int64_t>(x.rows, 1) : x.col_stride)};
}

void gemm(Layout x, Layout y, blasint m, blasint n, blasint k, const float* a, const float* b,
          float* out) {
  cblas_sgemm(CblasRowMajor, x.transpose, y.transpose, m, n, k, 1, a, x.leading, b, y.leading, 0,
              out, n);
}
void gemm(Layout x, Layout y, blasint m, blasint n, blasint k, const double* a, const double* b,
          double* out) {
  cblas_dgemm(CblasRowMajor, x.transpose, y.transpose, m, n, k, 1, a, x.leading, b, y.leading, 0,
              out, n);
}
void gemv(Layout x, blasint rows, blasint cols, const float* a, const float* v, blasint step,
          float* out) {
  cblas_sgemv(CblasRowMajor, x.transpose, rows, cols, 1, a, x.leading, v, step, 0, out, 1);
}
void gemv(Layout x, blasint rows, blasint cols, const double* a, const double* v, blasint step,
          double* out) {
  cblas_dgemv(CblasRowMajor, x.transpose, rows, cols, 1, a, x.leading, v, step, 0, out, 1);
}
float dot(blasint n, const float* a, blasint a_step, const float* b, blasint b_step) {
  return cblas_sdot(n, a, a_step, b, b_step);
}
double dot(blasint n, const double* a, blasint a_step, const double* b, blasint b_step) {
  return cblas_ddot(n, a, a_step, b, b_step);
}

// out = x @ v: the library's matrix times vector is several times faster than a product with one
// column.
template <typename T>
void times_vector(const Matrix<T>& x, const T* v, std::int64_t step, T* out) {
  const Layout layout = layout_of(x);
  const bool plain = layout.transpose == CblasNoTrans;
  std::fill_n(out, x.rows, T(0));  // some versions multiply what is there by 0, which keeps a NaN
  gemv(layout, narrow(plain ? x.rows : x.cols), narrow(plain ? x.cols : x.rows), x.data, v,
       narrow(step), out);
}

template <typename T>
void product(const Matrix<T>& x, const Matrix<T>& y, T* out) {
  if (x.rows == 1 && y.cols == 1) {
    *out = dot(narrow(x.cols), x.data, narrow(x.cols == 1 ? 1 : x.col_stride), y.data,
               narrow(y.rows == 1 ? 1 : y.row_stride));
  } else if (y.cols == 1) {
    times_vector(x, y.data, y.rows == 1 ? 1 : y.row_stride, out);
  } else if (x.rows == 1) {
    times_vector(y.transposed(), x.data, x.cols == 1 ? 1 : x.col_stride, out);
  } else {
    gemm(layout_of(x), layout_of(y), narrow(x.rows), narrow(y.cols), narrow(x.cols), x.data, y.data,
         out);
  }
}

}  // namespace

template <typename T>
bool takes(const Matrix<T>& x) {
  if (std::max(x.rows, x.cols) > kMaxInt || std::max(x.row_stride, x.col_stride) > kMaxInt)
    return false;
  return rows_lie_dense(x) || rows_lie_dense(x.transposed());
}
template bool takes(const Matrix<float>&);
template bool takes(const Matrix<double>&);

void multiply(const Matrix<float>& x, const Matrix<float>& y, float* out) { product(x, y, out); }
void multiply(const Matrix<double>& x, const Matrix<double>& y, double* out) { product(x, y, out); }

void set_threads(int count) {
  openblas_set_num_threads(count > 0 ? count : openblas_get_num_procs());
}

}  // namespace oploom::blas
