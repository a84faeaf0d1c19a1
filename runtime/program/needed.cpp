#include "runtime/program/needed.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/program/control.h"

namespace oploom::program {

bool reads_shape_only(const Op& op) { return op.def == &kMetadata; }

Needed::Needed(const Program& program, std::span<Value* const> roots)
    : flags_(program.next_value_id, false) {
  for (const Value* value : roots) mark(value);
  for_each_effect(program, [this](const Value* value) { mark(value); });
  while (!todo_.empty()) {
    const Value* value = todo_.back();
    todo_.pop_back();
    visit(*value);
  }
}

bool Needed::op(const Op& op) const {
  return std::any_of(op.results.begin(), op.results.end(),
                     [this](const auto& result) { return value(*result); });
}

void Needed::mark(const Value* value) {
  if (flags_[value->id]) return;
  flags_[value->id] = true;
  todo_.push_back(value);
}

void Needed::visit(const Value& value) {
  if (value.op == nullptr) {
    if (value.region->parent != nullptr) visit_carried(*value.region->parent, value.index);
    return;
  }
  const Op& op = *value.op;
  if (op.def == &kWhile) return visit_carried(op, value.index);
  for_each_use(op, [this](const Value* used) {
    if (used != nullptr) mark(used);
  });
  if (op.def != &kIf) return;
  for (const auto& branch : op.regions) mark(branch->yields[value.index]);
}

void Needed::visit_carried(const Op& loop, std::size_t k) {
  mark(loop.results[k].get());
  mark(loop.inputs[k]);
  for (const auto& region : loop.regions) mark(region->arguments[k].get());
  mark(loop.regions[0]->yields[0]);
  mark(loop.regions[1]->yields[k]);
}

// --- Taking out.

namespace {

class Removal {
 public:
  explicit Removal(const Needed& needed) : needed_(needed) {}

  void region(Region& region) {
    std::erase_if(region.ops, [this](std::unique_ptr<Op>& op) {
      const bool gone = !needed_.op(*op);
      if (gone) forget(*op);
      return gone;
    });
    for (const auto& op : region.ops) {
      if (op->regions.empty()) continue;
      shrink(*op);
      for (const auto& inner : op->regions) this->region(*inner);
    }
  }

  const std::unordered_map<Value*, Value*>& gone() const { return gone_; }

 private:
  void forget(Op& op) {
    for (const auto& result : op.results) gone_[result.get()] = nullptr;
    for (const auto& inner : op.regions) {
      for (const auto& argument : inner->arguments) gone_[argument.get()] = nullptr;
      for (const auto& op_inside : inner->ops) forget(*op_inside);
    }
  }

  // Entries of list that belong to results that stay.
  template <typename List>
  void keep(const std::vector<bool>& stays, List& list) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) continue;
      if (kept != i) list[kept] = std::move(list[i]);
      ++kept;
    }
    list.resize(kept);
  }
  void keep_values(const std::vector<bool>& stays, std::vector<std::unique_ptr<Value>>& values) {
    for (std::size_t i = 0; i < stays.size(); ++i) {
      if (stays[i]) continue;
      gone_[values[i].get()] = nullptr;
      graveyard_.push_back(std::move(values[i]));
    }
    keep(stays, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i]->index = static_cast<std::uint32_t>(i);
  }

  void shrink(Op& op) {
    std::vector<bool> stays;
    for (const auto& result : op.results) stays.push_back(needed_.value(*result));
    if (std::find(stays.begin(), stays.end(), false) == stays.end()) return;
    keep_values(stays, op.results);
    if (op.def == &kIf) {
      for (const auto& branch : op.regions) keep(stays, branch->yields);
      return;
    }
    keep(stays, op.inputs);
    if (!op.group_sizes.empty()) op.group_sizes[0] = static_cast<std::uint32_t>(op.inputs.size());
    for (const auto& region : op.regions) keep_values(stays, region->arguments);
    keep(stays, op.regions[1]->yields);
  }

  const Needed& needed_;
  std::unordered_map<Value*, Value*> gone_;
  std::vector<std::unique_ptr<Value>> graveyard_;  // ids are asked of values until the end
};

}  // namespace

void remove_unneeded(Program& program, const Needed& needed) {
  Removal removal(needed);
  removal.region(program.main);
  program.replace_handles(removal.gone());
  ++program.revision;
}

}  // namespace oploom::program
