#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/program/control.h"
#include "runtime/program/control_run.h"
#include "runtime/program/interpreter.h"

// Runs of the list ops. Every change is made in the list itself where this op is its last reader
// and nobody else holds it: a push, a put or a sum then costs no more than its own entry.
namespace oploom::program {
namespace {

std::vector<Slot>& entries(RunFrame& frame, std::size_t input) {
  Ref<ListData>& list = frame.inputs[input]->list;
  if (!list) [[unlikely]] {
    raise(ErrorKind::kRuntime, "[", call_name(*frame.op.def),
          "] list: expected a list, got a value that was never made");
  }
  return list->items;
}

std::int64_t integer_of(const Tensor& x) {
  return dispatch(x.dtype(), [&x](auto tag) {
    return static_cast<std::int64_t>(*x.data<typename decltype(tag)::type>());
  });
}

// Where the integer of an input points; from the end where it is negative. limit: one past the last
// allowed.
std::size_t position(RunFrame& frame, std::size_t input, std::size_t size, std::size_t limit) {
  const std::int64_t i = integer_of(frame.inputs[input]->tensor);
  const auto count = static_cast<std::int64_t>(size);
  if (i < -count || i >= static_cast<std::int64_t>(limit)) [[unlikely]] {
    if (limit == 0) {
      raise(ErrorKind::kIndex, "[", call_name(*frame.op.def),
            "] index: expected a list with entries, got one of length 0 and index ", i,
            "; write an entry first");
    }
    raise(ErrorKind::kIndex, "[", call_name(*frame.op.def), "] index: expected ", -count, " to ",
          limit - 1, " for a list of length ", size, ", got ", i, "; give an index in that range");
  }
  return static_cast<std::size_t>(i < 0 ? i + count : i);
}

Tensor zeros(Ints shape, DType dtype) {
  Tensor out = empty(shape, dtype);
  // All bits 0 is the number 0 in every dtype.
  if (out.nbytes() > 0) std::memset(out.bytes(), 0, out.nbytes());
  return out;
}

template <typename T>
void add_elements(T* to, const T* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, bool>)
      to[i] = to[i] || from[i];
    else if constexpr (std::is_floating_point_v<T>)
      to[i] += from[i];
    else
      to[i] =
          static_cast<T>(static_cast<std::uint64_t>(to[i]) + static_cast<std::uint64_t>(from[i]));
  }
}

// into + other, in into's buffer where nobody else has it.
void add(const char* op, Tensor& into, const Tensor& other) {
  if (!(into.shape() == other.shape()) || into.dtype() != other.dtype()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] x: expected an entry of shape ", into.shape(),
          " and dtype ", into.dtype(), ", got ", other.shape(), " and ", other.dtype());
  }
  if (!solely_held(into) || !into.contiguous()) into = copied(into);
  const Tensor from = contiguous(other);
  dispatch(into.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    add_elements(into.data<T>(), from.data<T>(), into.numel());
  });
}

// The entries of a list that is handed over: moved out where nobody else holds it.
std::vector<Slot> entries_of(Slot list) {
  count_entries(list.list->items.size());
  const bool last = list.list->count.load(std::memory_order_acquire) == 1;
  return last ? std::move(list.list->items) : list.list->items;
}

void add(const char* op, Slot& into, Slot other);

void add_lists(const char* op, Slot& into, Slot other) {
  std::vector<Slot>& items = list_to_write(into).items;
  std::vector<Slot> more = entries_of(std::move(other));
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (i < items.size())
      add(op, items[i], std::move(more[i]));
    else
      items.push_back(std::move(more[i]));
  }
}

void add(const char* op, Slot& into, Slot other) {
  if (!into.list && !into.tensor.defined())
    into = std::move(other);
  else if (into.list && other.list)
    add_lists(op, into, std::move(other));
  else if (other.tensor.defined())
    add(op, into.tensor, other.tensor);
}

Slot zeros_like(const Slot& x) {
  Slot out;
  if (x.tensor.defined()) out.tensor = zeros(x.tensor.shape(), x.tensor.dtype());
  if (!x.list) return out;
  out.list = Ref<ListData>::adopt(new ListData);
  out.list->items.reserve(x.list->items.size());
  count_entries(x.list->items.size());
  for (const Slot& item : x.list->items) out.list->items.push_back(zeros_like(item));
  return out;
}

// The shape of an entry where there is none to ask.
Dims declared_shape(RunFrame& frame) {
  const Type& list = frame.op.inputs[0]->type;
  bool known = !list.open;
  for (std::size_t i = frame.op.def->name == std::string_view("list_concat") ? 1 : 0;
       i < list.shape.size(); ++i) {
    known = known && list.shape[i] >= 0;
  }
  if (known) return list.shape;
  raise(ErrorKind::kArgument, "[", call_name(*frame.op.def),
        "] list: expected at least one entry, got an empty ", list,
        ", whose lengths are not known; write an entry first");
}

// Puts rows of all entries one behind the other into out, which has them on axis 0.
void copy_rows(RunFrame& frame, const Tensor& out, bool new_axis) {
  const Dims strides = contiguous_strides(out.shape());
  std::int64_t row = 0;
  for (const Slot& item : entries(frame, 0)) {
    const Tensor& x = item.tensor;
    Dims shape = x.shape();
    if (new_axis) {
      shape = Dims{1};
      for (const std::int64_t length : x.shape()) shape.push_back(length);
    }
    const Ints rest(out.shape().data() + 1, out.shape().size() - 1);
    if (x.dtype() != out.dtype() || shape.size() != out.shape().size() ||
        !(Ints(shape.begin() + 1, shape.size() - 1) == rest)) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", call_name(*frame.op.def),
            "] list: expected entries that agree in dtype and in the lengths ", rest, ", got ",
            x.dtype(), x.shape(), "; reshape or cast one of them");
    }
    const std::int64_t rows = shape[0];
    if (x.numel() > 0) {
      const Ints part_strides(strides.begin() + (new_axis ? 1 : 0), x.shape().size());
      copy_elements(x, alias(out, x.shape(), part_strides, row * strides[0]));
    }
    row += rows;
  }
}

// Part [first, first + rows) of x on axis 0, without that axis where drop_axis.
Tensor rows_of(const Tensor& x, std::int64_t first, std::int64_t rows, bool drop_axis) {
  Dims shape = x.shape();
  shape[0] = rows;
  const bool nothing = count_elements(shape) == 0;
  const std::int64_t offset = x.offset() + (nothing ? 0 : first * x.strides()[0]);
  if (!drop_axis) return alias(x, shape, x.strides(), offset);
  const std::size_t rank = shape.size() - 1;
  return alias(x, Ints(shape.begin() + 1, rank), Ints(x.strides().data() + 1, rank), offset);
}

}  // namespace

// --- Changing and reading.

void run_new_list(RunFrame& frame) { frame.outputs[0]->list = Ref<ListData>::adopt(new ListData); }

void run_push(RunFrame& frame) {
  Slot list = frame.take(0);
  list_to_write(list).items.push_back(frame.take(1));
  *frame.outputs[0] = std::move(list);
}

void run_pop(RunFrame& frame) {
  Slot list = frame.take(0);
  std::vector<Slot>& items = list_to_write(list).items;
  if (items.empty()) [[unlikely]] {
    raise(ErrorKind::kIndex, "[list_pop] list: expected at least one entry, got an empty list");
  }
  *frame.outputs[1] = std::move(items.back());
  items.pop_back();
  *frame.outputs[0] = std::move(list);
}

void run_at(RunFrame& frame) {
  std::vector<Slot>& items = entries(frame, 0);
  *frame.outputs[0] = items[position(frame, 1, items.size(), items.size())];
}

void run_put(RunFrame& frame) {
  const std::size_t size = entries(frame, 0).size();
  const std::size_t at = position(frame, 1, size, size + 1);
  Slot list = frame.take(0);
  std::vector<Slot>& items = list_to_write(list).items;
  if (at == size) items.emplace_back();
  items[at] = frame.take(2);
  *frame.outputs[0] = std::move(list);
}

void run_length(RunFrame& frame) {
  frame.output(0) =
      scalar_tensor(static_cast<std::int64_t>(entries(frame, 0).size()), DType::kInt64);
}

void run_stack(RunFrame& frame) {
  const std::vector<Slot>& items = entries(frame, 0);
  Dims shape{static_cast<std::int64_t>(items.size())};
  const Dims entry = items.empty() ? declared_shape(frame) : Dims(items[0].tensor.shape());
  for (const std::int64_t length : entry) shape.push_back(length);
  frame.output(0) = empty(shape, frame.op.inputs[0]->type.dtype);
  copy_rows(frame, frame.output(0), true);
}

void run_concat(RunFrame& frame) {
  const std::vector<Slot>& items = entries(frame, 0);
  Dims shape = items.empty() ? declared_shape(frame) : Dims(items[0].tensor.shape());
  shape[0] = 0;
  for (const Slot& item : items) shape[0] += item.tensor.rank() == 0 ? 0 : item.tensor.size(0);
  frame.output(0) = empty(shape, frame.op.inputs[0]->type.dtype);
  copy_rows(frame, frame.output(0), false);
}

// --- What gradients are made of.

void run_zeros_like(RunFrame& frame) { *frame.outputs[0] = zeros_like(*frame.inputs[0]); }

void run_add_lists(RunFrame& frame) {
  for (std::size_t i = 0; i < frame.inputs.size(); ++i) entries(frame, i);
  Slot sum = frame.take(0);
  for (std::size_t i = 1; i < frame.inputs.size(); ++i) add_lists("list_add", sum, frame.take(i));
  *frame.outputs[0] = std::move(sum);
}

void run_add_at(RunFrame& frame) {
  const std::size_t size = entries(frame, 0).size();
  const std::size_t at = position(frame, 1, size, size);
  Slot list = frame.take(0);
  add("list_add_at", list_to_write(list).items[at], frame.take(2));
  *frame.outputs[0] = std::move(list);
}

void run_cut(RunFrame& frame) {
  const std::size_t size = entries(frame, 0).size();
  const std::size_t count = position(frame, 1, size, size + 1);
  Slot list = frame.take(0);
  Slot rest;
  rest.list = Ref<ListData>::adopt(new ListData);
  if (count < size) {
    std::vector<Slot>& items = list_to_write(list).items;
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(count);
    rest.list->items.assign(std::move_iterator(first), std::move_iterator(items.end()));
    count_entries(size - count);
    items.resize(count);
  }
  *frame.outputs[0] = std::move(list);
  *frame.outputs[1] = std::move(rest);
}

void run_extend(RunFrame& frame) {
  entries(frame, 0);
  entries(frame, 1);
  Slot list = frame.take(0);
  std::vector<Slot> more = entries_of(frame.take(1));
  std::vector<Slot>& items = list_to_write(list).items;
  std::move(more.begin(), more.end(), std::back_inserter(items));
  *frame.outputs[0] = std::move(list);
}

void run_unstack(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  auto list = Ref<ListData>::adopt(new ListData);
  list->items.reserve(static_cast<std::size_t>(x.size(0)));
  for (std::int64_t i = 0; i < x.size(0); ++i)
    list->items.push_back({rows_of(x, i, 1, true), nullptr});
  frame.outputs[0]->list = std::move(list);
}

void run_split(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const Tensor lengths = contiguous(frame.input(1));
  auto list = Ref<ListData>::adopt(new ListData);
  const Type expected = element_of(frame.op.results[0]->type);
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < lengths.numel(); ++i) {
    const std::int64_t rows = lengths.data<std::int64_t>()[i];
    if (rows < 0 || rows > x.size(0) - row) [[unlikely]] {
      raise(ErrorKind::kArgument, "[list_split] lengths: expected lengths that sum to ", x.size(0),
            ", got ", rows, " with ", x.size(0) - row, " rows left");
    }
    list->items.push_back({rows_of(x, row, rows, false), nullptr});
    const Tensor& part = list->items.back().tensor;
    if (const Type got = tensor_type(part.dtype(), part.shape()); !holds(expected, got)) [[unlikely]] {
      raise(ErrorKind::kArgument, "[list_split] lengths: expected parts of type ", expected, ", got ", got);
    }
    row += rows;
  }
  if (row != x.size(0)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[list_split] lengths: expected lengths that sum to ", x.size(0),
          ", got ", row);
  }
  frame.outputs[0]->list = std::move(list);
}

// Of an entry that is not there yet: what the type says, and nothing where it does not.
void run_entry_shape(RunFrame& frame) {
  const std::vector<Slot>& items = entries(frame, 0);
  const std::size_t at = position(frame, 1, items.size(), items.size() + 1);
  Dims shape = frame.op.inputs[0]->type.shape;
  for (std::int64_t& length : shape) length = std::max<std::int64_t>(length, 0);
  if (at < items.size()) shape = items[at].tensor.shape();
  frame.output(0) = numbers_of(shape);
}

void run_row_lengths(RunFrame& frame) {
  const std::vector<Slot>& items = entries(frame, 0);
  frame.output(0) = empty({static_cast<std::int64_t>(items.size())}, DType::kInt64);
  auto* lengths = frame.output(0).data<std::int64_t>();
  for (const Slot& item : items) *lengths++ = item.tensor.size(0);
}

}  // namespace oploom::program
