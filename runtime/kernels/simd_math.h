// Elementary functions on vectors, for one CPU target: the only place that calls Highway's math,
// which is silently wrong outside its range (exp(NaN) = 0, log(0) = -105). Here every function is
// right for every input, NaN, infinities, signed zeros and denormals included. No #pragma once:
// included for each target.
#if defined(OPLOOM_KERNELS_SIMD_MATH_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OPLOOM_KERNELS_SIMD_MATH_H
#undef OPLOOM_KERNELS_SIMD_MATH_H
#else
#define OPLOOM_KERNELS_SIMD_MATH_H
#endif

#include <cmath>
#include <limits>

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace simd {
namespace hn = hwy::HWY_NAMESPACE;

// result, but x itself where x is NaN.
template <class V>
HWY_INLINE V keep_nan(V x, V result) {
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// x, at most the least number whose exponential is infinite. Highway's exponent arithmetic wraps a
// little further out.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V below_overflow(D d, V x) {
  using T = hn::TFromD<D>;
  return hn::Min(x, hn::Set(d, sizeof(T) == 4 ? T(89) : T(710)));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
  return keep_nan(x, hn::Exp(d, below_overflow(d, x)));
}

// exp(x) - 1 without cancellation near 0. It has x's sign; Highway's loses that of -0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V expm1(D d, V x) {
  return keep_nan(x, hn::CopySign(hn::Expm1(d, below_overflow(d, x)), x));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x) {
  using T = hn::TFromD<D>;
  const V inf = hn::Set(d, std::numeric_limits<T>::infinity());
  V y = hn::Log(d, x);
  y = hn::IfThenElse(hn::Eq(x, inf), inf, y);
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), y);
  // Also where x is NaN.
  return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), y, hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V tanh(D d, V x) {
  return keep_nan(x, hn::Tanh(d, x));
}

// 1 / (1 + exp(-x)), from the exponential that cannot overflow.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = hn::Set(d, hn::TFromD<D>(1));
  const V e = exp(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

// Highway reduces the argument with pi in four parts, good up to here; infinities and NaN are
// beyond.
inline constexpr double kLargestAngle = 39000;

// result, but f(x) lane by lane where x is too large.
template <class D, class V, class F>
HWY_INLINE V patch_large(D d, V x, V result, F f) {
  using T = hn::TFromD<D>;
  const auto good = hn::Le(hn::Abs(x), hn::Set(d, static_cast<T>(kLargestAngle)));
  if (hn::AllTrue(d, good)) return result;
  HWY_ALIGN T in[hn::MaxLanes(d)];
  HWY_ALIGN T out[hn::MaxLanes(d)];
  hn::Store(x, d, in);
  hn::Store(result, d, out);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (!(std::abs(in[i]) <= static_cast<T>(kLargestAngle))) out[i] = f(in[i]);
  }
  return hn::Load(d, out);
}

struct LibmSin {
  template <typename T>
  T operator()(T x) const {
    return std::sin(x);
  }
};
struct LibmCos {
  template <typename T>
  T operator()(T x) const {
    return std::cos(x);
  }
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE V sin(D d, V x) {
  const V y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, hn::Sin(d, x));  // keeps the sign of -0
  return patch_large(d, x, y, LibmSin());
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cos(D d, V x) {
  return patch_large(d, x, hn::Cos(d, x), LibmCos());
}

}  // namespace simd
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
