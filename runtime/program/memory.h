#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/tensor.h"
#include "runtime/program/builder.h"
#include "runtime/program/program.h"

// What handles stand for while a program is recorded: families of views on values that are never
// changed. A write gives a member a new value, and each parent up to the root one by the view op's
// `write`; other members are stale then, and take their value from their parent anew when next
// read.
namespace oploom::program {

// The part of a member that changes while recording; what a region's journal keeps.
struct MemoryState {
  std::uint64_t seen = 0;          // the root's `writes` when this member's value was taken
  std::uint64_t writes = 0;        // of a root: moves with every write into the family
  std::uint64_t history_seen = 0;  // the same of recorded writes (rule E5's counter)
  std::uint64_t histories = 0;
  bool history = false;      // of a family's root: the result of a recorded op, no leaf
  bool whole_write = false;  // the last recorded write replaced the root as a whole
  std::string writer;        // of a root: "add_ (recorded at net.py:3)", the last one
  // Writes that are not recorded leave the history as it is (E7). What the gradient is asked of:
  // the value that it had before the first of them; null: the present one.
  std::shared_ptr<Cell> origin;
  std::shared_ptr<Cell> leaf;  // what it was as a leaf before stop_gradient was set
  const Region* home =
      nullptr;  // where that came from, loops that carry it looked through; null: its own region
};

struct Memory : std::enable_shared_from_this<Memory> {
  ProgramRef program;
  std::shared_ptr<Cell> cell;  // the value, moved along by passes
  MemoryState state;
  std::uint64_t born = 0;     // the serial of the region it was made in
  std::uint32_t handles = 0;  // of a root: handles to members of its storage
  std::uint32_t family_handles = 0;  // of a family's root: handles to its members
  Tensor parameter;           // of a root that is one
  Value* argument = nullptr;  // of an input or parameter

  // --- Of members.
  std::shared_ptr<Memory> parent;  // null: a root
  const OpDef* view = nullptr;     // null: detach
  std::vector<Attribute> attributes;
  std::vector<std::shared_ptr<Cell>> attribute_values;
  std::size_t result = 0;        // of the view op
  bool constant = false;         // no gradient to the parent: detach, views made under no_grad
  bool unrecorded_view = false;  // made under no_grad, or a view of such a one (C4)
  bool remapped = false;         // its handle was the parent's, before an op in place gave it this shape
  bool may_be_copy = false;      // a reshape that lengths known at run time only decide
  // Of the part of its parent at positions that are known at run time only; the view op reads them,
  // too.
  std::vector<std::shared_ptr<Cell>> positions;

  // How it lies in the storage, as far as that is known: a tensor whose elements nobody reads.
  bool contiguous = true;
  bool overlap = false;  // two indices, one address (C7)
  bool may_overlap = false;  // lengths known at run time only decide
  Tensor layout;

  struct Earlier {
    const Value* value;  // compared, never followed
    std::uint32_t id;
    std::string writer;
  };
  std::vector<Earlier> earlier;  // values that were replaced

  Memory& root();         // of the storage
  Memory& family_root();  // detach begins a family of its own (C2)
  bool captured() const;  // made outside of the region that is being recorded
};

// What Python's object or a C++ variable points to: in-place ops that change the shape move it
// (E1a, C6).
struct Handle {
  explicit Handle(std::shared_ptr<Memory> m);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  void move_to(std::shared_ptr<Memory> m);

  std::shared_ptr<Memory> memory;
  std::uint64_t born;
};

// Appends to where this thread records the program, else to the program's end. What was appended
// goes again unless keep() is called. The builder is current meanwhile.
class Here {
 public:
  explicit Here(Program& program, std::optional<bool> recorded = std::nullopt);
  ~Here();
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;
  Builder& builder() { return builder_; }
  void keep() { kept_ = true; }

 private:
  Builder builder_;
  Builder::Scope scope_;
  std::size_t length_;
  bool kept_ = false;
};

std::shared_ptr<Memory> new_root(Program& program, Value* value, bool history);
// A view of parent that op (of the program) made; a root where the layout asks for a copy.
std::shared_ptr<Memory> new_view(const std::shared_ptr<Memory>& parent, const Op& op,
                                 std::size_t result);
// What op picked from parent at positions that are known at run time only: a view in eager mode,
// and a member here.
std::shared_ptr<Memory> new_picked(const std::shared_ptr<Memory>& parent, const Op& op);
std::shared_ptr<Memory> new_detached(const std::shared_ptr<Memory>& parent);

// How it lies in its storage: a tensor whose elements nobody reads; undefined where that is not known.
Tensor layout_of(Memory& memory);

// Its value now. May append view ops; raises where the value cannot be had here.
Value* newest(Memory& memory);
// Whether a gradient may ever come to value: inside loops that is not known yet.
bool may_need_grad(const Memory& memory, const Value* value);
// shift(old, value): no gradient to value (rule E7).
Value* shifted(Value* old, Value* value, bool recorded = true);

// The write of value into target and on into its parents. history: what becomes of the family's
// root; nothing: the write was not recorded. Answers the root's new value.
struct Written {
  Value* value;
  std::string writer;
  std::optional<bool> history;
  bool bump = true;   // counts as a write of the parameter that it reaches
  bool part = false;  // of target, some elements only
};
void assign(Memory& target, const Written& written);  // expect_writable comes first
// Raises where it is not known which bytes of its base target is.
void expect_writable(Memory& target);
// Sets memory's value to one that a region begins with or leaves behind. recorded: a recorded write
// is between that and the value before; else the history stays.
void set_argument(Memory& memory, Value* value, bool recorded);
void set_result(Memory& memory, Value* value, bool recorded, const std::string& writer);
// The value that a gradient with respect to memory is asked of, and where it came from: rule E7 for
// all that was not recorded. May append view ops.
struct Origin {
  Value* value;
  const Region* home;
};
Origin origin_of(Memory& memory);
std::uint64_t next_serial();
std::string name_of(const Memory& memory);

}  // namespace oploom::program
