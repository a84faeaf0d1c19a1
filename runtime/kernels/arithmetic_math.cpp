// The part of arithmetic that needs more than the processor's own instructions: exponentials,
// angles, powers. Compiled once for each CPU target; what follows HWY_ONCE, once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/arithmetic_math.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/simd_loops.h"
#include "runtime/kernels/simd_math.h"

#ifndef OPLOOM_KERNELS_ARITHMETIC_MATH_ROWS
#define OPLOOM_KERNELS_ARITHMETIC_MATH_ROWS
namespace oploom::kernels::arithmetic_math {

struct Rows {
  LoopRow exp, log, sqrt, sin, cos;
  LoopRow pow, pow_grad, pow_exponent_grad;
};
inline Rows rows;

}  // namespace oploom::kernels::arithmetic_math
#endif

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace {

struct Exp : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::exp(d, x);
  }
};
struct Log : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::log(d, x);
  }
};
struct Sin : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::sin(d, x);
  }
};
struct Cos : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::cos(d, x);
  }
};
struct Sqrt : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Sqrt(x);
  }
};

// --- Powers, by the C library: Highway has none. A few exponents that everybody writes are
// products.

struct Square : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Mul(x, x);
  }
};
struct Cube : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x) const {
    return hn::Mul(hn::Mul(x, x), x);
  }
};
struct Inverse : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, hn::TFromD<D>(1)), x);
  }
};
struct Pow : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    return std::pow(x, y);
  }
};
template <typename T>
void pow_number(const void* x, const void* y, const void*, void* out, std::int64_t n,
                const void* params) {
  const T exponent = *static_cast<const T*>(y);
  const Loop loop = exponent == T(2)    ? &float1<T, Square>
                    : exponent == T(3)  ? &float1<T, Cube>
                    : exponent == T(-1) ? &float1<T, Inverse>
                                        : &plain2<T, T, Pow, false, true>;
  loop(x, y, nullptr, out, n, params);
}

// grad * y * x^(y-1). Where y is 0 the power is constant, at x = 0 too.
struct PowGrad : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y, T grad) const {
    return y == T(0) ? T(0) : grad * (y * std::pow(x, y - T(1)));
  }
};
// y = 2; x, grad
struct SquareGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D, V x, V grad) const {
    return hn::Mul(grad, hn::Add(x, x));
  }
};
struct CubeGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x, V grad) const {
    return hn::Mul(grad, hn::Mul(hn::Set(d, hn::TFromD<D>(3)), hn::Mul(x, x)));
  }
};
template <typename T>
void pow_grad_number(const void* x, const void* y_, const void* grad_, void* out_, std::int64_t n,
                     const void* params) {
  const T y = *static_cast<const T*>(y_);
  if (y == T(2)) return float2<T, SquareGrad, false, false>(x, grad_, nullptr, out_, n, params);
  if (y == T(3)) return float2<T, CubeGrad, false, false>(x, grad_, nullptr, out_, n, params);
  const T* grad = static_cast<const T*>(grad_);
  T* out = static_cast<T*>(out_);
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = PowGrad().at(static_cast<const T*>(x)[i], y, grad[i]);
}

// grad * x^y * log(x). At x = 0 the power is 0 for every y > 0, and log(0) must not make that NaN.
struct PowExponentGrad : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y, T grad) const {
    return x == T(0) && y >= T(0) ? T(0) : grad * (std::pow(x, y) * std::log(x));
  }
};

// Wraps as repeated multiplication does. Negative exponents were refused.
struct PowInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x, T y) const {
    auto base = static_cast<std::uint64_t>(x);
    std::uint64_t result = 1;
    for (auto left = static_cast<std::int64_t>(y); left > 0; left >>= 1) {
      if ((left & 1) != 0) result *= base;
      base *= base;
    }
    return static_cast<T>(result);
  }
};
// Of bool, stored as 0 and 1: false only for false to the power true.
struct PowBool : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const {
    return static_cast<std::uint8_t>(x | (y ^ 1));
  }
};

template <typename T>
void fill_powers(arithmetic_math::Rows& rows) {
  constexpr int kDtype = index_of(dtype_of<T>);
  rows.pow.spans[kDtype] = &plain2<T, T, Pow, false, false>;
  rows.pow.x_number[kDtype] = &plain2<T, T, Pow, true, false>;
  rows.pow.y_number[kDtype] = &pow_number<T>;
  rows.pow_grad.spans[kDtype] = &plain3<T, PowGrad>;
  rows.pow_grad.y_number[kDtype] = &pow_grad_number<T>;
  rows.pow_exponent_grad.spans[kDtype] = &plain3<T, PowExponentGrad>;
}

void fill() {
  arithmetic_math::Rows& rows = arithmetic_math::rows;
  set_floats1<Exp>(rows.exp);
  set_floats1<Log>(rows.log);
  set_floats1<Sqrt>(rows.sqrt);
  set_floats1<Sin>(rows.sin);
  set_floats1<Cos>(rows.cos);
  fill_powers<float>(rows);
  fill_powers<double>(rows);
  set_ints2<PowInt>(rows.pow);
  set_plain2<PowBool, bool>(rows.pow);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <string_view>

#include "generated/kernels.h"
#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"

namespace oploom::kernels {
namespace {

using arithmetic_math::rows;

HWY_EXPORT(fill);
const LoopFiller filler([] { HWY_DYNAMIC_DISPATCH(fill)(); });

}  // namespace

void exp(const Tensor& x, Tensor& out) { run1(rows.exp, x, out); }
void log(const Tensor& x, Tensor& out) { run1(rows.log, x, out); }
void sqrt(const Tensor& x, Tensor& out) { run1(rows.sqrt, x, out); }
void sin(const Tensor& x, Tensor& out) { run1(rows.sin, x, out); }
void cos(const Tensor& x, Tensor& out) { run1(rows.cos, x, out); }

void pow(const Tensor& x, const Tensor& y, Tensor& out) { run2(rows.pow, x, y, out); }
void pow_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& x_grad) {
  run3(rows.pow_grad, x, y, out_grad, x_grad);
}
void pow_exponent_grad(const Tensor& x, const Tensor& y, const Tensor& out_grad, Tensor& y_grad) {
  run3(rows.pow_exponent_grad, x, y, out_grad, y_grad);
}

void check_pow(std::string_view op, const Tensor& x, const Tensor& y) {
  if (is_float(x.dtype()) || is_float(y.dtype())) [[likely]]
    return;
  const DType dtype = infer::promoted(x, y);
  if (dtype == DType::kBool || dtype == DType::kUInt8) return;
  const Tensor exponents = prepared(y, DType::kInt64);
  const std::int64_t* data = exponents.data<std::int64_t>();
  for (std::int64_t i = 0; i < exponents.numel(); ++i) {
    if (data[i] < 0) {
      raise(ErrorKind::kArgument, "[", op, "] y: expected no negative exponent for integers, got ",
            data[i], "; cast x to a float dtype");
    }
  }
}

}  // namespace oploom::kernels

#endif  // HWY_ONCE
