#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/core/infer.h"
#include "runtime/core/prepare.h"
#include "runtime/core/views.h"
#include "runtime/program/builder.h"
#include "runtime/program/gradients.h"
#include "runtime/program/interpreter.h"

// What the generated ops of programs (generated/program) are made of.
namespace oploom::program {

// An operand of a generated builder: a value, or a number that never changes a dtype.
class ValueOperand {
 public:
  ValueOperand(Value* value) : value_(value), number_(0) {}
  ValueOperand(const Number& number) : number_(number) {}
  ValueOperand(Scalar number) : number_(number) {}
  template <typename N>
    requires std::is_arithmetic_v<N>
  ValueOperand(N number) : number_(scalar_of(number)) {}
  // Appends the number's value to the current builder.
  Value* value() const { return value_ != nullptr ? value_ : operand(number_); }

 private:
  template <typename N>
  static Scalar scalar_of(N number) {
    if constexpr (std::is_same_v<N, bool>) return Scalar(number);
    if constexpr (std::is_floating_point_v<N>) return Scalar(static_cast<double>(number));
    return Scalar(static_cast<std::int64_t>(number));
  }
  Value* value_ = nullptr;
  Number number_;
};

namespace emitted {

using Lengths = std::vector<std::int64_t>;

// --- Reading an op.

inline Meta meta(const Op& op, std::size_t group) {
  const Value* value = op.input(group);
  return value == nullptr ? Meta() : value->type.meta();
}
std::vector<Meta> metas(const Op& op, std::size_t group);
template <typename T>
const T& attribute(const Op& op, std::size_t i) {
  return std::get<T>(op.attributes[i]);
}
// Of one that may be None.
template <typename T>
std::optional<T> given(const Attribute& attribute) {
  if (std::holds_alternative<std::monostate>(attribute)) return std::nullopt;
  return std::get<T>(attribute);
}
// Also where it is metadata.
Number number(const Op& op, std::size_t i);
Numbers numbers(const Op& op, std::size_t i);
// What a rule decides by must be known while the program is built.
double known(const Number& number);
std::int64_t known_int(const Number& number);
bool all_known(const Op& op);  // no attribute is metadata
// Attribute i is metadata: its lengths of -1 are told at run time.
inline bool is_later(const Op& op, std::size_t i) { return op.attribute_value(i) != nullptr; }

// --- Attributes in normal form; those that are metadata are left alone.
void normalise_axis(Op& op, std::size_t i, std::size_t group);
void normalise_axes(Op& op, std::size_t i, std::size_t group);
void normalise_shape(Op& op, std::size_t i, std::size_t group);
void normalise_index(Op& op, std::size_t i, std::size_t group);
// An index into the lengths that another attribute holds.
void normalise_within(Op& op, std::size_t i, std::size_t lengths);

// --- Types.
// Of an output that is like an input; an absent one stands for itself.
Type like(const Meta& x);
// Refuses a result that its target cannot take, as far as both are known.
void expect_fits(const Op& op, const char* target, const Meta& x, Ints shape, DType dtype);

// --- Running.
// Normal forms that had to wait for lengths.
Dims axes_now(const RunFrame& frame, std::size_t i, std::size_t group);
Dims shape_now(const RunFrame& frame, std::size_t i, std::size_t group);
Index index_now(const RunFrame& frame, std::size_t i, std::size_t group);
Index index_within(const RunFrame& frame, std::size_t i, std::size_t lengths);
// RunFrame::result for kernels that write a result before they have read all other inputs.
Tensor result_apart(const RunFrame& frame, std::size_t i, Ints shape, DType dtype);
std::vector<Tensor> results_like(std::span<const Tensor> xs);
std::vector<Tensor> list(RunFrame& frame, std::size_t group);
// Refuses a result of another rank than what was recorded: one of axes, which argument names and
// whose length was not known, is longer than 1.
void expect_rank(const RunFrame& frame, const char* argument, Ints axes);
// An output that nothing was written to, for its input is absent.
void fill_absent(Tensor& output);
Tensor view(const Tensor& x, const ViewMap& map);
Tensor view_or_copy(const Tensor& x, const std::optional<ViewMap>& map, Ints shape);

// --- Building: one call of a generated builder.
class OpCall {
 public:
  explicit OpCall(const OpDef& def) : def_(def) {}
  OpCall& in(Value* value);  // a tensor, raises where it is null
  OpCall& in(const ValueOperand& value) { return in(value.value()); }
  OpCall& optional(Value* value);
  OpCall& list(std::span<Value* const> values);
  OpCall& attr(const Number& value);
  OpCall& attr(const Numbers& value);
  OpCall& attr(bool value) { return known_attr(value); }
  OpCall& attr(std::int64_t value) { return known_attr(value); }
  OpCall& attr(std::string_view value) { return known_attr(std::string(value)); }
  OpCall& attr(DType value) { return known_attr(value); }
  OpCall& attr(const Index& value) { return known_attr(value); }
  template <typename T>
  OpCall& attr(const std::optional<T>& value) {
    if (!value) return known_attr(Attribute());
    if constexpr (std::is_same_v<T, Ints>)
      return known_attr(Lengths(value->begin(), value->end()));
    else if constexpr (std::is_same_v<T, std::string_view>)
      return known_attr(std::string(*value));
    else
      return known_attr(Attribute(*value));
  }
  std::vector<Value*> all();
  Value* one(std::size_t i = 0) { return all()[i]; }

 private:
  OpCall& known_attr(Attribute value);
  const OpDef& def_;
  std::vector<Value*> inputs_;
  std::vector<std::uint32_t> groups_;
  std::vector<Attribute> attributes_;
  std::vector<Value*> values_;
};

}  // namespace emitted
}  // namespace oploom::program
