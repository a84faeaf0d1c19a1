#include "bindings/program/control.h"

#include <array>
#include <vector>

#include "bindings/args.h"
#include "bindings/errors.h"
#include "bindings/program/program.h"
#include "bindings/program/recording.h"
#include "generated/roles.h"

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

PyObject* is_number(PyObject*, PyObject* object) {
  return guarded([&] { return PyBool_FromLong(number_of(object).has_value()); });
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

constexpr EntryRow kEntries[] = {
    {"_expect_joined", function<call_joined>, nullptr},
    {"_record_cond", function<call_cond>, nullptr},
    {"_record_while", function<call_while>, nullptr},
    {"_array_write", function<call_array_write>, nullptr},
    {"_array_read", function<call_array_read>, nullptr},
};

PyMethodDef plain_entries[] = {
    {"_recording", recording, METH_NOARGS, nullptr},
    {"_is_number", is_number, METH_O, nullptr},
    {"_own", own, METH_O, nullptr},
    {"_array", array, METH_NOARGS, nullptr},
    {"_is_array", is_array, METH_O, nullptr},
    {"_array_stack", of_array<&Recorder::array_stack>, METH_O, nullptr},
    {"_array_concat", of_array<&Recorder::array_concat>, METH_O, nullptr},
    {"_array_length", of_array<&Recorder::array_length>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_control(PyObject* module) {
  static std::array<PyMethodDef, std::size(kEntries) + 1> entries{};
  for (std::size_t i = 0; i < std::size(kEntries); ++i) entries[i] = definition_of(kEntries[i]);
  check(PyModule_AddFunctions(module, entries.data()));
  check(PyModule_AddFunctions(module, plain_entries));
}

}  // namespace oploom::python
