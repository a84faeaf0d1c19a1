#pragma once

#include <cstdint>
#include <vector>

#include "bindings/convert.h"
#include "runtime/program/record.h"

// What goes into a run and comes out of it, by Python's objects.
namespace oploom::python {

// Along program.inputs; undefined for an input that feed, a dict or None, does not name.
std::vector<Tensor> fed_tensors(const program::Program& program, PyObject* feed);
// One value, tensor or name, or a list of them.
std::vector<program::Value*> fetched_values(program::Recorder& recorder, const char* call,
                                            PyObject* fetch);
// Lengths of axes; -1 for None.
std::vector<std::int64_t> lengths_of(const Where& where, PyObject* shape);

}  // namespace oploom::python
