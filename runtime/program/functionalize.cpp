#include <algorithm>

#include "runtime/program/program.h"

namespace oploom::program {

namespace {

// Whether that each result fits the target that it was written into was tested while recording.
bool lengths_known(const Op& op) {
  const auto& pairs = op.def->inplace_pairs;
  return std::all_of(pairs.begin(), pairs.end(), [&op](const OpDef::Pair& pair) {
    const Value* target = op.input(pair.input);
    return target == nullptr || (target->type.known() && op.results[pair.output]->type.known());
  });
}

}  // namespace

// Programs are in functional form from the start: recording turns a write into a new version, and
// one into a view into a new version of its base. What is left to take away are the marks.
void functionalize(Program& program) {
  for_each_op(program.main, [](Op& op) {
    op.must_fit |= op.inplace && !op.applied && !lengths_known(op);
    op.inplace = false;
    op.applied = false;
  });
  ++program.revision;
}

}  // namespace oploom::program
