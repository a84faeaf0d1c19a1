#pragma once

#include <span>
#include <vector>

#include "runtime/program/program.h"

namespace oploom::program {

// Which values some roots need, through all regions. Roots are given values and, always, what the
// program does to the outside: results of written parameters, gradients that are set, main.yields.
class Needed {
 public:
  Needed(const Program& program, std::span<Value* const> roots);

  // A carried value of a loop is one thing: its result, both arguments and its init's use.
  bool value(const Value& value) const { return flags_[value.id]; }
  // Whether any result is.
  bool op(const Op& op) const;

 private:
  void mark(const Value* value);
  void visit(const Value& value);
  void visit_carried(const Op& loop, std::size_t k);

  std::vector<bool> flags_;
  std::vector<const Value*> todo_;
};

// f(Value*) for everything that the outside gets of a program whatever is fetched.
template <typename F>
void for_each_effect(const Program& program, F&& f) {
  for (const Program::Parameter& parameter : program.parameters) {
    if (parameter.result != parameter.value) f(parameter.result);
    if (parameter.rebound_grad != nullptr) f(parameter.rebound_grad);
  }
  for (Value* value : program.main.yields) f(value);
}

// A use that reads the shape alone, so that the buffer may be gone by then. Lists do not count:
// their lengths are read from themselves.
bool reads_shape_only(const Op& op);

// Takes out what is not needed: ops, carried values of loops, results of branches. Handles to it
// become null.
void remove_unneeded(Program& program, const Needed& needed);

}  // namespace oploom::program
