#pragma once

#include <span>
#include <string_view>

#include "runtime/program/ir.h"

namespace oploom::program {

class Program;

// Where ops are appended: one region of one program, at its end. Passes and gradients use it directly;
// recording goes through record.h.
class Builder {
 public:
  Builder(Program& program, Region& region) : program_(program), region_(region) {}
  // The builder that generated functions append to; set for a scope.
  static Builder& current();
  class Scope {
   public:
    explicit Scope(Builder& builder);
    ~Scope();

   private:
    Builder* before_;
  };

  // Infers types, appends, gives ids. group_sizes empty: every group has one input.
  Op& append(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes,
             std::vector<std::uint32_t> group_sizes = {}, std::vector<Value*> attribute_values = {});
  Op& append(std::unique_ptr<Op> op);
  Program& program() { return program_; }
  Region& region() { return region_; }
  bool recorded = true;   // gradients enabled: what `Op::recorded` and needs_grad of results follow

 private:
  Program& program_;
  Region& region_;
};

// A number or list of numbers that is known, or metadata worked out at run time. What generated builders take for
// attributes of type int, float, scalar, int[], shape, axes.
class Number {
 public:
  Number(std::int64_t v);
  Number(int v);
  Number(double v);
  Number(Scalar v);
  explicit Number(Value* metadata);
  bool known() const { return value_ == nullptr; }
  Scalar scalar() const { return scalar_; }
  Value* value() const { return value_; }

 private:
  Scalar scalar_;
  Value* value_ = nullptr;
};
Number operator+(const Number& a, const Number& b);   // folded where both are known
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator/(const Number& a, const Number& b);

class Numbers {
 public:
  Numbers(Ints v);
  Numbers(std::initializer_list<std::int64_t> v);
  Numbers(const Dims& v);
  Numbers(std::vector<std::int64_t> v);
  explicit Numbers(Value* metadata);
  bool known() const { return value_ == nullptr; }
  const std::vector<std::int64_t>& list() const { return list_; }
  Value* value() const { return value_; }

 private:
  std::vector<std::int64_t> list_;
  Value* value_ = nullptr;
};

// Metadata of a value: constants where its type knows them, else a metadata op (no read of the buffer).
Numbers shape(Value* x);
Number numel(Value* x);
Number size(Value* x, std::int64_t axis);
Numbers sizes(std::span<Value* const> xs, std::int64_t axis);
inline DType dtype(const Value* x) { return x->type.dtype; }
inline int ndim(const Value* x) { return x->type.shape.rank(); }
// A number as operand: a weak 0-d tensor value.
Value* operand(const Number& number);

}  // namespace oploom::program
