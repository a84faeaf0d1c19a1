#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/generator.h"
#include "runtime/kernels/new_shape.h"

// Draws. Element i in row-major order gets the same number whatever the strides of the tensor.
namespace oploom::kernels {
namespace {

// A block makes four float32 or two float64.
template <typename T>
inline constexpr std::int64_t kPerBlock = 16 / sizeof(T);

double unit(std::uint32_t word) { return (word >> 8) * 0x1p-24; }  // [0, 1), exact in float32
double unit(std::uint32_t low, std::uint32_t high) {
  return static_cast<double>(((static_cast<std::uint64_t>(high) << 32) | low) >> 11) * 0x1p-53;
}

struct Uniform {
  double min, max;

  void operator()(const DrawRange::Block& b, float (&out)[4]) const {
    for (int i = 0; i < 4; ++i) out[i] = between<float>(unit(b.word[i]));
  }
  void operator()(const DrawRange::Block& b, double (&out)[2]) const {
    out[0] = between<double>(unit(b.word[0], b.word[1]));
    out[1] = between<double>(unit(b.word[2], b.word[3]));
  }
  template <typename T>
  T between(double u) const {
    const T end = static_cast<T>(max);
    const T value = static_cast<T>(min + u * (max - min));
    // Rounding may reach the end, which does not belong to the range.
    return value < end || min == max ? value : std::nextafter(end, static_cast<T>(min));
  }
};

// Box and Muller's pairs.
struct Normal {
  double mean, std;

  void operator()(const DrawRange::Block& b, float (&out)[4]) const {
    pair(static_cast<float>((b.word[0] + 1.0) * 0x1p-32), static_cast<float>(unit(b.word[1])), out);
    pair(static_cast<float>((b.word[2] + 1.0) * 0x1p-32), static_cast<float>(unit(b.word[3])),
         out + 2);
  }
  void operator()(const DrawRange::Block& b, double (&out)[2]) const {
    pair(1 - unit(b.word[0], b.word[1]), unit(b.word[2], b.word[3]), out);
  }
  // u in (0, 1], v in [0, 1)
  template <typename T>
  void pair(T u, T v, T* out) const {
    const T radius = std::sqrt(T(-2) * std::log(u));
    const T angle = T(2) * std::numbers::pi_v<T> * v;
    out[0] = static_cast<T>(mean) + static_cast<T>(std) * (radius * std::cos(angle));
    out[1] = static_cast<T>(mean) + static_cast<T>(std) * (radius * std::sin(angle));
  }
};

template <typename T, typename Law>
void draw_into(T* out, std::int64_t n, const DrawRange& range, const Law& law) {
  T numbers[kPerBlock<T>];
  for (std::int64_t i = 0; i < n; i += kPerBlock<T>) {
    law(range.block(static_cast<std::uint64_t>(i / kPerBlock<T>)), numbers);
    std::copy_n(numbers, std::min(kPerBlock<T>, n - i), out + i);
  }
}

// out, contiguous, with draws; after them finish(elements) under the same release of the lock.
template <typename Law, typename Finish>
void draw_dense(const Tensor& out, std::int64_t seed, const Law& law, Finish finish) {
  const std::int64_t n = out.numel();
  dispatch_float(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::int64_t blocks = (n + kPerBlock<T> - 1) / kPerBlock<T>;
    const DrawRange range = reserve_draws(static_cast<std::uint64_t>(blocks), seed);
    T* data = out.data<T>();
    const Unlocked unlocked(n, {&out});
    draw_into(data, n, range, law);
    finish(data);
  });
}

template <typename Law, typename Finish>
void draw(const Tensor& out, std::int64_t seed, const Law& law, Finish finish) {
  if (out.contiguous()) return draw_dense(out, seed, law, finish);
  const Tensor dense = empty(out.shape(), out.dtype());
  draw_dense(dense, seed, law, finish);
  copy_elements(dense, out);
}

constexpr auto kNothing = [](auto*) {};

void check_new(std::string_view op, Ints shape, std::optional<DType> dtype) {
  check_new_shape(op, shape);
  if (dtype && !is_float(*dtype)) [[unlikely]] {
    raise(ErrorKind::kType, "[", op, "] dtype: expected float32 or float64, got ", *dtype,
          "; draw floats and cast them");
  }
}

}  // namespace

void check_rand(std::string_view op, Ints shape, std::optional<DType> dtype) {
  check_new(op, shape, dtype);
}
void check_randn(std::string_view op, Ints shape, std::optional<DType> dtype) {
  check_new(op, shape, dtype);
}
void rand(Ints, std::optional<DType>, Tensor& out) { draw(out, 0, Uniform{0, 1}, kNothing); }
void randn(Ints, std::optional<DType>, Tensor& out) { draw(out, 0, Normal{0, 1}, kNothing); }

void check_uniform_(std::string_view op, const Tensor& x, double min, double max, std::int64_t,
                    std::int64_t diag_num, std::int64_t diag_step, double) {
  if (!(min <= max) || !std::isfinite(max - min)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op,
          "] min, max: expected finite numbers, min not above max, got ", Scalar(min), " and ",
          Scalar(max), "; exchange or bound them");
  }
  if (diag_num < 0 || diag_step < 0 || diag_num > x.numel() ||
      (diag_num > 1 && diag_step > (x.numel() - 1) / (diag_num - 1) - 1)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] diag_num, diag_step: expected ", diag_num,
          " elements that are diag_step + 1 apart to lie inside the ", x.numel(),
          " of x, got a diag_step of ", diag_step, "; take fewer");
  }
}
void uniform_(double min, double max, std::int64_t seed, std::int64_t diag_num,
              std::int64_t diag_step, double diag_val, Tensor& out) {
  draw(out, seed, Uniform{min, max}, [=](auto* data) {
    for (std::int64_t i = 0; i < diag_num; ++i) {
      data[i * (diag_step + 1)] = static_cast<std::remove_pointer_t<decltype(data)>>(diag_val);
    }
  });
}

void check_normal_(std::string_view op, const Tensor&, double mean, double std, std::int64_t) {
  if (!(std >= 0) || !std::isfinite(std) || !std::isfinite(mean)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op,
          "] mean, std: expected finite numbers, std not below 0, got ", Scalar(mean), " and ",
          Scalar(std), "; give the standard deviation as a positive number");
  }
}
void normal_(double mean, double std, std::int64_t seed, Tensor& out) {
  draw(out, seed, Normal{mean, std}, kNothing);
}

}  // namespace oploom::kernels
