#include "bindings/exchange.h"

#include <memory>

#include "bindings/errors.h"
#include "bindings/object.h"
#include "bindings/program/recording.h"
#include "runtime/autograd/inplace.h"

namespace oploom::python {

namespace {

const char* format_of(DType dtype) {
  constexpr const char* kFormats[kNumDTypes] = {"?", "B", "i", "q", "f", "d"};
  return kFormats[static_cast<int>(dtype)];
}

// What a view of a buffer holds: the storage (the tensor may get another one meanwhile) and the
// geometry as it was.
struct Export {
  Storage* storage;
  Py_ssize_t shape[kMaxRank];
  Py_ssize_t strides[kMaxRank];

  explicit Export(const Tensor& tensor) : storage(tensor.impl()->storage) {
    hold_storage(storage, 1);
    const auto item = static_cast<Py_ssize_t>(size_of(tensor.dtype()));
    for (std::size_t i = 0; i < tensor.shape().size(); ++i) {
      shape[i] = tensor.shape()[i];
      strides[i] = tensor.strides()[i] * item;
    }
  }
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;
  ~Export() { drop_storage(storage, 1); }
};

[[noreturn]] void refuse_buffer(const char* why) {
  PyErr_Format(PyExc_BufferError, "oploom: %s", why);
  throw PythonError();
}

void fill_view(PyObject* self, const Tensor& tensor, Py_buffer* view, int flags, bool writable) {
  const auto asks = [flags](int what) { return (flags & what) == what; };
  const bool row_major = tensor.contiguous();
  if (!row_major &&
      (!asks(PyBUF_STRIDES) || asks(PyBUF_C_CONTIGUOUS) || asks(PyBUF_ANY_CONTIGUOUS))) {
    refuse_buffer(
        "the tensor is a view that is not contiguous, and contiguous memory was asked for");
  }
  if (asks(PyBUF_F_CONTIGUOUS) && tensor.rank() > 1) {
    refuse_buffer("the tensor is row-major, and column-major memory was asked for");
  }
  auto exported = std::make_unique<Export>(tensor);
  view->buf = tensor.bytes();
  view->len = static_cast<Py_ssize_t>(tensor.nbytes());
  view->itemsize = static_cast<Py_ssize_t>(size_of(tensor.dtype()));
  view->readonly = writable ? 0 : 1;
  view->ndim = tensor.rank();
  view->format = asks(PyBUF_FORMAT) ? const_cast<char*>(format_of(tensor.dtype())) : nullptr;
  view->shape = asks(PyBUF_ND) ? exported->shape : nullptr;
  view->strides = asks(PyBUF_STRIDES) ? exported->strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = exported.release();
  view->obj = Py_NewRef(self);
}

int tensor_get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return guarded([&] {
    expect_not_recording("memoryview");
    const bool writable = (flags & PyBUF_WRITABLE) != 0;
    if (writable) lend_writable(tensor_of(self), "memoryview");
    fill_view(self, tensor_of(self), view, flags, writable);
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Export*>(view->internal); }

// Stands for a tensor whose memory was lent to be written: NumPy asks for what it is given.
struct Lent {
  PyObject_HEAD PyObject* tensor;
};

int lent_get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return guarded([&] {
    fill_view(self, tensor_of(reinterpret_cast<Lent*>(self)->tensor), view, flags, true);
    return 0;
  });
}

void lent_dealloc(PyObject* self) {
  Py_DECREF(reinterpret_cast<Lent*>(self)->tensor);
  PyObject_Free(self);
}

PyBufferProcs lent_buffer = {lent_get_buffer, release_buffer};

PyTypeObject LentType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom._LentMemory",
    .tp_basicsize = sizeof(Lent),
    .tp_dealloc = lent_dealloc,
    .tp_as_buffer = &lent_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "The memory of a tensor, lent to be written.",
};

}  // namespace

PyBufferProcs tensor_buffer = {tensor_get_buffer, release_buffer};

PyObject* to_numpy(PyObject* self, bool writable, bool copy) {
  if (copy) {
    const Object make = import_from("numpy", "array");
    return PyObject_CallOneArg(make.get(), self);
  }
  const Object as_array = import_from("numpy", "asarray");
  if (!writable) return PyObject_CallOneArg(as_array.get(), self);
  lend_writable(tensor_of(self), "numpy");
  Lent* lent = PyObject_New(Lent, &LentType);
  if (lent == nullptr) throw PythonError();
  lent->tensor = Py_NewRef(self);
  const Object memory = Object::adopt(reinterpret_cast<PyObject*>(lent));
  return PyObject_CallOneArg(as_array.get(), memory.get());
}

PyObject* to_array(PyObject* self, PyObject* dtype, PyObject* copy) {
  const Object make = import_from("numpy", "array");
  const Object view = checked(PyMemoryView_FromObject(self));
  const Object args = checked(PyTuple_Pack(1, view.get()));
  const Object kwargs = checked(PyDict_New());
  if (dtype != nullptr) check(PyDict_SetItemString(kwargs.get(), "dtype", dtype));
  check(PyDict_SetItemString(kwargs.get(), "copy", copy != nullptr ? copy : Py_None));
  return PyObject_Call(make.get(), args.get(), kwargs.get());
}

void add_exchange(PyObject*) { check(PyType_Ready(&LentType)); }

}  // namespace oploom::python
