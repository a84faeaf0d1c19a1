#include "runtime/core/index.h"

#include <algorithm>
#include <ostream>

#include "runtime/core/error.h"

namespace oploom {
namespace {

using Kind = IndexItem::Kind;

// A division costs more than the rest of a slice.
std::int64_t length_of(const IndexItem& slice) {
  const std::int64_t span = slice.stop - slice.start;
  return slice.step == 1 ? span : span / slice.step;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_count(std::string_view op, const Index& index,
                                                         Ints shape) {
  raise(ErrorKind::kIndex, "[", op, "] index: expected at most ", shape.size(),
        " numbers and slices for shape ", shape, ", got ", index, "; leave some out");
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_number(std::string_view op, std::int64_t number,
                                                          int axis, std::int64_t length) {
  if (length == 0) {
    raise(ErrorKind::kIndex, "[", op, "] index: expected no number on axis ", axis,
          ", which has length 0, got ", number, "; use a slice");
  }
  raise(ErrorKind::kIndex, "[", op, "] index: expected ", -length, " to ", length - 1, " on axis ",
        axis, " of length ", length, ", got ", number, "; use a number in that range or a slice");
}

IndexItem normal_number(std::string_view op, IndexItem item, int axis, std::int64_t length) {
  if (length < 0) return item;
  const std::int64_t number = item.start;
  if (number < -length || number >= length) [[unlikely]]
    refuse_number(op, number, axis, length);
  item.start = number < 0 ? number + length : number;
  item.stop = item.start + 1;
  item.step = 1;
  return item;
}

// A bound counted from the start, cut to the axis.
std::int64_t cut(std::int64_t bound, std::int64_t length) {
  if (bound < 0) bound = std::max<std::int64_t>(bound, -length) + length;
  return std::min(bound, length);
}

IndexItem normal_slice(std::string_view op, IndexItem item, int axis, std::int64_t length) {
  if (item.step == IndexItem::kNone) item.step = 1;
  if (item.step <= 0) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] index: expected a positive step on axis ", axis,
          ", got ", item.step, "; take the positions with an integer array instead");
  }
  if (length < 0) return item;
  item.start = item.start == IndexItem::kNone ? 0 : cut(item.start, length);
  item.stop = item.stop == IndexItem::kNone ? length : cut(item.stop, length);
  const std::int64_t span = std::max<std::int64_t>(item.stop - item.start, 0);
  if (item.step == 1) {
    item.stop = item.start + span;
    return item;
  }
  const std::int64_t count = span / item.step + (span % item.step != 0);
  if (count <= 1) item.step = 1;  // start + step * count must not overflow
  item.stop = item.start + item.step * count;
  return item;
}

}  // namespace

Index::Index(std::initializer_list<IndexItem> items) {
  for (const IndexItem& item : items) push_back(item);
}

void Index::refuse_size() {
  raise(ErrorKind::kUnimplemented, "index: expected at most ", kMaxItems,
        " items, got more; index in two steps");
}

Index Index::normalised(std::string_view op, Ints shape) const {
  int used = 0;
  int ellipses = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    used += items_[i].kind == Kind::kNumber || items_[i].kind == Kind::kSlice;
    ellipses += items_[i].kind == Kind::kEllipsis;
  }
  const int rest = shape.rank() - used;
  if (rest < 0) [[unlikely]]
    refuse_count(op, *this, shape);
  if (ellipses > 1) [[unlikely]] {
    raise(ErrorKind::kIndex, "[", op, "] index: expected one ellipsis, got ", *this,
          "; write ':' for single axes");
  }
  if (size_ + static_cast<std::size_t>(rest) > kMaxItems) [[unlikely]] refuse_size();
  Index out;
  int axis = 0;
  const auto take_rest = [&] {
    for (int i = 0; i < rest; ++i, ++axis) {
      const std::int64_t length = shape[static_cast<std::size_t>(axis)];
      out.items_[out.size_++] = IndexItem::slice(0, length < 0 ? IndexItem::kNone : length);
    }
  };
  for (std::size_t i = 0; i < size_; ++i) {
    const IndexItem& item = items_[i];
    if (item.kind == Kind::kEllipsis) {
      take_rest();
    } else if (item.kind == Kind::kNewAxis) {
      out.items_[out.size_++] = item;
    } else {
      const std::int64_t length = shape[static_cast<std::size_t>(axis)];
      out.items_[out.size_++] = item.kind == Kind::kNumber ? normal_number(op, item, axis, length)
                                                           : normal_slice(op, item, axis, length);
      ++axis;
    }
  }
  if (ellipses == 0) take_rest();
  return out;
}

Dims Index::part_shape() const {
  Dims shape;
  for (std::size_t i = 0; i < size_; ++i) {
    if (items_[i].kind == Kind::kNewAxis) shape.push_back(1);
    if (items_[i].kind == Kind::kSlice) shape.push_back(length_of(items_[i]));
  }
  return shape;
}

Index::Map Index::map(Ints strides) const {
  Map map;
  std::size_t axis = 0;
  bool empty = false;
  for (std::size_t i = 0; i < size_; ++i) {
    const IndexItem& item = items_[i];
    if (item.kind == Kind::kNewAxis) {
      map.shape.push_back(1);
      map.strides.push_back(1);
      continue;
    }
    const std::int64_t stride = strides[axis++];
    if (item.kind == Kind::kNumber) {
      map.offset += item.start * stride;
      continue;
    }
    const std::int64_t length = length_of(item);
    map.shape.push_back(length);
    map.strides.push_back(item.step * stride);
    map.offset += item.start * stride;
    empty |= length == 0;
  }
  // An empty part may start past the last element: its address must stay inside all the same.
  if (empty) map.offset = 0;
  return map;
}

std::ostream& operator<<(std::ostream& out, const Index& index) {
  const auto number = [&out](std::int64_t value) {
    if (value != IndexItem::kNone) out << value;
  };
  out << '[';
  for (std::size_t i = 0; i < index.size(); ++i) {
    const IndexItem& item = index[i];
    if (i > 0) out << ", ";
    if (item.kind == Kind::kEllipsis) out << "...";
    if (item.kind == Kind::kNewAxis) out << "None";
    if (item.kind == Kind::kNumber) out << item.start;
    if (item.kind != Kind::kSlice) continue;
    number(item.start);
    out << ':';
    number(item.stop);
    if (item.step != 1 && item.step != IndexItem::kNone) out << ':' << item.step;
  }
  return out << ']';
}

}  // namespace oploom
