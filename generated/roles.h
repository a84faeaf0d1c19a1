// Generated from ops.yaml by `make generate`. Do not edit.
//
// What runtime and bindings call without knowing which op does it.
#pragma once

#include "generated/ops.h"

namespace oploom::roles {

// accumulate: add, ops/arithmetic.yaml:3
inline Tensor accumulate(const Operand& x, const Operand& y) { return imperative_add(x, y); }
inline Tensor& accumulate_(Tensor& x, const Operand& y) { return imperative_add_(x, y); }

// cast: cast, ops/creation.yaml:90
inline Tensor cast(const Tensor& x, DType dtype) { return imperative_cast(x, dtype); }
inline Tensor& cast_(Tensor& x, DType dtype) { return imperative_cast_(x, dtype); }

// clear_part: clear_part, ops/layout.yaml:248
inline Tensor clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  return imperative_clear_part(x, shape, strides, offset);
}
inline Tensor& clear_part_(Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  return imperative_clear_part_(x, shape, strides, offset);
}

// clone: clone, ops/creation.yaml:82
inline Tensor clone(const Tensor& x) { return imperative_clone(x); }

// embed: embed, ops/layout.yaml:216
inline Tensor embed(const Tensor& x, Ints root_shape, Ints strides, std::int64_t offset) {
  return imperative_embed(x, root_shape, strides, offset);
}

// expand: expand, ops/layout.yaml:62
inline Tensor expand(const Tensor& x, Ints shape) { return imperative_expand(x, shape); }

// index: index, ops/indexing.yaml:85
inline Tensor index(const Tensor& x, TensorList indices) { return imperative_index(x, indices); }

// index_put: index_put, ops/indexing.yaml:110
inline Tensor index_put(const Tensor& x, TensorList indices, const Operand& value,
                        bool accumulate = false) {
  return imperative_index_put(x, indices, value, accumulate);
}
inline Tensor& index_put_(Tensor& x, TensorList indices, const Operand& value,
                          bool accumulate = false) {
  return imperative_index_put_(x, indices, value, accumulate);
}

// nonzero: nonzero, ops/indexing.yaml:154
inline Tensor nonzero(const Tensor& x) { return imperative_nonzero(x); }

// ones: ones, ops/creation.yaml:29
inline Tensor ones(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_ones(shape, dtype);
}

// part: part, ops/layout.yaml:202
inline Tensor part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  return imperative_part(x, shape, strides, offset);
}

// reshape: reshape, ops/layout.yaml:3
inline Tensor reshape(const Tensor& x, Ints shape) { return imperative_reshape(x, shape); }
inline Tensor& reshape_(Tensor& x, Ints shape) { return imperative_reshape_(x, shape); }

// set_item: set_item, ops/layout.yaml:99
inline Tensor set_item(const Tensor& x, const Operand& value, const Index& index) {
  return imperative_set_item(x, value, index);
}
inline Tensor& set_item_(Tensor& x, const Operand& value, const Index& index) {
  return imperative_set_item_(x, value, index);
}

// slice: slice, ops/layout.yaml:76
inline Tensor slice(const Tensor& x, const Index& index) { return imperative_slice(x, index); }

// sum_to: sum_to, ops/reduction.yaml:72
inline Tensor sum_to(const Tensor& x, Ints shape) { return imperative_sum_to(x, shape); }

// transpose: transpose, ops/layout.yaml:43
inline Tensor transpose(const Tensor& x, Ints perm) { return imperative_transpose(x, perm); }
inline Tensor& transpose_(Tensor& x, Ints perm) { return imperative_transpose_(x, perm); }

// write_part: write_part, ops/layout.yaml:230
inline Tensor write_part(const Tensor& x, const Tensor& value, Ints strides, std::int64_t offset) {
  return imperative_write_part(x, value, strides, offset);
}
inline Tensor& write_part_(Tensor& x, const Tensor& value, Ints strides, std::int64_t offset) {
  return imperative_write_part_(x, value, strides, offset);
}

// zeros: zeros, ops/creation.yaml:17
inline Tensor zeros(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_zeros(shape, dtype);
}

}  // namespace oploom::roles
