#include "runtime/program/aliases.h"

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "runtime/program/fitted.h"

namespace oploom::program {
namespace {

// The input whose buffer the results may be, or null.
const Value* shared_input(const Op& op) {
  if (op.def == &kShift) return op.inputs[1];
  if (op.def == &kFitted) return op.inputs[0];
  const bool view = (op.def->flags & (OpDef::kView | OpDef::kViewMayCopy)) != 0;
  return view && !op.inputs.empty() ? op.inputs[0] : nullptr;
}

}  // namespace

Aliases::Aliases(const Program& program) : roots_(program.next_value_id, nullptr) {
  visit(program.main);
}

void Aliases::visit(const Region& region) {
  for (const auto& value : region.arguments) roots_[value->id] = value.get();
  for (const auto& op : region.ops) {
    const Value* base = shared_input(*op);
    for (const auto& value : op->results) {
      roots_[value->id] = base != nullptr ? roots_[base->id] : value.get();
    }
    for (const auto& inner : op->regions) visit(*inner);
  }
}

std::unordered_map<const Value*, const Op*> given_away(const Program& program,
                                                       const Aliases& aliases) {
  std::unordered_map<const Value*, const Op*> taken;
  for_each_op(program.main, [&](const Op& op) {
    if (!op.applied) return;
    for (const OpDef::Pair pair : op.def->inplace_pairs)
      taken[&aliases.root(*op.input(pair.input))] = &op;
  });
  return taken;
}

void check_not_given_away(const Program& program, std::span<Value* const> values) {
  bool any = false;
  for_each_op(program.main, [&any](const Op& op) { any |= op.applied; });
  if (!any) return;
  const Aliases aliases(program);
  const auto taken = given_away(program, aliases);
  for (const Value* value : values) {
    const auto found = taken.find(&aliases.root(*value));
    if (found == taken.end()) continue;
    const Op& op = *found->second;
    raise(ErrorKind::kRuntime, "[run] fetch: expected a value that is kept, got %", value->id,
          ", which ", shown_name(op), " (recorded at ", op.position,
          ") overwrites; name it in apply_inplace(fetch=...), or call functionalize() first");
  }
}

}  // namespace oploom::program
