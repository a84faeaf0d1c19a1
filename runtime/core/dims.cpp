#include "runtime/core/dims.h"

#include <ostream>

#include "runtime/core/error.h"

namespace oploom {
void Dims::refuse_rank(std::size_t rank) {
  raise(ErrorKind::kUnimplemented, "shape: expected at most ", kMaxRank, " dimensions, got ", rank,
        "; merge dimensions with reshape");
}

Dims Dims::filled(int rank, std::int64_t value) {
  if (rank > kMaxRank) [[unlikely]]
    refuse_rank(static_cast<std::size_t>(rank));
  Dims dims;
  dims.rank_ = rank;
  for (std::int64_t& v : dims) v = value;
  return dims;
}

std::ostream& operator<<(std::ostream& out, Ints dims) {
  out << '[';
  for (std::size_t i = 0; i < dims.size(); ++i) out << (i == 0 ? "" : ", ") << dims[i];
  return out << ']';
}

std::ostream& operator<<(std::ostream& out, const Dims& dims) { return out << Ints(dims); }

std::int64_t count_elements(Ints shape) {
  std::int64_t count = 1;
  bool overflow = false;
  // An empty tensor may have other lengths whose product does not fit: 0 ends it wherever it
  // stands.
  for (const std::int64_t length : shape) {
    if (length == 0) return 0;
    overflow |= __builtin_mul_overflow(count, length, &count);
  }
  if (overflow) [[unlikely]] {
    raise(ErrorKind::kMemory, "shape: expected less than 2^63 elements, got shape ", shape);
  }
  return count;
}

Dims contiguous_strides(Ints shape) {
  Dims strides = shape;
  std::int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = stride;
    // Lengths of 0 count as 1: no stride of an empty tensor is 0, which would look like an expand.
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[i], 1), &stride)) stride = 1;
  }
  return strides;
}

bool is_contiguous(Ints shape, Ints strides) {
  std::uint64_t expected = 1;  // may wrap before the 0 of an empty shape is met
  bool gaps = false;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    if (shape[i] == 0) return true;
    if (shape[i] == 1) continue;
    gaps |= static_cast<std::uint64_t>(strides[i]) != expected;
    expected *= static_cast<std::uint64_t>(shape[i]);
  }
  return !gaps;
}

}  // namespace oploom
