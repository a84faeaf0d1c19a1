#include "runtime/core/tensor.h"

#include <mutex>
#include <unordered_map>

#include "runtime/core/error.h"
#include "runtime/core/write_log.h"

namespace oploom {
namespace {

// Names that users gave, by tensor id. Almost always empty, so it is no part of a tensor.
struct Names {
  std::mutex mutex;
  std::unordered_map<std::uint32_t, std::string> by_id;
};
Names& names() {
  static Names* const instance = new Names;
  return *instance;
}

// All but storage, data and map.
TensorImpl* new_impl(DType dtype) {
  auto* impl = static_cast<TensorImpl*>(pool::allocate(sizeof(TensorImpl)));
  impl->count.store(1, std::memory_order_relaxed);
  impl->flags = 0;
  impl->dtype = dtype;
  impl->grad_fn = nullptr;
  impl->extras = nullptr;
  impl->object = nullptr;
  impl->id = 0;
  impl->output_nr = 0;
  impl->family = nullptr;
  return impl;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_rank(Ints shape) {
  raise(ErrorKind::kUnimplemented, "tensors have at most ", kMaxRank, " dimensions, got shape ", shape);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_size(Ints shape) {
  raise(ErrorKind::kMemory, "a tensor of shape ", shape, " is too large for this machine's addresses");
}

void forget_name(std::uint32_t id) {
  Names& all = names();
  const std::scoped_lock lock(all.mutex);
  all.by_id.erase(id);
}

}  // namespace

void (*destroy_autograd)(TensorImpl&) noexcept = nullptr;
void (*revive_object)(TensorImpl&) noexcept = nullptr;

void destroy_impl(TensorImpl* impl) noexcept {
  if (impl->object != nullptr) [[unlikely]] return revive_object(*impl);
  if (impl->extras != nullptr || impl->family != nullptr) [[unlikely]] destroy_autograd(*impl);
  if ((impl->flags & TensorImpl::kNamed) != 0) [[unlikely]] forget_name(impl->id);
  Shared* const grad_fn = impl->grad_fn;
  Shared* const family = impl->family;
  Storage* const storage = impl->storage;
  pool::free(impl, sizeof(TensorImpl));
  drop_storage(storage, Storage::kMap);
  drop(grad_fn);
  drop(family);
}

std::uint32_t id_of(TensorImpl& impl) {
  // Two threads may draw the same number: a name in a message, nothing more, so no atomic add.
  static std::atomic<std::uint32_t> last{0};
  if (impl.id == 0) {
    impl.id = last.load(std::memory_order_relaxed) + 1;
    last.store(impl.id, std::memory_order_relaxed);
  }
  return impl.id;
}

std::string name_of_id(std::uint32_t id) {
  Names& all = names();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.by_id.find(id);
  return found != all.by_id.end() ? found->second : text("tensor_", id);
}

std::string Tensor::name() const { return name_of_id(id_of(*impl_)); }

void Tensor::set_name(std::string name) const {
  const std::uint32_t id = id_of(*impl_);
  Names& all = names();
  const std::scoped_lock lock(all.mutex);
  all.by_id[id] = std::move(name);
  impl_->flags |= TensorImpl::kNamed;
}

void set_map(TensorImpl& impl, Ints shape, Ints strides) {
  impl.rank = static_cast<std::uint8_t>(shape.size());
  std::int64_t numel = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    impl.shape[i] = shape[i];
    impl.strides[i] = strides[i];
    numel *= shape[i];
  }
  impl.numel = numel;
  impl.flags = static_cast<std::uint16_t>(impl.flags & ~(TensorImpl::kStrided | TensorImpl::kOverlap));
  if (!is_contiguous(shape, strides)) {
    impl.flags |= TensorImpl::kStrided;
    if (overlaps_itself(shape, strides)) impl.flags |= TensorImpl::kOverlap;
  }
}

// One pass over the shape: this is part of every call that makes a tensor.
Tensor empty(Ints shape, DType dtype) {
  const std::size_t rank = shape.size();
  if (rank > static_cast<std::size_t>(kMaxRank)) [[unlikely]] refuse_rank(shape);
  TensorImpl* impl = new_impl(dtype);
  impl->rank = static_cast<std::uint8_t>(rank);
  std::int64_t stride = 1;  // lengths of 0 count as 1 here, so that no stride is 0
  bool none = false;
  bool overflow = false;
  for (std::size_t i = rank; i-- > 0;) {
    const std::int64_t length = shape[i];
    impl->shape[i] = length;
    impl->strides[i] = stride;
    none |= length == 0;
    overflow |= __builtin_mul_overflow(stride, length == 0 ? 1 : length, &stride);
  }
  impl->numel = none ? 0 : stride;
  std::int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(stride, static_cast<std::int64_t>(size_of(dtype)), &bytes);
  if (overflow && !none) [[unlikely]] {
    pool::free(impl, sizeof(TensorImpl));
    refuse_size(shape);
  }
  try {
    impl->storage = new_storage(none ? 0 : static_cast<std::size_t>(bytes));
  } catch (...) {
    pool::free(impl, sizeof(TensorImpl));
    throw;
  }
  impl->data = impl->storage->data;
  return Tensor::adopt(impl);
}

Tensor scalar_tensor(Scalar value, DType dtype) {
  Tensor out = empty({}, dtype);
  dispatch(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    *out.data<T>() = value.to<T>();
  });
  return out;
}

// Numbers are kept exactly: int64 or float64, whatever dtype they will meet.
Operand::Operand(Scalar number)
    : owned_(scalar_tensor(number, number.category() == Category::kFloat ? DType::kFloat64
                                                                         : number.dtype())),
      tensor_(&owned_) {
  owned_.impl()->flags |= TensorImpl::kWeak;
}

Tensor on_storage(Storage* storage, DType dtype, Ints shape, Ints strides, std::int64_t offset) {
  TensorImpl* impl = new_impl(dtype);
  impl->storage = storage;
  impl->data = storage->data + offset * static_cast<std::int64_t>(size_of(dtype));
  set_map(*impl, shape, strides);
  return Tensor::adopt(impl);
}

Tensor alias(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  Storage* storage = x.impl()->storage;
  hold_storage(storage, Storage::kMap);
  return on_storage(storage, x.dtype(), shape, strides, offset);
}

}  // namespace oploom
