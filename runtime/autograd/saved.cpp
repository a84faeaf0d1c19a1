#include "runtime/autograd/saved.h"

#include "generated/roles.h"
#include "runtime/autograd/record.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"

namespace oploom {

void Saved::take(const Tensor& x) {
  TensorImpl& impl = *x.impl();
  storage_ = impl.storage;
  watch(*storage_, link_);
  data_ = impl.data;
  numel_ = impl.numel;
  flags_ = impl.flags & (TensorImpl::kStrided | TensorImpl::kOverlap | TensorImpl::kWeak);
  dtype_ = impl.dtype;
  rank_ = impl.rank;
  for (int i = 0; i < rank_; ++i) {
    shape_[i] = impl.shape[i];
    strides_[i] = impl.strides[i];
  }
}

void Saved::input(const Tensor& x) {
  if (!x.defined()) return;
  if ((x.impl()->storage->guard & Storage::kForeign) != 0) [[unlikely]]
    return copied(x, oploom::copied(x));
  copied(x, x);
}

void Saved::copied(const Tensor& x, const Tensor& copy) {
  edge_ = edge_of(x);
  id_ = id_of(*x.impl());
  kind_ = Kind::kInput;
  hold_storage(copy.impl()->storage, 1);
  take(copy);
}

void Saved::output(const Tensor& out, std::uint32_t nr) {
  if ((out.impl()->storage->guard & Storage::kForeign) != 0) [[unlikely]] {
    const Tensor copy = oploom::copied(out);
    hold_fresh_storage(copy.impl()->storage, 1);
    take(copy);
  } else {
    hold_fresh_storage(out.impl()->storage, 1);
    take(out);
  }
  id_ = id_of(*out.impl());
  kind_ = Kind::kOutput;
  output_nr_ = nr;
}

void Saved::verify_written(const Node& owner) const {
  const auto item = static_cast<std::int64_t>(size_of(dtype_));
  ByteMap map{data_ - storage_->data, item, Dims(Ints(shape_, rank_)), Dims(Ints(strides_, rank_))};
  for (std::int64_t& stride : map.strides) stride *= item;
  const WriteEntry* write = write_since(*storage_, link_.version, map);
  if (write == nullptr) return;
  raise(ErrorKind::kVersion, "(PermissionDenied) Tensor '", name_of_id(id_),
        "' used in gradient computation in grad op '", owner.op().gradient,
        "' has been modified by an inplace operation. Its version is ", storage_->version,
        " but the expected version is ", link_.version, ". It was written by '", write->op, "' at ",
        describe(write->position),
        ". Use the plain form of that op or of the one that kept the value, or ",
        "hand a clone() to one of them.");
}

Tensor Saved::get(Node& owner) const {
  if (kind_ == Kind::kEmpty) return {};
  verify(owner);
  hold_storage(storage_, Storage::kMap);
  Tensor value = on_storage(storage_, dtype_, {shape_, rank_}, strides_, data_, numel_, flags_);
  if (owner.create_graph()) {
    if (kind_ == Kind::kOutput) {
      set_history(value, Ref<Node>::share(&owner), output_nr_);
    } else if (edge_) {
      set_history(value, edge_.node, edge_.output_nr);
    }
  }
  return value;
}

Lent::Lent(const Saved& saved, const Node& owner) {
  if (saved.kind_ == Saved::Kind::kEmpty) return;
  saved.verify(owner);
  impl_.count.store(1, std::memory_order_relaxed);
  impl_.flags = saved.flags_;
  impl_.dtype = saved.dtype_;
  impl_.rank = saved.rank_;
  impl_.data = saved.data_;
  impl_.storage = saved.storage_;
  impl_.numel = saved.numel_;
  impl_.grad_fn = nullptr;
  impl_.extras = nullptr;
  impl_.object = nullptr;
  impl_.id = 0;
  impl_.output_nr = 0;
  impl_.family = nullptr;
  for (int i = 0; i < saved.rank_; ++i) {
    impl_.shape[i] = saved.shape_[i];
    impl_.strides[i] = saved.strides_[i];
  }
  tensor_ = Tensor::adopt(&impl_);
}

void Saved::release() noexcept {
  if (kind_ == Kind::kEmpty) return;
  kind_ = Kind::kEmpty;
  unwatch(*storage_, link_);
  drop_storage(storage_, 1);
  edge_ = Edge{};
}

void SavedList::resize(std::size_t count) {
  values_ = std::make_unique<Saved[]>(count);
  count_ = count;
}

void SavedList::inputs(TensorList xs) {
  resize(xs.size());
  for (std::size_t i = 0; i < count_; ++i) values_[i].input(xs[i]);
}

void SavedList::verify(const Node& owner) const {
  for (std::size_t i = 0; i < count_; ++i) values_[i].verify(owner);
}

std::vector<Tensor> SavedList::get(Node& owner) const {
  std::vector<Tensor> values;
  values.reserve(count_);
  for (std::size_t i = 0; i < count_; ++i) values.push_back(values_[i].get(owner));
  return values;
}

void SavedList::release() noexcept {
  for (std::size_t i = 0; i < count_; ++i) values_[i].release();
}

void Like::set(const Tensor& x, Ints out_shape, DType out_dtype) {
  dtype_ = x.dtype();
  same_ = dtype_ == out_dtype && x.shape() == out_shape;
  if (!same_) shape_ = x.shape();
}

void Like::set(const Tensor& x) {
  same_ = false;
  dtype_ = x.dtype();
  shape_ = x.shape();
}

void LikeList::set(TensorList xs) {
  likes_.resize(xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) likes_[i].set(xs[i]);
}

std::vector<Tensor> LikeList::bring(std::vector<Tensor> gradients) const {
  for (std::size_t i = 0; i < gradients.size(); ++i)
    gradients[i] = likes_[i].bring(std::move(gradients[i]));
  return gradients;
}

Tensor Like::bring(Tensor gradient) const {
  if (!gradient.defined() || (same_ && gradient.dtype() == dtype_)) return gradient;
  if (same_)
    return roles::cast(gradient,
                       dtype_);  // in place, out has x's dtype, a formula the promoted one
  if (Ints(shape_) != gradient.shape()) gradient = roles::sum_to(gradient, shape_);
  if (gradient.dtype() != dtype_) gradient = roles::cast(gradient, dtype_);
  return gradient;
}

}  // namespace oploom
