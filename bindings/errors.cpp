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

struct PythonError::State {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;

  ~State() {
    if (type == nullptr) return;
    WithLock lock;
    if (!lock.held()) return;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
  }
};

PythonError::PythonError() : state_(std::make_shared<State>()) {
  PyErr_Fetch(&state_->type, &state_->value, &state_->traceback);
}

void PythonError::restore() const noexcept {
  if (state_->type == nullptr) {
    PyErr_SetString(PyExc_SystemError, "oploom: an error was announced and none was set");
    return;
  }
  PyErr_Restore(std::exchange(state_->type, nullptr), std::exchange(state_->value, nullptr),
                std::exchange(state_->traceback, nullptr));
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
