#pragma once

#include <cstddef>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/tensor.h"

namespace oploom {

// What inference may know of an input: its shape (a length may be -1, unknown, in program mode) and
// dtype, never data. Borrowed from a tensor or a program value for the length of a call.
struct Meta {
  Ints shape;
  DType dtype = DType::kBool;
  bool weak = false;     // a Python number
  bool present = false;  // an optional input may be absent

  Meta() = default;
  Meta(Ints shape_, DType dtype_, bool weak_ = false)
      : shape(shape_), dtype(dtype_), weak(weak_), present(true) {}
  Meta(const Tensor& x)
      : shape(x.defined() ? x.shape() : Ints()),
        dtype(x.defined() ? x.dtype() : DType::kBool),
        weak(x.defined() && x.weak()),
        present(x.defined()) {}
  Meta(const Operand& x) : Meta(x.tensor()) {}
  int rank() const { return shape.rank(); }
};

// A list input, as metas.
class MetaList {
 public:
  template <typename List>
    requires requires(const List& list) {
      Meta(list[0]);
      list.size();
    }
  MetaList(const List& list)
      : list_(&list), size_(list.size()), at_([](const void* l, std::size_t i) {
          return Meta((*static_cast<const List*>(l))[i]);
        }) {}
  std::size_t size() const { return size_; }
  Meta operator[](std::size_t i) const { return at_(list_, i); }

 private:
  const void* list_;
  std::size_t size_;
  Meta (*at_)(const void*, std::size_t);
};

}  // namespace oploom
