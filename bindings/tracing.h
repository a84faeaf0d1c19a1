#pragma once

#include "bindings/python.h"

namespace oploom::python {

// _start_trace() -> recorder, _stop_trace(recorder), _take_calls(recorder) -> list of tuples.
void add_tracing(PyObject* module);

}  // namespace oploom::python
