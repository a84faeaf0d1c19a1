#include "bindings/program/feed.h"

#include <optional>
#include <string>

#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/object.h"
#include "bindings/program/value.h"
#include "runtime/program/text.h"

namespace oploom::python {

namespace {

using program::Program;

std::string names_of(const Program& program) {
  if (program.inputs.empty()) return "it has no inputs";
  std::string names = "its inputs: ";
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    names += (i == 0 ? "'" : ", '") + program.inputs[i].name + "'";
  }
  return names;
}

std::size_t find_input(const Program& program, PyObject* key) {
  const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : nullptr;
  if (PyErr_Occurred() != nullptr) throw PythonError();
  if (name == nullptr) {
    raise(ErrorKind::kType, "[run] feed: expected names of inputs as keys, got a ",
          Py_TYPE(key)->tp_name);
  }
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    if (program.inputs[i].name == name) return i;
  }
  raise(ErrorKind::kArgument, "[run] feed: the program has no input '", name, "'; ",
        names_of(program));
}

// Numbers take the dtype of the input where it holds them; arrays and tensors come as they are.
Tensor fed_tensor(const Program::Input& input, PyObject* object) {
  if (is_tensor(object)) return tensor_of(object);
  if (is_program_value(object)) {
    raise(ErrorKind::kType, "[run] feed '", input.name,
          "': expected an array, a tensor or a number, got a value of a "
          "program");
  }
  const DType dtype = input.value->type.dtype;
  const bool numbers =
      PyList_Check(object) || PyTuple_Check(object) || number_of(object).has_value();
  Tensor tensor = to_tensor(object, std::nullopt);
  if (!numbers || tensor.dtype() == dtype) return tensor;
  if (category(tensor.dtype()) > category(dtype)) {
    raise(ErrorKind::kType, "[run] feed ", program::quoted(input.name), ": expected dtype ", dtype,
          ", got ", tensor.dtype(), " numbers");
  }
  return to_tensor(object, dtype);
}

program::Value* fetched_value(program::Recorder& recorder, const char* call, PyObject* object) {
  if (is_program_value(object)) {
    if (&variable_of(object).program() != &recorder.program()) {
      raise(ErrorKind::kArgument, "[", call,
            "] fetch: expected values of this program, got one of another");
    }
    return variable_of(object).value();
  }
  if (is_tensor(object)) {
    if (!recorder.is_parameter(tensor_of(object))) {
      raise(ErrorKind::kArgument, "[", call, "] fetch: tensor '", tensor_of(object).name(),
            "' is no parameter of the program");
    }
    return recorder.variable(tensor_of(object)).value();
  }
  if (!PyUnicode_Check(object)) {
    raise(ErrorKind::kType, "[", call,
          "] fetch: expected values of the program, parameters or names, got a ",
          Py_TYPE(object)->tp_name);
  }
  const char* name = PyUnicode_AsUTF8(object);
  if (name == nullptr) throw PythonError();
  return recorder.named(name).value();
}

}  // namespace

std::vector<Tensor> fed_tensors(const Program& program, PyObject* feed) {
  std::vector<Tensor> tensors(program.inputs.size());
  if (feed == nullptr || feed == Py_None) return tensors;
  if (!PyDict_Check(feed)) {
    raise(ErrorKind::kType, "[run] feed: expected a dict of inputs by name, got a ",
          Py_TYPE(feed)->tp_name);
  }
  const Object items = checked(PyDict_Items(feed));  // conversions may run Python code
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
    PyObject* item = PyList_GET_ITEM(items.get(), i);
    const std::size_t k = find_input(program, PyTuple_GET_ITEM(item, 0));
    tensors[k] = fed_tensor(program.inputs[k], PyTuple_GET_ITEM(item, 1));
  }
  return tensors;
}

std::vector<program::Value*> fetched_values(program::Recorder& recorder, const char* call,
                                            PyObject* fetch) {
  if (!PyList_Check(fetch) && !PyTuple_Check(fetch)) return {fetched_value(recorder, call, fetch)};
  std::vector<program::Value*> values;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fetch); ++i) {
    values.push_back(fetched_value(recorder, call, PySequence_Fast_GET_ITEM(fetch, i)));
  }
  return values;
}

std::vector<std::int64_t> lengths_of(const Where& where, PyObject* shape) {
  const bool list = PyList_Check(shape) || PyTuple_Check(shape);
  if (!list) {
    const IntList one(where, shape);
    const Ints values = one;
    return {values.begin(), values.end()};
  }
  std::vector<std::int64_t> lengths;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(shape); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(shape, i);
    lengths.push_back(item == Py_None ? -1 : to_integer(where, item));
    if (lengths.back() < -1) {
      raise(ErrorKind::kArgument, where.parameters.op, "(): argument '",
            where.parameters.names[where.index],
            "' must be lengths of axes, or -1 or None for what is known at run time only, not ",
            lengths.back());
    }
  }
  return lengths;
}

}  // namespace oploom::python
