// Inner loops over one dtype, for one CPU target. No #pragma once: foreach_target.h includes this
// once for each target.
#if defined(OPLOOM_KERNELS_SIMD_LOOPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OPLOOM_KERNELS_SIMD_LOOPS_H
#undef OPLOOM_KERNELS_SIMD_LOOPS_H
#else
#define OPLOOM_KERNELS_SIMD_LOOPS_H
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "runtime/kernels/convert.h"
#include "runtime/kernels/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// An op's arithmetic on floats is a struct:
//   struct Add : Light {
//     template <class D, class V> V operator()(D d, V x, V y) const { return hn::Add(x, y); }
//   };
// made anew for each call, from params where it declares parameters. It must be a function of the
// lanes alone: an element's result is the same bits wherever it stands in a tensor.
struct Light {
  static constexpr bool kHeavy = false;  // of a few instructions: the last elements go one by one
  Light() = default;
  explicit Light(const void*) {}
};
struct Heavy : Light {
  static constexpr bool kHeavy = true;  // the last elements go together, through a buffer
  using Light::Light;
};

// The first n lanes from p, zeros behind; without touching memory behind p + n. Only AVX-512 has
// masks for that; elsewhere, the one-lane target included, Highway's masked load may read a whole
// vector.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_some(D d, const T* p, std::int64_t n) {
#if HWY_TARGET > HWY_AVX3
  HWY_ALIGN T lanes[hn::MaxLanes(d)] = {};
  for (std::int64_t i = 0; i < n; ++i) lanes[i] = p[i];
  return hn::Load(d, lanes);
#else
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(n)), d, p);
#endif
}
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store_some(D d, hn::Vec<D> v, T* p, std::int64_t n) {
#if HWY_TARGET > HWY_AVX3
  HWY_ALIGN T lanes[hn::MaxLanes(d)];
  hn::Store(v, d, lanes);
  for (std::int64_t i = 0; i < n; ++i) p[i] = lanes[i];
#else
  hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(n)), d, p);
#endif
}

// An operand of a float loop: a span, or one number for all lanes.
template <typename T, bool kNumber>
struct Source {
  explicit Source(const void* data) : p(static_cast<const T*>(data)), number(kNumber ? *p : T(0)) {}
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, std::int64_t i) const {
    if constexpr (kNumber)
      return hn::Set(d, number);
    else
      return hn::LoadU(d, p + i);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> some(D d, std::int64_t i, std::int64_t n) const {
    if constexpr (kNumber)
      return hn::Set(d, number);
    else
      return load_some(d, p + i, n);
  }
  const T* p;
  T number;
};

// At least one vector of d. The last one ends with the last element and overlaps its neighbour: it
// is worked out first, because out may be one of the inputs, and stored last.
template <class D, class Op, typename T, class... Sources>
HWY_INLINE void vector_loop(D d, const Op& op, T* out, std::int64_t n, const Sources&... in) {
  constexpr std::int64_t kLanes = hn::MaxLanes(d);
  const bool even = n % kLanes == 0;
  auto last = hn::Zero(d);
  if (!even) last = op(d, in.load(d, n - kLanes)...);
  for (std::int64_t i = 0; i + kLanes <= n; i += kLanes)
    hn::StoreU(op(d, in.load(d, i)...), d, out + i);
  if (!even) hn::StoreU(last, d, out + n - kLanes);
}

// Small tensors never see more than 128 bits.
template <typename T, class Op, class... Sources>
HWY_INLINE void float_loop(const Op& op, T* out, std::int64_t n, const Sources&... in) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 16 / sizeof(T)> block;
  const hn::CappedTag<T, 1> one;
  constexpr std::int64_t kWide = hn::MaxLanes(wide);
  constexpr std::int64_t kBlock = hn::MaxLanes(block);
  if (kWide > kBlock && n >= kWide) return vector_loop(wide, op, out, n, in...);
  if (n >= kBlock) return vector_loop(block, op, out, n, in...);
  if constexpr (Op::kHeavy) {
    if (n > 0) store_some(block, op(block, in.some(block, 0, n)...), out, n);
  } else {
    for (std::int64_t i = 0; i < n; ++i) hn::StoreU(op(one, in.load(one, i)...), one, out + i);
  }
}

template <typename T, class Op>
void float1(const void* x, const void*, const void*, void* out, std::int64_t n,
            const void* params) {
  float_loop(Op(params), static_cast<T*>(out), n, Source<T, false>(x));
}
template <typename T, class Op, bool kXNumber, bool kYNumber>
void float2(const void* x, const void* y, const void*, void* out, std::int64_t n,
            const void* params) {
  float_loop(Op(params), static_cast<T*>(out), n, Source<T, kXNumber>(x), Source<T, kYNumber>(y));
}
template <typename T, class Op, bool kYNumber>
void float3(const void* x, const void* y, const void* z, void* out, std::int64_t n,
            const void* params) {
  float_loop(Op(params), static_cast<T*>(out), n, Source<T, false>(x), Source<T, kYNumber>(y),
             Source<T, false>(z));
}

// --- Element by element, vectorised by the compiler where it can: integers, bool, and what has no
// vector form. F::at(x, y, z) or F(params).at(...); ivdep because out is either an input's place or
// nobody's.
template <typename X, typename Out, class F>
void plain1(const void* x_, const void*, const void*, void* out_, std::int64_t n,
            const void* params) {
  const auto* x = static_cast<const Stored<X>*>(x_);
  auto* out = static_cast<Stored<Out>*>(out_);
  const F f(params);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = f.at(x[i]);
}
template <typename X, typename Out, class F, bool kXNumber, bool kYNumber>
void plain2(const void* x_, const void* y_, const void*, void* out_, std::int64_t n,
            const void* params) {
  const auto* x = static_cast<const Stored<X>*>(x_);
  const auto* y = static_cast<const Stored<X>*>(y_);
  auto* out = static_cast<Stored<Out>*>(out_);
  const F f(params);
  const Stored<X> x_number = kXNumber ? x[0] : 0;
  const Stored<X> y_number = kYNumber ? y[0] : 0;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = f.at(kXNumber ? x_number : x[i], kYNumber ? y_number : y[i]);
  }
}
template <typename T, class F>
void plain3(const void* x_, const void* y_, const void* z_, void* out_, std::int64_t n,
            const void* params) {
  const auto* x = static_cast<const Stored<T>*>(x_);
  const auto* y = static_cast<const Stored<T>*>(y_);
  const auto* z = static_cast<const Stored<T>*>(z_);
  auto* out = static_cast<Stored<T>*>(out_);
  const F f(params);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = f.at(x[i], y[i], z[i]);
}

// --- Into the table.
template <class Op, typename T>
void set_float1(LoopRow& row) {
  row.spans[index_of(dtype_of<T>)] = &float1<T, Op>;
}
template <class Op>
void set_floats1(LoopRow& row) {
  set_float1<Op, float>(row);
  set_float1<Op, double>(row);
}
template <class Op, typename T>
void set_float2(LoopRow& row) {
  constexpr int kDtype = index_of(dtype_of<T>);
  row.spans[kDtype] = &float2<T, Op, false, false>;
  row.x_number[kDtype] = &float2<T, Op, true, false>;
  row.y_number[kDtype] = &float2<T, Op, false, true>;
}
template <class Op>
void set_floats2(LoopRow& row) {
  set_float2<Op, float>(row);
  set_float2<Op, double>(row);
}
template <class Op>
void set_floats3(LoopRow& row) {
  row.spans[index_of(DType::kFloat32)] = &float3<float, Op, false>;
  row.spans[index_of(DType::kFloat64)] = &float3<double, Op, false>;
  row.y_number[index_of(DType::kFloat32)] = &float3<float, Op, true>;
  row.y_number[index_of(DType::kFloat64)] = &float3<double, Op, true>;
}
template <class F, typename T, typename Out = T>
void set_plain1(LoopRow& row) {
  row.spans[index_of(dtype_of<T>)] = &plain1<T, Out, F>;
}
template <class F>
void set_ints1(LoopRow& row) {
  set_plain1<F, std::uint8_t>(row);
  set_plain1<F, std::int32_t>(row);
  set_plain1<F, std::int64_t>(row);
}
template <class F, typename T, typename Out = T>
void set_plain2(LoopRow& row) {
  constexpr int kDtype = index_of(dtype_of<T>);
  row.spans[kDtype] = &plain2<T, Out, F, false, false>;
  row.x_number[kDtype] = &plain2<T, Out, F, true, false>;
  row.y_number[kDtype] = &plain2<T, Out, F, false, true>;
}
template <class F>
void set_ints2(LoopRow& row) {
  set_plain2<F, std::uint8_t>(row);
  set_plain2<F, std::int32_t>(row);
  set_plain2<F, std::int64_t>(row);
}

}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
