#include "runtime/program/record.h"

#include <algorithm>
#include <utility>

#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/core/thread_state.h"
#include "runtime/program/activity.h"
#include "runtime/program/control.h"
#include "runtime/program/fitted.h"
#include "runtime/program/record_call.h"
#include "runtime/program/recording.h"

namespace oploom::program {
namespace {

// Whether an op after value's reads it. Values are mostly new when they are asked for.
bool is_read(const Value* value) {
  const Region& region = *region_of(value);
  bool found = false;
  const auto look = [&](const Op& op) {
    for_each_use(op, [&](const Value* use) { found |= use == value; });
  };
  for (std::size_t i = region.ops.size(); i-- > 0 && !found;) {
    const Op& op = *region.ops[i];
    if (&op == value->op) break;
    look(op);
    for (const auto& inner : op.regions) for_each_op(*inner, look);
  }
  return found || region.parent != nullptr;
}

void lie_as(Memory& memory, const Tensor& x) {
  memory.layout = x;
  memory.contiguous = x.contiguous();
  memory.overlap = (x.impl()->flags & TensorImpl::kOverlap) != 0;
}

}  // namespace

// --- Variables.

Value* Variable::value() const {
  if (!defined()) [[unlikely]]
    raise(ErrorKind::kArgument, "[program] expected a value, got none");
  return newest(*handle_->memory);
}

Program& Variable::program() const { return *handle_->memory->program; }

std::string Variable::name() const {
  static_cast<void>(value());
  return name_of(*handle_->memory);
}

bool Variable::is_argument() const { return handle_->memory->argument != nullptr; }

bool Variable::is_leaf() const {
  if (!value()->needs_grad) return true;
  Memory* memory = handle_->memory.get();
  while (memory->remapped) memory = memory->parent.get();
  return &memory->family_root() == memory && !memory->state.history;
}

namespace {

// A value of its own for memory, which nobody has read: who read it before keeps what it was then.
Value* renewed(Memory& memory, Value* of, Value* now, bool recorded) {
  Here here(*memory.program, recorded);
  Value* fresh = shifted(of, now, recorded);
  here.keep();
  touch(memory);
  memory.earlier.push_back({now, now->id, "the change of stop_gradient"});
  memory.cell->value = fresh;
  return fresh;
}

// What memory was as a leaf that needed a gradient, where no recorded write came since, or null.
Value* leaf_before(const Memory& memory) {
  const auto& leaf = memory.state.leaf;
  const bool there =
      leaf != nullptr && leaf->value != nullptr && visible(*memory.program, leaf->value);
  return there && leaf->value->needs_grad && memory.view == nullptr ? leaf->value : nullptr;
}

void stop(Memory& memory, Value* now) {
  touch(memory);
  MemoryState& state = memory.state;
  const bool leaf = memory.view == nullptr && !state.history;
  if (leaf) state.leaf = state.origin != nullptr ? state.origin : memory.program->cell_of(now);
  if (is_read(now) || !leaf) now = renewed(memory, now, now, false);
  now->needs_grad = false;
  now->stopped = true;
  state.origin = nullptr;
}

void start(Memory& memory, Value* now) {
  touch(memory);
  MemoryState& state = memory.state;
  if (Value* leaf = leaf_before(memory); leaf != nullptr) {  // one leaf for all who read it
    now = renewed(memory, leaf, now, true);
    state.origin = state.leaf;
  } else {
    if (is_read(now)) now = renewed(memory, now, now, false);
    state.origin = nullptr;
  }
  now->needs_grad = true;
  now->stopped = false;
}

}  // namespace

void Variable::set_stop_gradient(bool stop_gradient) const {
  Value* now = value();
  if (stop_gradient == !now->needs_grad) return;
  if (!stop_gradient && !can_have_grad(now->type)) {
    raise(ErrorKind::kType, "[stop_gradient] expected a float dtype for a gradient, got ",
          now->type);
  }
  if (handle_->memory->family_root().family_handles > 1) {
    raise(ErrorKind::kInplace, "[stop_gradient] '", name(),
          "' has views, or is one, whose gradients would change with it; set the flag of a clone() "
          "or detach(), or before the views are made");
  }
  if (!stop_gradient &&
      handle_->memory->view != nullptr) {  // it leaves its base's family, and is a leaf
    auto earlier = handle_->memory->earlier;
    earlier.push_back({now, now->id, "the change of stop_gradient"});
    handle_->move_to(new_detached(handle_->memory));
    handle_->memory->earlier = std::move(earlier);
    now = value();
  }
  Memory& memory = *handle_->memory;
  if (stop_gradient)
    stop(memory, now);
  else
    start(memory, now);
  memory.state.home = nullptr;
  if (memory.view == nullptr) memory.state.history = false;
}

// --- The recorder.

Recorder::Recorder(Program& program)
    : recording_(std::make_unique<Recording>(program)), before_(thread_state.recorder) {
  thread_state.recorder = this;
}
Recorder::~Recorder() {
  if (active_) thread_state.recorder = before_;
}
Recorder* Recorder::current() { return thread_state.recorder; }

void Recorder::suspend() {
  thread_state.recorder = std::exchange(before_, nullptr);
  active_ = false;
}

void Recorder::resume() {
  before_ = std::exchange(thread_state.recorder, this);
  active_ = true;
}

bool Recorder::is_here() const {
  const Recorder* at = thread_state.recorder;
  while (at != nullptr && at != this) at = at->before_;
  return at != nullptr;
}

bool Recorder::take_out() {
  Recorder* inner = thread_state.recorder;
  while (inner != nullptr && inner->before_ != this) inner = inner->before_;
  if (inner == nullptr) return false;
  inner->before_ = before_;
  before_ = nullptr;
  active_ = false;
  return true;
}

Program& Recorder::program() const { return recording_->program; }

Variable Recorder::wrap(Value* value, bool history) {
  return Variable(std::make_shared<Handle>(new_root(program(), value, history)));
}

Variable Recorder::input(std::string name, const Type& type, bool stop_gradient) {
  if (recording_->frame().serial != 0) {
    raise(ErrorKind::kArgument, "[input] ", name,
          ": inputs belong to the whole program; make it outside of the branch or loop");
  }
  Value* value = program().add_input(std::move(name), type, stop_gradient);
  Variable result = wrap(value, false);
  result.handle_->memory->argument = value;
  recording_->inputs[value] = result.handle_;
  return result;
}

bool Recorder::in_region() const { return recording_->frames.size() > 1; }

Recorder::Mark Recorder::mark() const {
  return {recording_->frames.back()->region->ops.size(), program().parameters.size()};
}

// Views that were brought up to date on the way stay: their handles know them.
void Recorder::back_to(const Mark& mark) {
  auto& ops = recording_->frames.back()->region->ops;
  const auto first = ops.begin() + static_cast<std::ptrdiff_t>(mark.ops);
  ops.erase(std::remove_if(first, ops.end(), [](const auto& op) { return op->def == &kToOperand; }),
            ops.end());
  const auto& parameters = program().parameters;
  for (std::size_t i = mark.parameters; i < parameters.size(); ++i) {
    recording_->parameters.erase(parameters[i].tensor.impl());
    std::erase(recording_->computed, parameters[i].value);
  }
  program().drop_parameters(mark.parameters);
}

void Recorder::adopt(const Variable& input, const Tensor& x) {
  Memory& memory = *input.handle()->memory;
  memory.state.history = has_history(x);
  if (memory.state.history) recording_->computed.push_back(memory.argument);
  lie_as(memory, x);
}

bool Recorder::is_parameter(const Tensor& eager) const { return program().is_parameter(eager); }

Variable Recorder::named(std::string_view name) {
  for (const Program::Input& input : program().inputs) {
    if (input.name != name) continue;
    auto& known = recording_->inputs[input.value];
    const bool gone = known != nullptr && known->memory->cell->value == nullptr;  // by a pass
    if (known == nullptr || gone) {
      known = wrap(input.value, false).handle_;
      known->memory->argument = input.value;
    }
    return Variable(known);
  }
  for (const Program::Parameter& parameter : program().parameters) {
    if (parameter.value->name == name) return variable(parameter.tensor);
  }
  for (const auto& op : program().main.ops) {
    for (const auto& value : op->results) {
      if (text('%', value->id) == name) return wrap(value.get(), value->needs_grad);
    }
  }
  raise(ErrorKind::kArgument,
        "[program] expected the name of an input or parameter, or the number of a value outside "
        "of branches and loops, as the program's text shows it, got '",
        name, "'");
}

namespace {

// A write shows in a parameter's memory when the run ends, not before.
void expect_unwritten(const Recording& recording, const Tensor& eager) {
  const auto refuse = [&](const Tensor& other) {
    raise(ErrorKind::kInplace, "[program] Tensor '", eager.name(),
          "' shares its memory with Tensor '", other.name(),
          "', a parameter that this program has written; take views of one of them inside of the "
          "program");
  };
  for (const Program::Parameter& other : recording.program.parameters) {
    if (other.tensor.impl() == eager.impl() ||
        other.tensor.impl()->storage != eager.impl()->storage)
      continue;
    const auto handle = recording.parameters.find(other.tensor.impl());
    const bool met = handle != recording.parameters.end() && handle->second != nullptr;
    const bool written =
        other.writes > 0 || (met && !handle->second->memory->root().state.writer.empty());
    if (written) refuse(other.tensor);
  }
}

}  // namespace

Variable Recorder::variable(const Tensor& eager) {
  auto& known = recording_->parameters[eager.impl()];
  if (known != nullptr) return Variable(known);
  expect_unwritten(*recording_, eager);
  Value* argument = program().parameter(eager);
  Value* value = program().find_parameter(argument)->result;
  const bool written = value != argument && !argument->needs_grad && value->needs_grad;
  const bool computed = eager_histories && has_history(eager);
  if (computed) recording_->computed.push_back(argument);
  auto memory = new_root(program(), value, written || computed);
  memory->born = 0;  // also where it is met inside a branch
  memory->argument = argument;
  if (value != argument && argument->needs_grad) memory->state.origin = program().cell_of(argument);
  memory->parameter = eager;
  lie_as(*memory, eager);
  std::erase_if(recording_->frame().made,
                [&](const auto& cell) { return cell.lock() == memory->cell; });
  known = std::make_shared<Handle>(std::move(memory));
  return Variable(known);
}

Variable Recorder::constant(const Number& number) {
  Here here(program());
  Value* value = operand(number);
  here.keep();
  return wrap(value, false);
}

Variable Recorder::detach(const Variable& x) {
  expect_own(x);
  return Variable(std::make_shared<Handle>(new_detached(x.handle()->memory)));
}

// --- Plain calls.

void Recorder::expect_own(const Variable& x) const {
  if (!x.defined() || &x.program() == &recording_->program) return;
  raise(ErrorKind::kArgument,
        "[program] expected a value of the program that is recorded, got one of another");
}

Value* Recorder::value_of(const Variable& x) const {
  expect_own(x);
  return x.value();
}

Recorder::Call Recorder::prepare(const std::vector<Argument>& inputs,
                                 std::vector<Attribute> attributes) const {
  Call call;
  call.attributes = std::move(attributes);
  for (const Argument& argument : inputs) {
    call.groups.push_back(static_cast<std::uint32_t>(argument.list.size()));
    for (const Variable& x : argument.list) call.values.push_back(value_of(x));
  }
  if (!inputs.empty() && !inputs[0].list.empty()) call.first = inputs[0].list[0];
  return call;
}

// A view op's result is a member of its input's family, through all the views that a composed op is
// made of.
Variable Recorder::result_of(const Call& call, Value* value) {
  std::vector<const Value*> chain;
  const Value* at = value;
  const Value* base = call.values.empty() ? nullptr : call.values[0];
  while (at != base && at->op != nullptr && (at->op->def->flags & OpDef::kView) != 0 &&
         !at->op->inputs.empty()) {
    chain.push_back(at);
    at = at->op->inputs[0];
  }
  if (chain.empty() || at != base) return wrap(value, value->needs_grad);
  std::shared_ptr<Memory> memory = call.first.handle()->memory;
  for (std::size_t i = chain.size(); i-- > 0;)
    memory = new_view(memory, *chain[i]->op, chain[i]->index);
  return Variable(std::make_shared<Handle>(std::move(memory)));
}

Variables Recorder::call(const OpDef& def, const std::vector<Argument>& inputs,
                         std::vector<Attribute> attributes) {
  const Call call = prepare(inputs, std::move(attributes));
  Here here(program());
  const auto values = here.builder().call(def, call.values, call.attributes, call.groups);
  here.keep();
  Variables results;
  for (Value* value : values) results.push_back(result_of(call, value));
  return results;
}

Variable Recorder::pick(const OpDef& def, const Variable& x, const Variables& positions) {
  const Call call = prepare({x, positions}, {});
  Here here(program());
  Value* value = here.builder().call(def, call.values, {}, call.groups)[0];
  here.keep();
  return Variable(std::make_shared<Handle>(new_picked(x.handle()->memory, *value->op)));
}

std::optional<Recorder::Layouts> Recorder::layouts(const Variable& x, const Variable& part) const {
  Memory& whole = *x.handle()->memory;
  Memory& member = *part.handle()->memory;
  if (&whole.root() != &member.root()) return std::nullopt;
  Layouts found{layout_of(whole), layout_of(member)};
  if (!found.x.defined() || !found.part.defined()) return std::nullopt;
  return found;
}

bool Recorder::is_part(const Variable& part, const Variable& x, const OpDef& view,
                       std::vector<Attribute> attributes) const {
  const Memory& memory = *part.handle()->memory;
  if (memory.parent != x.handle()->memory || memory.view != &view || !memory.positions.empty())
    return false;
  const auto op = make_op(view, {x.value()}, std::move(attributes), {}, {});
  return std::equal(op->attributes.begin(), op->attributes.end(), memory.attributes.begin(),
                    memory.attributes.end(), equal);
}

bool Recorder::is_pick(const Variable& part, const Variable& x, const Variables& positions) const {
  const Memory& memory = *part.handle()->memory;
  return memory.parent == x.handle()->memory && !memory.positions.empty() &&
         std::equal(positions.begin(), positions.end(), memory.positions.begin(),
                    memory.positions.end(), [](const Variable& position, const auto& cell) {
                      return position.value() == cell->value;
                    });
}

Variable Recorder::fitted_mask(const Variable& mask, const Variable& x, int axis) {
  Value* const given = value_of(mask);
  Value* const like = value_of(x);
  Here here(program());
  Value* value = fitted(given, like, FittedKind::kMask, "index:", axis);
  here.keep();
  return value == given ? mask : wrap(value, false);
}

Variable Recorder::own_result(const OpDef& def, const Variables& inputs) {
  std::vector<Value*> values;
  for (const Variable& x : inputs) values.push_back(value_of(x));
  Here here(program());
  Value* value = here.builder().append(def, std::move(values), {}).results[0].get();
  here.keep();
  return wrap(value, value->needs_grad);
}

}  // namespace oploom::program
