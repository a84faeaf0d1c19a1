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

Handle::Handle(std::shared_ptr<Memory> m) : memory(std::move(m)), born(memory->born) {
  ++memory->root().handles;
}
Handle::~Handle() { --memory->root().handles; }
void Handle::move_to(std::shared_ptr<Memory> m) {
  ++m->root().handles;
  --memory->root().handles;
  memory = std::move(m);
}

std::string name_of(Memory& memory) {
  if (memory.parameter.defined()) return memory.parameter.name();
  const Value* value = memory.cell->value;
  if (value == nullptr) return "%?";
  if (memory.argument != nullptr && !memory.argument->name.empty()) return memory.argument->name;
  return text("%", value->id);
}

// --- Where ops go.

Here::Here(Program& program, std::optional<bool> recorded)
    : builder_(program, region_here(program)), scope_(builder_), length_(builder_.region().ops.size()) {
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

// --- Making members. How they lie: views do not touch elements, so a tensor that nobody fills will do.

namespace {

std::shared_ptr<Memory> new_memory(Program& program, Value* value) {
  auto memory = std::make_shared<Memory>();
  memory->program = &program;
  memory->cell = program.cell_of(value);
  if (Recording* recording = Recording::of(program)) {
    memory->born = recording->frame().serial;
    if (memory->born != 0) recording->frame().made.push_back(memory->cell);
  }
  return memory;
}

Tensor layout_of(Memory& memory) {
  if (memory.layout.defined() || !memory.contiguous || memory.cell->value == nullptr) return memory.layout;
  const Type& type = memory.cell->value->type;
  if (!type.is_tensor() || !type.known()) return memory.layout;
  try {
    memory.layout = empty(type.shape, type.dtype);
  } catch (const std::exception&) {  // too large: then it is not known
  }
  return memory.layout;
}

// The layout that the view op answers for a base of layout `base`; undefined where that is not known.
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

// False where the layout asks for a copy.
bool lay_out(Memory& view, Memory& parent, const Op& op, std::size_t result) {
  const Type& type = op.results[result]->type;
  const Tensor base = layout_of(parent);
  if ((op.def->flags & OpDef::kViewMayCopy) == 0) {
    view.layout = viewed(op, result, base);
    view.contiguous = view.layout.defined() && view.layout.contiguous();
    view.overlap = view.layout.defined() ? !view.contiguous && overlaps_itself(view.layout.shape(), view.layout.strides())
                                         : parent.overlap || grows(op.inputs[0]->type, type);
    return true;
  }
  view.contiguous = parent.contiguous;
  view.overlap = parent.overlap;
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

std::shared_ptr<Memory> new_view(const std::shared_ptr<Memory>& parent, const Op& op, std::size_t result) {
  Value* value = op.results[result].get();
  auto memory = new_member(parent, value);
  memory->view = op.def;
  memory->attributes = op.attributes;
  for (Value* numbers : op.attribute_values) {
    memory->attribute_values.push_back(numbers == nullptr ? nullptr : parent->program->cell_of(numbers));
  }
  memory->result = result;
  memory->unrecorded_view = parent->unrecorded_view || !op.recorded;
  memory->constant = memory->unrecorded_view;
  memory->state.history_seen = memory->family_root().state.histories;
  if (!lay_out(*memory, *parent, op, result)) return new_root(*parent->program, value, value->needs_grad);
  return memory;
}

std::shared_ptr<Memory> new_picked(const std::shared_ptr<Memory>& parent, const Op& op) {
  auto memory = new_member(parent, op.results[0].get());
  memory->view = op.def;
  memory->picked = true;
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
  memory->may_be_copy = parent->may_be_copy;
  memory->picked = parent->picked;
  return memory;
}

// --- Reading.

namespace {

[[noreturn]] void refuse_gone(Memory& memory) {
  if (memory.cell->value == nullptr) {
    raise(ErrorKind::kRuntime,
          "[program] a value is read that is not there any more: it was made in a branch or loop body that raised or "
          "was recorded anew, or a pass dropped it. Let the branch or loop return it, or name it in fetch.");
  }
  raise(ErrorKind::kArgument, "[program] ", name_of(memory),
        " is made inside a branch or loop and read outside of it; let that return it and use the result");
}

[[noreturn]] void refuse_picked(Memory& memory, const char* what) {
  raise(ErrorKind::kInplace, "[", memory.view != nullptr ? memory.view->name : "detach", "] '", name_of(memory), "' ",
        what, ", but which part of the base it is hangs on a position that is known at run time only. Write with "
        "x[i] = value, or use clone() of it.");
}

[[noreturn]] void refuse_maybe_copy(Memory& memory, const char* what) {
  raise(ErrorKind::kInplace, "[", memory.view != nullptr ? memory.view->name : "detach", "] '", name_of(memory), "' ",
        what, ", but whether it shares memory with what it was made from hangs on lengths that are known at run time "
        "only. Use clone() of it.");
}

void note_earlier(Memory& memory, const std::string& writer) {
  const Value* value = memory.cell->value;
  if (value != nullptr) memory.earlier.push_back({value, value->id, writer});
}

std::vector<Value*> values_of(const std::vector<std::shared_ptr<Cell>>& cells) {
  std::vector<Value*> values;
  for (const auto& cell : cells) values.push_back(cell == nullptr ? nullptr : cell->value);
  return values;
}

Value* derived(Memory& memory, Value* base) {
  Value* old = memory.cell->value;
  Here here(*memory.program, !memory.constant);
  Value* value = nullptr;
  if (memory.view != nullptr) {
    Op& op = here.builder().append(*memory.view, {base}, memory.attributes, {}, values_of(memory.attribute_values));
    value = op.results[memory.result].get();
  } else if (old != nullptr && visible(*memory.program, old)) {
    value = shifted(old, base);  // a history of its own goes straight through (E7)
  } else {
    value = shifted(base, base, false);
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
  if (memory.parent == nullptr || (memory.picked && fresh)) refuse_gone(memory);
  if (memory.picked) refuse_picked(memory, "is read after a write to its base");
  Value* base = newest(*memory.parent);
  if (memory.may_be_copy && !fresh) refuse_maybe_copy(memory, "is read after a write to its base");
  Value* made = derived(memory, base);
  touch(memory);
  note_earlier(memory, root.writer);
  memory.cell->value = made;
  memory.state.seen = root.writes;
  memory.state.history_seen = memory.family_root().state.histories;
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

// What a write of `part` into member makes of its parent.
Value* written_back(const Memory& member, Value* old, Value* part) {
  Builder& builder = Builder::current();
  if (member.view == nullptr) {
    return may_need_grad(member, old) || may_need_grad(member, part) ? shifted(old, part) : part;
  }
  if (member.view->write == nullptr) {
    raise(ErrorKind::kUnimplemented, "[", member.view->name,
          "] its results cannot be written into while a program is recorded; write into a clone()");
  }
  const auto op = make_op(*member.view, {old}, member.attributes, {}, values_of(member.attribute_values));
  builder.recorded = !member.constant;
  Value* whole = member.view->write(*op, old, part);
  builder.recorded = true;
  mark(whole, old);
  return member.constant && may_need_grad(member, old) ? shifted(old, whole) : whole;
}

void store_in_parameter(Memory& root, Value* value, bool bump) {
  if (!root.parameter.defined() || root.captured()) return;
  Program::Parameter* parameter = root.program->find_parameter(root.argument);
  parameter->result = value;
  parameter->writes += bump ? 1 : 0;
}

void replace_value(Memory& memory, Value* value, const std::string& writer, std::uint64_t serial) {
  touch(memory);
  note_earlier(memory, writer);
  memory.cell->value = value;
  memory.state.seen = serial;
}

}  // namespace

void assign(Memory& target, const Written& written) {
  struct Step {
    Memory* memory;
    Value* old;
    Value* value;
  };
  if (target.picked) refuse_picked(target, "is written into");
  if (target.may_be_copy) refuse_maybe_copy(target, "is written into");
  std::vector<Step> steps = {{&target, target.cell->value, written.value}};
  for (Memory* at = &target; at->parent != nullptr; at = at->parent.get()) {
    if (at->parent->picked) refuse_picked(*at->parent, "is written into through a view");
    if (at->parent->may_be_copy) refuse_maybe_copy(*at->parent, "is written into through a view");
    steps.push_back({at->parent.get(), newest(*at->parent), nullptr});
  }
  {
    Here here(*target.program, true);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      steps[i].value = written_back(*steps[i - 1].memory, steps[i].old, steps[i - 1].value);
    }
    here.keep();
  }
  mark(written.value, steps[0].old);
  const std::uint64_t serial = next_serial();
  for (const Step& step : steps) replace_value(*step.memory, step.value, written.writer, serial);
  Memory& root = *steps.back().memory;
  root.state.writes = serial;
  root.state.writer = written.writer;
  if (written.history) {
    Memory& family = target.family_root();
    touch(family);
    family.state.history = *written.history;
    family.state.whole_write = &family == &target;
    family.state.histories = serial;
    for (const Step& step : steps) step.memory->state.history_seen = serial;
  }
  store_in_parameter(root, steps.back().value, written.bump);
}

void set_value(Memory& memory, Value* value, const std::string& writer) {
  touch(memory);
  if (memory.parent == nullptr) {
    memory.state.writes = next_serial();
    memory.state.writer = writer;
  }
  replace_value(memory, value, writer, memory.root().state.writes);
  if (memory.parent == nullptr) store_in_parameter(memory, value, true);
}

}  // namespace oploom::program
