#include "bindings/convert.h"

#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/program/value.h"

namespace oploom::python {

namespace {

// Whether the object is of a class of NumPy's; false while nobody has imported it.
bool is_numpy(PyObject* object, const char* class_name) {
  const Object name = checked(PyUnicode_FromString("numpy"));
  const Object numpy = Object::adopt(PyImport_GetModule(name.get()));
  if (!numpy) {
    PyErr_Clear();
    return false;
  }
  const Object type = checked(PyObject_GetAttrString(numpy.get(), class_name));
  const int answer = PyObject_IsInstance(object, type.get());
  check(answer);
  return answer == 1;
}

bool is_data(PyObject* object) {
  return PyList_Check(object) || PyTuple_Check(object) || is_numpy(object, "ndarray");
}

std::int64_t int64_of(PyObject* number) {
  if (const auto small = small_integer(number)) [[likely]]
    return *small;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow != 0) {
    raise(ErrorKind::kArgument, "an integer does not fit 64 bits: ",
          PyUnicode_AsUTF8(checked(PyObject_Str(number)).get()));
  }
  if (value == -1 && PyErr_Occurred() != nullptr) throw PythonError();
  return value;
}

}  // namespace

std::optional<std::int64_t> integer_of(PyObject* object) {
  if (PyLong_CheckExact(object)) return int64_of(object);
  if (PyBool_Check(object) || !PyIndex_Check(object)) return std::nullopt;
  return int64_of(checked(PyNumber_Index(object)).get());
}

std::optional<Scalar> number_of(PyObject* object) {
  if (PyFloat_Check(object)) return Scalar(PyFloat_AS_DOUBLE(object));
  if (PyBool_Check(object)) return Scalar(object == Py_True);
  if (PyLong_Check(object)) return Scalar(int64_of(object));
  if (is_tensor(object) || !is_numpy(object, "generic")) return std::nullopt;
  const Object item = checked(PyObject_CallMethod(object, "item", nullptr));
  const bool plain = PyFloat_Check(item.get()) || PyLong_Check(item.get());
  return plain ? number_of(item.get()) : std::nullopt;
}

// --- Messages. "add(): argument 'y' must be a Tensor or a number, not list".

void refuse(const Where& where, const char* expected, PyObject* object) {
  const Parameters& p = where.parameters;
  if (object == nullptr) refuse_missing(where);
  const char* came = Py_TYPE(object)->tp_name;
  const char* advice = "";
  if (is_tensor(object)) {
    came = "Tensor";
    advice = " (its value: .item() or .tolist())";
  } else if (is_program_value(object)) {
    advice = " (a value of a program, known when that runs)";
  }
  raise(ErrorKind::kType, p.op, "(): argument '", p.names[where.index], "' must be ", expected,
        ", not ", came, advice);
}

void refuse_missing(const Where& where) {
  const Parameters& p = where.parameters;
  raise(ErrorKind::kType, p.op, "() missing required argument '", p.names[where.index], "'");
}

// --- Tensors.

Operand other_operand(const Where& where, PyObject* object, bool numbers) {
  if (object == nullptr) refuse_missing(where);
  if (numbers && PyLong_CheckExact(object)) return Operand(Scalar(int64_of(object)));
  if (is_tensor(object)) return Operand(tensor_of(object));
  if (numbers) {
    if (const std::optional<Scalar> number = number_of(object)) return Operand(*number);
  }
  const char* expected = numbers ? "a Tensor or a number" : "a Tensor";
  const Parameters& p = where.parameters;
  if (is_program_value(object)) {
    raise(ErrorKind::kType, p.op, "(): argument '", p.names[where.index],
          "' is a value of a program; ops on it are recorded inside `with program:`, and "
          "program.run() gives its values");
  }
  const char* advice =
      is_data(object) || number_of(object) ? "; make a tensor of it with oploom.to_tensor()" : "";
  raise(ErrorKind::kType, p.op, "(): argument '", p.names[where.index], "' must be ", expected,
        ", not ", Py_TYPE(object)->tp_name, advice);
}

bool other_is_operand(PyObject* object) {
  return is_tensor(object) || is_program_value(object) || number_of(object).has_value() ||
         is_data(object);
}

Tensors::Tensors(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (is_tensor(object) || !PySequence_Check(object) || PyUnicode_Check(object)) {
    refuse(where, "a list or tuple of Tensors", object);
  }
  const Object items = checked(PySequence_Fast(object, "a list or tuple of Tensors is expected"));
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  tensors_.reserve(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
    if (!is_tensor(item)) {
      const Parameters& p = where.parameters;
      raise(ErrorKind::kType, p.op, "(): argument '", p.names[where.index],
            "' must be a list of Tensors; item ", i, " is a ", Py_TYPE(item)->tp_name);
    }
    tensors_.push_back(tensor_of(item));
  }
}

// --- Attributes.

IntList::IntList(std::initializer_list<std::int64_t> values) : size_(values.size()) {
  std::copy(values.begin(), values.end(), inline_);
}

IntList::IntList(const Where& where, PyObject* const* items, Py_ssize_t count) {
  fill(where, items, static_cast<std::size_t>(count));
}

IntList::IntList(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (PyTuple_Check(object) || PyList_Check(object)) {
    // A copy of a list: __index__ of an item may change it.
    const Object items =
        PyList_Check(object) ? checked(PyList_AsTuple(object)) : Object::share(object);
    fill_from(where, items.get());
    return;
  }
  if (PyUnicode_Check(object) || (!PySequence_Check(object) && !PyIndex_Check(object))) {
    refuse(where, "an int or a list of ints", object);
  }
  if (PySequence_Check(object) && PySequence_Size(object) >= 0) {
    const Object items = checked(PySequence_Tuple(object));
    fill_from(where, items.get());
    return;
  }
  PyErr_Clear();
  fill(where, &object, 1);
}

void IntList::fill_from(const Where& where, PyObject* tuple) {
  fill(where, &PyTuple_GET_ITEM(tuple, 0), static_cast<std::size_t>(PyTuple_GET_SIZE(tuple)));
}

void IntList::fill(const Where& where, PyObject* const* items, std::size_t count) {
  if (count > kInline) more_.resize(count);
  std::int64_t* out = count > kInline ? more_.data() : inline_;
  size_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::int64_t> value = small_integer(items[i]);
    if (!value) [[unlikely]]
      return fill_others(where, items, out, i);
    out[i] = *value;
  }
}

void IntList::fill_others(const Where& where, PyObject* const* items, std::int64_t* out,
                          std::size_t first) const {
  for (std::size_t i = first; i < size_; ++i) {
    const std::optional<std::int64_t> value = integer_of(items[i]);
    if (!value) refuse(where, "an int or a list of ints", items[i]);
    out[i] = *value;
  }
}

bool to_bool(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (PyBool_Check(object)) return object == Py_True;
  const std::optional<Scalar> number = number_of(object);
  if (!number || number->category() != Category::kBool) refuse(where, "True or False", object);
  return number->to_bool();
}

std::int64_t to_integer(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (const auto small = small_integer(object)) [[likely]]
    return *small;
  const std::optional<std::int64_t> value = integer_of(object);
  if (!value) refuse(where, "an int", object);
  return *value;
}

double to_number(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (PyFloat_CheckExact(object)) return PyFloat_AS_DOUBLE(object);
  const std::optional<Scalar> number = number_of(object);
  if (!number || number->category() == Category::kBool) refuse(where, "a float", object);
  return number->to_double();
}

std::string_view to_string(const Where& where, PyObject* object) {
  if (object == nullptr || !PyUnicode_Check(object)) refuse(where, "a str", object);
  Py_ssize_t size = 0;
  const char* characters = PyUnicode_AsUTF8AndSize(object, &size);
  if (characters == nullptr) throw PythonError();
  return {characters, static_cast<std::size_t>(size)};
}

DType to_dtype(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  std::string name;
  const std::optional<DType> found = find_dtype(object, &name);
  if (found) return *found;
  const Parameters& p = where.parameters;
  const std::string came = name.empty() ? text("a ", Py_TYPE(object)->tp_name) : "'" + name + "'";
  raise(ErrorKind::kType, p.op, "(): argument '", p.names[where.index], "' must be a dtype (",
        known_dtypes(), "), not ", came);
}

Scalar to_scalar(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  const std::optional<Scalar> number = number_of(object);
  if (!number) refuse(where, "a number", object);
  return *number;
}

namespace {

std::int64_t bound_of(const Where& where, PyObject* object) {
  if (object == Py_None) return IndexItem::kNone;
  const std::optional<std::int64_t> value = integer_of(object);
  if (!value) refuse(where, "made of ints, slices, None and ...", object);
  return *value;
}

// What is None or a small int, without a call; false for all else.
inline bool read_bound(PyObject* object, std::int64_t& bound) {
  bound = IndexItem::kNone;
  if (object == Py_None) return true;
  const std::optional<std::int64_t> value = small_integer(object);
  if (value) bound = *value;
  return value.has_value();
}

[[gnu::noinline]] bool add_other_item(const Where& where, PyObject* object, Index& index) {
  if (PySlice_Check(object)) {
    auto* slice = reinterpret_cast<PySliceObject*>(object);
    const std::int64_t start = bound_of(where, slice->start);
    const std::int64_t stop = bound_of(where, slice->stop);
    index.push_back(IndexItem::slice(start, stop, bound_of(where, slice->step)));
  } else if (PyLong_CheckExact(object)) {
    index.push_back(IndexItem::number(bound_of(where, object)));
  } else if (object == Py_None) {
    index.push_back(IndexItem::new_axis());
  } else if (object == Py_Ellipsis) {
    index.push_back(IndexItem::ellipsis());
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool add_basic_item(const Where& where, PyObject* object, Index& index) {
  IndexItem item;
  if (PySlice_Check(object)) [[likely]] {
    auto* slice = reinterpret_cast<PySliceObject*>(object);
    item.kind = IndexItem::Kind::kSlice;
    if (!read_bound(slice->start, item.start) || !read_bound(slice->stop, item.stop) ||
        !read_bound(slice->step, item.step)) [[unlikely]] {
      return add_other_item(where, object, index);
    }
  } else if (const std::optional<std::int64_t> number = small_integer(object)) {
    item = IndexItem::number(*number);
  } else {
    return add_other_item(where, object, index);
  }
  index.push_back(item);
  return true;
}

Index to_index(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  Index index;
  const bool tuple = PyTuple_Check(object);
  for (Py_ssize_t i = 0; i < (tuple ? PyTuple_GET_SIZE(object) : 1); ++i) {
    PyObject* item = tuple ? PyTuple_GET_ITEM(object, i) : object;
    if (!add_basic_item(where, item, index))
      index.push_back(IndexItem::number(bound_of(where, item)));
  }
  return index;
}

}  // namespace oploom::python
