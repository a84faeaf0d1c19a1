#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/fill.h"
#include "runtime/kernels/new_shape.h"

// New tensors, copies, and writes of a value.
namespace oploom::kernels {
namespace {

// The values of an arange, in one form: value(i) = first + i * step.
struct Progression {
  Progression(const Scalar& start, const std::optional<Scalar>& end, const Scalar& step_,
              std::optional<DType> dtype_)
      : first(end ? start : Scalar(0)), last(end ? *end : start), step(step_) {
    for (const Scalar* number : {&first, &last, &step}) {
      whole = whole && number->category() != Category::kFloat;
    }
    dtype = dtype_.value_or(whole ? kDefaultInt : kDefaultFloat);
  }
  bool finite() const {
    return std::isfinite(first.to_double()) && std::isfinite(last.to_double()) &&
           std::isfinite(step.to_double());
  }
  // As float64, so that a count beyond int64 shows.
  double length() const {
    if (!whole) return std::ceil((last.to_double() - first.to_double()) / step.to_double());
    const bool up = step.to_int() > 0;
    const std::int64_t low = up ? first.to_int() : last.to_int();
    const std::int64_t high = up ? last.to_int() : first.to_int();
    if (low >= high) return 0;
    // Differences of int64 fit their unsigned kin.
    const auto distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const auto by = static_cast<std::uint64_t>(step.to_int());
    return static_cast<double>((distance - 1) / (up ? by : 0 - by) + 1);
  }

  Scalar first, last, step;
  DType dtype;
  bool whole = true;
};

constexpr double kLongest = 4611686018427387904.0;  // 2^62 elements

template <typename T>
T value_at(const Progression& p, std::int64_t i) {
  if (p.whole) {
    const auto value = static_cast<std::uint64_t>(p.first.to_int()) +
                       static_cast<std::uint64_t>(p.step.to_int()) * static_cast<std::uint64_t>(i);
    return Scalar(static_cast<std::int64_t>(value)).to<T>();
  }
  return Scalar(p.first.to_double() + static_cast<double>(i) * p.step.to_double()).to<T>();
}

// out = x, the two of one shape or x broadcast.
void copy(const Tensor& x, const Tensor& out) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& o = *out.impl();
  if (a.data == o.data && a.dtype == o.dtype && a.numel == o.numel) return;  // onto itself
  if (all_dense(a, o) && a.dtype == o.dtype && a.numel == o.numel && a.numel <= kUnlockAbove)
      [[likely]] {
    std::memcpy(o.data, a.data, x.nbytes());
    return;
  }
  copy_elements(x, out);
}

}  // namespace

void check_new_shape(std::string_view op, Ints shape) {
  for (const std::int64_t length : shape) {
    if (length < 0) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", op, "] shape: expected lengths of at least 0, got ", shape,
            "; write every length as a number");
    }
  }
}

void check_full(std::string_view op, Ints shape, Scalar, std::optional<DType>) {
  check_new_shape(op, shape);
}
void check_zeros(std::string_view op, Ints shape, std::optional<DType>) {
  check_new_shape(op, shape);
}
void check_ones(std::string_view op, Ints shape, std::optional<DType>) {
  check_new_shape(op, shape);
}

void full(Ints, Scalar value, std::optional<DType>, Tensor& out) { fill_elements(value, out); }
void zeros(Ints, std::optional<DType>, Tensor& out) { fill_elements(0, out); }
void ones(Ints, std::optional<DType>, Tensor& out) { fill_elements(1, out); }
void zeros_like(std::optional<DType>, Tensor& out) { fill_elements(0, out); }
void ones_like(std::optional<DType>, Tensor& out) { fill_elements(1, out); }

void check_arange(std::string_view op, Scalar start, std::optional<Scalar> end, Scalar step,
                  std::optional<DType> dtype) {
  const Progression p(start, end, step, dtype);
  if (step.to_double() == 0) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] step: expected a number other than 0, got ", step,
          "; give the distance between two elements");
  }
  if (!p.finite()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] start, end, step: expected finite numbers, got ",
          p.first, ", ", p.last, " and ", step, "; give finite numbers");
  }
  if (p.length() > kLongest) [[unlikely]] {
    raise(ErrorKind::kMemory, "[", op, "] start, end, step: ", p.first, ", ", p.last, " and ", step,
          " ask for more elements than can be addressed; take a larger step");
  }
}

KernelResult result_arange(Scalar start, std::optional<Scalar> end, Scalar step,
                           std::optional<DType> dtype) {
  const Progression p(start, end, step, dtype);
  const double length = p.length();
  if (!(length >= 0)) return {{0}, p.dtype};
  return {{length < kLongest ? static_cast<std::int64_t>(length) : -1}, p.dtype};
}

Tensor arange(Scalar start, std::optional<Scalar> end, Scalar step, std::optional<DType> dtype) {
  const Progression p(start, end, step, dtype);
  const auto n = static_cast<std::int64_t>(std::max(0.0, p.length()));
  Tensor out = empty({n}, p.dtype);
  std::byte* data = out.bytes();
  const Unlocked unlocked(n, {&out});
  dispatch(p.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (std::int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(data)[i] = value_at<T>(p, i);
  });
  return out;
}

void assign(const Tensor& x, Tensor& out) { copy(x, out); }
void clone(const Tensor& x, Tensor& out) { copy(x, out); }
void cast(const Tensor& x, DType, Tensor& out) { copy(x, out); }
void copy_(const Tensor& value, Tensor& out) { copy(value, out); }

// A write must not lose anything: what add_ would refuse by category is refused here by value.
void check_fill(std::string_view op, const Tensor& x, Scalar value) {
  const double number = value.to_double();
  const bool whole = std::isfinite(number) && number == std::floor(number);
  if (is_float(x.dtype()) || (x.dtype() == DType::kBool ? number == 0 || number == 1 : whole)) {
    return;
  }
  raise(ErrorKind::kType, "[", op, "] value: expected ",
        x.dtype() == DType::kBool ? "true or false" : "a whole number", " for a tensor of ",
        x.dtype(), ", got ", value, "; cast the tensor first");
}
void fill(Scalar value, Tensor& out) { fill_elements(value, out); }
void zero_(Tensor& out) { fill_elements(0, out); }

}  // namespace oploom::kernels
