#pragma once

#include <optional>
#include <string>

#include "bindings/python.h"
#include "runtime/core/dtype.h"

namespace oploom::python {

// The object of a dtype: borrowed, one each, immortal.
PyObject* dtype_object(DType dtype);

// What names a dtype: a dtype object, its name, a NumPy dtype or scalar type, bool, int or float.
// Empty where the object names none of ours; *name, where asked for, is what it calls itself.
std::optional<DType> find_dtype(PyObject* object, std::string* name = nullptr);

// "bool, uint8, ...", for messages.
std::string known_dtypes();

// oploom.dtype, and oploom.float32 and its like.
void add_dtypes(PyObject* module);

}  // namespace oploom::python
