#include "bindings/program/function.h"

#include <string>
#include <vector>

#include "bindings/args.h"
#include "bindings/errors.h"
#include "bindings/program/program.h"
#include "bindings/program/recording.h"
#include "runtime/program/record_function.h"

namespace oploom::python {

namespace {

using program::RecordedFunction;
using program::Variables;

constexpr const char kCapsule[] = "oploom.RecordedFunction";

RecordedFunction& function_of(PyObject* capsule) {
  void* function = PyCapsule_GetPointer(capsule, kCapsule);
  if (function == nullptr) throw PythonError();
  return *static_cast<RecordedFunction*>(function);
}

void delete_function(PyObject* capsule) {
  delete static_cast<RecordedFunction*>(PyCapsule_GetPointer(capsule, kCapsule));
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
  for (Py_ssize_t i = 0; i < at; ++i) {
    const Tensor& other = tensor_of(PyList_GET_ITEM(list, i));
    if (other.impl()->storage != x.impl()->storage) continue;
    append(key, other.impl() == x.impl() ? i : -1 - i);
    break;
  }
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
  PyObject* capsule = PyCapsule_New(function.get(), kCapsule, delete_function);
  if (capsule != nullptr) function.release();
  return capsule;
}

PyObject* fits(PyObject*, PyObject* capsule) {
  return guarded([&] { return PyBool_FromLong(function_of(capsule).fits()); });
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
}

}  // namespace oploom::python
