#include "runtime/core/tensor.h"

#include <mutex>
#include <unordered_map>

#include "runtime/core/error.h"
#include "runtime/core/new_tensor.h"
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

[[noreturn, gnu::cold, gnu::noinline]] void refuse_rank(Ints shape) {
  raise(ErrorKind::kUnimplemented, "tensors have at most ", kMaxRank, " dimensions, got shape ",
        shape);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_size(Ints shape) {
  raise(ErrorKind::kMemory, "a tensor of shape ", shape,
        " is too large for this machine's addresses");
}

void forget_name(std::uint32_t id) {
  Names& all = names();
  const std::scoped_lock lock(all.mutex);
  all.by_id.erase(id);
}

[[gnu::cold, gnu::noinline]] void destroy_rest(TensorImpl& impl) noexcept {
  if (impl.extras != nullptr || (impl.flags & TensorImpl::kBase) != 0) destroy_autograd(impl);
  if ((impl.flags & TensorImpl::kNamed) != 0) forget_name(impl.id);
}

}  // namespace

void (*destroy_autograd)(TensorImpl&) noexcept = nullptr;
void (*revive_object)(TensorImpl&) noexcept = nullptr;

void destroy_impl(TensorImpl* impl) noexcept {
  if (impl->object != nullptr) [[unlikely]]
    return revive_object(*impl);
  if (impl->extras != nullptr || (impl->flags & (TensorImpl::kBase | TensorImpl::kNamed)) != 0)
      [[unlikely]] {
    destroy_rest(*impl);
  }
  Shared* const grad_fn = impl->grad_fn;
  Shared* const family = impl->family;
  Storage* const storage = (impl->flags & TensorImpl::kHeldByFamily) != 0 ? nullptr : impl->storage;
  pool::free(impl, sizeof(TensorImpl));
  if (storage != nullptr) drop_storage(storage, Storage::kMap);
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
  write_map(impl, shape, strides, impl.flags & ~(TensorImpl::kStrided | TensorImpl::kOverlap));
}

// One pass over the shape: this is part of every call that makes a tensor.
Tensor empty(Ints shape, DType dtype) {
  const std::size_t rank = shape.size();
  if (rank > static_cast<std::size_t>(kMaxRank)) [[unlikely]]
    refuse_rank(shape);
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

Tensor empty_like(const Tensor& x, DType dtype) {
  const TensorImpl& like = *x.impl();
  // None, where lengths beside the 0 may be too large to multiply; or, of a map that repeats
  // elements, more than there are addresses.
  if (static_cast<std::uint64_t>(like.numel - 1) >= std::uint64_t{1} << 58) [[unlikely]] {
    return empty(x.shape(), dtype);
  }
  TensorImpl* impl = new_impl(dtype);
  impl->rank = like.rank;
  impl->numel = like.numel;
  std::int64_t stride = 1;
  for (int i = like.rank; i-- > 0;) {
    const std::int64_t length = like.shape[i];
    impl->shape[i] = length;
    impl->strides[i] = stride;
    stride *= length;
  }
  try {
    impl->storage = new_storage(static_cast<std::size_t>(like.numel) << log2_size_of(dtype));
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

namespace {

// Numbers are kept exactly: bool, int64 or float64, whatever dtype they will meet.
DType exact_dtype(Scalar number) {
  return number.category() == Category::kFloat ? DType::kFloat64 : number.dtype();
}

// A spare number counts as freed: what is in use is what somebody holds.
void count_number(std::int64_t change) {
  thread_state.live_blocks[(sizeof(TensorImpl) - 1) / pool::kUnit] += change;
  thread_state.live_blocks[(sizeof(Storage) + kInlineBytes - 1) / pool::kUnit] += change;
}

}  // namespace

// `x * 2.0` in a loop makes one tensor for its number, not one a call: 15 ns.
Operand::Operand(Scalar number) : tensor_(&owned_) {
  TensorImpl* spare = std::exchange(thread_state.spare_number, nullptr);
  if (spare == nullptr) {
    owned_ = scalar_tensor(number, exact_dtype(number));
    owned_.impl()->flags |= TensorImpl::kWeak;
    return;
  }
  count_number(1);
  owned_ = Tensor::adopt(spare);
  spare->dtype = exact_dtype(number);
  switch (spare->dtype) {
    case DType::kBool:
      *owned_.data<bool>() = number.to_bool();
      break;
    case DType::kInt64:
      *owned_.data<std::int64_t>() = number.to_int();
      break;
    default:
      *owned_.data<double>() = number.to_double();
      break;
  }
}

void Operand::give_back() noexcept {
  TensorImpl& impl = *owned_.impl();
  const bool unknown = impl.count.load(std::memory_order_acquire) == 1 &&
                       impl.flags == TensorImpl::kWeak && impl.object == nullptr &&
                       impl.extras == nullptr && impl.id == 0 &&
                       impl.storage->counts.load(std::memory_order_acquire) == Storage::kMap;
  if (!pool::kPooled || !unknown || thread_state.spare_number != nullptr) return;
  count_number(-1);
  thread_state.spare_number = owned_.release();
}

Tensor on_storage(Storage* storage, DType dtype, Ints shape, Ints strides, std::int64_t offset) {
  TensorImpl* impl = new_impl(dtype);
  impl->storage = storage;
  impl->data = storage->data + (offset << log2_size_of(dtype));
  write_map(*impl, shape, strides, 0);
  return Tensor::adopt(impl);
}

Tensor on_storage(Storage* storage, DType dtype, Ints shape, const std::int64_t* strides,
                  std::byte* data, std::int64_t numel, std::uint16_t flags) {
  TensorImpl* impl = new_impl(dtype);
  impl->storage = storage;
  impl->data = data;
  impl->numel = numel;
  impl->flags = flags;
  impl->rank = static_cast<std::uint8_t>(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    impl->shape[i] = shape[i];
    impl->strides[i] = strides[i];
  }
  return Tensor::adopt(impl);
}

Tensor alias(const Tensor& x, Ints shape, Ints strides, std::int64_t offset) {
  Storage* storage = x.impl()->storage;
  hold_storage(storage, Storage::kMap);
  return on_storage(storage, x.dtype(), shape, strides, offset);
}

}  // namespace oploom
