#include <string_view>

#include "generated/kernels.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"

namespace oploom::kernels {
namespace {

double number_of(const Tensor& x) {
  return dispatch(x.dtype(), [&](auto tag) {
    return static_cast<double>(*x.data<typename decltype(tag)::type>());
  });
}

void start_from(const Tensor& x, Tensor& out) {
  if (out.defined() && out.bytes() != x.bytes()) copy_elements(x, out);
}

void check_like_param(std::string_view op, const char* argument, const Tensor& x,
                      const Tensor& param, DType dtype) {
  if (x.shape() != param.shape()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] ", argument, ": expected param's shape ", param.shape(),
          ", got ", x.shape());
  }
  if (x.dtype() != dtype) [[unlikely]] {
    raise(ErrorKind::kType, "[", op, "] ", argument, ": expected dtype ", dtype, ", got ",
          x.dtype(), "; cast it to ", dtype);
  }
}

void check_common(std::string_view op, const Tensor& param, const Tensor& grad,
                  const Tensor& learning_rate, const Tensor& master_param, bool multi_precision) {
  check_like_param(op, "grad", grad, param, param.dtype());
  if (learning_rate.numel() != 1) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op, "] learning_rate: expected one number, got shape ",
          learning_rate.shape());
  }
  if (multi_precision && !master_param.defined()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", op,
          "] master_param: expected a tensor because multi_precision is set, got none; give the "
          "float64 master of param");
  }
  if (master_param.defined())
    check_like_param(op, "master_param", master_param, param, DType::kFloat64);
}

// What one step of momentum needs beside the tensors, in the type that it is worked out in.
template <typename M>
struct MomentumStep {
  M learning_rate;
  M mu;
  M decay;
  M rescale;
  bool nesterov;
  bool decays;

  M velocity(M grad, M param, M velocity) const {
    const M scaled = grad * rescale;
    return mu * velocity + (decays ? scaled + decay * param : scaled);
  }
  M param(M grad, M old, M new_velocity) const {
    const M scaled = grad * rescale;
    const M full = decays ? scaled + decay * old : scaled;
    return old - learning_rate * (nesterov ? full + mu * new_velocity : new_velocity);
  }
};

// The pointers are apart: the call refuses targets that overlap and copies what they share with
// grad.
template <typename T, typename M>
void run_momentum(const MomentumStep<M>& given, T* __restrict param, const T* __restrict grad,
                  M* __restrict velocity, std::int64_t n) {
  const MomentumStep<M> step = given;
  for (std::int64_t i = 0; i < n; ++i) {
    const M g = static_cast<M>(grad[i]);
    const M p = static_cast<M>(param[i]);
    velocity[i] = step.velocity(g, p, velocity[i]);
    param[i] = static_cast<T>(step.param(g, p, velocity[i]));
  }
}

template <typename T, typename M>
void run_master_momentum(const MomentumStep<M>& given, T* __restrict param,
                         const T* __restrict grad, M* __restrict velocity, M* __restrict master,
                         std::int64_t n) {
  const MomentumStep<M> step = given;
  for (std::int64_t i = 0; i < n; ++i) {
    const M g = static_cast<M>(grad[i]);
    const M p = master[i];
    velocity[i] = step.velocity(g, p, velocity[i]);
    master[i] = step.param(g, p, velocity[i]);
    param[i] = static_cast<T>(master[i]);
  }
}

template <typename T, typename M>
void run_sgd(M learning_rate, T* __restrict param, const T* __restrict grad, M* __restrict master,
             std::int64_t n) {
  if (master == nullptr) {
    for (std::int64_t i = 0; i < n; ++i) {
      param[i] = static_cast<T>(static_cast<M>(param[i]) - learning_rate * static_cast<M>(grad[i]));
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    master[i] -= learning_rate * static_cast<M>(grad[i]);
    param[i] = static_cast<T>(master[i]);
  }
}

}  // namespace

void check_sgd_(std::string_view op, const Tensor& param, const Tensor& learning_rate,
                const Tensor& grad, const Tensor& master_param, bool multi_precision) {
  check_common(op, param, grad, learning_rate, master_param, multi_precision);
}

void sgd_(const Tensor& param, const Tensor& learning_rate, const Tensor& grad,
          const Tensor& master_param, bool multi_precision, Tensor& param_out,
          Tensor& master_param_out) {
  start_from(param, param_out);
  start_from(master_param, master_param_out);
  const double rate = number_of(learning_rate);
  const std::int64_t n = param_out.numel();
  dispatch_float(param_out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = param_out.data<T>();
    const T* from = grad.data<T>();
    double* master = multi_precision ? master_param_out.data<double>() : nullptr;
    const Unlocked unlocked(n, {&param_out, &grad, &master_param_out});
    if (master != nullptr)
      run_sgd<T, double>(rate, to, from, master, n);
    else
      run_sgd<T, T>(static_cast<T>(rate), to, from, nullptr, n);
  });
}

void check_momentum_(std::string_view op, const Tensor& param, const Tensor& grad,
                     const Tensor& velocity, const Tensor& learning_rate,
                     const Tensor& master_param, double, bool, std::string_view, double,
                     bool multi_precision, double) {
  check_common(op, param, grad, learning_rate, master_param, multi_precision);
  check_like_param(op, "velocity", velocity, param,
                   multi_precision ? DType::kFloat64 : param.dtype());
}

void momentum_(const Tensor& param, const Tensor& grad, const Tensor& velocity,
               const Tensor& learning_rate, const Tensor& master_param, double mu,
               bool use_nesterov, std::string_view regularization_method,
               double regularization_coeff, bool multi_precision, double rescale_grad,
               Tensor& param_out, Tensor& velocity_out, Tensor& master_param_out) {
  start_from(param, param_out);
  start_from(velocity, velocity_out);
  start_from(master_param, master_param_out);
  const double rate = number_of(learning_rate);
  const std::int64_t n = param_out.numel();
  const bool decays = regularization_method == "l2_decay";
  dispatch_float(param_out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = param_out.data<T>();
    const T* from = grad.data<T>();
    const auto step = [&](auto as) {
      using M = decltype(as);
      return MomentumStep<M>{
          static_cast<M>(rate),         static_cast<M>(mu), static_cast<M>(regularization_coeff),
          static_cast<M>(rescale_grad), use_nesterov,       decays};
    };
    if (multi_precision) {
      double* moved = velocity_out.data<double>();
      double* master = master_param_out.data<double>();
      const Unlocked unlocked(n, {&param_out, &grad, &velocity_out, &master_param_out});
      run_master_momentum<T, double>(step(0.0), to, from, moved, master, n);
    } else {
      T* moved = velocity_out.data<T>();
      const Unlocked unlocked(n, {&param_out, &grad, &velocity_out});
      run_momentum<T, T>(step(T(0)), to, from, moved, n);
    }
  });
}

}  // namespace oploom::kernels
