#include "runtime/core/write_log.h"

#include <algorithm>
#include <bitset>
#include <cstdlib>

namespace oploom {

PositionHooks position_hooks;

std::string describe(const Position& position) {
  if (position.code == nullptr || position_hooks.describe == nullptr) return "C++";
  return position_hooks.describe(position);
}

namespace {

constexpr std::size_t kMaxEntries = 256;
constexpr std::int64_t kExactElements = std::int64_t{1} << 20;

void drop_position(Position& position) noexcept {
  if (position.code != nullptr && position_hooks.drop != nullptr) position_hooks.drop(position);
  position.code = nullptr;
}

std::int64_t elements(const ByteMap& map) {
  std::int64_t count = 1;
  for (const std::int64_t length : map.shape) count *= length;
  return count;
}

// First byte and the byte behind the last one. All lengths are positive.
struct Span {
  std::int64_t begin;
  std::int64_t end;
};
Span span_of(const ByteMap& map) {
  Span span{map.offset, map.offset + map.item};
  for (std::size_t i = 0; i < map.shape.size(); ++i) {
    const std::int64_t reach = (map.shape[i] - 1) * map.strides[i];
    (reach < 0 ? span.begin : span.end) += reach;
  }
  return span;
}

bool dense(const ByteMap& map, const Span& span) {
  return elements(map) * map.item == span.end - span.begin &&
         !overlaps_itself(map.shape, map.strides);
}

// Calls visit(byte offset) for each element; stops and answers true where visit does.
template <typename Visit>
bool any_element(const ByteMap& map, Visit visit) {
  std::int64_t at[kMaxRank] = {};
  std::int64_t offset = map.offset;
  const int rank = map.shape.rank();
  while (true) {
    if (visit(offset)) return true;
    int axis = rank - 1;
    for (; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      offset += map.strides[a];
      if (++at[axis] < map.shape[a]) break;
      offset -= map.strides[a] * map.shape[a];
      at[axis] = 0;
    }
    if (axis < 0) return false;
  }
}

bool share_bytes_exactly(const ByteMap& a, const ByteMap& b, const Span& common) {
  std::vector<bool> taken(static_cast<std::size_t>(common.end - common.begin));
  any_element(a, [&](std::int64_t offset) {
    for (std::int64_t i = std::max(offset, common.begin); i < std::min(offset + a.item, common.end);
         ++i) {
      taken[static_cast<std::size_t>(i - common.begin)] = true;
    }
    return false;
  });
  return any_element(b, [&](std::int64_t offset) {
    for (std::int64_t i = std::max(offset, common.begin); i < std::min(offset + b.item, common.end);
         ++i) {
      if (taken[static_cast<std::size_t>(i - common.begin)]) return true;
    }
    return false;
  });
}

// Two writes as one: all bytes between them, as of the later. May accuse one write too many, misses
// none.
void merge_oldest(std::vector<WriteEntry>& entries) noexcept {
  WriteEntry& first = entries[0];
  WriteEntry& second = entries[1];
  const Span a = span_of(first.map);
  const Span b = span_of(second.map);
  const std::int64_t begin = std::min(a.begin, b.begin);
  second.map = ByteMap{begin, 1, Dims{std::max(a.end, b.end) - begin}, Dims{1}};
  drop_position(first.position);
  entries.erase(entries.begin());
}

}  // namespace

ByteMap byte_map(const Tensor& x) {
  const auto item = static_cast<std::int64_t>(size_of(x.dtype()));
  ByteMap map{x.offset() * item, item, Dims(x.shape()), Dims(x.strides())};
  for (std::int64_t& stride : map.strides) stride *= item;
  return map;
}

ByteMap whole(const Storage& storage) {
  return ByteMap{0, 1, Dims{static_cast<std::int64_t>(storage.nbytes)}, Dims{1}};
}

bool share_bytes(const ByteMap& a, const ByteMap& b) {
  if (elements(a) == 0 || elements(b) == 0) return false;
  const Span sa = span_of(a);
  const Span sb = span_of(b);
  const Span common{std::max(sa.begin, sb.begin), std::min(sa.end, sb.end)};
  if (common.begin >= common.end) return false;
  if (dense(a, sa) && dense(b, sb)) return true;
  if (elements(a) > kExactElements || elements(b) > kExactElements) return true;
  return share_bytes_exactly(a, b, common);
}

bool overlaps_itself(Ints shape, Ints strides) {
  // Sorted by stride, each dimension must step over all that the smaller ones reach.
  std::pair<std::int64_t, std::int64_t> dims[kMaxRank];  // (stride, length)
  int count = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return false;
    if (shape[i] == 1) continue;
    const std::pair<std::int64_t, std::int64_t> dim{std::abs(strides[i]), shape[i]};
    int at = count++;
    for (; at > 0 && dim < dims[at - 1]; --at) dims[at] = dims[at - 1];
    dims[at] = dim;
  }
  std::int64_t reach = 0;
  bool suspicious = false;
  for (int i = 0; i < count; ++i) {
    if (dims[i].first == 0) return true;
    suspicious = suspicious || dims[i].first <= reach;
    reach += dims[i].first * (dims[i].second - 1);
  }
  if (!suspicious) return false;
  // Interleaved strides may still be free of overlap: look (foreign memory only, so not hot).
  std::vector<bool> taken(static_cast<std::size_t>(reach) + 1);
  ByteMap map{0, 1, {}, {}};
  for (int i = 0; i < count; ++i) {
    map.shape.push_back(dims[i].second);
    map.strides.push_back(dims[i].first);
  }
  return any_element(map, [&](std::int64_t offset) {
    const bool before = taken[static_cast<std::size_t>(offset)];
    taken[static_cast<std::size_t>(offset)] = true;
    return before;
  });
}

void unwatch(Storage& storage, SavedLink& link) noexcept {
  (link.older != nullptr ? link.older->newer : storage.oldest_save) = link.newer;
  (link.newer != nullptr ? link.newer->older : storage.newest_save) = link.older;
  if (storage.oldest_save == nullptr) {
    storage.guard &= ~static_cast<std::uint32_t>(Storage::kWatched);
    if (storage.log == nullptr) return;
    delete storage.log;
    storage.log = nullptr;
  }
}

WriteLog::~WriteLog() {
  for (WriteEntry& entry : entries) drop_position(entry.position);
}

void reserve_entry(Storage& storage) {
  if (storage.log == nullptr) storage.log = new WriteLog;
  std::vector<WriteEntry>& entries = storage.log->entries;
  if (entries.size() + 1 > entries.capacity() && storage.oldest_save != nullptr) {
    const std::uint32_t oldest = storage.oldest_save->version;
    const auto kept = std::find_if(entries.begin(), entries.end(),
                                   [&](const WriteEntry& e) { return e.version > oldest; });
    for (auto entry = entries.begin(); entry != kept; ++entry) drop_position(entry->position);
    entries.erase(entries.begin(), kept);
  }
  while (entries.size() >= kMaxEntries) merge_oldest(entries);
  entries.reserve(std::max<std::size_t>(4, std::min(kMaxEntries, 2 * (entries.size() + 1))));
}

void log_write(Storage& storage, WriteEntry entry) noexcept {
  storage.log->entries.push_back(std::move(entry));
}

const WriteEntry* write_since(const Storage& storage, std::uint32_t version, const ByteMap& map) {
  if (storage.log == nullptr) return nullptr;
  for (const WriteEntry& entry : storage.log->entries) {
    if (entry.version > version && share_bytes(entry.map, map)) return &entry;
  }
  return nullptr;
}

}  // namespace oploom
