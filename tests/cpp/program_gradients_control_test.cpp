#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/core/error.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// Differentiation through branches and loops: values. Numbers in brackets are cases of the specification.
namespace oploom::program {
namespace {

using namespace toy;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

class ControlGradients : public ::testing::TestWithParam<GradOrder> {
 protected:
  ControlGradients() { b.options.order = GetParam(); }
  // Value and gradients of out, and that differences agree.
  void expect(Value* out, const Values& inputs, double value, const std::vector<double>& gradients, double error = 1e-9) {
    EXPECT_NEAR(b.value(out), value, error);
    EXPECT_THAT(b.gradients_of(out, inputs), Pointwise(::testing::DoubleNear(error), gradients));
    EXPECT_EQ(b.value(out), b.value(out)) << "the forward part changed";
    EXPECT_NEAR(b.value(out), value, error) << "the forward part changed";
  }
  Bench b;
};
INSTANTIATE_TEST_SUITE_P(BothOrders, ControlGradients,
                         ::testing::Values(GradOrder::kProgram, GradOrder::kReady));

// --- cond.

TEST_P(ControlGradients, OfTheBranchTaken) {  // (11)
  Value* a = b.input(-2);
  Value* y = b.cond(greater_equal(a, number(0)), [&] { return Values{a}; }, [&] { return Values{negative(a)}; })[0];
  expect(y, {a}, 2, {-1});
  b.feed(a, 3);
  expect(y, {a}, 3, {1});
}

TEST_P(ControlGradients, OfACapturedResult) {  // (12)
  Value* x = b.input(3);
  Value* y = b.input(4);
  Value* out = b.cond(less_than(y, x), [&] { return Values{multiply(x, x)}; }, [&] { return Values{y}; })[0];
  expect(out, {x, y}, 4, {0, 1});
}

TEST_P(ControlGradients, OfNestedBranches) {  // (13)
  Value* i = b.input(0, true);
  Value* a = multiply(number(2), b.input(0));
  Value* y = b.cond(
      less_than(i, number(5)),
      [&] {
        return b.cond(less_than(i, number(3)), [&] { return Values{subtract(a, a)}; },
                      [&] { return Values{add(a, a)}; });
      },
      [&] {
        return b.cond(less_than(i, number(8)), [&] { return Values{multiply(a, a)}; },
                      [&] { return Values{divide(a, a)}; });
      })[0];
  Value* da = b.grad({y}, {a})[0];
  for (int at = 0; at < 10; ++at) {
    b.feed(i, at);
    b.feed(b.program.main.arguments[1].get(), at);
    EXPECT_NEAR(b.value(da), at < 3 ? 0 : at < 5 ? 2 : at < 8 ? 4 * at : 0, 1e-12) << at;
  }
}

TEST_P(ControlGradients, OfBranchesThatHoldBranches) {  // (14)
  Value* x = b.input(1.23);
  Value* y = b.input(1.24);
  Value* pred = less_than(x, number(2));
  const auto factor = [&](Value* v) {
    return b.cond(
        pred,
        [&] { return b.cond(less_than(v, number(2)), [&] { return Values{v}; }, [&] { return Values{square(v)}; }); },
        [&] { return Values{negative(v)}; })[0];
  };
  expect(multiply(factor(x), factor(y)), {x, y}, 1.23 * 1.24, {1.24, 1.23});
}

TEST_P(ControlGradients, OfSharedValues) {  // (15)
  for (const bool taken : {true, false}) {
    Bench p;
    p.options.order = GetParam();
    Value* x = p.input({1, 2, 3, 4});
    Value* y = p.input({5, 6, 7, 8});
    Value* z = p.input({9, 10, 11, 12});
    Value* which = p.input(taken ? 1 : 0, true);
    Value* sum = add(x, y);
    Value* difference = subtract(y, z);
    Value* more = p.cond(greater_than(which, number(0)), [&] { return Values{add(add(y, z), z)}; },
                         [&] { return Values{add(y, z)}; })[0];
    const Values found = p.grad({mean(add(add(sum, difference), more))}, {x, y, z});
    EXPECT_THAT(p.values(found[0]), ElementsAre(0.25, 0.25, 0.25, 0.25));
    EXPECT_THAT(p.values(found[1]), ElementsAre(0.75, 0.75, 0.75, 0.75));
    EXPECT_EQ(p.values(found[2]), std::vector<double>(4, taken ? 0.25 : 0));
  }
}

TEST_P(ControlGradients, AskedInsideABranch) {  // (16)
  Value* x = b.input(1);
  Value* twice = multiply(x, number(2));
  Value* g = b.cond(greater_than(x, number(0)), [&] { return b.grad({multiply(twice, number(3))}, {x}); },
                    [&] { return b.grad({multiply(twice, number(4))}, {x}); })[0];
  EXPECT_EQ(b.value(g), 6);
  b.feed(x, -1);
  EXPECT_EQ(b.value(g), 8);
}

TEST_P(ControlGradients, OfAGradientInABranch) {  // (17)
  Value* x = b.input(0.5);
  Value* g = b.cond(greater_than(x, number(0)), [&] { return b.grad({tanh(x)}, {x}); }, [&] { return Values{x}; })[0];
  expect(g, {x}, 0.786448, {-0.726862}, 1e-6);
  b.feed(x, -0.5);
  expect(g, {x}, -0.5, {1});
}

TEST_P(ControlGradients, OfResultsThatShare) {  // (18)
  Value* a = b.input(5);
  const auto both = [&] { return Values{a, multiply(a, number(2))}; };
  const Values results = b.cond(greater_than(a, number(0)), both, both);
  expect(add(results[0], results[1]), {a}, 15, {3});
  const auto twice = [&] {
    Value* t = multiply(a, number(1));
    return Values{t, t};
  };
  const Values same = b.cond(greater_than(a, number(0)), twice, twice);
  expect(add(same[0], same[1]), {a}, 10, {2});
}

// --- while.

TEST_P(ControlGradients, OfASumOfCaptured) {  // (19)
  Value* i = b.input(0);
  Value* j = b.input(2);
  const Values end = b.loop({i}, [&](const Values& v) { return less_than(v[0], number(10)); },
                            [&](const Values& v) { return Values{add(v[0], j)}; });
  expect(subtract(end[0], j), {i, j}, 8, {1, 4 - 0.0});
}

TEST_P(ControlGradients, OfAnInitThatIsCaptured) {  // (20)
  Value* i = b.input(0);
  Value* x = b.input(5);
  Value* y = b.input(10);
  const Values end = b.loop({i, x}, [&](const Values& v) { return less_than(v[0], v[1]); },
                            [&](const Values& v) { return Values{add(v[0], y), add(v[1], x)}; });
  expect(subtract(end[0], end[1]), {i, x, y}, 0, {1, -2, 1});
}

TEST_P(ControlGradients, OfAFloatCounter) {  // (21) (22) (23)
  Value* i = b.input(1);
  Value* x = b.input(1);
  const auto run = [&](double limit, const std::function<Value*(const Values&)>& step) {
    return b.loop({i, x}, [&](const Values& v) { return less_than(v[0], number(limit)); },
                  [&](const Values& v) { return Values{add(v[0], number(1)), step(v)}; })[1];
  };
  expect(run(3, [](const Values& v) { return multiply(v[1], v[0]); }), {i, x}, 2, {3, 2});
  expect(run(11, [](const Values& v) { return multiply(v[0], v[0]); }), {i, x}, 100, {20, 0});
  expect(run(3, [](const Values& v) { return add(v[1], v[0]); }), {i, x}, 4, {2, 1});
}

TEST_P(ControlGradients, OfNoTrips) {  // (24)
  Value* x = b.input(3);
  Value* w = b.input(2);
  expect(b.repeat(0, {x}, [&](const Values& v) { return Values{multiply(v[1], w)}; })[0], {x, w}, 3, {1, 0});
}

TEST_P(ControlGradients, OfAStoppedInit) {  // (25)
  Value* w = b.input(2);
  Value* s = b.constant(1);
  expect(b.repeat(3, {s}, [&](const Values& v) { return Values{multiply(v[1], w)}; })[0], {w}, 8, {12});
}

TEST_P(ControlGradients, OfRepeatedScaling) {  // (26)
  Value* x = b.input(1.5);
  expect(b.repeat(5, {x}, [&](const Values& v) { return Values{multiply(number(2), v[1])}; })[0], {x}, 48, {32});
}

TEST_P(ControlGradients, OfSwappedVariables) {  // (27)
  Value* x = b.input(2);
  Value* y = b.input(3);
  const auto run = [&](Value* (*step)(Value*, Value*)) {
    const Values end = b.repeat(3, {x, y}, [&](const Values& v) { return Values{v[2], step(v[1], v[2])}; });
    return add(end[0], end[1]);
  };
  expect(run(add), {x, y}, 21, {3, 5});
  expect(run(multiply), {x, y}, 18 + 108, {117, 120});
}

TEST_P(ControlGradients, OfOneInitTwice) {  // (28)
  Value* x = b.input(1.5);
  const Values end = b.repeat(
      1, {x, x}, [&](const Values& v) { return Values{multiply(v[1], number(2)), multiply(v[2], number(3))}; });
  expect(add(end[0], end[1]), {x}, 7.5, {5});
}

TEST_P(ControlGradients, OfCapturedUsedElsewhere) {  // (29)
  Value* y = b.input(2);
  Value* x = b.constant(0);
  Value* end = b.repeat(1, {x}, [&](const Values& v) { return Values{add(add(v[1], y), y)}; })[0];
  expect(add(add(end, multiply(number(3), y)), multiply(number(7), y)), {y}, 24, {12});
  Value* before = multiply(number(4), y);
  expect(add(before, b.repeat(2, {y}, [&](const Values& v) { return Values{multiply(v[1], y)}; })[0]), {y}, 16, {16});
}

TEST_P(ControlGradients, OfTripsThatDependOnData) {  // (30)
  Value* x = b.input(1);
  Value* y = b.input(2.1);
  Value* end = b.loop({x}, [&](const Values& v) { return less_than(v[0], number(10)); },
                      [&](const Values& v) { return Values{multiply(v[0], y)}; })[0];
  expect(end, {x, y}, 19.4481, {19.4481, 37.044}, 1e-9);
}

TEST_P(ControlGradients, OfNestedLoops) {  // (31)
  Value* x = b.input(2);
  Value* y = b.input(1.1);
  Value* zero = b.whole(0);
  const auto below = [](Value* end) { return [end](const Values& v) { return less_than(v[0], end); }; };
  Value* three = b.whole(3);
  Value* end = b.loop({zero, x}, below(three), [&](const Values& outer) {
    Value* next = add(outer[0], operand(1));
    const Values inner = b.loop({zero, outer[1]}, below(next), [&](const Values& v) {
      return Values{add(v[0], operand(1)), multiply(v[1], y)};
    });
    return Values{next, inner[1]};
  })[1];
  const double power = std::pow(1.1, 6);
  expect(end, {x, y}, 2 * power, {1.771561, 19.32612}, 1e-5);
}

TEST_P(ControlGradients, OfABranchInALoop) {  // (32)
  Value* x = b.input(1);
  Value* y = b.input(1.5);
  Value* end = b.repeat(4, {x}, [&](const Values& v) {
    return b.cond(greater_than(v[1], number(2)), [&] { return Values{multiply(v[1], y)}; },
                  [&] { return Values{add(v[1], y)}; });
  })[0];
  expect(end, {x, y}, 8.4375, {3.375, 20.25});
}

TEST_P(ControlGradients, OfALoopInABranch) {  // (33)
  Value* x = b.input(1.1);
  Value* which = b.input(1, true);
  Value* y = b.cond(
      greater_than(which, number(0)),
      [&] { return b.repeat(3, {x}, [&](const Values& v) { return Values{multiply(v[1], v[1])}; }); },
      [&] { return Values{multiply(number(2), x)}; })[0];
  expect(y, {x}, std::pow(1.1, 8), {15.58974}, 1e-5);
  b.feed(which, 0);
  expect(y, {x}, 2.2, {2});
}

TEST_P(ControlGradients, OfACounterThatIsData) {  // (34)
  Value* i = b.input(1);
  Value* w = b.input(3);
  const Values end = b.repeat(4, {i, b.constant(0)}, [&](const Values& v) {
    return Values{add(v[1], number(1)), add(v[2], multiply(w, v[1]))};
  });
  expect(end[1], {i, w}, 30, {12, 10});
}

TEST_P(ControlGradients, OfSecondOrder) {  // (35)
  Value* x = b.input(2);
  Value* y = b.repeat(2, {x}, [&](const Values& v) { return Values{multiply(v[1], v[1])}; })[0];
  Value* d1 = b.grad({y}, {x})[0];
  Value* d2 = b.grad({d1}, {x})[0];
  Value* d3 = b.grad({d2}, {x})[0];
  Value* d4 = b.grad({d3}, {x})[0];
  Value* d5 = b.grad({d4}, {x})[0];
  EXPECT_THAT(b.values_of({d1, d2, d3, d4, d5}), ElementsAre(32, 48, 48, 24, 0));
  EXPECT_EQ(b.value(y), 16);
}

TEST_P(ControlGradients, OfACapturedWriteInALoop) {  // (42), as the recorder writes it down
  Value* c0 = b.input(1);
  Value* w = b.input(2);
  Value* c = multiply(c0, number(1));
  const Values end = b.repeat(3, {b.constant(0), c}, [&](const Values& v) {
    return Values{add(v[1], multiply(v[2], w)), add(v[2], number(1))};
  });
  expect(end[0], {w, c0}, 12, {6, 6});
  EXPECT_EQ(b.value(end[1]), 4);
}

// --- More than the cases: second order against differences.

TEST_P(ControlGradients, OfSecondOrderInNests) {
  Value* x = b.input(0.9);
  Value* y = b.input(0.7);
  Value* end = b.repeat(3, {x}, [&](const Values& outer) {
    const Values inner = b.loop({outer[1], y}, [](const Values& v) { return less_than(v[0], number(3)); },
                                [&](const Values& v) {
                                  return Values{add(v[0], number(1)), multiply(sin(multiply(v[1], v[0])), x)};
                                });
    return b.cond(greater_than(inner[1], number(0.2)), [&] { return Values{tanh(multiply(inner[1], x))}; },
                  [&] { return Values{multiply(exp(inner[1]), square(outer[1]))}; });
  })[0];
  const Values d = b.grad({end}, {x, y});
  EXPECT_THAT(b.values_of(d), Pointwise(::testing::DoubleNear(1e-7), b.differences(end, {x, y})));
  for (Value* first : d) {
    EXPECT_THAT(b.gradients_of(first, {x, y}), Pointwise(::testing::DoubleNear(1e-6), b.differences(first, {x, y})));
  }
  Value* third = b.grad({b.grad({d[0]}, {x})[0]}, {x})[0];
  EXPECT_NEAR(b.value(third), b.differences(b.grad({d[0]}, {x})[0], {x})[0], 1e-4);
}

TEST_P(ControlGradients, OfSeveralCallsSummed) {
  Value* x = b.input(0.5);
  Value* y = b.cond(greater_than(x, number(0)), [&] { return Values{exp(sin(x))}; }, [&] { return Values{x}; })[0];
  Value* first = b.grad({y}, {x})[0];
  Value* second = b.grad({square(y)}, {x})[0];
  Value* all = add(first, second);
  EXPECT_NEAR(b.gradients_of(all, {x})[0], b.differences(all, {x})[0], 1e-8);
  b.feed(x, -0.5);
  EXPECT_NEAR(b.gradients_of(all, {x})[0], b.differences(all, {x})[0], 1e-8);
}

TEST_P(ControlGradients, InsideALoopBody) {
  // Two steps of Newton's method for cos: the derivative is taken in the body, and all of it outside.
  Value* x = b.input(1.2);
  Value* a = b.input(1.5);
  Value* end = b.repeat(2, {x}, [&](const Values& v) {
    Value* f = sin(multiply(a, v[1]));
    Value* slope = b.grad({f}, {v[1]})[0];
    return Values{subtract(v[1], divide(f, add(slope, number(3))))};
  })[0];
  EXPECT_THAT(b.gradients_of(end, {x, a}), Pointwise(::testing::DoubleNear(1e-8), b.differences(end, {x, a})));
}

TEST_P(ControlGradients, InsideALoopBodyOfAValueFromOutside) {
  Value* x = b.input(0.8);
  Value* inside = b.repeat(2, {x}, [&](const Values& v) { return Values{sin(multiply(v[1], x))}; })[0];
  // The loop before this one is gone through anew in each trip.
  Value* end = b.repeat(3, {b.constant(0)}, [&](const Values& v) {
    return Values{add(v[1], multiply(b.grad({inside}, {x})[0], x))};
  })[0];
  EXPECT_NEAR(b.value(end), 3 * 0.8 * b.differences(inside, {x})[0], 1e-8);
  EXPECT_NEAR(b.gradients_of(end, {x})[0], b.differences(end, {x})[0], 1e-7);
}

TEST_P(ControlGradients, OfInnerLoopsAskedFirst) {
  // The inner loop keeps lists for a gradient in the body; the one outside finds them again.
  Value* x = b.input(0.8);
  Value* end = b.repeat(2, {x}, [&](const Values& outer) {
    Value* y = b.repeat(2, {outer[1]}, [&](const Values& v) { return Values{sin(square(v[1]))}; })[0];
    return Values{add(y, b.grad({y}, {outer[1]})[0])};
  })[0];
  EXPECT_NEAR(b.gradients_of(end, {x})[0], b.differences(end, {x})[0], 1e-7);
}

}  // namespace
}  // namespace oploom::program
