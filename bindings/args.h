#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/object.h"
#include "bindings/program/call.h"
#include "bindings/tables.h"

// How generated and hand-written functions take their arguments: a Signature, a body that reads
// parameter i as what it is, and templates that make the entries of tables from the body.
namespace oploom::python {

template <std::size_t N>
struct Signature {
  const char* op;          // as called, for messages
  const char* names[N];    // of the parameters
  int positional;          // how many may be given by position
  std::uint64_t required;  // bit i: parameter i must be given
  ProgramForm form = {};   // of generated functions
};

template <const auto& S>
inline PyObject* interned_names[std::size(S.names)];
template <const auto& S>
inline constexpr Parameters parameters_of{
    S.op,         S.names,   interned_names<S>, static_cast<int>(std::size(S.names)),
    S.positional, S.required};

// Keywords, defaults and every refusal. self is the number of the parameter that is filled already,
// or -1.
void bind_any(const Parameters& parameters, PyObject** slots, int self, PyObject* const* args,
              Py_ssize_t count, PyObject* keywords);

// The arguments of one call, borrowed; a missing one is null.
template <const auto& S>
class Arguments {
 public:
  static constexpr int kCount = static_cast<int>(std::size(S.names));

  const Tensor& tensor(int i) const { return target(i); }
  Tensor& target(int i) const {
    PyObject* object = slots_[i];
    if (is_exact_tensor(object)) [[likely]]
      return tensor_of(object);
    return const_cast<Tensor&>(other_operand(where(i), object, false).tensor());
  }
  Operand operand(int i) const {
    PyObject* object = slots_[i];
    if (is_exact_tensor(object)) [[likely]]
      return Operand(tensor_of(object));
    if (PyFloat_CheckExact(object)) return Operand(Scalar(PyFloat_AS_DOUBLE(object)));
    return other_operand(where(i), object, true);
  }
  const Tensor& optional(int i) const { return optional_target(i); }
  Tensor& optional_target(int i) const {
    static Tensor absent;
    return absent_or_none(i) ? absent : target(i);
  }
  Tensors tensors(int i) const { return {where(i), slots_[i]}; }
  Tensors targets(int i) const { return {where(i), slots_[i]}; }

  bool boolean(int i) const { return to_bool(where(i), slots_[i]); }
  bool boolean(int i, bool otherwise) const { return slots_[i] ? boolean(i) : otherwise; }
  std::int64_t integer(int i) const { return to_integer(where(i), slots_[i]); }
  std::int64_t integer(int i, std::int64_t otherwise) const {
    return slots_[i] ? integer(i) : otherwise;
  }
  std::optional<std::int64_t> optional_integer(int i) const {
    if (absent_or_none(i)) return std::nullopt;
    return integer(i);
  }
  double number(int i) const { return to_number(where(i), slots_[i]); }
  double number(int i, double otherwise) const { return slots_[i] ? number(i) : otherwise; }
  std::optional<double> optional_number(int i) const {
    if (absent_or_none(i)) return std::nullopt;
    return number(i);
  }
  std::string_view string(int i) const { return to_string(where(i), slots_[i]); }
  std::string_view string(int i, std::string_view otherwise) const {
    return slots_[i] ? string(i) : otherwise;
  }
  DType dtype(int i) const { return to_dtype(where(i), slots_[i]); }
  DType dtype(int i, DType otherwise) const { return absent_or_none(i) ? otherwise : dtype(i); }
  std::optional<DType> optional_dtype(int i) const {
    if (absent_or_none(i)) return std::nullopt;
    return dtype(i);
  }
  Scalar scalar(int i) const { return to_scalar(where(i), slots_[i]); }
  Scalar scalar(int i, Scalar otherwise) const { return slots_[i] ? scalar(i) : otherwise; }
  std::optional<Scalar> optional_scalar(int i) const {
    if (absent_or_none(i)) return std::nullopt;
    return scalar(i);
  }
  IntList ints(int i) const {
    if (loose_ >= 0) return {where(i), reinterpret_cast<PyObject* const*>(slots_[i]), loose_};
    return {where(i), slots_[i]};
  }
  IntList ints(int i, std::initializer_list<std::int64_t> otherwise) const {
    if (absent_or_none(i)) return otherwise;
    return ints(i);
  }
  Index index(int i) const { return to_index(where(i), slots_[i]); }
  Index index(int i, Index otherwise) const { return slots_[i] ? index(i) : otherwise; }

  bool given(int i) const { return slots_[i] != nullptr; }
  // The very object passed, as a new reference; None for an absent one; of a list, a list of them.
  PyObject* same(int i) const {
    PyObject* object = slots_[i];
    if (object == nullptr) return Py_NewRef(Py_None);
    if (PyTuple_Check(object)) return PySequence_List(object);
    return Py_NewRef(object);
  }
  PyObject* object(int i) const { return slots_[i]; }  // borrowed

  Where where(int i) const { return {parameters_of<S>, i}; }

  // --- For the entries below.
  // Self is the parameter that self stands for, or -1: args fill the others in order.
  template <int Self>
  void bind(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
    constexpr int kGiven = Self < 0 ? 0 : 1;
    if constexpr (Self >= 0) slots_[Self] = self;
    if (keywords == nullptr && count + kGiven <= S.positional) [[likely]] {
      std::uint64_t missing = S.required;
      for (int i = 0, next = 0; i < kCount; ++i) {
        if (i == Self) {
          missing &= ~(std::uint64_t{1} << i);
        } else if (next < count) {
          slots_[i] = args[next++];
          missing &= ~(std::uint64_t{1} << i);
        } else {
          slots_[i] = nullptr;
        }
      }
      if (missing == 0) [[likely]]
        return;
    }
    bind_any(parameters_of<S>, slots_, Self, args, count, keywords);
  }
  // self and loose ints for parameter 1.
  void bind_items(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    slots_[0] = self;
    slots_[1] = reinterpret_cast<PyObject*>(const_cast<PyObject**>(args));
    for (int i = 2; i < kCount; ++i) slots_[i] = nullptr;
    loose_ = static_cast<int>(count);
  }
  void set(int i, PyObject* object) { slots_[i] = object; }
  // While a program is recorded the call becomes an op of it; answers null else.
  PyObject* recorded() const {
    if constexpr (S.form.kind != ProgramForm::kNone) {
      if (is_recording()) [[unlikely]]
        return record_call(parameters_of<S>, S.form, slots_, loose_);
    }
    return nullptr;
  }

 private:
  bool absent_or_none(int i) const { return slots_[i] == nullptr || slots_[i] == Py_None; }
  PyObject* slots_[kCount];
  int loose_ = -1;
};

template <typename Body>
struct BodyOf;
template <const auto& S>
struct BodyOf<PyObject* (*)(const Arguments<S>&)> {
  using In = Arguments<S>;
};
template <auto Body>
using InOf = typename BodyOf<decltype(Body)>::In;

template <auto Body>
PyObject* run(const InOf<Body>& in) {
  PyObject* recorded = in.recorded();
  if (recorded != nullptr) [[unlikely]]
    return recorded;
  return Body(in);
}

// --- Entries of the tables.
template <auto Body>
PyObject* function(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    InOf<Body> in;
    in.template bind<-1>(nullptr, args, count, keywords);
    return run<Body>(in);
  });
}

template <auto Body, int Self = 0>
PyObject* method(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    InOf<Body> in;
    in.template bind<Self>(self, args, count, keywords);
    return run<Body>(in);
  });
}

// A method whose parameter 1 is a list of ints that may also be given loose: x.reshape(2, 2).
template <auto Body>
PyObject* method_of_items(PyObject* self, PyObject* const* args, Py_ssize_t count,
                          PyObject* keywords) {
  return guarded([&] {
    InOf<Body> in;
    if (keywords == nullptr && count > 0 && PyLong_Check(args[0]))
      in.bind_items(self, args, count);
    else
      in.template bind<0>(self, args, count, keywords);
    return run<Body>(in);
  });
}

inline bool is_operand(PyObject* object) {
  return is_exact_tensor(object) || PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
         other_is_operand(object);
}

// A binary operator, either side a tensor.
template <auto Body>
PyObject* operation(PyObject* x, PyObject* y) {
  return guarded([&]() -> PyObject* {
    if (!is_operand(x) || !is_operand(y)) [[unlikely]]
      Py_RETURN_NOTIMPLEMENTED;
    InOf<Body> in;
    PyObject* both[] = {x, y};
    in.template bind<-1>(nullptr, both, 2, nullptr);
    return run<Body>(in);
  });
}

template <auto Body>
PyObject* unary(PyObject* x) {
  return guarded([&] {
    InOf<Body> in;
    in.template bind<-1>(nullptr, &x, 1, nullptr);
    return run<Body>(in);
  });
}

// --- Results (beside wrap of object.h).
inline PyObject* wrap(const std::vector<Tensor>& tensors) {
  Object list = checked(PyList_New(static_cast<Py_ssize_t>(tensors.size())));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), wrap(tensors[i]));
  }
  return list.release();
}

// Takes over new references.
template <typename... Objects>
PyObject* tuple(Objects... objects) {
  Object owned[] = {Object::adopt(objects)...};
  Object result = checked(PyTuple_New(sizeof...(objects)));
  for (std::size_t i = 0; i < sizeof...(objects); ++i) {
    if (!owned[i]) throw PythonError();
    PyTuple_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), owned[i].release());
  }
  return result.release();
}

inline PyObject* wrap_output(const Tensor& tensor) { return wrap_or_none(tensor); }
inline PyObject* wrap_output(const std::vector<Tensor>& tensors) { return wrap(tensors); }

template <typename... Tensors>
PyObject* wrap(const std::tuple<Tensors...>& tensors) {
  return std::apply([](const auto&... each) { return tuple(wrap_output(each)...); }, tensors);
}

}  // namespace oploom::python
