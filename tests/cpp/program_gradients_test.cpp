#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// Differentiation of straight-line programs. Numbers in brackets are cases of the specification.
namespace oploom::program {
namespace {

using namespace toy;
using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Gradients : public ::testing::TestWithParam<GradOrder> {
 protected:
  Gradients() { b.options.order = GetParam(); }
  Bench b;
};
INSTANTIATE_TEST_SUITE_P(BothOrders, Gradients,
                         ::testing::Values(GradOrder::kProgram, GradOrder::kReady));

template <typename F>
void expect_error(ErrorKind kind, const char* part, F&& f) {
  try {
    f();
    FAIL() << "expected an error with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST_P(Gradients, OfOneOfSeveralResults) {  // (1)
  Value* x = b.input({4, 5, 6});
  const Values parts = split(x, {1, 1, 1});
  Value* y = multiply(number(2), parts[0]);
  EXPECT_THAT(b.values(b.grad({y}, {x})[0]), ElementsAre(2, 0, 0));
}

TEST_P(Gradients, UsedInTheNextValue) {  // (2)
  Value* x = b.input(3);
  Value* g = b.grad({square(x)}, {x})[0];
  Value* z = square(subtract(x, g));
  EXPECT_EQ(b.value(g), 6);
  EXPECT_EQ(b.gradients_of(z, {x}), std::vector<double>{6});
  b.feed(x, 1);
  Value* y = square(x);
  Value* w = add(square(b.grad({y}, {x})[0]), square(y));
  EXPECT_EQ(b.gradients_of(w, {x}), std::vector<double>{12});
}

TEST_P(Gradients, OfASeed) {  // (3)
  Value* x = b.input(1);
  Value* u = b.input(0.5);
  Value* y = multiply(x, x);
  Value* g = b.grad({y}, {x}, {u})[0];
  EXPECT_EQ(b.value(g), 1);
  EXPECT_EQ(b.value(b.grad({g}, {u}, {ones(Numbers(Ints()), DType::kFloat64)})[0]), 2);
}

TEST_P(Gradients, TargetsAreSummed) {  // (4) (5)
  Value* x = b.input(3);
  Value* y = square(x);
  EXPECT_EQ(b.value(b.grad({y, y}, {x})[0]), 12);
  Value* z = multiply(y, number(5));
  EXPECT_EQ(b.value(b.grad({z, y}, {x})[0]), 36);
  EXPECT_EQ(b.value(b.grad({z, y}, {y})[0]), 6);
  EXPECT_EQ(b.value(b.grad({y, z}, {y})[0]), 6);
}

TEST_P(Gradients, OfWhatDoesNotCount) {  // (6)
  Value* x = b.input(3);
  Value* other = b.input(4);
  Value* y = square(x);
  const std::size_t before = b.program.main.ops.size();
  EXPECT_EQ(b.grad({y}, {other})[0], nullptr);
  EXPECT_EQ(b.grad({y}, {b.constant(1)})[0], nullptr);
  EXPECT_EQ(b.program.main.ops.size(), before + 1);  // the constant alone
  const Values both = b.grad({y}, {other, x});
  EXPECT_EQ(both[0], nullptr);
  EXPECT_EQ(b.value(both[1]), 6);
}

TEST_P(Gradients, OfItself) {  // (7)
  Value* x = b.input(3);
  EXPECT_EQ(b.value(b.grad({x}, {x})[0]), 1);
  Value* seed = b.input(7);
  EXPECT_EQ(b.grad({x}, {x}, {seed})[0], seed);
}

TEST_P(Gradients, CallsDoNotDisturbEachOther) {  // (8)
  Value* x = b.input(3);
  Value* y = square(x);
  Value* first = b.grad({y}, {x})[0];
  Value* second = b.grad({multiply(y, x)}, {x})[0];
  Value* again = b.grad({y}, {x})[0];
  EXPECT_THAT(b.values_of({first, second, again}), ElementsAre(6, DoubleEq(27), 6));
}

TEST_P(Gradients, WastesNoOps) {  // (9)
  Value* x = b.input({0.5, -0.25});
  Value* y = mean(add(tanh(x), tanh(x)));
  const std::size_t adds = b.count("add");
  Value* seed = b.input(1);
  Value* g = b.grad({y}, {x}, {seed})[0];
  EXPECT_EQ(b.count("add"), adds + 1);
  EXPECT_EQ(b.count("ones"), 0u);
  EXPECT_EQ(b.count("tanh_grad"), 2u);
  EXPECT_NEAR(b.values(g)[0], 1 - std::tanh(0.5) * std::tanh(0.5), 1e-12);
  const std::size_t before = b.program.main.ops.size();
  const Values constant{x};
  b.options.no_grad = constant;
  EXPECT_EQ(b.grad({y}, {x})[0], nullptr);
  EXPECT_EQ(b.program.main.ops.size(), before);
}

TEST_P(Gradients, StopAtStoppedValues) {  // (10)
  Value* x = b.input({-1, 2}, true);
  Value* first = relu(x);
  first->needs_grad = true;  // stop_gradient = False
  Value* y = mean(relu(first));
  const Values found = b.grad({y}, {first, x});
  EXPECT_THAT(b.values(found[0]), ElementsAre(0, 0.5));
  EXPECT_EQ(found[1], nullptr);
  EXPECT_EQ(b.count("relu_grad"), 1u);
}

TEST_P(Gradients, StopAtStoppedResultsAndUnrecordedOps) {
  Value* x = b.input(3);
  Value* t = square(x);
  t->stopped = true;
  EXPECT_EQ(b.grad({multiply(t, number(2))}, {x})[0], nullptr);
  EXPECT_EQ(b.gradients_of(multiply(t, x), {x}), std::vector<double>{9});
  Builder::current().recorded = false;
  Value* constant = square(x);
  Builder::current().recorded = true;
  EXPECT_EQ(b.gradients_of(multiply(constant, x), {x}), std::vector<double>{9});
}

TEST_P(Gradients, BroughtToShapeAndDtype) {
  Value* x = b.input(2);
  Value* v = b.input({1, 2, 3});
  EXPECT_EQ(b.gradients_of(sum(multiply(x, v)), {x}), std::vector<double>{6});
  Value* narrow = cast(v, DType::kFloat32);
  Value* g = b.grad({sum(multiply(cast(narrow, DType::kFloat64), v))}, {narrow})[0];
  EXPECT_EQ(g->type, narrow->type);
  EXPECT_THAT(b.values(g), ElementsAre(1, 2, 3));
}

TEST_P(Gradients, WithUnknownLengths) {
  Value* v = b.input({1, 2, 3}, {3}, {-1});
  Value* w = b.input({2}, {1}, {-1});
  const Values found = b.grad({sum(square(multiply(v, w)))}, {v, w});
  EXPECT_THAT(b.values(found[0]), ElementsAre(8, 16, 24));
  EXPECT_THAT(b.values(found[1]), ElementsAre(56));
  EXPECT_THAT(b.values(b.grad({v}, {v})[0]), ElementsAre(1, 1, 1));
}

TEST_P(Gradients, ZeroIsNotNone) {
  Value* x = b.input(2.5);
  Value* y = floor(x);
  EXPECT_EQ(b.gradients_of(y, {x}), std::vector<double>{0});
  ASSERT_NE(b.grad({y}, {x})[0], nullptr);
  EXPECT_EQ(b.gradients_of(multiply(y, x), {x}), std::vector<double>{2});
}

TEST_P(Gradients, OfIntermediateValues) {
  Value* x = b.input(2);
  Value* y = square(x);
  Value* z = multiply(y, x);
  const Values found = b.grad({z}, {y, x, z});
  EXPECT_THAT(b.values_of(found), ElementsAre(2, 12, 1));
}

TEST_P(Gradients, ThroughShift) {
  Value* x = b.input(2);
  Value* shifted = Builder::current().append(kShift, {square(x), b.input(10)}, {}).results[0].get();
  EXPECT_EQ(b.value(shifted), 10);
  EXPECT_EQ(b.gradients_of(multiply(shifted, x), {x}), std::vector<double>{18});
}

TEST_P(Gradients, OfHigherOrder) {
  Value* x = b.input(0.5);
  Value* d1 = b.grad({tanh(x)}, {x})[0];
  Value* d2 = b.grad({d1}, {x})[0];
  Value* d3 = b.grad({d2}, {x})[0];
  EXPECT_THAT(b.values_of({d1, d2, d3}),
              ElementsAre(DoubleNear(0.786448, 1e-6), DoubleNear(-0.726862, 1e-6),
                          DoubleNear(b.differences(d2, {x})[0], 1e-6)));
}

TEST_P(Gradients, ThroughWrites) {  // (40) (41), as the recorder writes them down
  for (const auto& [at, expected] : {std::pair(1.5, 14.0), std::pair(-1.0, -8.0)}) {
    Bench p;
    p.options.order = GetParam();
    Value* x = p.input(at);
    Value* t = multiply(number(2), x);
    Value* u = multiply(t, t);
    EXPECT_EQ(p.gradients_of(add(u, relu(t)), {x}), std::vector<double>{expected});
  }
  Value* x = b.input(3);
  Value* y = multiply(x, x);
  EXPECT_EQ(b.gradients_of(add(y, multiply(number(2), x)), {x}), std::vector<double>{8});
}

TEST_P(Gradients, ReadBeforeTheyAreOverwritten) {
  // x becomes set_item(g, 0), which can run in g's buffer where the slice of g comes before it.
  Value* x = b.input({1, 2, 3});
  Value* v = b.input(5);
  Value* y = set_item(x, v, Index({IndexItem::number(1)}));
  Value* seed = b.input({10, 20, 30});
  const Values found = b.grad({y}, {x, v}, {seed});
  EXPECT_THAT(b.values(found[0]), ElementsAre(10, 0, 30));
  EXPECT_THAT(b.values(found[1]), ElementsAre(20));
  const Op* last_reader = nullptr;
  for (const auto& op : b.program.main.ops) {
    if (std::find(op->inputs.begin(), op->inputs.end(), seed) != op->inputs.end())
      last_reader = op.get();
  }
  EXPECT_STREQ(last_reader->def->name, "set_item");
}

// --- Errors.

TEST_P(Gradients, RefuseAnOpWithoutGradient) {
  Value* x = b.input(2);
  Builder::current().position = "net.py:7";
  Value* y = unwritten(square(x));
  Builder::current().position = "C++";
  const std::size_t before = b.program.main.ops.size();
  expect_error(ErrorKind::kUnimplemented, "'unwritten' at net.py:7 has no gradient",
               [&] { b.grad({y}, {x}); });
  expect_error(ErrorKind::kUnimplemented, "nobody wrote it", [&] { b.grad({exp(y)}, {x}); });
  EXPECT_EQ(b.program.main.ops.size(), before + 1);
  EXPECT_EQ(b.gradients_of(multiply(unwritten(b.constant(3)), x), {x}), std::vector<double>{3});
}

TEST_P(Gradients, RefuseSeedsThatDoNotFit) {
  Value* x = b.input({1, 2});
  Value* y = square(x);
  expect_error(ErrorKind::kArgument,
               "grad_outputs[0]: expected a gradient like its output, float64[2], got float64[3]",
               [&] { b.grad({y}, {x}, {b.input({1, 2, 3})}); });
  expect_error(ErrorKind::kArgument, "got float32[2]",
               [&] { b.grad({y}, {x}, {cast(x, DType::kFloat32)}); });
  expect_error(ErrorKind::kArgument, "at most one for each of 1 outputs, got 2",
               [&] { b.grad({y}, {x}, {x, x}); });
  // Known at run time alone.
  Value* open = b.input({1, 2, 3}, {3}, {-1});
  Value* g = b.grad({y}, {x}, {open})[0];
  EXPECT_THROW(b.values(g), Error);
}

TEST_P(Gradients, RefuseWhatIsNoFloatTensor) {
  Value* x = b.input(1);
  expect_error(ErrorKind::kType, "inputs[0]: expected a float tensor, got int64[]",
               [&] { b.grad({x}, {b.whole(1)}); });
  expect_error(ErrorKind::kType, "outputs[1]: expected a float tensor, got bool[]",
               [&] { b.grad({x, less_than(x, x)}, {x}); });
}

// --- Cost.

std::size_t ops_added(Bench& b, Value* y, Value* x) {
  const std::size_t before = b.program.main.ops.size();
  b.grad({y}, {x});
  return b.program.main.ops.size() - before;
}

TEST_P(Gradients, OfALongChainAddAnOpForEach) {
  Value* x = b.input(0.5);
  Value* y = x;
  for (int i = 0; i < 50'000; ++i) y = tanh(y);
  EXPECT_EQ(ops_added(b, y, x), 50'001u);
}

TEST_P(Gradients, OfManyUsesAreSummedAsTheyCome) {
  Value* x = b.input(0.5);
  Value* y = x;
  for (int i = 0; i < 20'000; ++i) y = add(y, multiply(x, number(i)));
  EXPECT_EQ(ops_added(b, y, x), 2 * 20'000 + 1u);  // a product and a sum each
}

TEST_P(Gradients, OfOneOpWithManyInputs) {
  Value* x = b.input(0.5);
  Values parts;
  for (int i = 0; i < 20'000; ++i) parts.push_back(reshape(x, {1}));
  EXPECT_LT(ops_added(b, sum(concat(parts, 0)), x), 3 * 20'000 + 10u);  // a part, its shape, a sum
}

}  // namespace
}  // namespace oploom::program
