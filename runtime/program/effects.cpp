#include "runtime/program/effects.h"

#include <algorithm>
#include <utility>

#include "runtime/autograd/inplace.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"

namespace oploom::program {
namespace {

constexpr OpInfo kRunInfo{"run", "run"};

void test_gradient(const Program::Parameter& parameter, const Tensor& value) {
  const Tensor& tensor = parameter.tensor;
  if (value.shape() == tensor.shape() && value.dtype() == tensor.dtype()) return;
  raise(ErrorKind::kArgument, "[run] gradient of parameter \"", parameter.value->name,
        "\": expected shape ", tensor.shape(), " and dtype ", tensor.dtype(), ", got ",
        value.shape(), " and ", value.dtype(), "; nothing was stored");
}

}  // namespace

// The rules of in-place calls are tested while recording; what can differ since then is tested
// here.
struct Effects::Write {
  Tensor parameter, value;  // no value: a late update writes it
  std::uint32_t bumps;
  InplaceTarget target;

  Write(const Program::Parameter& written, Tensor new_value)
      : parameter(written.tensor),
        value(std::move(new_value)),
        bumps(std::max(written.writes, 1U)),
        target(kRunInfo, "parameter", parameter, InplaceTarget::kUpdate) {}
};

Effects::~Effects() = default;

Effects::Effects(Program& program, Plan& plan, LateUpdates& late) : late_(late) {
  const auto value_in = [&plan](const Value& value) {
    return plan.slots[plan.slot_of(value)].tensor;
  };
  for (Program::Parameter& parameter : program.parameters) {
    if (parameter.rebound_grad != nullptr) {
      gradients_.push_back({parameter.tensor, value_in(*parameter.rebound_grad)});
      test_gradient(parameter, gradients_.back().value);
    }
    if (parameter.result == parameter.value) continue;
    if (late.writes(parameter))
      writes_.push_back(std::make_unique<Write>(parameter, Tensor()));
    else
      prepare(parameter, value_in(*parameter.result));
  }
  part_from_written();
  for (const auto& write : writes_) write->target.prepare({});
}

void Effects::prepare(Program::Parameter& parameter, const Tensor& value) {
  const Tensor& tensor = parameter.tensor;
  if (!(value.shape() == tensor.shape()) || category(value.dtype()) > category(tensor.dtype())) {
    raise(ErrorKind::kInplace, "[run] parameter \"", parameter.value->name,
          "\": expected a new value of shape ", tensor.shape(), " and dtype ", tensor.dtype(),
          ", got ", value.shape(), " and ", value.dtype(), "; nothing was stored");
  }
  writes_.push_back(std::make_unique<Write>(parameter, value));
}

bool Effects::touches(const Tensor& x) const {
  return std::any_of(writes_.begin(), writes_.end(), [&x](const auto& write) {
    return write->parameter.impl()->storage == x.impl()->storage;
  });
}

// A new value may be what another parameter holds now.
void Effects::part_from_written() {
  for (const auto& write : writes_) {
    if (write->value.defined() && touches(write->value)) write->value = copied(write->value);
  }
  for (Gradient& gradient : gradients_) {
    if (!solely_held(gradient.value)) gradient.value = copied(gradient.value);
  }
}

void Effects::commit() {
  if (late_.in_place()) late_.run();
  for (const auto& write : writes_) {
    if (write->value.defined()) copy_elements(write->value, write->parameter);
    write->target.commit();
    write->parameter.impl()->storage->version += write->bumps - 1;
  }
  for (const Gradient& gradient : gradients_) set_grad(gradient.parameter, gradient.value);
}

}  // namespace oploom::program
