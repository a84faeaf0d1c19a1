// Generated from ops/optimizer.yaml by `make generate`. Do not edit.

#include "generated/kernels.h"
#include "generated/op_table.h"
#include "generated/ops.h"
#include "runtime/autograd/update.h"
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
  UpdateTargets targets(op_info::sgd_, {{"param", param}, {"master_param", master_param}});
  infer::expect_float("sgd_", "param", param);
  infer::expect_float("sgd_", "grad", grad);
  infer::expect_float("sgd_", "master_param", master_param);
  kernels::check_sgd_("sgd_", param, learning_rate, grad, master_param, options.multi_precision);
  const Tensor param_read = contiguous(param);
  const Tensor learning_rate_read = contiguous(targets.before(learning_rate, false));
  const Tensor grad_read = contiguous(targets.before(grad, false));
  const Tensor master_param_read = contiguous(master_param);
  Tensor param_result = targets.contiguous_target(param);
  Tensor master_param_result = targets.contiguous_target(master_param);
  targets.prepare();
  kernels::sgd_(param_read, learning_rate_read, grad_read, master_param_read,
                options.multi_precision, param_result, master_param_result);
  targets.commit();  // version + 1
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
  UpdateTargets targets(op_info::momentum_,
                        {{"param", param}, {"velocity", velocity}, {"master_param", master_param}});
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
  const Tensor param_read = contiguous(param);
  const Tensor grad_read = contiguous(targets.before(grad, false));
  const Tensor velocity_read = contiguous(velocity);
  const Tensor learning_rate_read = contiguous(targets.before(learning_rate, false));
  const Tensor master_param_read = contiguous(master_param);
  Tensor param_result = targets.contiguous_target(param);
  Tensor velocity_result = targets.contiguous_target(velocity);
  Tensor master_param_result = targets.contiguous_target(master_param);
  targets.prepare();
  kernels::momentum_(param_read, grad_read, velocity_read, learning_rate_read, master_param_read,
                     options.mu, options.use_nesterov, options.regularization_method,
                     options.regularization_coeff, options.multi_precision, options.rescale_grad,
                     param_result, velocity_result, master_param_result);
  targets.commit();  // version + 1
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
