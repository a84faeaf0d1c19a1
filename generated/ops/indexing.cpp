// Generated from ops/indexing.yaml by `make generate`. Do not edit.

#include <utility>
#include <vector>

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

// --- gather ------------------------------------------------------------------ ops/indexing.yaml:4
namespace {
struct GatherNode final : NodeOf<GatherNode, 1> {
  Saved index;
  Dims x_shape;
  std::int64_t axis;
  GatherNode() : NodeOf(op_info::gather) {}
  void verify() const override {
    if (needs(0)) index.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_gather_grad(out_grad, index.get(*this), x_shape, axis));
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_gather(const Tensor& x, const Tensor& index, std::int64_t axis_in) {
  TraceCall trace(op_info::gather);
  const std::int64_t axis = infer::axis("gather", axis_in, x.rank());
  infer::expect_integer("gather", "index", index);
  kernels::check_gather("gather", x, index, axis);
  Tensor out = empty(infer::taken("gather", x, index, axis), x.dtype());
  kernels::gather(contiguous(x), prepared(index, DType::kInt64), axis, out);
  if (recording(x)) {
    auto* node = new GatherNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->axis = axis;
    node->index.input(index);
  }
  if (trace) {
    trace.done({{"x", x}, {"index", index}}, {{"out", out}}, attributes_text("axis", axis));
  }
  return out;
}

// --- index_select ----------------------------------------------------------- ops/indexing.yaml:17
namespace {
struct IndexSelectNode final : NodeOf<IndexSelectNode, 1> {
  Saved index;
  Dims x_shape;
  std::int64_t axis;
  IndexSelectNode() : NodeOf(op_info::index_select) {}
  void verify() const override {
    if (needs(0)) index.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_gather_grad(out_grad, index.get(*this), x_shape, axis));
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_index_select(const Tensor& x, const Tensor& index, std::int64_t axis_in) {
  TraceCall trace(op_info::index_select);
  const std::int64_t axis = infer::axis("index_select", axis_in, x.rank());
  infer::expect_integer("index_select", "index", index);
  kernels::check_gather("index_select", x, index, axis);
  Tensor out = empty(infer::selected("index_select", x, index, axis), x.dtype());
  kernels::gather(contiguous(x), prepared(index, DType::kInt64), axis, out);
  if (recording(x)) {
    auto* node = new IndexSelectNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->axis = axis;
    node->index.input(index);
  }
  if (trace) {
    trace.done({{"x", x}, {"index", index}}, {{"out", out}}, attributes_text("axis", axis));
  }
  return out;
}

// --- gather_grad ------------------------------------------------------------ ops/indexing.yaml:28
namespace {
struct GatherGradNode final : NodeOf<GatherGradNode, 1> {
  Saved index;
  Like out_grad_like;
  std::int64_t axis;
  GatherGradNode() : NodeOf(op_info::gather_grad) {}
  void verify() const override {
    if (needs(0)) index.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) {
      give(0, out_grad_like.bring(imperative_gather(x_grad_grad, index.get(*this), axis)));
    }
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_gather_grad(const Tensor& out_grad, const Tensor& index, Ints shape,
                              std::int64_t axis) {
  TraceCall trace(op_info::gather_grad);
  Tensor x_grad = empty(shape, out_grad.dtype());
  kernels::gather_grad(contiguous(out_grad), prepared(index, DType::kInt64), shape, axis, x_grad);
  if (recording(out_grad)) {
    auto* node = new GatherGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad);
    node->axis = axis;
    node->index.input(index);
  }
  if (trace) {
    trace.done({{"out_grad", out_grad}, {"index", index}}, {{"x_grad", x_grad}},
               attributes_text("shape", shape, "axis", axis));
  }
  return x_grad;
}

// --- scatter ---------------------------------------------------------------- ops/indexing.yaml:42
namespace {
struct ScatterNode final : NodeOf<ScatterNode, 2> {
  Saved index;
  Like updates_like;
  bool overwrite;
  ScatterNode() : NodeOf(op_info::scatter) {}
  void verify() const override {
    if (needs(0) || needs(1)) index.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) {
      Tensor gradient = overwrite
                            ? imperative_scatter_last(out_grad, index.get(*this))
                            : imperative_gather(out_grad, index.get(*this), 0);
      give(1, updates_like.bring(std::move(gradient)));
    }
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_scatter_clear_(gradient, index.get(*this));
      else gradient = imperative_scatter_clear(gradient, index.get(*this));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_scatter(const Tensor& x, const Tensor& index, const Tensor& updates,
                          bool overwrite) {
  TraceCall trace(op_info::scatter);
  infer::expect_integer("scatter", "index", index);
  kernels::check_scatter("scatter", x, index, updates, overwrite);
  Tensor out = empty(infer::scattered("scatter", x, index, updates), x.dtype());
  kernels::scatter(contiguous(x), prepared(index, DType::kInt64), prepared(updates, x.dtype()),
                   overwrite, out);
  if (is_float(out.dtype()) && recording(x, updates)) {
    auto* node = new ScatterNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, updates);
    node->updates_like.set(updates);
    node->overwrite = overwrite;
    node->index.input(index);
  }
  if (trace) {
    trace.done({{"x", x}, {"index", index}, {"updates", updates}}, {{"out", out}},
               attributes_text("overwrite", overwrite));
  }
  return out;
}

Tensor& imperative_scatter_(Tensor& x, const Tensor& index, const Tensor& updates, bool overwrite) {
  TraceCall trace(op_info::scatter_);
  InplaceTarget target(op_info::scatter_, "x", x);
  target.fits(infer::scattered("scatter_", x, index, updates), x.dtype());
  infer::expect_integer("scatter_", "index", index);
  kernels::check_scatter("scatter_", x, index, updates, overwrite);
  const Tensor x_read = contiguous(x);
  const Tensor index_read = prepared(target.before(index, false), DType::kInt64);
  const Tensor updates_read = prepared(target.before(updates, false), x.dtype());
  Tensor& result = target.contiguous_target(x);
  Ref<ScatterNode> node;
  if (is_float(x.dtype()) && recording(x, updates)) {
    node = Ref<ScatterNode>::adopt(new ScatterNode);
    node->connect(0, x);
    node->connect(1, updates);
    node->updates_like.set(updates);
    node->overwrite = overwrite;
    target.keep(node->index, index);
  }
  target.prepare(std::move(node));
  kernels::scatter(x_read, index_read, updates_read, overwrite, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}, {"index", index}, {"updates", updates}}, {{"out", x}},
               attributes_text("overwrite", overwrite), "x -> out");
  }
  return x;
}

// --- scatter_clear ---------------------------------------------------------- ops/indexing.yaml:60
namespace {
struct ScatterClearNode final : NodeOf<ScatterClearNode, 1> {
  Saved index;
  ScatterClearNode() : NodeOf(op_info::scatter_clear) {}
  void verify() const override {
    if (needs(0)) index.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_scatter_clear_(gradient, index.get(*this));
      else gradient = imperative_scatter_clear(gradient, index.get(*this));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_scatter_clear(const Tensor& x, const Tensor& index) {
  TraceCall trace(op_info::scatter_clear);
  Tensor out = empty_like(x, x.dtype());
  kernels::scatter_clear(contiguous(x), prepared(index, DType::kInt64), out);
  if (recording(x)) {
    auto* node = new ScatterClearNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->index.input(index);
  }
  if (trace) trace.done({{"x", x}, {"index", index}}, {{"out", out}});
  return out;
}

Tensor& imperative_scatter_clear_(Tensor& x, const Tensor& index) {
  TraceCall trace(op_info::scatter_clear_);
  InplaceTarget target(op_info::scatter_clear_, "x", x);
  const Tensor x_read = contiguous(x);
  const Tensor index_read = prepared(target.before(index, false), DType::kInt64);
  Tensor& result = target.contiguous_target(x);
  Ref<ScatterClearNode> node;
  if (recording(x)) {
    node = Ref<ScatterClearNode>::adopt(new ScatterClearNode);
    node->connect(0, x);
    target.keep(node->index, index);
  }
  target.prepare(std::move(node));
  kernels::scatter_clear(x_read, index_read, result);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"index", index}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- scatter_last ----------------------------------------------------------- ops/indexing.yaml:72
namespace {
struct ScatterLastNode final : NodeOf<ScatterLastNode, 1> {
  Saved index;
  DType x_dtype;
  Dims x_shape;
  ScatterLastNode() : NodeOf(op_info::scatter_last) {}
  void verify() const override {
    if (needs(0)) index.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient =
          imperative_scatter(imperative_zeros(x_shape, x_dtype), index.get(*this), out_grad, true);
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { index.release(); }
};
}  // namespace

Tensor imperative_scatter_last(const Tensor& x, const Tensor& index) {
  TraceCall trace(op_info::scatter_last);
  Tensor out = empty(infer::taken("scatter_last", x, index, 0), x.dtype());
  kernels::scatter_last(contiguous(x), prepared(index, DType::kInt64), out);
  if (recording(x)) {
    auto* node = new ScatterLastNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_dtype = x.dtype();
    node->x_shape = x.shape();
    node->index.input(index);
  }
  if (trace) trace.done({{"x", x}, {"index", index}}, {{"out", out}});
  return out;
}

// --- index ------------------------------------------------------------------ ops/indexing.yaml:85
namespace {
struct IndexNode final : NodeOf<IndexNode, 1> {
  SavedList indices;
  Dims x_shape;
  IndexNode() : NodeOf(op_info::index) {}
  void verify() const override {
    if (needs(0)) indices.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_index_grad(out_grad, indices.get(*this), x_shape));
  }
  void release() noexcept override { indices.release(); }
};
}  // namespace

Tensor imperative_index(const Tensor& x, TensorList indices) {
  TraceCall trace(op_info::index);
  infer::expect_integer("index", "indices", indices);
  kernels::check_index("index", x, indices);
  Tensor out = empty(infer::indexed("index", x, indices), x.dtype());
  kernels::index(contiguous(x), prepared(indices, DType::kInt64), out);
  if (recording(x)) {
    auto* node = new IndexNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->indices.inputs(indices);
  }
  if (trace) trace.done({{"x", x}, {"indices", indices}}, {{"out", out}});
  return out;
}

// --- index_grad ------------------------------------------------------------- ops/indexing.yaml:98
namespace {
struct IndexGradNode final : NodeOf<IndexGradNode, 1> {
  SavedList indices;
  Like out_grad_like;
  IndexGradNode() : NodeOf(op_info::index_grad) {}
  void verify() const override {
    if (needs(0)) indices.verify(*this);
  }
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) give(0, out_grad_like.bring(imperative_index(x_grad_grad, indices.get(*this))));
  }
  void release() noexcept override { indices.release(); }
};
}  // namespace

Tensor imperative_index_grad(const Tensor& out_grad, TensorList indices, Ints shape) {
  TraceCall trace(op_info::index_grad);
  Tensor x_grad = empty(shape, out_grad.dtype());
  kernels::index_grad(contiguous(out_grad), prepared(indices, DType::kInt64), shape, x_grad);
  if (recording(out_grad)) {
    auto* node = new IndexGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad);
    node->indices.inputs(indices);
  }
  if (trace) {
    trace.done({{"out_grad", out_grad}, {"indices", indices}}, {{"x_grad", x_grad}},
               attributes_text("shape", shape));
  }
  return x_grad;
}

// --- index_put ------------------------------------------------------------- ops/indexing.yaml:110
namespace {
struct IndexPutNode final : NodeOf<IndexPutNode, 2> {
  SavedList indices;
  Like value_like;
  bool accumulate;
  IndexPutNode() : NodeOf(op_info::index_put) {}
  void verify() const override {
    if (needs(1) || (needs(0) && !accumulate)) indices.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      give(0, accumulate ? out_grad : imperative_index_clear(out_grad, indices.get(*this)));
    }
    if (needs(1)) {
      Tensor gradient = accumulate
                            ? imperative_index(out_grad, indices.get(*this))
                            : imperative_index_last(out_grad, indices.get(*this));
      give(1, value_like.bring(std::move(gradient)));
    }
  }
  void release() noexcept override { indices.release(); }
};
}  // namespace

Tensor imperative_index_put(const Tensor& x, TensorList indices, const Operand& value_in,
                            bool accumulate) {
  TraceCall trace(op_info::index_put);
  const Tensor& value = value_in;
  infer::expect_integer("index_put", "indices", indices);
  kernels::check_index_put("index_put", x, indices, value, accumulate);
  Tensor out = empty(infer::put("index_put", x, indices, value), x.dtype());
  kernels::index_put(contiguous(x), prepared(indices, DType::kInt64), prepared(value, x.dtype()),
                     accumulate, out);
  if (is_float(out.dtype()) && recording(x, value)) {
    auto* node = new IndexPutNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->accumulate = accumulate;
    if (node->connected(1) || (node->connected(0) && !accumulate)) node->indices.inputs(indices);
  }
  if (trace) {
    trace.done({{"x", x}, {"indices", indices}, {"value", value}}, {{"out", out}},
               attributes_text("accumulate", accumulate));
  }
  return out;
}

Tensor& imperative_index_put_(Tensor& x, TensorList indices, const Operand& value_in,
                              bool accumulate) {
  TraceCall trace(op_info::index_put_);
  const Tensor& value = value_in;
  InplaceTarget target(op_info::index_put_, "x", x);
  target.fits(infer::put("index_put_", x, indices, value), x.dtype());
  infer::expect_integer("index_put_", "indices", indices);
  kernels::check_index_put("index_put_", x, indices, value, accumulate);
  const Tensor x_read = contiguous(x);
  const std::vector<Tensor> indices_read = prepared(target.before(indices, false), DType::kInt64);
  const Tensor value_read = prepared(target.before(value, false), x.dtype());
  Tensor& result = target.contiguous_target(x);
  Ref<IndexPutNode> node;
  if (is_float(x.dtype()) && recording(x, value)) {
    node = Ref<IndexPutNode>::adopt(new IndexPutNode);
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->accumulate = accumulate;
    if (node->connected(1) || (node->connected(0) && !accumulate)) {
      target.keep(node->indices, indices);
    }
  }
  target.prepare(std::move(node));
  kernels::index_put(x_read, indices_read, value_read, accumulate, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}, {"indices", indices}, {"value", value}}, {{"out", x}},
               attributes_text("accumulate", accumulate), "x -> out");
  }
  return x;
}

// --- index_clear ----------------------------------------------------------- ops/indexing.yaml:129
namespace {
struct IndexClearNode final : NodeOf<IndexClearNode, 1> {
  SavedList indices;
  IndexClearNode() : NodeOf(op_info::index_clear) {}
  void verify() const override {
    if (needs(0)) indices.verify(*this);
  }
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_index_clear_(gradient, indices.get(*this));
      else gradient = imperative_index_clear(gradient, indices.get(*this));
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { indices.release(); }
};
}  // namespace

Tensor imperative_index_clear(const Tensor& x, TensorList indices) {
  TraceCall trace(op_info::index_clear);
  Tensor out = empty_like(x, x.dtype());
  kernels::index_clear(contiguous(x), prepared(indices, DType::kInt64), out);
  if (recording(x)) {
    auto* node = new IndexClearNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->indices.inputs(indices);
  }
  if (trace) trace.done({{"x", x}, {"indices", indices}}, {{"out", out}});
  return out;
}

Tensor& imperative_index_clear_(Tensor& x, TensorList indices) {
  TraceCall trace(op_info::index_clear_);
  InplaceTarget target(op_info::index_clear_, "x", x);
  const Tensor x_read = contiguous(x);
  const std::vector<Tensor> indices_read = prepared(target.before(indices, false), DType::kInt64);
  Tensor& result = target.contiguous_target(x);
  Ref<IndexClearNode> node;
  if (recording(x)) {
    node = Ref<IndexClearNode>::adopt(new IndexClearNode);
    node->connect(0, x);
    target.keep(node->indices, indices);
  }
  target.prepare(std::move(node));
  kernels::index_clear(x_read, indices_read, result);
  target.commit();  // version + 1
  if (trace) trace.done({{"x", x}, {"indices", indices}}, {{"out", x}}, {}, "x -> out");
  return x;
}

// --- index_last ------------------------------------------------------------ ops/indexing.yaml:141
namespace {
struct IndexLastNode final : NodeOf<IndexLastNode, 1> {
  SavedList indices;
  DType x_dtype;
  Dims x_shape;
  IndexLastNode() : NodeOf(op_info::index_last) {}
  void verify() const override {
    if (needs(0)) indices.verify(*this);
  }
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) {
      Tensor gradient = imperative_index_put(imperative_zeros(x_shape, x_dtype), indices.get(*this),
                                             out_grad, false);
      give(0, std::move(gradient));
    }
  }
  void release() noexcept override { indices.release(); }
};
}  // namespace

Tensor imperative_index_last(const Tensor& x, TensorList indices) {
  TraceCall trace(op_info::index_last);
  Tensor out = empty(infer::indexed("index_last", x, indices), x.dtype());
  kernels::index_last(contiguous(x), prepared(indices, DType::kInt64), out);
  if (recording(x)) {
    auto* node = new IndexLastNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_dtype = x.dtype();
    node->x_shape = x.shape();
    node->indices.inputs(indices);
  }
  if (trace) trace.done({{"x", x}, {"indices", indices}}, {{"out", out}});
  return out;
}

// --- nonzero --------------------------------------------------------------- ops/indexing.yaml:154

Tensor imperative_nonzero(const Tensor& x) {
  TraceCall trace(op_info::nonzero);
  Tensor out = kernels::nonzero(contiguous(x));
  if (trace) trace.done({{"x", x}}, {{"out", out}});
  return out;
}

}  // namespace oploom
