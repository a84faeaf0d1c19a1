#include "runtime/program/constant.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/program/base64.h"
#include "runtime/program/control.h"
#include "runtime/program/interpreter.h"

namespace oploom::program {
namespace {

// Comes from files, too.
void infer_constant(const Op& op, std::vector<Type>& results) {
  const auto dtype = std::get<DType>(op.attributes[0]);
  const auto& shape = std::get<std::vector<std::int64_t>>(op.attributes[1]);
  const auto bytes = from_base64(std::get<std::string>(op.attributes[2]));
  const bool lengths =
      shape.size() <= static_cast<std::size_t>(kMaxRank) &&
      std::all_of(shape.begin(), shape.end(), [](std::int64_t length) { return length >= 0; });
  if (!lengths || !bytes ||
      bytes->size() / size_of(dtype) != static_cast<std::size_t>(count_elements(shape)) ||
      bytes->size() % size_of(dtype) != 0) {
    raise(ErrorKind::kArgument, "[constant] data: expected base64 of ", dtype, Ints(shape),
          ", got other bytes");
  }
  results.push_back(tensor_type(dtype, shape));
}

void run_constant(RunFrame& frame) {
  const auto bytes = from_base64(frame.attribute<std::string>(2));
  frame.output(0) = empty(frame.attribute<std::vector<std::int64_t>>(1), frame.attribute<DType>(0));
  if (!bytes->empty()) std::memcpy(frame.output(0).bytes(), bytes->data(), bytes->size());
}

constexpr AttributeDef kAttributes[] = {{"dtype", "dtype"}, {"shape", "int[]"}, {"data", "str"}};
constexpr OutputDef kOut[] = {{"out", false, false}};

}  // namespace

constinit const OpDef kConstant{.name = "constant",
                                .inplace_name = nullptr,
                                .inputs = {},
                                .attributes = kAttributes,
                                .outputs = kOut,
                                .inplace_pairs = {},
                                .flags = OpDef::kOwn,
                                .infer = infer_constant,
                                .run = run_constant,
                                .no_gradient = "it is a constant"};

std::vector<Attribute> constant_attributes(const Tensor& x) {
  const Tensor dense = contiguous(x);
  return {x.dtype(), std::vector<std::int64_t>(x.shape().begin(), x.shape().end()),
          to_base64({dense.bytes(), dense.nbytes()})};
}

void become_constant(Op& op, const Tensor& x) {
  op.def = &kConstant;
  op.inputs.clear();
  op.group_sizes.clear();
  op.attribute_values.clear();
  op.attributes = constant_attributes(x);
}

}  // namespace oploom::program
