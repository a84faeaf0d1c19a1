// Generated from ops/linalg.yaml by `make generate`. Do not edit.

#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"
#include "runtime/rules/linalg.h"

namespace oploom::program {

// --- matmul -------------------------------------------------------------------- ops/linalg.yaml:3
namespace {
constexpr InputDef kMatmulInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"y", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kMatmulAttributes[] = {
    {"transpose_x", "bool", [] { return Attribute(false); }},
    {"transpose_y", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kMatmulOutputs[] = {{"out", false, true, false}};

void infer_matmul(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  const bool transpose_x = emitted::attribute<bool>(op, 0);
  const bool transpose_y = emitted::attribute<bool>(op, 1);
  infer::expect_number("matmul", "x", x);
  infer::expect_number("matmul", "y", y);
  results.push_back(tensor_type(infer::promoted(x, y),
                                infer::matmul_shape("matmul", x, y, transpose_x, transpose_y)));
}

void run_matmul(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  const bool transpose_x = frame.attribute<bool>(0);
  const bool transpose_y = frame.attribute<bool>(1);
  Tensor& out_result = frame.put(
      0,
      empty(infer::matmul_shape("matmul", x, y, transpose_x, transpose_y), infer::promoted(x, y)));
  kernels::matmul(x, y, transpose_x, transpose_y, out_result);
}

void vjp_matmul(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* y = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const bool transpose_x = emitted::attribute<bool>(op, 0);
  const bool transpose_y = emitted::attribute<bool>(op, 1);
  if (vjp.needs(0)) {
    vjp.give(0, ops::matmul_x_grad(out_grad, y, program::shape(x), transpose_x, transpose_y));
  }
  if (vjp.needs(1)) {
    vjp.give(1, ops::matmul_y_grad(out_grad, x, program::shape(y), transpose_x, transpose_y));
  }
}
}  // namespace

const OpDef defs::kMatmul{
    .name = "matmul",
    .inplace_name = nullptr,
    .inputs = kMatmulInputs,
    .attributes = kMatmulAttributes,
    .outputs = kMatmulOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_matmul,
    .check = nullptr,
    .run = run_matmul,
    .vjp = vjp_matmul,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::matmul(Value* x, Value* y, bool transpose_x, bool transpose_y) {
  return emitted::OpCall(defs::kMatmul).in(x).in(y).attr(transpose_x).attr(transpose_y).one();
}

// --- matmul_x_grad ------------------------------------------------------------ ops/linalg.yaml:23
namespace {
constexpr InputDef kMatmulXGradInputs[] = {
    {"out_grad", InputDef::Kind::kTensor, true, false},
    {"y", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kMatmulXGradAttributes[] = {
    {"shape", "int[]"},
    {"transpose_x", "bool"},
    {"transpose_y", "bool"},
};
constexpr OutputDef kMatmulXGradOutputs[] = {{"out", false, true, false}};

std::vector<Value*> compose_matmul_x_grad(const Op& op) {
  Value* out_grad = op.input(0);
  Value* y = op.input(1);
  const Numbers shape = emitted::numbers(op, 0);
  const bool transpose_x = emitted::attribute<bool>(op, 1);
  const bool transpose_y = emitted::attribute<bool>(op, 2);
  return {rules::matmul_x_grad(out_grad, y, shape, transpose_x, transpose_y)};
}
}  // namespace

const OpDef defs::kMatmulXGrad{
    .name = "matmul_x_grad",
    .inplace_name = nullptr,
    .inputs = kMatmulXGradInputs,
    .attributes = kMatmulXGradAttributes,
    .outputs = kMatmulXGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = compose_matmul_x_grad,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::matmul_x_grad(Value* out_grad, Value* y, const Numbers& shape, bool transpose_x,
                          bool transpose_y) {
  emitted::OpCall call(defs::kMatmulXGrad);
  call.in(out_grad).in(y).attr(shape).attr(transpose_x).attr(transpose_y);
  return call.one();
}

// --- matmul_y_grad ------------------------------------------------------------ ops/linalg.yaml:33
namespace {
constexpr InputDef kMatmulYGradInputs[] = {
    {"out_grad", InputDef::Kind::kTensor, true, false},
    {"x", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kMatmulYGradAttributes[] = {
    {"shape", "int[]"},
    {"transpose_x", "bool"},
    {"transpose_y", "bool"},
};
constexpr OutputDef kMatmulYGradOutputs[] = {{"out", false, true, false}};

std::vector<Value*> compose_matmul_y_grad(const Op& op) {
  Value* out_grad = op.input(0);
  Value* x = op.input(1);
  const Numbers shape = emitted::numbers(op, 0);
  const bool transpose_x = emitted::attribute<bool>(op, 1);
  const bool transpose_y = emitted::attribute<bool>(op, 2);
  return {rules::matmul_y_grad(out_grad, x, shape, transpose_x, transpose_y)};
}
}  // namespace

const OpDef defs::kMatmulYGrad{
    .name = "matmul_y_grad",
    .inplace_name = nullptr,
    .inputs = kMatmulYGradInputs,
    .attributes = kMatmulYGradAttributes,
    .outputs = kMatmulYGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = compose_matmul_y_grad,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::matmul_y_grad(Value* out_grad, Value* x, const Numbers& shape, bool transpose_x,
                          bool transpose_y) {
  emitted::OpCall call(defs::kMatmulYGrad);
  call.in(out_grad).in(x).attr(shape).attr(transpose_x).attr(transpose_y);
  return call.one();
}

}  // namespace oploom::program
