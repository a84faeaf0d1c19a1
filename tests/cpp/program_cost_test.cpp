#include <gmock/gmock.h>

#include <cmath>

#include "generated/program.h"
#include "runtime/program/gradients.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// What long loops and chains cost, in counts: ops of the program, entries of lists that were
// handled beyond those that a trip writes and reads, bytes at the fullest. Each must grow with the
// number of trips, and no faster.
namespace oploom::program {
namespace {

constexpr std::int64_t kRow = 16;  // larger than what a storage holds itself, so that bytes count

struct Costs {
  std::int64_t ops = 0;
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  double value = 0;
};

Value* own(const OpDef& def, Values inputs) { return Building::append(def, std::move(inputs)); }

Tensor row_of(double value) { return test::constant(std::vector<double>(kRow, value)); }

// The order-th derivative of y by x, summed up in the end.
Costs costs_of(Building& b, Value* y, Value* x, int order, const std::vector<Tensor>& feeds) {
  for (int i = 0; i < order; ++i) y = ops::sum(gradients(Values{y}, Values{x}, {})[0]);
  verify(b.program);
  Costs costs;
  for_each_op(b.program.main, [&costs](const Op&) { ++costs.ops; });
  const RunResult got = run(b.program, feeds, Values{y});
  costs.entries = got.list_entries;
  costs.bytes = got.peak_bytes;
  costs.value = test::values(got.fetched[0])[0];
  return costs;
}

// mem[i + 1] = mem[i] + x from mem[0] = 0, then the mean of sin(mem).
Costs rows_written(std::int64_t trips, int order) {
  Building b;
  Value* x = b.input("x", tensor_type(DType::kFloat64, {kRow}), false);
  Value* start = own(kPush, {new_list(list_of(x->type)), ops::zeros({kRow}, DType::kFloat64)});
  const Op& loop = b.loop(
      {ops::full({}, 0, DType::kInt64), start},
      [&](const Values& v) { return ops::less_than(v[0], trips); },
      [&](const Values& v) {
        Value* next = ops::add(v[0], 1);
        return Values{next, own(kPut, {v[1], next, ops::add(own(kAt, {v[1], v[0]}), x)})};
      });
  Value* mean = ops::mean(ops::sin(own(kStack, {loop.results[1].get()})));
  return costs_of(b, mean, x, order, {row_of(0.001)});
}

// The sum over the rows of k^order times the order-th derivative of sin.
double of_rows(std::int64_t trips, int order) {
  double sum = 0;
  for (std::int64_t k = 0; k <= trips; ++k) {
    const auto n = static_cast<double>(k);
    sum += std::pow(n, order) * std::sin(0.001 * n + order * std::acos(0.0));
  }
  return sum / static_cast<double>(trips + 1);
}

// s = s * w, trips times: each trip keeps s for the gradient.
Costs scalars_kept(std::int64_t trips, int order) {
  Building b;
  Value* w = b.input("w", tensor_type(DType::kFloat64, {}), false);
  const Op& loop = b.loop(
      {ops::full({}, 0, DType::kInt64), ops::full({}, 1.0, DType::kFloat64)},
      [&](const Values& v) { return ops::less_than(v[0], trips); },
      [&](const Values& v) { return Values{ops::add(v[0], 1), ops::multiply(v[1], w)}; });
  return costs_of(b, loop.results[1].get(), w, order, {test::constant(Dims(), {1.0})});
}

template <typename F>
void expect_linear(F&& costs, std::int64_t trips) {
  const Costs once = costs(trips);
  const Costs twice = costs(2 * trips);
  EXPECT_EQ(twice.ops, once.ops);
  EXPECT_LE(twice.entries, 2 * once.entries + 100);
  EXPECT_LE(twice.bytes, 2 * once.bytes + 10'000);
}

TEST(ProgramCost, RowsWrittenInALoopAreLinearToSecondOrder) {
  for (const int order : {0, 1, 2}) {
    SCOPED_TRACE(order);
    expect_linear([&](std::int64_t trips) { return rows_written(trips, order); }, 500);
    const Costs many = rows_written(10'000, order);
    EXPECT_LE(many.entries, 20 * 10'000);
    EXPECT_LE(many.bytes, 20 * 10'000 * kRow * 8);
    const double expected = of_rows(10'000, order);
    EXPECT_NEAR(many.value, expected, 1e-9 * std::max(1.0, std::abs(expected)));
  }
}

TEST(ProgramCost, AScalarKeptByEachTripIsLinearToSecondOrder) {
  constexpr double kTrips = 100'000;
  for (const int order : {0, 1, 2}) {
    SCOPED_TRACE(order);
    expect_linear([&](std::int64_t trips) { return scalars_kept(trips, order); }, 500);
    const Costs many = scalars_kept(100'000, order);
    EXPECT_LE(many.entries, 5 * 100'000);
    const double expected = order == 0 ? 1 : order == 1 ? kTrips : kTrips * (kTrips - 1);
    EXPECT_NEAR(many.value, expected, 1e-9 * expected);
  }
}

TEST(ProgramCost, AChainGetsAsManyOpsAsItHas) {
  Building b;
  Value* x = b.input("x", tensor_type(DType::kFloat64, {}), false);
  Value* y = x;
  for (int i = 0; i < 50'000; ++i) y = ops::tanh(y);
  const std::size_t before = b.program.main.ops.size();
  gradients(Values{y}, Values{x}, {});
  EXPECT_EQ(b.program.main.ops.size() - before, 50'001U);
}

}  // namespace
}  // namespace oploom::program
