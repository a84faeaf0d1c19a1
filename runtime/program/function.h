#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
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
// the values that the gradient ops read, and backward() runs those. Which outputs backward() will get
// a gradient of is known by then only: a call prepares for what came last time. Where something else
// comes, the gradients are worked out from the call's inputs anew; so they are with create_graph, by a
// further function over the same program, which has a derivative again.
namespace oploom::program {

class Function final : public Shared {
 public:
  // inputs: arguments of program.main. outputs: values outside of regions; versions, along outputs: what
  // else stood for one before. The program must not be changed by passes any more.
  using Versions = std::vector<std::vector<const Value*>>;
  Function(std::string name, std::shared_ptr<Program> program, std::vector<Value*> inputs,
           std::vector<Value*> outputs, Versions versions = {});

  // The caller writes output into input when a call is done: nothing that backward reads may stay in
  // that. An output that turned out to be the input itself was not written; it comes as its alias.
  void will_write(std::size_t input, std::size_t output) {
    written_[input] = true;
    written_by_[output] = input;
  }
  static bool is_untouched(const Tensor& output, const Tensor& input);
  // Tensors along inputs, of the recorded types; answers tensors along outputs, each with memory of its
  // own. run: the run whose random numbers are drawn; 0: a new one.
  std::vector<Tensor> call(TensorList inputs, std::uint64_t run = 0);

  Program& program() { return *program_; }
  const OpInfo& info() const { return info_; }
  void destroy() noexcept override { delete this; }

 private:
  friend class FunctionNode;
  using Asked = std::vector<bool>;  // along outputs: whether a gradient comes for it
  // Appended to the program when it is first needed.
  struct Derivative {
    Asked asked;
    std::vector<Value*> seeds;      // along outputs; null: not asked
    std::vector<Value*> gradients;  // along inputs; null: always zero
    std::vector<bool> reads;        // along inputs: whether a gradient hangs on its value
    std::vector<Value*> roots;      // outputs and gradients: what a run in two halves works out
    Ref<Function> function;         // the gradients as a function of inputs and seeds
  };
  static constexpr std::size_t kNotWritten = ~std::size_t{0};
  const Derivative& derivative(const Asked& asked);
  const Derivative& usual_derivative();
  std::unique_ptr<Derivative> differentiated(const Asked& asked);
  Function& gradient_function(const Asked& asked);
  bool is_recorded(TensorList inputs) const;
  std::vector<Tensor> evaluate(TensorList inputs, std::uint64_t run);
  std::vector<Tensor> record(TensorList inputs, std::uint64_t run);
  const Tensor* input_written_by(std::size_t output, TensorList inputs) const;

  const std::string name_, gradient_name_;
  const OpInfo info_;
  const std::shared_ptr<Program> program_;
  const std::vector<Value*> inputs_, outputs_;
  Versions versions_;
  std::vector<bool> written_;
  std::vector<std::size_t> written_by_;  // along outputs: the input it is written into
  bool random_ = false;
  const Op* last_ = nullptr;             // of the forward ops
  // Of what follows and of the program's ops, which gradient functions share: runs read, a derivative
  // adds to them.
  std::shared_ptr<std::shared_mutex> mutex_ = std::make_shared<std::shared_mutex>();
  std::map<Asked, std::unique_ptr<Derivative>> derivatives_;
  std::vector<std::vector<std::size_t>> made_of_;  // along outputs: which others it was made of
  Asked able_;                                     // which outputs can have a gradient
  const Derivative* usual_ = nullptr;              // of the last backward(); null: of all
};

}  // namespace oploom::program
