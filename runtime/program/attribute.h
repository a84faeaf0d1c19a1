#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/core/index.h"
#include "runtime/core/scalar.h"

namespace oploom::program {

// An attribute of an op, in normal form. monostate: an optional one that is absent.
using Attribute = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, Scalar,
                               std::vector<std::int64_t>, Index>;
std::ostream& operator<<(std::ostream& out, const Attribute& attribute);
bool equal(const Attribute& a, const Attribute& b);  // floats bit by bit

}  // namespace oploom::program
