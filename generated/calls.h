// Generated from ops.yaml by `make generate`. Do not edit.
//
// Every op by its bare name, overloaded over the value type: what the templates of runtime/rules
// call, so that one rule serves each mode.
#pragma once

#include "generated/ops.h"
#include "generated/program.h"

namespace oploom::call {
inline Tensor abs(const Tensor& x) { return imperative_abs(x); }
inline Tensor add(const Operand& x, const Operand& y) { return imperative_add(x, y); }
inline Tensor arange(Scalar start, std::optional<Scalar> end = std::nullopt, Scalar step = 1,
                     std::optional<DType> dtype = std::nullopt) {
  return imperative_arange(start, end, step, dtype);
}
inline Tensor assign(const Tensor& x) { return imperative_assign(x); }
inline Tensor cast(const Tensor& x, DType dtype) { return imperative_cast(x, dtype); }
inline Tensor clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  return imperative_clear_part(x, shape, strides, offset);
}
inline Tensor clip(const Tensor& x, Scalar min, Scalar max) { return imperative_clip(x, min, max); }
inline Tensor clip_grad(const Tensor& x, const Tensor& out_grad, Scalar min, Scalar max) {
  return imperative_clip_grad(x, out_grad, min, max);
}
inline Tensor clone(const Tensor& x) { return imperative_clone(x); }
inline Tensor concat(TensorList xs, std::int64_t axis = 0) { return imperative_concat(xs, axis); }
inline Tensor cos(const Tensor& x) { return imperative_cos(x); }
inline Tensor cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis = -1,
                            std::int64_t ignore_index = -100, std::string_view reduction = "mean") {
  return imperative_cross_entropy(x, label, axis, ignore_index, reduction);
}
inline Tensor cross_entropy_grad(const Tensor& probabilities, const Tensor& label,
                                 const Tensor& loss_grad, std::int64_t axis,
                                 std::int64_t ignore_index, std::string_view reduction) {
  return imperative_cross_entropy_grad(probabilities, label, loss_grad, axis, ignore_index,
                                       reduction);
}
inline Tensor cross_entropy_reduce(const Tensor& x, const Tensor& label, std::int64_t axis,
                                   std::int64_t ignore_index, std::string_view reduction) {
  return imperative_cross_entropy_reduce(x, label, axis, ignore_index, reduction);
}
inline Tensor cross_entropy_weights(const Tensor& loss_grad, const Tensor& label, Ints shape,
                                    std::int64_t axis, std::int64_t ignore_index,
                                    std::string_view reduction) {
  return imperative_cross_entropy_weights(loss_grad, label, shape, axis, ignore_index, reduction);
}
inline Tensor divide(const Operand& x, const Operand& y) { return imperative_divide(x, y); }
inline Tensor elu(const Tensor& x, double alpha = 1.0) { return imperative_elu(x, alpha); }
inline Tensor elu_curvature(const Tensor& x, const Tensor& out_grad, double alpha) {
  return imperative_elu_curvature(x, out_grad, alpha);
}
inline Tensor elu_grad(const Tensor& x, const Tensor& out_grad, double alpha) {
  return imperative_elu_grad(x, out_grad, alpha);
}
inline Tensor elu_out_grad(const Tensor& out, const Tensor& out_grad, double alpha) {
  return imperative_elu_out_grad(out, out_grad, alpha);
}
inline Tensor embed(const Tensor& x, Ints root_shape, Ints strides, std::int64_t offset) {
  return imperative_embed(x, root_shape, strides, offset);
}
inline Tensor equal(const Operand& x, const Operand& y) { return imperative_equal(x, y); }
inline Tensor exp(const Tensor& x) { return imperative_exp(x); }
inline Tensor expand(const Tensor& x, Ints shape) { return imperative_expand(x, shape); }
inline Tensor fill(const Tensor& x, Scalar value = 0) { return imperative_fill(x, value); }
inline Tensor floor(const Tensor& x) { return imperative_floor(x); }
inline Tensor full(Ints shape, Scalar value, std::optional<DType> dtype = std::nullopt) {
  return imperative_full(shape, value, dtype);
}
inline Tensor gather(const Tensor& x, const Tensor& index, std::int64_t axis = 0) {
  return imperative_gather(x, index, axis);
}
inline Tensor gather_grad(const Tensor& out_grad, const Tensor& index, Ints shape,
                          std::int64_t axis) {
  return imperative_gather_grad(out_grad, index, shape, axis);
}
inline Tensor greater_equal(const Operand& x, const Operand& y) {
  return imperative_greater_equal(x, y);
}
inline Tensor greater_than(const Operand& x, const Operand& y) {
  return imperative_greater_than(x, y);
}
inline Tensor index(const Tensor& x, TensorList indices) { return imperative_index(x, indices); }
inline Tensor index_clear(const Tensor& x, TensorList indices) {
  return imperative_index_clear(x, indices);
}
inline Tensor index_grad(const Tensor& out_grad, TensorList indices, Ints shape) {
  return imperative_index_grad(out_grad, indices, shape);
}
inline Tensor index_last(const Tensor& x, TensorList indices) {
  return imperative_index_last(x, indices);
}
inline Tensor index_put(const Tensor& x, TensorList indices, const Operand& value,
                        bool accumulate = false) {
  return imperative_index_put(x, indices, value, accumulate);
}
inline Tensor index_select(const Tensor& x, const Tensor& index, std::int64_t axis = 0) {
  return imperative_index_select(x, index, axis);
}
inline Tensor leaky_relu(const Tensor& x, double negative_slope = 0.02) {
  return imperative_leaky_relu(x, negative_slope);
}
inline Tensor leaky_relu_grad(const Tensor& x, const Tensor& out_grad, double negative_slope) {
  return imperative_leaky_relu_grad(x, out_grad, negative_slope);
}
inline Tensor less_equal(const Operand& x, const Operand& y) { return imperative_less_equal(x, y); }
inline Tensor less_than(const Operand& x, const Operand& y) { return imperative_less_than(x, y); }
inline Tensor log(const Tensor& x) { return imperative_log(x); }
inline Tensor logical_and(const Operand& x, const Operand& y) {
  return imperative_logical_and(x, y);
}
inline Tensor logical_not(const Tensor& x) { return imperative_logical_not(x); }
inline Tensor logical_or(const Operand& x, const Operand& y) { return imperative_logical_or(x, y); }
inline Tensor logical_xor(const Operand& x, const Operand& y) {
  return imperative_logical_xor(x, y);
}
inline Tensor matmul(const Tensor& x, const Tensor& y, bool transpose_x = false,
                     bool transpose_y = false) {
  return imperative_matmul(x, y, transpose_x, transpose_y);
}
inline Tensor matmul_x_grad(const Tensor& out_grad, const Tensor& y, Ints shape, bool transpose_x,
                            bool transpose_y) {
  return imperative_matmul_x_grad(out_grad, y, shape, transpose_x, transpose_y);
}
inline Tensor matmul_y_grad(const Tensor& out_grad, const Tensor& x, Ints shape, bool transpose_x,
                            bool transpose_y) {
  return imperative_matmul_y_grad(out_grad, x, shape, transpose_x, transpose_y);
}
inline Tensor max(const Tensor& x, Ints axis = {}, bool keepdim = false) {
  return imperative_max(x, axis, keepdim);
}
inline Tensor max_grad(const Tensor& x, const Tensor& out, const Tensor& out_grad, Ints axis,
                       bool keepdim) {
  return imperative_max_grad(x, out, out_grad, axis, keepdim);
}
inline Tensor max_pick(const Tensor& x, const Tensor& out, const Tensor& value, Ints axis,
                       bool keepdim) {
  return imperative_max_pick(x, out, value, axis, keepdim);
}
inline Tensor maximum(const Operand& x, const Operand& y) { return imperative_maximum(x, y); }
inline Tensor maximum_grad(const Operand& x, const Operand& y, const Tensor& out_grad) {
  return imperative_maximum_grad(x, y, out_grad);
}
inline Tensor mean(const Tensor& x, Ints axis = {}, bool keepdim = false) {
  return imperative_mean(x, axis, keepdim);
}
inline Tensor minimum(const Operand& x, const Operand& y) { return imperative_minimum(x, y); }
inline Tensor minimum_grad(const Operand& x, const Operand& y, const Tensor& out_grad) {
  return imperative_minimum_grad(x, y, out_grad);
}
inline Tensor multiply(const Operand& x, const Operand& y) { return imperative_multiply(x, y); }
inline Tensor negative(const Tensor& x) { return imperative_negative(x); }
inline Tensor nonzero(const Tensor& x) { return imperative_nonzero(x); }
inline Tensor not_equal(const Operand& x, const Operand& y) { return imperative_not_equal(x, y); }
inline Tensor ones(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_ones(shape, dtype);
}
inline Tensor ones_like(const Tensor& x, std::optional<DType> dtype = std::nullopt) {
  return imperative_ones_like(x, dtype);
}
inline Tensor part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  return imperative_part(x, shape, strides, offset);
}
inline Tensor pow(const Operand& x, const Operand& y) { return imperative_pow(x, y); }
inline Tensor pow_exponent_grad(const Operand& x, const Operand& y, const Operand& out_grad) {
  return imperative_pow_exponent_grad(x, y, out_grad);
}
inline Tensor pow_grad(const Operand& x, const Operand& y, const Operand& out_grad) {
  return imperative_pow_grad(x, y, out_grad);
}
inline Tensor rand(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_rand(shape, dtype);
}
inline Tensor randn(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_randn(shape, dtype);
}
inline Tensor relu(const Tensor& x) { return imperative_relu(x); }
inline Tensor relu_grad(const Tensor& out, const Tensor& out_grad) {
  return imperative_relu_grad(out, out_grad);
}
inline Tensor reshape(const Tensor& x, Ints shape) { return imperative_reshape(x, shape); }
inline Tensor scale(const Tensor& x, Scalar scale = 1.0, Scalar bias = 0.0,
                    bool bias_after_scale = true) {
  return imperative_scale(x, scale, bias, bias_after_scale);
}
inline Tensor scatter(const Tensor& x, const Tensor& index, const Tensor& updates,
                      bool overwrite = true) {
  return imperative_scatter(x, index, updates, overwrite);
}
inline Tensor scatter_clear(const Tensor& x, const Tensor& index) {
  return imperative_scatter_clear(x, index);
}
inline Tensor scatter_last(const Tensor& x, const Tensor& index) {
  return imperative_scatter_last(x, index);
}
inline Tensor section(const Tensor& x, Ints sections, std::int64_t i, std::int64_t axis) {
  return imperative_section(x, sections, i, axis);
}
inline Tensor section_grad(const Tensor& out_grad, Ints shape, Ints sections, std::int64_t i,
                           std::int64_t axis) {
  return imperative_section_grad(out_grad, shape, sections, i, axis);
}
inline Tensor set_item(const Tensor& x, const Operand& value, const Index& index) {
  return imperative_set_item(x, value, index);
}
inline Tensor set_section(const Tensor& x, const Operand& value, Ints sections, std::int64_t i,
                          std::int64_t axis) {
  return imperative_set_section(x, value, sections, i, axis);
}
inline Tensor sigmoid(const Tensor& x) { return imperative_sigmoid(x); }
inline Tensor sigmoid_grad(const Tensor& out, const Tensor& out_grad) {
  return imperative_sigmoid_grad(out, out_grad);
}
inline Tensor sign(const Tensor& x) { return imperative_sign(x); }
inline Tensor sin(const Tensor& x) { return imperative_sin(x); }
inline Tensor slice(const Tensor& x, const Index& index) { return imperative_slice(x, index); }
inline Tensor slice_grad(const Tensor& out_grad, Ints shape, const Index& index) {
  return imperative_slice_grad(out_grad, shape, index);
}
inline Tensor softmax(const Tensor& x, std::int64_t axis) { return imperative_softmax(x, axis); }
inline Tensor softmax_grad(const Tensor& out, const Tensor& out_grad, std::int64_t axis) {
  return imperative_softmax_grad(out, out_grad, axis);
}
inline std::vector<Tensor> split(const Tensor& x, Ints num_or_sections, std::int64_t axis = 0) {
  return imperative_split(x, num_or_sections, axis);
}
inline std::vector<Tensor> split_sections(const Tensor& x, Ints sections, std::int64_t axis) {
  return imperative_split_sections(x, sections, axis);
}
inline Tensor spread(const Tensor& x, Ints shape) { return imperative_spread(x, shape); }
inline Tensor sqrt(const Tensor& x) { return imperative_sqrt(x); }
inline Tensor square(const Tensor& x) { return imperative_square(x); }
inline Tensor squeeze(const Tensor& x, Ints axis = {}) { return imperative_squeeze(x, axis); }
inline Tensor subtract(const Operand& x, const Operand& y) { return imperative_subtract(x, y); }
inline Tensor sum(const Tensor& x, Ints axis = {}, bool keepdim = false) {
  return imperative_sum(x, axis, keepdim);
}
inline Tensor sum_to(const Tensor& x, Ints shape) { return imperative_sum_to(x, shape); }
inline Tensor tanh(const Tensor& x) { return imperative_tanh(x); }
inline Tensor tanh_grad(const Tensor& out, const Tensor& out_grad) {
  return imperative_tanh_grad(out, out_grad);
}
inline Tensor transpose(const Tensor& x, Ints perm) { return imperative_transpose(x, perm); }
inline Tensor unsqueeze(const Tensor& x, Ints axis = {}) { return imperative_unsqueeze(x, axis); }
inline Tensor untranspose(const Tensor& x, Ints perm) { return imperative_untranspose(x, perm); }
inline Tensor where(const Tensor& condition, const Operand& x, const Operand& y) {
  return imperative_where(condition, x, y);
}
inline Tensor write_part(const Tensor& x, const Tensor& value, Ints strides, std::int64_t offset) {
  return imperative_write_part(x, value, strides, offset);
}
inline Tensor zeros(Ints shape, std::optional<DType> dtype = std::nullopt) {
  return imperative_zeros(shape, dtype);
}
inline Tensor zeros_like(const Tensor& x, std::optional<DType> dtype = std::nullopt) {
  return imperative_zeros_like(x, dtype);
}

// The same over the values of a program.
using program::ops::abs;
using program::ops::add;
using program::ops::assign;
using program::ops::cast;
using program::ops::clear_part;
using program::ops::clip;
using program::ops::clip_grad;
using program::ops::clone;
using program::ops::concat;
using program::ops::cos;
using program::ops::cross_entropy;
using program::ops::cross_entropy_grad;
using program::ops::cross_entropy_reduce;
using program::ops::cross_entropy_weights;
using program::ops::divide;
using program::ops::elu;
using program::ops::elu_curvature;
using program::ops::elu_grad;
using program::ops::elu_out_grad;
using program::ops::embed;
using program::ops::equal;
using program::ops::exp;
using program::ops::expand;
using program::ops::fill;
using program::ops::floor;
using program::ops::gather;
using program::ops::gather_grad;
using program::ops::greater_equal;
using program::ops::greater_than;
using program::ops::index;
using program::ops::index_clear;
using program::ops::index_grad;
using program::ops::index_last;
using program::ops::index_put;
using program::ops::index_select;
using program::ops::leaky_relu;
using program::ops::leaky_relu_grad;
using program::ops::less_equal;
using program::ops::less_than;
using program::ops::log;
using program::ops::logical_and;
using program::ops::logical_not;
using program::ops::logical_or;
using program::ops::logical_xor;
using program::ops::matmul;
using program::ops::matmul_x_grad;
using program::ops::matmul_y_grad;
using program::ops::max;
using program::ops::max_grad;
using program::ops::max_pick;
using program::ops::maximum;
using program::ops::maximum_grad;
using program::ops::mean;
using program::ops::minimum;
using program::ops::minimum_grad;
using program::ops::multiply;
using program::ops::negative;
using program::ops::nonzero;
using program::ops::not_equal;
using program::ops::ones_like;
using program::ops::part;
using program::ops::pow;
using program::ops::pow_exponent_grad;
using program::ops::pow_grad;
using program::ops::relu;
using program::ops::relu_grad;
using program::ops::reshape;
using program::ops::scale;
using program::ops::scatter;
using program::ops::scatter_clear;
using program::ops::scatter_last;
using program::ops::section;
using program::ops::section_grad;
using program::ops::set_item;
using program::ops::set_section;
using program::ops::sigmoid;
using program::ops::sigmoid_grad;
using program::ops::sign;
using program::ops::sin;
using program::ops::slice;
using program::ops::slice_grad;
using program::ops::softmax;
using program::ops::softmax_grad;
using program::ops::split;
using program::ops::split_sections;
using program::ops::spread;
using program::ops::sqrt;
using program::ops::square;
using program::ops::squeeze;
using program::ops::subtract;
using program::ops::sum;
using program::ops::sum_to;
using program::ops::tanh;
using program::ops::tanh_grad;
using program::ops::transpose;
using program::ops::unsqueeze;
using program::ops::untranspose;
using program::ops::where;
using program::ops::write_part;
using program::ops::zeros_like;

}  // namespace oploom::call
