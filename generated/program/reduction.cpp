// Generated from ops/reduction.yaml by `make generate`. Do not edit.

#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"
#include "runtime/rules/reduction.h"

namespace oploom::program {

// --- sum -------------------------------------------------------------------- ops/reduction.yaml:3
namespace {
constexpr InputDef kSumInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSumAttributes[] = {
    {"axis", "axes", [] { return Attribute(emitted::Lengths{}); }},
    {"keepdim", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kSumOutputs[] = {{"out", false, true, false}};

void normalise_sum(Op& op) { emitted::normalise_axes(op, 0, 0); }

void infer_sum(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints axis = emitted::attribute<emitted::Lengths>(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  results.push_back(tensor_type(infer::summed(x), infer::reduced("sum", x, axis, keepdim)));
}

void run_sum(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Dims axis = emitted::axes_now(frame, 0, 0);
  const bool keepdim = frame.attribute<bool>(1);
  Tensor& out_result =
      frame.put(0, empty(infer::reduced("sum", x, axis, keepdim), infer::summed(x)));
  kernels::sum(contiguous(x), axis, keepdim, out_result);
}

void vjp_sum(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers axis = emitted::numbers(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::expand(keepdim ? out_grad : ops::unsqueeze(out_grad, axis), program::shape(x)));
  }
}
}  // namespace

const OpDef defs::kSum{
    .name = "sum",
    .inplace_name = nullptr,
    .inputs = kSumInputs,
    .attributes = kSumAttributes,
    .outputs = kSumOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_sum,
    .compose = nullptr,
    .infer = infer_sum,
    .check = nullptr,
    .run = run_sum,
    .vjp = vjp_sum,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sum(Value* x, const Numbers& axis, bool keepdim) {
  return emitted::OpCall(defs::kSum).in(x).attr(axis).attr(keepdim).one();
}

// --- mean ------------------------------------------------------------------ ops/reduction.yaml:15
namespace {
constexpr InputDef kMeanInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kMeanAttributes[] = {
    {"axis", "axes", [] { return Attribute(emitted::Lengths{}); }},
    {"keepdim", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kMeanOutputs[] = {{"out", false, true, false}};

void normalise_mean(Op& op) { emitted::normalise_axes(op, 0, 0); }

void infer_mean(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints axis = emitted::attribute<emitted::Lengths>(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  results.push_back(tensor_type(infer::float_of(x), infer::reduced("mean", x, axis, keepdim)));
}

void run_mean(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Dims axis = emitted::axes_now(frame, 0, 0);
  const bool keepdim = frame.attribute<bool>(1);
  Tensor& out_result =
      frame.put(0, empty(infer::reduced("mean", x, axis, keepdim), infer::float_of(x)));
  kernels::mean(contiguous(x), axis, keepdim, out_result);
}

void vjp_mean(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers axis = emitted::numbers(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  if (vjp.needs(0)) {
    Value* share = ops::divide(ops::multiply(out_grad, program::numel(out)), program::numel(x));
    vjp.give(0, ops::expand(keepdim ? share : ops::unsqueeze(share, axis), program::shape(x)));
  }
}
}  // namespace

const OpDef defs::kMean{
    .name = "mean",
    .inplace_name = nullptr,
    .inputs = kMeanInputs,
    .attributes = kMeanAttributes,
    .outputs = kMeanOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_mean,
    .compose = nullptr,
    .infer = infer_mean,
    .check = nullptr,
    .run = run_mean,
    .vjp = vjp_mean,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::mean(Value* x, const Numbers& axis, bool keepdim) {
  return emitted::OpCall(defs::kMean).in(x).attr(axis).attr(keepdim).one();
}

// --- max ------------------------------------------------------------------- ops/reduction.yaml:29
namespace {
constexpr InputDef kMaxInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kMaxAttributes[] = {
    {"axis", "axes", [] { return Attribute(emitted::Lengths{}); }},
    {"keepdim", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kMaxOutputs[] = {{"out", false, true, false}};

void normalise_max(Op& op) { emitted::normalise_axes(op, 0, 0); }

void infer_max(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints axis = emitted::attribute<emitted::Lengths>(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  results.push_back(tensor_type(x.dtype, infer::reduced("max", x, axis, keepdim)));
}

void run_max(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Dims axis = emitted::axes_now(frame, 0, 0);
  const bool keepdim = frame.attribute<bool>(1);
  kernels::check_max("max", x, axis, keepdim);
  Tensor& out_result = frame.put(0, empty(infer::reduced("max", x, axis, keepdim), x.dtype()));
  kernels::max(contiguous(x), axis, keepdim, out_result);
}

void vjp_max(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers axis = emitted::numbers(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  if (vjp.needs(0)) vjp.give(0, ops::max_grad(x, out, out_grad, axis, keepdim));
}
}  // namespace

const OpDef defs::kMax{
    .name = "max",
    .inplace_name = nullptr,
    .inputs = kMaxInputs,
    .attributes = kMaxAttributes,
    .outputs = kMaxOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_max,
    .compose = nullptr,
    .infer = infer_max,
    .check = nullptr,
    .run = run_max,
    .vjp = vjp_max,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::max(Value* x, const Numbers& axis, bool keepdim) {
  return emitted::OpCall(defs::kMax).in(x).attr(axis).attr(keepdim).one();
}

// --- max_grad -------------------------------------------------------------- ops/reduction.yaml:42
namespace {
constexpr InputDef kMaxGradInputs[] = {
    {"x", InputDef::Kind::kTensor, false, false},
    {"out", InputDef::Kind::kTensor, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kMaxGradAttributes[] = {{"axis", "axes"}, {"keepdim", "bool"}};
constexpr OutputDef kMaxGradOutputs[] = {{"x_grad", false, true, false}};

void infer_max_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out = emitted::meta(op, 1);
  const Meta out_grad = emitted::meta(op, 2);
  infer::expect_float("max_grad", "x", x);
  infer::expect_float("max_grad", "out", out);
  infer::expect_float("max_grad", "out_grad", out_grad);
  results.push_back(emitted::like(x));
}

void run_max_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out = frame.plain_input(1);
  const Tensor& out_grad = frame.plain_input(2);
  const Ints axis = frame.attribute<emitted::Lengths>(0);
  const bool keepdim = frame.attribute<bool>(1);
  kernels::check_max_grad("max_grad", x, out, out_grad, axis, keepdim);
  Tensor& x_grad_result = frame.put(0, empty_like(x, x.dtype()));
  kernels::max_grad(contiguous(x), contiguous(out), prepared(out_grad, x.dtype()), axis, keepdim,
                    x_grad_result);
}

void vjp_max_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers axis = emitted::numbers(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  if (vjp.needs(2)) vjp.give(2, ops::max_pick(x, out, x_grad_grad, axis, keepdim));
}
}  // namespace

const OpDef defs::kMaxGrad{
    .name = "max_grad",
    .inplace_name = nullptr,
    .inputs = kMaxGradInputs,
    .attributes = kMaxGradAttributes,
    .outputs = kMaxGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_max_grad,
    .check = nullptr,
    .run = run_max_grad,
    .vjp = vjp_max_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::max_grad(Value* x, Value* out, Value* out_grad, const Numbers& axis, bool keepdim) {
  return emitted::OpCall(defs::kMaxGrad).in(x).in(out).in(out_grad).attr(axis).attr(keepdim).one();
}

// --- max_pick -------------------------------------------------------------- ops/reduction.yaml:57
namespace {
constexpr InputDef kMaxPickInputs[] = {
    {"x", InputDef::Kind::kTensor, false, false},
    {"out", InputDef::Kind::kTensor, false, false},
    {"value", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kMaxPickAttributes[] = {{"axis", "axes"}, {"keepdim", "bool"}};
constexpr OutputDef kMaxPickOutputs[] = {{"picked", false, true, false}};

void infer_max_pick(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out = emitted::meta(op, 1);
  const Meta value = emitted::meta(op, 2);
  infer::expect_float("max_pick", "x", x);
  infer::expect_float("max_pick", "out", out);
  infer::expect_float("max_pick", "value", value);
  results.push_back(emitted::like(out));
}

void run_max_pick(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out = frame.plain_input(1);
  const Tensor& value = frame.plain_input(2);
  const Ints axis = frame.attribute<emitted::Lengths>(0);
  const bool keepdim = frame.attribute<bool>(1);
  kernels::check_max_pick("max_pick", x, out, value, axis, keepdim);
  Tensor& picked_result = frame.put(0, empty_like(out, out.dtype()));
  kernels::max_pick(contiguous(x), contiguous(out), prepared(value, x.dtype()), axis, keepdim,
                    picked_result);
}

void vjp_max_pick(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out = vjp.input(1);
  Value* picked_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers axis = emitted::numbers(op, 0);
  const bool keepdim = emitted::attribute<bool>(op, 1);
  if (vjp.needs(2)) vjp.give(2, ops::max_grad(x, out, picked_grad, axis, keepdim));
}
}  // namespace

const OpDef defs::kMaxPick{
    .name = "max_pick",
    .inplace_name = nullptr,
    .inputs = kMaxPickInputs,
    .attributes = kMaxPickAttributes,
    .outputs = kMaxPickOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_max_pick,
    .check = nullptr,
    .run = run_max_pick,
    .vjp = vjp_max_pick,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::max_pick(Value* x, Value* out, Value* value, const Numbers& axis, bool keepdim) {
  return emitted::OpCall(defs::kMaxPick).in(x).in(out).in(value).attr(axis).attr(keepdim).one();
}

// --- sum_to ---------------------------------------------------------------- ops/reduction.yaml:72
namespace {
constexpr InputDef kSumToInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSumToAttributes[] = {{"shape", "int[]"}};
constexpr OutputDef kSumToOutputs[] = {{"out", false, true, false}};

void infer_sum_to(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, shape));
}

void run_sum_to(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  infer::expect_lengths("sum_to", "shape", shape);
  kernels::check_sum_to("sum_to", x, shape);
  Tensor& out_result = frame.put(0, empty(shape, x.dtype()));
  kernels::sum_to(contiguous(x), shape, out_result);
}

void vjp_sum_to(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::spread(out_grad, program::shape(x)));
}
}  // namespace

const OpDef defs::kSumTo{
    .name = "sum_to",
    .inplace_name = nullptr,
    .inputs = kSumToInputs,
    .attributes = kSumToAttributes,
    .outputs = kSumToOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sum_to,
    .check = nullptr,
    .run = run_sum_to,
    .vjp = vjp_sum_to,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sum_to(Value* x, const Numbers& shape) {
  return emitted::OpCall(defs::kSumTo).in(x).attr(shape).one();
}

// --- spread ---------------------------------------------------------------- ops/reduction.yaml:85
namespace {
constexpr InputDef kSpreadInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSpreadAttributes[] = {{"shape", "int[]"}};
constexpr OutputDef kSpreadOutputs[] = {{"out", false, true, false}};

std::vector<Value*> compose_spread(const Op& op) {
  Value* x = op.input(0);
  const Numbers shape = emitted::numbers(op, 0);
  return {rules::spread(x, shape)};
}
}  // namespace

const OpDef defs::kSpread{
    .name = "spread",
    .inplace_name = nullptr,
    .inputs = kSpreadInputs,
    .attributes = kSpreadAttributes,
    .outputs = kSpreadOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = compose_spread,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::spread(Value* x, const Numbers& shape) {
  return emitted::OpCall(defs::kSpread).in(x).attr(shape).one();
}

}  // namespace oploom::program
