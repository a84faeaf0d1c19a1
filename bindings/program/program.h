#pragma once

#include <memory>

#include "bindings/python.h"
#include "runtime/program/record.h"

namespace oploom::python {

// oploom.Program: a program and what records it, from the first `with` to the last.
struct PyProgram {
  PyObject_HEAD std::shared_ptr<program::Program> program;
  std::unique_ptr<program::Recorder> recorder;  // null before the first `with`
  int depth;                                    // of `with` blocks that are open
  std::int64_t peak_bytes;                      // of the last run
  PyObject* function;                           // that was made of it, or null: see function.cpp
  PyObject* weaklist;
};

extern PyTypeObject ProgramType;

// The object whose `with` block this thread is in, borrowed.
PyObject* recorded_program();

void add_program_type(PyObject* module);

}  // namespace oploom::python
