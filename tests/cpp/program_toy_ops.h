#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/program/builder.h"
#include "runtime/program/interpreter.h"

// A small set of ops for tests of the program's IR and its differentiation, under the registry's names: with types,
// gradients and slow plain kernels. Functions append to the current builder. find_op() has them by name.
namespace oploom::program::toy {

Value* number(double value);  // a weak number
Value* add(Value* x, Value* y);
Value* subtract(Value* x, Value* y);
Value* multiply(Value* x, Value* y);
Value* divide(Value* x, Value* y);
Value* less_than(Value* x, Value* y);
Value* greater_than(Value* x, Value* y);
Value* greater_equal(Value* x, Value* y);
Value* negative(Value* x);
Value* sin(Value* x);
Value* cos(Value* x);
Value* exp(Value* x);
Value* tanh(Value* x);
Value* tanh_grad(Value* out, Value* out_grad);
Value* sigmoid(Value* x);
Value* sigmoid_grad(Value* out, Value* out_grad);
Value* square(Value* x);
Value* relu(Value* x);
Value* relu_grad(Value* out, Value* out_grad);
Value* floor(Value* x);      // its gradient is zero
Value* unwritten(Value* x);  // x; nobody wrote its gradient
Value* clone(Value* x);
Value* scale(Value* x, const Number& scale, const Number& bias);

Value* full(const Numbers& shape, Scalar value, std::optional<DType> dtype = std::nullopt);
Value* zeros(const Numbers& shape, std::optional<DType> dtype);
Value* ones(const Numbers& shape, std::optional<DType> dtype);
Value* cast(Value* x, DType dtype);
Value* sum(Value* x, std::vector<std::int64_t> axis = {}, bool keepdim = false);
Value* mean(Value* x);
Value* sum_to(Value* x, const Numbers& shape);
Value* expand(Value* x, const Numbers& shape);
Value* reshape(Value* x, const Numbers& shape);
Value* slice(Value* x, const Index& index);
Value* set_item(Value* x, Value* value, const Index& index);
Value* concat(std::vector<Value*> xs, std::int64_t axis);
std::vector<Value*> split(Value* x, std::vector<std::int64_t> lengths);  // along axis 0: a list output
Value* uniform(const Numbers& shape, double low, double high);
Value* sgd(Value* param, Value* grad, Value* learning_rate);

// --- The tables behind it.
extern const std::span<const OpDef* const> kElementOps;  // program_toy_ops.cpp
extern const std::span<const OpDef* const> kShapeOps;    // program_toy_shapes.cpp

// --- Shared by both: types and elements.
Meta meta_of(const Op& op, std::size_t group);
Value* call(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes = {},
            std::vector<Value*> attribute_values = {});
double element(const Tensor& x, std::int64_t i);
void set_element(const Tensor& x, std::int64_t i, double value);
// The position in a dense tensor of shape `from` that position i of shape `to` is broadcast from.
std::int64_t broadcast_from(std::int64_t i, Ints to, Ints from);

}  // namespace oploom::program::toy
