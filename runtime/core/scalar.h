#pragma once

#include <cstdint>
#include <iosfwd>
#include <type_traits>

#include "runtime/core/dtype.h"

namespace oploom {

// A number that remembers whether it was a bool, an integer or a float. As an attribute it is
// an exact 64-bit value; as an operand it is weak (never changes a tensor's dtype within its category).
class Scalar {
 public:
  constexpr Scalar() : Scalar(std::int64_t{0}) {}
  constexpr Scalar(bool v) : category_(Category::kBool), int_(v) {}
  constexpr Scalar(int v) : category_(Category::kInt), int_(v) {}
  constexpr Scalar(std::int64_t v) : category_(Category::kInt), int_(v) {}
  constexpr Scalar(long long v) : category_(Category::kInt), int_(v) {}
  constexpr Scalar(double v) : category_(Category::kFloat), float_(v) {}

  constexpr Category category() const { return category_; }
  constexpr double to_double() const {
    return category_ == Category::kFloat ? float_ : static_cast<double>(int_);
  }
  // Floats are cut towards zero and clamped to the range; NaN gives 0 (never undefined behaviour).
  std::int64_t to_int() const;
  constexpr bool to_bool() const { return category_ == Category::kFloat ? float_ != 0 : int_ != 0; }
  // The value as a T of a kernel; integers wrap.
  template <typename T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) return to_bool();
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(to_double());
    else return static_cast<T>(to_int());
  }
  // bool, int64 or float32: what a weak number counts as where it meets no tensor.
  constexpr DType dtype() const {
    return category_ == Category::kFloat ? kDefaultFloat
           : category_ == Category::kInt ? kDefaultInt
                                         : DType::kBool;
  }

 private:
  Category category_;
  union {
    std::int64_t int_;
    double float_;
  };
};

std::ostream& operator<<(std::ostream& out, const Scalar& value);

}  // namespace oploom
