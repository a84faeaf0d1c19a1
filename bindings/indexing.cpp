#include "bindings/indexing.h"

#include <algorithm>
#include <optional>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/index_key.h"
#include "bindings/indexing_ops.h"
#include "bindings/object.h"

namespace oploom::python {

namespace {

constexpr const char* kNames[] = {"key", "value"};
PyObject* keys[2];
constexpr Parameters kReading{"x[key]", kNames, keys, 2, 2, 3};
constexpr Parameters kWriting{"x[key] = value", kNames, keys, 2, 2, 3};

bool in_order(Ints perm) {
  for (std::size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

template <typename X>
X transposed(const X& x, const Dims& perm) {
  return in_order(perm) ? x : indexing::transpose(x, perm);
}

// x with the indexed axes in front: a view, or x itself.
template <typename X>
X indexed_first(const X& x, const AdvancedKey<X>& key) {
  return transposed(key.whole ? x : indexing::slice(x, key.basic), key.axes_first());
}

template <typename X>
X read_advanced(const X& x, const AdvancedKey<X>& key) {
  const X out = indexing::index(indexed_first(x, key), key.indices);
  // out has the new axes first: [new..., others...]; they belong behind `place` others.
  const int new_rank = key.index_rank();
  Dims perm;
  for (int i = 0; i < key.place; ++i) perm.push_back(new_rank + i);
  for (int i = 0; i < new_rank; ++i) perm.push_back(i);
  const int rank = indexing::shape(out).rank();
  for (int i = new_rank + key.place; i < rank; ++i) perm.push_back(i);
  return transposed(out, perm);
}

// A value in the layout of the result, brought to [new..., others...].
template <typename X>
X value_for(const X& value, const AdvancedKey<X>& key) {
  const int new_rank = key.index_rank();
  const int rank = key.rank - static_cast<int>(key.axes.size()) + new_rank;
  if (key.place == 0 || new_rank == 0) return value;
  const Dims given = indexing::shape(value);
  Dims shape;
  for (int i = given.rank(); i < rank; ++i) shape.push_back(1);
  for (int i = std::max(0, given.rank() - rank); i < given.rank(); ++i)
    shape.push_back(given[static_cast<std::size_t>(i)]);
  Dims perm;
  for (int i = 0; i < new_rank; ++i) perm.push_back(key.place + i);
  for (int i = 0; i < key.place; ++i) perm.push_back(i);
  for (int i = key.place + new_rank; i < rank; ++i) perm.push_back(i);
  return transposed(given.rank() == rank ? value : indexing::reshape(value, shape), perm);
}

// x[key] = value where value is x[key] itself, as x[2:5] += 1 ends: nothing is to be written (E6).
bool is_part(const Tensor& x, const Index& key, const Tensor& value) {
  if (value.impl()->storage != x.impl()->storage || value.dtype() != x.dtype()) return false;
  const ViewMap part = key.normalised("x[key] = value", x.shape()).map(x.strides());
  const auto item = static_cast<std::int64_t>(size_of(x.dtype()));
  if (value.bytes() != x.bytes() + part.offset * item || value.shape() != Ints(part.shape))
    return false;
  for (std::size_t i = 0; i < part.shape.size(); ++i) {
    if (part.shape[i] != 1 && part.strides[i] != value.strides()[i]) return false;
  }
  return true;
}

// Lists and arrays are copied into a tensor; all else is as for every op.
Operand value_of(PyObject* value, Tensor& made) {
  const bool array = PyList_Check(value) || PyTuple_Check(value) ||
                     (!is_tensor(value) && !number_of(value) && PyObject_CheckBuffer(value) != 0);
  if (!array) return other_operand({kWriting, 1}, value, true);
  made = to_tensor(value, std::nullopt);
  return Operand(made);
}

// Where a key consists of ints, slices, None and the ellipsis alone, these.
bool basic_index(const Where& where, PyObject* key, Index& index) {
  if (!PyTuple_Check(key)) [[likely]]
    return add_basic_item(where, key, index);
  if (!is_basic_key(key)) return false;
  index = to_index(where, key);
  return true;
}

bool is_number(const Tensor& value) { return value.weak(); }
bool is_number(const program::Variable& value) { return value.type().weak; }

template <typename X>
void write_advanced(const X& x, const AdvancedKey<X>& key, const X& value) {
  const X placed = is_number(value) ? value : value_for(value, key);
  X target = indexed_first(x, key);
  indexing::index_put_(target, key.indices, placed);
}

// The value to write, while a program is recorded.
program::Variable recorded_value(PyObject* value) {
  const bool plain = is_program_value(value) || is_tensor(value) || number_of(value).has_value();
  if (plain) return to_operand({kWriting, 1}, value);
  Tensor made;
  value_of(value, made);  // refuses what is no array
  return constant(made);
}

bool is_part(const program::Variable& x, const Index& key, const program::Variable& value) {
  const program::Recorder& recorder = *thread_state.recorder;
  if (const auto layouts = recorder.layouts(x, value)) return is_part(layouts->x, key, layouts->part);
  return recorder.is_part(value, x, program::roles::kSlice, {key});
}

// The same as is_part for x[i] at positions that are known at run time only.
bool is_picked(const program::Variable& value, const program::Variable& x,
               const AdvancedKey<program::Variable>& key) {
  return key.whole && in_order(key.axes_first()) &&
         thread_state.recorder->is_pick(value, x, key.indices);
}

program::Variable recorded_target(PyObject* self) {
  if (is_program_value(self)) expect_recording(self, "index");
  return to_variable({kReading, 0}, self);
}

}  // namespace

PyObject* program_subscript(PyObject* self, PyObject* key) {
  return guarded([&] {
    const program::Variable x = recorded_target(self);
    if (is_basic_key(key)) return wrap(indexing::slice(x, to_index({kReading, 0}, key)));
    const auto advanced = advanced_key(x, key);
    if (advanced.indices.empty()) return wrap(indexing::slice(x, advanced.basic));
    return wrap(read_advanced(x, advanced));
  });
}

int program_assign_subscript(PyObject* self, PyObject* key, PyObject* value_object) {
  return guarded([&] {
    if (value_object == nullptr) raise(ErrorKind::kType, "elements of a tensor cannot be deleted");
    const program::Variable x = recorded_target(self);
    const program::Variable value = recorded_value(value_object);
    std::optional<AdvancedKey<program::Variable>> advanced;
    if (!is_basic_key(key)) advanced = advanced_key(x, key);
    if (advanced && !advanced->indices.empty()) {
      if (!is_picked(value, x, *advanced)) write_advanced(x, *advanced, value);
      return 0;
    }
    const Index index = advanced ? advanced->basic : to_index({kWriting, 0}, key);
    if (is_part(x, index, value)) return 0;  // nothing is to be written (E6)
    thread_state.recorder->call_inplace(program::roles::kSetItem, {x, value}, {index});
    return 0;
  });
}

PyObject* tensor_subscript(PyObject* self, PyObject* key) {
  if (is_recording()) [[unlikely]]
    return program_subscript(self, key);
  return guarded([&]() __attribute__((always_inline)) {
    const Tensor& x = tensor_of(self);
    Index index;
    if (basic_index({kReading, 0}, key, index)) return wrap(roles::slice(x, index));
    const auto advanced = advanced_key(x, key);
    if (advanced.indices.empty()) return wrap(roles::slice(x, advanced.basic));
    return wrap(read_advanced(x, advanced));
  });
}

int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value_object) {
  if (is_recording()) [[unlikely]]
    return program_assign_subscript(self, key, value_object);
  return guarded([&] {
    if (value_object == nullptr) {
      raise(ErrorKind::kType, "elements of a tensor cannot be deleted");
    }
    Tensor& x = tensor_of(self);
    Tensor made;
    const Operand value = value_of(value_object, made);
    std::optional<AdvancedKey<Tensor>> advanced;
    if (!is_basic_key(key)) advanced = advanced_key(x, key);
    if (advanced && !advanced->indices.empty()) {
      write_advanced(x, *advanced, value.tensor());
      return 0;
    }
    const Index index = advanced ? advanced->basic : to_index({kWriting, 0}, key);
    if (!is_part(x, index, value)) roles::set_item_(x, value, index);
    return 0;
  });
}

PyObject* tensor_item(PyObject* self, Py_ssize_t i) {
  return guarded([&] {
    const Tensor& x = tensor_of(self);
    if (x.rank() == 0 || i < 0 || i >= x.size(0)) {
      raise(ErrorKind::kIndex, "x[key]: position ", i, " is out of range for shape ", x.shape());
    }
    const Index key{IndexItem::number(i)};
    if (is_recording()) [[unlikely]]
      return wrap(indexing::slice(to_variable({kReading, 0}, self), key));
    return wrap(roles::slice(x, key));
  });
}

Py_ssize_t tensor_length(PyObject* self) {
  return guarded([&]() -> Py_ssize_t {
    const Tensor& x = tensor_of(self);
    if (x.rank() == 0) raise(ErrorKind::kType, "len(): a tensor without axes has no length");
    return x.size(0);
  });
}

PyObject* tensor_iter(PyObject* self) {
  return guarded([&] {
    if (tensor_of(self).rank() == 0) {
      raise(ErrorKind::kType,
            "iter(): a tensor without axes cannot be iterated; its value: .item()");
    }
    return PySeqIter_New(self);
  });
}

}  // namespace oploom::python
