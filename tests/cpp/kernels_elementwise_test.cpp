// Elementwise kernels: values against the C library on every CPU target, and the driver's layouts.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "generated/kernels.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/core/tensor.h"
#include "tests/cpp/simd_targets.h"

namespace oploom {
namespace {

using test::on_each_target;

constexpr std::int64_t kSizes[] = {0, 1, 3, 4, 7, 8, 16, 17, 1000, 5000};

template <typename T>
Tensor tensor_of(const std::vector<T>& values) {
  Tensor x = empty({static_cast<std::int64_t>(values.size())}, dtype_of<T>);
  if (!values.empty()) std::memcpy(x.bytes(), values.data(), x.nbytes());
  return x;
}

// Element i of x, in row-major order, as float64.
double element(const Tensor& x, std::int64_t i) {
  std::int64_t offset = 0;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    offset += i % x.size(axis) * x.strides()[static_cast<std::size_t>(axis)];
    i /= x.size(axis);
  }
  return dispatch(x.dtype(), [&](auto tag) {
    return static_cast<double>(x.data<typename decltype(tag)::type>()[offset]);
  });
}

// How many steps of T lie between a result and the exact value; 0 for the right special value.
template <typename T>
double ulps(T got, long double exact) {
  const T want = static_cast<T>(exact);
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  if (got == want) return std::signbit(got) == std::signbit(want) ? 0 : INFINITY;
  if (!std::isfinite(got) || !std::isfinite(want)) return INFINITY;
  const T next = std::nextafter(std::abs(want), std::numeric_limits<T>::infinity());
  const long double step = static_cast<long double>(next) - std::abs(want);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / step);
}

template <typename T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           T(0.5),
                           T(1),
                           T(2),
                           T(3),
                           T(1e-3),
                           T(1e-10),
                           T(18.7),
                           T(19),
                           T(87.3),
                           T(88.72283),
                           T(88.73),
                           T(89),
                           T(103.9),
                           T(104),
                           T(709),
                           T(709.7),
                           T(709.79),
                           T(710),
                           T(744),
                           T(745.2),
                           T(1000),
                           T(1e10),
                           T(38999),
                           T(39001),
                           T(1e5),
                           T(2.5),
                           T(0.34657),
                           T(0.7),
                           T(1.4),
                           T(3.1415927410125732),
                           T(1.5707963),
                           T(3e30)};
  values.insert(values.end(),
                {Limits::denorm_min(), Limits::min(), Limits::max(), Limits::epsilon(),
                 Limits::infinity(), Limits::quiet_NaN(), Limits::min() / 4});
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    // Any bits at all, and the middle of the range.
    const std::uint64_t bits = random();
    T any;
    std::memcpy(&any, &bits, sizeof(T));
    values.push_back(any);
    values.push_back(static_cast<T>(std::uniform_real_distribution<double>(-20, 20)(random)));
  }
  return values;
}

using Unary = void (*)(const Tensor&, Tensor&);
struct Function {
  const char* name;
  Unary kernel;
  long double (*exact)(long double);
  double ulps;
};
const Function kFunctions[] = {
    {"exp", kernels::exp, [](long double x) { return std::exp(x); }, 1.5},
    {"log", kernels::log, [](long double x) { return std::log(x); }, 1.5},
    {"sqrt", kernels::sqrt, [](long double x) { return std::sqrt(x); }, 0.51},
    {"sin", kernels::sin, [](long double x) { return std::sin(x); }, 3},
    {"cos", kernels::cos, [](long double x) { return std::cos(x); }, 3},
    {"tanh", kernels::tanh, [](long double x) { return std::tanh(x); }, 4},
    {"sigmoid", kernels::sigmoid, [](long double x) { return 1 / (1 + std::exp(-x)); }, 4},
    {"elu", [](const Tensor& x, Tensor& out) { kernels::elu(x, 1, out); },
     [](long double x) { return x > 0 ? x : std::expm1(x); }, 4},
    {"floor", kernels::floor, [](long double x) { return std::floor(x); }, 0},
    {"negative", kernels::negative, [](long double x) { return -x; }, 0},
    {"abs", kernels::abs, [](long double x) { return std::abs(x); }, 0},
    {"square", kernels::square, [](long double x) { return x * x; }, 0.51},
    {"sign", kernels::sign,
     [](long double x) { return x > 0           ? 1
                                : x < 0         ? -1
                                : std::isnan(x) ? x
                                                : 0.0L; }, 0},
    {"relu", kernels::relu, [](long double x) { return x <= 0 ? 0 : x; }, 0},
    {"leaky_relu", [](const Tensor& x, Tensor& out) { kernels::leaky_relu(x, 0.5, out); },
     [](long double x) { return x > 0 ? x : x / 2; }, 0.51},
    {"clip", [](const Tensor& x, Tensor& out) { kernels::clip(x, -1.5, 3, out); },
     [](long double x) { return x < -1.5L ? -1.5L
                                : x > 3   ? 3
                                          : x; }, 0},
};

template <typename T>
void check_function(const Function& f) {
  const std::vector<T> values = special_values<T>();
  const Tensor x = tensor_of(values);
  Tensor out = empty(x.shape(), x.dtype());
  f.kernel(x, out);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T got = out.data<T>()[i];
    const long double exact = f.exact(values[i]);
    // A result below the normal range has fewer bits: half a step more.
    const double bound = f.ulps + (std::abs(exact) < std::numeric_limits<T>::min() ? 0.5 : 0);
    ASSERT_LE(ulps(got, exact), bound)
        << f.name << "(" << values[i] << ") = " << got << " in " << dtype_of<T>;
  }
}

TEST(ElementwiseKernels, ValuesOnEveryTarget) {
  on_each_target([] {
    for (const Function& f : kFunctions) {
      check_function<float>(f);
      check_function<double>(f);
    }
  });
}

template <typename T>
void check_place(const Function& f) {
  std::vector<T> values = special_values<T>();
  values.resize(5000);
  const Tensor x = tensor_of(values);
  Tensor all = empty(x.shape(), x.dtype());
  f.kernel(x, all);
  for (const std::int64_t size : kSizes) {
    for (std::int64_t at = 0; at + size <= 5000; at += size > 17 ? 999 : 1237) {
      const Tensor part = alias(x, {size}, {1}, at);
      Tensor out = empty({size}, x.dtype());
      f.kernel(part, out);
      ASSERT_EQ(0, std::memcmp(out.bytes(), all.data<T>() + at, out.nbytes()))
          << f.name << " of " << size << " elements from " << at;
    }
  }
}

// An element's result is the same bits in the middle of a vector and at the end of a tensor.
TEST(ElementwiseKernels, PlaceDoesNotMatter) {
  on_each_target([] {
    for (const Function& f : kFunctions) {
      check_place<float>(f);
      check_place<double>(f);
    }
  });
}

TEST(ElementwiseKernels, MaximumKeepsNan) {
  const float nan = NAN;
  on_each_target([&] {
    const Tensor x = tensor_of<float>({nan, 1, nan, -0.0F, 3, INFINITY, -INFINITY});
    const Tensor y = tensor_of<float>({1, nan, nan, 0, 2, 1, nan});
    Tensor high = empty(x.shape(), x.dtype());
    Tensor low = empty(x.shape(), x.dtype());
    kernels::maximum(x, y, high);
    kernels::minimum(x, y, low);
    for (const int i : {0, 1, 2, 6}) {
      EXPECT_TRUE(std::isnan(high.data<float>()[i]));
      EXPECT_TRUE(std::isnan(low.data<float>()[i]));
    }
    EXPECT_EQ(high.data<float>()[4], 3);
    EXPECT_EQ(low.data<float>()[5], 1);
  });
}

TEST(ElementwiseKernels, ClipWithNanBoundIsNan) {
  const Tensor x = tensor_of<double>({1, 2, 3});
  Tensor out = empty(x.shape(), x.dtype());
  kernels::clip(x, NAN, 1.0, out);
  EXPECT_TRUE(std::isnan(out.data<double>()[0]));
}

TEST(ElementwiseKernels, PowAndItsGradients) {
  on_each_target([] {
    const Tensor x = tensor_of<double>({0, 0, 2, -2, 3, 0, -1.5, 2});
    const Tensor y = tensor_of<double>({2, 0, 0, 3, 0.5, 0.5, 2, -1});
    const Tensor g = tensor_of<double>({1, 1, 1, 1, 1, 1, 1, 1});
    Tensor out = empty(x.shape(), x.dtype());
    kernels::pow(x, y, out);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(element(out, i), std::pow(element(x, i), element(y, i)));
    kernels::pow_grad(x, y, g, out);
    const double x_grad[] = {0, 0, 0, 12, 0.5 / std::sqrt(3.0), INFINITY, -3, -0.25};
    for (int i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(element(out, i), x_grad[i]) << i;
    kernels::pow_exponent_grad(x, y, g, out);
    const double y_grad[] = {0, 0,   std::log(2.0),    NAN, std::sqrt(3.0) * std::log(3.0),
                             0, NAN, std::log(2.0) / 2};
    for (int i = 0; i < 8; ++i) {
      if (std::isnan(y_grad[i]))
        EXPECT_TRUE(std::isnan(element(out, i))) << i;
      else
        EXPECT_DOUBLE_EQ(element(out, i), y_grad[i]) << i;
    }
    // Exponents that are one number have loops of their own.
    for (const double number : {2.0, 3.0, -1.0, 0.5, 0.0, 1.7}) {
      const Operand exponent(number);
      kernels::pow(x, exponent, out);
      for (int i = 0; i < 8; ++i) {
        EXPECT_LE(ulps(element(out, i), std::pow(element(x, i), number)), 1);
      }
      kernels::pow_grad(x, exponent, g, out);
      for (int i = 0; i < 8; ++i) {
        const double want = number == 0 ? 0 : number * std::pow(element(x, i), number - 1);
        if (std::isnan(want))
          EXPECT_TRUE(std::isnan(element(out, i)));
        else
          EXPECT_DOUBLE_EQ(element(out, i), want);
      }
    }
  });
}

TEST(ElementwiseKernels, IntegersWrap) {
  constexpr std::int32_t kLow = INT32_MIN;
  constexpr std::int32_t kHigh = INT32_MAX;
  on_each_target([] {
    const Tensor x = tensor_of<std::int32_t>({kLow, kHigh, -7, 0, 65537});
    const Tensor y = tensor_of<std::int32_t>({-1, 1, 3, 0, 65537});
    Tensor out = empty(x.shape(), x.dtype());
    const auto expect = [&](std::vector<std::int32_t> want) {
      for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_EQ(out.data<std::int32_t>()[i], want[i]) << i;
    };
    kernels::add(x, y, out);
    expect({kHigh, kLow, -4, 0, 131074});
    kernels::subtract(x, y, out);
    expect({kLow + 1, kHigh - 1, -10, 0, 0});
    kernels::multiply(x, y, out);
    expect({kLow, kHigh, -21, 0, 131073});
    kernels::abs(x, out);
    expect({kLow, kHigh, 7, 0, 65537});
    kernels::negative(x, out);
    expect({kLow, -kHigh, 7, 0, -65537});
    kernels::square(x, out);
    expect({0, 1, 49, 0, 131073});
    kernels::clip(x, -2.5, INFINITY, out);
    expect({-2, kHigh, -2, 0, 65537});
    kernels::scale(x, 2.5, 0.0, true, out);
    EXPECT_EQ(out.data<std::int32_t>()[2], -17);
    kernels::scale(x, 2.0, 1, false, out);
    expect({2, 0, -12, 2, 131076});
    const Tensor bytes = tensor_of<std::uint8_t>({200, 3});
    Tensor byte_out = empty(bytes.shape(), bytes.dtype());
    kernels::add(bytes, bytes, byte_out);
    EXPECT_EQ(byte_out.data<std::uint8_t>()[0], 144);
    const Tensor power = tensor_of<std::int64_t>({64, 3, 0});
    const Tensor base = tensor_of<std::int64_t>({2, -3, 0});
    Tensor powers = empty(power.shape(), power.dtype());
    kernels::pow(base, power, powers);
    EXPECT_EQ(element(powers, 0), 0);
    EXPECT_EQ(element(powers, 1), -27);
    EXPECT_EQ(element(powers, 2), 1);
  });
}

// --- The driver.

// Small whole numbers in any dtype, so that every sum is exact.
Tensor numbers(Ints shape, DType dtype, std::uint64_t seed) {
  Tensor x = empty(shape, dtype);
  std::mt19937_64 random(seed);
  dispatch(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (std::int64_t i = 0; i < x.numel(); ++i) x.data<T>()[i] = static_cast<T>(random() % 7);
  });
  return x;
}

// The same elements as numbers(shape), laid out apart: axes turned round and every second place
// used.
Tensor strided_numbers(Ints shape, DType dtype, std::uint64_t seed) {
  const Tensor dense = numbers(shape, dtype, seed);
  Dims strides = Dims::filled(shape.rank(), 0);
  std::int64_t stride = 2;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(1, shape[i]);
  }
  Tensor x = alias(empty({stride + 1}, dtype), shape, strides, 1);
  copy_elements(dense, x);
  return x;
}

// Element i of a tensor of shape, found in x broadcast to that shape.
double broadcast_element(const Tensor& x, Ints shape, std::int64_t i) {
  std::int64_t own = 0;
  std::int64_t step = 1;
  for (int back = 0; back < shape.rank(); ++back) {
    const std::int64_t length = shape[shape.size() - 1 - static_cast<std::size_t>(back)];
    const std::int64_t at = i % length;
    i /= length;
    if (back >= x.rank()) continue;
    const std::int64_t own_length = x.size(x.rank() - 1 - back);
    if (own_length != 1) own += at * step;
    step *= own_length;
  }
  return element(x, own);
}

void check_sum(const Tensor& x, const Tensor& y, Tensor& out) {
  std::vector<double> want;
  const bool logic = infer::promoted(x, y) == DType::kBool;
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    const double sum = broadcast_element(x, out.shape(), i) + broadcast_element(y, out.shape(), i);
    want.push_back(logic || out.dtype() == DType::kBool ? sum != 0 : sum);
  }
  kernels::add(x, y, out);
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    ASSERT_EQ(element(out, i), want[static_cast<std::size_t>(i)])
        << i << ": " << x.shape() << x.strides() << x.dtype() << " + " << y.shape() << y.strides()
        << y.dtype();
  }
}

const std::vector<std::vector<Dims>> kShapes = {
    // x, y, out
    {{5}, {5}, {5}},
    {{}, {4}, {4}},
    {{4}, {}, {4}},
    {{3, 4}, {4}, {3, 4}},
    {{3, 1}, {1, 5}, {3, 5}},
    {{700, 3}, {3}, {700, 3}},
    {{3, 700}, {3, 1}, {3, 700}},
    {{1}, {2, 1}, {2, 1}},
    {{2, 3, 4, 5}, {3, 1, 5}, {2, 3, 4, 5}},
    {{0, 3}, {3}, {0, 3}},
    {{40, 1000}, {1000}, {40, 1000}},
    {{2, 3, 2, 2, 1, 2, 3, 2}, {2, 1, 2}, {2, 3, 2, 2, 1, 2, 3, 2}}};

TEST(ElementwiseDriver, StridesAndBroadcasting) {
  for (const auto& shapes : kShapes) {
    for (int layout = 0; layout < 8; ++layout) {
      const auto make = [&](int bit, Ints shape) {
        return (layout & bit) != 0 ? strided_numbers(shape, DType::kFloat32, 3 + bit)
                                   : numbers(shape, DType::kFloat32, 3 + bit);
      };
      Tensor out = make(4, shapes[2]);
      check_sum(make(1, shapes[0]), make(2, shapes[1]), out);
    }
  }
}

TEST(ElementwiseDriver, MixedDtypes) {
  for (int x_dtype = 0; x_dtype < kNumDTypes; ++x_dtype) {
    for (int y_dtype = 0; y_dtype < kNumDTypes; ++y_dtype) {
      for (const Dims& y_shape : {Dims{600, 3}, Dims{3}, Dims{}}) {
        const Tensor x = numbers({600, 3}, static_cast<DType>(x_dtype), 1);
        const Tensor y = numbers(y_shape, static_cast<DType>(y_dtype), 2);
        Tensor out = empty({600, 3}, infer::promoted(x, y));
        check_sum(x, y, out);
        Tensor turned = strided_numbers({600, 3}, infer::promoted(x, y), 5);
        check_sum(y, x, turned);
      }
    }
  }
}

TEST(ElementwiseDriver, InPlaceOnTheSameMap) {
  for (const std::int64_t size : kSizes) {
    for (const bool strided : {false, true}) {
      // float32 with a float64 operand is worked out in float64 and rounded.
      for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kInt32}) {
        Tensor x = strided ? strided_numbers({size}, DType::kFloat32, 1)
                           : numbers({size}, DType::kFloat32, 1);
        const Tensor before = copied(x);
        const Tensor y = numbers({size}, dtype, 2);
        kernels::add(x, y, x);
        for (std::int64_t i = 0; i < size; ++i) {
          ASSERT_EQ(element(x, i), element(before, i) + element(y, i));
        }
        kernels::tanh(x, x);
        for (std::int64_t i = 0; i < size; ++i) {
          ASSERT_NEAR(element(x, i), std::tanh(element(before, i) + element(y, i)), 1e-6);
        }
      }
    }
  }
}

TEST(ElementwiseDriver, WeakNumbers) {
  on_each_target([] {
    for (const std::int64_t size : kSizes) {
      for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kInt32, DType::kInt64}) {
        const Tensor x = numbers({size}, dtype, 1);
        const Operand two = is_float(dtype) ? Operand(2.0) : Operand(2);
        Tensor out = empty({size}, dtype);
        kernels::multiply(x, two, out);
        for (std::int64_t i = 0; i < size; ++i) ASSERT_EQ(element(out, i), 2 * element(x, i));
        kernels::subtract(two, x, out);
        for (std::int64_t i = 0; i < size; ++i) ASSERT_EQ(element(out, i), 2 - element(x, i));
        Tensor quotient = empty({size}, float_of(dtype));
        kernels::divide(x, two, quotient);
        for (std::int64_t i = 0; i < size; ++i) ASSERT_EQ(element(quotient, i), element(x, i) / 2);
      }
    }
  });
}

TEST(ElementwiseDriver, ComparisonsAreExact) {
  on_each_target([] {
    const auto compare = [](const Tensor& x, const Tensor& y) {
      Tensor out = empty(infer::broadcast("equal", x, y), DType::kBool);
      kernels::equal(x, y, out);
      return element(out, 0) != 0;
    };
    EXPECT_FALSE(compare(tensor_of<std::uint8_t>({44}), Operand(300)));
    EXPECT_TRUE(compare(tensor_of<float>({0.1F}), Operand(0.1)));
    EXPECT_FALSE(compare(tensor_of<std::int32_t>({16777217}), tensor_of<float>({16777216.0F})));
    EXPECT_FALSE(compare(tensor_of<double>({0.1}), tensor_of<float>({0.1F})));
    EXPECT_FALSE(compare(tensor_of<float>({NAN}), tensor_of<float>({NAN})));
    EXPECT_FALSE(compare(tensor_of<std::int64_t>({1}), Operand(1.5)));
    for (const std::int64_t size : kSizes) {
      const Tensor x = numbers({size}, DType::kFloat32, 1);
      const Tensor y = numbers({size}, DType::kFloat32, 2);
      Tensor less = empty({size}, DType::kBool);
      Tensor chosen = empty({size}, DType::kFloat32);
      kernels::less_than(x, y, less);
      kernels::where(less, x, y, chosen);
      for (std::int64_t i = 0; i < size; ++i) {
        ASSERT_EQ(element(less, i), element(x, i) < element(y, i));
        ASSERT_EQ(element(chosen, i), std::min(element(x, i), element(y, i)));
      }
    }
  });
}

}  // namespace
}  // namespace oploom
