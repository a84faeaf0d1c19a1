#pragma once

#include "bindings/python.h"
#include "runtime/core/thread_state.h"

// What the entry of a generated function needs to know of programs.
namespace oploom::program {
struct OpDef;
}

namespace oploom::python {

struct Parameters;

inline bool is_recording() { return thread_state.recorder != nullptr; }

// What a generated function is while a program is recorded (`with p:`).
struct ProgramForm {
  const program::OpDef* def = nullptr;
  enum Kind : char { kNone, kPlain, kInplace } kind = kNone;  // none: def is null
};

// One call of a generated function: slots are its arguments along the op's inputs and attributes,
// null where left out. loose >= 0: slot 1 is that many ints in a C array. Answers what the function
// answers when it runs, with values of the program.
PyObject* record_call(const Parameters& parameters, const ProgramForm& form, PyObject* const* slots,
                      int loose);

}  // namespace oploom::python
