#include "runtime/program/ir.h"

#include <numeric>

namespace oploom::program {

std::span<Value* const> Op::group(std::size_t g) const {
  if (group_sizes.empty()) {
    if (g >= inputs.size()) return {};
    return {inputs.data() + g, 1};
  }
  const auto first = std::accumulate(
      group_sizes.begin(), group_sizes.begin() + static_cast<std::ptrdiff_t>(g), std::size_t{0});
  return {inputs.data() + first, group_sizes[g]};
}

Value* Op::input(std::size_t g) const {
  const auto members = group(g);
  return members.empty() ? nullptr : members[0];
}

const char* shown_name(const Op& op) {
  return op.inplace && op.def->inplace_name != nullptr ? op.def->inplace_name : op.def->name;
}

bool can_have_grad(const Type& type) {
  return !type.is_numbers() && !type.of_numbers && (type.open || is_float(type.dtype));
}

}  // namespace oploom::program
