#include "bindings/frame.h"

#include <string_view>

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

bool is_in(const Frame& frame, const std::string& folder) {
  const auto* code = reinterpret_cast<PyCodeObject*>(frame.code);
  const char* file = PyUnicode_AsUTF8(code->co_filename);
  if (file == nullptr) PyErr_Clear();
  return file != nullptr && !folder.empty() && std::string_view(file).starts_with(folder);
}

Frame frame_outside(const std::string& folder) {
  PyFrameObject* at = PyEval_GetFrame();
  Object frame = Object::share(reinterpret_cast<PyObject*>(at));
  while (frame) {
    at = reinterpret_cast<PyFrameObject*>(frame.get());
    PyCodeObject* code = PyFrame_GetCode(at);
    Py_DECREF(code);  // the frame holds it
    const Frame found = {reinterpret_cast<PyObject*>(code), PyFrame_GetLasti(at)};
    if (!is_in(found, folder)) return found;
    frame = Object::adopt(reinterpret_cast<PyObject*>(PyFrame_GetBack(at)));
  }
  return current_frame();
}

}  // namespace oploom::python
