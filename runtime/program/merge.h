#pragma once

#include <span>

#include "runtime/program/program.h"

namespace oploom::program {

// Of pure ops that do the same, the first one stays. Not merged: random and marked ops, ops with
// regions, on lists or with results that are held (a gradient asked for one of them would become
// that for both).
void merge_equal_ops(Program& program, std::span<Value* const> held);

}  // namespace oploom::program
