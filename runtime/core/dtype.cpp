#include "runtime/core/dtype.h"

#include <ostream>

#include "runtime/core/error.h"

namespace oploom {
namespace {

constexpr std::string_view kNames[kNumDTypes] = {"bool",  "uint8",   "int32",
                                                 "int64", "float32", "float64"};

}  // namespace

std::string_view name_of(DType dtype) { return kNames[static_cast<int>(dtype)]; }

std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name_of(dtype); }

DType dtype_named(std::string_view name) {
  for (int i = 0; i < kNumDTypes; ++i) {
    if (kNames[i] == name) return static_cast<DType>(i);
  }
  raise(ErrorKind::kType,
        "dtype: expected one of bool, uint8, int32, int64, float32, float64, got '", name, "'");
}

}  // namespace oploom
