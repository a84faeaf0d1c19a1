#include "runtime/kernels/fill.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/blocking.h"
#include "runtime/core/prepare.h"

namespace oploom::kernels {

void fill_elements(const Scalar& value, const Tensor& out) {
  if (!out.contiguous()) {
    copy_elements(scalar_tensor(value, out.dtype()), out);
    return;
  }
  std::byte* data = out.bytes();
  const std::int64_t n = out.numel();
  const DType dtype = out.dtype();
  const Unlocked unlocked(n, {&out});
  dispatch(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::fill_n(reinterpret_cast<T*>(data), n, value.to<T>());
  });
}

}  // namespace oploom::kernels
