#pragma once

#include <optional>

#include "bindings/python.h"
#include "runtime/core/tensor.h"

namespace oploom::python {

// A fresh tensor with a copy of the data: numbers, nested lists and tuples, tensors, NumPy arrays
// of any layout and byte order, and whatever else has a buffer or __array__. Without a dtype
// numbers and lists give bool, int64 or float32; arrays keep theirs.
Tensor to_tensor(PyObject* data, std::optional<DType> dtype);

// Numbers in nested lists (see above), in lists.cpp.
Tensor tensor_of_lists(PyObject* data, std::optional<DType> dtype);

}  // namespace oploom::python
