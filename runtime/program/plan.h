#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/program/interpreter.h"
#include "runtime/program/program.h"

// How one set of values of a program is worked out: what is run, where values lie, and where each
// buffer has its last reader. Made once for (revision, what is asked for); a run only walks it.
//
// Every value has a slot of its own for the whole run; a loop's variables keep theirs over the
// trips. A value dies at its last use: in a straight line there, at the end of a loop that captures
// it, on both sides of a branch where only one of them reads it.
namespace oploom::program {

struct Branches;
struct Loop;

// A value handed on: from one slot to another, moved where that is its last use.
struct Move {
  std::uint32_t from, to;
  bool last;
};

// One op. Its frame is made with the plan, so that a call of it costs no more than the call.
struct Step {
  void (*run)(RunFrame& frame) = nullptr;
  RunFrame* frame = nullptr;     // null for a branch or a loop
  Slot* const* frees = nullptr;  // slots that are empty afterwards
  std::uint32_t free_count = 0;
  enum Special : std::uint8_t {
    kInplace = 1,
    kRandom = 2,
    kPatched = 4,  // attributes that are metadata
    kGhosts = 8,   // inputs whose shape alone is read later
    kIf = 16,
    kWhile = 32,
    kLists = 64,  // inputs that are gathered
  };
  std::uint8_t special = 0;
  std::uint32_t rare = 0;  // index into Plan::rare, ::branches or ::loops
  const Op* op = nullptr;
};

// What only few steps have.
struct Rare {
  std::vector<Attribute> attributes;                           // kPatched: where they are patched
  std::vector<std::pair<std::uint32_t, std::uint32_t>> patch;  // attribute, slot
  std::vector<std::uint32_t> written;                          // kInplace: flat inputs
  std::vector<std::uint32_t> ghosts;                           // slots
};

struct Block {
  std::vector<Step> steps;
  std::vector<std::uint32_t> free_first;  // slots that nobody in here reads
};

struct Branches {
  std::uint32_t condition = 0;
  bool condition_dies = false;
  Block blocks[2];
  std::vector<Move> results[2];
};

struct Loop {
  Block condition, body;
  std::uint32_t tested = 0;  // slot of the condition's result
  bool tested_dies = false;
  std::vector<Move> inits, next, results;
  std::vector<std::uint32_t> unread;  // variables that nobody reads after the loop
};

class Plan {
 public:
  // roots: values of program.main that are there at the end.
  Plan(const Program& program, std::span<Value* const> roots);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t slot_of(const Value& value) const { return slot_of_[value.id]; }
  void clear_slots();

  // Of a function's plan (function.cpp): where its second half begins, and which slots that reads.
  struct Halves {
    std::size_t first_step = 0;
    std::vector<bool> read;
  };
  std::unique_ptr<const Halves> halves;

  Block main;
  std::size_t first_late = 0;  // of main.steps: updates of parameters (late.h)
  std::unordered_set<const Slot*> late_reads;
  // Whether a late step makes value.
  bool is_late(const Value& value) const;
  std::vector<std::unique_ptr<Rare>> rare;
  std::vector<std::unique_ptr<Branches>> branches;
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<Slot> slots;  // empty between runs

 private:
  friend class Planner;
  std::vector<std::uint32_t> slot_of_;  // by value id
  std::unordered_set<const Op*> late_;
  std::deque<RunFrame> frames_;                     // of steps
  std::vector<std::unique_ptr<Slot*[]>> pointers_;  // of steps and frames
};

// Runs steps [first, last) of plan.main, whose arguments lie in its slots; what they leave behind
// does, too. Errors carry the op and where it was recorded.
void run_steps(Plan& plan, std::size_t first, std::size_t last, std::uint64_t run_number);

// Makes the checks of plan.main's steps from first on, which have not run yet.
void check_steps(Plan& plan, std::size_t first);

// The plans of the latest sets of roots. A plan is away while it runs, so that threads and nested
// runs do not meet in its slots.
struct PlanCache {
  struct Entry {
    std::uint64_t revision;
    std::vector<Value*> roots;
    std::unique_ptr<Plan> plan;
  };
  std::mutex mutex;
  std::vector<Entry> entries;  // the latest last

  Entry take(const Program& program, std::span<Value* const> roots);
  void give_back(Entry entry);
};

}  // namespace oploom::program
