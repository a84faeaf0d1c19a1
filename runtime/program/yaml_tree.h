#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/error.h"

// A YAML document as a plain tree in which everything has a line and a column. Made from yaml-cpp's
// events: its own nodes give no place to what is missing, and share what aliases name, which a
// broken file can turn into a cycle.
namespace oploom::program::yaml {

struct Place {
  int line = 1;
  int column = 1;
};

struct Node {
  enum class Kind : std::uint8_t { kNull, kScalar, kSequence, kMap };
  struct Key {
    std::string name;
    Place place;
  };
  Kind kind = Kind::kNull;
  Place place;
  std::string scalar;
  std::vector<Node> items;  // of a sequence; of a map the values, along keys
  std::vector<Key> keys;
};

// The source of error messages: "[load] net.yaml:3:5: ...". Every reader below raises kArgument so.
class File {
 public:
  explicit File(std::string name) : name_(std::move(name)) {}
  Node parse(const std::string& text) const;

  template <typename... Parts>
  [[noreturn]] void fail(Place place, const Parts&... parts) const {
    raise(ErrorKind::kArgument, "[load] ", name_, ":", place.line, ":", place.column, ": ",
          oploom::text(parts...));
  }
  // Runs f; what it raises gets the place.
  template <typename F>
  decltype(auto) at(Place place, F&& f) const {
    try {
      return f();
    } catch (const std::exception& error) {
      fail(place, error.what());
    }
  }

  // Scalars. what opens the message: "number of a value".
  std::int64_t integer(const Node& node, std::string_view what,
                       std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  bool boolean(const Node& node, std::string_view what) const;
  double real(const Node& node, std::string_view what) const;
  const std::string& string(const Node& node, std::string_view what) const;
  std::span<const Node> sequence(const Node& node, std::string_view what) const;

 private:
  std::string name_;
};

// A map with known keys: refuses others (with the one that was probably meant) and repeated ones.
class Map {
 public:
  Map(const File& file, const Node& node, std::string_view what,
      std::span<const std::string_view> keys);
  Map(const File& file, const Node& node, std::string_view what,
      std::initializer_list<std::string_view> keys)
      : Map(file, node, what, std::span<const std::string_view>(keys.begin(), keys.size())) {}
  const Node* find(std::string_view key) const;
  const Node& need(std::string_view key) const;  // raises where it is missing
  bool flag(std::string_view key) const;         // false where it is missing

 private:
  const File& file_;
  const Node& node_;
  std::string what_;
};

// How floats are written: the shortest text that reads back bit by bit, NaNs too.
std::string text_of(double value);
// The inverse; false where text is no number.
bool read_double(std::string_view text, double& value);

}  // namespace oploom::program::yaml
