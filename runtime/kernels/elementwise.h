#pragma once

#include <cstdint>

#include "runtime/core/blocking.h"
#include "runtime/core/dtype.h"
#include "runtime/core/tensor.h"

// What lies under the elementwise kernels. An op's arithmetic is written once, as an inner loop
// over consecutive elements of one dtype; strides, broadcasting and mixed dtypes are the driver's
// matter.
namespace oploom::kernels {

// out[i] = f(x[i], y[i], z[i]) for i < n. Unused operands are null; out may be one of the inputs.
// params is what the op's run call was given.
using Loop = void (*)(const void* x, const void* y, const void* z, void* out, std::int64_t n,
                      const void* params);

// The inner loops of one op, by the dtype of its computation; null where there is none. x_number
// and y_number read that operand once, as one element: `x * 2` needs no array of twos.
struct LoopRow {
  Loop spans[kNumDTypes];
  Loop x_number[kNumDTypes];
  Loop y_number[kNumDTypes];
};

constexpr int index_of(DType dtype) { return static_cast<int>(dtype); }

// Fills a family's rows with the loops for this CPU when the library is loaded, so that a call
// fetches its loop from a table and asks nothing.
class LoopFiller {
 public:
  explicit LoopFiller(void (*fill)());

 private:
  friend void refill_loops();
  void (*fill_)();
  LoopFiller* next_;
};
// Once more, for tests that chose other CPU targets.
void refill_loops();

// A call that the fast paths below do not take. inputs[i] is computed as dtypes[i].
struct ElementwiseCall {
  Loop spans = nullptr;
  Loop x_number = nullptr;
  Loop y_number = nullptr;
  const void* params = nullptr;
  int inputs = 0;
  const Tensor* input[3] = {};
  DType dtype[3] = {};             // what the loop reads
  DType result = DType::kFloat32;  // what the loop writes
};
// Any strides, broadcasting to out's shape, any dtypes. Lets the interpreter lock go on large
// outputs.
void run_elementwise(const ElementwiseCall& call, const Tensor& out);

// The loops of row for operands promoted to dtype; where there are none, to the default float.
ElementwiseCall call_of(const LoopRow& row, DType dtype, const void* params);

// --- Fast paths: everything dense, of one dtype and small, as most calls are. The rest is cold
// code.

void run1_general(const LoopRow& row, const Tensor& x, const Tensor& out, const void* params);
void run2_general(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out,
                  const void* params);
void run3_general(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& z,
                  const Tensor& out, const void* params);

template <typename... Impls>
inline bool all_dense(const Impls&... impls) {
  return ((impls.flags | ...) & TensorImpl::kStrided) == 0;
}

// Whether number, of one element, leaves a computation with x in x's dtype.
inline bool keeps_dtype(const TensorImpl& x, const TensorImpl& number) {
  if (number.dtype == x.dtype) return true;
  return (number.flags & TensorImpl::kWeak) != 0 ? category(number.dtype) <= category(x.dtype)
                                                 : promote(x.dtype, number.dtype) == x.dtype;
}

// The one element of impl, as dtype.
struct Number {
  Number(const TensorImpl& impl, DType dtype) {
    if (impl.dtype == DType::kFloat64 && dtype == DType::kFloat32) [[likely]] {
      as_float = static_cast<float>(*reinterpret_cast<const double*>(impl.data));
    } else {
      convert(impl, dtype);
    }
  }
  void convert(const TensorImpl& impl, DType dtype);
  union {
    float as_float;
    alignas(8) std::byte bytes[8];
  };
};

inline void run1(const LoopRow& row, const Tensor& x, const Tensor& out,
                 const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& o = *out.impl();
  if (all_dense(a, o) && a.dtype == o.dtype && a.numel == o.numel && o.numel <= kUnlockAbove)
      [[likely]] {
    row.spans[index_of(o.dtype)](a.data, nullptr, nullptr, o.data, o.numel, params);
    return;
  }
  run1_general(row, x, out, params);
}

inline void run2(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out,
                 const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& o = *out.impl();
  const int dtype = index_of(o.dtype);
  if (all_dense(a, b, o) && o.numel <= kUnlockAbove) [[likely]] {
    if (a.dtype == o.dtype && a.numel == o.numel) [[likely]] {
      if (b.dtype == o.dtype && b.numel == o.numel) [[likely]] {
        row.spans[dtype](a.data, b.data, nullptr, o.data, o.numel, params);
        return;
      }
      if (b.numel == 1 && keeps_dtype(a, b) && row.y_number[dtype] != nullptr) {
        const Number number(b, o.dtype);
        row.y_number[dtype](a.data, number.bytes, nullptr, o.data, o.numel, params);
        return;
      }
    } else if (a.numel == 1 && b.dtype == o.dtype && b.numel == o.numel && keeps_dtype(b, a) &&
               row.x_number[dtype] != nullptr) {
      const Number number(a, o.dtype);
      row.x_number[dtype](number.bytes, b.data, nullptr, o.data, o.numel, params);
      return;
    }
  }
  run2_general(row, x, y, out, params);
}

inline void run3(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& z,
                 const Tensor& out, const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& c = *z.impl();
  const TensorImpl& o = *out.impl();
  const int dtype = index_of(o.dtype);
  if (all_dense(a, b, c, o) && o.numel <= kUnlockAbove && a.dtype == o.dtype &&
      c.dtype == o.dtype && a.numel == o.numel && c.numel == o.numel) [[likely]] {
    if (b.dtype == o.dtype && b.numel == o.numel) {
      row.spans[dtype](a.data, b.data, c.data, o.data, o.numel, params);
      return;
    }
    if (b.numel == 1 && keeps_dtype(a, b) && row.y_number[dtype] != nullptr) {
      const Number number(b, o.dtype);
      row.y_number[dtype](a.data, number.bytes, c.data, o.data, o.numel, params);
      return;
    }
  }
  run3_general(row, x, y, z, out, params);
}

}  // namespace oploom::kernels
