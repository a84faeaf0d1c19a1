#include "bindings/from_python.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "bindings/convert.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "bindings/object.h"
#include "runtime/core/prepare.h"

namespace oploom::python {

namespace {

class Buffer {
 public:
  explicit Buffer(PyObject* exporter) {
    check(PyObject_GetBuffer(exporter, &view_, PyBUF_FULL_RO));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { PyBuffer_Release(&view_); }
  const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_;
};

struct Format {
  std::optional<DType> dtype;
  bool swapped = false;
};

// The struct module's letters for one number, with an optional byte order before it.
Format parse_format(const Py_buffer& view) {
  const char* letter = view.format != nullptr ? view.format : "B";
  Format format;
  constexpr bool kLittle = std::endian::native == std::endian::little;
  if (std::strchr("@=<>!", *letter) != nullptr && *letter != '\0') {
    format.swapped = *letter == '<' ? !kLittle : *letter == '>' || *letter == '!' ? kLittle : false;
    ++letter;
  }
  if (letter[0] == '\0' || letter[1] != '\0') return format;
  if (*letter == '?') format.dtype = DType::kBool;
  if (*letter == 'B') format.dtype = DType::kUInt8;
  if (std::strchr("ilq", *letter) != nullptr) {
    if (view.itemsize == 4) format.dtype = DType::kInt32;
    if (view.itemsize == 8) format.dtype = DType::kInt64;
  }
  if (*letter == 'f') format.dtype = DType::kFloat32;
  if (*letter == 'd') format.dtype = DType::kFloat64;
  return format;
}

void copy_item(std::byte* to, const char* from, std::size_t size, bool swapped) {
  std::memcpy(to, from, size);
  if (swapped) std::reverse(to, to + size);
}

// Row-major into to; answers the end of what was written.
std::byte* copy_axes(const Py_buffer& view, int axis, const char* from, std::byte* to,
                     bool swapped) {
  const auto size = static_cast<std::size_t>(view.itemsize);
  if (axis == view.ndim) {
    copy_item(to, from, size, swapped);
    return to + size;
  }
  for (Py_ssize_t i = 0; i < view.shape[axis]; ++i) {
    const char* at = from + i * view.strides[axis];
    if (view.suboffsets != nullptr && view.suboffsets[axis] >= 0) {
      at = *reinterpret_cast<const char* const*>(at) + view.suboffsets[axis];
    }
    to = copy_axes(view, axis + 1, at, to, swapped);
  }
  return to;
}

Tensor copy_of(const Py_buffer& view, const Format& format) {
  Dims shape;
  for (int i = 0; i < view.ndim; ++i) shape.push_back(view.shape[i]);
  Tensor tensor = empty(shape, *format.dtype);
  if (!format.swapped && PyBuffer_IsContiguous(&view, 'C') != 0) {
    std::memcpy(tensor.bytes(), view.buf, tensor.nbytes());
  } else {
    copy_axes(view, 0, static_cast<const char*>(view.buf), tensor.bytes(), format.swapped);
  }
  if (*format.dtype == DType::kBool) {  // any byte but 0 is true, ours are 0 and 1
    auto* bytes = reinterpret_cast<std::uint8_t*>(tensor.bytes());
    for (std::int64_t i = 0; i < tensor.numel(); ++i) bytes[i] = bytes[i] != 0;
  }
  return tensor;
}

// What an array of an unsupported type calls its dtype.
std::string dtype_name(PyObject* exporter) {
  const Object dtype = Object::adopt(PyObject_GetAttrString(exporter, "dtype"));
  const Object name = dtype ? Object::adopt(PyObject_Str(dtype.get())) : Object();
  const char* characters = name ? PyUnicode_AsUTF8(name.get()) : nullptr;
  PyErr_Clear();
  return characters != nullptr ? characters : "";
}

Tensor tensor_of_buffer(PyObject* exporter, std::optional<DType> dtype);

// Through NumPy's own cast where a dtype is asked for, else refused by name.
Tensor from_unsupported(PyObject* exporter, const char* format, std::optional<DType> dtype) {
  const std::string name = dtype_name(exporter);
  if (dtype && !name.empty() && PyObject_HasAttrString(exporter, "astype") != 0) {
    const Object cast =
        checked(PyObject_CallMethod(exporter, "astype", "s", std::string(name_of(*dtype)).c_str()));
    return tensor_of_buffer(cast.get(), dtype);
  }
  raise(ErrorKind::kType, "to_tensor(): elements of dtype ", name.empty() ? format : name,
        " are not supported; give one of ", known_dtypes(), " as dtype, or convert first");
}

Tensor tensor_of_buffer(PyObject* exporter, std::optional<DType> dtype) {
  std::string format_text;
  try {
    const Buffer buffer(exporter);
    const Format format = parse_format(buffer.view());
    if (format.dtype) return copy_of(buffer.view(), format);
    format_text = text("'", buffer.view().format, "'");
  } catch (const PythonError&) {
    format_text = "that has no buffer";  // NumPy's datetimes, for example
  }
  return from_unsupported(exporter, format_text.c_str(), dtype);
}

Tensor converted(Tensor tensor, std::optional<DType> dtype) {
  if (!dtype || *dtype == tensor.dtype()) return tensor;
  Tensor out = empty(tensor.shape(), *dtype);
  copy_elements(tensor, out);
  return out;
}

bool is_numpy_scalar(PyObject* data) {
  return std::strncmp(Py_TYPE(data)->tp_name, "numpy.", 6) == 0;
}

}  // namespace

Tensor to_tensor(PyObject* data, std::optional<DType> dtype) {
  if (is_tensor(data)) {
    const Tensor& tensor = tensor_of(data);
    Tensor out = empty(tensor.shape(), dtype.value_or(tensor.dtype()));
    copy_elements(tensor, out);
    return out;
  }
  if (PyList_Check(data) || PyTuple_Check(data)) return tensor_of_lists(data, dtype);
  const bool text_like = PyBytes_Check(data) || PyByteArray_Check(data) || PyUnicode_Check(data);
  const bool plain_number = (PyFloat_Check(data) || PyLong_Check(data)) && !is_numpy_scalar(data);
  if (plain_number) return tensor_of_lists(data, dtype);
  if (!text_like && PyObject_CheckBuffer(data) != 0) {
    return converted(tensor_of_buffer(data, dtype), dtype);
  }
  if (!text_like && PyObject_HasAttrString(data, "__array__") != 0) {
    const Object array = checked(PyObject_CallMethod(data, "__array__", nullptr));
    return converted(tensor_of_buffer(array.get(), dtype), dtype);
  }
  raise(ErrorKind::kType,
        "to_tensor(): argument 'data' must be numbers, nested lists of numbers or an array, not ",
        Py_TYPE(data)->tp_name);
}

}  // namespace oploom::python
