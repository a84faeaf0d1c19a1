#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "runtime/program/gradients.h"
#include "tests/cpp/errors.h"
#include "tests/cpp/program_running.h"

// What each pass does and, above all, what it must not do.
namespace oploom::program {
namespace {

using test::constant;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class ProgramPasses : public testing::Test {
 protected:
  Running b;
  Value* x = b.vector("x", 1000);
  Tensor fed = constant(std::vector<double>(1000, 0.5));

  static bool marked(const Value* value) { return value->op->inplace; }
};

// --- apply_inplace.

TEST_F(ProgramPasses, AnElementwiseChainHoldsOneBuffer) {
  Value* y = toy::sin(x);
  for (int i = 0; i < 20; ++i) y = i % 2 == 0 ? toy::tanh(y) : toy::add(y, toy::number(1));
  const RunResult before = b.run({fed}, {y});
  const Tensor plain = before.fetched[0];
  EXPECT_EQ(before.peak_bytes, 16000);  // what is read and what is made
  EXPECT_FALSE(is_inplace_net(b.program));
  apply_inplace(b.program, Values{y});
  EXPECT_TRUE(is_inplace_net(b.program));
  const RunResult after = b.run({fed}, {y});
  EXPECT_EQ(after.peak_bytes, 8000);
  EXPECT_TRUE(same_bits(after.fetched[0], plain));
  functionalize(b.program);
  EXPECT_FALSE(is_inplace_net(b.program));
  EXPECT_TRUE(same_bits(b.run({fed}, {y}).fetched[0], plain));
}

TEST_F(ProgramPasses, FeedsParametersAndFetchAreNotOverwritten) {
  Value* w = b.program.parameter(fed);
  Value* y = toy::sin(x);
  Value* from_feed = toy::tanh(x);
  Value* from_parameter = toy::tanh(w);
  Value* from_fetch = toy::tanh(y);
  apply_inplace(b.program, Values{y, from_feed, from_parameter, from_fetch});
  EXPECT_FALSE(is_inplace_net(b.program));
}

TEST_F(ProgramPasses, WhatAParameterLeavesWithIsNotOverwritten) {
  Value* w = b.program.parameter(fed);
  Value* y = toy::sin(w);
  b.program.find_parameter(w)->result = y;
  Value* z = toy::tanh(y);
  apply_inplace(b.program, Values{z});
  EXPECT_FALSE(marked(z));
}

TEST_F(ProgramPasses, LaterReadersCountInAllRegions) {
  Value* y = toy::sin(x);
  Value* z = toy::tanh(y);
  Value* u = toy::cos(x);
  Value* v = toy::tanh(u);
  Value* t = toy::exp(x);
  Value* s = toy::tanh(t);
  Op& op = b.repeat(2, {x}, [&](Value*, const Values& vars) {
    Op& choice = b.cond(
        toy::less_than(toy::sum(vars[0]), toy::number(0)),
        [&] { return Values{toy::add(vars[0], y)}; }, [&] { return Values{u}; });
    return Values{result(choice)};
  });
  apply_inplace(b.program, Values{z, v, s, result(op, 1)});
  EXPECT_FALSE(marked(z));
  EXPECT_FALSE(marked(v));
  EXPECT_TRUE(marked(s));
}

TEST_F(ProgramPasses, MetadataReadsDoNotCount) {
  Value* open = b.input("open", tensor_type(DType::kFloat64, {-1}));
  Value* y = toy::sin(open);
  Value* z = toy::tanh(y);
  Value* n = operand(numel(y));
  apply_inplace(b.program, Values{z, n});
  EXPECT_TRUE(marked(z));
  EXPECT_EQ(*b.run({fed, fed}, {z, n}).fetched[1].data<std::int64_t>(), 1000);
}

TEST_F(ProgramPasses, CapturedValuesAndInitsAreNotOverwritten) {
  Value* y = toy::sin(x);
  Value* init = toy::cos(x);
  Value* in_body = nullptr;
  Value* in_branch = nullptr;
  Op& op = b.repeat(3, {init}, [&](Value*, const Values& v) {
    in_body = toy::tanh(y);  // again in the next trip
    Op& choice = b.cond(
        toy::less_than(toy::sum(v[0]), toy::number(0)),
        [&] { return Values{in_branch = toy::tanh(v[0])}; }, [&] { return Values{in_body}; });
    return Values{result(choice)};
  });
  const Tensor plain = b.run({fed}, {result(op, 1)}).fetched[0];
  apply_inplace(b.program, Values{result(op, 1)});
  EXPECT_FALSE(marked(in_body));
  EXPECT_FALSE(marked(in_branch));
  EXPECT_TRUE(same_bits(b.run({fed}, {result(op, 1)}).fetched[0], plain));
  EXPECT_TRUE(same_bits(b.run({fed}, {result(op, 1), init}).fetched[0], plain));
  EXPECT_EQ(test::values(b.run({fed}, {init}).fetched[0])[0], std::cos(0.5));
}

TEST_F(ProgramPasses, AConditionOverwritesNoVariable) {
  Value* tested = nullptr;
  Op& op = b.loop(
      {toy::sin(x)},
      [&](const Values& v) {
        return toy::less_than(toy::sum(tested = toy::add(v[0], toy::number(1))), toy::number(9));
      },
      [&](const Values& v) { return Values{toy::add(v[0], v[0])}; });
  apply_inplace(b.program, Values{result(op)});
  EXPECT_FALSE(marked(tested));
}

TEST_F(ProgramPasses, ALoopRunsInOneBuffer) {
  Op& op = b.repeat(5, {toy::sin(x)}, [&](Value*, const Values& v) {
    return Values{toy::tanh(toy::add(v[0], toy::number(1)))};
  });
  const Tensor plain = b.run({fed}, {result(op, 1)}).fetched[0];
  apply_inplace(b.program, Values{result(op, 1)});
  const RunResult after = b.run({fed}, {result(op, 1)});
  EXPECT_EQ(after.peak_bytes, 8000);
  EXPECT_TRUE(same_bits(after.fetched[0], plain));
}

TEST_F(ProgramPasses, DTypeAndSizeMustFitAndViewsShareTheBuffer) {
  Value* one = toy::sin(b.vector("one", 1));
  Value* grown = toy::add(one, x);
  Value* whole = toy::cast(x, DType::kInt64);
  Value* widened = toy::tanh(whole);
  Value* y = toy::sin(x);
  Value* view = toy::reshape(y, Numbers({10, 100}));
  Value* z = toy::tanh(y);
  Value* twice = toy::cos(x);
  Value* same = toy::multiply(twice, twice);
  apply_inplace(b.program, Values{grown, widened, view, z, same});
  EXPECT_FALSE(is_inplace_net(b.program));
}

TEST_F(ProgramPasses, FetchingAnOverwrittenValueNamesTheOp) {
  Value* y = toy::sin(x);
  b.builder.position = "net.py:3";
  Value* z = toy::tanh(y);
  apply_inplace(b.program, Values{z});
  const Error error = error_of([&] { b.run({fed}, {z, y}); });
  EXPECT_THAT(error.what(), HasSubstr("tanh_ (recorded at net.py:3) overwrites"));
  EXPECT_NO_THROW(b.run({fed}, {z}));
  functionalize(b.program);
  EXPECT_NO_THROW(b.run({fed}, {z, y}));
}

// --- prune.

TEST_F(ProgramPasses, PruneKeepsWhatIsFetchedAndEffects) {
  Value* w = b.program.parameter(fed);
  Value* written = toy::exp(w);
  b.program.find_parameter(w)->result = written;
  const auto kept = b.hold(toy::sin(x));
  const auto gone = b.hold(toy::cos(x));
  const auto input = b.hold(x);
  prune(b.program, Values{kept->value});
  EXPECT_THAT(b.names(), ElementsAre("exp", "sin"));
  EXPECT_EQ(gone->value, nullptr);
  EXPECT_EQ(input->value, x);
  EXPECT_NE(kept->value, nullptr);
  verify(b.program);
}

TEST_F(ProgramPasses, PruneTakesUnusedVariablesResultsAndStacks) {
  Value* y = b.scalar("y");
  Op& loop = b.repeat(3, {y, y, new_list(list_of(y->type))}, [&](Value* i, const Values& v) {
    return Values{toy::add(v[0], i), toy::sin(v[1]), Running::append(kPush, {v[2], v[1]})};
  });
  Op& branch = b.cond(
      toy::less_than(y, toy::number(0)), [&] { return Values{toy::exp(y), toy::negative(y)}; },
      [&] { return Values{y, result(loop, 1)}; });
  const auto stack = b.hold(result(loop, 3));
  Value* out = result(branch, 1);
  const double before = b.value({fed, number_of(2)}, out);
  prune(b.program, Values{out});
  verify(b.program);
  EXPECT_EQ(loop.results.size(), 2u);
  EXPECT_EQ(loop.inputs.size(), 2u);
  EXPECT_EQ(branch.results.size(), 1u);
  EXPECT_EQ(b.count("sin") + b.count("list_push") + b.count("exp"), 0u);
  EXPECT_EQ(stack->value, nullptr);
  EXPECT_EQ(b.value({fed, number_of(2)}, out), before);
}

TEST_F(ProgramPasses, PruneKeepsAWriteThatIsReadLater) {
  Index index{IndexItem::number(0)};
  Value* y = Running::mark(toy::set_item(x, toy::number(7), index));
  Value* z = toy::slice(y, index);
  prune(b.program, Values{z});
  EXPECT_EQ(test::values(b.run({fed}, {z}).fetched[0])[0], 7);
}

// --- clean_up.

TEST_F(ProgramPasses, CleanUpFoldsConstants) {
  Value* two = toy::full(Numbers({3}), 2.0, DType::kFloat64);
  const auto held = b.hold(toy::add(toy::multiply(two, two), toy::number(1)));
  const Tensor plain = b.run({fed}, {held->value}).fetched[0];
  clean_up(b.program);
  verify(b.program);
  EXPECT_THAT(b.names(), ElementsAre("constant"));
  EXPECT_TRUE(same_bits(b.run({fed}, {held->value}).fetched[0], plain));
}

TEST_F(ProgramPasses, CleanUpMakesKnownMetadataAttributes) {
  Value* n = Builder::current()
                 .append(kMetadata, {x}, {std::string("numel"), std::int64_t{0}}, {1})
                 .results[0]
                 .get();
  const auto held = b.hold(toy::scale(x, Number(n) * Number(2), 1));
  const Tensor plain = b.run({fed}, {held->value}).fetched[0];
  clean_up(b.program);
  verify(b.program);
  EXPECT_THAT(b.names(), ElementsAre("scale"));
  EXPECT_TRUE(same_bits(b.run({fed}, {held->value}).fetched[0], plain));
}

TEST_F(ProgramPasses, CleanUpMergesEqualOps) {
  const auto sum = b.hold(toy::add(toy::sin(x), toy::sin(x)));
  clean_up(b.program);
  EXPECT_THAT(b.names(), ElementsAre("sin", "add"));
  EXPECT_EQ(sum->value->op->inputs[0], sum->value->op->inputs[1]);
  verify(b.program);
}

TEST_F(ProgramPasses, CleanUpDoesNotMergeWhatDiffers) {
  Value* random = toy::add(toy::uniform(Numbers({3}), 0, 1), toy::uniform(Numbers({3}), 0, 1));
  Value* scaled = toy::add(toy::scale(x, 1.0, 2.0), toy::scale(x, 1.0, -2.0));
  Value* y = toy::sin(x);
  Value* marked_ones = toy::add(Running::mark(toy::tanh(y)), Running::mark(toy::tanh(y)));
  const auto a = b.hold(random);
  const auto c = b.hold(scaled);
  const auto d = b.hold(marked_ones);
  const auto e = b.hold(toy::cos(x));  // a gradient asked for one is not that for both
  const auto f = b.hold(toy::cos(x));
  clean_up(b.program);
  EXPECT_EQ(b.count("uniform"), 2u);
  EXPECT_EQ(b.count("scale"), 2u);
  EXPECT_EQ(b.count("tanh_"), 2u);
  EXPECT_EQ(b.count("cos"), 2u);
}

TEST_F(ProgramPasses, CleanUpDoesNotMergeAcrossBranches) {
  Op& op = b.cond(
      toy::less_than(toy::sum(x), toy::number(0)), [&] { return Values{toy::add(toy::sin(x), x)}; },
      [&] { return Values{toy::sin(x)}; });
  Value* after = toy::add(toy::sin(x), result(op));
  const auto held = b.hold(after);
  clean_up(b.program);
  verify(b.program);
  EXPECT_EQ(b.count("sin"), 3u);
}

TEST_F(ProgramPasses, CleanUpKeepsHandlesAndEffects) {
  Value* w = b.program.parameter(fed);
  b.program.find_parameter(w)->result = toy::exp(w);
  const auto held = b.hold(toy::sin(x));
  {
    const auto let_go = b.hold(toy::cos(x));
  }
  clean_up(b.program);
  EXPECT_THAT(b.names(), ElementsAre("exp", "sin"));
  EXPECT_NE(held->value, nullptr);
}

// --- In any order.

// A program with everything; results are held.
struct Mixed : Running {
  Value* x = input("x", tensor_type(DType::kFloat64, {4}), false);
  Value* n = input("n", tensor_type(DType::kFloat64, {}));
  Tensor weight = test::leaf({0.1, 0.2, 0.3, 0.4});
  std::vector<Handle> held;

  Mixed() {
    Value* w = program.parameter(weight);
    Value* y = mark(
        toy::tanh(toy::multiply(toy::multiply(x, w), toy::add(toy::number(1), toy::number(2)))));
    Op& op = loop(
        {toy::full(Numbers({}), 0.0, DType::kFloat64), y, y, new_list(list_of(y->type))},
        [&](const Values& v) { return toy::less_than(v[0], n); },
        [&](const Values& v) {
          Op& choice = cond(
              toy::less_than(toy::sum(v[1]), toy::number(1.5)),
              [&] { return Values{mark(toy::add(toy::sin(v[1]), w)), v[2]}; },
              [&] { return Values{toy::multiply(v[1], y), toy::sin(toy::sin(x))}; });
          return Values{toy::add(v[0], toy::number(1)), result(choice), result(choice, 1),
                        append(kPush, {v[3], result(choice)})};
        });
    Value* out = toy::add(toy::sum(result(op, 1)),
                          toy::sum(toy::mean(toy::sin(append(kStack, {result(op, 3)})))));
    held = {hold(out)};
    const std::vector<Value*> gradients = program::gradients(Values{out}, Values{x, w}, Values{});
    for (Value* gradient : gradients) held.push_back(hold(gradient));
    program.find_parameter(w)->result = toy::sgd(w, gradients[1], toy::number(0.1));
    held.push_back(hold(program.find_parameter(w)->result));
  }
  Values fetch() const {
    Values values;
    for (const Handle& handle : held) values.push_back(handle->value);
    return values;
  }
  std::vector<Tensor> all() {
    std::vector<Tensor> got;
    for (const double trips : {1., 4.}) {
      for (Tensor& tensor : run({constant({1, -2, 3, 0.5}), number_of(trips)}, fetch()).fetched)
        got.push_back(tensor);
    }
    got.push_back(weight);
    return got;
  }
};

TEST(ProgramPassOrders, ResultsStayEqualToTheLastBit) {
  Mixed reference;
  const std::vector<Tensor> expected = reference.all();
  std::vector<int> order = {0, 1, 2, 3, 3};
  do {
    Mixed p;
    for (const int pass : order) {
      if (pass == 0) functionalize(p.program);
      if (pass == 1) apply_inplace(p.program, p.fetch());
      if (pass == 2) prune(p.program, p.fetch());
      if (pass == 3) clean_up(p.program);
      verify(p.program);
    }
    const std::vector<Tensor> got = p.all();
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(same_bits(got[i], expected[i])) << i;
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace oploom::program
