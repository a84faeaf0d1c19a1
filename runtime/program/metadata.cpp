#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/infer.h"
#include "runtime/program/builder.h"
#include "runtime/program/control.h"

// Metadata and arithmetic with it: constants where types know, else ops that are worked out at run
// time.
namespace oploom::program {
namespace {

Value* metadata(const char* function, std::vector<Value*> xs, std::int64_t axis) {
  const auto count = static_cast<std::uint32_t>(xs.size());
  return Builder::current()
      .append(kMetadata, std::move(xs), {std::string(function), axis}, {count})
      .results[0]
      .get();
}

Number calculated(char op, const Number& a, const Number& b) {
  if (a.known() && b.known()) return arithmetic(op, a.scalar(), b.scalar());
  Op& made =
      Builder::current().append(kArithmetic, {}, {std::string(1, op), a.scalar(), b.scalar()}, {},
                                {nullptr, a.value(), b.value()});
  return Number(made.results[0].get());
}

std::size_t axis_of(const char* function, std::int64_t axis, const Value& x) {
  const int rank = x.type.shape.rank();
  if (rank == 0) [[unlikely]] {
    raise(ErrorKind::kArgument, "[", function,
          "] expected at least one dimension, got a 0-d tensor");
  }
  return static_cast<std::size_t>(infer::axis(function, axis, rank));
}

}  // namespace

Scalar arithmetic(char op, const Scalar& a, const Scalar& b) {
  if (op == '/' || a.category() == Category::kFloat || b.category() == Category::kFloat) {
    const double x = a.to_double();
    const double y = b.to_double();
    return op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
  }
  // Whole numbers wrap: signed overflow is undefined.
  const auto x = static_cast<std::uint64_t>(a.to_int());
  const auto y = static_cast<std::uint64_t>(b.to_int());
  return static_cast<std::int64_t>(op == '+' ? x + y : op == '-' ? x - y : x * y);
}

Number operator+(const Number& a, const Number& b) { return calculated('+', a, b); }
Number operator-(const Number& a, const Number& b) { return calculated('-', a, b); }
Number operator*(const Number& a, const Number& b) { return calculated('*', a, b); }
Number operator/(const Number& a, const Number& b) { return calculated('/', a, b); }

Numbers shape(Value* x) {
  if (x->type.known()) return Numbers(x->type.shape);
  return Numbers(metadata("shape", {x}, 0));
}

Number numel(Value* x) {
  const Dims& lengths = x->type.shape;
  if (std::find(lengths.begin(), lengths.end(), 0) != lengths.end()) return 0;
  if (x->type.known()) return count_elements(lengths);
  return Number(metadata("numel", {x}, 0));
}

Number size(Value* x, std::int64_t axis) {
  const std::size_t at = axis_of("size", axis, *x);
  if (x->type.shape[at] >= 0) return x->type.shape[at];
  return Number(metadata("size", {x}, static_cast<std::int64_t>(at)));
}

Numbers sizes(std::span<Value* const> xs, std::int64_t axis) {
  std::vector<std::int64_t> known;
  for (const Value* x : xs) known.push_back(x->type.shape[axis_of("sizes", axis, *x)]);
  if (std::find(known.begin(), known.end(), -1) == known.end()) return known;
  const auto from_zero = static_cast<std::int64_t>(axis_of("sizes", axis, *xs[0]));
  return Numbers(metadata("sizes", {xs.begin(), xs.end()}, from_zero));
}

std::vector<std::int64_t> known_entries(const Value* numbers) {
  const Dims& count = numbers->type.shape;
  std::vector<std::int64_t> entries(
      count.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(count[0], 0)), -1);
  const Op* op = numbers->op;
  if (op != nullptr && op->def == &kEntryShape) {
    const Dims lengths = element_of(op->inputs[0]->type).shape;
    return {lengths.begin(), lengths.end()};
  }
  if (op == nullptr || op->def != &kMetadata) return entries;
  const auto& function = std::get<std::string>(op->attributes[0]);
  if (function == "shape") {
    const Dims& lengths = op->inputs[0]->type.shape;
    return {lengths.begin(), lengths.end()};
  }
  if (function == "sizes") {
    const auto axis = std::get<std::int64_t>(op->attributes[1]);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i] = op->inputs[i]->type.shape[axis_of("sizes", axis, *op->inputs[i])];
    }
  }
  return entries;
}

Value* operand(const Number& number) {
  return Builder::current()
      .append(kToOperand, {}, {number.scalar()}, {}, {number.value()})
      .results[0]
      .get();
}

}  // namespace oploom::program
