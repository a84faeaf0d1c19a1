#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// What loops and branches keep for their gradients, where gradients may be asked, and what it
// costs.
namespace oploom::program {
namespace {

using namespace toy;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KeptValues : public ::testing::Test {
 protected:
  // Types of what the loop that made value pushes in each trip.
  static std::vector<std::string> kept_by(const Value* value) {
    std::vector<std::string> types;
    for (const auto& op : value->op->regions[1]->ops) {
      if (op->def == &kPush) types.push_back(text(op->inputs[1]->type));
    }
    return types;
  }
  Bench b;
};

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

TEST_F(KeptValues, AreThoseThatAreRead) {
  Value* x = b.input(1.1);
  Value* w = b.input(0.7);
  Value* sum_only = b.repeat(4, {x}, [&](const Values& v) { return Values{add(v[1], w)}; })[0];
  b.grad({sum_only}, {x, w});
  EXPECT_THAT(kept_by(sum_only), IsEmpty());
  // sin keeps its input, multiply by a captured value that value, by a number nothing.
  Value* y = b.repeat(4, {x}, [&](const Values& v) {
    return Values{multiply(number(2), sin(multiply(v[1], w)))};
  })[0];
  b.grad({y}, {x});
  EXPECT_THAT(kept_by(y), ElementsAre("float64[]"));
  b.grad({y}, {w});
  EXPECT_THAT(kept_by(y), ElementsAre("float64[]", "float64[]"));  // v[1], too
}

TEST_F(KeptValues, AreFoundAgain) {
  Value* x = b.input(1.1);
  Value* y = b.repeat(4, {x}, [&](const Values& v) {
    return b.cond(
        greater_than(v[1], number(0.5)), [&] { return Values{sin(sin(v[1]))}; },
        [&] { return Values{square(v[1])}; });
  })[0];
  const Op& loop = *y->op;
  Value* first = b.grad({y}, {x})[0];
  const std::size_t results = loop.results.size();
  Value* second = b.grad({square(y)}, {x})[0];
  EXPECT_EQ(loop.results.size(), results);
  EXPECT_EQ(loop.regions[1]->yields.size(), results);
  EXPECT_NEAR(b.value(second), 2 * b.value(y) * b.value(first), 1e-12);
}

TEST_F(KeptValues, OfBranchesAreFoundAgain) {
  Value* x = b.input(1.1);
  Value* y = b.cond(
      greater_than(x, number(0)), [&] { return Values{sin(exp(x))}; },
      [&] { return Values{x}; })[0];
  b.grad({y}, {x});
  const std::size_t results = y->op->results.size();
  EXPECT_EQ(results, 2u);  // exp(x), for sin and for itself
  b.grad({y}, {x});
  EXPECT_EQ(y->op->results.size(), results);
}

TEST_F(KeptValues, AreShapesWhereOnlyThoseAreRead) {
  Value* x = b.input(0.5);
  const Type list = list_of(x->type);
  const auto stacked = [](Value* of) {
    return Builder::current().append(kStack, {of}, {}).results[0].get();
  };
  const auto push = [](Value* to, Value* v) {
    return Builder::current().append(kPush, {to, v}, {}).results[0].get();
  };
  Value* s = b.repeat(3, {b.constant(0), new_list(list), x}, [&](const Values& v) {
    Value* longer = push(v[2], v[3]);
    return Values{add(v[1], mean(stacked(longer))), longer, multiply(v[3], x)};
  })[0];
  // s = x + (x + x^2) / 2 + (x + x^2 + x^3) / 3
  const Values found = b.grad({s}, {x});
  EXPECT_NEAR(b.value(found[0]), b.differences(s, {x})[0], 1e-8);
  // The user's list is just what keeps v[3]; of the stacked list its shape and length are enough.
  EXPECT_THAT(kept_by(s), ElementsAre("float64[]", "numbers int64[1]", "numbers int64[]"));
  b.grad({s}, {x});
  EXPECT_EQ(kept_by(s).size(), 3u);
  EXPECT_NEAR(b.gradients_of(found[0], {x})[0], b.differences(found[0], {x})[0], 1e-7);
}

TEST_F(KeptValues, LeaveTheForwardPartAlone) {
  Value* x = b.input(1.1);
  const Values results =
      b.repeat(4, {x, x}, [&](const Values& v) { return Values{sin(v[1]), multiply(v[2], v[1])}; });
  const double before = b.value(results[1]);
  b.grad({b.grad({results[1]}, {x})[0]}, {x});
  EXPECT_EQ(b.value(results[1]), before);
}

// --- Where gradients may be asked.

TEST_F(KeptValues, NotOfWhatALoopVariableMayHide) {
  Value* x = b.input(1.1);
  Value* w = b.input(0.7);
  b.repeat(2, {b.constant(1)}, [&](const Values& v) {
    expect_error(ErrorKind::kArgument, "Ask for the gradient after the loop",
                 [&] { b.grad({multiply(v[1], w)}, {w}); });
    expect_error(ErrorKind::kArgument, "inputs[1]: expected a value that loop variable 1",
                 [&] { b.grad({sin(multiply(v[1], w))}, {v[1], w}); });
    EXPECT_NE(b.grad({multiply(w, w)}, {w})[0], nullptr);
    EXPECT_NE(b.grad({multiply(v[1], w)}, {v[1]})[0], nullptr);
    // Of a loop inside, too; its own variables hide nothing that cannot be seen.
    Value* inner = b.repeat(2, {x}, [&](const Values& u) { return Values{multiply(u[1], w)}; })[0];
    EXPECT_NE(b.grad({inner}, {w})[0], nullptr);
    Value* carried =
        b.repeat(2, {v[1]}, [&](const Values& u) { return Values{multiply(u[1], w)}; })[0];
    expect_error(ErrorKind::kArgument, "cannot hold", [&] { b.grad({carried}, {w}); });
    Value* own = multiply(w, number(3));
    EXPECT_NE(b.grad({multiply(v[1], own)}, {own})[0], nullptr);
    return Values{multiply(v[1], w)};
  });
}

TEST_F(KeptValues, OfVisibleValuesAlone) {
  Value* x = b.input(1.1);
  Value* inside = nullptr;
  Value* y = b.cond(
      greater_than(x, number(0)),
      [&] {
        inside = sin(x);
        return Values{inside};
      },
      [&] { return Values{x}; })[0];
  expect_error(ErrorKind::kArgument, "outputs[0]: expected a value that can be seen here",
               [&] { b.grad({inside}, {x}); });
  expect_error(ErrorKind::kArgument, "inputs[0]: expected a value that can be seen here",
               [&] { b.grad({y}, {inside}); });
  expect_error(ErrorKind::kArgument, "grad_outputs[0]: expected a value that can be seen",
               [&] { b.grad({y}, {x}, {inside}); });
}

TEST_F(KeptValues, StayWholeAfterAnError) {
  Value* x = b.input(1.1);
  Value* y = b.repeat(3, {x}, [&](const Values& v) { return Values{sin(v[1])}; })[0];
  Value* z = b.cond(
      greater_than(x, number(0)), [&] { return Values{unwritten(y)}; },
      [&] { return Values{y}; })[0];
  expect_error(ErrorKind::kUnimplemented, "'unwritten'", [&] { b.grad({z}, {x}); });
  const double value = b.value(y);  // verified, too
  EXPECT_NEAR(b.value(z), value, 0);
  EXPECT_EQ(b.count("while"), 1u);
  EXPECT_EQ(b.grad({z}, {b.input(2)})[0], nullptr);  // not on that way
  EXPECT_NEAR(b.gradients_of(y, {x})[0], b.differences(y, {x})[0], 1e-8);
}

TEST_F(KeptValues, IntegersPassNoGradient) {
  Value* x = b.input(2);
  Value* n = b.whole(3);
  const Values end = b.loop(
      {n, x}, [&](const Values& v) { return greater_than(v[0], operand(0)); },
      [&](const Values& v) {
        Value* k = subtract(v[0], operand(1));
        return Values{k, multiply(v[1], cast(k, DType::kFloat64))};
      });
  EXPECT_EQ(b.grad({add(end[1], cast(end[0], DType::kFloat64))}, {x}).size(), 1u);
  EXPECT_EQ(b.gradients_of(end[1], {x}), std::vector<double>{0});  // 2 * 1 * 0
}

TEST_F(KeptValues, WithUnknownLengths) {
  Value* v0 = b.input({1, 2, 3}, {3}, {-1});
  Value* w = b.input(0.5);
  Value* end = sum(b.repeat(3, {v0}, [&](const Values& v) {
    return b.cond(
        greater_than(w, number(0)), [&] { return Values{sin(multiply(v[1], w))}; },
        [&] { return Values{multiply(v[1], v0)}; });
  })[0]);
  EXPECT_NEAR(b.gradients_of(end, {w})[0], b.differences(end, {w})[0], 1e-8);
  Value* first = b.grad({end}, {w})[0];
  EXPECT_NEAR(b.gradients_of(first, {w})[0], b.differences(first, {w})[0], 1e-7);
  EXPECT_EQ(b.values(b.grad({end}, {v0})[0]).size(), 3u);
}

// --- Cost.

// How many ops a call of grad adds, regions included.
std::size_t ops_added(Bench& b, Value* y, Value* x) {
  const auto count = [&b] {
    std::size_t ops = 0;
    for_each_op(b.program.main, [&ops](const Op&) { ++ops; });
    return ops;
  };
  const std::size_t before = count();
  b.grad({y}, {x});
  return count() - before;
}

TEST_F(KeptValues, OfALongLoopTakeLinearTime) {
  Value* x = b.input(1.0);
  Value* w = b.input(1.0);
  Value* y = b.repeat(100'000, {x}, [&](const Values& v) { return Values{multiply(v[1], w)}; })[0];
  const Values found = b.grad({y}, {x, w});
  EXPECT_THAT(b.values_of(found), ElementsAre(1, 100'000));
}

// Each of n ops, loops or branches more adds as many ops to the gradient as the ones before.
std::size_t ops_for_loops_and_branches(int n) {
  Bench b;
  Value* x = b.input(1.0);
  Value* y = x;
  for (int i = 0; i < n; ++i) {
    y = b.repeat(1, {y}, [&](const Values& v) { return Values{multiply(v[1], x)}; })[0];
    y = b.cond(
        greater_than(y, number(0)), [&] { return Values{sin(sin(y))}; },
        [&] { return Values{y}; })[0];
  }
  return ops_added(b, y, x);
}

TEST_F(KeptValues, OfManyLoopsAndBranchesAddOpsByTheirNumber) {
  const std::size_t one = ops_for_loops_and_branches(2) - ops_for_loops_and_branches(1);
  EXPECT_EQ(ops_for_loops_and_branches(2'000) - ops_for_loops_and_branches(1'000), 1'000 * one);
}

TEST_F(KeptValues, OfALongBodyAreKeptOnce) {
  Value* x = b.input(1.0);
  Value* y = b.repeat(1, {x}, [&](const Values& v) {
    Value* t = v[1];
    for (int i = 0; i < 5'000; ++i) t = sin(t);
    return Values{t};
  })[0];
  const std::size_t first = ops_added(b, y, x);
  EXPECT_LT(first, 5'000u * 6);  // a cosine, a product; a list, a push and a pop for what is kept
  EXPECT_EQ(kept_by(y).size(), 5'000u);
  EXPECT_LE(ops_added(b, y, x), first - 2 * 5'000);  // lists and pushes are there already
  EXPECT_EQ(kept_by(y).size(), 5'000u);
}

}  // namespace
}  // namespace oploom::program
