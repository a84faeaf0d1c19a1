#include "bindings/program/program.h"

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "bindings/args.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/object.h"
#include "bindings/program/feed.h"
#include "bindings/program/recording.h"
#include "bindings/program/value.h"

namespace oploom::python {

namespace {

using program::Program;
using program::Recorder;
using program::Value;
using program::Variable;

PyProgram* as_program(PyObject* self) { return reinterpret_cast<PyProgram*>(self); }
Program& program_of(PyObject* self) { return *as_program(self)->program; }

PyObject* new_program(PyTypeObject* type, std::unique_ptr<Program> program) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) throw PythonError();
  PyProgram* object = as_program(self);
  new (&object->program) std::shared_ptr<Program>(std::move(program));
  new (&object->recorder) std::unique_ptr<Recorder>();
  return self;
}

PyObject* program_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    static const char* none[] = {nullptr};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Program", const_cast<char**>(none)))
      return nullptr;
    return new_program(type, std::make_unique<Program>());
  });
}

void program_dealloc(PyObject* self) {
  PyProgram* object = as_program(self);
  if (object->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  object->recorder.~unique_ptr();
  object->program.~shared_ptr();
  Py_XDECREF(object->function);
  Py_TYPE(self)->tp_free(self);
}

// --- Recording.

// Its recorder, awake or asleep.
Recorder& recorder_of(PyObject* self) {
  PyProgram* object = as_program(self);
  if (!object->recorder) {
    object->recorder = std::make_unique<Recorder>(*object->program);
    object->recorder->owner = self;
    object->recorder->suspend();
  }
  return *object->recorder;
}

// Recording of a program for one call that may append, from wherever this thread is.
class Awake {
 public:
  explicit Awake(PyObject* self) : recorder_(recorder_of(self)), woken_(!recorder_.active()) {
    if (woken_)
      recorder_.resume();
    else if (!recorder_.is_here()) {
      raise(ErrorKind::kRuntime,
            "the program is being recorded by another thread; wait for the end of its `with`");
    }
  }
  ~Awake() {
    if (woken_) recorder_.suspend();
  }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;
  Recorder& recorder() { return recorder_; }

 private:
  Recorder& recorder_;
  bool woken_;
};

// A call of the function runs what was recorded then.
void expect_own(const PyProgram* object, const char* call) {
  if (object->function == nullptr) return;
  raise(ErrorKind::kRuntime, "[", call,
        "] the program belongs to a function of to_program(), which runs it as it was recorded; record one of your own");
}

PyObject* enter(PyObject* self, PyObject*) {
  return guarded([&] {
    PyProgram* object = as_program(self);
    expect_own(object, "with");
    Recorder& recorder = recorder_of(self);
    if (object->depth > 0 && thread_state.recorder != &recorder) {
      raise(ErrorKind::kRuntime,
            "[with] the program is being recorded already, by another thread or around the "
            "`with` of another program; leave that first");
    }
    if (object->depth == 0) {
      recorder.resume();
      Py_INCREF(self);  // this thread records into it
    }
    ++object->depth;
    return Py_NewRef(self);
  });
}

PyObject* leave(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    PyProgram* object = as_program(self);
    const bool innermost = object->depth > 0 && thread_state.recorder == object->recorder.get();
    if (innermost && object->recorder->in_region()) {
      raise(ErrorKind::kRuntime,
            "[with] expected the end of the function that cond() or while_loop() records before "
            "that of the program's `with`");
    }
    // Out of order it ends all the same, and whatever was entered inside goes on.
    const bool taken_out = !innermost && object->depth > 0 && object->recorder->take_out();
    if (taken_out) object->depth = 0;
    if (innermost && --object->depth == 0) object->recorder->suspend();
    if ((innermost || taken_out) && object->depth == 0) Py_DECREF(self);
    if (!innermost) {
      raise(ErrorKind::kRuntime,
            "[with] expected the end of the innermost `with` of a program, in the thread that "
            "entered it");
    }
    Py_RETURN_NONE;
  });
}

constexpr Signature<5> input_signature{
    "input", {"self", "name", "shape", "dtype", "stop_gradient"}, 5, 0b00111};
PyObject* call_input(const Arguments<input_signature>& in) {
  PyObject* self = in.object(0);
  const std::vector<std::int64_t> shape = lengths_of(in.where(2), in.object(2));
  const program::Type type = program::tensor_type(in.dtype(3, DType::kFloat32), shape);
  Awake awake(self);
  return new_value(awake.recorder().input(std::string(in.string(1)), type, in.boolean(4, true)),
                   self);
}

// --- What is in it.

PyObject* inputs(PyObject* self, PyObject*) {
  return guarded([&] {
    Awake awake(self);
    Object list = checked(PyList_New(0));
    for (std::size_t i = 0; i < program_of(self).inputs.size(); ++i) {
      const Object value =
          checked(new_value(awake.recorder().named(program_of(self).inputs[i].name), self));
      check(PyList_Append(list.get(), value.get()));
    }
    return list.release();
  });
}

PyObject* parameters(PyObject* self, PyObject*) {
  return guarded([&] {
    Object list = checked(PyList_New(0));
    for (const Program::Parameter& parameter : program_of(self).parameters) {
      const Object tensor = checked(wrap(parameter.tensor));
      check(PyList_Append(list.get(), tensor.get()));
    }
    return list.release();
  });
}

constexpr Signature<2> parameter_signature{"parameter", {"self", "tensor"}, 2, 0b11};
PyObject* call_parameter(const Arguments<parameter_signature>& in) {
  Awake awake(in.object(0));
  return new_value(awake.recorder().variable(in.tensor(1)), in.object(0));
}

constexpr Signature<2> value_signature{"value", {"self", "name"}, 2, 0b11};
PyObject* call_value(const Arguments<value_signature>& in) {
  Awake awake(in.object(0));
  return new_value(awake.recorder().named(in.string(1)), in.object(0));
}

PyObject* is_inplace_net(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(program::is_inplace_net(program_of(self))); });
}

std::size_t count_ops(const Program& program) {
  std::size_t count = 0;
  program::for_each_op(program.main, [&](const program::Op&) { ++count; });
  return count;
}

PyObject* program_repr(PyObject* self) {
  return guarded([&] {
    const Program& program = program_of(self);
    return PyUnicode_FromFormat("<oploom.Program: %zu ops, %zu inputs, %zu parameters>",
                                count_ops(program), program.inputs.size(),
                                program.parameters.size());
  });
}

PyObject* program_str(PyObject* self) {
  return guarded([&] {
    std::ostringstream out;
    program::print(out, program_of(self));
    return PyUnicode_FromString(out.str().c_str());
  });
}

PyObject* dot(PyObject* self, PyObject*) {
  return guarded([&] { return PyUnicode_FromString(program::dot(program_of(self)).c_str()); });
}

constexpr Signature<2> draw_signature{"draw", {"self", "path"}, 2, 0b11};
PyObject* call_draw(const Arguments<draw_signature>& in) {
  const Object draw = import_from("oploom._draw", "draw");
  const Object text = checked(dot(in.object(0), nullptr));
  return PyObject_CallFunctionObjArgs(draw.get(), text.get(), in.object(1), nullptr);
}

// --- Files.

std::string path_of(PyObject* object) {
  const Object path = checked(PyOS_FSPath(object));
  if (!PyUnicode_Check(path.get())) {
    raise(ErrorKind::kType, "path: expected a str or an os.PathLike of str, got bytes");
  }
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(path.get(), &size);
  if (text == nullptr) throw PythonError();
  if (std::strlen(text) != static_cast<std::size_t>(size)) {
    raise(ErrorKind::kArgument, "path: expected a text without NUL, got one with it");
  }
  return text;
}

// What this thread is recording has not been done: a tensor's values are not yet what they will be.
[[noreturn]] void refuse_values(const char* call, const std::string& what, const char* then = "") {
  raise(ErrorKind::kRuntime, "[", call, "] a program is being recorded, and ", what, "; call ",
        call, "() outside of `with` and of the function that is recorded", then);
}

constexpr const char* kPending = ", whose values effects that stand before it may still change";

bool recorded_by_a_function() {
  const Recorder* at = thread_state.recorder;
  while (at != nullptr && !at->eager_histories) at = at->around();
  return at != nullptr;
}

bool has_tensor(PyObject* feed) {
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  while (feed != nullptr && PyDict_Check(feed) && PyDict_Next(feed, &at, nullptr, &value) != 0) {
    if (is_tensor(value)) return true;
  }
  return false;
}

void expect_run_of_its_own(const Program& program, PyObject* feed) {
  if (!is_recording()) [[likely]]
    return;
  if (recorded_by_a_function())
    refuse_values("run", "what a run gives now would be the same in every call",
                  ", and pass what it gives as an argument");
  if (!program.parameters.empty())
    refuse_values("run", "the run would read and write parameters" + std::string(kPending));
  if (has_tensor(feed)) refuse_values("run", "the run is fed a tensor" + std::string(kPending));
}

void expect_saved_values(const Program& program) {
  if (!is_recording() || program.parameters.empty()) return;
  refuse_values("save", "the file would hold parameters" + std::string(kPending));
}

constexpr Signature<2> save_signature{"save", {"self", "path"}, 2, 0b11};
PyObject* call_save(const Arguments<save_signature>& in) {
  expect_saved_values(program_of(in.object(0)));
  program::save(program_of(in.object(0)), path_of(in.object(1)));
  Py_RETURN_NONE;
}

PyObject* load(PyObject*, PyObject* path) {
  return guarded([&] { return new_program(&ProgramType, program::load(path_of(path))); });
}

// --- Passes. They answer the program, so that calls can be chained.

void expect_outside(PyObject* self, const char* pass) {
  const PyProgram* object = as_program(self);
  expect_own(object, pass);
  if (object->recorder && object->recorder->in_region()) {
    raise(ErrorKind::kRuntime, "[", pass,
          "] a pass changes the whole program; call it outside of the functions that "
          "cond() and while_loop() record");
  }
}

PyObject* functionalize(PyObject* self, PyObject*) {
  return guarded([&] {
    expect_outside(self, "functionalize");
    program::functionalize(program_of(self));
    return Py_NewRef(self);
  });
}

PyObject* clean_up(PyObject* self, PyObject*) {
  return guarded([&] {
    expect_outside(self, "clean_up");
    program::clean_up(program_of(self));
    return Py_NewRef(self);
  });
}

constexpr Signature<2> apply_inplace_signature{"apply_inplace", {"self", "fetch"}, 2, 0b01};
PyObject* call_apply_inplace(const Arguments<apply_inplace_signature>& in) {
  PyObject* self = in.object(0);
  expect_outside(self, "apply_inplace");
  Awake awake(self);
  const auto kept = in.object(1) == nullptr || in.object(1) == Py_None
                        ? std::vector<Value*>()
                        : fetched_values(awake.recorder(), "apply_inplace", in.object(1));
  program::apply_inplace(program_of(self), kept);
  return Py_NewRef(self);
}

constexpr Signature<2> prune_signature{"prune", {"self", "fetch"}, 2, 0b11};
PyObject* call_prune(const Arguments<prune_signature>& in) {
  PyObject* self = in.object(0);
  expect_outside(self, "prune");
  Awake awake(self);
  program::prune(program_of(self), fetched_values(awake.recorder(), "prune", in.object(1)));
  return Py_NewRef(self);
}

// --- Running.

constexpr Signature<3> run_signature{"run", {"self", "feed", "fetch"}, 3, 0b001};
PyObject* call_run(const Arguments<run_signature>& in) {
  PyObject* self = in.object(0);
  expect_run_of_its_own(program_of(self), in.object(1));
  const std::vector<Tensor> feeds = fed_tensors(program_of(self), in.object(1));
  std::vector<Value*> fetch;
  if (in.given(2) && in.object(2) != Py_None) {
    Awake awake(self);
    fetch = fetched_values(awake.recorder(), "run", in.object(2));
  }
  const program::RunResult result = program::run(program_of(self), feeds, fetch);
  as_program(self)->peak_bytes = result.peak_bytes;
  return wrap(result.fetched);
}

PyObject* get_peak_bytes(PyObject* self, void*) {
  return PyLong_FromLongLong(as_program(self)->peak_bytes);
}

template <auto Body>
PyMethodDef entry(const char* name, const char* doc) {
  return definition_of({name, method<Body>, doc});
}

PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", leave, METH_VARARGS, nullptr},
    entry<call_input>(
        "input",
        "input($self, name, shape, dtype=float32, stop_gradient=True)\n--\n\n"
        "A value that each run is fed. A length of -1 or None is known at run time only."),
    {"inputs", inputs, METH_NOARGS,
     "inputs($self)\n--\n\nThe values that a run is fed, in the order they were made."},
    {"parameters", parameters, METH_NOARGS,
     "parameters($self)\n--\n\nThe tensors that were met while recording, by reference."},
    entry<call_parameter>(
        "parameter", "parameter($self, tensor)\n--\n\nThe value that a tensor has in the program."),
    entry<call_value>("value",
                      "value($self, name)\n--\n\nA value by the name that the program's text gives "
                      "it: an input's, a "
                      "parameter's, or '%7'."),
    {"is_inplace_net", is_inplace_net, METH_NOARGS,
     "is_inplace_net($self)\n--\n\nWhether any op, in branches and loops too, writes into a "
     "value."},
    {"functionalize", functionalize, METH_NOARGS,
     "functionalize($self)\n--\n\nTakes all in-place ops out: each write gives a new value. "
     "Returns the program."},
    entry<call_apply_inplace>(
        "apply_inplace",
        "apply_inplace($self, fetch=None)\n--\n\n"
        "Turns ops whose input dies into their in-place form; values in fetch are kept. Returns "
        "the program."),
    entry<call_prune>(
        "prune",
        "prune($self, fetch)\n--\n\nTakes out what neither fetch nor a write to a parameter needs. "
        "Returns the program."),
    {"clean_up", clean_up, METH_NOARGS,
     "clean_up($self)\n--\n\nFolds constants, merges equal ops, drops dead ones. Returns the "
     "program."},
    entry<call_run>("run",
                    "run($self, feed=None, fetch=None)\n--\n\n"
                    "Runs what the values in fetch and writes to parameters need. feed: arrays, "
                    "tensors or numbers by "
                    "the names of inputs.\n\nReturns a list of tensors along fetch."),
    entry<call_save>(
        "save",
        "save($self, path)\n--\n\nWrites the program as YAML, with the values of its parameters."),
    {"load", load, METH_O | METH_STATIC, "load(path)\n--\n\nThe program that save() wrote."},
    {"dot", dot, METH_NOARGS, "dot($self)\n--\n\nThe program as Graphviz text."},
    entry<call_draw>(
        "draw",
        "draw($self, path)\n--\n\nDraws the program with Graphviz; .svg, .png, .pdf or .dot."),
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef attributes[] = {
    {"peak_bytes", get_peak_bytes, nullptr,
     "Bytes of the buffers that the last run made, at its fullest.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

PyTypeObject ProgramType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.Program",
    .tp_basicsize = sizeof(PyProgram),
    .tp_dealloc = program_dealloc,
    .tp_repr = program_repr,
    .tp_str = program_str,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc =
        "Program()\n--\n\nOps that are recorded in `with program:`, then differentiated, rewritten "
        "and run.",
    .tp_weaklistoffset = offsetof(PyProgram, weaklist),
    .tp_methods = methods,
    .tp_getset = attributes,
    .tp_new = program_new,
};

PyObject* recorded_program() {
  void* owner = thread_state.recorder->owner;
  if (owner == nullptr) {
    raise(ErrorKind::kRuntime,
          "the program that this thread records was not made in Python; leave its Recorder first");
  }
  return static_cast<PyObject*>(owner);
}

void add_program_type(PyObject* module) {
  check(PyType_Ready(&ProgramType));
  check(PyModule_AddObjectRef(module, "Program", reinterpret_cast<PyObject*>(&ProgramType)));
}

}  // namespace oploom::python
