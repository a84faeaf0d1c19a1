#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/kernels/convert.h"
#include "runtime/kernels/reduce.h"

namespace oploom::kernels {
namespace {

constexpr std::int64_t kLanes = 32;     // independent sums, so that the compiler may use vectors
constexpr std::int64_t kBlock = 1024;   // elements that lanes sum on their own
constexpr std::int64_t kTile = 512;     // columns summed together
constexpr std::int64_t kTileRows = 64;  // rows of a tile summed in the input's own type

// How a reduction combines. Lane: the type of a short run; Total: of everything.
template <typename T>
struct Sum {
  using Value = Stored<T>;
  using Lane = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  using Total = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
  static constexpr Lane kStart = 0;
  static Lane with(Lane sum, Value value) { return sum + static_cast<Lane>(value); }
  static Lane both(Lane a, Lane b) { return a + b; }
  static Total joined(Total a, Total b) { return a + b; }
};

template <typename T>
struct Max {
  using Value = Stored<T>;
  using Lane = Value;
  using Total = Value;
  static constexpr Lane kStart = std::is_floating_point_v<T>
                                     ? -std::numeric_limits<Value>::infinity()
                                     : std::numeric_limits<Value>::lowest();
  // A NaN that was met stays: no comparison with it holds.
  static Lane with(Lane best, Value value) {
    return static_cast<int>(value > best) | static_cast<int>(value != value) ? value : best;
  }
  static Lane both(Lane a, Lane b) { return with(a, b); }
  static Total joined(Total a, Total b) { return with(a, b); }
};

template <typename Op>
typename Op::Total reduce_block(const typename Op::Value* x, std::int64_t n) {
  using Lane = typename Op::Lane;
  if (n < kLanes) {
    Lane one = Op::kStart;
    for (std::int64_t i = 0; i < n; ++i) one = Op::with(one, x[i]);
    return static_cast<typename Op::Total>(one);
  }
  Lane lanes[kLanes];
  for (Lane& lane : lanes) lane = Op::kStart;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] = Op::with(lanes[l], x[i + l]);
  }
  for (std::int64_t l = 0; i < n; ++i, ++l) lanes[l] = Op::with(lanes[l], x[i]);
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::int64_t l = 0; l < half; ++l) lanes[l] = Op::both(lanes[l], lanes[l + half]);
  }
  return static_cast<typename Op::Total>(lanes[0]);
}

// A contiguous run, halved until blocks remain: the error of a sum grows with the logarithm of n.
template <typename Op>
typename Op::Total reduce_run(const typename Op::Value* x, std::int64_t n) {
  if (n <= kBlock) return reduce_block<Op>(x, n);
  const std::int64_t half = (n / kBlock + 1) / 2 * kBlock;
  return Op::joined(reduce_run<Op>(x, half), reduce_run<Op>(x + half, n - half));
}

// The last axis is reduced: each element of out is a reduction of contiguous runs.
template <typename Op, typename Out, typename Finish>
void reduce_rows(const ReducePlan& plan, const typename Op::Value* x, Out* out, Finish finish) {
  const std::int64_t n = plan.rank == 0 ? 1 : plan.length[plan.rank - 1];
  Odometer kept(plan, false);
  Odometer reduced(plan, true);
  for (std::int64_t i = 0; i < kept.total(); ++i, kept.next()) {
    typename Op::Total total = reduce_run<Op>(x + kept.offset() + reduced.offset(), n);
    for (std::int64_t j = 1; j < reduced.total(); ++j) {
      reduced.next();
      total = Op::joined(total, reduce_run<Op>(x + kept.offset() + reduced.offset(), n));
    }
    reduced.next();
    out[i] = finish(total);
  }
}

// The last axis is kept: rows are reduced into tiles of columns.
template <typename Op, typename Out, typename Finish>
void reduce_columns(const ReducePlan& plan, const typename Op::Value* x, Out* out, Finish finish) {
  const std::int64_t columns = plan.length[plan.rank - 1];
  typename Op::Lane lanes[kTile];
  typename Op::Total totals[kTile];
  Odometer kept(plan, false);
  Odometer reduced(plan, true);
  for (std::int64_t i = 0; i < kept.total(); ++i, kept.next()) {
    for (std::int64_t first = 0; first < columns; first += kTile) {
      const std::int64_t width = std::min(kTile, columns - first);
      const typename Op::Value* base = x + kept.offset() + first;
      std::fill_n(totals, width, static_cast<typename Op::Total>(Op::kStart));
      for (std::int64_t row = 0; row < reduced.total();) {
        std::fill_n(lanes, width, Op::kStart);
        const std::int64_t end = std::min(row + kTileRows, reduced.total());
        for (; row < end; ++row, reduced.next()) {
          const typename Op::Value* from = base + reduced.offset();
          for (std::int64_t c = 0; c < width; ++c) lanes[c] = Op::with(lanes[c], from[c]);
        }
        for (std::int64_t c = 0; c < width; ++c) {
          totals[c] = Op::joined(totals[c], static_cast<typename Op::Total>(lanes[c]));
        }
      }
      Out* to = out + i * columns + first;
      for (std::int64_t c = 0; c < width; ++c) to[c] = finish(totals[c]);
    }
  }
}

template <typename Op, typename Out, typename Finish>
void reduce(const ReducePlan& plan, const Tensor& x, Tensor& out, Finish finish) {
  const auto* from = x.data<typename Op::Value>();
  Out* to = out.data<Out>();
  if (plan.kept_count == 0) return;
  if (plan.reduced_count == 0) {
    std::fill_n(to, plan.kept_count, finish(static_cast<typename Op::Total>(Op::kStart)));
    return;
  }
  const Unlocked unlocked(x.numel(), {&x, &out});
  if (plan.rank == 0 || plan.reduced[plan.rank - 1]) {
    reduce_rows<Op>(plan, from, to, finish);
  } else {
    reduce_columns<Op>(plan, from, to, finish);
  }
}

// Calls f(i, k) with i in x and k in out for each element of x.
template <typename F>
void for_each_element(const ReducePlan& plan, F&& f) {
  for_each_run(plan, [&](std::int64_t from, std::int64_t to, std::int64_t n, std::int64_t step) {
    for (std::int64_t i = 0; i < n; ++i) f(from + i, to + i * step);
  });
}

// NaN is the largest element of what holds it, and equals itself here.
template <typename T>
bool same_value(T a, T b) {
  return a == b || (a != a && b != b);
}

template <typename T>
std::vector<std::int64_t> count_ties(const ReducePlan& plan, const T* x, const T* out) {
  std::vector<std::int64_t> ties(static_cast<std::size_t>(plan.kept_count));
  for_each_element(plan, [&](std::int64_t i, std::int64_t k) {
    ties[static_cast<std::size_t>(k)] += same_value(x[i], out[k]);
  });
  return ties;
}

}  // namespace

void sum(const Tensor& x, Ints axis, bool, Tensor& out) {
  const ReducePlan plan = plan_reduction(x.shape(), reduction_mask(axis));
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Out = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
    reduce<Sum<T>, Out>(plan, x, out, [](auto total) { return static_cast<Out>(total); });
  });
}

void mean(const Tensor& x, Ints axis, bool, Tensor& out) {
  const ReducePlan plan = plan_reduction(x.shape(), reduction_mask(axis));
  const auto count = static_cast<double>(plan.reduced_count);
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Out = std::conditional_t<std::is_integral_v<T>, float, T>;
    reduce<Sum<T>, Out>(plan, x, out, [count](auto total) {
      if constexpr (std::is_integral_v<T>) {
        return static_cast<Out>(static_cast<double>(static_cast<std::int64_t>(total)) / count);
      } else {
        return static_cast<Out>(total / count);
      }
    });
  });
}

// Also where the result has no elements, as NumPy does: then no shape passes by luck.
void check_max(std::string_view op, const Tensor& x, Ints axis, bool) {
  const unsigned mask = reduction_mask(axis);
  for (int i = 0; i < x.rank(); ++i) {
    if (x.size(i) != 0 || (mask >> i & 1U) == 0) [[likely]]
      continue;
    raise(ErrorKind::kArgument, "[", op, "] x: expected at least one element on axis ", i,
          " to take the largest of, got shape ", x.shape(), "; reduce another axis");
  }
}

void max(const Tensor& x, Ints axis, bool, Tensor& out) {
  const ReducePlan plan = plan_reduction(x.shape(), reduction_mask(axis));
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    reduce<Max<T>, Stored<T>>(plan, x, out, [](auto best) { return best; });
  });
}

void check_max_grad(std::string_view op, const Tensor& x, const Tensor& out, const Tensor& out_grad,
                    Ints axis, bool keepdim) {
  infer::expect_axes(op, axis, x.rank());
  infer::expect_shape(op, "out", out, infer::reduced(op, x, axis, keepdim));
  infer::expect_shape(op, "out_grad", out_grad, out.shape());
  infer::expect_alike(op, {Meta({}, x.dtype()), Meta({}, out.dtype())});
}

void max_grad(const Tensor& x, const Tensor& out, const Tensor& out_grad, Ints axis, bool,
              Tensor& x_grad) {
  const ReducePlan plan = plan_reduction(x.shape(), reduction_mask(axis));
  dispatch_float(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = x.data<T>();
    const T* best = out.data<T>();
    const T* grad = out_grad.data<T>();
    T* to = x_grad.data<T>();
    const std::vector<std::int64_t> ties = count_ties(plan, from, best);
    const Unlocked unlocked(x.numel(), {&x, &out, &out_grad, &x_grad});
    for_each_element(plan, [&](std::int64_t i, std::int64_t k) {
      const auto count = static_cast<T>(ties[static_cast<std::size_t>(k)]);
      to[i] = same_value(from[i], best[k]) ? grad[k] / count : T(0);
    });
  });
}

void check_max_pick(std::string_view op, const Tensor& x, const Tensor& out, const Tensor& value,
                    Ints axis, bool keepdim) {
  check_max_grad(op, x, out, out, axis, keepdim);
  infer::expect_shape(op, "value", value, x.shape());
}

void max_pick(const Tensor& x, const Tensor& out, const Tensor& value, Ints axis, bool,
              Tensor& picked) {
  const ReducePlan plan = plan_reduction(x.shape(), reduction_mask(axis));
  dispatch_float(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = x.data<T>();
    const T* best = out.data<T>();
    const T* values = value.data<T>();
    T* to = picked.data<T>();
    const std::vector<std::int64_t> ties = count_ties(plan, from, best);
    std::vector<double> sums(ties.size());
    const Unlocked unlocked(x.numel(), {&x, &out, &value, &picked});
    for_each_element(plan, [&](std::int64_t i, std::int64_t k) {
      if (same_value(from[i], best[k])) sums[static_cast<std::size_t>(k)] += values[i];
    });
    for (std::size_t k = 0; k < sums.size(); ++k)
      to[k] = static_cast<T>(sums[k] / static_cast<double>(ties[k]));
  });
}

void check_sum_to(std::string_view op, const Tensor& x, Ints shape) {
  const int lead = x.rank() - shape.rank();
  bool fine = true;
  for (int i = 0; i < shape.rank(); ++i) {
    const std::int64_t length = i + lead < 0 ? 1 : x.size(i + lead);
    const std::int64_t wanted = shape[static_cast<std::size_t>(i)];
    fine = fine && (wanted == length || wanted == 1);
  }
  if (fine) [[likely]]
    return;
  raise(ErrorKind::kArgument, "[", op, "] shape: expected one that broadcasts to ", x.shape(), ", got ", shape);
}

void sum_to(const Tensor& x, Ints shape, Tensor& out) {
  unsigned mask = 0;
  const int lead = x.rank() - shape.rank();  // below 0: the shape begins with lengths of 1
  for (int i = 0; i < x.rank(); ++i) {
    if (i < lead || shape[static_cast<std::size_t>(i - lead)] != x.size(i)) mask |= 1U << i;
  }
  const ReducePlan plan = plan_reduction(x.shape(), mask);
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    reduce<Sum<T>, Stored<T>>(plan, x, out, [](auto total) {
      if constexpr (std::is_same_v<T, bool>)
        return static_cast<std::uint8_t>(total != 0);
      else
        return static_cast<T>(total);
    });
  });
}

}  // namespace oploom::kernels
