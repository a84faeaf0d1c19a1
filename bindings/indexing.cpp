#include "bindings/indexing.h"

#include <algorithm>
#include <optional>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/index_key.h"
#include "bindings/object.h"
#include "generated/roles.h"

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

Tensor transposed(const Tensor& x, const Dims& perm) {
  return in_order(perm) ? x : roles::transpose(x, perm);
}

// x with the indexed axes in front: a view, or x itself.
Tensor indexed_first(const Tensor& x, const AdvancedKey& key) {
  return transposed(key.whole ? x : roles::slice(x, key.basic), key.axes_first());
}

Tensor read_advanced(const Tensor& x, const AdvancedKey& key) {
  const Tensor out = roles::index(indexed_first(x, key), key.indices);
  // out has the new axes first: [new..., others...]; they belong behind `place` others.
  const int new_rank = key.index_rank();
  Dims perm;
  for (int i = 0; i < key.place; ++i) perm.push_back(new_rank + i);
  for (int i = 0; i < new_rank; ++i) perm.push_back(i);
  for (int i = new_rank + key.place; i < out.rank(); ++i) perm.push_back(i);
  return transposed(out, perm);
}

// A value in the layout of the result, brought to [new..., others...].
Tensor value_for(const Tensor& value, const AdvancedKey& key) {
  const int new_rank = key.index_rank();
  const int rank = key.rank - static_cast<int>(key.axes.size()) + new_rank;
  if (key.place == 0 || new_rank == 0) return value;
  Dims shape;
  for (int i = value.rank(); i < rank; ++i) shape.push_back(1);
  for (int i = std::max(0, value.rank() - rank); i < value.rank(); ++i)
    shape.push_back(value.size(i));
  Dims perm;
  for (int i = 0; i < new_rank; ++i) perm.push_back(key.place + i);
  for (int i = 0; i < key.place; ++i) perm.push_back(i);
  for (int i = key.place + new_rank; i < rank; ++i) perm.push_back(i);
  return transposed(value.rank() == rank ? value : roles::reshape(value, shape), perm);
}

// x[key] = value where value is x[key] itself, as x[2:5] += 1 ends: nothing is to be written (E6).
bool is_part(const Tensor& x, const Index& key, const Tensor& value) {
  if (value.impl()->storage != x.impl()->storage || value.dtype() != x.dtype()) return false;
  const Index::Map part = key.normalised("x[key] = value", x.shape()).map(x.strides());
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

void write_advanced(Tensor& x, const AdvancedKey& key, const Operand& value) {
  const Tensor placed = value.tensor().weak() ? value.tensor() : value_for(value.tensor(), key);
  Tensor target = indexed_first(x, key);
  roles::index_put_(target, key.indices, placed);
}

}  // namespace

PyObject* tensor_subscript(PyObject* self, PyObject* key) {
  return guarded([&] {
    const Tensor& x = tensor_of(self);
    if (is_basic_key(key)) return wrap(roles::slice(x, to_index({kReading, 0}, key)));
    const AdvancedKey advanced = advanced_key(x, key);
    if (advanced.indices.empty()) return wrap(roles::slice(x, advanced.basic));
    return wrap(read_advanced(x, advanced));
  });
}

int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value_object) {
  return guarded([&] {
    if (value_object == nullptr) {
      raise(ErrorKind::kType, "elements of a tensor cannot be deleted");
    }
    Tensor& x = tensor_of(self);
    Tensor made;
    const Operand value = value_of(value_object, made);
    std::optional<AdvancedKey> advanced;
    if (!is_basic_key(key)) advanced = advanced_key(x, key);
    if (advanced && !advanced->indices.empty()) {
      write_advanced(x, *advanced, value);
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
    return wrap(roles::slice(x, Index{IndexItem::number(i)}));
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
