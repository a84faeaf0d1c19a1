#include "runtime/program/needed.h"

namespace oploom::program {

void prune(Program& program, std::span<Value* const> fetch) {
  remove_unneeded(program, Needed(program, fetch));
}

}  // namespace oploom::program
