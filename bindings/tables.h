#pragma once

#include <span>

#include "bindings/python.h"

// What generated/python/<family>.cpp hands to the module: rows of functions, methods and operators.
namespace oploom::python {

struct EntryRow {
  const char* name;
  PyObject* (*entry)(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
  const char* doc;
};

inline PyMethodDef definition_of(const EntryRow& row) {
  return {row.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(row.entry)),
          METH_FASTCALL | METH_KEYWORDS, row.doc};
}

// A Python operator by the symbol of the registry: "+", "+=", "==", "neg".
struct OperatorRow {
  const char* symbol;
  binaryfunc binary = nullptr;
  unaryfunc unary = nullptr;
  constexpr OperatorRow(const char* s, binaryfunc f) : symbol(s), binary(f) {}
  constexpr OperatorRow(const char* s, unaryfunc f) : symbol(s), unary(f) {}
};

struct OpTable {
  const char* family;
  std::span<const EntryRow> functions;  // of the module
  std::span<const EntryRow> methods;    // of Tensor
  std::span<const OperatorRow> operators;
};

}  // namespace oploom::python
