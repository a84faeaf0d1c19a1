#pragma once

#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/thread_state.h"
#include "runtime/program/program.h"
#include "runtime/program/record.h"
#include "tests/cpp/program_toy_ops.h"
#include "tests/cpp/tensors.h"

// Programs of toy ops that are recorded through handles, and run.
namespace oploom::program {

// A toy op by its name or the name of its in-place form.
inline const OpDef& toy_op(const std::string& name) {
  for (const auto table : {toy::kElementOps, toy::kShapeOps}) {
    for (const OpDef* def : table) {
      if (def->name == name || (def->inplace_name != nullptr && def->inplace_name == name)) return *def;
    }
  }
  raise(ErrorKind::kArgument, "no toy op '", name, "'");
}

class Recorded {
 public:
  Program program;
  Recorder recorder{program};
  std::vector<Tensor> feeds;

  Variable input(Ints shape, const std::vector<double>& data, bool stop_gradient = false) {
    feeds.push_back(test::constant(shape, data));
    return recorder.input(text("x", feeds.size()), tensor_type(DType::kFloat64, shape), stop_gradient);
  }
  Variable scalar(double value, bool stop_gradient = false) { return input({}, {value}, stop_gradient); }
  Variable number(double value) { return recorder.constant(value); }
  Variable whole(std::int64_t value) {  // int64 []
    return op("full", {}, {std::vector<std::int64_t>{}, Scalar(value), DType::kInt64});
  }
  Variable filled(std::vector<std::int64_t> shape, double value) {
    return op("full", {}, {std::move(shape), Scalar(value), DType::kFloat64});
  }

  // Of in-place ops the target.
  Variable op(const std::string& name, const Variables& inputs, std::vector<Attribute> attributes = {}) {
    std::vector<Argument> arguments(inputs.begin(), inputs.end());
    const OpDef& def = toy_op(name);
    return name.ends_with('_') ? recorder.call_inplace(def, arguments, std::move(attributes))[0]
                               : recorder.call(def, arguments, std::move(attributes))[0];
  }
  Variable add(const Variable& x, const Variable& y) { return op("add", {x, y}); }
  Variable mul(const Variable& x, const Variable& y) { return op("multiply", {x, y}); }
  Variable times(const Variable& x, double y) { return mul(x, number(y)); }
  Variable mean(const Variable& x) { return op("mean", {x}); }
  Variable sum(const Variable& x) { return op("sum", {x}); }
  Variable less(const Variable& x, double limit) { return op("less_than", {x, number(limit)}); }
  Variable part(const Variable& x, std::int64_t start, std::int64_t stop) {
    return op("slice", {x}, {Index{IndexItem::slice(start, stop)}});
  }
  Variable item(const Variable& x, std::int64_t i) { return op("slice", {x}, {Index{IndexItem::number(i)}}); }
  // A float64 [] counter up to trips, beside further loop variables.
  Variables repeat(double trips, const Variables& inits, const Recorder::Body& body) {
    Variables all = {filled({}, 0)};
    all.insert(all.end(), inits.begin(), inits.end());
    const Variables results = recorder.while_loop(
        [&](const Variables& v) { return less(v[0], trips); },
        [&](const Variables& v) {
          Variables next = body({v.begin() + 1, v.end()});
          next.insert(next.begin(), add(v[0], number(1)));
          return next;
        },
        all);
    return {results.begin() + 1, results.end()};
  }

  Variable grad(const Variable& of, const Variable& to) { return recorder.grad({of}, {to})[0]; }
  std::vector<double> values(const Variable& x) {
    Value* const fetch[] = {x.value()};
    verify(program);
    return test::values(run(program, feeds, fetch).fetched[0]);
  }
  double value(const Variable& x) { return values(x).at(0); }
  std::size_t count(const std::string& name) const {
    std::size_t found = 0;
    for_each_op(program.main, [&](const Op& op) { found += shown_name(op) == name; });
    return found;
  }
  std::string printed() const {
    std::ostringstream out;
    print(out, program);
    return out.str();
  }
};

// The message of the error that f raises; empty where it raises none.
template <typename F>
std::string refused(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace oploom::program
