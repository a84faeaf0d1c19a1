#include "runtime/program/record_function.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "runtime/autograd/inplace.h"
#include "runtime/autograd/node.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/program/memory.h"
#include "runtime/program/recording.h"

namespace oploom::program {
namespace {

std::size_t index_of(const std::vector<Value*>& values, const Value* value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

// The values of a program that are there outside of branches and loops.
class Values {
 public:
  explicit Values(const Program& program) {
    for (const auto& op : program.main.ops) {
      for (const auto& value : op->results) ids_.emplace(value.get(), value->id);
    }
  }
  // What was computed and stood for memory before; not an argument, to which gradients go anyway.
  std::vector<const Value*> earlier_of(const Memory& memory) const {
    std::vector<const Value*> found;
    for (const Memory::Earlier& earlier : memory.earlier) {
      const auto live = ids_.find(earlier.value);
      if (live != ids_.end() && live->second == earlier.id) found.push_back(earlier.value);
    }
    return found;
  }

 private:
  std::unordered_map<const Value*, std::uint32_t> ids_;
};

[[noreturn]] void refuse_view(const std::string& name, std::size_t i, Memory& root) {
  raise(ErrorKind::kInplace, "[", name, "] result ", i,
        ": expected a value of its own, got a view of '", name_of(root),
        "'; return a clone() of it");
}

// --- Writes of a call. The old value has come in by the call's own inputs, so its history is cut.

constexpr OpInfo kStoreInfo{"to_program", "to_program_grad"};

struct StoreNode final : NodeOf<StoreNode, 1> {
  StoreNode() : NodeOf(kStoreInfo) {}
  void backward() override { give(0, grad(0)); }
  // Tells the call's node that value is this node's from now on.
  void take(const Tensor& value) {
    const Edge from = edge_of(value);
    connect(0, value);
    from.node->written_by(from.output_nr, self);
  }
  const std::shared_ptr<Node* const> self = std::make_shared<Node* const>(this);
};

// All that can fail comes first; commit() cannot.
class Store {
 public:
  Store(const char* argument, const Tensor& value, const Tensor& x)
      : value_(value), x_(x), target_(kStoreInfo, argument, x_) {
    target_.fits(value.shape(), value.dtype());
    Ref<StoreNode> node;
    if (recording(x, value)) {
      node = Ref<StoreNode>::adopt(new StoreNode);
      if (needs_grad(value)) node->take(value);
    }
    target_.prepare(std::move(node));
  }
  void commit() {
    copy_elements(value_, x_);
    target_.commit();
  }

 private:
  Tensor value_, x_;
  InplaceTarget target_;
};

}  // namespace

RecordedFunction::State RecordedFunction::state_of(const Tensor& x) {
  return {x.dtype(), Dims(x.shape()), Dims(x.strides()), needs_grad(x), oploom::has_history(x)};
}

RecordedFunction::RecordedFunction(Recorder& recorder, std::shared_ptr<Program> program,
                                   std::string name, const Variables& arguments,
                                   const Variables& results)
    : name_(std::move(name)), argument_count_(arguments.size()) {
  // Inputs: arguments, then parameters; each with the member that stands for it now.
  std::vector<Value*> inputs;
  std::vector<Memory*> members;
  for (const Variable& x : arguments) {
    Memory& memory = *x.handle()->memory;
    if (memory.argument == nullptr) {
      raise(ErrorKind::kInplace, "[", name_, "] argument ", inputs.size(),
            ": expected to keep its shape and dtype throughout, got one that ops in place changed, "
            "to ",
            x.type(), " in the end; use their plain form and return the result");
    }
    inputs.push_back(memory.argument);
    members.push_back(&memory);
  }
  for (Program::Parameter& parameter : program->parameters) parameters_.push_back(parameter.tensor);
  for (const Tensor& tensor : parameters_) {
    Memory& memory = *recorder.variable(tensor).handle()->memory;
    inputs.push_back(memory.argument);
    members.push_back(&memory);
    states_.push_back(state_of(tensor));
  }
  for (Memory* member : members) input_names_.push_back(name_of(*member));

  std::vector<Value*> outputs;
  Function::Versions versions;
  const Values live(*program);
  const auto add = [&](Value* value, const Memory& memory) {
    outputs.push_back(value);
    versions.push_back(live.earlier_of(memory));
    return outputs.size() - 1;
  };
  const auto output = [&](Value* value, const Memory& memory) {
    const std::size_t found = index_of(outputs, value);
    return found < outputs.size() ? found : add(value, memory);
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    Memory& memory = *results[i].handle()->memory;
    const auto member = std::find(members.begin(), members.end(), &memory);
    if (member != members.end()) {
      results_.push_back(
          {Result::Kind::kInput, static_cast<std::size_t>(member - members.begin())});
      continue;
    }
    Value* value = results[i].value();
    if (value->type.is_list()) {
      raise(ErrorKind::kType, "[", name_, "] result ", i,
            ": expected a tensor, got a TensorArray; stack or read it");
    }
    if (results[i].is_leaf() && !results[i].stop_gradient()) {
      raise(ErrorKind::kArgument, "[", name_, "] result ", i,
            ": expected a value that was computed, got one whose stop_gradient was set to False "
            "inside: a leaf, whose .grad no call could fill; set the flag of the result, outside");
    }
    if (memory.root().argument != nullptr) refuse_view(name_, i, memory.root());
    results_.push_back({Result::Kind::kOutput, output(value, memory)});
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i]->state.writer.empty()) continue;  // nobody wrote it
    // Apart from results: it may come as the member itself.
    writes_.push_back({i, add(newest(*members[i]), *members[i]), members[i]->family_root().state.histories != 0});
  }
  for (const Recording::Apart& pair : recorder.recording()->apart)
    apart_.push_back({index_of(inputs, pair.value), index_of(inputs, pair.from)});
  for (Program::Parameter& parameter : program->parameters) {  // written by call()
    parameter.result = parameter.value;
    parameter.writes = 0;
  }
  function_ = Ref<Function>::adopt(
      new Function(name_, std::move(program), std::move(inputs), std::move(outputs), std::move(versions)));
  for (const Write& write : writes_) function_->will_write(write.input, write.output);
}

void RecordedFunction::let_go_of_parameters() {
  parameters_.clear();
  for (Program::Parameter& parameter : function_->program().parameters) parameter.tensor = Tensor();
}

bool RecordedFunction::fits() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const State now = state_of(parameters_[i]);
    const State& then = states_[i];
    if (now.dtype != then.dtype || Ints(now.shape) != Ints(then.shape) ||
        Ints(now.strides) != Ints(then.strides) || now.needs_grad != then.needs_grad ||
        now.has_history != then.has_history) {
      return false;
    }
  }
  return true;
}

// What is written must be seen by one input alone: two that share memory would have to change
// together.
void RecordedFunction::expect_apart(TensorList inputs) const {
  for (const Write& write : writes_) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i == write.input || inputs[i].impl()->storage != inputs[write.input].impl()->storage)
        continue;
      raise(ErrorKind::kInplace, "[", name_, "] '", input_names_[write.input],
            "' is written in place and shares memory "
            "with '",
            input_names_[i], "', which the function reads, too; pass a clone() of one of them");
    }
  }
}

void RecordedFunction::expect_no_history_between(TensorList inputs) const {
  for (const Apart& pair : apart_) {
    if (!comes_from(inputs[pair.input], inputs[pair.from])) continue;
    raise(ErrorKind::kArgument, "[grad] the gradient with respect to '", input_names_[pair.from],
          "', asked for inside of ", name_, ", goes through '", input_names_[pair.input],
          "', which was computed from it before the call and is data inside; compute that inside, too, name it in "
          "no_grad_vars, or ask outside of the function");
  }
}

std::vector<Tensor> RecordedFunction::call(TensorList arguments) {
  if (arguments.size() != argument_count_) {
    raise(ErrorKind::kArgument, "[", name_, "] expected ", argument_count_, " tensors, got ",
          arguments.size());
  }
  std::vector<Tensor> inputs(arguments.begin(), arguments.end());
  inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
  expect_apart(inputs);
  expect_no_history_between(inputs);
  for (const Write& write : writes_) {  // all of them, before one is done
    const GradMode mode(write.recorded);
    const InplaceTarget target(kStoreInfo, input_names_[write.input].c_str(), inputs[write.input]);
  }
  const std::vector<Tensor> outputs = function_->call(inputs);
  std::vector<std::unique_ptr<Store>> stores;
  for (const Write& write : writes_) {
    const Tensor& value = outputs[write.output];
    const Tensor& target = inputs[write.input];
    if (Function::is_untouched(value, target)) continue;  // by a branch that was not taken
    const GradMode mode(write.recorded);
    stores.push_back(
        std::make_unique<Store>(input_names_[write.input].c_str(), value, target));
  }
  for (const auto& each : stores) each->commit();
  std::vector<Tensor> results;
  for (const Result& result : results_) {
    results.push_back(result.kind == Result::Kind::kInput ? inputs[result.index]
                                                          : outputs[result.index]);
  }
  return results;
}

}  // namespace oploom::program
