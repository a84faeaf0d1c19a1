#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/program/builder.h"
#include "runtime/program/program.h"

// Recording: handles with eager mode's meaning (in-place ops, views, families, leaves) on top of
// pure SSA. How that is done: memory.h.
namespace oploom::program {

struct Memory;
struct Handle;
struct Recording;

// What Python's program value and C++ user code hold. Stands for the newest version of its value.
// Copies are the same handle. May outlive its program: then every use raises kRuntime.
class Variable {
 public:
  Variable() = default;
  bool defined() const { return static_cast<bool>(handle_); }
  // Newest; may append view ops. Raises where it cannot be had here: made inside a branch, or a
  // reshape whose aliasing hangs on unknown lengths.
  Value* value() const;
  Type type() const { return value()->type; }
  bool stop_gradient() const { return !value()->needs_grad; }
  void set_stop_gradient(bool stop) const;
  bool is_leaf() const;
  bool is_argument() const;  // an input or a parameter of the program
  std::string name() const;
  Program& program() const;
  const std::shared_ptr<Handle>& handle() const { return handle_; }

 private:
  friend class Recorder;
  explicit Variable(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
  std::shared_ptr<Handle> handle_;
};
using Variables = std::vector<Variable>;

// An op's input: one variable, none where an optional one is absent, any number for a list.
struct Argument {
  Variables list;
  Argument() = default;
  Argument(Variable x) : list{std::move(x)} {}
  Argument(Variables xs) : list(std::move(xs)) {}
};

class Recorder {
 public:
  explicit Recorder(Program& program);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  // The innermost recorder of this thread (`with p:`), or null.
  static Recorder* current();
  // Stops recording for a while, and goes on, in any thread: inputs and parameters stay the same
  // handles. Last resumed, first suspended.
  void suspend();
  void resume();
  bool active() const { return active_; }
  const Recorder* around() const { return before_; }  // whom this thread goes on with afterwards
  bool is_here() const;  // among those that this thread has resumed
  // Out of the middle of those, and suspended; false where it is not among them.
  bool take_out();
  void* owner = nullptr;   // the object that stands for the program: the bindings' own business
  bool in_region() const;  // inside a function that cond or while_loop records
  Program& program() const;
  Recording* recording() const { return recording_.get(); }

  Variable input(std::string name, const Type& type, bool stop_gradient);
  Variable variable(const Tensor& eager);  // a parameter, by reference
  bool is_parameter(const Tensor& eager) const;
  // For functions that eager mode calls: input lies in memory as x does, and is no leaf where x is
  // none.
  void adopt(const Variable& input, const Tensor& x);
  // What a call that is refused leaves behind goes again: numbers that it recorded, parameters that it met.
  struct Mark {
    std::size_t ops, parameters;
  };
  Mark mark() const;
  void back_to(const Mark& mark);
  bool eager_histories = false;  // the same holds for tensors met from now on
  Variable constant(const Number& number);
  // By what the program's text calls it: an input, a parameter, or "%7" outside of regions. For
  // programs that were loaded; a value that was recorded has a handle already.
  Variable named(std::string_view name);

  // The generated functions' plain and in-place form. Checks C1-C10 as eager mode, with the same
  // errors; a call that raises leaves the program as it was. In place: answers the very handles
  // that were written.
  Variables call(const OpDef& def, const std::vector<Argument>& inputs,
                 std::vector<Attribute> attributes = {});
  Variables call_inplace(const OpDef& def, const std::vector<Argument>& inputs,
                         std::vector<Attribute> attributes = {});
  Variable detach(const Variable& x);
  // The one result of def, where eager mode has a view of x at positions that are known at run time
  // only: a view here, too.
  Variable pick(const OpDef& def, const Variable& x, const Variables& positions);
  bool is_pick(const Variable& part, const Variable& x, const Variables& positions) const;
  // How x and part lie in one storage (memory.h); nothing where they have none in common, or it is not
  // known.
  struct Layouts {
    Tensor x, part;
  };
  std::optional<Layouts> layouts(const Variable& x, const Variable& part) const;
  // mask, which a run tests against the lengths of x from axis on, where they are not known.
  Variable fitted_mask(const Variable& mask, const Variable& x, int axis);
  // Whether part is what the view op makes of x, or a later version of that.
  bool is_part(const Variable& part, const Variable& x, const OpDef& view,
               std::vector<Attribute> attributes) const;

  // Control flow. Functions are called once each; those of a loop again, from the same state, where
  // its variables turn out to need wider types, or where it writes into values from outside.
  using Branch = std::function<Variables()>;
  Variables cond(const Variable& pred, const Branch& true_fn, const Branch& false_fn);
  using Condition = std::function<Variable(const Variables&)>;
  using Body = std::function<Variables(const Variables&)>;
  Variables while_loop(const Condition& condition, const Body& body, const Variables& inits);

  // TensorArray: a handle whose value is a list. Indices are int64 [].
  Variable array();
  void array_write(const Variable& list, const Variable& index, const Variable& x);
  Variable array_read(const Variable& list, const Variable& index);
  Variable array_stack(const Variable& list);
  Variable array_concat(const Variable& list);
  Variable array_length(const Variable& list);

  // Along inputs; undefined where no target depends on one. grad_outputs: none, or one for each
  // output (undefined: ones). Raises where a target depends on an earlier value of an input alone.
  Variables grad(const Variables& outputs, const Variables& inputs,
                 const Variables& grad_outputs = {}, const Variables& no_grad = {});
  // A parameter that was computed in eager mode before, with a history there, and that outputs
  // depend on; undefined: none, or such histories count (eager_histories).
  Tensor computed_before(const Variables& outputs) const;
  // (parameter, gradient) for those that loss depends on. parameters empty: all that do not stop
  // gradient.
  std::vector<std::pair<Variable, Variable>> append_backward(const Variable& loss,
                                                             const Variables& parameters = {},
                                                             const Variables& no_grad = {});

 private:
  struct Call;
  struct Loop;
  Variable wrap(Value* value, bool history);
  Variable own_result(const OpDef& def, const Variables& inputs);
  void expect_own(const Variable& x) const;
  Value* value_of(const Variable& x) const;
  std::vector<Value*> values_of(const Variables& variables) const;  // null for the undefined
  Call prepare(const std::vector<Argument>& inputs, std::vector<Attribute> attributes) const;
  Variable result_of(const Call& call, Value* value);
  void remap(const OpDef& def, const Call& call, const Variable& target);
  void replace(const Variable& target, Value* value, const std::string& writer);
  std::vector<Value*> exported(const char* what, const Variables& results);
  bool try_loop(Loop& loop, const Condition& condition, const Body& body);
  void note_apart(const Variables& outputs, const std::vector<Value*>& sources,
                  const std::vector<Value*>& constants);
  void expect_present(const Variables& outputs, const Variables& inputs,
                      const std::vector<Value*>& gradients, const std::vector<Value*>& constants);

  std::unique_ptr<Recording> recording_;
  Recorder* before_;
  bool active_ = true;
};

}  // namespace oploom::program
