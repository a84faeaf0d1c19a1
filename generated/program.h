// Generated from ops.yaml by `make generate`. Do not edit.
//
// Every op as it is recorded: each function appends to the current builder (Builder::Scope).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/program/emitted.h"

namespace oploom::program {

// What is known of each op.
namespace defs {
extern const OpDef kAbs;
extern const OpDef kAdd;
extern const OpDef kArange;
extern const OpDef kAssign;
extern const OpDef kCast;
extern const OpDef kClearPart;
extern const OpDef kClip;
extern const OpDef kClipGrad;
extern const OpDef kClone;
extern const OpDef kConcat;
extern const OpDef kCopy_;
extern const OpDef kCos;
extern const OpDef kCrossEntropy;
extern const OpDef kCrossEntropyGrad;
extern const OpDef kCrossEntropyReduce;
extern const OpDef kCrossEntropyWeights;
extern const OpDef kDivide;
extern const OpDef kElu;
extern const OpDef kEluCurvature;
extern const OpDef kEluGrad;
extern const OpDef kEluOutGrad;
extern const OpDef kEmbed;
extern const OpDef kEqual;
extern const OpDef kExp;
extern const OpDef kExpand;
extern const OpDef kFill;
extern const OpDef kFloor;
extern const OpDef kFull;
extern const OpDef kGather;
extern const OpDef kGatherGrad;
extern const OpDef kGreaterEqual;
extern const OpDef kGreaterThan;
extern const OpDef kIndex;
extern const OpDef kIndexClear;
extern const OpDef kIndexGrad;
extern const OpDef kIndexLast;
extern const OpDef kIndexPut;
extern const OpDef kIndexSelect;
extern const OpDef kLeakyRelu;
extern const OpDef kLeakyReluGrad;
extern const OpDef kLessEqual;
extern const OpDef kLessThan;
extern const OpDef kLog;
extern const OpDef kLogicalAnd;
extern const OpDef kLogicalNot;
extern const OpDef kLogicalOr;
extern const OpDef kLogicalXor;
extern const OpDef kMatmul;
extern const OpDef kMatmulXGrad;
extern const OpDef kMatmulYGrad;
extern const OpDef kMax;
extern const OpDef kMaxGrad;
extern const OpDef kMaxPick;
extern const OpDef kMaximum;
extern const OpDef kMaximumGrad;
extern const OpDef kMean;
extern const OpDef kMinimum;
extern const OpDef kMinimumGrad;
extern const OpDef kMomentum_;
extern const OpDef kMultiply;
extern const OpDef kNegative;
extern const OpDef kNonzero;
extern const OpDef kNormal_;
extern const OpDef kNotEqual;
extern const OpDef kOnes;
extern const OpDef kOnesLike;
extern const OpDef kPart;
extern const OpDef kPow;
extern const OpDef kPowExponentGrad;
extern const OpDef kPowGrad;
extern const OpDef kRand;
extern const OpDef kRandn;
extern const OpDef kRelu;
extern const OpDef kReluGrad;
extern const OpDef kReshape;
extern const OpDef kScale;
extern const OpDef kScatter;
extern const OpDef kScatterClear;
extern const OpDef kScatterLast;
extern const OpDef kSection;
extern const OpDef kSectionGrad;
extern const OpDef kSetItem;
extern const OpDef kSetSection;
extern const OpDef kSgd_;
extern const OpDef kSigmoid;
extern const OpDef kSigmoidGrad;
extern const OpDef kSign;
extern const OpDef kSin;
extern const OpDef kSlice;
extern const OpDef kSliceGrad;
extern const OpDef kSoftmax;
extern const OpDef kSoftmaxGrad;
extern const OpDef kSplit;
extern const OpDef kSplitSections;
extern const OpDef kSpread;
extern const OpDef kSqrt;
extern const OpDef kSquare;
extern const OpDef kSqueeze;
extern const OpDef kSubtract;
extern const OpDef kSum;
extern const OpDef kSumTo;
extern const OpDef kTanh;
extern const OpDef kTanhGrad;
extern const OpDef kTranspose;
extern const OpDef kUniform_;
extern const OpDef kUnsqueeze;
extern const OpDef kUntranspose;
extern const OpDef kWhere;
extern const OpDef kWritePart;
extern const OpDef kZero_;
extern const OpDef kZeros;
extern const OpDef kZerosLike;
}  // namespace defs

namespace ops {

// ==== activation =================================================================================
Value* relu(Value* x);
Value* relu_grad(Value* out, Value* out_grad);
Value* tanh(Value* x);
Value* tanh_grad(Value* out, Value* out_grad);
Value* sigmoid(Value* x);
Value* sigmoid_grad(Value* out, Value* out_grad);
Value* leaky_relu(Value* x, const Number& negative_slope = 0.02);
Value* leaky_relu_grad(Value* x, Value* out_grad, const Number& negative_slope);
Value* elu(Value* x, const Number& alpha = 1.0);
Value* elu_grad(Value* x, Value* out_grad, const Number& alpha);
Value* elu_curvature(Value* x, Value* out_grad, const Number& alpha);
Value* elu_out_grad(Value* out, Value* out_grad, const Number& alpha);
Value* softmax(Value* x, std::int64_t axis);
Value* softmax_grad(Value* out, Value* out_grad, std::int64_t axis);

// ==== arithmetic =================================================================================
Value* add(const ValueOperand& x, const ValueOperand& y);
Value* subtract(const ValueOperand& x, const ValueOperand& y);
Value* multiply(const ValueOperand& x, const ValueOperand& y);
Value* divide(const ValueOperand& x, const ValueOperand& y);
Value* pow(const ValueOperand& x, const ValueOperand& y);
Value* pow_grad(const ValueOperand& x, const ValueOperand& y, const ValueOperand& out_grad);
Value* pow_exponent_grad(const ValueOperand& x, const ValueOperand& y,
                         const ValueOperand& out_grad);
Value* maximum(const ValueOperand& x, const ValueOperand& y);
Value* maximum_grad(const ValueOperand& x, const ValueOperand& y, Value* out_grad);
Value* minimum(const ValueOperand& x, const ValueOperand& y);
Value* minimum_grad(const ValueOperand& x, const ValueOperand& y, Value* out_grad);
Value* negative(Value* x);
Value* abs(Value* x);
Value* sign(Value* x);
Value* exp(Value* x);
Value* log(Value* x);
Value* sqrt(Value* x);
Value* square(Value* x);
Value* sin(Value* x);
Value* cos(Value* x);
Value* clip(Value* x, const Number& min, const Number& max);
Value* clip_grad(Value* x, Value* out_grad, const Number& min, const Number& max);
Value* scale(Value* x, const Number& scale = 1.0, const Number& bias = 0.0,
             bool bias_after_scale = true);
Value* floor(Value* x);

// ==== comparison =================================================================================
Value* equal(const ValueOperand& x, const ValueOperand& y);
Value* not_equal(const ValueOperand& x, const ValueOperand& y);
Value* less_than(const ValueOperand& x, const ValueOperand& y);
Value* less_equal(const ValueOperand& x, const ValueOperand& y);
Value* greater_than(const ValueOperand& x, const ValueOperand& y);
Value* greater_equal(const ValueOperand& x, const ValueOperand& y);
Value* logical_and(const ValueOperand& x, const ValueOperand& y);
Value* logical_or(const ValueOperand& x, const ValueOperand& y);
Value* logical_xor(const ValueOperand& x, const ValueOperand& y);
Value* logical_not(Value* x);
Value* where(Value* condition, const ValueOperand& x, const ValueOperand& y);

// ==== creation ===================================================================================
Value* full(const Numbers& shape, const Number& value, std::optional<DType> dtype = std::nullopt);
Value* zeros(const Numbers& shape, std::optional<DType> dtype = std::nullopt);
Value* ones(const Numbers& shape, std::optional<DType> dtype = std::nullopt);
Value* zeros_like(Value* x, std::optional<DType> dtype = std::nullopt);
Value* ones_like(Value* x, std::optional<DType> dtype = std::nullopt);
Value* arange(const Number& start, std::optional<Scalar> end = std::nullopt, const Number& step = 1,
              std::optional<DType> dtype = std::nullopt);
Value* assign(Value* x);
Value* clone(Value* x);
Value* cast(Value* x, DType dtype);
Value* copy_(Value* x, const ValueOperand& value);
Value* fill(Value* x, const Number& value = 0);
Value* zero_(Value* x);

// ==== indexing ===================================================================================
Value* gather(Value* x, Value* index, std::int64_t axis = 0);
Value* index_select(Value* x, Value* index, std::int64_t axis = 0);
Value* gather_grad(Value* out_grad, Value* index, const Numbers& shape, std::int64_t axis);
Value* scatter(Value* x, Value* index, Value* updates, bool overwrite = true);
Value* scatter_clear(Value* x, Value* index);
Value* scatter_last(Value* x, Value* index);
Value* index(Value* x, std::span<Value* const> indices);
Value* index_grad(Value* out_grad, std::span<Value* const> indices, const Numbers& shape);
Value* index_put(Value* x, std::span<Value* const> indices, const ValueOperand& value,
                 bool accumulate = false);
Value* index_clear(Value* x, std::span<Value* const> indices);
Value* index_last(Value* x, std::span<Value* const> indices);
Value* nonzero(Value* x);

// ==== layout =====================================================================================
Value* reshape(Value* x, const Numbers& shape);
Value* squeeze(Value* x, const Numbers& axis = {});
Value* unsqueeze(Value* x, const Numbers& axis = {});
Value* transpose(Value* x, const Numbers& perm);
Value* untranspose(Value* x, const Numbers& perm);
Value* expand(Value* x, const Numbers& shape);
Value* slice(Value* x, const Index& index);
Value* slice_grad(Value* out_grad, const Numbers& shape, const Index& index);
Value* set_item(Value* x, const ValueOperand& value, const Index& index);
std::vector<Value*> split(Value* x, const Numbers& num_or_sections, std::int64_t axis = 0);
std::vector<Value*> split_sections(Value* x, const Numbers& sections, std::int64_t axis);
Value* section(Value* x, const Numbers& sections, const Number& i, std::int64_t axis);
Value* section_grad(Value* out_grad, const Numbers& shape, const Numbers& sections, const Number& i,
                    std::int64_t axis);
Value* set_section(Value* x, const ValueOperand& value, const Numbers& sections, const Number& i,
                   std::int64_t axis);
Value* concat(std::span<Value* const> xs, std::int64_t axis = 0);
Value* part(Value* x, const Numbers& shape, const Numbers& strides, const Number& offset);
Value* embed(Value* x, const Numbers& root_shape, const Numbers& strides, const Number& offset);
Value* write_part(Value* x, Value* value, const Numbers& strides, const Number& offset);
Value* clear_part(Value* x, const Numbers& shape, const Numbers& strides, const Number& offset);

// ==== linalg =====================================================================================
Value* matmul(Value* x, Value* y, bool transpose_x = false, bool transpose_y = false);
Value* matmul_x_grad(Value* out_grad, Value* y, const Numbers& shape, bool transpose_x,
                     bool transpose_y);
Value* matmul_y_grad(Value* out_grad, Value* x, const Numbers& shape, bool transpose_x,
                     bool transpose_y);

// ==== loss =======================================================================================
Value* cross_entropy(Value* x, Value* label, std::int64_t axis = -1,
                     const Number& ignore_index = -100, std::string_view reduction = "mean");
Value* cross_entropy_grad(Value* probabilities, Value* label, Value* loss_grad, std::int64_t axis,
                          const Number& ignore_index, std::string_view reduction);
Value* cross_entropy_weights(Value* loss_grad, Value* label, const Numbers& shape,
                             std::int64_t axis, const Number& ignore_index,
                             std::string_view reduction);
Value* cross_entropy_reduce(Value* x, Value* label, std::int64_t axis, const Number& ignore_index,
                            std::string_view reduction);

// ==== optimizer ==================================================================================
std::array<Value*, 2> sgd_(Value* param, const ValueOperand& learning_rate, Value* grad,
                           Value* master_param = nullptr, bool multi_precision = false);
std::array<Value*, 3> momentum_(
    Value* param, Value* grad, Value* velocity, const ValueOperand& learning_rate,
    Value* master_param, const Number& mu, bool use_nesterov = false,
    std::string_view regularization_method = "", const Number& regularization_coeff = 0.0,
    bool multi_precision = false, const Number& rescale_grad = 1.0);

// ==== random =====================================================================================
Value* rand(const Numbers& shape, std::optional<DType> dtype = std::nullopt);
Value* randn(const Numbers& shape, std::optional<DType> dtype = std::nullopt);
Value* uniform_(Value* x, const Number& min = -1.0, const Number& max = 1.0, const Number& seed = 0,
                const Number& diag_num = 0, const Number& diag_step = 0,
                const Number& diag_val = 1.0);
Value* normal_(Value* x, const Number& mean = 0.0, const Number& std = 1.0, const Number& seed = 0);

// ==== reduction ==================================================================================
Value* sum(Value* x, const Numbers& axis = {}, bool keepdim = false);
Value* mean(Value* x, const Numbers& axis = {}, bool keepdim = false);
Value* max(Value* x, const Numbers& axis = {}, bool keepdim = false);
Value* max_grad(Value* x, Value* out, Value* out_grad, const Numbers& axis, bool keepdim);
Value* max_pick(Value* x, Value* out, Value* value, const Numbers& axis, bool keepdim);
Value* sum_to(Value* x, const Numbers& shape);
Value* spread(Value* x, const Numbers& shape);

}  // namespace ops

// What the runtime calls without knowing which op does it.
namespace roles {

// accumulate: add, ops/arithmetic.yaml:3
inline constexpr const OpDef& kAccumulate = defs::kAdd;
inline Value* accumulate(const ValueOperand& x, const ValueOperand& y) { return ops::add(x, y); }

// cast: cast, ops/creation.yaml:90
inline constexpr const OpDef& kCast = defs::kCast;
inline Value* cast(Value* x, DType dtype) { return ops::cast(x, dtype); }

// clear_part: clear_part, ops/layout.yaml:248
inline constexpr const OpDef& kClearPart = defs::kClearPart;
inline Value* clear_part(Value* x, const Numbers& shape, const Numbers& strides,
                         const Number& offset) {
  return ops::clear_part(x, shape, strides, offset);
}

// clone: clone, ops/creation.yaml:82
inline constexpr const OpDef& kClone = defs::kClone;
inline Value* clone(Value* x) { return ops::clone(x); }

// embed: embed, ops/layout.yaml:216
inline constexpr const OpDef& kEmbed = defs::kEmbed;
inline Value* embed(Value* x, const Numbers& root_shape, const Numbers& strides,
                    const Number& offset) {
  return ops::embed(x, root_shape, strides, offset);
}

// expand: expand, ops/layout.yaml:62
inline constexpr const OpDef& kExpand = defs::kExpand;
inline Value* expand(Value* x, const Numbers& shape) { return ops::expand(x, shape); }

// index: index, ops/indexing.yaml:85
inline constexpr const OpDef& kIndex = defs::kIndex;
inline Value* index(Value* x, std::span<Value* const> indices) { return ops::index(x, indices); }

// index_put: index_put, ops/indexing.yaml:110
inline constexpr const OpDef& kIndexPut = defs::kIndexPut;
inline Value* index_put(Value* x, std::span<Value* const> indices, const ValueOperand& value,
                        bool accumulate = false) {
  return ops::index_put(x, indices, value, accumulate);
}

// nonzero: nonzero, ops/indexing.yaml:154
inline constexpr const OpDef& kNonzero = defs::kNonzero;
inline Value* nonzero(Value* x) { return ops::nonzero(x); }

// ones: ones, ops/creation.yaml:29
inline constexpr const OpDef& kOnes = defs::kOnes;
inline Value* ones(const Numbers& shape, std::optional<DType> dtype = std::nullopt) {
  return ops::ones(shape, dtype);
}

// part: part, ops/layout.yaml:202
inline constexpr const OpDef& kPart = defs::kPart;
inline Value* part(Value* x, const Numbers& shape, const Numbers& strides, const Number& offset) {
  return ops::part(x, shape, strides, offset);
}

// reshape: reshape, ops/layout.yaml:3
inline constexpr const OpDef& kReshape = defs::kReshape;
inline Value* reshape(Value* x, const Numbers& shape) { return ops::reshape(x, shape); }

// set_item: set_item, ops/layout.yaml:99
inline constexpr const OpDef& kSetItem = defs::kSetItem;
inline Value* set_item(Value* x, const ValueOperand& value, const Index& index) {
  return ops::set_item(x, value, index);
}

// slice: slice, ops/layout.yaml:76
inline constexpr const OpDef& kSlice = defs::kSlice;
inline Value* slice(Value* x, const Index& index) { return ops::slice(x, index); }

// sum_to: sum_to, ops/reduction.yaml:72
inline constexpr const OpDef& kSumTo = defs::kSumTo;
inline Value* sum_to(Value* x, const Numbers& shape) { return ops::sum_to(x, shape); }

// transpose: transpose, ops/layout.yaml:43
inline constexpr const OpDef& kTranspose = defs::kTranspose;
inline Value* transpose(Value* x, const Numbers& perm) { return ops::transpose(x, perm); }

// write_part: write_part, ops/layout.yaml:230
inline constexpr const OpDef& kWritePart = defs::kWritePart;
inline Value* write_part(Value* x, Value* value, const Numbers& strides, const Number& offset) {
  return ops::write_part(x, value, strides, offset);
}

// zeros: zeros, ops/creation.yaml:17
inline constexpr const OpDef& kZeros = defs::kZeros;
inline Value* zeros(const Numbers& shape, std::optional<DType> dtype = std::nullopt) {
  return ops::zeros(shape, dtype);
}

}  // namespace roles
}  // namespace oploom::program
