#include <array>
#include <utility>

#include "runtime/program/control.h"
#include "runtime/program/gradients_kept.h"

// The gradient of a branch: a second branch on the same condition. Each side yields, for every captured value
// that either side has a gradient for, the sum of what was known before and of what it adds.
namespace oploom::program {
namespace {

// One branch of the gradient, filled; the sums of the captured values in it.
void fill_branch(Differentiation& differentiation, const Op& forward, const Region& branch,
                 const std::vector<Value*>& captured, const Sums& outer, Sums& sums) {
  for (const Value* value : captured) {
    if (Value* known = outer.find(value)) sums.set(value, known);
  }
  for (std::size_t i = 0; i < branch.yields.size(); ++i) {
    Value* gradient = outer.find(forward.results[i].get());
    if (gradient != nullptr && differentiation.activity().active(branch.yields[i])) {
      sums.add(branch.yields[i], gradient);
    }
  }
  differentiation.run(branch, sums);
}

}  // namespace

void Differentiation::differentiate_if(Op& op, Sums& sums) {
  bool any = false;
  for (const auto& result : op.results) any |= sums.find(result.get()) != nullptr;
  if (!any) return;
  const std::vector<Value*> captured = activity_.captured(op);
  auto made = std::make_unique<Op>();
  made->def = &kIf;
  made->inputs = {op.inputs[0]};
  std::array<Sums, 2> inner;
  for (std::size_t branch = 0; branch < 2; ++branch) {
    Region& region = *made->regions.emplace_back(std::make_unique<Region>());
    Builder builder = inside(region);
    const Builder::Scope scope(builder);
    fill_branch(*this, op, *op.regions[branch], captured, sums, inner[branch]);
  }
  std::vector<Value*> changed;
  for (Value* value : captured) {
    const Value* known = sums.find(value);
    if (inner[0].find(value) != known || inner[1].find(value) != known) changed.push_back(value);
  }
  if (changed.empty()) return;
  for (std::size_t branch = 0; branch < 2; ++branch) {
    Region& region = *made->regions[branch];
    Builder builder = inside(region);
    const Builder::Scope scope(builder);
    for (Value* value : changed) {
      Value* gradient = inner[branch].find(value);
      region.yields.push_back(gradient != nullptr ? gradient : zero_gradient(value));
    }
    BranchBridge(*this, op, branch, region).rewire();
  }
  const Op& appended = Builder::current().append(std::move(made));
  for (std::size_t i = 0; i < changed.size(); ++i) sums.set(changed[i], appended.results[i].get());
}

}  // namespace oploom::program
