#pragma once

#include <cstdint>

#include "bindings/python.h"

namespace oploom::python {

// The Python function that runs on this thread: its code (borrowed) and the byte offset of the
// instruction. A frame object, which Python would make for PyEval_GetFrame, costs ten times this.
struct Frame {
  PyObject* code = nullptr;
  std::int32_t offset = 0;
};
Frame current_frame();

}  // namespace oploom::python
