#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/program/interpreter.h"
#include "runtime/program/program.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// Programs of toy ops that are run.
namespace oploom::program {

// Keeps handles to what it makes, so that passes may move values.
class Running : public Building {
 public:
  using Handle = std::shared_ptr<Cell>;

  Value* vector(const std::string& name, std::int64_t length) {
    return input(name, tensor_type(DType::kFloat64, {length}));
  }
  Value* scalar(const std::string& name) { return input(name, tensor_type(DType::kFloat64, {})); }
  Handle hold(Value* value) { return program.cell_of(value); }

  RunResult run(const std::vector<Tensor>& feeds, const Values& fetch) {
    return program::run(program, feeds, fetch);
  }
  std::vector<double> values(const std::vector<Tensor>& feeds, Value* fetch) {
    return test::values(run(feeds, {fetch}).fetched[0]);
  }
  double value(const std::vector<Tensor>& feeds, Value* fetch) { return values(feeds, fetch)[0]; }

  // while i < trips: variables = body(i, variables); i is a float64 number.
  Op& repeat(double trips, const Values& inits,
             const std::function<Values(Value*, const Values&)>& body) {
    Values all = {toy::full(Numbers({}), 0.0, DType::kFloat64)};
    all.insert(all.end(), inits.begin(), inits.end());
    Value* limit = toy::full(Numbers({}), trips, DType::kFloat64);
    return loop(
        all, [&](const Values& v) { return toy::less_than(v[0], limit); },
        [&](const Values& v) {
          Values next = body(v[0], {v.begin() + 1, v.end()});
          next.insert(next.begin(), toy::add(v[0], toy::number(1)));
          return next;
        });
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for_each_op(program.main, [&](const Op& op) { found.push_back(shown_name(op)); });
    return found;
  }
  std::size_t count(const std::string& name) const {
    const auto all = names();
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), name));
  }
};

inline Tensor number_of(double value) { return test::constant(Dims(), {value}); }
inline Value* result(const Op& op, std::size_t i = 0) { return op.results[i].get(); }
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.dtype() == b.dtype() &&
         std::memcmp(a.bytes(), b.bytes(), a.nbytes()) == 0;
}

}  // namespace oploom::program
