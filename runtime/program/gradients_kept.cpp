#include "runtime/program/gradients_kept.h"

#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/program/control.h"

namespace oploom::program {
namespace {

// Whether op reads shapes only and makes something small of them.
bool reads_shapes_only(const Op& op) {
  if ((op.def->flags & OpDef::kOwn) == 0 || op.inputs.empty() || !op.attribute_values.empty()) return false;
  return std::all_of(op.def->inputs.begin(), op.def->inputs.end(),
                     [](const InputDef& input) { return input.reads_shape_only; });
}

bool equal_ops(const Op& a, const Op& b) {
  return a.def == b.def && a.inputs == b.inputs && a.group_sizes == b.group_sizes &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
                    [](const Attribute& x, const Attribute& y) { return equal(x, y); });
}

// A constant is made anew where it is needed: cheaper than to keep it.
bool is_constant(const Op& op) {
  return op.inputs.empty() && op.regions.empty() && (op.def->flags & OpDef::kRandom) == 0 &&
         std::all_of(op.attribute_values.begin(), op.attribute_values.end(),
                     [](const Value* value) { return value == nullptr; });
}

}  // namespace

Bridge::Bridge(Differentiation& differentiation, Op& forward, Region& from, Region& made)
    : differentiation_(differentiation), forward_(forward), from_(from), made_(made) {}

void Bridge::rewire() {
  for (Value* value : kept()) {
    if (value->op != nullptr && reads_shapes_only(*value->op)) {
      shape_ops_[value->op->inputs[0]].push_back(value->op);
    }
  }
  rewire(made_);
  for (const auto& op : front_.ops) op->parent = &made_;
  made_.ops.insert(made_.ops.begin(), std::make_move_iterator(front_.ops.begin()),
                   std::make_move_iterator(front_.ops.end()));
  front_.ops.clear();
}

void Bridge::rewire(Region& region) {
  std::vector<std::unique_ptr<Op>> stay;
  stay.reserve(region.ops.size());
  for (auto& op : region.ops) {
    if (reads_shapes_only(*op) && reads_shapes_of_from(*op)) {
      std::vector<std::unique_ptr<Value>> results = std::move(op->results);
      op->results.clear();
      const Op& at_home = moved(std::move(op));
      for (std::size_t i = 0; i < results.size(); ++i) {
        resolved_[results[i].get()] = resolve(at_home.results[i].get());
        gone_.push_back(std::move(results[i]));
      }
      continue;
    }
    for_each_use(*op, [this](Value*& value) {
      if (value != nullptr) value = resolve(value);
    });
    for (const auto& inner : op->regions) rewire(*inner);
    stay.push_back(std::move(op));
  }
  region.ops = std::move(stay);
  for (Value*& value : region.yields) value = resolve(value);
}

Value* Bridge::resolve(Value* value) {
  if (const auto entry = resolved_.find(value); entry != resolved_.end()) return entry->second;
  if (region_of(value) != &from_) return value;
  const bool constant = value->op != nullptr && is_constant(*value->op);
  Value* found = constant ? copied_constant(*value->op).results[value->index].get() : bring(value);
  resolved_[value] = found;
  return found;
}

bool Bridge::reads_shapes_of_from(const Op& op) const {
  return std::all_of(op.inputs.begin(), op.inputs.end(),
                     [this](const Value* input) { return region_of(input) == &from_; });
}

// op, which asks for shapes in from, put there, or one like it that was put there before. It stands where the last of
// what it reads is made: a write to a list later on changes its length, and would copy it for a later reader.
Op& Bridge::moved(std::unique_ptr<Op> op) {
  auto& alike = shape_ops_[op->inputs[0]];
  const auto found = std::find_if(alike.begin(), alike.end(), [&](const Op* x) { return equal_ops(*x, *op); });
  if (found != alike.end()) return **found;
  op->position = forward_.position;
  Region nowhere;
  Builder builder = differentiation_.inside(nowhere);
  alike.push_back(&builder.append(std::move(op)));
  Op& made = *alike.back();
  if (made.inputs.size() == 1) {
    differentiation_.insertions().after(*made.inputs[0], std::move(nowhere.ops.back()));
  } else {  // tensors, whose shapes stay
    made.parent = &from_;
    from_.ops.push_back(std::move(nowhere.ops.back()));
  }
  return made;
}

Op& Bridge::copied_constant(const Op& op) {
  Builder builder = differentiation_.inside(front_);
  return builder.append(*op.def, {}, op.attributes, op.group_sizes);
}

// --- Branches.

BranchBridge::BranchBridge(Differentiation& differentiation, Op& forward, std::size_t branch, Region& made)
    : Bridge(differentiation, forward, *forward.regions[branch], made), branch_(branch) {
  for (std::size_t i = 0; i < from_.yields.size(); ++i) {
    if (from_.yields[i]->type == forward.results[i]->type) yielded_.try_emplace(from_.yields[i], i);
  }
}

std::vector<Value*> BranchBridge::kept() const { return from_.yields; }

Value* BranchBridge::bring(Value* value) {
  const auto [entry, fresh] = yielded_.try_emplace(value, forward_.results.size());
  if (!fresh) return forward_.results[entry->second].get();
  Region& other = *forward_.regions[1 - branch_];
  Builder builder = differentiation_.inside(other);
  const Builder::Scope scope(builder);
  other.yields.push_back(undefined(value->type));
  from_.yields.push_back(value);
  forward_.results.push_back(differentiation_.program().make_value(value->type));
  Value& result = *forward_.results.back();
  result.op = &forward_;
  result.index = static_cast<std::uint32_t>(entry->second);
  result.needs_grad = value->needs_grad;
  return &result;
}

// --- Loops.

LoopBridge::LoopBridge(Differentiation& differentiation, Op& forward, Region& made)
    : Bridge(differentiation, forward, *forward.regions[1], made) {
  for (std::size_t k = 0; k < from_.yields.size(); ++k) {
    // What the list held before the loop does not matter: as many entries are popped as were pushed.
    const Op* push = from_.yields[k]->op;
    if (push == nullptr || push->def != &kPush || push->parent != &from_) continue;
    if (push->inputs[0] != from_.arguments[k].get()) continue;
    if (forward.results[k]->type == list_of(push->inputs[1]->type)) lists_.try_emplace(push->inputs[1], k);
  }
}

std::vector<Value*> LoopBridge::kept() const {
  std::vector<Value*> values;
  for (const Value* value : from_.yields) {
    if (value->op != nullptr && value->op->def == &kPush && lists_.contains(value->op->inputs[1])) {
      values.push_back(value->op->inputs[1]);
    }
  }
  return values;
}

std::size_t LoopBridge::carry(std::unique_ptr<Op> init, bool needs_grad) {
  Program& program = differentiation_.program();
  const std::size_t k = forward_.inputs.size();
  Value* start = init->results[0].get();
  for (const auto& region : forward_.regions) add_argument(program, *region, start->type)->needs_grad = needs_grad;
  forward_.inputs.push_back(start);
  if (!forward_.group_sizes.empty()) ++forward_.group_sizes[0];
  forward_.results.push_back(program.make_value(start->type));
  Value& result = *forward_.results.back();
  result.op = &forward_;
  result.index = static_cast<std::uint32_t>(k);
  result.needs_grad = needs_grad;
  differentiation_.insertions().before(forward_, std::move(init));
  return k;
}

namespace {

// The op that make() appended last, standing nowhere.
template <typename F>
std::unique_ptr<Op> made_alone(const Differentiation& differentiation, F&& make) {
  Region nowhere;
  Builder builder = differentiation.inside(nowhere);
  const Builder::Scope scope(builder);
  make(builder);
  return std::move(nowhere.ops.back());
}

}  // namespace

// Each loop around keeps a list of what it finds in the one inside.
void LoopBridge::expect_room(const Type& type) const {
  if (type.depth < kMaxListDepth) return;
  raise(ErrorKind::kUnimplemented, "[grad] while_loop (recorded at ", forward_.position,
        "): expected at most ", kMaxListDepth,
        " loops in each other on the way of a gradient, got more; unroll one of them");
}

std::size_t LoopBridge::pushed(Value* value) {
  if (const auto entry = lists_.find(value); entry != lists_.end()) return entry->second;
  expect_room(value->type);
  const Type type = list_of(value->type);
  const std::size_t k = carry(made_alone(differentiation_, [&](Builder&) { new_list(type); }), value->needs_grad);
  Builder builder = differentiation_.inside(from_);
  builder.recorded = true;  // kept for later calls, too
  builder.position = forward_.position;
  from_.yields.push_back(builder.append(kPush, {from_.arguments[k].get(), value}, {}).results[0].get());
  lists_[value] = k;
  return k;
}

Value* LoopBridge::bring(Value* value) {
  // What goes round unchanged is the init, which made can see.
  if (value->op == nullptr && from_.yields[value->index] == value && forward_.inputs[value->index]->type == value->type) {
    return forward_.inputs[value->index];
  }
  Value* list = forward_.results[pushed(value)].get();
  Value* argument = add_argument(differentiation_.program(), made_, list->type);
  argument->needs_grad = list->needs_grad;
  Builder builder = differentiation_.inside(front_);
  const Op& pop = builder.append(kPop, {argument}, {});
  inits_.push_back(list);
  yields_.push_back(pop.results[0].get());
  return pop.results[1].get();
}

Value* LoopBridge::trips() {
  const auto is_number = [](const Op& op, std::size_t i, std::int64_t number) {
    return op.attribute_value(i) == nullptr && std::get<Scalar>(op.attributes[i]).to_int() == number;
  };
  for (std::size_t k = 0; k < from_.yields.size(); ++k) {
    const Op* init = forward_.inputs[k]->op;
    const Op* next = from_.yields[k]->op;
    if (init == nullptr || init->def != &kArithmetic || next == nullptr || next->def != &kArithmetic) continue;
    const bool from_zero = is_number(*init, 1, 0) && is_number(*init, 2, 0);
    const bool by_one = std::get<std::string>(next->attributes[0]) == "+" && is_number(*next, 2, 1) &&
                        next->attribute_value(1) == from_.arguments[k].get();
    if (from_zero && by_one) return forward_.results[k].get();
  }
  const auto zero = [](Builder& builder) {
    builder.append(kArithmetic, {}, {std::string("+"), Scalar(0), Scalar(0)});
  };
  const std::size_t k = carry(made_alone(differentiation_, zero), false);
  Builder builder = differentiation_.inside(from_);
  builder.position = forward_.position;
  const Builder::Scope scope(builder);
  from_.yields.push_back((Number(from_.arguments[k].get()) + Number(1)).value());
  return forward_.results[k].get();
}

}  // namespace oploom::program
