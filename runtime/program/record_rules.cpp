#include "runtime/program/record_rules.h"

#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/core/storage.h"
#include "runtime/core/thread_state.h"
#include "runtime/core/write_log.h"
#include "runtime/program/recording.h"

namespace oploom::program {
namespace {

bool is_leaf_that_needs_grad(const Memory& family) {
  const Value* value = family.cell->value;
  return value != nullptr && value->needs_grad && !family.state.history;
}

// A view older than the history of its base is still the leaf that it was born as until it is read.
bool is_stale_leaf(Memory& target) {
  const Memory& family = target.family_root();
  return &family != &target && family.state.history && family.state.whole_write &&
         target.state.history_seen != family.state.histories && !target.cell->value->needs_grad;
}

[[noreturn]] void refuse_leaf(const OpDef& def, const char* argument, Memory& target) {
  Memory& family = target.family_root();
  const bool view = &family != &target;
  const std::string name = name_of(target);
  raise(ErrorKind::kLeafInplace, "(InvalidArgument) Leaf Tensor (", view ? name_of(family) : name,
        ") that doesn't stop gradient can't use inplace strategy. [", inplace_name(def), "] ",
        argument, ": ",
        view ? text("Tensor '", name, "' is a view of it") : text("it is the target"),
        ", of shape ", target.cell->value->type.shape,
        ". Call it under no_grad(), set stop_gradient = True, or use the plain form.");
}

Memory& made_from(Memory& view) {
  Memory* at = &view;
  while (at->unrecorded_view && at->parent != nullptr) at = at->parent.get();
  return at->family_root();
}

[[noreturn]] void refuse_unrecorded_view(const OpDef& def, const char* argument, Memory& target) {
  raise(ErrorKind::kInplace, "[", inplace_name(def), "] ", argument, ": Tensor '", name_of(target),
        "' is a view that was made under no_grad() of Tensor '", name_of(made_from(target)),
        "': a recorded write into it would be lost. Make the view with gradients enabled, or move "
        "this call "
        "under no_grad().");
}

// Parameters are written when a run ends: another parameter on the same memory would not see it
// meanwhile.
void check_parameter(const OpDef& def, const char* argument, Memory& target) {
  const Tensor& x = target.root().parameter;
  if (!x.defined()) return;
  if ((x.impl()->storage->guard & Storage::kReadOnly) != 0) {
    raise(ErrorKind::kArgument, "[", inplace_name(def), "] ", argument, ": Tensor '",
          name_of(target),
          "' lies in read-only memory taken in without a copy; write into its clone()");
  }
  for (const Program::Parameter& other : target.program->parameters) {
    if (other.tensor.impl() == x.impl() || other.tensor.impl()->storage != x.impl()->storage)
      continue;
    raise(ErrorKind::kInplace, "[", inplace_name(def), "] ", argument, ": Tensor '", x.name(),
          "' shares its memory with Tensor '", other.tensor.name(),
          "', another parameter of this program; take views of one of them inside of the program");
  }
}

}  // namespace

const char* inplace_name(const OpDef& def) {
  return def.inplace_name != nullptr ? def.inplace_name : def.name;
}

void check_target(const OpDef& def, const char* argument, Memory& target) {
  const Value* value = target.cell->value;
  if (value == nullptr) static_cast<void>(newest(target));  // raises
  if (!value->type.is_tensor() || value->type.weak) {
    raise(ErrorKind::kType, "[", inplace_name(def), "] ", argument,
          ": expected a tensor to write into, got a ", value->type.is_list() ? "list" : "number");
  }
  check_parameter(def, argument, target);
  if (target.overlap) {
    raise(ErrorKind::kArgument, "[", inplace_name(def), "] ", argument, ": Tensor '",
          name_of(target), "' of shape ", value->type.shape,
          target.layout.defined() ? text(" and strides ", target.layout.strides()) : "",
          " has elements that share an address (made by expand or taken in so); write into its "
          "clone()");
  }
  if (target.may_overlap) {
    raise(ErrorKind::kArgument, "[", inplace_name(def), "] ", argument, ": Tensor '",
          name_of(target), "' of shape ", value->type.shape,
          " may have elements that share an address (made by expand): that hangs on lengths that "
          "are known at run time only; write into its clone()");
  }
  expect_writable(target);
  if ((def.flags & OpDef::kUpdate) != 0 || !grad_enabled()) return;
  if (target.unrecorded_view) {
    if (made_from(target).cell->value->needs_grad) refuse_unrecorded_view(def, argument, target);
    return;
  }
  if (is_stale_leaf(target)) refuse_leaf(def, argument, target);
  if (is_leaf_that_needs_grad(target.family_root())) refuse_leaf(def, argument, target);
}

void check_recorded_target(const OpDef& def, const char* argument, Memory& target) {
  if (target.unrecorded_view) refuse_unrecorded_view(def, argument, target);
}

void check_fits(const OpDef& def, const char* argument, const Type& target, const Type& result,
                bool replaces) {
  bool same = target.shape.rank() == result.shape.rank();
  for (int i = 0; same && i < target.shape.rank(); ++i) {
    const auto axis = static_cast<std::size_t>(i);
    same = target.shape[axis] == result.shape[axis] || target.shape[axis] < 0 ||
           result.shape[axis] < 0;
  }
  if (!same) {
    raise(ErrorKind::kArgument, "[", inplace_name(def), "] ", argument, ": the result has shape ",
          result.shape, ", which is not the shape ", target.shape,
          " of the target; use the plain form, or expand the target first");
  }
  if (replaces || category(result.dtype) <= category(target.dtype)) return;
  raise(ErrorKind::kType, "[", inplace_name(def), "] ", argument, ": the result is ", result.dtype,
        ", which does not fit a target of ", target.dtype,
        "; use the plain form, or cast the target first");
}

void check_sole(const OpDef& def, const char* argument, const Handle& target) {
  Memory& memory = *target.memory;
  if (memory.root().handles > 1) {
    raise(ErrorKind::kInplace, "[", inplace_name(def), "] ", argument, ": Tensor '",
          name_of(memory),
          "' shares its memory with another tensor (a view, its base or a detach()), so it cannot "
          "take new memory of "
          "another dtype or size; use the plain form");
  }
  const Recording* recording = Recording::of(*memory.program);
  const bool outside = recording != nullptr && recording->frames.back()->serial != target.born;
  if (!memory.root().parameter.defined() && !outside) return;
  raise(ErrorKind::kInplace, "[", inplace_name(def), "] ", argument, ": Tensor '", name_of(memory),
        "' ",
        outside ? "comes from outside of this branch or loop" : "is a parameter of the program",
        ", so it keeps its shape and dtype; use the plain form");
}

void check_disjoint(const OpDef& def, std::span<Memory* const> targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = i + 1; j < targets.size(); ++j) {
      Memory& a = *targets[i];
      Memory& b = *targets[j];
      if (&a.root() != &b.root()) continue;
      const bool known = &a != &b && a.layout.defined() && b.layout.defined() &&
                         a.layout.impl()->storage == b.layout.impl()->storage;
      if (known && !share_bytes(byte_map(a.layout), byte_map(b.layout))) continue;
      raise(ErrorKind::kArgument, "[", inplace_name(def), "] targets '", name_of(a), "' and '",
            name_of(b), "' share memory; each needs its own");
    }
  }
}

}  // namespace oploom::program
