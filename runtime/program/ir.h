#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program/attribute.h"
#include "runtime/program/type.h"

// The program as data. Pure SSA: every op makes new values and none changes one. That an op was
// written in place by the user, or may be (apply_inplace), is a mark on the op: its input's buffer
// becomes its output's. The interpreter honours the mark where the input has no later reader, so a
// mark can never change a number.
namespace oploom::program {

struct Op;
struct Region;
struct OpDef;

struct Value {
  Type type;
  Op* op = nullptr;          // that makes it; null for arguments of a region
  Region* region = nullptr;  // whose argument it is; null for results
  std::uint32_t index = 0;   // among the op's results or the region's arguments
  std::uint32_t id = 0;      // unique in the program; "%7" in its text
  bool needs_grad = false;   // does not stop gradient
  bool stopped = false;      // by the user's word: needs_grad stays false whatever flows in
  std::string name;          // inputs and parameters; else empty
};

// One op. inputs are flat; group g (declared input g) holds group_sizes[g] of them: 1, 0 for an
// absent optional one, any number for a list.
struct Op {
  const OpDef* def = nullptr;
  std::vector<Value*> inputs;
  std::vector<std::uint32_t> group_sizes;
  std::vector<Attribute> attributes;            // along def->attributes
  std::vector<Value*> attribute_values;         // where not null: metadata (kNumbers) instead of
                                                // attributes[i]; may be empty
  std::vector<std::unique_ptr<Value>> results;  // along def->outputs, list outputs flat
  std::vector<std::unique_ptr<Region>> regions;
  Region* parent = nullptr;
  bool inplace = false;  // by the def's in-place pairs
  bool applied = false;  // the mark is of apply_inplace, not of the user
  bool must_fit = false;  // the user's mark was taken away: tested when run as if it were there (C5)
  bool recorded = true;  // gradients were enabled; false: a constant for every gradient
  // Given at recording (from 1), never changed by passes: the counter of random draws.
  std::uint64_t number = 0;
  std::string position;  // file:line of Python that recorded it; "C++"

  std::span<Value* const> group(std::size_t g) const;
  Value* input(std::size_t g) const;  // of a group of one; null where absent
  // The metadata that attribute i is, or null.
  Value* attribute_value(std::size_t i) const {
    return i < attribute_values.size() ? attribute_values[i] : nullptr;
  }
};

struct Region {
  std::vector<std::unique_ptr<Value>> arguments;
  std::vector<std::unique_ptr<Op>> ops;
  std::vector<Value*> yields;
  Op* parent = nullptr;  // null for the program's own
};

// "tanh", and "tanh_" where marked in-place.
const char* shown_name(const Op& op);
// Whether a value can carry a gradient at all: float tensors, and lists of them.
bool can_have_grad(const Type& type);

// f(Value*&) for everything that op itself reads: inputs and metadata. Not what its regions read.
template <typename Op_, typename F>
void for_each_use(Op_& op, F&& f) {
  for (auto& value : op.inputs) f(value);
  for (auto& value : op.attribute_values) {
    if (value != nullptr) f(value);
  }
}
// f(Op&) for every op of region, regions included; an op comes before those in its regions.
template <typename Region_, typename F>
void for_each_op(Region_& region, F&& f) {
  for (const auto& op : region.ops) {
    f(*op);
    for (const auto& inner : op->regions) for_each_op(*inner, f);
  }
}

// --- What is known of an op. One constant each, generated from the registry
// (generated/program/<family>.cpp), and a few of the program's own in control.h (if, while, lists,
// metadata, shift).
struct InputDef {
  const char* name;
  enum class Kind : std::uint8_t { kTensor, kOperand, kOptional, kList } kind = Kind::kTensor;
  bool differentiable = true;
  bool reads_shape_only = false;
};
struct AttributeDef {
  const char* name;
  const char* type;                        // as in the registry: "axes", "float", "dtype?" ...
  Attribute (*default_value)() = nullptr;  // null: required
};
struct OutputDef {
  const char* name;
  bool hidden = false;
  bool differentiable = true;
  bool list = false;
};

class Vjp;        // gradients.h
struct RunFrame;  // interpreter.h

struct OpDef {
  const char* name;          // "tanh"
  const char* inplace_name;  // "tanh_", or null
  std::span<const InputDef> inputs;
  std::span<const AttributeDef> attributes;
  std::span<const OutputDef> outputs;
  struct Pair {
    std::uint8_t input, output;
  };
  std::span<const Pair> inplace_pairs;
  enum Flag : std::uint32_t {
    kView = 1,         // shares storage with input 0
    kViewMayCopy = 2,  // unless: layout
    kRandom = 4,
    kUpdate = 8,  // optimizer step: writes are effects, never a gradient
    kElementwise = 16,
    kInplaceOnly = 32,  // name ends in '_'
    kReplaces = 64,     // in place: a new dtype or size by definition (C6)
    kInternal = 128,
    kOwn = 256,           // of the program itself (control flow, lists, metadata)
    kZeroGradient = 512,  // backward: zero
    kWritesPart = 1024,   // in place: of its target, some elements only
  };
  std::uint32_t flags = 0;
  // Brings attributes to normal form (axes counted from 0, shape without -1 ...), once, before all
  // else.
  void (*normalise)(Op& op) = nullptr;
  // A composed op: appends its parts to Builder::current() and answers the results; such an op
  // never stands in a program itself (infer, run, vjp are null). Attributes come in normal form in
  // `op`, which is not appended.
  std::vector<Value*> (*compose)(const Op& op) = nullptr;
  // Types of the results from types of inputs and attributes; raises as the eager function would.
  void (*infer)(const Op& op, std::vector<Type>& results) = nullptr;
  // What run refuses before it writes anything, apart: of an op that may run late (late.h), where
  // it refuses something.
  void (*check)(RunFrame& frame) = nullptr;
  // Runs the kernels: reads frame.input(i), attributes, makes frame.output(i). inplace where frame
  // says so.
  void (*run)(RunFrame& frame) = nullptr;
  // Appends gradient ops; null where none: then `no_gradient` says why (reason of missing / none).
  void (*vjp)(Vjp& vjp) = nullptr;
  const char* no_gradient = nullptr;
  // Of a view op: the new value of its input after its output was given the value `part` (registry
  // key `write`).
  Value* (*write)(const Op& view, Value* input, Value* part) = nullptr;
};

// All registry ops by name (in-place names too), for load(); sorted. Generated.
const OpDef* find_op(std::string_view name);
std::span<const OpDef* const> all_ops();

}  // namespace oploom::program
