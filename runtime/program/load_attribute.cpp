#include "runtime/program/load_attribute.h"

#include <charconv>
#include <string>

#include "runtime/program/attribute_types.h"
#include "runtime/program/text.h"

namespace oploom::program {
namespace {

using yaml::File;
using yaml::Node;

Scalar load_scalar(const File& file, const Node& node, std::string_view what) {
  const std::string& text = file.string(node, what);
  if (text == "true" || text == "false") return text == "true";
  // As Python tells them apart: a whole number has no point, exponent, inf or nan.
  const bool whole = text.find_first_of(".eEn") == std::string::npos;
  return whole ? Scalar(file.integer(node, what)) : Scalar(file.real(node, what));
}

std::vector<std::int64_t> load_integers(const File& file, const Node& node, std::string_view what) {
  std::vector<std::int64_t> values;
  for (const Node& item : file.sequence(node, what)) values.push_back(file.integer(item, what));
  return values;
}

// A number that may be absent: "" in "0::2".
bool read_bound(std::string_view text, std::int64_t& bound) {
  bound = IndexItem::kNone;
  if (text.empty()) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound);
  return error == std::errc() && end == text.data() + text.size() && bound != IndexItem::kNone;
}

bool read_item(std::string_view text, IndexItem& item) {
  if (text == "None") return item = IndexItem::new_axis(), true;
  if (text == "...") return item = IndexItem::ellipsis(), true;
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) {
    item = IndexItem::number(0);
    return !text.empty() && read_bound(text, item.start);
  }
  const std::size_t second = text.find(':', first + 1);
  if (second == std::string_view::npos) return false;
  item.kind = IndexItem::Kind::kSlice;
  return read_bound(text.substr(0, first), item.start) &&
         read_bound(text.substr(first + 1, second - first - 1), item.stop) &&
         read_bound(text.substr(second + 1), item.step);
}

Index load_index(const File& file, const Node& node, std::string_view what) {
  Index index;
  for (const Node& item_node : file.sequence(node, what)) {
    IndexItem item;
    if (!read_item(file.string(item_node, what), item)) {
      file.fail(item_node.place, what, ": expected a number, start:stop:step, None or ..., got ",
                quoted(item_node.scalar));
    }
    file.at(item_node.place, [&] { index.push_back(item); });
  }
  return index;
}

}  // namespace

Attribute load_attribute(const File& file, const Node& node, const AttributeDef& def) {
  const std::string_view declared = def.type;
  if (node.kind == Node::Kind::kNull) {
    if (declared.ends_with('?')) return {};
    file.fail(node.place, def.name, ": expected an attribute of type ", declared, ", got nothing");
  }
  const std::string_view type =
      declared.ends_with('?') ? declared.substr(0, declared.size() - 1) : declared;
  if (is_list_attribute(type)) return load_integers(file, node, def.name);
  if (type == "bool") return file.boolean(node, def.name);
  if (type == "float") return file.real(node, def.name);
  if (type == "str") return file.string(node, def.name);
  if (type == "dtype") {
    return file.at(node.place, [&] { return dtype_named(file.string(node, def.name)); });
  }
  if (type == "scalar") return load_scalar(file, node, def.name);
  if (type == "index") return load_index(file, node, def.name);
  return file.integer(node, def.name);
}

}  // namespace oploom::program
