#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/error.h"
#include "runtime/core/tensor.h"
#include "runtime/program/builder.h"

// Facts about tensors and about values of a program, spelt alike for the rules. A length of a program
// may be known at run time only; it is -1 among the entries.
namespace oploom::rules {

inline Ints shape_of(const Tensor& x) { return x.shape(); }
inline program::Numbers shape_of(program::Value* x) { return program::shape(x); }

inline Ints entries(Ints lengths) { return lengths; }
inline std::vector<std::int64_t> entries(const program::Numbers& lengths) {
  return lengths.known() ? lengths.list() : program::known_entries(lengths.value());
}
// Of the shape of x: what is known of it.
inline Ints entries(const Tensor& x) { return x.shape(); }
inline Ints entries(program::Value* x) { return x->type.shape; }

inline int rank_of(Ints lengths) { return lengths.rank(); }
inline int rank_of(const program::Numbers& lengths) { return static_cast<int>(entries(lengths).size()); }
inline int rank_of(const Tensor& x) { return x.rank(); }
inline int rank_of(program::Value* x) { return x->type.shape.rank(); }

inline bool any_unknown(Ints lengths) {
  return std::any_of(lengths.begin(), lengths.end(), [](std::int64_t length) { return length < 0; });
}
inline bool surely_same(Ints a, Ints b) { return a == b; }
inline bool surely_same(const program::Numbers& a, const program::Numbers& b) {
  return a.known() && b.known() && a.list() == b.list();
}

// Lists that decide how many ops a rule has must be known before a run.
inline Ints known_list(const char*, const char*, Ints list) { return list; }
inline std::vector<std::int64_t> known_list(const char* op, const char* argument, const program::Numbers& list) {
  if (!list.known()) {
    raise(ErrorKind::kUnimplemented, "[", op, "] ", argument,
          ": expected plain integers, got a list that is known at run time only; give it as numbers");
  }
  return list.list();
}

}  // namespace oploom::rules
