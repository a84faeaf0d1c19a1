#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/program/program.h"

// Whose buffers values share, as far as the program tells: a view has its base's. What hangs on the
// run (a branch's choice, a list's entries) the interpreter tests anew before it writes.
namespace oploom::program {

class Aliases {
 public:
  explicit Aliases(const Program& program);
  // The value that made the buffer which value may share.
  const Value& root(const Value& value) const { return *roots_[value.id]; }

 private:
  void visit(const Region& region);
  std::vector<const Value*> roots_;  // by id
};

// The values whose buffers apply_inplace() gave away, by root, and the ops that took them.
std::unordered_map<const Value*, const Op*> given_away(const Program& program,
                                                       const Aliases& aliases);
// Raises where the buffer of one of values was given away, naming the op that took it.
void check_not_given_away(const Program& program, std::span<Value* const> values);

}  // namespace oploom::program
