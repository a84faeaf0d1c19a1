#include "runtime/core/scalar.h"

#include <charconv>
#include <ostream>
#include <string_view>

namespace oploom {

std::int64_t Scalar::to_int() const {
  if (category_ != Category::kFloat) return int_;
  // 2^63 is a float64, the largest int64 is not: compare before the cast, which is undefined
  // outside.
  constexpr double kEnd = 9223372036854775808.0;
  if (float_ != float_) return 0;
  if (float_ >= kEnd) return INT64_MAX;
  if (float_ < -kEnd) return INT64_MIN;
  return static_cast<std::int64_t>(float_);
}

// As Python writes numbers, so that 1.0 stays a float: the shortest text that reads back the same.
std::ostream& operator<<(std::ostream& out, const Scalar& value) {
  if (value.category() == Category::kBool) return out << (value.to_bool() ? "true" : "false");
  if (value.category() == Category::kInt) return out << value.to_int();
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value.to_double()).ptr;
  const std::string_view digits(buffer, static_cast<std::size_t>(end - buffer));
  out << digits;
  if (digits.find_first_not_of("-0123456789") == std::string_view::npos) out << ".0";
  return out;
}

}  // namespace oploom
