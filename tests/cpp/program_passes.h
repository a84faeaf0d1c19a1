#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/program/program.h"

// The four passes, in every order.
namespace oploom::program {

using Pass = void (*)(Program& program, std::span<Value* const> fetch);

// f(order) for each of the 24 orders.
template <typename F>
void for_each_pass_order(F&& f) {
  static constexpr std::array<Pass, 4> kPasses = {
      [](Program& program, std::span<Value* const>) { functionalize(program); },
      apply_inplace,
      prune,
      [](Program& program, std::span<Value* const>) { clean_up(program); },
  };
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  do {
    std::vector<Pass> passes;
    for (const std::size_t i : order) passes.push_back(kPasses[i]);
    f(passes);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Values that passes may move.
class Held {
 public:
  Held() = default;
  Held(Program& program, const std::vector<Value*>& values) {
    for (Value* value : values) cells_.push_back(program.cell_of(value));
  }
  void add(Program& program, Value* value) { cells_.push_back(program.cell_of(value)); }
  std::vector<Value*> values() const {
    std::vector<Value*> found;
    for (const auto& cell : cells_) found.push_back(cell->value);
    return found;
  }

 private:
  std::vector<std::shared_ptr<Cell>> cells_;
};

// Runs the passes one after the other; each leaves a sound program.
inline void apply_passes(Program& program, const std::vector<Pass>& passes, const Held& held) {
  for (const Pass pass : passes) {
    pass(program, held.values());
    verify(program);
  }
}

}  // namespace oploom::program
