#pragma once

#include <vector>

#include "runtime/program/memory.h"
#include "runtime/program/record.h"

namespace oploom::program {

// One call that is being recorded: what its inputs are now.
struct Recorder::Call {
  std::vector<Value*> values;  // flat
  std::vector<std::uint32_t> groups;
  std::vector<Attribute> attributes;
  Variable first;  // input 0, where it is there
};

}  // namespace oploom::program
