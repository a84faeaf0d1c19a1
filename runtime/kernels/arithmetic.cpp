// Arithmetic, element by element. Compiled once for each CPU target; what follows HWY_ONCE, once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/arithmetic.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/simd_loops.h"

#ifndef OPLOOM_KERNELS_ARITHMETIC_ROWS
#define OPLOOM_KERNELS_ARITHMETIC_ROWS
namespace oploom::kernels::arithmetic {

struct Rows {
  LoopRow add, subtract, multiply, divide;
  LoopRow maximum, minimum, maximum_grad, minimum_grad;
  LoopRow negative, abs, sign, square, floor, clip, clip_grad, scale;
};
inline Rows rows;

struct ClipParams {
  double min, max;
  std::int64_t int_min, int_max;  // for integers, and only then filled in
};
struct ScaleParams {
  double scale, bias;
  bool bias_after_scale;
  // For integers, and only then filled in; whole: they need no floats.
  std::int64_t int_scale, int_bias;
  bool whole;
};

}  // namespace oploom::kernels::arithmetic
#endif

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace {

// --- Floats, as vectors.

struct Add : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::Add(x, y);
  }
};
struct Subtract : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::Sub(x, y);
  }
};
struct Multiply : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::Mul(x, y);
  }
};
struct Divide : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::Div(x, y);
  }
};
// Highway's Max and Min lose NaN.
struct Maximum : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::IfThenElse(hn::Or(hn::Ge(x, y), hn::IsNaN(x)), x, y);
  }
};
struct Minimum : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V y) const {
    return hn::IfThenElse(hn::Or(hn::Le(x, y), hn::IsNaN(x)), x, y);
  }
};
// Equal operands get half each, the one that lost gets nothing.
template <class D, class V, class M>
HWY_INLINE V shared_grad(D d, V x, V y, M lost, V grad) {
  const V half = hn::Mul(grad, hn::Set(d, hn::TFromD<D>(0.5)));
  return hn::IfThenZeroElse(lost, hn::IfThenElse(hn::Eq(x, y), half, grad));
}
struct MaximumGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x, V y, V grad) const {
    return shared_grad(d, x, y, hn::Lt(x, y), grad);
  }
};
struct MinimumGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x, V y, V grad) const {
    return shared_grad(d, x, y, hn::Gt(x, y), grad);
  }
};
struct Negative : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Neg(x);
  }
};
struct Abs : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Abs(x);
  }
};
struct Sign : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x) const {
    const V signed_one = hn::CopySign(hn::Set(d, hn::TFromD<D>(1)), x);
    const V of_number = hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), signed_one);
    return hn::IfThenElse(hn::IsNaN(x), x, of_number);
  }
};
struct Square : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Mul(x, x);
  }
};
struct Floor : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::CopySign(hn::Floor(x), x);  // keeps the sign of -0
  }
};
struct Clip : Light {
  explicit Clip(const void* params) : p(*static_cast<const arithmetic::ClipParams*>(params)) {}
  template <class D, class V>
  V operator()(D d, V x) const {
    using T = hn::TFromD<D>;
    const V min = hn::Set(d, static_cast<T>(p.min));
    const V max = hn::Set(d, static_cast<T>(p.max));
    x = hn::IfThenElse(hn::Lt(x, min), min, x);
    return hn::IfThenElse(hn::Gt(x, max), max, x);
  }
  arithmetic::ClipParams p;
};
struct ClipGrad : Light {
  explicit ClipGrad(const void* params) : p(*static_cast<const arithmetic::ClipParams*>(params)) {}
  template <class D, class V>
  V operator()(D d, V x, V grad) const {
    using T = hn::TFromD<D>;
    const auto inside = hn::And(hn::Ge(x, hn::Set(d, static_cast<T>(p.min))),
                                hn::Le(x, hn::Set(d, static_cast<T>(p.max))));
    return hn::IfThenElseZero(inside, grad);
  }
  arithmetic::ClipParams p;
};
template <bool kBiasAfter>
struct Scale : Light {
  explicit Scale(const void* params) : p(*static_cast<const arithmetic::ScaleParams*>(params)) {}
  template <class D, class V>
  V operator()(D d, V x) const {
    using T = hn::TFromD<D>;
    const V scale = hn::Set(d, static_cast<T>(p.scale));
    const V bias = hn::Set(d, static_cast<T>(p.bias));
    if constexpr (kBiasAfter)
      return hn::Add(hn::Mul(x, scale), bias);
    else
      return hn::Mul(hn::Add(x, bias), scale);
  }
  arithmetic::ScaleParams p;
};
template <typename T>
void scale_floats(const void* x, const void*, const void*, void* out, std::int64_t n,
                  const void* params) {
  const bool after = static_cast<const arithmetic::ScaleParams*>(params)->bias_after_scale;
  (after ? float1<T, Scale<true>> : float1<T, Scale<false>>)(x, nullptr, nullptr, out, n, params);
}

// --- Integers wrap: the work is done on unsigned numbers, where that is defined.

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
HWY_INLINE Unsigned<T> bits(T x) {
  return static_cast<Unsigned<T>>(x);
}

struct AddInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return static_cast<T>(bits(x) + bits(y));
  }
};
struct SubtractInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return static_cast<T>(bits(x) - bits(y));
  }
};
struct MultiplyInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return static_cast<T>(bits(x) * bits(y));
  }
};
struct MaximumInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return x > y ? x : y;
  }
};
struct MinimumInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return x < y ? x : y;
  }
};
struct NegativeInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return static_cast<T>(Unsigned<T>(0) - bits(x));
  }
};
struct AbsInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return x < T(0) ? NegativeInt().at(x) : x;
  }
};
struct SignInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return static_cast<T>((x > T(0)) - (x < T(0)));
  }
};
struct SquareInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return MultiplyInt().at(x, x);
  }
};
struct Same : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return x;
  }
};
// The bound that integers of T can reach.
template <typename T>
HWY_INLINE T saturated(std::int64_t x) {
  using Limits = std::numeric_limits<T>;
  return static_cast<T>(std::clamp<std::int64_t>(x, Limits::min(), Limits::max()));
}
struct ClipInt : Light {
  explicit ClipInt(const void* params) : p(*static_cast<const arithmetic::ClipParams*>(params)) {}
  template <typename T>
  T at(T x) const {
    return std::min(std::max(x, saturated<T>(p.int_min)), saturated<T>(p.int_max));
  }
  arithmetic::ClipParams p;
};
struct ScaleInt : Light {
  explicit ScaleInt(const void* params) : p(*static_cast<const arithmetic::ScaleParams*>(params)) {}
  template <typename T>
  T at(T x) const {
    if (!p.whole) {
      const double value = static_cast<double>(x);
      const double result =
          p.bias_after_scale ? value * p.scale + p.bias : (value + p.bias) * p.scale;
      return static_cast<T>(Scalar(result).to_int());
    }
    const auto scale = static_cast<std::uint64_t>(p.int_scale);
    const auto bias = static_cast<std::uint64_t>(p.int_bias);
    const auto value = static_cast<std::uint64_t>(x);
    return static_cast<T>(p.bias_after_scale ? value * scale + bias : (value + bias) * scale);
  }
  arithmetic::ScaleParams p;
};
// Of bool, stored as 0 and 1.
struct Either : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const { return x | y; }
};
struct Both : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const { return x & y; }
};

void fill() {
  arithmetic::Rows& rows = arithmetic::rows;
  set_floats2<Add>(rows.add);
  set_floats2<Subtract>(rows.subtract);
  set_floats2<Multiply>(rows.multiply);
  set_floats2<Divide>(rows.divide);
  set_floats2<Maximum>(rows.maximum);
  set_floats2<Minimum>(rows.minimum);
  set_floats3<MaximumGrad>(rows.maximum_grad);
  set_floats3<MinimumGrad>(rows.minimum_grad);
  set_floats1<Negative>(rows.negative);
  set_floats1<Abs>(rows.abs);
  set_floats1<Sign>(rows.sign);
  set_floats1<Square>(rows.square);
  set_floats1<Floor>(rows.floor);
  set_floats1<Clip>(rows.clip);
  set_floats2<ClipGrad>(rows.clip_grad);
  rows.scale.spans[index_of(DType::kFloat32)] = &scale_floats<float>;
  rows.scale.spans[index_of(DType::kFloat64)] = &scale_floats<double>;

  set_ints2<AddInt>(rows.add);
  set_ints2<SubtractInt>(rows.subtract);
  set_ints2<MultiplyInt>(rows.multiply);
  set_ints2<MaximumInt>(rows.maximum);
  set_ints2<MinimumInt>(rows.minimum);
  set_ints1<NegativeInt>(rows.negative);
  set_ints1<AbsInt>(rows.abs);
  set_ints1<SignInt>(rows.sign);
  set_ints1<SquareInt>(rows.square);
  set_ints1<Same>(rows.floor);
  set_ints1<ClipInt>(rows.clip);
  set_ints1<ScaleInt>(rows.scale);

  set_plain2<Either, bool>(rows.add);
  set_plain2<Both, bool>(rows.multiply);
  set_plain2<Either, bool>(rows.maximum);
  set_plain2<Both, bool>(rows.minimum);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cmath>
#include <string_view>

#include "generated/kernels.h"
#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/kernels/fill.h"

namespace oploom::kernels {
namespace {

using arithmetic::rows;

HWY_EXPORT(fill);
const LoopFiller filler([] { HWY_DYNAMIC_DISPATCH(fill)(); });

arithmetic::ClipParams clip_params(const Scalar& min, const Scalar& max, DType dtype) {
  if (is_float(dtype)) return {min.to_double(), max.to_double(), 0, 0};
  return {0, 0, min.to_int(), max.to_int()};
}

bool is_whole(const Scalar& x) {
  return x.category() != Category::kFloat || x.to_double() == static_cast<double>(x.to_int());
}

}  // namespace

void add(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.add, x, y, out); }
void subtract(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.subtract, x, y, out); }
void multiply(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.multiply, x, y, out); }
void divide(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.divide, x, y, out); }
void maximum(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.maximum, x, y, out); }
void minimum(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.minimum, x, y, out); }

void maximum_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad) {
  run3(rows.maximum_grad, x, y, out_grad, x_grad);
}
void minimum_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad) {
  run3(rows.minimum_grad, x, y, out_grad, x_grad);
}

void negative(const Tensor& x, Tensor& out) { run1(rows.negative, x, out); }
void abs(const Tensor& x, Tensor& out) { run1(rows.abs, x, out); }
void sign(const Tensor& x, Tensor& out) { run1(rows.sign, x, out); }
void square(const Tensor& x, Tensor& out) { run1(rows.square, x, out); }
void floor(const Tensor& x, Tensor& out) { run1(rows.floor, x, out); }

void clip(const Tensor& x, Scalar min, Scalar max, Tensor& out) {
  const arithmetic::ClipParams params = clip_params(min, max, x.dtype());
  // Comparisons with NaN hold for nothing, so the loop would let everything pass.
  if (is_float(out.dtype()) && (std::isnan(params.min) || std::isnan(params.max))) [[unlikely]] {
    fill_elements(std::isnan(params.min) ? min : max, out);
    return;
  }
  run1(rows.clip, x, out, &params);
}
void clip_grad(const Tensor& x, const Tensor& out_grad, Scalar min, Scalar max, Tensor& x_grad) {
  const arithmetic::ClipParams params = clip_params(min, max, x.dtype());
  run2(rows.clip_grad, x, out_grad, x_grad, &params);
}
void scale(const Tensor& x, Scalar scale, Scalar bias, bool bias_after_scale, Tensor& out) {
  arithmetic::ScaleParams params;
  params.scale = scale.to_double();
  params.bias = bias.to_double();
  params.bias_after_scale = bias_after_scale;
  if (!is_float(x.dtype())) {
    params.int_scale = scale.to_int();
    params.int_bias = bias.to_int();
    params.whole = is_whole(scale) && is_whole(bias);
  }
  run1(rows.scale, x, out, &params);
}

void check_subtract(std::string_view op, const Tensor& x, const Tensor& y) {
  if (x.dtype() == DType::kBool && y.dtype() == DType::kBool) [[unlikely]] {
    raise(ErrorKind::kType, "[", op,
          "] x, y: expected a number in at least one, got bool and bool; ",
          "cast one to an integer, or use logical_xor");
  }
}

}  // namespace oploom::kernels

#endif  // HWY_ONCE
