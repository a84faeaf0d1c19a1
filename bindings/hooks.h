#pragma once

#include "bindings/python.h"
#include "runtime/core/tensor.h"

namespace oploom::python {

// tensor.register_hook(f): f gets the gradient of the tensor's present value and may return
// another. Answers a handle with remove().
PyObject* register_hook(PyObject* self, PyObject* callable);

// For the collector: the callables of hooks that die with the tensor.
int visit_hooks(const Tensor& tensor, visitproc visit, void* arg);
void clear_hooks(const Tensor& tensor);

void add_hook_handle(PyObject* module);

}  // namespace oploom::python
