#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/scalar.h"
#include "runtime/core/shared.h"
#include "runtime/core/storage.h"

namespace oploom {

struct Extras;

// What a tensor handle points to. Laid out so that a call on a small, ordinary tensor reads the
// first two cache lines only.
struct alignas(64) TensorImpl {
  // All that makes a tensor special is a bit here, so that an ordinary call tests one word.
  enum Flag : std::uint16_t {
    kNeedsGrad = 1,  // stop_gradient is false. For a member of a family: as of family_seen
    kMember = 2,     // belongs to a family (is a view, or has views): its history may be stale
    kStrided = 4,    // not row-major contiguous
    kOverlap = 8,    // two indices may share an address (expand, foreign strides)
    kWeak = 16,      // a Python number: does not change a dtype
    kUnrecordedView = 32,  // made by a view op under no_grad (rule C4)
    kNamed = 64,           // the user gave a name
    kBase = 128,           // its family was born with it
    kHeldByFamily =
        256,  // a view: its family holds the storage, so that a view counts one thing, not two
  };

  std::atomic<std::uint32_t> count;
  std::uint16_t flags;
  DType dtype;
  std::uint8_t rank;
  std::byte* data;  // first element
  Storage* storage;
  std::int64_t numel;
  Shared* grad_fn;          // the gradient node that made the value, or null; owned
  Extras* extras;           // grad, hooks, name, accumulate node: made on demand; owned
  void* object;             // the Python object, borrowed; null where there is none
  std::uint32_t id;         // names the tensor in messages; 0 until asked
  std::uint32_t output_nr;  // which output of grad_fn
  std::int64_t shape[kMaxRank];
  std::int64_t strides[kMaxRank];  // in elements
  Shared* family;             // owned; set with kMember (or kUnrecordedView: whom it was made from)
  std::uint32_t family_seen;  // the family's counter when grad_fn was last taken from it
};
static_assert(offsetof(TensorImpl, shape) == 64);

// Cold part of a tensor's end, called where it has extras or a family; installed by autograd.
extern void (*destroy_autograd)(TensorImpl&) noexcept;
// Called instead of the end where a foreign object outlived its own references while C++ held the
// tensor: gives the last count back to that object. Installed by bindings; object is null without
// them.
extern void (*revive_object)(TensorImpl&) noexcept;
void destroy_impl(TensorImpl* impl) noexcept;

// A counted handle. Copies share the tensor; clone() (an op) copies the data. A default-made handle
// is undefined: an absent optional input, a symbolic zero gradient.
class Tensor {
 public:
  Tensor() = default;
  Tensor(std::nullptr_t) {}
  static Tensor adopt(TensorImpl* impl) { return Tensor(impl); }
  static Tensor share(TensorImpl* impl) {
    if (impl != nullptr) impl->count.fetch_add(1, std::memory_order_relaxed);
    return Tensor(impl);
  }
  Tensor(const Tensor& other) : Tensor(share(other.impl_)) {}
  Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  Tensor& operator=(const Tensor& other) {
    Tensor copy(other);
    std::swap(impl_, copy.impl_);
    return *this;
  }
  Tensor& operator=(Tensor&& other) noexcept {
    Tensor taken(std::move(other));
    std::swap(impl_, taken.impl_);
    return *this;
  }
  ~Tensor() {
    if (impl_ != nullptr && let_go(impl_->count)) destroy_impl(impl_);
  }

  bool defined() const { return impl_ != nullptr; }
  explicit operator bool() const { return defined(); }
  TensorImpl* impl() const { return impl_; }
  TensorImpl* release() { return std::exchange(impl_, nullptr); }
  bool is(const Tensor& other) const { return impl_ == other.impl_; }

  DType dtype() const { return impl_->dtype; }
  int rank() const { return impl_->rank; }
  std::int64_t numel() const { return impl_->numel; }
  Ints shape() const { return {impl_->shape, impl_->rank}; }
  Ints strides() const { return {impl_->strides, impl_->rank}; }
  std::int64_t size(int axis) const { return impl_->shape[axis]; }
  std::size_t nbytes() const { return static_cast<std::size_t>(numel()) * size_of(dtype()); }
  bool contiguous() const { return (impl_->flags & TensorImpl::kStrided) == 0; }
  bool weak() const { return (impl_->flags & TensorImpl::kWeak) != 0; }

  std::byte* bytes() const { return impl_->data; }
  // The elements; only meaningful for a T of the tensor's dtype.
  template <typename T>
  T* data() const {
    return reinterpret_cast<T*>(impl_->data);
  }
  // Elements between the storage's first byte and the first element.
  std::int64_t offset() const {
    return (impl_->data - impl_->storage->data) >> log2_size_of(dtype());
  }
  std::uint32_t inplace_version() const { return impl_->storage->version; }

  // The user's name, or "tensor_N".
  std::string name() const;
  void set_name(std::string name) const;

 private:
  explicit Tensor(TensorImpl* impl) : impl_(impl) {}
  TensorImpl* impl_ = nullptr;
};

// A tensor or a number; numbers become weak 0-d tensors. What generated functions take for
// `operand`.
class Operand {
 public:
  Operand(const Tensor& tensor) : tensor_(&tensor) {}
  Operand(Scalar number);
  template <typename N, typename = std::enable_if_t<std::is_arithmetic_v<N>>>
  Operand(N number) : Operand(make_scalar(number)) {}
  Operand(const Operand& other)
      : owned_(other.owned_), tensor_(other.tensor_ == &other.owned_ ? &owned_ : other.tensor_) {}
  ~Operand() {
    if (owned_.defined()) [[unlikely]]
      give_back();
  }
  Operand& operator=(const Operand&) = delete;
  operator const Tensor&() const { return *tensor_; }
  const Tensor& tensor() const { return *tensor_; }

 private:
  template <typename N>
  static Scalar make_scalar(N number) {
    if constexpr (std::is_same_v<N, bool>)
      return Scalar(number);
    else if constexpr (std::is_floating_point_v<N>)
      return Scalar(static_cast<double>(number));
    else
      return Scalar(static_cast<std::int64_t>(number));
  }
  void give_back() noexcept;
  Tensor owned_;
  const Tensor* tensor_;
};

// The number behind a name, given on demand; name_of_id also answers after the tensor's end.
std::uint32_t id_of(TensorImpl& impl);
std::string name_of_id(std::uint32_t id);

// --- Making tensors. All data is uninitialised, all gradients stopped, no op is recorded or
// traced.

// Row-major, fresh storage.
Tensor empty(Ints shape, DType dtype);
// The same with x's shape; quicker, for x's element count is known.
Tensor empty_like(const Tensor& x, DType dtype);
// A 0-d tensor of value in dtype.
Tensor scalar_tensor(Scalar value, DType dtype);
// The same storage seen through another map; no family, no history (see autograd/views.h for
// views). offset in elements from the storage's first byte. The caller has checked that the map
// stays inside.
Tensor alias(const Tensor& x, Ints shape, Ints strides, std::int64_t offset);
// Sets shape, strides, numel, kStrided and kOverlap of impl.
void set_map(TensorImpl& impl, Ints shape, Ints strides);
// A tensor on a storage whose map count it takes over.
Tensor on_storage(Storage* storage, DType dtype, Ints shape, Ints strides, std::int64_t offset);
// The same for a map that is known: flags says kStrided, kOverlap, kWeak.
Tensor on_storage(Storage* storage, DType dtype, Ints shape, const std::int64_t* strides,
                  std::byte* data, std::int64_t numel, std::uint16_t flags);

}  // namespace oploom
