// Generated from ops/layout.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- reshape ------------------------------------------------------------------- ops/layout.yaml:3
constexpr Signature<2> reshape_signature{"reshape", {"x", "shape"}, 2, 0b11,
                                         {&program::defs::kReshape, ProgramForm::kPlain}};
inline PyObject* call_reshape(const Arguments<reshape_signature>& in) {
  return wrap(imperative_reshape(in.tensor(0), in.ints(1)));
}
constexpr Signature<2> reshape__signature{"reshape_", {"x", "shape"}, 2, 0b11,
                                          {&program::defs::kReshape, ProgramForm::kInplace}};
inline PyObject* call_reshape_(const Arguments<reshape__signature>& in) {
  imperative_reshape_(in.target(0), in.ints(1));
  return Py_NewRef(in.object(0));
}

// --- squeeze ------------------------------------------------------------------ ops/layout.yaml:18
constexpr Signature<2> squeeze_signature{"squeeze", {"x", "axis"}, 2, 0b01,
                                         {&program::defs::kSqueeze, ProgramForm::kPlain}};
inline PyObject* call_squeeze(const Arguments<squeeze_signature>& in) {
  return wrap(imperative_squeeze(in.tensor(0), in.ints(1, {})));
}
constexpr Signature<2> squeeze__signature{"squeeze_", {"x", "axis"}, 2, 0b01,
                                          {&program::defs::kSqueeze, ProgramForm::kInplace}};
inline PyObject* call_squeeze_(const Arguments<squeeze__signature>& in) {
  imperative_squeeze_(in.target(0), in.ints(1, {}));
  return Py_NewRef(in.object(0));
}

// --- unsqueeze ---------------------------------------------------------------- ops/layout.yaml:31
constexpr Signature<2> unsqueeze_signature{"unsqueeze", {"x", "axis"}, 2, 0b01,
                                           {&program::defs::kUnsqueeze, ProgramForm::kPlain}};
inline PyObject* call_unsqueeze(const Arguments<unsqueeze_signature>& in) {
  return wrap(imperative_unsqueeze(in.tensor(0), in.ints(1, {})));
}
constexpr Signature<2> unsqueeze__signature{"unsqueeze_", {"x", "axis"}, 2, 0b01,
                                            {&program::defs::kUnsqueeze, ProgramForm::kInplace}};
inline PyObject* call_unsqueeze_(const Arguments<unsqueeze__signature>& in) {
  imperative_unsqueeze_(in.target(0), in.ints(1, {}));
  return Py_NewRef(in.object(0));
}

// --- transpose ---------------------------------------------------------------- ops/layout.yaml:43
constexpr Signature<2> transpose_signature{"transpose", {"x", "perm"}, 2, 0b11,
                                           {&program::defs::kTranspose, ProgramForm::kPlain}};
inline PyObject* call_transpose(const Arguments<transpose_signature>& in) {
  return wrap(imperative_transpose(in.tensor(0), in.ints(1)));
}
constexpr Signature<2> transpose__signature{"transpose_", {"x", "perm"}, 2, 0b11,
                                            {&program::defs::kTranspose, ProgramForm::kInplace}};
inline PyObject* call_transpose_(const Arguments<transpose__signature>& in) {
  imperative_transpose_(in.target(0), in.ints(1));
  return Py_NewRef(in.object(0));
}

// --- expand ------------------------------------------------------------------- ops/layout.yaml:62
constexpr Signature<2> expand_signature{"expand", {"x", "shape"}, 2, 0b11,
                                        {&program::defs::kExpand, ProgramForm::kPlain}};
inline PyObject* call_expand(const Arguments<expand_signature>& in) {
  return wrap(imperative_expand(in.tensor(0), in.ints(1)));
}

// --- slice -------------------------------------------------------------------- ops/layout.yaml:76
constexpr Signature<2> slice_signature{"slice", {"x", "index"}, 2, 0b11,
                                       {&program::defs::kSlice, ProgramForm::kPlain}};
inline PyObject* call_slice(const Arguments<slice_signature>& in) {
  return wrap(imperative_slice(in.tensor(0), in.index(1)));
}

// --- set_item ----------------------------------------------------------------- ops/layout.yaml:99
constexpr Signature<3> set_item_signature{"set_item", {"x", "value", "index"}, 3, 0b111,
                                          {&program::defs::kSetItem, ProgramForm::kPlain}};
inline PyObject* call_set_item(const Arguments<set_item_signature>& in) {
  return wrap(imperative_set_item(in.tensor(0), in.operand(1), in.index(2)));
}
constexpr Signature<3> set_item__signature{"set_item_", {"x", "value", "index"}, 3, 0b111,
                                           {&program::defs::kSetItem, ProgramForm::kInplace}};
inline PyObject* call_set_item_(const Arguments<set_item__signature>& in) {
  imperative_set_item_(in.target(0), in.operand(1), in.index(2));
  return Py_NewRef(in.object(0));
}

// --- split ------------------------------------------------------------------- ops/layout.yaml:116
constexpr Signature<3> split_signature{"split", {"x", "num_or_sections", "axis"}, 3, 0b011,
                                       {&program::defs::kSplit, ProgramForm::kPlain}};
inline PyObject* call_split(const Arguments<split_signature>& in) {
  return wrap(imperative_split(in.tensor(0), in.ints(1), in.integer(2, 0)));
}

// --- concat ------------------------------------------------------------------ ops/layout.yaml:190
constexpr Signature<2> concat_signature{"concat", {"xs", "axis"}, 2, 0b01,
                                        {&program::defs::kConcat, ProgramForm::kPlain}};
inline PyObject* call_concat(const Arguments<concat_signature>& in) {
  return wrap(imperative_concat(in.tensors(0), in.integer(1, 0)));
}

constexpr EntryRow functions[] = {
    {"concat", function<call_concat>,
     "concat($module, xs, axis=0)\n--\n\n"
     "The tensors one behind the other along an axis, in their common dtype.\n\n"
     "Args:\n"
     "    xs: list of tensors.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape concat_shape(xs, axis), dtype promoted(xs).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps the shape of xs."},
    {"expand", function<call_expand>,
     "expand($module, x, shape)\n--\n\n"
     "A view of x in a shape that it broadcasts to; -1 keeps a length of x. Elements that "
     "were\n"
     "enlarged share memory, so the view cannot be written in place.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    shape: integers.\n\n"
     "Returns:\n"
     "    Shape expanded(x, shape), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"reshape", function<call_reshape>,
     "reshape($module, x, shape)\n--\n\n"
     "The same elements in another shape, in row-major order; one length may be -1 and is\n"
     "worked out. A view of x where its strides allow one, else a copy.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    shape: lengths, one may be -1.\n\n"
     "Returns:\n"
     "    Shape reshaped(x, shape), dtype same(x).\n"
     "    Shares storage with x where the strides allow it.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"reshape2", function<call_reshape>,
     "reshape2($module, x, shape)\n--\n\n"
     "Another name for reshape()."},
    {"reshape2_", function<call_reshape_>,
     "reshape2_($module, x, shape)\n--\n\n"
     "Another name for reshape_()."},
    {"reshape_", function<call_reshape_>,
     "reshape_($module, x, shape)\n--\n\n"
     "reshape() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"set_item", function<call_set_item>,
     "set_item($module, x, value, index)\n--\n\n"
     "x with value, broadcast, in the part that a basic index takes.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: tensor or number.\n"
     "    index: index of integers, slices, None and ellipsis.\n\n"
     "Returns:\n"
     "    Shape assigned(x, value, index), dtype same(x).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n"
     "    IndexError: index is out of range.\n\n"
     "Backward keeps nothing."},
    {"set_item_", function<call_set_item_>,
     "set_item_($module, x, value, index)\n--\n\n"
     "set_item() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"slice", function<call_slice>,
     "slice($module, x, index)\n--\n\n"
     "The part of x that a basic index takes, as a view.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: index of integers, slices, None and ellipsis.\n\n"
     "Returns:\n"
     "    Shape sliced(x, index), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    IndexError: index is out of range.\n\n"
     "Backward keeps the shape of x."},
    {"split", function<call_split>,
     "split($module, x, num_or_sections, axis=0)\n--\n\n"
     "x cut along an axis, as views. One number is the number of equal parts; several are the\n"
     "parts' lengths, of which one may be -1 and is worked out.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    num_or_sections: integers.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    A list of tensors.\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "The gradient is that of its parts."},
    {"squeeze", function<call_squeeze>,
     "squeeze($module, x, axis=())\n--\n\n"
     "A view of x without its axes of length 1, or without those of the given axes whose\n"
     "length is 1.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n\n"
     "Returns:\n"
     "    Shape squeezed(x, axis), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "Backward keeps the shape of x."},
    {"squeeze2", function<call_squeeze>,
     "squeeze2($module, x, axis=())\n--\n\n"
     "Another name for squeeze()."},
    {"squeeze2_", function<call_squeeze_>,
     "squeeze2_($module, x, axis=())\n--\n\n"
     "Another name for squeeze_()."},
    {"squeeze_", function<call_squeeze_>,
     "squeeze_($module, x, axis=())\n--\n\n"
     "squeeze() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"transpose", function<call_transpose>,
     "transpose($module, x, perm)\n--\n\n"
     "A view of x whose axis i is axis perm[i] of x.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    perm: integers.\n\n"
     "Returns:\n"
     "    Shape transposed(x, perm), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"transpose_", function<call_transpose_>,
     "transpose_($module, x, perm)\n--\n\n"
     "transpose() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"unsqueeze", function<call_unsqueeze>,
     "unsqueeze($module, x, axis=())\n--\n\n"
     "A view of x with new axes of length 1; axis counts in the result.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: integers.\n\n"
     "Returns:\n"
     "    Shape unsqueezed(x, axis), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"unsqueeze2", function<call_unsqueeze>,
     "unsqueeze2($module, x, axis=())\n--\n\n"
     "Another name for unsqueeze()."},
    {"unsqueeze2_", function<call_unsqueeze_>,
     "unsqueeze2_($module, x, axis=())\n--\n\n"
     "Another name for unsqueeze_()."},
    {"unsqueeze_", function<call_unsqueeze_>,
     "unsqueeze_($module, x, axis=())\n--\n\n"
     "unsqueeze() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
};

constexpr EntryRow methods[] = {
    {"expand", method_of_items<call_expand>,
     "expand($self, shape)\n--\n\n"
     "A view of x in a shape that it broadcasts to; -1 keeps a length of x. Elements that "
     "were\n"
     "enlarged share memory, so the view cannot be written in place.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    shape: integers.\n\n"
     "Returns:\n"
     "    Shape expanded(x, shape), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"reshape", method_of_items<call_reshape>,
     "reshape($self, shape)\n--\n\n"
     "The same elements in another shape, in row-major order; one length may be -1 and is\n"
     "worked out. A view of x where its strides allow one, else a copy.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    shape: lengths, one may be -1.\n\n"
     "Returns:\n"
     "    Shape reshaped(x, shape), dtype same(x).\n"
     "    Shares storage with x where the strides allow it.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"reshape2", method_of_items<call_reshape>,
     "reshape2($self, shape)\n--\n\n"
     "Another name for reshape()."},
    {"reshape2_", method_of_items<call_reshape_>,
     "reshape2_($self, shape)\n--\n\n"
     "Another name for reshape_()."},
    {"reshape_", method_of_items<call_reshape_>,
     "reshape_($self, shape)\n--\n\n"
     "reshape() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"set_item", method<call_set_item>,
     "set_item($self, value, index)\n--\n\n"
     "x with value, broadcast, in the part that a basic index takes.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: tensor or number.\n"
     "    index: index of integers, slices, None and ellipsis.\n\n"
     "Returns:\n"
     "    Shape assigned(x, value, index), dtype same(x).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n"
     "    IndexError: index is out of range.\n\n"
     "Backward keeps nothing."},
    {"set_item_", method<call_set_item_>,
     "set_item_($self, value, index)\n--\n\n"
     "set_item() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"slice", method<call_slice>,
     "slice($self, index)\n--\n\n"
     "The part of x that a basic index takes, as a view.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: index of integers, slices, None and ellipsis.\n\n"
     "Returns:\n"
     "    Shape sliced(x, index), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    IndexError: index is out of range.\n\n"
     "Backward keeps the shape of x."},
    {"split", method<call_split>,
     "split($self, num_or_sections, axis=0)\n--\n\n"
     "x cut along an axis, as views. One number is the number of equal parts; several are the\n"
     "parts' lengths, of which one may be -1 and is worked out.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    num_or_sections: integers.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    A list of tensors.\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "The gradient is that of its parts."},
    {"squeeze", method_of_items<call_squeeze>,
     "squeeze($self, axis=())\n--\n\n"
     "A view of x without its axes of length 1, or without those of the given axes whose\n"
     "length is 1.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n\n"
     "Returns:\n"
     "    Shape squeezed(x, axis), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "Backward keeps the shape of x."},
    {"squeeze2", method_of_items<call_squeeze>,
     "squeeze2($self, axis=())\n--\n\n"
     "Another name for squeeze()."},
    {"squeeze2_", method_of_items<call_squeeze_>,
     "squeeze2_($self, axis=())\n--\n\n"
     "Another name for squeeze_()."},
    {"squeeze_", method_of_items<call_squeeze_>,
     "squeeze_($self, axis=())\n--\n\n"
     "squeeze() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"transpose", method_of_items<call_transpose>,
     "transpose($self, perm)\n--\n\n"
     "A view of x whose axis i is axis perm[i] of x.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    perm: integers.\n\n"
     "Returns:\n"
     "    Shape transposed(x, perm), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"transpose_", method_of_items<call_transpose_>,
     "transpose_($self, perm)\n--\n\n"
     "transpose() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
    {"unsqueeze", method_of_items<call_unsqueeze>,
     "unsqueeze($self, axis=())\n--\n\n"
     "A view of x with new axes of length 1; axis counts in the result.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: integers.\n\n"
     "Returns:\n"
     "    Shape unsqueezed(x, axis), dtype same(x).\n"
     "    Shares storage with x.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
    {"unsqueeze2", method_of_items<call_unsqueeze>,
     "unsqueeze2($self, axis=())\n--\n\n"
     "Another name for unsqueeze()."},
    {"unsqueeze2_", method_of_items<call_unsqueeze_>,
     "unsqueeze2_($self, axis=())\n--\n\n"
     "Another name for unsqueeze_()."},
    {"unsqueeze_", method_of_items<call_unsqueeze_>,
     "unsqueeze_($self, axis=())\n--\n\n"
     "unsqueeze() into x. Returns x itself.\n\n"
     "In place: x gets another map of its own bytes."},
};

}  // namespace

const OpTable layout_table{"layout", functions, methods, {}};

}  // namespace oploom::python
