#pragma once

#include <cstdint>
#include <iosfwd>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/meta.h"

namespace oploom::program {

// What a value is, as far as it is known before a run.
struct Type {
  enum class Kind : std::uint8_t {
    kTensor,   // dtype and shape; a length of -1 is known at run time only
    kList,     // a list of tensors (TensorArray, stacks of loops): dtype and shape of the elements
    kNumbers,  // metadata: integers or a number worked out from shapes; keeps no buffer
  };
  Kind kind = Kind::kTensor;
  DType dtype = DType::kFloat32;
  bool weak = false;  // a Python number as operand
  Dims shape;

  Meta meta() const { return Meta(shape, dtype, weak); }
  bool known() const;  // no length is -1
};
bool operator==(const Type& a, const Type& b);
// "float32[2, ?]", "list of float32[3]", "numbers".
std::ostream& operator<<(std::ostream& out, const Type& type);
// The type that holds values of both: differing lengths become -1. Raises kType with `what` where kind,
// rank or dtype differ.
Type join(std::string_view what, const Type& a, const Type& b);

}  // namespace oploom::program
