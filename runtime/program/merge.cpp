#include "runtime/program/merge.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/program/aliases.h"
#include "runtime/program/control.h"
#include "runtime/program/needed.h"

namespace oploom::program {
namespace {

std::size_t hash_of(const Op& op) {
  std::size_t hash = std::hash<const void*>()(op.def);
  const auto add = [&hash](std::size_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15; };
  for_each_use(op, [&](const Value* value) { add(value == nullptr ? 0 : value->id + 1); });
  for (const Attribute& attribute : op.attributes) {
    add(attribute.index());
    if (const auto* integer = std::get_if<std::int64_t>(&attribute))
      add(static_cast<std::size_t>(*integer));
    if (const auto* name = std::get_if<std::string>(&attribute))
      add(std::hash<std::string>()(*name));
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute)) {
      for (const std::int64_t entry : *list) add(static_cast<std::size_t>(entry));
    }
    if (const auto* scalar = std::get_if<Scalar>(&attribute))
      add(std::hash<double>()(scalar->to_double()));
  }
  return hash;
}

bool equal_results(const Op& a, const Op& b) {
  return std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                    [](const auto& x, const auto& y) {
                      return x->type == y->type && x->needs_grad == y->needs_grad &&
                             x->stopped == y->stopped;
                    });
}

bool equal_ops(const Op& a, const Op& b) {
  return a.def == b.def && a.recorded == b.recorded && a.inputs == b.inputs &&
         a.group_sizes == b.group_sizes && a.attribute_values == b.attribute_values &&
         equal_results(a, b) &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                    b.attributes.end(),
                    [](const Attribute& x, const Attribute& y) { return equal(x, y); });
}

class Merging {
 public:
  Merging(const Program& program, std::span<Value* const> held)
      : held_(held.begin(), held.end()), aliases_(program), taken_(given_away(program, aliases_)) {}

  void region(Region& region) {
    std::vector<std::size_t> mine;  // what this region adds: nobody behind it sees it
    for (const auto& op : region.ops) {
      for_each_use(*op, [this](Value*& value) { replace(value); });
      for (const auto& inner : op->regions) this->region(*inner);
      if (may_merge(*op)) one_op(*op, mine);
    }
    for (Value*& value : region.yields) replace(value);
    for (const std::size_t hash : mine) {
      std::vector<Op*>& seen = seen_[hash];
      seen.pop_back();
      if (seen.empty()) seen_.erase(hash);
    }
  }

  void keep(const Value* value) { held_.insert(value); }

 private:
  void replace(Value*& value) const {
    if (value == nullptr) return;
    const auto found = with_.find(value);
    if (found != with_.end()) value = found->second;
  }

  bool may_merge(const Op& op) const {
    constexpr std::uint32_t kNever = OpDef::kRandom | OpDef::kUpdate | OpDef::kInplaceOnly;
    if (op.inplace || op.must_fit || (op.def->flags & kNever) != 0 || !op.regions.empty() || op.def == &kUndefined ||
        is_taken(op))
      return false;
    // A second buffer of some size is made anew rather than held for longer.
    const auto large = [](const Type& type) {
      return !type.is_numbers() && !(type.known() && count_elements(type.shape) <= 8);
    };
    const bool made_of_nothing = op.inputs.empty();
    return std::none_of(op.results.begin(), op.results.end(),
                        [&](const auto& value) {
                          return value->type.is_list() || held_.contains(value.get()) ||
                                 (made_of_nothing && large(value->type));
                        }) &&
           std::none_of(op.inputs.begin(), op.inputs.end(),
                        [](const Value* value) { return value->type.is_list(); });
  }

  // Nobody reads behind the op that takes its buffer.
  bool is_taken(const Op& op) const {
    return std::any_of(op.results.begin(), op.results.end(), [this](const auto& value) {
      return taken_.contains(&aliases_.root(*value));
    });
  }

  void one_op(Op& op, std::vector<std::size_t>& mine) {
    const std::size_t hash = hash_of(op);
    std::vector<Op*>& seen = seen_[hash];
    const auto same =
        std::find_if(seen.begin(), seen.end(), [&op](const Op* x) { return equal_ops(*x, op); });
    if (same == seen.end()) {
      seen.push_back(&op);
      mine.push_back(hash);
      return;
    }
    for (std::size_t i = 0; i < op.results.size(); ++i)
      with_[op.results[i].get()] = (*same)->results[i].get();
  }

  std::unordered_set<const Value*> held_;
  const Aliases aliases_;
  const std::unordered_map<const Value*, const Op*> taken_;  // by root
  std::unordered_map<std::size_t, std::vector<Op*>> seen_;  // visible from where we are
  std::unordered_map<Value*, Value*> with_;
};

}  // namespace

void merge_equal_ops(Program& program, std::span<Value* const> held) {
  Merging merging(program, held);
  for_each_effect(program, [&merging](const Value* value) { merging.keep(value); });
  merging.region(program.main);
}

}  // namespace oploom::program
