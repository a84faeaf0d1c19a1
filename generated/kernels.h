// Generated from ops.yaml by `make generate`. Do not edit.
//
// The functions that are written by hand, in runtime/kernels/<family>.cpp. A forgotten one is a
// link error. Outputs come allocated; a kernel reports no errors, a check raises before anything
// is written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/autograd/record.h"
#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/index.h"
#include "runtime/core/kernel_result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"
#include "runtime/core/views.h"

namespace oploom::kernels {

// --- activation
void relu(const Tensor& x, Tensor& out);
void relu_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad);
void tanh(const Tensor& x, Tensor& out);
void tanh_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad);
void sigmoid(const Tensor& x, Tensor& out);
void sigmoid_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad);
void leaky_relu(const Tensor& x, double negative_slope, Tensor& out);
void leaky_relu_grad(const Tensor& x, const Tensor& out_grad, double negative_slope,
                     Tensor& x_grad);
void elu(const Tensor& x, double alpha, Tensor& out);
void elu_grad(const Tensor& x, const Tensor& out_grad, double alpha, Tensor& x_grad);
void elu_curvature(const Tensor& x, const Tensor& out_grad, double alpha, Tensor& x_grad);
void elu_out_grad(const Tensor& out, const Tensor& out_grad, double alpha, Tensor& x_grad);
void softmax(const Tensor& x, std::int64_t axis, Tensor& out);
void softmax_grad(const Tensor& out, const Tensor& out_grad, std::int64_t axis, Tensor& x_grad);
void check_softmax_grad(std::string_view op, const Tensor& out, const Tensor& out_grad,
                        std::int64_t axis);

// --- arithmetic
void add(const Tensor& x, const Tensor& y, Tensor& out);
void subtract(const Tensor& x, const Tensor& y, Tensor& out);
void check_subtract(std::string_view op, const Tensor& x, const Tensor& y);
void multiply(const Tensor& x, const Tensor& y, Tensor& out);
void divide(const Tensor& x, const Tensor& y, Tensor& out);
void pow(const Tensor& x, const Tensor& y, Tensor& out);
void check_pow(std::string_view op, const Tensor& x, const Tensor& y);
void pow_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad);
void pow_exponent_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& y_grad);
void maximum(const Tensor& x, const Tensor& y, Tensor& out);
void maximum_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad);
void minimum(const Tensor& x, const Tensor& y, Tensor& out);
void minimum_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad);
void negative(const Tensor& x, Tensor& out);
void abs(const Tensor& x, Tensor& out);
void sign(const Tensor& x, Tensor& out);
void exp(const Tensor& x, Tensor& out);
void log(const Tensor& x, Tensor& out);
void sqrt(const Tensor& x, Tensor& out);
void square(const Tensor& x, Tensor& out);
void sin(const Tensor& x, Tensor& out);
void cos(const Tensor& x, Tensor& out);
void clip(const Tensor& x, Scalar min, Scalar max, Tensor& out);
void clip_grad(const Tensor& x, const Tensor& out_grad, Scalar min, Scalar max, Tensor& x_grad);
void scale(const Tensor& x, Scalar scale, Scalar bias, bool bias_after_scale, Tensor& out);
void floor(const Tensor& x, Tensor& out);

// --- comparison
void equal(const Tensor& x, const Tensor& y, Tensor& out);
void not_equal(const Tensor& x, const Tensor& y, Tensor& out);
void less_than(const Tensor& x, const Tensor& y, Tensor& out);
void less_equal(const Tensor& x, const Tensor& y, Tensor& out);
void greater_than(const Tensor& x, const Tensor& y, Tensor& out);
void greater_equal(const Tensor& x, const Tensor& y, Tensor& out);
void logical_and(const Tensor& x, const Tensor& y, Tensor& out);
void logical_or(const Tensor& x, const Tensor& y, Tensor& out);
void logical_xor(const Tensor& x, const Tensor& y, Tensor& out);
void logical_not(const Tensor& x, Tensor& out);
void where(const Tensor& condition, const Tensor& x, const Tensor& y, Tensor& out);

// --- creation
void full(Ints shape, Scalar value, std::optional<DType> dtype, Tensor& out);
void check_full(std::string_view op, Ints shape, Scalar value, std::optional<DType> dtype);
void zeros(Ints shape, std::optional<DType> dtype, Tensor& out);
void check_zeros(std::string_view op, Ints shape, std::optional<DType> dtype);
void ones(Ints shape, std::optional<DType> dtype, Tensor& out);
void check_ones(std::string_view op, Ints shape, std::optional<DType> dtype);
void zeros_like(std::optional<DType> dtype, Tensor& out);
void ones_like(std::optional<DType> dtype, Tensor& out);
Tensor arange(Scalar start, std::optional<Scalar> end, Scalar step, std::optional<DType> dtype);
void check_arange(std::string_view op, Scalar start, std::optional<Scalar> end, Scalar step,
                  std::optional<DType> dtype);
KernelResult result_arange(Scalar start, std::optional<Scalar> end, Scalar step,
                           std::optional<DType> dtype);
void assign(const Tensor& x, Tensor& out);
void clone(const Tensor& x, Tensor& out);
void cast(const Tensor& x, DType dtype, Tensor& out);
void copy_(const Tensor& value, Tensor& out);
void fill(Scalar value, Tensor& out);
void check_fill(std::string_view op, const Tensor& x, Scalar value);
void zero_(Tensor& out);

// --- indexing
void gather(const Tensor& x, const Tensor& index, std::int64_t axis, Tensor& out);
void check_gather(std::string_view op, const Tensor& x, const Tensor& index, std::int64_t axis);
void gather_grad(const Tensor& out_grad, const Tensor& index, Ints shape, std::int64_t axis,
                 Tensor& x_grad);
void check_gather_grad(std::string_view op, const Tensor& out_grad, const Tensor& index, Ints shape,
                       std::int64_t axis);
void scatter(const Tensor& x, const Tensor& index, const Tensor& updates, bool overwrite,
             Tensor& out);
void check_scatter(std::string_view op, const Tensor& x, const Tensor& index, const Tensor& updates,
                   bool overwrite);
void scatter_clear(const Tensor& x, const Tensor& index, Tensor& out);
void check_scatter_clear(std::string_view op, const Tensor& x, const Tensor& index);
void scatter_last(const Tensor& x, const Tensor& index, Tensor& out);
void index(const Tensor& x, TensorList indices, Tensor& out);
void check_index(std::string_view op, const Tensor& x, TensorList indices);
void index_grad(const Tensor& out_grad, TensorList indices, Ints shape, Tensor& x_grad);
void check_index_grad(std::string_view op, const Tensor& out_grad, TensorList indices, Ints shape);
void index_put(const Tensor& x, TensorList indices, const Tensor& value, bool accumulate,
               Tensor& out);
void check_index_put(std::string_view op, const Tensor& x, TensorList indices, const Tensor& value,
                     bool accumulate);
void index_clear(const Tensor& x, TensorList indices, Tensor& out);
void check_index_clear(std::string_view op, const Tensor& x, TensorList indices);
void index_last(const Tensor& x, TensorList indices, Tensor& out);
Tensor nonzero(const Tensor& x);
KernelResult result_nonzero(const Meta& x);

// --- layout
std::optional<ViewMap> reshape(const Tensor& x, Ints shape);
ViewMap squeeze(const Tensor& x, Ints axis);
ViewMap unsqueeze(const Tensor& x, Ints axis);
ViewMap transpose(const Tensor& x, Ints perm);
ViewMap expand(const Tensor& x, Ints shape);
ViewMap slice(const Tensor& x, const Index& index);
void slice_grad(const Tensor& out_grad, Ints shape, const Index& index, Tensor& x_grad);
void check_slice_grad(std::string_view op, const Tensor& out_grad, Ints shape, const Index& index);
void set_item(const Tensor& x, const Tensor& value, const Index& index, Tensor& out);
ViewMap section(const Tensor& x, Ints sections, std::int64_t i, std::int64_t axis);
void check_section(std::string_view op, const Tensor& x, Ints sections, std::int64_t i,
                   std::int64_t axis);
void section_grad(const Tensor& out_grad, Ints shape, Ints sections, std::int64_t i,
                  std::int64_t axis, Tensor& x_grad);
void check_section_grad(std::string_view op, const Tensor& out_grad, Ints shape, Ints sections,
                        std::int64_t i, std::int64_t axis);
void set_section(const Tensor& x, const Tensor& value, Ints sections, std::int64_t i,
                 std::int64_t axis, Tensor& out);
void check_set_section(std::string_view op, const Tensor& x, const Tensor& value, Ints sections,
                       std::int64_t i, std::int64_t axis);
void concat(TensorList xs, std::int64_t axis, Tensor& out);
void part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset, Tensor& out);
void check_part(std::string_view op, const Tensor& x, Ints shape, Ints strides,
                std::int64_t offset);
void embed(const Tensor& x, Ints root_shape, Ints strides, std::int64_t offset, Tensor& out);
void check_embed(std::string_view op, const Tensor& x, Ints root_shape, Ints strides,
                 std::int64_t offset);
void write_part(const Tensor& x, const Tensor& value, Ints strides, std::int64_t offset,
                Tensor& out);
void check_write_part(std::string_view op, const Tensor& x, const Tensor& value, Ints strides,
                      std::int64_t offset);
void clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset, Tensor& out);

// --- linalg
void matmul(const Tensor& x, const Tensor& y, bool transpose_x, bool transpose_y, Tensor& out);

// --- loss
void cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis,
                   std::int64_t ignore_index, std::string_view reduction, Tensor& probabilities,
                   Tensor& loss);
void check_cross_entropy(std::string_view op, const Tensor& x, const Tensor& label,
                         std::int64_t axis, std::int64_t ignore_index, std::string_view reduction);
void cross_entropy_grad(const Tensor& probabilities, const Tensor& label, const Tensor& loss_grad,
                        std::int64_t axis, std::int64_t ignore_index, std::string_view reduction,
                        Tensor& x_grad);
void check_cross_entropy_grad(std::string_view op, const Tensor& probabilities, const Tensor& label,
                              const Tensor& loss_grad, std::int64_t axis, std::int64_t ignore_index,
                              std::string_view reduction);
void cross_entropy_weights(const Tensor& loss_grad, const Tensor& label, Ints shape,
                           std::int64_t axis, std::int64_t ignore_index, std::string_view reduction,
                           Tensor& weights);
void check_cross_entropy_weights(std::string_view op, const Tensor& loss_grad, const Tensor& label,
                                 Ints shape, std::int64_t axis, std::int64_t ignore_index,
                                 std::string_view reduction);
void cross_entropy_reduce(const Tensor& x, const Tensor& label, std::int64_t axis,
                          std::int64_t ignore_index, std::string_view reduction, Tensor& out);
void check_cross_entropy_reduce(std::string_view op, const Tensor& x, const Tensor& label,
                                std::int64_t axis, std::int64_t ignore_index,
                                std::string_view reduction);

// --- optimizer
void sgd_(const Tensor& param, const Tensor& learning_rate, const Tensor& grad,
          const Tensor& master_param, bool multi_precision, Tensor& param_out,
          Tensor& master_param_out);
void check_sgd_(std::string_view op, const Tensor& param, const Tensor& learning_rate,
                const Tensor& grad, const Tensor& master_param, bool multi_precision);
void momentum_(const Tensor& param, const Tensor& grad, const Tensor& velocity,
               const Tensor& learning_rate, const Tensor& master_param, double mu,
               bool use_nesterov, std::string_view regularization_method,
               double regularization_coeff, bool multi_precision, double rescale_grad,
               Tensor& param_out, Tensor& velocity_out, Tensor& master_param_out);
void check_momentum_(std::string_view op, const Tensor& param, const Tensor& grad,
                     const Tensor& velocity, const Tensor& learning_rate,
                     const Tensor& master_param, double mu, bool use_nesterov,
                     std::string_view regularization_method, double regularization_coeff,
                     bool multi_precision, double rescale_grad);

// --- random
void rand(Ints shape, std::optional<DType> dtype, Tensor& out);
void check_rand(std::string_view op, Ints shape, std::optional<DType> dtype);
void randn(Ints shape, std::optional<DType> dtype, Tensor& out);
void check_randn(std::string_view op, Ints shape, std::optional<DType> dtype);
void uniform_(double min, double max, std::int64_t seed, std::int64_t diag_num,
              std::int64_t diag_step, double diag_val, Tensor& out);
void check_uniform_(std::string_view op, const Tensor& x, double min, double max, std::int64_t seed,
                    std::int64_t diag_num, std::int64_t diag_step, double diag_val);
void normal_(double mean, double std, std::int64_t seed, Tensor& out);
void check_normal_(std::string_view op, const Tensor& x, double mean, double std,
                   std::int64_t seed);

// --- reduction
void sum(const Tensor& x, Ints axis, bool keepdim, Tensor& out);
void mean(const Tensor& x, Ints axis, bool keepdim, Tensor& out);
void max(const Tensor& x, Ints axis, bool keepdim, Tensor& out);
void check_max(std::string_view op, const Tensor& x, Ints axis, bool keepdim);
void max_grad(const Tensor& x, const Tensor& out, const Tensor& out_grad, Ints axis, bool keepdim,
              Tensor& x_grad);
void check_max_grad(std::string_view op, const Tensor& x, const Tensor& out, const Tensor& out_grad,
                    Ints axis, bool keepdim);
void max_pick(const Tensor& x, const Tensor& out, const Tensor& value, Ints axis, bool keepdim,
              Tensor& picked);
void check_max_pick(std::string_view op, const Tensor& x, const Tensor& out, const Tensor& value,
                    Ints axis, bool keepdim);
void sum_to(const Tensor& x, Ints shape, Tensor& out);
void check_sum_to(std::string_view op, const Tensor& x, Ints shape);

}  // namespace oploom::kernels
