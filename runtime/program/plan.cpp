#include "runtime/program/plan.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/program/aliases.h"
#include "runtime/program/control.h"
#include "runtime/program/late.h"
#include "runtime/program/needed.h"

namespace oploom::program {

// Goes through each region from its end to its beginning. A value is alive where somebody behind
// reads it; the first use met of a value that is not alive is its last one.
class Planner {
 public:
  Planner(Plan& plan, const Program& program, std::span<Value* const> roots)
      : plan_(plan), needed_(program, roots) {
    plan_.slot_of_.assign(program.next_value_id, Plan::kNone);
    give_slots(program.main);
    plan_.slots.resize(regions_.size());
    alive_.assign(regions_.size(), false);
    shape_alive_.assign(regions_.size(), false);
    stamps_.assign(regions_.size(), 0);
    for (const Value* value : roots) set_alive(slot(value));
    for_each_effect(program, [this](const Value* value) { set_alive(slot(value)); });
    find_late(program, roots);
    plan_.main = main_block(program.main);
  }

 private:
  using Slots = std::vector<std::uint32_t>;

  std::uint32_t slot(const Value* value) const { return plan_.slot_of_[value->id]; }

  void give_slot(const Value& value, const Region& region) {
    plan_.slot_of_[value.id] = static_cast<std::uint32_t>(regions_.size());
    regions_.push_back(&region);
  }

  void give_slots(const Region& region) {
    for (const auto& value : region.arguments) {
      if (needed_.value(*value) && slot(value.get()) == Plan::kNone) give_slot(*value, region);
    }
    for (const auto& op : region.ops) {
      if (!needed_.op(*op)) continue;
      for (const auto& result : op->results) {
        if (op->regions.empty() || needed_.value(*result)) give_slot(*result, region);
      }
      if (op->def == &kWhile) share_slots(*op);
      for (const auto& inner : op->regions) give_slots(*inner);
    }
  }

  // Condition and body see the same variables.
  void share_slots(const Op& loop) {
    const Region& body = *loop.regions[1];
    for (std::size_t k = 0; k < body.arguments.size(); ++k) {
      if (!needed_.value(*body.arguments[k])) continue;
      give_slot(*body.arguments[k], body);
      plan_.slot_of_[loop.regions[0]->arguments[k]->id] = slot(body.arguments[k].get());
    }
  }

  // --- What is put last.

  void find_late(const Program& program, std::span<Value* const> roots) {
    const auto& parameters = program.parameters;
    if (std::all_of(parameters.begin(), parameters.end(), [](const Program::Parameter& parameter) {
          return parameter.result == parameter.value;
        }))
      return;
    std::vector<std::uint32_t> uses(program.next_value_id, 0);
    const auto count = [&uses](const Value* value) {
      if (value != nullptr) ++uses[value->id];
    };
    for (const Value* value : roots) count(value);
    for_each_op(program.main, [&](const Op& op) {
      if (!needed_.op(op)) return;
      for_each_use(op, count);
      for (const auto& region : op.regions)
        std::for_each(region->yields.begin(), region->yields.end(), count);
    });
    for (const auto& op : program.main.ops) {
      if (needed_.op(*op) && can_be_late(program, *op, uses)) plan_.late_.insert(op.get());
    }
    for (const Program::Parameter& parameter : parameters) {
      const Value* shifted = shift_of(*parameter.result);
      if (shifted != nullptr && plan_.late_.contains(shifted->op))
        plan_.late_.insert(parameter.result->op);
    }
  }

  // --- Who is alive.

  void set_alive(std::uint32_t s) {
    if (alive_[s]) return;
    alive_[s] = true;
    trail_.push_back(s);
  }
  // Where it is made: nobody in front can read it. True where nobody behind does either.
  bool made_here(std::uint32_t s) {
    const bool unread = !alive_[s] && !shape_alive_[s];
    alive_[s] = false;
    shape_alive_[s] = false;
    return unread;
  }
  // A use by a yield, a loop or a branch; true where it is the last.
  bool last_use(std::uint32_t s) {
    const bool last = !alive_[s] && !shape_alive_[s];
    set_alive(s);
    return last;
  }

  // --- Ops.

  Block block(const Region& region) {
    Block made;
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
      if (needed_.op(**op)) made.steps.push_back(step_of(**op, region));
    }
    std::reverse(made.steps.begin(), made.steps.end());
    return made;
  }

  // The same with the late ops behind all others.
  Block main_block(const Region& region) {
    Block made;
    for (const bool late : {true, false}) {
      for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
        if (needed_.op(**op) && plan_.late_.contains(op->get()) == late)
          made.steps.push_back(step_of(**op, region));
      }
    }
    std::reverse(made.steps.begin(), made.steps.end());
    plan_.first_late = made.steps.size() - plan_.late_.size();
    for (const Step& step : std::span(made.steps).subspan(plan_.first_late))
      plan_.late_reads.insert(step.frame->inputs.begin(), step.frame->inputs.end());
    return made;
  }

  Step step_of(const Op& op, const Region& region) {
    if (op.def == &kIf) return branch(op);
    if (op.def == &kWhile) return loop(op);
    return plain(op, region);
  }

  void set_frees(Step& step, const Slots& frees) {
    if (frees.empty()) return;
    auto pointers = std::make_unique<Slot*[]>(frees.size());
    std::transform(frees.begin(), frees.end(), pointers.get(),
                   [this](std::uint32_t s) { return &plan_.slots[s]; });
    step.frees = pointers.get();
    step.free_count = static_cast<std::uint32_t>(frees.size());
    plan_.pointers_.push_back(std::move(pointers));
  }

  RunFrame& frame_of(const Op& op) {
    auto pointers = std::make_unique<Slot*[]>(op.inputs.size() + op.results.size());
    Slot** to = pointers.get();
    for (const Value* value : op.inputs) *to++ = &plan_.slots[slot(value)];
    for (const auto& value : op.results) *to++ = &plan_.slots[slot(value.get())];
    Slot* const* slots = pointers.get();
    plan_.pointers_.push_back(std::move(pointers));
    const bool only = (op.def->flags & OpDef::kInplaceOnly) != 0;
    return plan_.frames_.emplace_back(
        RunFrame{.op = op,
                 .inputs = {slots, op.inputs.size()},
                 .outputs = {slots + op.inputs.size(), op.results.size()},
                 .attributes = op.attributes,
                 .must_fit = only || op.must_fit || (op.inplace && !op.applied)});
  }

  Step plain(const Op& op, const Region& region) {
    if (op.def->run == nullptr) [[unlikely]] {
      raise(ErrorKind::kUnimplemented, "[", op.def->name,
            "] expected an op that can be run, got one without kernels");
    }
    Step step;
    step.op = &op;
    step.run = op.def->run;
    step.frame = &frame_of(op);
    Rare rare;
    Slots frees;
    for (const auto& result : op.results) {
      if (made_here(slot(result.get()))) frees.push_back(slot(result.get()));
    }
    metadata(step, rare, op, frees);
    for (std::size_t i = op.inputs.size(); i-- > 0;) use(step, rare, i, region, frees);
    set_frees(step, frees);
    if ((op.def->flags & OpDef::kRandom) != 0) step.special |= Step::kRandom;
    const auto is_list = [](const InputDef& input) { return input.kind == InputDef::Kind::kList; };
    if (std::any_of(op.def->inputs.begin(), op.def->inputs.end(), is_list))
      step.special |= Step::kLists;
    if (op.inplace) set_written(step, rare);
    if ((step.special & (Step::kPatched | Step::kInplace | Step::kGhosts)) != 0) {
      step.rare = static_cast<std::uint32_t>(plan_.rare.size());
      plan_.rare.push_back(std::make_unique<Rare>(std::move(rare)));
      if ((step.special & Step::kPatched) != 0)
        step.frame->attributes = plan_.rare.back()->attributes;
    }
    return step;
  }

  void metadata(Step& step, Rare& rare, const Op& op, Slots& frees) {
    for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
      const Value* numbers = op.attribute_values[i];
      if (numbers == nullptr) continue;
      rare.patch.emplace_back(static_cast<std::uint32_t>(i), slot(numbers));
      if (last_use(slot(numbers))) frees.push_back(slot(numbers));
    }
    if (rare.patch.empty()) return;
    step.special |= Step::kPatched;
    rare.attributes = op.attributes;
  }

  void use(Step& step, Rare& rare, std::size_t i, const Region& region, Slots& frees) {
    const std::uint32_t s = slot(step.op->inputs[i]);
    const bool at_home = regions_[s] == &region;
    if (reads_shape_only(*step.op) && at_home) {
      if (!alive_[s] && !shape_alive_[s]) frees.push_back(s);
      shape_alive_[s] = true;
      return;
    }
    if (alive_[s]) return;
    const bool ghost = shape_alive_[s];
    set_alive(s);
    if (ghost && !at_home) return;  // the reader of its shape frees it
    if (i < 64) step.frame->dying |= std::uint64_t{1} << i;
    if (!ghost) return frees.push_back(s);
    step.special |= Step::kGhosts;
    rare.ghosts.push_back(s);
  }

  static void set_written(Step& step, Rare& rare) {
    const Op& op = *step.op;
    for (const OpDef::Pair pair : op.def->inplace_pairs) {
      const auto members = op.group(pair.input);
      if (members.size() != 1) continue;
      const auto flat = static_cast<std::uint32_t>(members.data() - op.inputs.data());
      if (flat >= 64 || (step.frame->dying >> flat & 1) == 0) return;
      const auto uses = std::count(op.inputs.begin(), op.inputs.end(), members[0]);
      if (uses != 1) return;
      rare.written.push_back(flat);
    }
    if (!rare.written.empty()) step.special |= Step::kInplace;
  }

  // --- Branches.

  // Slots from outside that died in what was walked since mark; they are not alive again
  // afterwards.
  Slots died_since(std::size_t mark) {
    Slots died;
    for (std::size_t i = mark; i < trail_.size(); ++i) {
      if (!alive_[trail_[i]]) continue;
      alive_[trail_[i]] = false;
      died.push_back(trail_[i]);
    }
    trail_.resize(mark);
    return died;
  }

  Slots missing(const Slots& from, const Slots& of) {
    ++stamp_;
    for (const std::uint32_t s : from) stamps_[s] = stamp_;
    Slots found;
    for (const std::uint32_t s : of) {
      if (stamps_[s] != stamp_ && !shape_alive_[s]) found.push_back(s);
    }
    return found;
  }

  Step branch(const Op& op) {
    auto owned = std::make_unique<Branches>();
    Branches& made = *owned;
    Step step;
    step.op = &op;
    step.special = Step::kIf;
    Slots frees;
    for (const auto& result : op.results) {
      const std::uint32_t s = slot(result.get());
      if (s != Plan::kNone && made_here(s)) frees.push_back(s);
    }
    set_frees(step, frees);
    Slots died[2];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t mark = trail_.size();
      const Region& region = *op.regions[side];
      for (std::size_t i = region.yields.size(); i-- > 0;) {
        if (slot(op.results[i].get()) == Plan::kNone) continue;
        const std::uint32_t from = slot(region.yields[i]);
        made.results[side].push_back({from, slot(op.results[i].get()), last_use(from)});
      }
      std::reverse(made.results[side].begin(), made.results[side].end());
      made.blocks[side] = block(region);
      died[side] = died_since(mark);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      made.blocks[side].free_first = missing(died[side], died[1 - side]);
      for (const std::uint32_t s : died[side]) set_alive(s);
    }
    made.condition = slot(op.inputs[0]);
    made.condition_dies = last_use(made.condition);
    step.rare = static_cast<std::uint32_t>(plan_.branches.size());
    plan_.branches.push_back(std::move(owned));
    return step;
  }

  // --- Loops.

  // Calls f with the slot of everything that region reads, its own values too.
  template <typename F>
  void for_each_read(const Region& region, F&& f) {
    for (const auto& op : region.ops) {
      if (!needed_.op(*op)) continue;
      for_each_use(*op, [&](const Value* value) {
        if (value != nullptr && slot(value) != Plan::kNone) f(slot(value));
      });
      for (const auto& inner : op->regions) for_each_read(*inner, f);
    }
    for (const Value* value : region.yields) {
      if (slot(value) != Plan::kNone) f(slot(value));
    }
  }

  // Reads the values from outside for as long as it runs. Own ones have later slots than the
  // results.
  void capture(const Op& op, Slots& frees) {
    std::uint32_t own = Plan::kNone;
    for (const auto& argument : op.regions[1]->arguments) own = std::min(own, slot(argument.get()));
    for (const auto& region : op.regions) {
      for_each_read(*region, [&](std::uint32_t s) {
        if (s < own && last_use(s)) frees.push_back(s);
      });
    }
  }

  Step loop(const Op& op) {
    auto owned = std::make_unique<Loop>();
    Loop& made = *owned;
    Step step;
    step.op = &op;
    step.special = Step::kWhile;
    const Region& condition = *op.regions[0];
    const Region& body = *op.regions[1];
    Slots kept;  // which variables are needed
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
      if (slot(op.results[k].get()) != Plan::kNone) kept.push_back(static_cast<std::uint32_t>(k));
    }
    for (const std::uint32_t k : kept) {
      const std::uint32_t variable = slot(body.arguments[k].get());
      const std::uint32_t result = slot(op.results[k].get());
      if (made_here(result))
        made.unread.push_back(variable);
      else
        made.results.push_back({variable, result, true});
    }
    Slots frees;
    capture(op, frees);
    set_frees(step, frees);

    for (const std::uint32_t k : kept) alive_[slot(body.arguments[k].get())] = true;
    made.tested = slot(condition.yields[0]);
    made.tested_dies = last_use(made.tested);
    made.condition = block(condition);
    for (const std::uint32_t k : kept) alive_[slot(body.arguments[k].get())] = false;
    for (std::size_t i = kept.size(); i-- > 0;) {
      const std::uint32_t from = slot(body.yields[kept[i]]);
      made.next.push_back({from, slot(body.arguments[kept[i]].get()), last_use(from)});
    }
    std::reverse(made.next.begin(), made.next.end());
    made.body = block(body);
    for (const std::uint32_t k : kept) {
      const std::uint32_t variable = slot(body.arguments[k].get());
      if (made_here(variable)) made.body.free_first.push_back(variable);
    }
    for (std::size_t i = kept.size(); i-- > 0;) {
      const std::uint32_t from = slot(op.inputs[kept[i]]);
      made.inits.push_back({from, slot(body.arguments[kept[i]].get()), last_use(from)});
    }
    std::reverse(made.inits.begin(), made.inits.end());
    step.rare = static_cast<std::uint32_t>(plan_.loops.size());
    plan_.loops.push_back(std::move(owned));
    return step;
  }

  Plan& plan_;
  Needed needed_;
  std::vector<const Region*> regions_;  // by slot: where the value is made
  std::vector<char> alive_, shape_alive_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  Slots trail_;  // what was set alive, in order
};

Plan::Plan(const Program& program, std::span<Value* const> roots) {
  check_not_given_away(program, roots);
  Planner(*this, program, roots);
}

bool Plan::is_late(const Value& value) const { return late_.contains(value.op); }

void Plan::clear_slots() {
  for (Slot& slot : slots) slot = Slot();
  for (RunFrame& frame : frames_) frame.gathered.clear();
}

// --- The cache.

PlanCache::Entry PlanCache::take(const Program& program, std::span<Value* const> roots) {
  {
    const std::scoped_lock lock(mutex);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      const bool same =
          entry->revision == program.revision &&
          std::equal(roots.begin(), roots.end(), entry->roots.begin(), entry->roots.end());
      if (!same) continue;
      Entry found = std::move(*entry);
      entries.erase(std::next(entry).base());
      return found;
    }
  }
  return {program.revision, {roots.begin(), roots.end()}, std::make_unique<Plan>(program, roots)};
}

void PlanCache::give_back(Entry entry) {
  constexpr std::size_t kKept = 8;
  const std::scoped_lock lock(mutex);
  std::erase_if(entries, [&](const Entry& old) { return old.revision != entry.revision; });
  if (entries.size() >= kKept) entries.erase(entries.begin());
  entries.push_back(std::move(entry));
}

}  // namespace oploom::program
