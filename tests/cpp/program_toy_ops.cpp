#include "tests/cpp/program_toy_ops.h"

#include <array>
#include <cmath>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/program/gradients.h"

// Elementwise ops.
namespace oploom::program::toy {

Meta meta_of(const Op& op, std::size_t group) {
  const Value* value = op.input(group);
  return value == nullptr ? Meta() : value->type.meta();
}

Value* call(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes,
            std::vector<Value*> attribute_values) {
  return Builder::current().call(def, std::move(inputs), std::move(attributes), {}, std::move(attribute_values))[0];
}

double element(const Tensor& x, std::int64_t i) {
  return dispatch(x.dtype(), [&](auto tag) {
    return static_cast<double>(x.data<typename decltype(tag)::type>()[i]);
  });
}

void set_element(const Tensor& x, std::int64_t i, double value) {
  dispatch(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    x.data<T>()[i] = static_cast<T>(value);
  });
}

std::int64_t broadcast_from(std::int64_t i, Ints to, Ints from) {
  std::int64_t at = 0;
  std::int64_t stride = 1;
  for (std::size_t axis = 1; axis <= to.size(); ++axis) {
    const std::int64_t length = to[to.size() - axis];
    const std::int64_t along = i % length;
    i /= length;
    if (axis > from.size()) continue;
    const std::int64_t own = from[from.size() - axis];
    if (own != 1) at += along * stride;
    stride *= own;
  }
  return at;
}

namespace {

using Kind = InputDef::Kind;
constexpr OutputDef kOut[] = {{"out"}};
constexpr OutputDef kTruth[] = {{"out", false, false}};
constexpr InputDef kX[] = {{"x"}};
constexpr InputDef kXY[] = {{"x", Kind::kOperand}, {"y", Kind::kOperand}};
constexpr InputDef kOutGrad[] = {{"out"}, {"out_grad"}};
constexpr InputDef kConstantOutGrad[] = {{"out", Kind::kTensor, false}, {"out_grad"}};
constexpr OpDef::Pair kFirst[] = {{0, 0}};
constexpr auto kElementwise = OpDef::kElementwise;

// --- Types.

void infer_same(const Op& op, std::vector<Type>& results) {
  const Meta x = meta_of(op, 0);
  results.push_back(tensor_type(oploom::float_of(x.dtype), x.shape));
}

void infer_binary(const Op& op, std::vector<Type>& results) {
  const Meta x = meta_of(op, 0);
  const Meta y = meta_of(op, 1);
  results.push_back(tensor_type(infer::promoted(x, y), infer::broadcast(op.def->name, x, y)));
}

void infer_truth(const Op& op, std::vector<Type>& results) {
  results.push_back(tensor_type(DType::kBool, infer::broadcast(op.def->name, meta_of(op, 0), meta_of(op, 1))));
}

// --- Kernels.

Tensor& dense_output(RunFrame& frame, Ints shape, DType dtype) {
  return frame.result(0, shape, dtype);
}

template <double (*f)(double)>
void run_unary(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Tensor& out = dense_output(frame, x.shape(), frame.op.results[0]->type.dtype);
  for (std::int64_t i = 0; i < x.numel(); ++i) set_element(out, i, f(element(x, i)));
}

template <double (*f)(double, double)>
void run_binary(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  const Tensor& y = frame.input(1);
  const Dims shape = infer::broadcast(frame.op.def->name, Meta(x), Meta(y));
  Tensor& out = dense_output(frame, shape, frame.op.results[0]->type.dtype);
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    const double a = element(x, broadcast_from(i, shape, x.shape()));
    set_element(out, i, f(a, element(y, broadcast_from(i, shape, y.shape()))));
  }
}

double sum_of(double x, double y) { return x + y; }
double difference(double x, double y) { return x - y; }
double product(double x, double y) { return x * y; }
double quotient(double x, double y) { return x / y; }
double less(double x, double y) { return x < y; }
double greater(double x, double y) { return x > y; }
double at_least(double x, double y) { return x >= y; }
double minus(double x) { return -x; }
double same(double x) { return x; }
double squared(double x) { return x * x; }
double positive_part(double x) { return x > 0 ? x : 0; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double relu_back(double out, double g) { return out > 0 ? g : 0; }
double tanh_back(double out, double g) { return g * (1 - out * out); }
double logistic_back(double out, double g) { return g * out * (1 - out); }

void run_scale(RunFrame& frame) {
  const Tensor& x = frame.input(0);
  Tensor& out = dense_output(frame, x.shape(), frame.op.results[0]->type.dtype);
  const double by = frame.attribute<Scalar>(0).to_double();
  const double bias = frame.attribute<Scalar>(1).to_double();
  for (std::int64_t i = 0; i < x.numel(); ++i) set_element(out, i, by * element(x, i) + bias);
}

// --- Gradients.

void vjp_add(Vjp& v) {
  v.give(0, v.grad(0));
  v.give(1, v.grad(0));
}
void vjp_subtract(Vjp& v) {
  if (v.needs(0)) v.give(0, v.grad(0));
  if (v.needs(1)) v.give(1, negative(v.grad(0)));
}
void vjp_multiply(Vjp& v) {
  if (v.needs(0)) v.give(0, multiply(v.grad(0), v.input(1)));
  if (v.needs(1)) v.give(1, multiply(v.grad(0), v.input(0)));
}
void vjp_divide(Vjp& v) {
  Value* x = v.input(0);
  Value* y = v.input(1);
  if (v.needs(0)) v.give(0, divide(v.grad(0), y));
  if (v.needs(1)) v.give(1, divide(multiply(negative(v.grad(0)), divide(x, y)), y));
}
void vjp_negative(Vjp& v) { v.give(0, negative(v.grad(0))); }
void vjp_sin(Vjp& v) { v.give(0, multiply(v.grad(0), cos(v.input(0)))); }
void vjp_cos(Vjp& v) { v.give(0, negative(multiply(v.grad(0), sin(v.input(0))))); }
void vjp_exp(Vjp& v) { v.give(0, multiply(v.grad(0), v.output(0))); }
void vjp_square(Vjp& v) { v.give(0, multiply(multiply(v.grad(0), number(2)), v.input(0))); }
void vjp_clone(Vjp& v) { v.give(0, v.grad(0)); }
void vjp_scale(Vjp& v) { v.give(0, scale(v.grad(0), v.number(0), 0)); }
void vjp_relu(Vjp& v) { v.give(0, relu_grad(v.output(0), v.grad(0))); }
void vjp_relu_grad(Vjp& v) { v.give(1, relu_grad(v.input(0), v.grad(0))); }
void vjp_tanh(Vjp& v) { v.give(0, tanh_grad(v.output(0), v.grad(0))); }
void vjp_tanh_grad(Vjp& v) {
  Value* g = v.grad(0);
  if (v.needs(0)) v.give(0, multiply(multiply(multiply(number(-2), v.input(0)), v.input(1)), g));
  if (v.needs(1)) v.give(1, tanh_grad(v.input(0), g));
}
void vjp_sigmoid(Vjp& v) { v.give(0, sigmoid_grad(v.output(0), v.grad(0))); }
void vjp_sigmoid_grad(Vjp& v) {
  Value* g = v.grad(0);
  if (v.needs(0)) v.give(0, multiply(multiply(g, v.input(1)), scale(v.input(0), -2, 1)));
  if (v.needs(1)) v.give(1, sigmoid_grad(v.input(0), g));
}

Attribute one() { return Scalar(1.0); }
Attribute nothing() { return Scalar(0.0); }
constexpr AttributeDef kScaleAttributes[] = {{"scale", "scalar", one}, {"bias", "scalar", nothing}};

constexpr OpDef unary(const char* name, void (*run)(RunFrame&), void (*vjp)(Vjp&), const char* inplace = nullptr) {
  return {.name = name, .inplace_name = inplace, .inputs = kX, .attributes = {}, .outputs = kOut,
          .inplace_pairs = inplace == nullptr ? std::span<const OpDef::Pair>() : kFirst, .flags = kElementwise,
          .infer = infer_same, .run = run, .vjp = vjp};
}
constexpr OpDef binary(const char* name, void (*run)(RunFrame&), void (*vjp)(Vjp&), const char* inplace = nullptr) {
  return {.name = name, .inplace_name = inplace, .inputs = kXY, .attributes = {}, .outputs = kOut,
          .inplace_pairs = inplace == nullptr ? std::span<const OpDef::Pair>() : kFirst, .flags = kElementwise,
          .infer = infer_binary, .run = run, .vjp = vjp};
}
constexpr OpDef comparison(const char* name, void (*run)(RunFrame&)) {
  return {.name = name, .inplace_name = nullptr, .inputs = kXY, .attributes = {}, .outputs = kTruth,
          .inplace_pairs = {}, .flags = kElementwise, .infer = infer_truth, .run = run,
          .no_gradient = "truth values have none"};
}
constexpr OpDef grad_of(const char* name, std::span<const InputDef> inputs, void (*run)(RunFrame&), void (*vjp)(Vjp&)) {
  return {.name = name, .inplace_name = nullptr, .inputs = inputs, .attributes = {}, .outputs = kOut,
          .inplace_pairs = {}, .flags = kElementwise | OpDef::kInternal, .infer = infer_binary, .run = run, .vjp = vjp};
}

constexpr OpDef kAdd = binary("add", run_binary<sum_of>, vjp_add, "add_");
constexpr OpDef kSubtract = binary("subtract", run_binary<difference>, vjp_subtract, "subtract_");
constexpr OpDef kMultiply = binary("multiply", run_binary<product>, vjp_multiply, "multiply_");
constexpr OpDef kDivide = binary("divide", run_binary<quotient>, vjp_divide, "divide_");
constexpr OpDef kLess = comparison("less_than", run_binary<less>);
constexpr OpDef kGreater = comparison("greater_than", run_binary<greater>);
constexpr OpDef kGreaterEqual = comparison("greater_equal", run_binary<at_least>);
constexpr OpDef kNegative = unary("negative", run_unary<minus>, vjp_negative);
constexpr OpDef kSin = unary("sin", run_unary<std::sin>, vjp_sin, "sin_");
constexpr OpDef kCos = unary("cos", run_unary<std::cos>, vjp_cos);
constexpr OpDef kExp = unary("exp", run_unary<std::exp>, vjp_exp, "exp_");
constexpr OpDef kTanh = unary("tanh", run_unary<std::tanh>, vjp_tanh, "tanh_");
constexpr OpDef kTanhGrad = grad_of("tanh_grad", kOutGrad, run_binary<tanh_back>, vjp_tanh_grad);
constexpr OpDef kSigmoid = unary("sigmoid", run_unary<logistic>, vjp_sigmoid, "sigmoid_");
constexpr OpDef kSigmoidGrad = grad_of("sigmoid_grad", kOutGrad, run_binary<logistic_back>, vjp_sigmoid_grad);
constexpr OpDef kSquare = unary("square", run_unary<squared>, vjp_square, "square_");
constexpr OpDef kRelu = unary("relu", run_unary<positive_part>, vjp_relu, "relu_");
constexpr OpDef kReluGrad = grad_of("relu_grad", kConstantOutGrad, run_binary<relu_back>, vjp_relu_grad);
constexpr OpDef kClone = unary("clone", run_unary<same>, vjp_clone);
constexpr OpDef kFloor{.name = "floor", .inplace_name = "floor_", .inputs = kX, .attributes = {}, .outputs = kOut,
                       .inplace_pairs = kFirst, .flags = kElementwise | OpDef::kZeroGradient, .infer = infer_same,
                       .run = run_unary<std::floor>};
constexpr OpDef kUnwritten{.name = "unwritten", .inplace_name = nullptr, .inputs = kX, .attributes = {},
                           .outputs = kOut, .inplace_pairs = {}, .flags = 0, .infer = infer_same,
                           .run = run_unary<same>, .no_gradient = "nobody wrote it"};
constexpr OpDef kScale{.name = "scale", .inplace_name = "scale_", .inputs = kX, .attributes = kScaleAttributes,
                       .outputs = kOut, .inplace_pairs = kFirst, .flags = kElementwise, .infer = infer_same,
                       .run = run_scale, .vjp = vjp_scale};

constexpr std::array kTable = {&kAdd,  &kSubtract, &kMultiply, &kDivide,      &kLess,   &kGreater, &kGreaterEqual,
                               &kNegative, &kSin,  &kCos,      &kExp,         &kTanh,   &kTanhGrad, &kSigmoid,
                               &kSigmoidGrad, &kSquare, &kRelu, &kReluGrad,   &kClone,  &kFloor,   &kUnwritten,
                               &kScale};

}  // namespace

const std::span<const OpDef* const> kElementOps = kTable;

Value* number(double value) { return operand(value); }
Value* add(Value* x, Value* y) { return call(kAdd, {x, y}); }
Value* subtract(Value* x, Value* y) { return call(kSubtract, {x, y}); }
Value* multiply(Value* x, Value* y) { return call(kMultiply, {x, y}); }
Value* divide(Value* x, Value* y) { return call(kDivide, {x, y}); }
Value* less_than(Value* x, Value* y) { return call(kLess, {x, y}); }
Value* greater_than(Value* x, Value* y) { return call(kGreater, {x, y}); }
Value* greater_equal(Value* x, Value* y) { return call(kGreaterEqual, {x, y}); }
Value* negative(Value* x) { return call(kNegative, {x}); }
Value* sin(Value* x) { return call(kSin, {x}); }
Value* cos(Value* x) { return call(kCos, {x}); }
Value* exp(Value* x) { return call(kExp, {x}); }
Value* tanh(Value* x) { return call(kTanh, {x}); }
Value* tanh_grad(Value* out, Value* out_grad) { return call(kTanhGrad, {out, out_grad}); }
Value* sigmoid(Value* x) { return call(kSigmoid, {x}); }
Value* sigmoid_grad(Value* out, Value* out_grad) { return call(kSigmoidGrad, {out, out_grad}); }
Value* square(Value* x) { return call(kSquare, {x}); }
Value* relu(Value* x) { return call(kRelu, {x}); }
Value* relu_grad(Value* out, Value* out_grad) { return call(kReluGrad, {out, out_grad}); }
Value* floor(Value* x) { return call(kFloor, {x}); }
Value* unwritten(Value* x) { return call(kUnwritten, {x}); }
Value* clone(Value* x) { return call(kClone, {x}); }
Value* scale(Value* x, const Number& by, const Number& bias) {
  return call(kScale, {x}, {by.scalar(), bias.scalar()}, {by.value(), bias.value()});
}

}  // namespace oploom::program::toy
