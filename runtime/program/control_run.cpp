#include "runtime/program/control_run.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/program/builder.h"
#include "runtime/program/interpreter.h"

// Runs of metadata, shift, undefined; and what run functions see of a call. Lists are in
// list_run.cpp.
namespace oploom::program {

Tensor numbers_of(Ints values) {
  Tensor out = empty({static_cast<std::int64_t>(values.size())}, DType::kInt64);
  if (!values.empty()) std::memcpy(out.bytes(), values.data(), out.nbytes());
  return out;
}

namespace {

Tensor number_of(const Scalar& value) {
  return scalar_tensor(value,
                       value.category() == Category::kFloat ? DType::kFloat64 : DType::kInt64);
}

}  // namespace

__thread std::int64_t list_entries_handled = 0;

// --- The frame.

const Tensor& RunFrame::grouped_input(std::size_t group) const {
  static const Tensor absent;
  if (op.group_sizes[group] == 0) return absent;
  std::size_t first = 0;
  for (std::size_t g = 0; g < group; ++g) first += op.group_sizes[g];
  return inputs[first]->tensor;
}

std::span<const Tensor> RunFrame::list(std::size_t group) {
  std::size_t first = group;
  std::size_t size = 1;
  if (!op.group_sizes.empty()) {
    first = 0;
    for (std::size_t g = 0; g < group; ++g) first += op.group_sizes[g];
    size = op.group_sizes[group];
  }
  gathered.clear();
  for (Slot* slot : inputs.subspan(first, size)) gathered.push_back(slot->tensor);
  return gathered;
}

Slot RunFrame::take(std::size_t flat) {
  Slot* slot = inputs[flat];
  const bool last = flat < 64 && (dying >> flat & 1) != 0;
  // One value may be given twice: only one of them could have it.
  const auto uses = std::count(inputs.begin(), inputs.end(), slot);
  if (last && uses == 1) return std::exchange(*slot, Slot());
  return *slot;
}

ListData& list_to_write(Slot& slot) {
  if (!slot.list) [[unlikely]] {
    raise(ErrorKind::kRuntime, "[list] expected a list, got a value that was never made");
  }
  if (slot.list->count.load(std::memory_order_acquire) != 1) {
    auto copy = Ref<ListData>::adopt(new ListData);
    copy->items = slot.list->items;
    count_entries(copy->items.size());
    slot.list = std::move(copy);
  }
  return *slot.list;
}

Attribute attribute_of(const Tensor& numbers, std::string_view type) {
  if (numbers.rank() == 1) {
    const auto* first = numbers.data<std::int64_t>();
    return std::vector<std::int64_t>(first, first + numbers.numel());
  }
  const Scalar value = numbers.dtype() == DType::kFloat64 ? Scalar(*numbers.data<double>())
                                                          : Scalar(*numbers.data<std::int64_t>());
  if (type.starts_with("scalar")) return value;
  if (type.starts_with("float")) return value.to_double();
  if (type.ends_with("[]")) return std::vector<std::int64_t>{value.to_int()};
  return value.to_int();
}

void expect_known(const Op& op, std::size_t i, const Attribute& now) {
  const auto* known = std::get_if<std::vector<std::int64_t>>(&op.attributes[i]);
  if (known == nullptr) return;
  const auto& given = std::get<std::vector<std::int64_t>>(now);
  // How many there are comes from inference alone, also where a file is loaded.
  if (known->size() != given.size()) return;
  bool fits = true;
  for (std::size_t k = 0; fits && k < given.size(); ++k) {
    fits = (*known)[k] < 0 || (*known)[k] == given[k];
  }
  if (fits) [[likely]]
    return;
  raise(ErrorKind::kArgument, "[", op.def->name, "] ", op.def->attributes[i].name, ": expected ",
        Ints(*known), " (-1: any), which the types of the program were worked out with, got ",
        Ints(given), "; record and save the program again");
}

// --- Metadata.

void run_metadata(RunFrame& frame) {
  const auto& function = frame.attribute<std::string>(0);
  const auto axis = static_cast<std::size_t>(frame.attribute<std::int64_t>(1));
  if (function == "sizes") {
    std::vector<std::int64_t> lengths;
    for (const Slot* x : frame.inputs) lengths.push_back(x->tensor.shape()[axis]);
    frame.output(0) = numbers_of(lengths);
    return;
  }
  const Tensor& x = frame.inputs[0]->tensor;
  if (function == "shape")
    frame.output(0) = numbers_of(x.shape());
  else
    frame.output(0) = number_of(function == "numel" ? x.numel() : x.shape()[axis]);
}

void run_arithmetic(RunFrame& frame) {
  const char op = frame.attribute<std::string>(0)[0];
  frame.output(0) =
      number_of(arithmetic(op, frame.attribute<Scalar>(1), frame.attribute<Scalar>(2)));
}

void run_to_operand(RunFrame& frame) {
  frame.output(0) = Operand(frame.attribute<Scalar>(0)).tensor();
}

// --- shift, undefined.

void run_shift(RunFrame& frame) { *frame.outputs[0] = frame.take(1); }

// A placeholder that takes no memory to speak of: in a loop it is carried, kept and even summed in
// the trips whose branch was not taken, though nothing of it reaches a result.
void run_undefined(RunFrame& frame) {
  const Type type = type_of_attributes(frame.op);
  if (type.is_list()) {
    frame.outputs[0]->list = Ref<ListData>::adopt(new ListData);
    return;
  }
  Dims shape = type.shape;
  if (type.is_numbers() && !shape.empty()) {
    frame.output(0) = numbers_of(std::vector<std::int64_t>(static_cast<std::size_t>(shape[0]), 0));
    return;
  }
  for (std::int64_t& length : shape) length = std::max<std::int64_t>(length, 0);
  const Tensor zero = scalar_tensor(0, type.dtype);
  frame.output(0) = alias(zero, shape, Dims::filled(shape.rank(), 0), 0);
}

}  // namespace oploom::program
