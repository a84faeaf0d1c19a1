#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/autograd/node.h"
#include "runtime/core/write_log.h"

namespace oploom {

// A value kept for backward: storage, map, dtype, version and the edge it had before the call;
// never a handle (B4). Lives inside its node and does not move. An undefined tensor is kept as
// undefined.
class Saved {
 public:
  Saved() = default;
  ~Saved() { release(); }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;

  // An input of the call, by reference (foreign memory: as a copy, B9), with its present edge.
  void input(const Tensor& x);
  // The same, of bytes that this call will overwrite: copy holds the value, x gives name and edge.
  void copied(const Tensor& x, const Tensor& copy);
  // Output number nr of the node itself: kept without an edge (no cycle).
  void output(const Tensor& out, std::uint32_t nr = 0);

  // Tests that no covered byte was written since; raises kVersion (B1).
  void verify(const Node& owner) const {
    if (kind_ != Kind::kEmpty && storage_->version != link_.version) [[unlikely]]
      verify_written(owner);
  }
  // The value, verified, with its edge where the run creates a graph. Undefined where undefined was
  // kept.
  Tensor get(Node& owner) const;
  void release() noexcept;

 private:
  friend class InplaceTarget;
  friend class Lent;
  void verify_written(const Node& owner) const;
  void take(const Tensor& x);  // the storage's count is the caller's matter

  SavedLink link_;
  Storage* storage_ = nullptr;
  std::byte* data_ = nullptr;
  std::int64_t numel_ = 0;
  std::uint32_t id_ = 0;  // whose value it is, for messages
  std::uint16_t flags_ = 0;
  DType dtype_ = DType::kBool;
  std::uint8_t rank_ = 0;
  enum class Kind : std::uint8_t { kEmpty, kInput, kOutput } kind_ = Kind::kEmpty;
  std::uint32_t output_nr_ = 0;
  Edge edge_;
  std::int64_t shape_[kMaxRank];
  std::int64_t strides_[kMaxRank];
};

// A saved value for the length of a kernel, verified: what get() gives without counts. Nobody may
// keep it.
class Lent {
 public:
  Lent(const Saved& saved, const Node& owner);
  ~Lent() { tensor_.release(); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  operator const Tensor&() const { return tensor_; }

 private:
  TensorImpl impl_;
  Tensor tensor_;
};

// The saved values of a list input.
class SavedList {
 public:
  void inputs(std::span<const Tensor> xs);
  void verify(const Node& owner) const;
  std::vector<Tensor> get(Node& owner) const;
  void release() noexcept;
  std::size_t size() const { return count_; }
  Saved& operator[](std::size_t i) { return values_[i]; }
  void resize(std::size_t count);

 private:
  std::unique_ptr<Saved[]> values_;
  std::size_t count_ = 0;
};

// Shape and dtype of an input that broadcasting or promotion may have changed: brings a gradient
// back.
class Like {
 public:
  // out_shape, out_dtype: of the result whose gradient will come.
  void set(const Tensor& x, Ints out_shape, DType out_dtype);
  // The result is not known beforehand: bring() always compares.
  void set(const Tensor& x);
  // Sums the axes that broadcasting added and casts; the gradient itself where both agree.
  Tensor bring(Tensor gradient) const;

 private:
  bool same_ = true;
  DType dtype_ = DType::kFloat32;
  Dims shape_;
};

class LikeList {
 public:
  void set(std::span<const Tensor> xs);
  std::vector<Tensor> bring(std::vector<Tensor> gradients) const;

 private:
  std::vector<Like> likes_;
};

}  // namespace oploom
