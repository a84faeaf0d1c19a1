#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/core/shared.h"
#include "runtime/core/tensor.h"
#include "runtime/program/ir.h"

namespace oploom::program {

struct ListData;

// What a value is while a program runs: a tensor or a list. Numbers are small tensors (int64 or
// float64 [], int64 [n]), so that they can be yielded, carried and kept in lists as tensors can.
struct Slot {
  Tensor tensor;
  Ref<ListData> list;
};

// The entries of a list. Shared by all slots that hold the list; written only by a sole holder
// (list_to_write).
struct ListData final : Shared {
  std::vector<Slot> items;
  void destroy() noexcept override { delete this; }
};

// The list of slot to be changed: itself where nobody else holds it, else a copy of the entries'
// handles.
ListData& list_to_write(Slot& slot);
// Nobody else holds the tensor or sees its bytes, and the bytes are ours to write.
inline bool solely_held(const Tensor& x) {
  const TensorImpl& impl = *x.impl();
  return impl.count.load(std::memory_order_acquire) == 1 && impl.object == nullptr &&
         impl.storage->counts.load(std::memory_order_acquire) == Storage::kMap &&
         impl.storage->guard == 0;
}

// What run functions see of one call; made once for each op of a plan. Slots are the interpreter's:
// nothing is copied for a call. Attributes are patched with metadata already.
struct RunFrame {
  const Op& op;
  std::span<Slot* const> inputs;   // flat, as op.inputs
  std::span<Slot* const> outputs;  // flat, as op.results; to be filled
  std::span<const Attribute> attributes;
  // The paired inputs are dead, contiguous and solely held: run in their buffers where the results
  // have their shapes and dtypes (result()).
  bool inplace = false;
  // The user wrote in place: a result that its input cannot take is an error.
  bool must_fit = false;
  std::uint64_t dying = 0;            // bit i: inputs[i] has no later reader (the first 64 alone)
  std::uint64_t random_key = 0;       // (number, trip path, run count) of a random op as one key
  std::vector<Tensor> gathered = {};  // of list()

  // The tensor of a group of one; undefined where absent.
  const Tensor& input(std::size_t group) const {
    if (op.group_sizes.empty()) return inputs[group]->tensor;
    return grouped_input(group);
  }
  // The same of an op whose inputs are one tensor each.
  const Tensor& plain_input(std::size_t i) const { return inputs[i]->tensor; }
  // The tensors of a list; good until the next call of list().
  std::span<const Tensor> list(std::size_t group);
  Tensor& output(std::size_t i) { return outputs[i]->tensor; }
  template <typename T>
  const T& attribute(std::size_t i) const {
    return std::get<T>(attributes[i]);
  }
  // A tensor for output i to be written: the buffer of the input that it is paired with where this
  // call may run in it and shape and dtype are the buffer's, else a fresh one. For kernels that may
  // write what they read.
  Tensor& result(std::size_t i, Ints shape, DType dtype) const {
    if (!inplace) [[likely]]
      return put(i, empty(shape, dtype));
    return put(i, buffer_or_fresh(i, shape, dtype));
  }
  // The same for a result of x's shape; quicker.
  [[gnu::always_inline]] Tensor& result_like(std::size_t i, const Tensor& x, DType dtype) const {
    if (!inplace) [[likely]] {
      TensorImpl* const made = empty_like(x, dtype).release();
      return put(i, made);
    }
    return put(i, buffer_or_fresh(i, x.shape(), dtype));
  }
  // Output i from here on.
  Tensor& put(std::size_t i, Tensor made) const { return put(i, made.release()); }
  // Its slot is empty as a rule, and then nothing is to be destroyed: told apart here, for the
  // compiler cannot know.
  [[gnu::always_inline]] Tensor& put(std::size_t i, TensorImpl* made) const {
    Tensor& place = outputs[i]->tensor;
    if (!place.defined()) [[likely]]
      place = Tensor::adopt(made);
    else
      replace(place, made);
    return place;
  }
  // The same of an op that has the in-place form alone: the input itself where this call may run in
  // it, else a copy.
  Tensor writable(std::size_t group) const;
  // That buffer, or a fresh tensor.
  Tensor buffer_or_fresh(std::size_t i, Ints shape, DType dtype) const;
  // The value of inputs[flat], moved out of its slot where this op is its last reader.
  Slot take(std::size_t flat);

 private:
  const Tensor& grouped_input(std::size_t group) const;
  static void replace(Tensor& place, TensorImpl* made);
};

// Numbers as the attribute of a declared type ("int", "float", "scalar", "int[]", "shape", "axes").
Attribute attribute_of(const Tensor& numbers, std::string_view type);
// Raises where attribute i of op, which came as metadata, is not what types were worked out with.
void expect_known(const Op& op, std::size_t i, const Attribute& now);

}  // namespace oploom::program
