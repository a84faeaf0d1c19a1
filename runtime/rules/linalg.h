#pragma once

#include "generated/calls.h"
#include "runtime/core/dims.h"
#include "runtime/rules/metadata.h"

// The gradients of matmul. With X and Y for the operands as multiplied (transposed where asked) and
// G for the gradient of X @ Y: G @ Y^T and X^T @ G, transposed back, summed over batch axes that
// broadcast.
namespace oploom::rules {

template <typename V, typename Lengths>
V summed_to(V gradient, const Lengths& shape) {
  return surely_same(shape_of(gradient), shape) ? gradient : call::sum_to(gradient, shape);
}

// All axes but the last as one. Of a program's value the last length must be known.
template <typename V>
V as_matrix(const V& x) {
  const Ints shape = entries(x);
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows = shape[i] < 0 || rows < 0 ? -1 : rows * shape[i];
  return call::reshape(x, {rows, shape[shape.size() - 1]});
}
template <typename V>
bool is_matrix_like(const V& x) {
  const Ints shape = entries(x);
  return shape[shape.size() - 1] > 0 || !any_unknown(shape);
}

template <typename V, typename Lengths>
V matmul_x_grad(const V& out_grad, const V& y, const Lengths& shape, bool transpose_x,
                bool transpose_y) {
  const int x_rank = rank_of(shape);
  const int y_rank = rank_of(y);
  if (x_rank == 1 && y_rank == 1) return call::multiply(out_grad, y);
  if (x_rank == 1) {
    const V products = call::matmul(y, call::unsqueeze(out_grad, {-1}), transpose_y, false);
    return summed_to(call::squeeze(products, {-1}), shape);
  }
  if (y_rank == 1) {
    return transpose_x ? call::multiply(call::unsqueeze(out_grad, {-2}), call::unsqueeze(y, {-1}))
                       : call::multiply(call::unsqueeze(out_grad, {-1}), y);
  }
  return summed_to(transpose_x ? call::matmul(y, out_grad, transpose_y, true)
                               : call::matmul(out_grad, y, false, !transpose_y),
                   shape);
}

template <typename V, typename Lengths>
V matmul_y_grad(const V& out_grad, const V& x, const Lengths& shape, bool transpose_x,
                bool transpose_y) {
  const int x_rank = rank_of(x);
  const int y_rank = rank_of(shape);
  if (x_rank == 1 && y_rank == 1) return call::multiply(out_grad, x);
  if (y_rank == 1) {
    const V products = call::matmul(x, call::unsqueeze(out_grad, {-1}), !transpose_x, false);
    return summed_to(call::squeeze(products, {-1}), shape);
  }
  if (x_rank == 1) {
    const V products =
        transpose_y ? call::multiply(call::unsqueeze(out_grad, {-1}), x)
                    : call::multiply(call::unsqueeze(x, {-1}), call::unsqueeze(out_grad, {-2}));
    return summed_to(products, shape);
  }
  if (y_rank == 2 && x_rank > 2 && !transpose_x && is_matrix_like(x) && is_matrix_like(out_grad)) {
    // A batch of rows times one matrix: one product, not one for each batch and then their sum.
    const V rows = as_matrix(x);
    const V row_grads = as_matrix(out_grad);
    return transpose_y ? call::matmul(row_grads, rows, true, false)
                       : call::matmul(rows, row_grads, true, false);
  }
  return summed_to(transpose_y ? call::matmul(out_grad, x, true, transpose_x)
                               : call::matmul(x, out_grad, !transpose_x, false),
                   shape);
}

}  // namespace oploom::rules
