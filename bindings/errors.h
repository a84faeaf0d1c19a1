#pragma once

#include <exception>
#include <memory>

#include "bindings/python.h"
#include "runtime/core/error.h"

namespace oploom::python {

// The Python error that is set, as a C++ exception: hooks raise through the engine unchanged.
class PythonError : public std::exception {
 public:
  PythonError();  // takes the error over; none may be set while C++ unwinds
  void restore() const noexcept;
  const char* what() const noexcept override { return "an exception of Python"; }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// For a catch (...) at the border: sets the Python error that belongs to the exception in flight.
// Answers null (-1 where an int is asked for), so that it can be returned.
PyObject* set_python_error() noexcept;

// Runs f at the border between Python and C++; f returns what the slot returns.
template <typename F>
[[gnu::always_inline]] inline auto guarded(F&& f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    set_python_error();
    if constexpr (std::is_pointer_v<decltype(f())>)
      return nullptr;
    else
      return static_cast<decltype(f())>(-1);
  }
}

// Raises PythonError where a call of the C API answered -1.
inline void check(int result) {
  if (result < 0) [[unlikely]]
    throw PythonError();
}

// Makes errors.VersionError and its like, into the module.
void add_errors(PyObject* module);

}  // namespace oploom::python
