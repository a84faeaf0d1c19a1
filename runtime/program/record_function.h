#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/program/function.h"
#include "runtime/program/record.h"

namespace oploom::program {

// What a recorded function of tensors is for its caller, eager mode: results, writes into arguments and
// into tensors from outside (parameters), and the checks of in-place calls.
class RecordedFunction {
 public:
  // arguments: inputs of the program that recorder records, as the function got them. results: what it
  // answered. Raises where a result is a view of an argument or of a tensor from outside, where an
  // argument got another shape or dtype in place, or where what is written shares memory with another.
  RecordedFunction(Recorder& recorder, std::shared_ptr<Program> program, std::string name,
                   const Variables& arguments, const Variables& results);

  // Along results. Writes are done at the end, each as a copy of the whole: with eager mode's checks, recorded
  // where the function's was, version + 1.
  std::vector<Tensor> call(TensorList arguments);
  // Whether tensors from outside are still of the dtypes, shapes and gradient states that were recorded.
  bool fits() const;

  // Tensors from outside. Each is held kHolds times: here, and by the program.
  static constexpr int kHolds = 2;
  const std::vector<Tensor>& parameters() const { return parameters_; }
  // At the end: what graphs of earlier calls go on with is the program, which holds none of them
  // then.
  void let_go_of_parameters();

 private:
  struct Result {
    enum class Kind : std::uint8_t { kOutput, kInput } kind;
    std::size_t index;
  };
  struct Write {
    std::size_t input, output;
    bool recorded;  // with gradients enabled
  };
  struct State {
    DType dtype;
    Dims shape, strides;
    bool needs_grad, has_history;
  };
  // An input that was computed in eager mode before must not come from another one.
  struct Apart {
    std::size_t input, from;
  };
  static State state_of(const Tensor& x);
  void expect_apart(TensorList inputs) const;
  void expect_no_history_between(TensorList inputs) const;

  std::string name_;
  std::size_t argument_count_;
  std::vector<Tensor> parameters_;
  std::vector<State> states_;  // along parameters_
  std::vector<Result> results_;
  std::vector<Write> writes_;
  std::vector<Apart> apart_;
  std::vector<std::string> input_names_;
  Ref<Function> function_;
};

}  // namespace oploom::program
