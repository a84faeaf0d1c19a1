// Gradient kernels against their formulas, and softmax, on every CPU target.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tests/cpp/kernel_testing.h"
#include "tests/cpp/simd_targets.h"

namespace oploom {
namespace {

using test::on_each_target;
using test::kernel::of;
using test::kernel::values;

constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 1000};

// Numbers on both sides of 0, 0 itself among them.
template <typename T>
Tensor wave(std::int64_t size, double step) {
  Tensor x = empty({size}, dtype_of<T>);
  for (std::int64_t i = 0; i < size; ++i) {
    x.data<T>()[i] =
        i % 7 == 3 ? T(0) : static_cast<T>(2.5 * std::sin(step * static_cast<double>(i)));
  }
  return x;
}

using Binary = std::function<void(const Tensor&, const Tensor&, Tensor&)>;
struct Gradient {
  const char* name;
  Binary kernel;
  double (*exact)(double x, double grad);
};

const Gradient kGradients[] = {
    {"tanh_grad", kernels::tanh_grad, [](double out, double g) { return g * (1 - out * out); }},
    {"sigmoid_grad", kernels::sigmoid_grad,
     [](double out, double g) { return g * (out * (1 - out)); }},
    {"relu_grad", kernels::relu_grad, [](double out, double g) { return out <= 0 ? 0 : g; }},
    {"leaky_relu_grad",
     [](auto& x, auto& g, auto& out) { kernels::leaky_relu_grad(x, g, 0.25, out); },
     [](double x, double g) { return x > 0 ? g : g / 4; }},
    {"elu_grad", [](auto& x, auto& g, auto& out) { kernels::elu_grad(x, g, 0.5, out); },
     [](double x, double g) { return x > 0 ? g : g * std::exp(x) / 2; }},
    {"elu_curvature", [](auto& x, auto& g, auto& out) { kernels::elu_curvature(x, g, 0.5, out); },
     [](double x, double g) { return x > 0 ? 0 : g * std::exp(x) / 2; }},
    {"elu_out_grad", [](auto& x, auto& g, auto& out) { kernels::elu_out_grad(x, g, 0.5, out); },
     [](double out, double g) { return out > 0 ? g : g * (out + 0.5); }},
    {"clip_grad", [](auto& x, auto& g, auto& out) { kernels::clip_grad(x, g, 0, 1.5, out); },
     [](double x, double g) { return 0 <= x && x <= 1.5 ? g : 0; }},
    {"maximum_grad",
     [](auto& x, auto& g, auto& out) { kernels::maximum_grad(x, Operand(0.0), g, out); },
     [](double x, double g) { return x < 0    ? 0
                                     : x == 0 ? g / 2
                                              : g; }},
    {"minimum_grad",
     [](auto& x, auto& g, auto& out) { kernels::minimum_grad(x, Operand(0.0), g, out); },
     [](double x, double g) { return x > 0    ? 0
                                     : x == 0 ? g / 2
                                              : g; }},
};

template <typename T>
void check_gradient(const Gradient& gradient) {
  for (const std::int64_t size : kSizes) {
    const Tensor x = wave<T>(size, 0.7);
    const Tensor grad = wave<T>(size, 1.9);
    Tensor out = empty({size}, dtype_of<T>);
    gradient.kernel(x, grad, out);
    for (std::int64_t i = 0; i < size; ++i) {
      const double exact = gradient.exact(x.data<T>()[i], grad.data<T>()[i]);
      ASSERT_NEAR(out.data<T>()[i], exact, 20 * std::numeric_limits<T>::epsilon())
          << gradient.name << " " << i << " of " << size;
    }
  }
}

TEST(ActivationKernels, Gradients) {
  on_each_target([] {
    for (const Gradient& gradient : kGradients) {
      check_gradient<float>(gradient);
      check_gradient<double>(gradient);
    }
  });
}

template <typename T>
void check_softmax(Ints shape, std::int64_t axis) {
  const std::int64_t count = count_elements(shape);
  const Tensor flat = wave<T>(count, 0.31);
  const Tensor x = of<T>(shape, std::vector<T>(flat.data<T>(), flat.data<T>() + count));
  const Tensor grad = of<T>(shape, values<T>(wave<T>(count, 1.3)));
  std::int64_t inner = 1;
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) inner *= shape[i];
  const std::int64_t length = shape[static_cast<std::size_t>(axis)];

  Tensor out = empty(shape, dtype_of<T>);
  Tensor x_grad = empty(shape, dtype_of<T>);
  kernels::softmax(x, axis, out);
  kernels::softmax_grad(out, grad, axis, x_grad);
  Tensor in_place = copied(x);
  kernels::softmax(in_place, axis, in_place);
  EXPECT_EQ(values<T>(out), values<T>(in_place));

  const double bound = 40 * std::numeric_limits<T>::epsilon();
  for (std::int64_t first = 0; first < count; ++first) {
    if (first / inner % length != 0) continue;
    double sum = 0;
    double dot = 0;
    for (std::int64_t i = 0; i < length; ++i)
      sum += std::exp(double(x.data<T>()[first + i * inner]));
    const auto exact = [&](std::int64_t at) { return std::exp(double(x.data<T>()[at])) / sum; };
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t at = first + i * inner;
      ASSERT_NEAR(out.data<T>()[at], exact(at), bound);
      dot += exact(at) * grad.data<T>()[at];
    }
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t at = first + i * inner;
      ASSERT_NEAR(x_grad.data<T>()[at], exact(at) * (grad.data<T>()[at] - dot), bound);
    }
  }
}

TEST(ActivationKernels, SoftmaxOverAnyAxis) {
  on_each_target([] {
    for (const std::int64_t size : kSizes) {
      if (size == 0) continue;
      check_softmax<float>({3, size}, 1);
      check_softmax<double>({3, size}, 1);
      check_softmax<float>({size, 3}, 0);
      check_softmax<double>({2, 5, size}, 1);
    }
  });
}

TEST(ActivationKernels, SoftmaxOfExtremes) {
  const double inf = std::numeric_limits<double>::infinity();
  on_each_target([&] {
    const Tensor x = of<double>({4, 2}, {1000, 999, -inf, 3, -inf, -inf, NAN, 1});
    for (const int axis : {1, 0}) {
      const bool turned = axis == 0;
      const Tensor in = turned ? contiguous(alias(x, {2, 4}, {1, 2}, 0)) : x;
      Tensor out = empty(in.shape(), in.dtype());
      kernels::softmax(in, axis, out);
      const auto at = [&](int row, int column) {
        return out.data<double>()[turned ? column * 4 + row : row * 2 + column];
      };
      EXPECT_NEAR(at(0, 0), 1 / (1 + std::exp(-1.0)), 1e-15);
      EXPECT_EQ(at(1, 0), 0);
      EXPECT_EQ(at(1, 1), 1);
      for (const int row : {2, 3}) {
        EXPECT_TRUE(std::isnan(at(row, 0)));
        EXPECT_TRUE(std::isnan(at(row, 1)));
      }
    }
  });
}

TEST(ActivationKernels, SoftmaxOfANumberIsOne) {
  const Tensor x = of<float>({}, {7});
  Tensor out = empty({}, DType::kFloat32);
  kernels::softmax(x, 0, out);
  EXPECT_EQ(out.data<float>()[0], 1);
}

}  // namespace
}  // namespace oploom
