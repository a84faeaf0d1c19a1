// Comparisons, logic, choice by a condition. Loops of plain C++, which the compiler turns into
// vector code. Compiled once for each CPU target; what follows HWY_ONCE, once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/comparison.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/simd_loops.h"

#ifndef OPLOOM_KERNELS_COMPARISON_ROWS
#define OPLOOM_KERNELS_COMPARISON_ROWS
namespace oploom::kernels::comparison {

struct Rows {
  LoopRow equal, not_equal, less_than, less_equal;
  LoopRow logical_and, logical_or, logical_xor, logical_not;
  LoopRow where;
};
inline Rows rows;

}  // namespace oploom::kernels::comparison
#endif

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace {

struct Equal : Light {
  using Light::Light;
  template <typename T>
  bool at(T x, T y) const {
    return x == y;
  }
};
struct NotEqual : Light {
  using Light::Light;
  template <typename T>
  bool at(T x, T y) const {
    return x != y;
  }
};
struct LessThan : Light {
  using Light::Light;
  template <typename T>
  bool at(T x, T y) const {
    return x < y;
  }
};
struct LessEqual : Light {
  using Light::Light;
  template <typename T>
  bool at(T x, T y) const {
    return x <= y;
  }
};

// Of bool, stored as 0 and 1.
struct And : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const { return x & y; }
};
struct Or : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const { return x | y; }
};
struct Xor : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x, std::uint8_t y) const { return x ^ y; }
};
struct Not : Light {
  using Light::Light;
  std::uint8_t at(std::uint8_t x) const { return x ^ 1; }
};

// Bits is an unsigned integer of the elements' size: a choice does not look at them.
template <typename Bits>
void choose(const void* condition_, const void* x_, const void* y_, void* out_, std::int64_t n,
            const void*) {
  const auto* condition = static_cast<const std::uint8_t*>(condition_);
  const auto* x = static_cast<const Bits*>(x_);
  const auto* y = static_cast<const Bits*>(y_);
  auto* out = static_cast<Bits*>(out_);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const Bits then = x[i];
    const Bits otherwise = y[i];
    out[i] = condition[i] != 0 ? then : otherwise;
  }
}

template <class F>
void set_comparison(LoopRow& row) {
  set_plain2<F, bool, bool>(row);
  set_plain2<F, std::uint8_t, bool>(row);
  set_plain2<F, std::int32_t, bool>(row);
  set_plain2<F, std::int64_t, bool>(row);
  set_plain2<F, float, bool>(row);
  set_plain2<F, double, bool>(row);
}

void fill() {
  comparison::Rows& rows = comparison::rows;
  set_comparison<Equal>(rows.equal);
  set_comparison<NotEqual>(rows.not_equal);
  set_comparison<LessThan>(rows.less_than);
  set_comparison<LessEqual>(rows.less_equal);
  set_plain2<And, bool>(rows.logical_and);
  set_plain2<Or, bool>(rows.logical_or);
  set_plain2<Xor, bool>(rows.logical_xor);
  set_plain1<Not, bool>(rows.logical_not);
  for (int dtype = 0; dtype < kNumDTypes; ++dtype) {
    const std::size_t bytes = size_of(static_cast<DType>(dtype));
    rows.where.spans[dtype] = bytes == 1   ? &choose<std::uint8_t>
                              : bytes == 4 ? &choose<std::uint32_t>
                                           : &choose<std::uint64_t>;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <initializer_list>

#include "generated/kernels.h"
#include "runtime/core/infer.h"

namespace oploom::kernels {
namespace {

using comparison::rows;

HWY_EXPORT(fill);
const LoopFiller filler([] { HWY_DYNAMIC_DISPATCH(fill)(); });

// In what dtype two operands are compared: never in one that would make different numbers equal,
// where there is such a dtype. So integers of two dtypes meet as int64 and an integer with a float
// as float64. A weak number counts as a number of the tensor's dtype if both are floats.
DType comparison_dtype(const Tensor& x, const Tensor& y) {
  if (x.dtype() == y.dtype()) return x.dtype();
  const bool x_float = is_float(x.dtype());
  const bool y_float = is_float(y.dtype());
  if (!x_float && !y_float) return DType::kInt64;
  if (y.weak() && x_float) return x.dtype();
  if (x.weak() && y_float) return y.dtype();
  return DType::kFloat64;
}

void run_all(const LoopRow& row, DType dtype, std::initializer_list<const Tensor*> inputs,
             const Tensor& out) {
  ElementwiseCall call = call_of(row, dtype, nullptr);
  for (const Tensor* x : inputs) call.input[call.inputs++] = x;
  call.result = DType::kBool;
  run_elementwise(call, out);
}

void compare(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& o = *out.impl();
  const bool small = all_dense(a, b, o) && o.numel <= kUnlockAbove && a.numel == o.numel;
  const int dtype = index_of(a.dtype);
  if (small && a.dtype == b.dtype && b.numel == o.numel) [[likely]] {
    row.spans[dtype](a.data, b.data, nullptr, o.data, o.numel, nullptr);
    return;
  }
  if (small && b.numel == 1 && comparison_dtype(x, y) == a.dtype) {
    const Number number(b, a.dtype);
    row.y_number[dtype](a.data, number.bytes, nullptr, o.data, o.numel, nullptr);
    return;
  }
  run_all(row, comparison_dtype(x, y), {&x, &y}, out);
}

void logical(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out) {
  run_all(row, DType::kBool, {&x, &y}, out);
}

}  // namespace

void equal(const Tensor& x, const Tensor& y, Tensor& out) { compare(rows.equal, x, y, out); }
void not_equal(const Tensor& x, const Tensor& y, Tensor& out) {
  compare(rows.not_equal, x, y, out);
}
void less_than(const Tensor& x, const Tensor& y, Tensor& out) {
  compare(rows.less_than, x, y, out);
}
void less_equal(const Tensor& x, const Tensor& y, Tensor& out) {
  compare(rows.less_equal, x, y, out);
}
void greater_than(const Tensor& x, const Tensor& y, Tensor& out) {
  compare(rows.less_than, y, x, out);
}
void greater_equal(const Tensor& x, const Tensor& y, Tensor& out) {
  compare(rows.less_equal, y, x, out);
}

void logical_and(const Tensor& x, const Tensor& y, Tensor& out) {
  logical(rows.logical_and, x, y, out);
}
void logical_or(const Tensor& x, const Tensor& y, Tensor& out) {
  logical(rows.logical_or, x, y, out);
}
void logical_xor(const Tensor& x, const Tensor& y, Tensor& out) {
  logical(rows.logical_xor, x, y, out);
}
void logical_not(const Tensor& x, Tensor& out) {
  run_all(rows.logical_not, DType::kBool, {&x}, out);
}

void where(const Tensor& condition, const Tensor& x, const Tensor& y, Tensor& out) {
  const TensorImpl& c = *condition.impl();
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& o = *out.impl();
  if (all_dense(c, a, b, o) && o.numel <= kUnlockAbove && c.numel == o.numel &&
      a.numel == o.numel && b.numel == o.numel && a.dtype == o.dtype && b.dtype == o.dtype)
      [[likely]] {
    rows.where.spans[index_of(o.dtype)](c.data, a.data, b.data, o.data, o.numel, nullptr);
    return;
  }
  ElementwiseCall call = call_of(rows.where, infer::promoted(x, y), nullptr);
  call.inputs = 3;
  call.input[0] = &condition;
  call.input[1] = &x;
  call.input[2] = &y;
  call.dtype[0] = DType::kBool;
  run_elementwise(call, out);
}

}  // namespace oploom::kernels

#endif  // HWY_ONCE
