#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/meta.h"

namespace oploom::program {

// What a value is, as far as it is known before a run.
struct Type {
  enum class Kind : std::uint8_t {
    kTensor,   // dtype and shape; a length of -1 is known at run time only
    kList,     // a list of tensors (TensorArray, stacks of loops): dtype and shape of the elements
    kNumbers,  // metadata: integers or a number worked out from shapes; keeps no buffer of note
  };
  Kind kind = Kind::kTensor;
  DType dtype = DType::kFloat32;
  bool weak = false;  // a Python number as operand
  Dims shape;         // kNumbers: [] for one number, [n] for n integers

  // Of kList alone.
  std::uint8_t depth = 0;   // 1: of tensors, 2: of lists of tensors ...
  bool of_numbers = false;  // the innermost elements are metadata
  bool open = false;        // nothing is known of the elements yet; dtype and shape mean nothing

  Meta meta() const { return Meta(shape, dtype, weak); }
  bool known() const;  // no length is -1
  bool is_tensor() const { return kind == Kind::kTensor; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_numbers() const { return kind == Kind::kNumbers; }
};
inline constexpr int kMaxListDepth = 8;
inline constexpr std::int64_t kMaxNumbers = 1 << 16;  // in one value of kNumbers

Type tensor_type(DType dtype, Ints shape, bool weak = false);
Type number_type(DType dtype);          // one number: int64 or float64
Type numbers_type(std::int64_t count);  // integers
Type open_list();
Type list_of(const Type& element);  // raises kType beyond kMaxListDepth
Type element_of(const Type& list);  // of a list that is not open

bool operator==(const Type& a, const Type& b);
// "float32[2, ?]", "weak int64[]", "numbers int64[2]", "list of float32[3]", "list" (open).
std::ostream& operator<<(std::ostream& out, const Type& type);
// The inverse; nothing where the text is no type.
std::optional<Type> parse_type(std::string_view text);

// The type that holds values of both: differing lengths become -1, an open list becomes the other.
// Raises kType with `what` where kind, rank or dtype differ, or where only one is a weak number.
Type join(std::string_view what, const Type& a, const Type& b);
// Whether every value of narrow is one of wide.
bool holds(const Type& wide, const Type& narrow);

}  // namespace oploom::program
