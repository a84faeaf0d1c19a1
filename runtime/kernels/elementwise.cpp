#include "runtime/kernels/elementwise.h"

#include <algorithm>
#include <utility>

#include "runtime/core/infer.h"
#include "runtime/kernels/convert.h"

namespace oploom::kernels {
namespace {

constexpr int kMaxOperands = 4;  // three inputs and, as number 0, the output
constexpr std::int64_t kChunk = 512;
// Shorter rows go through buffers: a call a row would cost more than the copies.
constexpr std::int64_t kShortestRow = 8;

LoopFiller* first_filler = nullptr;

// All operands seen as one loop nest; strides in bytes, 0 where an operand is broadcast.
struct Nest {
  int rank = 0;
  std::int64_t shape[kMaxRank];
  std::int64_t strides[kMaxOperands][kMaxRank];

  std::int64_t row_length() const { return rank == 0 ? 1 : shape[rank - 1]; }
  std::int64_t row_stride(int operand) const { return rank == 0 ? 0 : strides[operand][rank - 1]; }
};

// An operand as the loop wants it: where it lies, and how to get to and from the loop's dtype.
struct Place {
  std::byte* data = nullptr;
  DType dtype = DType::kBool;
  DType loop_dtype = DType::kBool;
  std::int64_t item = 0;  // bytes an element for the loop

  bool same_dtype() const { return dtype == loop_dtype; }
};

// Axes by falling stride of the output, so that neighbours in memory are met one after the other.
void sort_axes(Nest& nest, int operands) {
  for (int i = 1; i < nest.rank; ++i) {
    for (int j = i; j > 0 && nest.strides[0][j - 1] < nest.strides[0][j]; --j) {
      std::swap(nest.shape[j - 1], nest.shape[j]);
      for (int k = 0; k < operands; ++k) std::swap(nest.strides[k][j - 1], nest.strides[k][j]);
    }
  }
}

// Axes that continue one another in every operand become one.
void merge_axes(Nest& nest, int operands) {
  int kept = 0;
  for (int axis = 1; axis < nest.rank; ++axis) {
    bool continues = true;
    for (int k = 0; k < operands; ++k) {
      continues = continues && nest.strides[k][kept] == nest.strides[k][axis] * nest.shape[axis];
    }
    if (continues) {
      nest.shape[kept] *= nest.shape[axis];
    } else {
      ++kept;
      nest.shape[kept] = nest.shape[axis];
    }
    for (int k = 0; k < operands; ++k) nest.strides[k][kept] = nest.strides[k][axis];
  }
  nest.rank = std::min(nest.rank, kept + 1);
}

Nest nest_of(const ElementwiseCall& call, const Tensor& out) {
  Nest nest;
  const int operands = call.inputs + 1;
  for (int axis = 0; axis < out.rank(); ++axis) {
    const std::int64_t length = out.size(axis);
    if (length == 1) continue;
    nest.shape[nest.rank] = length;
    for (int k = 0; k < operands; ++k) {
      const Tensor& x = k == 0 ? out : *call.input[k - 1];
      const int own = axis - (out.rank() - x.rank());
      const bool spread = own < 0 || x.size(own) == 1;
      nest.strides[k][nest.rank] =
          spread ? 0 : x.strides()[own] * static_cast<std::int64_t>(size_of(x.dtype()));
    }
    ++nest.rank;
  }
  if (!out.contiguous()) sort_axes(nest, operands);
  merge_axes(nest, operands);
  return nest;
}

// Walks the elements of one operand in the order of the nest.
class Cursor {
 public:
  Cursor(const Nest& nest, int operand, std::byte* data)
      : nest_(nest), strides_(nest.strides[operand]), row_(data) {}

  // visit(first element, how many) for the next count elements, a piece of a row at a time.
  template <typename Visit>
  void take(std::int64_t count, Visit visit) {
    const std::int64_t length = nest_.row_length();
    const std::int64_t stride = nest_.rank == 0 ? 0 : strides_[nest_.rank - 1];
    while (count > 0) {
      const std::int64_t n = std::min(count, length - done_);
      visit(row_ + done_ * stride, n);
      count -= n;
      done_ += n;
      if (done_ == length) next_row();
    }
  }
  std::byte* row() const { return row_; }
  void next_row() {
    done_ = 0;
    for (int axis = nest_.rank - 2; axis >= 0; --axis) {
      row_ += strides_[axis];
      if (++at_[axis] < nest_.shape[axis]) return;
      row_ -= strides_[axis] * nest_.shape[axis];
      at_[axis] = 0;
    }
  }

 private:
  const Nest& nest_;
  const std::int64_t* strides_;
  std::byte* row_;
  std::int64_t done_ = 0;
  std::int64_t at_[kMaxRank] = {};
};

// One call in its working form.
struct Run {
  Run(const ElementwiseCall& c, const Tensor& out)
      : call(c), operands(c.inputs + 1), numel(out.numel()), nest(nest_of(c, out)) {
    for (int k = 0; k < operands; ++k) {
      const Tensor& x = k == 0 ? out : *c.input[k - 1];
      const DType loop_dtype = k == 0 ? c.result : c.dtype[k - 1];
      operand[k] = {x.bytes(), x.dtype(), loop_dtype,
                    static_cast<std::int64_t>(size_of(loop_dtype))};
    }
  }
  void by_rows(Loop loop) const;
  void by_chunks() const;
  Loop row_loop() const;

  // Whether operand k is one element.
  bool is_number(int k) const {
    return std::all_of(nest.strides[k], nest.strides[k] + nest.rank,
                       [](std::int64_t stride) { return stride == 0; });
  }
  // Whether operand k lies in the order of the nest without gaps.
  bool is_dense(int k) const {
    std::int64_t expected = operand[k].item;
    for (int axis = nest.rank - 1; axis >= 0; --axis) {
      if (nest.strides[k][axis] != expected) return false;
      expected *= nest.shape[axis];
    }
    return operand[k].same_dtype();
  }

  const ElementwiseCall& call;
  int operands;
  std::int64_t numel;
  Nest nest;
  Place operand[kMaxOperands];
};

// The loop that can run on whole rows in place, or null.
Loop Run::row_loop() const {
  if (nest.row_length() < kShortestRow && nest.row_length() != numel) return nullptr;
  int number = 0;
  for (int k = 0; k < operands; ++k) {
    if (!operand[k].same_dtype()) return nullptr;
    const std::int64_t stride = nest.row_stride(k);
    if (stride == operand[k].item || nest.rank == 0) continue;
    if (stride != 0 || k == 0 || number != 0) return nullptr;
    number = k;
  }
  return number == 0   ? call.spans
         : number == 1 ? call.x_number
         : number == 2 ? call.y_number
                       : nullptr;
}

void Run::by_rows(Loop loop) const {
  Cursor out(nest, 0, operand[0].data);
  Cursor x(nest, 1, operand[1].data);
  Cursor y(nest, operands > 2 ? 2 : 1, operand[operands > 2 ? 2 : 1].data);
  Cursor z(nest, operands > 3 ? 3 : 1, operand[operands > 3 ? 3 : 1].data);
  const std::int64_t length = nest.row_length();
  for (std::int64_t done = 0; done < numel; done += length) {
    loop(x.row(), y.row(), z.row(), out.row(), length, call.params);
    out.next_row();
    x.next_row();
    if (operands > 2) y.next_row();
    if (operands > 3) z.next_row();
  }
}

// Through buffers: gathered and converted, worked out, converted and scattered.
void Run::by_chunks() const {
  alignas(64) std::byte buffers[kMaxOperands][kChunk * 8];
  Cursor cursors[kMaxOperands] = {{nest, 0, operand[0].data},
                                  {nest, operands > 1 ? 1 : 0, operand[1].data},
                                  {nest, operands > 2 ? 2 : 0, operand[2].data},
                                  {nest, operands > 3 ? 3 : 0, operand[3].data}};
  enum class Way { kDense, kNumber, kFilled, kGathered } way[kMaxOperands];
  Convert converters[kMaxOperands];
  Loop loop = call.spans;
  for (int k = 0; k < operands; ++k) {
    const Place& o = operand[k];
    converters[k] = k == 0 ? converter(o.loop_dtype, o.dtype) : converter(o.dtype, o.loop_dtype);
    way[k] = is_dense(k) ? Way::kDense : Way::kGathered;
    if (k == 0 || way[k] == Way::kDense || !is_number(k)) continue;
    const Loop with_number = k == 1 ? call.x_number : k == 2 ? call.y_number : nullptr;
    const bool once = loop == call.spans && with_number != nullptr;
    way[k] = once ? Way::kNumber : Way::kFilled;
    if (once) loop = with_number;
    converters[k](o.data, 0, buffers[k], o.item, once ? 1 : std::min(numel, kChunk));
  }
  for (std::int64_t done = 0; done < numel; done += kChunk) {
    const std::int64_t n = std::min(kChunk, numel - done);
    const std::byte* in[kMaxOperands] = {};
    for (int k = 1; k < operands; ++k) {
      const std::int64_t item = operand[k].item;
      in[k] = way[k] == Way::kDense ? operand[k].data + done * item : buffers[k];
      if (way[k] != Way::kGathered) continue;
      std::byte* to = buffers[k];
      const std::int64_t stride = nest.row_stride(k);
      cursors[k].take(n, [&](const std::byte* from, std::int64_t count) {
        converters[k](from, stride, to, item, count);
        to += count * item;
      });
    }
    const std::int64_t item = operand[0].item;
    std::byte* out = way[0] == Way::kDense ? operand[0].data + done * item : buffers[0];
    loop(in[1], in[2], in[3], out, n, call.params);
    if (way[0] == Way::kDense) continue;
    const std::int64_t stride = nest.row_stride(0);
    cursors[0].take(n, [&](std::byte* to, std::int64_t count) {
      converters[0](out, item, to, stride, count);
      out += count * item;
    });
  }
}

// Whether number, of one element, leaves a computation with x in x's dtype.
bool keeps_dtype(const TensorImpl& x, const TensorImpl& number) {
  if (number.dtype == x.dtype) return true;
  return (number.flags & TensorImpl::kWeak) != 0 ? category(number.dtype) <= category(x.dtype)
                                                 : promote(x.dtype, number.dtype) == x.dtype;
}

}  // namespace

LoopFiller::LoopFiller(void (*fill)()) : fill_(fill), next_(first_filler) {
  first_filler = this;
  fill();
}

void refill_loops() {
  for (LoopFiller* filler = first_filler; filler != nullptr; filler = filler->next_)
    filler->fill_();
}

void Number::convert(const TensorImpl& impl, DType dtype) {
  converter(impl.dtype, dtype)(impl.data, 0, bytes, 0, 1);
}

void run_elementwise(const ElementwiseCall& call, const Tensor& out) {
  if (out.numel() == 0) return;
  const Run run(call, out);
  const Loop loop = run.row_loop();
  const auto kept = [&](int i) { return i < call.inputs ? call.input[i] : &out; };
  const Unlocked unlocked(out.numel(), {&out, kept(0), kept(1), kept(2)});
  if (loop != nullptr)
    run.by_rows(loop);
  else
    run.by_chunks();
}

ElementwiseCall call_of(const LoopRow& row, DType dtype, const void* params) {
  if (row.spans[index_of(dtype)] == nullptr) dtype = kDefaultFloat;
  ElementwiseCall call;
  call.spans = row.spans[index_of(dtype)];
  call.x_number = row.x_number[index_of(dtype)];
  call.y_number = row.y_number[index_of(dtype)];
  call.params = params;
  std::fill_n(call.dtype, 3, dtype);
  call.result = dtype;
  return call;
}

void run1_other(const LoopRow& row, const Tensor& x, const Tensor& out, const void* params) {
  ElementwiseCall call = call_of(row, x.dtype(), params);
  call.inputs = 1;
  call.input[0] = &x;
  run_elementwise(call, out);
}

// By itself, so that the short ways of run2_other need no room for it.
[[gnu::noinline]] static void run2_general(const LoopRow& row, const Tensor& x, const Tensor& y,
                                           const Tensor& out, const void* params) {
  ElementwiseCall call = call_of(row, infer::promoted(x, y), params);
  call.inputs = 2;
  call.input[0] = &x;
  call.input[1] = &y;
  run_elementwise(call, out);
}

void run2_other(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& out,
                const void* params) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& o = *out.impl();
  const int dtype = index_of(o.dtype);
  if (all_dense(a, b, o) && o.numel <= kUnlockAbove) {
    if (matches(a, o) && b.numel == 1 && keeps_dtype(a, b) && row.y_number[dtype] != nullptr) {
      const Number number(b, o.dtype);
      return row.y_number[dtype](a.data, number.bytes, nullptr, o.data, o.numel, params);
    }
    if (matches(b, o) && a.numel == 1 && keeps_dtype(b, a) && row.x_number[dtype] != nullptr) {
      const Number number(a, o.dtype);
      return row.x_number[dtype](number.bytes, b.data, nullptr, o.data, o.numel, params);
    }
  }
  run2_general(row, x, y, out, params);
}

void run3_other(const LoopRow& row, const Tensor& x, const Tensor& y, const Tensor& z,
                const Tensor& out, const void* params) {
  const TensorImpl& a = *x.impl();
  const TensorImpl& b = *y.impl();
  const TensorImpl& c = *z.impl();
  const TensorImpl& o = *out.impl();
  const int dtype = index_of(o.dtype);
  if (all_dense(a, b, c, o) && matches(a, o) && matches(c, o) && b.numel == 1 &&
      keeps_dtype(a, b) && o.numel <= kUnlockAbove && row.y_number[dtype] != nullptr) {
    const Number number(b, o.dtype);
    return row.y_number[dtype](a.data, number.bytes, c.data, o.data, o.numel, params);
  }
  ElementwiseCall call = call_of(row, infer::promoted(x, y, z), params);
  call.inputs = 3;
  call.input[0] = &x;
  call.input[1] = &y;
  call.input[2] = &z;
  run_elementwise(call, out);
}

}  // namespace oploom::kernels
