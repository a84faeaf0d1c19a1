#include <array>
#include <numeric>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/program/gradients.h"
#include "tests/cpp/program_toy_ops.h"

// Ops that make tensors, change shapes or read and write parts.
namespace oploom::program::toy {
namespace {

using Kind = InputDef::Kind;
using Lengths = std::vector<std::int64_t>;
constexpr OutputDef kOut[] = {{"out"}};
constexpr InputDef kX[] = {{"x"}};
constexpr InputDef kXShape[] = {{"x", Kind::kTensor, true, true}};
constexpr OpDef::Pair kFirst[] = {{0, 0}};

const Lengths& lengths(const Op& op, std::size_t i) { return std::get<Lengths>(op.attributes[i]); }

DType chosen(const Attribute& attribute, DType otherwise) {
  const auto* given = std::get_if<DType>(&attribute);
  return given == nullptr ? otherwise : *given;
}

// --- Types.

void infer_made(const Op& op, std::vector<Type>& results) {  // shape, dtype last
  results.push_back(tensor_type(chosen(op.attributes.back(), DType::kFloat32), lengths(op, 0)));
}
void infer_full(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(chosen(op.attributes[2], std::get<Scalar>(op.attributes[1]).dtype()), lengths(op, 0)));
}
void infer_uniform(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(DType::kFloat32, lengths(op, 0)));
}
void infer_cast(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(std::get<DType>(op.attributes[0]), meta_of(op, 0).shape));
}
void infer_sum(const Op& op, std::vector<Type>& results) {
  const Dims shape = infer::reduced("sum", meta_of(op, 0), lengths(op, 0), std::get<bool>(op.attributes[1]));
  results.push_back(tensor_type(meta_of(op, 0).dtype, shape));
}
void infer_mean(const Op& op, std::vector<Type>& results) { results.push_back(tensor_type(meta_of(op, 0).dtype, {})); }
void infer_to_shape(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(meta_of(op, 0).dtype, lengths(op, 0)));
}
void infer_reshape(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(meta_of(op, 0).dtype, infer::reshaped("reshape", meta_of(op, 0), lengths(op, 0))));
}
void infer_slice(const Op& op, std::vector<Type>& results) {
  const auto& index = std::get<Index>(op.attributes[0]);
  results.push_back(tensor_type(meta_of(op, 0).dtype, infer::sliced("slice", meta_of(op, 0), index)));
}
void infer_like_first(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(meta_of(op, 0).dtype, meta_of(op, 0).shape));
}
void infer_concat(const Op& op, std::vector<Type>& results) {
  Type type = op.inputs[0]->type;
  const auto axis = static_cast<std::size_t>(std::get<std::int64_t>(op.attributes[0]));
  type.shape[axis] = 0;
  for (const Value* x : op.inputs) {
    const std::int64_t length = x->type.shape[axis];
    type.shape[axis] = length < 0 || type.shape[axis] < 0 ? -1 : type.shape[axis] + length;
  }
  results.push_back(type);
}
void infer_split(const Op& op, std::vector<Type>& results) {
  for (const std::int64_t length : lengths(op, 0)) {
    results.push_back(op.inputs[0]->type);
    results.back().shape[0] = length;
  }
}

// --- Kernels. Everything is dense.

Tensor& make(RunFrame& frame, std::size_t i, Ints shape) {
  frame.output(i) = empty(shape, frame.op.results[i]->type.dtype);
  return frame.output(i);
}

template <int value>
void run_filled(RunFrame& frame) {
  Tensor& out = make(frame, 0, frame.attribute<Lengths>(0));
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, value);
}
void run_full(RunFrame& frame) {
  Tensor& out = make(frame, 0, frame.attribute<Lengths>(0));
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, frame.attribute<Scalar>(1).to_double());
}
void run_copy(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Tensor& out = make(frame, 0, x.shape());
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, element(x, i));
}
// Of all elements; the gradient tests reduce no other way.
double total(const Tensor& x) {
  double sum = 0;
  for (std::int64_t i = 0; i < x.numel(); ++i) sum += element(x, i);
  return sum;
}
void run_sum(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  if (!frame.attribute<Lengths>(0).empty()) raise(ErrorKind::kUnimplemented, "[sum] the toy sums all axes only");
  const bool keep = frame.attribute<bool>(1);
  set_element(make(frame, 0, keep ? Dims::filled(x.rank(), 1) : Dims()), 0, total(x));
}
void run_mean(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  set_element(make(frame, 0, {}), 0, total(x) / static_cast<double>(x.numel()));
}
void run_sum_to(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Tensor& out = make(frame, 0, frame.attribute<Lengths>(0));
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, 0);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const std::int64_t at = broadcast_from(i, x.shape(), out.shape());
    set_element(out, at, element(out, at) + element(x, i));
  }
}
void run_expand(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const Dims shape = infer::expanded("expand", Meta(x), frame.attribute<Lengths>(0));
  Tensor& out = make(frame, 0, shape);
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, element(x, broadcast_from(i, shape, x.shape())));
}
void run_reshape(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Tensor& out = make(frame, 0, infer::target_shape("reshape", frame.attribute<Lengths>(0), Meta(x)));
  for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, element(x, i));
}
// f(position in the part, position in x), row-major.
template <typename F>
void for_part(const Index& index, Ints x_shape, F&& f) {
  const ViewMap map = index.map(contiguous_strides(x_shape));
  for (std::int64_t i = 0; i < count_elements(map.shape); ++i) {
    std::int64_t at = map.offset;
    std::int64_t rest = i;
    for (std::size_t axis = map.shape.size(); axis-- > 0;) {
      at += rest % map.shape[axis] * map.strides[axis];
      rest /= map.shape[axis];
    }
    f(i, at);
  }
}
void run_slice(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const auto& index = frame.attribute<Index>(0);
  Tensor& out = make(frame, 0, index.part_shape());
  for_part(index, x.shape(), [&](std::int64_t i, std::int64_t at) { set_element(out, i, element(x, at)); });
}
void run_set_item(RunFrame& frame) {
  frame.output(0) = frame.writable(0);
  const Tensor& value = frame.input(1);
  const auto& index = frame.attribute<Index>(0);
  const Dims shape = index.part_shape();
  for_part(index, frame.input(0).shape(), [&](std::int64_t i, std::int64_t at) {
    set_element(frame.output(0), at, element(value, broadcast_from(i, shape, value.shape())));
  });
}
void run_concat(RunFrame& frame) {
  if (frame.attribute<std::int64_t>(0) != 0) raise(ErrorKind::kUnimplemented, "[concat] the toy knows axis 0 only");
  const auto xs = frame.list(0);
  Dims shape = xs[0].shape();
  shape[0] = std::accumulate(xs.begin(), xs.end(), std::int64_t{0},
                             [](std::int64_t sum, const Tensor& x) { return sum + x.size(0); });
  Tensor& out = make(frame, 0, shape);
  std::int64_t at = 0;
  for (const Tensor& x : xs) {
    for (std::int64_t i = 0; i < x.numel(); ++i) set_element(out, at++, element(x, i));
  }
}
void run_split(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Dims shape = x.shape();
  std::int64_t at = 0;
  for (std::size_t k = 0; k < frame.attribute<Lengths>(0).size(); ++k) {
    shape[0] = frame.attribute<Lengths>(0)[k];
    Tensor& out = make(frame, k, shape);
    for (std::int64_t i = 0; i < out.numel(); ++i) set_element(out, i, element(x, at++));
  }
}

// --- Gradients.

void vjp_pass(Vjp& v) { v.give(0, v.grad(0)); }
void vjp_spread(Vjp& v) { v.give(0, expand(v.grad(0), shape(v.input(0)))); }
void vjp_sum(Vjp& v) {
  Value* g = v.grad(0);
  if (std::get<bool>(v.attribute(1)) || std::get<Lengths>(v.attribute(0)).empty()) {
    v.give(0, expand(g, shape(v.input(0))));
    return;
  }
  const Dims kept = infer::reduced("sum", v.input(0)->type.meta(), std::get<Lengths>(v.attribute(0)), true);
  v.give(0, expand(reshape(g, kept), shape(v.input(0))));
}
void vjp_mean(Vjp& v) {
  Value* x = v.input(0);
  v.give(0, expand(multiply(v.grad(0), operand(Number(1.0) / numel(x))), shape(x)));
}
void vjp_expand(Vjp& v) { v.give(0, sum_to(v.grad(0), shape(v.input(0)))); }
void vjp_reshape(Vjp& v) { v.give(0, reshape(v.grad(0), shape(v.input(0)))); }
void vjp_slice(Vjp& v) {
  Value* x = v.input(0);
  v.give(0, set_item(zeros(shape(x), dtype(x)), v.grad(0), std::get<Index>(v.attribute(0))));
}
void vjp_set_item(Vjp& v) {
  const auto& index = std::get<Index>(v.attribute(0));
  if (v.needs(0)) v.give(0, set_item(v.grad(0), number(0), index));
  if (v.needs(1)) v.give(1, clone(slice(v.grad(0), index)));
}
void vjp_concat(Vjp& v) {
  Lengths parts;
  for (const Value* x : v.list(0)) parts.push_back(x->type.shape[0]);
  v.give_list(0, split(v.grad(0), parts));
}
void vjp_split(Vjp& v) {
  std::vector<Value*> parts;
  for (std::size_t i = 0; i < v.op().results.size(); ++i) {
    Value* part = v.op().results[i].get();
    Value* g = v.grad_list(0)[i];
    parts.push_back(g != nullptr ? g : zeros(shape(part), dtype(part)));
  }
  v.give(0, concat(parts, 0));
}

Value* write_reshape(const Op& view, Value* input, Value* part) {
  static_cast<void>(view);
  return reshape(part, shape(input));
}
Value* write_slice(const Op& view, Value* input, Value* part) {
  return set_item(input, part, std::get<Index>(view.attributes[0]));
}

// --- Tables.

Attribute absent() { return std::monostate(); }
Attribute no_axes() { return Lengths(); }
Attribute no() { return false; }
constexpr AttributeDef kShapeDType[] = {{"shape", "int[]"}, {"dtype", "dtype?", absent}};
constexpr AttributeDef kFullAttributes[] = {{"shape", "int[]"}, {"value", "scalar"}, {"dtype", "dtype?", absent}};
constexpr AttributeDef kUniformAttributes[] = {{"shape", "int[]"}, {"low", "float"}, {"high", "float"}};
constexpr AttributeDef kDType[] = {{"dtype", "dtype"}};
constexpr AttributeDef kReduceAttributes[] = {{"axis", "axes", no_axes}, {"keepdim", "bool", no}};
constexpr AttributeDef kShape[] = {{"shape", "int[]"}};
constexpr AttributeDef kTargetShape[] = {{"shape", "shape"}};
constexpr AttributeDef kIndex[] = {{"index", "index"}};
constexpr AttributeDef kAxis[] = {{"axis", "int"}};
constexpr AttributeDef kLengthsAttribute[] = {{"lengths", "int[]"}};
constexpr InputDef kXValue[] = {{"x"}, {"value", Kind::kOperand}};
constexpr InputDef kXs[] = {{"xs", Kind::kList}};
constexpr InputDef kSgdInputs[] = {{"param"}, {"grad"}, {"learning_rate", Kind::kOperand}};
constexpr OutputDef kOuts[] = {{"outs", false, true, true}};

void normalise_index(Op& op) {
  auto& index = std::get<Index>(op.attributes[0]);
  index = index.normalised(op.def->name, op.inputs[0]->type.shape);
}
void normalise_axes(Op& op) {
  auto& axes = std::get<Lengths>(op.attributes[0]);
  const Dims normal = infer::axes(op.def->name, axes, op.inputs[0]->type.shape.rank());
  axes.assign(normal.begin(), normal.end());
}
void normalise_shape(Op& op) {
  if (op.attribute_value(0) != nullptr) return;
  auto& shape = std::get<Lengths>(op.attributes[0]);
  const Dims normal = infer::target_shape(op.def->name, shape, op.inputs[0]->type.meta());
  shape.assign(normal.begin(), normal.end());
}
void run_sgd(RunFrame& frame) {
  run_copy(frame);
  const double rate = element(frame.input(2), 0);
  for (std::int64_t i = 0; i < frame.output(0).numel(); ++i) {
    set_element(frame.output(0), i, element(frame.input(0), i) - rate * element(frame.input(1), i));
  }
}

constexpr OpDef made(const char* name, std::span<const AttributeDef> attributes,
                     void (*infer)(const Op&, std::vector<Type>&), void (*run)(RunFrame&), std::uint32_t flags = 0) {
  return {.name = name, .inplace_name = nullptr, .inputs = {}, .attributes = attributes, .outputs = kOut,
          .inplace_pairs = {}, .flags = flags, .infer = infer, .run = run, .no_gradient = "no inputs"};
}
constexpr OpDef plain(const char* name, std::span<const InputDef> inputs, std::span<const AttributeDef> attributes,
                      void (*infer)(const Op&, std::vector<Type>&), void (*run)(RunFrame&), void (*vjp)(Vjp&)) {
  return {.name = name, .inplace_name = nullptr, .inputs = inputs, .attributes = attributes, .outputs = kOut,
          .inplace_pairs = {}, .flags = 0, .infer = infer, .run = run, .vjp = vjp};
}

constexpr OpDef kFull = made("full", kFullAttributes, infer_full, run_full);
constexpr OpDef kZeros = made("zeros", kShapeDType, infer_made, run_filled<0>);
constexpr OpDef kOnes = made("ones", kShapeDType, infer_made, run_filled<1>);
constexpr OpDef kUniform = made("uniform", kUniformAttributes, infer_uniform, run_filled<0>, OpDef::kRandom);
constexpr OpDef kCast = plain("cast", kX, kDType, infer_cast, run_copy, vjp_pass);
constexpr OpDef kMean = plain("mean", kX, {}, infer_mean, run_mean, vjp_mean);
constexpr OpDef kSumTo = plain("sum_to", kX, kShape, infer_to_shape, run_sum_to, vjp_spread);
constexpr OpDef kSum{.name = "sum", .inplace_name = nullptr, .inputs = kX, .attributes = kReduceAttributes,
                     .outputs = kOut, .inplace_pairs = {}, .flags = 0, .normalise = normalise_axes,
                     .infer = infer_sum, .run = run_sum, .vjp = vjp_sum};
constexpr OpDef kExpand{.name = "expand", .inplace_name = nullptr, .inputs = kXShape, .attributes = kShape,
                        .outputs = kOut, .inplace_pairs = {}, .flags = OpDef::kView, .infer = infer_to_shape,
                        .run = run_expand, .vjp = vjp_expand, .write = write_reshape};
constexpr OpDef kReshape{.name = "reshape", .inplace_name = "reshape_", .inputs = kXShape,
                         .attributes = kTargetShape, .outputs = kOut, .inplace_pairs = kFirst,
                         .flags = OpDef::kView | OpDef::kViewMayCopy, .normalise = normalise_shape,
                         .infer = infer_reshape, .run = run_reshape, .vjp = vjp_reshape, .write = write_reshape};
constexpr OpDef kSlice{.name = "slice", .inplace_name = nullptr, .inputs = kXShape, .attributes = kIndex,
                       .outputs = kOut, .inplace_pairs = {}, .flags = OpDef::kView, .normalise = normalise_index,
                       .infer = infer_slice, .run = run_slice, .vjp = vjp_slice, .write = write_slice};
constexpr OpDef kSetItem{.name = "set_item", .inplace_name = "set_item_", .inputs = kXValue, .attributes = kIndex,
                         .outputs = kOut, .inplace_pairs = kFirst, .flags = 0, .normalise = normalise_index,
                         .infer = infer_like_first, .run = run_set_item, .vjp = vjp_set_item};
constexpr OpDef kConcat = plain("concat", kXs, kAxis, infer_concat, run_concat, vjp_concat);
constexpr OpDef kSplit{.name = "split", .inplace_name = nullptr, .inputs = kX, .attributes = kLengthsAttribute,
                       .outputs = kOuts, .inplace_pairs = {}, .flags = 0, .infer = infer_split, .run = run_split,
                       .vjp = vjp_split};
constexpr OpDef kSgd{.name = "sgd_", .inplace_name = "sgd_", .inputs = kSgdInputs, .attributes = {}, .outputs = kOut,
                     .inplace_pairs = kFirst, .flags = OpDef::kUpdate | OpDef::kInplaceOnly,
                     .infer = infer_like_first, .run = run_sgd, .no_gradient = "an update"};

constexpr std::array kTable = {&kFull,   &kZeros,  &kOnes, &kUniform, &kCast,   &kMean,  &kSumTo, &kSum,
                               &kExpand, &kReshape, &kSlice, &kSetItem, &kConcat, &kSplit, &kSgd};

Attribute optional(std::optional<DType> dtype) { return dtype ? Attribute(*dtype) : Attribute(); }

}  // namespace

const std::span<const OpDef* const> kShapeOps = kTable;

Value* full(const Numbers& shape, Scalar value, std::optional<DType> dtype) {
  return call(kFull, {}, {shape.list(), value, optional(dtype)}, {shape.value()});
}
Value* zeros(const Numbers& shape, std::optional<DType> dtype) {
  return call(kZeros, {}, {shape.list(), optional(dtype)}, {shape.value()});
}
Value* ones(const Numbers& shape, std::optional<DType> dtype) {
  return call(kOnes, {}, {shape.list(), optional(dtype)}, {shape.value()});
}
Value* uniform(const Numbers& shape, double low, double high) {
  return call(kUniform, {}, {shape.list(), low, high}, {shape.value()});
}
Value* cast(Value* x, DType dtype) { return call(kCast, {x}, {dtype}); }
Value* sum(Value* x, Lengths axis, bool keepdim) { return call(kSum, {x}, {std::move(axis), keepdim}); }
Value* mean(Value* x) { return call(kMean, {x}); }
Value* sum_to(Value* x, const Numbers& shape) { return call(kSumTo, {x}, {shape.list()}, {shape.value()}); }
Value* expand(Value* x, const Numbers& shape) { return call(kExpand, {x}, {shape.list()}, {shape.value()}); }
Value* reshape(Value* x, const Numbers& shape) { return call(kReshape, {x}, {shape.list()}, {shape.value()}); }
Value* slice(Value* x, const Index& index) { return call(kSlice, {x}, {index}); }
Value* set_item(Value* x, Value* value, const Index& index) { return call(kSetItem, {x, value}, {index}); }
Value* concat(std::vector<Value*> xs, std::int64_t axis) {
  const auto count = static_cast<std::uint32_t>(xs.size());
  return Builder::current().call(kConcat, std::move(xs), {axis}, {count})[0];
}
std::vector<Value*> split(Value* x, Lengths parts) { return Builder::current().call(kSplit, {x}, {std::move(parts)}); }
Value* sgd(Value* param, Value* grad, Value* learning_rate) { return call(kSgd, {param, grad, learning_rate}); }

}  // namespace oploom::program::toy
