#pragma once

#include <utility>

#include "bindings/python.h"
#include "runtime/program/record.h"

namespace oploom::python {

struct PyProgram;

// A value of a program as Python sees it: a handle on the newest version of the value. Has the ops
// of a tensor, which are recorded, and no data.
struct PyProgramValue {
  PyObject_HEAD program::Variable variable;
  PyObject* owner;  // the Program, kept alive
  PyObject* weaklist;
};

extern PyTypeObject ProgramValueType;

inline bool is_program_value(PyObject* object) { return Py_IS_TYPE(object, &ProgramValueType); }
inline const program::Variable& variable_of(PyObject* object) {
  return reinterpret_cast<PyProgramValue*>(object)->variable;
}

// A new object for the handle, of the program that owner is.
PyObject* new_value(program::Variable variable, PyObject* owner);

// Where its type takes methods and operators from: those of Tensor must be filled before.
void add_program_value_type(PyObject* module);

}  // namespace oploom::python
