// Generated from ops/comparison.yaml by `make generate`. Do not edit.

#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- equal ----------------------------------------------------------------- ops/comparison.yaml:3
namespace {
constexpr InputDef kEqualInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kEqualOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kEqualPairs[] = {{0, 0}};

void infer_equal(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("equal", x, y)));
}

void run_equal(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("equal", x, y), DType::kBool);
  kernels::equal(x, y, out_result);
}
}  // namespace

const OpDef defs::kEqual{
    .name = "equal",
    .inplace_name = "equal_",
    .inputs = kEqualInputs,
    .attributes = {},
    .outputs = kEqualOutputs,
    .inplace_pairs = kEqualPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_equal,
    .check = nullptr,
    .run = run_equal,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::equal(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kEqual).in(x).in(y).one();
}

// --- not_equal ------------------------------------------------------------ ops/comparison.yaml:13
namespace {
constexpr InputDef kNotEqualInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kNotEqualOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kNotEqualPairs[] = {{0, 0}};

void infer_not_equal(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("not_equal", x, y)));
}

void run_not_equal(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("not_equal", x, y), DType::kBool);
  kernels::not_equal(x, y, out_result);
}
}  // namespace

const OpDef defs::kNotEqual{
    .name = "not_equal",
    .inplace_name = "not_equal_",
    .inputs = kNotEqualInputs,
    .attributes = {},
    .outputs = kNotEqualOutputs,
    .inplace_pairs = kNotEqualPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_not_equal,
    .check = nullptr,
    .run = run_not_equal,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::not_equal(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kNotEqual).in(x).in(y).one();
}

// --- less_than ------------------------------------------------------------ ops/comparison.yaml:23
namespace {
constexpr InputDef kLessThanInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kLessThanOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLessThanPairs[] = {{0, 0}};

void infer_less_than(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("less_than", x, y)));
}

void run_less_than(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("less_than", x, y), DType::kBool);
  kernels::less_than(x, y, out_result);
}
}  // namespace

const OpDef defs::kLessThan{
    .name = "less_than",
    .inplace_name = "less_than_",
    .inputs = kLessThanInputs,
    .attributes = {},
    .outputs = kLessThanOutputs,
    .inplace_pairs = kLessThanPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_less_than,
    .check = nullptr,
    .run = run_less_than,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::less_than(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kLessThan).in(x).in(y).one();
}

// --- less_equal ----------------------------------------------------------- ops/comparison.yaml:33
namespace {
constexpr InputDef kLessEqualInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kLessEqualOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLessEqualPairs[] = {{0, 0}};

void infer_less_equal(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("less_equal", x, y)));
}

void run_less_equal(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("less_equal", x, y), DType::kBool);
  kernels::less_equal(x, y, out_result);
}
}  // namespace

const OpDef defs::kLessEqual{
    .name = "less_equal",
    .inplace_name = "less_equal_",
    .inputs = kLessEqualInputs,
    .attributes = {},
    .outputs = kLessEqualOutputs,
    .inplace_pairs = kLessEqualPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_less_equal,
    .check = nullptr,
    .run = run_less_equal,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::less_equal(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kLessEqual).in(x).in(y).one();
}

// --- greater_than --------------------------------------------------------- ops/comparison.yaml:43
namespace {
constexpr InputDef kGreaterThanInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kGreaterThanOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kGreaterThanPairs[] = {{0, 0}};

void infer_greater_than(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("greater_than", x, y)));
}

void run_greater_than(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("greater_than", x, y), DType::kBool);
  kernels::greater_than(x, y, out_result);
}
}  // namespace

const OpDef defs::kGreaterThan{
    .name = "greater_than",
    .inplace_name = "greater_than_",
    .inputs = kGreaterThanInputs,
    .attributes = {},
    .outputs = kGreaterThanOutputs,
    .inplace_pairs = kGreaterThanPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_greater_than,
    .check = nullptr,
    .run = run_greater_than,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::greater_than(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kGreaterThan).in(x).in(y).one();
}

// --- greater_equal -------------------------------------------------------- ops/comparison.yaml:53
namespace {
constexpr InputDef kGreaterEqualInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kGreaterEqualOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kGreaterEqualPairs[] = {{0, 0}};

void infer_greater_equal(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("greater_equal", x, y)));
}

void run_greater_equal(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("greater_equal", x, y), DType::kBool);
  kernels::greater_equal(x, y, out_result);
}
}  // namespace

const OpDef defs::kGreaterEqual{
    .name = "greater_equal",
    .inplace_name = "greater_equal_",
    .inputs = kGreaterEqualInputs,
    .attributes = {},
    .outputs = kGreaterEqualOutputs,
    .inplace_pairs = kGreaterEqualPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_greater_equal,
    .check = nullptr,
    .run = run_greater_equal,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::greater_equal(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kGreaterEqual).in(x).in(y).one();
}

// --- logical_and ---------------------------------------------------------- ops/comparison.yaml:63
namespace {
constexpr InputDef kLogicalAndInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kLogicalAndOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLogicalAndPairs[] = {{0, 0}};

void infer_logical_and(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("logical_and", x, y)));
}

void run_logical_and(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("logical_and", x, y), DType::kBool);
  kernels::logical_and(x, y, out_result);
}
}  // namespace

const OpDef defs::kLogicalAnd{
    .name = "logical_and",
    .inplace_name = "logical_and_",
    .inputs = kLogicalAndInputs,
    .attributes = {},
    .outputs = kLogicalAndOutputs,
    .inplace_pairs = kLogicalAndPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_logical_and,
    .check = nullptr,
    .run = run_logical_and,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::logical_and(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kLogicalAnd).in(x).in(y).one();
}

// --- logical_or ----------------------------------------------------------- ops/comparison.yaml:72
namespace {
constexpr InputDef kLogicalOrInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kLogicalOrOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLogicalOrPairs[] = {{0, 0}};

void infer_logical_or(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("logical_or", x, y)));
}

void run_logical_or(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("logical_or", x, y), DType::kBool);
  kernels::logical_or(x, y, out_result);
}
}  // namespace

const OpDef defs::kLogicalOr{
    .name = "logical_or",
    .inplace_name = "logical_or_",
    .inputs = kLogicalOrInputs,
    .attributes = {},
    .outputs = kLogicalOrOutputs,
    .inplace_pairs = kLogicalOrPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_logical_or,
    .check = nullptr,
    .run = run_logical_or,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::logical_or(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kLogicalOr).in(x).in(y).one();
}

// --- logical_xor ---------------------------------------------------------- ops/comparison.yaml:81
namespace {
constexpr InputDef kLogicalXorInputs[] = {
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kLogicalXorOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLogicalXorPairs[] = {{0, 0}};

void infer_logical_xor(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta y = emitted::meta(op, 1);
  results.push_back(tensor_type(DType::kBool, infer::broadcast("logical_xor", x, y)));
}

void run_logical_xor(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& y = frame.plain_input(1);
  Tensor& out_result = frame.result(0, infer::broadcast("logical_xor", x, y), DType::kBool);
  kernels::logical_xor(x, y, out_result);
}
}  // namespace

const OpDef defs::kLogicalXor{
    .name = "logical_xor",
    .inplace_name = "logical_xor_",
    .inputs = kLogicalXorInputs,
    .attributes = {},
    .outputs = kLogicalXorOutputs,
    .inplace_pairs = kLogicalXorPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_logical_xor,
    .check = nullptr,
    .run = run_logical_xor,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::logical_xor(const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kLogicalXor).in(x).in(y).one();
}

// --- logical_not ---------------------------------------------------------- ops/comparison.yaml:90
namespace {
constexpr InputDef kLogicalNotInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kLogicalNotOutputs[] = {{"out", false, false, false}};
constexpr OpDef::Pair kLogicalNotPairs[] = {{0, 0}};

void infer_logical_not(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(tensor_type(DType::kBool, x.shape));
}

void run_logical_not(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, DType::kBool);
  kernels::logical_not(x, out_result);
}
}  // namespace

const OpDef defs::kLogicalNot{
    .name = "logical_not",
    .inplace_name = "logical_not_",
    .inputs = kLogicalNotInputs,
    .attributes = {},
    .outputs = kLogicalNotOutputs,
    .inplace_pairs = kLogicalNotPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_logical_not,
    .check = nullptr,
    .run = run_logical_not,
    .vjp = nullptr,
    .no_gradient = "the result is bool",
    .write = nullptr,
};

Value* ops::logical_not(Value* x) { return emitted::OpCall(defs::kLogicalNot).in(x).one(); }

// --- where ---------------------------------------------------------------- ops/comparison.yaml:99
namespace {
constexpr InputDef kWhereInputs[] = {
    {"condition", InputDef::Kind::kTensor, false, false},
    {"x", InputDef::Kind::kOperand, true, false},
    {"y", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kWhereOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kWherePairs[] = {{1, 0}};

void infer_where(const Op& op, std::vector<Type>& results) {
  const Meta condition = emitted::meta(op, 0);
  const Meta x = emitted::meta(op, 1);
  const Meta y = emitted::meta(op, 2);
  infer::expect_bool("where", "condition", condition);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast("where", condition, x, y)));
}

void run_where(RunFrame& frame) {
  const Tensor& condition = frame.plain_input(0);
  const Tensor& x = frame.plain_input(1);
  const Tensor& y = frame.plain_input(2);
  if (frame.must_fit) {
    emitted::expect_fits(frame.op, "x", x, infer::broadcast("where", condition, x, y),
                         infer::promoted(x, y));
  }
  Tensor& out_result =
      frame.result(0, infer::broadcast("where", condition, x, y), infer::promoted(x, y));
  kernels::where(condition, x, y, out_result);
}

void vjp_where(Vjp& vjp) {
  Value* condition = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(1)) vjp.give(1, ops::where(condition, out_grad, 0));
  if (vjp.needs(2)) vjp.give(2, ops::where(condition, 0, out_grad));
}
}  // namespace

const OpDef defs::kWhere{
    .name = "where",
    .inplace_name = "where_",
    .inputs = kWhereInputs,
    .attributes = {},
    .outputs = kWhereOutputs,
    .inplace_pairs = kWherePairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_where,
    .check = nullptr,
    .run = run_where,
    .vjp = vjp_where,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::where(Value* condition, const ValueOperand& x, const ValueOperand& y) {
  return emitted::OpCall(defs::kWhere).in(condition).in(x).in(y).one();
}

}  // namespace oploom::program
