#include "bindings/args.h"
#include "bindings/exchange.h"
#include "bindings/hooks.h"
#include "bindings/program/recording.h"
#include "bindings/type.h"
#include "bindings/values.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

constexpr Signature<4> backward_signature{
    "backward", {"self", "grad", "retain_graph", "create_graph"}, 4, 0b0001};
PyObject* call_backward(const Arguments<backward_signature>& in) {
  expect_eager("backward");
  // Hooks may give the names that the caller used to other tensors.
  const Tensor x = in.tensor(0);
  const Tensor grad = in.optional(1);
  backward(x, grad, in.boolean(2, false), in.boolean(3, false));
  Py_RETURN_NONE;
}

constexpr Signature<1> clear_grad_signature{"clear_grad", {"self"}, 1, 1};
PyObject* call_clear_grad(const Arguments<clear_grad_signature>& in) {
  expect_eager("clear_grad");
  set_grad(in.tensor(0), {});
  Py_RETURN_NONE;
}

constexpr Signature<1> detach_signature{"detach", {"self"}, 1, 1};
PyObject* call_detach(const Arguments<detach_signature>& in) {
  if (is_recording()) [[unlikely]]
    return wrap(thread_state.recorder->detach(to_variable(in.where(0), in.object(0))));
  return wrap(detach(in.tensor(0)));
}

constexpr Signature<1> detach__signature{"detach_", {"self"}, 1, 1};
PyObject* call_detach_(const Arguments<detach__signature>& in) {
  expect_history_of_its_own();
  detach_(in.tensor(0));
  return in.same(0);
}

constexpr Signature<1> retain_grad_signature{"retain_grad", {"self"}, 1, 1};
PyObject* call_retain_grad(const Arguments<retain_grad_signature>& in) {
  expect_eager("retain_grad");
  retain_grad(in.tensor(0));
  Py_RETURN_NONE;
}

constexpr Signature<2> register_hook_signature{"register_hook", {"self", "hook"}, 2, 3};
PyObject* call_register_hook(const Arguments<register_hook_signature>& in) {
  expect_eager("register_hook");
  return register_hook(in.object(0), in.object(1));
}

constexpr Signature<3> numpy_signature{"numpy", {"self", "writable", "copy"}, 3, 1};
PyObject* call_numpy(const Arguments<numpy_signature>& in) {
  expect_not_recording("numpy");
  return to_numpy(in.object(0), in.boolean(1, false), in.boolean(2, false));
}

constexpr Signature<3> array_signature{"__array__", {"self", "dtype", "copy"}, 3, 1};
PyObject* call_array(const Arguments<array_signature>& in) {
  expect_not_recording("__array__");
  return to_array(in.object(0), in.object(1), in.object(2));
}

constexpr Signature<1> item_signature{"item", {"self"}, 1, 1};
PyObject* call_item(const Arguments<item_signature>& in) {
  return only_element(in.tensor(0), "item");
}

constexpr Signature<1> tolist_signature{"tolist", {"self"}, 1, 1};
PyObject* call_tolist(const Arguments<tolist_signature>& in) {
  expect_not_recording("tolist");
  return to_list(in.tensor(0));
}

// What DLPack hands to a producer: of use here is the CPU and no stream.
constexpr Signature<6> dlpack_signature{
    "__dlpack__", {"self", "stream", "max_version", "dl_device", "copy", "writable"}, 1, 1};
PyObject* call_dlpack(const Arguments<dlpack_signature>& in) {
  expect_not_recording("__dlpack__");
  const auto given = [&](int i) { return in.given(i) && in.object(i) != Py_None; };
  int major = 0, minor = 0;
  if (given(2) && !PyArg_ParseTuple(in.object(2), "ii", &major, &minor)) throw PythonError();
  int device = 1, number = 0;
  if (given(3) && !PyArg_ParseTuple(in.object(3), "ii", &device, &number)) throw PythonError();
  if (given(1) || device != 1) {
    PyErr_SetString(PyExc_BufferError,
                    "__dlpack__(): the memory is the CPU's and knows no streams");
    throw PythonError();
  }
  return to_dlpack(in.tensor(0), major >= 1, in.boolean(5, false), given(4) && in.boolean(4));
}

PyObject* dlpack_device(PyObject*, PyObject*) { return Py_BuildValue("(ii)", 1, 0); }

// The rest is written in Python: nothing hot.
PyObject* call_module(const char* module, const char* name, PyObject* self) {
  return guarded([&] {
    const Object f = import_from(module, name);
    return PyObject_CallOneArg(f.get(), self);
  });
}
PyObject* reduce(PyObject* self, PyObject*) {
  return call_module("oploom._copying", "reduce", self);
}
PyObject* deepcopy(PyObject* self, PyObject* memo) {
  return guarded([&] {
    const Object f = import_from("oploom._copying", "deepcopy");
    return PyObject_CallFunctionObjArgs(f.get(), self, memo, nullptr);
  });
}

template <auto Body>
PyMethodDef entry(const char* name, const char* doc) {
  return definition_of({name, method<Body>, doc});
}

}  // namespace

PyMethodDef tensor_methods[] = {
    entry<call_backward>(
        "backward",
        "backward($self, grad=None, retain_graph=False, create_graph=False)\n--\n\n"
        "Computes the gradient of this tensor and adds it to .grad of every leaf it depends on.\n\n"
        "grad: the gradient of this tensor, of its shape; ones where it is left out."),
    entry<call_clear_grad>("clear_grad", "clear_grad($self)\n--\n\nSets .grad to None."),
    entry<call_detach>("detach", "detach($self)\n--\n\nThe same memory without a history."),
    entry<call_detach_>("detach_",
                        "detach_($self)\n--\n\nDrops the history of this tensor itself."),
    entry<call_retain_grad>(
        "retain_grad",
        "retain_grad($self)\n--\n\nLets backward() set .grad of a tensor that is no leaf."),
    entry<call_register_hook>(
        "register_hook",
        "register_hook($self, hook)\n--\n\n"
        "Calls hook(gradient) when backward() reaches the present value of this tensor. A tensor "
        "that "
        "the hook returns takes the gradient's place.\n\nReturns a handle with remove()."),
    entry<call_numpy>(
        "numpy",
        "numpy($self, writable=False, copy=False)\n--\n\n"
        "A NumPy array that shares the memory, read-only; or writable, from when on backwards keep "
        "copies of these values; or a copy."),
    entry<call_item>(
        "item", "item($self)\n--\n\nThe value of a tensor of one element, as a Python number."),
    entry<call_tolist>("tolist", "tolist($self)\n--\n\nAll values, as nested lists."),
    entry<call_array>("__array__", nullptr),
    entry<call_dlpack>(
        "__dlpack__",
        "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None, "
        "writable=False)"
        "\n--\n\nA DLPack capsule. One of the versioned form is read-only unless writable."),
    {"__format__", tensor_format, METH_O, nullptr},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, nullptr},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__deepcopy__", deepcopy, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace oploom::python
