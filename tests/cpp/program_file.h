#pragma once

#include "generated/program.h"
#include "tests/cpp/program_building.h"
#include "tests/cpp/tensors.h"

// A file that holds a bit of everything, and the program that it is of.
namespace oploom::program {

// Written by hand. AAAAAAAA8D8= are the eight bytes of 1.0.
inline constexpr const char* kFile =
    R"(oploom_program: 1
next: {value: 14, op: 8}
arguments:
- {value: 0, type: "float64[2]", name: "x", needs_grad: true, role: input}
- {value: 1, type: "bool[]", name: "p", stopped: true, role: input}
- {value: 2, type: "float64[1]", name: "w", needs_grad: true, role: parameter, result: 7, writes: 1, data: "AAAAAAAA8D8="}
- {value: 9, type: "float32[?]", name: "u", stopped: true, role: input}
ops:
- {op: "tanh", inputs: [0], results: [{value: 3, type: "float64[2]", needs_grad: true}], number: 1, at: "net.py:3"}
- op: "if"
  inputs: [1]
  results: [{value: 5, type: "float64[2]", needs_grad: true}]
  number: 3
  at: "net.py:4"
  regions:
  - arguments: []
    ops: []
    yields: [3]
  - arguments: []
    ops:
    - {op: "add", inputs: [0, 3], results: [{value: 4, type: "float64[2]", needs_grad: true}], number: 2, inplace: true, at: "net.py:4"}
    yields: [4]
- {op: "sum", inputs: [5], attributes: {axis: [0], keepdim: true}, results: [{value: 6, type: "float64[1]", needs_grad: true}], number: 4, at: "C++"}
- {op: "sgd_", inputs: [2, 6, 6, ~], attributes: {multi_precision: false}, results: [{value: 7, type: "float64[1]"}, {value: 8, type: "bool[0]"}], number: 5, inplace: true, recorded: false, at: "C++"}
- {op: "metadata", inputs: [[9]], attributes: {function: "shape", axis: 0}, results: [{value: 10, type: "numbers int64[1]"}], number: 6, at: "C++"}
- {op: "expand", inputs: [6], attributes: {shape: [-1]}, metadata: {shape: 10}, results: [{value: 11, type: "float64[?]", needs_grad: true}], number: 7, at: "C++"}
- {op: "slice", inputs: [0], attributes: {index: ["0:1:1"]}, results: [{value: 12, type: "float64[1]", needs_grad: true}], number: 8, at: "C++"}
)";

// The same program, built.
inline void build(Building& b) {
  b.builder.position = "net.py:3";
  Value* x = b.input("x", tensor_type(DType::kFloat64, {2}), false);
  Value* p = b.input("p", scalar_type(DType::kBool));
  const Tensor tensor = test::leaf({1.0});
  tensor.set_name("w");
  Value* w = b.program.parameter(tensor);
  Value* y = ops::tanh(x);
  b.builder.position = "net.py:4";
  Value* sum = nullptr;
  const Op& branch = b.cond(
      p, [&] { return Values{y}; }, [&] { return Values{sum = Building::mark(ops::add(x, y))}; });
  sum->op->position = "net.py:4";
  b.builder.position = "C++";
  Value* total = ops::sum(branch.results[0].get(), {0}, true);
  b.builder.recorded = false;
  b.program.parameters[0].result = Building::mark(ops::sgd_(w, total, total)[0]);
  b.program.parameters[0].writes = 1;
  b.builder.recorded = true;
  Value* u = b.input("u", tensor_type(DType::kFloat32, {-1}));
  ops::expand(total, shape(u));
  ops::slice(x, Index{IndexItem::slice(0, 1)});
  b.program.next_value_id = 14;
}

}  // namespace oploom::program
