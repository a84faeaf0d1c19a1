#pragma once

#include "bindings/python.h"

namespace oploom::python {

// append_backward.
void add_gradients(PyObject* module);

// oploom.grad while a program is recorded: the arguments as the caller gave them, null where left
// out. create_graph counts in functions that eager mode calls alone (to_program).
PyObject* record_grad(PyObject* const* arguments, bool create_graph);

}  // namespace oploom::python
