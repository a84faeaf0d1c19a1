#include "runtime/program/control.h"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/core/error.h"
#include "runtime/program/builder.h"
#include "runtime/program/constant.h"
#include "runtime/program/control_run.h"
#include "runtime/program/control_vjp.h"
#include "runtime/program/fitted.h"
#include "runtime/program/text.h"

// `if`, `while`, metadata and what is left: definitions and types. Lists are in control_lists.cpp.
namespace oploom::program {
namespace {

// --- if, while.

void expect_condition(const char* op, const Type& type) {
  if (type.is_tensor() && type.dtype == DType::kBool && type.shape.empty()) return;
  raise(ErrorKind::kType, "[", op, "] condition: expected one truth value, bool[], got ", type,
        "; compare, or reduce to one element first");
}

void expect_yields(const char* op, const char* region, std::size_t expected, std::size_t came) {
  if (expected == came) return;
  raise(ErrorKind::kArgument, "[", op, "] ", region, ": expected ", expected, " results, got ",
        came, "; let it return as many as it was given or as the other branch does");
}

bool is_undefined(const Value* value) {
  return value->op != nullptr && value->op->def == &kUndefined;
}

void infer_if(const Op& op, std::vector<Type>& results) {
  expect_condition("cond", op.inputs[0]->type);
  const auto& then = op.regions[0]->yields;
  const auto& otherwise = op.regions[1]->yields;
  expect_yields("cond", "false_fn", then.size(), otherwise.size());
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (is_undefined(otherwise[i]))
      results.push_back(then[i]->type);
    else if (is_undefined(then[i]))
      results.push_back(otherwise[i]->type);
    else
      results.push_back(
          join(text("[cond] result ", i, " of the branches"), then[i]->type, otherwise[i]->type));
  }
}

// An argument may be wider than what comes in: the backward of a loop takes the types of its
// forward.
void expect_held(const char* what, std::size_t i, const Type& argument, const Type& came) {
  if (holds(argument, came)) return;
  raise(ErrorKind::kType, "[while_loop] loop variable ", i, ", ", what, ": expected ", argument,
        ", got ", came, "; keep its dtype and number of dimensions");
}

void infer_while(const Op& op, std::vector<Type>& results) {
  const Region& condition = *op.regions[0];
  const Region& body = *op.regions[1];
  expect_yields("while_loop", "cond", 1, condition.yields.size());
  expect_condition("while_loop", condition.yields[0]->type);
  expect_yields("while_loop", "body", op.inputs.size(), body.yields.size());
  expect_yields("while_loop", "arguments of body", op.inputs.size(), body.arguments.size());
  expect_yields("while_loop", "arguments of cond", op.inputs.size(), condition.arguments.size());
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    for (const Region* region : {&condition, &body}) {
      expect_held("init", i, region->arguments[i]->type, op.inputs[i]->type);
      expect_held("what body returns", i, region->arguments[i]->type, body.yields[i]->type);
    }
    results.push_back(body.arguments[i]->type);
  }
}

constexpr InputDef kPredInputs[] = {{"pred", InputDef::Kind::kTensor, false}};
constexpr InputDef kInitInputs[] = {{"inits", InputDef::Kind::kList}};
constexpr OutputDef kListOutputs[] = {{"results", false, true, true}};

// --- Metadata.

void infer_metadata(const Op& op, std::vector<Type>& results) {
  const auto& function = std::get<std::string>(op.attributes[0]);
  const auto axis = std::get<std::int64_t>(op.attributes[1]);
  const bool list = function == "sizes";
  if (!list && op.inputs.size() != 1) {
    raise(ErrorKind::kArgument, "[metadata] xs: expected one tensor for ", function, ", got ",
          op.inputs.size());
  }
  for (const Value* x : op.inputs) {
    if (!x->type.is_tensor()) {
      raise(ErrorKind::kType, "[metadata] xs: expected tensors, got ", x->type);
    }
    const bool with_axis = list || function == "size";
    if (with_axis && (axis < 0 || axis >= x->type.shape.rank())) {
      raise(ErrorKind::kArgument, "[metadata] axis: expected one of the ", x->type.shape.rank(),
            " axes counted from 0, got ", axis);
    }
  }
  if (function == "shape")
    results.push_back(numbers_type(op.inputs[0]->type.shape.rank()));
  else if (list)
    results.push_back(numbers_type(static_cast<std::int64_t>(op.inputs.size())));
  else if (function == "numel" || function == "size")
    results.push_back(number_type(DType::kInt64));
  else
    raise(ErrorKind::kArgument, "[metadata] function: expected shape, numel, size or sizes, got ",
          quoted(function));
}

// The dtype of a scalar attribute, also where it is metadata.
DType dtype_of_scalar(const Op& op, std::size_t i) {
  const Scalar& scalar = std::get<Scalar>(op.attributes[i]);
  if (const Value* value = op.attribute_value(i)) {
    if (value->type.is_numbers() && value->type.shape.empty()) return value->type.dtype;
    raise(ErrorKind::kType, "[", op.def->name, "] ", op.def->attributes[i].name,
          ": expected one number, got ", value->type);
  }
  return scalar.category() == Category::kFloat ? DType::kFloat64
         : scalar.category() == Category::kInt ? DType::kInt64
                                               : DType::kBool;
}

void infer_arithmetic(const Op& op, std::vector<Type>& results) {
  const auto& name = std::get<std::string>(op.attributes[0]);
  if (name.size() != 1 || std::string_view("+-*/").find(name[0]) == std::string_view::npos) {
    raise(ErrorKind::kArgument, "[arithmetic] operator: expected + - * or /, got ", quoted(name));
  }
  const bool whole =
      name != "/" && !is_float(dtype_of_scalar(op, 1)) && !is_float(dtype_of_scalar(op, 2));
  results.push_back(number_type(whole ? DType::kInt64 : DType::kFloat64));
}

void infer_to_operand(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(dtype_of_scalar(op, 0), {}, true));
}

Attribute axis_zero() { return std::int64_t{0}; }

constexpr InputDef kMetadataInputs[] = {{"xs", InputDef::Kind::kList, false, true}};
constexpr AttributeDef kMetadataAttributes[] = {{"function", "str"}, {"axis", "int", axis_zero}};
constexpr AttributeDef kArithmeticAttributes[] = {
    {"operator", "str"}, {"x", "scalar"}, {"y", "scalar"}};
constexpr AttributeDef kToOperandAttributes[] = {{"value", "scalar"}};
constexpr OutputDef kNumbersOutput[] = {{"numbers", false, false}};
constexpr OutputDef kConstantOutput[] = {{"out", false, false}};

// --- shift, undefined.

void infer_shift(const Op& op, std::vector<Type>& results) {
  const Type& old = op.inputs[0]->type;
  const Type& value = op.inputs[1]->type;
  if (old.kind != value.kind || old.shape.rank() != value.shape.rank()) {
    raise(ErrorKind::kType, "[shift] new: expected a value like the old one, ", old, ", got ",
          value);
  }
  results.push_back(value);
}

void infer_undefined(const Op& op, std::vector<Type>& results) {
  results.push_back(type_of_attributes(op));
}

constexpr InputDef kShiftInputs[] = {{"old"}, {"new", InputDef::Kind::kTensor, false}};
constexpr OutputDef kOneOutput[] = {{"out"}};
constexpr AttributeDef kTypeAttribute[] = {{"type", "str"}};

constexpr const char* kMetadataReason = "metadata has no gradient";
constexpr std::uint32_t kOwn = OpDef::kOwn;

}  // namespace

Type type_of_attributes(const Op& op) {
  const auto& name = std::get<std::string>(op.attributes[0]);
  const auto type = parse_type(name);
  if (!type) {
    raise(ErrorKind::kArgument, "[", op.def->name,
          "] type: expected a type such as \"float32[2, ?]\", got ", quoted(name));
  }
  return *type;
}

constinit const OpDef kIf{.name = "if",
                          .inplace_name = nullptr,
                          .inputs = kPredInputs,
                          .attributes = {},
                          .outputs = kListOutputs,
                          .inplace_pairs = {},
                          .flags = kOwn,
                          .infer = infer_if};
constinit const OpDef kWhile{.name = "while",
                             .inplace_name = nullptr,
                             .inputs = kInitInputs,
                             .attributes = {},
                             .outputs = kListOutputs,
                             .inplace_pairs = {},
                             .flags = kOwn,
                             .infer = infer_while};
constinit const OpDef kMetadata{.name = "metadata",
                                .inplace_name = nullptr,
                                .inputs = kMetadataInputs,
                                .attributes = kMetadataAttributes,
                                .outputs = kNumbersOutput,
                                .inplace_pairs = {},
                                .flags = kOwn,
                                .infer = infer_metadata,
                                .run = run_metadata,
                                .no_gradient = kMetadataReason};
constinit const OpDef kArithmetic{.name = "arithmetic",
                                  .inplace_name = nullptr,
                                  .inputs = {},
                                  .attributes = kArithmeticAttributes,
                                  .outputs = kNumbersOutput,
                                  .inplace_pairs = {},
                                  .flags = kOwn,
                                  .infer = infer_arithmetic,
                                  .run = run_arithmetic,
                                  .no_gradient = kMetadataReason};
constinit const OpDef kToOperand{.name = "to_operand",
                                 .inplace_name = nullptr,
                                 .inputs = {},
                                 .attributes = kToOperandAttributes,
                                 .outputs = kConstantOutput,
                                 .inplace_pairs = {},
                                 .flags = kOwn,
                                 .infer = infer_to_operand,
                                 .run = run_to_operand,
                                 .no_gradient = kMetadataReason};
constinit const OpDef kShift{.name = "shift",
                             .inplace_name = nullptr,
                             .inputs = kShiftInputs,
                             .attributes = {},
                             .outputs = kOneOutput,
                             .inplace_pairs = {},
                             .flags = kOwn,
                             .infer = infer_shift,
                             .run = run_shift,
                             .vjp = vjp_shift};
constinit const OpDef kUndefined{.name = "undefined",
                                 .inplace_name = nullptr,
                                 .inputs = {},
                                 .attributes = kTypeAttribute,
                                 .outputs = kConstantOutput,
                                 .inplace_pairs = {},
                                 .flags = kOwn,
                                 .infer = infer_undefined,
                                 .run = run_undefined,
                                 .no_gradient = "it has no value"};

Value* undefined(const Type& type) {
  return Builder::current().append(kUndefined, {}, {text(type)}).results[0].get();
}

// --- By name.

std::span<const OpDef* const> own_ops() {
  static constexpr std::array kOps = {
      &kIf,        &kWhile,    &kNewList,    &kPush,       &kPop,           &kAt,
      &kPut,       &kLength,   &kStack,      &kConcatList, &kZerosLikeList, &kAddLists,
      &kAddAt,     &kCut,      &kExtend,     &kUnstack,    &kSplit,         &kRowLengths,
      &kEntryShape, &kMetadata, &kArithmetic, &kToOperand,  &kShift,         &kUndefined,
      &kConstant,  &kFitted};
  return kOps;
}

const OpDef* find_own_op(std::string_view name) {
  const auto ops = own_ops();
  const auto found =
      std::find_if(ops.begin(), ops.end(), [name](const OpDef* def) { return def->name == name; });
  return found == ops.end() ? nullptr : *found;
}

}  // namespace oploom::program
