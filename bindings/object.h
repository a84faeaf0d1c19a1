#pragma once

#include "bindings/python.h"
#include "runtime/core/pool.h"
#include "runtime/core/tensor.h"

namespace oploom::python {

// A tensor as Python sees it. The object owns one count of the impl; impl->object points back,
// borrowed, so that one tensor is one object: x is x.relu_(), x.grad is x.grad.
//
// An object with something to lose (a subclass, attributes, weak references) outlives its Python
// references while C++ still holds the impl: then it is *preserved*, the impl owns the object and
// the object only borrows the impl, until one of them is asked for again.
struct PyTensor {
  PyObject_HEAD Tensor tensor;  // never undefined
  PyObject* dict;
  PyObject* weaklist;
  std::uint64_t state;

  enum State : std::uint64_t {
    kTracked = 1,    // the collector knows it: it has attributes or hooks
    kPreserved = 2,  // owned by the impl
    kSubclass = 4,   // not of the exact type: memory is the subclass's own
    kCounted = 8,    // and multiples: see count_in()
  };
};

extern PyTypeObject TensorType;

inline PyTensor* as_tensor_object(PyObject* object) { return reinterpret_cast<PyTensor*>(object); }
inline bool is_exact_tensor(PyObject* object) { return Py_IS_TYPE(object, &TensorType); }
inline bool is_tensor(PyObject* object) {
  return is_exact_tensor(object) || PyType_IsSubtype(Py_TYPE(object), &TensorType);
}
// The tensor of an object that is known to be one.
inline Tensor& tensor_of(PyObject* object) { return as_tensor_object(object)->tensor; }

// What stands in dict while there are none. Python 3.11 keeps method calls fast only if there is a
// dict (75 instructions a call), so all share an empty one, which nobody gets to see; later
// versions want null.
extern PyObject* no_attributes;

// Dead objects of the exact type, linked through dict.
extern PyTensor* free_objects;

PyObject* wrap_existing(Tensor tensor);  // cold: impl->object is there
PyObject* wrap_fresh(Tensor tensor);     // cold: the free list is empty

// The object of a defined tensor: a new reference to the one that there is, or a new object.
inline PyObject* wrap(Tensor tensor) {
  TensorImpl* impl = tensor.impl();
  if (impl->object != nullptr) [[unlikely]]
    return wrap_existing(std::move(tensor));
  PyTensor* object = free_objects;
  if (object == nullptr) [[unlikely]]
    return wrap_fresh(std::move(tensor));
  free_objects = reinterpret_cast<PyTensor*>(object->dict);
  auto* self = reinterpret_cast<PyObject*>(object);
  _Py_NewReference(self);  // its type still stands there; being static, it is not counted
  object->dict = no_attributes;
  impl->object = self;
  new (&object->tensor) Tensor(std::move(tensor));
  return self;
}
inline PyObject* wrap_or_none(Tensor tensor) {
  return tensor.defined() ? wrap(std::move(tensor)) : Py_NewRef(Py_None);
}

// A tensor as an object of a subclass; the tensor must have no object yet.
PyObject* wrap_as(PyTypeObject* subclass, Tensor tensor);

// Tells the collector of self: on its first hook or attribute.
void track(PyObject* self);

// For an object that the collector knows, which refers to self and has further counts of its impl
// in C++: they are no outside holders, self may die with that object. Negative: it lets go of them.
void count_in(PyObject* self, int counts);

// --- The slots of TensorType that deal with life and death.
void tensor_dealloc(PyObject* self);
int tensor_traverse(PyObject* self, visitproc visit, void* arg);
int tensor_clear(PyObject* self);
int tensor_setattro(PyObject* self, PyObject* name, PyObject* value);
PyObject* tensor_get_dict(PyObject* self, void*);
int tensor_set_dict(PyObject* self, PyObject* value, void*);

// Installs what core calls when a preserved object's impl ends.
void install_object_hooks();

}  // namespace oploom::python
