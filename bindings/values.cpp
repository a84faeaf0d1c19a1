#include "bindings/values.h"

#include "bindings/errors.h"
#include "bindings/object.h"
#include "bindings/program/recording.h"

namespace oploom::python {

namespace {

PyObject* list_of(const Tensor& tensor, int axis, const std::byte* at) {
  if (axis == tensor.rank()) return element(at, tensor.dtype());
  const std::int64_t length = tensor.size(axis);
  const auto step = tensor.strides()[static_cast<std::size_t>(axis)] *
                    static_cast<std::int64_t>(size_of(tensor.dtype()));
  Object list = checked(PyList_New(length));
  for (std::int64_t i = 0; i < length; ++i) {
    PyList_SET_ITEM(list.get(), i, checked(list_of(tensor, axis + 1, at + i * step)).release());
  }
  return list.release();
}

}  // namespace

PyObject* element(const std::byte* at, DType dtype) {
  return dispatch(dtype, [&](auto tag) -> PyObject* {
    using T = typename decltype(tag)::type;
    const T value = *reinterpret_cast<const T*>(at);
    if constexpr (std::is_same_v<T, bool>)
      return PyBool_FromLong(value);
    else if constexpr (std::is_floating_point_v<T>)
      return PyFloat_FromDouble(value);
    else
      return PyLong_FromLongLong(value);
  });
}

PyObject* to_list(const Tensor& tensor) { return list_of(tensor, 0, tensor.bytes()); }

PyObject* only_element(const Tensor& tensor, const char* op) {
  expect_not_recording(op);
  if (tensor.numel() != 1) {
    raise(ErrorKind::kArgument, op,
          "(): only a tensor of one element has a value of its own, this one has shape ",
          tensor.shape(), " (all of them: .tolist())");
  }
  return element(tensor.bytes(), tensor.dtype());
}

int tensor_bool(PyObject* self) {
  return guarded([&] {
    expect_not_recording("bool");
    const Tensor& tensor = tensor_of(self);
    if (tensor.numel() != 1) {
      raise(ErrorKind::kArgument, "bool(): the truth of a tensor of shape ", tensor.shape(),
            " is ambiguous; reduce it to one element first");
    }
    const Object value = checked(only_element(tensor, "bool"));
    return PyObject_IsTrue(value.get());
  });
}

PyObject* tensor_int(PyObject* self) {
  return guarded([&] {
    const Object value = checked(only_element(tensor_of(self), "int"));
    return PyNumber_Long(value.get());
  });
}

PyObject* tensor_float(PyObject* self) {
  return guarded([&] {
    const Object value = checked(only_element(tensor_of(self), "float"));
    return PyNumber_Float(value.get());
  });
}

PyObject* tensor_index(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = tensor_of(self);
    if (!is_integer(tensor.dtype()) || tensor.numel() != 1) {
      raise(ErrorKind::kType,
            "index(): only an integer tensor of one element can stand for an int, not ",
            tensor.dtype(), " of shape ", tensor.shape());
    }
    return only_element(tensor, "index");
  });
}

PyObject* tensor_format(PyObject* self, PyObject* spec) {
  return guarded([&]() -> PyObject* {
    const Tensor& tensor = tensor_of(self);
    const bool plain = PyUnicode_Check(spec) && PyUnicode_GET_LENGTH(spec) == 0;
    if (tensor.rank() > 0 && plain) return PyObject_Str(self);
    const Object value = checked(only_element(tensor, "format"));
    return PyObject_Format(value.get(), spec);
  });
}

}  // namespace oploom::python
