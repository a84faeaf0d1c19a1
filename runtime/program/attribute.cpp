#include "runtime/program/attribute.h"

#include <bit>
#include <ostream>
#include <string_view>
#include <type_traits>

#include "runtime/core/dims.h"
#include "runtime/program/text.h"

namespace oploom {
namespace program {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same(const Scalar& a, const Scalar& b) {
  if (a.category() != b.category()) return false;
  if (a.category() == Category::kFloat) return same(a.to_double(), b.to_double());
  return a.to_int() == b.to_int();
}

// A number's stop and step, and everything of a new axis, carry no meaning of their own.
bool same(const IndexItem& a, const IndexItem& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == IndexItem::Kind::kNumber) return a.start == b.start;
  if (a.kind != IndexItem::Kind::kSlice) return true;
  return a.start == b.start && a.stop == b.stop && a.step == b.step;
}

bool same(const Index& a, const Index& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool equal(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        const T& other = std::get<T>(b);
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Scalar> ||
                      std::is_same_v<T, Index>) {
          return same(value, other);
        } else {
          return value == other;
        }
      },
      a);
}

}  // namespace program

std::ostream& operator<<(std::ostream& out, const program::Attribute& attribute) {
  std::visit(
      [&out](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          out << "none";
        else if constexpr (std::is_same_v<T, bool>)
          out << (value ? "true" : "false");
        else if constexpr (std::is_same_v<T, double>)
          out << Scalar(value);
        else if constexpr (std::is_same_v<T, std::string>)
          out << program::quoted(value);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          out << Ints(value);
        else
          out << value;
      },
      attribute);
  return out;
}

}  // namespace oploom
