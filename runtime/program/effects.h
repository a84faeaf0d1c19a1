#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "runtime/program/late.h"
#include "runtime/program/plan.h"

// What a run does to the outside, all of it when everything else has been done.
namespace oploom::program {

class Effects {
 public:
  // Takes the new values of parameters out of the plan's slots, but for those that late updates are
  // going to write, and tests that they can be stored. Raises where one cannot, having changed
  // nothing.
  Effects(Program& program, Plan& plan, LateUpdates& late);
  ~Effects();
  Effects(const Effects&) = delete;
  Effects& operator=(const Effects&) = delete;

  // Whether a write of these effects would change x's bytes.
  bool touches(const Tensor& x) const;
  // Stores everything; each written parameter's version moves on.
  void commit();

 private:
  struct Write;
  void prepare(Program::Parameter& parameter, const Tensor& value);
  LateUpdates& late_;
  void part_from_written();
  std::vector<std::unique_ptr<Write>> writes_;
  struct Gradient {
    Tensor parameter, value;
  };
  std::vector<Gradient> gradients_;
};

}  // namespace oploom::program
