#include "bindings/program/control.h"

#include <array>
#include <vector>

#include "bindings/args.h"
#include "bindings/errors.h"
#include "bindings/program/program.h"
#include "bindings/program/recording.h"
#include "generated/roles.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

using program::Recorder;
using program::Variable;
using program::Variables;

Recorder& recorder() { return *thread_state.recorder; }

Variables variables_of(const Where& where, PyObject* list) {
  if (!PyList_Check(list) && !PyTuple_Check(list)) refuse(where, "a list of Tensors", list);
  Variables variables;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
    variables.push_back(to_variable(where, PySequence_Fast_GET_ITEM(list, i)));
  }
  return variables;
}

// --- Functions of Python that a region records: called with values, they answer a list of values.

Variables called(const Where& where, PyObject* function, const Variables& arguments) {
  const Object values = checked(wrap(arguments));
  const Object tuple = checked(PyList_AsTuple(values.get()));
  const Object results = checked(PyObject_CallObject(function, tuple.get()));
  return variables_of(where, results.get());
}

constexpr Signature<3> cond_signature{"cond", {"pred", "true_fn", "false_fn"}, 3, 0b111};
PyObject* call_cond(const Arguments<cond_signature>& in) {
  const auto branch = [&](int i) {
    return [&in, i] { return called(in.where(i), in.object(i), {}); };
  };
  return wrap(recorder().cond(to_operand(in.where(0), in.object(0)), branch(1), branch(2)));
}

constexpr Signature<3> while_signature{"while_loop", {"cond", "body", "loop_vars"}, 3, 0b111};
PyObject* call_while(const Arguments<while_signature>& in) {
  const auto condition = [&](const Variables& variables) {
    return called(in.where(0), in.object(0), variables).at(0);
  };
  const auto body = [&](const Variables& variables) {
    return called(in.where(1), in.object(1), variables);
  };
  return wrap(recorder().while_loop(condition, body, variables_of(in.where(2), in.object(2))));
}

// --- Arrays.

PyObject* array(PyObject*, PyObject*) {
  return guarded([] { return wrap(recorder().array()); });
}

constexpr Signature<3> array_write_signature{"write", {"array", "index", "x"}, 3, 0b111};
PyObject* call_array_write(const Arguments<array_write_signature>& in) {
  recorder().array_write(variable_of(in.object(0)), to_operand(in.where(1), in.object(1)),
                         to_operand(in.where(2), in.object(2)));
  Py_RETURN_NONE;
}

constexpr Signature<2> array_read_signature{"read", {"array", "index"}, 2, 0b11};
PyObject* call_array_read(const Arguments<array_read_signature>& in) {
  return wrap(
      recorder().array_read(variable_of(in.object(0)), to_operand(in.where(1), in.object(1))));
}

template <Variable (Recorder::*Method)(const Variable&)>
PyObject* of_array(PyObject*, PyObject* array) {
  return guarded([&] { return wrap((recorder().*Method)(variable_of(array))); });
}

PyObject* is_array(PyObject*, PyObject* object) {
  return guarded([&] {
    return PyBool_FromLong(is_program_value(object) && variable_of(object).type().is_list());
  });
}

PyObject* recording(PyObject*, PyObject*) { return PyBool_FromLong(is_recording()); }

// Copies of the tensors in a list that somebody else could see, too, since their memory is shared:
// for values that cross the border of a region of eager mode. The list must be their only holder.
PyObject* own(PyObject*, PyObject* list) {
  return guarded([&]() -> PyObject* {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
      PyObject* item = PyList_GET_ITEM(list, i);
      if (!is_tensor(item)) continue;
      const TensorImpl& impl = *tensor_of(item).impl();
      const bool alone = Py_REFCNT(item) == 1 && impl.count.load() == 1 &&
                         impl.storage->guard == 0 && impl.storage->counts.load() == Storage::kMap;
      if (!alone)
        check(PyList_SetItem(list, i, checked(wrap(roles::clone(tensor_of(item)))).release()));
    }
    Py_RETURN_NONE;
  });
}

// A value's type; None stands for an array.
program::Type type_of(PyObject* object) {
  if (object == Py_None) return program::open_list();
  const Tensor& tensor = tensor_of(object);
  return program::tensor_type(tensor.dtype(), tensor.shape());
}

constexpr Signature<3> joined_signature{"_expect_joined", {"what", "x", "y"}, 3, 0b111};
PyObject* call_joined(const Arguments<joined_signature>& in) {
  program::join(in.string(0), type_of(in.object(1)), type_of(in.object(2)));
  Py_RETURN_NONE;
}

// --- Gradients.

constexpr const char* kGradNames[] = {"outputs", "inputs", "grad_outputs", "no_grad_vars"};
PyObject* grad_keys[4];
constexpr Parameters kGrad{"grad", kGradNames, grad_keys, 4, 4, 0b0011};

// One tensor, or a list; entries may be None where `holes`.
Variables some_variables(const Where& where, PyObject* object, bool holes) {
  if (object == nullptr || object == Py_None) return {};
  if (!PyList_Check(object) && !PyTuple_Check(object)) return {to_variable(where, object)};
  Variables variables;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(object, i);
    variables.push_back(holes && item == Py_None ? Variable() : to_variable(where, item));
  }
  return variables;
}

// What was computed before is data for the program: no gradient can go through it.
void expect_recorded(const char* call, const char* what, PyObject* object) {
  const bool list = PyList_Check(object) || PyTuple_Check(object);
  const Py_ssize_t count = list ? PySequence_Fast_GET_SIZE(object) : 1;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = list ? PySequence_Fast_GET_ITEM(object, i) : object;
    if (!is_tensor(item) || !has_history(tensor_of(item))) continue;
    raise(ErrorKind::kArgument, "[", call, "] ", what, "[", i,
          "]: expected a value that was recorded, got tensor '", tensor_of(item).name(),
          "', which was computed before; do that inside `with` too, or ask for its gradient "
          "outside");
  }
}

constexpr Signature<3> append_backward_signature{
    "append_backward", {"loss", "parameters", "no_grad_set"}, 3, 0b001};
PyObject* call_append_backward(const Arguments<append_backward_signature>& in) {
  if (!is_recording()) {
    raise(ErrorKind::kRuntime,
          "[append_backward] expected to be called inside `with program:`; for tensors "
          "loss.backward() fills .grad");
  }
  expect_recorded("append_backward", "loss", in.object(0));
  const Variable loss = to_variable(in.where(0), in.object(0));
  Object asked = Object::share(in.object(1));
  if (!asked || asked.get() == Py_None) {
    asked = checked(PyList_New(0));
    for (const auto& parameter : recorder().program().parameters) {
      if (!parameter.value->needs_grad) continue;
      check(PyList_Append(asked.get(), checked(wrap(parameter.tensor)).get()));
    }
  }
  const Variables variables = some_variables(in.where(1), asked.get(), false);
  const Variables gradients =
      recorder().grad({loss}, variables, {}, some_variables(in.where(2), in.object(2), false));
  Object pairs = checked(PyList_New(0));
  const bool list = PyList_Check(asked.get()) || PyTuple_Check(asked.get());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    PyObject* parameter =
        list ? PySequence_Fast_GET_ITEM(asked.get(), static_cast<Py_ssize_t>(i)) : asked.get();
    const Object pair = checked(tuple(Py_NewRef(parameter), wrap(gradients[i])));
    check(PyList_Append(pairs.get(), pair.get()));
  }
  return pairs.release();
}

constexpr EntryRow kEntries[] = {
    {"append_backward", function<call_append_backward>,
     "append_backward($module, loss, parameters=None, no_grad_set=None)\n--\n\n"
     "Appends the gradients of loss to the program that is recorded: a list of (parameter, "
     "gradient) for those that "
     "loss depends on.\n\n"
     "parameters: those to ask for; all that do not stop gradient where it is left out. "
     "no_grad_set: values that "
     "count as constants."},
    {"_expect_joined", function<call_joined>, nullptr},
    {"_record_cond", function<call_cond>, nullptr},
    {"_record_while", function<call_while>, nullptr},
    {"_array_write", function<call_array_write>, nullptr},
    {"_array_read", function<call_array_read>, nullptr},
};

PyMethodDef plain_entries[] = {
    {"_recording", recording, METH_NOARGS, nullptr},
    {"_own", own, METH_O, nullptr},
    {"_array", array, METH_NOARGS, nullptr},
    {"_is_array", is_array, METH_O, nullptr},
    {"_array_stack", of_array<&Recorder::array_stack>, METH_O, nullptr},
    {"_array_concat", of_array<&Recorder::array_concat>, METH_O, nullptr},
    {"_array_length", of_array<&Recorder::array_length>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyObject* record_grad(PyObject* const* arguments) {
  expect_recorded("grad", "outputs", arguments[0]);
  const auto variables = [&](int i, bool holes) {
    return some_variables({kGrad, i}, arguments[i], holes);
  };
  return wrap(recorder().grad(variables(0, false), variables(1, false), variables(2, true),
                              variables(3, false)));
}

void add_control(PyObject* module) {

  static std::array<PyMethodDef, std::size(kEntries) + 1> entries{};
  for (std::size_t i = 0; i < std::size(kEntries); ++i) entries[i] = definition_of(kEntries[i]);
  check(PyModule_AddFunctions(module, entries.data()));
  check(PyModule_AddFunctions(module, plain_entries));
}

}  // namespace oploom::python
