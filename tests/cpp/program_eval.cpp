#include "tests/cpp/program_eval.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/program/activity.h"
#include "runtime/program/control.h"
#include "runtime/program/interpreter.h"
#include "tests/cpp/program_toy_ops.h"

namespace oploom::program {
namespace {

// The last reader of each value that a region makes; null where that is a yield or inside the op's regions.
using LastReaders = std::unordered_map<const Value*, const Op*>;

void note_reads(const Op& op, const Op* reader, LastReaders& last) {
  for_each_use(op, [&](const Value* value) { last[value] = reader; });
  for (const auto& region : op.regions) {
    for (const auto& inner : region->ops) note_reads(*inner, nullptr, last);
    for (const Value* value : region->yields) last[value] = nullptr;
  }
}

LastReaders last_readers(const Region& region) {
  LastReaders last;
  for (const auto& op : region.ops) note_reads(*op, op.get(), last);
  for (const Value* value : region.yields) last[value] = nullptr;
  return last;
}

class Evaluator {
 public:
  explicit Evaluator(std::span<Value* const> fetch) : fetched_(fetch.begin(), fetch.end()) {}
  void run(const Region& region);
  Slot& slot(const Value* value) { return slots_[value]; }
  const Slot& read(const Value* value, const Op& reader);

 private:
  const LastReaders& readers(const Region& region);
  bool dies(const Value* value, const Op& op);
  Slot handed_on(const Value* value, const Region& region);
  void run(const Op& op);
  void run_branch(const Op& op);
  void run_loop(const Op& op);
  void run_plain(const Op& op);

  std::unordered_set<const Value*> fetched_;
  std::unordered_map<const Value*, Slot> slots_;
  std::unordered_map<const Region*, LastReaders> readers_;
};

const LastReaders& Evaluator::readers(const Region& region) {
  const auto [entry, fresh] = readers_.try_emplace(&region);
  if (fresh) entry->second = last_readers(region);
  return entry->second;
}

bool Evaluator::dies(const Value* value, const Op& op) {
  if (region_of(value) != op.parent || fetched_.contains(value)) return false;
  const LastReaders& last = readers(*op.parent);
  const auto entry = last.find(value);
  return entry != last.end() && entry->second == &op;
}

const Slot& Evaluator::read(const Value* value, const Op& reader) {
  const auto entry = slots_.find(value);
  if (entry != slots_.end() && (entry->second.tensor.defined() || entry->second.list)) return entry->second;
  raise(ErrorKind::kRuntime, "[evaluate] ", reader.def->name, " reads %", value->id, ", which is not there");
}

// What region yields: moved where nobody else in it has it.
Slot Evaluator::handed_on(const Value* value, const Region& region) {
  const Slot& held = read(value, *region.parent);
  const auto times = std::count(region.yields.begin(), region.yields.end(), value);
  if (times == 1 && region_of(value) == &region) return std::move(slots_[value]);
  return held;
}

void Evaluator::run(const Region& region) {
  for (const auto& op : region.ops) run(*op);
}

void Evaluator::run(const Op& op) {
  if (op.def == &kIf) run_branch(op);
  else if (op.def == &kWhile) run_loop(op);
  else run_plain(op);
}

void Evaluator::run_branch(const Op& op) {
  const bool taken = toy::element(read(op.inputs[0], op).tensor, 0) != 0;
  const Region& region = *op.regions[taken ? 0 : 1];
  run(region);
  std::vector<Slot> yields;
  for (const Value* value : region.yields) yields.push_back(handed_on(value, region));
  for (std::size_t i = 0; i < op.results.size(); ++i) slots_[op.results[i].get()] = std::move(yields[i]);
}

void Evaluator::run_loop(const Op& op) {
  const Region& condition = *op.regions[0];
  const Region& body = *op.regions[1];
  std::vector<Slot> state;
  for (const Value* init : op.inputs) {
    const Slot& held = read(init, op);
    const bool once = std::count(op.inputs.begin(), op.inputs.end(), init) == 1;
    state.push_back(once && dies(init, op) ? std::move(slots_[init]) : held);
  }
  while (true) {
    for (std::size_t k = 0; k < state.size(); ++k) slots_[condition.arguments[k].get()] = state[k];
    run(condition);
    const bool again = toy::element(read(condition.yields[0], op).tensor, 0) != 0;
    for (const auto& argument : condition.arguments) slots_[argument.get()] = Slot();
    if (!again) break;
    for (std::size_t k = 0; k < state.size(); ++k) slots_[body.arguments[k].get()] = std::move(state[k]);
    run(body);
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = handed_on(body.yields[k], body);
  }
  for (std::size_t k = 0; k < state.size(); ++k) slots_[op.results[k].get()] = std::move(state[k]);
}

void Evaluator::run_plain(const Op& op) {
  std::vector<Slot*> inputs;
  std::vector<Slot*> outputs;
  std::uint64_t dying = 0;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    read(op.inputs[i], op);
    inputs.push_back(&slots_[op.inputs[i]]);
    if (i < 64 && dies(op.inputs[i], op)) dying |= std::uint64_t{1} << i;
  }
  for (const auto& result : op.results) outputs.push_back(&slots_[result.get()]);
  std::vector<Attribute> attributes = op.attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const Value* numbers = op.attribute_value(i);
    if (numbers != nullptr) attributes[i] = attribute_of(read(numbers, op).tensor, op.def->attributes[i].type);
  }
  RunFrame frame{.op = op, .inputs = inputs, .outputs = outputs, .attributes = attributes};
  frame.dying = dying;
  op.def->run(frame);
}

}  // namespace

std::vector<Tensor> evaluate(const Program& program, std::span<const Tensor> feeds, std::span<Value* const> fetch) {
  Evaluator evaluator(fetch);
  for (std::size_t i = 0; i < feeds.size(); ++i) evaluator.slot(program.main.arguments[i].get()).tensor = feeds[i];
  evaluator.run(program.main);
  std::vector<Tensor> results;
  for (const Value* value : fetch) results.push_back(evaluator.slot(value).tensor);
  return results;
}

// --- Building.

Value* Bench::input(double value, bool stop_gradient) {
  return input(std::vector<double>{value}, Ints(), Ints(), stop_gradient);
}

Value* Bench::input(std::vector<double> values, bool stop_gradient) {
  const Dims shape{static_cast<std::int64_t>(values.size())};
  return input(std::move(values), shape, shape, stop_gradient);
}

Value* Bench::input(std::vector<double> values, Ints shape, Ints lengths, bool stop_gradient) {
  feeds_.push_back(empty(shape, DType::kFloat64));
  for (std::size_t i = 0; i < values.size(); ++i) {
    toy::set_element(feeds_.back(), static_cast<std::int64_t>(i), values[i]);
  }
  const std::string name = text("input", feeds_.size());
  return program.add_input(name, tensor_type(DType::kFloat64, lengths), stop_gradient);
}

Value* Bench::whole(std::int64_t value) { return toy::full(Numbers(Ints()), Scalar(value), DType::kInt64); }
Value* Bench::constant(double value) { return toy::full(Numbers(Ints()), Scalar(value), DType::kFloat64); }

void Bench::feed(const Value* input, double value) {
  Tensor fed = empty({}, DType::kFloat64);
  toy::set_element(fed, 0, value);
  feeds_[input->index] = fed;
}

namespace {

std::unique_ptr<Op> open_op(const OpDef& def) {
  auto op = std::make_unique<Op>();
  op->def = &def;
  op->parent = &Builder::current().region();
  for (int i = 0; i < 2; ++i) {
    op->regions.push_back(std::make_unique<Region>());
    op->regions.back()->parent = op.get();
  }
  return op;
}

template <typename F>
void fill(Program& program, Region& region, F&& make) {
  Builder builder(program, region);
  const Builder::Scope scope(builder);
  region.yields = make();
}

Values results_of(const Op& op) {
  Values results;
  for (const auto& result : op.results) results.push_back(result.get());
  return results;
}

}  // namespace

Values Bench::cond(Value* pred, const std::function<Values()>& then, const std::function<Values()>& otherwise) {
  auto op = open_op(kIf);
  op->inputs = {pred};
  fill(program, *op->regions[0], then);
  fill(program, *op->regions[1], otherwise);
  return results_of(Builder::current().append(std::move(op)));
}

Values Bench::loop(const Values& inits, const std::function<Value*(const Values&)>& condition,
                   const std::function<Values(const Values&)>& body, const std::vector<Type>& types) {
  auto op = open_op(kWhile);
  op->inputs = inits;
  op->group_sizes = {static_cast<std::uint32_t>(inits.size())};
  std::vector<Values> arguments(2);
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t k = 0; k < inits.size(); ++k) {
      const Type& type = k < types.size() ? types[k] : inits[k]->type;
      arguments[r].push_back(add_argument(program, *op->regions[r], type));
    }
  }
  fill(program, *op->regions[0], [&] { return Values{condition(arguments[0])}; });
  fill(program, *op->regions[1], [&] { return body(arguments[1]); });
  return results_of(Builder::current().append(std::move(op)));
}

Values Bench::repeat(std::int64_t count, const Values& inits, const std::function<Values(const Values&)>& body) {
  Values all{whole(0)};
  all.insert(all.end(), inits.begin(), inits.end());
  Value* end = whole(count);
  Values results = loop(
      all, [&](const Values& v) { return toy::less_than(v[0], end); },
      [&](const Values& v) {
        Values next{toy::add(v[0], operand(1))};
        for (Value* value : body(v)) next.push_back(value);
        return next;
      });
  return {results.begin() + 1, results.end()};
}

// --- Running.

std::vector<double> Bench::values(Value* of) const {
  if (program.main.ops.size() < 1'000) verify(program);
  const Tensor result = evaluate(program, feeds_, std::span(&of, 1))[0];
  std::vector<double> list;
  for (std::int64_t i = 0; i < result.numel(); ++i) list.push_back(toy::element(result, i));
  return list;
}

double Bench::value(Value* of) const { return values(of).at(0); }

std::vector<double> Bench::values_of(const Values& scalars) const {
  verify(program);
  std::vector<double> list;
  for (const Tensor& result : evaluate(program, feeds_, scalars)) list.push_back(toy::element(result, 0));
  return list;
}

std::vector<double> Bench::differences(Value* of, const Values& inputs) {
  std::vector<double> slopes;
  for (const Value* input : inputs) {
    const Tensor before = feeds_[input->index];
    const double at = toy::element(before, 0);
    const double step = 1e-6;
    feed(input, at + step);
    const double above = value(of);
    feed(input, at - step);
    slopes.push_back((above - value(of)) / (2 * step));
    feeds_[input->index] = before;
  }
  return slopes;
}

std::size_t Bench::count(std::string_view name) const {
  std::size_t found = 0;
  for_each_op(program.main, [&](const Op& op) { found += op.def->name == name; });
  return found;
}

Values Bench::grad(const Values& targets, const Values& inputs, const Values& seeds) {
  return gradients(targets, inputs, seeds, options);
}

std::vector<double> Bench::gradients_of(Value* target, const Values& inputs) {
  Values found = grad({target}, inputs);
  std::vector<double> list;
  for (Value* gradient : found) list.push_back(gradient == nullptr ? 0.0 : value(gradient));
  return list;
}

}  // namespace oploom::program
