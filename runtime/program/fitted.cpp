#include "runtime/program/fitted.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/program/builder.h"
#include "runtime/program/control_run.h"
#include "runtime/program/gradients.h"
#include "runtime/program/interpreter.h"
#include "runtime/program/text.h"

namespace oploom::program {
namespace {

using Lengths = std::vector<std::int64_t>;

constexpr std::array kKinds = {"gradient", "mask", "target"};

FittedKind kind_of(const Op& op) {
  const auto& name = std::get<std::string>(op.attributes[2]);
  const auto found = std::find(kKinds.begin(), kKinds.end(), name);
  if (found == kKinds.end()) {
    raise(ErrorKind::kArgument, "[fitted] kind: expected gradient, mask or target, got ",
          quoted(name));
  }
  return static_cast<FittedKind>(found - kKinds.begin());
}

// The part of the other value's lengths that x is compared with.
Ints wanted(std::span<const Attribute> attributes, int rank) {
  const auto& shape = std::get<Lengths>(attributes[0]);
  const auto axis = static_cast<std::size_t>(std::get<std::int64_t>(attributes[1]));
  // Metadata may have another number of entries than what types were worked out with.
  const std::size_t behind = shape.size() < axis ? 0 : shape.size() - axis;
  return {shape.data() + (shape.size() - behind), std::min(behind, static_cast<std::size_t>(rank))};
}

[[noreturn]] void refuse(FittedKind kind, const RunFrame& frame, Ints came) {
  const auto& shape = frame.attribute<Lengths>(0);
  const auto& name = frame.attribute<std::string>(3);
  switch (kind) {
    case FittedKind::kMask:
      raise(ErrorKind::kIndex, name, " a mask of shape ", came, " does not fit the axes from ",
            frame.attribute<std::int64_t>(1), " of a tensor of shape ", Ints(shape));
    case FittedKind::kTarget:
      raise(ErrorKind::kArgument, name, ": the result has shape ", came,
            ", which is not the shape ", Ints(shape),
            " of the target; use the plain form, or expand the target first");
    case FittedKind::kGradient:
      break;
  }
  raise(ErrorKind::kArgument, name, ": expected a gradient like its output, of shape ", Ints(shape),
        ", got shape ", came, "; reshape it");
}

void infer_fitted(const Op& op, std::vector<Type>& results) {
  Type type = op.inputs[0]->type;
  if (!type.is_tensor()) raise(ErrorKind::kType, "[fitted] x: expected a tensor, got ", type);
  static_cast<void>(kind_of(op));
  const auto& shape = std::get<Lengths>(op.attributes[0]);
  const auto axis = std::get<std::int64_t>(op.attributes[1]);
  const auto count = static_cast<std::int64_t>(shape.size());
  const int rank = type.shape.rank();
  if (axis < 0 || axis > count || count - axis < rank) {
    raise(ErrorKind::kArgument, "[fitted] shape: expected ", rank, " lengths from axis ", axis,
          " on, got ", Ints(shape));
  }
  const Ints lengths = wanted(op.attributes, rank);
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    if (type.shape[i] < 0 && lengths[i] >= 0) type.shape[i] = lengths[i];
  }
  results.push_back(type);
}

void run_fitted(RunFrame& frame) {
  const Tensor& x = frame.inputs[0]->tensor;
  const bool fits = x.shape() == wanted(frame.attributes, x.rank());
  if (!fits) [[unlikely]]
    refuse(kind_of(frame.op), frame, x.shape());
  *frame.outputs[0] = frame.take(0);
}

void vjp_fitted(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, vjp.grad(0));
}

constexpr InputDef kInputs[] = {{"x"}};
constexpr AttributeDef kAttributes[] = {
    {"shape", "int[]"}, {"axis", "int"}, {"kind", "str"}, {"name", "str"}};
constexpr OutputDef kOutputs[] = {{"out"}};

}  // namespace

constinit const OpDef kFitted{.name = "fitted",
                              .inplace_name = nullptr,
                              .inputs = kInputs,
                              .attributes = kAttributes,
                              .outputs = kOutputs,
                              .inplace_pairs = {},
                              .flags = OpDef::kOwn,
                              .infer = infer_fitted,
                              .run = run_fitted,
                              .vjp = vjp_fitted};

Value* fitted(Value* x, Value* like, FittedKind kind, std::string name, std::int64_t axis) {
  const Ints lengths(Ints(like->type.shape).data() + axis, x->type.shape.size());
  const bool open = std::find(lengths.begin(), lengths.end(), -1) != lengths.end();
  if (x->type.known() && !open) return x;
  const Numbers all = shape(like);
  std::vector<Value*> metadata;
  if (!all.known()) metadata = {all.value(), nullptr, nullptr, nullptr};
  return Builder::current()
      .append(
          kFitted, {x},
          {all.list(), axis, std::string(kKinds[static_cast<std::size_t>(kind)]), std::move(name)},
          {}, std::move(metadata))
      .results[0]
      .get();
}

}  // namespace oploom::program
