#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/program/builder.h"
#include "runtime/program/program.h"

// Recording: handles with eager mode's meaning (in-place ops, views, families, leaves) on top of pure SSA.
// A write gives the handle a new value; a write into a view also gives its base a new value through the view op's
// `write` expression; other members of the family take theirs anew when next read, by their view op on the base's newest value.
namespace oploom::program {

struct Memory;  // one member of a family: a root, or a view op on another member

// A handle: what Python's program value and C++ user code hold. Stands for the newest version of its value.
class Variable {
 public:
  Variable() = default;
  bool defined() const { return static_cast<bool>(memory_); }
  Value* value() const;           // newest; may append view ops
  Type type() const;
  bool stop_gradient() const;
  void set_stop_gradient(bool stop) const;
  Program& program() const;
  const std::shared_ptr<Memory>& memory() const { return memory_; }

 private:
  friend class Recorder;
  std::shared_ptr<Memory> memory_;
};

// An op's input while recording: a variable, an eager tensor (becomes a parameter), a number, or absent; or a list.
struct Argument {
  std::vector<Variable> list;  // of one for plain inputs
  bool present = true;
};

class Recorder {
 public:
  explicit Recorder(Program& program);
  ~Recorder();
  // The recorder of this thread (`with p:`), or null. thread_state.recorder is the same pointer.
  static Recorder* current();

  Variable input(std::string name, Type type, bool stop_gradient);
  Variable variable(const Tensor& eager);   // parameter by reference
  Variable constant(const Number& number);

  // The generated functions' plain form and in-place form. Checks C1-C9 as eager mode, with the same errors.
  std::vector<Variable> call(const OpDef& def, std::vector<Argument> inputs, std::vector<Attribute> attributes);
  std::vector<Variable> call_inplace(const OpDef& def, std::vector<Argument> inputs, std::vector<Attribute> attributes);

  std::vector<Variable> cond(const Variable& pred, const std::function<std::vector<Variable>()>& then_branch,
                             const std::function<std::vector<Variable>()>& else_branch);
  std::vector<Variable> while_loop(const std::function<Variable(const std::vector<Variable>&)>& condition,
                                   const std::function<std::vector<Variable>(const std::vector<Variable>&)>& body,
                                   const std::vector<Variable>& inits);
  std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<Variable>& inputs,
                             const std::vector<Variable>& grad_outputs, const std::vector<Variable>& no_grad);
  Variable detach(const Variable& x);
  // Appends an op of the program's own (lists).
  std::vector<Variable> own(const OpDef& def, const std::vector<Variable>& inputs, std::vector<Attribute> attributes = {});

  Program& program();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace oploom::program
