#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/core/index.h"
#include "runtime/core/scalar.h"

namespace oploom {
namespace program {

// An attribute of an op, in normal form. monostate: an optional one that is absent.
using Attribute = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType,
                               Scalar, std::vector<std::int64_t>, Index>;
bool equal(const Attribute& a, const Attribute& b);  // floats bit by bit

}  // namespace program

// As Python writes them: 3, 1.0, true, none, "text", float32, [1, 2], [0:2, None]. In the namespace
// of the alternatives, where it is found by them.
std::ostream& operator<<(std::ostream& out, const program::Attribute& attribute);

}  // namespace oploom
