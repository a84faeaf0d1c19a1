#pragma once

#include "generated/calls.h"
#include "runtime/core/dims.h"

namespace oploom::rules {

// x expanded to shape; where x has more axes, the first of them have length 1 and go.
template <typename V>
V spread(const V& x, Ints shape) {
  const std::size_t rank = x.shape().size();
  if (rank <= shape.size()) return call::expand(x, shape);
  const Dims rest = Ints(x.shape().data() + (rank - shape.size()), shape.size());
  return call::expand(call::reshape(x, rest), shape);
}

}  // namespace oploom::rules
