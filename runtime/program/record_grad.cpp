#include <algorithm>
#include <unordered_set>
#include <utility>

#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/program/activity.h"
#include "runtime/program/control.h"
#include "runtime/program/gradients.h"
#include "runtime/program/record.h"
#include "runtime/program/recording.h"
#include "runtime/program/roles.h"

// Gradients and arrays through handles.
namespace oploom::program {
namespace {

void expect_defined(const char* what, const Variables& variables) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].defined()) continue;
    raise(ErrorKind::kArgument, "[grad] ", what, "[", i,
          "]: expected a value of the program, got none");
  }
}

// f(value) for what a gradient of value would go to next.
template <typename F>
void for_each_source(const Value& value, F&& f) {
  const bool argument = value.op == nullptr;
  const Op* op = argument ? value.region->parent : value.op;
  if (op == nullptr || !op->recorded) return;
  if (op->def == &kIf) {
    for (const auto& branch : op->regions) f(branch->yields[value.index]);
  } else if (op->def == &kWhile) {
    f(op->inputs[value.index]);
    // A loop that is still being recorded yields nothing yet.
    if (op->regions.size() == 2 && value.index < op->regions[1]->yields.size())
      f(op->regions[1]->yields[value.index]);
  } else if (is_differentiable_result(*op, value.index)) {
    for_each_differentiable(*op, [&](const Value* input, std::size_t) { f(input); });
  }
}

// All that a gradient of outputs could reach, through regions.
std::unordered_set<const Value*> made_of(const std::vector<Value*>& outputs,
                                         const std::vector<Value*>& constants) {
  std::unordered_set<const Value*> seen;
  std::vector<const Value*> open;
  const auto see = [&](const Value* value) {
    if (std::find(constants.begin(), constants.end(), value) != constants.end()) return;
    if (can_have_grad(value->type) && !value->stopped && seen.insert(value).second)
      open.push_back(value);
  };
  for (const Value* value : outputs) see(value);
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    for_each_source(*value, see);
  }
  return seen;
}

}  // namespace

std::vector<Value*> Recorder::values_of(const Variables& variables) const {
  std::vector<Value*> values;
  for (const Variable& x : variables) values.push_back(x.defined() ? value_of(x) : nullptr);
  return values;
}

// An input means its present value: where only an earlier one is in the targets, None would be a
// wrong answer.
void Recorder::expect_present(const Variables& outputs, const Variables& inputs,
                              const std::vector<Value*>& gradients,
                              const std::vector<Value*>& constants) {
  std::unordered_set<const Value*> seen;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Memory& memory = *inputs[i].handle()->memory;
    if (gradients[i] != nullptr || memory.earlier.empty() || !memory.cell->value->needs_grad)
      continue;
    if (seen.empty()) seen = made_of(values_of(outputs), constants);
    for (const Memory::Earlier& earlier : memory.earlier) {
      const auto found = seen.find(earlier.value);
      if (found == seen.end() || (*found)->id != earlier.id || !(*found)->needs_grad) continue;
      raise(ErrorKind::kArgument, "[grad] inputs[", i,
            "]: expected a value that the outputs depend on, but they "
            "depend only on an earlier value of '",
            inputs[i].name(), "', which ", earlier.writer,
            " replaced; ask for the gradient before that call, or use its plain form");
    }
  }
}

// What was computed before is data here: no gradient goes through its history to another input. Whether it
// would have to is a question for each call of the function.
void Recorder::note_apart(const Variables& outputs, const std::vector<Value*>& sources,
                          const std::vector<Value*>& constants) {
  if (recording_->computed.empty()) return;
  const auto seen = made_of(values_of(outputs), constants);
  for (const Value* value : recording_->computed) {
    if (!seen.contains(value)) continue;
    for (const Value* source : sources) {
      const bool outside = source->op == nullptr && source->region == &program().main;
      if (outside && source != value) recording_->apart.push_back({value, source});
    }
  }
}

Variables Recorder::grad(const Variables& outputs, const Variables& inputs,
                         const Variables& grad_outputs, const Variables& no_grad) {
  expect_defined("outputs", outputs);
  expect_defined("inputs", inputs);
  expect_defined("no_grad_vars", no_grad);
  const auto targets = values_of(outputs);
  const auto seeds = values_of(grad_outputs);
  std::vector<Value*> sources;
  std::vector<const Region*> homes;
  for (const Variable& x : inputs) {
    expect_own(x);
    const Origin origin = origin_of(*x.handle()->memory);
    sources.push_back(origin.value);
    homes.push_back(origin.home);
  }
  std::vector<Value*> constants;
  for (const Variable& x : no_grad) {
    expect_own(x);
    constants.push_back(origin_of(*x.handle()->memory).value);
  }
  std::vector<Value*> gradients;
  {
    Here here(program(), true);
    GradOptions options;
    options.no_grad = constants;
    options.homes = homes;
    gradients = program::gradients(targets, sources, seeds, options);
    here.keep();
  }
  expect_present(outputs, inputs, gradients, constants);
  note_apart(outputs, sources, constants);
  Variables results;
  for (Value* value : gradients)
    results.push_back(value == nullptr ? Variable() : wrap(value, value->needs_grad));
  return results;
}

Tensor Recorder::computed_before(const Variables& outputs) const {
  const auto& parameters = recording_->program.parameters;
  const auto computed = [](const auto& parameter) { return has_history(parameter.tensor); };
  if (eager_histories || std::none_of(parameters.begin(), parameters.end(), computed)) return {};
  const auto seen = made_of(values_of(outputs), {});
  for (const auto& parameter : parameters) {
    if (computed(parameter) && seen.contains(parameter.value)) return parameter.tensor;
  }
  return {};
}

std::vector<std::pair<Variable, Variable>> Recorder::append_backward(const Variable& loss,
                                                                     const Variables& parameters,
                                                                     const Variables& no_grad) {
  Variables asked = parameters;
  if (asked.empty()) {
    std::vector<Tensor> tensors;  // variable() may add parameters
    for (const Program::Parameter& parameter : program().parameters) {
      if (parameter.value->needs_grad) tensors.push_back(parameter.tensor);
    }
    for (const Tensor& tensor : tensors) asked.push_back(variable(tensor));
  }
  const Variables gradients = grad({loss}, asked, {}, no_grad);
  std::vector<std::pair<Variable, Variable>> pairs;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (gradients[i].defined()) pairs.emplace_back(asked[i], gradients[i]);
  }
  return pairs;
}

// --- Arrays. A list is a value like any other, so a write gives the handle a new one.

Variable Recorder::array() {
  Here here(program());
  Value* value = new_list(open_list());
  here.keep();
  return wrap(value, false);
}

void Recorder::array_write(const Variable& list, const Variable& index, const Variable& x) {
  Value* const old = value_of(list);
  Value* const at = exported("write, index", {index})[0];
  Value* const entry = exported("write, x", {x})[0];
  Here here(program(), true);  // under no_grad the entry alone is a constant, not the array
  Value* value = here.builder().append(kPut, {old, at, entry}, {}).results[0].get();
  const std::string position = here.builder().position;
  here.keep();
  assign(*list.handle()->memory,
         {value, text("write (recorded at ", position, ")"), value->needs_grad});
}

Variable Recorder::array_read(const Variable& list, const Variable& index) {
  Value* const values = value_of(list);
  Value* const at = exported("read, index", {index})[0];
  Here here(program());
  Value* value = here.builder().append(kAt, {values, at}, {}).results[0].get();
  here.keep();
  return wrap(value, value->needs_grad);
}

Variable Recorder::array_stack(const Variable& list) { return own_result(kStack, {list}); }
Variable Recorder::array_concat(const Variable& list) { return own_result(kConcatList, {list}); }
Variable Recorder::array_length(const Variable& list) { return own_result(kLength, {list}); }

}  // namespace oploom::program
