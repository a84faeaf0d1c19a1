// The ops that are generated for programs against those that run at once: for every differentiable
// op of the registry, results and gradients of first and second order; with lengths that only the
// run knows; and with every pass in any order.

#include <gmock/gmock.h>
#include <oploom/oploom.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generated/calls.h"
#include "runtime/core/error.h"
#include "runtime/program/gradients.h"
#include "runtime/program/program.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_op_cases.h"
#include "tests/cpp/program_passes.h"
#include "tests/cpp/program_running.h"
#include "tests/cpp/tensors.h"

namespace oploom::test {
namespace {

using program::Builder;
using program::Program;
using program::Value;

// A number that depends on each element, and on each differently. weights: one like each x.
template <typename V>
V weighed(const std::vector<V>& xs, const std::vector<V>& weights) {
  V total{};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const V one = call::sum(call::multiply(call::sin(xs[i]), weights[i]));
    total = i == 0 ? one : V(call::add(total, one));
  }
  return total;
}

// Weights for results, or for gradients.
Tensors weights_like(const Tensors& xs, std::int64_t seed) {
  Tensors weights;
  for (const Tensor& x : xs) weights.push_back(noise(x.shape(), seed++));
  return weights;
}

// --- At once.

struct Outcome {
  Tensors results, first, second;
};

Tensors eager_gradients(const Tensor& loss, const Tensors& xs) {
  Tensors found(xs.size());
  if (!is_leaf(loss)) {
    found = grad(Tensors{loss}, xs, {}, {}, {.retain_graph = {}, .create_graph = true});
  }
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!found[i].defined()) found[i] = imperative_zeros(xs[i].shape(), xs[i].dtype());
  }
  return found;
}

Outcome run_at_once(const OpCase& one) {
  Tensors inputs;
  Tensors leaves;
  for (const Tensor& x : one.inputs) {
    inputs.push_back(imperative_clone(x));
    if (!is_float(x.dtype())) continue;
    set_stop_gradient(inputs.back(), false);
    leaves.push_back(inputs.back());
  }
  Outcome outcome;
  outcome.results = one.eager(inputs);
  outcome.first =
      eager_gradients(weighed(outcome.results, weights_like(outcome.results, 3)), leaves);
  outcome.second = eager_gradients(weighed(outcome.first, weights_like(leaves, 5)), leaves);
  return outcome;
}

// --- Recorded.

// What is known of a shape while the program is built.
using Known = Dims (*)(Ints shape);
Dims all_known(Ints shape) { return shape; }
Dims first_unknown(Ints shape) {
  Dims known = shape;
  if (known.rank() > 0) known[0] = -1;
  return known;
}
Dims none_known(Ints shape) { return Dims::filled(shape.rank(), -1); }

Values recorded_gradients(Value* target, const Values& xs) {
  Values found = program::gradients(Values{target}, xs, {});
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (found[i] == nullptr) found[i] = program::zero_gradient(xs[i]);
  }
  return found;
}

// The program of a case: results, then gradients, then those of the gradients.
class Recording {
 public:
  Recording(const OpCase& one, const Outcome& outcome, Known known) : known_(known) {
    Builder builder(program, program.main);
    const Builder::Scope scope(builder);
    Values inputs;
    Values leaves;
    for (const Tensor& x : one.inputs) {
      inputs.push_back(input(x, !is_float(x.dtype())));
      if (is_float(x.dtype())) leaves.push_back(inputs.back());
    }
    const Values results = one.recorded(inputs);
    const Values first =
        recorded_gradients(weighed(results, constants(weights_like(outcome.results, 3))), leaves);
    const Values second =
        recorded_gradients(weighed(first, constants(weights_like(outcome.first, 5))), leaves);
    for (const Values* values : {&results, &first, &second}) {
      for (Value* value : *values) held.add(program, value);
    }
  }
  Tensors run() { return program::run(program, feeds_, held.values()).fetched; }

  Program program;
  program::Held held;

 private:
  Value* input(const Tensor& x, bool stop_gradient) {
    const std::string name = "x" + std::to_string(feeds_.size());
    feeds_.push_back(x);
    const program::Type type = program::tensor_type(x.dtype(), known_(x.shape()));
    return program.add_input(name, type, stop_gradient);
  }
  Values constants(const Tensors& xs) {
    Values values;
    for (const Tensor& x : xs) values.push_back(input(x, true));
    return values;
  }

  Known known_;
  Tensors feeds_;
};

std::vector<double> elements(const Tensor& x) {
  return values(imperative_cast(imperative_clone(x), DType::kFloat64));
}

void expect_near(const Tensor& found, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(Dims(found.shape()), Dims(wanted.shape())) << what;
  EXPECT_EQ(found.dtype(), wanted.dtype()) << what;
  EXPECT_THAT(elements(found), testing::Pointwise(testing::DoubleNear(1e-9), elements(wanted)))
      << what;
}

void expect_agreement(const OpCase& one, Known known) {
  const Outcome wanted = run_at_once(one);
  Recording recording(one, wanted, known);
  program::verify(recording.program);
  const Tensors found = recording.run();
  ASSERT_EQ(found.size(), wanted.results.size() + wanted.first.size() + wanted.second.size());
  std::size_t at = 0;
  for (const Tensor& x : wanted.results) expect_near(found[at++], x, "result");
  for (const Tensor& x : wanted.first) expect_near(found[at++], x, "first order");
  for (const Tensor& x : wanted.second) expect_near(found[at++], x, "second order");
}

// --- The registry's ops.

TEST(GeneratedProgram, HasACaseForEveryDifferentiableOp) {
  std::set<std::string> tried;
  for (const OpCase& one : op_cases()) tried.insert(one.op);
  for (const program::OpDef* def : program::all_ops()) {
    if (def->vjp == nullptr) continue;
    EXPECT_EQ(tried.count(def->name), 1U) << def->name;
  }
}

TEST(GeneratedProgram, FindsOpsByBothNames) {
  for (const program::OpDef* def : program::all_ops()) {
    EXPECT_EQ(program::find_op(def->name), def);
    if (def->inplace_name == nullptr) continue;
    EXPECT_EQ(program::find_op(def->inplace_name), def);
  }
  EXPECT_EQ(program::find_op("no such op"), nullptr);
}

TEST(GeneratedProgram, AgreesWithTheEagerOpsToSecondOrder) {
  for (const OpCase& one : op_cases()) {
    SCOPED_TRACE(one.op);
    expect_agreement(one, all_known);
  }
}

TEST(GeneratedProgram, AgreesWhereTheFirstLengthIsUnknown) {
  for (const OpCase& one : op_cases()) {
    SCOPED_TRACE(one.op);
    expect_agreement(one, first_unknown);
  }
}

TEST(GeneratedProgram, AgreesWhereNoLengthIsKnown) {
  for (const OpCase& one : op_cases()) {
    SCOPED_TRACE(one.op);
    // Cut at several lengths that only the run knows.
    const bool cut = one.op == "concat" && one.inputs.size() > 1;
    if (!cut) expect_agreement(one, none_known);
  }
}

TEST(GeneratedProgram, KeepsEveryBitThroughPassesInAnyOrder) {
  std::size_t marked = 0;
  for (const OpCase& one : op_cases()) {
    SCOPED_TRACE(one.op);
    const Outcome outcome = run_at_once(one);
    const Tensors plain = Recording(one, outcome, all_known).run();
    program::for_each_pass_order([&](const std::vector<program::Pass>& passes) {
      Recording passed(one, outcome, all_known);
      program::apply_passes(passed.program, passes, passed.held);
      program::for_each_op(passed.program.main, [&](const auto& op) { marked += op.inplace; });
      const Tensors found = passed.run();
      for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_TRUE(program::same_bits(found[i], plain[i])) << i;
      }
    });
  }
  EXPECT_GT(marked, 1000U);
}

TEST(GeneratedProgram, InfersWhatIsKnownOfLengths) {
  Program program;
  Builder builder(program, program.main);
  const Builder::Scope scope(builder);
  Value* x = program.add_input("x", program::tensor_type(DType::kFloat32, {-1, 3}), false);
  Value* square = program.add_input("w", program::tensor_type(DType::kFloat32, {3, 5}), false);
  const auto shape_of = [](Value* value) { return Dims(value->type.shape); };
  EXPECT_EQ(shape_of(call::matmul(x, square)), (Dims{-1, 5}));
  EXPECT_EQ(shape_of(call::sum(x, {0}, true)), (Dims{1, 3}));
  EXPECT_EQ(shape_of(call::reshape(x, {3, -1})), (Dims{3, -1}));
  Value* total = call::sum(x, {0}, true);
  EXPECT_EQ(shape_of(call::expand(total, program::shape(x))), (Dims{-1, 3}));
  EXPECT_EQ(shape_of(call::expand(call::sum(x), program::shape(x))), (Dims{-1, 3}));
  EXPECT_EQ(shape_of(call::expand(call::sum(x, {1}, false), {5, -1})), (Dims{5, -1}));
  EXPECT_EQ(error_of([&] { call::expand(total, {-1, 1, 3}); }).kind(), ErrorKind::kArgument);
  EXPECT_EQ(shape_of(call::concat(Values{x, x}, 0)), (Dims{-1, 3}));
  EXPECT_EQ(shape_of(call::nonzero(x)), (Dims{-1, 2}));
  EXPECT_EQ(shape_of(program::ops::arange(0, Scalar(5), 2, std::nullopt)), (Dims{3}));
  EXPECT_EQ(shape_of(program::ops::zeros(program::shape(x), DType::kFloat32)), (Dims{-1, 3}));
}

}  // namespace
}  // namespace oploom::test
