#include "runtime/autograd/inplace.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/autograd/extras.h"
#include "runtime/autograd/family.h"
#include "runtime/core/error.h"
#include "runtime/core/new_tensor.h"
#include "runtime/core/prepare.h"

namespace oploom {

// What only unusual calls need.
struct InplaceTarget::Rare {
  struct Copy {
    TensorImpl* of;
    Tensor value;
  };
  std::deque<Copy> copies;  // inputs as they were before the call, once per value
  Tensor buffer;            // the kernel's result, to be copied over
  Tensor part;              // the bytes that will be written, where these are not all of x
  Tensor result_copy;       // for the saved result of foreign memory
  WriteEntry entry{};       // for a watched storage
  bool logs = false;
  bool rewrites = false;  // all of the root
  Edge family_history;    // the root's history after the write
};

namespace {

Tensor whole_of(TensorImpl* impl) { return Tensor::share(impl); }

// A view that was made while its base stopped gradient and was not read since a recorded write
// replaced the base as a whole: until it is read it is still the leaf that it was born as
// (docs/decisions.md, "Views older than a history").
bool is_stale_leaf(const TensorImpl& impl) {
  if ((impl.flags & TensorImpl::kMember) == 0) return false;
  const Family& family = *family_of(impl);
  return family.history && family.rewritten && family.base != &impl &&
         impl.family_seen != family.counter && impl.grad_fn == nullptr;
}

void drop_entry(WriteEntry& entry) noexcept {
  if (entry.position.code != nullptr && position_hooks.drop != nullptr)
    position_hooks.drop(entry.position);
}

}  // namespace

InplaceTarget::Rare& InplaceTarget::rare() {
  if (rare_ == nullptr) rare_ = new Rare;
  return *rare_;
}

void InplaceTarget::drop_rare() noexcept {
  if (rare_->logs) drop_entry(rare_->entry);
  delete rare_;
  rare_ = nullptr;
}

// --- 1. Checks.

void InplaceTarget::check(Mode mode) const {
  constexpr std::uint16_t kNever = TensorImpl::kWeak | TensorImpl::kOverlap;
  if ((x_->flags & kNever) != 0 || (x_->storage->guard & Storage::kReadOnly) != 0) refuse_memory();
  if (mode == kUpdate || !grad_enabled()) return;
  if ((x_->flags & TensorImpl::kUnrecordedView) != 0 && family_of(*x_)->needs_grad)
    refuse_unrecorded_view();
  if ((x_->flags & TensorImpl::kMember) != 0) {
    if (is_stale_leaf(*x_)) refuse_leaf();
    sync_history(*x_);
    const Family& family = *family_of(*x_);
    if (family.needs_grad && !family.history) refuse_leaf();
  }
  if ((x_->flags & TensorImpl::kNeedsGrad) != 0 && x_->grad_fn == nullptr) refuse_leaf();
}

void InplaceTarget::refuse_memory() const {
  const Tensor x = whole_of(x_);
  if (x.weak()) {
    raise(ErrorKind::kType, "[", op_.name, "] ", argument_,
          ": expected a tensor to write into, got a number");
  }
  if ((x_->storage->guard & Storage::kReadOnly) != 0) {
    raise(ErrorKind::kArgument, "[", op_.name, "] ", argument_, ": Tensor '", x.name(),
          "' lies in read-only memory taken in without a copy; write into its clone()");
  }
  raise(ErrorKind::kArgument, "[", op_.name, "] ", argument_, ": Tensor '", x.name(), "' of shape ",
        x.shape(), " and strides ", x.strides(),
        " has elements that share an address (made by expand or taken in so); write into its "
        "clone()");
}

void InplaceTarget::refuse_leaf() const {
  const Tensor x = whole_of(x_);
  const Family* family = family_of(*x_);
  const bool view = family != nullptr && family->base != x_;
  raise(ErrorKind::kLeafInplace, "(InvalidArgument) Leaf Tensor (",
        view ? name_of_id(family->base_id) : x.name(),
        ") that doesn't stop gradient can't use inplace strategy. [", op_.name, "] ", argument_,
        ": ", view ? text("Tensor '", x.name(), "' is a view of it") : text("it is the target"),
        ", of shape ", x.shape(),
        ". Call it under no_grad(), set stop_gradient = True, or use the plain form.");
}

void InplaceTarget::refuse_unrecorded_view() const {
  const Tensor x = whole_of(x_);
  raise(ErrorKind::kInplace, "[", op_.name, "] ", argument_, ": Tensor '", x.name(),
        "' is a view that was made under no_grad() of Tensor '",
        name_of_id(family_of(*x_)->base_id),
        "': a recorded write into it would be lost. Make the view with gradients enabled, or move "
        "this call "
        "under no_grad().");
}

void InplaceTarget::refuse_fit(Ints shape, DType dtype) const {
  const Tensor x = whole_of(x_);
  if (shape != x.shape()) {
    raise(ErrorKind::kArgument, "[", op_.name, "] ", argument_, ": the result has shape ", shape,
          ", which is not the shape ", x.shape(),
          " of the target; use the plain form, or expand the target first");
  }
  raise(ErrorKind::kType, "[", op_.name, "] ", argument_, ": the result is ", dtype,
        ", which does not fit a target of ", x.dtype(),
        "; use the plain form, or cast the target first");
}

void lend_writable(const Tensor& x, const char* op) {
  Storage& storage = *x.impl()->storage;
  if ((storage.guard & Storage::kReadOnly) != 0) {
    raise(ErrorKind::kArgument, "[", op, "] Tensor '", x.name(),
          "' lies in read-only memory taken in without a copy; ask for a copy instead");
  }
  if ((storage.guard & Storage::kForeign) != 0) return;
  if ((storage.guard & Storage::kWatched) != 0) {
    reserve_entry(storage);
    const Position position =
        position_hooks.capture != nullptr ? position_hooks.capture() : Position{};
    log_write(storage, WriteEntry{op, storage.version + 1, position, whole(storage)});
  }
  ++storage.version;
  storage.guard |= Storage::kForeign;
}

void check_disjoint(const OpInfo& op, std::initializer_list<const Tensor*> targets) {
  for (auto a = targets.begin(); a != targets.end(); ++a) {
    for (auto b = a + 1; b != targets.end(); ++b) {
      if (!(*a)->defined() || !(*b)->defined() || (*a)->impl()->storage != (*b)->impl()->storage)
        continue;
      if (!share_bytes(byte_map(**a), byte_map(**b))) continue;
      raise(ErrorKind::kArgument, "[", op.name, "] targets '", (*a)->name(), "' and '",
            (*b)->name(), "' share memory; each needs its own");
    }
  }
}

void check_disjoint(const OpInfo& op, TensorList targets) {
  // Sorted by storage and first byte, only neighbours in one storage need a look.
  std::vector<const Tensor*> sorted;
  for (const Tensor& x : targets) sorted.push_back(&x);
  std::sort(sorted.begin(), sorted.end(), [](const Tensor* a, const Tensor* b) {
    return a->impl()->storage < b->impl()->storage;
  });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i + 1; j < sorted.size(); ++j) {
      if (sorted[i]->impl()->storage != sorted[j]->impl()->storage) break;
      check_disjoint(op, {sorted[i], sorted[j]});
    }
  }
}

// --- 2. All that can fail.

const Tensor& InplaceTarget::part(const ViewMap& map) {
  Rare& more = rare();
  more.part = alias(whole_of(x_), map.shape, map.strides, map.offset);
  return more.part;
}

ByteMap InplaceTarget::written_bytes() const {
  return byte_map(rare_ != nullptr && rare_->part.defined() ? rare_->part : whole_of(x_));
}

const Tensor& InplaceTarget::copy_of(const Tensor& input) {
  Rare& more = rare();
  for (const Rare::Copy& copy : more.copies) {
    if (copy.of == input.impl()) return copy.value;
  }
  more.copies.push_back({input.impl(), copied(input)});
  return more.copies.back().value;
}

bool InplaceTarget::shares_written_bytes(const Tensor& input) const {
  if (!may_share(*input.impl())) return false;
  ByteMap map = byte_map(input);
  map.offset += input.impl()->storage->data - x_->storage->data;
  return share_bytes(map, written_bytes());
}

const Tensor& InplaceTarget::before_shared(const Tensor& input, bool elementwise) {
  const Tensor target = rare_ != nullptr && rare_->part.defined() ? rare_->part : whole_of(x_);
  const bool same_map = input.bytes() == target.bytes() && input.dtype() == target.dtype() &&
                        input.shape() == target.shape() && input.strides() == target.strides();
  if (elementwise && same_map) return input;
  return shares_written_bytes(input) ? copy_of(input) : input;
}

std::vector<Tensor> InplaceTarget::before(TensorList inputs, bool elementwise) {
  std::vector<Tensor> read;
  read.reserve(inputs.size());
  for (const Tensor& input : inputs) read.push_back(before(input, elementwise));
  return read;
}

void InplaceTarget::keep(Saved& saved, const Tensor& input) {
  if (!input.defined()) return;
  if (shares_written_bytes(input))
    saved.copied(input, copy_of(input));
  else
    saved.input(input);
}

void InplaceTarget::keep(SavedList& saved, TensorList inputs) {
  saved.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) keep(saved[i], inputs[i]);
}

Tensor& InplaceTarget::buffer() {
  Rare& more = rare();
  more.buffer = empty(target_shape(), x_->dtype);
  return more.buffer;
}

void InplaceTarget::prepare_rest(Ref<Node> node) {
  node_ = std::move(node);
  node_output_ = 0;
  if (node_) [[unlikely]] {
    node_->target_id = id_of(*x_);
    if ((x_->flags & (TensorImpl::kMember | TensorImpl::kUnrecordedView)) != 0) prepare_family();
  }
  if (x_->storage->guard != 0) [[unlikely]]
    prepare_cold();
}

void InplaceTarget::prepare_family() {
  if ((x_->flags & TensorImpl::kUnrecordedView) != 0) refuse_unrecorded_view();
  Family& family = *family_of(*x_);
  const RootMap map = root_map(family, *x_);
  Edge own{node_, node_output_};
  rare().rewrites = map.covers && !rare().part.defined();
  if (map.identity) {
    rare().family_history = std::move(own);
  } else if (map.covers) {
    rare().family_history = Edge{make_embed_node(map, std::move(own)), 0};
  } else {
    rare().family_history = Edge{make_write_into_node(map, root_edge(family), std::move(own)), 0};
  }
}

void InplaceTarget::prepare_cold() {
  Storage& storage = *x_->storage;
  if (result_ != nullptr && (storage.guard & Storage::kForeign) != 0) {
    rare().result_copy = empty(target_shape(), x_->dtype);
  }
  if ((storage.guard & Storage::kWatched) == 0) return;
  Rare& more = rare();
  reserve_entry(storage);
  more.entry = WriteEntry{op_.name, storage.version + 1, {}, written_bytes()};
  if (position_hooks.capture != nullptr) more.entry.position = position_hooks.capture();
  more.logs = true;
}

// --- 4. Commit.

void InplaceTarget::write() noexcept {
  if (rare_ == nullptr || !rare_->buffer.defined()) return;
  copy_elements(rare_->buffer, whole_of(x_));
}

void InplaceTarget::commit_rest() noexcept {
  write();
  settle(true);
}

void InplaceTarget::settle(bool bump) noexcept {
  if (bump) ++x_->storage->version;
  if (rare_ != nullptr && rare_->logs) {
    rare_->entry.version = x_->storage->version;
    log_write(*x_->storage, std::move(rare_->entry));
    rare_->logs = false;
  }
  if (result_ != nullptr) {
    Tensor result = whole_of(x_);
    result_->id_ = id_of(*x_);
    result_->kind_ = Saved::Kind::kOutput;
    if (rare_ != nullptr && rare_->result_copy.defined()) {
      copy_elements(result, rare_->result_copy);
      result = rare_->result_copy;
    }
    hold_storage(result.impl()->storage, 1);
    result_->take(result);
  }
  if (node_) take_history();
}

void InplaceTarget::take_history() noexcept {
  Shared* const before = std::exchange(x_->grad_fn, node_.release());
  x_->output_nr = node_output_;
  x_->flags |= TensorImpl::kNeedsGrad;
  if ((x_->flags & TensorImpl::kMember) != 0) {
    Family& family = *family_of(*x_);
    if (rare_ != nullptr && rare_->family_history) {
      family.history = std::move(rare_->family_history);
      family.needs_grad = true;
      family.rewritten = rare_->rewrites;
      x_->family_seen = ++family.counter;
    }
  }
  if (x_->extras != nullptr && x_->extras->retains) {
    sign_off_retained(*x_);
    follow_retained(*x_);
  }
  drop(before);
}

void InplaceTarget::commit_all(std::span<InplaceTarget* const> targets) noexcept {
  for (auto a = targets.begin(); a != targets.end(); ++a) {
    if (*a == nullptr) continue;  // an absent optional target
    (*a)->write();
    const auto same = [&](const InplaceTarget* b) {
      return b != nullptr && b->x_->storage == (*a)->x_->storage;
    };
    (*a)->settle(std::none_of(targets.begin(), a, same));
  }
}

void InplaceTarget::replace(Tensor result, Ref<Node> node) {
  refuse_shared_replacement();
  const bool stays_float = is_float(result.dtype());
  TensorImpl& fresh = *result.impl();
  if ((x_->flags & TensorImpl::kUnrecordedView) != 0 && node) refuse_unrecorded_view();
  node_ = std::move(node);
  if (node_) node_->target_id = id_of(*x_);
  // Nothing below can fail.
  leave_family(*x_);
  fresh.storage->version = x_->storage->version + 1;
  std::swap(x_->storage, fresh.storage);
  std::swap(x_->data, fresh.data);
  std::swap(x_->dtype, fresh.dtype);
  set_map(*x_, result.shape(), result.strides());
  if (result_ != nullptr)
    settle(false);
  else if (node_)
    take_history();
  if (!stays_float) {
    if (x_->extras != nullptr && x_->extras->retains) sign_off_retained(*x_);
    drop(std::exchange(x_->grad_fn, nullptr));
    x_->flags &= static_cast<std::uint16_t>(~TensorImpl::kNeedsGrad);
  }
}

void InplaceTarget::refuse_shared_replacement() const {
  const Tensor x = whole_of(x_);
  if (shows_alone(*x_)) return;
  raise(ErrorKind::kInplace, "[", op_.name, "] ", argument_, ": Tensor '", x.name(),
        "' shares its memory with another tensor (a view, its base or a detach()), so it cannot "
        "take new memory of "
        "another dtype or size; use the plain form");
}

void InplaceTarget::remap(const std::optional<ViewMap>& map, Ints shape, Ref<Node> node) {
  if (!map) {
    const Tensor x = whole_of(x_);
    Tensor fresh = copied(x);
    set_map(*fresh.impl(), shape, contiguous_strides(shape));
    return replace(std::move(fresh), std::move(node));
  }
  remap(*map, shape, std::move(node));
}

void InplaceTarget::remap(const ViewMap& map, Ints, Ref<Node> node) {
  if (node) [[unlikely]] {
    node->target_id = id_of(*x_);
    node_ = std::move(node);
  }
  if (x_->storage->guard != 0) [[unlikely]]
    prepare_cold();
  x_->data = x_->storage->data + (map.offset << log2_size_of(x_->dtype));
  write_map(*x_, map.shape, map.strides,
            x_->flags & ~(TensorImpl::kStrided | TensorImpl::kOverlap));
  if (rare_ != nullptr || result_ != nullptr || node_) [[unlikely]]
    return settle(true);
  ++x_->storage->version;
}

Tensor InplaceTarget::snapshot(const Tensor& x) {
  if (!recording(x)) return x;
  Tensor value = copied(x);
  Edge edge = edge_of(x);
  set_history(value, std::move(edge.node), edge.output_nr);
  return value;
}

void InplaceTarget::assign(const Tensor& result) {
  fits(result.shape(), result.dtype());
  rare().buffer = result;
  Edge history = grad_enabled() ? edge_of(result) : Edge{};
  node_output_ = history.output_nr;
  node_ = std::move(history.node);
  if (node_) node_->target_id = id_of(*x_);
  if (node_ && (x_->flags & (TensorImpl::kMember | TensorImpl::kUnrecordedView)) != 0)
    prepare_family();
  if (x_->storage->guard != 0) prepare_cold();
  commit();
}

}  // namespace oploom
