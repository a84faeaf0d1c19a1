#pragma once

#include <string_view>

#include "runtime/core/dtype.h"
#include "runtime/core/infer.h"
#include "runtime/core/tensor.h"

// Results of ops on two tensors: one look for the common case, before inference works them out.
namespace oploom::infer {

// Whether broadcast(x, y) and promoted(x, y) are x's own shape and dtype: y is like x, or a number
// of no higher category. May be false where a longer look would find it true.
[[gnu::always_inline]] inline bool keeps(const Tensor& x_tensor, const Tensor& y_tensor) {
  const TensorImpl& x = *x_tensor.impl();
  const TensorImpl& y = *y_tensor.impl();
  if (((x.flags | y.flags) & TensorImpl::kWeak) != 0) {
    return (x.flags & TensorImpl::kWeak) == 0 && category(y.dtype) <= category(x.dtype);
  }
  if (x.dtype != y.dtype || x.rank != y.rank) return false;
  for (int i = 0; i < x.rank; ++i) {
    if (x.shape[i] != y.shape[i]) return false;
  }
  return true;
}
// The same for float_promoted(x, y).
inline bool keeps_float(const Tensor& x, const Tensor& y) {
  return is_float(x.dtype()) && keeps(x, y);
}

}  // namespace oploom::infer

namespace oploom {

// Uninitialised, of shape broadcast(x, y) and dtype promoted(x, y).
inline Tensor empty_promoted(std::string_view op, const Tensor& x, const Tensor& y) {
  if (infer::keeps(x, y)) [[likely]]
    return empty_like(x, x.dtype());
  return empty(infer::broadcast(op, x, y), infer::promoted(x, y));
}
// The same with dtype float_promoted(x, y).
inline Tensor empty_float_promoted(std::string_view op, const Tensor& x, const Tensor& y) {
  if (infer::keeps_float(x, y)) [[likely]]
    return empty_like(x, x.dtype());
  return empty(infer::broadcast(op, x, y), infer::float_promoted(x, y));
}

}  // namespace oploom
