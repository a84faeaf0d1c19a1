#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/program/aliases.h"
#include "runtime/program/constant.h"
#include "runtime/program/control.h"
#include "runtime/program/needed.h"

namespace oploom::program {
namespace {

// A mark lets an op run in its input's buffer. It is set where the program itself shows that nobody
// reads the buffer later; what hangs on the run is tested there.
class Marks {
 public:
  Marks(Program& program, std::span<Value* const> fetch)
      : aliases_(program), places_(program.next_value_id), last_reads_(program.next_value_id, 0) {
    note_places(program.main, 0);
    const auto keep = [this](const Value* value) { last_reads_[aliases_.root(*value).id] = kEnd; };
    for (const Value* value : fetch) keep(value);
    for_each_effect(program, keep);
    note_reads(program.main);
    mark(program.main, true);
  }

 private:
  static constexpr std::size_t kEnd = SIZE_MAX;
  struct Place {
    const Region* region = nullptr;
    std::size_t depth = 0;
  };

  void note_places(const Region& region, std::size_t depth) {
    for (const auto& value : region.arguments) places_[value->id] = {&region, depth};
    for (const auto& op : region.ops) {
      for (const auto& value : op->results) places_[value->id] = {&region, depth};
      for (const auto& inner : op->regions) note_places(*inner, depth + 1);
    }
  }

  // A read somewhere inside of an op is one by the op, where the buffer's maker stands.
  void read(const Value& value, bool by_yield) {
    const Value& root = aliases_.root(value);
    const std::size_t depth = places_[root.id].depth;
    const bool leaves = by_yield && depth + 1 == path_.size();
    std::size_t& last = last_reads_[root.id];
    last = std::max(last, leaves ? kEnd : path_[depth]);
  }

  void note_reads(const Region& region) {
    path_.push_back(0);
    for (const auto& op : region.ops) {
      ++path_.back();
      if (!reads_shape_only(*op)) {
        for_each_use(*op, [this](const Value* value) {
          if (value != nullptr) read(*value, false);
        });
      }
      for (const auto& inner : op->regions) note_reads(*inner);
    }
    for (const Value* value : region.yields) read(*value, true);
    path_.pop_back();
  }

  void mark(Region& region, bool main) {
    std::size_t at = 0;
    for (const auto& op : region.ops) {
      ++at;
      if (!op->inplace && may_write(*op, at, main)) op->inplace = op->applied = true;
      // A condition reads variables that the body reads after it.
      for (std::size_t i = 0; i < op->regions.size(); ++i) {
        mark(*op->regions[i], op->def == &kWhile && i == 0);
      }
    }
  }

  bool may_write(const Op& op, std::size_t at, bool keeps_arguments) const {
    constexpr std::uint32_t kNever =
        OpDef::kView | OpDef::kViewMayCopy | OpDef::kReplaces | OpDef::kUpdate;
    if (op.def->inplace_name == nullptr || op.def->inplace_pairs.empty()) return false;
    if ((op.def->flags & kNever) != 0) return false;
    return std::all_of(op.def->inplace_pairs.begin(), op.def->inplace_pairs.end(),
                       [&](OpDef::Pair pair) {
                         const auto members = op.group(pair.input);
                         return members.size() == 1 && pair.output < op.results.size() &&
                                members[0]->type == op.results[pair.output]->type &&
                                dies(*members[0], op, at, keeps_arguments);
                       });
  }

  bool dies(const Value& value, const Op& op, std::size_t at, bool keeps_arguments) const {
    const Value& root = aliases_.root(value);
    if (!value.type.is_tensor() || value.type.weak) return false;
    // From outside: captured, or a view of something captured.
    if (places_[root.id].region != op.parent || last_reads_[root.id] != at) return false;
    if (root.op == nullptr ? keeps_arguments : !makes_buffer(*root.op)) return false;
    std::size_t reads = 0;
    for_each_use(op, [&](const Value* used) {
      if (used != nullptr && &aliases_.root(*used) == &root) ++reads;
    });
    return reads == 1;
  }

  // Own ops hand on entries of lists, or what they keep.
  static bool makes_buffer(const Op& op) {
    if ((op.def->flags & OpDef::kOwn) == 0) return true;
    return op.def == &kConstant || op.def == &kIf || op.def == &kWhile || op.def == &kPop ||
           op.def == &kStack || op.def == &kConcatList;
  }

  Aliases aliases_;
  std::vector<Place> places_;  // by id: where a value is made
  std::vector<std::size_t>
      last_reads_;                 // by id of a root: its region's op that reads it last, from 1
  std::vector<std::size_t> path_;  // of the op looked at: its place in each region around it
};

}  // namespace

void apply_inplace(Program& program, std::span<Value* const> fetch) {
  Marks(program, fetch);
  ++program.revision;
}

}  // namespace oploom::program
