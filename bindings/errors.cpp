#include "bindings/errors.h"

#include <new>
#include <stdexcept>

namespace oploom::python {

namespace {
PyObject* version_error;
PyObject* inplace_error;
PyObject* leaf_inplace_error;

PyObject* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kArgument:
      return PyExc_ValueError;
    case ErrorKind::kType:
      return PyExc_TypeError;
    case ErrorKind::kIndex:
      return PyExc_IndexError;
    case ErrorKind::kUnimplemented:
      return PyExc_NotImplementedError;
    case ErrorKind::kMemory:
      return PyExc_MemoryError;
    case ErrorKind::kVersion:
      return version_error;
    case ErrorKind::kInplace:
      return inplace_error;
    case ErrorKind::kLeafInplace:
      return leaf_inplace_error;
    case ErrorKind::kRuntime:
      break;
  }
  return PyExc_RuntimeError;
}

PyObject* new_error(PyObject* module, const char* name, const char* doc, PyObject* base) {
  const std::string full = text("oploom.errors.", name);
  PyObject* error = checked(PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr)).release();
  check(PyModule_AddObjectRef(module, name, error));
  return error;
}
}  // namespace

// The exception object; before Python 3.12 the three parts that an error was made of.
struct PythonError::State {
#if PY_VERSION_HEX < 0x030C0000
  PyObject* type = nullptr;
  PyObject* traceback = nullptr;
#endif
  PyObject* value = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    WithLock lock;
    if (!lock.held()) return;
#if PY_VERSION_HEX < 0x030C0000
    Py_XDECREF(type);
    Py_XDECREF(traceback);
#endif
    Py_XDECREF(value);
  }

  void fetch() {
#if PY_VERSION_HEX < 0x030C0000
    PyErr_Fetch(&type, &value, &traceback);
#else
    value = PyErr_GetRaisedException();
#endif
  }
  void restore() {
#if PY_VERSION_HEX < 0x030C0000
    PyErr_Restore(std::exchange(type, nullptr), std::exchange(value, nullptr),
                  std::exchange(traceback, nullptr));
#else
    PyErr_SetRaisedException(std::exchange(value, nullptr));
#endif
  }
};

PythonError::PythonError() : state_(std::make_shared<State>()) { state_->fetch(); }

void PythonError::restore() const noexcept {
  state_->restore();
  if (PyErr_Occurred() == nullptr) {
    PyErr_SetString(PyExc_SystemError, "oploom: an error was announced and none was set");
  }
}

PyObject* set_python_error() noexcept {
  try {
    throw;
  } catch (const PythonError& error) {
    error.restore();
  } catch (const Error& error) {
    PyErr_SetString(class_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "oploom: out of memory");
  } catch (const std::length_error&) {
    PyErr_SetString(PyExc_MemoryError, "oploom: more elements than memory can hold");
  } catch (const std::exception& error) {
    PyErr_Format(PyExc_RuntimeError, "oploom: %s", error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "oploom: an unknown C++ exception");
  }
  return nullptr;
}

void add_errors(PyObject* module) {
  version_error =
      new_error(module, "VersionError", "A value that backward needs was overwritten in place.",
                PyExc_RuntimeError);
  inplace_error = new_error(module, "InplaceError", "A refused in-place call; nothing was changed.",
                            PyExc_ValueError);
  leaf_inplace_error = new_error(
      module, "LeafInplaceError",
      "A refused in-place call on a leaf that does not stop gradient, or on a view of one.",
      inplace_error);
}

}  // namespace oploom::python
