// Generated from ops/indexing.yaml by `make generate`. Do not edit.

#include <span>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- gather ------------------------------------------------------------------ ops/indexing.yaml:4
namespace {
constexpr InputDef kGatherInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kGatherAttributes[] = {
    {"axis", "axis", [] { return Attribute(std::int64_t{0}); }},
};
constexpr OutputDef kGatherOutputs[] = {{"out", false, true, false}};

void normalise_gather(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_gather(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta index = emitted::meta(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  infer::expect_integer("gather", "index", index);
  results.push_back(tensor_type(x.dtype, infer::taken("gather", x, index, axis)));
}

void run_gather(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  kernels::check_gather("gather", x, index, axis);
  Tensor& out_result = frame.put(0, empty(infer::taken("gather", x, index, axis), x.dtype()));
  kernels::gather(contiguous(x), prepared(index, DType::kInt64), axis, out_result);
}

void vjp_gather(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* index = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::gather_grad(out_grad, index, program::shape(x), axis));
}
}  // namespace

const OpDef defs::kGather{
    .name = "gather",
    .inplace_name = nullptr,
    .inputs = kGatherInputs,
    .attributes = kGatherAttributes,
    .outputs = kGatherOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_gather,
    .compose = nullptr,
    .infer = infer_gather,
    .check = nullptr,
    .run = run_gather,
    .vjp = vjp_gather,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::gather(Value* x, Value* index, std::int64_t axis) {
  return emitted::OpCall(defs::kGather).in(x).in(index).attr(axis).one();
}

// --- index_select ----------------------------------------------------------- ops/indexing.yaml:17
namespace {
constexpr InputDef kIndexSelectInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kIndexSelectAttributes[] = {
    {"axis", "axis", [] { return Attribute(std::int64_t{0}); }},
};
constexpr OutputDef kIndexSelectOutputs[] = {{"out", false, true, false}};

void normalise_index_select(Op& op) { emitted::normalise_axis(op, 0, 0); }

void infer_index_select(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta index = emitted::meta(op, 1);
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  infer::expect_integer("index_select", "index", index);
  results.push_back(tensor_type(x.dtype, infer::selected("index_select", x, index, axis)));
}

void run_index_select(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  const std::int64_t axis = frame.attribute<std::int64_t>(0);
  kernels::check_gather("index_select", x, index, axis);
  Tensor& out_result =
      frame.put(0, empty(infer::selected("index_select", x, index, axis), x.dtype()));
  kernels::gather(contiguous(x), prepared(index, DType::kInt64), axis, out_result);
}

void vjp_index_select(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* index = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::gather_grad(out_grad, index, program::shape(x), axis));
}
}  // namespace

const OpDef defs::kIndexSelect{
    .name = "index_select",
    .inplace_name = nullptr,
    .inputs = kIndexSelectInputs,
    .attributes = kIndexSelectAttributes,
    .outputs = kIndexSelectOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = normalise_index_select,
    .compose = nullptr,
    .infer = infer_index_select,
    .check = nullptr,
    .run = run_index_select,
    .vjp = vjp_index_select,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index_select(Value* x, Value* index, std::int64_t axis) {
  return emitted::OpCall(defs::kIndexSelect).in(x).in(index).attr(axis).one();
}

// --- gather_grad ------------------------------------------------------------ ops/indexing.yaml:28
namespace {
constexpr InputDef kGatherGradInputs[] = {
    {"out_grad", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
};
constexpr AttributeDef kGatherGradAttributes[] = {{"shape", "int[]"}, {"axis", "axis"}};
constexpr OutputDef kGatherGradOutputs[] = {{"x_grad", false, true, false}};

void infer_gather_grad(const Op& op, std::vector<Type>& results) {
  const Meta out_grad = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(out_grad.dtype, shape));
}

void run_gather_grad(RunFrame& frame) {
  const Tensor& out_grad = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const std::int64_t axis = frame.attribute<std::int64_t>(1);
  infer::expect_lengths("gather_grad", "shape", shape);
  kernels::check_gather_grad("gather_grad", out_grad, index, shape, axis);
  Tensor& x_grad_result = frame.put(0, empty(shape, out_grad.dtype()));
  kernels::gather_grad(contiguous(out_grad), prepared(index, DType::kInt64), shape, axis,
                       x_grad_result);
}

void vjp_gather_grad(Vjp& vjp) {
  Value* index = vjp.input(1);
  Value* x_grad_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const std::int64_t axis = emitted::attribute<std::int64_t>(op, 1);
  if (vjp.needs(0)) vjp.give(0, ops::gather(x_grad_grad, index, axis));
}
}  // namespace

const OpDef defs::kGatherGrad{
    .name = "gather_grad",
    .inplace_name = nullptr,
    .inputs = kGatherGradInputs,
    .attributes = kGatherGradAttributes,
    .outputs = kGatherGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_gather_grad,
    .check = nullptr,
    .run = run_gather_grad,
    .vjp = vjp_gather_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::gather_grad(Value* out_grad, Value* index, const Numbers& shape, std::int64_t axis) {
  return emitted::OpCall(defs::kGatherGrad).in(out_grad).in(index).attr(shape).attr(axis).one();
}

// --- scatter ---------------------------------------------------------------- ops/indexing.yaml:42
namespace {
constexpr InputDef kScatterInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
    {"updates", InputDef::Kind::kTensor, true, false},
};
constexpr AttributeDef kScatterAttributes[] = {
    {"overwrite", "bool", [] { return Attribute(true); }},
};
constexpr OutputDef kScatterOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kScatterPairs[] = {{0, 0}};

void infer_scatter(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta index = emitted::meta(op, 1);
  const Meta updates = emitted::meta(op, 2);
  infer::expect_integer("scatter", "index", index);
  results.push_back(tensor_type(x.dtype, infer::scattered("scatter", x, index, updates)));
}

void run_scatter(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  const Tensor& updates = frame.plain_input(2);
  const bool overwrite = frame.attribute<bool>(0);
  kernels::check_scatter("scatter", x, index, updates, overwrite);
  if (frame.must_fit) {
    emitted::expect_fits(frame.op, "x", x, infer::scattered("scatter", x, index, updates),
                         x.dtype());
  }
  Tensor& out_result = frame.put(
      0,
      emitted::result_apart(frame, 0, infer::scattered("scatter", x, index, updates), x.dtype()));
  kernels::scatter(contiguous(x), prepared(index, DType::kInt64), prepared(updates, x.dtype()),
                   overwrite, out_result);
}

void vjp_scatter(Vjp& vjp) {
  Value* index = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const bool overwrite = emitted::attribute<bool>(op, 0);
  if (vjp.needs(0)) vjp.give(0, ops::scatter_clear(out_grad, index));
  if (vjp.needs(2)) {
    vjp.give(2, overwrite ? ops::scatter_last(out_grad, index) : ops::gather(out_grad, index, 0));
  }
}
}  // namespace

const OpDef defs::kScatter{
    .name = "scatter",
    .inplace_name = "scatter_",
    .inputs = kScatterInputs,
    .attributes = kScatterAttributes,
    .outputs = kScatterOutputs,
    .inplace_pairs = kScatterPairs,
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_scatter,
    .check = nullptr,
    .run = run_scatter,
    .vjp = vjp_scatter,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::scatter(Value* x, Value* index, Value* updates, bool overwrite) {
  return emitted::OpCall(defs::kScatter).in(x).in(index).in(updates).attr(overwrite).one();
}

// --- scatter_clear ---------------------------------------------------------- ops/indexing.yaml:60
namespace {
constexpr InputDef kScatterClearInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
};
constexpr OutputDef kScatterClearOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kScatterClearPairs[] = {{0, 0}};

void infer_scatter_clear(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_scatter_clear(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  kernels::check_scatter_clear("scatter_clear", x, index);
  Tensor& out_result = frame.put(0, emitted::result_apart(frame, 0, x.shape(), x.dtype()));
  kernels::scatter_clear(contiguous(x), prepared(index, DType::kInt64), out_result);
}

void vjp_scatter_clear(Vjp& vjp) {
  Value* index = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::scatter_clear(out_grad, index));
}
}  // namespace

const OpDef defs::kScatterClear{
    .name = "scatter_clear",
    .inplace_name = "scatter_clear_",
    .inputs = kScatterClearInputs,
    .attributes = {},
    .outputs = kScatterClearOutputs,
    .inplace_pairs = kScatterClearPairs,
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_scatter_clear,
    .check = nullptr,
    .run = run_scatter_clear,
    .vjp = vjp_scatter_clear,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::scatter_clear(Value* x, Value* index) {
  return emitted::OpCall(defs::kScatterClear).in(x).in(index).one();
}

// --- scatter_last ----------------------------------------------------------- ops/indexing.yaml:72
namespace {
constexpr InputDef kScatterLastInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"index", InputDef::Kind::kTensor, false, false},
};
constexpr OutputDef kScatterLastOutputs[] = {{"out", false, true, false}};

void infer_scatter_last(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta index = emitted::meta(op, 1);
  results.push_back(tensor_type(x.dtype, infer::taken("scatter_last", x, index, 0)));
}

void run_scatter_last(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& index = frame.plain_input(1);
  kernels::check_scatter_clear("scatter_last", x, index);
  Tensor& out_result = frame.put(0, empty(infer::taken("scatter_last", x, index, 0), x.dtype()));
  kernels::scatter_last(contiguous(x), prepared(index, DType::kInt64), out_result);
}

void vjp_scatter_last(Vjp& vjp) {
  Value* x = vjp.input(0);
  Value* index = vjp.input(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::scatter(ops::zeros(program::shape(x), program::dtype(x)), index, out_grad, true));
  }
}
}  // namespace

const OpDef defs::kScatterLast{
    .name = "scatter_last",
    .inplace_name = nullptr,
    .inputs = kScatterLastInputs,
    .attributes = {},
    .outputs = kScatterLastOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_scatter_last,
    .check = nullptr,
    .run = run_scatter_last,
    .vjp = vjp_scatter_last,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::scatter_last(Value* x, Value* index) {
  return emitted::OpCall(defs::kScatterLast).in(x).in(index).one();
}

// --- index ------------------------------------------------------------------ ops/indexing.yaml:85
namespace {
constexpr InputDef kIndexInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"indices", InputDef::Kind::kList, false, false},
};
constexpr OutputDef kIndexOutputs[] = {{"out", false, true, false}};

void infer_index(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const std::vector<Meta> indices = emitted::metas(op, 1);
  infer::expect_integer("index", "indices", indices);
  results.push_back(tensor_type(x.dtype, infer::indexed("index", x, indices)));
}

void run_index(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const TensorList indices = frame.list(1);
  kernels::check_index("index", x, indices);
  Tensor& out_result = frame.put(0, empty(infer::indexed("index", x, indices), x.dtype()));
  kernels::index(contiguous(x), prepared(indices, DType::kInt64), out_result);
}

void vjp_index(Vjp& vjp) {
  Value* x = vjp.input(0);
  const std::span<Value* const> indices = vjp.list(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::index_grad(out_grad, indices, program::shape(x)));
}
}  // namespace

const OpDef defs::kIndex{
    .name = "index",
    .inplace_name = nullptr,
    .inputs = kIndexInputs,
    .attributes = {},
    .outputs = kIndexOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_index,
    .check = nullptr,
    .run = run_index,
    .vjp = vjp_index,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index(Value* x, std::span<Value* const> indices) {
  return emitted::OpCall(defs::kIndex).in(x).list(indices).one();
}

// --- index_grad ------------------------------------------------------------- ops/indexing.yaml:98
namespace {
constexpr InputDef kIndexGradInputs[] = {
    {"out_grad", InputDef::Kind::kTensor, true, false},
    {"indices", InputDef::Kind::kList, false, false},
};
constexpr AttributeDef kIndexGradAttributes[] = {{"shape", "int[]"}};
constexpr OutputDef kIndexGradOutputs[] = {{"x_grad", false, true, false}};

void infer_index_grad(const Op& op, std::vector<Type>& results) {
  const Meta out_grad = emitted::meta(op, 0);
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  results.push_back(tensor_type(out_grad.dtype, shape));
}

void run_index_grad(RunFrame& frame) {
  const Tensor& out_grad = frame.input(0);
  const TensorList indices = frame.list(1);
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  infer::expect_lengths("index_grad", "shape", shape);
  kernels::check_index_grad("index_grad", out_grad, indices, shape);
  Tensor& x_grad_result = frame.put(0, empty(shape, out_grad.dtype()));
  kernels::index_grad(contiguous(out_grad), prepared(indices, DType::kInt64), shape, x_grad_result);
}

void vjp_index_grad(Vjp& vjp) {
  const std::span<Value* const> indices = vjp.list(1);
  Value* x_grad_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::index(x_grad_grad, indices));
}
}  // namespace

const OpDef defs::kIndexGrad{
    .name = "index_grad",
    .inplace_name = nullptr,
    .inputs = kIndexGradInputs,
    .attributes = kIndexGradAttributes,
    .outputs = kIndexGradOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_index_grad,
    .check = nullptr,
    .run = run_index_grad,
    .vjp = vjp_index_grad,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index_grad(Value* out_grad, std::span<Value* const> indices, const Numbers& shape) {
  return emitted::OpCall(defs::kIndexGrad).in(out_grad).list(indices).attr(shape).one();
}

// --- index_put ------------------------------------------------------------- ops/indexing.yaml:110
namespace {
constexpr InputDef kIndexPutInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"indices", InputDef::Kind::kList, false, false},
    {"value", InputDef::Kind::kOperand, true, false},
};
constexpr AttributeDef kIndexPutAttributes[] = {
    {"accumulate", "bool", [] { return Attribute(false); }},
};
constexpr OutputDef kIndexPutOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kIndexPutPairs[] = {{0, 0}};

void infer_index_put(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const std::vector<Meta> indices = emitted::metas(op, 1);
  const Meta value = emitted::meta(op, 2);
  infer::expect_integer("index_put", "indices", indices);
  results.push_back(tensor_type(x.dtype, infer::put("index_put", x, indices, value)));
}

void run_index_put(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const TensorList indices = frame.list(1);
  const Tensor& value = frame.input(2);
  const bool accumulate = frame.attribute<bool>(0);
  kernels::check_index_put("index_put", x, indices, value, accumulate);
  if (frame.must_fit) {
    emitted::expect_fits(frame.op, "x", x, infer::put("index_put", x, indices, value), x.dtype());
  }
  Tensor& out_result = frame.put(
      0, emitted::result_apart(frame, 0, infer::put("index_put", x, indices, value), x.dtype()));
  kernels::index_put(contiguous(x), prepared(indices, DType::kInt64), prepared(value, x.dtype()),
                     accumulate, out_result);
}

void vjp_index_put(Vjp& vjp) {
  const std::span<Value* const> indices = vjp.list(1);
  Value* out_grad = vjp.grad(0);
  const Op& op = vjp.op();
  const bool accumulate = emitted::attribute<bool>(op, 0);
  if (vjp.needs(0)) vjp.give(0, accumulate ? out_grad : ops::index_clear(out_grad, indices));
  if (vjp.needs(2)) {
    vjp.give(2, accumulate ? ops::index(out_grad, indices) : ops::index_last(out_grad, indices));
  }
}
}  // namespace

const OpDef defs::kIndexPut{
    .name = "index_put",
    .inplace_name = "index_put_",
    .inputs = kIndexPutInputs,
    .attributes = kIndexPutAttributes,
    .outputs = kIndexPutOutputs,
    .inplace_pairs = kIndexPutPairs,
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_index_put,
    .check = nullptr,
    .run = run_index_put,
    .vjp = vjp_index_put,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index_put(Value* x, std::span<Value* const> indices, const ValueOperand& value,
                      bool accumulate) {
  return emitted::OpCall(defs::kIndexPut).in(x).list(indices).in(value).attr(accumulate).one();
}

// --- index_clear ----------------------------------------------------------- ops/indexing.yaml:129
namespace {
constexpr InputDef kIndexClearInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"indices", InputDef::Kind::kList, false, false},
};
constexpr OutputDef kIndexClearOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kIndexClearPairs[] = {{0, 0}};

void infer_index_clear(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_index_clear(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const TensorList indices = frame.list(1);
  kernels::check_index_clear("index_clear", x, indices);
  Tensor& out_result = frame.put(0, emitted::result_apart(frame, 0, x.shape(), x.dtype()));
  kernels::index_clear(contiguous(x), prepared(indices, DType::kInt64), out_result);
}

void vjp_index_clear(Vjp& vjp) {
  const std::span<Value* const> indices = vjp.list(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, ops::index_clear(out_grad, indices));
}
}  // namespace

const OpDef defs::kIndexClear{
    .name = "index_clear",
    .inplace_name = "index_clear_",
    .inputs = kIndexClearInputs,
    .attributes = {},
    .outputs = kIndexClearOutputs,
    .inplace_pairs = kIndexClearPairs,
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_index_clear,
    .check = nullptr,
    .run = run_index_clear,
    .vjp = vjp_index_clear,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index_clear(Value* x, std::span<Value* const> indices) {
  return emitted::OpCall(defs::kIndexClear).in(x).list(indices).one();
}

// --- index_last ------------------------------------------------------------ ops/indexing.yaml:141
namespace {
constexpr InputDef kIndexLastInputs[] = {
    {"x", InputDef::Kind::kTensor, true, false},
    {"indices", InputDef::Kind::kList, false, false},
};
constexpr OutputDef kIndexLastOutputs[] = {{"out", false, true, false}};

void infer_index_last(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const std::vector<Meta> indices = emitted::metas(op, 1);
  results.push_back(tensor_type(x.dtype, infer::indexed("index_last", x, indices)));
}

void run_index_last(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const TensorList indices = frame.list(1);
  kernels::check_index("index_last", x, indices);
  Tensor& out_result = frame.put(0, empty(infer::indexed("index_last", x, indices), x.dtype()));
  kernels::index_last(contiguous(x), prepared(indices, DType::kInt64), out_result);
}

void vjp_index_last(Vjp& vjp) {
  Value* x = vjp.input(0);
  const std::span<Value* const> indices = vjp.list(1);
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) {
    vjp.give(0,
             ops::index_put(ops::zeros(program::shape(x), program::dtype(x)), indices, out_grad,
                            false));
  }
}
}  // namespace

const OpDef defs::kIndexLast{
    .name = "index_last",
    .inplace_name = nullptr,
    .inputs = kIndexLastInputs,
    .attributes = {},
    .outputs = kIndexLastOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kInternal,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_index_last,
    .check = nullptr,
    .run = run_index_last,
    .vjp = vjp_index_last,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::index_last(Value* x, std::span<Value* const> indices) {
  return emitted::OpCall(defs::kIndexLast).in(x).list(indices).one();
}

// --- nonzero --------------------------------------------------------------- ops/indexing.yaml:154
namespace {
constexpr InputDef kNonzeroInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kNonzeroOutputs[] = {{"out", false, false, false}};

void infer_nonzero(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const KernelResult out = kernels::result_nonzero(x);
  results.push_back(tensor_type(out.dtype, out.shape));
}

void run_nonzero(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  frame.output(0) = kernels::nonzero(contiguous(x));
}
}  // namespace

const OpDef defs::kNonzero{
    .name = "nonzero",
    .inplace_name = nullptr,
    .inputs = kNonzeroInputs,
    .attributes = {},
    .outputs = kNonzeroOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_nonzero,
    .check = nullptr,
    .run = run_nonzero,
    .vjp = nullptr,
    .no_gradient = "positions are integers",
    .write = nullptr,
};

Value* ops::nonzero(Value* x) { return emitted::OpCall(defs::kNonzero).in(x).one(); }

}  // namespace oploom::program
