#include "bindings/python.h"

#include <unistd.h>

#include "bindings/errors.h"

namespace oploom::python {

namespace {
bool may_enter() {
  if (!Py_IsInitialized()) return false;
#if PY_VERSION_HEX >= 0x030D0000
  const bool finalizing = Py_IsFinalizing();
#else
  const bool finalizing = _Py_IsFinalizing();
#endif
  return !finalizing || PyGILState_Check();
}
}  // namespace

Object checked(PyObject* new_reference) {
  if (new_reference == nullptr) throw PythonError();
  return Object::adopt(new_reference);
}

Object import_from(const char* module, const char* name) {
  const Object imported = checked(PyImport_ImportModule(module));
  return checked(PyObject_GetAttrString(imported.get(), name));
}

WithLock::WithLock() : held_(may_enter()) {
  if (!held_) return;
  try {
    state_ = PyGILState_Ensure();
  } catch (...) {
    // The interpreter began to end while we waited and wants this thread gone, by unwinding it; but
    // destructors are on the stack. The process is about to exit: wait for that.
    for (;;) pause();
  }
}

WithLock::~WithLock() {
  if (held_) PyGILState_Release(state_);
}

}  // namespace oploom::python
