// Generated from ops/loss.yaml by `make generate`. Do not edit.

#include <string>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- cross_entropy --------------------------------------------------------------- ops/loss.yaml:3
namespace {
constexpr InputDef kCrossEntropyInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"label", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kCrossEntropyAttributes[] = {
    {"axis", "axis", [] { return Attribute(std::int64_t{-1}); }},
    {"ignore_index", "int", [] { return Attribute(std::int64_t{-100}); }},
    {"reduction", "str", [] { return Attribute(std::string("mean")); }},
};
constexpr OutputDef kCrossEntropyOutputs[] = {
    {"probabilities", true, true, false},
    {"loss", false, true, false},
};

void normalise_cross_entropy(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_cross_entropy(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta label = emitted::meta(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  infer::expect_float("cross_entropy", "x", x);
  infer::expect_integer("cross_entropy", "label", label);
  infer::choice("cross_entropy", "reduction", reduction, {"none", "sum", "mean"});
  results.push_back(emitted::like(x));
  results.push_back(
      tensor_type(x.dtype, infer::cross_entropy_shape("cross_entropy", x, label, axis, reduction)));
}

void run_cross_entropy(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& label = frame.plain_input(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  const std::int64_t ignore_index = frame.attribute<std::int64_t>(1);
  const std::string_view reduction = frame.attribute<std::string>(2);
  kernels::check_cross_entropy("cross_entropy", x, label, axis, ignore_index, reduction);
  Tensor& probabilities_result = frame.put(0, empty_like(x, x.dtype()));
  Tensor& loss_result = frame.put(
      1, empty(infer::cross_entropy_shape("cross_entropy", x, label, axis, reduction), x.dtype()));
  kernels::cross_entropy(contiguous(x), contiguous(label), axis, ignore_index, reduction,
                         probabilities_result, loss_result);
}

void vjp_cross_entropy(Vjp& vjp) {
  Value* label = vjp.input(1);
  Value* probabilities = vjp.output(0);
  Value* probabilities_grad = vjp.grad(0);
  Value* loss_grad = vjp.grad(1);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  const Number ignore_index = emitted::number(op, 1);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  if (vjp.needs(0)) {
    Value* gradient = nullptr;
    if (loss_grad != nullptr) {
      gradient =
          ops::cross_entropy_grad(probabilities, label, loss_grad, axis, ignore_index, reduction);
    }
    if (probabilities_grad != nullptr) {
      Value* term = ops::softmax_grad(probabilities, probabilities_grad, axis);
      gradient = gradient != nullptr ? roles::accumulate(gradient, term) : term;
    }
    vjp.give(0, gradient);
  }
}
}  // namespace

const OpDef defs::kCrossEntropy{
    .name = "cross_entropy",
    .inplace_name = nullptr,
    .inputs = kCrossEntropyInputs,
    .attributes = kCrossEntropyAttributes,
    .outputs = kCrossEntropyOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_cross_entropy,
    .compose = nullptr,
    .infer = infer_cross_entropy,
    .check = nullptr,
    .run = run_cross_entropy,
    .vjp = vjp_cross_entropy,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cross_entropy(Value* x, Value* label, std::int64_t axis, const Number& ignore_index,
                          std::string_view reduction) {
  emitted::OpCall call(defs::kCrossEntropy);
  call.in(x).in(label).attr(axis).attr(ignore_index).attr(reduction);
  return call.one(1);
}

// --- cross_entropy_grad --------------------------------------------------------- ops/loss.yaml:25
namespace {
constexpr InputDef kCrossEntropyGradInputs[] = {
    {"probabilities", InputDef::Kind::kTensor, true, false},
    {"label", InputDef::Kind::kTensor, false, false},
    {"loss_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kCrossEntropyGradAttributes[] = {
    {"axis", "axis"},
    {"ignore_index", "int"},
    {"reduction", "str"},
};
constexpr OutputDef kCrossEntropyGradOutputs[] = {{"x_grad", false, true, false}};

void infer_cross_entropy_grad(const Op& op, std::vector<Type>& results) {
  const Meta probabilities = emitted::meta(op, 0);
  const Meta label = emitted::meta(op, 1);
  const Meta loss_grad = emitted::meta(op, 2);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  infer::expect_float("cross_entropy_grad", "probabilities", probabilities);
  infer::expect_integer("cross_entropy_grad", "label", label);
  infer::expect_float("cross_entropy_grad", "loss_grad", loss_grad);
  infer::choice("cross_entropy_grad", "reduction", reduction, {"none", "sum", "mean"});
  results.push_back(emitted::like(probabilities));
}

void run_cross_entropy_grad(RunFrame& frame) {
  const Tensor& probabilities = frame.plain_input(0);
  const Tensor& label = frame.plain_input(1);
  const Tensor& loss_grad = frame.plain_input(2);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  const std::int64_t ignore_index = frame.attribute<std::int64_t>(1);
  const std::string_view reduction = frame.attribute<std::string>(2);
  kernels::check_cross_entropy_grad("cross_entropy_grad", probabilities, label, loss_grad, axis,
                                    ignore_index, reduction);
  Tensor& x_grad_result = frame.put(0, empty_like(probabilities, probabilities.dtype()));
  kernels::cross_entropy_grad(contiguous(probabilities), contiguous(label),
                              prepared(loss_grad, probabilities.dtype()), axis, ignore_index,
                              reduction, x_grad_result);
}

void vjp_cross_entropy_grad(Vjp& vjp) {
  Value* probabilities = vjp.input(0);
  Value* label = vjp.input(1);
  Value* loss_grad = vjp.input(2);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  const Number ignore_index = emitted::number(op, 1);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::multiply(x_grad_grad,
                           ops::cross_entropy_weights(loss_grad, label,
                                                      program::shape(probabilities), axis,
                                                      ignore_index, reduction)));
  }
  if (vjp.needs(2)) {
    vjp.give(2,
             ops::cross_entropy_reduce(ops::multiply(x_grad_grad,
                                                     ops::cross_entropy_grad(
                                                         probabilities, label,
                                                         ops::ones(program::shape(label),
                                                                   program::dtype(probabilities)),
                                                         axis, ignore_index, "none")),
                                       label, axis, ignore_index, reduction));
  }
}
}  // namespace

const OpDef defs::kCrossEntropyGrad{
    .name = "cross_entropy_grad",
    .inplace_name = nullptr,
    .inputs = kCrossEntropyGradInputs,
    .attributes = kCrossEntropyGradAttributes,
    .outputs = kCrossEntropyGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_cross_entropy_grad,
    .check = nullptr,
    .run = run_cross_entropy_grad,
    .vjp = vjp_cross_entropy_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cross_entropy_grad(Value* probabilities, Value* label, Value* loss_grad,
                               std::int64_t axis, const Number& ignore_index,
                               std::string_view reduction) {
  emitted::OpCall call(defs::kCrossEntropyGrad);
  call.in(probabilities).in(label).in(loss_grad).attr(axis).attr(ignore_index).attr(reduction);
  return call.one();
}

// --- cross_entropy_weights ------------------------------------------------------ ops/loss.yaml:50
namespace {
constexpr InputDef kCrossEntropyWeightsInputs[] = {
    {"loss_grad", InputDef::Kind::kTensor, true, false},
    {"label", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kCrossEntropyWeightsAttributes[] = {
    {"shape", "int[]"},
    {"axis", "axis"},
    {"ignore_index", "int"},
    {"reduction", "str"},
};
constexpr OutputDef kCrossEntropyWeightsOutputs[] = {{"weights", false, true, false}};

void infer_cross_entropy_weights(const Op& op, std::vector<Type>& results) {
  const Meta loss_grad = emitted::meta(op, 0);
  const Meta label = emitted::meta(op, 1);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const std::string_view reduction = emitted::attribute<std::string>(op, 3);
  infer::expect_float("cross_entropy_weights", "loss_grad", loss_grad);
  infer::expect_integer("cross_entropy_weights", "label", label);
  infer::choice("cross_entropy_weights", "reduction", reduction, {"none", "sum", "mean"});
  results.push_back(tensor_type(loss_grad.dtype, shape));
}

void run_cross_entropy_weights(RunFrame& frame) {
  const Tensor& loss_grad = frame.plain_input(0);
  const Tensor& label = frame.plain_input(1);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const std::int64_t axis = frame.attribute<std::int64_t>(1);
  const std::int64_t ignore_index = frame.attribute<std::int64_t>(2);
  const std::string_view reduction = frame.attribute<std::string>(3);
  infer::expect_lengths("cross_entropy_weights", "shape", shape);
  kernels::check_cross_entropy_weights("cross_entropy_weights", loss_grad, label, shape, axis,
                                       ignore_index, reduction);
  Tensor& weights_result = frame.put(0, empty(shape, loss_grad.dtype()));
  kernels::cross_entropy_weights(contiguous(loss_grad), contiguous(label), shape, axis,
                                 ignore_index, reduction, weights_result);
}

void vjp_cross_entropy_weights(Vjp& vjp) {
  Value* label = vjp.input(1);
  Value* weights_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 1);
  const Number ignore_index = emitted::number(op, 2);
  const std::string_view reduction = emitted::attribute<std::string>(op, 3);
  if (vjp.needs(0)) {
    vjp.give(0, ops::cross_entropy_reduce(weights_grad, label, axis, ignore_index, reduction));
  }
}
}  // namespace

const OpDef defs::kCrossEntropyWeights{
    .name = "cross_entropy_weights",
    .inplace_name = nullptr,
    .inputs = kCrossEntropyWeightsInputs,
    .attributes = kCrossEntropyWeightsAttributes,
    .outputs = kCrossEntropyWeightsOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_cross_entropy_weights,
    .check = nullptr,
    .run = run_cross_entropy_weights,
    .vjp = vjp_cross_entropy_weights,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cross_entropy_weights(Value* loss_grad, Value* label, const Numbers& shape,
                                  std::int64_t axis, const Number& ignore_index,
                                  std::string_view reduction) {
  emitted::OpCall call(defs::kCrossEntropyWeights);
  call.in(loss_grad).in(label).attr(shape).attr(axis).attr(ignore_index).attr(reduction);
  return call.one();
}

// --- cross_entropy_reduce ------------------------------------------------------- ops/loss.yaml:67
namespace {
constexpr InputDef kCrossEntropyReduceInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"label", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kCrossEntropyReduceAttributes[] = {
    {"axis", "axis"},
    {"ignore_index", "int"},
    {"reduction", "str"},
};
constexpr OutputDef kCrossEntropyReduceOutputs[] = {{"out", false, true, false}};

void infer_cross_entropy_reduce(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta label = emitted::meta(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  infer::expect_float("cross_entropy_reduce", "x", x);
  infer::expect_integer("cross_entropy_reduce", "label", label);
  infer::choice("cross_entropy_reduce", "reduction", reduction, {"none", "sum", "mean"});
  results.push_back(tensor_type(x.dtype,
                                infer::cross_entropy_shape("cross_entropy_reduce", x, label, axis,
                                                           reduction)));
}

void run_cross_entropy_reduce(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& label = frame.plain_input(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  const std::int64_t ignore_index = frame.attribute<std::int64_t>(1);
  const std::string_view reduction = frame.attribute<std::string>(2);
  kernels::check_cross_entropy_reduce("cross_entropy_reduce", x, label, axis, ignore_index,
                                      reduction);
  Tensor& out_result = frame.put(0,
                                 empty(infer::cross_entropy_shape("cross_entropy_reduce", x, label,
                                                                  axis, reduction),
                                       x.dtype()));
  kernels::cross_entropy_reduce(contiguous(x), contiguous(label), axis, ignore_index, reduction,
                                out_result);
}

void vjp_cross_entropy_reduce(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* label = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  const Number ignore_index = emitted::number(op, 1);
  const std::string_view reduction = emitted::attribute<std::string>(op, 2);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::cross_entropy_weights(out_grad, label, program::shape(x), axis, ignore_index,
                                        reduction));
  }
}
}  // namespace

const OpDef defs::kCrossEntropyReduce{
    .name = "cross_entropy_reduce",
    .inplace_name = nullptr,
    .inputs = kCrossEntropyReduceInputs,
    .attributes = kCrossEntropyReduceAttributes,
    .outputs = kCrossEntropyReduceOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_cross_entropy_reduce,
    .check = nullptr,
    .run = run_cross_entropy_reduce,
    .vjp = vjp_cross_entropy_reduce,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cross_entropy_reduce(Value* x, Value* label, std::int64_t axis,
                                 const Number& ignore_index, std::string_view reduction) {
  emitted::OpCall call(defs::kCrossEntropyReduce);
  call.in(x).in(label).attr(axis).attr(ignore_index).attr(reduction);
  return call.one();
}

}  // namespace oploom::program
