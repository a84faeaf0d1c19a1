#pragma once

#include "bindings/python.h"

namespace oploom::python {

// append_backward.
void add_gradients(PyObject* module);

// oploom.grad while a program is recorded: the arguments as the caller gave them, null where left
// out.
PyObject* record_grad(PyObject* const* arguments);

}  // namespace oploom::python
