#include "bindings/program/value.h"

#include <sstream>

#include "bindings/args.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/indexing.h"
#include "bindings/indexing_ops.h"
#include "bindings/program/recording.h"
#include "bindings/type.h"

namespace oploom::python {

namespace {

PyProgramValue* as_value(PyObject* self) { return reinterpret_cast<PyProgramValue*>(self); }

void value_dealloc(PyObject* self) {
  PyProgramValue* value = as_value(self);
  if (value->weaklist != nullptr) PyObject_ClearWeakRefs(self);
  value->variable.~Variable();
  Py_DECREF(value->owner);
  PyObject_Free(self);
}

program::Type type_of(PyObject* self) { return variable_of(self).type(); }

PyObject* value_repr(PyObject* self) {
  return guarded([&] {
    std::ostringstream out;
    const program::Variable& variable = variable_of(self);
    out << "ProgramValue(" << variable.name() << ": " << variable.type()
        << ", stop_gradient=" << (variable.stop_gradient() ? "True" : "False") << ')';
    return PyUnicode_FromString(out.str().c_str());
  });
}

// --- Attributes. What a type does not know is -1, or refused.

PyObject* get_shape(PyObject* self, void*) {
  return guarded([&] {
    const program::Type type = type_of(self);
    Object shape = checked(PyTuple_New(type.shape.rank()));
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
      PyTuple_SET_ITEM(shape.get(), static_cast<Py_ssize_t>(i),
                       checked(PyLong_FromLongLong(type.shape[i])).release());
    }
    return shape.release();
  });
}

PyObject* get_dtype(PyObject* self, void*) {
  return guarded([&] { return Py_NewRef(dtype_object(type_of(self).dtype)); });
}
PyObject* get_ndim(PyObject* self, void*) {
  return guarded([&] { return PyLong_FromLong(type_of(self).shape.rank()); });
}
PyObject* get_size(PyObject* self, void*) {
  return guarded([&] {
    const program::Type type = type_of(self);
    return PyLong_FromLongLong(type.known() ? count_elements(type.shape) : -1);
  });
}
PyObject* get_nbytes(PyObject* self, void*) {
  return guarded([&] {
    const program::Type type = type_of(self);
    if (!type.known()) return PyLong_FromLong(-1);
    return PyLong_FromSize_t(static_cast<std::size_t>(count_elements(type.shape)) *
                             size_of(type.dtype));
  });
}
PyObject* get_stop_gradient(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(variable_of(self).stop_gradient()); });
}
PyObject* get_requires_grad(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(!variable_of(self).stop_gradient()); });
}
PyObject* get_is_leaf(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(variable_of(self).is_leaf()); });
}
PyObject* get_name(PyObject* self, void*) {
  return guarded([&] { return PyUnicode_FromString(variable_of(self).name().c_str()); });
}
PyObject* get_program(PyObject* self, void*) { return Py_NewRef(as_value(self)->owner); }

PyObject* get_transposed(PyObject* self, void*) {
  return guarded([&] {
    expect_recording(self, "T");
    const program::Variable& x = variable_of(self);
    Dims reversed;
    for (int axis = x.type().shape.rank(); axis-- > 0;) reversed.push_back(axis);
    return wrap(indexing::transpose(x, reversed));
  });
}

int set_flag(PyObject* self, PyObject* value, const char* name, bool inverse) {
  return guarded([&] {
    if (value == nullptr || !PyBool_Check(value)) {
      raise(ErrorKind::kType, "attribute '", name, "' must be True or False, not ",
            value == nullptr ? "deleted" : Py_TYPE(value)->tp_name);
    }
    expect_recording(self, name);
    if (thread_state.recorder->eager_histories && variable_of(self).is_argument()) {
      refuse_flag(name, variable_of(self).name());
    }
    variable_of(self).set_stop_gradient((value == Py_True) != inverse);
    return 0;
  });
}
int set_stop(PyObject* self, PyObject* value, void*) {
  return set_flag(self, value, "stop_gradient", false);
}
int set_requires(PyObject* self, PyObject* value, void*) {
  return set_flag(self, value, "requires_grad", true);
}

// What tensors have and values have not: refused as it is of a tensor while a program is recorded.
[[noreturn]] void refuse_gradients(PyObject* self, const char* what) {
  raise(ErrorKind::kType, "[", what, "] ", variable_of(self).name(),
        " is a value of a program, whose gradients are "
        "values, too: oploom.append_backward(loss) or oploom.grad(outputs, inputs)");
}
PyObject* refuse_eager(PyObject* self, void* name) {
  return guarded([&]() -> PyObject* {
    expect_eager(static_cast<const char*>(name));
    refuse_gradients(self, static_cast<const char*>(name));
  });
}
int refuse_setting(PyObject* self, PyObject*, void* name) {
  return refuse_eager(self, name) == nullptr ? -1 : 0;
}
PyObject* refuse_detach_(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    expect_history_of_its_own();
    expect_recording(self, "detach_");
    Py_RETURN_NONE;
  });
}
PyObject* refuse_version(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    raise(ErrorKind::kType, "[inplace_version] ", variable_of(self).name(),
          " is a value of a program, and how often memory was written is known of tensors: ask the "
          "one that is passed, fed or fetched, outside");
  });
}
PyGetSetDef refused(const char* name) {
  return {name, refuse_eager, refuse_setting, nullptr, const_cast<char*>(name)};
}

PyGetSetDef attributes[] = {
    {"shape", get_shape, nullptr,
     "The lengths of the axes, as a tuple; -1 where one is known at run time only.", nullptr},
    {"dtype", get_dtype, nullptr, "The type of the elements.", nullptr},
    {"ndim", get_ndim, nullptr, "How many axes.", nullptr},
    {"size", get_size, nullptr, "How many elements, or -1.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements, or -1.", nullptr},
    {"stop_gradient", get_stop_gradient, set_stop, "Whether gradients end here.", nullptr},
    {"requires_grad", get_requires_grad, set_requires, "The opposite of stop_gradient.", nullptr},
    {"is_leaf", get_is_leaf, nullptr, "Whether the value is not the result of a recorded op.",
     nullptr},
    {"name", get_name, nullptr,
     "Of an input or parameter its name, else its number in the program's text.", nullptr},
    {"program", get_program, nullptr, "The program that the value belongs to.", nullptr},
    {"T", get_transposed, nullptr, "A view with the axes in reverse order.", nullptr},
    refused("grad"),
    refused("register_hook"),
    refused("retain_grad"),
    refused("clear_grad"),
    {"detach_", refuse_detach_, nullptr, nullptr, nullptr},
    {"inplace_version", refuse_version, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// --- What needs data.

[[noreturn]] void refuse_data(PyObject* self, const char* what) {
  raise(ErrorKind::kType, "[", what, "] ", variable_of(self).name(),
        " is a value of a program and has no data before "
        "the program runs; fetch it: program.run(feed, fetch=[value])");
}

[[noreturn]] void refuse_number(PyObject* self, const char* what) {
  raise(ErrorKind::kType, "[", what, "] ", variable_of(self).name(),
        " is a value of a program, and has no Python "
        "number while it is recorded; use ops of it, which are recorded, or fetch it from a run");
}

int value_bool(PyObject* self) {
  return guarded([&]() -> int {
    raise(ErrorKind::kType, "[bool] ", variable_of(self).name(),
          " is a value of a program, so Python's if, while, "
          "and, or, not cannot look at it while it is recorded; use oploom.cond(pred, true_fn, "
          "false_fn) for a "
          "branch, oploom.while_loop(cond, body, loop_vars) for a loop");
  });
}
PyObject* value_int(PyObject* self) {
  return guarded([&]() -> PyObject* { refuse_number(self, "int"); });
}
PyObject* value_float(PyObject* self) {
  return guarded([&]() -> PyObject* { refuse_number(self, "float"); });
}

template <const char* Name>
PyObject* no_data(PyObject* self, PyObject*, PyObject*) {
  return guarded([&]() -> PyObject* { refuse_data(self, Name); });
}

PyObject* no_backward(PyObject* self, PyObject*, PyObject*) {
  return guarded([&]() -> PyObject* { refuse_gradients(self, "backward"); });
}

PyObject* value_detach(PyObject* self, PyObject*) {
  return guarded([&] {
    expect_recording(self, "detach");
    return wrap(thread_state.recorder->detach(variable_of(self)));
  });
}

constexpr char kNumpy[] = "numpy", kItem[] = "item", kTolist[] = "tolist", kArray[] = "__array__";

template <typename F>
PyMethodDef with_keywords(const char* name, F* function, const char* doc) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function)),
          METH_VARARGS | METH_KEYWORDS, doc};
}

const PyMethodDef kMethods[] = {
    {"detach", value_detach, METH_NOARGS,
     "detach($self)\n--\n\nThe same memory without a history."},
    with_keywords("numpy", no_data<kNumpy>, nullptr),
    with_keywords("item", no_data<kItem>, nullptr),
    with_keywords("tolist", no_data<kTolist>, nullptr),
    with_keywords("__array__", no_data<kArray>, nullptr),
    with_keywords("backward", no_backward, nullptr),
};

PyMethodDef* all_methods() {
  static std::vector<PyMethodDef> methods(std::begin(kMethods), std::end(kMethods));
  add_op_methods(methods);
  methods.push_back({nullptr, nullptr, 0, nullptr});
  return methods.data();
}

// --- Keys and lengths.

Py_ssize_t value_length(PyObject* self) {
  return guarded([&]() -> Py_ssize_t {
    const program::Type type = type_of(self);
    if (type.shape.empty()) raise(ErrorKind::kType, "[len] a value without axes has no length");
    if (type.shape[0] < 0) {
      raise(ErrorKind::kType, "[len] the length of ", variable_of(self).name(), ", a ", type,
            ", is known at run time only");
    }
    return type.shape[0];
  });
}

PyObject* value_item(PyObject* self, Py_ssize_t i) {
  return guarded([&]() -> PyObject* {
    const Py_ssize_t length = value_length(self);
    check(static_cast<int>(std::min<Py_ssize_t>(length, 0)));
    if (i < 0 || i >= length) {
      raise(ErrorKind::kIndex, "x[key]: position ", i, " is out of range for ", type_of(self));
    }
    const Object key = checked(PyLong_FromSsize_t(i));
    return program_subscript(self, key.get());
  });
}

PyObject* value_iter(PyObject* self) {
  return guarded([&] {
    check(static_cast<int>(std::min<Py_ssize_t>(value_length(self), 0)));
    return PySeqIter_New(self);
  });
}

PyNumberMethods number_slots;
PySequenceMethods sequence_slots = {.sq_length = value_length, .sq_item = value_item};
PyMappingMethods mapping_slots = {value_length, program_subscript, program_assign_subscript};

}  // namespace

PyTypeObject ProgramValueType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.ProgramValue",
    .tp_basicsize = sizeof(PyProgramValue),
    .tp_dealloc = value_dealloc,
    .tp_repr = value_repr,
    .tp_as_number = &number_slots,
    .tp_as_sequence = &sequence_slots,
    .tp_as_mapping = &mapping_slots,
    .tp_hash = identity_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc =
        "A value of a Program: has the ops of a Tensor, which are recorded, and no data before a "
        "run.",
    .tp_weaklistoffset = offsetof(PyProgramValue, weaklist),
    .tp_iter = value_iter,
    .tp_getset = attributes,
};

PyObject* new_value(program::Variable variable, PyObject* owner) {
  auto* value = PyObject_New(PyProgramValue, &ProgramValueType);
  if (value == nullptr) throw PythonError();
  new (&value->variable) program::Variable(std::move(variable));
  value->owner = Py_NewRef(owner);
  value->weaklist = nullptr;
  return reinterpret_cast<PyObject*>(value);
}

void expect_recording(PyObject* value, const char* what) {
  if (is_recording()) [[likely]]
    return;
  raise(ErrorKind::kType, "[", what, "] ", variable_of(value).name(),
        " is a value of a program: ops on it are recorded inside `with program:`, and "
        "program.run() gives its values");
}

void add_program_value_type(PyObject* module) {
  number_slots = *TensorType.tp_as_number;  // operators, filled from the tables
  number_slots.nb_bool = value_bool;
  number_slots.nb_int = value_int;
  number_slots.nb_float = value_float;
  number_slots.nb_index = nullptr;
  ProgramValueType.tp_richcompare = TensorType.tp_richcompare;
  ProgramValueType.tp_methods = all_methods();
  check(PyType_Ready(&ProgramValueType));
  check(PyDict_SetItemString(ProgramValueType.tp_dict, "__array_ufunc__", Py_None));
  check(PyModule_AddObjectRef(module, "ProgramValue",
                              reinterpret_cast<PyObject*>(&ProgramValueType)));
}

}  // namespace oploom::python
