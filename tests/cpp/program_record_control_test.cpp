#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "tests/cpp/program_recording.h"

// Recording of branches, loops and arrays.
namespace oploom::program {
namespace {

using ::testing::HasSubstr;
using List = std::vector<double>;

// --- Cases (16) to (18).

TEST(ProgramRecordControl, GradientInsideABranch) {  // (16)
  for (const auto& [at, expected] : {std::pair{1.0, 6.0}, std::pair{-1.0, 8.0}}) {
    Recorded b;
    const Variable x = b.scalar(at);
    const Variable y = b.times(x, 2);
    const auto branch = [&](double by) {
      return [&b, &x, &y, by] { return Variables{b.grad(b.times(y, by), x)}; };
    };
    const auto g = b.recorder.cond(b.op("greater_than", {x, b.number(0)}), branch(3), branch(4));
    EXPECT_EQ(b.value(g[0]), expected);
  }
}

TEST(ProgramRecordControl, GradientOfABranchThatHoldsOne) {  // (17)
  Recorded b;
  const Variable x = b.scalar(0.5);
  const auto out = b.recorder.cond(
      b.less(x, 1), [&] { return Variables{b.grad(b.op("tanh", {x}), x)}; }, [&] { return Variables{x}; });
  EXPECT_NEAR(b.value(out[0]), 0.786448, 1e-6);
  EXPECT_NEAR(b.value(b.grad(out[0], x)), -0.726862, 1e-6);
}

TEST(ProgramRecordControl, ResultsOfABranch) {  // (18)
  Recorded b;
  const Variable a = b.scalar(1);
  const auto two = b.recorder.cond(
      b.less(a, 5), [&] { return Variables{a, b.times(a, 2)}; }, [&] { return Variables{a, a}; });
  EXPECT_EQ(b.value(b.grad(b.add(two[0], two[1]), a)), 3);
  const auto twice = b.recorder.cond(
      b.less(a, 5), [&] { return Variables{a, a}; }, [&] { return Variables{b.filled({}, 1), a}; });
  EXPECT_EQ(b.value(b.grad(b.add(twice[0], twice[1]), a)), 2);
  b.op("add_", {twice[0], b.number(1)});  // never reaches a
  EXPECT_EQ(b.value(a), 1);
}

// --- Writes to captured values.

TEST(ProgramRecordControl, WriteInABranchReachesOutside) {
  for (const double at : {1.0, -1.0}) {
    Recorded b;
    const Variable x = b.scalar(at);
    const Variable t = b.mul(b.input({2}, {1, 2}, true), x);
    const Variable head = b.item(t, 0);
    b.recorder.cond(
        b.op("greater_than", {x, b.number(0)}),
        [&] {
          b.op("multiply_", {head, x});
          return Variables{};
        },
        [&] {
          b.op("add_", {t, b.number(5)});
          return Variables{};
        });
    EXPECT_EQ(b.values(t), at > 0 ? (List{1, 2}) : (List{4, 3}));
    EXPECT_EQ(b.value(head), at > 0 ? 1 : 4);
    EXPECT_EQ(b.value(b.grad(b.sum(t), x)), at > 0 ? 4 : 3);
  }
}

TEST(ProgramRecordControl, BranchesStartFromTheSameState) {
  Recorded b;
  const Variable x = b.scalar(2, true);
  const Variable t = b.times(x, 1);
  const auto out = b.recorder.cond(
      b.less(x, 0),
      [&] {
        b.op("add_", {t, b.number(100)});
        return Variables{t};
      },
      [&] { return Variables{b.times(t, 3)}; });
  EXPECT_EQ(b.value(out[0]), 6);
  EXPECT_EQ(b.value(t), 2);
}

TEST(ProgramRecordControl, CapturedCounter) {  // (42)
  Recorded b;
  const Variable c0 = b.scalar(1);
  const Variable w = b.scalar(2);
  const Variable c = b.times(c0, 1);
  const auto s = b.repeat(3, {b.filled({}, 0)}, [&](const Variables& v) {
    const Variable next = b.add(v[0], b.mul(c, w));
    b.op("add_", {c, b.number(1)});
    return Variables{next};
  });
  const auto g = b.recorder.grad({s[0]}, {w, c0});
  EXPECT_EQ(b.value(s[0]), 12);
  EXPECT_EQ(b.value(g[0]), 6);
  EXPECT_EQ(b.value(g[1]), 6);
  EXPECT_EQ(b.value(c), 4);
}

TEST(ProgramRecordControl, CapturedBaseWrittenThroughAViewFromOutside) {
  Recorded b;
  const Variable x = b.input({2}, {1, 2});
  const Variable t = b.times(x, 1);
  const Variable head = b.item(t, 0);
  const auto s = b.repeat(3, {b.filled({}, 0)}, [&](const Variables& v) {
    const Variable next = b.add(v[0], head);
    b.op("multiply_", {t, b.number(2)});
    return Variables{next};
  });
  EXPECT_EQ(b.value(s[0]), 1 + 2 + 4);
  EXPECT_EQ(b.values(t), (List{8, 16}));
  EXPECT_EQ(b.values(b.grad(s[0], x)), (List{7, 0}));
  EXPECT_EQ(b.value(head), 8);
}

TEST(ProgramRecordControl, NestedWrites) {
  Recorded b;
  const Variable x = b.scalar(1.5);
  const Variable t = b.times(x, 1);
  b.repeat(3, {}, [&](const Variables&) {
    b.recorder.cond(
        b.less(t, 4),
        [&] {
          b.op("multiply_", {t, x});
          return Variables{};
        },
        [&] { return Variables{}; });
    return Variables{};
  });
  EXPECT_NEAR(b.value(t), 1.5 * 1.5 * 1.5 * 1.5, 1e-12);
  EXPECT_NEAR(b.value(b.grad(t, x)), 4 * 1.5 * 1.5 * 1.5, 1e-12);
}

TEST(ProgramRecordControl, LoopVariablesAreOwnValues) {
  Recorded b;
  const Variable x = b.scalar(2);
  const auto out = b.repeat(2, {x}, [&](const Variables& v) {
    b.op("multiply_", {v[0], b.number(3)});  // no leaf
    return v;
  });
  EXPECT_EQ(b.value(out[0]), 18);
  EXPECT_EQ(b.value(x), 2);
  EXPECT_EQ(b.value(b.grad(out[0], x)), 9);
}

TEST(ProgramRecordControl, ParameterWrittenInALoop) {
  Recorded b;
  const Tensor eager = test::leaf({1}, {1});
  const Variable w = b.recorder.variable(eager);
  const auto s = b.repeat(3, {b.filled({1}, 0)}, [&](const Variables& v) {
    const Variable next = b.add(v[0], w);
    const NoGrad no_grad;
    b.op("multiply_", {w, b.number(2)});
    return Variables{next};
  });
  EXPECT_TRUE(w.is_leaf());
  EXPECT_EQ(b.value(s[0]), 7);
  EXPECT_EQ(test::values(eager), (List{8}));
}

TEST(ProgramRecordControl, CapturedLeavesAreRefused) {
  Recorded b;
  const Variable x = b.scalar(1);
  const auto write = [&] {
    b.op("add_", {x, b.number(1)});
    return Variables{};
  };
  const std::size_t before = b.program.main.ops.size();
  EXPECT_THAT(refused([&] { b.recorder.cond(b.less(x, 1), write, write); }), HasSubstr("Leaf Tensor (x1)"));
  EXPECT_LE(b.program.main.ops.size(), before + 2);
  EXPECT_THAT(refused([&] { b.repeat(2, {}, [&](const Variables&) { return write(); }); }), HasSubstr("Leaf Tensor"));
  EXPECT_EQ(b.value(x), 1);
}

// --- Errors.

TEST(ProgramRecordControl, ResultsThatDoNotFit) {
  Recorded b;
  const Variable x = b.scalar(1);
  const auto one = [&] { return Variables{x}; };
  const auto none = [] { return Variables{}; };
  EXPECT_THAT(refused([&] { b.recorder.cond(x, one, one); }), HasSubstr("expected one truth value"));
  EXPECT_THAT(refused([&] { b.recorder.cond(b.less(x, 1), one, none); }), HasSubstr("expected 1 results"));
  EXPECT_THAT(refused([&] { b.recorder.cond(b.less(x, 1), one, [&] { return Variables{b.whole(1)}; }); }),
              HasSubstr("result 0"));
  EXPECT_THAT(refused([&] { b.recorder.cond(b.less(x, 1), one, [] { return Variables{Variable()}; }); }),
              HasSubstr("got none"));
  const auto stop = [&](const Variables&) { return b.less(x, 0); };
  EXPECT_THAT(refused([&] { b.recorder.while_loop(stop, [](const Variables&) { return Variables{}; }, {x}); }),
              HasSubstr("[while_loop] body: expected 1 results"));
  EXPECT_THAT(refused([&] {
                b.recorder.while_loop(stop, [&](const Variables&) { return Variables{b.whole(1)}; }, {x});
              }),
              HasSubstr("loop variable 0"));
  const Variable t = b.times(x, 1);
  EXPECT_THAT(refused([&] {
                b.recorder.while_loop(
                    [&](const Variables&) {
                      b.op("add_", {t, b.number(1)});
                      return b.less(t, 0);
                    },
                    [](const Variables& v) { return v; }, {x});
              }),
              HasSubstr("[while_loop] cond"));
  EXPECT_EQ(b.value(t), 1);
  verify(b.program);
}

TEST(ProgramRecordControl, ExceptionsLeaveTheStateBefore) {
  Recorded b;
  const Variable t = b.times(b.scalar(2), 1);
  Variable leaked;
  const auto raise_after_write = [&]() -> Variables {
    leaked = b.times(t, 2);
    b.op("add_", {t, b.number(1)});
    throw std::runtime_error("of the user");
  };
  const Variable pred = b.less(t, 9);
  const std::size_t before = b.program.main.ops.size();
  EXPECT_THROW(b.recorder.cond(pred, raise_after_write, raise_after_write), std::runtime_error);
  EXPECT_THROW(b.recorder.while_loop([&](const Variables&) { return pred; },
                                     [&](const Variables&) { return raise_after_write(); }, {t}),
               std::runtime_error);
  EXPECT_EQ(b.program.main.ops.size(), before);
  EXPECT_EQ(b.value(t), 2);
  EXPECT_THAT(refused([&] { leaked.value(); }), HasSubstr("not there any more"));
}

TEST(ProgramRecordControl, ValuesOfABranchStayInside) {
  Recorded b;
  const Variable x = b.scalar(2);
  Variable leaked;
  b.recorder.cond(
      b.less(x, 1),
      [&] {
        leaked = b.times(x, 2);
        return Variables{};
      },
      [] { return Variables{}; });
  EXPECT_THAT(refused([&] { b.times(leaked, 2); }), HasSubstr("inside a branch"));
}

TEST(ProgramRecordControl, LengthsAreJoined) {
  Recorded b;
  const Variable x = b.input({1}, {3});
  int calls = 0;
  const auto out = b.repeat(2, {x}, [&](const Variables& v) {
    ++calls;
    return Variables{b.recorder.call(toy_op("concat"), {Argument(Variables{v[0], v[0]})}, {std::int64_t{0}})[0]};
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(out[0].type().shape, Dims({-1}));
  EXPECT_EQ(b.values(out[0]), (List{3, 3, 3, 3}));
}

TEST(ProgramRecordControl, GradientInALoopBody) {
  Recorded b;
  const Variable x = b.scalar(3);
  const auto out = b.repeat(2, {b.filled({}, 0)}, [&](const Variables& v) {
    return Variables{b.add(v[0], b.grad(b.op("square", {x}), x))};
  });
  EXPECT_EQ(b.value(out[0]), 12);
  EXPECT_THAT(refused([&] {
                b.repeat(2, {b.times(x, 1)}, [&](const Variables& v) { return Variables{b.grad(v[0], x)}; });
              }),
              HasSubstr("after the loop"));
}

// --- Arrays: cases (36) to (39).

TEST(ProgramRecordControl, ArrayOfThree) {  // (36)
  Recorded b;
  const Variable array = b.recorder.array();
  Variables xs;
  Variable total = b.filled({}, 0);
  for (int i = 0; i < 3; ++i) {
    xs.push_back(b.input({2}, {1.0 * i, 2}));
    b.recorder.array_write(array, b.whole(i), xs.back());
  }
  for (int i = 0; i < 3; ++i) {
    total = b.add(total, b.mean(b.recorder.array_read(array, b.whole(i))));
    total = b.add(total, b.mean(xs[static_cast<std::size_t>(i)]));
  }
  double sum = 0;
  for (const Variable& g : b.recorder.grad({b.times(total, 1.0 / 6)}, xs)) {
    const List values = b.values(g);
    sum += std::accumulate(values.begin(), values.end(), 0.0);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ProgramRecordControl, ArrayToTensor) {  // (37)
  Recorded b;
  const Variable x = b.input({1, 4}, {1, 2, 3, 4});
  const Variable y = b.input({1, 4}, {1, 2, 3, 4});
  const Variable array = b.recorder.array();
  b.recorder.array_write(array, b.whole(0), x);
  b.recorder.array_write(array, b.whole(1), y);
  for (const Variable& all : {b.recorder.array_concat(array), b.recorder.array_stack(array)}) {
    for (const Variable& g : b.recorder.grad({b.mean(all)}, {x, y})) EXPECT_EQ(b.values(g), List(4, 0.125));
  }
}

TEST(ProgramRecordControl, ArrayInALoop) {  // (38)
  Recorded b;
  const Variable x = b.input({10}, List(10, 2.0));
  const Variable array = b.recorder.array();
  b.recorder.array_write(array, b.whole(0), b.filled({10}, 0));
  b.recorder.while_loop(
      [&](const Variables& v) { return b.op("less_than", {v[0], b.whole(3)}); },
      [&](const Variables& v) {
        const Variable next = b.add(v[0], b.whole(1));
        b.recorder.array_write(array, next, b.add(b.recorder.array_read(array, v[0]), x));
        return Variables{next};
      },
      {b.whole(0)});
  const Variable out = b.mean(b.recorder.array_read(array, b.whole(3)));
  EXPECT_EQ(b.value(out), 6);
  for (const double g : b.values(b.grad(out, x))) EXPECT_NEAR(g, 0.3, 1e-12);
}

TEST(ProgramRecordControl, ArrayEntryOverwritten) {  // (39)
  Recorded b;
  const Variable x = b.scalar(1);
  const Variable y = b.scalar(2);
  const Variable array = b.recorder.array();
  const Variable zero = b.whole(0);
  b.recorder.array_write(array, zero, x);
  const Variable first = b.recorder.array_read(array, zero);
  const Variable r = b.times(first, 3);
  b.recorder.array_write(array, zero, y);
  const Variable s = b.times(b.recorder.array_read(array, zero), 5);
  const auto g = b.recorder.grad({b.add(r, s)}, {x, y});
  EXPECT_EQ(b.value(g[0]), 3);
  EXPECT_EQ(b.value(g[1]), 5);
  const auto later = b.recorder.grad({s}, {x})[0];
  EXPECT_TRUE(!later.defined() || b.value(later) == 0);
  b.op("add_", {first, b.number(1)});  // a value of its own
  EXPECT_EQ(b.value(x), 1);
}

}  // namespace
}  // namespace oploom::program
