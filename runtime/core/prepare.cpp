#include "runtime/core/prepare.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/core/blocking.h"

namespace oploom {
namespace {

template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(Scalar(static_cast<double>(value)).to_int());
  } else {
    return static_cast<To>(value);
  }
}

// Source and target seen as one loop nest; lengths of 1 are gone and neighbours that form one run merged.
struct Nest {
  int rank = 0;
  std::int64_t shape[kMaxRank];
  std::int64_t from_strides[kMaxRank];
  std::int64_t to_strides[kMaxRank];
};

Nest nest_of(const Tensor& from, const Tensor& to) {
  Nest nest;
  const int lead = to.rank() - from.rank();
  for (int axis = 0; axis < to.rank(); ++axis) {
    const std::int64_t length = to.size(axis);
    if (length == 1) continue;
    const bool spread = axis < lead || from.size(axis - lead) == 1;
    const std::int64_t from_stride = spread ? 0 : from.strides()[axis - lead];
    const std::int64_t to_stride = to.strides()[axis];
    const int last = nest.rank - 1;
    if (last >= 0 && nest.from_strides[last] == from_stride * length &&
        nest.to_strides[last] == to_stride * length) {
      nest.shape[last] *= length;
      nest.from_strides[last] = from_stride;
      nest.to_strides[last] = to_stride;
    } else {
      nest.shape[nest.rank] = length;
      nest.from_strides[nest.rank] = from_stride;
      nest.to_strides[nest.rank] = to_stride;
      ++nest.rank;
    }
  }
  return nest;
}

template <typename To, typename From>
void copy_run(const From* from, std::int64_t from_stride, To* to, std::int64_t to_stride, std::int64_t n) {
  if (from_stride == 1 && to_stride == 1) {
    if constexpr (std::is_same_v<To, From>) {
      std::memmove(to, from, static_cast<std::size_t>(n) * sizeof(To));
    } else {
      for (std::int64_t i = 0; i < n; ++i) to[i] = convert<To>(from[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) to[i * to_stride] = convert<To>(from[i * from_stride]);
}

template <typename To, typename From>
void copy_nest(const Nest& nest, const From* from, To* to) {
  if (nest.rank == 0) {
    *to = convert<To>(*from);
    return;
  }
  const int inner = nest.rank - 1;
  std::int64_t at[kMaxRank] = {};
  while (true) {
    copy_run(from, nest.from_strides[inner], to, nest.to_strides[inner], nest.shape[inner]);
    int axis = inner - 1;
    for (; axis >= 0; --axis) {
      from += nest.from_strides[axis];
      to += nest.to_strides[axis];
      if (++at[axis] < nest.shape[axis]) break;
      from -= nest.from_strides[axis] * nest.shape[axis];
      to -= nest.to_strides[axis] * nest.shape[axis];
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace

void copy_elements(const Tensor& from, const Tensor& to) {
  if (to.numel() == 0) return;
  const Nest nest = nest_of(from, to);
  const std::byte* source = from.bytes();
  std::byte* target = to.bytes();
  const DType from_dtype = from.dtype();
  const DType to_dtype = to.dtype();
  const Unlocked unlocked(to.numel(), {&from, &to});
  dispatch(to_dtype, [&](auto to_tag) {
    using To = typename decltype(to_tag)::type;
    dispatch(from_dtype, [&](auto from_tag) {
      using From = typename decltype(from_tag)::type;
      copy_nest(nest, reinterpret_cast<const From*>(source), reinterpret_cast<To*>(target));
    });
  });
}

Tensor copied(const Tensor& x) {
  Tensor out = empty(x.shape(), x.dtype());
  copy_elements(x, out);
  return out;
}

Tensor contiguous(const Tensor& x) { return !x.defined() || x.contiguous() ? x : copied(x); }

Tensor prepared(const Tensor& x, DType dtype) {
  if (!x.defined() || (x.contiguous() && x.dtype() == dtype && !x.weak())) return x;
  Tensor out = empty(x.shape(), dtype);
  copy_elements(x, out);
  return out;
}

std::vector<std::int64_t> sizes(std::span<const Tensor> xs, std::int64_t axis) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(xs.size());
  for (const Tensor& x : xs) lengths.push_back(x.size(static_cast<int>(axis)));
  return lengths;
}

std::vector<Tensor> contiguous(std::span<const Tensor> xs) {
  std::vector<Tensor> out;
  out.reserve(xs.size());
  for (const Tensor& x : xs) out.push_back(contiguous(x));
  return out;
}

std::vector<Tensor> prepared(std::span<const Tensor> xs, DType dtype) {
  std::vector<Tensor> out;
  out.reserve(xs.size());
  for (const Tensor& x : xs) out.push_back(prepared(x, dtype));
  return out;
}

}  // namespace oploom
