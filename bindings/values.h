#pragma once

#include "bindings/python.h"
#include "runtime/core/tensor.h"

namespace oploom::python {

// One element as Python's bool, int or float.
PyObject* element(const std::byte* at, DType dtype);
// All elements as nested lists; of a 0-d tensor the number itself.
PyObject* to_list(const Tensor& tensor);
// The element of a tensor that has exactly one; op names the call in the refusal.
PyObject* only_element(const Tensor& tensor, const char* op);

// Slots of TensorType.
int tensor_bool(PyObject* self);
PyObject* tensor_int(PyObject* self);
PyObject* tensor_float(PyObject* self);
PyObject* tensor_index(PyObject* self);
PyObject* tensor_format(PyObject* self, PyObject* spec);

}  // namespace oploom::python
