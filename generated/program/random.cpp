// Generated from ops/random.yaml by `make generate`. Do not edit.

#include <optional>
#include <vector>

#include "generated/kernels.h"
#include "generated/program.h"

namespace oploom::program {

// --- rand ---------------------------------------------------------------------- ops/random.yaml:3
namespace {
constexpr AttributeDef kRandAttributes[] = {
    {"shape", "int[]"},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kRandOutputs[] = {{"out", false, false, false}};

void infer_rand(const Op& op, std::vector<Type>& results) {
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[1]);
  if (emitted::all_known(op)) kernels::check_rand("rand", shape, dtype);
  results.push_back(tensor_type(infer::chosen(dtype, DType::kFloat32), shape));
}

void run_rand(RunFrame& frame) {
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const auto dtype = emitted::given<DType>(frame.attributes[1]);
  infer::expect_lengths("rand", "shape", shape);
  kernels::check_rand("rand", shape, dtype);
  Tensor& out_result = frame.put(0, empty(shape, infer::chosen(dtype, DType::kFloat32)));
  kernels::rand(shape, dtype, out_result);
}
}  // namespace

const OpDef defs::kRand{
    .name = "rand",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kRandAttributes,
    .outputs = kRandOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kRandom,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_rand,
    .check = nullptr,
    .run = run_rand,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::rand(const Numbers& shape, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kRand).attr(shape).attr(dtype).one();
}

// --- randn -------------------------------------------------------------------- ops/random.yaml:15
namespace {
constexpr AttributeDef kRandnAttributes[] = {
    {"shape", "int[]"},
    {"dtype", "dtype?", [] { return Attribute(); }},
};
constexpr OutputDef kRandnOutputs[] = {{"out", false, false, false}};

void infer_randn(const Op& op, std::vector<Type>& results) {
  const Ints shape = emitted::attribute<emitted::Lengths>(op, 0);
  const auto dtype = emitted::given<DType>(op.attributes[1]);
  if (emitted::all_known(op)) kernels::check_randn("randn", shape, dtype);
  results.push_back(tensor_type(infer::chosen(dtype, DType::kFloat32), shape));
}

void run_randn(RunFrame& frame) {
  const Ints shape = frame.attribute<emitted::Lengths>(0);
  const auto dtype = emitted::given<DType>(frame.attributes[1]);
  infer::expect_lengths("randn", "shape", shape);
  kernels::check_randn("randn", shape, dtype);
  Tensor& out_result = frame.put(0, empty(shape, infer::chosen(dtype, DType::kFloat32)));
  kernels::randn(shape, dtype, out_result);
}
}  // namespace

const OpDef defs::kRandn{
    .name = "randn",
    .inplace_name = nullptr,
    .inputs = {},
    .attributes = kRandnAttributes,
    .outputs = kRandnOutputs,
    .inplace_pairs = {},
    .flags = OpDef::kRandom,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_randn,
    .check = nullptr,
    .run = run_randn,
    .vjp = nullptr,
    .no_gradient = "no inputs",
    .write = nullptr,
};

Value* ops::randn(const Numbers& shape, std::optional<DType> dtype) {
  return emitted::OpCall(defs::kRandn).attr(shape).attr(dtype).one();
}

// --- uniform_ ----------------------------------------------------------------- ops/random.yaml:27
namespace {
constexpr InputDef kUniform_Inputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kUniform_Attributes[] = {
    {"min", "float", [] { return Attribute(-1.0); }},
    {"max", "float", [] { return Attribute(1.0); }},
    {"seed", "int", [] { return Attribute(std::int64_t{0}); }},
    {"diag_num", "int", [] { return Attribute(std::int64_t{0}); }},
    {"diag_step", "int", [] { return Attribute(std::int64_t{0}); }},
    {"diag_val", "float", [] { return Attribute(1.0); }},
};
constexpr OutputDef kUniform_Outputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kUniform_Pairs[] = {{0, 0}};

void infer_uniform_(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_float("uniform_", "x", x);
  results.push_back(emitted::like(x));
}

void check_uniform_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double min = frame.attribute<double>(0);
  const double max = frame.attribute<double>(1);
  const std::int64_t seed = frame.attribute<std::int64_t>(2);
  const std::int64_t diag_num = frame.attribute<std::int64_t>(3);
  const std::int64_t diag_step = frame.attribute<std::int64_t>(4);
  const double diag_val = frame.attribute<double>(5);
  kernels::check_uniform_("uniform_", x, min, max, seed, diag_num, diag_step, diag_val);
}

void run_uniform_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double min = frame.attribute<double>(0);
  const double max = frame.attribute<double>(1);
  const std::int64_t seed = frame.attribute<std::int64_t>(2);
  const std::int64_t diag_num = frame.attribute<std::int64_t>(3);
  const std::int64_t diag_step = frame.attribute<std::int64_t>(4);
  const double diag_val = frame.attribute<double>(5);
  kernels::check_uniform_("uniform_", x, min, max, seed, diag_num, diag_step, diag_val);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::uniform_(min, max, seed, diag_num, diag_step, diag_val, out_result);
}
}  // namespace

const OpDef defs::kUniform_{
    .name = "uniform_",
    .inplace_name = "uniform_",
    .inputs = kUniform_Inputs,
    .attributes = kUniform_Attributes,
    .outputs = kUniform_Outputs,
    .inplace_pairs = kUniform_Pairs,
    .flags = OpDef::kRandom | OpDef::kElementwise | OpDef::kInplaceOnly | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_uniform_,
    .check = check_uniform_,
    .run = run_uniform_,
    .vjp = nullptr,
    .no_gradient = "the elements of x are not read",
    .write = nullptr,
};

Value* ops::uniform_(Value* x, const Number& min, const Number& max, const Number& seed,
                     const Number& diag_num, const Number& diag_step, const Number& diag_val) {
  emitted::OpCall call(defs::kUniform_);
  call.in(x).attr(min).attr(max).attr(seed).attr(diag_num).attr(diag_step).attr(diag_val);
  return call.one();
}

// --- normal_ ------------------------------------------------------------------ ops/random.yaml:45
namespace {
constexpr InputDef kNormal_Inputs[] = {{"x", InputDef::Kind::kTensor, true, true}};
constexpr AttributeDef kNormal_Attributes[] = {
    {"mean", "float", [] { return Attribute(0.0); }},
    {"std", "float", [] { return Attribute(1.0); }},
    {"seed", "int", [] { return Attribute(std::int64_t{0}); }},
};
constexpr OutputDef kNormal_Outputs[] = {{"out", false, true, false}};
constexpr OpDef::Pair kNormal_Pairs[] = {{0, 0}};

void infer_normal_(const Op& op, std::vector<Type>& results) {
  const Meta x = emitted::meta(op, 0);
  infer::expect_float("normal_", "x", x);
  results.push_back(emitted::like(x));
}

void check_normal_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double mean = frame.attribute<double>(0);
  const double std = frame.attribute<double>(1);
  const std::int64_t seed = frame.attribute<std::int64_t>(2);
  kernels::check_normal_("normal_", x, mean, std, seed);
}

void run_normal_(RunFrame& frame) {
  const Tensor& x = frame.plain_input(0);
  const double mean = frame.attribute<double>(0);
  const double std = frame.attribute<double>(1);
  const std::int64_t seed = frame.attribute<std::int64_t>(2);
  kernels::check_normal_("normal_", x, mean, std, seed);
  Tensor& out_result = frame.result_like(0, x, x.dtype());
  kernels::normal_(mean, std, seed, out_result);
}
}  // namespace

const OpDef defs::kNormal_{
    .name = "normal_",
    .inplace_name = "normal_",
    .inputs = kNormal_Inputs,
    .attributes = kNormal_Attributes,
    .outputs = kNormal_Outputs,
    .inplace_pairs = kNormal_Pairs,
    .flags = OpDef::kRandom | OpDef::kElementwise | OpDef::kInplaceOnly | OpDef::kZeroGradient,
    .normalise = nullptr,
    .compose = nullptr,
    .infer = infer_normal_,
    .check = check_normal_,
    .run = run_normal_,
    .vjp = nullptr,
    .no_gradient = "the elements of x are not read",
    .write = nullptr,
};

Value* ops::normal_(Value* x, const Number& mean, const Number& std, const Number& seed) {
  return emitted::OpCall(defs::kNormal_).in(x).attr(mean).attr(std).attr(seed).one();
}

}  // namespace oploom::program
