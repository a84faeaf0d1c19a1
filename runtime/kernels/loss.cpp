#include <cmath>
#include <limits>
#include <vector>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/rows.h"

namespace oploom::kernels {
namespace {

// Labels beside x, which is seen as outer * length * inner with length the classes: label r belongs
// to outer block r / inner and column r % inner.
struct Labels {
  Tensor tensor;  // int64, contiguous; keeps values alive
  const std::int64_t* values;
  std::int64_t ignore_index;
  std::int64_t outer;
  std::int64_t length;
  std::int64_t inner;

  std::int64_t size() const { return outer * inner; }
  bool counts(std::int64_t r) const { return values[r] != ignore_index; }
  std::int64_t counted() const {
    std::int64_t count = 0;
    for (std::int64_t r = 0; r < size(); ++r) count += counts(r);
    return count;
  }
  // Where x has the element of class c for label r.
  std::int64_t at(std::int64_t r, std::int64_t c) const {
    return ((r / inner) * length + c) * inner + r % inner;
  }
};

Labels labels_of(const Tensor& label, Ints x_shape, std::int64_t axis, std::int64_t ignore_index) {
  const auto a = static_cast<std::size_t>(axis);
  Tensor read = prepared(label, DType::kInt64);
  const auto* values = read.data<std::int64_t>();
  return {std::move(read),           values,     ignore_index,
          product_of(x_shape, 0, a), x_shape[a], product_of(x_shape, a + 1, x_shape.size())};
}

// The weight of each label: its loss_grad, its share of one loss_grad, or 0 where it is ignored.
template <typename T>
std::vector<T> weights_of(const Labels& labels, const Tensor& loss_grad,
                          std::string_view reduction) {
  const T* grad = loss_grad.data<T>();
  const T share = reduction == "mean" ? static_cast<T>(labels.counted()) : T(1);
  std::vector<T> weights(static_cast<std::size_t>(labels.size()));
  for (std::int64_t r = 0; r < labels.size(); ++r) {
    const T of_label = reduction == "none" ? grad[r] : *grad / share;
    weights[static_cast<std::size_t>(r)] = labels.counts(r) ? of_label : T(0);
  }
  return weights;
}

// One value for each label, as the loss is reduced; counted labels only.
template <typename T>
void reduce_labels(const Labels& labels, const std::vector<double>& values,
                   std::string_view reduction, T* out) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < labels.size(); ++r) {
    const bool counts = labels.counts(r);
    const double value = counts ? values[static_cast<std::size_t>(r)] : 0.0;
    if (reduction == "none") out[r] = static_cast<T>(value);
    sum += value;
    count += counts;
  }
  if (reduction == "sum") *out = static_cast<T>(sum);
  if (reduction == "mean") {
    *out = count > 0 ? static_cast<T>(sum / static_cast<double>(count))
                     : std::numeric_limits<T>::quiet_NaN();
  }
}

// to = from * weight of the label; assigned where the weight is 0, because 0 * NaN is not 0.
template <typename T>
void scale_rows(const Labels& labels, const T* weights, const T* from, T* to) {
  const std::int64_t n = labels.inner;
  if (n == 1) {
    for (std::int64_t r = 0; r < labels.size(); ++r, from += labels.length, to += labels.length) {
      const T w = weights[r];
      if (w == T(0))
        std::fill_n(to, labels.length, T(0));
      else
        for (std::int64_t c = 0; c < labels.length; ++c) to[c] = w * from[c];
    }
    return;
  }
  for (std::int64_t o = 0; o < labels.outer; ++o, weights += n) {
    for (std::int64_t c = 0; c < labels.length; ++c, from += n, to += n) {
      for (std::int64_t i = 0; i < n; ++i) to[i] = weights[i] == T(0) ? T(0) : weights[i] * from[i];
    }
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_label(std::string_view op, const Tensor& label,
                                                         std::int64_t r, const Labels& labels) {
  Dims place = label.shape();
  std::int64_t rest = r;
  for (std::size_t i = place.size(); i-- > 0;) {
    const std::int64_t size = place[i];
    place[i] = rest % size;
    rest /= size;
  }
  raise(ErrorKind::kIndex, "[", op, "] label: expected classes from 0 to ", labels.length - 1,
        " or ignore_index ", labels.ignore_index, ", got ", labels.values[r], " at position ",
        place, "; set ignore_index to skip a label");
}

}  // namespace

void check_cross_entropy(std::string_view op, const Tensor& x, const Tensor& label,
                         std::int64_t axis, std::int64_t ignore_index, std::string_view) {
  if (axis >= x.rank() || label.rank() != x.rank() - 1) return;  // refused with the shapes
  const Labels labels = labels_of(label, x.shape(), axis, ignore_index);
  for (std::int64_t r = 0; r < label.numel(); ++r) {
    const bool in_range = labels.values[r] >= 0 && labels.values[r] < labels.length;
    if (!in_range && labels.counts(r)) [[unlikely]]
      refuse_label(op, label, r, labels);
  }
}

// With m the largest logit, the loss is m - x[label] + log(sum(exp(x - m))), and the sum is 1 over
// the largest probability: no logit overflows, and no logarithm of a probability that became 0 is
// taken.
void cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis,
                   std::int64_t ignore_index, std::string_view reduction, Tensor& probabilities,
                   Tensor& loss) {
  const Labels labels = labels_of(label, x.shape(), axis, ignore_index);
  Tensor largest = empty(label.shape(), x.dtype());
  Tensor likeliest = empty(label.shape(), x.dtype());
  std::vector<double> losses(static_cast<std::size_t>(labels.size()));
  softmax(x, axis, probabilities);
  max(x, {axis}, false, largest);
  max(probabilities, {axis}, false, likeliest);
  dispatch_float(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* logits = x.data<T>();
    const T* m = largest.data<T>();
    const T* p = likeliest.data<T>();
    T* to = loss.data<T>();
    const Unlocked unlocked(labels.size(), {&x, &labels.tensor, &largest, &likeliest, &loss});
    for (std::int64_t r = 0; r < labels.size(); ++r) {
      if (!labels.counts(r)) continue;
      const double gap =
          static_cast<double>(m[r]) - static_cast<double>(logits[labels.at(r, labels.values[r])]);
      losses[static_cast<std::size_t>(r)] = gap - std::log(static_cast<double>(p[r]));
    }
    reduce_labels(labels, losses, reduction, to);
  });
}

void check_cross_entropy_grad(std::string_view op, const Tensor& probabilities, const Tensor& label,
                              const Tensor& loss_grad, std::int64_t axis, std::int64_t ignore_index,
                              std::string_view reduction) {
  infer::expect_axis(op, axis, probabilities.rank());
  infer::expect_shape(op, "loss_grad", loss_grad,
                      infer::cross_entropy_shape(op, probabilities, label, axis, reduction));
  check_cross_entropy(op, probabilities, label, axis, ignore_index, reduction);
}

void cross_entropy_grad(const Tensor& probabilities, const Tensor& label, const Tensor& loss_grad,
                        std::int64_t axis, std::int64_t ignore_index, std::string_view reduction,
                        Tensor& x_grad) {
  const Labels labels = labels_of(label, probabilities.shape(), axis, ignore_index);
  dispatch_float(probabilities.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::vector<T> weights = weights_of<T>(labels, loss_grad, reduction);
    const T* from = probabilities.data<T>();
    T* const to = x_grad.data<T>();
    const Unlocked unlocked(x_grad.numel(), {&probabilities, &labels.tensor, &x_grad});
    scale_rows(labels, weights.data(), from, to);
    for (std::int64_t r = 0; r < labels.size(); ++r) {
      if (labels.counts(r))
        to[labels.at(r, labels.values[r])] -= weights[static_cast<std::size_t>(r)];
    }
  });
}

void check_cross_entropy_weights(std::string_view op, const Tensor& loss_grad, const Tensor& label,
                                 Ints shape, std::int64_t axis, std::int64_t,
                                 std::string_view reduction) {
  infer::expect_axis(op, axis, shape.rank());
  const Meta whole(shape, loss_grad.dtype());
  infer::expect_shape(op, "loss_grad", loss_grad,
                      infer::cross_entropy_shape(op, whole, label, axis, reduction));
}

void cross_entropy_weights(const Tensor& loss_grad, const Tensor& label, Ints shape,
                           std::int64_t axis, std::int64_t ignore_index, std::string_view reduction,
                           Tensor& weights) {
  const Labels labels = labels_of(label, shape, axis, ignore_index);
  dispatch_float(loss_grad.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const std::vector<T> of_label = weights_of<T>(labels, loss_grad, reduction);
    T* to = weights.data<T>();
    for (std::int64_t o = 0; o < labels.outer; ++o) {
      const T* w = of_label.data() + o * labels.inner;
      for (std::int64_t c = 0; c < labels.length; ++c) to = std::copy_n(w, labels.inner, to);
    }
  });
}

void check_cross_entropy_reduce(std::string_view op, const Tensor& x, const Tensor& label,
                                std::int64_t axis, std::int64_t, std::string_view reduction) {
  infer::expect_axis(op, axis, x.rank());
  infer::cross_entropy_shape(op, x, label, axis, reduction);  // refuses what does not fit
}

void cross_entropy_reduce(const Tensor& x, const Tensor& label, std::int64_t axis,
                          std::int64_t ignore_index, std::string_view reduction, Tensor& out) {
  const Labels labels = labels_of(label, x.shape(), axis, ignore_index);
  dispatch_float(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::vector<double> sums(static_cast<std::size_t>(labels.size()));
    const T* from = x.data<T>();
    for (std::int64_t o = 0; o < labels.outer; ++o) {
      double* s = sums.data() + o * labels.inner;
      for (std::int64_t c = 0; c < labels.length; ++c, from += labels.inner) {
        for (std::int64_t n = 0; n < labels.inner; ++n) s[n] += static_cast<double>(from[n]);
      }
    }
    reduce_labels(labels, sums, reduction, out.data<T>());
    // The adjoint of weights that are 0 for all labels.
    if (reduction == "mean" && labels.counted() == 0) *out.data<T>() = T(0);
  });
}

}  // namespace oploom::kernels
