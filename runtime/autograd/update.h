#pragma once

#include <deque>
#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/autograd/inplace.h"

namespace oploom {

// All targets of one call of an update op (an optimizer step), from the first check to the commit:
// leaves are written and nothing is recorded (C11), no two targets share bytes (C9), each storage is
// bumped once (E1). The order of work is InplaceTarget's.
//
//   UpdateTargets targets(op, {{"param", param}, {"velocity", velocity}});
//   const Tensor grad_read = targets.before(grad, true);
//   targets.prepare();
//   kernels::op(param, grad_read, velocity, param, velocity);
//   targets.commit();
class UpdateTargets {
 public:
  // A tensor, which may be absent, or a list of tensors.
  struct Target {
    const char* argument;
    std::span<const Tensor> tensors;
    Target(const char* name, const Tensor& x) : argument(name), tensors(&x, 1) {}
    Target(const char* name, std::span<Tensor> xs) : argument(name), tensors(xs) {}
  };
  UpdateTargets(const OpInfo& op, std::initializer_list<Target> targets);

  // The result of target x must fit it (C5, C6).
  void fits(const Tensor& x, Ints shape, DType dtype) const;
  // An input as the kernel may read it: itself, or a copy where it shares bytes with a target (C8).
  Tensor before(const Tensor& input, bool elementwise);
  std::vector<Tensor> before(TensorList inputs, bool elementwise);
  // Where a kernel that wants dense memory writes target x: x itself, or a buffer where x is strided.
  Tensor contiguous_target(const Tensor& x);
  std::vector<Tensor> contiguous_target(std::span<Tensor> xs);
  // The same for a kernel that may not run on x's own bytes: always a buffer.
  Tensor buffer(const Tensor& x);
  std::vector<Tensor> buffer(std::span<Tensor> xs);

  void prepare();
  void commit() noexcept;

 private:
  InplaceTarget& target_of(const Tensor& x);

  std::vector<Tensor> tensors_;
  std::deque<InplaceTarget> targets_;     // one for each of tensors_; they do not move
  std::vector<InplaceTarget*> pointers_;  // to them
};

}  // namespace oploom
