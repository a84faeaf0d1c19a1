#pragma once

#include "runtime/program/ir.h"

// The ops of programs themselves; all others come from the registry. Shapes and dtypes of each:
// control.cpp.
namespace oploom::program {

// if(pred) {then} {else}: one result for each yield; the types of both branches joined.
extern const OpDef kIf;
// while(inits...) {condition} {body}: both regions have one argument for each init, of the joined
// type of init and yield; condition yields one bool, body the next arguments. Results: the last
// ones. Values from outside are used inside freely (captured).
extern const OpDef kWhile;

// Lists of tensors (of lists, of numbers) as values; each with a vjp (control_vjp.cpp).
extern const OpDef kNewList;     // new_list() -> list
extern const OpDef kPush;        // push(list, x) -> list
extern const OpDef kPop;         // pop(list) -> list, x
extern const OpDef kAt;          // at(list, i) -> x
extern const OpDef kPut;         // put(list, i, x) -> list ; i may be the length: appends
extern const OpDef kLength;      // length(list) -> int64 []
extern const OpDef kStack;       // stack(list) -> tensor with a new axis 0
extern const OpDef kConcatList;  // concat(list) -> tensor, along axis 0
// What their gradients are made of, with vjps of their own.
extern const OpDef kZerosLikeList;  // zeros(x) -> zeros like a list, or like a tensor
extern const OpDef
    kAddLists;  // add(lists...) -> entry by entry; shorter ones count as zeros at their end
extern const OpDef kAddAt;       // add_at(list, i, x) -> list with x added to entry i
extern const OpDef kCut;         // cut(list, n) -> its first n entries, and the others
extern const OpDef kExtend;      // extend(list, more) -> list with more's entries behind
extern const OpDef kUnstack;     // unstack(tensor) -> list along axis 0
extern const OpDef kSplit;       // split(tensor, lengths int64 [n]) -> list, of type `type`, of parts along axis 0
extern const OpDef kEntryShape;  // entry_shape(list, i) -> the shape of entry i, metadata
extern const OpDef kRowLengths;  // row_lengths(list) -> int64 [n]: of each entry on axis 0

// Metadata. Attributes function (shape, numel, size, sizes) and axis.
extern const OpDef kMetadata;
// Attributes operator (+ - * /), x, y: scalars, metadata where attribute_values are set.
extern const OpDef kArithmetic;
// A number as operand, a weak 0-d tensor. Attribute value: a scalar, metadata where
// attribute_values is set.
extern const OpDef kToOperand;
// shift(old, new): the value of new, gradient 1 to old and none to new (a write that was not
// recorded, E7).
extern const OpDef kShift;
// What the branch not taken yields for a value that only the taken one knows; no op may read it.
extern const OpDef kUndefined;

// What errors call an op: those that a TensorArray records have its methods' names.
const char* call_name(const OpDef& def);

std::span<const OpDef* const> own_ops();
const OpDef* find_own_op(std::string_view name);

// Appended to the current builder's region.
Value* new_list(const Type& list);  // an empty list of that type
Value* undefined(const Type& type);

}  // namespace oploom::program
