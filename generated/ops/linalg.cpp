// Generated from ops/linalg.yaml by `make generate`. Do not edit.

#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/rules/linalg.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- matmul -------------------------------------------------------------------- ops/linalg.yaml:3
namespace {
struct MatmulNode final : NodeOf<MatmulNode, 2> {
  Saved x, y;
  Like x_like, y_like;
  Dims x_shape;
  Dims y_shape;
  bool transpose_x;
  bool transpose_y;
  MatmulNode() : NodeOf(op_info::matmul) {}
  void verify() const override {
    if (needs(1)) x.verify(*this);
    if (needs(0)) y.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient =
          imperative_matmul_x_grad(out_grad, y.get(*this), x_shape, transpose_x, transpose_y);
      give(0, x_like.bring(std::move(gradient)));
    }
    if (needs(1)) {
      Tensor gradient =
          imperative_matmul_y_grad(out_grad, x.get(*this), y_shape, transpose_x, transpose_y);
      give(1, y_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override {
    x.release();
    y.release();
  }
};
}  // namespace

Tensor imperative_matmul(const Tensor& x, const Tensor& y, bool transpose_x, bool transpose_y) {
  TraceCall trace(op_info::matmul);
  infer::expect_number("matmul", "x", x);
  infer::expect_number("matmul", "y", y);
  Tensor out =
      empty(infer::matmul_shape("matmul", x, y, transpose_x, transpose_y), infer::promoted(x, y));
  kernels::matmul(x, y, transpose_x, transpose_y, out);
  if (recording(x, y)) {
    auto* node = new MatmulNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, y);
    node->x_like.set(x);
    node->y_like.set(y);
    node->x_shape = x.shape();
    node->y_shape = y.shape();
    node->transpose_x = transpose_x;
    node->transpose_y = transpose_y;
    if (node->connected(1)) node->x.input(x);
    if (node->connected(0)) node->y.input(y);
  }
  if (trace) {
    trace.done({{"x", x}, {"y", y}}, {{"out", out}},
               attributes_text("transpose_x", transpose_x, "transpose_y", transpose_y));
  }
  return out;
}

// --- matmul_x_grad ------------------------------------------------------------ ops/linalg.yaml:23

Tensor imperative_matmul_x_grad(const Tensor& out_grad, const Tensor& y, Ints shape,
                                bool transpose_x, bool transpose_y) {
  TraceCall trace(op_info::matmul_x_grad);
  Tensor out = rules::matmul_x_grad(out_grad, y, shape, transpose_x, transpose_y);
  if (trace) {
    trace.done({{"out_grad", out_grad}, {"y", y}}, {{"out", out}},
               attributes_text("shape", shape, "transpose_x", transpose_x, "transpose_y",
                               transpose_y));
  }
  return out;
}

// --- matmul_y_grad ------------------------------------------------------------ ops/linalg.yaml:33

Tensor imperative_matmul_y_grad(const Tensor& out_grad, const Tensor& x, Ints shape,
                                bool transpose_x, bool transpose_y) {
  TraceCall trace(op_info::matmul_y_grad);
  Tensor out = rules::matmul_y_grad(out_grad, x, shape, transpose_x, transpose_y);
  if (trace) {
    trace.done({{"out_grad", out_grad}, {"x", x}}, {{"out", out}},
               attributes_text("shape", shape, "transpose_x", transpose_x, "transpose_y",
                               transpose_y));
  }
  return out;
}

}  // namespace oploom
