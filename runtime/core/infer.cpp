#include "runtime/core/infer.h"

#include <algorithm>

#include "runtime/core/error.h"

// Attributes in normal form and dtypes; shapes are in infer_shapes.cpp.
namespace oploom::infer {
namespace {

// Folds one more input into the dtype so far: strong inputs among themselves, weak ones among
// themselves.
struct Promotion {
  bool any_strong = false;
  bool any_weak = false;
  DType strong = DType::kBool;
  DType weak = DType::kBool;

  void add(const Meta& x) {
    if (!x.present) return;
    if (x.weak) {
      weak = any_weak ? std::max(weak, x.dtype) : x.dtype;
      any_weak = true;
    } else {
      strong = any_strong ? promote(strong, x.dtype) : x.dtype;
      any_strong = true;
    }
  }
  DType result() const {
    if (!any_weak) return strong;
    // Numbers alone count as tensors of their category's default; weak floats are kept as float64.
    return promote_weak(any_strong ? strong : DType::kBool, weak);
  }
};

}  // namespace

std::int64_t axis(std::string_view op, std::int64_t axis, int rank) {
  // A 0-d tensor counts as one axis of length 1.
  const int limit = std::max(rank, 1);
  if (axis < -limit || axis >= limit) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] axis: expected ", -limit, " to ", limit - 1,
          " for a tensor of ", rank, " dimensions, got ", axis, "; give an axis in that range");
  }
  return axis < 0 ? axis + limit : axis;
}

namespace {

[[gnu::noinline]] Dims named_axes(std::string_view op, Ints given, int rank) {
  Dims out;
  for (const std::int64_t value : given) {
    const std::int64_t normal = axis(op, value, rank);
    if (std::find(out.begin(), out.end(), normal) != out.end()) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", op, "] axis: expected each axis once, got ", given,
            ", which has ", value, " again; name it once");
    }
    out.push_back(normal);
  }
  if (rank == 0) return {};
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Dims axes(std::string_view op, Ints given, int rank) {
  if (!given.empty()) return named_axes(op, given, rank);
  Dims none;
  return none;
}

Dims target_shape(std::string_view op, Ints shape, const Meta& x) {
  Dims out = shape;
  int open = -1;
  for (int i = 0; i < out.rank(); ++i) {
    if (out[i] < -1 || (out[i] == -1 && open >= 0)) [[unlikely]] {
      raise(ErrorKind::kArgument, "[", op,
            "] shape: expected lengths of at least 0 and at most one -1, got ", shape,
            "; write each other length as a number");
    }
    if (out[i] == -1) open = i;
  }
  if (open < 0 || std::find(x.shape.begin(), x.shape.end(), -1) != x.shape.end()) return out;
  out[open] = 1;
  const std::int64_t known = count_elements(out);
  const std::int64_t count = count_elements(x.shape);
  if (known == 0 || count % known != 0) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] shape: expected lengths that divide the ", count,
          " elements of shape ", x.shape, ", got ", shape,
          known == 0 ? "; with a 0 in it, -1 has no one meaning: write it as a number"
                     : "; change a length");
  }
  out[open] = count / known;
  return out;
}

DType promoted(const Meta& x, const Meta& y) {
  if (x.dtype == y.dtype && !x.weak && !y.weak) [[likely]]
    return x.dtype;
  Promotion promotion;
  promotion.add(x);
  promotion.add(y);
  return promotion.result();
}

DType promoted(const Meta& x, const Meta& y, const Meta& z) {
  Promotion promotion;
  promotion.add(x);
  promotion.add(y);
  promotion.add(z);
  return promotion.result();
}

DType promoted(const MetaList& xs) {
  Promotion promotion;
  for (std::size_t i = 0; i < xs.size(); ++i) promotion.add(xs[i]);
  return promotion.result();
}

DType float_promoted(const Meta& x, const Meta& y) { return oploom::float_of(promoted(x, y)); }

DType summed(const Meta& x) { return is_float(x.dtype) ? x.dtype : DType::kInt64; }

DType chosen(std::optional<DType> given, DType otherwise) { return given.value_or(otherwise); }

}  // namespace oploom::infer
