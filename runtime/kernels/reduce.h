#pragma once

#include <cstdint>

#include "runtime/core/dims.h"

// The loop nest of a reduction over a row-major tensor, and the ways to run through it.
namespace oploom::kernels {

// x's axes with lengths of 1 dropped and neighbours merged that are both reduced or both kept, so
// that they alternate: most calls end as one or two axes.
struct ReducePlan {
  int rank = 0;
  std::int64_t length[kMaxRank];
  std::int64_t stride[kMaxRank];      // in x
  std::int64_t out_stride[kMaxRank];  // 0 where reduced
  bool reduced[kMaxRank];
  std::int64_t reduced_count = 1;  // elements of x for one of out
  std::int64_t kept_count = 1;     // elements of out
};

// Bit i of mask: axis i of x is reduced.
inline ReducePlan plan_reduction(Ints shape, unsigned mask) {
  ReducePlan plan;
  std::int64_t stride = 1;
  // From the last axis to the first, then turned round.
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const std::int64_t length = shape[static_cast<std::size_t>(axis)];
    const bool reduced = (mask >> axis & 1U) != 0;
    if (length == 1) continue;
    const int last = plan.rank - 1;
    if (last >= 0 && plan.reduced[last] == reduced) {
      plan.length[last] *= length;
    } else {
      plan.length[plan.rank] = length;
      plan.stride[plan.rank] = stride;
      plan.out_stride[plan.rank] = reduced ? 0 : plan.kept_count;
      plan.reduced[plan.rank] = reduced;
      ++plan.rank;
    }
    (reduced ? plan.reduced_count : plan.kept_count) *= length;
    stride *= length;
  }
  for (int i = 0, j = plan.rank - 1; i < j; ++i, --j) {
    std::swap(plan.length[i], plan.length[j]);
    std::swap(plan.stride[i], plan.stride[j]);
    std::swap(plan.out_stride[i], plan.out_stride[j]);
    std::swap(plan.reduced[i], plan.reduced[j]);
  }
  return plan;
}

// No axis named: all.
inline unsigned reduction_mask(Ints axes) {
  if (axes.empty()) return ~0U;
  unsigned mask = 0;
  for (const std::int64_t axis : axes) mask |= 1U << axis;
  return mask;
}

// Counts through some axes of a plan, but never its last, which callers run through themselves.
class Odometer {
 public:
  Odometer(const ReducePlan& plan, bool reduced) {
    for (int i = 0; i + 1 < plan.rank; ++i) {
      if (plan.reduced[i] != reduced) continue;
      length_[rank_] = plan.length[i];
      stride_[rank_] = plan.stride[i];
      at_[rank_++] = 0;
      total_ *= plan.length[i];
    }
  }
  std::int64_t total() const { return total_; }
  std::int64_t offset() const { return offset_; }
  void next() {  // back to the start behind the last
    for (int i = rank_ - 1; i >= 0; --i) {
      offset_ += stride_[i];
      if (++at_[i] < length_[i]) return;
      offset_ -= stride_[i] * length_[i];
      at_[i] = 0;
    }
  }

 private:
  int rank_ = 0;
  std::int64_t total_ = 1;
  std::int64_t offset_ = 0;
  std::int64_t length_[kMaxRank];
  std::int64_t stride_[kMaxRank];
  std::int64_t at_[kMaxRank];
};

// Calls f(offset in x, offset in out, n, step in out) for each contiguous run of x, in order.
template <typename F>
void for_each_run(const ReducePlan& plan, F&& f) {
  if (plan.reduced_count == 0 || plan.kept_count == 0) return;
  if (plan.rank == 0) return f(std::int64_t{0}, std::int64_t{0}, std::int64_t{1}, std::int64_t{0});
  const int last = plan.rank - 1;
  std::int64_t at[kMaxRank] = {};
  std::int64_t from = 0;
  std::int64_t to = 0;
  while (true) {
    f(from, to, plan.length[last], plan.out_stride[last]);
    int i = last - 1;
    for (; i >= 0; --i) {
      from += plan.stride[i];
      to += plan.out_stride[i];
      if (++at[i] < plan.length[i]) break;
      from -= plan.stride[i] * plan.length[i];
      to -= plan.out_stride[i] * plan.length[i];
      at[i] = 0;
    }
    if (i < 0) return;
  }
}

}  // namespace oploom::kernels
