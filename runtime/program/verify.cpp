#include "runtime/program/verify.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/program/control.h"
#include "runtime/program/program.h"
#include "runtime/program/text.h"

// Is a program what passes and the interpreter take it for? Each message: the op, what is wrong
// with which value, where Python recorded it. What it finds is a mistake of a pass or of a file,
// never of recorded user code.
namespace oploom::program {
namespace {

template <typename... Parts>
[[noreturn]] void refuse_program(const Parts&... parts) {
  raise(ErrorKind::kArgument, "[program] ", parts...);
}

// --- Where values are made. One walk before all others: afterwards every pointer can be judged
// without following it.
class Census {
 public:
  explicit Census(const Program& program) : program_(program) { region(program.main, nullptr); }
  bool knows(const Value* value) const { return values_.contains(value); }

 private:
  void region(const Region& region, const Op* parent) {
    if (region.parent != parent) {
      if (parent == nullptr) refuse_program("expected no op around its own region, got one");
      refuse(*parent, "expected its regions to name it as parent, got another op");
    }
    for (std::size_t i = 0; i < region.arguments.size(); ++i) {
      const Value& value = *region.arguments[i];
      if (value.region != &region || value.op != nullptr || value.index != i) {
        refuse_program("expected argument ", i, ", %", value.id,
                       ", to name its region and index, got others");
      }
      count(value);
    }
    for (const auto& op : region.ops) one_op(*op, region);
  }

  void one_op(const Op& op, const Region& region_) {
    if (op.def == nullptr) refuse(op, "expected a definition, got none");
    if (op.parent != &region_)
      refuse(op, "expected the region that it stands in as parent, got another");
    const bool random = (op.def->flags & OpDef::kRandom) != 0;
    if (random && !random_numbers_.insert(op.number).second) {
      refuse(op, "expected a number of its own for its random draws, got ", op.number,
             ", which another random op has");
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const Value& value = *op.results[i];
      if (value.op != &op || value.region != nullptr || value.index != i) {
        refuse(op, "expected its result ", i, ", %", value.id,
               ", to name it and its index, got others");
      }
      count(value);
    }
    for (const auto& inner : op.regions) region(*inner, &op);
  }

  void count(const Value& value) {
    values_.insert(&value);
    if (!ids_.insert(value.id).second) {
      refuse_program("expected each value number once, got %", value.id, " twice");
    }
    if (value.id >= program_.next_value_id) {
      refuse_program("expected value numbers below ", program_.next_value_id,
                     ", the next one, got %", value.id);
    }
  }

  const Program& program_;
  std::unordered_set<const Value*> values_;
  std::unordered_set<std::uint32_t> ids_;
  std::unordered_set<std::uint64_t> random_numbers_;
};

void check_mark(const Op& op) {
  if (!op.inplace) return;
  if (op.def->inplace_pairs.empty()) {
    refuse(op, "expected no in-place mark, since it has no in-place form, got one");
  }
  for (const OpDef::Pair pair : op.def->inplace_pairs) {
    const bool there = pair.input < op.def->inputs.size() && pair.output < op.results.size();
    if (!there) refuse(op, "expected an input and an output for its in-place mark, got none");
  }
}

// --- Scopes and types.
class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program), census_(program) {}

  void run() {
    for (const auto& value : program_.main.arguments) visible_.insert(value.get());
    arguments();
    ops(program_.main);
    for (const Value* value : program_.main.yields) outside(value, "a result of the program");
    for (const Program::Parameter& parameter : program_.parameters) {
      outside(parameter.result,
              text("what is written into parameter ", quoted(parameter.value->name)));
      if (parameter.rebound_grad != nullptr) {
        outside(parameter.rebound_grad,
                text("the gradient of parameter ", quoted(parameter.value->name)));
      }
    }
  }

 private:
  void arguments() {
    std::unordered_set<const Value*> met;
    std::unordered_set<std::string> names;
    const auto meet = [&](const Value* value, const char* what) {
      if (!census_.knows(value) || value->region != &program_.main) {
        refuse_program("expected an argument of the program for each ", what,
                       ", got another value");
      }
      if (!met.insert(value).second)
        refuse_program("expected %", value->id, " to come in once, got it twice");
    };
    for (const Program::Input& input : program_.inputs) {
      meet(input.value, "input");
      if (!names.insert(input.name).second) {
        refuse_program("expected each input name once, got ", quoted(input.name), " twice");
      }
    }
    for (const Program::Parameter& parameter : program_.parameters) {
      meet(parameter.value, "parameter");
      if (!parameter.tensor.defined())
        refuse_program("expected a tensor for parameter %", parameter.value->id, ", got none");
    }
    for (const auto& value : program_.main.arguments) {
      if (!met.contains(value.get())) {
        refuse_program("expected an input or a parameter behind argument %", value->id,
                       ", got neither");
      }
    }
  }

  // A value that is read when the program has ended.
  void outside(const Value* value, const std::string& what) {
    if (value == nullptr || !census_.knows(value)) {
      refuse_program("expected a value of this program as ", what, ", got none");
    }
    if (!visible_.contains(value)) {
      refuse_program("expected a value from outside of all branches and loops as ", what, ", got %",
                     value->id);
    }
  }

  void ops(const Region& region) {
    for (const auto& op : region.ops) one_op(*op);
  }

  void one_op(const Op& op) {
    check_form(op);
    inputs(op);
    metadata(op);
    check_kinds(op);
    for (std::size_t i = 0; i < op.regions.size(); ++i) region(op, i);
    types(op);
    check_mark(op);
    if (op.def == &kIf) note_undefined(op);
    for (const auto& value : op.results) visible_.insert(value.get());
  }

  void inputs(const Op& op) {
    for (std::size_t g = 0; g < op.def->inputs.size(); ++g) {
      const InputDef& input = op.def->inputs[g];
      for (const Value* value : op.group(g)) {
        read(op, value, input.name);
        if (!input.reads_shape_only && !moves_only(op)) read_elements(op, value, input.name);
      }
    }
  }

  void metadata(const Op& op) {
    for (std::size_t i = 0; i < op.attribute_values.size(); ++i) {
      const Value* value = op.attribute_values[i];
      if (value != nullptr) read(op, value, op.def->attributes[i].name);
    }
  }

  void read(const Op& op, const Value* value, const char* argument) {
    if (value == nullptr || !census_.knows(value)) {
      refuse(op, argument, ": expected a value of this program, got none");
    }
    if (visible_.contains(value)) return;
    const bool later = value->op != nullptr && encloses(value->op->parent, op.parent);
    if (later)
      refuse(op, argument, ": expected a value that is made before it, got %", value->id,
             ", which is made later");
    refuse(op, argument, ": expected a value that it can see, got %", value->id,
           ", which belongs to another branch or loop; let that one return it");
  }

  static bool encloses(const Region* outer, const Region* region) {
    while (region != nullptr && region != outer) {
      region = region->parent == nullptr ? nullptr : region->parent->parent;
    }
    return region != nullptr;
  }

  // --- Values that only one branch knows.

  // Hands values on without reading an element.
  static bool moves_only(const Op& op) {
    return op.def == &kPush || op.def == &kPut || op.def == &kWhile || op.def == &kZerosLikeList;
  }

  void read_elements(const Op& op, const Value* value, const char* argument) {
    if (value->op != nullptr && value->op->def == &kUndefined) {
      refuse(op, argument, ": expected a value, got %", value->id, ", which is undefined");
    }
    const auto found = undefined_in_.find(value);
    if (found == undefined_in_.end()) return;
    const auto& [condition, branch] = found->second;
    for (const Region* region = op.parent; region->parent != nullptr;
         region = region->parent->parent) {
      const Op& around = *region->parent;
      if (around.def != &kIf || around.inputs[0] != condition) continue;
      if (around.regions[1 - branch].get() == region) return;
    }
    refuse(op, argument, ": expected a value that is known here, got %", value->id, ", which the ",
           branch == 0 ? "true" : "false", " branch of its if leaves undefined");
  }

  // Results that are undefined where the condition is true (0) or false (1).
  void note_undefined(const Op& op) {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      for (std::size_t branch = 0; branch < 2; ++branch) {
        const Value* value = op.regions[branch]->yields[i];
        if (value->op != nullptr && value->op->def == &kUndefined) {
          undefined_in_[op.results[i].get()] = {op.inputs[0], branch};
        }
      }
    }
  }

  // --- Regions and types.

  void region(const Op& op, std::size_t i) {
    const Region& region = *op.regions[i];
    for (const auto& value : region.arguments) visible_.insert(value.get());
    ops(region);
    for (const Value* value : region.yields) read_yield(op, value);
    for (const auto& value : region.arguments) visible_.erase(value.get());
    for (const auto& inner : region.ops) {
      for (const auto& value : inner->results) visible_.erase(value.get());
    }
  }

  void read_yield(const Op& op, const Value* value) {
    if (value == nullptr || !census_.knows(value)) {
      refuse(op, "yield: expected a value of this program, got none");
    }
    if (!visible_.contains(value)) {
      refuse(op, "yield: expected a value that its region can see, got %", value->id);
    }
  }

  void types(const Op& op) {
    std::vector<Type> inferred;
    try {
      op.def->infer(op, inferred);
    } catch (const Error& error) {
      refuse(op, "its types do not fit: ", error.what());
    }
    if (inferred.size() != op.results.size()) {
      refuse(op, "expected ", inferred.size(), " results, got ", op.results.size());
    }
    for (std::size_t i = 0; i < inferred.size(); ++i) {
      const Value& value = *op.results[i];
      if (!holds(value.type, inferred[i])) {
        refuse(op, "expected its result %", value.id, " to be ", inferred[i], ", got ", value.type);
      }
    }
  }

  const Program& program_;
  Census census_;
  std::unordered_set<const Value*> visible_;
  std::unordered_map<const Value*, std::pair<const Value*, std::size_t>> undefined_in_;
};

}  // namespace

void verify(const Program& program) { Verifier(program).run(); }

}  // namespace oploom::program
