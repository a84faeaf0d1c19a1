#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/program/activity.h"
#include "runtime/program/gradients.h"
#include "runtime/program/program.h"

// The inside of gradients(): one call of it, its parts in gradients.cpp, gradients_if.cpp, gradients_while.cpp.
namespace oploom::program {

// Gradients in one region, by value. Every result and every argument of a region is a value of its own, so none can
// be taken for another. Absent: a symbolic zero.
class Sums {
 public:
  Value* find(const Value* of) const;
  void set(const Value* of, Value* gradient) { sums_[of] = gradient; }
  void add(Value* of, Value* gradient);  // may append the sum to the current builder

 private:
  std::unordered_map<const Value*, Value*> sums_;
};

// Ops that will stand between others. Put there all at once in the end: to insert them one by one would cost the
// length of the region each time.
class Insertions {
 public:
  void before(const Op& op, std::unique_ptr<Op> made);
  // As early as value can be read.
  void after(const Value& value, std::unique_ptr<Op> made);
  void apply();

 private:
  using Ops = std::vector<std::unique_ptr<Op>>;
  struct Places {
    Ops front;
    std::unordered_map<const Op*, Ops> before, after;
  };
  std::unordered_map<Region*, Places> by_region_;
};

class Differentiation {
 public:
  Differentiation(Builder& builder, const Activity& activity, GradOrder order);

  // Goes through the active ops of region, from what is in sums to their inputs, appending to the current builder.
  void run(const Region& region, Sums& sums);

  Program& program() { return program_; }
  const Activity& activity() const { return activity_; }
  Insertions& insertions() { return insertions_; }
  // A builder for a region that gradient ops are put in.
  Builder inside(Region& region) const;

 private:
  std::vector<Op*> in_ready_order(const std::vector<Op*>& ops, const Region& region) const;
  void differentiate(Op& op, Sums& sums);
  void differentiate_plain(const Op& op, Sums& sums);
  Numbers shape_before(const Op& put);
  void differentiate_if(Op& op, Sums& sums);
  void differentiate_while(Op& op, Sums& sums);

  Program& program_;
  const Activity& activity_;
  GradOrder order_;
  bool recorded_;
  std::string position_;
  Insertions insertions_;
};

}  // namespace oploom::program
