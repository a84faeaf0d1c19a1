#include "runtime/program/attribute_types.h"

namespace oploom::program {
namespace {

std::string_view base(std::string_view declared) {
  return declared.ends_with('?') ? declared.substr(0, declared.size() - 1) : declared;
}

}  // namespace

bool is_list_attribute(std::string_view declared) {
  const std::string_view type = base(declared);
  return type == "int[]" || type == "axes" || type == "shape";
}

bool attribute_fits(std::string_view declared, const Attribute& attribute) {
  if (std::holds_alternative<std::monostate>(attribute)) return declared.ends_with('?');
  const std::string_view type = base(declared);
  if (is_list_attribute(type)) return std::holds_alternative<std::vector<std::int64_t>>(attribute);
  if (type == "bool") return std::holds_alternative<bool>(attribute);
  if (type == "int" || type == "axis") return std::holds_alternative<std::int64_t>(attribute);
  if (type == "float") return std::holds_alternative<double>(attribute);
  if (type == "str") return std::holds_alternative<std::string>(attribute);
  if (type == "dtype") return std::holds_alternative<DType>(attribute);
  if (type == "scalar") return std::holds_alternative<Scalar>(attribute);
  return type == "index" && std::holds_alternative<Index>(attribute);
}

bool metadata_fits(std::string_view declared, const Type& metadata) {
  if (!metadata.is_numbers()) return false;
  const std::string_view type = base(declared);
  if (is_list_attribute(type)) return metadata.shape.rank() == 1;
  if (metadata.shape.rank() != 0) return false;
  if (type == "float" || type == "scalar") return true;
  return type == "int" && metadata.dtype == DType::kInt64;
}

}  // namespace oploom::program
