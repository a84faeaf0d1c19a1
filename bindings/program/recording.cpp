#include "bindings/program/recording.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/args.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/program/program.h"
#include "generated/program.h"
#include "runtime/program/constant.h"
#include "runtime/program/program.h"

namespace oploom::python {

namespace {

using program::Argument;
using program::Attribute;
using program::InputDef;
using program::OpDef;
using program::Variable;
using program::Variables;

using Lengths = std::vector<std::int64_t>;

Argument to_list(const Where& where, PyObject* object) {
  if (object == nullptr) refuse_missing(where);
  if (!PyList_Check(object) && !PyTuple_Check(object))
    refuse(where, "a list or tuple of Tensors", object);
  Variables items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    items.push_back(to_variable(where, PySequence_Fast_GET_ITEM(object, i)));
  }
  return items;
}

Argument to_argument(const Where& where, const InputDef& input, PyObject* object) {
  switch (input.kind) {
    case InputDef::Kind::kList:
      return to_list(where, object);
    case InputDef::Kind::kOptional:
      if (object == nullptr || object == Py_None) return {};
      return to_variable(where, object);
    case InputDef::Kind::kOperand:
      return to_operand(where, object);
    case InputDef::Kind::kTensor:
      break;
  }
  return to_variable(where, object);
}

Lengths lengths_of(const IntList& list) {
  const Ints values = list;
  return {values.begin(), values.end()};
}

// By the type that the registry gives it: "axes", "dtype?" ...
Attribute to_attribute(const Where& where, std::string_view type, PyObject* object, int loose) {
  if (type.ends_with('?')) type.remove_suffix(1);
  if (type == "bool") return to_bool(where, object);
  if (type == "int" || type == "axis") return to_integer(where, object);
  if (type == "float") return to_number(where, object);
  if (type == "str") return std::string(to_string(where, object));
  if (type == "dtype") return to_dtype(where, object);
  if (type == "scalar") return to_scalar(where, object);
  if (type == "index") return to_index(where, object);
  if (loose >= 0) return lengths_of({where, reinterpret_cast<PyObject* const*>(object), loose});
  return lengths_of({where, object});
}

// What a generated function takes for "left out": nothing, and None where a list or dtype is asked
// for.
bool left_out(const program::AttributeDef& def, PyObject* object, int loose) {
  if (object == nullptr) return true;
  if (loose >= 0 || object != Py_None) return false;
  const std::string_view type = def.type;
  const bool takes_none = type.ends_with('?') || type == "dtype" || type == "int[]" ||
                          type == "axes" || type == "shape";
  return takes_none && def.default_value != nullptr;
}

// Along the outputs that are shown: one as it is, several as a tuple; a list output as a list.
PyObject* results_of(const OpDef& def, const std::vector<Object>& results) {
  std::vector<Object> shown;
  const std::size_t lone = def.outputs.size() - 1;  // every output but a list is one result
  std::size_t next = 0;
  for (const program::OutputDef& output : def.outputs) {
    const std::size_t count = output.list ? results.size() - lone : 1;
    if (output.list) {
      Object list = checked(PyList_New(static_cast<Py_ssize_t>(count)));
      for (std::size_t i = 0; i < count; ++i) {
        PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i),
                        Object(results[next + i]).release());
      }
      if (!output.hidden) shown.push_back(std::move(list));
    } else if (!output.hidden) {
      shown.push_back(results[next]);
    }
    next += count;
  }
  if (shown.size() == 1) return shown[0].release();
  Object tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(shown.size())));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), shown[i].release());
  }
  return tuple.release();
}

// In place Python gets the very objects that it passed.
void put_targets(const OpDef& def, PyObject* const* slots, std::vector<Object>& results) {
  for (const OpDef::Pair pair : def.inplace_pairs) {
    PyObject* object = slots[pair.input];
    if (object == nullptr) object = Py_None;
    if (def.inputs[pair.input].kind != InputDef::Kind::kList) {
      results[pair.output] = Object::share(object);
      continue;
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
      results[pair.output + static_cast<std::size_t>(i)] =
          Object::share(PySequence_Fast_GET_ITEM(object, i));
    }
  }
}

}  // namespace

PyObject* wrap(const Variable& variable) { return new_value(variable, recorded_program()); }

PyObject* wrap(const Variables& variables) {
  Object list = checked(PyList_New(static_cast<Py_ssize_t>(variables.size())));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    PyObject* item =
        variables[i].defined() ? checked(wrap(variables[i])).release() : Py_NewRef(Py_None);
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), item);
  }
  return list.release();
}

Variable to_variable(const Where& where, PyObject* object) {
  if (object != nullptr && is_program_value(object)) return variable_of(object);
  const Operand tensor = other_operand(where, object, false);
  return thread_state.recorder->variable(tensor.tensor());
}

Variable to_operand(const Where& where, PyObject* object) {
  if (object != nullptr && !is_program_value(object) && !is_tensor(object)) {
    if (const std::optional<Scalar> number = number_of(object)) {
      return thread_state.recorder->constant(*number);
    }
    other_operand(where, object, true);  // refuses
  }
  return to_variable(where, object);
}

Variable constant(const Tensor& data) {
  return thread_state.recorder->call(program::kConstant, {}, program::constant_attributes(data))[0];
}

void refuse_flag(const char* flag, const std::string& name) {
  raise(ErrorKind::kArgument, "[", flag, "] '", name,
        "' is an argument of the function that is recorded, or a tensor from outside of it, and "
        "every call would change it; set the flag outside, or of a clone() or detach()");
}

void expect_eager(const char* what) {
  if (!is_recording()) [[likely]]
    return;
  raise(ErrorKind::kArgument, "[", what,
        "] a program is being recorded, which would not do this again when it runs; gradients in "
        "it are values: oploom.grad() and oploom.append_backward(). A tensor's .grad can be read "
        "before `with`, or be passed as an argument");
}

void expect_history_of_its_own() {
  if (!is_recording()) [[likely]]
    return;
  raise(
      ErrorKind::kUnimplemented,
      "[detach_] a program is being recorded, in which a tensor's history is fixed; use detach(), "
      "which gives a value without one");
}

PyObject* record_to_tensor(const Where& where, PyObject* data, std::optional<DType> dtype,
                           bool stop_gradient) {
  program::Recorder& recorder = *thread_state.recorder;
  Variable made;
  if (is_program_value(data) || is_tensor(data)) {
    const Variable x = to_variable(where, data);
    const DType wanted = dtype.value_or(x.type().dtype);
    const NoGrad no_grad;
    made = wanted == x.type().dtype ? recorder.call(program::roles::kClone, {x})[0]
                                    : recorder.call(program::roles::kCast, {x}, {wanted})[0];
  } else {
    made = constant(to_tensor(data, dtype));
  }
  if (!stop_gradient) made.set_stop_gradient(false);
  return wrap(made);
}

void expect_not_recording(const char* what) {
  if (!is_recording()) [[likely]]
    return;
  raise(ErrorKind::kArgument, "[", what,
        "] a program is being recorded, and a tensor has no values in it before it "
        "runs. For a choice that hangs on values use oploom.cond() or oploom.while_loop(); what "
        "never changes, "
        "read before `with`");
}

namespace {

Variables recorded(const Parameters& parameters, const ProgramForm& form, PyObject* const* slots,
                   int loose) {
  const OpDef& def = *form.def;
  std::vector<Argument> inputs;
  std::vector<Attribute> attributes;
  int slot = 0;
  for (const InputDef& input : def.inputs) {
    inputs.push_back(to_argument({parameters, slot}, input, slots[slot]));
    ++slot;
  }
  for (const program::AttributeDef& attribute : def.attributes) {
    const int here = slot == 1 ? loose : -1;
    if (left_out(attribute, slots[slot], here)) {
      attributes.push_back(attribute.default_value != nullptr ? attribute.default_value()
                                                              : Attribute());
    } else {
      attributes.push_back(to_attribute({parameters, slot}, attribute.type, slots[slot], here));
    }
    ++slot;
  }
  program::Recorder& recorder = *thread_state.recorder;
  return form.kind == ProgramForm::kInplace
             ? recorder.call_inplace(def, inputs, std::move(attributes))
             : recorder.call(def, inputs, std::move(attributes));
}

}  // namespace

PyObject* record_call(const Parameters& parameters, const ProgramForm& form, PyObject* const* slots,
                      int loose) {
  program::Recorder& recorder = *thread_state.recorder;
  const program::Recorder::Mark before = recorder.mark();
  Variables made;
  try {
    made = recorded(parameters, form, slots, loose);
  } catch (...) {
    recorder.back_to(before);
    throw;
  }
  std::vector<Object> results(made.size());
  if (form.kind == ProgramForm::kInplace) put_targets(*form.def, slots, results);
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!results[i]) results[i] = checked(wrap(made[i]));
  }
  return results_of(*form.def, results);
}

}  // namespace oploom::python
