#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

// What every file of the bindings needs of Python: an owning reference, the lock, lookups.
namespace oploom::python {

// Owns one reference.
class Object {
 public:
  Object() = default;
  static Object adopt(PyObject* object) { return Object(object); }
  static Object share(PyObject* object) { return Object(Py_XNewRef(object)); }
  Object(const Object& other) : object_(Py_XNewRef(other.object_)) {}
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Object(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

// Takes over a new reference; null becomes a PythonError (see errors.h).
Object checked(PyObject* new_reference);
// The attribute of a module, imported on first use.
Object import_from(const char* module, const char* name);

// The interpreter lock in a scope, from any thread. Once the interpreter is on its way out nothing
// is entered: held() is false, and whatever would have been let go leaks with the process.
class WithLock {
 public:
  WithLock();
  ~WithLock();
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;
  bool held() const { return held_; }

 private:
  bool held_;
  PyGILState_STATE state_{};
};

}  // namespace oploom::python
