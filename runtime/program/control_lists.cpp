#include <string>

#include "runtime/core/error.h"
#include "runtime/program/builder.h"
#include "runtime/program/control.h"
#include "runtime/program/control_run.h"
#include "runtime/program/control_vjp.h"

// Lists as values: definitions and types.
namespace oploom::program {
namespace {

const Type& expect_list(const Op& op, std::size_t input) {
  const Type& type = op.inputs[input]->type;
  if (type.is_list()) return type;
  raise(ErrorKind::kType, "[", call_name(*op.def), "] list: expected a list, got ", type);
}

Type expect_element(const Op& op, std::size_t input) {
  const Type& list = expect_list(op, input);
  if (!list.open || list.depth > 1) return element_of(list);
  raise(ErrorKind::kType, "[", call_name(*op.def),
        "] list: expected a list whose elements are known, got a new one; write an element first");
}

const Type& expect_tensor(const Op& op, std::size_t input, const char* argument) {
  const Type& type = op.inputs[input]->type;
  if (type.is_tensor()) return type;
  raise(ErrorKind::kType, "[", call_name(*op.def), "] ", argument, ": expected a tensor, got ",
        type);
}

void expect_position(const Op& op, std::size_t input) {
  const Type& type = expect_tensor(op, input, "index");
  if (is_integer(type.dtype) && type.shape.empty()) return;
  raise(ErrorKind::kType, "[", call_name(*op.def), "] index: expected one integer, got ", type);
}

void expect_axis(const Op& op, const Type& tensor) {
  if (tensor.is_tensor() && tensor.shape.rank() > 0) return;
  raise(ErrorKind::kArgument, "[", call_name(*op.def),
        "] expected tensors of at least one dimension, got ", tensor,
        "; stack 0-d tensors instead");
}

// The list with one more element of x's type.
Type with_element(const Op& op, const Type& list, const Type& x) {
  return join(text("[", call_name(*op.def), "] the list's elements and x"), list, list_of(x));
}

void infer_new_list(const Op& op, std::vector<Type>& results) {
  const Type type = type_of_attributes(op);
  if (!type.is_list()) {
    raise(ErrorKind::kType, "[list_new] type: expected a list's type, got ", type);
  }
  results.push_back(type);
}

void infer_push(const Op& op, std::vector<Type>& results) {
  results.push_back(with_element(op, expect_list(op, 0), op.inputs[1]->type));
}

void infer_pop(const Op& op, std::vector<Type>& results) {
  results.push_back(expect_list(op, 0));
  results.push_back(expect_element(op, 0));
}

void infer_at(const Op& op, std::vector<Type>& results) {
  expect_position(op, 1);
  results.push_back(expect_element(op, 0));
}

void infer_put(const Op& op, std::vector<Type>& results) {
  expect_position(op, 1);
  results.push_back(with_element(op, expect_list(op, 0), op.inputs[2]->type));
}

void infer_length(const Op& op, std::vector<Type>& results) {
  expect_list(op, 0);
  results.push_back(tensor_type(DType::kInt64, {}));
}

Type expect_tensor_element(const Op& op) {
  const Type element = expect_element(op, 0);
  if (element.is_tensor()) return element;
  raise(ErrorKind::kType, "[", call_name(*op.def), "] list: expected a list of tensors, got ",
        op.inputs[0]->type);
}

void infer_stack(const Op& op, std::vector<Type>& results) {
  const Type element = expect_tensor_element(op);
  Dims shape{-1};
  for (const std::int64_t length : element.shape) shape.push_back(length);
  results.push_back(tensor_type(element.dtype, shape));
}

void infer_concat(const Op& op, std::vector<Type>& results) {
  Type element = expect_tensor_element(op);
  expect_axis(op, element);
  element.shape[0] = -1;
  results.push_back(element);
}

// --- What gradients are made of.

void infer_zeros_like(const Op& op, std::vector<Type>& results) {
  Type type = op.inputs[0]->type;
  if (type.is_numbers() || type.of_numbers) {
    raise(ErrorKind::kType, "[list_zeros] x: expected a tensor or a list of tensors, got ", type);
  }
  type.weak = false;
  results.push_back(type);
}

void infer_add_lists(const Op& op, std::vector<Type>& results) {
  if (op.inputs.empty()) {
    raise(ErrorKind::kArgument, "[list_add] lists: expected at least one list, got none");
  }
  Type sum = expect_list(op, 0);
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    sum = join("[list_add] lists", sum, expect_list(op, i));
  }
  results.push_back(sum);
}

void infer_add_at(const Op& op, std::vector<Type>& results) {
  expect_position(op, 1);
  const Type element = expect_element(op, 0);
  join("[list_add_at] the list's elements and x", element, op.inputs[2]->type);
  results.push_back(op.inputs[0]->type);
}

void infer_cut(const Op& op, std::vector<Type>& results) {
  expect_position(op, 1);
  results.assign(2, expect_list(op, 0));
}

void infer_extend(const Op& op, std::vector<Type>& results) {
  results.push_back(join("[list_extend] lists", expect_list(op, 0), expect_list(op, 1)));
}

void infer_unstack(const Op& op, std::vector<Type>& results) {
  const Type& x = expect_tensor(op, 0, "x");
  expect_axis(op, x);
  const Ints lengths = x.shape;
  results.push_back(list_of(tensor_type(x.dtype, Ints(lengths.data() + 1, lengths.size() - 1))));
}

void infer_split(const Op& op, std::vector<Type>& results) {
  Type x = expect_tensor(op, 0, "x");
  expect_axis(op, x);
  const Type& lengths = expect_tensor(op, 1, "lengths");
  if (lengths.dtype != DType::kInt64 || lengths.shape.rank() != 1) {
    raise(ErrorKind::kType, "[list_split] lengths: expected int64 of one dimension, got ", lengths);
  }
  x.shape[0] = -1;
  x.weak = false;
  const Type parts = list_of(x);
  const Type type = type_of_attributes(op);
  if (!type.is_list() || !(join("[list_split] type and x", type, parts) == parts)) {
    raise(ErrorKind::kType, "[list_split] type: expected a list of parts of ", op.inputs[0]->type, ", got ", type);
  }
  results.push_back(type.open ? parts : type);
}

void infer_row_lengths(const Op& op, std::vector<Type>& results) {
  expect_axis(op, expect_tensor_element(op));
  results.push_back(tensor_type(DType::kInt64, {-1}));
}

void infer_entry_shape(const Op& op, std::vector<Type>& results) {
  expect_position(op, 1);
  results.push_back(numbers_type(static_cast<std::int64_t>(expect_tensor_element(op).shape.size())));
}

Attribute open_list_name() { return text(open_list()); }

using Kind = InputDef::Kind;
constexpr AttributeDef kTypeAttribute[] = {{"type", "str", open_list_name}};
constexpr InputDef kListInput[] = {{"list"}};
constexpr InputDef kListMetadataInput[] = {{"list", Kind::kTensor, false, true}};
constexpr InputDef kListAndX[] = {{"list"}, {"x"}};
constexpr InputDef kListAndPosition[] = {{"list"}, {"i", Kind::kTensor, false}};
constexpr InputDef kConstantListAndPosition[] = {{"list", Kind::kTensor, false},
                                                 {"i", Kind::kTensor, false}};
constexpr InputDef kListAndMore[] = {{"list"}, {"more"}};
constexpr InputDef kListAndCount[] = {{"list"}, {"n", Kind::kTensor, false}};
constexpr InputDef kListPositionAndX[] = {{"list"}, {"i", Kind::kTensor, false}, {"x"}};
constexpr InputDef kXInput[] = {{"x"}};
constexpr InputDef kConstantXInput[] = {{"x", Kind::kTensor, false}};
constexpr InputDef kXAndLengths[] = {{"x"}, {"lengths", Kind::kTensor, false}};
constexpr InputDef kListsInput[] = {{"lists", Kind::kList}};
constexpr OutputDef kListOutput[] = {{"list"}};
constexpr OutputDef kListAndXOutput[] = {{"list"}, {"x"}};
constexpr OutputDef kListAndRestOutput[] = {{"list"}, {"rest"}};
constexpr OutputDef kOneOutput[] = {{"out"}};
constexpr OutputDef kConstantOutput[] = {{"out", false, false}};
constexpr const char* kMetadataReason = "lengths have no gradient";
constexpr const char* kConstantReason = "it is a constant";

struct Parts {
  std::span<const InputDef> inputs;
  std::span<const OutputDef> outputs;
  std::span<const AttributeDef> attributes = {};
};

constexpr OpDef list_op(const char* name, Parts parts, void (*infer)(const Op&, std::vector<Type>&),
                        void (*run)(RunFrame&), void (*vjp)(Vjp&),
                        const char* no_gradient = nullptr) {
  return {.name = name,
          .inplace_name = nullptr,
          .inputs = parts.inputs,
          .attributes = parts.attributes,
          .outputs = parts.outputs,
          .inplace_pairs = {},
          .flags = OpDef::kOwn,
          .infer = infer,
          .run = run,
          .vjp = vjp,
          .no_gradient = no_gradient};
}

}  // namespace

constinit const OpDef kNewList{.name = "list_new",
                               .inplace_name = nullptr,
                               .inputs = {},
                               .attributes = kTypeAttribute,
                               .outputs = kListOutput,
                               .inplace_pairs = {},
                               .flags = OpDef::kOwn,
                               .infer = infer_new_list,
                               .run = run_new_list,
                               .no_gradient = kConstantReason};
constinit const OpDef kPush =
    list_op("list_push", {kListAndX, kListOutput}, infer_push, run_push, vjp_push);
constinit const OpDef kPop =
    list_op("list_pop", {kListInput, kListAndXOutput}, infer_pop, run_pop, vjp_pop);
constinit const OpDef kAt =
    list_op("list_at", {kListAndPosition, kOneOutput}, infer_at, run_at, vjp_at);
constinit const OpDef kPut =
    list_op("list_put", {kListPositionAndX, kListOutput}, infer_put, run_put, vjp_put);
constinit const OpDef kLength = list_op("list_length", {kListMetadataInput, kConstantOutput},
                                        infer_length, run_length, nullptr, kMetadataReason);
constinit const OpDef kStack =
    list_op("list_stack", {kListInput, kOneOutput}, infer_stack, run_stack, vjp_stack);
constinit const OpDef kConcatList =
    list_op("list_concat", {kListInput, kOneOutput}, infer_concat, run_concat, vjp_concat);
constinit const OpDef kZerosLikeList =
    list_op("list_zeros", {kConstantXInput, kConstantOutput}, infer_zeros_like, run_zeros_like,
            nullptr, kConstantReason);
constinit const OpDef kAddLists =
    list_op("list_add", {kListsInput, kListOutput}, infer_add_lists, run_add_lists, vjp_add_lists);
constinit const OpDef kAddAt =
    list_op("list_add_at", {kListPositionAndX, kListOutput}, infer_add_at, run_add_at, vjp_add_at);
constinit const OpDef kCut =
    list_op("list_cut", {kListAndCount, kListAndRestOutput}, infer_cut, run_cut, vjp_cut);
constinit const OpDef kExtend =
    list_op("list_extend", {kListAndMore, kListOutput}, infer_extend, run_extend, vjp_extend);
constinit const OpDef kUnstack =
    list_op("list_unstack", {kXInput, kListOutput}, infer_unstack, run_unstack, vjp_unstack);
constinit const OpDef kSplit =
    list_op("list_split", {kXAndLengths, kListOutput, kTypeAttribute}, infer_split, run_split, vjp_split);
constinit const OpDef kRowLengths =
    list_op("list_row_lengths", {kListMetadataInput, kConstantOutput}, infer_row_lengths,
            run_row_lengths, nullptr, kMetadataReason);

constinit const OpDef kEntryShape =
    list_op("list_entry_shape", {kConstantListAndPosition, kConstantOutput}, infer_entry_shape,
            run_entry_shape, nullptr, kMetadataReason);

const char* call_name(const OpDef& def) {
  if (&def == &kAt) return "read";
  if (&def == &kStack) return "stack";
  if (&def == &kConcatList) return "concat";
  return &def == &kPut ? "write" : def.name;
}

Value* new_list(const Type& list) {
  return Builder::current().append(kNewList, {}, {text(list)}).results[0].get();
}

}  // namespace oploom::program
