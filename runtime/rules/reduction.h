#pragma once

#include "generated/calls.h"
#include "runtime/core/dims.h"
#include "runtime/rules/metadata.h"

namespace oploom::rules {

// x expanded to shape; where x has more axes, the first of them have length 1 and go.
template <typename V, typename Lengths>
V spread(const V& x, const Lengths& shape) {
  const int more = rank_of(x) - rank_of(shape);
  if (more <= 0) return call::expand(x, shape);
  Dims first;
  for (int i = 0; i < more; ++i) first.push_back(i);
  return call::expand(call::squeeze(x, first), shape);
}

}  // namespace oploom::rules
