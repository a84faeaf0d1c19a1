#include "runtime/program/program.h"

#include <algorithm>
#include <utility>

#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/program/builder.h"

namespace oploom::program {

Program::Program() : life_(std::make_shared<Program*>(this)) {}
Program::~Program() { *life_ = nullptr; }

ProgramRef::ProgramRef(Program& program) : life_(program.life_) {}

Program& ProgramRef::refuse() {
  raise(ErrorKind::kRuntime,
        "[program] a value is used whose program is gone; keep the program for as long as its values are used");
}

std::unique_ptr<Value> Program::make_value(const Type& type) {
  if (next_value_id == UINT32_MAX) [[unlikely]] {
    raise(ErrorKind::kUnimplemented, "[program] expected less than 2^32 values");
  }
  auto value = std::make_unique<Value>();
  value->type = type;
  value->id = next_value_id++;
  return value;
}

// --- What comes in.

Value* Program::add_input(std::string name, const Type& type, bool stop_gradient) {
  if (name.empty()) [[unlikely]] {
    raise(ErrorKind::kArgument,
          "[input] name: expected a name, got an empty one; feeds are given by name");
  }
  if (name.find('\0') != std::string::npos) [[unlikely]] {
    raise(ErrorKind::kArgument,
          "[input] name: expected a text without NUL, by which feeds are given, got one with it");
  }
  const auto taken = [&name](const Input& input) { return input.name == name; };
  if (std::any_of(inputs.begin(), inputs.end(), taken)) [[unlikely]] {
    raise(ErrorKind::kArgument, "[input] name: expected a new name, got \"", name,
          "\", which this program has already; choose another");
  }
  if (!type.is_tensor() || type.weak) [[unlikely]] {
    raise(ErrorKind::kType, "[input] ", name, ": expected the type of a tensor, got ", type);
  }
  for (const std::int64_t length : type.shape) {
    if (length >= -1) continue;
    raise(
        ErrorKind::kArgument,
        "[input] shape: expected lengths of at least 0, or -1 for one that is known when run, got ",
        type.shape);
  }
  if (!stop_gradient && !is_float(type.dtype)) [[unlikely]] {
    raise(ErrorKind::kType, "[input] stop_gradient: expected a float dtype for a gradient, got ",
          type.dtype, "; leave stop_gradient=True");
  }
  Value* value = add_argument(*this, main, type);
  value->needs_grad = !stop_gradient;
  value->stopped = stop_gradient;
  value->name = name;
  inputs.push_back({value, std::move(name)});
  ++revision;
  return value;
}

Value* Program::parameter(const Tensor& tensor) {
  const auto found = parameter_of_tensor_.find(tensor.impl());
  if (found != parameter_of_tensor_.end()) return parameters[found->second].value;
  Value* value =
      add_argument(*this, main, tensor_type(tensor.dtype(), tensor.shape(), tensor.weak()));
  value->needs_grad = needs_grad(tensor);
  value->stopped = !value->needs_grad;
  value->name = tensor.name();
  const auto index = static_cast<std::uint32_t>(parameters.size());
  parameters.push_back({value, tensor, value, 0, nullptr});
  parameter_of_tensor_[tensor.impl()] = index;
  parameter_of_value_[value] = index;
  ++revision;
  return value;
}

void Program::drop_parameters(std::size_t count) {
  while (parameters.size() > count && main.arguments.back().get() == parameters.back().value) {
    parameter_of_tensor_.erase(parameters.back().tensor.impl());
    parameter_of_value_.erase(parameters.back().value);
    parameters.pop_back();
    main.arguments.pop_back();
  }
}

const Program::Parameter* Program::find_parameter(const Value* value) const {
  const auto found = parameter_of_value_.find(value);
  return found == parameter_of_value_.end() ? nullptr : &parameters[found->second];
}

Program::Parameter* Program::find_parameter(const Value* value) {
  return const_cast<Parameter*>(std::as_const(*this).find_parameter(value));
}

// --- Handles.

std::shared_ptr<Cell> Program::cell_of(Value* value) {
  if (cells.size() > 2 * living_cells_ + 64) {
    std::erase_if(cells, [](const std::weak_ptr<Cell>& cell) { return cell.expired(); });
    living_cells_ = cells.size();
  }
  auto cell = std::make_shared<Cell>(Cell{value});
  cells.push_back(cell);
  return cell;
}

void Program::replace_handles(const std::unordered_map<Value*, Value*>& with) {
  const auto move = [&with](Value*& value) {
    const auto found = with.find(value);
    if (found != with.end()) value = found->second;
  };
  for (const std::weak_ptr<Cell>& weak : cells) {
    if (const auto cell = weak.lock()) move(cell->value);
  }
  for (Parameter& parameter : parameters) {
    move(parameter.result);
    move(parameter.rebound_grad);
  }
}

// --- Questions.

bool is_inplace_net(const Program& program) {
  bool found = false;
  for_each_op(program.main, [&found](const Op& op) { found |= op.inplace; });
  return found;
}

}  // namespace oploom::program
