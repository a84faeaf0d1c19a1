#pragma once

#include "bindings/python.h"
#include "runtime/core/tensor.h"

// Memory that leaves: the buffer protocol, NumPy, DLPack; and memory that is taken in without a
// copy. Read-only unless a writable one is asked for; who lends writable memory makes the storage
// foreign (B9).
namespace oploom::python {

extern PyBufferProcs tensor_buffer;

// A NumPy array that shares the tensor's memory, or owns a copy.
PyObject* to_numpy(PyObject* self, bool writable, bool copy);
// For NumPy: __array__(dtype, copy), either null where it was not given.
PyObject* to_array(PyObject* self, PyObject* dtype, PyObject* copy);

// A versioned capsule (read-only unless writable) or, with versioned false, one of the old form.
PyObject* to_dlpack(const Tensor& tensor, bool versioned, bool writable, bool copy);
// Shares the memory of an object with __dlpack__.
Tensor from_dlpack(PyObject* object);

void add_exchange(PyObject* module);

}  // namespace oploom::python
