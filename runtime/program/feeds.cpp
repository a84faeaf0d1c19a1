#include "runtime/program/feeds.h"

#include "runtime/core/error.h"
#include "runtime/program/needed.h"
#include "runtime/program/text.h"

namespace oploom::program {
namespace {

void check_tensor(const char* what, const std::string& name, const Type& type,
                  const Tensor& tensor) {
  if (tensor.dtype() != type.dtype) [[unlikely]] {
    raise(ErrorKind::kType, "[run] ", what, " ", quoted(name), ": expected dtype ", type.dtype,
          ", got ", tensor.dtype(), "; cast it first");
  }
  bool fits = tensor.rank() == type.shape.rank();
  for (std::size_t i = 0; fits && i < type.shape.size(); ++i) {
    fits = type.shape[i] < 0 || type.shape[i] == tensor.shape()[i];
  }
  if (!fits) [[unlikely]] {
    raise(ErrorKind::kArgument, "[run] ", what, " ", quoted(name), ": expected ", type,
          ", got shape ", tensor.shape());
  }
}

// The same bytes without the history of the tensor.
Tensor bare(const Tensor& x) { return alias(x, x.shape(), x.strides(), x.offset()); }

}  // namespace

void check_feeds(const Program& program, std::span<const Tensor> feeds) {
  if (feeds.size() != program.inputs.size()) [[unlikely]] {
    raise(ErrorKind::kArgument, "[run] feed: expected ", program.inputs.size(),
          " values, one for each input, got ", feeds.size());
  }
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    const Program::Input& input = program.inputs[i];
    if (feeds[i].defined()) check_tensor("feed", input.name, input.value->type, feeds[i]);
  }
}

void check_fetch(const Program& program, std::span<Value* const> fetch) {
  for (const Value* value : fetch) {
    if (value == nullptr) [[unlikely]] {
      raise(ErrorKind::kRuntime,
            "[run] fetch: expected a value of the program, got one that a pass has taken out; name "
            "it in the pass's "
            "fetch");
    }
    const Region* region = value->op != nullptr ? value->op->parent : value->region;
    if (region != &program.main) [[unlikely]] {
      raise(ErrorKind::kArgument,
            "[run] fetch: expected values from outside of all branches and loops, got %", value->id,
            "; let its branch or body return it");
    }
    if (value->type.is_list()) [[unlikely]] {
      raise(ErrorKind::kType, "[run] fetch: expected tensors, got %", value->id, ", a ",
            value->type, "; stack or read it first");
    }
  }
}

std::vector<Value*> roots_of(const Program& program, std::span<Value* const> fetch) {
  std::vector<Value*> roots(fetch.begin(), fetch.end());
  for_each_effect(program, [&roots](Value* value) { roots.push_back(value); });
  return roots;
}

void fill_arguments(const Program& program, Plan& plan, std::span<const Tensor> feeds) {
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    const std::uint32_t slot = plan.slot_of(*program.inputs[i].value);
    if (slot == Plan::kNone) continue;
    if (!feeds[i].defined()) [[unlikely]] {
      raise(ErrorKind::kArgument, "[run] feed ", quoted(program.inputs[i].name),
            ": expected a value, since what is fetched needs it, got none");
    }
    plan.slots[slot].tensor = bare(feeds[i]);
  }
  for (const Program::Parameter& parameter : program.parameters) {
    const std::uint32_t slot = plan.slot_of(*parameter.value);
    if (slot == Plan::kNone) continue;
    check_tensor("parameter", parameter.value->name, parameter.value->type, parameter.tensor);
    plan.slots[slot].tensor = bare(parameter.tensor);
  }
}

}  // namespace oploom::program
