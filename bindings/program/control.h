#pragma once

#include "bindings/python.h"

namespace oploom::python {

// What oploom/_control.py and oploom/_array.py record with.
void add_control(PyObject* module);

}  // namespace oploom::python
