#pragma once

#include <vector>

#include "bindings/python.h"

namespace oploom::python {

extern PyGetSetDef tensor_attributes[];
// Hand-written methods; those of ops come from the generated tables.
extern PyMethodDef tensor_methods[];

// As object's own: the address, without the bits that alignment keeps at zero.
Py_hash_t identity_hash(PyObject* self);

// Appends the methods of all generated tables.
void add_op_methods(std::vector<PyMethodDef>& methods);

// Fills TensorType from the tables and makes it ready.
void add_tensor_type(PyObject* module);

}  // namespace oploom::python
