// Generated from ops/creation.yaml by `make generate`. Do not edit.

#include <optional>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"
#include "runtime/core/joined.h"

namespace oploom::program {

// --- full -------------------------------------------------------------------- ops/creation.yaml:3
namespace {
constexpr AttributeDef kFullAttributes[] = {
    {"shape", "int[]"},
    {"value", "scalar"},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kFullOutputs[] = {{"out", false, false, false}};

void infer_full(const Op& op, std::vector<Type>& results) {
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const Scalar& value = emitted::attribute<Scalar>(op, 1);
  const auto dtype = emitted::given<DType>(op.attributes[2]);
  if (emitted::all_known(op)) kernels::check_full("full", shape, value, dtype);
  results.push_back(tensor_type(infer::chosen(dtype, value.dtype()), shape));
}

void run_full(RunFrame& frame) {
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const Scalar& value = frame.attribute<Scalar>(1);
  const auto dtype = emitted::given<DType>(frame.attributes[2]);
  infer::expect_lengths("full", "shape", shape);
  kernels::check_full("full", shape, value, dtype);
  Tensor& out_result = frame.put(0, empty(shape, infer::chosen(dtype, value.dtype())));
  kernels::full(shape, value, dtype, out_result);
}
}  // namespace

const OpDef defs::kFull{
    .name = "full",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kFullAttributes,
    .outputs = kFullOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_full,
    .check = nullptr,
    .run = run_full,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::full(const Numbers& shape, const Number& value, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kFull).attr(shape).attr(value).attr(dtype).one();
}

// --- zeros ------------------------------------------------------------------ ops/creation.yaml:17
namespace {
constexpr AttributeDef kZerosAttributes[] = {
    {"shape", "int[]"},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kZerosOutputs[] = {{"out", false, false, false}};

void infer_zeros(const Op& op, std::vector<Type>& results) {
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[1]);
  if (emitted::all_known(op)) kernels::check_zeros("zeros", shape, dtype);
  results.push_back(tensor_type(infer::chosen(dtype, DType::kFloat32), shape));
}

void run_zeros(RunFrame& frame) {
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const auto dtype = emitted::given<DType>(frame.attributes[1]);
  infer::expect_lengths("zeros", "shape", shape);
  kernels::check_zeros("zeros", shape, dtype);
  Tensor& out_result = frame.put(0, empty(shape, infer::chosen(dtype, DType::kFloat32)));
  kernels::zeros(shape, dtype, out_result);
}
}  // namespace

const OpDef defs::kZeros{
    .name = "zeros",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kZerosAttributes,
    .outputs = kZerosOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_zeros,
    .check = nullptr,
    .run = run_zeros,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::zeros(const Numbers& shape, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kZeros).attr(shape).attr(dtype).one();
}

// --- ones ------------------------------------------------------------------- ops/creation.yaml:29
namespace {
constexpr AttributeDef kOnesAttributes[] = {
    {"shape", "int[]"},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kOnesOutputs[] = {{"out", false, false, false}};

void infer_ones(const Op& op, std::vector<Type>& results) {
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[1]);
  if (emitted::all_known(op)) kernels::check_ones("ones", shape, dtype);
  results.push_back(tensor_type(infer::chosen(dtype, DType::kFloat32), shape));
}

void run_ones(RunFrame& frame) {
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const auto dtype = emitted::given<DType>(frame.attributes[1]);
  infer::expect_lengths("ones", "shape", shape);
  kernels::check_ones("ones", shape, dtype);
  Tensor& out_result = frame.put(0, empty(shape, infer::chosen(dtype, DType::kFloat32)));
  kernels::ones(shape, dtype, out_result);
}
}  // namespace

const OpDef defs::kOnes{
    .name = "ones",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kOnesAttributes,
    .outputs = kOnesOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_ones,
    .check = nullptr,
    .run = run_ones,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::ones(const Numbers& shape, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kOnes).attr(shape).attr(dtype).one();
}

// --- zeros_like ------------------------------------------------------------- ops/creation.yaml:41
namespace {
constexpr InputDef kZerosLikeInputs[] = {{"x", InputDef::Kind::kTensor, false, true}};
constexpr AttributeDef kZerosLikeAttributes[] = {{"dtype", "dtype?", [] { return Attribute(); }}};
constexpr OutputDef kZerosLikeOutputs[] = {{"out", false, false, false}};

void infer_zeros_like(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[0]);
  results.push_back(tensor_type(infer::chosen(dtype, x.dtype), x.shape));
}

void run_zeros_like(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const auto dtype = emitted::given<DType>(frame.attributes[0]);
  Tensor& out_result = frame.put(0, empty_like(x, infer::chosen(dtype, x.dtype())));
  kernels::zeros_like(dtype, out_result);
}
}  // namespace

const OpDef defs::kZerosLike{
    .name = "zeros_like",
    .inplace_name = nullptr,
    .inputs = kZerosLikeInputs,
    .attributes = kZerosLikeAttributes,
    .outputs = kZerosLikeOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_zeros_like,
    .check = nullptr,
    .run = run_zeros_like,
    .vjp = nullptr,
    .no_gradient = "only the shape of x is read",
    .write = nullptr,
};

Value* ops::zeros_like(Value* x, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kZerosLike).in(x).attr(dtype).one();
}

// --- ones_like -------------------------------------------------------------- ops/creation.yaml:50
namespace {
constexpr InputDef kOnesLikeInputs[] = {{"x", InputDef::Kind::kTensor, false, true}};
constexpr AttributeDef kOnesLikeAttributes[] = {{"dtype", "dtype?", [] { return Attribute(); }}};
constexpr OutputDef kOnesLikeOutputs[] = {{"out", false, false, false}};

void infer_ones_like(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[0]);
  results.push_back(tensor_type(infer::chosen(dtype, x.dtype), x.shape));
}

void run_ones_like(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const auto dtype = emitted::given<DType>(frame.attributes[0]);
  Tensor& out_result = frame.put(0, empty_like(x, infer::chosen(dtype, x.dtype())));
  kernels::ones_like(dtype, out_result);
}
}  // namespace

const OpDef defs::kOnesLike{
    .name = "ones_like",
    .inplace_name = nullptr,
    .inputs = kOnesLikeInputs,
    .attributes = kOnesLikeAttributes,
    .outputs = kOnesLikeOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_ones_like,
    .check = nullptr,
    .run = run_ones_like,
    .vjp = nullptr,
    .no_gradient = "only the shape of x is read",
    .write = nullptr,
};

Value* ops::ones_like(Value* x, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kOnesLike).in(x).attr(dtype).one();
}

// --- arange ----------------------------------------------------------------- ops/creation.yaml:59
namespace {
constexpr AttributeDef kArangeAttributes[] = {
    {"start", "scalar"},
    {"end", "scalar?", [] { return Attribute(); }},
    {"step", "scalar", [] { return Attribute(Scalar(1)); }},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kArangeOutputs[] = {{"out", false, false, false}};

void infer_arange(const Op& op, std::vector<Type>& results) {
  const Scalar& start = emitted::attribute<Scalar>(op, 0);
  const auto end = emitted::given<Scalar>(op.attributes[1]);
  const Scalar& step = emitted::attribute<Scalar>(op, 2);
  const auto dtype = emitted::given<DType>(op.attributes[3]);
  if (emitted::all_known(op)) kernels::check_arange("arange", start, end, step, dtype);
  const KernelResult out = kernels::result_arange(start, end, step, dtype);
  results.push_back(tensor_type(
                        out.dtype,
                        emitted::all_known(op) ? out.shape : Dims::filled(out.shape.rank(), -1)));
}

void run_arange(RunFrame& frame) {
  const Scalar& start = frame.attribute<Scalar>(0);
  const auto end = emitted::given<Scalar>(frame.attributes[1]);
  const Scalar& step = frame.attribute<Scalar>(2);
  const auto dtype = emitted::given<DType>(frame.attributes[3]);
  kernels::check_arange("arange", start, end, step, dtype);
  frame.output(0) = kernels::arange(start, end, step, dtype);
}
}  // namespace

const OpDef defs::kArange{
    .name = "arange",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kArangeAttributes,
    .outputs = kArangeOutputs,
    .inplace_pairs = {},
    .flags = 0,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_arange,
    .check = nullptr,
    .run = run_arange,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::arange(const Number& start, std::optional<Scalar> end, const Number& step,
                   std::optional<DType> dtype) {
  return emitted::OpCall(defs::kArange).attr(start).attr(end).attr(step).attr(dtype).one();
}

// --- assign ----------------------------------------------------------------- ops/creation.yaml:74
namespace {
constexpr InputDef kAssignInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kAssignOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kAssignPairs[] = {{0, 0}};

void infer_assign(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_assign(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::assign(x, out_result);
}

void vjp_assign(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, out_grad);
}
}  // namespace

const OpDef defs::kAssign{
    .name = "assign",
    .inplace_name = "assign_",
    .inputs = kAssignInputs,
    .attributes = {},
    .outputs = kAssignOutputs,
    .inplace_pairs = kAssignPairs,
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_assign,
    .check = nullptr,
    .run = run_assign,
    .vjp = vjp_assign,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::assign(Value* x) { return emitted::OpCall(defs::kAssign).in(x).one(); }

// --- clone ------------------------------------------------------------------ ops/creation.yaml:82
namespace {
constexpr InputDef kCloneInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr OutputDef kCloneOutputs[] = {{"out", false, true, false}};

void infer_clone(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_clone(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.put(0, empty_like(x, x.dtype()));
  kernels::clone(x, out_result);
}

void vjp_clone(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, out_grad);
}
}  // namespace

const OpDef defs::kClone{
    .name = "clone",
    .inplace_name = nullptr,
    .inputs = kCloneInputs,
    .attributes = {},
    .outputs = kCloneOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kElementwise,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_clone,
    .check = nullptr,
    .run = run_clone,
    .vjp = vjp_clone,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::clone(Value* x) { return emitted::OpCall(defs::kClone).in(x).one(); }

// --- cast ------------------------------------------------------------------- ops/creation.yaml:90
namespace {
constexpr InputDef kCastInputs[] = {{"x", InputDef::Kind::kTensor, true, false}};
constexpr AttributeDef kCastAttributes[] = {{"dtype", "dtype"}};
constexpr OutputDef kCastOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kCastPairs[] = {{0, 0}};

void infer_cast(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const DType dtype = emitted::attribute<DType>(op, 0);
  results.push_back(tensor_type(dtype, x.shape));
}

void run_cast(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const DType dtype = frame.attribute<DType>(0);
  Tensor& out_result = frame.result_like(0, x, dtype);
  kernels::cast(x, dtype, out_result);
}

void vjp_cast(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(0)) vjp.give(0, out_grad);
}
}  // namespace

const OpDef defs::kCast{
    .name = "cast",
    .inplace_name = "cast_",
    .inputs = kCastInputs,
    .attributes = kCastAttributes,
    .outputs = kCastOutputs,
    .inplace_pairs = kCastPairs,
    .flags = OpDef::kElementwise | OpDef::kReplaces,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_cast,
    .check = nullptr,
    .run = run_cast,
    .vjp = vjp_cast,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::cast(Value* x, DType dtype) {
  return emitted::OpCall(defs::kCast).in(x).attr(dtype).one();
}

// --- copy_ ----------------------------------------------------------------- ops/creation.yaml:103
namespace {
constexpr InputDef kCopy_Inputs[] = {
    {"x", InputDef::Kind::kTensor, true, true},
    {"value", InputDef::Kind::kOperand, true, false},
};
constexpr OutputDef kCopy_Outputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kCopy_Pairs[] = {{0, 0}};

void infer_copy_(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  const Meta value = emitted::meta(op, 1);
  emitted::expect_fits(op, "x", x, infer::broadcast("copy_", x, value), infer::promoted(x, value));
  results.push_back(tensor_type(infer::promoted(x, value), infer::broadcast("copy_", x, value)));
}

void run_copy_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Tensor& value = frame.plain_input(1);
  if (infer::keeps(x, value)) {
    frame.result_like(0, x, x.dtype());
  } else {
    if (frame.must_fit) {
      emitted::expect_fits(frame.op, "x", x, infer::broadcast("copy_", x, value),
                           infer::promoted(x, value));
    }
    frame.result(0, infer::broadcast("copy_", x, value), infer::promoted(x, value));
  }
  Tensor& out_result = frame.output(0);
  kernels::copy_(value, out_result);
}

void vjp_copy_(Vjp& vjp) {
  Value* out_grad = vjp.grad(0);
  if (vjp.needs(1)) vjp.give(1, out_grad);
}
}  // namespace

const OpDef defs::kCopy_{
    .name = "copy_",
    .inplace_name = "copy_",
    .inputs = kCopy_Inputs,
    .attributes = {},
    .outputs = kCopy_Outputs,
    .inplace_pairs = kCopy_Pairs,
    .flags = OpDef::kElementwise | OpDef::kInplaceOnly,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_copy_,
    .check = nullptr,
    .run = run_copy_,
    .vjp = vjp_copy_,
    .no_gradient = nullptr,
    .write = nullptr,
};

Value* ops::copy_(Value* x, const ValueOperand& value) {
  return emitted::OpCall(defs::kCopy_).in(x).in(value).one();
}

// --- fill ------------------------------------------------------------------ ops/creation.yaml:116
namespace {
constexpr InputDef kFillInputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kFillAttributes[] = {
    {"value", "scalar", [] { return Attribute(Scalar(0)); }},
};
constexpr OutputDef kFillOutputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kFillPairs[] = {{0, 0}};

void infer_fill(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void check_fill(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Scalar& value = frame.attribute<Scalar>(0);
  kernels::check_fill("fill", x, value);
}

void run_fill(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const Scalar& value = frame.attribute<Scalar>(0);
  kernels::check_fill("fill", x, value);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::fill(value, out_result);
}
}  // namespace

const OpDef defs::kFill{
    .name = "fill",
    .inplace_name = "fill_",
    .inputs = kFillInputs,
    .attributes = kFillAttributes,
    .outputs = kFillOutputs,
    .inplace_pairs = kFillPairs,
    .flags = OpDef::kElementwise | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_fill,
    .check = check_fill,
    .run = run_fill,
    .vjp = nullptr,
    .no_gradient = "the elements of x are not read",
    .write = nullptr,
};

Value* ops::fill(Value* x, const Number& value) {
  return emitted::OpCall(defs::kFill).in(x).attr(value).one();
}

// --- zero_ ----------------------------------------------------------------- ops/creation.yaml:126
namespace {
constexpr InputDef kZero_Inputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr OutputDef kZero_Outputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kZero_Pairs[] = {{0, 0}};

void infer_zero_(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  results.push_back(emitted::like(x));
}

void run_zero_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::zero_(out_result);
}
}  // namespace

const OpDef defs::kZero_{
    .name = "zero_",
    .inplace_name = "zero_",
    .inputs = kZero_Inputs,
    .attributes = {},
    .outputs = kZero_Outputs,
    .inplace_pairs = kZero_Pairs,
    .flags = OpDef::kElementwise | OpDef::kInplaceOnly | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_zero_,
    .check = nullptr,
    .run = run_zero_,
    .vjp = nullptr,
    .no_gradient = "the elements of x are not read",
    .write = nullptr,
};

Value* ops::zero_(Value* x) { return emitted::OpCall(defs::kZero_).in(x).one(); }

}  // namespace oploom::program
