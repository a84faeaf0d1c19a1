#include <algorithm>
#include <memory>

#include "bindings/dlpack_abi.h"
#include "bindings/errors.h"
#include "bindings/exchange.h"
#include "bindings/object.h"
#include "runtime/autograd/inplace.h"
#include "runtime/core/prepare.h"

namespace oploom::python {

namespace {

constexpr const char* kCapsule = "dltensor";
constexpr const char* kVersionedCapsule = "dltensor_versioned";

dlpack::DataType dlpack_type(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * size_of(dtype));
  if (dtype == DType::kBool) return {dlpack::kBool, bits, 1};
  if (dtype == DType::kUInt8) return {dlpack::kUInt, bits, 1};
  return {is_float(dtype) ? dlpack::kFloat : dlpack::kInt, bits, 1};
}

DType dtype_from(dlpack::DataType type) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    const dlpack::DataType ours = dlpack_type(dtype);
    if (ours.code == type.code && ours.bits == type.bits && type.lanes == 1) return dtype;
  }
  raise(ErrorKind::kType, "from_dlpack(): elements of DLPack type code ", int{type.code}, ", ",
        int{type.bits}, " bits, ", int{type.lanes}, " lanes are not supported");
}

// --- Out. The block holds the storage and the geometry as they are now, whatever becomes of the
// tensor.
template <typename ManagedTensor>
struct Block {
  ManagedTensor managed{};
  Storage* storage;
  std::int64_t shape[kMaxRank];
  std::int64_t strides[kMaxRank];

  explicit Block(const Tensor& tensor) : storage(tensor.impl()->storage) {
    hold_storage(storage, 1);
    std::copy(tensor.shape().begin(), tensor.shape().end(), shape);
    std::copy(tensor.strides().begin(), tensor.strides().end(), strides);
    managed.tensor = {tensor.bytes(),
                      {dlpack::kCpu, 0},
                      tensor.rank(),
                      dlpack_type(tensor.dtype()),
                      shape,
                      strides,
                      0};
    managed.context = this;
    managed.deleter = [](ManagedTensor* self) { delete static_cast<Block*>(self->context); };
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { drop_storage(storage, 1); }
};

template <typename ManagedTensor>
void end_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;  // taken: renamed by its consumer
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

template <typename ManagedTensor>
PyObject* make_capsule(std::unique_ptr<Block<ManagedTensor>> block, const char* name,
                       PyCapsule_Destructor destructor) {
  Object capsule = checked(PyCapsule_New(&block->managed, name, destructor));
  block.release();
  return capsule.release();
}

// --- In.
struct Span {
  std::int64_t low = 0;
  std::int64_t high = 0;  // of the last element
};

Span span_of(Ints shape, Ints strides) {
  Span span;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t reach = (shape[i] - 1) * strides[i];
    (reach < 0 ? span.low : span.high) += reach;
  }
  return span;
}

template <typename ManagedTensor>
Tensor take(ManagedTensor* managed, bool read_only) {
  const dlpack::Tensor& from = managed->tensor;
  std::shared_ptr<ManagedTensor> owner(managed, [](ManagedTensor* m) {
    if (m->deleter != nullptr) m->deleter(m);
  });
  if (from.device.type != dlpack::kCpu) {
    raise(ErrorKind::kArgument, "from_dlpack(): the memory is not the CPU's (device type ",
          from.device.type, "); copy it there first");
  }
  const DType dtype = dtype_from(from.dtype);
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  const Dims shape(Ints(from.shape, static_cast<std::size_t>(from.ndim)));
  const std::int64_t numel = count_elements(shape);
  const Dims strides = from.strides == nullptr || numel == 0
                           ? contiguous_strides(shape)
                           : Dims(Ints(from.strides, static_cast<std::size_t>(from.ndim)));
  const Span span = numel == 0 ? Span{} : span_of(shape, strides);
  if (span.low < 0) {
    raise(ErrorKind::kArgument,
          "from_dlpack(): memory with negative strides cannot be shared; "
          "make a copy first");
  }
  auto* data = static_cast<std::byte*>(from.data) + from.byte_offset;
  if (numel > 0 &&
      reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(item) != 0) {
    raise(ErrorKind::kArgument, "from_dlpack(): the memory is not aligned for ", dtype);
  }
  const std::int64_t nbytes = numel == 0 ? 0 : (span.high + 1) * item;
  Storage* storage = new_foreign_storage(data, static_cast<std::size_t>(nbytes), read_only,
                                         [owner]() mutable { owner.reset(); });
  return on_storage(storage, dtype, shape, strides, 0);
}

template <typename ManagedTensor>
ManagedTensor* unpack(PyObject* capsule, const char* name, const char* used_name) {
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, name));
  if (managed == nullptr) throw PythonError();
  check(PyCapsule_SetName(capsule, used_name));
  check(PyCapsule_SetDestructor(capsule, nullptr));
  return managed;
}

// Asks for a versioned capsule; who does not know the argument gives one of the old form.
Object request_capsule(PyObject* object) {
  const Object method = checked(PyObject_GetAttrString(object, "__dlpack__"));
  const Object args = checked(PyTuple_New(0));
  const Object kwargs = checked(Py_BuildValue("{s(ii)}", "max_version", 1, 0));
  Object capsule = Object::adopt(PyObject_Call(method.get(), args.get(), kwargs.get()));
  if (capsule) return capsule;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw PythonError();
  PyErr_Clear();
  return checked(PyObject_CallNoArgs(method.get()));
}

}  // namespace

PyObject* to_dlpack(const Tensor& tensor, bool versioned, bool writable, bool copy) {
  const Tensor shown = copy ? copied(tensor) : tensor;
  if (!copy && (writable || !versioned)) lend_writable(tensor, "__dlpack__");
  if (!versioned) {
    return make_capsule(std::make_unique<Block<dlpack::Managed>>(shown), kCapsule,
                        [](PyObject* c) { end_capsule<dlpack::Managed>(c, kCapsule); });
  }
  auto block = std::make_unique<Block<dlpack::ManagedVersioned>>(shown);
  block->managed.version = {1, 0};
  block->managed.flags = copy ? dlpack::kCopied : writable ? 0 : dlpack::kReadOnly;
  return make_capsule(std::move(block), kVersionedCapsule, [](PyObject* c) {
    end_capsule<dlpack::ManagedVersioned>(c, kVersionedCapsule);
  });
}

Tensor from_dlpack(PyObject* object) {
  Object capsule = Object::share(object);
  if (!PyCapsule_CheckExact(object)) capsule = request_capsule(object);
  if (PyCapsule_IsValid(capsule.get(), kVersionedCapsule)) {
    auto* managed = unpack<dlpack::ManagedVersioned>(capsule.get(), kVersionedCapsule,
                                                     "used_dltensor_versioned");
    if (managed->version.major != 1) {
      const std::uint32_t major = managed->version.major;
      if (managed->deleter != nullptr) managed->deleter(managed);
      raise(ErrorKind::kUnimplemented, "from_dlpack(): version ", major, " of DLPack is not known");
    }
    return take(managed, (managed->flags & dlpack::kReadOnly) != 0);
  }
  if (!PyCapsule_IsValid(capsule.get(), kCapsule)) {
    raise(ErrorKind::kArgument,
          "from_dlpack(): expected a fresh DLPack capsule or an object with __dlpack__()");
  }
  return take(unpack<dlpack::Managed>(capsule.get(), kCapsule, "used_dltensor"), false);
}

}  // namespace oploom::python
