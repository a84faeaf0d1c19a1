// Generated from ops/activation.yaml by `make generate`. Do not edit.

#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- relu ------------------------------------------------------------------ ops/activation.yaml:3
namespace {
constexpr InputDef kReluInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kReluOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kReluPairs[] = {{0, 0}};

void infer_relu(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("relu", "x", x);
  results.push_back(emitted::like(x));
}

void run_relu(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::relu(x, out_result);
}

void vjp_relu(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::relu_grad(out, out_grad));
}
}  // namespace

const OpDef defs::kRelu{
    .name = "relu",
    .inplace_name = "relu_",
    .inputs = kReluInputs,
    .attributes = {},
    .outputs = kReluOutputs,
    .inplace_pairs = kReluPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_relu,
    .check = nullptr,
    .run = run_relu,
    .vjp = vjp_relu,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::relu(Value* x) { return emitted::OpCall(defs::kRelu).in(x).one(); }

// --- relu_grad ------------------------------------------------------------ ops/activation.yaml:11
namespace {
constexpr InputDef kReluGradInputs[] = {
    {"out", InputDef::Kind::kTensor, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr OutputDef kReluGradOutputs[] = {{"x_grad", false, true, false}};

void infer_relu_grad(const Op& op, std::vector<Type>& results) {
  const Meta out = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("relu_grad", "out_grad", out_grad);
  infer::expect_alike("relu_grad", {out, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_relu_grad(RunFrame& frame) {
  const Tensor& out = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  infer::expect_alike("relu_grad", {out, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::relu_grad(out, out_grad, x_grad_result);
}

void vjp_relu_grad(Vjp& vjp) {
  Value* out = vjp.input(0);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(1)) vjp.give(1, ops::relu_grad(out, x_grad_grad));
}
}  // namespace

const OpDef defs::kReluGrad{
    .name = "relu_grad",
    .inplace_name = nullptr,
    .inputs = kReluGradInputs,
    .attributes = {},
    .outputs = kReluGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_relu_grad,
    .check = nullptr,
    .run = run_relu_grad,
    .vjp = vjp_relu_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::relu_grad(Value* out, Value* out_grad) {
  return emitted::OpCall(defs::kReluGrad).in(out).in(out_grad).one();
}

// --- tanh ----------------------------------------------------------------- ops/activation.yaml:22
namespace {
constexpr InputDef kTanhInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kTanhOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kTanhPairs[] = {{0, 0}};

void infer_tanh(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_tanh(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::tanh(x, out_result);
}

void vjp_tanh(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::tanh_grad(out, out_grad));
}
}  // namespace

const OpDef defs::kTanh{
    .name = "tanh",
    .inplace_name = "tanh_",
    .inputs = kTanhInputs,
    .attributes = {},
    .outputs = kTanhOutputs,
    .inplace_pairs = kTanhPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_tanh,
    .check = nullptr,
    .run = run_tanh,
    .vjp = vjp_tanh,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::tanh(Value* x) { return emitted::OpCall(defs::kTanh).in(x).one(); }

// --- tanh_grad ------------------------------------------------------------ ops/activation.yaml:31
namespace {
constexpr InputDef kTanhGradInputs[] = {
    {"out", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr OutputDef kTanhGradOutputs[] = {{"x_grad", false, true, false}};

void infer_tanh_grad(const Op& op, std::vector<Type>& results) {
  const Meta out = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("tanh_grad", "out_grad", out_grad);
  infer::expect_alike("tanh_grad", {out, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_tanh_grad(RunFrame& frame) {
  const Tensor& out = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  infer::expect_alike("tanh_grad", {out, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::tanh_grad(out, out_grad, x_grad_result);
}

void vjp_tanh_grad(Vjp& vjp) {
  Value* out = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0, ops::scale(ops::multiply(ops::multiply(x_grad_grad, out_grad), out), -2));
  }
  if (vjp.needs(1)) vjp.give(1, ops::tanh_grad(out, x_grad_grad));
}
}  // namespace

const OpDef defs::kTanhGrad{
    .name = "tanh_grad",
    .inplace_name = nullptr,
    .inputs = kTanhGradInputs,
    .attributes = {},
    .outputs = kTanhGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_tanh_grad,
    .check = nullptr,
    .run = run_tanh_grad,
    .vjp = vjp_tanh_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::tanh_grad(Value* out, Value* out_grad) {
  return emitted::OpCall(defs::kTanhGrad).in(out).in(out_grad).one();
}

// --- sigmoid -------------------------------------------------------------- ops/activation.yaml:42
namespace {
constexpr InputDef kSigmoidInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kSigmoidOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSigmoidPairs[] = {{0, 0}};

void infer_sigmoid(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_sigmoid(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::sigmoid(x, out_result);
}

void vjp_sigmoid(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::sigmoid_grad(out, out_grad));
}
}  // namespace

const OpDef defs::kSigmoid{
    .name = "sigmoid",
    .inplace_name = "sigmoid_",
    .inputs = kSigmoidInputs,
    .attributes = {},
    .outputs = kSigmoidOutputs,
    .inplace_pairs = kSigmoidPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sigmoid,
    .check = nullptr,
    .run = run_sigmoid,
    .vjp = vjp_sigmoid,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sigmoid(Value* x) { return emitted::OpCall(defs::kSigmoid).in(x).one(); }

// --- sigmoid_grad --------------------------------------------------------- ops/activation.yaml:51
namespace {
constexpr InputDef kSigmoidGradInputs[] = {
    {"out", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr OutputDef kSigmoidGradOutputs[] = {{"x_grad", false, true, false}};

void infer_sigmoid_grad(const Op& op, std::vector<Type>& results) {
  const Meta out = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("sigmoid_grad", "out_grad", out_grad);
  infer::expect_alike("sigmoid_grad", {out, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_sigmoid_grad(RunFrame& frame) {
  const Tensor& out = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  infer::expect_alike("sigmoid_grad", {out, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::sigmoid_grad(out, out_grad, x_grad_result);
}

void vjp_sigmoid_grad(Vjp& vjp) {
  Value* out = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::multiply(ops::multiply(x_grad_grad, out_grad),
                           ops::subtract(1, ops::multiply(out, 2))));
  }
  if (vjp.needs(1)) vjp.give(1, ops::sigmoid_grad(out, x_grad_grad));
}
}  // namespace

const OpDef defs::kSigmoidGrad{
    .name = "sigmoid_grad",
    .inplace_name = nullptr,
    .inputs = kSigmoidGradInputs,
    .attributes = {},
    .outputs = kSigmoidGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sigmoid_grad,
    .check = nullptr,
    .run = run_sigmoid_grad,
    .vjp = vjp_sigmoid_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sigmoid_grad(Value* out, Value* out_grad) {
  return emitted::OpCall(defs::kSigmoidGrad).in(out).in(out_grad).one();
}

// --- leaky_relu ----------------------------------------------------------- ops/activation.yaml:62
namespace {
constexpr InputDef kLeakyReluInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kLeakyReluAttributes[] = {
    {"negative_slope", "float", [] { return Attribute(0.02); }},
};
constexpr OutputDef kLeakyReluOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kLeakyReluPairs[] = {{0, 0}};

void infer_leaky_relu(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_leaky_relu(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double negative_slope = frame.attribute<double>(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::leaky_relu(x, negative_slope, out_result);
}

void vjp_leaky_relu(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number negative_slope = emitted::number(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::leaky_relu_grad(x, out_grad, negative_slope));
}
}  // namespace

const OpDef defs::kLeakyRelu{
    .name = "leaky_relu",
    .inplace_name = "leaky_relu_",
    .inputs = kLeakyReluInputs,
    .attributes = kLeakyReluAttributes,
    .outputs = kLeakyReluOutputs,
    .inplace_pairs = kLeakyReluPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_leaky_relu,
    .check = nullptr,
    .run = run_leaky_relu,
    .vjp = vjp_leaky_relu,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::leaky_relu(Value* x, const Number& negative_slope) {
  return emitted::OpCall(defs::kLeakyRelu).in(x).attr(negative_slope).one();
}

// --- leaky_relu_grad ------------------------------------------------------ ops/activation.yaml:75
namespace {
constexpr InputDef kLeakyReluGradInputs[] = {
    {"x", InputDef::Kind::kTensor, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kLeakyReluGradAttributes[] = {{"negative_slope", "float"}};
constexpr OutputDef kLeakyReluGradOutputs[] = {{"x_grad", false, true, false}};

void infer_leaky_relu_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("leaky_relu_grad", "out_grad", out_grad);
  infer::expect_alike("leaky_relu_grad", {x, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_leaky_relu_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const double negative_slope = frame.attribute<double>(0);
  infer::expect_alike("leaky_relu_grad", {x, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::leaky_relu_grad(x, out_grad, negative_slope, x_grad_result);
}

void vjp_leaky_relu_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number negative_slope = emitted::number(op, 0);
  if (vjp.needs(1)) vjp.give(1, ops::leaky_relu_grad(x, x_grad_grad, negative_slope));
}
}  // namespace

const OpDef defs::kLeakyReluGrad{
    .name = "leaky_relu_grad",
    .inplace_name = nullptr,
    .inputs = kLeakyReluGradInputs,
    .attributes = kLeakyReluGradAttributes,
    .outputs = kLeakyReluGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_leaky_relu_grad,
    .check = nullptr,
    .run = run_leaky_relu_grad,
    .vjp = vjp_leaky_relu_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::leaky_relu_grad(Value* x, Value* out_grad, const Number& negative_slope) {
  return emitted::OpCall(defs::kLeakyReluGrad).in(x).in(out_grad).attr(negative_slope).one();
}

// --- elu ------------------------------------------------------------------ ops/activation.yaml:87
namespace {
constexpr InputDef kEluInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kEluAttributes[] = {{"alpha", "float", [] { return Attribute(1.0); }}};
constexpr OutputDef kEluOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kEluPairs[] = {{0, 0}};

void infer_elu(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_elu(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double alpha = frame.attribute<double>(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::elu(x, alpha, out_result);
}

void vjp_elu(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number alpha = emitted::number(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::elu_grad(x, out_grad, alpha));
}
}  // namespace

const OpDef defs::kElu{
    .name = "elu",
    .inplace_name = "elu_",
    .inputs = kEluInputs,
    .attributes = kEluAttributes,
    .outputs = kEluOutputs,
    .inplace_pairs = kEluPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_elu,
    .check = nullptr,
    .run = run_elu,
    .vjp = vjp_elu,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::elu(Value* x, const Number& alpha) {
  return emitted::OpCall(defs::kElu).in(x).attr(alpha).one();
}

// --- elu_grad ------------------------------------------------------------ ops/activation.yaml:100
namespace {
constexpr InputDef kEluGradInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kEluGradAttributes[] = {{"alpha", "float"}};
constexpr OutputDef kEluGradOutputs[] = {{"x_grad", false, true, false}};

void infer_elu_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("elu_grad", "out_grad", out_grad);
  infer::expect_alike("elu_grad", {x, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_elu_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const double alpha = frame.attribute<double>(0);
  infer::expect_alike("elu_grad", {x, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::elu_grad(x, out_grad, alpha, x_grad_result);
}

void vjp_elu_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number alpha = emitted::number(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::elu_curvature(x, ops::multiply(x_grad_grad, out_grad), alpha));
  if (vjp.needs(1)) vjp.give(1, ops::elu_grad(x, x_grad_grad, alpha));
}
}  // namespace

const OpDef defs::kEluGrad{
    .name = "elu_grad",
    .inplace_name = nullptr,
    .inputs = kEluGradInputs,
    .attributes = kEluGradAttributes,
    .outputs = kEluGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_elu_grad,
    .check = nullptr,
    .run = run_elu_grad,
    .vjp = vjp_elu_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::elu_grad(Value* x, Value* out_grad, const Number& alpha) {
  return emitted::OpCall(defs::kEluGrad).in(x).in(out_grad).attr(alpha).one();
}

// --- elu_curvature ------------------------------------------------------- ops/activation.yaml:112
namespace {
constexpr InputDef kEluCurvatureInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kEluCurvatureAttributes[] = {{"alpha", "float"}};
constexpr OutputDef kEluCurvatureOutputs[] = {{"x_grad", false, true, false}};

void infer_elu_curvature(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("elu_curvature", "out_grad", out_grad);
  infer::expect_alike("elu_curvature", {x, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_elu_curvature(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const double alpha = frame.attribute<double>(0);
  infer::expect_alike("elu_curvature", {x, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::elu_curvature(x, out_grad, alpha, x_grad_result);
}

void vjp_elu_curvature(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number alpha = emitted::number(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::elu_curvature(x, ops::multiply(x_grad_grad, out_grad), alpha));
  if (vjp.needs(1)) vjp.give(1, ops::elu_curvature(x, x_grad_grad, alpha));
}
}  // namespace

const OpDef defs::kEluCurvature{
    .name = "elu_curvature",
    .inplace_name = nullptr,
    .inputs = kEluCurvatureInputs,
    .attributes = kEluCurvatureAttributes,
    .outputs = kEluCurvatureOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_elu_curvature,
    .check = nullptr,
    .run = run_elu_curvature,
    .vjp = vjp_elu_curvature,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::elu_curvature(Value* x, Value* out_grad, const Number& alpha) {
  return emitted::OpCall(defs::kEluCurvature).in(x).in(out_grad).attr(alpha).one();
}

// --- elu_out_grad -------------------------------------------------------- ops/activation.yaml:124
namespace {
constexpr InputDef kEluOutGradInputs[] = {
    {"out", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kEluOutGradAttributes[] = {{"alpha", "float"}};
constexpr OutputDef kEluOutGradOutputs[] = {{"x_grad", false, true, false}};

void infer_elu_out_grad(const Op& op, std::vector<Type>& results) {
  const Meta out = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("elu_out_grad", "out_grad", out_grad);
  infer::expect_alike("elu_out_grad", {out, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_elu_out_grad(RunFrame& frame) {
  const Tensor& out = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const double alpha = frame.attribute<double>(0);
  infer::expect_alike("elu_out_grad", {out, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::elu_out_grad(out, out_grad, alpha, x_grad_result);
}

void vjp_elu_out_grad(Vjp& vjp) {
  Value* out = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number alpha = emitted::number(op, 0);
  if (vjp.needs(0)) {
    vjp.give(0, ops::where(ops::greater_than(out, 0), 0, ops::multiply(x_grad_grad, out_grad)));
  }
  if (vjp.needs(1)) vjp.give(1, ops::elu_out_grad(out, x_grad_grad, alpha));
}
}  // namespace

const OpDef defs::kEluOutGrad{
    .name = "elu_out_grad",
    .inplace_name = nullptr,
    .inputs = kEluOutGradInputs,
    .attributes = kEluOutGradAttributes,
    .outputs = kEluOutGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_elu_out_grad,
    .check = nullptr,
    .run = run_elu_out_grad,
    .vjp = vjp_elu_out_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::elu_out_grad(Value* out, Value* out_grad, const Number& alpha) {
  return emitted::OpCall(defs::kEluOutGrad).in(out).in(out_grad).attr(alpha).one();
}

// --- softmax ------------------------------------------------------------- ops/activation.yaml:138
namespace {
constexpr InputDef kSoftmaxInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSoftmaxAttributes[] = {{"axis", "axis"}};
constexpr OutputDef kSoftmaxOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSoftmaxPairs[] = {{0, 0}};

void normalise_softmax(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_softmax(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_softmax(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.put(0, emitted::result_apart(frame, 0, x.shape(), infer::float_of(x)));
  kernels::softmax(prepared(x, infer::float_of(x)), axis, out_result);
}

void vjp_softmax(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::softmax_grad(out, out_grad, axis));
}
}  // namespace

const OpDef defs::kSoftmax{
    .name = "softmax",
    .inplace_name = "softmax_",
    .inputs = kSoftmaxInputs,
    .attributes = kSoftmaxAttributes,
    .outputs = kSoftmaxOutputs,
    .inplace_pairs = kSoftmaxPairs,
    .flags = 0,
    .normalise = normalise_softmax,
    .compose = nullptr,
    .infer = infer_softmax,
    .check = nullptr,
    .run = run_softmax,
    .vjp = vjp_softmax,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::softmax(Value* x, std::int64_t axis) {
  return emitted::OpCall(defs::kSoftmax).in(x).attr(axis).one();
}

// --- softmax_grad -------------------------------------------------------- ops/activation.yaml:148
namespace {
constexpr InputDef kSoftmaxGradInputs[] = {
    {"out", InputDef::Kind::kTensor, true, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kSoftmaxGradAttributes[] = {{"axis", "axis"}};
constexpr OutputDef kSoftmaxGradOutputs[] = {{"x_grad", false, true, false}};

void normalise_softmax_grad(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_softmax_grad(const Op& op, std::vector<Type>& results) {
  const Meta out = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("softmax_grad", "out", out);
  infer::expect_float("softmax_grad", "out_grad", out_grad);
  results.push_back(emitted::like(out));
}

void run_softmax_grad(RunFrame& frame) {
  const Tensor& out = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  kernels::check_softmax_grad("softmax_grad", out, out_grad, axis);
  Tensor& x_grad_result = frame.put(0, empty_like(out, out.dtype()));
  kernels::softmax_grad(contiguous(out), prepared(out_grad, out.dtype()), axis, x_grad_result);
}

void vjp_softmax_grad(Vjp& vjp) {
  Value* out = vjp.input(0);
  Value* out_grad = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::subtract(ops::multiply(x_grad_grad,
                                         ops::subtract(out_grad,
                                                       ops::sum(ops::multiply(out, out_grad),
                                                                Numbers{axis}, true))),
                           ops::multiply(out_grad,
                                         ops::sum(ops::multiply(out, x_grad_grad), Numbers{axis},
                                                  true))));
  }
  if (vjp.needs(1)) vjp.give(1, ops::softmax_grad(out, x_grad_grad, axis));
}
}  // namespace

const OpDef defs::kSoftmaxGrad{
    .name = "softmax_grad",
    .inplace_name = nullptr,
    .inputs = kSoftmaxGradInputs,
    .attributes = kSoftmaxGradAttributes,
    .outputs = kSoftmaxGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = normalise_softmax_grad,
    .compose = nullptr,
    .infer = infer_softmax_grad,
    .check = nullptr,
    .run = run_softmax_grad,
    .vjp = vjp_softmax_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::softmax_grad(Value* out, Value* out_grad, std::int64_t axis) {
  return emitted::OpCall(defs::kSoftmaxGrad).in(out).in(out_grad).attr(axis).one();
}

}  // namespace oploom::program
