#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bindings/convert.h"
#include "bindings/errors.h"
#include "bindings/from_python.h"
#include "bindings/object.h"

namespace oploom::python {

namespace {

// Reads nested lists in row-major order. Where it raises, the message says where: data[1][0].
class ListReader {
 public:
  explicit ListReader(PyObject* data) {
    find_shape(data);
    numbers_.reserve(static_cast<std::size_t>(count_elements(shape_)));
    read(data);
  }

  Tensor make(std::optional<DType> dtype) const {
    Tensor tensor = empty(shape_, dtype ? *dtype : default_dtype());
    dispatch(tensor.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* out = tensor.data<T>();
      for (std::size_t i = 0; i < numbers_.size(); ++i) out[i] = fit<T>(i);
    });
    return tensor;
  }

 private:
  // A list of the item's own items; empty for what is no list. Arrays within lists are read as
  // lists.
  static Object items_of(PyObject* item) {
    if (PyList_Check(item) || PyTuple_Check(item)) return Object::share(item);
    if (PyFloat_Check(item) || PyLong_Check(item) || PyUnicode_Check(item)) return {};
    const Object rank = Object::adopt(PyObject_GetAttrString(item, "ndim"));
    const bool array = rank && PyLong_Check(rank.get()) && PyLong_AsLong(rank.get()) > 0;
    PyErr_Clear();
    return array ? checked(PyObject_CallMethod(item, "tolist", nullptr)) : Object();
  }

  void find_shape(PyObject* data) {
    Object level = Object::share(data);
    for (Object items = items_of(level.get()); items; items = items_of(level.get())) {
      if (shape_.rank() == kMaxRank) {
        raise(ErrorKind::kArgument, "to_tensor(): lists are nested deeper than ", kMaxRank,
              " levels");
      }
      const Py_ssize_t length = PySequence_Fast_GET_SIZE(items.get());
      shape_.push_back(length);
      if (length == 0) return;
      level = Object::share(PySequence_Fast_GET_ITEM(items.get(), 0));
    }
  }

  void read(PyObject* item) {
    const std::size_t depth = path_.size();
    const Object items = items_of(item);
    if (depth == shape_.size()) return read_number(item, static_cast<bool>(items));
    if (!items) {
      raise(ErrorKind::kArgument, "to_tensor(): the list is ragged: ", position(), " is a ",
            Py_TYPE(item)->tp_name, " where a list of ", shape_[depth], " items is expected");
    }
    const Py_ssize_t length = PySequence_Fast_GET_SIZE(items.get());
    if (length != shape_[depth]) {
      raise(ErrorKind::kArgument, "to_tensor(): the list is ragged: ", position(), " has ", length,
            " items where ", shape_[depth], " are expected");
    }
    path_.push_back(0);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
      path_.back() = i;
      const Object next = Object::share(PySequence_Fast_GET_ITEM(items.get(), i));
      read(next.get());
    }
    path_.pop_back();
  }

  void read_number(PyObject* item, bool is_list) {
    std::optional<Scalar> number;
    if (is_tensor(item) && tensor_of(item).rank() == 0) {
      number = number_of(checked(PyObject_CallMethod(item, "item", nullptr)).get());
    } else if (!is_list) {
      number = number_of(item);
    }
    if (!number) {
      raise(is_list ? ErrorKind::kArgument : ErrorKind::kType,
            "to_tensor(): ", is_list ? "the list is ragged: " : "", position(), " is a ",
            Py_TYPE(item)->tp_name, " where a number is expected");
    }
    category_ = std::max(category_, number->category());
    numbers_.push_back(*number);
  }

  DType default_dtype() const {
    if (numbers_.empty() || category_ == Category::kFloat) return kDefaultFloat;
    return category_ == Category::kInt ? kDefaultInt : DType::kBool;
  }

  template <typename T>
  T fit(std::size_t i) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const Scalar& number = numbers_[i];
      const bool fits =
          number.category() == Category::kFloat
              ? std::trunc(number.to_double()) >=
                        static_cast<double>(std::numeric_limits<T>::min()) &&
                    number.to_double() < std::ldexp(1.0, std::numeric_limits<T>::digits)
              : number.to_int() >= std::numeric_limits<T>::min() &&
                    number.to_int() <= std::int64_t{std::numeric_limits<T>::max()};
      if (!fits) {
        raise(ErrorKind::kArgument, "to_tensor(): ", position_of(i), " = ", number,
              " does not fit ", dtype_of<T>);
      }
    }
    return numbers_[i].template to<T>();
  }

  std::string position() const {
    std::string out = "data";
    for (const std::int64_t i : path_) out += text("[", i, "]");
    return out;
  }
  std::string position_of(std::size_t flat) const {
    std::string out;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      const auto length = static_cast<std::size_t>(shape_[axis]);
      out.insert(0, text("[", flat % length, "]"));
      flat /= length;
    }
    return "data" + out;
  }

  Dims shape_;
  std::vector<std::int64_t> path_;
  std::vector<Scalar> numbers_;
  Category category_ = Category::kBool;
};

}  // namespace

Tensor tensor_of_lists(PyObject* data, std::optional<DType> dtype) {
  return ListReader(data).make(dtype);
}

}  // namespace oploom::python
