#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bindings/object.h"
#include "runtime/autograd/record.h"
#include "runtime/core/index.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"

// From Python objects to what the ops take. Everything raises with the op, the argument, what was
// expected and what came.
namespace oploom::python {

// The parameters of an op, with the size of the list erased; see Signature in args.h.
struct Parameters {
  const char* op;
  const char* const* names;
  PyObject** keys;  // the names, interned on first use
  int count;
  int positional;
  std::uint64_t required;
};

// One argument of a call, for messages.
struct Where {
  const Parameters& parameters;
  int index;
};

// The one cold path for "not exactly a Tensor": an object of a subclass is read as its tensor, a
// number (NumPy's included) becomes a weak tensor where numbers are allowed, all else is refused
// with advice.
Operand other_operand(const Where& where, PyObject* object, bool numbers);
// Whether an operator should look at the object at all, or leave it to the object's own class.
bool other_is_operand(PyObject* object);

// The value of an int of one digit of Python's, without a call; every index and axis is one.
inline std::optional<std::int64_t> small_integer(PyObject* object) {
  if (!PyLong_CheckExact(object)) return std::nullopt;
  auto* number = reinterpret_cast<PyLongObject*>(object);
#if PY_VERSION_HEX >= 0x030C0000
  if (!PyUnstable_Long_IsCompact(number)) return std::nullopt;
  return PyUnstable_Long_CompactValue(number);
#else
  const Py_ssize_t size = Py_SIZE(number);  // with the sign
  if (size < -1 || size > 1) return std::nullopt;
  return size * static_cast<std::int64_t>(number->ob_digit[0]);
#endif
}

[[noreturn]] void refuse(const Where& where, const char* expected, PyObject* object);
[[noreturn]] void refuse_missing(const Where& where);

// A list input: copies of the handles, so that the list may change meanwhile.
class Tensors {
 public:
  Tensors(const Where& where, PyObject* object);
  operator TensorList() const { return tensors_; }
  operator std::span<Tensor>() { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

// An integer list without a heap block while it is short.
class IntList {
 public:
  static constexpr std::size_t kInline = 2 * kMaxRank;
  IntList() = default;
  IntList(std::initializer_list<std::int64_t> values);
  // One int, or a list or tuple of them.
  IntList(const Where& where, PyObject* object);
  // Loose ints: x.reshape(2, 2).
  IntList(const Where& where, PyObject* const* items, Py_ssize_t count);
  IntList(const IntList&) = delete;
  IntList& operator=(const IntList&) = delete;
  operator Ints() const { return {values(), size_}; }

 private:
  void fill_from(const Where& where, PyObject* tuple);
  void fill(const Where& where, PyObject* const* items, std::size_t count);
  // The items from first on, whatever they are.
  [[gnu::noinline]] void fill_others(const Where& where, PyObject* const* items, std::int64_t* out,
                                     std::size_t first) const;
  const std::int64_t* values() const { return size_ <= kInline ? inline_ : more_.data(); }
  std::size_t size_ = 0;
  std::int64_t inline_[kInline];
  std::vector<std::int64_t> more_;
};

bool to_bool(const Where& where, PyObject* object);
std::int64_t to_integer(const Where& where, PyObject* object);
double to_number(const Where& where, PyObject* object);
std::string_view to_string(const Where& where, PyObject* object);
DType to_dtype(const Where& where, PyObject* object);
Scalar to_scalar(const Where& where, PyObject* object);
Index to_index(const Where& where, PyObject* object);
// Adds an item that is an int, a slice, None or the ellipsis; answers false for all else.
bool add_basic_item(const Where& where, PyObject* object, Index& index);

// The number that an object is, with NumPy's scalars; empty for everything else.
std::optional<Scalar> number_of(PyObject* object);
// An int, a NumPy integer or anything else with __index__ but bool; raises kArgument beyond 64
// bits.
std::optional<std::int64_t> integer_of(PyObject* object);

}  // namespace oploom::python
