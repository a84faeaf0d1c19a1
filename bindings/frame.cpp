#include "bindings/frame.h"

#if PY_VERSION_HEX < 0x030C0000
// Before 3.12 the interpreter's frames can only be read through its internal header.
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#endif

namespace oploom::python {

Frame current_frame() {
  PyThreadState* thread = PyThreadState_Get();
#if PY_VERSION_HEX < 0x030C0000
  const _PyInterpreterFrame* frame = thread->cframe->current_frame;
  if (frame == nullptr) return {};
  return {reinterpret_cast<PyObject*>(frame->f_code),
          static_cast<std::int32_t>(_PyInterpreterFrame_LASTI(frame) * sizeof(_Py_CODEUNIT))};
#else
#if PY_VERSION_HEX < 0x030D0000
  struct _PyInterpreterFrame* frame = thread->cframe->current_frame;
#else
  struct _PyInterpreterFrame* frame = thread->current_frame;
#endif
  if (frame == nullptr) return {};
  PyObject* code = PyUnstable_InterpreterFrame_GetCode(frame);
  Py_DECREF(code);  // the frame holds it
  return {code, PyUnstable_InterpreterFrame_GetLasti(frame)};
#endif
}

}  // namespace oploom::python
