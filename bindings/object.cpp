#include "bindings/object.h"

#include <structmember.h>

#include <new>

#include "bindings/errors.h"
#include "bindings/hooks.h"

namespace oploom::python {

PyTensor* free_objects = nullptr;
PyObject* no_attributes = nullptr;

namespace {

// The object borrows from here on: its count of the impl goes, the impl owns the one reference.
bool preserve(PyTensor* object) {
  TensorImpl* impl = object->tensor.impl();
  if (impl->count.load(std::memory_order_acquire) == 1) return false;
  _Py_NewReference(reinterpret_cast<PyObject*>(object));
  object->state |= PyTensor::kPreserved;
  // Another thread may let the last count go at this moment: then revive() runs within.
  if (let_go(impl->count)) destroy_impl(impl);
  return true;
}

// Called by core in place of destroying an impl whose object is preserved.
void revive(TensorImpl& impl) noexcept {
  impl.count.store(1, std::memory_order_relaxed);
  WithLock lock;
  if (!lock.held()) return;
  auto* self = static_cast<PyObject*>(impl.object);
  as_tensor_object(self)->state &= ~PyTensor::kPreserved;
  Py_DECREF(self);
}

void drop_tensor(PyTensor* object) {
  object->tensor.impl()->object = nullptr;
  object->tensor = Tensor();
}

void free_exact(PyTensor* object) {
  if constexpr (pool::kPooled) {
    object->dict = reinterpret_cast<PyObject*>(free_objects);
    free_objects = object;
  } else {
    PyObject_GC_Del(object);
  }
}

// Of what the collector does not see.
bool sole_holder(const PyTensor* object) {
  return object->tensor.defined() && (object->state & PyTensor::kPreserved) == 0 &&
         object->tensor.impl()->count.load(std::memory_order_acquire) ==
             1 + object->state / PyTensor::kCounted;
}

bool has_attributes(const PyTensor* object) { return object->dict != no_attributes; }

void drop_attributes(PyTensor* object) {
  if (!has_attributes(object)) return;
  Py_XDECREF(std::exchange(object->dict, no_attributes));
}

// Around calls of Python's that look into dict and may make one.
class RealDict {
 public:
  explicit RealDict(PyObject* self) : self_(self) {
    if (!has_attributes(as_tensor_object(self))) as_tensor_object(self)->dict = nullptr;
  }
  RealDict(const RealDict&) = delete;
  RealDict& operator=(const RealDict&) = delete;
  ~RealDict() {
    PyTensor* object = as_tensor_object(self_);
    if (object->dict == nullptr) object->dict = no_attributes;
    if (has_attributes(object)) track(self_);
  }

 private:
  PyObject* self_;
};

bool worth_preserving(const PyTensor* object) {
  return (object->state & PyTensor::kSubclass) != 0 || object->weaklist != nullptr ||
         (has_attributes(object) && PyDict_GET_SIZE(object->dict) > 0);
}

void drop_references(PyTensor* object) {
  if (object->weaklist != nullptr) PyObject_ClearWeakRefs(reinterpret_cast<PyObject*>(object));
  drop_attributes(object);
  drop_tensor(object);
}

[[gnu::noinline]] void dealloc_special(PyTensor* object) {
  auto* self = reinterpret_cast<PyObject*>(object);
  if (worth_preserving(object) && preserve(object)) return;
  if ((object->state & PyTensor::kTracked) != 0) PyObject_GC_UnTrack(self);
  object->state &= ~PyTensor::kTracked;
  drop_references(object);
  if (is_exact_tensor(self))
    free_exact(object);
  else
    Py_TYPE(self)->tp_free(self);  // a subclass that subtype_dealloc of Python took apart
}

// __slots__ of a class in Python.
void clear_slots(PyTypeObject* type, PyObject* self) {
  PyMemberDef* member = type->tp_members;
  for (Py_ssize_t i = 0; i < Py_SIZE(type); ++i, ++member) {
    if (member->type != T_OBJECT_EX || (member->flags & READONLY) != 0) continue;
    auto** value = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + member->offset);
    Py_CLEAR(*value);
  }
}

// In place of Python's subtype_dealloc, which takes an object apart before it asks the base: too
// late to preserve it.
void subclass_dealloc(PyObject* self) {
  PyTensor* object = as_tensor_object(self);
  if (preserve(object)) return;
  PyTypeObject* type = Py_TYPE(self);
  if (type->tp_finalize != nullptr && PyObject_CallFinalizerFromDealloc(self) < 0) return;
  if (type->tp_del != nullptr) {
    type->tp_del(self);
    if (Py_REFCNT(self) > 0) return;
  }
  type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (object->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  for (PyTypeObject* base = type; base != &TensorType; base = base->tp_base) {
    if (Py_SIZE(base) > 0) clear_slots(base, self);
  }
  drop_references(object);
  type->tp_free(self);
  Py_DECREF(type);
}

}  // namespace

PyObject* wrap_existing(Tensor tensor) {
  auto* self = static_cast<PyObject*>(tensor.impl()->object);
  PyTensor* object = as_tensor_object(self);
  if ((object->state & PyTensor::kPreserved) == 0) return Py_NewRef(self);
  object->state &= ~PyTensor::kPreserved;
  tensor
      .release();  // the object owns this count now, the caller the impl's reference to the object
  return self;
}

PyObject* wrap_fresh(Tensor tensor) {
  PyTensor* object = PyObject_GC_New(PyTensor, &TensorType);
  if (object == nullptr) throw std::bad_alloc();
  auto* self = reinterpret_cast<PyObject*>(object);
  object->dict = no_attributes;
  object->weaklist = nullptr;
  object->state = 0;
  tensor.impl()->object = self;
  new (&object->tensor) Tensor(std::move(tensor));
  return self;
}

PyObject* wrap_as(PyTypeObject* subclass, Tensor tensor) {
  PyObject* self = subclass->tp_alloc(subclass, 0);
  if (self == nullptr) throw PythonError();
  if (subclass->tp_dealloc != subclass_dealloc) subclass->tp_dealloc = subclass_dealloc;
  PyTensor* object = as_tensor_object(self);
  object->state = PyTensor::kSubclass | PyTensor::kTracked;
  object->dict = no_attributes;
  tensor.impl()->object = self;
  new (&object->tensor) Tensor(std::move(tensor));
  return self;
}

void track(PyObject* self) {
  PyTensor* object = as_tensor_object(self);
  if ((object->state & PyTensor::kTracked) != 0) return;
  object->state |= PyTensor::kTracked;
  PyObject_GC_Track(self);
}

void count_in(PyObject* self, int counts) {
  as_tensor_object(self)->state += static_cast<std::uint64_t>(counts) * PyTensor::kCounted;
}

void tensor_dealloc(PyObject* self) {
  PyTensor* object = as_tensor_object(self);
  if (has_attributes(object) || object->weaklist != nullptr || object->state != 0) [[unlikely]] {
    return dealloc_special(object);
  }
  drop_tensor(object);
  free_exact(object);
}

int tensor_traverse(PyObject* self, visitproc visit, void* arg) {
  PyTensor* object = as_tensor_object(self);
  // While C++ holds the impl too, nothing dies with the object: to the collector it is reachable.
  if (!sole_holder(object)) return 0;
  if (has_attributes(object)) Py_VISIT(object->dict);
  return visit_hooks(object->tensor, visit, arg);
}

int tensor_clear(PyObject* self) {
  PyTensor* object = as_tensor_object(self);
  if (!sole_holder(object)) return 0;
  clear_hooks(object->tensor);
  drop_attributes(object);
  return 0;
}

int tensor_setattro(PyObject* self, PyObject* name, PyObject* value) {
  const RealDict dict(self);
  return PyObject_GenericSetAttr(self, name, value);
}

PyObject* tensor_get_dict(PyObject* self, void*) {
  const RealDict dict(self);
  return PyObject_GenericGetDict(self, nullptr);
}

int tensor_set_dict(PyObject* self, PyObject* value, void*) {
  const RealDict dict(self);
  return PyObject_GenericSetDict(self, value, nullptr);
}

void install_object_hooks() {
#if PY_VERSION_HEX < 0x030C0000
  no_attributes = checked(PyDict_New()).release();
#endif
  revive_object = revive;
}

}  // namespace oploom::python
