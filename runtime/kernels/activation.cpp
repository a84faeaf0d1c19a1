// Activation functions and their gradients. Compiled once for each CPU target; what follows
// HWY_ONCE, once. softmax, which is not element by element, is in softmax.cpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/activation.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/simd_loops.h"
#include "runtime/kernels/simd_math.h"

#ifndef OPLOOM_KERNELS_ACTIVATION_ROWS
#define OPLOOM_KERNELS_ACTIVATION_ROWS
namespace oploom::kernels::activation {

struct Rows {
  LoopRow relu, relu_grad, leaky_relu, leaky_relu_grad;
  LoopRow tanh, tanh_grad, sigmoid, sigmoid_grad;
  LoopRow elu, elu_grad, elu_curvature, elu_out_grad;
};
inline Rows rows;

}  // namespace oploom::kernels::activation
#endif

HWY_BEFORE_NAMESPACE();
namespace oploom::kernels {
namespace HWY_NAMESPACE {
namespace {

// With the one parameter that an op has: a slope or a height.
template <class Base>
struct With : Base {
  explicit With(const void* params) : parameter(*static_cast<const double*>(params)) {}
  template <class D>
  HWY_INLINE hn::Vec<D> set(D d) const {
    return hn::Set(d, static_cast<hn::TFromD<D>>(parameter));
  }
  double parameter;
};
template <class D>
HWY_INLINE hn::Vec<D> one(D d) {
  return hn::Set(d, hn::TFromD<D>(1));
}

struct Relu : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V x) const {
    return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
  }
};
struct ReluInt : Light {
  using Light::Light;
  template <typename T>
  T at(T x) const {
    return x > T(0) ? x : T(0);
  }
};
struct ReluGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V out, V grad) const {
    return hn::IfThenZeroElse(hn::Le(out, hn::Zero(d)), grad);
  }
};
struct LeakyRelu : With<Light> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, set(d)));
  }
};
struct LeakyReluGrad : With<Light> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V x, V grad) const {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), grad, hn::Mul(grad, set(d)));
  }
};

struct Tanh : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::tanh(d, x);
  }
};
struct TanhGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V out, V grad) const {
    return hn::Mul(grad, hn::Sub(one(d), hn::Mul(out, out)));
  }
};
struct Sigmoid : Heavy {
  using Heavy::Heavy;
  template <class D, class V>
  V operator()(D d, V x) const {
    return simd::sigmoid(d, x);
  }
};
struct SigmoidGrad : Light {
  using Light::Light;
  template <class D, class V>
  V operator()(D d, V out, V grad) const {
    return hn::Mul(grad, hn::Mul(out, hn::Sub(one(d), out)));
  }
};

struct Elu : With<Heavy> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(simd::expm1(d, x), set(d)));
  }
};
// alpha * exp(x)
template <class Self, class D, class V>
HWY_INLINE V tail(const Self& self, D d, V x) {
  return hn::Mul(simd::exp(d, x), self.set(d));
}
struct EluGrad : With<Heavy> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V x, V grad) const {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), grad, hn::Mul(grad, tail(*this, d, x)));
  }
};
struct EluCurvature : With<Heavy> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V x, V grad) const {
    return hn::IfThenZeroElse(hn::Gt(x, hn::Zero(d)), hn::Mul(grad, tail(*this, d, x)));
  }
};
struct EluOutGrad : With<Light> {
  using With::With;
  template <class D, class V>
  V operator()(D d, V out, V grad) const {
    return hn::IfThenElse(hn::Gt(out, hn::Zero(d)), grad, hn::Mul(grad, hn::Add(out, set(d))));
  }
};

void fill() {
  activation::Rows& rows = activation::rows;
  set_floats1<Relu>(rows.relu);
  set_ints1<ReluInt>(rows.relu);
  set_floats2<ReluGrad>(rows.relu_grad);
  set_floats1<LeakyRelu>(rows.leaky_relu);
  set_floats2<LeakyReluGrad>(rows.leaky_relu_grad);
  set_floats1<Tanh>(rows.tanh);
  set_floats2<TanhGrad>(rows.tanh_grad);
  set_floats1<Sigmoid>(rows.sigmoid);
  set_floats2<SigmoidGrad>(rows.sigmoid_grad);
  set_floats1<Elu>(rows.elu);
  set_floats2<EluGrad>(rows.elu_grad);
  set_floats2<EluCurvature>(rows.elu_curvature);
  set_floats2<EluOutGrad>(rows.elu_out_grad);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace oploom::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "generated/kernels.h"

namespace oploom::kernels {
namespace {

using activation::rows;

HWY_EXPORT(fill);
const LoopFiller filler([] { HWY_DYNAMIC_DISPATCH(fill)(); });

}  // namespace

void relu(const Tensor& x, Tensor& out) { run1(rows.relu, x, out); }
void relu_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad) {
  run2(rows.relu_grad, out, out_grad, x_grad);
}
void leaky_relu(const Tensor& x, double negative_slope, Tensor& out) {
  run1(rows.leaky_relu, x, out, &negative_slope);
}
void leaky_relu_grad(const Tensor& x, const Tensor& out_grad, double negative_slope,
                     Tensor& x_grad) {
  run2(rows.leaky_relu_grad, x, out_grad, x_grad, &negative_slope);
}

void tanh(const Tensor& x, Tensor& out) { run1(rows.tanh, x, out); }
void tanh_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad) {
  run2(rows.tanh_grad, out, out_grad, x_grad);
}
void sigmoid(const Tensor& x, Tensor& out) { run1(rows.sigmoid, x, out); }
void sigmoid_grad(const Tensor& out, const Tensor& out_grad, Tensor& x_grad) {
  run2(rows.sigmoid_grad, out, out_grad, x_grad);
}

void elu(const Tensor& x, double alpha, Tensor& out) { run1(rows.elu, x, out, &alpha); }
void elu_grad(const Tensor& x, const Tensor& out_grad, double alpha, Tensor& x_grad) {
  run2(rows.elu_grad, x, out_grad, x_grad, &alpha);
}
void elu_curvature(const Tensor& x, const Tensor& out_grad, double alpha, Tensor& x_grad) {
  run2(rows.elu_curvature, x, out_grad, x_grad, &alpha);
}
void elu_out_grad(const Tensor& out, const Tensor& out_grad, double alpha, Tensor& x_grad) {
  run2(rows.elu_out_grad, out, out_grad, x_grad, &alpha);
}

}  // namespace oploom::kernels

#endif  // HWY_ONCE
