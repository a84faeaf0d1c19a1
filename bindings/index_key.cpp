#include "bindings/index_key.h"

#include <algorithm>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/object.h"
#include "generated/roles.h"

namespace oploom::python {

namespace {

constexpr const char* kNames[] = {"key"};
PyObject* keys[1];
constexpr Parameters kIndexing{"index", kNames, keys, 1, 1, 1};

bool is_basic_item(PyObject* item) {
  return PyLong_CheckExact(item) || PySlice_Check(item) || item == Py_None || item == Py_Ellipsis;
}

// An index array as a tensor of integers or bools; undefined for what is no array.
Tensor array_of(PyObject* item) {
  if (is_tensor(item)) {
    const Tensor& tensor = tensor_of(item);
    const bool number = tensor.rank() == 0 && is_integer(tensor.dtype());
    return number ? Tensor() : tensor;
  }
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

// One item of the key: an array, or basic.
struct Item {
  Tensor array;
  IndexItem basic;
  bool is_array() const { return array.defined(); }
  bool is_mask() const { return is_array() && array.dtype() == DType::kBool; }
  bool is_number() const { return !is_array() && basic.kind == IndexItem::Kind::kNumber; }
  int consumed() const {
    if (is_array()) return is_mask() ? array.rank() : 1;
    return basic.kind == IndexItem::Kind::kNumber || basic.kind == IndexItem::Kind::kSlice ? 1 : 0;
  }
};

Item make_item(PyObject* object) {
  Item item;
  if (!is_basic_item(object)) item.array = array_of(object);
  if (item.is_array()) {
    if (is_float(item.array.dtype())) {
      raise(ErrorKind::kIndex, "index: arrays of ", item.array.dtype(),
            " cannot be indices; they must be integers or bools");
    }
    return item;
  }
  // A tuple for to_index to look into, so that all messages come from there.
  item.basic = to_index({kIndexing, 0}, object)[0];
  return item;
}

std::vector<Item> items_of(PyObject* key, int rank) {
  std::vector<Item> items;
  if (!PyTuple_Check(key)) {
    items.push_back(make_item(key));
  } else {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
      items.push_back(make_item(PyTuple_GET_ITEM(key, i)));
    }
  }
  const auto is_ellipsis = [](const Item& item) {
    return !item.is_array() && item.basic.kind == IndexItem::Kind::kEllipsis;
  };
  const auto ellipses = std::count_if(items.begin(), items.end(), is_ellipsis);
  int consumed = 0;
  for (const Item& item : items) consumed += item.consumed();
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

// A mask stands for one index array an axis: the positions where it is true.
void add_mask(AdvancedKey& key, const Tensor& mask) {
  if (mask.rank() == 0) {  // True or False: a new axis of length 1 or 0
    const bool value = *mask.data<bool>();
    Tensor position = empty({value ? 1 : 0}, DType::kInt64);
    if (value) *position.data<std::int64_t>() = 0;
    key.indices.push_back(position);
    key.axes.push_back(key.rank++);
    return;
  }
  const Tensor positions = roles::nonzero(mask);
  for (int axis = 0; axis < mask.rank(); ++axis) {
    const Index column{whole_slice(), IndexItem::number(axis)};
    key.indices.push_back(roles::slice(positions, column));
    key.axes.push_back(key.rank++);
  }
}

void check_mask(const Tensor& x, const Tensor& mask, int axis) {
  for (int i = 0; i < mask.rank(); ++i) {
    if (mask.size(i) == x.size(axis + i)) continue;
    raise(ErrorKind::kIndex, "index: a mask of shape ", mask.shape(),
          " does not fit the axes from ", axis, " of a tensor of shape ", x.shape());
  }
}

// Adds one item to the basic part and to the index arrays; answers how many axes of x it takes.
int add_item(AdvancedKey& key, const Tensor& x, const Item& item, int axis, int ellipsis_length) {
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
    check_mask(x, item.array, axis);
    add_mask(key, item.array);
  } else {
    key.indices.push_back(item.array);
    key.axes.push_back(key.rank++);
  }
  return item.consumed();
}

// NumPy's rule: where all index arrays and numbers stand side by side their axes stay there, else
// they come first.
int place_of(const std::vector<Item>& items, int rank_before_first) {
  const auto takes_part = [](const Item& item) { return item.is_array() || item.is_number(); };
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

AdvancedKey advanced_key(const Tensor& x, PyObject* key_object) {
  const std::vector<Item> items = items_of(key_object, x.rank());
  int consumed = 0;
  for (const Item& item : items) consumed += item.consumed();
  AdvancedKey key;
  int axis = 0;
  int rank_before_first = -1;
  for (const Item& item : items) {
    if (rank_before_first < 0 && (item.is_array() || item.is_number()))
      rank_before_first = key.rank;
    axis += add_item(key, x, item, axis, x.rank() - consumed);
  }
  key.place = place_of(items, rank_before_first);
  return key;
}

Dims AdvancedKey::axes_first() const {
  Dims perm{Ints(axes)};
  for (std::int64_t i = 0; i < rank; ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) perm.push_back(i);
  }
  return perm;
}

int AdvancedKey::index_rank() const {
  int most = 0;
  for (const Tensor& index : indices) most = std::max(most, index.rank());
  return most;
}

}  // namespace oploom::python
