#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "runtime/core/meta.h"

// Tests of declared inputs and attributes. An absent input passes.
namespace oploom::infer {

enum class Expected : std::uint8_t { kFloat, kInteger, kBool, kNumber };

[[noreturn, gnu::cold]] void refuse_dtype(std::string_view op, const char* argument, DType came, Expected expected);

inline void expect_float(std::string_view op, const char* argument, const Meta& x) {
  if (x.present && !is_float(x.dtype)) [[unlikely]] refuse_dtype(op, argument, x.dtype, Expected::kFloat);
}
inline void expect_integer(std::string_view op, const char* argument, const Meta& x) {
  if (x.present && !is_integer(x.dtype)) [[unlikely]] refuse_dtype(op, argument, x.dtype, Expected::kInteger);
}
inline void expect_bool(std::string_view op, const char* argument, const Meta& x) {
  if (x.present && x.dtype != DType::kBool) [[unlikely]] refuse_dtype(op, argument, x.dtype, Expected::kBool);
}
inline void expect_number(std::string_view op, const char* argument, const Meta& x) {
  if (x.present && x.dtype == DType::kBool) [[unlikely]] refuse_dtype(op, argument, x.dtype, Expected::kNumber);
}
inline void expect_float(std::string_view op, const char* argument, const MetaList& xs) {
  for (std::size_t i = 0; i < xs.size(); ++i) expect_float(op, argument, xs[i]);
}
inline void expect_integer(std::string_view op, const char* argument, const MetaList& xs) {
  for (std::size_t i = 0; i < xs.size(); ++i) expect_integer(op, argument, xs[i]);
}
inline void expect_bool(std::string_view op, const char* argument, const MetaList& xs) {
  for (std::size_t i = 0; i < xs.size(); ++i) expect_bool(op, argument, xs[i]);
}
inline void expect_number(std::string_view op, const char* argument, const MetaList& xs) {
  for (std::size_t i = 0; i < xs.size(); ++i) expect_number(op, argument, xs[i]);
}

// given must be one of choices.
void choice(std::string_view op, const char* argument, std::string_view given,
            std::initializer_list<std::string_view> choices);

// A shape of a tensor: no length is negative.
void expect_lengths(std::string_view op, const char* argument, Ints shape);
// An argument of exactly this shape.
void expect_shape(std::string_view op, const char* argument, const Meta& x, Ints shape);
// What an elementwise kernel that broadcasts nothing reads: one shape and dtype; -1, a length known at run time
// only, fits any.
void expect_alike(std::string_view op, std::initializer_list<Meta> arguments);
// An axis, axes counted from 0, as kernels read them.
void expect_axis(std::string_view op, std::int64_t axis, int rank);
void expect_axes(std::string_view op, Ints axes, int rank);
// A map (in elements, from the first on) that stays inside of this many elements.
void expect_map(std::string_view op, Ints shape, Ints strides, std::int64_t offset, std::int64_t elements);

}  // namespace oploom::infer
