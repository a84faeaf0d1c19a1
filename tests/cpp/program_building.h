#pragma once

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/program/builder.h"
#include "runtime/program/control.h"
#include "runtime/program/program.h"
#include "tests/cpp/program_toy_ops.h"

namespace oploom::program {

using Values = std::vector<Value*>;

inline Type tensor(DType dtype, Ints shape) { return tensor_type(dtype, shape); }
inline Type scalar_type(DType dtype = DType::kFloat64) { return tensor_type(dtype, {}); }

// A program that toy ops are appended to for as long as this lives.
class Building {
 public:
  Program program;
  Builder builder{program, program.main};
  Builder::Scope scope{builder};

  Value* input(const std::string& name, const Type& type, bool stop_gradient = true) {
    return program.add_input(name, type, stop_gradient);
  }
  // x.op made x; marks it as written in place.
  static Value* mark(Value* x) {
    x->op->inplace = true;
    return x;
  }
  static Value* append(const OpDef& def, Values inputs) {
    return Builder::current().append(def, std::move(inputs), {}).results[0].get();
  }

  Op& cond(Value* pred, const std::function<Values()>& then,
           const std::function<Values()>& otherwise) {
    auto op = std::make_unique<Op>();
    op->def = &kIf;
    op->inputs = {pred};
    op->parent = &Builder::current().region();
    for (const auto& branch : {then, otherwise}) {
      Region& region = add_region(*op);
      const Inside inside(program, region);
      region.yields = branch();
    }
    return Builder::current().append(std::move(op));
  }

  // types: of the loop variables where they differ from the inits'.
  Op& loop(const Values& inits, const std::function<Value*(const Values&)>& condition,
           const std::function<Values(const Values&)>& body, const std::vector<Type>& types = {}) {
    auto op = std::make_unique<Op>();
    op->def = &kWhile;
    op->inputs = inits;
    op->group_sizes = {static_cast<std::uint32_t>(inits.size())};
    op->parent = &Builder::current().region();
    const auto fill = [&](const std::function<Values(const Values&)>& f) {
      Region& region = add_region(*op);
      Values arguments;
      for (std::size_t i = 0; i < inits.size(); ++i) {
        arguments.push_back(
            add_argument(program, region, types.empty() ? inits[i]->type : types[i]));
      }
      const Inside inside(program, region);
      region.yields = f(arguments);
    };
    fill([&](const Values& arguments) { return Values{condition(arguments)}; });
    fill(body);
    return Builder::current().append(std::move(op));
  }

  std::string printed() const {
    std::ostringstream out;
    print(out, program);
    return out.str();
  }

 private:
  struct Inside {
    Inside(Program& program, Region& region) : inner(program, region) {}
    Builder inner;
    Builder::Scope scope{inner};
  };
  static Region& add_region(Op& op) {
    Region& region = *op.regions.emplace_back(std::make_unique<Region>());
    region.parent = &op;
    return region;
  }
};

template <typename T>
std::string written(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace oploom::program
