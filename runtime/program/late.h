#pragma once

#include "runtime/program/plan.h"

// Updates of parameters that nothing reads afterwards: the optimizer's part of a training step. A
// plan puts them last. Once everything else has been done and all effects have been found storable,
// they run straight in the parameters' memory: no new buffers, and nothing to be copied.
//
// A run that raises stores nothing, so an update runs late only where nothing can raise any more:
// its own checks are made for all of them before the first one writes. And it sees what it would
// have seen: what it reads and what others write lies apart from what it writes.
namespace oploom::program {

// Whether the planner may put op behind all others, as far as the program tells: each result that
// is paired with an input is what a parameter leaves with, straight from what it came in with.
// uses: by value id, what is asked for counted in.
bool can_be_late(const Program& program, const Op& op, std::span<const std::uint32_t> uses);

// What an unrecorded write (shift) gives the value of; null where value is none. Such a shift
// follows its update.
const Value* shift_of(const Value& value);

// The late steps of one run.
class LateUpdates {
 public:
  // All other steps are done. Looks whether the late ones may run in the parameters' memory, and
  // makes their checks, which raise.
  LateUpdates(const Program& program, Plan& plan);
  // Where not, they run as all others do, before effects are taken.
  bool in_place() const { return in_place_; }
  bool writes(const Program::Parameter& parameter) const;
  bool reads(const Slot& slot) const { return in_place_ && plan_.late_reads.contains(&slot); }
  // Writes the parameters; leaves the slots of the late steps empty.
  void run();

 private:
  Plan& plan_;
  bool in_place_;
};

}  // namespace oploom::program
