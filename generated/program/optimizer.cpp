// Generated from ops/optimizer.yaml by `make generate`. Do not edit.

#include <array>
#include <string>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- sgd_ ------------------------------------------------------------------- ops/optimizer.yaml:3
namespace {
constexpr InputDef kSgd_Inputs[] = {
    {"param", InputDef::Kind::kTensor, true, false},
    {"learning_rate", InputDef::Kind::kOperand, true, false},
    {"grad", InputDef::Kind::kTensor, true, false},
    {"master_param", InputDef::Kind::kOptional, true, false},
};
constexpr AttributeDef kSgd_Attributes[] = {
    {"multi_precision", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kSgd_Outputs[] = {
    {"param_out", false, true, false},
    {"master_param_out", false, true, false},
};
constexpr OpDef::Pair kSgd_Pairs[] = {{0, 0}, {3, 1}};

void infer_sgd_(const Op& op, std::vector<Type>& results) {
  const Meta param = emitted::meta(op, 0);
  const Meta grad = emitted::meta(op, 2);
  const Meta master_param = emitted::meta(op, 3);
  infer::expect_float("sgd_", "param", param);
  infer::expect_float("sgd_", "grad", grad);
  infer::expect_float("sgd_", "master_param", master_param);
  results.push_back(emitted::like(param));
  results.push_back(emitted::like(master_param));
}

void check_sgd_(RunFrame& frame) {
  const Tensor& param = frame.input(0);
  const Tensor& learning_rate = frame.input(1);
  const Tensor& grad = frame.input(2);
  const Tensor& master_param = frame.input(3);
  const bool multi_precision = frame.attribute<bool>(0);
  kernels::check_sgd_("sgd_", param, learning_rate, grad, master_param, multi_precision);
}

void run_sgd_(RunFrame& frame) {
  const Tensor& param = frame.input(0);
  const Tensor& learning_rate = frame.input(1);
  const Tensor& grad = frame.input(2);
  const Tensor& master_param = frame.input(3);
  const bool multi_precision = frame.attribute<bool>(0);
  kernels::check_sgd_("sgd_", param, learning_rate, grad, master_param, multi_precision);
  Tensor& param_out_result =
      frame.put(0, emitted::result_apart(frame, 0, param.shape(), param.dtype()));
  Tensor& master_param_out_result = frame.output(1);
  if (master_param.defined()) {
    frame.put(1, emitted::result_apart(frame, 1, master_param.shape(), master_param.dtype()));
  }
  kernels::sgd_(contiguous(param), contiguous(learning_rate), contiguous(grad),
                contiguous(master_param), multi_precision, param_out_result,
                master_param_out_result);
  emitted::fill_absent(master_param_out_result);
}
}  // namespace

const OpDef defs::kSgd_{
    .name = "sgd_",
    .inplace_name = "sgd_",
    .inputs = kSgd_Inputs,
    .attributes = kSgd_Attributes,
    .outputs = kSgd_Outputs,
    .inplace_pairs = kSgd_Pairs,
    .flags = OpDef::kUpdate | OpDef::kInplaceOnly,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sgd_,
    .check = check_sgd_,
    .run = run_sgd_,
    .vjp = nullptr,
    .no_gradient = "an optimizer step is never differentiated",
    .write = nullptr,
};

std::array<Value*, 2> ops::sgd_(Value* param, const ValueOperand& learning_rate, Value* grad,
                                Value* master_param, bool multi_precision) {
  emitted::OpCall call(defs::kSgd_);
  call.in(param).in(learning_rate).in(grad).optional(master_param).attr(multi_precision);
  const auto results = call.all();
  return {results[0], results[1]};
}

// --- momentum_ ------------------------------------------------------------- ops/optimizer.yaml:20
namespace {
constexpr InputDef kMomentum_Inputs[] = {
    {"param", InputDef::Kind::kTensor, true, false},
    {"grad", InputDef::Kind::kTensor, true, false},
    {"velocity", InputDef::Kind::kTensor, true, false},
    {"learning_rate", InputDef::Kind::kOperand, true, false},
    {"master_param", InputDef::Kind::kOptional, true, false},
};
constexpr AttributeDef kMomentum_Attributes[] = {
    {"mu", "float"},
    {"use_nesterov", "bool", [] { return Attribute(false); }},
    {"regularization_method", "str", [] { return Attribute(std::string("")); }},
    {"regularization_coeff", "float", [] { return Attribute(0.0); }},
    {"multi_precision", "bool", [] { return Attribute(false); }},
    {"rescale_grad", "float", [] { return Attribute(1.0); }},
};
constexpr OutputDef kMomentum_Outputs[] = {
    {"param_out", false, true, false},
    {"velocity_out", false, true, false},
    {"master_param_out", false, true, false},
};
constexpr OpDef::Pair kMomentum_Pairs[] = {{0, 0}, {2, 1}, {4, 2}};

void infer_momentum_(const Op& op, std::vector<Type>& results) {
  const Meta param = emitted::meta(op, 0);
  const Meta grad = emitted::meta(op, 1);
  const Meta velocity = emitted::meta(op, 2);
  const Meta master_param = emitted::meta(op, 4);
  const std::string_view regularization_method = emitted::attribute<std::string>(op, 2);
  infer::expect_float("momentum_", "param", param);
  infer::expect_float("momentum_", "grad", grad);
  infer::expect_float("momentum_", "velocity", velocity);
  infer::expect_float("momentum_", "master_param", master_param);
  infer::choice("momentum_", "regularization_method", regularization_method, {"", "l2_decay"});
  results.push_back(emitted::like(param));
  results.push_back(emitted::like(velocity));
  results.push_back(emitted::like(master_param));
}

void check_momentum_(RunFrame& frame) {
  const Tensor& param = frame.input(0);
  const Tensor& grad = frame.input(1);
  const Tensor& velocity = frame.input(2);
  const Tensor& learning_rate = frame.input(3);
  const Tensor& master_param = frame.input(4);
  const double mu = frame.attribute<double>(0);
  const bool use_nesterov = frame.attribute<bool>(1);
  const std::string_view regularization_method = frame.attribute<std::string>(2);
  const double regularization_coeff = frame.attribute<double>(3);
  const bool multi_precision = frame.attribute<bool>(4);
  const double rescale_grad = frame.attribute<double>(5);
  kernels::check_momentum_("momentum_", param, grad, velocity, learning_rate, master_param, mu,
                           use_nesterov, regularization_method, regularization_coeff,
                           multi_precision, rescale_grad);
}

void run_momentum_(RunFrame& frame) {
  const Tensor& param = frame.input(0);
  const Tensor& grad = frame.input(1);
  const Tensor& velocity = frame.input(2);
  const Tensor& learning_rate = frame.input(3);
  const Tensor& master_param = frame.input(4);
  const double mu = frame.attribute<double>(0);
  const bool use_nesterov = frame.attribute<bool>(1);
  const std::string_view regularization_method = frame.attribute<std::string>(2);
  const double regularization_coeff = frame.attribute<double>(3);
  const bool multi_precision = frame.attribute<bool>(4);
  const double rescale_grad = frame.attribute<double>(5);
  kernels::check_momentum_("momentum_", param, grad, velocity, learning_rate, master_param, mu,
                           use_nesterov, regularization_method, regularization_coeff,
                           multi_precision, rescale_grad);
  Tensor& param_out_result =
      frame.put(0, emitted::result_apart(frame, 0, param.shape(), param.dtype()));
  Tensor& velocity_out_result =
      frame.put(1, emitted::result_apart(frame, 1, velocity.shape(), velocity.dtype()));
  Tensor& master_param_out_result = frame.output(2);
  if (master_param.defined()) {
    frame.put(2, emitted::result_apart(frame, 2, master_param.shape(), master_param.dtype()));
  }
  kernels::momentum_(contiguous(param), contiguous(grad), contiguous(velocity),
                     contiguous(learning_rate), contiguous(master_param), mu, use_nesterov,
                     regularization_method, regularization_coeff, multi_precision, rescale_grad,
                     param_out_result, velocity_out_result, master_param_out_result);
  emitted::fill_absent(master_param_out_result);
}
}  // namespace

const OpDef defs::kMomentum_{
    .name = "momentum_",
    .inplace_name = "momentum_",
    .inputs = kMomentum_Inputs,
    .attributes = kMomentum_Attributes,
    .outputs = kMomentum_Outputs,
    .inplace_pairs = kMomentum_Pairs,
    .flags = OpDef::kUpdate | OpDef::kInplaceOnly,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_momentum_,
    .check = check_momentum_,
    .run = run_momentum_,
    .vjp = nullptr,
    .no_gradient = "an optimizer step is never differentiated",
    .write = nullptr,
};

std::array<Value*, 3> ops::momentum_(
    Value* param, Value* grad, Value* velocity, const ValueOperand& learning_rate,
    Value* master_param, const Number& mu, bool use_nesterov,
    std::string_view regularization_method, const Number& regularization_coeff,
    bool multi_precision, const Number& rescale_grad) {
  emitted::OpCall call(defs::kMomentum_);
  call.in(param).in(grad).in(velocity).in(learning_rate).optional(master_param).attr(mu);
  call.attr(use_nesterov).attr(regularization_method).attr(regularization_coeff);
  call.attr(multi_precision).attr(rescale_grad);
  const auto results = call.all();
  return {results[0], results[1], results[2]};
}

}  // namespace oploom::program
