#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/thread_state.h"
#include "runtime/program/control.h"
#include "runtime/program/record.h"
#include "runtime/program/recording.h"
#include "runtime/program/roles.h"

// Branches and loops. What a region writes into values from outside leaves it as a further result
// (`if`) or is carried (`while`), and the handles outside move on to that.
namespace oploom::program {
namespace {

using Change = Recording::Change;

// Cells of regions that are recorded: forgotten unless they are handed to the region around them.
class Made {
 public:
  explicit Made(Recording& recording) : recording_(recording) {}
  ~Made() { forget(cells_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  void add(const std::vector<std::weak_ptr<Cell>>& cells) {
    cells_.insert(cells_.end(), cells.begin(), cells.end());
  }
  void keep() {
    auto& made = recording_.frame().made;
    if (recording_.frame().serial != 0) made.insert(made.end(), cells_.begin(), cells_.end());
    cells_.clear();
  }

 private:
  Recording& recording_;
  std::vector<std::weak_ptr<Cell>> cells_;
};

Region& add_region(Op& op) {
  Region& region = *op.regions.emplace_back(std::make_unique<Region>());
  region.parent = &op;
  return region;
}

std::unique_ptr<Op> control_op(const OpDef& def, Recording& recording, std::vector<Value*> inputs) {
  auto op = std::make_unique<Op>();
  op->def = &def;
  op->inputs = std::move(inputs);
  if (&def == &kWhile) op->group_sizes = {static_cast<std::uint32_t>(op->inputs.size())};
  op->parent = recording.frame().region;
  return op;
}

// What the region wrote into the base of a detach() from outside is that one's value, too, at its end.
void bring_up_to_date(Frame& frame) {
  for (std::size_t i = 0; i < frame.journal.size(); ++i) {  // grows meanwhile
    const std::shared_ptr<Memory> memory = frame.journal[i].memory;
    if (memory->parent != nullptr && memory->view == nullptr && !memory->may_be_copy) newest(*memory);
  }
}

// f records region and answers what it yields.
template <typename F>
std::vector<Change> record_region(Recording& recording, Region& region, bool loop, Made& made,
                                  F&& f) {
  const std::size_t depth = recording.frames.size();
  recording.open(region, loop);
  try {
    region.yields = f();
    bring_up_to_date(recording.frame());
  } catch (...) {
    recording.discard(depth);
    throw;
  }
  auto closed = recording.close();
  made.add(closed.made);
  return std::move(closed.changes);
}

void expect_truth(const char* op, const Value* value) {
  const Type& type = value->type;
  if (type.is_tensor() && type.dtype == DType::kBool && type.shape.empty()) return;
  raise(ErrorKind::kType, "[", op, "] condition: expected one truth value, bool[], got ", type,
        "; compare, or reduce to one element first");
}

const Change* find(const std::vector<Change>& changes, const Memory* memory) {
  const auto found = std::find_if(changes.begin(), changes.end(), [memory](const Change& change) {
    return change.memory.get() == memory;
  });
  return found == changes.end() ? nullptr : &*found;
}

}  // namespace

// Values cross the borders of regions as tensors of their own. A number becomes one, too, as
// to_tensor() makes it: of its category's default dtype, so that it widens others no more than it
// does in eager mode. Under no_grad they are constants; the op itself is recorded all the same, for
// what its regions write keeps its history.
std::vector<Value*> Recorder::exported(const char* what, const Variables& results) {
  std::vector<Value*> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined()) {
      raise(ErrorKind::kType, "[", what, "] result ", i,
            ": expected a value of the program, got none");
    }
    Value* value = value_of(results[i]);
    if (value->type.weak) {
      Here here(program());
      value = roles::cast(value, promote_weak(DType::kBool, value->type.dtype));
      here.keep();
    }
    if (!grad_enabled() && may_need_grad(*results[i].handle()->memory, value)) {
      Here here(program(), false);
      value = shifted(value, value, false);
      here.keep();
    }
    values.push_back(value);
  }
  return values;
}

// --- cond.

Variables Recorder::cond(const Variable& pred, const Branch& true_fn, const Branch& false_fn) {
  Value* condition = value_of(pred);
  expect_truth("cond", condition);
  auto op = control_op(kIf, *recording_, {condition});
  Made made(*recording_);
  std::vector<Change> changes[2];
  for (const int k : {0, 1}) {
    changes[k] = record_region(*recording_, add_region(*op), false, made, [&] {
      return exported(k == 0 ? "cond, true_fn" : "cond, false_fn", k == 0 ? true_fn() : false_fn());
    });
  }
  Region& then = *op->regions[0];
  Region& otherwise = *op->regions[1];
  const std::size_t count = then.yields.size();
  if (otherwise.yields.size() != count) {
    raise(ErrorKind::kArgument, "[cond] false_fn: expected ", count,
          " results, as true_fn gives, got ", otherwise.yields.size(),
          "; let both return the same number");
  }
  std::vector<Change> written = changes[0];
  for (const Change& change : changes[1]) {
    if (find(changes[0], change.memory.get()) == nullptr) written.push_back(change);
  }
  std::stable_partition(written.begin(), written.end(),
                        [](const Change& change) { return change.memory->parent == nullptr; });
  for (const Change& change : written) {
    Memory& memory = *change.memory;
    for (const int k : {0, 1}) {
      const Change* own = find(changes[k], &memory);
      op->regions[static_cast<std::size_t>(k)]->yields.push_back(own != nullptr ? own->value
                                                                                : newest(memory));
    }
    join(text("[cond] '", name_of(memory), "', written in a branch"), then.yields.back()->type,
         otherwise.yields.back()->type);
  }
  Here here(program(), true);
  Op& appended = here.builder().append(std::move(op));
  here.keep();
  made.keep();
  Variables results;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(wrap(appended.results[i].get(), appended.results[i]->needs_grad));
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    Memory& memory = *written[i].memory;
    const Change* other = find(changes[1], &memory);
    const bool recorded = written[i].recorded || (other != nullptr && other->recorded);
    set_result(memory, appended.results[count + i].get(), recorded,
               text(written[i].writer, " in a branch of cond"));
  }
  return results;
}

// --- while_loop.

struct Recorder::Loop {
  std::vector<Value*> inits;
  std::vector<Type> types;  // of the loop variables, as wide as they turned out to be
  struct Carried {
    std::shared_ptr<Memory> memory;
    Type type;
    bool recorded = false;
    std::string writer;
  };
  std::vector<Carried> carried;  // values from outside that the body writes into
  std::unique_ptr<Op> op;
  Made made;
};

namespace {

// The arguments of a loop's region; those of carried values become what their handles mean in
// there.
template <typename Loop>
std::vector<Value*> begin(Program& program, Region& region, Loop& loop, const Op& op) {
  std::vector<Value*> arguments;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const bool carried = i >= loop.types.size();
    const std::size_t k = i - loop.types.size();
    const Type& type = carried ? loop.carried[k].type : loop.types[i];
    Value* argument = add_argument(program, region, type);
    argument->needs_grad = op.inputs[i]->needs_grad && can_have_grad(type);
    arguments.push_back(argument);
    if (carried) set_argument(*loop.carried[k].memory, argument, loop.carried[k].recorded);
  }
  return arguments;
}

[[noreturn]] void refuse_write_in_condition(const Change& change) {
  raise(ErrorKind::kArgument,
        "[while_loop] cond: expected a condition that writes into no value from outside, but ",
        change.writer, " wrote into '", name_of(*change.memory),
        "'; move the write into body, or use the plain form");
}

bool widen(std::string_view what, Type& type, const Value* yield) {
  const Type joined = join(what, type, yield->type);
  const bool wider = !(joined == type);
  type = joined;
  return wider;
}

}  // namespace

// False: something was wider, or more was written, than was known before; to be recorded again.
bool Recorder::try_loop(Loop& loop, const Condition& condition, const Body& body) {
  std::vector<Value*> inputs = loop.inits;
  for (const Loop::Carried& carried : loop.carried) inputs.push_back(newest(*carried.memory));
  loop.op = control_op(kWhile, *recording_, std::move(inputs));
  const std::size_t count = loop.types.size();
  std::vector<Value*> arguments;
  const auto enter = [&](Region& region) {
    arguments = begin(program(), region, loop, *loop.op);
    Variables variables;
    for (std::size_t i = 0; i < count; ++i) variables.push_back(wrap(arguments[i], true));
    return variables;
  };
  Region& first = add_region(*loop.op);
  const auto read = record_region(*recording_, first, true, loop.made, [&] {
    const auto values = exported("while_loop, cond", {condition(enter(first))});
    expect_truth("while_loop", values[0]);
    return values;
  });
  for (const Change& change : read) {
    if (std::find(arguments.begin(), arguments.end(), change.value) == arguments.end()) {
      if (change.memory->parent == nullptr) refuse_write_in_condition(change);
    }
  }
  Region& second = add_region(*loop.op);
  const auto written = record_region(*recording_, second, true, loop.made, [&] {
    const Variables results = body(enter(second));
    if (results.size() != count) {
      raise(ErrorKind::kArgument, "[while_loop] body: expected ", count,
            " results, one for each loop variable, got ", results.size(),
            "; let it return as many as it was given");
    }
    return exported("while_loop, body", results);
  });

  bool again = false;
  for (std::size_t i = 0; i < count; ++i) {
    again |= widen(text("[while_loop] loop variable ", i), loop.types[i], second.yields[i]);
  }
  for (Loop::Carried& carried : loop.carried) {
    const Change* change = find(written, carried.memory.get());
    Value* value = change != nullptr ? change->value : arguments[second.yields.size()];
    again |= widen(text("[while_loop] '", name_of(*carried.memory), "', written in body"),
                   carried.type, value);
    if (change != nullptr) {
      again |= change->recorded && !carried.recorded;
      carried.recorded |= change->recorded;
      carried.writer = change->writer;
    }
    second.yields.push_back(value);
  }
  for (const Change& change : written) {
    const auto known = [&](const Loop::Carried& carried) {
      return carried.memory == change.memory;
    };
    if (std::any_of(loop.carried.begin(), loop.carried.end(), known)) continue;
    again = true;
    loop.carried.push_back(
        {change.memory, change.memory->cell->value->type, change.recorded, change.writer});
  }
  return !again;
}

Variables Recorder::while_loop(const Condition& condition, const Body& body,
                               const Variables& inits) {
  if (inits.empty()) {
    raise(ErrorKind::kArgument,
          "[while_loop] loop_vars: expected at least one loop variable, got none");
  }
  std::vector<Value*> values = exported("while_loop, loop_vars", inits);
  std::vector<Type> types;
  for (const Value* value : values) types.push_back(value->type);
  std::vector<Loop::Carried> carried;
  for (;;) {
    Loop loop{values, types, std::move(carried), nullptr, Made(*recording_)};
    if (!try_loop(loop, condition, body)) {
      types = loop.types;
      carried = std::move(loop.carried);
      std::stable_partition(carried.begin(), carried.end(),
                            [](const Loop::Carried& c) { return c.memory->parent == nullptr; });
      continue;
    }
    Here here(program(), true);
    Op& op = here.builder().append(std::move(loop.op));
    here.keep();
    loop.made.keep();
    Variables results;
    for (std::size_t i = 0; i < types.size(); ++i) {
      results.push_back(wrap(op.results[i].get(), op.results[i]->needs_grad));
    }
    for (std::size_t k = 0; k < loop.carried.size(); ++k) {
      const Loop::Carried& c = loop.carried[k];
      set_result(*c.memory, op.results[types.size() + k].get(), c.recorded,
                 text(c.writer, " in a loop"));
    }
    return results;
  }
}

}  // namespace oploom::program
