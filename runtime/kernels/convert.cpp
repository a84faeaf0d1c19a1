#include "runtime/kernels/convert.h"

#include <array>
#include <cstring>
#include <utility>

namespace oploom::kernels {
namespace {

template <typename From, typename To>
inline Stored<To> convert_one(Stored<From> value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != Stored<From>(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // In the common range one instruction; beyond it the language has no answer, so ours.
    constexpr From kLimit = static_cast<From>(std::int64_t{1} << (sizeof(To) == 8 ? 62 : 31));
    if (value > -kLimit && value < kLimit) [[likely]] {
      return static_cast<To>(static_cast<std::int64_t>(value));
    }
    return static_cast<To>(Scalar(static_cast<double>(value)).to_int());
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
void convert(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride,
             std::int64_t n) {
  using F = Stored<From>;
  using T = Stored<To>;
  constexpr std::int64_t kFrom = sizeof(F);
  constexpr std::int64_t kTo = sizeof(T);
  if (from_stride == kFrom && to_stride == kTo) {
    if constexpr (std::is_same_v<From, To>) {
      if (n * kTo <= 16) {  // rows of a few elements are common and a call of memcpy costs more
        for (std::int64_t i = 0; i < n; ++i) {
          reinterpret_cast<T*>(to)[i] = reinterpret_cast<const F*>(from)[i];
        }
      } else {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
      }
    } else {
      const F* source = reinterpret_cast<const F*>(from);
      T* target = reinterpret_cast<T*>(to);
#pragma GCC ivdep
      for (std::int64_t i = 0; i < n; ++i) target[i] = convert_one<From, To>(source[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<T*>(to) = convert_one<From, To>(*reinterpret_cast<const F*>(from));
    from += from_stride;
    to += to_stride;
  }
}

template <typename From>
constexpr std::array<Convert, kNumDTypes> converters_from() {
  return {&convert<From, bool>,         &convert<From, std::uint8_t>, &convert<From, std::int32_t>,
          &convert<From, std::int64_t>, &convert<From, float>,        &convert<From, double>};
}

constexpr std::array<std::array<Convert, kNumDTypes>, kNumDTypes> kConverters = {
    converters_from<bool>(),         converters_from<std::uint8_t>(),
    converters_from<std::int32_t>(), converters_from<std::int64_t>(),
    converters_from<float>(),        converters_from<double>()};

}  // namespace

Convert converter(DType from, DType to) {
  return kConverters[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

}  // namespace oploom::kernels
