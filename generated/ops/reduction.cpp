// Generated from ops/reduction.yaml by `make generate`. Do not edit.

#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/rules/reduction.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- sum -------------------------------------------------------------------- ops/reduction.yaml:3
namespace {
struct SumNode final : NodeOf<SumNode, 1> {
  Dims x_shape;
  Dims axis;
  bool keepdim;
  SumNode() : NodeOf(op_info::sum) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient =
          imperative_expand(keepdim ? out_grad : imperative_unsqueeze(out_grad, axis), x_shape);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_sum(const Tensor& x, Ints axis_in, bool keepdim) {
  TraceCall trace(op_info::sum);
  const Dims axis = infer::axes("sum", axis_in, x.rank());
  Tensor out = empty(infer::reduced("sum", x, axis, keepdim), infer::summed(x));
  kernels::sum(contiguous(x), axis, keepdim, out);
  if (recording(x)) {
    auto* node = new SumNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->axis = axis;
    node->keepdim = keepdim;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis, "keepdim", keepdim));
  }
  return out;
}

// --- mean ------------------------------------------------------------------ ops/reduction.yaml:15
namespace {
struct MeanNode final : NodeOf<MeanNode, 1> {
  std::int64_t out_numel;
  std::int64_t x_numel;
  Dims x_shape;
  Dims axis;
  bool keepdim;
  MeanNode() : NodeOf(op_info::mean) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      const Tensor share = imperative_divide(imperative_multiply(out_grad, out_numel), x_numel);
      give(0, imperative_expand(keepdim ? share : imperative_unsqueeze(share, axis), x_shape));
    }
  }
};
}  // namespace

Tensor imperative_mean(const Tensor& x, Ints axis_in, bool keepdim) {
  TraceCall trace(op_info::mean);
  const Dims axis = infer::axes("mean", axis_in, x.rank());
  Tensor out = empty(infer::reduced("mean", x, axis, keepdim), infer::float_of(x));
  kernels::mean(contiguous(x), axis, keepdim, out);
  if (recording(x)) {
    auto* node = new MeanNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->out_numel = out.numel();
    node->x_numel = x.numel();
    node->x_shape = x.shape();
    node->axis = axis;
    node->keepdim = keepdim;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis, "keepdim", keepdim));
  }
  return out;
}

// --- max ------------------------------------------------------------------- ops/reduction.yaml:29
namespace {
struct MaxNode final : NodeOf<MaxNode, 1> {
  Saved x, out;
  Dims axis;
  bool keepdim;
  MaxNode() : NodeOf(op_info::max) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      give(0, imperative_max_grad(x.get(*this), out.get(*this), out_grad, axis, keepdim));
    }
  }
  void release() noexcept override {
    x.release();
    out.release();
  }
};
}  // namespace

Tensor imperative_max(const Tensor& x, Ints axis_in, bool keepdim) {
  TraceCall trace(op_info::max);
  const Dims axis = infer::axes("max", axis_in, x.rank());
  kernels::check_max("max", x, axis, keepdim);
  Tensor out = empty(infer::reduced("max", x, axis, keepdim), x.dtype());
  kernels::max(contiguous(x), axis, keepdim, out);
  if (recording(x)) {
    auto* node = new MaxNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->axis = axis;
    node->keepdim = keepdim;
    node->x.input(x);
    node->out.output(out);
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis, "keepdim", keepdim));
  }
  return out;
}

// --- max_grad -------------------------------------------------------------- ops/reduction.yaml:42
namespace {
struct MaxGradNode final : NodeOf<MaxGradNode, 1> {
  Saved x, out;
  Like out_grad_like;
  Dims axis;
  bool keepdim;
  MaxGradNode() : NodeOf(op_info::max_grad) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      Tensor gradient =
          imperative_max_pick(x.get(*this), out.get(*this), x_grad_grad, axis, keepdim);
      give(0, out_grad_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    out.release();
  }
};
}  // namespace

Tensor imperative_max_grad(const Tensor& x, const Tensor& out, const Tensor& out_grad, Ints axis,
                           bool keepdim) {
  TraceCall trace(op_info::max_grad);
  Tensor x_grad = empty_like(x, x.dtype());
  kernels::max_grad(contiguous(x), contiguous(out), prepared(out_grad, x.dtype()), axis, keepdim,
                    x_grad);
  if (is_float(x_grad.dtype()) && recording(out_grad)) {
    auto* node = new MaxGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad);
    node->axis = axis;
    node->keepdim = keepdim;
    node->x.input(x);
    node->out.input(out);
  }
  if (trace) {
    trace.done({{"x", x}, {"out", out}, {"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("axis", axis, "keepdim", keepdim));
  }
  return x_grad;
}

// --- max_pick -------------------------------------------------------------- ops/reduction.yaml:57
namespace {
struct MaxPickNode final : NodeOf<MaxPickNode, 1> {
  Saved x, out;
  Like value_like;
  Dims axis;
  bool keepdim;
  MaxPickNode() : NodeOf(op_info::max_pick) {}
  void verify() const override {
    if (needs(0)) x.verify(*this);
    if (needs(0)) out.verify(*this);
  }
  void backward() override {
    const Tensor& picked_grad = grad(0);
    if (needs(0)) {
      Tensor gradient =
          imperative_max_grad(x.get(*this), out.get(*this), picked_grad, axis, keepdim);
      give(0, value_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    out.release();
  }
};
}  // namespace

Tensor imperative_max_pick(const Tensor& x, const Tensor& out, const Tensor& value, Ints axis,
                           bool keepdim) {
  TraceCall trace(op_info::max_pick);
  Tensor picked = empty_like(out, out.dtype());
  kernels::max_pick(contiguous(x), contiguous(out), prepared(value, x.dtype()), axis, keepdim,
                    picked);
  if (is_float(picked.dtype()) && recording(value)) {
    auto* node = new MaxPickNode;
    set_history(picked, Ref<Node>::adopt(node));
    node->connect(0, value);
    node->value_like.set(value);
    node->axis = axis;
    node->keepdim = keepdim;
    node->x.input(x);
    node->out.input(out);
  }
  if (trace) {
    trace.done({{"x", x}, {"out", out}, {"value", value}}, {{"picked", picked}},
               attributes_text("axis", axis, "keepdim", keepdim));
  }
  return picked;
}

// --- sum_to ---------------------------------------------------------------- ops/reduction.yaml:72
namespace {
struct SumToNode final : NodeOf<SumToNode, 1> {
  Like x_like;
  Dims x_shape;
  SumToNode() : NodeOf(op_info::sum_to) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(imperative_spread(out_grad, x_shape)));
  }
};
}  // namespace

Tensor imperative_sum_to(const Tensor& x, Ints shape) {
  TraceCall trace(op_info::sum_to);
  Tensor out = empty(shape, x.dtype());
  kernels::sum_to(contiguous(x), shape, out);
  if (recording(x)) {
    auto* node = new SumToNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_like.set(x);
    node->x_shape = x.shape();
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("shape", shape));
  return out;
}

// --- spread ---------------------------------------------------------------- ops/reduction.yaml:85

Tensor imperative_spread(const Tensor& x, Ints shape) {
  TraceCall trace(op_info::spread);
  Tensor out = rules::spread(x, shape);
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("shape", shape));
  return out;
}

}  // namespace oploom
