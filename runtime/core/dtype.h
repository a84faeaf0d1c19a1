#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace oploom {

// Ordered so that promotion inside one category is "the later one".
enum class DType : std::uint8_t { kBool, kUInt8, kInt32, kInt64, kFloat32, kFloat64 };
inline constexpr int kNumDTypes = 6;
inline constexpr DType kDefaultFloat = DType::kFloat32;
inline constexpr DType kDefaultInt = DType::kInt64;

// bool < int < float: a result may be written into a tensor of its own or a higher category (C6).
enum class Category : std::uint8_t { kBool, kInt, kFloat };

constexpr Category category(DType dtype) {
  if (dtype == DType::kBool) return Category::kBool;
  return dtype < DType::kFloat32 ? Category::kInt : Category::kFloat;
}
constexpr bool is_float(DType dtype) { return dtype >= DType::kFloat32; }
constexpr bool is_integer(DType dtype) { return category(dtype) == Category::kInt; }

// The logarithm of an element's bytes: bytes become elements by a shift, where a division would
// take 5 ns. The digits of one number, the last for bool: an array would be laid on the stack in
// every call.
constexpr int log2_size_of(DType dtype) { return 0x323200 >> (4 * static_cast<int>(dtype)) & 0xF; }

constexpr std::size_t size_of(DType dtype) { return std::size_t{1} << log2_size_of(dtype); }

// "bool", "uint8", "int32", "int64", "float32", "float64".
std::string_view name_of(DType dtype);
std::ostream& operator<<(std::ostream& out, DType dtype);
// The inverse of name_of; raises kType with the list of names.
DType dtype_named(std::string_view name);

// The array API's table; int with float gives the float (int64 + float32 = float32).
constexpr DType promote(DType a, DType b) {
  if (a == DType::kUInt8 && b == DType::kBool) return a;
  if (b == DType::kUInt8 && a == DType::kBool) return b;
  return a > b ? a : b;
}

// A Python number is weak: it raises the tensor's dtype only to its own category's default.
constexpr DType promote_weak(DType tensor, DType number) {
  if (category(number) <= category(tensor)) return tensor;
  return category(number) == Category::kFloat ? kDefaultFloat : kDefaultInt;
}

// The dtype that float functions compute in: ints and bool become float32.
constexpr DType float_of(DType dtype) { return is_float(dtype) ? dtype : kDefaultFloat; }

template <typename T>
struct DTypeOf;
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::kBool;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kUInt8;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kInt32;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::kInt64;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::kFloat64;
};
template <typename T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

template <typename T>
struct TypeTag {
  using type = T;
};

// Calls f with the TypeTag of dtype: dispatch(dtype, [&](auto tag) { using T = typename
// decltype(tag)::type; ... }).
template <typename F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool:
      return f(TypeTag<bool>{});
    case DType::kUInt8:
      return f(TypeTag<std::uint8_t>{});
    case DType::kInt32:
      return f(TypeTag<std::int32_t>{});
    case DType::kInt64:
      return f(TypeTag<std::int64_t>{});
    case DType::kFloat32:
      return f(TypeTag<float>{});
    default:
      return f(TypeTag<double>{});
  }
}
template <typename F>
decltype(auto) dispatch_float(DType dtype, F&& f) {
  return dtype == DType::kFloat64 ? f(TypeTag<double>{}) : f(TypeTag<float>{});
}

}  // namespace oploom
