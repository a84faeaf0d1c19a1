#pragma once

#include <cstdint>
#include <string>

#include "runtime/program/ir.h"

namespace oploom::program {

// fitted(x): x itself, whose shape is tested when run: that of another value, from one of its axes
// on. For what cannot be told while recording, and could broadcast or be cut short unseen. The
// value that is guarded flows through it, so every pass and gradient keeps the test where, and only
// where, that value is used. Attributes: shape, of the other value; axis; kind (FittedKind);
// name, which errors open with.
extern const OpDef kFitted;

enum class FittedKind : std::uint8_t { kGradient, kMask, kTarget };

// x, tested against the shape of `like` from axis on; x itself where all lengths are known.
// Appended to the current builder's region; expects that the known lengths fit.
Value* fitted(Value* x, Value* like, FittedKind kind, std::string name, std::int64_t axis = 0);

}  // namespace oploom::program
