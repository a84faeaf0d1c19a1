// Generated from ops/random.yaml by `make generate`. Do not edit.

#include <optional>
#include <utility>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/core/infer.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- rand ---------------------------------------------------------------------- ops/random.yaml:3

Tensor imperative_rand(Ints shape, std::optional<DType> dtype) {
  TraceCall trace(op_info::rand);
  kernels::check_rand("rand", shape, dtype);
  Tensor out = empty(shape, infer::chosen(dtype, DType::kFloat32));
  kernels::rand(shape, dtype, out);
  if (trace) trace.done({}, {{"out", out}}, attributes_text("shape", shape, "dtype", dtype));
  return out;
}

// --- randn -------------------------------------------------------------------- ops/random.yaml:15

Tensor imperative_randn(Ints shape, std::optional<DType> dtype) {
  TraceCall trace(op_info::randn);
  kernels::check_randn("randn", shape, dtype);
  Tensor out = empty(shape, infer::chosen(dtype, DType::kFloat32));
  kernels::randn(shape, dtype, out);
  if (trace) trace.done({}, {{"out", out}}, attributes_text("shape", shape, "dtype", dtype));
  return out;
}

// --- uniform_ ----------------------------------------------------------------- ops/random.yaml:27
namespace {
struct UniformNode final : NodeOf<UniformNode, 1> {
  UniformNode() : NodeOf(op_info::uniform_) {}
  void backward() override {
    // Zero: the elements of x are not read.
  }
};
}  // namespace

Tensor& imperative_uniform_(Tensor& x, double min, double max, std::int64_t seed,
                            std::int64_t diag_num, std::int64_t diag_step, double diag_val) {
  TraceCall trace(op_info::uniform_);
  InplaceTarget target(op_info::uniform_, "x", x);
  infer::expect_float("uniform_", "x", x);
  kernels::check_uniform_("uniform_", x, min, max, seed, diag_num, diag_step, diag_val);
  Ref<UniformNode> node;
  if (recording(x)) {
    node = Ref<UniformNode>::adopt(new UniformNode);
    node->connect(0, x);
  }
  target.prepare(std::move(node));
  kernels::uniform_(min, max, seed, diag_num, diag_step, diag_val, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}},
               attributes_text("min", min, "max", max, "seed", seed, "diag_num", diag_num,
                               "diag_step", diag_step, "diag_val", diag_val),
               "x -> out");
  }
  return x;
}

// --- normal_ ------------------------------------------------------------------ ops/random.yaml:45
namespace {
struct NormalNode final : NodeOf<NormalNode, 1> {
  NormalNode() : NodeOf(op_info::normal_) {}
  void backward() override {
    // Zero: the elements of x are not read.
  }
};
}  // namespace

Tensor& imperative_normal_(Tensor& x, double mean, double std, std::int64_t seed) {
  TraceCall trace(op_info::normal_);
  InplaceTarget target(op_info::normal_, "x", x);
  infer::expect_float("normal_", "x", x);
  kernels::check_normal_("normal_", x, mean, std, seed);
  Ref<NormalNode> node;
  if (recording(x)) {
    node = Ref<NormalNode>::adopt(new NormalNode);
    node->connect(0, x);
  }
  target.prepare(std::move(node));
  kernels::normal_(mean, std, seed, x);
  target.commit();  // version + 1
  if (trace) {
    trace.done({{"x", x}}, {{"out", x}}, attributes_text("mean", mean, "std", std, "seed", seed),
               "x -> out");
  }
  return x;
}

}  // namespace oploom
