#pragma once

#include <vector>

#include "runtime/program/ir.h"

namespace oploom::program {

// A small tensor that clean_up worked out. Attributes dtype, shape, and data: its bytes in base64.
extern const OpDef kConstant;

// The attributes of a constant that holds x.
std::vector<Attribute> constant_attributes(const Tensor& x);
// Turns op, which has one result, into a constant that holds x; its result stays the same value.
void become_constant(Op& op, const Tensor& x);

}  // namespace oploom::program
