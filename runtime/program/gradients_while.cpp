#include <utility>

#include "runtime/program/control.h"
#include "runtime/program/gradients_kept.h"
#include "runtime/program/roles.h"

// The gradient of a loop: a loop of as many trips, last trip first. It carries the gradient of each active variable,
// replaced in every trip; of each captured value, summed up from what was known before; and the lists that the
// forward loop's values are popped from.
namespace oploom::program {
namespace {

class LoopGradient {
 public:
  LoopGradient(Differentiation& differentiation, Op& forward, Sums& outer)
      : differentiation_(differentiation), forward_(forward), outer_(outer), made_(std::make_unique<Op>()) {
    made_->def = &kWhile;
    made_->regions.push_back(std::make_unique<Region>());
    made_->regions.push_back(std::make_unique<Region>());
  }

  void append();

 private:
  Region& condition() { return *made_->regions[0]; }
  Region& body() { return *made_->regions[1]; }
  void choose();
  void fill();
  void drop_untouched(const Sums& inner);
  void count_down(LoopBridge& bridge);
  Value* start_of(Value* value);
  Type type_of_start(const Value* value) const;

  Differentiation& differentiation_;
  Op& forward_;
  Sums& outer_;
  std::unique_ptr<Op> made_;
  std::vector<std::size_t> variables_;  // of forward_, whose gradient is carried
  std::vector<Value*> captured_;        // the same for captured values; their arguments come behind
};

void LoopGradient::choose() {
  const Activity& activity = differentiation_.activity();
  const Region& forward_body = *forward_.regions[1];
  for (std::size_t k = 0; k < forward_.inputs.size(); ++k) {
    const bool comes_from = activity.active(forward_.inputs[k]) || activity.active(forward_body.yields[k]);
    const bool goes_to = activity.active(forward_body.arguments[k].get()) || activity.active(forward_.results[k].get());
    if (comes_from && goes_to) variables_.push_back(k);
  }
  captured_ = activity.captured(forward_);
}

// The gradient of the reversed trips, in a body that has arguments for variables_ and captured_ alone yet.
void LoopGradient::fill() {
  Region& forward_body = *forward_.regions[1];
  Program& program = differentiation_.program();
  Builder builder = differentiation_.inside(body());
  const Builder::Scope scope(builder);
  Sums inner;
  std::vector<Value*> gradients;
  for (const std::size_t k : variables_) {
    gradients.push_back(add_argument(program, body(), type_of_start(forward_.results[k].get())));
  }
  for (const Value* value : captured_) {
    inner.set(value, add_argument(program, body(), type_of_start(value)));
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    Value* yielded = forward_body.yields[variables_[i]];
    if (differentiation_.activity().active(yielded)) inner.add(yielded, gradients[i]);
  }
  differentiation_.run(forward_body, inner);
  drop_untouched(inner);
  for (const std::size_t k : variables_) {
    Value* argument = forward_body.arguments[k].get();
    Value* gradient = inner.find(argument);
    body().yields.push_back(gradient != nullptr ? gradient : zero_gradient(argument));
  }
  for (const Value* value : captured_) body().yields.push_back(inner.find(value));
}

// Captured values that no trip adds to need no round.
void LoopGradient::drop_untouched(const Sums& inner) {
  auto& arguments = body().arguments;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    const std::size_t at = variables_.size() + i;
    if (inner.find(captured_[i]) == arguments[at].get()) continue;
    captured_[kept] = captured_[i];
    std::swap(arguments[variables_.size() + kept], arguments[at]);
    ++kept;
  }
  captured_.resize(kept);
  arguments.resize(variables_.size() + kept);
  for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i]->index = static_cast<std::uint32_t>(i);
}

// What the sum for a value starts from in the first reversed trip.
Value* LoopGradient::start_of(Value* value) {
  Value* known = outer_.find(value);
  return known != nullptr ? known : zero_gradient(value);
}

// What is known already may be of lengths that are known at run time only, where value's are known.
Type LoopGradient::type_of_start(const Value* value) const {
  const Value* known = outer_.find(value);
  return known != nullptr ? join("[grad]", value->type, known->type) : value->type;
}

void LoopGradient::count_down(LoopBridge& bridge) {
  Program& program = differentiation_.program();
  Value* trips = bridge.trips();
  made_->inputs.push_back(trips);
  {
    Builder builder = differentiation_.inside(body());
    const Builder::Scope scope(builder);
    const Number left(add_argument(program, body(), trips->type));
    body().yields.push_back((left - Number(1)).value());
  }
  for (const auto& argument : body().arguments) add_argument(program, condition(), argument->type);
  Builder builder = differentiation_.inside(condition());
  const Builder::Scope scope(builder);
  const Number left(condition().arguments.back().get());
  condition().yields.push_back(roles::cast(operand(left), DType::kBool));
}

void LoopGradient::append() {
  choose();
  if (variables_.empty() && captured_.empty()) return;
  fill();
  for (const std::size_t k : variables_) made_->inputs.push_back(start_of(forward_.results[k].get()));
  for (Value* value : captured_) made_->inputs.push_back(start_of(value));

  LoopBridge bridge(differentiation_, forward_, body());
  bridge.rewire();
  made_->inputs.insert(made_->inputs.end(), bridge.inits().begin(), bridge.inits().end());
  body().yields.insert(body().yields.end(), bridge.yields().begin(), bridge.yields().end());
  count_down(bridge);
  made_->group_sizes = {static_cast<std::uint32_t>(made_->inputs.size())};

  const Op& appended = Builder::current().append(std::move(made_));
  // Captured values first: their sums take the place of what was known, and one may be an init as well.
  for (std::size_t i = 0; i < captured_.size(); ++i) {
    outer_.set(captured_[i], appended.results[variables_.size() + i].get());
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    Value* init = forward_.inputs[variables_[i]];
    if (differentiation_.activity().active(init)) outer_.add(init, appended.results[i].get());
  }
}

}  // namespace

void Differentiation::differentiate_while(Op& op, Sums& sums) {
  for (const auto& result : op.results) {
    if (sums.find(result.get()) != nullptr) {
      LoopGradient(*this, op, sums).append();
      return;
    }
  }
}

}  // namespace oploom::program
