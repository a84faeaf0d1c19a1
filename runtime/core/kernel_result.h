#pragma once

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/meta.h"

namespace oploom {

// What is known beforehand of a result that only its kernel can make; a length that depends on data
// is -1.
struct KernelResult {
  Dims shape;
  DType dtype;
};

}  // namespace oploom
