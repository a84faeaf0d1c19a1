#include "runtime/program/attribute_types.h"
#include "runtime/program/control.h"
#include "runtime/program/verify.h"

// What infer functions rely on: afterwards they may count on inputs, attributes and regions being
// there.
namespace oploom::program {
namespace {

void check_inputs(const Op& op) {
  const OpDef& def = *op.def;
  const std::size_t groups = op.group_sizes.empty() ? op.inputs.size() : op.group_sizes.size();
  if (groups != def.inputs.size()) {
    refuse(op, "expected ", def.inputs.size(), " inputs, got ", groups);
  }
  std::size_t sum = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint32_t size = op.group_sizes.empty() ? 1 : op.group_sizes[g];
    const InputDef& input = def.inputs[g];
    const bool fits = input.kind == InputDef::Kind::kList || size == 1 ||
                      (size == 0 && input.kind == InputDef::Kind::kOptional);
    if (!fits) refuse(op, input.name, ": expected one value, got ", size);
    if (op.group_sizes.empty() && input.kind == InputDef::Kind::kList) {
      refuse(op, input.name, ": expected the length of the list in group_sizes, got none");
    }
    sum += size;
  }
  if (sum != op.inputs.size()) {
    refuse(op, "expected ", sum, " inputs by their groups, got ", op.inputs.size());
  }
}

void check_attributes(const Op& op) {
  const OpDef& def = *op.def;
  if (op.attributes.size() != def.attributes.size()) {
    refuse(op, "expected ", def.attributes.size(), " attributes, got ", op.attributes.size());
  }
  if (op.attribute_values.size() > def.attributes.size()) {
    refuse(op, "expected metadata for ", def.attributes.size(), " attributes at most, got ",
           op.attribute_values.size());
  }
  for (std::size_t i = 0; i < def.attributes.size(); ++i) {
    const AttributeDef& attribute = def.attributes[i];
    if (!attribute_fits(attribute.type, op.attributes[i])) {
      refuse(op, attribute.name, ": expected an attribute of type ", attribute.type, ", got ",
             op.attributes[i]);
    }
  }
}

void check_regions(const Op& op) {
  const std::size_t expected = op.def == &kIf || op.def == &kWhile ? 2 : 0;
  if (op.regions.size() != expected) {
    refuse(op, "expected ", expected, " regions, got ", op.regions.size());
  }
  if (op.def != &kIf) return;
  for (const auto& region : op.regions) {
    if (region->arguments.empty()) continue;
    refuse(op, "expected branches without arguments, got %", region->arguments[0]->id);
  }
}

}  // namespace

void check_form(const Op& op) {
  if (op.def->infer == nullptr) {
    refuse(op, "expected an op that can stand in a program, got a composed one");
  }
  check_inputs(op);
  check_attributes(op);
  check_regions(op);
}

void check_kinds(const Op& op) {
  const bool own = (op.def->flags & OpDef::kOwn) != 0;  // these say in infer what they take
  for (std::size_t g = 0; g < op.def->inputs.size() && !own; ++g) {
    for (const Value* value : op.group(g)) {
      if (value->type.is_tensor()) continue;
      refuse(op, op.def->inputs[g].name, ": expected a tensor, got %", value->id, ", ",
             value->type);
    }
  }
  for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
    const Value* value = op.attribute_values[i];
    const AttributeDef& attribute = op.def->attributes[i];
    if (value == nullptr || metadata_fits(attribute.type, value->type)) continue;
    refuse(op, attribute.name, ": expected metadata for an attribute of type ", attribute.type,
           ", got %", value->id, ", ", value->type);
  }
}

}  // namespace oploom::program
