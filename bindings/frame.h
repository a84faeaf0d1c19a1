#pragma once

#include <cstdint>
#include <string>

#include "bindings/python.h"

namespace oploom::python {

// The Python function that runs on this thread: its code (borrowed) and the byte offset of the
// instruction. A frame object, which Python would make for PyEval_GetFrame, costs ten times this.
struct Frame {
  PyObject* code = nullptr;
  std::int32_t offset = 0;
};
Frame current_frame();
// Whether the frame's source is in the folder, given with a slash; false for none.
bool is_in(const Frame& frame, const std::string& folder);
// The innermost one whose source is not in the folder, for which Python makes frame objects.
Frame frame_outside(const std::string& folder);

}  // namespace oploom::python
