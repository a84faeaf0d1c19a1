// Generated from ops/optimizer.yaml by `make generate`. Do not edit.

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "generated/roles.h"
#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/tracer/attributes.h"
#include "runtime/tracer/tracer.h"

namespace oploom {

// --- sgd_ ------------------------------------------------------------------- ops/optimizer.yaml:3

void imperative_sgd_(Tensor& param, const Operand& learning_rate_in, const Tensor& grad,
                     Tensor& master_param, const SgdOptions& options) {
  TraceCall trace(op_info::sgd_);
  const Tensor& learning_rate = learning_rate_in;
  InplaceTarget param_target(op_info::sgd_, "param", param, InplaceTarget::kUpdate);
  std::optional<InplaceTarget> master_param_target;
  if (master_param.defined()) {
    master_param_target.emplace(op_info::sgd_, "master_param", master_param,
                                InplaceTarget::kUpdate);
  }
  check_disjoint(op_info::sgd_, {&param, &master_param});
  infer::expect_float("sgd_", "param", param);
  infer::expect_float("sgd_", "grad", grad);
  infer::expect_float("sgd_", "master_param", master_param);
  kernels::check_sgd_("sgd_", param, learning_rate, grad, master_param, options.multi_precision);
  const Tensor* learning_rate_read = &(param_target.before(learning_rate, false));
  learning_rate_read = &(master_param_target
                             ? master_param_target->before(*learning_rate_read, false)
                             : *learning_rate_read);
  const Tensor* grad_read = &(param_target.before(grad, false));
  grad_read = &(master_param_target ? master_param_target->before(*grad_read, false) : *grad_read);
  param_target.prepare(nullptr);
  if (master_param_target) master_param_target->prepare(nullptr);
  Tensor& param_result = param_target.contiguous_target(param);
  Tensor& master_param_result =
      master_param_target ? master_param_target->contiguous_target(master_param) : master_param;
  kernels::sgd_(contiguous(param), contiguous(*learning_rate_read), contiguous(*grad_read),
                contiguous(master_param), options.multi_precision, param_result,
                master_param_result);
  InplaceTarget::commit_all(
      {&param_target, master_param_target ? &*master_param_target : nullptr});  // version + 1
  if (trace) {
    trace.done({{"param", param}, {"learning_rate", learning_rate}, {"grad", grad},
                {"master_param", master_param}},
               {{"param_out", param}, {"master_param_out", master_param}},
               attributes_text("multi_precision", options.multi_precision),
               "param -> param_out, master_param -> master_param_out");
  }
}

// --- momentum_ ------------------------------------------------------------- ops/optimizer.yaml:20

void imperative_momentum_(Tensor& param, const Tensor& grad, Tensor& velocity,
                          const Operand& learning_rate_in, Tensor& master_param,
                          const MomentumOptions& options) {
  TraceCall trace(op_info::momentum_);
  const Tensor& learning_rate = learning_rate_in;
  InplaceTarget param_target(op_info::momentum_, "param", param, InplaceTarget::kUpdate);
  InplaceTarget velocity_target(op_info::momentum_, "velocity", velocity, InplaceTarget::kUpdate);
  std::optional<InplaceTarget> master_param_target;
  if (master_param.defined()) {
    master_param_target.emplace(op_info::momentum_, "master_param", master_param,
                                InplaceTarget::kUpdate);
  }
  check_disjoint(op_info::momentum_, {&param, &velocity, &master_param});
  infer::expect_float("momentum_", "param", param);
  infer::expect_float("momentum_", "grad", grad);
  infer::expect_float("momentum_", "velocity", velocity);
  infer::expect_float("momentum_", "master_param", master_param);
  infer::choice("momentum_", "regularization_method", options.regularization_method,
                {"", "l2_decay"});
  kernels::check_momentum_("momentum_", param, grad, velocity, learning_rate, master_param,
                           options.mu, options.use_nesterov, options.regularization_method,
                           options.regularization_coeff, options.multi_precision,
                           options.rescale_grad);
  const Tensor* grad_read = &(param_target.before(grad, false));
  grad_read = &(velocity_target.before(*grad_read, false));
  grad_read = &(master_param_target ? master_param_target->before(*grad_read, false) : *grad_read);
  const Tensor* learning_rate_read = &(param_target.before(learning_rate, false));
  learning_rate_read = &(velocity_target.before(*learning_rate_read, false));
  learning_rate_read = &(master_param_target
                             ? master_param_target->before(*learning_rate_read, false)
                             : *learning_rate_read);
  param_target.prepare(nullptr);
  velocity_target.prepare(nullptr);
  if (master_param_target) master_param_target->prepare(nullptr);
  Tensor& param_result = param_target.contiguous_target(param);
  Tensor& velocity_result = velocity_target.contiguous_target(velocity);
  Tensor& master_param_result =
      master_param_target ? master_param_target->contiguous_target(master_param) : master_param;
  kernels::momentum_(contiguous(param), contiguous(*grad_read), contiguous(velocity),
                     contiguous(*learning_rate_read), contiguous(master_param), options.mu,
                     options.use_nesterov, options.regularization_method,
                     options.regularization_coeff, options.multi_precision, options.rescale_grad,
                     param_result, velocity_result, master_param_result);
  InplaceTarget::commit_all(
      {&param_target, &velocity_target,
       master_param_target ? &*master_param_target : nullptr});  // version + 1
  if (trace) {
    trace.done(
        {{"param", param}, {"grad", grad}, {"velocity", velocity}, {"learning_rate", learning_rate},
         {"master_param", master_param}},
        {{"param_out", param}, {"velocity_out", velocity}, {"master_param_out", master_param}},
        attributes_text("mu", options.mu, "use_nesterov", options.use_nesterov,
                        "regularization_method", options.regularization_method,
                        "regularization_coeff", options.regularization_coeff, "multi_precision",
                        options.multi_precision, "rescale_grad", options.rescale_grad),
        "param -> param_out, velocity -> velocity_out, master_param -> master_param_out");
  }
}

}  // namespace oploom
