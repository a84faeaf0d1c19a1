#include "bindings/index_key.h"

#include <algorithm>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/indexing_ops.h"
#include "bindings/object.h"

namespace oploom::python {

namespace {

constexpr const char* kNames[] = {"key"};
PyObject* keys[1];
constexpr Parameters kIndexing{"index", kNames, keys, 1, 1, 1};

bool is_basic_item(PyObject* item) {
  return PyLong_CheckExact(item) || PySlice_Check(item) || item == Py_None || item == Py_Ellipsis;
}

// An index array as a tensor of integers or bools; undefined for what is no array.
Tensor array_of_data(PyObject* item) {
  if (PyBool_Check(item)) return scalar_tensor(item == Py_True, DType::kBool);
  if (PyList_Check(item) || PyTuple_Check(item)) {
    Tensor list = to_tensor(item, std::nullopt);
    return list.numel() == 0 && is_float(list.dtype()) ? to_tensor(item, DType::kInt64) : list;
  }
  if (PyObject_CheckBuffer(item) == 0 || PyBytes_Check(item)) return {};
  const Object dtype = Object::adopt(PyObject_GetAttrString(item, "dtype"));
  const Object kind = dtype ? Object::adopt(PyObject_GetAttrString(dtype.get(), "kind")) : Object();
  PyErr_Clear();
  const bool integers = kind && (PyUnicode_CompareWithASCIIString(kind.get(), "i") == 0 ||
                                 PyUnicode_CompareWithASCIIString(kind.get(), "u") == 0);
  Tensor array = to_tensor(item, integers ? std::optional(DType::kInt64) : std::nullopt);
  return array.rank() == 0 && integers ? Tensor() : array;
}

Tensor array_of(PyObject* item, const Tensor&) {
  if (is_program_value(item)) other_operand({kIndexing, 0}, item, false);  // refuses
  if (!is_tensor(item)) return array_of_data(item);
  const Tensor& tensor = tensor_of(item);
  const bool number = tensor.rank() == 0 && is_integer(tensor.dtype());
  return number ? Tensor() : tensor;
}

// Also a position without axes is known at run time only.
program::Variable array_of(PyObject* item, const program::Variable&) {
  if (is_program_value(item) || is_tensor(item)) return to_variable({kIndexing, 0}, item);
  const Tensor data = array_of_data(item);
  return data.defined() ? constant(data) : program::Variable();
}

// One item of the key: an array, or basic.
template <typename X>
struct Item {
  X array;
  IndexItem basic;
  bool is_array() const { return array.defined(); }
  bool is_mask() const { return is_array() && indexing::dtype(array) == DType::kBool; }
  bool is_number() const { return !is_array() && basic.kind == IndexItem::Kind::kNumber; }
  int consumed() const {
    if (is_array()) return is_mask() ? indexing::shape(array).rank() : 1;
    return basic.kind == IndexItem::Kind::kNumber || basic.kind == IndexItem::Kind::kSlice ? 1 : 0;
  }
};

template <typename X>
Item<X> make_item(const X& x, PyObject* object) {
  Item<X> item;
  if (!is_basic_item(object)) item.array = array_of(object, x);
  if (item.is_array()) {
    if (is_float(indexing::dtype(item.array))) {
      raise(ErrorKind::kIndex, "index: arrays of ", indexing::dtype(item.array),
            " cannot be indices; they must be integers or bools");
    }
    return item;
  }
  // A tuple for to_index to look into, so that all messages come from there.
  item.basic = to_index({kIndexing, 0}, object)[0];
  return item;
}

template <typename X>
std::vector<Item<X>> items_of(const X& x, PyObject* key) {
  const int rank = indexing::shape(x).rank();
  std::vector<Item<X>> items;
  if (!PyTuple_Check(key)) {
    items.push_back(make_item(x, key));
  } else {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
      items.push_back(make_item(x, PyTuple_GET_ITEM(key, i)));
    }
  }
  const auto is_ellipsis = [](const Item<X>& item) {
    return !item.is_array() && item.basic.kind == IndexItem::Kind::kEllipsis;
  };
  const auto ellipses = std::count_if(items.begin(), items.end(), is_ellipsis);
  int consumed = 0;
  for (const Item<X>& item : items) consumed += item.consumed();
  if (ellipses > 1) raise(ErrorKind::kIndex, "index: only one ellipsis ('...') may stand in a key");
  if (consumed > rank) {
    raise(ErrorKind::kIndex, "index: too many indices: the tensor has ", rank,
          " axes, the key takes ", consumed);
  }
  if (ellipses == 0) items.push_back({{}, IndexItem::ellipsis()});
  return items;
}

// The axes that the ellipsis stands for are slices of their own from here on.
IndexItem whole_slice() {
  return IndexItem::slice(IndexItem::kNone, IndexItem::kNone, IndexItem::kNone);
}

bool is_whole(const IndexItem& item) {
  return item.kind == IndexItem::Kind::kSlice && item.start == IndexItem::kNone &&
         item.stop == IndexItem::kNone && (item.step == IndexItem::kNone || item.step == 1);
}

// Where a mask without axes, True or False, is true: an axis of length 1 or 0.
Tensor position_of(const Tensor& mask) {
  const bool value = *mask.data<bool>();
  Tensor position = empty({value ? 1 : 0}, DType::kInt64);
  if (value) *position.data<std::int64_t>() = 0;
  return position;
}

program::Variable position_of(const program::Variable&) {
  raise(ErrorKind::kUnimplemented,
        "index: a mask without axes while a program is recorded; give it an axis: mask[None]");
}

// A mask stands for one index array an axis: the positions where it is true.
template <typename X>
void add_mask(AdvancedKey<X>& key, const X& mask) {
  const int rank = indexing::shape(mask).rank();
  if (rank == 0) {
    key.indices.push_back(position_of(mask));
    key.axes.push_back(key.rank++);
    return;
  }
  const X positions = indexing::nonzero(mask);
  for (int axis = 0; axis < rank; ++axis) {
    const Index column{whole_slice(), IndexItem::number(axis)};
    key.indices.push_back(indexing::slice(positions, column));
    key.axes.push_back(key.rank++);
  }
}

const Tensor& tested(const Tensor& mask, const Tensor&, int) { return mask; }

program::Variable tested(const program::Variable& mask, const program::Variable& x, int axis) {
  return thread_state.recorder->fitted_mask(mask, x, axis);
}

// The mask, where it fits; lengths that are not known are tested when the program runs.
template <typename X>
decltype(auto) checked_mask(const X& x, const X& mask, int axis) {
  const Dims lengths = indexing::shape(x);
  const Dims of_mask = indexing::shape(mask);
  for (std::size_t i = 0; i < of_mask.size(); ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(axis) + i];
    if (of_mask[i] == length || of_mask[i] < 0 || length < 0) continue;
    raise(ErrorKind::kIndex, "index: a mask of shape ", Ints(of_mask),
          " does not fit the axes from ", axis, " of a tensor of shape ", Ints(lengths));
  }
  return tested(mask, x, axis);
}

// Adds one item to the basic part and to the index arrays; answers how many axes of x it takes.
template <typename X>
int add_item(AdvancedKey<X>& key, const X& x, const Item<X>& item, int axis, int ellipsis_length) {
  if (!item.is_array()) {
    const bool ellipsis = item.basic.kind == IndexItem::Kind::kEllipsis;
    for (int i = 0; i < (ellipsis ? ellipsis_length : 1); ++i) {
      key.basic.push_back(ellipsis ? whole_slice() : item.basic);
    }
    key.whole = key.whole && (ellipsis || is_whole(item.basic));
    if (ellipsis)
      key.rank += ellipsis_length;
    else if (!item.is_number())
      ++key.rank;
    return ellipsis ? ellipsis_length : item.consumed();
  }
  for (int i = 0; i < item.consumed(); ++i) key.basic.push_back(whole_slice());
  if (item.consumed() == 0) {
    key.basic.push_back(IndexItem::new_axis());
    key.whole = false;
  }
  if (item.is_mask()) {
    add_mask(key, checked_mask(x, item.array, axis));
  } else {
    key.indices.push_back(item.array);
    key.axes.push_back(key.rank++);
  }
  return item.consumed();
}

// NumPy's rule: where all index arrays and numbers stand side by side their axes stay there, else
// they come first.
template <typename X>
int place_of(const std::vector<Item<X>>& items, int rank_before_first) {
  const auto takes_part = [](const Item<X>& item) { return item.is_array() || item.is_number(); };
  const auto first = std::find_if(items.begin(), items.end(), takes_part);
  const auto gap = std::find_if_not(first, items.end(), takes_part);
  return std::none_of(gap, items.end(), takes_part) ? rank_before_first : 0;
}

}  // namespace

bool is_basic_key(PyObject* key) {
  if (!PyTuple_Check(key)) return is_basic_item(key);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
    if (!is_basic_item(PyTuple_GET_ITEM(key, i))) return false;
  }
  return true;
}

template <typename X>
AdvancedKey<X> advanced_key(const X& x, PyObject* key_object) {
  const std::vector<Item<X>> items = items_of(x, key_object);
  const int x_rank = indexing::shape(x).rank();
  int consumed = 0;
  for (const Item<X>& item : items) consumed += item.consumed();
  AdvancedKey<X> key;
  int axis = 0;
  int rank_before_first = -1;
  for (const Item<X>& item : items) {
    if (rank_before_first < 0 && (item.is_array() || item.is_number()))
      rank_before_first = key.rank;
    axis += add_item(key, x, item, axis, x_rank - consumed);
  }
  key.place = place_of(items, rank_before_first);
  return key;
}

template <typename X>
Dims AdvancedKey<X>::axes_first() const {
  Dims perm{Ints(axes)};
  for (std::int64_t i = 0; i < rank; ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) perm.push_back(i);
  }
  return perm;
}

template <typename X>
int AdvancedKey<X>::index_rank() const {
  int most = 0;
  for (const X& index : indices) most = std::max(most, indexing::shape(index).rank());
  return most;
}

template struct AdvancedKey<Tensor>;
template struct AdvancedKey<program::Variable>;
template AdvancedKey<Tensor> advanced_key(const Tensor& x, PyObject* key);
template AdvancedKey<program::Variable> advanced_key(const program::Variable& x, PyObject* key);

}  // namespace oploom::python
