#include "runtime/autograd/update.h"

#include <algorithm>

namespace oploom {

UpdateTargets::UpdateTargets(const OpInfo& op, std::initializer_list<Target> targets) {
  for (const Target& target : targets) {
    for (const Tensor& x : target.tensors) {
      if (!x.defined()) continue;
      tensors_.push_back(x);
      targets_.emplace_back(op, target.argument, x, InplaceTarget::kUpdate);
      pointers_.push_back(&targets_.back());
    }
  }
  check_disjoint(op, tensors_);
}

InplaceTarget& UpdateTargets::target_of(const Tensor& x) {
  const auto same = [&](const Tensor& tensor) { return tensor.is(x); };
  const auto at = std::find_if(tensors_.begin(), tensors_.end(), same) - tensors_.begin();
  return targets_[static_cast<std::size_t>(at)];
}

void UpdateTargets::fits(const Tensor& x, Ints shape, DType dtype) const {
  if (x.defined()) const_cast<UpdateTargets*>(this)->target_of(x).fits(shape, dtype);
}

Tensor UpdateTargets::before(const Tensor& input, bool elementwise) {
  Tensor value = input;
  for (InplaceTarget& target : targets_) value = target.before(value, elementwise);
  return value;
}

std::vector<Tensor> UpdateTargets::before(TensorList inputs, bool elementwise) {
  std::vector<Tensor> values;
  values.reserve(inputs.size());
  for (const Tensor& input : inputs) values.push_back(before(input, elementwise));
  return values;
}

Tensor UpdateTargets::contiguous_target(const Tensor& x) {
  if (!x.defined() || x.contiguous()) return x;
  return buffer(x);
}

std::vector<Tensor> UpdateTargets::contiguous_target(std::span<Tensor> xs) {
  std::vector<Tensor> results;
  results.reserve(xs.size());
  for (const Tensor& x : xs) results.push_back(contiguous_target(x));
  return results;
}

Tensor UpdateTargets::buffer(const Tensor& x) {
  return x.defined() ? target_of(x).buffer() : Tensor();
}

std::vector<Tensor> UpdateTargets::buffer(std::span<Tensor> xs) {
  std::vector<Tensor> results;
  results.reserve(xs.size());
  for (const Tensor& x : xs) results.push_back(buffer(x));
  return results;
}

void UpdateTargets::prepare() {
  for (InplaceTarget& target : targets_) target.prepare(nullptr);
}

void UpdateTargets::commit() noexcept { InplaceTarget::commit_all(pointers_); }

}  // namespace oploom
