#pragma once

#include <span>
#include <string>

#include "runtime/program/memory.h"

// What may be written while recording: rules C1 to C10, in the words of eager mode
// (runtime/autograd/inplace.cpp).
namespace oploom::program {

const char* inplace_name(const OpDef& def);
// C1 C2 C4 C7 C10.
void check_target(const OpDef& def, const char* argument, Memory& target);
// C4: a recorded write into a view that was made under no_grad.
void check_recorded_target(const OpDef& def, const char* argument, Memory& target);
// C5 C6: lengths that are not known are tested when run.
void check_fits(const OpDef& def, const char* argument, const Type& target, const Type& result,
                bool replaces);
// C6: it takes new memory, so nobody else may see the old.
void check_sole(const OpDef& def, const char* argument, const Handle& target);
// C9.
void check_disjoint(const OpDef& def, std::span<Memory* const> targets);

}  // namespace oploom::program
