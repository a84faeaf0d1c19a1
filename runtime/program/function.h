#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/autograd/op_info.h"
#include "runtime/autograd/record.h"
#include "runtime/core/shared.h"
#include "runtime/program/program.h"

// A program as one call of eager mode: arguments in, results out, and a node of autograd that goes
// through it backwards.
//
// Forward and backward are the two halves of one plan: the call runs the ops that were recorded, keeps
// the values that the gradient ops read, and backward() runs those. With create_graph the gradients are
// results of a further function, over the same program, which has a derivative again.
namespace oploom::program {

class Function final : public Shared {
 public:
  // inputs: arguments of program.main. outputs: values outside of regions. The program must not be
  // changed by passes any more.
  Function(std::string name, std::shared_ptr<Program> program, std::vector<Value*> inputs,
           std::vector<Value*> outputs);

  // The caller overwrites this input when a call is done: nothing that backward reads may stay in it.
  void will_write(std::size_t input, std::size_t output) {
    written_[input] = true;
    written_outputs_[output] = true;
  }
  // Tensors along inputs, of the recorded types; answers tensors along outputs, each with memory of its
  // own. run: the run whose random numbers are drawn; 0: a new one.
  std::vector<Tensor> call(TensorList inputs, std::uint64_t run = 0);

  Program& program() { return *program_; }
  const OpInfo& info() const { return info_; }
  void destroy() noexcept override { delete this; }

 private:
  friend class FunctionNode;
  // Appended to the program at the first call that is recorded.
  struct Derivative {
    std::vector<Value*> seeds;      // along outputs; null: it can have no gradient
    std::vector<Value*> gradients;  // along inputs; null: always zero
    std::vector<std::vector<std::size_t>> made_of;  // along outputs: which others it was made of
    const Op* last = nullptr;       // of the first half
    std::vector<bool> reads;        // along inputs: whether a gradient hangs on its value
    std::vector<Value*> roots;      // outputs and gradients: what a run in two halves works out
    Ref<Function> function;         // the gradients as a function of inputs and seeds
  };
  const Derivative& derivative();
  Function& gradient_function();
  bool is_recorded(TensorList inputs) const;
  std::vector<Tensor> evaluate(TensorList inputs, std::uint64_t run);
  std::vector<Tensor> record(TensorList inputs, std::uint64_t run);

  const std::string name_, gradient_name_;
  const OpInfo info_;
  const std::shared_ptr<Program> program_;
  const std::vector<Value*> inputs_, outputs_;
  std::vector<bool> written_, written_outputs_;
  bool random_ = false;
  std::mutex mutex_;  // of what follows
  std::unique_ptr<Derivative> derivative_;
};

}  // namespace oploom::program
