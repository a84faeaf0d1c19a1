// Generated from ops/indexing.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- gather ------------------------------------------------------------------ ops/indexing.yaml:4
constexpr Signature<3> gather_signature{"gather", {"x", "index", "axis"}, 3, 0b011,
                                        {&program::defs::kGather, ProgramForm::kPlain}};
inline PyObject* call_gather(const Arguments<gather_signature>& in) {
  return wrap(imperative_gather(in.tensor(0), in.tensor(1), in.integer(2, 0)));
}

// --- index_select ----------------------------------------------------------- ops/indexing.yaml:17
constexpr Signature<3> index_select_signature{"index_select", {"x", "index", "axis"}, 3, 0b011,
                                              {&program::defs::kIndexSelect, ProgramForm::kPlain}};
inline PyObject* call_index_select(const Arguments<index_select_signature>& in) {
  return wrap(imperative_index_select(in.tensor(0), in.tensor(1), in.integer(2, 0)));
}

// --- scatter ---------------------------------------------------------------- ops/indexing.yaml:42
constexpr Signature<4> scatter_signature{"scatter", {"x", "index", "updates", "overwrite"}, 4,
                                         0b0111, {&program::defs::kScatter, ProgramForm::kPlain}};
inline PyObject* call_scatter(const Arguments<scatter_signature>& in) {
  return wrap(imperative_scatter(in.tensor(0), in.tensor(1), in.tensor(2), in.boolean(3, true)));
}
constexpr Signature<4> scatter__signature{"scatter_", {"x", "index", "updates", "overwrite"}, 4,
                                          0b0111,
                                          {&program::defs::kScatter, ProgramForm::kInplace}};
inline PyObject* call_scatter_(const Arguments<scatter__signature>& in) {
  imperative_scatter_(in.target(0), in.tensor(1), in.tensor(2), in.boolean(3, true));
  return Py_NewRef(in.object(0));
}

// --- index ------------------------------------------------------------------ ops/indexing.yaml:85
constexpr Signature<2> index_signature{"index", {"x", "indices"}, 2, 0b11,
                                       {&program::defs::kIndex, ProgramForm::kPlain}};
inline PyObject* call_index(const Arguments<index_signature>& in) {
  return wrap(imperative_index(in.tensor(0), in.tensors(1)));
}

// --- index_put ------------------------------------------------------------- ops/indexing.yaml:110
constexpr Signature<4> index_put_signature{"index_put", {"x", "indices", "value", "accumulate"}, 4,
                                           0b0111,
                                           {&program::defs::kIndexPut, ProgramForm::kPlain}};
inline PyObject* call_index_put(const Arguments<index_put_signature>& in) {
  return wrap(imperative_index_put(in.tensor(0), in.tensors(1), in.operand(2),
                                   in.boolean(3, false)));
}
constexpr Signature<4> index_put__signature{"index_put_", {"x", "indices", "value", "accumulate"},
                                            4, 0b0111,
                                            {&program::defs::kIndexPut, ProgramForm::kInplace}};
inline PyObject* call_index_put_(const Arguments<index_put__signature>& in) {
  imperative_index_put_(in.target(0), in.tensors(1), in.operand(2), in.boolean(3, false));
  return Py_NewRef(in.object(0));
}

// --- nonzero --------------------------------------------------------------- ops/indexing.yaml:154
constexpr Signature<1> nonzero_signature{"nonzero", {"x"}, 1, 0b1,
                                         {&program::defs::kNonzero, ProgramForm::kPlain}};
inline PyObject* call_nonzero(const Arguments<nonzero_signature>& in) {
  return wrap(imperative_nonzero(in.tensor(0)));
}

constexpr EntryRow functions[] = {
    {"gather", function<call_gather>,
     "gather($module, x, index, axis=0)\n--\n\n"
     "The elements of x at the given positions of an axis; the result has index's axes in\n"
     "place of that axis.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape taken(x, index, axis), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps index, the shape of x."},
    {"index", function<call_index>,
     "index($module, x, indices)\n--\n\n"
     "x[i, j, ...] with integer tensors: the elements whose positions on the first axes are\n"
     "given by the indices, which broadcast together.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    indices: integer list of tensors.\n\n"
     "Returns:\n"
     "    Shape indexed(x, indices), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: indices is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps indices, the shape of x."},
    {"index_put", function<call_index_put>,
     "index_put($module, x, indices, value, accumulate=False)\n--\n\n"
     "x with value, broadcast, where the integer tensors in indices point on the first axes.\n"
     "Of several values for one place the last wins; with accumulate all are added to what is\n"
     "there.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    indices: integer list of tensors.\n"
     "    value: tensor or number.\n"
     "    accumulate: bool.\n\n"
     "Returns:\n"
     "    Shape put(x, indices, value), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: indices is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps indices."},
    {"index_put_", function<call_index_put_>,
     "index_put_($module, x, indices, value, accumulate=False)\n--\n\n"
     "index_put() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"index_select", function<call_index_select>,
     "index_select($module, x, index, axis=0)\n--\n\n"
     "The elements of x at the positions of an axis that a 1-d index tensor names.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape selected(x, index, axis), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps index, the shape of x."},
    {"nonzero", function<call_nonzero>,
     "nonzero($module, x)\n--\n\n"
     "The positions of the elements that are not zero, as rows of one int64 matrix in\n"
     "row-major order.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape depends on the data, dtype int64.\n\n"
     "No gradient: positions are integers."},
    {"scatter", function<call_scatter>,
     "scatter($module, x, index, updates, overwrite=True)\n--\n\n"
     "x with updates in the rows that index names. With overwrite the last of several updates\n"
     "of a row wins; without, these rows start from zero and all their updates are added.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    updates: tensor.\n"
     "    overwrite: bool.\n\n"
     "Returns:\n"
     "    Shape scattered(x, index, updates), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps index."},
    {"scatter_", function<call_scatter_>,
     "scatter_($module, x, index, updates, overwrite=True)\n--\n\n"
     "scatter() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr EntryRow methods[] = {
    {"gather", method<call_gather>,
     "gather($self, index, axis=0)\n--\n\n"
     "The elements of x at the given positions of an axis; the result has index's axes in\n"
     "place of that axis.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape taken(x, index, axis), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps index, the shape of x."},
    {"index", method<call_index>,
     "index($self, indices)\n--\n\n"
     "x[i, j, ...] with integer tensors: the elements whose positions on the first axes are\n"
     "given by the indices, which broadcast together.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    indices: integer list of tensors.\n\n"
     "Returns:\n"
     "    Shape indexed(x, indices), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: indices is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps indices, the shape of x."},
    {"index_put", method<call_index_put>,
     "index_put($self, indices, value, accumulate=False)\n--\n\n"
     "x with value, broadcast, where the integer tensors in indices point on the first axes.\n"
     "Of several values for one place the last wins; with accumulate all are added to what is\n"
     "there.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    indices: integer list of tensors.\n"
     "    value: tensor or number.\n"
     "    accumulate: bool.\n\n"
     "Returns:\n"
     "    Shape put(x, indices, value), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: indices is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps indices."},
    {"index_put_", method<call_index_put_>,
     "index_put_($self, indices, value, accumulate=False)\n--\n\n"
     "index_put() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"index_select", method<call_index_select>,
     "index_select($self, index, axis=0)\n--\n\n"
     "The elements of x at the positions of an axis that a 1-d index tensor names.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape selected(x, index, axis), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps index, the shape of x."},
    {"nonzero", method<call_nonzero>,
     "nonzero($self)\n--\n\n"
     "The positions of the elements that are not zero, as rows of one int64 matrix in\n"
     "row-major order.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape depends on the data, dtype int64.\n\n"
     "No gradient: positions are integers."},
    {"scatter", method<call_scatter>,
     "scatter($self, index, updates, overwrite=True)\n--\n\n"
     "x with updates in the rows that index names. With overwrite the last of several updates\n"
     "of a row wins; without, these rows start from zero and all their updates are added.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    index: integer tensor.\n"
     "    updates: tensor.\n"
     "    overwrite: bool.\n\n"
     "Returns:\n"
     "    Shape scattered(x, index, updates), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: index is not integer.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps index."},
    {"scatter_", method<call_scatter_>,
     "scatter_($self, index, updates, overwrite=True)\n--\n\n"
     "scatter() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

}  // namespace

const OpTable indexing_table{"indexing", functions, methods, {}};

}  // namespace oploom::python
