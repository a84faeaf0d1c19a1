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

// --- Fast paths: everything dense, of one dtype and small, as most calls are. They are inline and
// the rest is not, so that a call on a small tensor ends in a jump to its loop.

void run1_other(const LoopRow& row, const Tensor& x, const Tensor& out, const void* params);
// Operands that are one number are quick here, too.
void run2_other(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out,
                const void* params);
void run3_other(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& z,
                const Tensor& out, const void* params);

template <typename... Impls>
inline bool all_dense(const Impls&... impls) {
  return ((impls.flags | ...) & TensorImpl::kStrided) == 0;
}
// Whether the loop for out's dtype may read x as it lies.
inline bool matches(const TensorImpl& x, const TensorImpl& out) {
  return x.dtype == out.dtype && x.numel == out.numel;
}

inline void run1(const LoopRow& row, const Tensor& x, const Tensor& out,
                 const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& o = *out.impl();
  if (all_dense(a, o) && matches(a, o) && o.numel <= kUnlockAbove) [[likely]] {
    return row.spans[index_of(o.dtype)](a.data, nullptr, nullptr, o.data, o.numel, params);
  }
  run1_other(row, x, out, params);
}

inline void run2(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out,
                 const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& o = *out.impl();
  if (all_dense(a, b, o) && matches(a, o) && matches(b, o) && o.numel <= kUnlockAbove) [[likely]] {
    return row.spans[index_of(o.dtype)](a.data, b.data, nullptr, o.data, o.numel, params);
  }
  run2_other(row, x, y, out, params);
}

inline void run3(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& z,
                 const Tensor& out, const void* params = nullptr) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& c = *z.impl();
  const TensorImpl& o = *out.impl();
  if (all_dense(a, b, c, o) && matches(a, o) && matches(b, o) && matches(c, o) &&
      o.numel <= kUnlockAbove) [[likely]] {
    return row.spans[index_of(o.dtype)](a.data, b.data, c.data, o.data, o.numel, params);
  }
  run3_other(row, x, y, z, out, params);
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

}  // namespace oploom::kernels
