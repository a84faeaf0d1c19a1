#include "runtime/program/program.h"

namespace oploom::program {

// Programs are in functional form from the start: recording turns a write into a new version, and
// one into a view into a new version of its base. What is left to take away are the marks.
void functionalize(Program& program) {
  for_each_op(program.main, [](Op& op) {
    op.inplace = false;
    op.applied = false;
  });
  ++program.revision;
}

}  // namespace oploom::program
