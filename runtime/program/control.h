#pragma once

#include "runtime/program/ir.h"

// The ops of programs themselves; all others come from the registry.
namespace oploom::program {

// if(pred) {then} {else}: one result for each yield; the types of both branches joined.
extern const OpDef kIf;
// while(inits...) {condition} {body}: both regions have one argument for each init; condition yields one bool, body the
// next arguments. Results: the last ones. Values from outside are used inside freely (captured).
extern const OpDef kWhile;
// Lists of tensors as values. push(list, x) -> list ; pop(list) -> list, x ; at(list, i) -> x ;
// put(list, i, x) -> list (i may be the length: appends) ; length(list) -> int64 [] ; stack(list) -> tensor ;
// concat(list) -> tensor along axis 0 ; new_list() -> list ; each with a vjp.
extern const OpDef kNewList, kPush, kPop, kAt, kPut, kLength, kStack, kConcatList;
// A list of zeros like another list, and sums of lists entry by entry (shorter ones count as zeros at their end).
extern const OpDef kZerosLikeList, kAddLists;
// Metadata: attribute "function": shape, numel, size, sizes; arithmetic: + - * /; number -> weak 0-d tensor.
extern const OpDef kMetadata, kArithmetic, kToOperand;
// shift(old, new): the value of new, gradient 1 to old and none to new (a write that was not recorded, E7).
extern const OpDef kShift;
// What the branch not taken yields for a value that only the taken one knows; no op may read it.
extern const OpDef kUndefined;
// A constant tensor (attribute holds nothing; the tensor sits in `constants` of the program) is kept as a parameter.

}  // namespace oploom::program
