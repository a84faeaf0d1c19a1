#include <algorithm>
#include <cstring>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/positions.h"
#include "runtime/kernels/rows.h"

namespace oploom::kernels {
namespace {

// x around one axis: outer blocks of length rows of inner elements.
struct AxisView {
  std::int64_t outer;
  std::int64_t length;
  std::int64_t inner;
};

AxisView view_along(Ints shape, std::int64_t axis) {
  const auto at = static_cast<std::size_t>(axis);
  return {product_of(shape, 0, at), shape[at], product_of(shape, at + 1, shape.size())};
}

void clear(Tensor& out) {
  if (out.nbytes() > 0) std::memset(out.bytes(), 0, out.nbytes());
}

// In place out is x already.
void start_from(const Tensor& x, Tensor& out) {
  if (out.bytes() != x.bytes()) copy_elements(x, out);
}

// Calls f(TypeTag, moved elements) without the interpreter lock. The tensors stay alive.
template <typename F>
void run(DType dtype, std::int64_t work, std::initializer_list<const Tensor*> keep, F&& f) {
  const Unlocked unlocked(work, keep);
  dispatch(dtype, f);
}

// f(row i of the moved rows, its row in x) for each, as pointers; both dense.
template <typename From, typename To, typename F>
void for_each_row(const RowPositions& positions, From* moved, To* rows, F&& f) {
  const std::int64_t width = positions.width;
  for (std::size_t i = 0; i < positions.row.size(); ++i) {
    f(moved + static_cast<std::int64_t>(i) * width, rows + positions.row[i] * width, i);
  }
}

std::int64_t work_of(const RowPositions& positions) {
  return static_cast<std::int64_t>(positions.row.size()) * positions.width;
}

void read_rows(const Tensor& x, const RowPositions& positions, Tensor& out) {
  std::byte* to = out.bytes();
  const std::byte* from = x.bytes();
  run(x.dtype(), work_of(positions), {&x, &out}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_row(
        positions, reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from),
        [&](T* row, const T* source, std::size_t) { copy_row(source, row, positions.width); });
  });
}

// The rows that positions name, but zeros for one that is named again later.
void read_last_rows(const Tensor& x, const RowPositions& positions, Tensor& out) {
  const std::vector<bool> last = last_uses(positions);
  std::byte* to = out.bytes();
  const std::byte* from = x.bytes();
  run(x.dtype(), work_of(positions), {&x, &out}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_row(positions, reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from),
                 [&](T* row, const T* source, std::size_t i) {
                   if (last[i])
                     copy_row(source, row, positions.width);
                   else
                     std::fill_n(row, positions.width, T(0));
                 });
  });
}

void clear_rows(const RowPositions& positions, Tensor& out) {
  std::byte* to = out.bytes();
  run(out.dtype(), work_of(positions), {&out}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const rows = reinterpret_cast<T*>(to);
    for (const std::int64_t row : positions.row)
      std::fill_n(rows + row * positions.width, positions.width, T(0));
  });
}

// values holds a row for each position, in order.
void write_rows(const Tensor& values, const RowPositions& positions, bool add, Tensor& out) {
  const std::byte* from = values.bytes();
  std::byte* to = out.bytes();
  run(out.dtype(), work_of(positions), {&values, &out}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_row(positions, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to),
                 [&](const T* row, T* target, std::size_t) {
                   if (add)
                     add_row(row, target, positions.width);
                   else
                     copy_row(row, target, positions.width);
                 });
  });
}

// value with a row of its own for each position.
Tensor value_rows(const Tensor& value, const RowPositions& positions, Ints x_shape,
                  std::size_t axes) {
  if (value.numel() == work_of(positions)) return value;  // leading axes of length 1 at most
  Dims shape = positions.shape;
  for (std::size_t i = axes; i < x_shape.size(); ++i) shape.push_back(x_shape[i]);
  Tensor rows = empty(shape, value.dtype());
  copy_elements(without_lead(value, shape.rank()), rows);
  return rows;
}

}  // namespace

// --- Along one axis.

void check_gather(std::string_view op, const Tensor& x, const Tensor& index, std::int64_t axis) {
  if (axis >= x.rank()) return;  // 0-d: refused with the shapes
  check_positions(op, "index", index, static_cast<int>(axis), x.size(static_cast<int>(axis)));
}

void gather(const Tensor& x, const Tensor& index, std::int64_t axis, Tensor& out) {
  const AxisView view = view_along(x.shape(), axis);
  const std::int64_t count = index.numel();
  const auto* indices = index.data<std::int64_t>();
  const std::byte* source = x.bytes();
  std::byte* target = out.bytes();
  run(x.dtype(), out.numel(), {&x, &index, &out}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = reinterpret_cast<const T*>(source);
    T* to = reinterpret_cast<T*>(target);
    for (std::int64_t o = 0; o < view.outer; ++o, from += view.length * view.inner) {
      for (std::int64_t i = 0; i < count; ++i, to += view.inner) {
        copy_row(from + position(indices[i], view.length) * view.inner, to, view.inner);
      }
    }
  });
}

void check_gather_grad(std::string_view op, const Tensor& out_grad, const Tensor& index, Ints shape,
                       std::int64_t axis) {
  infer::expect_axis(op, axis, shape.rank());
  infer::expect_shape(op, "out_grad", out_grad,
                      infer::taken(op, Meta(shape, out_grad.dtype()), index, axis));
  check_positions(op, "index", index, static_cast<int>(axis), shape[static_cast<std::size_t>(axis)]);
}

void gather_grad(const Tensor& out_grad, const Tensor& index, Ints shape, std::int64_t axis,
                 Tensor& x_grad) {
  const AxisView view = view_along(shape, axis);
  const std::int64_t count = index.numel();
  const auto* indices = index.data<std::int64_t>();
  const std::byte* source = out_grad.bytes();
  std::byte* target = x_grad.bytes();
  clear(x_grad);
  run(x_grad.dtype(), out_grad.numel(), {&out_grad, &index, &x_grad}, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = reinterpret_cast<const T*>(source);
    T* to = reinterpret_cast<T*>(target);
    for (std::int64_t o = 0; o < view.outer; ++o, to += view.length * view.inner) {
      for (std::int64_t i = 0; i < count; ++i, from += view.inner) {
        add_row(from, to + position(indices[i], view.length) * view.inner, view.inner);
      }
    }
  });
}

// --- Rows of the first axis.

void check_scatter(std::string_view op, const Tensor& x, const Tensor& index, const Tensor&, bool) {
  check_gather(op, x, index, 0);
}

void scatter(const Tensor& x, const Tensor& index, const Tensor& updates, bool overwrite,
             Tensor& out) {
  const RowPositions positions = row_positions(index, x.shape());
  start_from(x, out);
  if (!overwrite) clear_rows(positions, out);
  write_rows(updates, positions, !overwrite, out);
}

void check_scatter_clear(std::string_view op, const Tensor& x, const Tensor& index) {
  infer::expect_axis(op, 0, x.rank());
  check_gather(op, x, index, 0);
}

void scatter_clear(const Tensor& x, const Tensor& index, Tensor& out) {
  const RowPositions positions = row_positions(index, x.shape());
  start_from(x, out);
  clear_rows(positions, out);
}

void scatter_last(const Tensor& x, const Tensor& index, Tensor& out) {
  read_last_rows(x, row_positions(index, x.shape()), out);
}

// --- Index tensors on the first axes.

namespace {

void check_indices(std::string_view op, TensorList indices, Ints shape) {
  const std::size_t axes = std::min(indices.size(), shape.size());  // too many: refused by shape
  for (std::size_t i = 0; i < axes; ++i) {
    check_positions(op, "indices", indices[i], static_cast<int>(i), shape[i]);
  }
}

}  // namespace

void check_index(std::string_view op, const Tensor& x, TensorList indices) {
  check_indices(op, indices, x.shape());
}

void index(const Tensor& x, TensorList indices, Tensor& out) {
  read_rows(x, row_positions(indices, x.shape()), out);
}

void check_index_grad(std::string_view op, const Tensor& out_grad, TensorList indices, Ints shape) {
  infer::expect_shape(op, "out_grad", out_grad,
                      infer::indexed(op, Meta(shape, out_grad.dtype()), indices));
  check_indices(op, indices, shape);
}

void index_grad(const Tensor& out_grad, TensorList indices, Ints shape, Tensor& x_grad) {
  const RowPositions positions = row_positions(indices, shape);
  clear(x_grad);
  write_rows(out_grad, positions, true, x_grad);
}

void check_index_put(std::string_view op, const Tensor& x, TensorList indices, const Tensor&,
                     bool) {
  check_index(op, x, indices);
}

void index_put(const Tensor& x, TensorList indices, const Tensor& value, bool accumulate,
               Tensor& out) {
  const RowPositions positions = row_positions(indices, x.shape());
  const Tensor rows = value_rows(value, positions, x.shape(), indices.size());
  start_from(x, out);
  write_rows(rows, positions, accumulate, out);
}

void check_index_clear(std::string_view op, const Tensor& x, TensorList indices) {
  infer::indexed(op, x, indices);  // refuses what does not fit
  check_index(op, x, indices);
}

void index_clear(const Tensor& x, TensorList indices, Tensor& out) {
  const RowPositions positions = row_positions(indices, x.shape());
  start_from(x, out);
  clear_rows(positions, out);
}

void index_last(const Tensor& x, TensorList indices, Tensor& out) {
  read_last_rows(x, row_positions(indices, x.shape()), out);
}

// --- Positions of a mask.

namespace {

template <typename T>
std::int64_t count_nonzero(const T* x, std::int64_t n) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) count += x[i] != T(0);
  return count;
}

template <typename T>
void write_nonzero(const T* x, std::int64_t n, Ints shape, std::int64_t* to) {
  std::int64_t at[kMaxRank] = {};
  for (std::int64_t i = 0; i < n; ++i) {
    if (x[i] != T(0)) to = std::copy_n(at, shape.size(), to);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++at[axis] < shape[axis]) break;
      at[axis] = 0;
    }
  }
}

}  // namespace

KernelResult result_nonzero(const Meta& x) { return {{-1, x.rank()}, DType::kInt64}; }

Tensor nonzero(const Tensor& x) {
  return dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = x.data<T>();
    const std::int64_t count = count_nonzero(from, x.numel());
    Tensor out = empty({count, x.rank()}, DType::kInt64);
    auto* to = out.data<std::int64_t>();
    const Dims shape = x.shape();
    const std::int64_t n = x.numel();
    const Unlocked unlocked(n, {&x, &out});
    write_nonzero(from, n, shape, to);
    return out;
  });
}

}  // namespace oploom::kernels
