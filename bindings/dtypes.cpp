#include "bindings/dtypes.h"

#include <string>

#include "bindings/errors.h"

namespace oploom::python {

namespace {

struct PyDType {
  PyObject_HEAD DType value;
};
PyDType* objects[kNumDTypes];

DType value_of(PyObject* self) { return reinterpret_cast<PyDType*>(self)->value; }
extern PyTypeObject DTypeType;

std::optional<DType> named(std::string_view name) {
  for (int i = 0; i < kNumDTypes; ++i) {
    if (name_of(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  if (name == "bool_") return DType::kBool;  // NumPy's scalar type before 2.0
  return std::nullopt;
}

std::string text_of(PyObject* string) {
  const char* characters = PyUnicode_Check(string) ? PyUnicode_AsUTF8(string) : nullptr;
  if (characters == nullptr) PyErr_Clear();
  return characters != nullptr ? characters : "";
}

// What the object calls the dtype that it means: the attribute `name` of NumPy's dtypes, `__name__`
// of scalar types.
std::string name_in(PyObject* object) {
  if (PyUnicode_Check(object)) return text_of(object);
  const char* attribute = PyType_Check(object) ? "__name__" : "name";
  Object value = Object::adopt(PyObject_GetAttrString(object, attribute));
  if (!value) PyErr_Clear();
  return value ? text_of(value.get()) : "";
}

PyObject* dtype_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"name", nullptr};
  PyObject* source = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:dtype", const_cast<char**>(names), &source)) {
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    const std::optional<DType> found = find_dtype(source);
    // The library's own list of names goes into the message.
    const DType value = found ? *found : dtype_named(name_in(source));
    return Py_NewRef(dtype_object(value));
  });
}

PyObject* dtype_repr(PyObject* self) {
  return PyUnicode_FromFormat("oploom.%s", name_of(value_of(self)).data());
}

PyObject* dtype_str(PyObject* self) { return PyUnicode_FromString(name_of(value_of(self)).data()); }

Py_hash_t dtype_hash(PyObject* self) {
  const Object name = Object::adopt(dtype_str(self));
  return name ? PyObject_Hash(name.get()) : -1;
}

// Equal to whatever dtype(other) would give.
PyObject* dtype_compare(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const bool equal = self == other || find_dtype(other) == value_of(self);
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

PyObject* dtype_name(PyObject* self, void*) { return dtype_str(self); }
PyObject* dtype_itemsize(PyObject* self, void*) {
  return PyLong_FromSize_t(size_of(value_of(self)));
}
PyObject* dtype_is_floating(PyObject* self, void*) {
  return PyBool_FromLong(is_float(value_of(self)));
}
PyObject* dtype_reduce(PyObject* self, PyObject*) {
  return Py_BuildValue("O(N)", &DTypeType, dtype_str(self));
}

PyGetSetDef getters[] = {
    {"name", dtype_name, nullptr, "The name, as in \"float32\".", nullptr},
    {"itemsize", dtype_itemsize, nullptr, "Bytes an element.", nullptr},
    {"is_floating_point", dtype_is_floating, nullptr, "Whether it is float32 or float64.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef methods[] = {
    {"__reduce__", dtype_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject DTypeType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.dtype",
    .tp_basicsize = sizeof(PyDType),
    .tp_repr = dtype_repr,
    .tp_hash = dtype_hash,
    .tp_str = dtype_str,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc =
        "dtype(name)\n--\n\nThe type of a tensor's elements: of a name, a NumPy dtype, or one of "
        "Python's bool, int (int64) and float (float32).",
    .tp_richcompare = dtype_compare,
    .tp_methods = methods,
    .tp_getset = getters,
    .tp_new = dtype_new,
};

}  // namespace

PyObject* dtype_object(DType dtype) {
  return reinterpret_cast<PyObject*>(objects[static_cast<int>(dtype)]);
}

std::optional<DType> find_dtype(PyObject* object, std::string* name) {
  if (Py_IS_TYPE(object, &DTypeType)) return value_of(object);
  if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) return DType::kBool;
  if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) return kDefaultInt;
  if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) return kDefaultFloat;
  const std::string own_name = name_in(object);
  if (name != nullptr) *name = own_name;
  return named(own_name);
}

std::string known_dtypes() {
  std::string names;
  for (int i = 0; i < kNumDTypes; ++i) {
    names += (i > 0 ? ", " : "") + std::string(name_of(static_cast<DType>(i)));
  }
  return names;
}

void add_dtypes(PyObject* module) {
  check(PyType_Ready(&DTypeType));
  check(PyModule_AddObjectRef(module, "dtype", reinterpret_cast<PyObject*>(&DTypeType)));
  for (int i = 0; i < kNumDTypes; ++i) {
    objects[i] = PyObject_New(PyDType, &DTypeType);
    if (objects[i] == nullptr) throw PythonError();
    objects[i]->value = static_cast<DType>(i);
    const auto dtype = static_cast<DType>(i);
    // `bool` of the module would hide Python's own after `import *`: called bool_, as NumPy does.
    const char* name = dtype == DType::kBool ? "bool_" : name_of(dtype).data();
    check(PyModule_AddObjectRef(module, name, dtype_object(dtype)));
  }
}

}  // namespace oploom::python
