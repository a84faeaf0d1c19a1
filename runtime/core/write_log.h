#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/storage.h"
#include "runtime/core/tensor.h"

namespace oploom {

// Where a call was made: a code object and an instruction offset of Python, worked out to a line
// only when an error is written. Empty for C++ callers.
struct Position {
  void* code = nullptr;
  std::int32_t offset = 0;
};

// Bindings install these; without bindings there is no position and describe() gives "C++".
struct PositionHooks {
  Position (*capture)() = nullptr;  // with one count of code
  void (*hold)(const Position&) = nullptr;
  void (*drop)(const Position&) noexcept = nullptr;
  std::string (*describe)(const Position&) = nullptr;
};
extern PositionHooks position_hooks;
std::string describe(const Position& position);

// Elements of a storage: a map without ownership. Offsets and strides in bytes, so that maps of
// different dtypes compare.
struct ByteMap {
  std::int64_t offset = 0;
  std::int64_t item = 0;  // bytes an element
  Dims shape;
  Dims strides;
};
ByteMap byte_map(const Tensor& x);
ByteMap whole(const Storage& storage);

// Whether two maps of one storage share a byte: spans first, then exactly up to 2^20 elements,
// beyond that by spans.
bool share_bytes(const ByteMap& a, const ByteMap& b);
// Whether two indices of one map share a byte (C7), exact.
bool overlaps_itself(Ints shape, Ints strides);

// One living saved value of a storage, in a list ordered by version.
struct SavedLink {
  SavedLink* older = nullptr;
  SavedLink* newer = nullptr;
  std::uint32_t version = 0;
};
inline void watch(Storage& storage, SavedLink& link) {
  link.version = storage.version;
  link.older = storage.newest_save;
  link.newer = nullptr;
  (storage.newest_save != nullptr ? storage.newest_save->newer : storage.oldest_save) = &link;
  storage.newest_save = &link;
  storage.guard |= Storage::kWatched;
}
void unwatch(Storage& storage, SavedLink& link) noexcept;

// A write to a watched storage.
struct WriteEntry {
  const char* op;
  std::uint32_t version;  // after the write
  Position position;      // owns one count of code
  ByteMap map;
};

struct WriteLog {
  std::vector<WriteEntry> entries;
  ~WriteLog();
};

// Makes room so that log_write cannot fail. Drops what no living save can ask for; past 256 entries
// the two oldest become one.
void reserve_entry(Storage& storage);
void log_write(Storage& storage, WriteEntry entry) noexcept;
// The oldest write after version to any byte of map, or null.
const WriteEntry* write_since(const Storage& storage, std::uint32_t version, const ByteMap& map);

}  // namespace oploom
