#include <algorithm>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"

// Shapes of results. A length of -1 is unknown: a known one wins over it, and what may be right
// passes.
namespace oploom::infer {
namespace {

constexpr std::int64_t kUnknown = -1;

bool known(Ints shape) { return std::find(shape.begin(), shape.end(), kUnknown) == shape.end(); }

bool may_equal(std::int64_t a, std::int64_t b) { return a == b || a == kUnknown || b == kUnknown; }

// Of two lengths that may be equal: the known one.
std::int64_t merged(std::int64_t a, std::int64_t b) { return a == kUnknown ? b : a; }

bool may_equal(Ints a, Ints b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](std::int64_t x, std::int64_t y) { return may_equal(x, y); });
}

// Of two lengths that broadcast; false where they do not.
bool broadcast_length(std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (a == b)
    out = a;
  else if (a == 1)
    out = b;
  else if (b == 1)
    out = a;
  else if (a == kUnknown)
    out = b;
  else if (b == kUnknown)
    out = a;
  else
    return false;
  return true;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_broadcast(std::string_view op, Ints a, Ints b,
                                                             std::int64_t axis) {
  const auto length = [axis](Ints shape) {
    return shape[shape.size() - static_cast<std::size_t>(axis)];
  };
  raise(ErrorKind::kArgument, "[", op, "] shapes: expected shapes that broadcast together, got ", a,
        " and ", b, ": on axis -", axis, " the lengths are ", length(a), " and ", length(b),
        "; make them equal or one of them 1");
}

Dims broadcast_shapes(std::string_view op, Ints a, Ints b) {
  if (a == b) return a;
  const Ints& longer = a.rank() >= b.rank() ? a : b;
  const Ints& shorter = a.rank() >= b.rank() ? b : a;
  Dims out = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (!broadcast_length(longer[lead + i], shorter[i], out[lead + i])) [[unlikely]] {
      refuse_broadcast(op, a, b, static_cast<std::int64_t>(shorter.size() - i));
    }
  }
  return out;
}

bool contains(Ints values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Whether value's elements can fill part: lengths equal or 1, aligned at the end, leading 1s
// dropped.
bool fills(Ints value, Ints part) {
  const int extra = value.rank() - part.rank();
  for (int i = 0; i < value.rank(); ++i) {
    const std::int64_t length = i < extra ? 1 : part[static_cast<std::size_t>(i - extra)];
    if (value[static_cast<std::size_t>(i)] != 1 &&
        !may_equal(value[static_cast<std::size_t>(i)], length)) {
      return false;
    }
  }
  return true;
}

void check_assignable(std::string_view op, const Meta& x, const Meta& value, Ints part) {
  if (!fills(value.shape, part)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] value: expected a shape that broadcasts to ", part,
          ", the shape of the part written, got ", value.shape, "; reshape or expand the value");
  }
  if (category(value.dtype) > category(x.dtype)) [[unlikely]] {
    raise(ErrorKind::kType, "[", op, "] value: expected a value that fits dtype ", x.dtype,
          ", got ",
          value.weak && is_float(value.dtype) ? "a float"
          : value.weak                        ? "an int"
                                              : name_of(value.dtype),
          "; cast one of them");
  }
}

// An axis of lists or of x that must exist: the normal form of 0-d tensors lets 0 pass.
void check_has_axes(std::string_view op, const char* argument, const Meta& x) {
  if (x.rank() > 0) [[likely]]
    return;
  raise(ErrorKind::kArgument, "[", op, "] ", argument,
        ": expected at least one dimension, got a 0-d tensor", "; unsqueeze it first");
}

}  // namespace

Dims broadcast(std::string_view op, const Meta& x, const Meta& y) {
  return broadcast_shapes(op, x.shape, y.shape);
}

Dims broadcast(std::string_view op, const Meta& x, const Meta& y, const Meta& z) {
  return broadcast_shapes(op, broadcast_shapes(op, x.shape, y.shape), z.shape);
}

Dims reduced(std::string_view, const Meta& x, Ints axes, bool keepdim) {
  Dims out;
  for (int i = 0; i < x.rank(); ++i) {
    const bool gone = axes.empty() || contains(axes, i);
    if (!gone)
      out.push_back(x.shape[static_cast<std::size_t>(i)]);
    else if (keepdim)
      out.push_back(1);
  }
  return out;
}

void check_reshaped(std::string_view op, const Meta& x, Ints shape) {
  if (known(x.shape) && known(shape) && count_elements(x.shape) != count_elements(shape))
      [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] shape: expected ", count_elements(x.shape),
          " elements as in shape ", x.shape, ", got ", shape, ", which has ", count_elements(shape),
          "; let one length be -1 to have it worked out");
  }
}

// A named axis that is longer than 1 stays, as in Paddle.
Dims squeezed(std::string_view op, const Meta& x, Ints axes) {
  if (axes.empty() && !known(x.shape)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] axis: expected axes, because shape ", x.shape,
          " has unknown lengths, got none; name the axes of length 1");
  }
  Dims out;
  for (int i = 0; i < x.rank(); ++i) {
    const std::int64_t length = x.shape[static_cast<std::size_t>(i)];
    const bool named = axes.empty() || contains(axes, i);
    if (!(named && may_equal(length, 1))) out.push_back(length);
  }
  return out;
}

Dims unsqueezed(std::string_view op, const Meta& x, Ints given_axes) {
  const int rank = x.rank() + given_axes.rank();
  // Rank 0 with no axes must not count as one axis.
  const Dims new_axes = given_axes.empty() ? Dims() : axes(op, given_axes, rank);
  Dims out;
  std::size_t from = 0;
  for (int i = 0; i < rank; ++i) out.push_back(contains(new_axes, i) ? 1 : x.shape[from++]);
  return out;
}

Dims transposed(std::string_view op, const Meta& x, Ints perm) {
  Dims out;
  unsigned seen = 0;
  bool fine = perm.rank() == x.rank();
  for (std::size_t i = 0; fine && i < perm.size(); ++i) {
    const std::int64_t from = perm[i] < 0 ? perm[i] + x.rank() : perm[i];
    fine = from >= 0 && from < x.rank() && (seen >> from & 1U) == 0;
    if (!fine) break;
    seen |= 1U << from;
    out.push_back(x.shape[static_cast<std::size_t>(from)]);
  }
  if (!fine) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] perm: expected each of the ", x.rank(),
          " axes of shape ", x.shape, " once, got ", perm, "; name every axis once");
  }
  return out;
}

Dims expanded(std::string_view op, const Meta& x, Ints shape, bool later) {
  Dims out = shape;
  const int lead = shape.rank() - x.rank();
  bool fine = lead >= 0;
  for (int i = 0; fine && i < shape.rank(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t to = shape[at];
    if (i < lead) {
      fine = to >= 0 || (later && to == kUnknown);
      continue;
    }
    const std::int64_t from = x.shape[static_cast<std::size_t>(i - lead)];
    // One that is told later may enlarge a length of 1, and is the length otherwise.
    if (to == -1) out[at] = later && from == 1 ? kUnknown : from;
    fine = to == -1 || (to >= 0 && (from == 1 || may_equal(from, to)));
  }
  if (!fine) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] shape: expected a shape that ", x.shape,
          " broadcasts to (-1 keeps a length of x), got ", shape,
          "; only lengths of 1 grow and new axes come first");
  }
  if (known(out)) count_elements(out);  // raises where they do not fit 63 bits
  return out;
}

Dims sliced(std::string_view, const Meta& x, const Index& index) {
  if (known(x.shape)) return index.part_shape();
  Dims out;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const IndexItem& item = index[i];
    if (item.kind == IndexItem::Kind::kNewAxis) {
      out.push_back(1);
      continue;
    }
    const std::int64_t length = x.shape[axis++];
    if (item.kind == IndexItem::Kind::kNumber) continue;
    out.push_back(length == kUnknown ? kUnknown : (item.stop - item.start) / item.step);
  }
  return out;
}

Dims assigned(std::string_view op, const Meta& x, const Meta& value, const Index& index) {
  check_assignable(op, x, value, sliced(op, x, index));
  return x.shape;
}

Dims matmul_shape(std::string_view op, const Meta& x, const Meta& y, bool transpose_x,
                  bool transpose_y) {
  check_has_axes(op, "x", x);
  check_has_axes(op, "y", y);
  // A 1-d operand is a row on the left and a column on the right; its axis leaves no trace.
  const std::size_t xr = x.shape.size();
  const std::size_t yr = y.shape.size();
  const std::int64_t x_inner = xr == 1 ? x.shape[0] : x.shape[xr - (transpose_x ? 2 : 1)];
  const std::int64_t y_inner = yr == 1 ? y.shape[0] : y.shape[yr - (transpose_y ? 1 : 2)];
  if (!may_equal(x_inner, y_inner)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] y: expected ", x_inner, " rows to match x of shape ",
          x.shape, transpose_x ? " (transposed)" : "", ", got ", y_inner, " in shape ", y.shape,
          transpose_y ? " (transposed)" : "", "; transpose an operand or change a shape");
  }
  const Ints x_batch(x.shape.data(), xr < 2 ? 0 : xr - 2);
  const Ints y_batch(y.shape.data(), yr < 2 ? 0 : yr - 2);
  Dims out = broadcast_shapes(op, x_batch, y_batch);
  if (xr > 1) out.push_back(x.shape[xr - (transpose_x ? 1 : 2)]);
  if (yr > 1) out.push_back(y.shape[yr - (transpose_y ? 2 : 1)]);
  return out;
}

Dims concat_shape(std::string_view op, const MetaList& xs, std::int64_t given_axis) {
  if (xs.size() == 0) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] xs: expected at least one tensor, got none");
  }
  const Meta first = xs[0];
  check_has_axes(op, "xs", first);
  const auto at = static_cast<std::size_t>(axis(op, given_axis, first.rank()));
  Dims out = first.shape;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    const Meta x = xs[i];
    bool fine = x.rank() == first.rank();
    for (std::size_t d = 0; fine && d < x.shape.size(); ++d) {
      const std::int64_t length = x.shape[d];
      if (d == at) {
        out[d] = out[d] == kUnknown || length == kUnknown ? kUnknown : out[d] + length;
      } else {
        fine = may_equal(out[d], length);
        out[d] = merged(out[d], length);
      }
    }
    if (!fine) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", op, "] xs: expected shapes that differ on axis ", at,
            " only, got ", first.shape, " and ", x.shape, " (number ", i,
            "); reshape or cut one of them");
    }
  }
  return out;
}

std::vector<std::int64_t> resolved_sections(std::string_view op, Ints sections,
                                            std::int64_t length) {
  std::vector<std::int64_t> lengths(sections.begin(), sections.end());
  std::int64_t* open = nullptr;
  std::int64_t rest = length;
  bool fine = true;
  for (std::int64_t& section : lengths) {
    if (section == -1 && open == nullptr) {
      open = &section;
      continue;
    }
    // Compared with the rest before it is taken away: no sum can overflow.
    fine = fine && section >= 0 && section <= rest;
    rest -= fine ? section : 0;
  }
  if (open != nullptr) *open = rest;
  if (!fine || (open == nullptr && rest != 0)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] lengths: expected lengths of parts that add up to ",
          length, ", the length of the axis, got ", sections);
  }
  return lengths;
}

Dims section_shape(std::string_view op, const Meta& x, Ints sections, std::int64_t i,
                   std::int64_t given_axis) {
  check_has_axes(op, "x", x);
  const auto at = static_cast<std::size_t>(axis(op, given_axis, x.rank()));
  if (i < 0 || i >= sections.rank()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] i: expected the number of one of ", sections.rank(),
          " sections, got ", i);
  }
  Dims out = x.shape;
  const bool told = x.shape[at] != kUnknown && std::count(sections.begin(), sections.end(), -1) <= 1;
  out[at] = (told ? resolved_sections(op, sections, x.shape[at])[static_cast<std::size_t>(i)]
                  : sections[static_cast<std::size_t>(i)]);
  return out;
}

Dims set_in_section(std::string_view op, const Meta& x, const Meta& value, Ints sections,
                    std::int64_t i, std::int64_t axis) {
  check_assignable(op, x, value, section_shape(op, x, sections, i, axis));
  return x.shape;
}

Ints whole_of_section(std::string_view op, const Meta& section, Ints shape, Ints sections,
                      std::int64_t i, std::int64_t axis) {
  const Dims expected = section_shape(op, Meta(shape, section.dtype), sections, i, axis);
  if (!may_equal(expected, section.shape)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] section: expected shape ", expected, ", got ",
          section.shape);
  }
  return shape;
}

Dims taken(std::string_view op, const Meta& x, const Meta& index, std::int64_t given_axis) {
  check_has_axes(op, "x", x);
  const auto at = static_cast<std::size_t>(axis(op, given_axis, x.rank()));
  Dims out(Ints(x.shape.data(), at));
  for (const std::int64_t length : index.shape) out.push_back(length);
  for (std::size_t i = at + 1; i < x.shape.size(); ++i) out.push_back(x.shape[i]);
  return out;
}

Dims selected(std::string_view op, const Meta& x, const Meta& index, std::int64_t given_axis) {
  if (index.rank() != 1) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] index: expected one dimension, got shape ", index.shape,
          "; flatten it with reshape(index, [-1])");
  }
  return taken(op, x, index, given_axis);
}

Dims scattered(std::string_view op, const Meta& x, const Meta& index, const Meta& updates) {
  check_has_axes(op, "x", x);
  if (index.rank() > 1) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] index: expected at most one dimension, got shape ",
          index.shape, "; flatten it with reshape(index, [-1])");
  }
  const Dims expected = taken(op, x, index, 0);
  if (!may_equal(expected, updates.shape)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] updates: expected shape ", expected,
          " (the index's, then x's behind the first axis), got ", updates.shape,
          "; reshape or expand the updates");
  }
  if (category(updates.dtype) > category(x.dtype)) [[unlikely]] {
    raise(ErrorKind::kType, "[", op, "] updates: expected a dtype that fits ", x.dtype, ", got ",
          updates.dtype, "; cast one of them");
  }
  return x.shape;
}

Dims indexed(std::string_view op, const Meta& x, const MetaList& indices) {
  if (indices.size() == 0 || indices.size() > x.shape.size()) [[unlikely]] {
    raise(ErrorKind::kIndex, "[", op, "] indices: expected 1 to ", x.rank(),
          " index tensors for shape ", x.shape, ", got ", indices.size(),
          "; give at most one for each axis");
  }
  Dims out = indices[0].shape;
  for (std::size_t i = 1; i < indices.size(); ++i)
    out = broadcast_shapes(op, out, indices[i].shape);
  for (std::size_t i = indices.size(); i < x.shape.size(); ++i) out.push_back(x.shape[i]);
  return out;
}

Dims put(std::string_view op, const Meta& x, const MetaList& indices, const Meta& value) {
  check_assignable(op, x, value, indexed(op, x, indices));
  return x.shape;
}

Dims cross_entropy_shape(std::string_view op, const Meta& x, const Meta& label,
                         std::int64_t given_axis, std::string_view reduction) {
  check_has_axes(op, "x", x);
  const std::int64_t at = axis(op, given_axis, x.rank());
  Dims expected;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != at) expected.push_back(x.shape[static_cast<std::size_t>(i)]);
  }
  if (!may_equal(expected, label.shape)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] label: expected shape ", expected, " (x's shape ",
          x.shape, " without axis ", at, "), got ", label.shape, "; squeeze or reshape the label");
  }
  if (reduction != "none") return {};
  Dims out;
  for (std::size_t i = 0; i < expected.size(); ++i)
    out.push_back(merged(expected[i], label.shape[i]));
  return out;
}

}  // namespace oploom::infer
