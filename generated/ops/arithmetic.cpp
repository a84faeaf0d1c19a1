// Generated from ops/arithmetic.yaml by `make generate`. Do not edit.

#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/core/joined.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- add ------------------------------------------------------------------- ops/arithmetic.yaml:3
namespace {
struct AddNode final : NodeOf<AddNode, 2> {
  Like x_like, y_like;
  AddNode() : NodeOf(op_info::add) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(out_grad));
    if (needs(1)) give(1, y_like.bring(out_grad));
  }
};
}  // namespace

Tensor imperative_add(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::add);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty_promoted("add", x, y);
  kernels::add(x, y, out);
  if (recording(x, y)) {
    auto* node = new AddNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_add_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::add_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::add_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("add_", x, y), infer::promoted(x, y));
  const Tensor& y_read = target.before(y, true);
  Ref<AddNode> node;
  if (recording(x, y)) {
    node = Ref<AddNode>::adopt(new AddNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
  }
  target.prepare(std::move(node));
  kernels::add(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- subtract ------------------------------------------------------------- ops/arithmetic.yaml:16
namespace {
struct SubtractNode final : NodeOf<SubtractNode, 2> {
  Like x_like, y_like;
  SubtractNode() : NodeOf(op_info::subtract) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(out_grad));
    if (needs(1)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_negative_(gradient);
      else gradient = imperative_negative(gradient);
      give(1, y_like.bring(std::move(gradient)));
    }
  }
};
}  // namespace

Tensor imperative_subtract(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::subtract);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  kernels::check_subtract("subtract", x, y);
  Tensor out = empty_promoted("subtract", x, y);
  kernels::subtract(x, y, out);
  if (recording(x, y)) {
    auto* node = new SubtractNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_subtract_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::subtract_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::subtract_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("subtract_", x, y), infer::promoted(x, y));
  kernels::check_subtract("subtract_", x, y);
  const Tensor& y_read = target.before(y, true);
  Ref<SubtractNode> node;
  if (recording(x, y)) {
    node = Ref<SubtractNode>::adopt(new SubtractNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
  }
  target.prepare(std::move(node));
  kernels::subtract(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- multiply ------------------------------------------------------------- ops/arithmetic.yaml:29
namespace {
struct MultiplyNode final : NodeOf<MultiplyNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  MultiplyNode() : NodeOf(op_info::multiply) {}
  void verify() const override {
    if (needs(1)) x.verify(*this);
    if (needs(0)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) give(1, y_like.bring(imperative_multiply(out_grad, x.get(*this))));
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_multiply_(gradient, y.get(*this));
      else gradient = imperative_multiply(gradient, y.get(*this));
      give(0, x_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_multiply(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::multiply);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty_promoted("multiply", x, y);
  kernels::multiply(x, y, out);
  if (recording(x, y)) {
    auto* node = new MultiplyNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
    if (node->connected(1)) node->x.input(x);
    if (node->connected(0)) node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_multiply_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::multiply_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::multiply_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("multiply_", x, y), infer::promoted(x, y));
  const Tensor& y_read = target.before(y, true);
  Ref<MultiplyNode> node;
  if (recording(x, y)) {
    node = Ref<MultiplyNode>::adopt(new MultiplyNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
    if (node->connected(1)) target.keep(node->x, x);
    if (node->connected(0)) target.keep(node->y, y);
  }
  target.prepare(std::move(node));
  kernels::multiply(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- divide --------------------------------------------------------------- ops/arithmetic.yaml:41
namespace {
struct DivideNode final : NodeOf<DivideNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  DivideNode() : NodeOf(op_info::divide) {}
  void verify() const override {
    if (needs(1)) x.verify(*this);
    if (needs(0) || needs(1)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) {
      const Tensor y_value = y.get(*this);
      Tensor gradient = imperative_divide(imperative_multiply(imperative_negative(out_grad),
                                                              imperative_divide(
                                                                  x.get(*this), y_value)),
                                          y_value);
      give(1, y_like.bring(std::move(gradient)));
    }
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_divide_(gradient, y.get(*this));
      else gradient = imperative_divide(gradient, y.get(*this));
      give(0, x_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_divide(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::divide);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty_float_promoted("divide", x, y);
  kernels::divide(x, y, out);
  if (recording(x, y)) {
    auto* node = new DivideNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y);
    if (node->connected(1)) node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_divide_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::divide_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::divide_, "x", x);
  if (!infer::keeps_float(x, y)) {
    target.fits(infer::broadcast("divide_", x, y), infer::float_promoted(x, y));
  }
  const Tensor& y_read = target.before(y, true);
  Ref<DivideNode> node;
  if (recording(x, y)) {
    node = Ref<DivideNode>::adopt(new DivideNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y);
    if (node->connected(1)) target.keep(node->x, x);
    target.keep(node->y, y);
  }
  target.prepare(std::move(node));
  kernels::divide(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- pow ------------------------------------------------------------------ ops/arithmetic.yaml:53
namespace {
struct PowNode final : NodeOf<PowNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  PowNode() : NodeOf(op_info::pow) {}
  void verify() const override {
    if (needs(0) || needs(1)) x.verify(*this);
    if (needs(0) || needs(1)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(imperative_pow_grad(x.get(*this), y.get(*this), out_grad)));
    if (needs(1)) {
      give(1, y_like.bring(imperative_pow_exponent_grad(x.get(*this), y.get(*this), out_grad)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_pow(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::pow);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  kernels::check_pow("pow", x, y);
  Tensor out = empty_promoted("pow", x, y);
  kernels::pow(x, y, out);
  if (recording(x, y)) {
    auto* node = new PowNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
    node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_pow_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::pow_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::pow_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("pow_", x, y), infer::promoted(x, y));
  kernels::check_pow("pow_", x, y);
  const Tensor& y_read = target.before(y, true);
  Ref<PowNode> node;
  if (recording(x, y)) {
    node = Ref<PowNode>::adopt(new PowNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
    target.keep(node->x, x);
    target.keep(node->y, y);
  }
  target.prepare(std::move(node));
  kernels::pow(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- pow_grad ------------------------------------------------------------- ops/arithmetic.yaml:66
namespace {
struct PowGradNode final : NodeOf<PowGradNode, 3> {
  Saved x, y, out_grad;
  Like x_like, y_like, out_grad_like;
  PowGradNode() : NodeOf(op_info::pow_grad) {}
  void verify() const override {
    if (needs(0) || needs(1) || needs(2)) x.verify(*this);
    if (needs(0) || needs(1) || needs(2)) y.verify(*this);
    if (needs(0) || needs(1)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      const Tensor y_value = y.get(*this);
      Tensor gradient = imperative_pow_grad(
          x.get(*this), imperative_subtract(y_value, 1),
          imperative_multiply(imperative_multiply(x_grad_grad, out_grad.get(*this)), y_value));
      give(0, x_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      const Tensor out_grad_value = out_grad.get(*this);
      const Tensor x_value = x.get(*this);
      const Tensor y_value = y.get(*this);
      Tensor gradient = imperative_add(
          imperative_multiply(imperative_multiply(x_grad_grad, out_grad_value),
                              imperative_pow(x_value, imperative_subtract(y_value, 1))),
          imperative_pow_exponent_grad(
              x_value, imperative_subtract(y_value, 1),
              imperative_multiply(imperative_multiply(x_grad_grad, out_grad_value), y_value)));
      give(1, y_like.bring(std::move(gradient)));
    }
    if (needs(2)) {
      Tensor gradient = imperative_pow_grad(x.get(*this), y.get(*this), x_grad_grad);
      give(2, out_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_pow_grad(const Operand& x_in, const Operand& y_in, const Operand& out_grad_in) {
  TraceCall trace(op_info::pow_grad);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  const Tensor& out_grad = out_grad_in;
  Tensor x_grad =
      empty(infer::broadcast("pow_grad", x, y, out_grad), infer::promoted(x, y, out_grad));
  kernels::pow_grad(x, y, out_grad, x_grad);
  if (recording(x, y, out_grad)) {
    auto* node = new PowGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->connect(2, out_grad);
    node->x_like.set(x, x_grad.shape(), x_grad.dtype());
    node->y_like.set(y);
    node->out_grad_like.set(out_grad, x_grad.shape(), x_grad.dtype());
    node->x.input(x);
    node->y.input(y);
    if (node->connected(0) || node->connected(1)) node->out_grad.input(out_grad);
  }
  if (trace) trace.done({{"x", x}, {"y", y}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- pow_exponent_grad ---------------------------------------------------- ops/arithmetic.yaml:80
namespace {
struct PowExponentGradNode final : NodeOf<PowExponentGradNode, 3> {
  Saved x, y, out_grad;
  Like x_like, y_like, out_grad_like;
  PowExponentGradNode() : NodeOf(op_info::pow_exponent_grad) {}
  void verify() const override {
    if (needs(0) || needs(1) || needs(2)) x.verify(*this);
    if (needs(0) || needs(1) || needs(2)) y.verify(*this);
    if (needs(0) || needs(1)) out_grad.verify(*this);
  }
  void backward() override {
    const Tensor& y_grad_grad = grad(0);
    if (needs(0)) {
      const Tensor out_grad_value = out_grad.get(*this);
      const Tensor x_value = x.get(*this);
      const Tensor y_value = y.get(*this);
      Tensor gradient = imperative_add(
          imperative_multiply(imperative_multiply(y_grad_grad, out_grad_value),
                              imperative_pow(x_value, imperative_subtract(y_value, 1))),
          imperative_pow_exponent_grad(
              x_value, imperative_subtract(y_value, 1),
              imperative_multiply(imperative_multiply(y_grad_grad, out_grad_value), y_value)));
      give(0, x_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      const Tensor x_value = x.get(*this);
      Tensor gradient = imperative_multiply(
          imperative_pow_exponent_grad(x_value, y.get(*this),
                                       imperative_multiply(y_grad_grad, out_grad.get(*this))),
          imperative_log(imperative_where(imperative_equal(x_value, 0), 1, x_value)));
      give(1, y_like.bring(std::move(gradient)));
    }
    if (needs(2)) {
      Tensor gradient = imperative_pow_exponent_grad(x.get(*this), y.get(*this), y_grad_grad);
      give(2, out_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
    out_grad.release();
  }
};
}  // namespace

Tensor imperative_pow_exponent_grad(const Operand& x_in, const Operand& y_in,
                                    const Operand& out_grad_in) {
  TraceCall trace(op_info::pow_exponent_grad);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  const Tensor& out_grad = out_grad_in;
  Tensor y_grad =
      empty(infer::broadcast("pow_exponent_grad", x, y, out_grad), infer::promoted(x, y, out_grad));
  kernels::pow_exponent_grad(x, y, out_grad, y_grad);
  if (recording(x, y, out_grad)) {
    auto* node = new PowExponentGradNode;
    set_history(y_grad, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->connect(2, out_grad);
    node->x_like.set(x);
    node->y_like.set(y, y_grad.shape(), y_grad.dtype());
    node->out_grad_like.set(out_grad, y_grad.shape(), y_grad.dtype());
    node->x.input(x);
    node->y.input(y);
    if (node->connected(0) || node->connected(1)) node->out_grad.input(out_grad);
  }
  if (trace) trace.done({{"x", x}, {"y", y}, {"out_grad", out_grad}}, {{"y_grad", y_grad}});
  return y_grad;
}

// --- maximum -------------------------------------------------------------- ops/arithmetic.yaml:94
namespace {
struct MaximumNode final : NodeOf<MaximumNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  MaximumNode() : NodeOf(op_info::maximum) {}
  void verify() const override {
    if (needs(0) || needs(1)) x.verify(*this);
    if (needs(0) || needs(1)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      give(0, x_like.bring(imperative_maximum_grad(x.get(*this), y.get(*this), out_grad)));
    }
    if (needs(1)) {
      give(1, y_like.bring(imperative_maximum_grad(y.get(*this), x.get(*this), out_grad)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_maximum(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::maximum);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty_promoted("maximum", x, y);
  kernels::maximum(x, y, out);
  if (recording(x, y)) {
    auto* node = new MaximumNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
    node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_maximum_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::maximum_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::maximum_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("maximum_", x, y), infer::promoted(x, y));
  const Tensor& y_read = target.before(y, true);
  Ref<MaximumNode> node;
  if (recording(x, y)) {
    node = Ref<MaximumNode>::adopt(new MaximumNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
    target.keep(node->x, x);
    target.keep(node->y, y);
  }
  target.prepare(std::move(node));
  kernels::maximum(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- maximum_grad -------------------------------------------------------- ops/arithmetic.yaml:105
namespace {
struct MaximumGradNode final : NodeOf<MaximumGradNode, 1> {
  Saved x, y;
  Like out_grad_like;
  MaximumGradNode() : NodeOf(op_info::maximum_grad) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
    if (needs(0)) y.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_maximum_grad(x.get(*this), y.get(*this), x_grad_grad);
      give(0, out_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_maximum_grad(const Operand& x_in, const Operand& y_in, const Tensor& out_grad) {
  TraceCall trace(op_info::maximum_grad);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor x_grad =
      empty(infer::broadcast("maximum_grad", x, y, out_grad), infer::promoted(x, y, out_grad));
  kernels::maximum_grad(x, y, out_grad, x_grad);
  if (recording(out_grad)) {
    auto* node = new MaximumGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad, x_grad.shape(), x_grad.dtype());
    node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- minimum ------------------------------------------------------------- ops/arithmetic.yaml:117
namespace {
struct MinimumNode final : NodeOf<MinimumNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  MinimumNode() : NodeOf(op_info::minimum) {}
  void verify() const override {
    if (needs(0) || needs(1)) x.verify(*this);
    if (needs(0) || needs(1)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      give(0, x_like.bring(imperative_minimum_grad(x.get(*this), y.get(*this), out_grad)));
    }
    if (needs(1)) {
      give(1, y_like.bring(imperative_minimum_grad(y.get(*this), x.get(*this), out_grad)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_minimum(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::minimum);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty_promoted("minimum", x, y);
  kernels::minimum(x, y, out);
  if (recording(x, y)) {
    auto* node = new MinimumNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
    node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_minimum_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::minimum_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::minimum_, "x", x);
  if (!infer::keeps(x, y)) target.fits(infer::broadcast("minimum_", x, y), infer::promoted(x, y));
  const Tensor& y_read = target.before(y, true);
  Ref<MinimumNode> node;
  if (recording(x, y)) {
    node = Ref<MinimumNode>::adopt(new MinimumNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
    target.keep(node->x, x);
    target.keep(node->y, y);
  }
  target.prepare(std::move(node));
  kernels::minimum(x, y_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- minimum_grad -------------------------------------------------------- ops/arithmetic.yaml:128
namespace {
struct MinimumGradNode final : NodeOf<MinimumGradNode, 1> {
  Saved x, y;
  Like out_grad_like;
  MinimumGradNode() : NodeOf(op_info::minimum_grad) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
    if (needs(0)) y.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_minimum_grad(x.get(*this), y.get(*this), x_grad_grad);
      give(0, out_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_minimum_grad(const Operand& x_in, const Operand& y_in, const Tensor& out_grad) {
  TraceCall trace(op_info::minimum_grad);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor x_grad =
      empty(infer::broadcast("minimum_grad", x, y, out_grad), infer::promoted(x, y, out_grad));
  kernels::minimum_grad(x, y, out_grad, x_grad);
  if (recording(out_grad)) {
    auto* node = new MinimumGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad, x_grad.shape(), x_grad.dtype());
    node->x.input(x);
    node->y.input(y);
  }
  if (trace) trace.done({{"x", x}, {"y", y}, {"out_grad", out_grad}}, {{"x_grad", x_grad}});
  return x_grad;
}

// --- negative ------------------------------------------------------------ ops/arithmetic.yaml:140
namespace {
struct NegativeNode final : NodeOf<NegativeNode, 1> {
  NegativeNode() : NodeOf(op_info::negative) {}
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_negative_(gradient);
      else gradient = imperative_negative(gradient);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_negative(const Tensor& x) {
  TraceCall trace(op_info::negative);
  infer::expect_number("negative", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::negative(x, out);
  if (recording(x)) {
    auto* node = new NegativeNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_negative_(Tensor& x) {
  TraceCall trace(op_info::negative_);
  InplaceTarget target(op_info::negative_, "x", x);
  infer::expect_number("negative_", "x", x);
  Ref<NegativeNode> node;
  if (recording(x)) {
    node = Ref<NegativeNode>::adopt(new NegativeNode);
    node->connect(0, x);
  }
  target.prepare(std::move(node));
  kernels::negative(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- abs ----------------------------------------------------------------- ops/arithmetic.yaml:149
namespace {
struct AbsNode final : NodeOf<AbsNode, 1> {
  Saved x;
  AbsNode() : NodeOf(op_info::abs) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_multiply_(gradient, imperative_sign(x.get(*this)));
      else gradient = imperative_multiply(gradient, imperative_sign(x.get(*this)));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_abs(const Tensor& x) {
  TraceCall trace(op_info::abs);
  infer::expect_number("abs", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::abs(x, out);
  if (recording(x)) {
    auto* node = new AbsNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_abs_(Tensor& x) {
  TraceCall trace(op_info::abs_);
  InplaceTarget target(op_info::abs_, "x", x);
  infer::expect_number("abs_", "x", x);
  Ref<AbsNode> node;
  if (recording(x)) {
    node = Ref<AbsNode>::adopt(new AbsNode);
    node->connect(0, x);
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::abs(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- sign ---------------------------------------------------------------- ops/arithmetic.yaml:158
namespace {
struct SignNode final : NodeOf<SignNode, 1> {
  SignNode() : NodeOf(op_info::sign) {}
  void backward() override {
    // Zero: constant between its jumps.
  }
};
}  // namespace

Tensor imperative_sign(const Tensor& x) {
  TraceCall trace(op_info::sign);
  infer::expect_number("sign", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::sign(x, out);
  if (recording(x)) {
    auto* node = new SignNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_sign_(Tensor& x) {
  TraceCall trace(op_info::sign_);
  InplaceTarget target(op_info::sign_, "x", x);
  infer::expect_number("sign_", "x", x);
  Ref<SignNode> node;
  if (recording(x)) {
    node = Ref<SignNode>::adopt(new SignNode);
  }
  target.prepare(std::move(node));
  kernels::sign(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- exp ----------------------------------------------------------------- ops/arithmetic.yaml:166
namespace {
struct ExpNode final : NodeOf<ExpNode, 1> {
  Saved out;
  ExpNode() : NodeOf(op_info::exp) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_multiply_(gradient, out.get(*this));
      else gradient = imperative_multiply(gradient, out.get(*this));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_exp(const Tensor& x) {
  TraceCall trace(op_info::exp);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::exp(x, out);
  if (recording(x)) {
    auto* node = new ExpNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_exp_(Tensor& x) {
  TraceCall trace(op_info::exp_);
  InplaceTarget target(op_info::exp_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<ExpNode> node;
  if (recording(x)) {
    node = Ref<ExpNode>::adopt(new ExpNode);
    node->connect(0, x);
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::exp(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- log ----------------------------------------------------------------- ops/arithmetic.yaml:175
namespace {
struct LogNode final : NodeOf<LogNode, 1> {
  Saved x;
  LogNode() : NodeOf(op_info::log) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_divide_(gradient, x.get(*this));
      else gradient = imperative_divide(gradient, x.get(*this));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_log(const Tensor& x) {
  TraceCall trace(op_info::log);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::log(x, out);
  if (recording(x)) {
    auto* node = new LogNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_log_(Tensor& x) {
  TraceCall trace(op_info::log_);
  InplaceTarget target(op_info::log_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<LogNode> node;
  if (recording(x)) {
    node = Ref<LogNode>::adopt(new LogNode);
    node->connect(0, x);
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::log(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- sqrt ---------------------------------------------------------------- ops/arithmetic.yaml:184
namespace {
struct SqrtNode final : NodeOf<SqrtNode, 1> {
  Saved out;
  SqrtNode() : NodeOf(op_info::sqrt) {}
  void verify() const override {
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_divide_(gradient, imperative_multiply(out.get(*this), 2));
      else gradient = imperative_divide(gradient, imperative_multiply(out.get(*this), 2));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { out.release(); }
};
}  // namespace

Tensor imperative_sqrt(const Tensor& x) {
  TraceCall trace(op_info::sqrt);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::sqrt(x, out);
  if (recording(x)) {
    auto* node = new SqrtNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out.output(out);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_sqrt_(Tensor& x) {
  TraceCall trace(op_info::sqrt_);
  InplaceTarget target(op_info::sqrt_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<SqrtNode> node;
  if (recording(x)) {
    node = Ref<SqrtNode>::adopt(new SqrtNode);
    node->connect(0, x);
    target.keep_result(node->out);
  }
  target.prepare(std::move(node));
  kernels::sqrt(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- square -------------------------------------------------------------- ops/arithmetic.yaml:193
namespace {
struct SquareNode final : NodeOf<SquareNode, 1> {
  Saved x;
  SquareNode() : NodeOf(op_info::square) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_multiply(imperative_multiply(out_grad, x.get(*this)), 2));
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_square(const Tensor& x) {
  TraceCall trace(op_info::square);
  infer::expect_number("square", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::square(x, out);
  if (recording(x)) {
    auto* node = new SquareNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_square_(Tensor& x) {
  TraceCall trace(op_info::square_);
  InplaceTarget target(op_info::square_, "x", x);
  infer::expect_number("square_", "x", x);
  Ref<SquareNode> node;
  if (recording(x)) {
    node = Ref<SquareNode>::adopt(new SquareNode);
    node->connect(0, x);
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::square(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- sin ----------------------------------------------------------------- ops/arithmetic.yaml:201
namespace {
struct SinNode final : NodeOf<SinNode, 1> {
  Saved x;
  SinNode() : NodeOf(op_info::sin) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_multiply_(gradient, imperative_cos(x.get(*this)));
      else gradient = imperative_multiply(gradient, imperative_cos(x.get(*this)));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_sin(const Tensor& x) {
  TraceCall trace(op_info::sin);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::sin(x, out);
  if (recording(x)) {
    auto* node = new SinNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_sin_(Tensor& x) {
  TraceCall trace(op_info::sin_);
  InplaceTarget target(op_info::sin_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<SinNode> node;
  if (recording(x)) {
    node = Ref<SinNode>::adopt(new SinNode);
    node->connect(0, x);
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::sin(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- cos ----------------------------------------------------------------- ops/arithmetic.yaml:210
namespace {
struct CosNode final : NodeOf<CosNode, 1> {
  Saved x;
  CosNode() : NodeOf(op_info::cos) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      give(0, imperative_multiply(imperative_negative(out_grad), imperative_sin(x.get(*this))));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_cos(const Tensor& x) {
  TraceCall trace(op_info::cos);
  Tensor out = empty_like(x, infer::float_of(x));
  kernels::cos(x, out);
  if (recording(x)) {
    auto* node = new CosNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_cos_(Tensor& x) {
  TraceCall trace(op_info::cos_);
  InplaceTarget target(op_info::cos_, "x", x);
  target.fits(x.shape(), infer::float_of(x));
  Ref<CosNode> node;
  if (recording(x)) {
    node = Ref<CosNode>::adopt(new CosNode);
    node->connect(0, x);
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::cos(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- clip ---------------------------------------------------------------- ops/arithmetic.yaml:219
namespace {
struct ClipNode final : NodeOf<ClipNode, 1> {
  Saved x;
  Scalar min;
  Scalar max;
  ClipNode() : NodeOf(op_info::clip) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::clip_grad(x_value, gradient, min, max, result); });
      } else {
        gradient = imperative_clip_grad(x.get(*this), gradient, min, max);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_clip(const Tensor& x, Scalar min, Scalar max) {
  TraceCall trace(op_info::clip);
  infer::expect_number("clip", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::clip(x, min, max, out);
  if (recording(x)) {
    auto* node = new ClipNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->min = min;
    node->max = max;
    node->x.input(x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("min", min, "max", max));
  return out;
}

Tensor& imperative_clip_(Tensor& x, Scalar min, Scalar max) {
  TraceCall trace(op_info::clip_);
  InplaceTarget target(op_info::clip_, "x", x);
  infer::expect_number("clip_", "x", x);
  Ref<ClipNode> node;
  if (recording(x)) {
    node = Ref<ClipNode>::adopt(new ClipNode);
    node->connect(0, x);
    node->min = min;
    node->max = max;
    target.keep(node->x, x);
  }
  target.prepare(std::move(node));
  kernels::clip(x, min, max, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}}, attributes_text("min", min, "max", max), "x -> out");
  }
  return x;
}

// --- clip_grad ----------------------------------------------------------- ops/arithmetic.yaml:232
namespace {
struct ClipGradNode final : NodeOf<ClipGradNode, 1> {
  Saved x;
  Scalar min;
  Scalar max;
  ClipGradNode() : NodeOf(op_info::clip_grad) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (bare()) {
        const Lent x_value(x, *this);
        rewrite(gradient,
                [&](Tensor& result) { kernels::clip_grad(x_value, gradient, min, max, result); });
      } else {
        gradient = imperative_clip_grad(x.get(*this), gradient, min, max);
      }
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { x.release(); }
};
}  // namespace

Tensor imperative_clip_grad(const Tensor& x, const Tensor& out_grad, Scalar min, Scalar max) {
  TraceCall trace(op_info::clip_grad);
  Tensor x_grad = empty_like(out_grad, out_grad.dtype());
  kernels::clip_grad(x, out_grad, min, max, x_grad);
  if (recording(out_grad)) {
    auto* node = new ClipGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->min = min;
    node->max = max;
    node->x.input(x);
  }
  if (trace) {
    trace.done({{"x", x}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("min", min, "max", max));
  }
  return x_grad;
}

// --- scale --------------------------------------------------------------- ops/arithmetic.yaml:246
namespace {
struct ScaleNode final : NodeOf<ScaleNode, 1> {
  Scalar scale;
  ScaleNode() : NodeOf(op_info::scale) {}
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_scale_(gradient, scale);
      else gradient = imperative_scale(gradient, scale);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_scale(const Tensor& x, Scalar scale, Scalar bias, bool bias_after_scale) {
  TraceCall trace(op_info::scale);
  infer::expect_number("scale", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::scale(x, scale, bias, bias_after_scale, out);
  if (recording(x)) {
    auto* node = new ScaleNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->scale = scale;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("scale", scale, "bias", bias, "bias_after_scale", bias_after_scale));
  }
  return out;
}

Tensor& imperative_scale_(Tensor& x, Scalar scale, Scalar bias, bool bias_after_scale) {
  TraceCall trace(op_info::scale_);
  InplaceTarget target(op_info::scale_, "x", x);
  infer::expect_number("scale_", "x", x);
  Ref<ScaleNode> node;
  if (recording(x)) {
    node = Ref<ScaleNode>::adopt(new ScaleNode);
    node->connect(0, x);
    node->scale = scale;
  }
  target.prepare(std::move(node));
  kernels::scale(x, scale, bias, bias_after_scale, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}},
               attributes_text("scale", scale, "bias", bias, "bias_after_scale", bias_after_scale),
               "x -> out");
  }
  return x;
}

// --- floor --------------------------------------------------------------- ops/arithmetic.yaml:260
namespace {
struct FloorNode final : NodeOf<FloorNode, 1> {
  FloorNode() : NodeOf(op_info::floor) {}
  void backward() override {
    // Zero: constant between its jumps.
  }
};
}  // namespace

Tensor imperative_floor(const Tensor& x) {
  TraceCall trace(op_info::floor);
  infer::expect_number("floor", "x", x);
  Tensor out = empty_like(x, x.dtype());
  kernels::floor(x, out);
  if (recording(x)) {
    auto* node = new FloorNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_floor_(Tensor& x) {
  TraceCall trace(op_info::floor_);
  InplaceTarget target(op_info::floor_, "x", x);
  infer::expect_number("floor_", "x", x);
  Ref<FloorNode> node;
  if (recording(x)) {
    node = Ref<FloorNode>::adopt(new FloorNode);
  }
  target.prepare(std::move(node));
  kernels::floor(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

}  // namespace oploom
