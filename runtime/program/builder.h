#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program/ir.h"

namespace oploom::program {

class Program;

// Where ops are appended: one region of one program, at its end. Passes and gradients use it
// directly; recording goes through record.h.
class Builder {
 public:
  Builder(Program& program, Region& region) : program_(program), region_(region) {}
  // The builder that generated functions append to; set for a scope. Raises kRuntime outside of all
  // scopes.
  static Builder& current();
  class Scope {
   public:
    explicit Scope(Builder& builder);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Builder* before_;
  };

  // Any op: brings attributes to normal form, then appends, or lets a composed op append its parts.
  // Missing attributes at the end take their defaults. group_sizes empty: every group has one
  // input.
  std::vector<Value*> call(const OpDef& def, std::vector<Value*> inputs,
                           std::vector<Attribute> attributes = {},
                           std::vector<std::uint32_t> group_sizes = {},
                           std::vector<Value*> attribute_values = {});
  // An op that stands in programs (is not composed): infers types, appends, gives ids.
  Op& append(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes,
             std::vector<std::uint32_t> group_sizes = {},
             std::vector<Value*> attribute_values = {});
  // As it is: in normal form, regions filled. Results that it has are kept, else they are made; a
  // number that it has is kept, too. needs_grad of results (and of everything in a loop) follows
  // from what flows in.
  Op& append(std::unique_ptr<Op> op);
  Program& program() { return program_; }
  Region& region() { return region_; }
  bool recorded = true;  // gradients enabled: what `Op::recorded` and needs_grad of results follow
  std::string position = "C++";  // what Op::position becomes

 private:
  Program& program_;
  Region& region_;
};

// The op as call and append would build it, in normal form, standing nowhere.
std::unique_ptr<Op> make_op(const OpDef& def, std::vector<Value*> inputs,
                            std::vector<Attribute> attributes,
                            std::vector<std::uint32_t> group_sizes,
                            std::vector<Value*> attribute_values);
// A further argument of a region.
Value* add_argument(Program& program, Region& region, const Type& type);
// Fills in what is known of metadata attributes: attributes[i] where attribute_values[i] is set.
void fill_placeholders(Op& op);
// needs_grad of op's results from its inputs; of a loop or branch from the inside, which it brings
// up to date.
void propagate_needs_grad(Op& op);

// A number or list of numbers that is known, or metadata worked out at run time. What generated
// builders take for attributes of type int, float, scalar, int[], shape, axes.
class Number {
 public:
  Number(std::int64_t v) : scalar_(v) {}
  Number(int v) : scalar_(v) {}
  Number(double v) : scalar_(v) {}
  Number(Scalar v) : scalar_(v) {}
  explicit Number(Value* metadata) : value_(metadata) {}
  bool known() const { return value_ == nullptr; }
  Scalar scalar() const { return scalar_; }
  Value* value() const { return value_; }

 private:
  Scalar scalar_;
  Value* value_ = nullptr;
};
// Folded where both are known. `/` is a true division, as in the registry's expressions; whole
// numbers wrap.
Number operator+(const Number& a, const Number& b);
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator/(const Number& a, const Number& b);
// What + - * / of two known numbers is.
Scalar arithmetic(char op, const Scalar& a, const Scalar& b);

class Numbers {
 public:
  Numbers(Ints v) : list_(v.begin(), v.end()) {}
  Numbers(std::initializer_list<std::int64_t> v) : list_(v) {}
  Numbers(const Dims& v) : list_(v.begin(), v.end()) {}
  Numbers(std::vector<std::int64_t> v) : list_(std::move(v)) {}
  explicit Numbers(Value* metadata) : value_(metadata) {}
  bool known() const { return value_ == nullptr; }
  const std::vector<std::int64_t>& list() const { return list_; }
  Value* value() const { return value_; }

 private:
  std::vector<std::int64_t> list_;
  Value* value_ = nullptr;
};

// Metadata of a value: constants where its type knows them, else a metadata op (no read of the
// buffer).
Numbers shape(Value* x);
Number numel(Value* x);
Number size(Value* x, std::int64_t axis);
Numbers sizes(std::span<Value* const> xs, std::int64_t axis);
inline DType dtype(const Value* x) { return x->type.dtype; }
inline int ndim(const Value* x) { return x->type.shape.rank(); }
// The entries of metadata that is a list, -1 where one is known at run time only.
std::vector<std::int64_t> known_entries(const Value* numbers);
// A number as operand: a weak 0-d tensor value.
Value* operand(const Number& number);

}  // namespace oploom::program
