#pragma once

#include <vector>

#include "bindings/python.h"
#include "runtime/core/index.h"
#include "runtime/core/tensor.h"

namespace oploom::python {

// A key with index arrays, taken apart: first a basic index, whose result is a view; then int64
// tensors on some axes of that view, which together give new axes at one place of the result. X is
// Tensor, or a handle of the program that is recorded.
template <typename X>
struct AdvancedKey {
  Index basic;                     // with whole slices where the index arrays stand
  bool whole = true;               // basic takes all of x, axis by axis
  int rank = 0;                    // of the view
  std::vector<X> indices;          // in the order of axes
  std::vector<std::int64_t> axes;  // of the view
  int place = 0;                   // how many of the view's other axes come before the new ones

  // The view's axes with the indexed ones first, and whether that is the order they have.
  Dims axes_first() const;
  // Length of the broadcast shape of indices.
  int index_rank() const;
};

// Whether a key consists of ints, slices, None and the ellipsis alone.
bool is_basic_key(PyObject* key);
template <typename X>
AdvancedKey<X> advanced_key(const X& x, PyObject* key);

}  // namespace oploom::python
