#include "runtime/program/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <sstream>

#include "runtime/core/scalar.h"
#include "runtime/program/text.h"

namespace oploom::program::yaml {
namespace {

// yaml-cpp counts lines and columns from 0.
Place place_of(const YAML::Mark& mark) {
  return {std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const File& file) : file_(file) {}
  Node root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, "?", anchor, Node::Kind::kNull);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    file_.fail(place_of(mark), "expected a value, got an alias; write out what it names");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!is_utf8(value)) file_.fail(place_of(mark), "expected text in UTF-8, got ", quoted(value));
    if (!open_.empty() && open_.back()->kind == Node::Kind::kMap && !key_open_) {
      check_plain(mark, tag, anchor);
      open_.back()->keys.push_back({value, place_of(mark)});
      key_open_ = true;
      return;
    }
    add(mark, tag, anchor, Node::Kind::kScalar)->scalar = value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back(add(mark, tag, anchor, Node::Kind::kSequence));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back(add(mark, tag, anchor, Node::Kind::kMap));
    key_open_ = false;
  }
  void OnMapEnd() override {
    open_.pop_back();
    key_open_ = false;
  }

 private:
  void check_plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) file_.fail(place_of(mark), "expected a value, got an anchor; leave it out");
    if (!tag.empty() && tag != "?" && tag != "!") {
      file_.fail(place_of(mark), "expected a value without a tag, got ", quoted(tag));
    }
  }

  // A parent takes no further child while one is open, so pointers to open nodes stay good.
  Node* add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Kind kind) {
    check_plain(mark, tag, anchor);
    Node* node = &root;
    if (!open_.empty()) {
      Node& parent = *open_.back();
      if (parent.kind == Node::Kind::kMap && !key_open_) {
        file_.fail(place_of(mark), "expected a word as key, got something else");
      }
      key_open_ = false;
      node = &parent.items.emplace_back();
    }
    node->kind = kind;
    node->place = place_of(mark);
    return node;
  }

  const File& file_;
  std::vector<Node*> open_;
  bool key_open_ = false;  // the open map has a key without its value
};

std::string_view kind_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return "a scalar";
    case Node::Kind::kSequence:
      return "a list";
    default:
      return "a map";
  }
}

std::string shown(const Node& node) {
  constexpr std::size_t kMost = 40;
  if (node.kind != Node::Kind::kScalar) return std::string(kind_of(node));
  if (node.scalar.size() <= kMost) return quoted(node.scalar);
  return quoted(node.scalar.substr(0, kMost)) + "...";
}

template <typename T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr std::string_view kNanBits = "nan:";

}  // namespace

Node File::parse(const std::string& text) const {
  std::istringstream in(text);
  TreeBuilder builder(*this);
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) fail({}, "expected a program, got an empty file");
    TreeBuilder second(*this);
    if (parser.HandleNextDocument(second)) {
      fail(second.root.place, "expected one document, got a second one");
    }
  } catch (const YAML::Exception& error) {
    fail(place_of(error.mark), "this is no YAML: ", error.msg);
  }
  return std::move(builder.root);
}

std::int64_t File::integer(const Node& node, std::string_view what, std::int64_t least,
                           std::int64_t most) const {
  std::int64_t value = 0;
  if (node.kind != Node::Kind::kScalar || !read_number(node.scalar, value)) {
    fail(node.place, what, ": expected a whole number, got ", shown(node));
  }
  if (value < least || value > most) {
    fail(node.place, what, ": expected ", least, " to ", most, ", got ", value);
  }
  return value;
}

bool File::boolean(const Node& node, std::string_view what) const {
  const bool truth = node.kind == Node::Kind::kScalar && node.scalar == "true";
  if (!truth && (node.kind != Node::Kind::kScalar || node.scalar != "false")) {
    fail(node.place, what, ": expected true or false, got ", shown(node));
  }
  return truth;
}

double File::real(const Node& node, std::string_view what) const {
  double value = 0;
  if (node.kind != Node::Kind::kScalar || !read_double(node.scalar, value)) {
    fail(node.place, what, ": expected a number, got ", shown(node));
  }
  return value;
}

const std::string& File::string(const Node& node, std::string_view what) const {
  if (node.kind != Node::Kind::kScalar) {
    fail(node.place, what, ": expected a text, got ", shown(node));
  }
  return node.scalar;
}

std::span<const Node> File::sequence(const Node& node, std::string_view what) const {
  if (node.kind != Node::Kind::kSequence) {
    fail(node.place, what, ": expected a list, got ", shown(node));
  }
  return node.items;
}

Map::Map(const File& file, const Node& node, std::string_view what,
         std::span<const std::string_view> keys)
    : file_(file), node_(node), what_(what) {
  if (node.kind != Node::Kind::kMap) {
    file.fail(node.place, what, ": expected a map, got ", shown(node));
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const auto& [name, place] = node.keys[i];
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
      const std::string_view meant = closest(name, keys);
      file.fail(place, what, ": expected a key that is known, got ", quoted(name),
                meant.empty() ? "" : "; did you mean ", meant, meant.empty() ? "" : "?");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (node.keys[j].name == name)
        file.fail(place, what, ": expected ", name, " once, got it again");
    }
  }
}

const Node* Map::find(std::string_view key) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    if (node_.keys[i].name == key) return &node_.items[i];
  }
  return nullptr;
}

const Node& Map::need(std::string_view key) const {
  const Node* found = find(key);
  if (found == nullptr)
    file_.fail(node_.place, what_, ": expected a key ", quoted(key), ", got none");
  return *found;
}

bool Map::flag(std::string_view key) const {
  const Node* found = find(key);
  return found != nullptr && file_.boolean(*found, key);
}

std::string text_of(double value) {
  std::string text = oploom::text(Scalar(value));
  double back = 0;
  const bool exact = read_double(text, back) &&
                     std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value);
  if (exact) return text;
  // A NaN with a payload.
  std::ostringstream out;
  out << kNanBits << std::hex << std::bit_cast<std::uint64_t>(value);
  return out.str();
}

bool read_double(std::string_view text, double& value) {
  if (!text.starts_with(kNanBits)) return read_number(text, value);
  text.remove_prefix(kNanBits.size());
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  value = std::bit_cast<double>(bits);
  return error == std::errc() && end == text.data() + text.size() && std::isnan(value);
}

}  // namespace oploom::program::yaml
