#pragma once

#include <vector>

#include "generated/calls.h"
#include "runtime/core/dims.h"
#include "runtime/core/error.h"
#include "runtime/core/index.h"

namespace oploom::rules {

// The parts of x along axis, in order; lengths are known to add up.
template <typename V>
std::vector<V> split_sections(const V& x, Ints sections, std::int64_t axis) {
  std::vector<V> parts;
  parts.reserve(sections.size());
  std::int64_t start = 0;
  for (const std::int64_t length : sections) {
    Index index;
    for (std::int64_t i = 0; i < axis; ++i) index.push_back(IndexItem::slice(0, IndexItem::kNone));
    index.push_back(IndexItem::slice(start, start + length));
    parts.push_back(call::slice(x, index));
    start += length;
  }
  return parts;
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

template <typename V>
std::vector<V> split(const V& x, Ints num_or_sections, std::int64_t axis) {
  const Ints shape = x.shape();
  if (shape.empty()) {
    raise(ErrorKind::kArgument,
          "[split] x: expected at least one dimension, got a 0-d tensor; unsqueeze it first");
  }
  const std::int64_t length = shape[static_cast<std::size_t>(axis)];
  return split_sections(x, split_lengths(num_or_sections, length, axis), axis);
}

template <typename V>
V untranspose(const V& x, Ints perm) {
  Dims inverse = perm;
  for (int i = 0; i < perm.rank(); ++i) {
    const std::int64_t from = perm[static_cast<std::size_t>(i)];
    inverse[static_cast<std::size_t>(from < 0 ? from + perm.rank() : from)] = i;
  }
  return call::transpose(x, inverse);
}

}  // namespace oploom::rules
