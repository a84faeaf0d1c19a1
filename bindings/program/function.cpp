#include "bindings/program/function.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/args.h"
#include "bindings/errors.h"
#include "bindings/object.h"
#include "bindings/program/program.h"
#include "bindings/program/recording.h"
#include "runtime/program/record_function.h"

namespace oploom::python {

namespace {

using program::RecordedFunction;
using program::Variables;

// --- The object. A hook of a tensor from outside may refer to whatever keeps this object, so the
// collector must see the way to such tensors. For as long as the object lives their counts in C++
// are its own: the Program in Python holds the object, and graphs let go of the tensors with it.

struct PyFunction {
  PyObject_HEAD RecordedFunction* function;
  std::vector<Object> parameters;
};
extern PyTypeObject FunctionType;

PyFunction* as_function(PyObject* self) { return reinterpret_cast<PyFunction*>(self); }

RecordedFunction& function_of(PyObject* self) {
  if (!Py_IS_TYPE(self, &FunctionType) || as_function(self)->function == nullptr) {
    raise(ErrorKind::kRuntime, "[to_program] expected a recorded function, got one that is gone");
  }
  return *as_function(self)->function;
}

int function_clear(PyObject* self) {
  PyFunction* object = as_function(self);
  const std::vector<Object> parameters = std::exchange(object->parameters, {});
  for (const Object& tensor : parameters) count_in(tensor.get(), -RecordedFunction::kHolds);
  const std::unique_ptr<RecordedFunction> function(std::exchange(object->function, nullptr));
  if (function) function->let_go_of_parameters();
  return 0;
}

int function_traverse(PyObject* self, visitproc visit, void* arg) {
  for (const Object& tensor : as_function(self)->parameters) Py_VISIT(tensor.get());
  return 0;
}

void function_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  function_clear(self);
  as_function(self)->parameters.~vector();
  PyObject_GC_Del(self);
}

PyTypeObject FunctionType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.RecordedFunction",
    .tp_basicsize = sizeof(PyFunction),
    .tp_dealloc = function_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "What to_program() recorded for one signature.",
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
};

Object new_function(std::unique_ptr<RecordedFunction> function) {
  auto* object = PyObject_GC_New(PyFunction, &FunctionType);
  if (object == nullptr) throw PythonError();
  object->function = nullptr;
  new (&object->parameters) std::vector<Object>();
  Object self = Object::adopt(reinterpret_cast<PyObject*>(object));
  for (const Tensor& tensor : function->parameters()) {
    object->parameters.push_back(checked(wrap(tensor)));
    count_in(object->parameters.back().get(), RecordedFunction::kHolds);
  }
  object->function = function.release();
  PyObject_GC_Track(self.get());
  return self;
}

// --- The signature of a call: all that decides what is recorded, as bytes.

void append(std::string& key, std::int64_t number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// Of one tensor, and which one before it is the same or shares its memory.
void append(std::string& key, PyObject* list, Py_ssize_t at) {
  const Tensor& x = tensor_of(PyList_GET_ITEM(list, at));
  const bool needs = needs_grad(x);
  key.push_back(static_cast<char>(x.dtype()));
  key.push_back(static_cast<char>(x.rank()));
  key.push_back(static_cast<char>((needs ? 1 : 0) | (needs && has_history(x) ? 2 : 0) |
                                  (x.contiguous() ? 4 : 0)));
  for (const std::int64_t length : x.shape()) append(key, length);
  if (!x.contiguous()) {  // what a reshape aliases hangs on these
    for (const std::int64_t stride : x.strides()) append(key, stride);
  }
  Py_ssize_t same = at, sharing = at;  // the first of each
  for (Py_ssize_t i = at; i-- > 0;) {
    const TensorImpl* other = tensor_of(PyList_GET_ITEM(list, i)).impl();
    if (other->storage == x.impl()->storage) sharing = i;
    if (other == x.impl()) same = i;
  }
  if (same < at)
    append(key, same);
  else if (sharing < at)
    append(key, -1 - sharing);
}

PyObject* signature(PyObject*, PyObject* tensors) {
  return guarded([&]() -> PyObject* {
    std::string key(1, grad_enabled() ? 1 : 0);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tensors); ++i) append(key, tensors, i);
    return PyBytes_FromStringAndSize(key.data(), static_cast<Py_ssize_t>(key.size()));
  });
}

// --- Recording.

// Keeps from eager mode which tensors are leaves, and how they lie in memory.
constexpr Signature<2> begin_signature{"_begin_function", {"arguments", "tensors"}, 2, 0b11};
PyObject* call_begin(const Arguments<begin_signature>& in) {
  program::Recorder& recorder = *thread_state.recorder;
  recorder.eager_histories = true;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(in.object(0)); ++i) {
    recorder.adopt(variable_of(PyList_GET_ITEM(in.object(0), i)),
                   tensor_of(PyList_GET_ITEM(in.object(1), i)));
  }
  Py_RETURN_NONE;
}

Variables variables_of(const Where& where, PyObject* list) {
  Variables variables;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    variables.push_back(to_variable(where, PyList_GET_ITEM(list, i)));
  }
  return variables;
}

constexpr Signature<3> end_signature{"_end_function", {"name", "arguments", "results"}, 3, 0b111};
PyObject* call_end(const Arguments<end_signature>& in) {
  auto* owner = reinterpret_cast<PyProgram*>(recorded_program());
  const Variables arguments = variables_of(in.where(1), in.object(1));
  const Variables results = variables_of(in.where(2), in.object(2));
  auto function = std::make_unique<RecordedFunction>(*thread_state.recorder, owner->program,
                                                     std::string(in.string(0)), arguments, results);
  const Object made = new_function(std::move(function));
  Py_XSETREF(owner->function, Py_NewRef(made.get()));
  return Py_NewRef(made.get());
}

PyObject* fits(PyObject*, PyObject* self) {
  return guarded([&] { return PyBool_FromLong(function_of(self).fits()); });
}

constexpr Signature<2> call_signature{"_call_function", {"function", "tensors"}, 2, 0b11};
PyObject* call_function(const Arguments<call_signature>& in) {
  const Object held = Object::share(in.object(0));
  return wrap(function_of(in.object(0)).call(in.tensors(1)));
}

constexpr EntryRow kEntries[] = {
    {"_begin_function", function<call_begin>, nullptr},
    {"_end_function", function<call_end>, nullptr},
    {"_call_function", function<call_function>, nullptr},
};

PyMethodDef plain_entries[] = {
    {"_signature", signature, METH_O, nullptr},
    {"_fits", fits, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_function(PyObject* module) {
  static PyMethodDef entries[std::size(kEntries) + 1] = {};
  for (std::size_t i = 0; i < std::size(kEntries); ++i) entries[i] = definition_of(kEntries[i]);
  check(PyModule_AddFunctions(module, entries));
  check(PyModule_AddFunctions(module, plain_entries));
  check(PyType_Ready(&FunctionType));
}

}  // namespace oploom::python
