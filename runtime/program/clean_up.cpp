#include <algorithm>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/thread_state.h"
#include "runtime/program/constant.h"
#include "runtime/program/control.h"
#include "runtime/program/interpreter.h"
#include "runtime/program/merge.h"
#include "runtime/program/needed.h"

namespace oploom::program {
namespace {

constexpr std::int64_t kMostElements = 64;  // of a tensor that is worked out beforehand

// Ops whose inputs are all constants, worked out by their own kernels, so that no bit differs.
class Folding {
 public:
  explicit Folding(const Program& program) : known_(program.next_value_id) {}

  void region(Region& region) {
    for (const auto& op : region.ops) {
      if (op->regions.empty()) one_op(*op);
      for (const auto& inner : op->regions) this->region(*inner);
    }
  }

 private:
  void one_op(Op& op) {
    take_numbers(op);
    if (!can_fold(op)) return;
    Tensor result;
    try {
      result = worked_out(op);
    } catch (const Error&) {
      return;  // raises where it is run, if it is
    }
    const Value& value = *op.results[0];
    known_[value.id] = result;
    // What has no inputs stands as a constant already.
    if (value.type.is_tensor() && !op.inputs.empty() && !result.weak()) become_constant(op, result);
  }

  // Metadata that is known becomes an attribute.
  void take_numbers(Op& op) {
    const auto given = [](const Value* value) { return value != nullptr; };
    bool news = false;
    for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
      Value*& numbers = op.attribute_values[i];
      if (numbers == nullptr || !known_[numbers->id].defined()) continue;
      op.attributes[i] = attribute_of(known_[numbers->id], op.def->attributes[i].type);
      numbers = nullptr;
      news = true;
    }
    const bool none = std::none_of(op.attribute_values.begin(), op.attribute_values.end(), given);
    if (none) op.attribute_values.clear();
    if (news && op.def->normalise != nullptr) op.def->normalise(op);
  }

  bool can_fold(const Op& op) const {
    constexpr std::uint32_t kNever = OpDef::kRandom | OpDef::kUpdate | OpDef::kInplaceOnly;
    if (op.inplace || op.must_fit || (op.def->flags & kNever) != 0 || op.def->run == nullptr ||
        op.def == &kUndefined)
      return false;
    if (op.results.size() != 1 || !op.attribute_values.empty()) return false;
    const Value& value = *op.results[0];
    if (value.needs_grad || value.type.is_list() || !small(value.type)) return false;
    return std::all_of(op.inputs.begin(), op.inputs.end(), [&](const Value* input) {
      return reads_shape_only(op) ? input->type.is_tensor() && input->type.known()
                                  : known_[input->id].defined();
    });
  }

  static bool small(const Type& type) {
    return type.known() && (type.is_numbers() || count_elements(type.shape) <= kMostElements);
  }

  Tensor worked_out(const Op& op) const {
    std::vector<Slot> slots(op.inputs.size() + 1);
    std::vector<Slot*> pointers;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const Value& input = *op.inputs[i];
      slots[i].tensor = reads_shape_only(op) ? shape_alone(input.type) : known_[input.id];
      pointers.push_back(&slots[i]);
    }
    Slot* result[] = {&slots.back()};
    RunFrame frame{.op = op, .inputs = pointers, .outputs = result, .attributes = op.attributes};
    op.def->run(frame);
    return slots.back().tensor;
  }

  static Tensor shape_alone(const Type& type) {
    return alias(empty({}, type.dtype), type.shape, Dims::filled(type.shape.rank(), 0), 0);
  }

  std::vector<Tensor> known_;  // by value id; undefined where it is not
};

std::vector<Value*> held(const Program& program) {
  std::vector<Value*> values;
  for (const auto& weak : program.cells) {
    const auto cell = weak.lock();
    if (cell != nullptr && cell->value != nullptr) values.push_back(cell->value);
  }
  return values;
}

}  // namespace

void clean_up(Program& program) {
  const NoGrad no_grad;
  Folding(program).region(program.main);
  const std::vector<Value*> handles = held(program);
  merge_equal_ops(program, handles);
  remove_unneeded(program, Needed(program, handles));
}

}  // namespace oploom::program
