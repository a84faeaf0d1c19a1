#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/program/control.h"
#include "tests/cpp/program_eval.h"
#include "tests/cpp/program_toy_ops.h"

// Differentiation through lists. Numbers in brackets are cases of the specification.
namespace oploom::program {
namespace {

using namespace toy;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

class ListGradients : public ::testing::TestWithParam<GradOrder> {
 protected:
  ListGradients() { b.options.order = GetParam(); }

  static Value* own(const OpDef& def, std::vector<Value*> inputs) {
    return Builder::current().append(def, std::move(inputs), {}).results[0].get();
  }
  static Value* empty_list() { return new_list(open_list()); }
  static Value* put(Value* list, Value* i, Value* x) { return own(kPut, {list, i, x}); }
  static Value* push(Value* list, Value* x) { return own(kPush, {list, x}); }
  static Value* at(Value* list, Value* i) { return own(kAt, {list, i}); }
  // mem[i + 1] = mem[i] + x, from mem[0] = start; the mean over all entries.
  Value* running_sums(std::int64_t trips, Value* x, Value* start) {
    Value* list = put(empty_list(), b.whole(0), start);
    Value* all = b.loop({b.whole(0), list},
                        [&](const Values& v) { return less_than(v[0], operand(trips)); },
                        [&](const Values& v) {
                          Value* next = add(v[0], operand(1));
                          return Values{next, put(v[1], next, add(at(v[1], v[0]), x))};
                        },
                        {tensor_type(DType::kInt64, {}), list_of(start->type)})[1];
    return mean(own(kStack, {all}));
  }

  Bench b;
};
INSTANTIATE_TEST_SUITE_P(BothOrders, ListGradients, ::testing::Values(GradOrder::kProgram, GradOrder::kReady));

TEST_P(ListGradients, OfWritesAndReads) {  // (36)
  Value* list = empty_list();
  Values inputs;
  Value* out = b.constant(0);
  for (int i = 0; i < 3; ++i) {
    inputs.push_back(b.input({0.1 * i, 1.0, -2.0 * i, 3.0}));
    list = put(list, b.whole(i), inputs.back());
    out = add(out, mean(inputs.back()));
  }
  for (int i = 0; i < 3; ++i) out = add(out, mean(at(list, b.whole(i))));
  double total = 0;
  for (Value* gradient : b.grad({scale(out, 1.0 / 6, 0)}, inputs)) {
    for (const double entry : b.values(gradient)) total += entry;
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST_P(ListGradients, OfConcatAndStack) {  // (37)
  Value* x = b.input({1, 2, 3, 4}, {1, 4}, {1, 4});
  Value* y = b.input({5, 6, 7, 8}, {1, 4}, {1, 4});
  Value* list = push(push(empty_list(), x), y);
  for (const OpDef* def : {&kConcatList, &kStack}) {
    for (Value* gradient : b.grad({mean(own(*def, {list}))}, {x, y})) {
      EXPECT_THAT(b.values(gradient), ElementsAre(0.125, 0.125, 0.125, 0.125));
    }
  }
}

TEST_P(ListGradients, OfARecurrence) {  // (38)
  Value* x = b.input({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  Value* start = b.input(std::vector<double>(10, 0.5));
  Value* list = put(empty_list(), b.whole(0), start);
  Value* all = b.loop({b.whole(0), list}, [&](const Values& v) { return less_than(v[0], operand(3)); },
                      [&](const Values& v) {
                        Value* next = add(v[0], operand(1));
                        return Values{next, put(v[1], next, add(at(v[1], v[0]), x))};
                      })[1];
  Value* out = mean(at(all, b.whole(3)));
  const Values found = b.grad({out}, {x, start});
  EXPECT_EQ(b.value(out), 3.5);
  EXPECT_THAT(b.values(found[0]), Each(::testing::DoubleEq(0.3)));
  EXPECT_THAT(b.values(found[1]), Each(::testing::DoubleEq(0.1)));
}

TEST_P(ListGradients, OfOverwrittenEntries) {  // (39)
  Value* x = b.input(2);
  Value* y = b.input(3);
  Value* zero = b.whole(0);
  Value* first = put(empty_list(), zero, x);
  Value* r = multiply(number(3), at(first, zero));
  Value* second = put(first, zero, y);
  Value* s = multiply(number(5), at(second, zero));
  EXPECT_EQ(b.gradients_of(add(r, s), {x, y}), (std::vector<double>{3, 5}));
  EXPECT_EQ(b.gradients_of(s, {x, y}), (std::vector<double>{0, 5}));
}

TEST_P(ListGradients, OfReadsInBranchesAndLoops) {
  Value* x = b.input(0.6);
  Value* y = b.input(1.7);
  Value* list = push(push(push(empty_list(), x), y), multiply(x, y));
  Value* end = b.loop({b.whole(0), x}, [&](const Values& v) { return less_than(v[0], operand(3)); },
                      [&](const Values& v) {
                        Value* read = b.cond(greater_than(v[1], number(1)),
                                             [&] { return Values{sin(at(list, v[0]))}; },
                                             [&] { return Values{square(at(list, b.whole(1)))}; })[0];
                        return Values{add(v[0], operand(1)), multiply(v[1], read)};
                      })[1];
  EXPECT_THAT(b.gradients_of(end, {x, y}), Pointwise(::testing::DoubleNear(1e-7), b.differences(end, {x, y})));
  Value* first = b.grad({end}, {x})[0];
  EXPECT_THAT(b.gradients_of(first, {x, y}), Pointwise(::testing::DoubleNear(1e-6), b.differences(first, {x, y})));
}

TEST_P(ListGradients, OfListsMadeInBranches) {
  Value* x = b.input(0.6);
  Value* list = b.cond(
      greater_than(x, number(0)), [&] { return Values{push(push(new_list(list_of(x->type)), x), sin(x))}; },
      [&] { return Values{push(new_list(list_of(x->type)), square(x))}; })[0];
  Value* out = sum(square(own(kStack, {list})));
  for (const double at : {0.6, -0.6}) {
    b.feed(x, at);
    EXPECT_NEAR(b.gradients_of(out, {x})[0], b.differences(out, {x})[0], 1e-7);
    Value* first = b.grad({out}, {x})[0];
    EXPECT_NEAR(b.gradients_of(first, {x})[0], b.differences(first, {x})[0], 1e-6);
  }
}

TEST_P(ListGradients, OfSecondOrderInLoops) {
  Value* x = b.input(0.3);
  Value* start = b.input(0.5);
  Value* out = exp(running_sums(4, sin(x), square(start)));
  EXPECT_THAT(b.gradients_of(out, {x, start}), Pointwise(::testing::DoubleNear(1e-7), b.differences(out, {x, start})));
  for (Value* first : b.grad({out}, {x, start})) {
    EXPECT_THAT(b.gradients_of(first, {x, start}),
                Pointwise(::testing::DoubleNear(1e-6), b.differences(first, {x, start})));
  }
}

TEST_P(ListGradients, AskForLengthsBeforeWrites) {
  // Else each write would copy the list for the later reader.
  Value* x = b.input(0.25);
  Value* out = running_sums(4, x, b.input(1));
  b.grad({out}, {x});
  const Op& loop = *out->op->inputs[0]->op->inputs[0]->op;
  const Region& body = *loop.regions[1];
  std::vector<std::string> readers;
  for (const auto& op : body.ops) {
    if (!op->inputs.empty() && op->inputs[0] == body.arguments[1].get()) readers.emplace_back(op->def->name);
  }
  EXPECT_THAT(readers, ElementsAre("list_length", "list_at", "list_put"));
}

TEST_P(ListGradients, OfALongListTakeLinearTime) {
  Value* x = b.input(0.25);
  Value* start = b.input(1);
  Value* out = running_sums(10'000, x, start);
  const Values found = b.grad({out}, {x, start});
  EXPECT_THAT(b.values_of(found), ElementsAre(::testing::DoubleNear(5000, 1e-6), ::testing::DoubleNear(1, 1e-9)));
}

}  // namespace
}  // namespace oploom::program
