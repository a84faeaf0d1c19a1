#include "bindings/interpreter.h"

#include <unistd.h>

#include <string>

#include "bindings/frame.h"
#include "bindings/python.h"
#include "runtime/core/blocking.h"
#include "runtime/core/write_log.h"

namespace oploom::python {

namespace {

// --- Positions. The lock is held in capture and hold; a log may die on any thread.
Position capture() {
  const Frame frame = current_frame();
  if (frame.code == nullptr) return {};
  return {Py_NewRef(frame.code), frame.offset};
}

void hold(const Position& position) { Py_XINCREF(static_cast<PyObject*>(position.code)); }

void drop(const Position& position) noexcept {
  if (position.code == nullptr) return;
  WithLock lock;
  if (lock.held()) Py_DECREF(static_cast<PyObject*>(position.code));
}

std::string describe_position(const Position& position) {
  if (position.code == nullptr) return "C++";
  WithLock lock;
  if (!lock.held()) return "Python";
  auto* code = static_cast<PyCodeObject*>(position.code);
  const char* file = PyUnicode_AsUTF8(code->co_filename);
  if (file == nullptr) PyErr_Clear();
  return std::string(file != nullptr ? file : "?") + ":" +
         std::to_string(PyCode_Addr2Line(code, position.offset));
}

// --- The lock.
void* unlock() {
  // Also false for a thread that has never seen the interpreter.
  if (!Py_IsInitialized() || PyGILState_Check() == 0) return nullptr;
  return PyEval_SaveThread();
}

void relock(void* state) noexcept {
  try {
    PyEval_RestoreThread(static_cast<PyThreadState*>(state));
  } catch (...) {
    // The interpreter has ended meanwhile and wants this thread gone, by unwinding it; but a
    // kernel's caller is on the stack. The process is about to exit: wait for that.
    for (;;) pause();
  }
}

}  // namespace

void install_interpreter_hooks() {
  position_hooks = {capture, hold, drop, describe_position};
  lock_hooks = {unlock, relock};
}

}  // namespace oploom::python
