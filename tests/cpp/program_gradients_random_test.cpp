#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// Random programs of nested loops and branches, lists, and gradients asked inside them: first and second derivatives
// against differences, in both orders.
namespace oploom::program {
namespace {

class RandomProgram {
 public:
  RandomProgram(unsigned seed, GradOrder order) : random_(seed) {
    b.options.order = order;
    inputs = {b.input(0.7), b.input(-0.4)};
    Scope scope{inputs, {}};
    fill(scope, 5, 3);
    out = b.constant(0);
    for (Value* value : scope.values) out = toy::add(out, toy::sin(value));
  }

  Bench b;
  Values inputs;
  Value* out = nullptr;

 private:
  struct Scope {
    Values values;
    Values lists;  // never empty ones
  };

  std::size_t below(std::size_t limit) { return random_() % limit; }
  Value* pick(const Values& from) { return from[below(from.size())]; }
  static Value* own(const OpDef& def, Values inputs) {
    return Builder::current().append(def, std::move(inputs), {}).results[0].get();
  }

  Value* calculated(const Scope& scope) {
    Value* x = pick(scope.values);
    Value* y = pick(scope.values);
    switch (below(6)) {
      case 0: return toy::sin(toy::add(x, y));
      case 1: return toy::tanh(toy::multiply(x, y));
      case 2: return toy::subtract(x, toy::sin(y));
      case 3: return toy::scale(toy::square(toy::tanh(x)), 0.9, 0.1);
      case 4: return toy::multiply(toy::number(0.8), x);
      default: return toy::multiply(toy::sigmoid(x), y);
    }
  }

  void add_list_step(Scope& scope) {
    if (scope.lists.empty() || below(4) == 0) {
      Value* list = new_list(list_of(inputs[0]->type));
      scope.lists.push_back(own(kPush, {list, pick(scope.values)}));
      return;
    }
    Value*& list = scope.lists[below(scope.lists.size())];
    switch (below(4)) {
      case 0: list = own(kPush, {list, pick(scope.values)}); break;
      case 1: list = own(kPut, {list, b.whole(0), pick(scope.values)}); break;
      case 2: scope.values.push_back(own(kAt, {list, b.whole(0)})); break;
      default: scope.values.push_back(toy::tanh(toy::sum(own(kStack, {list})))); break;
    }
  }

  // A gradient of a fresh value by what it was just made of: nothing of it can hide in a loop variable.
  void add_gradient(Scope& scope) {
    Value* x = toy::multiply(pick(scope.values), toy::number(1.1));
    Value* y = b.cond(toy::greater_than(x, toy::number(0.1)), [&] { return Values{toy::sin(toy::square(x))}; },
                      [&] { return Values{toy::multiply(toy::tanh(x), x)}; })[0];
    scope.values.push_back(b.grad({y}, {x})[0]);
  }

  void add_branch(Scope& scope, int depth) {
    Value* pred = toy::greater_than(pick(scope.values), toy::number(0.05));
    const std::size_t list = scope.lists.empty() ? 0 : below(scope.lists.size());
    const auto branch = [&] {
      Scope inner = scope;
      fill(inner, 2, depth - 1);
      Values yields{calculated(inner), pick(inner.values)};
      if (!scope.lists.empty()) yields.push_back(inner.lists[list]);
      return yields;
    };
    const Values results = b.cond(pred, branch, branch);
    scope.values.insert(scope.values.end(), results.begin(), results.begin() + 2);
    if (!scope.lists.empty()) scope.lists[list] = results[2];
  }

  void add_loop(Scope& scope, int depth) {
    Values inits{pick(scope.values), pick(scope.values)};
    const std::size_t list = scope.lists.empty() ? 0 : below(scope.lists.size());
    if (!scope.lists.empty()) inits.push_back(scope.lists[list]);
    const auto body = [&](const Values& v) {
      Scope inner = scope;
      inner.values.insert(inner.values.end(), {v[1], v[2], v[1], v[2]});
      if (!scope.lists.empty()) inner.lists[list] = v[3];
      fill(inner, 2, depth - 1);
      Values yields{calculated(inner), toy::tanh(toy::add(pick(inner.values), v[1]))};
      if (!scope.lists.empty()) yields.push_back(inner.lists[list]);
      return yields;
    };
    const Values results = b.repeat(static_cast<std::int64_t>(below(4)), inits, body);
    scope.values.insert(scope.values.end(), results.begin(), results.begin() + 2);
    if (!scope.lists.empty()) scope.lists[list] = results[2];
  }

  void fill(Scope& scope, int steps, int depth) {
    for (int i = 0; i < steps; ++i) {
      const std::size_t kind = below(10);
      if (kind < 3) scope.values.push_back(calculated(scope));
      else if (kind < 5) add_list_step(scope);
      else if (kind < 6) add_gradient(scope);
      else if (depth > 0 && kind < 8) add_branch(scope, depth);
      else if (depth > 0) add_loop(scope, depth);
    }
  }

  std::mt19937 random_;
};

void expect_close(const std::vector<double>& came, const std::vector<double>& expected, double error) {
  ASSERT_EQ(came.size(), expected.size());
  for (std::size_t i = 0; i < came.size(); ++i) {
    EXPECT_NEAR(came[i], expected[i], error * std::max(1.0, std::abs(expected[i])));
  }
}

TEST(RandomPrograms, HaveTheirDerivatives) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const GradOrder order : {GradOrder::kProgram, GradOrder::kReady}) {
      SCOPED_TRACE(text("seed ", seed, ", order ", static_cast<int>(order)));
      RandomProgram p(seed, order);
      expect_close(p.b.gradients_of(p.out, p.inputs), p.b.differences(p.out, p.inputs), 1e-6);
      for (Value* slope : p.b.grad({p.out}, p.inputs)) {
        if (slope == nullptr) continue;
        expect_close(p.b.gradients_of(slope, p.inputs), p.b.differences(slope, p.inputs), 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace oploom::program
