#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/program/ir.h"

namespace oploom::program {

// What a handle points to. Passes move it along (see Program::replace_handles).
struct Cell {
  Value* value = nullptr;
};

struct PlanCache;  // plan.h
class Program;

// Points to a program until that is gone. What handles hold: they may outlive it.
class ProgramRef {
 public:
  ProgramRef() = default;
  explicit ProgramRef(Program& program);
  bool alive() const { return life_ != nullptr && *life_ != nullptr; }
  Program& operator*() const { return alive() ? **life_ : refuse(); }
  Program* operator->() const { return &**this; }

 private:
  [[noreturn]] static Program& refuse();  // kRuntime
  std::shared_ptr<Program* const> life_;
};

class Program {
 public:
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Region main;  // main.arguments: inputs and parameters, in the order they were met

  struct Input {
    Value* value;
    std::string name;
  };
  struct Parameter {
    Value* value;   // as it comes in
    Tensor tensor;  // by reference
    Value* result;  // as it goes out: another value where the program writes it (an effect), else
                    // value
    std::uint32_t writes;  // version bumps of one run
    Value* rebound_grad = nullptr;
  };
  std::vector<Input> inputs;
  std::vector<Parameter> parameters;

  std::uint32_t next_value_id = 0;
  std::uint64_t next_op_number = 0;  // the last one given: numbers start at 1
  std::uint64_t revision = 0;  // moves on every change: plans of the interpreter are kept by it
  std::uint64_t run_count = 0;
  std::shared_ptr<PlanCache> plans;  // of the latest fetch sets

  std::unique_ptr<Value> make_value(const Type& type);  // with an id, belonging to nothing yet
  // Raises kArgument where the name is empty or taken, kType where type is not that of a tensor.
  Value* add_input(std::string name, const Type& type, bool stop_gradient);
  Value* parameter(const Tensor& tensor);  // the same value for the same tensor
  bool is_parameter(const Tensor& tensor) const {
    return parameter_of_tensor_.contains(tensor.impl());
  }
  // Takes out all but the first `count`, which nothing reads: those of a call that was refused.
  void drop_parameters(std::size_t count);
  // Of the argument that a parameter comes in by, or null. Good until the next parameter is met.
  Parameter* find_parameter(const Value* value);
  const Parameter* find_parameter(const Value* value) const;

  // A new handle to value. A pass that replaces values tells it in replace_handles: `with` maps
  // each value that goes to the one that stands for it now, or to null; what parameters leave with
  // is moved along, too.
  std::shared_ptr<Cell> cell_of(Value* value);
  void replace_handles(const std::unordered_map<Value*, Value*>& with);
  std::vector<std::weak_ptr<Cell>> cells;

 private:
  friend class Loader;  // load.cpp
  friend class ProgramRef;
  std::shared_ptr<Program*> life_;  // null in it when the program is gone
  std::unordered_map<const TensorImpl*, std::uint32_t> parameter_of_tensor_;
  std::unordered_map<const Value*, std::uint32_t> parameter_of_value_;
  std::size_t living_cells_ = 0;  // when cells was last swept
};

// --- On programs. Each in a file of its own name.
bool is_inplace_net(const Program& program);  // any op marked, regions included
void verify(const Program& program);          // raises kArgument: op, value, what is wrong
void print(std::ostream& out, const Program& program);       // one op a line, regions indented
void save(const Program& program, const std::string& path);  // YAML; parameters' values included
std::string save_text(const Program& program);
std::unique_ptr<Program> load(const std::string& path);  // raises kArgument with line and column
std::unique_ptr<Program> load_text(const std::string& text, const std::string& name);
std::string dot(const Program& program);  // Graphviz

// --- Passes. Change the program; handles stay valid.
void functionalize(Program& program);  // no op is marked in-place any more
void apply_inplace(Program& program, std::span<Value* const> fetch);
void prune(Program& program, std::span<Value* const> fetch);
void clean_up(Program& program);  // constants folded, equal ops merged, dead code gone

// --- Running. feeds along program.inputs; results along fetch. Raises kArgument by name where a
// feed does not fit. An error of an op carries its name and its position.
struct RunResult {
  std::vector<Tensor> fetched;
  std::int64_t peak_bytes = 0;  // of buffers that the run made, at its fullest
  // Entries of lists that were copied, cut, summed or zeroed: what a loop over a list costs beyond
  // its trips.
  std::int64_t list_entries = 0;
};
RunResult run(Program& program, std::span<const Tensor> feeds, std::span<Value* const> fetch);

}  // namespace oploom::program
