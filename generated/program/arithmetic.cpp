// Generated from ops/arithmetic.yaml by `make generate`. Do not edit.

#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"
#include "runtime/core/joined.h"

namespace oploom::program {

// --- add ------------------------------------------------------------------- ops/arithmetic.yaml:3
namespace {
constexpr InputDef kAddInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kAddOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kAddPairs[] = {{0, 0}};

void infer_add(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("add", x, y)));
}

void run_add(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("add", x, y), infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("add", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::add(x, y, out_result);
}

void vjp_add(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, out_grad);
  if (vjp.needs(1)) vjp.give(1, out_grad);
}
}  // namespace

const OpDef defs::kAdd{
    .name = "add",
    .inplace_name = "add_",
    .inputs = kAddInputs,
    .attributes = {},
    .outputs = kAddOutputs,
    .inplace_pairs = kAddPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_add,
    .check = nullptr,
    .run = run_add,
    .vjp = vjp_add,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::add(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kAdd).in(x).in(y).one();
}

// --- subtract ------------------------------------------------------------- ops/arithmetic.yaml:16
namespace {
constexpr InputDef kSubtractInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kSubtractOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSubtractPairs[] = {{0, 0}};

void infer_subtract(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("subtract", x, y)));
}

void check_subtract(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  kernels::check_subtract("subtract", x, y);
}

void run_subtract(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  kernels::check_subtract("subtract", x, y);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("subtract", x, y),
                           infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("subtract", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::subtract(x, y, out_result);
}

void vjp_subtract(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, out_grad);
  if (vjp.needs(1)) vjp.give(1, ops::negative(out_grad));
}
}  // namespace

const OpDef defs::kSubtract{
    .name = "subtract",
    .inplace_name = "subtract_",
    .inputs = kSubtractInputs,
    .attributes = {},
    .outputs = kSubtractOutputs,
    .inplace_pairs = kSubtractPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_subtract,
    .check = check_subtract,
    .run = run_subtract,
    .vjp = vjp_subtract,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::subtract(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kSubtract).in(x).in(y).one();
}

// --- multiply ------------------------------------------------------------- ops/arithmetic.yaml:29
namespace {
constexpr InputDef kMultiplyInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kMultiplyOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kMultiplyPairs[] = {{0, 0}};

void infer_multiply(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("multiply", x, y)));
}

void run_multiply(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("multiply", x, y),
                           infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("multiply", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::multiply(x, y, out_result);
}

void vjp_multiply(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(out_grad, y));
  if (vjp.needs(1)) vjp.give(1, ops::multiply(out_grad, x));
}
}  // namespace

const OpDef defs::kMultiply{
    .name = "multiply",
    .inplace_name = "multiply_",
    .inputs = kMultiplyInputs,
    .attributes = {},
    .outputs = kMultiplyOutputs,
    .inplace_pairs = kMultiplyPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_multiply,
    .check = nullptr,
    .run = run_multiply,
    .vjp = vjp_multiply,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::multiply(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kMultiply).in(x).in(y).one();
}

// --- divide --------------------------------------------------------------- ops/arithmetic.yaml:41
namespace {
constexpr InputDef kDivideInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kDivideOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kDividePairs[] = {{0, 0}};

void infer_divide(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::float_promoted(x, y), infer::broadcast("divide", x, y)));
}

void run_divide(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  if (infer::keeps_float(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("divide", x, y),
                           infer::float_promoted(x, y));
    }
    frame.result(0, infer::broadcast("divide", x, y), infer::float_promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::divide(x, y, out_result);
}

void vjp_divide(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::divide(out_grad, y));
  if (vjp.needs(1)) {
    vjp.give(1, ops::divide(ops::multiply(ops::negative(out_grad), ops::divide(x, y)), y));
  }
}
}  // namespace

const OpDef defs::kDivide{
    .name = "divide",
    .inplace_name = "divide_",
    .inputs = kDivideInputs,
    .attributes = {},
    .outputs = kDivideOutputs,
    .inplace_pairs = kDividePairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_divide,
    .check = nullptr,
    .run = run_divide,
    .vjp = vjp_divide,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::divide(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kDivide).in(x).in(y).one();
}

// --- pow ------------------------------------------------------------------ ops/arithmetic.yaml:53
namespace {
constexpr InputDef kPowInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kPowOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kPowPairs[] = {{0, 0}};

void infer_pow(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("pow", x, y)));
}

void check_pow(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  kernels::check_pow("pow", x, y);
}

void run_pow(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  kernels::check_pow("pow", x, y);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("pow", x, y), infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("pow", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::pow(x, y, out_result);
}

void vjp_pow(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::pow_grad(x, y, out_grad));
  if (vjp.needs(1)) vjp.give(1, ops::pow_exponent_grad(x, y, out_grad));
}
}  // namespace

const OpDef defs::kPow{
    .name = "pow",
    .inplace_name = "pow_",
    .inputs = kPowInputs,
    .attributes = {},
    .outputs = kPowOutputs,
    .inplace_pairs = kPowPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_pow,
    .check = check_pow,
    .run = run_pow,
    .vjp = vjp_pow,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::pow(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kPow).in(x).in(y).one();
}

// --- pow_grad ------------------------------------------------------------- ops/arithmetic.yaml:66
namespace {
constexpr InputDef kPowGradInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
    {"out_grad", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kPowGradOutputs[] = {{"x_grad", false, true, false}};

void infer_pow_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  const Meta out_grad = emitted::meta(op, 2);
  infer::expect_float("pow_grad", "out_grad", out_grad);
  results.push_back(tensor_type(infer::promoted(x, y, out_grad),
                                infer::broadcast("pow_grad", x, y, out_grad)));
}

void run_pow_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  const Tensor& out_grad = frame.plain_input(2);
  Tensor& x_grad_result = frame.put(
      0, empty(infer::broadcast("pow_grad", x, y, out_grad), infer::promoted(x, y, out_grad)));
  kernels::pow_grad(x, y, out_grad, x_grad_result);
}

void vjp_pow_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.input(2);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::pow_grad(x, ops::subtract(y, 1),
                           ops::multiply(ops::multiply(x_grad_grad, out_grad), y)));
  }
  if (vjp.needs(1)) {
    vjp.give(1,
             ops::add(ops::multiply(ops::multiply(x_grad_grad, out_grad),
                                    ops::pow(x, ops::subtract(y, 1))),
                      ops::pow_exponent_grad(x, ops::subtract(y, 1),
                                             ops::multiply(ops::multiply(x_grad_grad, out_grad),
                                                           y))));
  }
  if (vjp.needs(2)) vjp.give(2, ops::pow_grad(x, y, x_grad_grad));
}
}  // namespace

const OpDef defs::kPowGrad{
    .name = "pow_grad",
    .inplace_name = nullptr,
    .inputs = kPowGradInputs,
    .attributes = {},
    .outputs = kPowGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_pow_grad,
    .check = nullptr,
    .run = run_pow_grad,
    .vjp = vjp_pow_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::pow_grad(const ValueOperand& x, const ValueOperand& y, const ValueOperand& out_grad) {
  return emitted::OpCall(defs::kPowGrad).in(x).in(y).in(out_grad).one();
}

// --- pow_exponent_grad ---------------------------------------------------- ops/arithmetic.yaml:80
namespace {
constexpr InputDef kPowExponentGradInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
    {"out_grad", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kPowExponentGradOutputs[] = {{"y_grad", false, true, false}};

void infer_pow_exponent_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  const Meta out_grad = emitted::meta(op, 2);
  infer::expect_float("pow_exponent_grad", "out_grad", out_grad);
  results.push_back(tensor_type(infer::promoted(x, y, out_grad),
                                infer::broadcast("pow_exponent_grad", x, y, out_grad)));
}

void run_pow_exponent_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  const Tensor& out_grad = frame.plain_input(2);
  Tensor& y_grad_result = frame.put(0,
                                    empty(infer::broadcast("pow_exponent_grad", x, y, out_grad),
                                          infer::promoted(x, y, out_grad)));
  kernels::pow_exponent_grad(x, y, out_grad, y_grad_result);
}

void vjp_pow_exponent_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.input(2);
  Value* y_grad_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::add(ops::multiply(ops::multiply(y_grad_grad, out_grad),
                                    ops::pow(x, ops::subtract(y, 1))),
                      ops::pow_exponent_grad(x, ops::subtract(y, 1),
                                             ops::multiply(ops::multiply(y_grad_grad, out_grad),
                                                           y))));
  }
  if (vjp.needs(1)) {
    vjp.give(1,
             ops::multiply(ops::pow_exponent_grad(x, y, ops::multiply(y_grad_grad, out_grad)),
                           ops::log(ops::where(ops::equal(x, 0), 1, x))));
  }
  if (vjp.needs(2)) vjp.give(2, ops::pow_exponent_grad(x, y, y_grad_grad));
}
}  // namespace

const OpDef defs::kPowExponentGrad{
    .name = "pow_exponent_grad",
    .inplace_name = nullptr,
    .inputs = kPowExponentGradInputs,
    .attributes = {},
    .outputs = kPowExponentGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_pow_exponent_grad,
    .check = nullptr,
    .run = run_pow_exponent_grad,
    .vjp = vjp_pow_exponent_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::pow_exponent_grad(const ValueOperand& x, const ValueOperand& y,
                              const ValueOperand& out_grad) {
  return emitted::OpCall(defs::kPowExponentGrad).in(x).in(y).in(out_grad).one();
}

// --- maximum -------------------------------------------------------------- ops/arithmetic.yaml:94
namespace {
constexpr InputDef kMaximumInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kMaximumOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kMaximumPairs[] = {{0, 0}};

void infer_maximum(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("maximum", x, y)));
}

void run_maximum(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("maximum", x, y),
                           infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("maximum", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::maximum(x, y, out_result);
}

void vjp_maximum(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::maximum_grad(x, y, out_grad));
  if (vjp.needs(1)) vjp.give(1, ops::maximum_grad(y, x, out_grad));
}
}  // namespace

const OpDef defs::kMaximum{
    .name = "maximum",
    .inplace_name = "maximum_",
    .inputs = kMaximumInputs,
    .attributes = {},
    .outputs = kMaximumOutputs,
    .inplace_pairs = kMaximumPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_maximum,
    .check = nullptr,
    .run = run_maximum,
    .vjp = vjp_maximum,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::maximum(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kMaximum).in(x).in(y).one();
}

// --- maximum_grad -------------------------------------------------------- ops/arithmetic.yaml:105
namespace {
constexpr InputDef kMaximumGradInputs[] = {
    {"x", InputDef::Kind::kOperand, false, false},
    {"y", InputDef::Kind::kOperand, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr OutputDef kMaximumGradOutputs[] = {{"x_grad", false, true, false}};

void infer_maximum_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  const Meta out_grad = emitted::meta(op, 2);
  infer::expect_float("maximum_grad", "out_grad", out_grad);
  results.push_back(tensor_type(infer::promoted(x, y, out_grad),
                                infer::broadcast("maximum_grad", x, y, out_grad)));
}

void run_maximum_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  const Tensor& out_grad = frame.plain_input(2);
  Tensor& x_grad_result = frame.put(
      0, empty(infer::broadcast("maximum_grad", x, y, out_grad), infer::promoted(x, y, out_grad)));
  kernels::maximum_grad(x, y, out_grad, x_grad_result);
}

void vjp_maximum_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(2)) vjp.give(2, ops::maximum_grad(x, y, x_grad_grad));
}
}  // namespace

const OpDef defs::kMaximumGrad{
    .name = "maximum_grad",
    .inplace_name = nullptr,
    .inputs = kMaximumGradInputs,
    .attributes = {},
    .outputs = kMaximumGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_maximum_grad,
    .check = nullptr,
    .run = run_maximum_grad,
    .vjp = vjp_maximum_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::maximum_grad(const ValueOperand& x, const ValueOperand& y, Value* out_grad) {
  return emitted::OpCall(defs::kMaximumGrad).in(x).in(y).in(out_grad).one();
}

// --- minimum ------------------------------------------------------------- ops/arithmetic.yaml:117
namespace {
constexpr InputDef kMinimumInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kMinimumOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kMinimumPairs[] = {{0, 0}};

void infer_minimum(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("minimum", x, y)));
}

void run_minimum(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  if (infer::keeps(x, y)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("minimum", x, y),
                           infer::promoted(x, y));
    }
    frame.result(0, infer::broadcast("minimum", x, y), infer::promoted(x, y));
  }
  Tensor& out_result = frame.output(0);
  kernels::minimum(x, y, out_result);
}

void vjp_minimum(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::minimum_grad(x, y, out_grad));
  if (vjp.needs(1)) vjp.give(1, ops::minimum_grad(y, x, out_grad));
}
}  // namespace

const OpDef defs::kMinimum{
    .name = "minimum",
    .inplace_name = "minimum_",
    .inputs = kMinimumInputs,
    .attributes = {},
    .outputs = kMinimumOutputs,
    .inplace_pairs = kMinimumPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_minimum,
    .check = nullptr,
    .run = run_minimum,
    .vjp = vjp_minimum,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::minimum(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kMinimum).in(x).in(y).one();
}

// --- minimum_grad -------------------------------------------------------- ops/arithmetic.yaml:128
namespace {
constexpr InputDef kMinimumGradInputs[] = {
    {"x", InputDef::Kind::kOperand, false, false},
    {"y", InputDef::Kind::kOperand, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr OutputDef kMinimumGradOutputs[] = {{"x_grad", false, true, false}};

void infer_minimum_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  const Meta out_grad = emitted::meta(op, 2);
  infer::expect_float("minimum_grad", "out_grad", out_grad);
  results.push_back(tensor_type(infer::promoted(x, y, out_grad),
                                infer::broadcast("minimum_grad", x, y, out_grad)));
}

void run_minimum_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  const Tensor& out_grad = frame.plain_input(2);
  Tensor& x_grad_result = frame.put(
      0, empty(infer::broadcast("minimum_grad", x, y, out_grad), infer::promoted(x, y, out_grad)));
  kernels::minimum_grad(x, y, out_grad, x_grad_result);
}

void vjp_minimum_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(2)) vjp.give(2, ops::minimum_grad(x, y, x_grad_grad));
}
}  // namespace

const OpDef defs::kMinimumGrad{
    .name = "minimum_grad",
    .inplace_name = nullptr,
    .inputs = kMinimumGradInputs,
    .attributes = {},
    .outputs = kMinimumGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_minimum_grad,
    .check = nullptr,
    .run = run_minimum_grad,
    .vjp = vjp_minimum_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::minimum_grad(const ValueOperand& x, const ValueOperand& y, Value* out_grad) {
  return emitted::OpCall(defs::kMinimumGrad).in(x).in(y).in(out_grad).one();
}

// --- negative ------------------------------------------------------------ ops/arithmetic.yaml:140
namespace {
constexpr InputDef kNegativeInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kNegativeOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kNegativePairs[] = {{0, 0}};

void infer_negative(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("negative", "x", x);
  results.push_back(emitted::like(x));
}

void run_negative(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::negative(x, out_result);
}

void vjp_negative(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::negative(out_grad));
}
}  // namespace

const OpDef defs::kNegative{
    .name = "negative",
    .inplace_name = "negative_",
    .inputs = kNegativeInputs,
    .attributes = {},
    .outputs = kNegativeOutputs,
    .inplace_pairs = kNegativePairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_negative,
    .check = nullptr,
    .run = run_negative,
    .vjp = vjp_negative,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::negative(Value* x) { return emitted::OpCall(defs::kNegative).in(x).one(); }

// --- abs ----------------------------------------------------------------- ops/arithmetic.yaml:149
namespace {
constexpr InputDef kAbsInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kAbsOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kAbsPairs[] = {{0, 0}};

void infer_abs(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("abs", "x", x);
  results.push_back(emitted::like(x));
}

void run_abs(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::abs(x, out_result);
}

void vjp_abs(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(out_grad, ops::sign(x)));
}
}  // namespace

const OpDef defs::kAbs{
    .name = "abs",
    .inplace_name = "abs_",
    .inputs = kAbsInputs,
    .attributes = {},
    .outputs = kAbsOutputs,
    .inplace_pairs = kAbsPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_abs,
    .check = nullptr,
    .run = run_abs,
    .vjp = vjp_abs,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::abs(Value* x) { return emitted::OpCall(defs::kAbs).in(x).one(); }

// --- sign ---------------------------------------------------------------- ops/arithmetic.yaml:158
namespace {
constexpr InputDef kSignInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kSignOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSignPairs[] = {{0, 0}};

void infer_sign(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("sign", "x", x);
  results.push_back(emitted::like(x));
}

void run_sign(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::sign(x, out_result);
}
}  // namespace

const OpDef defs::kSign{
    .name = "sign",
    .inplace_name = "sign_",
    .inputs = kSignInputs,
    .attributes = {},
    .outputs = kSignOutputs,
    .inplace_pairs = kSignPairs,
    .flags = OpDef::kElementwise | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sign,
    .check = nullptr,
    .run = run_sign,
    .vjp = nullptr,
    .no_gradient = "constant between its jumps",
    .write = nullptr,
};

Value* ops::sign(Value* x) { return emitted::OpCall(defs::kSign).in(x).one(); }

// --- exp ----------------------------------------------------------------- ops/arithmetic.yaml:166
namespace {
constexpr InputDef kExpInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kExpOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kExpPairs[] = {{0, 0}};

void infer_exp(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_exp(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::exp(x, out_result);
}

void vjp_exp(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(out_grad, out));
}
}  // namespace

const OpDef defs::kExp{
    .name = "exp",
    .inplace_name = "exp_",
    .inputs = kExpInputs,
    .attributes = {},
    .outputs = kExpOutputs,
    .inplace_pairs = kExpPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_exp,
    .check = nullptr,
    .run = run_exp,
    .vjp = vjp_exp,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::exp(Value* x) { return emitted::OpCall(defs::kExp).in(x).one(); }

// --- log ----------------------------------------------------------------- ops/arithmetic.yaml:175
namespace {
constexpr InputDef kLogInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kLogOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kLogPairs[] = {{0, 0}};

void infer_log(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_log(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::log(x, out_result);
}

void vjp_log(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::divide(out_grad, x));
}
}  // namespace

const OpDef defs::kLog{
    .name = "log",
    .inplace_name = "log_",
    .inputs = kLogInputs,
    .attributes = {},
    .outputs = kLogOutputs,
    .inplace_pairs = kLogPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_log,
    .check = nullptr,
    .run = run_log,
    .vjp = vjp_log,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::log(Value* x) { return emitted::OpCall(defs::kLog).in(x).one(); }

// --- sqrt ---------------------------------------------------------------- ops/arithmetic.yaml:184
namespace {
constexpr InputDef kSqrtInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kSqrtOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSqrtPairs[] = {{0, 0}};

void infer_sqrt(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_sqrt(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::sqrt(x, out_result);
}

void vjp_sqrt(Vjp& vjp) {
  Value* out = vjp.output(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::divide(out_grad, ops::multiply(out, 2)));
}
}  // namespace

const OpDef defs::kSqrt{
    .name = "sqrt",
    .inplace_name = "sqrt_",
    .inputs = kSqrtInputs,
    .attributes = {},
    .outputs = kSqrtOutputs,
    .inplace_pairs = kSqrtPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sqrt,
    .check = nullptr,
    .run = run_sqrt,
    .vjp = vjp_sqrt,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sqrt(Value* x) { return emitted::OpCall(defs::kSqrt).in(x).one(); }

// --- square -------------------------------------------------------------- ops/arithmetic.yaml:193
namespace {
constexpr InputDef kSquareInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kSquareOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSquarePairs[] = {{0, 0}};

void infer_square(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("square", "x", x);
  results.push_back(emitted::like(x));
}

void run_square(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::square(x, out_result);
}

void vjp_square(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(ops::multiply(out_grad, x), 2));
}
}  // namespace

const OpDef defs::kSquare{
    .name = "square",
    .inplace_name = "square_",
    .inputs = kSquareInputs,
    .attributes = {},
    .outputs = kSquareOutputs,
    .inplace_pairs = kSquarePairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_square,
    .check = nullptr,
    .run = run_square,
    .vjp = vjp_square,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::square(Value* x) { return emitted::OpCall(defs::kSquare).in(x).one(); }

// --- sin ----------------------------------------------------------------- ops/arithmetic.yaml:201
namespace {
constexpr InputDef kSinInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kSinOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSinPairs[] = {{0, 0}};

void infer_sin(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_sin(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::sin(x, out_result);
}

void vjp_sin(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(out_grad, ops::cos(x)));
}
}  // namespace

const OpDef defs::kSin{
    .name = "sin",
    .inplace_name = "sin_",
    .inputs = kSinInputs,
    .attributes = {},
    .outputs = kSinOutputs,
    .inplace_pairs = kSinPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_sin,
    .check = nullptr,
    .run = run_sin,
    .vjp = vjp_sin,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::sin(Value* x) { return emitted::OpCall(defs::kSin).in(x).one(); }

// --- cos ----------------------------------------------------------------- ops/arithmetic.yaml:210
namespace {
constexpr InputDef kCosInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kCosOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kCosPairs[] = {{0, 0}};

void infer_cos(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(infer::float_of(x), x.shape));
}

void run_cos(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  if (frame.must_fit) emitted::expect_fits(frame.op, "x", x, x.shape(), infer::float_of(x));
  Tensor& out_result = frame.result_like(0, x, infer::float_of(x));
  kernels::cos(x, out_result);
}

void vjp_cos(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::multiply(ops::negative(out_grad), ops::sin(x)));
}
}  // namespace

const OpDef defs::kCos{
    .name = "cos",
    .inplace_name = "cos_",
    .inputs = kCosInputs,
    .attributes = {},
    .outputs = kCosOutputs,
    .inplace_pairs = kCosPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_cos,
    .check = nullptr,
    .run = run_cos,
    .vjp = vjp_cos,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cos(Value* x) { return emitted::OpCall(defs::kCos).in(x).one(); }

// --- clip ---------------------------------------------------------------- ops/arithmetic.yaml:219
namespace {
constexpr InputDef kClipInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kClipAttributes[] = {{"min", "scalar"}, {"max", "scalar"}};
constexpr OutputDef kClipOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kClipPairs[] = {{0, 0}};

void infer_clip(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("clip", "x", x);
  results.push_back(emitted::like(x));
}

void run_clip(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Scalar& min = frame.attribute<Scalar>(0);
  const Scalar& max = frame.attribute<Scalar>(1);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::clip(x, min, max, out_result);
}

void vjp_clip(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number min = emitted::number(op, 0);
  const Number max = emitted::number(op, 1);
  if (vjp.needs(0)) vjp.give(0, ops::clip_grad(x, out_grad, min, max));
}
}  // namespace

const OpDef defs::kClip{
    .name = "clip",
    .inplace_name = "clip_",
    .inputs = kClipInputs,
    .attributes = kClipAttributes,
    .outputs = kClipOutputs,
    .inplace_pairs = kClipPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_clip,
    .check = nullptr,
    .run = run_clip,
    .vjp = vjp_clip,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::clip(Value* x, const Number& min, const Number& max) {
  return emitted::OpCall(defs::kClip).in(x).attr(min).attr(max).one();
}

// --- clip_grad ----------------------------------------------------------- ops/arithmetic.yaml:232
namespace {
constexpr InputDef kClipGradInputs[] = {
    {"x", InputDef::Kind::kTensor, false, false},
    {"out_grad", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kClipGradAttributes[] = {{"min", "scalar"}, {"max", "scalar"}};
constexpr OutputDef kClipGradOutputs[] = {{"x_grad", false, true, false}};

void infer_clip_grad(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta out_grad = emitted::meta(op, 1);
  infer::expect_float("clip_grad", "out_grad", out_grad);
  infer::expect_alike("clip_grad", {x, out_grad});
  results.push_back(emitted::like(out_grad));
}

void run_clip_grad(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& out_grad = frame.plain_input(1);
  const Scalar& min = frame.attribute<Scalar>(0);
  const Scalar& max = frame.attribute<Scalar>(1);
  infer::expect_alike("clip_grad", {x, out_grad});
  Tensor& x_grad_result = frame.put(0, empty_like(out_grad, out_grad.dtype()));
  kernels::clip_grad(x, out_grad, min, max, x_grad_result);
}

void vjp_clip_grad(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number min = emitted::number(op, 0);
  const Number max = emitted::number(op, 1);
  if (vjp.needs(1)) vjp.give(1, ops::clip_grad(x, x_grad_grad, min, max));
}
}  // namespace

const OpDef defs::kClipGrad{
    .name = "clip_grad",
    .inplace_name = nullptr,
    .inputs = kClipGradInputs,
    .attributes = kClipGradAttributes,
    .outputs = kClipGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise | OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_clip_grad,
    .check = nullptr,
    .run = run_clip_grad,
    .vjp = vjp_clip_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::clip_grad(Value* x, Value* out_grad, const Number& min, const Number& max) {
  return emitted::OpCall(defs::kClipGrad).in(x).in(out_grad).attr(min).attr(max).one();
}

// --- scale --------------------------------------------------------------- ops/arithmetic.yaml:246
namespace {
constexpr InputDef kScaleInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kScaleAttributes[] = {
    {"scale", "scalar", [] { return Attribute(Scalar(1.0)); }},
    {"bias", "scalar", [] { return Attribute(Scalar(0.0)); }},
    {"bias_after_scale", "bool", [] { return Attribute(true); }},
};
constexpr OutputDef kScaleOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kScalePairs[] = {{0, 0}};

void infer_scale(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("scale", "x", x);
  results.push_back(emitted::like(x));
}

void run_scale(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Scalar& scale = frame.attribute<Scalar>(0);
  const Scalar& bias = frame.attribute<Scalar>(1);
  const bool bias_after_scale = frame.attribute<bool>(2);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::scale(x, scale, bias, bias_after_scale, out_result);
}

void vjp_scale(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Number scale = emitted::number(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::scale(out_grad, scale));
}
}  // namespace

const OpDef defs::kScale{
    .name = "scale",
    .inplace_name = "scale_",
    .inputs = kScaleInputs,
    .attributes = kScaleAttributes,
    .outputs = kScaleOutputs,
    .inplace_pairs = kScalePairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_scale,
    .check = nullptr,
    .run = run_scale,
    .vjp = vjp_scale,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::scale(Value* x, const Number& scale, const Number& bias, bool bias_after_scale) {
  return emitted::OpCall(defs::kScale).in(x).attr(scale).attr(bias).attr(bias_after_scale).one();
}

// --- floor --------------------------------------------------------------- ops/arithmetic.yaml:260
namespace {
constexpr InputDef kFloorInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kFloorOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kFloorPairs[] = {{0, 0}};

void infer_floor(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_number("floor", "x", x);
  results.push_back(emitted::like(x));
}

void run_floor(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::floor(x, out_result);
}
}  // namespace

const OpDef defs::kFloor{
    .name = "floor",
    .inplace_name = "floor_",
    .inputs = kFloorInputs,
    .attributes = {},
    .outputs = kFloorOutputs,
    .inplace_pairs = kFloorPairs,
    .flags = OpDef::kElementwise | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_floor,
    .check = nullptr,
    .run = run_floor,
    .vjp = nullptr,
    .no_gradient = "constant between its jumps",
    .write = nullptr,
};

Value* ops::floor(Value* x) { return emitted::OpCall(defs::kFloor).in(x).one(); }

}  // namespace oploom::program
