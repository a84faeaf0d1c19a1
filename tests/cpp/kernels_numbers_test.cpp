// Kernels of the families reduction, linalg, loss and optimizer.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/cpp/kernel_testing.h"

namespace oploom {
namespace {

using namespace test::kernel;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// Small numbers that repeat with a long period.
double pseudo(std::int64_t i) { return static_cast<double>((i * 7919 + 13) % 101) / 50.0 - 1.0; }

template <typename T>
Tensor noise(Ints shape, std::int64_t seed) {
  Tensor x = empty(shape, dtype_of<T>);
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data<T>()[i] = static_cast<T>(pseudo(i + seed) * 10);
  return x;
}

// --- Reductions.

Tensor sum_of(const Tensor& x, Ints axis, Ints out_shape) {
  Tensor out = empty(out_shape, is_float(x.dtype()) ? x.dtype() : DType::kInt64);
  kernels::sum(x, axis, false, out);
  return out;
}

TEST(Sum, OverEachKindOfAxes) {
  const Tensor x = counting({2, 3, 2});
  EXPECT_THAT(values(sum_of(x, {}, {})), ElementsAre(78));
  EXPECT_THAT(values(sum_of(x, {0}, {3, 2})), ElementsAre(8, 10, 12, 14, 16, 18));
  EXPECT_THAT(values(sum_of(x, {1}, {2, 2})), ElementsAre(9, 12, 27, 30));
  EXPECT_THAT(values(sum_of(x, {2}, {2, 3})), ElementsAre(3, 7, 11, 15, 19, 23));
  EXPECT_THAT(values(sum_of(x, {0, 2}, {3})), ElementsAre(18, 26, 34));
  EXPECT_THAT(values(sum_of(x, {0, 1}, {2})), ElementsAre(36, 42));
}

TEST(Sum, OfIntegersAndBoolIsInt64) {
  EXPECT_THAT(values<std::int64_t>(sum_of(of<std::uint8_t>({2}, {200, 100}), {}, {})),
              ElementsAre(300));
  EXPECT_THAT(values<std::int64_t>(sum_of(of<std::int32_t>({2}, {INT32_MAX, 1}), {}, {})),
              ElementsAre(std::int64_t{INT32_MAX} + 1));
  EXPECT_THAT(values<std::int64_t>(sum_of(ints({2}, {INT64_MAX, 1}), {}, {})),
              ElementsAre(INT64_MIN));
  Tensor mask = empty({40}, DType::kBool);
  for (int i = 0; i < 40; ++i) mask.data<bool>()[i] = i % 3 == 0;
  EXPECT_THAT(values<std::int64_t>(sum_of(mask, {}, {})), ElementsAre(14));
}

TEST(Sum, EmptyAndScalar) {
  EXPECT_THAT(values(sum_of(floats({}, {3}), {}, {})), ElementsAre(3));
  EXPECT_THAT(values(sum_of(empty({0, 2}, DType::kFloat32), {0}, {2})), ElementsAre(0, 0));
  EXPECT_THAT(values(sum_of(empty({0, 2}, DType::kFloat32), {1}, {0})), ElementsAre());
  EXPECT_THAT(values(sum_of(empty({0}, DType::kFloat32), {}, {})), ElementsAre(0));
}

TEST(Sum, OfManyFloatsIsAccurate) {
  const std::int64_t n = 10'000'000;
  Tensor x = empty({n}, DType::kFloat32);
  double expected = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    x.data<float>()[i] = static_cast<float>(pseudo(i) + 1.1);
    expected += static_cast<double>(x.data<float>()[i]);
  }
  EXPECT_NEAR(values(sum_of(x, {}, {}))[0] / expected, 1.0, 1e-7);
  const Tensor columns = alias(x, {n / 2, 2}, {2, 1}, 0);
  const std::vector<float> two = values(sum_of(columns, {0}, {2}));
  EXPECT_NEAR((static_cast<double>(two[0]) + static_cast<double>(two[1])) / expected, 1.0, 1e-6);
}

// Shapes that reach every loop: blocks, halves, tiles and what is left over.
TEST(Sum, AgreesWithPlainLoopsOnLongAxes) {
  for (const std::int64_t n : {31, 32, 33, 1024, 1025, 5000}) {
    const Tensor x = noise<double>({3, n}, n);
    std::vector<double> rows(3);
    std::vector<double> columns(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < 3; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        rows[static_cast<std::size_t>(i)] += x.data<double>()[i * n + j];
        columns[static_cast<std::size_t>(j)] += x.data<double>()[i * n + j];
      }
    }
    EXPECT_THAT(values<double>(sum_of(x, {1}, {3})),
                testing::Pointwise(testing::DoubleNear(1e-9), rows));
    EXPECT_THAT(values<double>(sum_of(x, {0}, {n})),
                testing::Pointwise(testing::DoubleNear(1e-9), columns));
  }
}

TEST(Mean, OfFloatsIntegersAndNothing) {
  Tensor out = empty({}, DType::kFloat32);
  kernels::mean(floats({4}, {1, 2, 3, 4}), {}, false, out);
  EXPECT_THAT(values(out), ElementsAre(2.5F));
  kernels::mean(ints({2}, {-3, 0}), {}, false, out);
  EXPECT_THAT(values(out), ElementsAre(-1.5F));
  kernels::mean(empty({0}, DType::kFloat32), {}, false, out);
  EXPECT_TRUE(std::isnan(values(out)[0]));
}

TEST(Max, PassesNanAndInfinity) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Tensor out = empty({3}, DType::kFloat32);
  kernels::max(floats({3, 3}, {1, nan, 3, -inf, -inf, -inf, 5, 7, 6}), {1}, false, out);
  EXPECT_TRUE(std::isnan(values(out)[0]));
  EXPECT_EQ(values(out)[1], -inf);
  EXPECT_EQ(values(out)[2], 7);
  // The NaN must survive what comes behind it in its lane.
  std::vector<float> many(100, 1.0F);
  many[3] = nan;
  Tensor one = empty({}, DType::kFloat32);
  kernels::max(floats({100}, many), {}, false, one);
  EXPECT_TRUE(std::isnan(values(one)[0]));
}

TEST(Max, OfIntegersAndColumns) {
  Tensor out = empty({2}, DType::kInt64);
  kernels::max(ints({2, 2}, {INT64_MIN, 4, -7, INT64_MAX}), {0}, false, out);
  EXPECT_THAT(values<std::int64_t>(out), ElementsAre(-7, INT64_MAX));
}

TEST(Max, OfNothingIsRefusedWithTheAxis) {
  const Error error = error_of([] {
    kernels::check_max("max", empty({2, 0}, DType::kFloat32), {1}, false);
  });
  EXPECT_EQ(error.kind(), ErrorKind::kArgument);
  EXPECT_THAT(error.what(), HasSubstr("[max] x: expected at least one element on axis 1"));
  kernels::check_max("max", empty({2, 0}, DType::kFloat32), {0}, false);  // an empty result is fine
  EXPECT_EQ(
      error_of([] { kernels::check_max("max", empty({0}, DType::kFloat32), {}, false); }).kind(),
      ErrorKind::kArgument);
}

TEST(Max, TiesShareTheGradient) {
  const Tensor x = floats({2, 3}, {1, 4, 4, 0, -1, -2});
  const Tensor out = floats({2}, {4, 0});
  Tensor x_grad = empty({2, 3}, DType::kFloat32);
  kernels::max_grad(x, out, floats({2}, {6, 5}), {1}, false, x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(0, 3, 3, 5, 0, 0));
  Tensor picked = empty({2}, DType::kFloat32);
  kernels::max_pick(x, out, floats({2, 3}, {9, 2, 4, 7, 9, 9}), {1}, false, picked);
  EXPECT_THAT(values(picked), ElementsAre(3, 7));
}

TEST(SumTo, UndoesBroadcasting) {
  const auto summed = [](const Tensor& x, Ints shape) {
    Tensor out = empty(shape, x.dtype());
    kernels::sum_to(x, shape, out);
    return values(out);
  };
  const Tensor x = counting({2, 3});
  EXPECT_THAT(summed(x, {3}), ElementsAre(5, 7, 9));
  EXPECT_THAT(summed(x, {2, 1}), ElementsAre(6, 15));
  EXPECT_THAT(summed(x, {}), ElementsAre(21));
  EXPECT_THAT(summed(x, {1, 1, 3}), ElementsAre(5, 7, 9));
  EXPECT_THAT(summed(empty({0, 3}, DType::kFloat32), {3}), ElementsAre(0, 0, 0));
}

// --- Matrix products.

template <typename T>
std::vector<T> product(const Tensor& x, const Tensor& y, bool tx, bool ty, Ints out_shape) {
  Tensor out = empty(out_shape, dtype_of<T>);
  for (std::int64_t i = 0; i < out.numel(); ++i) out.data<T>()[i] = T(77);  // must be overwritten
  kernels::matmul(x, y, tx, ty, out);
  return values<T>(out);
}

// x of [m, k] or its transpose, y of [k, n] or its transpose.
template <typename T>
std::vector<T> plain_product(const Tensor& x, const Tensor& y, bool tx, bool ty, std::int64_t m,
                             std::int64_t n, std::int64_t k) {
  const std::vector<T> a = values<T>(x);
  const std::vector<T> b = values<T>(y);
  std::vector<T> out(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum = static_cast<T>(sum + a[static_cast<std::size_t>(tx ? l * m + i : i * k + l)] *
                                       b[static_cast<std::size_t>(ty ? j * k + l : l * n + j)]);
      }
      out[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return out;
}

template <typename T>
void check_products(std::int64_t m, std::int64_t n, std::int64_t k) {
  for (const bool tx : {false, true}) {
    for (const bool ty : {false, true}) {
      const Tensor x = noise<T>(tx ? Ints{k, m} : Ints{m, k}, 1);
      const Tensor y = noise<T>(ty ? Ints{n, k} : Ints{k, n}, 2);
      const std::vector<T> expected = plain_product<T>(x, y, tx, ty, m, n, k);
      EXPECT_THAT(product<T>(x, y, tx, ty, {m, n}),
                  testing::Pointwise(testing::FloatNear(1e-2F), expected))
          << m << ' ' << n << ' ' << k << ' ' << tx << ty;
      // The same elements through other strides: no copy where the library can read them.
      const Tensor turned = alias(x, {x.size(1), x.size(0)}, {1, x.size(1)}, 0);
      EXPECT_THAT(product<T>(turned, y, !tx, ty, {m, n}),
                  testing::Pointwise(testing::FloatNear(1e-2F), expected));
    }
  }
}

TEST(Matmul, AllLayoutsAndSizes) {
  for (const auto& [m, n, k] : {std::array{1, 1, 1},
                                {2, 3, 4},
                                {1, 30, 20},
                                {30, 1, 20},
                                {1, 1, 90},
                                {17, 19, 23},
                                {5, 40, 1}}) {
    check_products<float>(m, n, k);
    check_products<double>(m, n, k);
    check_products<std::int32_t>(m, n, k);
    check_products<std::int64_t>(m, n, k);
  }
}

TEST(Matmul, VectorsAndBatches) {
  const Tensor v = floats({2}, {1, 10});
  const Tensor m = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(product<float>(v, v, false, false, {}), ElementsAre(101));
  EXPECT_THAT(product<float>(v, m, false, false, {2}), ElementsAre(31, 42));
  EXPECT_THAT(product<float>(m, v, false, false, {2}), ElementsAre(21, 43));
  EXPECT_THAT(product<float>(m, v, true, true, {2}), ElementsAre(31, 42));
  const Tensor batch = counting({2, 1, 2, 2});  // [[1, 2], [3, 4]] and [[5, 6], [7, 8]]
  const Tensor others = floats({3, 2, 1}, {1, 0, 0, 1, 1, 1});
  EXPECT_THAT(product<float>(batch, others, false, false, {2, 3, 2, 1}),
              ElementsAre(1, 3, 2, 4, 3, 7, 5, 7, 6, 8, 11, 15));
  EXPECT_THAT(product<float>(batch, v, false, false, {2, 1, 2}), ElementsAre(21, 43, 65, 87));
  // One matrix for a batch of rows is one product.
  const Tensor rows = noise<float>({4, 5, 6}, 3);
  const Tensor weights = noise<float>({6, 7}, 4);
  const Tensor flat = alias(rows, {20, 6}, {6, 1}, 0);
  EXPECT_EQ(product<float>(rows, weights, false, false, {4, 5, 7}),
            product<float>(flat, weights, false, false, {20, 7}));
}

TEST(Matmul, StridesThatTheLibraryCannotRead) {
  const Tensor x = noise<float>({20, 20}, 5);
  const Tensor every_other = alias(x, {10, 10}, {40, 2}, 0);
  const Tensor spread = alias(x, {10, 10}, {0, 1}, 0);
  const Tensor vector = alias(x, {10}, {0}, 3);
  const Tensor y = noise<float>({10, 10}, 6);
  for (const Tensor& left : {every_other, spread}) {
    EXPECT_THAT(product<float>(left, y, false, false, {10, 10}),
                testing::Pointwise(testing::FloatNear(1e-2F),
                                   plain_product<float>(left, y, false, false, 10, 10, 10)));
    EXPECT_THAT(product<float>(y, left, false, true, {10, 10}),
                testing::Pointwise(testing::FloatNear(1e-2F),
                                   plain_product<float>(y, left, false, true, 10, 10, 10)));
  }
  EXPECT_THAT(product<float>(y, vector, false, false, {10}),
              testing::Pointwise(testing::FloatNear(1e-2F),
                                 plain_product<float>(y, vector, false, false, 10, 1, 10)));
}

TEST(Matmul, EmptyInnerAxisGivesZeros) {
  EXPECT_THAT(product<float>(empty({2, 0}, DType::kFloat32), empty({0, 3}, DType::kFloat32), false,
                             false, {2, 3}),
              Each(0));
  EXPECT_THAT(
      product<float>(empty({0}, DType::kFloat32), empty({0}, DType::kFloat32), false, false, {}),
      ElementsAre(0));
}

TEST(Matmul, PromotesAndWraps) {
  EXPECT_THAT(product<float>(ints({1, 2}, {2, 3}), floats({2, 1}, {0.5, 1}), false, false, {1, 1}),
              ElementsAre(4));
  EXPECT_THAT(product<std::uint8_t>(of<std::uint8_t>({1, 1}, {200}), of<std::uint8_t>({1, 1}, {2}),
                                    false, false, {1, 1}),
              ElementsAre(144));
  EXPECT_THAT(product<std::int32_t>(of<std::int32_t>({1, 1}, {INT32_MAX}),
                                    of<std::int32_t>({1, 1}, {2}), false, false, {1, 1}),
              ElementsAre(-2));
}

TEST(Matmul, NanInTheOldResultDoesNotStay) {
  Tensor out = empty({50}, DType::kFloat32);
  for (int i = 0; i < 50; ++i) out.data<float>()[i] = std::numeric_limits<float>::quiet_NaN();
  kernels::matmul(noise<float>({50, 50}, 1), noise<float>({50}, 2), false, false, out);
  for (const float v : values(out)) EXPECT_FALSE(std::isnan(v));
}

// --- Cross entropy.

struct Loss {
  Tensor probabilities;
  Tensor loss;
};
Loss cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis,
                   std::string_view reduction) {
  Loss out{empty(x.shape(), x.dtype()),
           empty(reduction == "none" ? label.shape() : Ints(), x.dtype())};
  kernels::cross_entropy(x, label, axis, -100, reduction, out.probabilities, out.loss);
  return out;
}

TEST(CrossEntropy, ByHand) {
  // Two equal logits: log 2. A gap of log 3 for the label of probability 3/4: log(4/3).
  const Tensor x = of<double>({2, 2}, {5, 5, 0, std::log(3.0)});
  const std::vector<double> each =
      values<double>(cross_entropy(x, ints({2}, {0, 1}), 1, "none").loss);
  EXPECT_NEAR(each[0], std::log(2.0), 1e-12);
  EXPECT_NEAR(each[1], std::log(4.0 / 3.0), 1e-12);
  EXPECT_NEAR(values<double>(cross_entropy(x, ints({2}, {0, 1}), 1, "sum").loss)[0],
              each[0] + each[1], 1e-12);
  EXPECT_NEAR(values<double>(cross_entropy(x, ints({2}, {0, -100}), 1, "mean").loss)[0], each[0],
              1e-12);
  EXPECT_EQ(values<double>(cross_entropy(x, ints({2}, {0, -100}), 1, "none").loss)[1], 0);
  EXPECT_TRUE(
      std::isnan(values<double>(cross_entropy(x, ints({2}, {-100, -100}), 1, "mean").loss)[0]));
}

TEST(CrossEntropy, LargeLogitsAreStable) {
  const Tensor x = floats({2, 2}, {1e4F, -1e4F, -3e38F, 3e38F});
  const std::vector<float> each = values(cross_entropy(x, ints({2}, {1, 1}), 1, "none").loss);
  EXPECT_EQ(each[0], 2e4F);
  EXPECT_EQ(each[1], 0);
}

TEST(CrossEntropy, AnyAxis) {
  const Tensor x = noise<double>({2, 3, 4}, 9);
  const Tensor label = of<std::int32_t>({2, 4}, {0, 1, 2, 0, 2, 2, 1, 0});
  const std::vector<double> each = values<double>(cross_entropy(x, label, 1, "none").loss);
  for (std::int64_t o = 0; o < 2; ++o) {
    for (std::int64_t i = 0; i < 4; ++i) {
      const auto logit = [&](std::int64_t c) { return x.data<double>()[(o * 3 + c) * 4 + i]; };
      const double sum = std::exp(logit(0)) + std::exp(logit(1)) + std::exp(logit(2));
      const std::int64_t right = label.data<std::int32_t>()[o * 4 + i];
      EXPECT_NEAR(each[static_cast<std::size_t>(o * 4 + i)], std::log(sum) - logit(right), 1e-9);
    }
  }
}

TEST(CrossEntropy, GradientsByHand) {
  const Tensor p = floats({3, 2}, {0.25F, 0.75F, 0.5F, 0.5F, 0.125F, 0.875F});
  const Tensor label = ints({3}, {1, -100, 0});
  Tensor x_grad = empty({3, 2}, DType::kFloat32);
  kernels::cross_entropy_grad(p, label, floats({}, {4}), 1, -100, "mean", x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(0.5F, -0.5F, 0, 0, -1.75F, 1.75F));
  kernels::cross_entropy_grad(p, label, floats({3}, {4, 9, 8}), 1, -100, "none", x_grad);
  EXPECT_THAT(values(x_grad), ElementsAre(1, -1, 0, 0, -7, 7));
  Tensor weights = empty({3, 2}, DType::kFloat32);
  kernels::cross_entropy_weights(floats({}, {4}), label, {3, 2}, 1, -100, "mean", weights);
  EXPECT_THAT(values(weights), ElementsAre(2, 2, 0, 0, 2, 2));
  Tensor reduced = empty({}, DType::kFloat32);
  kernels::cross_entropy_reduce(counting({3, 2}), label, 1, -100, "mean", reduced);
  EXPECT_THAT(values(reduced), ElementsAre(7));  // (1 + 2 + 5 + 6) / 2
}

TEST(CrossEntropy, LabelsAreTested) {
  const Tensor x = empty({2, 2, 3}, DType::kFloat32);
  const auto check = [&](const Tensor& label) {
    kernels::check_cross_entropy("cross_entropy", x, label, 2, -100, "mean");
  };
  check(ints({2, 2}, {0, 2, -100, 1}));
  const Error error = error_of([&] { check(ints({2, 2}, {0, 2, 3, 1})); });
  EXPECT_EQ(error.kind(), ErrorKind::kIndex);
  EXPECT_THAT(
      error.what(),
      HasSubstr("expected classes from 0 to 2 or ignore_index -100, got 3 at position [1, 0]"));
  EXPECT_EQ(error_of([&] { check(ints({2, 2}, {0, -1, 0, 1})); }).kind(), ErrorKind::kIndex);
}

// --- Optimizers, in place as they always are.

TEST(Sgd, Step) {
  Tensor param = floats({2}, {1, 2});
  Tensor none;
  kernels::sgd_(param, of<double>({}, {0.5}), floats({2}, {2, -4}), none, false, param, none);
  EXPECT_THAT(values(param), ElementsAre(0, 4));
  Tensor master = of<double>({2}, {1, 2});
  kernels::sgd_(param, floats({1}, {0.25F}), floats({2}, {2, -4}), master, true, param, master);
  EXPECT_THAT(values(param), ElementsAre(0.5F, 3));
  EXPECT_THAT(values<double>(master), ElementsAre(0.5, 3));
}

struct Momentum {
  bool nesterov = false;
  std::string_view regularization = "";
  double coeff = 0;
  double rescale = 1;
};
std::vector<float> momentum_step(const Momentum& with, Tensor& velocity) {
  Tensor param = floats({1}, {2});
  Tensor none;
  kernels::momentum_(param, floats({1}, {3}), velocity, of<double>({}, {0.5}), none, 0.25,
                     with.nesterov, with.regularization, with.coeff, false, with.rescale, param,
                     velocity, none);
  return values(param);
}

TEST(Momentum, StepsByHand) {
  Tensor velocity = floats({1}, {4});
  EXPECT_THAT(momentum_step({}, velocity),
              ElementsAre(0));  // velocity 0.25 * 4 + 3 = 4; 2 - 0.5 * 4
  EXPECT_THAT(values(velocity), ElementsAre(4));
  EXPECT_THAT(momentum_step({.nesterov = true}, velocity),
              ElementsAre(0));  // 2 - 0.5 * (3 + 0.25 * 4)
  velocity = floats({1}, {4});
  // Gradient 3 * 2 + 0.5 * 2 = 7, velocity 8: 2 - 4; with Nesterov 2 - 0.5 * (7 + 2).
  EXPECT_THAT(momentum_step({.regularization = "l2_decay", .coeff = 0.5, .rescale = 2}, velocity),
              ElementsAre(-2));
  EXPECT_THAT(values(velocity), ElementsAre(8));
  velocity = floats({1}, {4});
  EXPECT_THAT(
      momentum_step({.nesterov = true, .regularization = "l2_decay", .coeff = 0.5, .rescale = 2},
                    velocity),
      ElementsAre(-2.5F));
}

TEST(Momentum, MasterTakesTheStep) {
  Tensor param = floats({1}, {2});
  Tensor velocity = of<double>({1}, {4});
  Tensor master = of<double>({1}, {2 + 1e-9});
  kernels::momentum_(param, floats({1}, {3}), velocity, of<double>({}, {0.5}), master, 0.25, false,
                     "", 0, true, 1, param, velocity, master);
  EXPECT_NEAR(values<double>(master)[0], 1e-9, 1e-15);
  EXPECT_EQ(values(param)[0], static_cast<float>(values<double>(master)[0]));
}

TEST(Momentum, ArgumentsAreTested) {
  const Tensor param = counting({2});
  const Tensor rate = of<double>({}, {0.1});
  const auto check = [&](const Tensor& grad, const Tensor& velocity, const Tensor& learning_rate,
                         bool multi) {
    kernels::check_momentum_("momentum_", param, grad, velocity, learning_rate, {}, 0.9, false, "",
                             0, multi, 1);
  };
  check(param, param, rate, false);
  EXPECT_THAT(error_of([&] { check(counting({3}), param, rate, false); }).what(),
              HasSubstr("[momentum_] grad: expected param's shape [2], got [3]"));
  EXPECT_EQ(error_of([&] {
              check(param, of<double>({2}, {1, 2}), rate, false);
            }).kind(),
            ErrorKind::kType);
  EXPECT_THAT(error_of([&] { check(param, param, counting({2}), false); }).what(),
              HasSubstr("expected one number"));
  EXPECT_THAT(error_of([&] { check(param, param, rate, true); }).what(),
              HasSubstr("master_param: expected a tensor"));
}

}  // namespace
}  // namespace oploom
