// Generated from ops/creation.yaml by `make generate`. Do not edit.

#include <optional>
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

// --- full -------------------------------------------------------------------- ops/creation.yaml:3

Tensor imperative_full(Ints shape, Scalar value, std::optional<DType> dtype) {
  TraceCall trace(op_info::full);
  kernels::check_full("full", shape, value, dtype);
  Tensor out = empty(shape, infer::chosen(dtype, value.dtype()));
  kernels::full(shape, value, dtype, out);
  if (trace) {
    trace.done({}, {{"out", out}}, attributes_text("shape", shape, "value", value, "dtype", dtype));
  }
  return out;
}

// --- zeros ------------------------------------------------------------------ ops/creation.yaml:17

Tensor imperative_zeros(Ints shape, std::optional<DType> dtype) {
  TraceCall trace(op_info::zeros);
  kernels::check_zeros("zeros", shape, dtype);
  Tensor out = empty(shape, infer::chosen(dtype, DType::kFloat32));
  kernels::zeros(shape, dtype, out);
  if (trace) trace.done({}, {{"out", out}}, attributes_text("shape", shape, "dtype", dtype));
  return out;
}

// --- ones ------------------------------------------------------------------- ops/creation.yaml:29

Tensor imperative_ones(Ints shape, std::optional<DType> dtype) {
  TraceCall trace(op_info::ones);
  kernels::check_ones("ones", shape, dtype);
  Tensor out = empty(shape, infer::chosen(dtype, DType::kFloat32));
  kernels::ones(shape, dtype, out);
  if (trace) trace.done({}, {{"out", out}}, attributes_text("shape", shape, "dtype", dtype));
  return out;
}

// --- zeros_like ------------------------------------------------------------- ops/creation.yaml:41

Tensor imperative_zeros_like(const Tensor& x, std::optional<DType> dtype) {
  TraceCall trace(op_info::zeros_like);
  Tensor out = empty_like(x, infer::chosen(dtype, x.dtype()));
  kernels::zeros_like(dtype, out);
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("dtype", dtype));
  return out;
}

// --- ones_like -------------------------------------------------------------- ops/creation.yaml:50

Tensor imperative_ones_like(const Tensor& x, std::optional<DType> dtype) {
  TraceCall trace(op_info::ones_like);
  Tensor out = empty_like(x, infer::chosen(dtype, x.dtype()));
  kernels::ones_like(dtype, out);
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("dtype", dtype));
  return out;
}

// --- arange ----------------------------------------------------------------- ops/creation.yaml:59

Tensor imperative_arange(Scalar start, std::optional<Scalar> end, Scalar step,
                         std::optional<DType> dtype) {
  TraceCall trace(op_info::arange);
  kernels::check_arange("arange", start, end, step, dtype);
  Tensor out = kernels::arange(start, end, step, dtype);
  if (trace) {
    trace.done({}, {{"out", out}},
               attributes_text("start", start, "end", end, "step", step, "dtype", dtype));
  }
  return out;
}

// --- assign ----------------------------------------------------------------- ops/creation.yaml:74
namespace {
struct AssignNode final : NodeOf<AssignNode, 1> {
  AssignNode() : NodeOf(op_info::assign) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, out_grad);
  }
};
}  // namespace

Tensor imperative_assign(const Tensor& x) {
  TraceCall trace(op_info::assign);
  Tensor out = empty_like(x, x.dtype());
  kernels::assign(x, out);
  if (recording(x)) {
    auto* node = new AssignNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_assign_(Tensor& x) {
  TraceCall trace(op_info::assign_);
  InplaceTarget target(op_info::assign_, "x", x);
  Ref<AssignNode> node;
  if (recording(x)) {
    node = Ref<AssignNode>::adopt(new AssignNode);
    node->connect(0, x);
  }
  target.prepare(std::move(node));
  kernels::assign(x, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- clone ------------------------------------------------------------------ ops/creation.yaml:82
namespace {
struct CloneNode final : NodeOf<CloneNode, 1> {
  CloneNode() : NodeOf(op_info::clone) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, out_grad);
  }
};
}  // namespace

Tensor imperative_clone(const Tensor& x) {
  TraceCall trace(op_info::clone);
  Tensor out = empty_like(x, x.dtype());
  kernels::clone(x, out);
  if (recording(x)) {
    auto* node = new CloneNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

// --- cast ------------------------------------------------------------------- ops/creation.yaml:90
namespace {
struct CastNode final : NodeOf<CastNode, 1> {
  Like x_like;
  CastNode() : NodeOf(op_info::cast) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(out_grad));
  }
};
}  // namespace

Tensor imperative_cast(const Tensor& x, DType dtype) {
  TraceCall trace(op_info::cast);
  Tensor out = empty_like(x, dtype);
  kernels::cast(x, dtype, out);
  if (is_float(out.dtype()) && recording(x)) {
    auto* node = new CastNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_like.set(x, x.shape(), out.dtype());
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("dtype", dtype));
  return out;
}

Tensor& imperative_cast_(Tensor& x, DType dtype) {
  TraceCall trace(op_info::cast_);
  InplaceTarget target(op_info::cast_, "x", x);
  Tensor out = empty(x.shape(), dtype);
  kernels::cast(x, dtype, out);
  Ref<CastNode> node;
  if (is_float(out.dtype()) && has_history(x)) {
    node = Ref<CastNode>::adopt(new CastNode);
    node->connect(0, x);
    node->x_like.set(x, x.shape(), out.dtype());
  }
  target.replace(std::move(out), std::move(node));  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("dtype", dtype), "x -> out");
  return x;
}

// --- copy_ ----------------------------------------------------------------- ops/creation.yaml:103
namespace {
struct CopyNode final : NodeOf<CopyNode, 2> {
  Like value_like;
  CopyNode() : NodeOf(op_info::copy_) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) give(1, value_like.bring(out_grad));
  }
};
}  // namespace

Tensor& imperative_copy_(Tensor& x, const Operand& value_in) {
  TraceCall trace(op_info::copy_);
  const Tensor& value = value_in;
  InplaceTarget target(op_info::copy_, "x", x);
  if (!infer::keeps(x, value)) {
    target.fits(infer::broadcast("copy_", x, value), infer::promoted(x, value));
  }
  const Tensor& value_read = target.before(value, true);
  Ref<CopyNode> node;
  if (recording(x, value)) {
    node = Ref<CopyNode>::adopt(new CopyNode);
    node->connect(1, value);
    node->value_like.set(value, x.shape(), x.dtype());
  }
  target.prepare(std::move(node));
  kernels::copy_(value_read, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"value", value}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- fill ------------------------------------------------------------------ ops/creation.yaml:116
namespace {
struct FillNode final : NodeOf<FillNode, 1> {
  FillNode() : NodeOf(op_info::fill) {}
  void backward() override {
    // Zero: the elements of x are not read.
  }
};
}  // namespace

Tensor imperative_fill(const Tensor& x, Scalar value) {
  TraceCall trace(op_info::fill);
  kernels::check_fill("fill", x, value);
  Tensor out = empty_like(x, x.dtype());
  kernels::fill(value, out);
  if (recording(x)) {
    auto* node = new FillNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("value", value));
  return out;
}

Tensor& imperative_fill_(Tensor& x, Scalar value) {
  TraceCall trace(op_info::fill_);
  InplaceTarget target(op_info::fill_, "x", x);
  kernels::check_fill("fill_", x, value);
  Ref<FillNode> node;
  if (recording(x)) {
    node = Ref<FillNode>::adopt(new FillNode);
  }
  target.prepare(std::move(node));
  kernels::fill(value, x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("value", value), "x -> out");
  return x;
}

// --- zero_ ----------------------------------------------------------------- ops/creation.yaml:126
namespace {
struct ZeroNode final : NodeOf<ZeroNode, 1> {
  ZeroNode() : NodeOf(op_info::zero_) {}
  void backward() override {
    // Zero: the elements of x are not read.
  }
};
}  // namespace

Tensor& imperative_zero_(Tensor& x) {
  TraceCall trace(op_info::zero_);
  InplaceTarget target(op_info::zero_, "x", x);
  Ref<ZeroNode> node;
  if (recording(x)) {
    node = Ref<ZeroNode>::adopt(new ZeroNode);
  }
  target.prepare(std::move(node));
  kernels::zero_(x);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

}  // namespace oploom
