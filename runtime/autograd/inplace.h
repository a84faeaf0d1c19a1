#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "runtime/autograd/node.h"
#include "runtime/autograd/op_info.h"
#include "runtime/autograd/record.h"
#include "runtime/autograd/saved.h"

namespace oploom {

// One target of one in-place call, from the first check to the commit. The order of a writing
// function:
//
//   InplaceTarget target(op, "x", x);         1. may it be written at all: C1 C2 C4 C7 C10
//   target.fits(shape, dtype);                   does the result fit: C5 C6
//   const Tensor& y_read = target.before(y);  2. other inputs as they were before the call: C8
//   node, target.keep(node->y, y), target.keep_result(node->out)          saved values: B4
//   target.prepare(std::move(node));             everything else that can fail
//   kernels::op(x, y_read, x);                3. the kernel, which reports no errors
//   target.commit();                          4. version, history, log: cannot fail
//
// A call that raises in 1 or 2 has changed nothing. See docs/inplace.md.
class InplaceTarget {
 public:
  enum Mode : std::uint8_t {
    kWrite,   // an ordinary in-place op
    kUpdate,  // optimizer step: no leaf check, never recorded (C11)
  };
  [[gnu::always_inline]] InplaceTarget(const OpInfo& op, const char* argument, const Tensor& x,
                                       Mode mode = kWrite)
      : op_(op), argument_(argument), x_(x.impl()) {
    if ((x_->flags & kSpecialFlags) != 0 || (x_->storage->guard & Storage::kReadOnly) != 0)
        [[unlikely]] {
      check(mode);
    }
  }
  InplaceTarget(const InplaceTarget&) = delete;
  InplaceTarget& operator=(const InplaceTarget&) = delete;
  ~InplaceTarget() {
    if (rare_ != nullptr) [[unlikely]]
      drop_rare();
  }

  // The result's shape must be the target's, its dtype's category not above (C5, C6).
  void fits(Ints shape, DType dtype) const {
    if (shape != target_shape() || category(dtype) > category(x_->dtype)) [[unlikely]] {
      refuse_fit(shape, dtype);
    }
  }
  void fits_shape(Ints shape) const {
    fits(shape, x_->dtype);
  }  // the dtype differs by definition (C6)
  // An input as the kernel may read it: itself, or a copy where it shares bytes with the target. An
  // elementwise kernel may read the target's own map.
  const Tensor& before(const Tensor& input, bool elementwise) {
    if (!input.defined() || !may_share(*input.impl())) return input;
    return before_shared(input, elementwise);
  }
  std::vector<Tensor> before(TensorList inputs, bool elementwise);
  // Only these bytes of x will be written (x[index] = v): narrows the log entry and the overlap
  // tests. Answers them as a tensor for the kernel to write. Called before before() and keep().
  const Tensor& part(const ViewMap& map);

  // Saves an input for backward: by reference, or as a copy where the call overwrites it (B4).
  void keep(Saved& saved, const Tensor& input);
  void keep(SavedList& saved, TensorList inputs);
  // Saves the result (x after the write) as output 0 of the node.
  void keep_result(Saved& saved) { result_ = &saved; }
  // A fresh contiguous buffer like x for a kernel that may not run on x's own bytes (not
  // elementwise); commit() copies it over.
  Tensor& buffer();
  // Where a kernel with kernel_in_place: safe writes: x, or buffer() where x is strided.
  Tensor& contiguous_target(Tensor& x) { return x.contiguous() ? x : buffer(); }

  // Everything else that can fail: log entry, position, write_into node. node may be empty (not
  // recorded).
  [[gnu::always_inline]] void prepare(Ref<Node> node) {
    if (node || x_->storage->guard != 0) [[unlikely]]
      prepare_rest(std::move(node));
  }
  [[gnu::always_inline]] void commit() noexcept {
    if (rare_ != nullptr || result_ != nullptr || node_) [[unlikely]]
      return commit_rest();
    ++x_->storage->version;
  }
  // Several targets: one bump for each storage (E1, C9). Null: an absent optional target.
  static void commit_all(std::span<InplaceTarget* const> targets) noexcept;

  // --- Other ways to change the target. Each is prepare and commit in one; node may be empty.
  // New dtype or element count by definition (C6): x takes result's storage, version old + 1. node:
  // recorded where x has a history, under no_grad too. Shape tests: fits(shape, x.dtype()) before.
  void replace(Tensor result, Ref<Node> node = {});
  // Another map of the same bytes (E1a): squeeze_, reshape_, transpose_ ... Without a map: a new
  // buffer, as C6. node: recorded where x has a history, under no_grad too.
  void remap(const std::optional<ViewMap>& map, Ints shape, Ref<Node> node);
  void remap(const ViewMap& map, Ints shape, Ref<Node> node);
  // A composed op: snapshot() is x for the parts to read (recording: a copy with x's edge, for the
  // parts keep what they read); assign() copies their result into x, which takes over its history.
  // Tests that it fits.
  Tensor snapshot(const Tensor& x);
  void assign(const Tensor& result);

 private:
  static constexpr std::uint16_t kSpecialFlags = TensorImpl::kNeedsGrad | TensorImpl::kMember |
                                                 TensorImpl::kOverlap |
                                                 TensorImpl::kUnrecordedView | TensorImpl::kWeak;
  struct Rare;  // copies, buffer, part, log entry, write_into node
  Ints target_shape() const { return {x_->shape, x_->rank}; }
  void check(Mode mode) const;
  [[noreturn, gnu::cold]] void refuse_fit(Ints shape, DType dtype) const;
  // One storage, or memory of somebody else that may have been taken in twice.
  bool may_share(const TensorImpl& input) const {
    return input.storage == x_->storage ||
           (x_->storage->deleter != nullptr && input.storage->deleter != nullptr);
  }
  bool shares_written_bytes(const Tensor& input) const;
  const Tensor& before_shared(const Tensor& input, bool elementwise);
  [[noreturn, gnu::cold]] void refuse_memory() const;
  [[noreturn, gnu::cold]] void refuse_leaf() const;
  [[noreturn, gnu::cold]] void refuse_unrecorded_view() const;
  void refuse_shared_replacement() const;
  ByteMap written_bytes() const;
  const Tensor& copy_of(const Tensor& input);
  Rare& rare();
  void drop_rare() noexcept;
  void prepare_rest(Ref<Node> node);
  void prepare_cold();
  void prepare_family();
  void commit_rest() noexcept;
  void write() noexcept;
  void settle(bool bump) noexcept;
  void take_history() noexcept;

  const OpInfo& op_;
  const char* argument_;
  TensorImpl* x_;
  Rare* rare_ = nullptr;
  Saved* result_ = nullptr;
  Ref<Node> node_;
  std::uint32_t node_output_ = 0;
};

// B9: somebody outside may write to x's storage from now on. A write of all its bytes; raises
// kArgument where the storage is read-only. op names the call in messages and in the log.
void lend_writable(const Tensor& x, const char* op);

// C9: several targets of one call must not share bytes.
void check_disjoint(const OpInfo& op, std::initializer_list<const Tensor*> targets);
void check_disjoint(const OpInfo& op, TensorList targets);

}  // namespace oploom
