#include "runtime/program/memory.h"

#include <atomic>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/core/thread_state.h"
#include "runtime/core/views.h"
#include "runtime/core/write_log.h"
#include "runtime/program/activity.h"
#include "runtime/program/control.h"
#include "runtime/program/interpreter.h"
#include "runtime/program/recording.h"
#include "runtime/program/roles.h"

namespace oploom::program {
namespace {

std::string position_now() {
  if (position_hooks.capture == nullptr) return "C++";
  const Position position = position_hooks.capture();
  std::string where = describe(position);
  if (position.code != nullptr && position_hooks.drop != nullptr) position_hooks.drop(position);
  return where;
}

Region& region_here(Program& program) {
  const Recording* recording = Recording::of(program);
  return recording != nullptr ? *recording->frames.back()->region : program.main;
}

}  // namespace

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial = 0;
  return ++serial;
}

// --- Members and handles.

Memory& Memory::root() {
  Memory* memory = this;
  while (memory->parent != nullptr) memory = memory->parent.get();
  return *memory;
}

Memory& Memory::family_root() {
  Memory* memory = this;
  while (memory->parent != nullptr && memory->view != nullptr) memory = memory->parent.get();
  return *memory;
}

bool Memory::captured() const {
  const Recording* recording = Recording::of(*program);
  return recording != nullptr && born != recording->frames.back()->serial;
}

namespace {

void count_in(Memory& memory) {
  ++memory.root().handles;
  ++memory.family_root().family_handles;
}
void count_out(Memory& memory) {
  --memory.root().handles;
  --memory.family_root().family_handles;
}

}  // namespace

Handle::Handle(std::shared_ptr<Memory> m) : memory(std::move(m)), born(memory->born) {
  count_in(*memory);
}
Handle::~Handle() { count_out(*memory); }
void Handle::move_to(std::shared_ptr<Memory> m) {
  count_in(*m);
  count_out(*memory);
  memory = std::move(m);
}

std::string name_of(const Memory& memory) {
  if (memory.parameter.defined()) return memory.parameter.name();
  const Value* value = memory.cell->value;
  if (value == nullptr) return "%?";
  if (memory.argument != nullptr && !memory.argument->name.empty()) return memory.argument->name;
  return text("%", value->id);
}

// --- Where ops go.

Here::Here(Program& program, std::optional<bool> recorded)
    : builder_(program, region_here(program)),
      scope_(builder_),
      length_(builder_.region().ops.size()) {
  builder_.recorded = recorded.value_or(grad_enabled());
  builder_.position = position_now();
}

Here::~Here() {
  if (!kept_) builder_.region().ops.resize(length_);
}

Value* shifted(Value* old, Value* value, bool recorded) {
  Builder& builder = Builder::current();
  const bool before = std::exchange(builder.recorded, recorded);
  Value* result = builder.append(kShift, {old, value}, {}).results[0].get();
  builder.recorded = before;
  return result;
}

bool may_need_grad(const Memory& memory, const Value* value) {
  if (!can_have_grad(value->type) || value->stopped) return false;
  const Recording* recording = Recording::of(*memory.program);
  return value->needs_grad || (recording != nullptr && recording->frames.back()->loop);
}

// --- Making members. How they lie: views do not touch elements, so a tensor that nobody fills will
// do.

namespace {

std::shared_ptr<Memory> new_memory(Program& program, Value* value) {
  auto memory = std::make_shared<Memory>();
  memory->program = ProgramRef(program);
  memory->cell = program.cell_of(value);
  if (Recording* recording = Recording::of(program)) {
    memory->born = recording->frame().serial;
    if (memory->born != 0) recording->frame().made.push_back(memory->cell);
  }
  return memory;
}

}  // namespace

Tensor layout_of(Memory& memory) {
  if (memory.layout.defined() || !memory.contiguous || memory.cell->value == nullptr)
    return memory.layout;
  const Type& type = memory.cell->value->type;
  if (!type.is_tensor() || !type.known()) return memory.layout;
  try {
    memory.layout = empty(type.shape, type.dtype);
  } catch (const std::exception&) {  // too large: then it is not known
  }
  return memory.layout;
}

namespace {

// The layout that the view op answers for a base of layout `base`; undefined where that is not
// known.
Tensor viewed(const Op& op, std::size_t result, const Tensor& base) {
  if (!base.defined() || op.inputs.size() != 1 || op.def->run == nullptr) return {};
  for (const Value* value : op.attribute_values) {
    if (value != nullptr) return {};
  }
  Slot input{base, {}};
  std::vector<Slot> outputs(op.results.size());
  std::vector<Slot*> places;
  for (Slot& slot : outputs) places.push_back(&slot);
  Slot* const inputs[] = {&input};
  const NoGrad no_grad;
  try {
    RunFrame frame{op, inputs, places, op.attributes};
    op.def->run(frame);
  } catch (const std::exception&) {
    return {};
  }
  const Tensor& out = outputs[result].tensor;
  return out.defined() && out.impl()->storage == base.impl()->storage ? out : Tensor();
}

bool grows(const Type& base, const Type& part) {
  return base.known() && part.known() && count_elements(part.shape) > count_elements(base.shape);
}

// Whether a view of a base whose lengths are not all known may have more elements than that.
bool may_grow(const Op& op) {
  if (op.def != &roles::kExpand) return false;
  if (op.attribute_value(0) != nullptr) return true;
  const auto& asked = std::get<std::vector<std::int64_t>>(op.attributes[0]);
  const Dims& base = op.inputs[0]->type.shape;
  const std::size_t lead = asked.size() - base.size();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::int64_t from = i < lead ? 1 : base[i - lead];
    // -1 keeps the length; a length of 0 or 1 is none that 1 grows to.
    if (asked[i] > 1 && asked[i] != from) return true;
  }
  return false;
}

// False where the layout asks for a copy.
bool lay_out(Memory& view, Memory& parent, const Op& op, std::size_t result) {
  const Type& type = op.results[result]->type;
  const Tensor base = layout_of(parent);
  if ((op.def->flags & OpDef::kViewMayCopy) == 0) {
    view.layout = viewed(op, result, base);
    view.contiguous = view.layout.defined() && view.layout.contiguous();
    view.overlap =
        view.layout.defined()
            ? !view.contiguous && overlaps_itself(view.layout.shape(), view.layout.strides())
            : parent.overlap || grows(op.inputs[0]->type, type);
    view.may_overlap = !view.layout.defined() && (parent.may_overlap || may_grow(op));
    return true;
  }
  view.contiguous = parent.contiguous;
  view.overlap = parent.overlap;
  view.may_overlap = parent.may_overlap;
  if (base.defined() && type.known()) {
    const auto map = reshaped_map(base, type.shape);
    if (!map) return false;
    view.layout = alias(base, map->shape, map->strides, map->offset);
    view.contiguous = view.layout.contiguous();
    return true;
  }
  view.may_be_copy = !parent.contiguous;
  return true;
}

std::shared_ptr<Memory> new_member(const std::shared_ptr<Memory>& parent, Value* value) {
  auto memory = new_memory(*parent->program, value);
  memory->parent = parent;
  const Memory& root = parent->root();
  memory->state.seen = root.state.writes;
  memory->state.history_seen = memory->family_root().state.histories;
  return memory;
}

}  // namespace

std::shared_ptr<Memory> new_root(Program& program, Value* value, bool history) {
  auto memory = new_memory(program, value);
  memory->state.history = history;
  memory->state.writes = memory->state.seen = next_serial();
  return memory;
}

std::shared_ptr<Memory> new_view(const std::shared_ptr<Memory>& parent, const Op& op,
                                 std::size_t result) {
  Value* value = op.results[result].get();
  auto memory = new_member(parent, value);
  memory->view = op.def;
  memory->attributes = op.attributes;
  for (Value* numbers : op.attribute_values) {
    memory->attribute_values.push_back(numbers == nullptr ? nullptr
                                                          : parent->program->cell_of(numbers));
  }
  memory->result = result;
  memory->unrecorded_view = parent->unrecorded_view || !op.recorded;
  memory->constant = memory->unrecorded_view;
  memory->state.history_seen = memory->family_root().state.histories;
  if (!lay_out(*memory, *parent, op, result))
    return new_root(*parent->program, value, value->needs_grad);
  return memory;
}

std::shared_ptr<Memory> new_picked(const std::shared_ptr<Memory>& parent, const Op& op) {
  auto memory = new_member(parent, op.results[0].get());
  memory->view = op.def;
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    memory->positions.push_back(parent->program->cell_of(op.inputs[i]));
  }
  memory->attributes = op.attributes;
  memory->unrecorded_view = parent->unrecorded_view || !op.recorded;
  memory->constant = memory->unrecorded_view;
  memory->contiguous = false;  // as far as is known
  memory->may_overlap = parent->may_overlap;
  return memory;
}

std::shared_ptr<Memory> new_detached(const std::shared_ptr<Memory>& parent) {
  Value* value = newest(*parent);
  Here here(*parent->program, false);
  auto memory = new_member(parent, shifted(value, value, false));
  here.keep();
  memory->constant = true;
  memory->contiguous = parent->contiguous;
  memory->layout = layout_of(*parent);
  memory->overlap = parent->overlap;
  memory->may_overlap = parent->may_overlap;
  memory->may_be_copy = parent->may_be_copy;
  return memory;
}

// --- Reading.

namespace {

[[noreturn]] void refuse_gone(Memory& memory) {
  if (memory.cell->value == nullptr) {
    raise(ErrorKind::kRuntime,
          "[program] a value is read that is not there any more: it was made in a branch or loop "
          "body that raised or "
          "was recorded anew, or a pass dropped it. Let the branch or loop return it, or name it "
          "in fetch.");
  }
  raise(ErrorKind::kArgument, "[program] ", name_of(memory),
        " is made inside a branch or loop and read outside of it; let that return it and use the "
        "result");
}

[[noreturn]] void refuse_maybe_copy(const Memory& memory, const char* what) {
  raise(ErrorKind::kInplace, "[", memory.view != nullptr ? memory.view->name : "detach", "] '",
        name_of(memory), "' ", what,
        ", but whether it shares memory with what it was made from hangs on lengths that are known "
        "at run time "
        "only. Use clone() of it.");
}

// The step from memory's value to the next. A recorded one ends the history; else the gradient of
// the new value is that of the old one, too.
void step_on(Memory& memory, Value* value, bool recorded, const std::string& writer) {
  touch(memory);
  Value* old = memory.cell->value;
  if (old != nullptr) memory.earlier.push_back({old, old->id, writer});
  MemoryState& state = memory.state;
  if (recorded || old == nullptr) {
    state.origin = nullptr;
    state.leaf = nullptr;
    state.home = nullptr;
  } else if (state.origin == nullptr) {
    state.origin = memory.program->cell_of(old);
  }
  memory.cell->value = value;
}

std::vector<Value*> values_of(const std::vector<std::shared_ptr<Cell>>& cells) {
  std::vector<Value*> values;
  for (const auto& cell : cells) values.push_back(cell == nullptr ? nullptr : cell->value);
  return values;
}

// same_history: no recorded write came between; the gradient goes straight through to the old value
// (E7).
Value* derived(Memory& memory, Value* base, bool same_history) {
  Value* old = same_history ? memory.cell->value : nullptr;
  Here here(*memory.program, !memory.constant);
  Value* value = base;
  if (memory.view != nullptr) {
    std::vector<Value*> inputs = values_of(memory.positions);
    std::vector<std::uint32_t> groups;
    if (!inputs.empty()) groups = {1, static_cast<std::uint32_t>(inputs.size())};
    inputs.insert(inputs.begin(), base);
    Op& op = here.builder().append(*memory.view, std::move(inputs), memory.attributes, groups,
                                   values_of(memory.attribute_values));
    value = op.results[memory.result].get();
    if (old != nullptr && !memory.constant && may_need_grad(memory, old))
      value = shifted(old, value);
  } else {
    value = old != nullptr ? shifted(old, base) : shifted(base, base, false);
  }
  here.keep();
  return value;
}

}  // namespace

Value* newest(Memory& memory) {
  Value* value = memory.cell->value;
  const MemoryState& root = memory.root().state;
  const bool fresh = memory.state.seen == root.writes;
  if (fresh && value != nullptr && visible(*memory.program, value)) return value;
  if (memory.parent == nullptr) refuse_gone(memory);
  Value* base = newest(*memory.parent);
  if (memory.may_be_copy && !fresh) refuse_maybe_copy(memory, "is read after a write to its base");
  const std::uint64_t histories = memory.family_root().state.histories;
  const bool same_history = value != nullptr && visible(*memory.program, value) &&
                            (memory.view == nullptr || memory.state.history_seen == histories);
  Value* made = derived(memory, base, same_history);
  step_on(memory, made, !same_history, root.writer);
  memory.state.seen = root.writes;
  memory.state.history_seen = histories;
  return made;
}

// --- Writing.

namespace {

// The op that made value runs in old's buffer where that dies.
void mark(Value* value, const Value* old) {
  Op* op = value->op;
  if (op == nullptr || value->type.dtype != old->type.dtype) return;
  for (const OpDef::Pair pair : op->def->inplace_pairs) {
    const bool result = pair.output < op->results.size() && op->results[pair.output].get() == value;
    if (result && op->input(pair.input) == old) op->inplace = true;
  }
}

// What a write of `part` into member makes of its parent. One that is not recorded leaves the parent's
// gradient to its old value, whatever of it was written (E7).
Value* written_back(const Memory& member, Value* old, Value* part, bool recorded) {
  Builder& builder = Builder::current();
  if (member.view == nullptr) {
    return may_need_grad(member, old) || may_need_grad(member, part) ? shifted(old, part) : part;
  }
  recorded = recorded && !member.constant;
  builder.recorded = recorded;
  Value* whole = nullptr;
  if (!member.positions.empty()) {
    whole = roles::index_put(old, values_of(member.positions), part, false);
  } else {
    const auto op =
        make_op(*member.view, {old}, member.attributes, {}, values_of(member.attribute_values));
    whole = member.view->write(*op, old, part);
  }
  builder.recorded = true;
  mark(whole, old);
  return !recorded && may_need_grad(member, old) ? shifted(old, whole) : whole;
}

// Whether a base of target shows elements more than once: what is written into a part of that is no
// part that the `write` of the view op could hand on.
bool has_grown_base(const Memory& target) {
  const Memory* at = target.parent.get();
  while (at != nullptr && !at->overlap) at = at->parent.get();
  return at != nullptr;
}

// Whether it is known where target lies among the elements of its root's value.
bool lies_in_root(Memory& target) {
  Memory& root = target.root();
  const Tensor base = layout_of(root);
  return &target.family_root() == &root && base.defined() && base.contiguous() &&
         target.layout.defined() && target.layout.impl()->storage == base.impl()->storage;
}

// What a write of `part` into target makes of the root; members between take their value from there.
Value* written_into_root(Memory& target, Value* old, Value* part, bool recorded) {
  Builder& builder = Builder::current();
  const std::int64_t offset = target.layout.offset() - layout_of(target.root()).offset();
  recorded = recorded && !target.constant;
  builder.recorded = recorded;
  Value* whole = roles::write_part(old, part, Numbers(target.layout.strides()), Number(offset));
  builder.recorded = true;
  mark(whole, old);
  return !recorded && may_need_grad(target, old) ? shifted(old, whole) : whole;
}

// Whether target shows every element of its family's root.
bool covers(const Memory& target, const Memory& family) {
  if (&target == &family) return true;
  const Type& part = target.cell->value->type;
  const Type& whole = family.cell->value->type;
  return part.known() && whole.known() && count_elements(part.shape) == count_elements(whole.shape);
}

void store_in_parameter(Memory& root, Value* value, bool bump) {
  if (!root.parameter.defined() || root.captured()) return;
  Program::Parameter* parameter = root.program->find_parameter(root.argument);
  parameter->result = value;
  parameter->writes += bump ? 1 : 0;
}

}  // namespace

void expect_writable(Memory& target) {
  if (has_grown_base(target) && !lies_in_root(target)) {
    raise(ErrorKind::kInplace, "[program] '", name_of(target),
          "' is written into, a part of a tensor that shows elements more than once (made by expand), and where they "
          "lie is not known before the run; write into a clone() of it");
  }
  const char* what = "is written into";
  for (const Memory* at = &target; at != nullptr; at = at->parent.get()) {
    if (at->may_be_copy) refuse_maybe_copy(*at, what);
    const bool written_at = !at->positions.empty();
    if (at->parent != nullptr && at->view != nullptr && at->view->write == nullptr && !written_at) {
      raise(
          ErrorKind::kUnimplemented, "[", at->view->name,
          "] its results cannot be written into while a program is recorded; write into a clone()");
    }
    what = "is written into through a view";
  }
}

void assign(Memory& target, const Written& written) {
  struct Step {
    Memory* memory;
    Value* old;
    Value* value;
  };
  std::vector<Step> steps = {{&target, target.cell->value, written.value}};
  const bool grown = has_grown_base(target);
  if (grown) steps.push_back({&target.root(), newest(target.root()), nullptr});
  for (Memory* at = &target; !grown && at->parent != nullptr; at = at->parent.get()) {
    steps.push_back({at->parent.get(), newest(*at->parent), nullptr});
  }
  {
    Here here(*target.program, true);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const Step& part = steps[i - 1];
      const bool recorded = written.history.has_value();
      steps[i].value = grown ? written_into_root(target, steps[i].old, part.value, recorded)
                             : written_back(*part.memory, steps[i].old, part.value, recorded);
    }
    here.keep();
  }
  mark(written.value, steps[0].old);
  const std::uint64_t serial = next_serial();
  Memory& family = target.family_root();
  bool recorded = written.history.has_value();
  for (const Step& step : steps) {
    step_on(*step.memory, step.value, recorded, written.writer);
    step.memory->state.seen = serial;
    if (recorded) step.memory->state.history_seen = serial;
    if (step.memory == &family) recorded = false;  // what detach() left keeps its history
  }
  Memory& root = *steps.back().memory;
  root.state.writes = serial;
  root.state.writer = written.writer;
  if (written.history) {
    family.state.history = *written.history;
    family.state.whole_write = !written.part && covers(target, family);
    family.state.histories = serial;
  }
  store_in_parameter(root, steps.back().value, written.bump);
}

namespace {

void set_value(Memory& memory, Value* value, bool recorded, const std::string& writer) {
  step_on(memory, value, recorded, writer);
  MemoryState& state = memory.state;
  if (memory.parent == nullptr) {
    state.writes = next_serial();
    state.writer = writer;
  }
  state.seen = memory.root().state.writes;
  if (!recorded) return;
  state.history = true;
  state.whole_write = false;
  state.histories = state.history_seen = next_serial();
}

}  // namespace

void set_argument(Memory& memory, Value* value, bool recorded) {
  const Region* home = recorded ? nullptr : origin_of(memory).home;
  set_value(memory, value, recorded, "an earlier trip of the loop");
  memory.state.origin = nullptr;  // inside, the argument is what the gradient is asked of
  memory.state.home = home;
}

void set_result(Memory& memory, Value* value, bool recorded, const std::string& writer) {
  set_value(memory, value, recorded, writer);
  if (memory.parent == nullptr) store_in_parameter(memory, value, true);
}

Origin origin_of(Memory& memory) {
  Value* value = newest(memory);
  const MemoryState& state = memory.state;
  // A pass may have dropped it: then nothing reads it.
  if (state.origin != nullptr && state.origin->value != nullptr &&
      visible(*memory.program, state.origin->value)) {
    value = state.origin->value;
  }
  return {value, state.home != nullptr ? state.home : region_of(value)};
}

}  // namespace oploom::program
