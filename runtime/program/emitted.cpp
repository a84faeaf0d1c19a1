#include "runtime/program/emitted.h"

#include <algorithm>

#include "runtime/core/error.h"

namespace oploom::program::emitted {
namespace {

// The rank that an attribute counts in; nothing for a list without members.
std::optional<int> rank_of(const Op& op, std::size_t group) {
  const auto values = op.group(group);
  if (values.empty()) return std::nullopt;
  return values[0]->type.shape.rank();
}

bool has_unknown(Ints lengths) {
  return std::find(lengths.begin(), lengths.end(), -1) != lengths.end();
}

}  // namespace

std::vector<Meta> metas(const Op& op, std::size_t group) {
  std::vector<Meta> found;
  for (const Value* value : op.group(group)) found.push_back(value->type.meta());
  return found;
}

Number number(const Op& op, std::size_t i) {
  if (Value* value = op.attribute_value(i)) return Number(value);
  const Attribute& attribute = op.attributes[i];
  if (const auto* whole = std::get_if<std::int64_t>(&attribute)) return *whole;
  if (const auto* real = std::get_if<double>(&attribute)) return *real;
  return std::get<Scalar>(attribute);
}

Numbers numbers(const Op& op, std::size_t i) {
  if (Value* value = op.attribute_value(i)) return Numbers(value);
  return std::get<Lengths>(op.attributes[i]);
}

double known(const Number& number) {
  if (!number.known()) {
    raise(
        ErrorKind::kUnimplemented,
        "[program] a rule decides by a number that is known at run time only; give a plain number");
  }
  return number.scalar().to_double();
}

std::int64_t known_int(const Number& number) {
  known(number);
  return number.scalar().to_int();
}

bool all_known(const Op& op) {
  const auto& values = op.attribute_values;
  return std::all_of(values.begin(), values.end(), [](const Value* v) { return v == nullptr; });
}

// --- Attributes in normal form.

void normalise_axis(Op& op, std::size_t i, std::size_t group) {
  const auto rank = rank_of(op, group);
  if (op.attribute_value(i) != nullptr || !rank) return;
  auto& axis = std::get<std::int64_t>(op.attributes[i]);
  axis = infer::axis(op.def->name, axis, *rank);
}

void normalise_axes(Op& op, std::size_t i, std::size_t group) {
  const auto rank = rank_of(op, group);
  if (op.attribute_value(i) != nullptr || !rank) return;
  auto& axes = std::get<Lengths>(op.attributes[i]);
  const Dims normal = infer::axes(op.def->name, axes, *rank);
  axes.assign(normal.begin(), normal.end());
}

void normalise_shape(Op& op, std::size_t i, std::size_t group) {
  if (op.attribute_value(i) != nullptr) return;
  auto& shape = std::get<Lengths>(op.attributes[i]);
  const Dims normal = infer::target_shape(op.def->name, shape, meta(op, group));
  shape.assign(normal.begin(), normal.end());
}

void normalise_index(Op& op, std::size_t i, std::size_t group) {
  auto& index = std::get<Index>(op.attributes[i]);
  index = index.normalised(op.def->name, meta(op, group).shape);
}

void normalise_within(Op& op, std::size_t i, std::size_t lengths) {
  auto& index = std::get<Index>(op.attributes[i]);
  index = index.normalised(op.def->name, std::get<Lengths>(op.attributes[lengths]));
}

// --- Types.

Type like(const Meta& x) {
  if (!x.present) return tensor_type(DType::kBool, {0});
  return tensor_type(x.dtype, x.shape);
}

void expect_fits(const Op& op, const char* target, const Meta& x, Ints shape, DType dtype) {
  bool fits = x.dtype == dtype && x.rank() == shape.rank();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    fits = x.shape[i] == shape[i] || x.shape[i] < 0 || shape[i] < 0;
  }
  if (fits) return;
  const char* name = op.def->inplace_name != nullptr ? op.def->inplace_name : op.def->name;
  raise(ErrorKind::kInplace, "[", name, "] ", target, ": the result has shape ", shape,
        " and dtype ", dtype, ", which do not fit into shape ", x.shape, " and dtype ", x.dtype,
        "; use the form that is not in-place");
}

// --- Running.

Dims axes_now(const RunFrame& frame, std::size_t i, std::size_t group) {
  const Ints axes = frame.attribute<Lengths>(i);
  if (frame.op.attribute_value(i) == nullptr) return axes;
  return infer::axes(frame.op.def->name, axes, frame.input(group).rank());
}

Dims shape_now(const RunFrame& frame, std::size_t i, std::size_t group) {
  const Ints shape = frame.attribute<Lengths>(i);
  if (!has_unknown(shape)) return shape;
  return infer::target_shape(frame.op.def->name, shape, frame.input(group));
}

Index index_now(const RunFrame& frame, std::size_t i, std::size_t group) {
  const auto& index = frame.attribute<Index>(i);
  if (!has_unknown(frame.op.input(group)->type.shape)) return index;
  return index.normalised(frame.op.def->name, frame.input(group).shape());
}

Index index_within(const RunFrame& frame, std::size_t i, std::size_t lengths) {
  const auto& index = frame.attribute<Index>(i);
  if (frame.op.attribute_value(lengths) == nullptr) return index;
  return index.normalised(frame.op.def->name, frame.attribute<Lengths>(lengths));
}

Tensor result_apart(const RunFrame& frame, std::size_t i, Ints shape, DType dtype) {
  if (!frame.inplace) return empty(shape, dtype);
  const Tensor out = frame.buffer_or_fresh(i, shape, dtype);
  // The same tensor may be given twice.
  const auto holds = [&out](const Slot* slot) { return slot->tensor.impl() == out.impl(); };
  const bool twice = std::count_if(frame.inputs.begin(), frame.inputs.end(), holds) > 1;
  return twice ? empty(shape, dtype) : out;
}

std::vector<Tensor> results_like(std::span<const Tensor> xs) {
  std::vector<Tensor> results;
  for (const Tensor& x : xs) results.push_back(empty(x.shape(), x.dtype()));
  return results;
}

std::vector<Tensor> list(RunFrame& frame, std::size_t group) {
  const auto tensors = frame.list(group);
  return {tensors.begin(), tensors.end()};
}

void expect_rank(const RunFrame& frame, const char* argument, Ints axes) {
  if (frame.outputs[0]->tensor.rank() == frame.op.results[0]->type.shape.rank()) [[likely]]
    return;
  Dims open;
  for (const std::int64_t axis : axes) {
    if (frame.op.input(0)->type.shape[static_cast<std::size_t>(axis)] < 0) open.push_back(axis);
  }
  raise(ErrorKind::kArgument, "[", frame.op.def->name, "] ", argument,
        ": expected axes of length 1 where a length is known at run time only, got ", Ints(open),
        " of shape ", frame.input(0).shape(),
        ": the number of dimensions is settled while recording; keep the axis, or take one entry "
        "of it");
}

void fill_absent(Tensor& output) {
  if (!output.defined()) output = empty({0}, DType::kBool);
}

Tensor view(const Tensor& x, const ViewMap& map) {
  return alias(x, map.shape, map.strides, map.offset);
}

Tensor view_or_copy(const Tensor& x, const std::optional<ViewMap>& map, Ints shape) {
  if (map) return view(x, *map);
  Tensor out = copied(x);
  set_map(*out.impl(), shape, contiguous_strides(shape));
  return out;
}

// --- Building.

OpCall& OpCall::in(Value* value) {
  if (value == nullptr) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", def_.name, "] ", def_.inputs[groups_.size()].name,
          ": expected a value, got none");
  }
  inputs_.push_back(value);
  groups_.push_back(1);
  return *this;
}

OpCall& OpCall::optional(Value* value) {
  if (value != nullptr) inputs_.push_back(value);
  groups_.push_back(value != nullptr ? 1 : 0);
  return *this;
}

OpCall& OpCall::list(std::span<Value* const> values) {
  inputs_.insert(inputs_.end(), values.begin(), values.end());
  groups_.push_back(static_cast<std::uint32_t>(values.size()));
  return *this;
}

OpCall& OpCall::attr(const Number& value) {
  const std::string_view type = def_.attributes[attributes_.size()].type;
  Attribute known = value.scalar();
  if (type.starts_with("float")) known = value.scalar().to_double();
  if (type.starts_with("int")) known = value.scalar().to_int();
  attributes_.push_back(std::move(known));
  values_.push_back(value.value());
  return *this;
}

OpCall& OpCall::attr(const Numbers& value) {
  attributes_.emplace_back(value.list());
  values_.push_back(value.value());
  return *this;
}

OpCall& OpCall::known_attr(Attribute value) {
  attributes_.push_back(std::move(value));
  values_.push_back(nullptr);
  return *this;
}

std::vector<Value*> OpCall::all() {
  const bool plain = std::all_of(def_.inputs.begin(), def_.inputs.end(), [](const InputDef& input) {
    return input.kind == InputDef::Kind::kTensor || input.kind == InputDef::Kind::kOperand;
  });
  if (plain) groups_.clear();  // one each, as Op says it
  if (std::all_of(values_.begin(), values_.end(), [](const Value* v) { return v == nullptr; }))
    values_.clear();
  return Builder::current().call(def_, std::move(inputs_), std::move(attributes_),
                                 std::move(groups_), std::move(values_));
}

}  // namespace oploom::program::emitted
