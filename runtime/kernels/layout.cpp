#include <algorithm>
#include <cstring>
#include <numeric>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/core/views.h"
#include "runtime/kernels/rows.h"

namespace oploom::kernels {
namespace {

void clear(Tensor& out) {
  // All bits 0 is the number 0 in every dtype.
  if (out.nbytes() > 0) std::memset(out.bytes(), 0, out.nbytes());
}

// What a map shows of x's storage, as a tensor.
Tensor shown(const Tensor& x, const ViewMap& map) {
  return alias(x, map.shape, map.strides, map.offset);
}

// Where index points in x.
Tensor part_of(const Tensor& x, const Index& index) {
  return shown(x, index.map(x.strides(), x.offset()));
}

// Offsets are relative to x's first element.
Tensor part_of(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  const bool empty_part = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return alias(x, shape, strides, x.offset() + (empty_part ? 0 : offset));
}

// to += from (contiguous, of the same shape); to may overlap itself.
template <typename T>
void add_to_map(const T* from, T* to, Ints shape, Ints strides) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  std::int64_t at[kMaxRank] = {};
  for (std::int64_t n = 0; n < count; ++n) {
    *to = plus(*to, from[n]);
    for (std::size_t i = shape.size(); i-- > 0;) {
      to += strides[i];
      if (++at[i] < shape[i]) break;
      to -= strides[i] * shape[i];
      at[i] = 0;
    }
  }
}

}  // namespace

std::optional<ViewMap> reshape(const Tensor& x, Ints shape) { return reshaped_map(x, shape); }

ViewMap squeeze(const Tensor& x, Ints axis) {
  ViewMap map(x.offset());
  unsigned named = axis.empty() ? ~0U : 0;
  for (const std::int64_t a : axis) named |= 1U << a;
  for (int i = 0; i < x.rank(); ++i) {
    if (x.size(i) == 1 && (named >> i & 1U) != 0) continue;
    map.append(x.size(i), x.strides()[static_cast<std::size_t>(i)]);
  }
  return map;
}

ViewMap unsqueeze(const Tensor& x, Ints axis) {
  ViewMap map(x.offset());
  const int rank = x.rank() + axis.rank();
  unsigned is_new = 0;
  for (const std::int64_t a : axis) is_new |= 1U << (a < 0 ? a + rank : a);
  for (int i = 0, from = 0; i < rank; ++i) {
    if ((is_new >> i & 1U) != 0) {
      map.append(1, 1);
    } else {
      map.append(x.size(from), x.strides()[static_cast<std::size_t>(from)]);
      ++from;
    }
  }
  return map;
}

ViewMap transpose(const Tensor& x, Ints perm) {
  ViewMap map(x.offset());
  for (const std::int64_t p : perm) {
    const auto from = static_cast<std::size_t>(p < 0 ? p + x.rank() : p);
    map.append(x.shape()[from], x.strides()[from]);
  }
  return map;
}

ViewMap expand(const Tensor& x, Ints shape) {
  ViewMap map(x.offset());
  const int lead = shape.rank() - x.rank();
  for (int i = 0; i < shape.rank(); ++i) {
    const std::int64_t length = shape[static_cast<std::size_t>(i)];
    if (i < lead) {
      map.append(length, 0);
      continue;
    }
    const std::int64_t from = x.size(i - lead);
    const bool grows = length != -1 && length != from;
    map.append(grows ? length : from, grows ? 0 : x.strides()[static_cast<std::size_t>(i - lead)]);
  }
  return map;
}

ViewMap slice(const Tensor& x, const Index& index) { return index.map(x.strides(), x.offset()); }

void check_slice_grad(std::string_view op, const Tensor& out_grad, Ints shape, const Index& index) {
  infer::expect_shape(op, "out_grad", out_grad, infer::sliced(op, Meta(shape, out_grad.dtype()), index));
}

void slice_grad(const Tensor& out_grad, Ints, const Index& index, Tensor& x_grad) {
  const Tensor target = part_of(x_grad, index);
  clear(x_grad);
  copy_elements(out_grad, target);
}

void set_item(const Tensor& x, const Tensor& value, const Index& index, Tensor& out) {
  const Tensor target = part_of(out, index);
  const Tensor from = without_lead(value, target.rank());
  if (out.bytes() != x.bytes()) copy_elements(x, out);
  copy_elements(from, target);
}

void check_section(std::string_view op, const Tensor& x, Ints sections, std::int64_t,
                   std::int64_t axis) {
  infer::resolved_sections(op, sections, x.size(static_cast<int>(axis)));  // refuses what does not fit
}

ViewMap section(const Tensor& x, Ints sections, std::int64_t i, std::int64_t axis) {
  const auto at = static_cast<std::size_t>(axis);
  const auto lengths = infer::resolved_sections("split", sections, x.shape()[at]);
  const auto own = lengths.begin() + i;
  ViewMap map(x.offset());
  for (std::size_t d = 0; d < x.shape().size(); ++d)
    map.append(d == at ? *own : x.shape()[d], x.strides()[d]);
  if (*own > 0) map.offset += std::accumulate(lengths.begin(), own, std::int64_t{0}) * x.strides()[at];
  return map;
}

void check_section_grad(std::string_view op, const Tensor&, Ints shape, Ints sections, std::int64_t,
                        std::int64_t axis) {
  infer::expect_lengths(op, "shape", shape);
  infer::expect_axis(op, axis, shape.rank());
  infer::resolved_sections(op, sections, shape[static_cast<std::size_t>(axis)]);
}

void section_grad(const Tensor& out_grad, Ints, Ints sections, std::int64_t i, std::int64_t axis,
                  Tensor& x_grad) {
  clear(x_grad);
  copy_elements(out_grad, shown(x_grad, section(x_grad, sections, i, axis)));
}

void check_set_section(std::string_view op, const Tensor& x, const Tensor&, Ints sections,
                       std::int64_t, std::int64_t axis) {
  infer::resolved_sections(op, sections, x.size(static_cast<int>(axis)));
}

void set_section(const Tensor& x, const Tensor& value, Ints sections, std::int64_t i,
                 std::int64_t axis, Tensor& out) {
  const Tensor target = shown(out, section(out, sections, i, axis));
  const Tensor from = without_lead(value, target.rank());
  if (out.bytes() != x.bytes()) copy_elements(x, out);
  copy_elements(from, target);
}

void concat(TensorList xs, std::int64_t axis, Tensor& out) {
  const auto at = static_cast<std::size_t>(axis);
  std::int64_t offset = out.offset();
  for (const Tensor& x : xs) {
    copy_elements(x, alias(out, x.shape(), out.strides(), x.numel() == 0 ? out.offset() : offset));
    offset += x.shape()[at] * out.strides()[at];
  }
}

void check_part(std::string_view op, const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  infer::expect_map(op, shape, strides, offset, x.numel());
}

void part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset, Tensor& out) {
  copy_elements(part_of(x, shape, strides, offset), out);
}

void check_embed(std::string_view op, const Tensor& x, Ints root_shape, Ints strides,
                 std::int64_t offset) {
  infer::expect_map(op, x.shape(), strides, offset, count_elements(root_shape));
}

void embed(const Tensor& x, Ints, Ints strides, std::int64_t offset, Tensor& out) {
  const Tensor target = part_of(out, x.shape(), strides, offset);
  clear(out);
  if ((target.impl()->flags & TensorImpl::kOverlap) == 0) return copy_elements(x, target);
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    add_to_map(x.data<T>(), target.data<T>(), target.shape(), target.strides());
  });
}

void check_write_part(std::string_view op, const Tensor& x, const Tensor& value, Ints strides,
                      std::int64_t offset) {
  infer::expect_map(op, value.shape(), strides, offset, x.numel());
}

void write_part(const Tensor& x, const Tensor& value, Ints strides, std::int64_t offset,
                Tensor& out) {
  const Tensor target = part_of(out, value.shape(), strides, offset);
  if (out.bytes() != x.bytes()) copy_elements(x, out);
  copy_elements(value, target);
}

void clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset, Tensor& out) {
  const Tensor target = part_of(out, shape, strides, offset);
  const Tensor zero = scalar_tensor(0, x.dtype());
  if (out.bytes() != x.bytes()) copy_elements(x, out);
  copy_elements(zero, target);
}

}  // namespace oploom::kernels
