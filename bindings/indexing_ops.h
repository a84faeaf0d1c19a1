#pragma once

#include <vector>

#include "bindings/program/recording.h"
#include "generated/program.h"
#include "generated/roles.h"

// What x[key] is made of, for a tensor and for a handle of a program alike: each function runs, or
// is recorded.
namespace oploom::python::indexing {

using program::Variable;
using Lengths = std::vector<std::int64_t>;

inline Lengths lengths(const Dims& dims) { return {dims.begin(), dims.end()}; }
inline Variable record(const program::OpDef& def, std::vector<program::Argument> inputs,
                       std::vector<program::Attribute> attributes = {}) {
  return thread_state.recorder->call(def, inputs, std::move(attributes))[0];
}

// A length of -1 is known at run time only.
inline Dims shape(const Tensor& x) { return Dims(x.shape()); }
inline Dims shape(const Variable& x) { return x.type().shape; }
inline DType dtype(const Tensor& x) { return x.dtype(); }
inline DType dtype(const Variable& x) { return x.type().dtype; }

inline Tensor slice(const Tensor& x, const Index& key) { return roles::slice(x, key); }
inline Variable slice(const Variable& x, const Index& key) {
  return record(program::roles::kSlice, {x}, {key});
}

inline Tensor transpose(const Tensor& x, const Dims& perm) { return roles::transpose(x, perm); }
inline Variable transpose(const Variable& x, const Dims& perm) {
  return record(program::roles::kTranspose, {x}, {lengths(perm)});
}

inline Tensor reshape(const Tensor& x, const Dims& to) { return roles::reshape(x, to); }
inline Variable reshape(const Variable& x, const Dims& to) {
  return record(program::roles::kReshape, {x}, {lengths(to)});
}

inline Tensor nonzero(const Tensor& mask) { return roles::nonzero(mask); }
inline Variable nonzero(const Variable& mask) { return record(program::roles::kNonzero, {mask}); }

inline Tensor index(const Tensor& x, const std::vector<Tensor>& positions) {
  return roles::index(x, positions);
}
// Eager mode reads a position without axes as a number, and gives a view.
inline Variable index(const Variable& x, const std::vector<Variable>& positions) {
  for (const Variable& position : positions) {
    if (!position.type().shape.empty()) return record(program::roles::kIndex, {x, positions});
  }
  return thread_state.recorder->pick(program::roles::kIndex, x, positions);
}

inline void index_put_(Tensor& x, const std::vector<Tensor>& positions, const Tensor& value) {
  roles::index_put_(x, positions, value);
}
inline void index_put_(Variable& x, const std::vector<Variable>& positions, const Variable& value) {
  thread_state.recorder->call_inplace(program::roles::kIndexPut, {x, positions, value});
}

}  // namespace oploom::python::indexing
