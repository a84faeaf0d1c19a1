#include <cstring>
#include <string>

#include "bindings/convert.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/indexing_ops.h"
#include "bindings/object.h"
#include "bindings/program/recording.h"
#include "bindings/type.h"
#include "generated/roles.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

PyObject* get_shape(PyObject* self, void*) {
  const Ints shape = tensor_of(self).shape();
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(shape.size()));
  for (std::size_t i = 0; tuple != nullptr && i < shape.size(); ++i) {
    PyObject* length = PyLong_FromLongLong(shape[i]);
    if (length == nullptr)
      Py_CLEAR(tuple);
    else
      PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), length);
  }
  return tuple;
}

PyObject* get_dtype(PyObject* self, void*) {
  return Py_NewRef(dtype_object(tensor_of(self).dtype()));
}
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(tensor_of(self).rank()); }
PyObject* get_size(PyObject* self, void*) { return PyLong_FromLongLong(tensor_of(self).numel()); }
PyObject* get_nbytes(PyObject* self, void*) { return PyLong_FromSize_t(tensor_of(self).nbytes()); }
PyObject* get_version(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(tensor_of(self).inplace_version());
}

PyObject* get_stop_gradient(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(stop_gradient(tensor_of(self))); });
}

PyObject* get_requires_grad(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(!stop_gradient(tensor_of(self))); });
}

void refuse_deletion(PyObject* value, const char* name) {
  if (value == nullptr)
    raise(ErrorKind::kType, "attribute '", name, "' of a Tensor cannot be deleted");
}

// The program that is recorded took the flag over when it met the tensor.
void expect_unmet(const Tensor& x, const char* name, bool stop) {
  if (thread_state.recorder->eager_histories) refuse_flag(name, x.name());
  if (stop_gradient(x) == stop || !thread_state.recorder->is_parameter(x)) return;
  raise(ErrorKind::kArgument, "[", name, "] tensor '", x.name(),
        "' is a parameter of the program that is recorded, which met it as it was; set it before "
        "`with`, or use x.detach()");
}

int set_flag(PyObject* self, PyObject* value, const char* name, bool inverse) {
  return guarded([&] {
    refuse_deletion(value, name);
    if (!PyBool_Check(value)) {
      raise(ErrorKind::kType, "attribute '", name, "' must be True or False, not ",
            Py_TYPE(value)->tp_name);
    }
    const bool stop = (value == Py_True) != inverse;
    if (is_recording()) [[unlikely]]
      expect_unmet(tensor_of(self), name, stop);
    set_stop_gradient(tensor_of(self), stop);
    return 0;
  });
}
int set_stop(PyObject* self, PyObject* value, void*) {
  return set_flag(self, value, "stop_gradient", false);
}
int set_requires(PyObject* self, PyObject* value, void*) {
  return set_flag(self, value, "requires_grad", true);
}

PyObject* get_is_leaf(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(is_leaf(tensor_of(self))); });
}

PyObject* get_grad(PyObject* self, void*) {
  return guarded([&] {
    expect_eager("grad");
    return wrap_or_none(grad_of(tensor_of(self)));
  });
}

int set_grad_attribute(PyObject* self, PyObject* value, void*) {
  return guarded([&] {
    expect_eager("grad");
    if (value != nullptr && value != Py_None && !is_tensor(value)) {
      raise(ErrorKind::kType, "attribute 'grad' must be a Tensor or None, not ",
            Py_TYPE(value)->tp_name);
    }
    const bool given = value != nullptr && value != Py_None;
    set_grad(tensor_of(self), given ? tensor_of(value) : Tensor());
    return 0;
  });
}

PyObject* get_name(PyObject* self, void*) {
  return guarded([&] { return PyUnicode_FromString(tensor_of(self).name().c_str()); });
}

int set_name(PyObject* self, PyObject* value, void*) {
  return guarded([&] {
    refuse_deletion(value, "name");
    Py_ssize_t size = 0;
    const char* name = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &size) : nullptr;
    if (PyErr_Occurred() != nullptr) throw PythonError();
    if (name == nullptr) {
      raise(ErrorKind::kType, "attribute 'name' must be a str, not ", Py_TYPE(value)->tp_name);
    }
    if (std::strlen(name) != static_cast<std::size_t>(size)) {
      raise(ErrorKind::kArgument, "attribute 'name' must be a text without NUL, got one with it");
    }
    tensor_of(self).set_name(name);
    return 0;
  });
}

constexpr const char* kNames[] = {"self"};
PyObject* keys[1];
constexpr Parameters kTransposed{"T", kNames, keys, 1, 1, 1};

PyObject* get_transposed(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& x = tensor_of(self);
    Dims reversed;
    for (int axis = x.rank(); axis-- > 0;) reversed.push_back(axis);
    if (is_recording()) [[unlikely]]
      return wrap(indexing::transpose(to_variable({kTransposed, 0}, self), reversed));
    return wrap(roles::transpose(x, reversed));
  });
}

}  // namespace

PyGetSetDef tensor_attributes[] = {
    {"shape", get_shape, nullptr, "The lengths of the axes, as a tuple.", nullptr},
    {"dtype", get_dtype, nullptr, "The type of the elements.", nullptr},
    {"ndim", get_ndim, nullptr, "How many axes.", nullptr},
    {"size", get_size, nullptr, "How many elements.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"stop_gradient", get_stop_gradient, set_stop,
     "Whether gradients end here; True for data. Setting it to False makes a leaf that collects "
     ".grad.",
     nullptr},
    {"requires_grad", get_requires_grad, set_requires, "The opposite of stop_gradient.", nullptr},
    {"is_leaf", get_is_leaf, nullptr, "Whether the tensor is not the result of a recorded op.",
     nullptr},
    {"grad", get_grad, set_grad_attribute, "The gradient that backward() added up, or None.",
     nullptr},
    {"name", get_name, set_name, "What messages call the tensor.", nullptr},
    {"inplace_version", get_version, nullptr,
     "How many in-place calls have written the memory; shared by views and detach().", nullptr},
    {"T", get_transposed, nullptr, "A view with the axes in reverse order.", nullptr},
    {"__dict__", tensor_get_dict, tensor_set_dict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace oploom::python
