#pragma once

#include <cstdint>

// The one header behind which the matrix library sits. Row-major; all products overwrite out.
namespace oploom::blas {

// A matrix in memory: element (i, j) at data[i * row_stride + j * col_stride].
template <typename T>
struct Matrix {
  const T* data;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t row_stride;
  std::int64_t col_stride;

  Matrix transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};

// Whether the library can take it as it lies: one of its strides is 1, the other not too small, and
// everything fits its 32-bit integers.
template <typename T>
bool takes(const Matrix<T>& x);

// out = x @ y, out with rows of y.cols elements. Both are such that takes() holds; no length is 0.
void multiply(const Matrix<float>& x, const Matrix<float>& y, float* out);
void multiply(const Matrix<double>& x, const Matrix<double>& y, double* out);

// How many threads large products may use; 0 asks for all processors.
void set_threads(int count);

}  // namespace oploom::blas
