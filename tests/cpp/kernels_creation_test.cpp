// New tensors, copies and draws.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "runtime/kernels/generator.h"
#include "tests/cpp/kernel_testing.h"

namespace oploom {
namespace {

using test::error_of;
using test::kernel::of;
using test::kernel::values;

template <typename T>
std::vector<T> range(Scalar start, std::optional<Scalar> end, Scalar step,
                     std::optional<DType> dtype = {}) {
  kernels::check_arange("arange", start, end, step, dtype);
  const Tensor out = kernels::arange(start, end, step, dtype);
  EXPECT_EQ(out.dtype(), dtype_of<T>);
  return values<T>(out);
}

TEST(CreationKernels, Arange) {
  using Int = std::vector<std::int64_t>;
  EXPECT_EQ(range<std::int64_t>(4, {}, 1), (Int{0, 1, 2, 3}));
  EXPECT_EQ(range<std::int64_t>(2, Scalar(9), 3), (Int{2, 5, 8}));
  EXPECT_EQ(range<std::int64_t>(2, Scalar(8), 3), (Int{2, 5}));
  EXPECT_EQ(range<std::int64_t>(9, Scalar(2), -3), (Int{9, 6, 3}));
  EXPECT_EQ(range<std::int64_t>(9, Scalar(2), 3), (Int{}));
  EXPECT_EQ(range<float>(0, Scalar(1), 0.25), (std::vector<float>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(range<double>(3, {}, 1, DType::kFloat64), (std::vector<double>{0, 1, 2}));
  constexpr std::int64_t kHigh = INT64_MAX;
  EXPECT_EQ(range<std::int64_t>(kHigh - 2, Scalar(kHigh), 1), (Int{kHigh - 2, kHigh - 1}));
  EXPECT_EQ(range<std::int64_t>(INT64_MIN, Scalar(kHigh), kHigh), (Int{INT64_MIN, -1, kHigh - 1}));
}

TEST(CreationKernels, ArangeRefuses) {
  const auto kind = [](Scalar start, Scalar end, Scalar step) {
    return error_of([&] { kernels::check_arange("arange", start, end, step, {}); }).kind();
  };
  EXPECT_EQ(kind(0, 5, 0), ErrorKind::kArgument);
  EXPECT_EQ(kind(0, INFINITY, 1), ErrorKind::kArgument);
  EXPECT_EQ(kind(0.0, 1e300, 1e-5), ErrorKind::kMemory);
  EXPECT_EQ(kind(INT64_MIN, INT64_MAX, 1), ErrorKind::kMemory);
}

TEST(CreationKernels, FillRefusesWhatDoesNotFit) {
  const auto refused = [](DType dtype, Scalar value) {
    const Tensor x = empty({2}, dtype);
    return error_of([&] { kernels::check_fill("fill_", x, value); }).kind() == ErrorKind::kType;
  };
  EXPECT_FALSE(refused(DType::kFloat32, NAN));
  EXPECT_FALSE(refused(DType::kInt32, 2.0));
  EXPECT_TRUE(refused(DType::kInt32, 2.5));
  EXPECT_TRUE(refused(DType::kInt64, INFINITY));
  EXPECT_FALSE(refused(DType::kBool, 1));
  EXPECT_TRUE(refused(DType::kBool, 2));
}

TEST(CreationKernels, FillWritesAStridedPartOnly) {
  Tensor x = of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor column = alias(x, {2}, {3}, 1);
  kernels::fill(9, column);
  EXPECT_EQ(values(x), (std::vector<float>{1, 9, 3, 4, 9, 6}));
}

TEST(CreationKernels, CastCutsAndClamps) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor x = of<float>({6}, {1.9F, -1.9F, NAN, 3e9F, inf, -inf});
  Tensor ints = empty({6}, DType::kInt64);
  kernels::cast(x, DType::kInt64, ints);
  EXPECT_EQ(values<std::int64_t>(ints),
            (std::vector<std::int64_t>{1, -1, 0, 3000000000, INT64_MAX, INT64_MIN}));
  Tensor bools = empty({6}, DType::kBool);
  kernels::cast(x, DType::kBool, bools);
  for (const bool value : values<bool>(bools)) EXPECT_TRUE(value);
}

TEST(RandomKernels, SeedRepeatsAndCallsDiffer) {
  const auto draw = [](std::int64_t n) {
    Tensor out = empty({n}, DType::kFloat32);
    kernels::rand({}, {}, out);
    return values(out);
  };
  seed(5);
  const std::vector<float> first = draw(10);
  const std::vector<float> second = draw(10);
  seed(5);
  EXPECT_EQ(draw(10), first);
  EXPECT_EQ(draw(10), second);
  EXPECT_NE(first, second);
  // A longer call begins as a shorter one does.
  seed(5);
  const std::vector<float> longer = draw(1000);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), longer.begin()));
  EXPECT_EQ(std::set<float>(longer.begin(), longer.end()).size(), longer.size());
  // A seed of a call's own gives other numbers than the process's same seed.
  Tensor own = empty({10}, DType::kFloat32);
  kernels::uniform_(0, 1, 5, 0, 0, 1, own);
  EXPECT_NE(values(own), first);
}

TEST(RandomKernels, UniformStaysInside) {
  for (const double width : {1e-7, 3.0, 1e30}) {
    Tensor out = empty({20000}, DType::kFloat32);
    kernels::uniform_(1, 1 + width, 3, 0, 0, 1, out);
    for (const float value : values(out)) {
      ASSERT_GE(value, 1);
      if (width > 1e-6) {
        ASSERT_LT(value, static_cast<float>(1 + width));
      }
    }
  }
}

TEST(RandomKernels, StridesDoNotChangeTheDraws) {
  Tensor dense = empty({5, 4}, DType::kFloat64);
  Tensor turned = alias(empty({20}, DType::kFloat64), {5, 4}, {1, 5}, 0);
  kernels::normal_(1, 2, 9, dense);
  kernels::normal_(1, 2, 9, turned);
  EXPECT_EQ(values<double>(dense), values<double>(turned));
}

TEST(RandomKernels, NormalMoments) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    constexpr std::int64_t kCount = 100000;
    Tensor out = empty({kCount}, dtype);
    kernels::normal_(0, 1, 4, out);
    double sums[5] = {};
    for (const double z : values<double>(prepared(out, DType::kFloat64))) {
      for (int power = 1; power <= 4; ++power) sums[power] += std::pow(z, power) / kCount;
    }
    EXPECT_NEAR(sums[1], 0, 0.02);
    EXPECT_NEAR(sums[2], 1, 0.03);
    EXPECT_NEAR(sums[3], 0, 0.08);
    EXPECT_NEAR(sums[4], 3, 0.2);
  }
}

TEST(RandomKernels, DiagonalIsSet) {
  Tensor out = empty({10}, DType::kFloat32);
  kernels::check_uniform_("uniform_", out, 0, 1, 0, 3, 3, 9);
  kernels::uniform_(0, 1, 0, 3, 3, 9, out);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(out.data<float>()[i] == 9, i % 4 == 0 && i < 9);
  EXPECT_EQ(error_of([&] { kernels::check_uniform_("uniform_", out, 0, 1, 0, 4, 3, 9); }).kind(),
            ErrorKind::kArgument);
  EXPECT_EQ(error_of([&] { kernels::check_uniform_("uniform_", out, 2, 1, 0, 0, 0, 9); }).kind(),
            ErrorKind::kArgument);
  EXPECT_EQ(error_of([&] { kernels::check_normal_("normal_", out, 0, -1, 0); }).kind(),
            ErrorKind::kArgument);
}

}  // namespace
}  // namespace oploom
