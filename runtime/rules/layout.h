#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generated/calls.h"
#include "runtime/core/dims.h"
#include "runtime/core/error.h"
#include "runtime/core/index.h"
#include "runtime/rules/metadata.h"

namespace oploom::rules {

// Where parts of these lengths, which add up, lie along an axis. One length may be known at run time
// only (-1): the parts behind it are counted from the end.
inline std::vector<IndexItem> section_slices(Ints lengths) {
  std::vector<IndexItem> slices;
  std::int64_t start = 0;
  bool from_end = false;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == -1) {
      std::int64_t rest = 0;
      for (std::size_t k = i + 1; k < lengths.size(); ++k) rest += lengths[k];
      slices.push_back(IndexItem::slice(start, rest == 0 ? IndexItem::kNone : -rest));
      start = -rest;
      from_end = true;
      continue;
    }
    const std::int64_t stop = start + lengths[i];
    // Behind the last element, counted from the end: nothing of no elements but what has no start.
    if (from_end && start == 0) slices.push_back(IndexItem::slice(INT64_MAX, IndexItem::kNone));
    else slices.push_back(IndexItem::slice(start, from_end && stop == 0 ? IndexItem::kNone : stop));
    start = stop;
  }
  return slices;
}

// Parts that the run tests and works out.
template <typename V, typename Lengths>
std::vector<V> parts_told_by_run(const V& x, const Lengths& sections, std::int64_t axis) {
  std::vector<V> parts;
  const auto count = static_cast<std::int64_t>(entries(sections).size());
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(call::section(x, sections, i, axis));
  return parts;
}

// The parts of x along axis, in order; lengths are known to add up.
template <typename V, typename Lengths>
std::vector<V> split_sections(const V& x, const Lengths& sections, std::int64_t axis) {
  const auto& lengths = entries(sections);
  if (std::count(lengths.begin(), lengths.end(), -1) > 1) return parts_told_by_run(x, sections, axis);
  std::vector<V> parts;
  for (const IndexItem& item : section_slices(lengths)) {
    Index index;
    for (std::int64_t i = 0; i < axis; ++i) index.push_back(IndexItem::slice(0, IndexItem::kNone));
    index.push_back(item);
    parts.push_back(call::slice(x, index));
  }
  return parts;
}

// Of an axis whose length is known at run time only.
inline void expect_lengths(Ints lengths) {
  const auto negative = [](std::int64_t length) { return length < -1; };
  if (std::none_of(lengths.begin(), lengths.end(), negative) &&
      std::count(lengths.begin(), lengths.end(), -1) <= 1) {
    return;
  }
  raise(ErrorKind::kArgument, "[split] num_or_sections: expected lengths of at least 0, of which one may be -1, got ",
        lengths, "; change a length");
}

// One number is the number of equal parts; several are lengths, of which one may be -1.
inline std::vector<std::int64_t> split_lengths(Ints num_or_sections, std::int64_t length,
                                               std::int64_t axis) {
  const auto refuse = [&](const char* expected, const char* advice) {
    raise(ErrorKind::kArgument, "[split] num_or_sections: expected ", expected, " ", length,
          ", the length of axis ", axis, ", got ", num_or_sections, "; ", advice);
  };
  if (num_or_sections.size() == 1) {
    const std::int64_t count = num_or_sections[0];
    if (count < 1 || length % count != 0) {
      refuse("a positive number of parts that divides", "for unequal parts give their lengths");
    }
    return std::vector<std::int64_t>(static_cast<std::size_t>(count), length / count);
  }
  std::vector<std::int64_t> lengths(num_or_sections.begin(), num_or_sections.end());
  std::int64_t rest = length;
  std::int64_t* open = nullptr;
  for (std::int64_t& section : lengths) {
    // Compared with the rest before it is taken away: no sum can overflow.
    if (section < -1 || section > rest || (section == -1 && open != nullptr)) {
      refuse("lengths of at least 0, of which one may be -1, that add up to", "change a length");
    }
    if (section == -1)
      open = &section;
    else
      rest -= section;
  }
  if (open != nullptr)
    *open = rest;
  else if (rest != 0)
    refuse("lengths that add up to", "let one of them be -1 to have it worked out");
  return lengths;
}

template <typename V, typename Lengths>
std::vector<V> split(const V& x, const Lengths& num_or_sections, std::int64_t axis) {
  const Ints shape = entries(x);
  if (shape.empty()) {
    raise(ErrorKind::kArgument,
          "[split] x: expected at least one dimension, got a 0-d tensor; unsqueeze it first");
  }
  const std::int64_t length = shape[static_cast<std::size_t>(axis)];
  const auto& wanted = known_list("split", "num_or_sections", num_or_sections);
  if (length < 0) {
    if (wanted.size() > 1) {
      expect_lengths(wanted);
      return parts_told_by_run(x, Lengths(wanted), axis);
    }
    raise(ErrorKind::kUnimplemented, "[split] x: expected a known length of axis ", axis,
          ", got one that is known at run time only; give the lengths of the parts");
  }
  const std::vector<std::int64_t> lengths = split_lengths(wanted, length, axis);
  return split_sections(x, Lengths(lengths), axis);
}

template <typename V, typename Axes>
V untranspose(const V& x, const Axes& axes) {
  const auto& known = known_list("transpose", "perm", axes);
  const Ints perm = known;
  Dims inverse = perm;
  for (int i = 0; i < perm.rank(); ++i) {
    const std::int64_t from = perm[static_cast<std::size_t>(i)];
    inverse[static_cast<std::size_t>(from < 0 ? from + perm.rank() : from)] = i;
  }
  return call::transpose(x, inverse);
}

}  // namespace oploom::rules
