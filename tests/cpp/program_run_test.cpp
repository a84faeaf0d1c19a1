#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernels/generator.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_running.h"

// Runs of whole programs against loops written here.
namespace oploom::program {
namespace {

using test::constant;
using test::error_of;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

class ProgramRun : public testing::Test {
 protected:
  Running b;
};

TEST_F(ProgramRun, StraightLineAndSeveralFetches) {
  Value* x = b.vector("x", 2);
  Value* y = toy::multiply(x, x);
  Value* z = toy::add(y, toy::number(1));
  const auto got = b.run({constant({2, 3})}, {z, y, z, x}).fetched;
  EXPECT_THAT(test::values(got[0]), ElementsAre(5, 10));
  EXPECT_THAT(test::values(got[1]), ElementsAre(4, 9));
  EXPECT_THAT(test::values(got[2]), ElementsAre(5, 10));
  EXPECT_THAT(test::values(got[3]), ElementsAre(2, 3));
  EXPECT_NE(got[0].bytes(), got[2].bytes());  // each result is the caller's own
}

TEST_F(ProgramRun, ResultsShareNothingWithWhatCameIn) {
  Value* x = b.vector("x", 2);
  const Tensor fed = constant({2, 3});
  const auto got = b.run({fed}, {x}).fetched[0];
  EXPECT_NE(got.bytes(), fed.bytes());
  EXPECT_EQ(fed.inplace_version(), 0u);
}

TEST_F(ProgramRun, FeedsAreTestedByName) {
  Value* x = b.vector("x", 2);
  Value* y = b.input("y", tensor_type(DType::kFloat32, {-1, 2}));
  Value* z = toy::sum(y);
  const Tensor fits = empty({5, 2}, DType::kFloat32);
  EXPECT_THAT(error_of([&] { b.run({constant({1, 2}), constant({1, 2})}, {x}); }).what(),
              HasSubstr("[run] feed \"y\": expected dtype float32, got float64"));
  EXPECT_THAT(error_of([&] { b.run({constant({1, 2, 3}), fits}, {x}); }).what(),
              HasSubstr("[run] feed \"x\": expected float64[2], got shape [3]"));
  EXPECT_THAT(error_of([&] { b.run({Tensor(), fits}, {x}); }).what(),
              HasSubstr("[run] feed \"x\": expected a value, since what is fetched needs it"));
  EXPECT_THAT(error_of([&] { b.run({fits}, {x}); }).what(), HasSubstr("expected 2 values"));
  EXPECT_NO_THROW(b.run({Tensor(), fits}, {z}));
}

TEST_F(ProgramRun, FetchOfWhatIsNotThere) {
  Value* x = b.scalar("x");
  Value* inside = nullptr;
  b.repeat(2, {x}, [&](Value*, const Values& v) { return Values{inside = toy::sin(v[0])}; });
  EXPECT_THAT(error_of([&] { b.run({number_of(1)}, {inside}); }).what(),
              HasSubstr("outside of all branches"));
  EXPECT_THAT(error_of([&] { b.run({number_of(1)}, {nullptr}); }).what(),
              HasSubstr("a pass has taken out"));
  EXPECT_THAT(error_of([&] { b.run({number_of(1)}, {new_list(list_of(x->type))}); }).what(),
              HasSubstr("stack or read it"));
}

TEST_F(ProgramRun, PaysForWhatIsFetchedOnly) {
  Value* x = b.vector("x", 2);
  Value* list = new_list(list_of(x->type));
  Value* raises = b.builder.append(kPop, {list}, {}).results[1].get();
  Value* y = toy::sin(x);
  EXPECT_NO_THROW(b.run({constant({1, 2})}, {y}));
  EXPECT_THAT(error_of([&] { b.run({constant({1, 2})}, {raises}); }).what(),
              HasSubstr("[list_pop]"));
}

TEST_F(ProgramRun, Branches) {
  Value* x = b.scalar("x");
  Op& outer = b.cond(
      toy::less_than(x, toy::number(3)), [&] { return Values{toy::subtract(x, x), x}; },
      [&] {
        Op& inner = b.cond(
            toy::less_than(x, toy::number(5)), [&] { return Values{toy::add(x, x)}; },
            [&] { return Values{toy::multiply(x, x)}; });
        return Values{result(inner), toy::negative(x)};
      });
  for (const double v : {0., 2., 3., 4., 5., 7.}) {
    const auto got = b.run({number_of(v)}, {result(outer, 0), result(outer, 1), x}).fetched;
    EXPECT_EQ(test::values(got[0])[0], v < 3 ? 0 : v < 5 ? v + v : v * v);
    EXPECT_EQ(test::values(got[1])[0], v < 3 ? v : -v);
    EXPECT_EQ(test::values(got[2])[0], v);
  }
}

TEST_F(ProgramRun, LoopsWithSwapsCapturesAndZeroTrips) {
  Value* x = b.scalar("x");
  Value* y = b.scalar("y");
  for (const double trips : {0., 1., 7.}) {
    Op& op = b.repeat(trips, {x, y}, [&](Value* i, const Values& v) {
      return Values{v[1], toy::add(toy::multiply(v[0], toy::number(0.5)), toy::add(y, i))};
    });
    double a = 3, c = 4;
    for (int i = 0; i < trips; ++i) {
      const double next = a * 0.5 + (4 + i);
      a = c;
      c = next;
    }
    const auto got = b.run({number_of(3), number_of(4)}, {result(op, 1), result(op, 2), y}).fetched;
    EXPECT_EQ(test::values(got[0])[0], a);
    EXPECT_EQ(test::values(got[1])[0], c);
    EXPECT_EQ(test::values(got[2])[0], 4);
  }
}

TEST_F(ProgramRun, NestedLoopsWithBranches) {
  Value* x = b.scalar("x");
  Value* y = b.scalar("y");
  Op& op = b.repeat(4, {x}, [&](Value* i, const Values& v) {
    Op& inner = b.loop(
        {toy::full(Numbers({}), 0.0, DType::kFloat64), v[0]},
        [&](const Values& w) { return toy::less_than(w[0], i); },
        [&](const Values& w) {
          Op& choice = b.cond(
              toy::greater_than(w[1], toy::number(2)),
              [&] { return Values{toy::sin(toy::multiply(w[1], y))}; },
              [&] { return Values{toy::add(w[1], y)}; });
          return Values{toy::add(w[0], toy::number(1)), result(choice)};
        });
    return Values{result(inner, 1)};
  });
  double s = 1;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) s = s > 2 ? std::sin(s * 1.5) : s + 1.5;
  }
  EXPECT_EQ(b.value({number_of(1), number_of(1.5)}, result(op, 1)), s);
}

TEST_F(ProgramRun, MarkedOpsRunInTheirBuffersWhereTheInputDies) {
  Value* x = b.vector("x", 1000);
  Value* y = toy::sin(x);
  for (int i = 0; i < 5; ++i) y = Running::mark(toy::tanh(y));
  EXPECT_EQ(b.run({constant(std::vector<double>(1000, 0.5))}, {y}).peak_bytes, 8000);
  functionalize(b.program);
  EXPECT_EQ(b.run({constant(std::vector<double>(1000, 0.5))}, {y}).peak_bytes, 16000);
}

TEST_F(ProgramRun, AMarkNeverChangesANumber) {
  Value* x = b.vector("x", 2);
  Value* y = toy::square(x);
  Value* z = Running::mark(toy::add(y, x));       // y is read later
  Value* u = Running::mark(toy::add(x, y));       // x is fed
  Value* w = Running::mark(toy::multiply(y, y));  // one buffer as both
  const Tensor fed = constant({2, 3});
  const auto got = b.run({fed}, {z, u, w, y}).fetched;
  EXPECT_THAT(test::values(got[0]), ElementsAre(6, 12));
  EXPECT_THAT(test::values(got[1]), ElementsAre(6, 12));
  EXPECT_THAT(test::values(got[2]), ElementsAre(16, 81));
  EXPECT_THAT(test::values(got[3]), ElementsAre(4, 9));
  EXPECT_THAT(test::values(fed), ElementsAre(2, 3));
}

TEST_F(ProgramRun, MarksOnLoopVariablesLeaveInitsAlone) {
  Value* x = b.vector("x", 2);
  Value* init = toy::square(x);
  Op& op = b.repeat(3, {init}, [&](Value*, const Values& v) {
    return Values{Running::mark(toy::add(v[0], toy::number(1)))};
  });
  const auto got = b.run({constant({2, 3})}, {result(op, 1), init}).fetched;
  EXPECT_THAT(test::values(got[0]), ElementsAre(7, 12));
  EXPECT_THAT(test::values(got[1]), ElementsAre(4, 9));
}

TEST_F(ProgramRun, AShapeIsReadAfterItsBufferWasTaken) {
  Value* x = b.input("x", tensor_type(DType::kFloat64, {-1}));
  Value* y = toy::sin(x);
  Value* z = Running::mark(toy::tanh(y));
  Value* n = operand(numel(y));
  const auto got = b.run({constant(std::vector<double>(1000, 0.5))}, {z, n});
  EXPECT_EQ(*got.fetched[1].data<std::int64_t>(), 1000);
  EXPECT_EQ(got.peak_bytes, 8000);
}

TEST_F(ProgramRun, BuffersAreFreedAtTheirLastUse) {
  Value* x = b.vector("x", 1000);
  Value* y = toy::sin(x);
  for (int i = 0; i < 10; ++i) y = toy::sin(y);
  EXPECT_EQ(b.run({constant(std::vector<double>(1000, 0.5))}, {y}).peak_bytes, 16000);
  Op& op =
      b.repeat(10, {y}, [&](Value*, const Values& v) { return Values{toy::sin(toy::cos(v[0]))}; });
  EXPECT_EQ(b.run({constant(std::vector<double>(1000, 0.5))}, {result(op, 1)}).peak_bytes, 16000);
}

TEST_F(ProgramRun, UnreadResultsAndVariablesAreFreed) {
  Value* x = b.vector("x", 1000);
  Value* y = toy::sin(x);
  Op& branch = b.cond(
      toy::less_than(toy::sum(x), toy::number(0)), [&] { return Values{toy::cos(y)}; },
      [&] { return Values{toy::cos(x)}; });  // y dies at its entry
  EXPECT_EQ(b.run({constant(std::vector<double>(1000, 0.5))}, {result(branch)}).peak_bytes, 8000);
}

// --- Metadata, lists.

TEST_F(ProgramRun, MetadataBecomesAttributes) {
  Value* x = b.input("x", tensor_type(DType::kFloat64, {-1}));
  Value* filled = toy::full(shape(x), 2.0, DType::kFloat64);
  Value* mean = toy::multiply(toy::sum(x), operand(Number(1.0) / numel(x)));
  for (const std::int64_t n : {1, 3, 2}) {
    const Tensor fed = constant(std::vector<double>(static_cast<std::size_t>(n), 5));
    const auto got = b.run({fed}, {filled, mean}).fetched;
    EXPECT_EQ(test::values(got[0]), std::vector<double>(static_cast<std::size_t>(n), 2));
    EXPECT_THAT(test::values(got[1])[0], DoubleEq(5));
  }
}

// mem[i+1] = mem[i] + x.
TEST_F(ProgramRun, WritingIntoAListCopiesNothing) {
  Value* x = b.scalar("x");
  Value* list = Running::append(kPush, {new_list(list_of(x->type)), x});
  Op& op = b.repeat(100000, {list}, [&](Value* i, const Values& v) {
    Value* at = toy::cast(i, DType::kInt64);
    Value* next = toy::cast(toy::add(i, toy::number(1)), DType::kInt64);
    Value* old = Running::append(kAt, {v[0], at});
    return Values{Running::append(kPut, {v[0], next, toy::add(old, x)})};
  });
  Value* last = Running::append(kAt, {result(op, 1), toy::cast(toy::number(-1), DType::kInt64)});
  const RunResult got = b.run({number_of(0.5)}, {last});
  EXPECT_EQ(got.list_entries, 0);
  EXPECT_EQ(test::values(got.fetched[0])[0], 50000.5);
}

TEST_F(ProgramRun, ListsArePushedInBranchesAndPoppedInLoopsInPlace) {
  Value* x = b.scalar("x");
  Op& fill = b.repeat(100000, {new_list(list_of(x->type))}, [&](Value* i, const Values& v) {
    Op& choice = b.cond(
        toy::less_than(i, toy::number(90000)),
        [&] { return Values{Running::append(kPush, {v[0], x})}; }, [&] { return Values{v[0]}; });
    return Values{result(choice)};
  });
  Op& drain = b.repeat(90000, {result(fill, 1), toy::full(Numbers({}), 0.0, DType::kFloat64)},
                       [&](Value*, const Values& v) {
                         Op& pop = Builder::current().append(kPop, {v[0]}, {});
                         return Values{result(pop), toy::add(v[1], result(pop, 1))};
                       });
  const RunResult got = b.run({number_of(0.5)}, {result(drain, 2)});
  EXPECT_EQ(got.list_entries, 0);
  EXPECT_EQ(test::values(got.fetched[0])[0], 45000);
}

// --- Effects.

TEST_F(ProgramRun, WritesIntoParametersComeLastAndTogether) {
  const Tensor w = test::leaf({1, 2});
  Value* x = b.vector("x", 2);
  Value* before = b.program.parameter(w);
  Value* after = toy::sgd(before, x, toy::number(0.5));
  b.program.find_parameter(before)->result = after;
  const auto got = b.run({constant({2, 4})}, {before, after}).fetched;
  EXPECT_THAT(test::values(got[0]), ElementsAre(1, 2));
  EXPECT_THAT(test::values(got[1]), ElementsAre(0, 0));
  EXPECT_THAT(test::values(w), ElementsAre(0, 0));
  EXPECT_EQ(w.inplace_version(), 1u);
  b.run({constant({2, 4})}, {});  // an effect is needed though nothing is fetched
  EXPECT_THAT(test::values(w), ElementsAre(-1, -2));
  EXPECT_EQ(w.inplace_version(), 2u);
}

TEST_F(ProgramRun, TwoParametersChangePlaces) {
  const Tensor v = constant({1, 2});
  const Tensor w = constant({3, 4});
  Value* a = b.program.parameter(v);
  Value* c = b.program.parameter(w);
  b.program.find_parameter(a)->result = c;
  b.program.find_parameter(c)->result = a;
  const auto got = b.run({}, {a}).fetched;
  EXPECT_THAT(test::values(got[0]), ElementsAre(1, 2));
  EXPECT_THAT(test::values(v), ElementsAre(3, 4));
  EXPECT_THAT(test::values(w), ElementsAre(1, 2));
}

TEST_F(ProgramRun, ARunThatRaisesStoresNothing) {
  const Tensor w = constant({1, 2});
  Value* before = b.program.parameter(w);
  b.program.find_parameter(before)->result = toy::sgd(before, before, toy::number(0.5));
  Value* list = new_list(list_of(before->type));
  b.builder.position = "net.py:7";
  Value* raises = b.builder.append(kPop, {list}, {}).results[1].get();
  const Error error = error_of([&] { b.run({}, {raises}); });
  EXPECT_THAT(error.what(), HasSubstr("[list_pop] list: expected at least one entry"));
  EXPECT_THAT(error.what(), HasSubstr("(recorded at net.py:7)"));
  EXPECT_THAT(test::values(w), ElementsAre(1, 2));
  EXPECT_EQ(w.inplace_version(), 0u);
  b.run({}, {});  // the plan is fit for use again
  EXPECT_THAT(test::values(w), ElementsAre(0.5, 1));
}

TEST_F(ProgramRun, AParameterThatDoesNotFitStoresNothing) {
  const Tensor v = constant({1, 2});
  const Tensor w = constant({3, 4});
  Value* a = b.program.parameter(v);
  Value* c = b.program.parameter(w);
  b.program.find_parameter(a)->result = toy::sin(a);
  b.program.find_parameter(c)->result = toy::sum(c);
  EXPECT_THAT(error_of([&] { b.run({}, {}); }).what(),
              HasSubstr("expected a new value of shape [2]"));
  EXPECT_THAT(test::values(v), ElementsAre(1, 2));
}

TEST_F(ProgramRun, GradientsAreOffInside) {
  const Tensor w = test::leaf({1, 2});
  Value* y = toy::reshape(b.program.parameter(w), Numbers({2, 1}));
  const Tensor got = b.run({}, {y}).fetched[0];
  EXPECT_TRUE(stop_gradient(got));
  EXPECT_EQ(w.inplace_version(), 0u);
}

TEST_F(ProgramRun, AReboundGradientIsSetAtTheEnd) {
  const Tensor w = test::leaf({1, 2});
  Value* before = b.program.parameter(w);
  b.program.find_parameter(before)->rebound_grad = toy::square(before);
  b.run({}, {});
  EXPECT_THAT(test::values(grad_of(w)), ElementsAre(1, 4));
  b.program.find_parameter(before)->rebound_grad = toy::sum(before);
  EXPECT_THAT(error_of([&] { b.run({}, {}); }).what(), HasSubstr("expected shape [2]"));
}

// --- Random draws.

void infer_draw(const Op&, std::vector<Type>& results) {
  results.push_back(tensor_type(DType::kFloat64, {}));
}
void run_draw(RunFrame& frame) {
  const auto block = kernels::reserve_draws(1).block(0);
  frame.output(0) = number_of(block.word[0]);
}
constexpr OutputDef kDrawn[] = {{"out", false, false}};
constexpr OpDef kDraw{.name = "draw",
                      .inplace_name = nullptr,
                      .inputs = {},
                      .attributes = {},
                      .outputs = kDrawn,
                      .inplace_pairs = {},
                      .flags = OpDef::kRandom,
                      .infer = infer_draw,
                      .run = run_draw};

struct Drawing : Running {
  Handle unused = hold(append(kDraw, {}));
  Handle single = hold(append(kDraw, {}));
  Handle list = hold(result(repeat(3, {new_list(list_of(tensor_type(DType::kFloat64, {})))},
                                   [](Value*, const Values& v) {
                                     return Values{append(kPush, {v[0], append(kDraw, {})})};
                                   }),
                            1));
  Handle stacked = hold(append(kStack, {list->value}));

  std::vector<double> draws() {
    const auto got = run({}, {single->value, stacked->value}).fetched;
    std::vector<double> all = test::values(got[1]);
    all.push_back(test::values(got[0])[0]);
    return all;
  }
};

TEST(ProgramDraws, HangOnSeedOpTripAndRunAlone) {
  oploom::seed(5);
  Drawing a;
  const std::vector<double> first = a.draws();
  std::vector<double> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());  // each op and trip its own
  EXPECT_NE(a.draws(), first);                                         // and each run
  Drawing c;
  kernels::reserve_draws(100);  // what others draw does not count
  prune(c.program, Values{c.single->value, c.stacked->value});
  clean_up(c.program);
  EXPECT_EQ(c.draws(), first);
  oploom::seed(6);
  EXPECT_NE(Drawing().draws(), first);
}

// --- Cost.

TEST_F(ProgramRun, ALongProgramThroughAllPasses) {
  Value* y = b.scalar("x");
  for (int i = 0; i < 100000; ++i) y = toy::sin(y);
  const double expected = b.value({number_of(1)}, y);
  const auto held = b.hold(y);
  clean_up(b.program);
  apply_inplace(b.program, Values{y});
  prune(b.program, Values{y});
  EXPECT_EQ(b.program.main.ops.size(), 100000U);
  EXPECT_EQ(b.value({number_of(1)}, y), expected);
}

}  // namespace
}  // namespace oploom::program
