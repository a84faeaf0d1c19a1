#include <algorithm>
#include <vector>

#include "runtime/program/roles.h"
#include "tests/cpp/program_toy_ops.h"

// Stands for the registry as long as nothing is generated for programs: the toy ops by name, and the roles.
namespace oploom::program {

std::span<const OpDef* const> all_ops() {
  static const std::vector<const OpDef*> ops = [] {
    std::vector<const OpDef*> all(toy::kElementOps.begin(), toy::kElementOps.end());
    all.insert(all.end(), toy::kShapeOps.begin(), toy::kShapeOps.end());
    std::sort(all.begin(), all.end(), [](const OpDef* a, const OpDef* b) {
      return std::string_view(a->name) < std::string_view(b->name);
    });
    return all;
  }();
  return ops;
}

const OpDef* find_op(std::string_view name) {
  for (const OpDef* def : all_ops()) {
    if (def->name == name || (def->inplace_name != nullptr && def->inplace_name == name)) return def;
  }
  return nullptr;
}

namespace roles {

Value* accumulate(Value* x, Value* y) { return toy::add(x, y); }
Value* sum_to(Value* x, const Numbers& shape) { return toy::sum_to(x, shape); }
Value* expand(Value* x, const Numbers& shape) { return toy::expand(x, shape); }
Value* cast(Value* x, DType dtype) { return toy::cast(x, dtype); }
Value* zeros(const Numbers& shape, std::optional<DType> dtype) { return toy::zeros(shape, dtype); }
Value* ones(const Numbers& shape, std::optional<DType> dtype) { return toy::ones(shape, dtype); }

}  // namespace roles
}  // namespace oploom::program
