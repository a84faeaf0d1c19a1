#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/program/memory.h"

// What is being recorded in a thread: the open regions, each with a journal of what it changed
// outside of itself.
namespace oploom::program {

struct Frame {
  Region* region = nullptr;
  std::uint64_t serial = 0;  // 0: the program's own
  bool loop = false;         // this region, or one around it, is a loop's
  struct Saved {
    std::shared_ptr<Memory> memory;
    Value* value;
    MemoryState state;
    std::size_t earlier;
  };
  std::vector<Saved> journal;  // members from outside as they were, in the order they were touched
  std::unordered_map<Memory*, std::size_t> saved;
  std::vector<std::weak_ptr<Cell>> made;  // cells of what was made inside
};

struct Recording {
  explicit Recording(Program& p);
  Program& program;
  std::vector<std::unique_ptr<Frame>> frames;
  std::unordered_map<const TensorImpl*, std::shared_ptr<Handle>> parameters;
  std::unordered_map<const Value*, std::shared_ptr<Handle>> inputs;
  // Of a function that eager mode calls: inputs and parameters that were computed before, and those of
  // them that a gradient asked for inside relies on not to come from another one (`from`).
  std::vector<Value*> computed;
  struct Apart {
    const Value* value;
    const Value* from;
  };
  std::vector<Apart> apart;

  Frame& frame() { return *frames.back(); }
  Frame& open(Region& region, bool loop);
  // What the innermost region changed outside: family roots with the values they ended with.
  // Everything outside is as before then.
  struct Change {
    std::shared_ptr<Memory> memory;
    Value* value;
    bool recorded;  // a write that was recorded is among what changed it
    std::string writer;
  };
  struct Closed {
    std::vector<Change> changes;  // roots before what detach() made of them
    std::vector<std::weak_ptr<Cell>> made;
  };
  Closed close();
  // Closes regions that will be thrown away, down to `depth` of them: handles to what was made
  // inside lead nowhere.
  void discard(std::size_t depth);

  // Of this thread's recorder, where that records program; else null.
  static Recording* of(const Program& program);
};

// Handles to what was made in a region that is thrown away lead nowhere.
void forget(const std::vector<std::weak_ptr<Cell>>& made);

// Before memory changes.
void touch(Memory& memory);
// Whether value can be read where program is being recorded.
bool visible(const Program& program, const Value* value);

}  // namespace oploom::program
