// Generated from ops/activation.yaml by `make generate`. Do not edit.

#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- relu ------------------------------------------------------------------ ops/activation.yaml:3
namespace {
struct ReluNode final : NodeOf<ReluNode, 1> {
  Saved out;
  ReluNode() : NodeOf(op_info::relu) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient, [&](Tensor& result) { kernels::relu_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_relu_grad(out.get(*this), gradient);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_relu(const Tensor& x) {
  TraceCall trace(op_info::relu);
  infer::expect_number("relu", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::relu(x, out);
  if (recording(x)) {
    auto* node = new ReluNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_relu_(Tensor& x) {
  TraceCall trace(op_info::relu_);
  InplaceTarget target(op_info::relu_, "x", x);
  infer::expect_number("relu_", "x", x);
  Ref<ReluNode> node;
  if (recording(x)) {
    node = Ref<ReluNode>::adopt(new ReluNode);
    node->connect(0, x);
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::relu(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- relu_grad ------------------------------------------------------------ ops/activation.yaml:11
namespace {
struct ReluGradNode final : NodeOf<ReluGradNode, 1> {
  Saved out;
  ReluGradNode() : NodeOf(op_info::relu_grad) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient, [&](Tensor& result) { kernels::relu_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_relu_grad(out.get(*this), gradient);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_relu_grad(const Tensor& out, const Tensor& out_grad) {
  TraceCall trace(op_info::relu_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::relu_grad(out, out_grad, x_grad);
  if (recording(out_grad)) {
    auto* node = new ReluGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out.input(out);
  }
  if (trace) trace.done({{"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- tanh ----------------------------------------------------------------- ops/activation.yaml:22
namespace {
struct TanhNode final : NodeOf<TanhNode, 1> {
  Saved out;
  TanhNode() : NodeOf(op_info::tanh) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient, [&](Tensor& result) { kernels::tanh_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_tanh_grad(out.get(*this), gradient);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_tanh(const Tensor& x) {
  TraceCall trace(op_info::tanh);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::tanh(x, out);
  if (recording(x)) {
    auto* node = new TanhNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_tanh_(Tensor& x) {
  TraceCall trace(op_info::tanh_);
  InplaceTarget target(op_info::tanh_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<TanhNode> node;
  if (recording(x)) {
    node = Ref<TanhNode>::adopt(new TanhNode);
    node->connect(0, x);
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::tanh(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- tanh_grad ------------------------------------------------------------ ops/activation.yaml:31
namespace {
struct TanhGradNode final : NodeOf<TanhGradNode, 2> {
  Saved out, out_grad;
  Like out_like;
  TanhGradNode() : NodeOf(op_info::tanh_grad) {}
  void verify() const override {
    if (needs(0) || needs(1)) out.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_scale(imperative_multiply(imperative_multiply(
                                                                 x_grad_grad, out_grad.get(*this)),
                                                             out.get(*this)),
                                         -2);
      give(0, out_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient, [&](Tensor& result) { kernels::tanh_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_tanh_grad(out.get(*this), gradient);
      }
      give(1, std::move(gradient));
    }
  }
  void release() noexcept override {
    out.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_tanh_grad(const Tensor& out, const Tensor& out_grad) {
  TraceCall trace(op_info::tanh_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::tanh_grad(out, out_grad, x_grad);
  if (is_float(x_grad.dtype()) && recording(out, out_grad)) {
    auto* node = new TanhGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out);
    node->connect(1, out_grad);
    node->out_like.set(out);
    node->out.input(out);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) trace.done({{"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- sigmoid -------------------------------------------------------------- ops/activation.yaml:42
namespace {
struct SigmoidNode final : NodeOf<SigmoidNode, 1> {
  Saved out;
  SigmoidNode() : NodeOf(op_info::sigmoid) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::sigmoid_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_sigmoid_grad(out.get(*this), gradient);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_sigmoid(const Tensor& x) {
  TraceCall trace(op_info::sigmoid);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::sigmoid(x, out);
  if (recording(x)) {
    auto* node = new SigmoidNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_sigmoid_(Tensor& x) {
  TraceCall trace(op_info::sigmoid_);
  InplaceTarget target(op_info::sigmoid_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<SigmoidNode> node;
  if (recording(x)) {
    node = Ref<SigmoidNode>::adopt(new SigmoidNode);
    node->connect(0, x);
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::sigmoid(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- sigmoid_grad --------------------------------------------------------- ops/activation.yaml:51
namespace {
struct SigmoidGradNode final : NodeOf<SigmoidGradNode, 2> {
  Saved out, out_grad;
  Like out_like;
  SigmoidGradNode() : NodeOf(op_info::sigmoid_grad) {}
  void verify() const override {
    if (needs(0) || needs(1)) out.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_multiply(imperative_multiply(x_grad_grad, out_grad.get(*this)),
                                            imperative_subtract(
                                                1, imperative_multiply(out.get(*this), 2)));
      give(0, out_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::sigmoid_grad(out_value, gradient, result); });
      } else {
        gradient = imperative_sigmoid_grad(out.get(*this), gradient);
      }
      give(1, std::move(gradient));
    }
  }
  void release() noexcept override {
    out.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_sigmoid_grad(const Tensor& out, const Tensor& out_grad) {
  TraceCall trace(op_info::sigmoid_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::sigmoid_grad(out, out_grad, x_grad);
  if (is_float(x_grad.dtype()) && recording(out, out_grad)) {
    auto* node = new SigmoidGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out);
    node->connect(1, out_grad);
    node->out_like.set(out);
    node->out.input(out);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) trace.done({{"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- leaky_relu ----------------------------------------------------------- ops/activation.yaml:62
namespace {
struct LeakyReluNode final : NodeOf<LeakyReluNode, 1> {
  Saved x;
  double negative_slope;
  LeakyReluNode() : NodeOf(op_info::leaky_relu) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::leaky_relu_grad(x_value, gradient, negative_slope,
                                                               result); });
      } else {
        gradient = imperative_leaky_relu_grad(x.get(*this), gradient, negative_slope);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
struct LeakyReluInplaceNode final : NodeOf<LeakyReluInplaceNode, 1> {
  Saved x, out;
  double negative_slope;
  LeakyReluInplaceNode() : NodeOf(op_info::leaky_relu) {}
  void verify() const override {
    if (needs(0) && !(negative_slope >= 0)) x.verify(*this);
    if (needs(0) && negative_slope >= 0) out.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = negative_slope >= 0
                            ? imperative_leaky_relu_grad(out.get(*this), out_grad, negative_slope)
                            : imperative_leaky_relu_grad(x.get(*this), out_grad, negative_slope);
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override {
    x.release();
    out.release();
  }
};
}  // namespace

Tensor imperative_leaky_relu(const Tensor& x, double negative_slope) {
  TraceCall trace(op_info::leaky_relu);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::leaky_relu(x, negative_slope, out);
  if (recording(x)) {
    auto* node = new LeakyReluNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->negative_slope = negative_slope;
    node->x.input(x);
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}}, attributes_text("negative_slope", negative_slope));
  }
  return out;
}

Tensor& imperative_leaky_relu_(Tensor& x, double negative_slope) {
  TraceCall trace(op_info::leaky_relu_);
  InplaceTarget target(op_info::leaky_relu_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<LeakyReluInplaceNode> node;
  if (recording(x)) {
    node = Ref<LeakyReluInplaceNode>::adopt(new LeakyReluInplaceNode);
    node->connect(0, x);
    node->negative_slope = negative_slope;
    if (!(negative_slope >= 0)) target.keep(node->x, x);
    if (negative_slope >= 0) target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::leaky_relu(x, negative_slope, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}}, attributes_text("negative_slope", negative_slope),
               "x -> out");
  }
  return x;
}

// --- leaky_relu_grad ------------------------------------------------------ ops/activation.yaml:75
namespace {
struct LeakyReluGradNode final : NodeOf<LeakyReluGradNode, 1> {
  Saved x;
  double negative_slope;
  LeakyReluGradNode() : NodeOf(op_info::leaky_relu_grad) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::leaky_relu_grad(x_value, gradient, negative_slope,
                                                               result); });
      } else {
        gradient = imperative_leaky_relu_grad(x.get(*this), gradient, negative_slope);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_leaky_relu_grad(const Tensor& x, const Tensor& out_grad, double negative_slope) {
  TraceCall trace(op_info::leaky_relu_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::leaky_relu_grad(x, out_grad, negative_slope, x_grad);
  if (recording(out_grad)) {
    auto* node = new LeakyReluGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->negative_slope = negative_slope;
    node->x.input(x);
  }
  if (trace) {
    trace.done({{"x", x}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("negative_slope", negative_slope));
  }
  return x_grad;
}

// --- elu ------------------------------------------------------------------ ops/activation.yaml:87
namespace {
struct EluNode final : NodeOf<EluNode, 1> {
  Saved x;
  double alpha;
  EluNode() : NodeOf(op_info::elu) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::elu_grad(x_value, gradient, alpha, result); });
      } else {
        gradient = imperative_elu_grad(x.get(*this), gradient, alpha);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
struct EluInplaceNode final : NodeOf<EluInplaceNode, 1> {
  Saved x, out;
  double alpha;
  EluInplaceNode() : NodeOf(op_info::elu) {}
  void verify() const override {
    if (needs(0) && !(alpha >= 0)) x.verify(*this);
    if (needs(0) && alpha >= 0) out.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = alpha >= 0
                            ? imperative_elu_out_grad(out.get(*this), out_grad, alpha)
                            : imperative_elu_grad(x.get(*this), out_grad, alpha);
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override {
    x.release();
    out.release();
  }
};
}  // namespace

Tensor imperative_elu(const Tensor& x, double alpha) {
  TraceCall trace(op_info::elu);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::elu(x, alpha, out);
  if (recording(x)) {
    auto* node = new EluNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->alpha = alpha;
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("alpha", alpha));
  return out;
}

Tensor& imperative_elu_(Tensor& x, double alpha) {
  TraceCall trace(op_info::elu_);
  InplaceTarget target(op_info::elu_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<EluInplaceNode> node;
  if (recording(x)) {
    node = Ref<EluInplaceNode>::adopt(new EluInplaceNode);
    node->connect(0, x);
    node->alpha = alpha;
    if (!(alpha >= 0)) target.keep(node->x, x);
    if (alpha >= 0) target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::elu(x, alpha, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("alpha", alpha), "x -> out");
  return x;
}

// --- elu_grad ------------------------------------------------------------ ops/activation.yaml:100
namespace {
struct EluGradNode final : NodeOf<EluGradNode, 2> {
  Saved x, out_grad;
  Like x_like;
  double alpha;
  EluGradNode() : NodeOf(op_info::elu_grad) {}
  void verify() const override {
    if (needs(0) || needs(1)) x.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_elu_curvature(
          x.get(*this), imperative_multiply(x_grad_grad, out_grad.get(*this)), alpha);
      give(0, x_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::elu_grad(x_value, gradient, alpha, result); });
      } else {
        gradient = imperative_elu_grad(x.get(*this), gradient, alpha);
      }
      give(1, std::move(gradient));
    }
  }
  void release() noexcept override {
    x.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_elu_grad(const Tensor& x, const Tensor& out_grad, double alpha) {
  TraceCall trace(op_info::elu_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::elu_grad(x, out_grad, alpha, x_grad);
  if (is_float(x_grad.dtype()) && recording(x, out_grad)) {
    auto* node = new EluGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, out_grad);
    node->x_like.set(x);
    node->alpha = alpha;
    node->x.input(x);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) {
    trace.done({{"x", x}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("alpha", alpha));
  }
  return x_grad;
}

// --- elu_curvature ------------------------------------------------------- ops/activation.yaml:112
namespace {
struct EluCurvatureNode final : NodeOf<EluCurvatureNode, 2> {
  Saved x, out_grad;
  Like x_like;
  double alpha;
  EluCurvatureNode() : NodeOf(op_info::elu_curvature) {}
  void verify() const override {
    if (needs(0) || needs(1)) x.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_elu_curvature(
          x.get(*this), imperative_multiply(x_grad_grad, out_grad.get(*this)), alpha);
      give(0, x_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::elu_curvature(x_value, gradient, alpha, result); });
      } else {
        gradient = imperative_elu_curvature(x.get(*this), gradient, alpha);
      }
      give(1, std::move(gradient));
    }
  }
  void release() noexcept override {
    x.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_elu_curvature(const Tensor& x, const Tensor& out_grad, double alpha) {
  TraceCall trace(op_info::elu_curvature);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::elu_curvature(x, out_grad, alpha, x_grad);
  if (is_float(x_grad.dtype()) && recording(x, out_grad)) {
    auto* node = new EluCurvatureNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, out_grad);
    node->x_like.set(x);
    node->alpha = alpha;
    node->x.input(x);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) {
    trace.done({{"x", x}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("alpha", alpha));
  }
  return x_grad;
}

// --- elu_out_grad -------------------------------------------------------- ops/activation.yaml:124
namespace {
struct EluOutGradNode final : NodeOf<EluOutGradNode, 2> {
  Saved out, out_grad;
  Like out_like;
  double alpha;
  EluOutGradNode() : NodeOf(op_info::elu_out_grad) {}
  void verify() const override {
    if (needs(0) || needs(1)) out.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_where(imperative_greater_than(out.get(*this), 0), 0,
                                         imperative_multiply(x_grad_grad, out_grad.get(*this)));
      give(0, out_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent out_value(out, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::elu_out_grad(out_value, gradient, alpha, result); });
      } else {
        gradient = imperative_elu_out_grad(out.get(*this), gradient, alpha);
      }
      give(1, std::move(gradient));
    }
  }
  void release() noexcept override {
    out.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_elu_out_grad(const Tensor& out, const Tensor& out_grad, double alpha) {
  TraceCall trace(op_info::elu_out_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::elu_out_grad(out, out_grad, alpha, x_grad);
  if (is_float(x_grad.dtype()) && recording(out, out_grad)) {
    auto* node = new EluOutGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out);
    node->connect(1, out_grad);
    node->out_like.set(out);
    node->alpha = alpha;
    node->out.input(out);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) {
    trace.done({{"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("alpha", alpha));
  }
  return x_grad;
}

// --- softmax ------------------------------------------------------------- ops/activation.yaml:138
namespace {
struct SoftmaxNode final : NodeOf<SoftmaxNode, 1> {
  Saved out;
  std::int64_t axis;
  SoftmaxNode() : NodeOf(op_info::softmax) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_softmax_grad(out.get(*this), out_grad, axis));
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_softmax(const Tensor& x, std::int64_t axis_in) {
  TraceCall trace(op_info::softmax);
  const std::int64_t axis = infer::axis("softmax", axis_in, x.rank());
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::softmax(prepared(x, infer::float_of(x)), axis, out);
  if (recording(x)) {
    auto* node = new SoftmaxNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->axis = axis;
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis));
  return out;
}

Tensor& imperative_softmax_(Tensor& x, std::int64_t axis_in) {
  TraceCall trace(op_info::softmax_);
  const std::int64_t axis = infer::axis("softmax_", axis_in, x.rank());
  InplaceTarget target(op_info::softmax_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  const Tensor x_read = prepared(x, infer::float_of(x));
  Tensor& result = target.contiguous_target(x);
  Ref<SoftmaxNode> node;
  if (recording(x)) {
    node = Ref<SoftmaxNode>::adopt(new SoftmaxNode);
    node->connect(0, x);
    node->axis = axis;
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::softmax(x_read, axis, result);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("axis", axis), "x -> out");
  return x;
}

// --- softmax_grad -------------------------------------------------------- ops/activation.yaml:148
namespace {
struct SoftmaxGradNode final : NodeOf<SoftmaxGradNode, 2> {
  Saved out, out_grad;
  Like out_like, out_grad_like;
  std::int64_t axis;
  SoftmaxGradNode() : NodeOf(op_info::softmax_grad) {}
  void verify() const override {
    if (needs(0) || needs(1)) out.verify(*this);
    if (needs(0)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      const Tensor out_value = out.get(*this);
      const Tensor out_grad_value = out_grad.get(*this);
      Tensor gradient = imperative_subtract(
          imperative_multiply(x_grad_grad,
                              imperative_subtract(out_grad_value,
                                                  imperative_sum(imperative_multiply(
                                                                     out_value, out_grad_value),
                                                                 {axis}, true))),
          imperative_multiply(out_grad_value,
                              imperative_sum(imperative_multiply(out_value, x_grad_grad), {axis},
                                             true)));
      give(0, out_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      give(1, out_grad_like.bring(imperative_softmax_grad(out.get(*this), x_grad_grad, axis)));
    }
  }
  void release() noexcept override {
    out.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_softmax_grad(const Tensor& out, const Tensor& out_grad, std::int64_t axis_in) {
  TraceCall trace(op_info::softmax_grad);
  const std::int64_t axis = infer::axis("softmax_grad", axis_in, out.rank());
  Tensor x_grad = empty_like(out, out.dtype());
  kernels::softmax_grad(contiguous(out), prepared(out_grad, out.dtype()), axis, x_grad);
  if (is_float(x_grad.dtype()) && recording(out, out_grad)) {
    auto* node = new SoftmaxGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out);
    node->connect(1, out_grad);
    node->out_like.set(out);
    node->out_grad_like.set(out_grad);
    node->axis = axis;
    node->out.input(out);
    if (node->connected(0)) node->out_grad.input(out_grad);
  }
  if (trace) {
    trace.done({{"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("axis", axis));
  }
  return x_grad;
}

}  // namespace oploom
