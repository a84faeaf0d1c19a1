#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/core/expect.h"
#include "runtime/core/index.h"
#include "runtime/core/meta.h"
#include "runtime/core/scalar.h"

// Shapes and dtypes of results, and attributes in normal form. Lengths may be -1 (unknown, program
// mode): a known length wins over an unknown one, and nothing is refused that could still be right.
// Every function raises with the op's name, the argument, what was expected and what came.
namespace oploom::infer {

// --- Attributes in normal form.
std::int64_t axis(std::string_view op, std::int64_t axis, int rank);
// Counted from 0, sorted, none twice; empty stays empty (each op says what empty means).
Dims axes(std::string_view op, Ints axes, int rank);
// One -1 is worked out from x's element count (stays -1 where that is unknown); 0 copies no length.
Dims target_shape(std::string_view op, Ints shape, const Meta& x);

// --- Dtypes.
inline DType same_dtype(const Meta& x) { return x.dtype; }
inline DType float_of(const Meta& x) { return oploom::float_of(x.dtype); }
// Of tensors and weak numbers.
DType promoted(const Meta& x, const Meta& y);
DType promoted(const Meta& x, const Meta& y, const Meta& z);
DType promoted(const MetaList& xs);
// promoted, but at least the default float: `/` and its kin.
DType float_promoted(const Meta& x, const Meta& y);
// Sums of bool and int32/uint8 are int64, as NumPy's; floats stay.
DType summed(const Meta& x);
DType chosen(std::optional<DType> given, DType otherwise);
inline DType dtype_of(const Scalar& value) { return value.dtype(); }

// --- Shapes. `op` opens the message.
Dims broadcast(std::string_view op, const Meta& x, const Meta& y);
Dims broadcast(std::string_view op, const Meta& x, const Meta& y, const Meta& z);
Dims reduced(std::string_view op, const Meta& x, Ints axes, bool keepdim);  // axes empty: all
void check_reshaped(std::string_view op, const Meta& x, Ints shape);  // unknown lengths, errors
// shape itself, where it has x's element count.
inline Ints reshaped(std::string_view op, const Meta& x, Ints shape) {
  std::int64_t before = 1;
  std::int64_t after = 1;
  std::int64_t signs = 0;  // negative where a length is not known
  bool overflow = false;
  for (const std::int64_t n : x.shape) {
    signs |= n;
    overflow |= __builtin_mul_overflow(before, n, &before);
  }
  for (const std::int64_t n : shape) {
    signs |= n;
    overflow |= __builtin_mul_overflow(after, n, &after);
  }
  if (signs < 0 || overflow || before != after) [[unlikely]]
    check_reshaped(op, x, shape);
  return shape;
}
Dims squeezed(std::string_view op, const Meta& x, Ints axes);    // empty: every length of 1
Dims unsqueezed(std::string_view op, const Meta& x, Ints axes);  // axes of the result, any order
Dims transposed(std::string_view op, const Meta& x, Ints perm);
// -1 keeps x's length; in a shape that is told later it is a length that is not known yet.
Dims expanded(std::string_view op, const Meta& x, Ints shape, bool later = false);
Dims sliced(std::string_view op, const Meta& x, const Index& index);  // index in normal form
// x's shape, where value can be assigned to the part that index (in normal form) takes: it
// broadcasts to the part's shape (leading lengths of 1 are dropped) and its category fits x's
// dtype.
Dims assigned(std::string_view op, const Meta& x, const Meta& value, const Index& index);
Dims matmul_shape(std::string_view op, const Meta& x, const Meta& y, bool transpose_x,
                  bool transpose_y);
Dims concat_shape(std::string_view op, const MetaList& xs, std::int64_t axis);
// Lengths of parts that add up to length, with one that was -1 worked out.
std::vector<std::int64_t> resolved_sections(std::string_view op, Ints sections, std::int64_t length);
// x with the length of section i as the axis's length.
Dims section_shape(std::string_view op, const Meta& x, Ints sections, std::int64_t i,
                   std::int64_t axis);
// x's shape, where value can be assigned to section i.
Dims set_in_section(std::string_view op, const Meta& x, const Meta& value, Ints sections,
                    std::int64_t i, std::int64_t axis);
// shape, where the part of it with number i has section's shape.
Ints whole_of_section(std::string_view op, const Meta& section, Ints shape, Ints sections,
                      std::int64_t i, std::int64_t axis);
// x with the axis replaced by index's shape (gather along an axis, index_select with a 1-d index).
Dims taken(std::string_view op, const Meta& x, const Meta& index, std::int64_t axis);
// taken, for an index of one dimension only.
Dims selected(std::string_view op, const Meta& x, const Meta& index, std::int64_t axis);
// x with its first len(indices) axes replaced by the indices' broadcast shape.
Dims indexed(std::string_view op, const Meta& x, const MetaList& indices);
// x's shape, where updates has index's length and then x's lengths behind the first.
Dims scattered(std::string_view op, const Meta& x, const Meta& index, const Meta& updates);
// x's shape, where value can be assigned to x[indices].
Dims put(std::string_view op, const Meta& x, const MetaList& indices, const Meta& value);
Dims cross_entropy_shape(std::string_view op, const Meta& x, const Meta& label, std::int64_t axis,
                         std::string_view reduction);

}  // namespace oploom::infer
