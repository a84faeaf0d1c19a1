#pragma once

#include <string_view>

#include "runtime/core/dims.h"

namespace oploom::kernels {

// Raises kArgument where the shape of a new tensor has a negative length.
void check_new_shape(std::string_view op, Ints shape);

}  // namespace oploom::kernels
