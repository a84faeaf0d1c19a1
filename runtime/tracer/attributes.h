#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/index.h"
#include "runtime/core/scalar.h"

namespace oploom {

template <typename Value>
void write_attribute(std::ostream& out, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) out << (value ? "true" : "false");
  else out << value;
}
template <typename Value>
void write_attribute(std::ostream& out, const std::optional<Value>& value) {
  if (value) write_attribute(out, *value);
  else out << "none";
}

inline void write_attributes(std::ostream&, const char*) {}
template <typename Value, typename... Rest>
void write_attributes(std::ostream& out, const char* separator, const char* name, const Value& value,
                      const Rest&... rest) {
  out << separator << name << '=';
  write_attribute(out, value);
  write_attributes(out, ", ", rest...);
}

// attributes_text("axis", axis, "keepdim", keepdim) is "axis=[1], keepdim=false". Only for a listening tracer.
template <typename... NamesAndValues>
std::string attributes_text(const NamesAndValues&... pairs) {
  std::ostringstream out;
  write_attributes(out, "", pairs...);
  return out.str();
}

}  // namespace oploom
