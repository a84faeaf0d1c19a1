#include "runtime/program/control_vjp.h"

#include "runtime/core/error.h"
#include "runtime/program/builder.h"
#include "runtime/program/control.h"
#include "runtime/program/gradients.h"
#include "runtime/program/roles.h"

// Gradient rules of shift and of lists. The gradient of a list is a list of the same length.
namespace oploom::program {
namespace {

Value* append(const OpDef& def, std::vector<Value*> inputs, std::vector<Attribute> attributes = {}) {
  return Builder::current().append(def, std::move(inputs), std::move(attributes)).results[0].get();
}

// Of a tensor only the shape is read.
Value* zeros_of(Value* x) {
  if (x->type.is_tensor()) return roles::zeros(shape(x), x->type.dtype);
  return append(kZerosLikeList, {x});
}

// What the rules below start from where nothing has reached the list yet.
Value* gradient_so_far(Vjp& vjp, std::size_t group) {
  Value* so_far = vjp.so_far(group);
  return so_far != nullptr ? so_far : zeros_of(vjp.input(group));
}

// Like the entry that was there before; nothing reads them where there was none.
Value* zeros_of_replaced(const Vjp& vjp, Value* written) {
  if (vjp.replaced()) return roles::zeros(*vjp.replaced(), written->type.dtype);
  const Type& list = vjp.input(0)->type;
  const bool known = !list.open && list.depth == 1 && written->type.is_tensor();
  return known ? roles::zeros(element_of(list).shape, written->type.dtype) : zeros_of(written);
}

}  // namespace

void vjp_shift(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, vjp.grad(0));
}

void vjp_push(Vjp& vjp) {
  const Op& popped = Builder::current().append(kPop, {vjp.grad(0)}, {});
  if (vjp.needs(0)) vjp.give(0, popped.results[0].get());
  if (vjp.needs(1)) vjp.give(1, popped.results[1].get());
}

// The list lost its last entry, whose gradient takes its place again.
void vjp_pop(Vjp& vjp) {
  if (!vjp.needs(0)) return;
  Value* rest = vjp.grad(0) != nullptr ? vjp.grad(0) : zeros_of(vjp.output(0));
  Value* last = vjp.grad(1) != nullptr ? vjp.grad(1) : zeros_of(vjp.output(1));
  vjp.give(0, append(kPush, {rest, last}));
}

// Into the sum itself: a list of zeros for each read would make a loop of reads quadratic.
void vjp_at(Vjp& vjp) {
  if (!vjp.needs(0)) return;
  vjp.replace(0, append(kAddAt, {gradient_so_far(vjp, 0), vjp.input(1), vjp.grad(0)}));
}

// The entry written is the new value's; what stood there before, if anything did, has none.
void vjp_put(Vjp& vjp) {
  Value* grads = vjp.grad(0);
  Value* written = append(kAt, {grads, vjp.input(1)});
  if (vjp.needs(2)) vjp.give(2, written);
  if (!vjp.needs(0)) return;
  Value* cleared = append(kPut, {grads, vjp.input(1), zeros_of_replaced(vjp, written)});
  vjp.give(0, append(kCut, {cleared, append(kLength, {vjp.input(0)})}));
}

void vjp_stack(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, append(kUnstack, {vjp.grad(0)}));
}

// A list of the same type, too: a loop carries it.
void vjp_concat(Vjp& vjp) {
  if (!vjp.needs(0)) return;
  Value* list = vjp.input(0);
  vjp.give(0, append(kSplit, {vjp.grad(0), append(kRowLengths, {list})}, {text(list->type)}));
}

void vjp_add_lists(Vjp& vjp) {
  std::vector<Value*> grads;
  for (Value* list : vjp.list(0)) {
    grads.push_back(append(kCut, {vjp.grad(0), append(kLength, {list})}));
  }
  if (vjp.needs(0)) vjp.give_list(0, grads);
}

void vjp_add_at(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, vjp.grad(0));
  if (vjp.needs(2)) vjp.give(2, append(kAt, {vjp.grad(0), vjp.input(1)}));
}

// Reads only what was cut off: to read the list would make a loop of cuts quadratic.
void vjp_cut(Vjp& vjp) {
  if (!vjp.needs(0)) return;
  Value* first = vjp.grad(0) != nullptr ? vjp.grad(0) : zeros_of(vjp.output(0));
  Value* rest = vjp.grad(1) != nullptr ? vjp.grad(1) : zeros_of(vjp.output(1));
  vjp.give(0, append(kExtend, {first, rest}));
}

void vjp_extend(Vjp& vjp) {
  Value* length = append(kLength, {vjp.input(0)});
  const Op& cut = Builder::current().append(kCut, {vjp.grad(0), length}, {});
  if (vjp.needs(0)) vjp.give(0, cut.results[0].get());
  if (vjp.needs(1)) vjp.give(1, cut.results[1].get());
}

void vjp_unstack(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, append(kStack, {vjp.grad(0)}));
}

void vjp_split(Vjp& vjp) {
  if (vjp.needs(0)) vjp.give(0, append(kConcatList, {vjp.grad(0)}));
}

}  // namespace oploom::program
