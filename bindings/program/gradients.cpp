#include "bindings/program/gradients.h"

#include <algorithm>
#include <functional>

#include "bindings/args.h"
#include "bindings/errors.h"
#include "bindings/program/recording.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

using program::Recorder;
using program::Variable;
using program::Variables;

Recorder& recorder() { return *thread_state.recorder; }

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

// As eager mode: an input that stops gradient was not meant.
void expect_inputs(const Variables& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].stop_gradient()) continue;
    raise(ErrorKind::kRuntime, "[grad] inputs[", i, "]: Tensor '", inputs[i].name(),
          "' stops gradient; set stop_gradient = False before it is used");
  }
}

// None would be a wrong answer where what was computed before hides the input.
void expect_nothing_hidden(const char* call, const Variables& outputs) {
  const Tensor hiding = recorder().computed_before(outputs);
  if (!hiding.defined()) return;
  raise(ErrorKind::kArgument, "[", call, "] the outputs depend on tensor '", hiding.name(),
        "', which was computed before it was met here, and is data for the program; compute it "
        "inside `with`, too, or use its detach()");
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
    expect_nothing_hidden("append_backward", {loss});
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

constexpr EntryRow kAppendBackward = {
    "append_backward", function<call_append_backward>,
    "append_backward($module, loss, parameters=None, no_grad_set=None)\n--\n\n"
    "Appends the gradients of loss to the program that is recorded: a list of (parameter, "
    "gradient) for those that "
    "loss depends on.\n\n"
    "parameters: those to ask for; all that do not stop gradient where it is left out. "
    "no_grad_set: values that "
    "count as constants."};

}  // namespace

PyObject* record_grad(PyObject* const* arguments, bool create_graph) {
  expect_recorded("grad", "outputs", arguments[0]);
  const auto variables = [&](int i, bool holes) {
    return some_variables({kGrad, i}, arguments[i], holes);
  };
  const Variables outputs = variables(0, false), inputs = variables(1, false);
  expect_inputs(inputs);
  Variables gradients = recorder().grad(outputs, inputs, variables(2, true), variables(3, false));
  const bool all = std::all_of(gradients.begin(), gradients.end(), std::mem_fn(&Variable::defined));
  if (!all) expect_nothing_hidden("grad", outputs);
  if (recorder().eager_histories && !create_graph) {  // constants, as eager mode's are
    for (Variable& gradient : gradients) {
      if (gradient.defined()) gradient = recorder().detach(gradient);
    }
  }
  return wrap(gradients);
}

void add_gradients(PyObject* module) {
  static PyMethodDef entries[] = {definition_of(kAppendBackward), {nullptr, nullptr, 0, nullptr}};
  check(PyModule_AddFunctions(module, entries));
}

}  // namespace oploom::python
