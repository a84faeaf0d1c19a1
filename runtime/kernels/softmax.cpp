// softmax along an axis, and its gradient. Compiled once for each CPU target; what follows
// HWY_ONCE, once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/softmax.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "runtime/kernels/simd_loops.h"
#include "runtime/kernels/simd_math.h"

#ifndef OPLOOM_KERNELS_SOFTMAX_SHAPE
#define OPLOOM_KERNELS_SOFTMAX_SHAPE
namespace oploom::kernels {

// A row-major tensor as outer * length * inner, length being the axis.
struct AxisShape {
  std::int64_t outer = 1;
  std::int64_t length = 1;
  std::int64_t inner = 1;
};

}  // namespace oploom::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace {

// Lines side by side along the axis, at most as many as a vector has lanes: n of them, neighbours
// in memory, their elements stride apart.
template <typename T>
struct Lines {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = hn::MaxLanes(D());

  V load(const T* p, std::int64_t i) const {
    return n == kLanes ? hn::LoadU(D(), p + i * stride) : load_some(D(), p + i * stride, n);
  }
  void store(V v, T* p, std::int64_t i) const {
    if (n == kLanes)
      hn::StoreU(v, D(), p + i * stride);
    else
      store_some(D(), v, p + i * stride, n);
  }
  std::int64_t n;
  std::int64_t stride;
};

// x and out may be one place. Infinite and NaN elements need no care: max - max and NaN - max are
// NaN, and so is then the sum.
template <typename T>
void softmax_lines(const T* x, T* out, std::int64_t length, const Lines<T>& lines) {
  const typename Lines<T>::D d;
  auto top = lines.load(x, 0);
  for (std::int64_t i = 1; i < length; ++i) top = hn::Max(top, lines.load(x, i));
  auto sum = hn::Zero(d);
  for (std::int64_t i = 0; i < length; ++i) {
    const auto power = simd::exp(d, hn::Sub(lines.load(x, i), top));
    sum = hn::Add(sum, power);
    lines.store(power, out, i);
  }
  for (std::int64_t i = 0; i < length; ++i) lines.store(hn::Div(lines.load(out, i), sum), out, i);
}

template <typename T>
void softmax_grad_lines(const T* out, const T* grad, T* x_grad, std::int64_t length,
                        const Lines<T>& lines) {
  auto dot = hn::Zero(typename Lines<T>::D());
  for (std::int64_t i = 0; i < length; ++i) {
    dot = hn::MulAdd(lines.load(out, i), lines.load(grad, i), dot);
  }
  for (std::int64_t i = 0; i < length; ++i) {
    lines.store(hn::Mul(lines.load(out, i), hn::Sub(lines.load(grad, i), dot)), x_grad, i);
  }
}

// One line whose elements are neighbours.
template <typename T>
void softmax_row(const T* x, T* out, std::int64_t length) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kLanes = hn::MaxLanes(d);
  const std::int64_t whole = length / kLanes * kLanes;
  const std::int64_t left = length - whole;
  const auto kept = hn::FirstN(d, static_cast<std::size_t>(left));
  const auto lowest = hn::Set(d, -std::numeric_limits<T>::infinity());
  const auto rest = load_some(d, x + whole, left);

  auto tops = hn::IfThenElse(kept, rest, lowest);
  for (std::int64_t i = 0; i < whole; i += kLanes) tops = hn::Max(tops, hn::LoadU(d, x + i));
  const auto top = hn::MaxOfLanes(d, tops);

  const auto rest_power = hn::IfThenElseZero(kept, simd::exp(d, hn::Sub(rest, top)));
  auto sums = rest_power;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    const auto power = simd::exp(d, hn::Sub(hn::LoadU(d, x + i), top));
    sums = hn::Add(sums, power);
    hn::StoreU(power, d, out + i);
  }
  const auto sum = hn::SumOfLanes(d, sums);
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    hn::StoreU(hn::Div(hn::LoadU(d, out + i), sum), d, out + i);
  }
  store_some(d, hn::Div(rest_power, sum), out + whole, left);
}

template <typename T>
void softmax_grad_row(const T* out, const T* grad, T* x_grad, std::int64_t length) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kLanes = hn::MaxLanes(d);
  const std::int64_t whole = length / kLanes * kLanes;
  const std::int64_t left = length - whole;
  const auto rest_out = load_some(d, out + whole, left);
  const auto rest_grad = load_some(d, grad + whole, left);
  auto dots = hn::Mul(rest_out, rest_grad);
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    dots = hn::MulAdd(hn::LoadU(d, out + i), hn::LoadU(d, grad + i), dots);
  }
  const auto dot = hn::SumOfLanes(d, dots);
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    const auto centred = hn::Sub(hn::LoadU(d, grad + i), dot);
    hn::StoreU(hn::Mul(hn::LoadU(d, out + i), centred), d, x_grad + i);
  }
  store_some(d, hn::Mul(rest_out, hn::Sub(rest_grad, dot)), x_grad + whole, left);
}

// row(offset) for lines of neighbours, lines(offset, lines) else.
template <typename T, class RowFunction, class LinesFunction>
HWY_INLINE void each_line(const AxisShape& shape, RowFunction row, LinesFunction lines) {
  for (std::int64_t o = 0; o < shape.outer; ++o) {
    const std::int64_t offset = o * shape.length * shape.inner;
    if (shape.inner == 1) {
      row(offset);
      continue;
    }
    for (std::int64_t c = 0; c < shape.inner; c += Lines<T>::kLanes) {
      lines(offset + c, Lines<T>{std::min(Lines<T>::kLanes, shape.inner - c), shape.inner});
    }
  }
}

template <typename T>
void softmax_shape(const T* x, T* out, const AxisShape& shape) {
  each_line<T>(
      shape, [=](std::int64_t at) { softmax_row(x + at, out + at, shape.length); },
      [=](std::int64_t at, const Lines<T>& lines) {
        softmax_lines(x + at, out + at, shape.length, lines);
      });
}
template <typename T>
void softmax_grad_shape(const T* out, const T* grad, T* x_grad, const AxisShape& shape) {
  each_line<T>(
      shape,
      [=](std::int64_t at) { softmax_grad_row(out + at, grad + at, x_grad + at, shape.length); },
      [=](std::int64_t at, const Lines<T>& lines) {
        softmax_grad_lines(out + at, grad + at, x_grad + at, shape.length, lines);
      });
}

void softmax_of(DType dtype, const void* x, void* out, const AxisShape& shape) {
  if (dtype == DType::kFloat64) {
    softmax_shape(static_cast<const double*>(x), static_cast<double*>(out), shape);
  } else {
    softmax_shape(static_cast<const float*>(x), static_cast<float*>(out), shape);
  }
}
void softmax_grad_of(DType dtype, const void* out, const void* grad, void* x_grad,
                     const AxisShape& shape) {
  if (dtype == DType::kFloat64) {
    softmax_grad_shape(static_cast<const double*>(out), static_cast<const double*>(grad),
                       static_cast<double*>(x_grad), shape);
  } else {
    softmax_grad_shape(static_cast<const float*>(out), static_cast<const float*>(grad),
                       static_cast<float*>(x_grad), shape);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/infer.h"

namespace oploom::kernels {
namespace {

HWY_EXPORT(softmax_of);
HWY_EXPORT(softmax_grad_of);

AxisShape axis_shape(const Tensor& x, std::int64_t axis) {
  AxisShape shape;
  for (int i = 0; i < x.rank(); ++i) {
    std::int64_t& part = i < axis ? shape.outer : i == axis ? shape.length : shape.inner;
    part *= x.size(i);
  }
  return shape;
}

}  // namespace

void softmax(const Tensor& x, std::int64_t axis, Tensor& out) {
  if (out.numel() == 0) return;
  const AxisShape shape = axis_shape(out, axis);
  const DType dtype = out.dtype();
  const void* from = x.bytes();
  void* to = out.bytes();
  const Unlocked unlocked(out.numel(), {&x, &out});
  HWY_DYNAMIC_DISPATCH(softmax_of)(dtype, from, to, shape);
}

void check_softmax_grad(std::string_view op, const Tensor& out, const Tensor& out_grad,
                        std::int64_t) {
  infer::expect_shape(op, "out_grad", out_grad, out.shape());
}

void softmax_grad(const Tensor& out, const Tensor& out_grad, std::int64_t axis, Tensor& x_grad) {
  if (x_grad.numel() == 0) return;
  const AxisShape shape = axis_shape(out, axis);
  const DType dtype = out.dtype();
  const void* from = out.bytes();
  const void* grad = out_grad.bytes();
  void* to = x_grad.bytes();
  const Unlocked unlocked(out.numel(), {&out, &out_grad, &x_grad});
  HWY_DYNAMIC_DISPATCH(softmax_grad_of)(dtype, from, grad, to, shape);
}

}  // namespace oploom::kernels

#endif  // HWY_ONCE
