// Generated from ops/layout.yaml by `make generate`. Do not edit.

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
#include "runtime/rules/layout.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- reshape ------------------------------------------------------------------- ops/layout.yaml:3
namespace {
struct ReshapeNode final : NodeOf<ReshapeNode, 1> {
  Dims x_shape;
  ReshapeNode() : NodeOf(op_info::reshape) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_reshape(out_grad, x_shape));
  }
};
}  // namespace

Tensor imperative_reshape(const Tensor& x, Ints shape_in) {
  TraceCall trace(op_info::reshape);
  const Dims shape = infer::target_shape("reshape", shape_in, x);
  infer::reshaped("reshape", x, shape);  // refuses what does not fit
  Tensor out = view_or_copy(x, kernels::reshape(x, shape), shape);
  if (recording(x)) {
    auto* node = new ReshapeNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("shape", shape));
  return out;
}

Tensor& imperative_reshape_(Tensor& x, Ints shape_in) {
  TraceCall trace(op_info::reshape_);
  const Dims shape = infer::target_shape("reshape_", shape_in, x);
  InplaceTarget target(op_info::reshape_, "x", x);
  infer::reshaped("reshape_", x, shape);  // refuses what does not fit
  Ref<ReshapeNode> node;
  if (has_history(x)) {
    node = Ref<ReshapeNode>::adopt(new ReshapeNode);
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  target.remap(kernels::reshape(x, shape), shape, std::move(node));  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("shape", shape), "x -> out");
  return x;
}

// --- squeeze ------------------------------------------------------------------ ops/layout.yaml:18
namespace {
struct SqueezeNode final : NodeOf<SqueezeNode, 1> {
  Dims x_shape;
  SqueezeNode() : NodeOf(op_info::squeeze) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_reshape(out_grad, x_shape));
  }
};
}  // namespace

Tensor imperative_squeeze(const Tensor& x, Ints axis_in) {
  TraceCall trace(op_info::squeeze);
  const Dims axis = infer::axes("squeeze", axis_in, x.rank());
  Tensor out = make_view(x, kernels::squeeze(x, axis));
  if (recording(x)) {
    auto* node = new SqueezeNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis));
  return out;
}

Tensor& imperative_squeeze_(Tensor& x, Ints axis_in) {
  TraceCall trace(op_info::squeeze_);
  const Dims axis = infer::axes("squeeze_", axis_in, x.rank());
  InplaceTarget target(op_info::squeeze_, "x", x);
  const ViewMap map = kernels::squeeze(x, axis);
  Ref<SqueezeNode> node;
  if (has_history(x)) {
    node = Ref<SqueezeNode>::adopt(new SqueezeNode);
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  target.remap(map, map.shape, std::move(node));  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("axis", axis), "x -> out");
  return x;
}

// --- unsqueeze ---------------------------------------------------------------- ops/layout.yaml:31
namespace {
struct UnsqueezeNode final : NodeOf<UnsqueezeNode, 1> {
  Dims x_shape;
  UnsqueezeNode() : NodeOf(op_info::unsqueeze) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_reshape(out_grad, x_shape));
  }
};
}  // namespace

Tensor imperative_unsqueeze(const Tensor& x, Ints axis) {
  TraceCall trace(op_info::unsqueeze);
  infer::unsqueezed("unsqueeze", x, axis);  // refuses what does not fit
  Tensor out = make_view(x, kernels::unsqueeze(x, axis));
  if (recording(x)) {
    auto* node = new UnsqueezeNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("axis", axis));
  return out;
}

Tensor& imperative_unsqueeze_(Tensor& x, Ints axis) {
  TraceCall trace(op_info::unsqueeze_);
  InplaceTarget target(op_info::unsqueeze_, "x", x);
  infer::unsqueezed("unsqueeze_", x, axis);  // refuses what does not fit
  const ViewMap map = kernels::unsqueeze(x, axis);
  Ref<UnsqueezeNode> node;
  if (has_history(x)) {
    node = Ref<UnsqueezeNode>::adopt(new UnsqueezeNode);
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  target.remap(map, map.shape, std::move(node));  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("axis", axis), "x -> out");
  return x;
}

// --- transpose ---------------------------------------------------------------- ops/layout.yaml:43
namespace {
struct TransposeNode final : NodeOf<TransposeNode, 1> {
  Like x_like;
  std::vector<std::int64_t> perm;
  TransposeNode() : NodeOf(op_info::transpose) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, x_like.bring(imperative_untranspose(out_grad, perm)));
  }
};
}  // namespace

Tensor imperative_transpose(const Tensor& x, Ints perm) {
  TraceCall trace(op_info::transpose);
  infer::transposed("transpose", x, perm);  // refuses what does not fit
  Tensor out = make_view(x, kernels::transpose(x, perm));
  if (recording(x)) {
    auto* node = new TransposeNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_like.set(x);
    node->perm.assign(perm.begin(), perm.end());
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("perm", perm));
  return out;
}

Tensor& imperative_transpose_(Tensor& x, Ints perm) {
  TraceCall trace(op_info::transpose_);
  InplaceTarget target(op_info::transpose_, "x", x);
  infer::transposed("transpose_", x, perm);  // refuses what does not fit
  const ViewMap map = kernels::transpose(x, perm);
  Ref<TransposeNode> node;
  if (has_history(x)) {
    node = Ref<TransposeNode>::adopt(new TransposeNode);
    node->connect(0, x);
    node->x_like.set(x);
    node->perm.assign(perm.begin(), perm.end());
  }
  target.remap(map, map.shape, std::move(node));  // version + 1
  if (trace) trace.done({{"x", x}}, {{"out", x}}, attributes_text("perm", perm), "x -> out");
  return x;
}

// --- untranspose -------------------------------------------------------------- ops/layout.yaml:55

Tensor imperative_untranspose(const Tensor& x, Ints perm) {
  TraceCall trace(op_info::untranspose);
  Tensor out = rules::untranspose(x, perm);
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("perm", perm));
  return out;
}

// --- expand ------------------------------------------------------------------- ops/layout.yaml:62
namespace {
struct ExpandNode final : NodeOf<ExpandNode, 1> {
  Dims x_shape;
  ExpandNode() : NodeOf(op_info::expand) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_sum_to(out_grad, x_shape));
  }
};
}  // namespace

Tensor imperative_expand(const Tensor& x, Ints shape) {
  TraceCall trace(op_info::expand);
  infer::expanded("expand", x, shape);  // refuses what does not fit
  Tensor out = make_view(x, kernels::expand(x, shape));
  if (recording(x)) {
    auto* node = new ExpandNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("shape", shape));
  return out;
}

// --- slice -------------------------------------------------------------------- ops/layout.yaml:76
namespace {
struct SliceNode final : NodeOf<SliceNode, 1> {
  Dims x_shape;
  Index index;
  SliceNode() : NodeOf(op_info::slice) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_slice_grad(out_grad, x_shape, index));
  }
};
}  // namespace

Tensor imperative_slice(const Tensor& x, const Index& index_in) {
  TraceCall trace(op_info::slice);
  const Index index = index_in.normalised("slice", x.shape());
  Tensor out = make_view(x, kernels::slice(x, index));
  if (recording(x)) {
    auto* node = new SliceNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->index = index;
  }
  if (trace) trace.done({{"x", x}}, {{"out", out}}, attributes_text("index", index));
  return out;
}

// --- slice_grad --------------------------------------------------------------- ops/layout.yaml:87
namespace {
struct SliceGradNode final : NodeOf<SliceGradNode, 1> {
  Like out_grad_like;
  Index index;
  SliceGradNode() : NodeOf(op_info::slice_grad) {}
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) give(0, out_grad_like.bring(imperative_slice(x_grad_grad, index)));
  }
};
}  // namespace

Tensor imperative_slice_grad(const Tensor& out_grad, Ints shape, const Index& index) {
  TraceCall trace(op_info::slice_grad);
  Tensor x_grad = empty(shape, out_grad.dtype());
  kernels::slice_grad(contiguous(out_grad), shape, index, x_grad);
  if (recording(out_grad)) {
    auto* node = new SliceGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad);
    node->index = index;
  }
  if (trace) {
    trace.done({{"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("shape", shape, "index", index));
  }
  return x_grad;
}

// --- set_item ----------------------------------------------------------------- ops/layout.yaml:99
namespace {
struct SetItemNode final : NodeOf<SetItemNode, 2> {
  Like value_like;
  Index index;
  SetItemNode() : NodeOf(op_info::set_item) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) give(1, value_like.bring(imperative_clone(imperative_slice(out_grad, index))));
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_set_item_(gradient, 0, index);
      else gradient = imperative_set_item(gradient, 0, index);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_set_item(const Tensor& x, const Operand& value_in, const Index& index_in) {
  TraceCall trace(op_info::set_item);
  const Tensor& value = value_in;
  const Index index = index_in.normalised("set_item", x.shape());
  Tensor out = empty(infer::assigned("set_item", x, value, index), x.dtype());
  kernels::set_item(contiguous(x), prepared(value, x.dtype()), index, out);
  if (is_float(out.dtype()) && recording(x, value)) {
    auto* node = new SetItemNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->index = index;
  }
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", out}}, attributes_text("index", index));
  }
  return out;
}

Tensor& imperative_set_item_(Tensor& x, const Operand& value_in, const Index& index_in) {
  TraceCall trace(op_info::set_item_);
  const Tensor& value = value_in;
  const Index index = index_in.normalised("set_item_", x.shape());
  InplaceTarget target(op_info::set_item_, "x", x);
  target.fits(infer::assigned("set_item_", x, value, index), x.dtype());
  target.part(kernels::slice(x, index));
  const Tensor x_read = contiguous(x);
  const Tensor value_read = prepared(target.before(value, false), x.dtype());
  Tensor& result = target.contiguous_target(x);
  Ref<SetItemNode> node;
  if (is_float(x.dtype()) && recording(x, value)) {
    node = Ref<SetItemNode>::adopt(new SetItemNode);
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->index = index;
  }
  target.prepare(std::move(node));
  kernels::set_item(x_read, value_read, index, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", x}}, attributes_text("index", index),
               "x -> out");
  }
  return x;
}

// --- split ------------------------------------------------------------------- ops/layout.yaml:116

std::vector<Tensor> imperative_split(const Tensor& x, Ints num_or_sections, std::int64_t axis_in) {
  TraceCall trace(op_info::split);
  const std::int64_t axis = infer::axis("split", axis_in, x.rank());
  std::vector<Tensor> out = rules::split(x, num_or_sections, axis);
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("num_or_sections", num_or_sections, "axis", axis));
  }
  return out;
}

// --- split_sections ---------------------------------------------------------- ops/layout.yaml:127

std::vector<Tensor> imperative_split_sections(const Tensor& x, Ints sections,
                                              std::int64_t axis_in) {
  TraceCall trace(op_info::split_sections);
  const std::int64_t axis = infer::axis("split_sections", axis_in, x.rank());
  std::vector<Tensor> out = rules::split_sections(x, sections, axis);
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}}, attributes_text("sections", sections, "axis", axis));
  }
  return out;
}

// --- section ----------------------------------------------------------------- ops/layout.yaml:139
namespace {
struct SectionNode final : NodeOf<SectionNode, 1> {
  Dims x_shape;
  std::vector<std::int64_t> sections;
  std::int64_t i;
  std::int64_t axis;
  SectionNode() : NodeOf(op_info::section) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_section_grad(out_grad, x_shape, sections, i, axis));
  }
};
}  // namespace

Tensor imperative_section(const Tensor& x, Ints sections, std::int64_t i, std::int64_t axis_in) {
  TraceCall trace(op_info::section);
  const std::int64_t axis = infer::axis("section", axis_in, x.rank());
  infer::section_shape("section", x, sections, i, axis);  // refuses what does not fit
  Tensor out = make_view(x, kernels::section(x, sections, i, axis));
  if (recording(x)) {
    auto* node = new SectionNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->sections.assign(sections.begin(), sections.end());
    node->i = i;
    node->axis = axis;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("sections", sections, "i", i, "axis", axis));
  }
  return out;
}

// --- section_grad ------------------------------------------------------------ ops/layout.yaml:156
namespace {
struct SectionGradNode final : NodeOf<SectionGradNode, 1> {
  Like out_grad_like;
  std::vector<std::int64_t> sections;
  std::int64_t i;
  std::int64_t axis;
  SectionGradNode() : NodeOf(op_info::section_grad) {}
  void backward() override {
    const Tensor& x_grad_grad = grad(0);
    if (needs(0)) give(0, out_grad_like.bring(imperative_section(x_grad_grad, sections, i, axis)));
  }
};
}  // namespace

Tensor imperative_section_grad(const Tensor& out_grad, Ints shape, Ints sections, std::int64_t i,
                               std::int64_t axis_in) {
  TraceCall trace(op_info::section_grad);
  const std::int64_t axis = infer::axis("section_grad", axis_in, out_grad.rank());
  Tensor x_grad = empty(infer::whole_of_section("section_grad", out_grad, shape, sections, i, axis),
                        out_grad.dtype());
  kernels::section_grad(contiguous(out_grad), shape, sections, i, axis, x_grad);
  if (recording(out_grad)) {
    auto* node = new SectionGradNode;
    set_history(x_grad, Ref<Node>::adopt(node));
    node->connect(0, out_grad);
    node->out_grad_like.set(out_grad);
    node->sections.assign(sections.begin(), sections.end());
    node->i = i;
    node->axis = axis;
  }
  if (trace) {
    trace.done({{"out_grad", out_grad}}, {{"x_grad", x_grad}},
               attributes_text("shape", shape, "sections", sections, "i", i, "axis", axis));
  }
  return x_grad;
}

// --- set_section ------------------------------------------------------------- ops/layout.yaml:170
namespace {
struct SetSectionNode final : NodeOf<SetSectionNode, 2> {
  Like value_like;
  std::vector<std::int64_t> sections;
  std::int64_t i;
  std::int64_t axis;
  SetSectionNode() : NodeOf(op_info::set_section) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) {
      Tensor gradient = imperative_clone(imperative_section(out_grad, sections, i, axis));
      give(1, value_like.bring(std::move(gradient)));
    }
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_set_section_(gradient, 0, sections, i, axis);
      else gradient = imperative_set_section(gradient, 0, sections, i, axis);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_set_section(const Tensor& x, const Operand& value_in, Ints sections,
                              std::int64_t i, std::int64_t axis_in) {
  TraceCall trace(op_info::set_section);
  const Tensor& value = value_in;
  const std::int64_t axis = infer::axis("set_section", axis_in, x.rank());
  Tensor out = empty(infer::set_in_section("set_section", x, value, sections, i, axis), x.dtype());
  kernels::set_section(contiguous(x), prepared(value, x.dtype()), sections, i, axis, out);
  if (is_float(out.dtype()) && recording(x, value)) {
    auto* node = new SetSectionNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->sections.assign(sections.begin(), sections.end());
    node->i = i;
    node->axis = axis;
  }
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", out}},
               attributes_text("sections", sections, "i", i, "axis", axis));
  }
  return out;
}

Tensor& imperative_set_section_(Tensor& x, const Operand& value_in, Ints sections, std::int64_t i,
                                std::int64_t axis_in) {
  TraceCall trace(op_info::set_section_);
  const Tensor& value = value_in;
  const std::int64_t axis = infer::axis("set_section_", axis_in, x.rank());
  InplaceTarget target(op_info::set_section_, "x", x);
  target.fits(infer::set_in_section("set_section_", x, value, sections, i, axis), x.dtype());
  const Tensor x_read = contiguous(x);
  const Tensor value_read = prepared(target.before(value, false), x.dtype());
  Tensor& result = target.contiguous_target(x);
  Ref<SetSectionNode> node;
  if (is_float(x.dtype()) && recording(x, value)) {
    node = Ref<SetSectionNode>::adopt(new SetSectionNode);
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->sections.assign(sections.begin(), sections.end());
    node->i = i;
    node->axis = axis;
  }
  target.prepare(std::move(node));
  kernels::set_section(x_read, value_read, sections, i, axis, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", x}},
               attributes_text("sections", sections, "i", i, "axis", axis), "x -> out");
  }
  return x;
}

// --- concat ------------------------------------------------------------------ ops/layout.yaml:190
namespace {
struct ConcatNode final : ListNodeOf<ConcatNode> {
  LikeList xs_like;
  std::vector<std::int64_t> xs_sizes;
  std::int64_t axis;
  explicit ConcatNode(std::size_t inputs) : ListNodeOf(op_info::concat, inputs) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs_from(0)) {
      give_list(0, xs_like.bring(imperative_split_sections(out_grad, xs_sizes, axis)));
    }
  }
};
}  // namespace

Tensor imperative_concat(TensorList xs, std::int64_t axis_in) {
  TraceCall trace(op_info::concat);
  const std::int64_t axis = xs.empty() ? axis_in : infer::axis("concat", axis_in, xs[0].rank());
  Tensor out = empty(infer::concat_shape("concat", xs, axis), infer::promoted(xs));
  kernels::concat(prepared(xs, infer::promoted(xs)), axis, out);
  if (recording(xs)) {
    auto* node = new ConcatNode(xs.size());
    set_history(out, Ref<Node>::adopt(node));
    node->connect_list(0, xs);
    node->xs_like.set(xs);
    node->xs_sizes = sizes(xs, axis);
    node->axis = axis;
  }
  if (trace) trace.done({{"xs", xs}}, {{"out", out}}, attributes_text("axis", axis));
  return out;
}

// --- part -------------------------------------------------------------------- ops/layout.yaml:202
namespace {
struct PartNode final : NodeOf<PartNode, 1> {
  Dims x_shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset;
  PartNode() : NodeOf(op_info::part) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_embed(out_grad, x_shape, strides, offset));
  }
};
}  // namespace

Tensor imperative_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  TraceCall trace(op_info::part);
  Tensor out = empty(shape, x.dtype());
  kernels::part(contiguous(x), shape, strides, offset, out);
  if (recording(x)) {
    auto* node = new PartNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("shape", shape, "strides", strides, "offset", offset));
  }
  return out;
}

// --- embed ------------------------------------------------------------------- ops/layout.yaml:216
namespace {
struct EmbedNode final : NodeOf<EmbedNode, 1> {
  Dims x_shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset;
  EmbedNode() : NodeOf(op_info::embed) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(0)) give(0, imperative_part(out_grad, x_shape, strides, offset));
  }
};
}  // namespace

Tensor imperative_embed(const Tensor& x, Ints root_shape, Ints strides, std::int64_t offset) {
  TraceCall trace(op_info::embed);
  Tensor out = empty(root_shape, x.dtype());
  kernels::embed(contiguous(x), root_shape, strides, offset, out);
  if (recording(x)) {
    auto* node = new EmbedNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->x_shape = x.shape();
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("root_shape", root_shape, "strides", strides, "offset", offset));
  }
  return out;
}

// --- write_part -------------------------------------------------------------- ops/layout.yaml:230
namespace {
struct WritePartNode final : NodeOf<WritePartNode, 2> {
  Like value_like;
  Dims value_shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset;
  WritePartNode() : NodeOf(op_info::write_part) {}
  void backward() override {
    const Tensor& out_grad = grad(0);
    if (needs(1)) {
      give(1, value_like.bring(imperative_part(out_grad, value_shape, strides, offset)));
    }
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_clear_part_(gradient, value_shape, strides, offset);
      else gradient = imperative_clear_part(gradient, value_shape, strides, offset);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_write_part(const Tensor& x, const Tensor& value, Ints strides,
                             std::int64_t offset) {
  TraceCall trace(op_info::write_part);
  Tensor out = empty_like(x, x.dtype());
  kernels::write_part(contiguous(x), prepared(value, x.dtype()), strides, offset, out);
  if (is_float(out.dtype()) && recording(x, value)) {
    auto* node = new WritePartNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->value_shape = value.shape();
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", out}},
               attributes_text("strides", strides, "offset", offset));
  }
  return out;
}

Tensor& imperative_write_part_(Tensor& x, const Tensor& value, Ints strides, std::int64_t offset) {
  TraceCall trace(op_info::write_part_);
  InplaceTarget target(op_info::write_part_, "x", x);
  const Tensor x_read = contiguous(x);
  const Tensor value_read = prepared(target.before(value, false), x.dtype());
  Tensor& result = target.contiguous_target(x);
  Ref<WritePartNode> node;
  if (is_float(x.dtype()) && recording(x, value)) {
    node = Ref<WritePartNode>::adopt(new WritePartNode);
    node->connect(0, x);
    node->connect(1, value);
    node->value_like.set(value);
    node->value_shape = value.shape();
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  target.prepare(std::move(node));
  kernels::write_part(x_read, value_read, strides, offset, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}, {"value", value}}, {{"out", x}},
               attributes_text("strides", strides, "offset", offset), "x -> out");
  }
  return x;
}

// --- clear_part -------------------------------------------------------------- ops/layout.yaml:248
namespace {
struct ClearPartNode final : NodeOf<ClearPartNode, 1> {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset;
  ClearPartNode() : NodeOf(op_info::clear_part) {}
  void backward() override {
    if (needs(0)) {
      Tensor gradient = take_grad(0);
      if (reusable(gradient)) imperative_clear_part_(gradient, shape, strides, offset);
      else gradient = imperative_clear_part(gradient, shape, strides, offset);
      give(0, std::move(gradient));
    }
  }
};
}  // namespace

Tensor imperative_clear_part(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  TraceCall trace(op_info::clear_part);
  Tensor out = empty_like(x, x.dtype());
  kernels::clear_part(contiguous(x), shape, strides, offset, out);
  if (recording(x)) {
    auto* node = new ClearPartNode;
    set_history(out, Ref<Node>::adopt(node));
    node->connect(0, x);
    node->shape.assign(shape.begin(), shape.end());
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  if (trace) {
    trace.done({{"x", x}}, {{"out", out}},
               attributes_text("shape", shape, "strides", strides, "offset", offset));
  }
  return out;
}

Tensor& imperative_clear_part_(Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  TraceCall trace(op_info::clear_part_);
  InplaceTarget target(op_info::clear_part_, "x", x);
  const Tensor x_read = contiguous(x);
  Tensor& result = target.contiguous_target(x);
  Ref<ClearPartNode> node;
  if (recording(x)) {
    node = Ref<ClearPartNode>::adopt(new ClearPartNode);
    node->connect(0, x);
    node->shape.assign(shape.begin(), shape.end());
    node->strides.assign(strides.begin(), strides.end());
    node->offset = offset;
  }
  target.prepare(std::move(node));
  kernels::clear_part(x_read, shape, strides, offset, result);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}},
               attributes_text("shape", shape, "strides", strides, "offset", offset), "x -> out");
  }
  return x;
}

}  // namespace oploom
