#pragma once

#include "runtime/core/pool.h"
#include "runtime/core/tensor.h"
#include "runtime/core/write_log.h"

// The parts that every function is made of which makes a tensor; inline, for each is a few stores.
namespace oploom {

// All but storage, data and map.
[[gnu::always_inline]] inline TensorImpl* new_impl(DType dtype) {
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

// set_map, and the flags as they will be without what it decides.
[[gnu::always_inline]] inline void write_map(TensorImpl& impl, Ints shape, Ints strides,
                                             unsigned flags) {
  impl.rank = static_cast<std::uint8_t>(shape.size());
  std::int64_t numel = 1;
  bool dense = true;
  for (std::size_t i = shape.size(); i-- > 0;) {
    impl.shape[i] = shape[i];
    impl.strides[i] = strides[i];
    dense = dense && (shape[i] == 1 || strides[i] == numel);
    numel *= shape[i];
  }
  impl.numel = numel;
  if (!dense && numel != 0) {
    flags |= TensorImpl::kStrided;
    if (overlaps_itself(shape, strides)) flags |= TensorImpl::kOverlap;
  }
  impl.flags = static_cast<std::uint16_t>(flags);
}

}  // namespace oploom
