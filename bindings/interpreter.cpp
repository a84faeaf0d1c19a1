#include "bindings/interpreter.h"

#include <unistd.h>

#include <string>

#include "bindings/errors.h"
#include "bindings/frame.h"
#include "bindings/program/call.h"
#include "bindings/python.h"
#include "runtime/core/blocking.h"
#include "runtime/core/write_log.h"

namespace oploom::python {

namespace {

// Where oploom/*.py are, with a slash; empty where that cannot be told.
const std::string& package_folder() {
  static const std::string folder = [] {
    const Object package = Object::adopt(PyImport_ImportModule("oploom"));
    const Object file =
        package ? Object::adopt(PyObject_GetAttrString(package.get(), "__file__")) : Object();
    const char* text = file ? PyUnicode_AsUTF8(file.get()) : nullptr;
    if (text == nullptr) PyErr_Clear();
    const std::string path = text != nullptr ? text : "";
    return path.substr(0, path.rfind('/') + 1);
  }();
  return folder;
}

// --- Positions. The lock is held in capture and hold; a log may die on any thread.
Position capture() {
  Frame frame = current_frame();
  if (frame.code == nullptr) return {};
  // Functions of the package itself write and record for those who call them.
  if (is_in(frame, package_folder())) [[unlikely]]
    frame = frame_outside(package_folder());
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

// --- The lock. Both variables are touched under it.
int kernels_at_work = 0;  // with the lock let go
bool closing = false;

void* unlock() {
  // Also false for a thread that has never seen the interpreter.
  if (!Py_IsInitialized() || PyGILState_Check() == 0 || closing) return nullptr;
  ++kernels_at_work;
  return PyEval_SaveThread();
}

void relock(void* state) noexcept {
  PyEval_RestoreThread(static_cast<PyThreadState*>(state));
  --kernels_at_work;
}

void check_signals() {
  if (Py_IsInitialized() != 0 && PyGILState_Check() != 0) check(PyErr_CheckSignals());
}

// Called by atexit, before the interpreter ends: once it does, a daemon thread that asks for the
// lock is unwound, which a kernel's callers do not survive, and a matrix product that is still at
// work hangs OpenBLAS's own end. So wait for kernels at work; later ones keep the lock.
PyObject* close(PyObject*, PyObject*) {
  closing = true;
  while (kernels_at_work > 0) {
    Py_BEGIN_ALLOW_THREADS usleep(500);
    Py_END_ALLOW_THREADS
  }
  Py_RETURN_NONE;
}

PyMethodDef close_definition = {"_close", close, METH_NOARGS, nullptr};

}  // namespace

void install_interpreter_hooks() {
  position_hooks = {capture, hold, drop, describe_position};
  lock_hooks = {unlock, relock, check_signals};
  const Object function = checked(PyCFunction_New(&close_definition, nullptr));
  const Object at_exit = import_from("atexit", "register");
  checked(PyObject_CallOneArg(at_exit.get(), function.get()));
}

}  // namespace oploom::python
