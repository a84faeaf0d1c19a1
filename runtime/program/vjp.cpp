#include <algorithm>
#include <utility>

#include "runtime/program/control.h"
#include "runtime/program/gradients.h"
#include "runtime/program/roles.h"

// The face that gradient rules see.
namespace oploom::program {
namespace {

// A length that only the run knows is never the same for sure.
bool surely_same_shape(const Type& a, const Type& b) { return a.known() && a.shape == b.shape; }

Value* brought(Value* gradient, Value* like) {
  if (gradient->type.is_list()) return gradient;
  if (!surely_same_shape(gradient->type, like->type)) gradient = roles::sum_to(gradient, shape(like));
  if (gradient->type.dtype != like->type.dtype) gradient = roles::cast(gradient, like->type.dtype);
  return gradient;
}

}  // namespace

Value* zero_gradient(Value* x) {
  if (!x->type.is_list()) return roles::zeros(shape(x), x->type.dtype);
  return Builder::current().append(kZerosLikeList, {x}, {}).results[0].get();
}

Value* sum_of_gradients(Value* a, Value* b) {
  if (!a->type.is_list()) return roles::accumulate(a, b);
  return Builder::current().append(kAddLists, {a, b}, {}, {2}).results[0].get();
}

Vjp::Vjp(const Op& op, std::vector<Value*> result_grads, std::vector<bool> needed)
    : op_(op),
      result_grads_(std::move(result_grads)),
      needed_(std::move(needed)),
      given_(op.inputs.size()),
      so_far_(op.inputs.size()),
      replacements_(op.inputs.size()) {}

// Results are flat: an output that is a list takes what the single ones leave (at most one is a list).
std::size_t Vjp::first_result(std::size_t output) const {
  const auto& outputs = op_.def->outputs;
  const auto list = std::find_if(outputs.begin(), outputs.end(), [](const OutputDef& def) { return def.list; });
  if (list == outputs.end() || output <= static_cast<std::size_t>(list - outputs.begin())) return output;
  return output + op_.results.size() - outputs.size();
}

std::span<Value* const> Vjp::grad_list(std::size_t output) const {
  return {result_grads_.data() + first_result(output), op_.results.size() + 1 - op_.def->outputs.size()};
}

std::size_t Vjp::first_input(std::size_t group) const {
  return static_cast<std::size_t>(op_.group(group).data() - op_.inputs.data());
}

bool Vjp::needs(std::size_t group) const {
  const std::size_t first = first_input(group);
  const std::size_t count = op_.group(group).size();
  for (std::size_t i = first; i < first + count; ++i) {
    if (needed_[i]) return true;
  }
  return false;
}

Number Vjp::number(std::size_t i) const {
  if (Value* value = op_.attribute_value(i)) return Number(value);
  const Attribute& attribute = op_.attributes[i];
  if (const auto* whole = std::get_if<std::int64_t>(&attribute)) return *whole;
  if (const auto* real = std::get_if<double>(&attribute)) return *real;
  return std::get<Scalar>(attribute);
}

Numbers Vjp::numbers(std::size_t i) const {
  if (Value* value = op_.attribute_value(i)) return Numbers(value);
  return std::get<std::vector<std::int64_t>>(op_.attributes[i]);
}

void Vjp::give_one(std::size_t input, Value* gradient) {
  if (gradient == nullptr || !needed_[input]) return;
  gradient = brought(gradient, op_.inputs[input]);
  Value*& sum = given_[input];
  sum = sum == nullptr ? gradient : sum_of_gradients(sum, gradient);
}

void Vjp::give(std::size_t group, Value* gradient) {
  if (!op_.group(group).empty()) give_one(first_input(group), gradient);
}

void Vjp::give_list(std::size_t group, std::span<Value* const> gradients) {
  const std::size_t first = first_input(group);
  const std::size_t count = std::min(gradients.size(), op_.group(group).size());
  for (std::size_t i = 0; i < count; ++i) give_one(first + i, gradients[i]);
}

Value* Vjp::so_far(std::size_t group) const {
  const std::size_t input = first_input(group);
  return replacements_[input] != nullptr ? replacements_[input] : so_far_[input];
}

void Vjp::replace(std::size_t group, Value* gradient) {
  const std::size_t input = first_input(group);
  if (needed_[input]) replacements_[input] = gradient;
}

}  // namespace oploom::program
