#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/core/thread_state.h"
#include "runtime/program/fitted.h"
#include "runtime/program/record_call.h"
#include "runtime/program/record_rules.h"
#include "runtime/program/recording.h"
#include "runtime/program/roles.h"

namespace oploom::program {
namespace {

struct Target {
  Variable variable;
  const char* argument;
  std::uint8_t output;
  Value* value = nullptr;
};

std::vector<Target> targets_of(const OpDef& def, const std::vector<Argument>& inputs) {
  std::vector<Target> targets;
  for (const OpDef::Pair pair : def.inplace_pairs) {
    for (std::size_t i = 0; i < inputs[pair.input].list.size(); ++i) {
      targets.push_back({inputs[pair.input].list[i], def.inputs[pair.input].name,
                         static_cast<std::uint8_t>(pair.output + i)});
    }
  }
  return targets;
}

// The rules that can be tested before anything is recorded.
void check(const OpDef& def, const std::vector<Target>& targets) {
  std::vector<Memory*> memories;
  for (const Target& target : targets) {
    if (!target.variable.defined())
      raise(ErrorKind::kArgument, "[", inplace_name(def), "] ", target.argument,
            ": expected a tensor to write into, got none");
    memories.push_back(target.variable.handle()->memory.get());
    check_target(def, target.argument, *memories.back());
    if ((def.flags & OpDef::kReplaces) != 0)
      check_sole(def, target.argument, *target.variable.handle());
  }
  if (memories.size() > 1) check_disjoint(def, memories);
}

std::string writer_of(const OpDef& def, const Builder& builder) {
  if (builder.position == "C++") return inplace_name(def);
  return text(inplace_name(def), " (recorded at ", builder.position, ")");
}

// x[i] with single positions that are known at run time only is x[3] in eager mode.
bool writes_part(const OpDef& def, const std::vector<Argument>& inputs) {
  if ((def.flags & OpDef::kWritesPart) != 0) return true;
  if (&def != &roles::kIndexPut) return false;
  const Variables& positions = inputs[1].list;
  return std::all_of(positions.begin(), positions.end(),
                     [](const Variable& x) { return x.type().shape.empty(); });
}

// An op that has the in-place form alone computes in its target's dtype: there is no result of
// another that would be cast.
void cast_operands(const OpDef& def, std::vector<Value*>& values, const char* argument) {
  constexpr std::uint32_t kComputesElse = OpDef::kUpdate | OpDef::kView;
  if ((def.flags & OpDef::kInplaceOnly) == 0 || (def.flags & kComputesElse) != 0) return;
  if (values.size() != def.inputs.size()) return;  // lists, and what is absent
  const Type& target = values[def.inplace_pairs[0].input]->type;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (def.inputs[i].kind != InputDef::Kind::kOperand) continue;
    Type result = target;
    result.dtype = infer::promoted(target.meta(), values[i]->type.meta());
    if (result.dtype == target.dtype) continue;
    check_fits(def, argument, target, result, false);
    values[i] = roles::cast(values[i], target.dtype);
  }
}

// Whether value's op may run in old's buffer, and tests itself that its result fits.
bool fits_by_its_mark(const OpDef& def, const Value* value, const Value* old) {
  return value->op != nullptr && value->op->def == &def && (def.flags & OpDef::kReplaces) == 0 &&
         value->type.dtype == old->type.dtype;
}

// Whether nothing but the target itself has a length that could enlarge it.
bool alone_has_axes(const OpDef& def, const std::vector<Value*>& inputs, const Value* target) {
  return (def.flags & OpDef::kElementwise) != 0 &&
         std::all_of(inputs.begin(), inputs.end(), [target](const Value* value) {
           return value == target || value->type.shape.empty();
         });
}

// handle stands for other memory from now on; its value so far is an earlier one.
void move_on(Handle& handle, std::shared_ptr<Memory> memory, const std::string& writer) {
  const Value* old = handle.memory->cell->value;
  memory->earlier = handle.memory->earlier;
  memory->earlier.push_back({old, old->id, writer});
  handle.move_to(std::move(memory));
}

}  // namespace

// A new shape of the same memory: the handle becomes a view of what it was (E1a), under no_grad,
// too.
void Recorder::remap(const OpDef& def, const Call& call, const Variable& target) {
  Handle& handle = *target.handle();
  const Recording& recording = *recording_;
  const bool outside = handle.born != recording.frames.back()->serial;
  if (outside || handle.memory->parameter.defined()) {
    raise(ErrorKind::kInplace, "[", inplace_name(def), "] ", def.inputs[0].name, ": Tensor '",
          target.name(), "' ",
          outside ? "comes from outside of this branch or loop" : "is a parameter of the program",
          ", so it keeps its shape; use the plain form");
  }
  Here here(program(), !handle.memory->unrecorded_view);
  Value* value = here.builder().call(def, call.values, call.attributes, call.groups)[0];
  if (value == call.values[0]) return;  // nothing to do
  const std::string writer = writer_of(def, here.builder());
  const Variable moved = result_of(call, value);
  const bool copied = &moved.handle()->memory->root() != &handle.memory->root();
  if (copied && handle.memory->root().handles > 1) check_sole(def, def.inputs[0].name, handle);
  here.keep();
  moved.handle()->memory->remapped = !copied;
  move_on(handle, moved.handle()->memory, writer);
}

// Another dtype or size by definition (C6): memory of its own.
void Recorder::replace(const Variable& target, Value* value, const std::string& writer) {
  move_on(*target.handle(), new_root(program(), value, value->needs_grad), writer);
}

Variables Recorder::call_inplace(const OpDef& def, const std::vector<Argument>& inputs,
                                 std::vector<Attribute> attributes) {
  for (const Argument& argument : inputs) {
    for (const Variable& x : argument.list) expect_own(x);
  }
  std::vector<Target> targets = targets_of(def, inputs);
  check(def, targets);
  Call call = prepare(inputs, std::move(attributes));
  const bool remaps = (def.flags & OpDef::kView) != 0;
  if (remaps) {
    remap(def, call, targets[0].variable);
    return {targets[0].variable};
  }
  const bool replaces = (def.flags & OpDef::kReplaces) != 0;
  const bool recorded = (grad_enabled() || replaces) && (def.flags & OpDef::kUpdate) == 0;
  Here here(program(), recorded);
  cast_operands(def, call.values, targets[0].argument);
  const auto values = here.builder().call(def, call.values, call.attributes, call.groups);
  const std::string writer = writer_of(def, here.builder());
  for (Target& target : targets) {
    Memory& memory = *target.variable.handle()->memory;
    Value* old = memory.cell->value;
    target.value = values[target.output];
    check_fits(def, target.argument, old->type, target.value->type, replaces);
    if (!fits_by_its_mark(def, target.value, old) && !alone_has_axes(def, call.values, old)) {
      target.value = fitted(target.value, old, FittedKind::kTarget,
                            text("[", inplace_name(def), "] ", target.argument));
    }
    if (replaces) continue;
    if (recorded && target.value->needs_grad) check_recorded_target(def, target.argument, memory);
    if (target.value->type.dtype != old->type.dtype)
      target.value = roles::cast(target.value, old->type.dtype);
    if ((def.flags & OpDef::kInplaceOnly) != 0 && target.value->op != nullptr)
      target.value->op->inplace = true;
    if (recorded || !may_need_grad(memory, old)) continue;
    for (const OpDef::Pair pair : def.inplace_pairs) {
      if (target.value->op->def == &def && target.value->index == pair.output)
        target.value->op->inplace = true;
    }
    target.value = shifted(old, target.value);
  }
  here.keep();
  const auto absent = [&](std::size_t output) {  // written for an optional input that is not there
    return std::any_of(def.inplace_pairs.begin(), def.inplace_pairs.end(), [&](OpDef::Pair pair) {
      return pair.output == output && inputs[pair.input].list.empty();
    });
  };
  Variables results(values.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Target& target = targets[i];
    Memory& memory = *target.variable.handle()->memory;
    bool bump = true;
    for (std::size_t k = 0; k < i; ++k)
      bump &= &targets[k].variable.handle()->memory->root() != &memory.root();
    if (replaces) {
      replace(target.variable, target.value, writer);
    } else {
      const auto history = recorded ? std::optional<bool>(target.value->needs_grad) : std::nullopt;
      assign(memory, {target.value, writer, history, bump, writes_part(def, inputs)});
    }
    results[target.output] = target.variable;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!results[i].defined() && !absent(i)) results[i] = wrap(values[i], values[i]->needs_grad);
  }
  return results;
}

}  // namespace oploom::program
