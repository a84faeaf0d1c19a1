// Generated from ops/loss.yaml by `make generate`. Do not edit.

#include <string>
#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- cross_entropy --------------------------------------------------------------- ops/loss.yaml:3
namespace {
struct CrossEntropyNode final : NodeOf<CrossEntropyNode, 1, 2> {
  Saved label, probabilities;
  std::int64_t axis;
  std::int64_t ignore_index;
  std::string reduction;
  CrossEntropyNode() : NodeOf(op_info::cross_entropy) {}
  void verify() const override {
    if (needs(0)) label.verify(*this);
    if (needs(0)) probabilities.verify(*this);
  }
  void backward() override {
    const Tensor& probabilities_grad = grad(0);
    const Tensor& loss_grad = grad(1);
    if (needs(0)) {
      Tensor gradient;
      if (loss_grad.defined()) {
        gradient = imperative_cross_entropy_grad(probabilities.get(*this), label.get(*this),
                                                 loss_grad, axis, ignore_index, reduction);
      }
      if (probabilities_grad.defined()) {
        const Tensor term =
            imperative_softmax_grad(probabilities.get(*this), probabilities_grad, axis);
        gradient = gradient.defined() ? imperative_add(gradient, term) : term;
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override {
    label.release();
    probabilities.release();
  }
};
}  // namespace

Tensor imperative_cross_entropy(const Tensor& x, const Tensor& label, std::int64_t axis_in,
                                std::int64_t ignore_index, std::string_view reduction) {
  TraceCall trace(op_info::cross_entropy);
  const std::int64_t axis = infer::axis("cross_entropy", axis_in, x.rank());
  infer::expect_float("cross_entropy", "x", x);
  infer::expect_integer("cross_entropy", "label", label);
  infer::choice("cross_entropy", "reduction", reduction, {"none", "sum", "mean"});
  kernels::check_cross_entropy("cross_entropy", x, label, axis, ignore_index, reduction);
  Tensor probabilities = empty_like(x, x.dtype());
  Tensor loss =
      empty(infer::cross_entropy_shape("cross_entropy", x, label, axis, reduction), x.dtype());
  kernels::cross_entropy(contiguous(x), contiguous(label), axis, ignore_index, reduction,
                         probabilities, loss);
  if (recording(x)) {
    auto* node = new CrossEntropyNode;
    set_history(probabilities, Ref<Node>::adopt(node));
    set_history(loss, Ref<Node>::share(node), 1);
    node->connect(0, x);
    node->axis = axis;
    node->ignore_index = ignore_index;
    node->reduction = reduction;
    node->label.input(label);
    node->probabilities.output(probabilities);
  }
  if (trace) {
    trace.done({{"x", x}, {"label", label}}, {{"loss", loss}},
               attributes_text("axis", axis, "ignore_index", ignore_index, "reduction", reduction));
  }
  return loss;
}

// --- cross_entropy_grad --------------------------------------------------------- ops/loss.yaml:25
namespace {
struct CrossEntropyGradNode final : NodeOf<CrossEntropyGradNode, 2> {
  Saved probabilities, label, loss_grad;
  Like probabilities_like, loss_grad_like;
  Dims label_shape;
  DType probabilities_dtype;
  Dims probabilities_shape;
  std::int64_t axis;
  std::int64_t ignore_index;
  std::string reduction;
  CrossEntropyGradNode() : NodeOf(op_info::cross_entropy_grad) {}
  void verify() const override {
    if (needs(1)) probabilities.verify(*this);
    if (needs(0) || needs(1)) label.verify(*this);
    if (needs(0)) loss_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_multiply(
          x_grad_grad,
          imperative_cross_entropy_weights(loss_grad.get(*this), label.get(*this),
                                           probabilities_shape, axis, ignore_index, reduction));
      give(0, probabilities_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      const Tensor label_value = label.get(*this);
      Tensor gradient = imperative_cross_entropy_reduce(
          imperative_multiply(x_grad_grad,
                              imperative_cross_entropy_grad(probabilities.get(*this), label_value,
                                                            imperative_ones(label_shape,
                                                                            probabilities_dtype),
                                                            axis, ignore_index, "none")),
          label_value, axis, ignore_index, reduction);
      give(1, loss_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    probabilities.release();
    label.release();
    loss_grad.release();
  }
};
}  // namespace

Tensor imperative_cross_entropy_grad(const Tensor& probabilities, const Tensor& label,
                                     const Tensor& loss_grad, std::int64_t axis,
                                     std::int64_t ignore_index, std::string_view reduction) {
  TraceCall trace(op_info::cross_entropy_grad);
  Tensor x_grad = empty_like(probabilities, probabilities.dtype());
  kernels::cross_entropy_grad(contiguous(probabilities), contiguous(label),
                              prepared(loss_grad, probabilities.dtype()), axis, ignore_index,
                              reduction, x_grad);
  if (is_float(x_grad.dtype()) && recording(probabilities, loss_grad)) {
    auto* node = new CrossEntropyGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, probabilities);
    node->connect(1, loss_grad);
    node->probabilities_like.set(probabilities);
    node->loss_grad_like.set(loss_grad);
    node->label_shape = label.shape();
    node->probabilities_dtype = probabilities.dtype();
    node->probabilities_shape = probabilities.shape();
    node->axis = axis;
    node->ignore_index = ignore_index;
    node->reduction = reduction;
    if (node->connected(1)) node->probabilities.input(probabilities);
    node->label.input(label);
    if (node->connected(0)) node->loss_grad.input(loss_grad);
  }
  if (trace) {
    trace.done({{"probabilities", probabilities}, {"label", label}, {"loss_grad", loss_grad}},
               {{"x_grad", x_grad}},
               attributes_text("axis", axis, "ignore_index", ignore_index, "reduction", reduction));
  }
  return x_grad;
}

// --- cross_entropy_weights ------------------------------------------------------ ops/loss.yaml:50
namespace {
struct CrossEntropyWeightsNode final : NodeOf<CrossEntropyWeightsNode, 1> {
  Saved label;
  Like loss_grad_like;
  std::int64_t axis;
  std::int64_t ignore_index;
  std::string reduction;
  CrossEntropyWeightsNode() : NodeOf(op_info::cross_entropy_weights) {}
  void verify() const override {
    if (needs(0)) label.verify(*this);
  }
  void backward() override {
    const Tensor& weights_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_cross_entropy_reduce(weights_grad, label.get(*this), axis,
                                                        ignore_index, reduction);
      give(0, loss_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override { label.release(); }
};
}  // namespace

Tensor imperative_cross_entropy_weights(const Tensor& loss_grad, const Tensor& label, Ints shape,
                                        std::int64_t axis, std::int64_t ignore_index,
                                        std::string_view reduction) {
  TraceCall trace(op_info::cross_entropy_weights);
  Tensor weights = empty(shape, loss_grad.dtype());
  kernels::cross_entropy_weights(contiguous(loss_grad), contiguous(label), shape, axis,
                                 ignore_index, reduction, weights);
  if (recording(loss_grad)) {
    auto* node = new CrossEntropyWeightsNode;
    set_history(weights, Ref<Node>::adopt(node));
    node->connect(0, loss_grad);
    node->loss_grad_like.set(loss_grad);
    node->axis = axis;
    node->ignore_index = ignore_index;
    node->reduction = reduction;
    node->label.input(label);
  }
  if (trace) {
    trace.done({{"loss_grad", loss_grad}, {"label", label}}, {{"weights", weights}},
               attributes_text("shape", shape, "axis", axis, "ignore_index", ignore_index,
                               "reduction", reduction));
  }
  return weights;
}

// --- cross_entropy_reduce ------------------------------------------------------- ops/loss.yaml:67
namespace {
struct CrossEntropyReduceNode final : NodeOf<CrossEntropyReduceNode, 1> {
  Saved label;
  Dims x_shape;
  std::int64_t axis;
  std::int64_t ignore_index;
  std::string reduction;
  CrossEntropyReduceNode() : NodeOf(op_info::cross_entropy_reduce) {}
  void verify() const override {
    if (needs(0)) label.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_cross_entropy_weights(out_grad, label.get(*this), x_shape, axis,
                                                         ignore_index, reduction);
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { label.release(); }
};
}  // namespace

Tensor imperative_cross_entropy_reduce(const Tensor& x, const Tensor& label, std::int64_t axis,
                                       std::int64_t ignore_index, std::string_view reduction) {
  TraceCall trace(op_info::cross_entropy_reduce);
  Tensor out = empty(infer::cross_entropy_shape("cross_entropy_reduce", x, label, axis, reduction),
                     x.dtype());
  kernels::cross_entropy_reduce(contiguous(x), contiguous(label), axis, ignore_index, reduction,
                                out);
  if (recording(x)) {
    auto* node = new CrossEntropyReduceNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->axis = axis;
    node->ignore_index = ignore_index;
    node->reduction = reduction;
    node->label.input(label);
  }
  if (trace) {
    trace.done({{"x", x}, {"label", label}}, {{"out", out}},
               attributes_text("axis", axis, "ignore_index", ignore_index, "reduction", reduction));
  }
  return out;
}

}  // namespace oploom
