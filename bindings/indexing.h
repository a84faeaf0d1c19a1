#pragma once

#include "bindings/python.h"

namespace oploom::python {

// x[key] and x[key] = value, with NumPy's meaning: numbers, slices of positive step, None, the
// ellipsis, boolean masks, integer arrays, and mixtures. Basic keys give views, all others copies.
PyObject* tensor_subscript(PyObject* self, PyObject* key);
int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value);
// The same while a program is recorded; self is a Tensor or a ProgramValue.
PyObject* program_subscript(PyObject* self, PyObject* key);
int program_assign_subscript(PyObject* self, PyObject* key, PyObject* value);
// For iteration.
PyObject* tensor_item(PyObject* self, Py_ssize_t i);
Py_ssize_t tensor_length(PyObject* self);
PyObject* tensor_iter(PyObject* self);

}  // namespace oploom::python
