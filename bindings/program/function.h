#pragma once

#include "bindings/python.h"

namespace oploom::python {

// What oploom/_to_program.py is made of.
void add_function(PyObject* module);

}  // namespace oploom::python
