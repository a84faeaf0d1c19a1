#include "runtime/program/late.h"

#include <algorithm>

#include "runtime/core/prepare.h"
#include "runtime/program/control.h"
#include "runtime/program/emitted.h"

namespace oploom::program {
namespace {

// Which tensor an input pair writes; null where it is absent.
const Slot* target_of(const Step& step, OpDef::Pair pair) {
  const auto members = step.op->group(pair.input);
  if (members.empty()) return nullptr;
  return step.frame->inputs[static_cast<std::size_t>(members.data() - step.op->inputs.data())];
}

bool is_target(const Step& step, const Slot* slot) {
  const auto& pairs = step.op->def->inplace_pairs;
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](OpDef::Pair pair) { return target_of(step, pair) == slot; });
}

// Bytes of contiguous tensors.
struct Range {
  const std::byte *first, *last;
};
Range range_of(const Tensor& x) { return {x.bytes(), x.bytes() + x.nbytes()}; }

// What late steps write, in the order of addresses.
class Written {
 public:
  void add(const Tensor& x) {
    if (x.nbytes() > 0) ranges_.push_back(range_of(x));
  }
  // False where two of them meet.
  bool settle() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.first < b.first; });
    const auto meet = [](const Range& a, const Range& b) { return b.first < a.last; };
    return std::adjacent_find(ranges_.begin(), ranges_.end(), meet) == ranges_.end();
  }
  bool meets(const Range& read) const {
    const auto behind = std::partition_point(ranges_.begin(), ranges_.end(),
                                             [&](const Range& a) { return a.last <= read.first; });
    return behind != ranges_.end() && behind->first < read.last;
  }

 private:
  std::vector<Range> ranges_;
};

// The late updates, without the shifts behind them.
std::vector<const Step*> late_steps(const Plan& plan) {
  std::vector<const Step*> steps;
  for (const Step& step : std::span(plan.main.steps).subspan(plan.first_late)) {
    if (step.op->def != &kShift) steps.push_back(&step);
  }
  return steps;
}

bool lie_apart(const Program& program, const Plan& plan, const std::vector<const Step*>& steps) {
  Written written;
  for (const Step* step : steps) {
    for (const Slot* slot : step->frame->inputs) {
      if (is_target(*step, slot)) written.add(slot->tensor);
    }
  }
  if (!written.settle()) return false;
  for (const Step* step : steps) {
    for (const Slot* slot : step->frame->inputs) {
      if (!is_target(*step, slot) && written.meets(range_of(slot->tensor))) return false;
    }
  }
  return std::none_of(program.parameters.begin(), program.parameters.end(), [&](const auto& other) {
    if (other.result == other.value || plan.is_late(*other.result)) return false;
    const Storage& storage = *other.tensor.impl()->storage;
    return written.meets({storage.data, storage.data + storage.nbytes});
  });
}

}  // namespace

namespace {

// Types with which a kernel refuses nothing but what check tests: an elementwise op on floats of
// one shape is a loop over elements.
bool has_plain_types(const Op& op, const Type& target) {
  if (!is_float(target.dtype) || target.weak || !target.known()) return false;
  if ((op.def->flags & OpDef::kElementwise) == 0) return true;
  return std::all_of(op.inputs.begin(), op.inputs.end(), [&](const Value* value) {
    const Type& type = value->type;
    return type.weak || (type.dtype == target.dtype && type.shape == target.shape);
  });
}

}  // namespace

const Value* shift_of(const Value& value) {
  const bool shift = value.op != nullptr && value.op->def == &kShift;
  return shift ? value.op->inputs[1] : nullptr;
}

bool can_be_late(const Program& program, const Op& op, std::span<const std::uint32_t> uses) {
  constexpr std::uint32_t kNever = OpDef::kRandom | OpDef::kReplaces;
  const OpDef& def = *op.def;
  if ((def.flags & (OpDef::kUpdate | OpDef::kElementwise)) == 0 || (def.flags & kNever) != 0)
    return false;
  if (def.inplace_pairs.empty() || !emitted::all_known(op)) return false;
  const auto is_list = [](const InputDef& input) { return input.kind == InputDef::Kind::kList; };
  if (std::any_of(def.inputs.begin(), def.inputs.end(), is_list)) return false;
  const auto first = op.group(def.inplace_pairs[0].input);
  if (first.empty() || !has_plain_types(op, first[0]->type)) return false;
  std::vector<bool> updates(op.results.size(), false);
  for (const OpDef::Pair pair : def.inplace_pairs) {
    const auto members = op.group(pair.input);
    if (members.empty()) continue;
    const Value& result = *op.results[pair.output];
    const Program::Parameter* parameter = program.find_parameter(members[0]);
    if (parameter == nullptr || uses[result.id] != 1) return false;
    const Value& leaves = *parameter->result;
    const bool same = &leaves == &result || shift_of(leaves) == &result;
    if (!same || uses[leaves.id] != 1) return false;
    if (std::count(op.inputs.begin(), op.inputs.end(), members[0]) != 1) return false;
    if (result.type.dtype != members[0]->type.dtype ||
        !(result.type.shape == members[0]->type.shape))
      return false;
    updates[pair.output] = true;
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    if (!updates[i] && uses[op.results[i]->id] != 0) return false;
  }
  return true;
}

LateUpdates::LateUpdates(const Program& program, Plan& plan) : plan_(plan), in_place_(false) {
  const auto steps = late_steps(plan);
  if (steps.empty()) return;
  for (const Step* step : steps) {
    for (Slot* slot : step->frame->inputs) {
      if (slot->tensor.contiguous()) continue;
      if (is_target(*step, slot)) return;
      slot->tensor = contiguous(slot->tensor);  // here it may still fail
    }
  }
  if (!lie_apart(program, plan, steps)) return;
  check_steps(plan, plan.first_late);
  in_place_ = true;
}

bool LateUpdates::writes(const Program::Parameter& parameter) const {
  return in_place_ && plan_.is_late(*parameter.result);
}

namespace {

class InPlace {
 public:
  explicit InPlace(RunFrame& frame) : frame_(frame) { frame.inplace = true; }
  ~InPlace() { frame_.inplace = false; }
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;

 private:
  RunFrame& frame_;
};

}  // namespace

void LateUpdates::run() {
  for (const Step* step : late_steps(plan_)) {
    RunFrame& frame = *step->frame;
    {
      const InPlace in_place(frame);
      step->run(frame);
    }
    // A kernel that cannot run in place has made a result of its own.
    for (const OpDef::Pair pair : step->op->def->inplace_pairs) {
      const Slot* target = target_of(*step, pair);
      if (target == nullptr) continue;
      const Tensor& result = frame.output(pair.output);
      if (result.bytes() != target->tensor.bytes()) copy_elements(result, target->tensor);
    }
  }
  for (const Step& step : std::span(plan_.main.steps).subspan(plan_.first_late)) {
    for (Slot* slot : step.frame->inputs) slot->tensor = Tensor();
    for (Slot* slot : step.frame->outputs) slot->tensor = Tensor();
  }
}

}  // namespace oploom::program
