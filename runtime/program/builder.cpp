#include "runtime/program/builder.h"

#include <utility>

#include "runtime/core/error.h"
#include "runtime/program/attribute_types.h"
#include "runtime/program/control.h"
#include "runtime/program/program.h"

namespace oploom::program {
namespace {

thread_local Builder* current_builder = nullptr;

std::vector<Value*> results_of(const Op& op) {
  std::vector<Value*> results;
  results.reserve(op.results.size());
  for (const auto& value : op.results) results.push_back(value.get());
  return results;
}

// What stands for a number that is known at run time only. Its category decides dtypes.
Attribute placeholder(std::string_view type, const Value& numbers) {
  if (is_list_attribute(type)) return known_entries(&numbers);
  if (type.starts_with("float")) return 0.0;
  if (type.starts_with("scalar")) {
    return is_float(numbers.type.dtype) ? Scalar(0.0) : Scalar(std::int64_t{0});
  }
  return std::int64_t{0};
}

}  // namespace

// --- Building.

Builder& Builder::current() {
  if (current_builder == nullptr) [[unlikely]] {
    raise(ErrorKind::kRuntime,
          "[program] no program is being built in this thread; open a Builder::Scope first");
  }
  return *current_builder;
}

Builder::Scope::Scope(Builder& builder) : before_(std::exchange(current_builder, &builder)) {}
Builder::Scope::~Scope() { current_builder = before_; }

void fill_placeholders(Op& op) {
  for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
    const Value* numbers = op.attribute_values[i];
    if (numbers != nullptr) op.attributes[i] = placeholder(op.def->attributes[i].type, *numbers);
  }
}

std::unique_ptr<Op> make_op(const OpDef& def, std::vector<Value*> inputs,
                            std::vector<Attribute> attributes,
                            std::vector<std::uint32_t> group_sizes,
                            std::vector<Value*> attribute_values) {
  auto op = std::make_unique<Op>();
  op->def = &def;
  op->inputs = std::move(inputs);
  op->group_sizes = std::move(group_sizes);
  op->attributes = std::move(attributes);
  op->attribute_values = std::move(attribute_values);
  for (std::size_t i = op->attributes.size(); i < def.attributes.size(); ++i) {
    const bool later = op->attribute_value(i) != nullptr;
    if (def.attributes[i].default_value == nullptr && !later) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", def.name, "] ", def.attributes[i].name,
            ": expected a value, got none");
    }
    op->attributes.push_back(later ? Attribute() : def.attributes[i].default_value());
  }
  fill_placeholders(*op);
  if (def.normalise != nullptr) def.normalise(*op);
  return op;
}

std::vector<Value*> Builder::call(const OpDef& def, std::vector<Value*> inputs,
                                  std::vector<Attribute> attributes,
                                  std::vector<std::uint32_t> group_sizes,
                                  std::vector<Value*> attribute_values) {
  auto op = make_op(def, std::move(inputs), std::move(attributes), std::move(group_sizes),
                    std::move(attribute_values));
  if (def.compose == nullptr) return results_of(append(std::move(op)));
  const Scope scope(*this);
  return def.compose(*op);
}

Op& Builder::append(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes,
                    std::vector<std::uint32_t> group_sizes, std::vector<Value*> attribute_values) {
  return append(make_op(def, std::move(inputs), std::move(attributes), std::move(group_sizes),
                        std::move(attribute_values)));
}

Op& Builder::append(std::unique_ptr<Op> owned) {
  Op& op = *owned;
  for (const auto& region : op.regions) region->parent = &op;
  const bool fresh = op.results.empty();
  if (fresh) {
    if (op.def->infer == nullptr) [[unlikely]] {
      raise(ErrorKind::kRuntime, "[", op.def->name,
            "] is a composed op, which never stands in a program");
    }
    std::vector<Type> types;
    op.def->infer(op, types);
    op.results.reserve(types.size());
    for (const Type& type : types) op.results.push_back(program_.make_value(type));
    op.recorded = recorded;
    op.position = position;
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    op.results[i]->op = &op;
    op.results[i]->index = static_cast<std::uint32_t>(i);
  }
  if (op.number == 0) op.number = ++program_.next_op_number;
  op.parent = &region_;
  if (fresh) propagate_needs_grad(op);
  region_.ops.push_back(std::move(owned));
  ++program_.revision;
  return op;
}

Value* add_argument(Program& program, Region& region, const Type& type) {
  auto value = program.make_value(type);
  value->region = &region;
  value->index = static_cast<std::uint32_t>(region.arguments.size());
  region.arguments.push_back(std::move(value));
  return region.arguments.back().get();
}

// --- Which values stop gradient.

namespace {

// Sets value's flag; true where that is news.
bool set_needs_grad(Value& value) {
  if (value.needs_grad || value.stopped || !can_have_grad(value.type)) return false;
  return value.needs_grad = true;
}

// List outputs are flat: the declared output of result i.
const OutputDef* output_of(const OpDef& def, std::size_t i) {
  if (def.outputs.empty()) return nullptr;
  return &def.outputs[std::min(i, def.outputs.size() - 1)];
}

bool any_input_needs_grad(const Op& op) {
  const std::size_t groups = op.group_sizes.empty() ? op.inputs.size() : op.group_sizes.size();
  for (std::size_t g = 0; g < groups; ++g) {
    if (g < op.def->inputs.size() && !op.def->inputs[g].differentiable) continue;
    for (const Value* value : op.group(g)) {
      if (value->needs_grad) return true;
    }
  }
  return false;
}

bool propagate_plain(Op& op) {
  if (!op.recorded || (op.def->flags & OpDef::kUpdate) != 0 || !any_input_needs_grad(op))
    return false;
  bool news = false;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const OutputDef* output = output_of(*op.def, i);
    if (output == nullptr || output->differentiable) news |= set_needs_grad(*op.results[i]);
  }
  return news;
}

bool propagate(Op& op);

bool propagate(Region& region) {
  bool news = false;
  for (const auto& op : region.ops) news |= propagate(*op);
  return news;
}

bool propagate_if(Op& op) {
  bool news = false;
  for (const auto& region : op.regions) {
    news |= propagate(*region);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      if (region->yields[i]->needs_grad) news |= set_needs_grad(*op.results[i]);
    }
  }
  return news;
}

// Once round a loop a flag may reach one more variable, so it is a fixpoint; the last round changes
// nothing.
bool propagate_while(Op& op) {
  Region& condition = *op.regions[0];
  Region& body = *op.regions[1];
  bool news = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (!op.inputs[i]->needs_grad && !body.yields[i]->needs_grad) continue;
      again |= set_needs_grad(*body.arguments[i]);
      set_needs_grad(*condition.arguments[i]);
    }
    again |= propagate(body);
    news |= again;
  }
  propagate(condition);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    if (body.arguments[i]->needs_grad) news |= set_needs_grad(*op.results[i]);
  }
  return news;
}

bool propagate(Op& op) {
  if (op.def == &kIf) return op.recorded && propagate_if(op);
  if (op.def == &kWhile) return op.recorded && propagate_while(op);
  return propagate_plain(op);
}

}  // namespace

void propagate_needs_grad(Op& op) { propagate(op); }

}  // namespace oploom::program
