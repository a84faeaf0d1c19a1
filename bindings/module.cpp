#include <memory>
#include <vector>

#include "bindings/args.h"
#include "bindings/dtypes.h"
#include "bindings/exchange.h"
#include "bindings/from_python.h"
#include "bindings/hooks.h"
#include "bindings/interpreter.h"
#include "bindings/program/control.h"
#include "bindings/program/function.h"
#include "bindings/program/gradients.h"
#include "bindings/program/program.h"
#include "bindings/program/recording.h"
#include "bindings/tracing.h"
#include "bindings/type.h"
#include "generated/python/tables.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/record.h"
#include "runtime/core/storage.h"
#include "runtime/core/thread_state.h"
#include "runtime/kernels/generator.h"

namespace oploom::python {

namespace {

constexpr Signature<3> to_tensor_signature{"to_tensor", {"data", "dtype", "stop_gradient"}, 3, 1};
PyObject* call_to_tensor(const Arguments<to_tensor_signature>& in) {
  if (is_recording()) [[unlikely]]
    return record_to_tensor(in.where(0), in.object(0), in.optional_dtype(1), in.boolean(2, true));
  Tensor tensor = to_tensor(in.object(0), in.optional_dtype(1));
  if (!in.boolean(2, true)) set_stop_gradient(tensor, false);
  return wrap(std::move(tensor));
}

constexpr Signature<1> from_dlpack_signature{"from_dlpack", {"x"}, 1, 1};
PyObject* call_from_dlpack(const Arguments<from_dlpack_signature>& in) {
  return wrap(from_dlpack(in.object(0)));
}

// One tensor, or a list of tensors. Entries may be None where `holes`.
std::vector<Tensor> tensors_of(const Where& where, PyObject* object, bool holes) {
  if (object == nullptr || object == Py_None) return {};
  if (is_tensor(object)) return {tensor_of(object)};
  if (!holes) {
    const Tensors items(where, object);
    const TensorList list = items;
    return {list.begin(), list.end()};
  }
  if (!PyList_Check(object) && !PyTuple_Check(object))
    refuse(where, "a list of Tensors or None", object);
  std::vector<Tensor> tensors;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(object, i);
    if (item != Py_None && !is_tensor(item)) refuse(where, "a list of Tensors or None", item);
    tensors.push_back(item == Py_None ? Tensor() : tensor_of(item));
  }
  return tensors;
}

constexpr Signature<6> grad_signature{
    "grad",
    {"outputs", "inputs", "grad_outputs", "no_grad_vars", "create_graph", "retain_graph"},
    6,
    0b000011};
PyObject* call_grad(const Arguments<grad_signature>& in) {
  if (is_recording()) [[unlikely]] {
    PyObject* const arguments[] = {in.object(0), in.object(1), in.object(2), in.object(3)};
    return record_grad(arguments, in.boolean(4, false));
  }
  const std::vector<Tensor> outputs = tensors_of(in.where(0), in.object(0), false);
  const std::vector<Tensor> inputs = tensors_of(in.where(1), in.object(1), false);
  const std::vector<Tensor> seeds = tensors_of(in.where(2), in.object(2), true);
  const std::vector<Tensor> stops = tensors_of(in.where(3), in.object(3), false);
  GradOptions options;
  options.create_graph = in.boolean(4, false);
  if (in.given(5) && in.object(5) != Py_None) options.retain_graph = in.boolean(5);
  const std::vector<Tensor> gradients = grad(outputs, inputs, seeds, stops, options);
  const Object list = checked(PyList_New(static_cast<Py_ssize_t>(gradients.size())));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), wrap_or_none(gradients[i]));
  }
  return Py_NewRef(list.get());
}

constexpr Signature<1> set_grad_enabled_signature{"set_grad_enabled", {"enabled"}, 1, 1};
PyObject* call_set_grad_enabled(const Arguments<set_grad_enabled_signature>& in) {
  const bool before = grad_enabled();
  thread_state.grad_disabled = !in.boolean(0);
  return PyBool_FromLong(before);
}

constexpr Signature<1> seed_signature{"seed", {"n"}, 1, 1};
PyObject* call_seed(const Arguments<seed_signature>& in) {
  seed(static_cast<std::uint64_t>(in.integer(0)));
  Py_RETURN_NONE;
}

PyObject* is_grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(grad_enabled()); }

PyObject* bytes_in_use(PyObject*, PyObject*) { return PyLong_FromLongLong(oploom::bytes_in_use()); }

// The name of the op whose result the tensor is, or None: for repr.
PyObject* made_by(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(object) || !has_history(tensor_of(object))) Py_RETURN_NONE;
    return PyUnicode_FromString(edge_of(tensor_of(object)).node->op().name);
  });
}

// The name that the user gave, or None: for copies.
PyObject* given_name(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(object)) Py_RETURN_NONE;
    const Tensor& tensor = tensor_of(object);
    if ((tensor.impl()->flags & TensorImpl::kNamed) == 0) Py_RETURN_NONE;
    return PyUnicode_FromString(tensor.name().c_str());
  });
}

constexpr EntryRow kEntries[] = {
    {"to_tensor", function<call_to_tensor>,
     "to_tensor($module, data, dtype=None, stop_gradient=True)\n--\n\n"
     "A tensor with a copy of data: a number, nested lists of numbers, or an array.\n\n"
     "Without a dtype numbers and lists give bool, int64 or float32, and arrays keep theirs."},
    {"from_dlpack", function<call_from_dlpack>,
     "from_dlpack($module, x)\n--\n\nA tensor that shares the memory of an object with "
     "__dlpack__()."},
    {"grad", function<call_grad>,
     "grad($module, outputs, inputs, grad_outputs=None, no_grad_vars=None, create_graph=False, "
     "retain_graph=None)\n--\n\n"
     "The gradients of outputs with respect to inputs, as a list; None where no output depends on "
     "an "
     "input. Leaves .grad alone."},
    {"_set_grad_enabled", function<call_set_grad_enabled>,
     "_set_grad_enabled($module, enabled)\n--\n\nSwitches recording of this thread; answers what "
     "was."},
    {"seed", function<call_seed>,
     "seed($module, n)\n--\n\nSets the state of the random numbers: the same seed, the same "
     "numbers."},
};

PyMethodDef plain_entries[] = {
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS,
     "is_grad_enabled($module)\n--\n\nWhether ops of this thread are recorded."},
    {"bytes_in_use", bytes_in_use, METH_NOARGS,
     "bytes_in_use($module)\n--\n\nBytes that the library holds now: data, tensors, history."},
    {"_given_name", given_name, METH_O, nullptr},
    {"_made_by", made_by, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// All functions; Python keeps pointers into the list.
PyMethodDef* all_functions() {
  static std::vector<PyMethodDef> functions;
  for (const EntryRow& row : kEntries) functions.push_back(definition_of(row));
  for (const OpTable* table : op_tables) {
    for (const EntryRow& row : table->functions) functions.push_back(definition_of(row));
  }
  functions.push_back({nullptr, nullptr, 0, nullptr});
  return functions.data();
}

// The names of generated functions, so that oploom/__init__.py can offer them.
void add_op_names(PyObject* module) {
  const Object names = checked(PyList_New(0));
  for (const OpTable* table : op_tables) {
    for (const EntryRow& row : table->functions) {
      check(PyList_Append(names.get(), checked(PyUnicode_FromString(row.name)).get()));
    }
  }
  check(PyModule_AddObjectRef(module, "_op_names", names.get()));
}

void fill(PyObject* module) {
  add_errors(module);
  add_dtypes(module);
  add_exchange(module);
  add_hook_handle(module);
  add_tracing(module);
  add_tensor_type(module);
  add_program_value_type(module);
  add_program_type(module);
  add_control(module);
  add_function(module);
  add_gradients(module);
  check(PyModule_AddFunctions(module, plain_entries));
  check(PyModule_AddFunctions(module, all_functions()));
  add_op_names(module);
  check(PyModule_AddStringConstant(module, "__version__", OPLOOM_VERSION));
  install_object_hooks();
  install_interpreter_hooks();
}

PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "oploom._oploom",
    .m_doc = "Tensors and ops. Import oploom, not this.",
    .m_size = -1,
};

}  // namespace

}  // namespace oploom::python

PyMODINIT_FUNC PyInit__oploom() {
  using namespace oploom::python;
  return guarded([]() -> PyObject* {
    Object module = checked(PyModule_Create(&definition));
    fill(module.get());
    return module.release();
  });
}
