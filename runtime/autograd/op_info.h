#pragma once

namespace oploom {

// The facts about an op that messages and traces show; one constant each in generated/op_table.h.
struct OpInfo {
  const char* name;      // as called: "tanh", "tanh_"
  const char* gradient;  // "tanh_grad", as errors of backward call the node
};

}  // namespace oploom
