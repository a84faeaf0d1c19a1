// Generated from ops/comparison.yaml by `make generate`. Do not edit.

#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- equal ----------------------------------------------------------------- ops/comparison.yaml:3

Tensor imperative_equal(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::equal);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("equal", x, y), DType::kBool);
  kernels::equal(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_equal_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::equal_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::equal_, "x", x);
  target.fits_shape(infer::broadcast("equal_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::equal(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- not_equal ------------------------------------------------------------ ops/comparison.yaml:13

Tensor imperative_not_equal(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::not_equal);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("not_equal", x, y), DType::kBool);
  kernels::not_equal(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_not_equal_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::not_equal_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::not_equal_, "x", x);
  target.fits_shape(infer::broadcast("not_equal_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::not_equal(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- less_than ------------------------------------------------------------ ops/comparison.yaml:23

Tensor imperative_less_than(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::less_than);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("less_than", x, y), DType::kBool);
  kernels::less_than(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_less_than_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::less_than_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::less_than_, "x", x);
  target.fits_shape(infer::broadcast("less_than_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::less_than(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- less_equal ----------------------------------------------------------- ops/comparison.yaml:33

Tensor imperative_less_equal(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::less_equal);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("less_equal", x, y), DType::kBool);
  kernels::less_equal(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_less_equal_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::less_equal_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::less_equal_, "x", x);
  target.fits_shape(infer::broadcast("less_equal_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::less_equal(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- greater_than --------------------------------------------------------- ops/comparison.yaml:43

Tensor imperative_greater_than(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::greater_than);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("greater_than", x, y), DType::kBool);
  kernels::greater_than(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_greater_than_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::greater_than_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::greater_than_, "x", x);
  target.fits_shape(infer::broadcast("greater_than_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::greater_than(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- greater_equal -------------------------------------------------------- ops/comparison.yaml:53

Tensor imperative_greater_equal(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::greater_equal);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("greater_equal", x, y), DType::kBool);
  kernels::greater_equal(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_greater_equal_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::greater_equal_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::greater_equal_, "x", x);
  target.fits_shape(infer::broadcast("greater_equal_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::greater_equal(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- logical_and ---------------------------------------------------------- ops/comparison.yaml:63

Tensor imperative_logical_and(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::logical_and);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("logical_and", x, y), DType::kBool);
  kernels::logical_and(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_logical_and_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::logical_and_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::logical_and_, "x", x);
  target.fits_shape(infer::broadcast("logical_and_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::logical_and(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- logical_or ----------------------------------------------------------- ops/comparison.yaml:72

Tensor imperative_logical_or(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::logical_or);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("logical_or", x, y), DType::kBool);
  kernels::logical_or(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_logical_or_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::logical_or_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::logical_or_, "x", x);
  target.fits_shape(infer::broadcast("logical_or_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::logical_or(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- logical_xor ---------------------------------------------------------- ops/comparison.yaml:81

Tensor imperative_logical_xor(const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::logical_xor);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  Tensor out = empty(infer::broadcast("logical_xor", x, y), DType::kBool);
  kernels::logical_xor(x, y, out);
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_logical_xor_(Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::logical_xor_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::logical_xor_, "x", x);
  target.fits_shape(infer::broadcast("logical_xor_", x, y));
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::logical_xor(x, y, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- logical_not ---------------------------------------------------------- ops/comparison.yaml:90

Tensor imperative_logical_not(const Tensor& x) {
  TraceCall trace(op_info::logical_not);
  Tensor out = empty_like(x, DType::kBool);
  kernels::logical_not(x, out);
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

Tensor& imperative_logical_not_(Tensor& x) {
  TraceCall trace(op_info::logical_not_);
  InplaceTarget target(op_info::logical_not_, "x", x);
  Tensor out = empty(x.shape(), DType::kBool);
  kernels::logical_not(x, out);
  target.replace(std::move(out), nullptr);  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- where ---------------------------------------------------------------- ops/comparison.yaml:99
namespace {
struct WhereNode final : NodeOf<WhereNode, 2> {
  Saved condition;
  Like x_like, y_like;
  WhereNode() : NodeOf(op_info::where) {}
  void verify() const override {
    if (needs(0) || needs(1)) condition.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) give(1, y_like.bring(imperative_where(condition.get(*this), 0, out_grad)));
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_where_(condition.get(*this), gradient, 0);
      else gradient = imperative_where(condition.get(*this), gradient, 0);
      give(0, x_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override { condition.release(); }
};
}  // namespace

Tensor imperative_where(const Tensor& condition, const Operand& x_in, const Operand& y_in) {
  TraceCall trace(op_info::where);
  const Tensor& x = x_in;
  const Tensor& y = y_in;
  infer::expect_bool("where", "condition", condition);
  Tensor out = empty(infer::broadcast("where", condition, x, y), infer::promoted(x, y));
  kernels::where(condition, x, y, out);
  if (recording(x, y)) {
    auto* node = new WhereNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, out.shape(), out.dtype());
    node->y_like.set(y, out.shape(), out.dtype());
    node->condition.input(condition);
  }
  if (trace) trace.done({{"condition", condition}, {"x", x}, {"y", y}}, {{"out", out}});
  return out;
}

Tensor& imperative_where_(const Tensor& condition, Tensor& x, const Operand& y_in) {
  TraceCall trace(op_info::where_);
  const Tensor& y = y_in;
  InplaceTarget target(op_info::where_, "x", x);
  target.fits(infer::broadcast("where_", condition, x, y), infer::promoted(x, y));
  infer::expect_bool("where_", "condition", condition);
  const Tensor& condition_read = target.before(condition, true);
  const Tensor& y_read = target.before(y, true);
  Ref<WhereNode> node;
  if (recording(x, y)) {
    node = Ref<WhereNode>::adopt(new WhereNode);
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x, x.shape(), x.dtype());
    node->y_like.set(y, x.shape(), x.dtype());
    target.keep(node->condition, condition);
  }
  target.prepare(std::move(node));
  kernels::where(condition_read, x, y_read, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"condition", condition}, {"x", x}, {"y", y}}, {{"out", x}}, {}, "x -> out");
  }
  return x;
}

}  // namespace oploom
