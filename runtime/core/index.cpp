#include "runtime/core/index.h"

#include <algorithm>
#include <ostream>

#include "runtime/core/error.h"

namespace oploom {
namespace {

using Kind = IndexItem::Kind;

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

[[noreturn, gnu::cold, gnu::noinline]] void refuse_ellipses(std::string_view op,
                                                            const Index& index) {
  raise(ErrorKind::kIndex, "[", op, "] index: expected one ellipsis, got ", index,
        "; write ':' for single axes");
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_step(std::string_view op, std::int64_t step,
                                                        int axis) {
  raise(ErrorKind::kArgument, "[", op, "] index: expected a positive step on axis ", axis, ", got ",
        step, "; take the positions with an integer array instead");
}

// False where the number is out of range.
[[gnu::always_inline]] inline bool normalise_number(IndexItem& item, std::int64_t length) {
  if (length < 0) return true;
  const std::int64_t number = item.start;
  if (number < -length || number >= length) return false;
  item.start = number < 0 ? number + length : number;
  item.stop = item.start + 1;
  item.step = 1;
  return true;
}

// A bound counted from the start, cut to the axis.
std::int64_t cut(std::int64_t bound, std::int64_t length) {
  if (bound < 0) bound = std::max<std::int64_t>(bound, -length) + length;
  return std::min(bound, length);
}

// False where the step is not positive.
[[gnu::always_inline]] inline bool normalise_slice(IndexItem& item, std::int64_t length) {
  if (item.step == IndexItem::kNone) item.step = 1;
  if (item.step <= 0) return false;
  if (length < 0) return true;
  const std::int64_t start = item.start == IndexItem::kNone ? 0 : cut(item.start, length);
  const std::int64_t stop = item.stop == IndexItem::kNone ? length : cut(item.stop, length);
  const std::int64_t span = std::max<std::int64_t>(stop - start, 0);
  item.start = start;
  if (item.step == 1) [[likely]] {
    item.stop = start + span;
    return true;
  }
  const std::int64_t count = span / item.step + (span % item.step != 0);
  if (count <= 1) item.step = 1;  // start + step * count must not overflow
  item.stop = start + item.step * count;
  return true;
}

// What an index takes of a tensor's axes.
struct Taken {
  int axes = 0;  // by numbers and slices
  int ellipses = 0;
  explicit Taken(const Index& index) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      axes += index[i].kind <= Kind::kSlice ? 1 : 0;
      ellipses += index[i].kind == Kind::kEllipsis ? 1 : 0;
    }
  }
};

}  // namespace

Index::Index(std::initializer_list<IndexItem> items) {
  for (const IndexItem& item : items) push_back(item);
}

void Index::refuse_size() {
  raise(ErrorKind::kUnimplemented, "index: expected at most ", kMaxItems,
        " items, got more; index in two steps");
}

bool Index::normalise_into(Index& out, Ints shape) const {
  IndexItem* to = out.items_;
  const std::int64_t* length = shape.begin();
  const auto take_whole = [&](std::int64_t axes) {
    if (axes < 0 || axes > out.items_ + kMaxItems - to) return false;
    for (; axes > 0; --axes, ++length) {
      *to++ = IndexItem::slice(0, *length < 0 ? IndexItem::kNone : *length);
    }
    return true;
  };
  bool ellipsis = false;
  for (const IndexItem* item = items_; item != items_ + size_; ++item) {
    if (item->kind == Kind::kEllipsis) [[unlikely]] {
      if (ellipsis || !take_whole(shape.rank() - Taken(*this).axes)) return false;
      ellipsis = true;
      continue;
    }
    if (to == out.items_ + kMaxItems) [[unlikely]]
      return false;
    *to = *item;
    if (item->kind != Kind::kNewAxis) {
      if (length == shape.end()) [[unlikely]]
        return false;
      const bool fits = item->kind == Kind::kSlice ? normalise_slice(*to, *length)
                                                   : normalise_number(*to, *length);
      if (!fits) [[unlikely]]
        return false;
      ++length;
    }
    ++to;
  }
  if (!take_whole(shape.end() - length)) return false;
  out.size_ = static_cast<std::size_t>(to - out.items_);
  return true;
}

// Finds once more what is wrong, and says so.
void Index::refuse(std::string_view op, Ints shape) const {
  const Taken taken(*this);
  const int rest = shape.rank() - taken.axes;
  if (rest < 0) refuse_count(op, *this, shape);
  if (taken.ellipses > 1) refuse_ellipses(op, *this);
  if (size_ + static_cast<std::size_t>(rest) > kMaxItems) refuse_size();
  int axis = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    IndexItem item = items_[i];
    if (item.kind == Kind::kEllipsis) axis += rest;
    if (item.kind > Kind::kSlice) continue;
    const std::int64_t length = shape[static_cast<std::size_t>(axis)];
    if (item.kind == Kind::kNumber && !normalise_number(item, length)) {
      refuse_number(op, item.start, axis, length);
    }
    if (item.kind == Kind::kSlice && !normalise_slice(item, length)) {
      refuse_step(op, item.step, axis);
    }
    ++axis;
  }
  raise(ErrorKind::kIndex, "[", op, "] index: cannot take ", *this, " of shape ", shape);
}

Dims Index::part_shape() const {
  Dims shape;
  for (std::size_t i = 0; i < size_; ++i) {
    if (items_[i].kind == Kind::kNewAxis) shape.push_back(1);
    if (items_[i].kind == Kind::kSlice) shape.push_back(items_[i].length());
  }
  return shape;
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
