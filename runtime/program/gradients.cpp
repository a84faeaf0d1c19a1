#include "runtime/program/gradients.h"

#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "runtime/program/differentiation.h"
#include "runtime/program/fitted.h"
#include "runtime/program/roles.h"

// Differentiation of straight-line code, and the call as a whole.
namespace oploom::program {

Value* Sums::find(const Value* of) const {
  const auto entry = sums_.find(of);
  return entry == sums_.end() ? nullptr : entry->second;
}

namespace {

// A result of a branch or loop may be less known than what that yields, and so is its gradient.
bool knows_more(const Type& value, const Type& gradient) {
  if (!value.is_tensor()) return false;
  for (std::size_t i = 0; i < value.shape.size(); ++i) {
    if (value.shape[i] != -1 && gradient.shape[i] == -1) return true;
  }
  return false;
}

}  // namespace

void Sums::add(Value* of, Value* gradient) {
  if (knows_more(of->type, gradient->type)) gradient = roles::sum_to(gradient, shape(of));
  Value*& sum = sums_[of];
  sum = sum == nullptr ? gradient : sum_of_gradients(sum, gradient);
}

void Insertions::before(const Op& op, std::unique_ptr<Op> made) {
  made->parent = op.parent;
  by_region_[op.parent].before[&op].push_back(std::move(made));
}

void Insertions::after(const Value& value, std::unique_ptr<Op> made) {
  made->parent = region_of(&value);
  Places& places = by_region_[made->parent];
  (value.op == nullptr ? places.front : places.after[value.op]).push_back(std::move(made));
}

void Insertions::apply() {
  for (auto& [region, places] : by_region_) {
    Ops ops = std::move(places.front);
    ops.reserve(ops.size() + region->ops.size() + places.before.size() + places.after.size());
    const auto put = [&ops](auto& by_op, const Op* op) {
      const auto entry = by_op.find(op);
      if (entry == by_op.end()) return;
      for (auto& made : entry->second) ops.push_back(std::move(made));
    };
    for (auto& op : region->ops) {
      const Op* key = op.get();
      put(places.before, key);
      ops.push_back(std::move(op));
      put(places.after, key);
    }
    region->ops = std::move(ops);
  }
  by_region_.clear();
}

Differentiation::Differentiation(Builder& builder, const Activity& activity, GradOrder order)
    : program_(builder.program()),
      activity_(activity),
      order_(order),
      recorded_(builder.recorded),
      position_(builder.position) {}

Builder Differentiation::inside(Region& region) const {
  Builder builder(program_, region);
  builder.recorded = recorded_;
  builder.position = position_;
  return builder;
}

// --- Order.

void Differentiation::run(const Region& region, Sums& sums) {
  std::vector<Op*> ops = activity_.ops(region);
  if (order_ == GradOrder::kReady) ops = in_ready_order(ops, region);
  for (Op* op : ops) differentiate(*op, sums);
}

namespace {

// f(Op&) for the ops of region that made what op reads, regions of op included; once for each read.
template <typename F>
void for_each_producer(const Activity& activity, const Op& op, const Region& region, F&& f) {
  const auto visit = [&](const Value* value) {
    if (value->op != nullptr && value->op->parent == &region && activity.has(value->op))
      f(*value->op);
  };
  for_each_differentiable(op, [&](const Value* input, std::size_t) { visit(input); });
  if (op.regions.empty()) return;
  for (const Value* value : activity.captured(op)) visit(value);
}

}  // namespace

std::vector<Op*> Differentiation::in_ready_order(const std::vector<Op*>& ops,
                                                 const Region& region) const {
  std::unordered_map<const Op*, std::size_t> readers;
  for (const Op* op : ops) {
    for_each_producer(activity_, *op, region, [&](const Op& producer) { ++readers[&producer]; });
  }
  std::vector<Op*> ready;
  for (Op* op : ops) {
    if (!readers.contains(op)) ready.push_back(op);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {  // grows meanwhile
    for_each_producer(activity_, *ready[i], region, [&](Op& producer) {
      if (--readers[&producer] == 0) ready.push_back(&producer);
    });
  }
  return ready;
}

// --- One op.

void Differentiation::differentiate(Op& op, Sums& sums) {
  if (op.def == &kIf)
    differentiate_if(op, sums);
  else if (op.def == &kWhile)
    differentiate_while(op, sums);
  else
    differentiate_plain(op, sums);
}

namespace {

// Whether op could run in the buffer of one of values.
bool may_overwrite(const Op& op, const std::vector<Value*>& values) {
  for (const OpDef::Pair pair : op.def->inplace_pairs) {
    Value* target = op.input(pair.input);
    if (target != nullptr && std::find(values.begin(), values.end(), target) != values.end())
      return true;
  }
  return false;
}

bool entry_is_unknown(const Op& put) {
  const Type& list = put.inputs[0]->type;
  return !list.open && list.depth == 1 && !list.of_numbers && !element_of(list).known();
}

bool reads(const Op& op, const std::unordered_set<const Value*>& values) {
  bool found = false;
  for_each_use(op, [&](const Value* value) { found |= values.contains(value); });
  return found;
}

// Of the ops that a rule appended, from `first` on, those that overwrite a result's gradient (and
// what is made of them) go behind the others that read it: so they can run in its buffer, and n
// writes of a row into one tensor are differentiated in linear time.
void put_writes_last(Region& region, std::size_t first, const std::vector<Value*>& grads) {
  if (region.ops.size() - first < 2) return;
  const auto begin = region.ops.begin() + static_cast<std::ptrdiff_t>(first);
  const auto write = std::find_if(begin, region.ops.end(),
                                  [&](const auto& op) { return may_overwrite(*op, grads); });
  std::unordered_set<const Value*> late;
  std::vector<std::unique_ptr<Op>> sooner;
  std::vector<std::unique_ptr<Op>> later;
  for (auto op = write; op != region.ops.end(); ++op) {
    const bool is_late = op == write || reads(**op, late);
    for (const auto& result : (*op)->results) {
      if (is_late) late.insert(result.get());
    }
    (is_late ? later : sooner).push_back(std::move(*op));
  }
  std::move(later.begin(), later.end(), std::move(sooner.begin(), sooner.end(), write));
}

}  // namespace

// Of the entry that a write to a list replaces: asked for right before the write.
Numbers Differentiation::shape_before(const Op& put) {
  Region nowhere;
  Builder builder = inside(nowhere);
  Value* shape = builder.append(kEntryShape, {put.inputs[0], put.inputs[1]}, {}).results[0].get();
  insertions_.before(put, std::move(nowhere.ops.back()));
  return Numbers(shape);
}

void Differentiation::differentiate_plain(const Op& op, Sums& sums) {
  if (op.def->vjp == nullptr) return;  // its gradient is zero (Activity refused the others)
  std::vector<Value*> grads;
  grads.reserve(op.results.size());
  bool any = false;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    grads.push_back(is_differentiable_result(op, i) ? sums.find(op.results[i].get()) : nullptr);
    any |= grads.back() != nullptr;
  }
  if (!any) return;
  std::vector<bool> needed(op.inputs.size());
  for_each_differentiable(
      op, [&](const Value* input, std::size_t i) { needed[i] = activity_.active(input); });
  Vjp vjp(op, grads, std::move(needed));
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const Value* input = op.inputs[i];
    if (input != nullptr && input->type.is_list()) vjp.set_so_far(i, sums.find(input));
  }
  const bool of_unknown_lengths = op.def == &kPut && vjp.needs(0) && entry_is_unknown(op);
  if (of_unknown_lengths) vjp.set_replaced(shape_before(op));
  Region& region = Builder::current().region();
  const std::size_t first = region.ops.size();
  op.def->vjp(vjp);
  put_writes_last(region, first, grads);
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    if (Value* sum = vjp.replacement(i)) sums.set(op.inputs[i], sum);
    if (Value* gradient = vjp.given(i)) sums.add(op.inputs[i], gradient);
  }
}

// --- The call.

namespace {

void expect_seed(std::size_t i, const Type& wanted, const Type& seed) {
  bool fits = seed.is_tensor() && seed.dtype == wanted.dtype && !seed.weak &&
              seed.shape.rank() == wanted.shape.rank();
  for (std::size_t axis = 0; fits && axis < wanted.shape.size(); ++axis) {
    fits = wanted.shape[axis] < 0 || seed.shape[axis] < 0 || wanted.shape[axis] == seed.shape[axis];
  }
  if (fits) return;
  raise(ErrorKind::kArgument, "[grad] grad_outputs[", i, "]: expected a gradient like its output, ",
        wanted, ", got ", seed, "; cast or reshape it");
}

Value* seed_of(std::size_t i, Value* target, Value* given) {
  if (given == nullptr) return roles::ones(shape(target), target->type.dtype);
  return fitted(given, target, FittedKind::kGradient, text("[grad] grad_outputs[", i, "]"));
}

void expect_tensors(const char* what, std::span<Value* const> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->type.is_tensor() && is_float(values[i]->type.dtype)) continue;
    raise(ErrorKind::kType, "[grad] ", what, "[", i, "]: expected a float tensor, got ",
          values[i]->type, "; only those have gradients");
  }
}

// Takes away what was appended to region unless the call came to its end.
class Attempt {
 public:
  Attempt(Region& region, Insertions& insertions)
      : region_(region), insertions_(insertions), before_(region.ops.size()) {}
  ~Attempt() {
    while (!done_ && region_.ops.size() > before_) region_.ops.pop_back();
    insertions_.apply();  // also after an error: results added to loops and branches stay and must
                          // be whole
  }
  void done() { done_ = true; }

 private:
  Region& region_;
  Insertions& insertions_;
  std::size_t before_;
  bool done_ = false;
};

}  // namespace

std::vector<Value*> gradients(std::span<Value* const> targets, std::span<Value* const> inputs,
                              std::span<Value* const> seeds, const GradOptions& options) {
  if (seeds.size() > targets.size()) {
    raise(ErrorKind::kArgument, "[grad] grad_outputs: expected at most one for each of ",
          targets.size(), " outputs, got ", seeds.size());
  }
  expect_tensors("outputs", targets);
  expect_tensors("inputs", inputs);
  Builder& builder = Builder::current();
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (seeds[i] != nullptr) expect_seed(i, targets[i]->type, seeds[i]->type);
  }
  const Activity activity(targets, inputs, options.no_grad, builder.region(), options.homes);
  activity.expect_visible("grad_outputs", seeds);
  Differentiation differentiation(builder, activity, options.order);
  Attempt attempt(builder.region(), differentiation.insertions());

  Sums sums;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!activity.active(targets[i])) continue;
    sums.add(targets[i], seed_of(i, targets[i], i < seeds.size() ? seeds[i] : nullptr));
  }
  for (const Region* region : activity.visible()) differentiation.run(*region, sums);

  std::vector<Value*> results;
  results.reserve(inputs.size());
  for (Value* input : inputs) {
    Value* gradient = activity.active(input) ? sums.find(input) : nullptr;
    if (gradient == nullptr && activity.active(input)) gradient = zero_gradient(input);
    results.push_back(gradient);
  }
  attempt.done();
  ++builder.program().revision;
  return results;
}

}  // namespace oploom::program
