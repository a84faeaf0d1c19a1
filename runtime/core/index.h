#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/views.h"

namespace oploom {

// One item of a basic index: a number, start:stop:step, a new axis, or the ellipsis.
struct IndexItem {
  enum class Kind : std::uint8_t {
    kNumber,
    kSlice,
    kNewAxis,
    kEllipsis
  };                                                // the first two take an axis
  static constexpr std::int64_t kNone = INT64_MIN;  // an absent start, stop or step

  Kind kind = Kind::kEllipsis;
  std::int64_t start = kNone;  // the number itself for kNumber
  std::int64_t stop = kNone;
  std::int64_t step = kNone;

  // Of a slice in normal form. A division costs more than the rest of it.
  std::int64_t length() const {
    const std::int64_t span = stop - start;
    return step == 1 ? span : span / step;
  }

  static IndexItem number(std::int64_t i) { return {Kind::kNumber, i, kNone, kNone}; }
  static IndexItem slice(std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
    return {Kind::kSlice, start, stop, step};
  }
  static IndexItem new_axis() { return {Kind::kNewAxis, kNone, kNone, kNone}; }
  static IndexItem ellipsis() { return {Kind::kEllipsis, kNone, kNone, kNone}; }
};

// A basic index, as attribute type `index`. NumPy's meaning; step must be positive.
// normalised(shape) resolves negative numbers, bounds and the ellipsis: one kNumber or kSlice for
// each axis of shape, kNewAxis between them, no kNone, stop = start + step * length. Normal form is
// stable. An item on an axis of unknown length (-1) stays as it is; infer::sliced knows.
class Index {
 public:
  static constexpr int kMaxItems = 2 * kMaxRank;
  Index() {}
  Index(const Index& other) { *this = other; }
  Index& operator=(const Index& other) {  // the items in use alone: all of them are 512 bytes
    size_ = other.size_;
    for (std::size_t i = 0; i < size_; ++i) items_[i] = other.items_[i];
    return *this;
  }
  Index(std::initializer_list<IndexItem> items);
  void push_back(const IndexItem& item) { add() = item; }
  // One more item, to be filled in.
  IndexItem& add() {
    if (size_ == kMaxItems) [[unlikely]]
      refuse_size();
    return items_[size_++];
  }
  std::size_t size() const { return size_; }
  const IndexItem& operator[](std::size_t i) const { return items_[i]; }

  // Raises kIndex with the op's name where a number is out of range or there are too many items.
  Index normalised(std::string_view op, Ints shape) const {
    Index out;
    if (!normalise_into(out, shape)) [[unlikely]]
      refuse(op, shape);
    return out;
  }
  // The shape of the part that a normalised index takes.
  Dims part_shape() const;
  // Where the part lies in a tensor with these strides, whose first element is element number
  // first.
  ViewMap map(Ints strides, std::int64_t first = 0) const;

 private:
  bool normalise_into(Index& out, Ints shape) const;  // false where that cannot be
  [[noreturn, gnu::cold]] void refuse(std::string_view op, Ints shape) const;
  [[noreturn, gnu::cold]] static void refuse_size();

  union {  // not initialised
    IndexItem items_[kMaxItems];
  };
  std::size_t size_ = 0;
};
std::ostream& operator<<(std::ostream& out, const Index& index);

inline ViewMap Index::map(Ints strides, std::int64_t first) const {
  ViewMap map(first);
  const std::int64_t* stride = strides.begin();
  bool empty = false;
  for (const IndexItem* item = items_; item != items_ + size_; ++item) {
    if (item->kind == IndexItem::Kind::kNewAxis) {
      map.append(1, 1);
      continue;
    }
    map.offset += item->start * *stride;
    if (item->kind == IndexItem::Kind::kSlice) {
      const std::int64_t length = item->length();
      map.append(length, item->step * *stride);
      empty |= length == 0;
    }
    ++stride;
  }
  // An empty part may start past the last element: its address must stay inside all the same.
  if (empty) map.offset = first;
  return map;
}

}  // namespace oploom
