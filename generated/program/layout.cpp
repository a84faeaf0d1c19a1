// Generated from ops/layout.yaml by `make generate`. Do not edit.

#include <span>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"
#include "runtime/rules/layout.h"

namespace oploom::program {

// --- reshape ------------------------------------------------------------------- ops/layout.yaml:3
namespace {
constexpr InputDef kReshapeInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kReshapeAttributes[] = {{"shape", "shape"}};
constexpr OutputDef kReshapeOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kReshapePairs[] = {{0, 0}};

void normalise_reshape(Op& op) { emitted::normalise_shape(op, 0, 0); }

void infer_reshape(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::reshaped("reshape", x, shape)));
}

void run_reshape(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Dims shape = emitted::shape_now(frame, 0, 0);
  const Dims out_shape = infer::reshaped("reshape", x, shape);
  frame.output(0) = emitted::view_or_copy(x, kernels::reshape(x, shape), out_shape);
}

void vjp_reshape(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::reshape(out_grad, program::shape(x)));
}

Value* write_reshape(const Op& op, Value* input, Value* part) {
  static_cast<void>(op);
  return ops::reshape(part, program::shape(input));
}
}  // namespace

const OpDef defs::kReshape{
    .name = "reshape",
    .inplace_name = "reshape_",
    .inputs = kReshapeInputs,
    .attributes = kReshapeAttributes,
    .outputs = kReshapeOutputs,
    .inplace_pairs = kReshapePairs,
    .flags = OpDef::kView | OpDef::kViewMayCopy,
    .normalise = normalise_reshape,
    .compose = nullptr,
    .infer = infer_reshape,
    .check = nullptr,
    .run = run_reshape,
    .vjp = vjp_reshape,
    .no_gradient = nullptr,
    .write = write_reshape,
};

Value* ops::reshape(Value* x, const Numbers& shape) {
  return emitted::OpCall(defs::kReshape).in(x).attr(shape).one();
}

// --- squeeze ------------------------------------------------------------------ ops/layout.yaml:18
namespace {
constexpr InputDef kSqueezeInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kSqueezeAttributes[] = {
    {"axis", "axes", [] { return Attribute(emitted::Lengths{}); }},
};
constexpr OutputDef kSqueezeOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSqueezePairs[] = {{0, 0}};

void normalise_squeeze(Op& op) { emitted::normalise_axes(op, 0, 0); }

void infer_squeeze(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints axis = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::squeezed("squeeze", x, axis)));
}

void run_squeeze(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Dims axis = emitted::axes_now(frame, 0, 0);
  frame.output(0) = emitted::view(x, kernels::squeeze(x, axis));
  emitted::expect_rank(frame, "axis", axis);
}

void vjp_squeeze(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::reshape(out_grad, program::shape(x)));
}

Value* write_squeeze(const Op& op, Value* input, Value* part) {
  static_cast<void>(op);
  return ops::reshape(part, program::shape(input));
}
}  // namespace

const OpDef defs::kSqueeze{
    .name = "squeeze",
    .inplace_name = "squeeze_",
    .inputs = kSqueezeInputs,
    .attributes = kSqueezeAttributes,
    .outputs = kSqueezeOutputs,
    .inplace_pairs = kSqueezePairs,
    .flags = OpDef::kView,
    .normalise = normalise_squeeze,
    .compose = nullptr,
    .infer = infer_squeeze,
    .check = nullptr,
    .run = run_squeeze,
    .vjp = vjp_squeeze,
    .no_gradient = nullptr,
    .write = write_squeeze,
};

Value* ops::squeeze(Value* x, const Numbers& axis) {
  return emitted::OpCall(defs::kSqueeze).in(x).attr(axis).one();
}

// --- unsqueeze ---------------------------------------------------------------- ops/layout.yaml:31
namespace {
constexpr InputDef kUnsqueezeInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kUnsqueezeAttributes[] = {
    {"axis", "int[]", [] { return Attribute(emitted::Lengths{}); }},
};
constexpr OutputDef kUnsqueezeOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kUnsqueezePairs[] = {{0, 0}};

void infer_unsqueeze(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints axis = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::unsqueezed("unsqueeze", x, axis)));
}

void run_unsqueeze(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints axis = frame.attribute<emitted::Lengths>(0);
  infer::unsqueezed("unsqueeze", x, axis);  // refuses what does not fit
  frame.output(0) = emitted::view(x, kernels::unsqueeze(x, axis));
}

void vjp_unsqueeze(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::reshape(out_grad, program::shape(x)));
}

Value* write_unsqueeze(const Op& op, Value* input, Value* part) {
  static_cast<void>(op);
  return ops::reshape(part, program::shape(input));
}
}  // namespace

const OpDef defs::kUnsqueeze{
    .name = "unsqueeze",
    .inplace_name = "unsqueeze_",
    .inputs = kUnsqueezeInputs,
    .attributes = kUnsqueezeAttributes,
    .outputs = kUnsqueezeOutputs,
    .inplace_pairs = kUnsqueezePairs,
    .flags = OpDef::kView,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_unsqueeze,
    .check = nullptr,
    .run = run_unsqueeze,
    .vjp = vjp_unsqueeze,
    .no_gradient = nullptr,
    .write = write_unsqueeze,
};

Value* ops::unsqueeze(Value* x, const Numbers& axis) {
  return emitted::OpCall(defs::kUnsqueeze).in(x).attr(axis).one();
}

// --- transpose ---------------------------------------------------------------- ops/layout.yaml:43
namespace {
constexpr InputDef kTransposeInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kTransposeAttributes[] = {{"perm", "int[]"}};
constexpr OutputDef kTransposeOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kTransposePairs[] = {{0, 0}};

void infer_transpose(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints perm = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::transposed("transpose", x, perm)));
}

void run_transpose(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints perm = frame.attribute<emitted::Lengths>(0);
  infer::transposed("transpose", x, perm);  // refuses what does not fit
  frame.output(0) = emitted::view(x, kernels::transpose(x, perm));
}

void vjp_transpose(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers perm = emitted::numbers(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::untranspose(out_grad, perm));
}

Value* write_transpose(const Op& op, Value* input, Value* part) {
  static_cast<void>(input);
  const Numbers perm = emitted::numbers(op, 0);
  return ops::untranspose(part, perm);
}
}  // namespace

const OpDef defs::kTranspose{
    .name = "transpose",
    .inplace_name = "transpose_",
    .inputs = kTransposeInputs,
    .attributes = kTransposeAttributes,
    .outputs = kTransposeOutputs,
    .inplace_pairs = kTransposePairs,
    .flags = OpDef::kView,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_transpose,
    .check = nullptr,
    .run = run_transpose,
    .vjp = vjp_transpose,
    .no_gradient = nullptr,
    .write = write_transpose,
};

Value* ops::transpose(Value* x, const Numbers& perm) {
  return emitted::OpCall(defs::kTranspose).in(x).attr(perm).one();
}

// --- untranspose -------------------------------------------------------------- ops/layout.yaml:55
namespace {
constexpr InputDef kUntransposeInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kUntransposeAttributes[] = {{"perm", "int[]"}};
constexpr OutputDef kUntransposeOutputs[] = {{"out", false, true, false}};

std::vector<Value*> compose_untranspose(const Op& op) {
  Value* x = op.input(0);
  const Numbers perm = emitted::numbers(op, 0);
  return {rules::untranspose(x, perm)};
}
}  // namespace

const OpDef defs::kUntranspose{
    .name = "untranspose",
    .inplace_name = nullptr,
    .inputs = kUntransposeInputs,
    .attributes = kUntransposeAttributes,
    .outputs = kUntransposeOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = compose_untranspose,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::untranspose(Value* x, const Numbers& perm) {
  return emitted::OpCall(defs::kUntranspose).in(x).attr(perm).one();
}

// --- expand ------------------------------------------------------------------- ops/layout.yaml:62
namespace {
constexpr InputDef kExpandInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kExpandAttributes[] = {{"shape", "int[]"}};
constexpr OutputDef kExpandOutputs[] = {{"out", false, true, false}};

void infer_expand(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype,
                                infer::expanded("expand", x, shape, emitted::is_later(op, 0))));
}

void run_expand(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  infer::expanded("expand", x, shape);  // refuses what does not fit
  frame.output(0) = emitted::view(x, kernels::expand(x, shape));
}

void vjp_expand(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::sum_to(out_grad, program::shape(x)));
}

Value* write_expand(const Op& op, Value* input, Value* part) {
  static_cast<void>(op);
  return ops::reshape(part, program::shape(input));
}
}  // namespace

const OpDef defs::kExpand{
    .name = "expand",
    .inplace_name = nullptr,
    .inputs = kExpandInputs,
    .attributes = kExpandAttributes,
    .outputs = kExpandOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kView,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_expand,
    .check = nullptr,
    .run = run_expand,
    .vjp = vjp_expand,
    .no_gradient = nullptr,
    .write = write_expand,
};

Value* ops::expand(Value* x, const Numbers& shape) {
  return emitted::OpCall(defs::kExpand).in(x).attr(shape).one();
}

// --- slice -------------------------------------------------------------------- ops/layout.yaml:76
namespace {
constexpr InputDef kSliceInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kSliceAttributes[] = {{"index", "index"}};
constexpr OutputDef kSliceOutputs[] = {{"out", false, true, false}};

void normalise_slice(Op& op) { emitted::normalise_index(op, 0, 0); }

void infer_slice(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Index& index = emitted::attribute<Index>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::sliced("slice", x, index)));
}

void run_slice(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Index index = emitted::index_now(frame, 0, 0);
  frame.output(0) = emitted::view(x, kernels::slice(x, index));
}

void vjp_slice(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Index& index = emitted::attribute<Index>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::slice_grad(out_grad, program::shape(x), index));
}

Value* write_slice(const Op& op, Value* input, Value* part) {
  const Index& index = emitted::attribute<Index>(op, 0);
  return ops::set_item(input, part, index);
}
}  // namespace

const OpDef defs::kSlice{
    .name = "slice",
    .inplace_name = nullptr,
    .inputs = kSliceInputs,
    .attributes = kSliceAttributes,
    .outputs = kSliceOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kView,
    .normalise = normalise_slice,
    .compose = nullptr,
    .infer = infer_slice,
    .check = nullptr,
    .run = run_slice,
    .vjp = vjp_slice,
    .no_gradient = nullptr,
    .write = write_slice,
};

Value* ops::slice(Value* x, const Index& index) {
  return emitted::OpCall(defs::kSlice).in(x).attr(index).one();
}

// --- slice_grad --------------------------------------------------------------- ops/layout.yaml:87
namespace {
constexpr InputDef kSliceGradInputs[] = {{"out_grad", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSliceGradAttributes[] = {{"shape", "int[]"}, {"index", "index"}};
constexpr OutputDef kSliceGradOutputs[] = {{"x_grad", false, true, false}};

void normalise_slice_grad(Op& op) { emitted::normalise_within(op, 1, 0); }

void infer_slice_grad(const Op& op, std::vector<Type>& results) {
  const Meta out_grad = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(out_grad.dtype, shape));
}

void run_slice_grad(RunFrame& frame) {
  const Tensor& out_grad = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const Index index = emitted::index_within(frame, 1, 0);
  infer::expect_lengths("slice_grad", "shape", shape);
  kernels::check_slice_grad("slice_grad", out_grad, shape, index);
  Tensor& x_grad_result = frame.put(0, empty(shape, out_grad.dtype()));
  kernels::slice_grad(contiguous(out_grad), shape, index, x_grad_result);
}

void vjp_slice_grad(Vjp& vjp) {
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Index& index = emitted::attribute<Index>(op, 1);
  if (vjp.needs(0)) vjp.give(0, ops::slice(x_grad_grad, index));
}
}  // namespace

const OpDef defs::kSliceGrad{
    .name = "slice_grad",
    .inplace_name = nullptr,
    .inputs = kSliceGradInputs,
    .attributes = kSliceGradAttributes,
    .outputs = kSliceGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = normalise_slice_grad,
    .compose = nullptr,
    .infer = infer_slice_grad,
    .check = nullptr,
    .run = run_slice_grad,
    .vjp = vjp_slice_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::slice_grad(Value* out_grad, const Numbers& shape, const Index& index) {
  return emitted::OpCall(defs::kSliceGrad).in(out_grad).attr(shape).attr(index).one();
}

// --- set_item ----------------------------------------------------------------- ops/layout.yaml:99
namespace {
constexpr InputDef kSetItemInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"value", InputDef::Kind::kOperand, true, false},
};
constexpr AttributeDef kSetItemAttributes[] = {{"index", "index"}};
constexpr OutputDef kSetItemOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSetItemPairs[] = {{0, 0}};

void normalise_set_item(Op& op) { emitted::normalise_index(op, 0, 0); }

void infer_set_item(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta value = emitted::meta(op, 1);
  const Index& index = emitted::attribute<Index>(op, 0);
  results.push_back(tensor_type(x.dtype, infer::assigned("set_item", x, value, index)));
}

void run_set_item(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& value = frame.plain_input(1);
  const Index index = emitted::index_now(frame, 0, 0);
  if (frame.must_fit) {
    emitted::expect_fits(frame.op, "x", x, infer::assigned("set_item", x, value, index), x.dtype());
  }
  Tensor& out_result = frame.put(
      0, emitted::result_apart(frame, 0, infer::assigned("set_item", x, value, index), x.dtype()));
  kernels::set_item(contiguous(x), prepared(value, x.dtype()), index, out_result);
}

void vjp_set_item(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Index& index = emitted::attribute<Index>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::set_item(out_grad, 0, index));
  if (vjp.needs(1)) vjp.give(1, ops::clone(ops::slice(out_grad, index)));
}
}  // namespace

const OpDef defs::kSetItem{
    .name = "set_item",
    .inplace_name = "set_item_",
    .inputs = kSetItemInputs,
    .attributes = kSetItemAttributes,
    .outputs = kSetItemOutputs,
    .inplace_pairs = kSetItemPairs,
    .flags = OpDef::kWritesPart,
    .normalise = normalise_set_item,
    .compose = nullptr,
    .infer = infer_set_item,
    .check = nullptr,
    .run = run_set_item,
    .vjp = vjp_set_item,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::set_item(Value* x, const ValueOperand& value, const Index& index) {
  return emitted::OpCall(defs::kSetItem).in(x).in(value).attr(index).one();
}

// --- split ------------------------------------------------------------------- ops/layout.yaml:116
namespace {
constexpr InputDef kSplitInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSplitAttributes[] = {
    {"num_or_sections", "int[]"},
    {"axis", "axis", [] { return Attribute(std::int64_t{0}); }},
};
constexpr OutputDef kSplitOutputs[] = {{"out", false, true, true}};

void normalise_split(Op& op) { emitted::normalise_axis(op, 1, 0); }

std::vector<Value*> compose_split(const Op& op) {
  Value* x = op.input(0);
  const Numbers num_or_sections = emitted::numbers(op, 0);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 1);
  return rules::split(x, num_or_sections, axis);
}
}  // namespace

const OpDef defs::kSplit{
    .name = "split",
    .inplace_name = nullptr,
    .inputs = kSplitInputs,
    .attributes = kSplitAttributes,
    .outputs = kSplitOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_split,
    .compose = compose_split,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

std::vector<Value*> ops::split(Value* x, const Numbers& num_or_sections, std::int64_t axis) {
  return emitted::OpCall(defs::kSplit).in(x).attr(num_or_sections).attr(axis).all();
}

// --- split_sections ---------------------------------------------------------- ops/layout.yaml:127
namespace {
constexpr InputDef kSplitSectionsInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSplitSectionsAttributes[] = {{"sections", "int[]"}, {"axis", "axis"}};
constexpr OutputDef kSplitSectionsOutputs[] = {{"out", false, true, true}};

void normalise_split_sections(Op& op) { emitted::normalise_axis(op, 1, 0); }

std::vector<Value*> compose_split_sections(const Op& op) {
  Value* x = op.input(0);
  const Numbers sections = emitted::numbers(op, 0);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 1);
  return rules::split_sections(x, sections, axis);
}
}  // namespace

const OpDef defs::kSplitSections{
    .name = "split_sections",
    .inplace_name = nullptr,
    .inputs = kSplitSectionsInputs,
    .attributes = kSplitSectionsAttributes,
    .outputs = kSplitSectionsOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = normalise_split_sections,
    .compose = compose_split_sections,
    .infer = nullptr,
    .check = nullptr,
    .run = nullptr,
    .vjp = nullptr,
    .no_gradient = nullptr,
    .write = nullptr,
};

std::vector<Value*> ops::split_sections(Value* x, const Numbers& sections, std::int64_t axis) {
  return emitted::OpCall(defs::kSplitSections).in(x).attr(sections).attr(axis).all();
}

// --- section ----------------------------------------------------------------- ops/layout.yaml:139
namespace {
constexpr InputDef kSectionInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kSectionAttributes[] = {
    {"sections", "int[]"},
    {"i", "int"},
    {"axis", "axis"},
};
constexpr OutputDef kSectionOutputs[] = {{"out", false, true, false}};

void normalise_section(Op& op) { emitted::normalise_axis(op, 2, 0); }

void infer_section(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints sections = emitted::attribute<emitted::Lengths>(op, 0);
  const std::int64_t i = emitted::attribute<std::int64_t>(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 2);
  results.push_back(tensor_type(x.dtype, infer::section_shape("section", x, sections, i, axis)));
}

void run_section(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints sections = frame.attribute<emitted::Lengths>(0);
  const std::int64_t i = frame.attribute<std::int64_t>(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(2);
  kernels::check_section("section", x, sections, i, axis);
  infer::section_shape("section", x, sections, i, axis);  // refuses what does not fit
  frame.output(0) = emitted::view(x, kernels::section(x, sections, i, axis));
}

void vjp_section(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers sections = emitted::numbers(op, 0);
  const Number i = emitted::number(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 2);
  if (vjp.needs(0)) vjp.give(0, ops::section_grad(out_grad, program::shape(x), sections, i, axis));
}

Value* write_section(const Op& op, Value* input, Value* part) {
  const Numbers sections = emitted::numbers(op, 0);
  const Number i = emitted::number(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 2);
  return ops::set_section(input, part, sections, i, axis);
}
}  // namespace

const OpDef defs::kSection{
    .name = "section",
    .inplace_name = nullptr,
    .inputs = kSectionInputs,
    .attributes = kSectionAttributes,
    .outputs = kSectionOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kView | OpDef::kInternal,
    .normalise = normalise_section,
    .compose = nullptr,
    .infer = infer_section,
    .check = nullptr,
    .run = run_section,
    .vjp = vjp_section,
    .no_gradient = nullptr,
    .write = write_section,
};

Value* ops::section(Value* x, const Numbers& sections, const Number& i, std::int64_t axis) {
  return emitted::OpCall(defs::kSection).in(x).attr(sections).attr(i).attr(axis).one();
}

// --- section_grad ------------------------------------------------------------ ops/layout.yaml:156
namespace {
constexpr InputDef kSectionGradInputs[] = {{"out_grad", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kSectionGradAttributes[] = {
    {"shape", "int[]"},
    {"sections", "int[]"},
    {"i", "int"},
    {"axis", "axis"},
};
constexpr OutputDef kSectionGradOutputs[] = {{"x_grad", false, true, false}};

void normalise_section_grad(Op& op) { emitted::normalise_axis(op, 3, 0); }

void infer_section_grad(const Op& op, std::vector<Type>& results) {
  const Meta out_grad = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const Ints sections = emitted::attribute<emitted::Lengths>(op, 1);
  const std::int64_t i = emitted::attribute<std::int64_t>(op, 2);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 3);
  results.push_back(tensor_type(out_grad.dtype,
                                infer::whole_of_section("section_grad", out_grad, shape, sections,
                                                        i, axis)));
}

void run_section_grad(RunFrame& frame) {
  const Tensor& out_grad = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const Ints sections = frame.attribute<emitted::Lengths>(1);
  const std::int64_t i = frame.attribute<std::int64_t>(2);
  const std::int64_t axis = frame.attribute<std::int64_t>(3);
  kernels::check_section_grad("section_grad", out_grad, shape, sections, i, axis);
  Tensor& x_grad_result = frame.put(0,
                                    empty(infer::whole_of_section("section_grad", out_grad, shape,
                                                                  sections, i, axis),
                                          out_grad.dtype()));
  kernels::section_grad(contiguous(out_grad), shape, sections, i, axis, x_grad_result);
}

void vjp_section_grad(Vjp& vjp) {
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers sections = emitted::numbers(op, 1);
  const Number i = emitted::number(op, 2);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 3);
  if (vjp.needs(0)) vjp.give(0, ops::section(x_grad_grad, sections, i, axis));
}
}  // namespace

const OpDef defs::kSectionGrad{
    .name = "section_grad",
    .inplace_name = nullptr,
    .inputs = kSectionGradInputs,
    .attributes = kSectionGradAttributes,
    .outputs = kSectionGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = normalise_section_grad,
    .compose = nullptr,
    .infer = infer_section_grad,
    .check = nullptr,
    .run = run_section_grad,
    .vjp = vjp_section_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::section_grad(Value* out_grad, const Numbers& shape, const Numbers& sections,
                         const Number& i, std::int64_t axis) {
  emitted::OpCall call(defs::kSectionGrad);
  call.in(out_grad).attr(shape).attr(sections).attr(i).attr(axis);
  return call.one();
}

// --- set_section ------------------------------------------------------------- ops/layout.yaml:170
namespace {
constexpr InputDef kSetSectionInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"value", InputDef::Kind::kOperand, true, false},
};
constexpr AttributeDef kSetSectionAttributes[] = {
    {"sections", "int[]"},
    {"i", "int"},
    {"axis", "axis"},
};
constexpr OutputDef kSetSectionOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kSetSectionPairs[] = {{0, 0}};

void normalise_set_section(Op& op) { emitted::normalise_axis(op, 2, 0); }

void infer_set_section(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta value = emitted::meta(op, 1);
  const Ints sections = emitted::attribute<emitted::Lengths>(op, 0);
  const std::int64_t i = emitted::attribute<std::int64_t>(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 2);
  results.push_back(tensor_type(x.dtype,
                                infer::set_in_section("set_section", x, value, sections, i, axis)));
}

void run_set_section(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& value = frame.plain_input(1);
  const Ints sections = frame.attribute<emitted::Lengths>(0);
  const std::int64_t i = frame.attribute<std::int64_t>(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(2);
  kernels::check_set_section("set_section", x, value, sections, i, axis);
  if (frame.must_fit) {
    emitted::expect_fits(frame.op, "x", x,
                         infer::set_in_section("set_section", x, value, sections, i, axis),
                         x.dtype());
  }
  Tensor& out_result = frame.put(
      0,
      emitted::result_apart(
          frame, 0, infer::set_in_section("set_section", x, value, sections, i, axis), x.dtype()));
  kernels::set_section(contiguous(x), prepared(value, x.dtype()), sections, i, axis, out_result);
}

void vjp_set_section(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers sections = emitted::numbers(op, 0);
  const Number i = emitted::number(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 2);
  if (vjp.needs(0)) vjp.give(0, ops::set_section(out_grad, 0, sections, i, axis));
  if (vjp.needs(1)) vjp.give(1, ops::clone(ops::section(out_grad, sections, i, axis)));
}
}  // namespace

const OpDef defs::kSetSection{
    .name = "set_section",
    .inplace_name = "set_section_",
    .inputs = kSetSectionInputs,
    .attributes = kSetSectionAttributes,
    .outputs = kSetSectionOutputs,
    .inplace_pairs = kSetSectionPairs,
    .flags = OpDef::kInternal,
    .normalise = normalise_set_section,
    .compose = nullptr,
    .infer = infer_set_section,
    .check = nullptr,
    .run = run_set_section,
    .vjp = vjp_set_section,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::set_section(Value* x, const ValueOperand& value, const Numbers& sections,
                        const Number& i, std::int64_t axis) {
  return emitted::OpCall(defs::kSetSection).in(x).in(value).attr(sections).attr(i).attr(axis).one();
}

// --- concat ------------------------------------------------------------------ ops/layout.yaml:190
namespace {
constexpr InputDef kConcatInputs[] = {{"xs", InputDef::Kind::kList, true, false}};
constexpr AttributeDef kConcatAttributes[] = {
    {"axis", "axis", [] { return Attribute(std::int64_t{0}); }},
};
constexpr OutputDef kConcatOutputs[] = {{"out", false, true, false}};

void normalise_concat(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_concat(const Op& op, std::vector<Type>& results) {
  const std::vector<Meta> xs = emitted::metas(op, 0);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  results.push_back(tensor_type(infer::promoted(xs), infer::concat_shape("concat", xs, axis)));
}

void run_concat(RunFrame& frame) {
  const TensorList xs = frame.list(0);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  Tensor& out_result =
      frame.put(0, empty(infer::concat_shape("concat", xs, axis), infer::promoted(xs)));
  kernels::concat(prepared(xs, infer::promoted(xs)), axis, out_result);
}

void vjp_concat(Vjp& vjp) {
  const std::span<Value* const> xs = vjp.list(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  if (vjp.needs(0)) vjp.give_list(0, ops::split_sections(out_grad, program::sizes(xs, axis), axis));
}
}  // namespace

const OpDef defs::kConcat{
    .name = "concat",
    .inplace_name = nullptr,
    .inputs = kConcatInputs,
    .attributes = kConcatAttributes,
    .outputs = kConcatOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_concat,
    .compose = nullptr,
    .infer = infer_concat,
    .check = nullptr,
    .run = run_concat,
    .vjp = vjp_concat,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::concat(std::span<Value* const> xs, std::int64_t axis) {
  return emitted::OpCall(defs::kConcat).list(xs).attr(axis).one();
}

// --- part -------------------------------------------------------------------- ops/layout.yaml:202
namespace {
constexpr InputDef kPartInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kPartAttributes[] = {
    {"shape", "int[]"},
    {"strides", "int[]"},
    {"offset", "int"},
};
constexpr OutputDef kPartOutputs[] = {{"out", false, true, false}};

void infer_part(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, shape));
}

void run_part(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const Ints strides = frame.attribute<emitted::Lengths>(1);
  const std::int64_t offset = frame.attribute<std::int64_t>(2);
  infer::expect_lengths("part", "shape", shape);
  kernels::check_part("part", x, shape, strides, offset);
  Tensor& out_result = frame.put(0, empty(shape, x.dtype()));
  kernels::part(contiguous(x), shape, strides, offset, out_result);
}

void vjp_part(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers strides = emitted::numbers(op, 1);
  const Number offset = emitted::number(op, 2);
  if (vjp.needs(0)) vjp.give(0, ops::embed(out_grad, program::shape(x), strides, offset));
}
}  // namespace

const OpDef defs::kPart{
    .name = "part",
    .inplace_name = nullptr,
    .inputs = kPartInputs,
    .attributes = kPartAttributes,
    .outputs = kPartOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_part,
    .check = nullptr,
    .run = run_part,
    .vjp = vjp_part,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::part(Value* x, const Numbers& shape, const Numbers& strides, const Number& offset) {
  return emitted::OpCall(defs::kPart).in(x).attr(shape).attr(strides).attr(offset).one();
}

// --- embed ------------------------------------------------------------------- ops/layout.yaml:216
namespace {
constexpr InputDef kEmbedInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kEmbedAttributes[] = {
    {"root_shape", "int[]"},
    {"strides", "int[]"},
    {"offset", "int"},
};
constexpr OutputDef kEmbedOutputs[] = {{"out", false, true, false}};

void infer_embed(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Ints root_shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(x.dtype, root_shape));
}

void run_embed(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints root_shape = frame.attribute<emitted::Lengths>(0);
  const Ints strides = frame.attribute<emitted::Lengths>(1);
  const std::int64_t offset = frame.attribute<std::int64_t>(2);
  infer::expect_lengths("embed", "root_shape", root_shape);
  kernels::check_embed("embed", x, root_shape, strides, offset);
  Tensor& out_result = frame.put(0, empty(root_shape, x.dtype()));
  kernels::embed(contiguous(x), root_shape, strides, offset, out_result);
}

void vjp_embed(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers strides = emitted::numbers(op, 1);
  const Number offset = emitted::number(op, 2);
  if (vjp.needs(0)) vjp.give(0, ops::part(out_grad, program::shape(x), strides, offset));
}
}  // namespace

const OpDef defs::kEmbed{
    .name = "embed",
    .inplace_name = nullptr,
    .inputs = kEmbedInputs,
    .attributes = kEmbedAttributes,
    .outputs = kEmbedOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_embed,
    .check = nullptr,
    .run = run_embed,
    .vjp = vjp_embed,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::embed(Value* x, const Numbers& root_shape, const Numbers& strides,
                  const Number& offset) {
  return emitted::OpCall(defs::kEmbed).in(x).attr(root_shape).attr(strides).attr(offset).one();
}

// --- write_part -------------------------------------------------------------- ops/layout.yaml:230
namespace {
constexpr InputDef kWritePartInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"value", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kWritePartAttributes[] = {{"strides", "int[]"}, {"offset", "int"}};
constexpr OutputDef kWritePartOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kWritePartPairs[] = {{0, 0}};

void infer_write_part(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_write_part(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& value = frame.plain_input(1);
  const Ints strides = frame.attribute<emitted::Lengths>(0);
  const std::int64_t offset = frame.attribute<std::int64_t>(1);
  kernels::check_write_part("write_part", x, value, strides, offset);
  Tensor& out_result = frame.put(0, emitted::result_apart(frame, 0, x.shape(), x.dtype()));
  kernels::write_part(contiguous(x), prepared(value, x.dtype()), strides, offset, out_result);
}

void vjp_write_part(Vjp& vjp) {
  Value* value = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers strides = emitted::numbers(op, 0);
  const Number offset = emitted::number(op, 1);
  if (vjp.needs(0)) vjp.give(0, ops::clear_part(out_grad, program::shape(value), strides, offset));
  if (vjp.needs(1)) vjp.give(1, ops::part(out_grad, program::shape(value), strides, offset));
}
}  // namespace

const OpDef defs::kWritePart{
    .name = "write_part",
    .inplace_name = "write_part_",
    .inputs = kWritePartInputs,
    .attributes = kWritePartAttributes,
    .outputs = kWritePartOutputs,
    .inplace_pairs = kWritePartPairs,
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_write_part,
    .check = nullptr,
    .run = run_write_part,
    .vjp = vjp_write_part,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::write_part(Value* x, Value* value, const Numbers& strides, const Number& offset) {
  return emitted::OpCall(defs::kWritePart).in(x).in(value).attr(strides).attr(offset).one();
}

// --- clear_part -------------------------------------------------------------- ops/layout.yaml:248
namespace {
constexpr InputDef kClearPartInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kClearPartAttributes[] = {
    {"shape", "int[]"},
    {"strides", "int[]"},
    {"offset", "int"},
};
constexpr OutputDef kClearPartOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kClearPartPairs[] = {{0, 0}};

void infer_clear_part(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_clear_part(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const Ints strides = frame.attribute<emitted::Lengths>(1);
  const std::int64_t offset = frame.attribute<std::int64_t>(2);
  kernels::check_part("clear_part", x, shape, strides, offset);
  Tensor& out_result = frame.put(0, emitted::result_apart(frame, 0, x.shape(), x.dtype()));
  kernels::clear_part(contiguous(x), shape, strides, offset, out_result);
}

void vjp_clear_part(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const Numbers shape = emitted::numbers(op, 0);
  const Numbers strides = emitted::numbers(op, 1);
  const Number offset = emitted::number(op, 2);
  if (vjp.needs(0)) vjp.give(0, ops::clear_part(out_grad, shape, strides, offset));
}
}  // namespace

const OpDef defs::kClearPart{
    .name = "clear_part",
    .inplace_name = "clear_part_",
    .inputs = kClearPartInputs,
    .attributes = kClearPartAttributes,
    .outputs = kClearPartOutputs,
    .inplace_pairs = kClearPartPairs,
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_clear_part,
    .check = nullptr,
    .run = run_clear_part,
    .vjp = vjp_clear_part,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::clear_part(Value* x, const Numbers& shape, const Numbers& strides,
                       const Number& offset) {
  return emitted::OpCall(defs::kClearPart).in(x).attr(shape).attr(strides).attr(offset).one();
}

}  // namespace oploom::program
