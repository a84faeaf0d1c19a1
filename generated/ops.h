// Generated from ops.yaml by `make generate`. Do not edit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/autograd/record.h"
#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/index.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"

namespace oploom {

// ==== activation =================================================================================

// x where positive, 0 elsewhere; NaN stays. Its gradient at 0 is 0.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_relu(const Tensor& x);
Tensor& imperative_relu_(Tensor& x);

// 0 where out <= 0, else out_grad.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps out.
Tensor imperative_relu_grad(const Tensor& out, const Tensor& out_grad);

// Hyperbolic tangent, element by element.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_tanh(const Tensor& x);
Tensor& imperative_tanh_(Tensor& x);

// out_grad * (1 - out * out).
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps out, out_grad.
Tensor imperative_tanh_grad(const Tensor& out, const Tensor& out_grad);

// 1 / (1 + exp(-x)).
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_sigmoid(const Tensor& x);
Tensor& imperative_sigmoid_(Tensor& x);

// out_grad * out * (1 - out).
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps out, out_grad.
Tensor imperative_sigmoid_grad(const Tensor& out, const Tensor& out_grad);

// x where positive, negative_slope * x elsewhere.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps out or a copy of x, as attributes say.
Tensor imperative_leaky_relu(const Tensor& x, double negative_slope = 0.02);
Tensor& imperative_leaky_relu_(Tensor& x, double negative_slope = 0.02);

// out_grad where x is positive, negative_slope * out_grad elsewhere.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps x.
Tensor imperative_leaky_relu_grad(const Tensor& x, const Tensor& out_grad, double negative_slope);

// x where positive, alpha * (exp(x) - 1) elsewhere.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps out or a copy of x, as attributes say.
Tensor imperative_elu(const Tensor& x, double alpha = 1.0);
Tensor& imperative_elu_(Tensor& x, double alpha = 1.0);

// out_grad where x is positive, out_grad * alpha * exp(x) elsewhere.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps x, out_grad.
Tensor imperative_elu_grad(const Tensor& x, const Tensor& out_grad, double alpha);

// 0 where x is positive, out_grad * alpha * exp(x) elsewhere. It is its own derivative.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps x, out_grad.
Tensor imperative_elu_curvature(const Tensor& x, const Tensor& out_grad, double alpha);

// The gradient of elu worked out from its result: out_grad where out is positive, out_grad * (out
// + alpha) elsewhere.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps out, out_grad.
Tensor imperative_elu_out_grad(const Tensor& out, const Tensor& out_grad, double alpha);

// exp(x) divided by its sum along an axis, worked out without overflow.
// out: shape same(x), dtype float_of(x).
// Raises kArgument where axis is out of range.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_softmax(const Tensor& x, std::int64_t axis);
Tensor& imperative_softmax_(Tensor& x, std::int64_t axis);

// out * (out_grad - the sum of out * out_grad along axis).
// out: float tensor.
// out_grad: float tensor.
// x_grad: the shape and dtype of out.
// Raises kType where out is not float or out_grad is not float, kArgument where axis is out of
// range.
// Backward keeps out, out_grad.
Tensor imperative_softmax_grad(const Tensor& out, const Tensor& out_grad, std::int64_t axis);

// ==== arithmetic =================================================================================

// x + y. For bool operands, whether either holds.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_add(const Operand& x, const Operand& y);
Tensor& imperative_add_(Tensor& x, const Operand& y);

// x - y. Two bool operands are refused.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_subtract(const Operand& x, const Operand& y);
Tensor& imperative_subtract_(Tensor& x, const Operand& y);

// x * y. For bool operands, whether both hold.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x, y; in place keeps y, a copy of x.
Tensor imperative_multiply(const Operand& x, const Operand& y);
Tensor& imperative_multiply_(Tensor& x, const Operand& y);

// x / y. Integers are divided as float32.
// out: shape broadcast(x, y), dtype float_promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x, y; in place keeps y, a copy of x.
Tensor imperative_divide(const Operand& x, const Operand& y);
Tensor& imperative_divide_(Tensor& x, const Operand& y);

// x to the power y. Integers to a negative integer power are refused.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x, y; in place keeps y, a copy of x.
Tensor imperative_pow(const Operand& x, const Operand& y);
Tensor& imperative_pow_(Tensor& x, const Operand& y);

// out_grad * y * x ** (y - 1), and 0 where y is 0.
// out_grad: float tensor or number.
// x_grad: shape broadcast(x, y, out_grad), dtype promoted(x, y, out_grad).
// Raises kType where out_grad is not float, kArgument where shapes do not fit.
// Backward keeps x, y, out_grad.
Tensor imperative_pow_grad(const Operand& x, const Operand& y, const Operand& out_grad);

// out_grad * x ** y * log(x), and 0 where x is 0 and y is not negative.
// out_grad: float tensor or number.
// y_grad: shape broadcast(x, y, out_grad), dtype promoted(x, y, out_grad).
// Raises kType where out_grad is not float, kArgument where shapes do not fit.
// Backward keeps x, y, out_grad.
Tensor imperative_pow_exponent_grad(const Operand& x, const Operand& y, const Operand& out_grad);

// The larger of x and y; NaN where either is. Equal operands share the gradient evenly.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x, y; in place keeps y, a copy of x.
Tensor imperative_maximum(const Operand& x, const Operand& y);
Tensor& imperative_maximum_(Tensor& x, const Operand& y);

// 0 where x < y, half of out_grad where they are equal, else out_grad.
// out_grad: float tensor.
// x_grad: shape broadcast(x, y, out_grad), dtype promoted(x, y, out_grad).
// Raises kType where out_grad is not float, kArgument where shapes do not fit.
// Backward keeps x, y.
Tensor imperative_maximum_grad(const Operand& x, const Operand& y, const Tensor& out_grad);

// The smaller of x and y; NaN where either is. Equal operands share the gradient evenly.
// out: shape broadcast(x, y), dtype promoted(x, y).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x, y; in place keeps y, a copy of x.
Tensor imperative_minimum(const Operand& x, const Operand& y);
Tensor& imperative_minimum_(Tensor& x, const Operand& y);

// 0 where x > y, half of out_grad where they are equal, else out_grad.
// out_grad: float tensor.
// x_grad: shape broadcast(x, y, out_grad), dtype promoted(x, y, out_grad).
// Raises kType where out_grad is not float, kArgument where shapes do not fit.
// Backward keeps x, y.
Tensor imperative_minimum_grad(const Operand& x, const Operand& y, const Tensor& out_grad);

// -x.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_negative(const Tensor& x);
Tensor& imperative_negative_(Tensor& x);

// The absolute value of x. Its gradient at 0 is 0.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_abs(const Tensor& x);
Tensor& imperative_abs_(Tensor& x);

// -1, 0 or 1 as x is below, at or above 0; NaN stays.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: constant between its jumps.
Tensor imperative_sign(const Tensor& x);
Tensor& imperative_sign_(Tensor& x);

// e to the power x.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_exp(const Tensor& x);
Tensor& imperative_exp_(Tensor& x);

// The natural logarithm of x; -inf at 0 and NaN below.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_log(const Tensor& x);
Tensor& imperative_log_(Tensor& x);

// The square root of x; NaN below 0.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps out.
Tensor imperative_sqrt(const Tensor& x);
Tensor& imperative_sqrt_(Tensor& x);

// x * x.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_square(const Tensor& x);
Tensor& imperative_square_(Tensor& x);

// The sine of x, in radians.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_sin(const Tensor& x);
Tensor& imperative_sin_(Tensor& x);

// The cosine of x, in radians.
// out: shape same(x), dtype float_of(x).
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_cos(const Tensor& x);
Tensor& imperative_cos_(Tensor& x);

// x held between min and max; max where min exceeds it. For integers the bounds are cut towards
// zero. The gradient passes at the bounds.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps x; in place keeps a copy of x.
Tensor imperative_clip(const Tensor& x, Scalar min, Scalar max);
Tensor& imperative_clip_(Tensor& x, Scalar min, Scalar max);

// out_grad where x lies between min and max, bounds included, else 0.
// out_grad: float tensor.
// x_grad: the shape and dtype of out_grad.
// Raises kType where out_grad is not float.
// Backward keeps x.
Tensor imperative_clip_grad(const Tensor& x, const Tensor& out_grad, Scalar min, Scalar max);

// x * scale + bias, or (x + bias) * scale unless bias_after_scale. Integers with a fractional
// scale or bias are worked out in float64 and cut towards zero.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_scale(const Tensor& x, Scalar scale = 1.0, Scalar bias = 0.0,
                        bool bias_after_scale = true);
Tensor& imperative_scale_(Tensor& x, Scalar scale = 1.0, Scalar bias = 0.0,
                          bool bias_after_scale = true);

// The largest whole number that is not above x.
// x: integer or float tensor.
// out: the shape and dtype of x.
// Raises kType where x is bool.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: constant between its jumps.
Tensor imperative_floor(const Tensor& x);
Tensor& imperative_floor_(Tensor& x);

// ==== comparison =================================================================================

// Whether x equals y, element by element. NaN compares false.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_equal(const Operand& x, const Operand& y);
Tensor& imperative_equal_(Tensor& x, const Operand& y);

// Whether x differs from y, element by element. NaN differs from all.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_not_equal(const Operand& x, const Operand& y);
Tensor& imperative_not_equal_(Tensor& x, const Operand& y);

// Whether x is below y, element by element. NaN compares false.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_less_than(const Operand& x, const Operand& y);
Tensor& imperative_less_than_(Tensor& x, const Operand& y);

// Whether x is at most y, element by element. NaN compares false.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_less_equal(const Operand& x, const Operand& y);
Tensor& imperative_less_equal_(Tensor& x, const Operand& y);

// Whether x is above y, element by element. NaN compares false.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_greater_than(const Operand& x, const Operand& y);
Tensor& imperative_greater_than_(Tensor& x, const Operand& y);

// Whether x is at least y, element by element. NaN compares false.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_greater_equal(const Operand& x, const Operand& y);
Tensor& imperative_greater_equal_(Tensor& x, const Operand& y);

// Whether x and y both are nonzero.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_logical_and(const Operand& x, const Operand& y);
Tensor& imperative_logical_and_(Tensor& x, const Operand& y);

// Whether x or y is nonzero.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_logical_or(const Operand& x, const Operand& y);
Tensor& imperative_logical_or_(Tensor& x, const Operand& y);

// Whether just one of x and y is nonzero.
// out: shape broadcast(x, y), dtype bool.
// Raises kArgument where shapes do not fit.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_logical_xor(const Operand& x, const Operand& y);
Tensor& imperative_logical_xor_(Tensor& x, const Operand& y);

// Whether x is zero.
// out: shape same(x), dtype bool.
// In place: x gets a new storage, for the dtype changes by definition.
// No gradient: the result is bool.
Tensor imperative_logical_not(const Tensor& x);
Tensor& imperative_logical_not_(Tensor& x);

// x where condition holds, else y.
// condition: bool tensor.
// out: shape broadcast(condition, x, y), dtype promoted(x, y).
// Raises kType where condition is not bool, kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps condition.
Tensor imperative_where(const Tensor& condition, const Operand& x, const Operand& y);
Tensor& imperative_where_(const Tensor& condition, Tensor& x, const Operand& y);

// ==== creation ===================================================================================

// A tensor of the given shape whose elements all are value, in the dtype that value has by itself
// (bool, int64, float32) unless another is given.
// out: shape shape, dtype chosen(dtype, dtype(value)).
// No gradient: no inputs.
Tensor imperative_full(Ints shape, Scalar value, std::optional<DType> dtype = std::nullopt);

// A tensor of zeros, float32 unless a dtype is given.
// out: shape shape, dtype chosen(dtype, float32).
// No gradient: no inputs.
Tensor imperative_zeros(Ints shape, std::optional<DType> dtype = std::nullopt);

// A tensor of ones, float32 unless a dtype is given.
// out: shape shape, dtype chosen(dtype, float32).
// No gradient: no inputs.
Tensor imperative_ones(Ints shape, std::optional<DType> dtype = std::nullopt);

// Zeros in the shape of x, and in its dtype unless another is given. The result stops gradient.
// out: shape same(x), dtype chosen(dtype, same(x)).
// No gradient: only the shape of x is read.
Tensor imperative_zeros_like(const Tensor& x, std::optional<DType> dtype = std::nullopt);

// Ones in the shape of x, and in its dtype unless another is given. The result stops gradient.
// out: shape same(x), dtype chosen(dtype, same(x)).
// No gradient: only the shape of x is read.
Tensor imperative_ones_like(const Tensor& x, std::optional<DType> dtype = std::nullopt);

// The numbers start, start + step, ... before end; with start alone, 0, 1, ... before start. int64
// where all numbers are whole by type, else float32, unless a dtype is given.
// out: shape depends on the data, dtype [].
// No gradient: no inputs.
Tensor imperative_arange(Scalar start, std::optional<Scalar> end = std::nullopt, Scalar step = 1,
                         std::optional<DType> dtype = std::nullopt);

// A copy of x.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_assign(const Tensor& x);
Tensor& imperative_assign_(Tensor& x);

// A copy of x, contiguous, in memory of its own; gradients pass through it.
// out: the shape and dtype of x.
// Backward keeps nothing.
Tensor imperative_clone(const Tensor& x);

// x in another dtype. Floats become integers by cutting towards zero; bool is whether a number is
// nonzero.
// out: shape same(x), dtype dtype.
// In place: x gets a new storage, for the dtype changes by definition.
// Backward keeps nothing.
Tensor imperative_cast(const Tensor& x, DType dtype);
Tensor& imperative_cast_(Tensor& x, DType dtype);

// Writes value, broadcast, into x.
// out: shape broadcast(x, value), dtype promoted(x, value).
// Raises kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor& imperative_copy_(Tensor& x, const Operand& value);

// A tensor like x whose elements all are value.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: the elements of x are not read.
Tensor imperative_fill(const Tensor& x, Scalar value = 0);
Tensor& imperative_fill_(Tensor& x, Scalar value = 0);

// Writes zeros into x.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: the elements of x are not read.
Tensor& imperative_zero_(Tensor& x);

// ==== indexing ===================================================================================

// The elements of x at the given positions of an axis; the result has index's axes in place of
// that axis.
// index: integer tensor.
// out: shape taken(x, index, axis), dtype same(x).
// Raises kType where index is not integer, kArgument where axis is out of range or shapes do not
// fit.
// Backward keeps index, the shape of x.
Tensor imperative_gather(const Tensor& x, const Tensor& index, std::int64_t axis = 0);

// The elements of x at the positions of an axis that a 1-d index tensor names.
// index: integer tensor.
// out: shape selected(x, index, axis), dtype same(x).
// Raises kType where index is not integer, kArgument where axis is out of range or shapes do not
// fit.
// Backward keeps index, the shape of x.
Tensor imperative_index_select(const Tensor& x, const Tensor& index, std::int64_t axis = 0);

// Zeros in the given shape with out_grad added at the positions of index along axis.
// x_grad: shape shape, dtype same(out_grad).
// Backward keeps index.
Tensor imperative_gather_grad(const Tensor& out_grad, const Tensor& index, Ints shape,
                              std::int64_t axis);

// x with updates in the rows that index names. With overwrite the last of several updates of a row
// wins; without, these rows start from zero and all their updates are added.
// index: integer tensor.
// out: shape scattered(x, index, updates), dtype same(x).
// Raises kType where index is not integer, kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps index.
Tensor imperative_scatter(const Tensor& x, const Tensor& index, const Tensor& updates,
                          bool overwrite = true);
Tensor& imperative_scatter_(Tensor& x, const Tensor& index, const Tensor& updates,
                            bool overwrite = true);

// x with zeros in the rows that index names.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps index.
Tensor imperative_scatter_clear(const Tensor& x, const Tensor& index);
Tensor& imperative_scatter_clear_(Tensor& x, const Tensor& index);

// The rows of x that index names, with zeros for a row that is named again later. The adjoint of
// scatter with overwrite.
// out: shape taken(x, index, 0), dtype same(x).
// Raises kArgument where shapes do not fit.
// Backward keeps index, the shape of x, the dtype of x.
Tensor imperative_scatter_last(const Tensor& x, const Tensor& index);

// x[i, j, ...] with integer tensors: the elements whose positions on the first axes are given by
// the indices, which broadcast together.
// indices: integer list of tensors.
// out: shape indexed(x, indices), dtype same(x).
// Raises kType where indices is not integer, kArgument where shapes do not fit.
// Backward keeps indices, the shape of x.
Tensor imperative_index(const Tensor& x, TensorList indices);

// Zeros in the given shape with out_grad added where the indices point.
// x_grad: shape shape, dtype same(out_grad).
// Backward keeps indices.
Tensor imperative_index_grad(const Tensor& out_grad, TensorList indices, Ints shape);

// x with value, broadcast, where the integer tensors in indices point on the first axes. Of
// several values for one place the last wins; with accumulate all are added to what is there.
// indices: integer list of tensors.
// out: shape put(x, indices, value), dtype same(x).
// Raises kType where indices is not integer, kArgument where shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps indices.
Tensor imperative_index_put(const Tensor& x, TensorList indices, const Operand& value,
                            bool accumulate = false);
Tensor& imperative_index_put_(Tensor& x, TensorList indices, const Operand& value,
                              bool accumulate = false);

// x with zeros where the indices point.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps indices.
Tensor imperative_index_clear(const Tensor& x, TensorList indices);
Tensor& imperative_index_clear_(Tensor& x, TensorList indices);

// index, with zeros for a place that is named again later. The adjoint of index_put without
// accumulate.
// out: shape indexed(x, indices), dtype same(x).
// Raises kArgument where shapes do not fit.
// Backward keeps indices, the shape of x, the dtype of x.
Tensor imperative_index_last(const Tensor& x, TensorList indices);

// The positions of the elements that are not zero, as rows of one int64 matrix in row-major order.
// out: shape depends on the data, dtype int64.
// No gradient: positions are integers.
Tensor imperative_nonzero(const Tensor& x);

// ==== layout =====================================================================================

// The same elements in another shape, in row-major order; one length may be -1 and is worked out.
// A view of x where its strides allow one, else a copy.
// out: shape reshaped(x, shape), dtype same(x). Shares storage with x where the strides allow it.
// Raises kArgument where shapes do not fit.
// In place: x gets another map of its own bytes.
// Backward keeps the shape of x.
Tensor imperative_reshape(const Tensor& x, Ints shape);
Tensor& imperative_reshape_(Tensor& x, Ints shape);
inline Tensor imperative_reshape2(const Tensor& x, Ints shape) {
  return imperative_reshape(x, shape);
}
inline Tensor& imperative_reshape2_(Tensor& x, Ints shape) { return imperative_reshape_(x, shape); }

// A view of x without its axes of length 1, or without those of the given axes whose length is 1.
// out: shape squeezed(x, axis), dtype same(x). Shares storage with x.
// Raises kArgument where axis is out of range.
// In place: x gets another map of its own bytes.
// Backward keeps the shape of x.
Tensor imperative_squeeze(const Tensor& x, Ints axis = {});
Tensor& imperative_squeeze_(Tensor& x, Ints axis = {});
inline Tensor imperative_squeeze2(const Tensor& x, Ints axis = {}) {
  return imperative_squeeze(x, axis);
}
inline Tensor& imperative_squeeze2_(Tensor& x, Ints axis = {}) {
  return imperative_squeeze_(x, axis);
}

// A view of x with new axes of length 1; axis counts in the result.
// out: shape unsqueezed(x, axis), dtype same(x). Shares storage with x.
// Raises kArgument where shapes do not fit.
// In place: x gets another map of its own bytes.
// Backward keeps the shape of x.
Tensor imperative_unsqueeze(const Tensor& x, Ints axis = {});
Tensor& imperative_unsqueeze_(Tensor& x, Ints axis = {});
inline Tensor imperative_unsqueeze2(const Tensor& x, Ints axis = {}) {
  return imperative_unsqueeze(x, axis);
}
inline Tensor& imperative_unsqueeze2_(Tensor& x, Ints axis = {}) {
  return imperative_unsqueeze_(x, axis);
}

// A view of x whose axis i is axis perm[i] of x.
// out: shape transposed(x, perm), dtype same(x). Shares storage with x.
// Raises kArgument where shapes do not fit.
// In place: x gets another map of its own bytes.
// Backward keeps nothing.
Tensor imperative_transpose(const Tensor& x, Ints perm);
Tensor& imperative_transpose_(Tensor& x, Ints perm);

// Undoes transpose with the same perm.
// The gradient is that of its parts.
Tensor imperative_untranspose(const Tensor& x, Ints perm);

// A view of x in a shape that it broadcasts to; -1 keeps a length of x. Elements that were
// enlarged share memory, so the view cannot be written in place.
// out: shape expanded(x, shape), dtype same(x). Shares storage with x.
// Raises kArgument where shapes do not fit.
// Backward keeps the shape of x.
Tensor imperative_expand(const Tensor& x, Ints shape);

// The part of x that a basic index takes, as a view.
// out: shape sliced(x, index), dtype same(x). Shares storage with x.
// Raises kIndex where index is out of range.
// Backward keeps the shape of x.
Tensor imperative_slice(const Tensor& x, const Index& index);

// Zeros in the given shape with out_grad in the part that index takes.
// x_grad: shape shape, dtype same(out_grad).
// Backward keeps nothing.
Tensor imperative_slice_grad(const Tensor& out_grad, Ints shape, const Index& index);

// x with value, broadcast, in the part that a basic index takes.
// out: shape assigned(x, value, index), dtype same(x).
// Raises kArgument where shapes do not fit, kIndex where index is out of range.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_set_item(const Tensor& x, const Operand& value, const Index& index);
Tensor& imperative_set_item_(Tensor& x, const Operand& value, const Index& index);

// x cut along an axis, as views. One number is the number of equal parts; several are the parts'
// lengths, of which one may be -1 and is worked out.
// out: a list of tensors.
// Raises kArgument where axis is out of range.
// The gradient is that of its parts.
std::vector<Tensor> imperative_split(const Tensor& x, Ints num_or_sections, std::int64_t axis = 0);

// x cut along an axis into parts of the given lengths, also where there is but one.
// out: a list of tensors.
// Raises kArgument where axis is out of range.
// The gradient is that of its parts.
std::vector<Tensor> imperative_split_sections(const Tensor& x, Ints sections, std::int64_t axis);

// A view of part number i of x, cut along an axis into sections whose lengths add up; one may be
// -1 and is worked out.
// out: shape section_shape(x, sections, i, axis), dtype same(x). Shares storage with x.
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps the shape of x.
Tensor imperative_section(const Tensor& x, Ints sections, std::int64_t i, std::int64_t axis);

// Zeros in the given shape with out_grad as part number i along an axis.
// x_grad: shape whole_of_section(out_grad, shape, sections, i, axis), dtype same(out_grad).
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps nothing.
Tensor imperative_section_grad(const Tensor& out_grad, Ints shape, Ints sections, std::int64_t i,
                               std::int64_t axis);

// x with value, broadcast, as part number i along an axis.
// out: shape set_in_section(x, value, sections, i, axis), dtype same(x).
// Raises kArgument where axis is out of range or shapes do not fit.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_set_section(const Tensor& x, const Operand& value, Ints sections, std::int64_t i,
                              std::int64_t axis);
Tensor& imperative_set_section_(Tensor& x, const Operand& value, Ints sections, std::int64_t i,
                                std::int64_t axis);

// The tensors one behind the other along an axis, in their common dtype.
// out: shape concat_shape(xs, axis), dtype promoted(xs).
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps the shape of xs.
Tensor imperative_concat(TensorList xs, std::int64_t axis = 0);

// A copy of the elements of x that the map shows.
// out: shape shape, dtype same(x).
// Backward keeps the shape of x.
Tensor imperative_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset);

// Zeros in the root's shape, with x added where the map shows.
// out: shape root_shape, dtype same(x).
// Backward keeps the shape of x.
Tensor imperative_embed(const Tensor& x, Ints root_shape, Ints strides, std::int64_t offset);

// x with value where the map shows; the map has value's shape.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps the shape of value.
Tensor imperative_write_part(const Tensor& x, const Tensor& value, Ints strides,
                             std::int64_t offset);
Tensor& imperative_write_part_(Tensor& x, const Tensor& value, Ints strides, std::int64_t offset);

// x with zeros where the map shows.
// out: the shape and dtype of x.
// In place: writes x, whose shape and dtype category must hold the result.
// Backward keeps nothing.
Tensor imperative_clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset);
Tensor& imperative_clear_part_(Tensor& x, Ints shape, Ints strides, std::int64_t offset);

// ==== linalg =====================================================================================

// The matrix product of x and y over their last two axes, after transposing these where asked. A
// 1-d x is a row and a 1-d y a column whose axis leaves the result; axes before the last two
// broadcast.
// x: integer or float tensor.
// y: integer or float tensor.
// transpose_x: no effect on a 1-d x.
// transpose_y: no effect on a 1-d y.
// out: shape matmul_shape(x, y, transpose_x, transpose_y), dtype promoted(x, y).
// Raises kType where x is bool or y is bool, kArgument where shapes do not fit.
// Backward keeps x, y, the shape of x, y.
Tensor imperative_matmul(const Tensor& x, const Tensor& y, bool transpose_x = false,
                         bool transpose_y = false);

// The gradient of matmul to an x of the given shape, in that shape.
// The gradient is that of its parts.
Tensor imperative_matmul_x_grad(const Tensor& out_grad, const Tensor& y, Ints shape,
                                bool transpose_x, bool transpose_y);

// The gradient of matmul to a y of the given shape, in that shape.
// The gradient is that of its parts.
Tensor imperative_matmul_y_grad(const Tensor& out_grad, const Tensor& x, Ints shape,
                                bool transpose_x, bool transpose_y);

// ==== loss =======================================================================================

// The negative log-likelihood of integer labels under softmax of x along an axis. Labels equal to
// ignore_index count nothing; mean is over the others, and NaN where there are none.
// x: float tensor, logits.
// label: integer tensor, x's shape without axis.
// reduction: one of 'none', 'sum', 'mean'.
// loss: shape cross_entropy_shape(x, label, axis, reduction), dtype same(x).
// Raises kType where x is not float or label is not integer, kArgument where axis is out of range
// or reduction is none of its choices or shapes do not fit.
// Backward keeps label, probabilities.
Tensor imperative_cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis = -1,
                                std::int64_t ignore_index = -100,
                                std::string_view reduction = "mean");

// (probabilities - one_hot(label)) * the weight of each label: loss_grad, divided by the number of
// labels that count for mean, and 0 where ignored.
// probabilities: float tensor.
// label: integer tensor.
// loss_grad: float tensor.
// reduction: one of 'none', 'sum', 'mean'.
// x_grad: the shape and dtype of probabilities.
// Raises kType where probabilities is not float or label is not integer or loss_grad is not float,
// kArgument where reduction is none of its choices.
// Backward keeps probabilities, label, loss_grad, the shape of label, probabilities, the dtype of
// probabilities.
Tensor imperative_cross_entropy_grad(const Tensor& probabilities, const Tensor& label,
                                     const Tensor& loss_grad, std::int64_t axis,
                                     std::int64_t ignore_index, std::string_view reduction);

// The weight of each label in cross_entropy_grad, spread along axis to the given shape.
// loss_grad: float tensor.
// label: integer tensor.
// reduction: one of 'none', 'sum', 'mean'.
// weights: shape shape, dtype same(loss_grad).
// Raises kType where loss_grad is not float or label is not integer, kArgument where reduction is
// none of its choices.
// Backward keeps label.
Tensor imperative_cross_entropy_weights(const Tensor& loss_grad, const Tensor& label, Ints shape,
                                        std::int64_t axis, std::int64_t ignore_index,
                                        std::string_view reduction);

// x summed along axis, then reduced over the labels that count as the loss is. The adjoint of
// cross_entropy_weights.
// x: float tensor.
// label: integer tensor.
// reduction: one of 'none', 'sum', 'mean'.
// out: shape cross_entropy_shape(x, label, axis, reduction), dtype same(x).
// Raises kType where x is not float or label is not integer, kArgument where reduction is none of
// its choices or shapes do not fit.
// Backward keeps label, the shape of x.
Tensor imperative_cross_entropy_reduce(const Tensor& x, const Tensor& label, std::int64_t axis,
                                       std::int64_t ignore_index, std::string_view reduction);

// ==== optimizer ==================================================================================

// One step of gradient descent: param -= learning_rate * grad. With multi_precision master_param
// takes the step and param is rounded from it.
// param: float tensor.
// grad: float tensor.
// master_param: float tensor, may be absent.
// param_out: the shape and dtype of param. master_param_out: the shape and dtype of master_param.
// Raises kType where param is not float or grad is not float or master_param is not float.
// In place: writes param, master_param; takes leaves, is never recorded.
struct SgdOptions {
  bool multi_precision = false;
};
void imperative_sgd_(Tensor& param, const Operand& learning_rate, const Tensor& grad,
                     Tensor& master_param, const SgdOptions& options = {});

// One step of gradient descent with momentum: velocity = mu * velocity + grad, then param -=
// learning_rate * velocity, or learning_rate * (grad + mu * velocity) with use_nesterov. grad is
// scaled by rescale_grad first; regularization_method l2_decay adds regularization_coeff * param
// to it. With multi_precision master_param takes the step and param is rounded from it.
// param: float tensor.
// grad: float tensor.
// velocity: float tensor.
// master_param: float tensor, may be absent.
// regularization_method: one of '', 'l2_decay'.
// param_out: the shape and dtype of param. velocity_out: the shape and dtype of velocity.
// master_param_out: the shape and dtype of master_param.
// Raises kType where param is not float or grad is not float or velocity is not float or
// master_param is not float, kArgument where regularization_method is none of its choices.
// In place: writes param, velocity, master_param; takes leaves, is never recorded.
struct MomentumOptions {
  double mu;
  bool use_nesterov = false;
  std::string_view regularization_method = "";
  double regularization_coeff = 0.0;
  bool multi_precision = false;
  double rescale_grad = 1.0;
};
void imperative_momentum_(Tensor& param, const Tensor& grad, Tensor& velocity,
                          const Operand& learning_rate, Tensor& master_param,
                          const MomentumOptions& options);

// ==== random =====================================================================================

// Draws from the uniform distribution over [0, 1), float32 unless another float dtype is given.
// out: shape shape, dtype chosen(dtype, float32).
// No gradient: no inputs.
Tensor imperative_rand(Ints shape, std::optional<DType> dtype = std::nullopt);

// Draws from the standard normal distribution, float32 unless another float dtype is given.
// out: shape shape, dtype chosen(dtype, float32).
// No gradient: no inputs.
Tensor imperative_randn(Ints shape, std::optional<DType> dtype = std::nullopt);

// Overwrites x with draws from the uniform distribution over [min, max).
// x: float tensor.
// seed: another number than 0 gives the same draws in every call.
// diag_num: how many diagonal elements are set to diag_val instead.
// diag_step: element i * (diag_step + 1) is on the diagonal.
// out: the shape and dtype of x.
// Raises kType where x is not float.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: the elements of x are not read.
Tensor& imperative_uniform_(Tensor& x, double min = -1.0, double max = 1.0, std::int64_t seed = 0,
                            std::int64_t diag_num = 0, std::int64_t diag_step = 0,
                            double diag_val = 1.0);
inline Tensor& imperative_uniform_inplace_(Tensor& x, double min = -1.0, double max = 1.0,
                                           std::int64_t seed = 0, std::int64_t diag_num = 0,
                                           std::int64_t diag_step = 0, double diag_val = 1.0) {
  return imperative_uniform_(x, min, max, seed, diag_num, diag_step, diag_val);
}

// Overwrites x with draws from the normal distribution of that mean and standard deviation.
// x: float tensor.
// seed: another number than 0 gives the same draws in every call.
// out: the shape and dtype of x.
// Raises kType where x is not float.
// In place: writes x, whose shape and dtype category must hold the result.
// The gradient is zero: the elements of x are not read.
Tensor& imperative_normal_(Tensor& x, double mean = 0.0, double std = 1.0, std::int64_t seed = 0);
inline Tensor& imperative_gaussian_inplace_(Tensor& x, double mean = 0.0, double std = 1.0,
                                            std::int64_t seed = 0) {
  return imperative_normal_(x, mean, std, seed);
}

// ==== reduction ==================================================================================

// The sum of x over the axes, over all of them where none is named. Sums of bool and integers are
// int64; float sums are blocked, so that their error does not grow with the number of elements.
// keepdim: whether reduced axes stay with length 1.
// out: shape reduced(x, axis, keepdim), dtype summed(x).
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps the shape of x.
Tensor imperative_sum(const Tensor& x, Ints axis = {}, bool keepdim = false);

// The mean of x over the axes, over all of them where none is named; of integers as float32, and
// NaN over no elements.
// keepdim: whether reduced axes stay with length 1.
// out: shape reduced(x, axis, keepdim), dtype float_of(x).
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps the shape of out, x.
Tensor imperative_mean(const Tensor& x, Ints axis = {}, bool keepdim = false);

// The largest element of x over the axes, over all of them where none is named; NaN where one is
// NaN. Equal largest elements share the gradient evenly.
// keepdim: whether reduced axes stay with length 1.
// out: shape reduced(x, axis, keepdim), dtype same(x).
// Raises kArgument where axis is out of range or shapes do not fit.
// Backward keeps x, out.
Tensor imperative_max(const Tensor& x, Ints axis = {}, bool keepdim = false);

// out_grad where x equals out, divided by the number of such elements; 0 elsewhere.
// x: float tensor.
// out: float tensor.
// out_grad: float tensor.
// x_grad: the shape and dtype of x.
// Raises kType where x is not float or out is not float or out_grad is not float.
// Backward keeps x, out.
Tensor imperative_max_grad(const Tensor& x, const Tensor& out, const Tensor& out_grad, Ints axis,
                           bool keepdim);

// The mean of value over the places where x equals out. The adjoint of max_grad.
// x: float tensor.
// out: float tensor.
// value: float tensor.
// picked: the shape and dtype of out.
// Raises kType where x is not float or out is not float or value is not float.
// Backward keeps x, out.
Tensor imperative_max_pick(const Tensor& x, const Tensor& out, const Tensor& value, Ints axis,
                           bool keepdim);

// x summed over the axes that broadcasting added or enlarged, in exactly the given shape. What
// brings a gradient back to its input.
// out: shape shape, dtype same(x).
// Backward keeps the shape of x.
Tensor imperative_sum_to(const Tensor& x, Ints shape);

// x expanded to a shape, leading lengths of 1 that the shape lacks dropped. Undoes sum_to.
// The gradient is that of its parts.
Tensor imperative_spread(const Tensor& x, Ints shape);

}  // namespace oploom
