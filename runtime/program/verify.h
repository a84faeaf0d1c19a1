#pragma once

#include <string>

#include "runtime/core/error.h"
#include "runtime/program/ir.h"

// The parts of verify that load needs, too.
namespace oploom::program {

// As many inputs, attributes and regions as the definition declares, attributes of the declared
// types. Follows no pointer to a value. Raises kArgument.
void check_form(const Op& op);
// Tensors where the definition wants tensors, numbers for metadata. Inputs must be there.
void check_kinds(const Op& op);

// Raises kArgument: "[tanh] x: expected ..., got ... (recorded at net.py:12)".
template <typename... Parts>
[[noreturn]] void refuse(const Op& op, const Parts&... parts) {
  const bool placed = !op.position.empty() && op.position != "C++";
  raise(ErrorKind::kArgument, "[", op.def == nullptr ? "?" : shown_name(op), "] ", parts...,
        placed ? " (recorded at " : "", placed ? op.position : std::string(), placed ? ")" : "");
}

}  // namespace oploom::program
