#pragma once

#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"

namespace oploom::kernels {

// Every element of out becomes value; any strides. Integers wrap.
void fill_elements(const Scalar& value, const Tensor& out);

}  // namespace oploom::kernels
