#include "bindings/type.h"

#include <bit>
#include <cstring>
#include <vector>

#include "bindings/args.h"
#include "bindings/exchange.h"
#include "bindings/from_python.h"
#include "bindings/indexing.h"
#include "bindings/values.h"
#include "generated/python/tables.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

PyNumberMethods number_slots = {
    .nb_bool = tensor_bool,
    .nb_int = tensor_int,
    .nb_float = tensor_float,
    .nb_index = tensor_index,
};
PySequenceMethods sequence_slots = {.sq_length = tensor_length, .sq_item = tensor_item};
PyMappingMethods mapping_slots = {tensor_length, tensor_subscript, tensor_assign_subscript};

// --- Operators, by the symbols of the registry.
struct BinarySlot {
  const char* symbol;
  binaryfunc PyNumberMethods::* slot;
};
constexpr BinarySlot kBinarySlots[] = {
    {"+", &PyNumberMethods::nb_add},
    {"+=", &PyNumberMethods::nb_inplace_add},
    {"-", &PyNumberMethods::nb_subtract},
    {"-=", &PyNumberMethods::nb_inplace_subtract},
    {"*", &PyNumberMethods::nb_multiply},
    {"*=", &PyNumberMethods::nb_inplace_multiply},
    {"/", &PyNumberMethods::nb_true_divide},
    {"/=", &PyNumberMethods::nb_inplace_true_divide},
    {"//", &PyNumberMethods::nb_floor_divide},
    {"//=", &PyNumberMethods::nb_inplace_floor_divide},
    {"%", &PyNumberMethods::nb_remainder},
    {"%=", &PyNumberMethods::nb_inplace_remainder},
    {"@", &PyNumberMethods::nb_matrix_multiply},
    {"@=", &PyNumberMethods::nb_inplace_matrix_multiply},
    {"&", &PyNumberMethods::nb_and},
    {"&=", &PyNumberMethods::nb_inplace_and},
    {"|", &PyNumberMethods::nb_or},
    {"|=", &PyNumberMethods::nb_inplace_or},
    {"^", &PyNumberMethods::nb_xor},
    {"^=", &PyNumberMethods::nb_inplace_xor},
    {"<<", &PyNumberMethods::nb_lshift},
    {"<<=", &PyNumberMethods::nb_inplace_lshift},
    {">>", &PyNumberMethods::nb_rshift},
    {">>=", &PyNumberMethods::nb_inplace_rshift},
};

struct UnarySlot {
  const char* symbol;
  unaryfunc PyNumberMethods::* slot;
};
constexpr UnarySlot kUnarySlots[] = {
    {"neg", &PyNumberMethods::nb_negative},
    {"pos", &PyNumberMethods::nb_positive},
    {"abs", &PyNumberMethods::nb_absolute},
    {"invert", &PyNumberMethods::nb_invert},
};

// Python's slots for powers take a third argument, and comparisons share one slot.
binaryfunc power;
binaryfunc inplace_power;
constexpr const char* kComparisons[] = {"<", "<=", "==", "!=", ">", ">="};
static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
binaryfunc comparisons[std::size(kComparisons)];

PyObject* power_slot(PyObject* x, PyObject* y, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return power(x, y);
}
PyObject* inplace_power_slot(PyObject* x, PyObject* y, PyObject*) { return inplace_power(x, y); }

PyObject* compare(PyObject* x, PyObject* y, int operation) {
  if (comparisons[operation] == nullptr) Py_RETURN_NOTIMPLEMENTED;
  return comparisons[operation](x, y);
}

bool add_operator(const OperatorRow& row) {
  const auto is = [&](const char* symbol) { return std::strcmp(row.symbol, symbol) == 0; };
  for (const BinarySlot& slot : kBinarySlots) {
    if (is(slot.symbol)) return (number_slots.*slot.slot = row.binary) != nullptr;
  }
  for (const UnarySlot& slot : kUnarySlots) {
    if (is(slot.symbol)) return (number_slots.*slot.slot = row.unary) != nullptr;
  }
  for (std::size_t i = 0; i < std::size(kComparisons); ++i) {
    if (is(kComparisons[i])) return (comparisons[i] = row.binary) != nullptr;
  }
  if (is("**")) {
    number_slots.nb_power = power_slot;
    return (power = row.binary) != nullptr;
  }
  if (!is("**=")) return false;
  number_slots.nb_inplace_power = inplace_power_slot;
  return (inplace_power = row.binary) != nullptr;
}

// --- Tensor(data, dtype=None, stop_gradient=True).
constexpr const char* kNames[] = {"data", "dtype", "stop_gradient"};
PyObject* keys[3];
constexpr Parameters kConstructor{"Tensor", kNames, keys, 3, 3, 1};

PyObject* tensor_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    PyObject *data = nullptr, *dtype = nullptr, *stop = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:Tensor", const_cast<char**>(kNames), &data,
                                     &dtype, &stop)) {
      return nullptr;
    }
    std::optional<DType> wanted;
    if (dtype != nullptr && dtype != Py_None) wanted = to_dtype({kConstructor, 1}, dtype);
    Tensor tensor = to_tensor(data, wanted);
    if (stop != nullptr && !to_bool({kConstructor, 2}, stop)) set_stop_gradient(tensor, false);
    return type == &TensorType ? wrap(std::move(tensor)) : wrap_as(type, std::move(tensor));
  });
}

PyObject* tensor_repr(PyObject* self) {
  return guarded([&] {
    const Object repr = import_from("oploom._repr", "tensor_repr");
    return PyObject_CallOneArg(repr.get(), self);
  });
}

// The methods of all tables and the hand-written ones; lives as long as the type.
PyMethodDef* all_methods() {
  static std::vector<PyMethodDef> methods;
  for (PyMethodDef* method = tensor_methods; method->ml_name != nullptr; ++method) {
    methods.push_back(*method);
  }
  add_op_methods(methods);
  methods.push_back({nullptr, nullptr, 0, nullptr});
  return methods.data();
}

constexpr const char* kDoc =
    "Tensor(data, dtype=None, stop_gradient=True)\n--\n\n"
    "An array of numbers of one dtype, with a history of the ops that made it where gradients are "
    "wanted. Made by oploom.to_tensor() and by ops.";

}  // namespace

Py_hash_t identity_hash(PyObject* self) {
  const auto address = reinterpret_cast<std::uintptr_t>(self);
  return static_cast<Py_hash_t>(std::rotr(address, 4));
}

PyTypeObject TensorType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.Tensor",
    .tp_basicsize = sizeof(PyTensor),
    .tp_dealloc = tensor_dealloc,
    .tp_repr = tensor_repr,
    .tp_as_number = &number_slots,
    .tp_as_sequence = &sequence_slots,
    .tp_as_mapping = &mapping_slots,
    .tp_hash = identity_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = tensor_setattro,
    .tp_as_buffer = &tensor_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = kDoc,
    .tp_traverse = tensor_traverse,
    .tp_clear = tensor_clear,
    .tp_richcompare = compare,
    .tp_weaklistoffset = offsetof(PyTensor, weaklist),
    .tp_iter = tensor_iter,
    .tp_getset = tensor_attributes,
    .tp_dictoffset = offsetof(PyTensor, dict),
    .tp_new = tensor_new,
};

void add_op_methods(std::vector<PyMethodDef>& methods) {
  for (const OpTable* table : op_tables) {
    for (const EntryRow& row : table->methods) methods.push_back(definition_of(row));
  }
}

void add_tensor_type(PyObject* module) {
  for (const OpTable* table : op_tables) {
    for (const OperatorRow& row : table->operators) {
      if (!add_operator(row)) {
        raise(ErrorKind::kRuntime, "family ", table->family, ": '", row.symbol,
              "' is no operator of Python's");
      }
    }
  }
  TensorType.tp_methods = all_methods();
  check(PyType_Ready(&TensorType));
  // NumPy leaves binary operators to us, and refuses its own functions of tensors.
  check(PyDict_SetItemString(TensorType.tp_dict, "__array_ufunc__", Py_None));
  check(PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(&TensorType)));
}

}  // namespace oploom::python
