// Generated from ops/creation.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- full -------------------------------------------------------------------- ops/creation.yaml:3
constexpr Signature<3> full_signature{"full", {"shape", "value", "dtype"}, 3, 0b011,
                                      {&program::defs::kFull, ProgramForm::kPlain}};
inline PyObject* call_full(const Arguments<full_signature>& in) {
  return wrap(imperative_full(in.ints(0), in.scalar(1), in.optional_dtype(2)));
}

// --- zeros ------------------------------------------------------------------ ops/creation.yaml:17
constexpr Signature<2> zeros_signature{"zeros", {"shape", "dtype"}, 2, 0b01,
                                       {&program::defs::kZeros, ProgramForm::kPlain}};
inline PyObject* call_zeros(const Arguments<zeros_signature>& in) {
  return wrap(imperative_zeros(in.ints(0), in.optional_dtype(1)));
}

// --- ones ------------------------------------------------------------------- ops/creation.yaml:29
constexpr Signature<2> ones_signature{"ones", {"shape", "dtype"}, 2, 0b01,
                                      {&program::defs::kOnes, ProgramForm::kPlain}};
inline PyObject* call_ones(const Arguments<ones_signature>& in) {
  return wrap(imperative_ones(in.ints(0), in.optional_dtype(1)));
}

// --- zeros_like ------------------------------------------------------------- ops/creation.yaml:41
constexpr Signature<2> zeros_like_signature{"zeros_like", {"x", "dtype"}, 2, 0b01,
                                            {&program::defs::kZerosLike, ProgramForm::kPlain}};
inline PyObject* call_zeros_like(const Arguments<zeros_like_signature>& in) {
  return wrap(imperative_zeros_like(in.tensor(0), in.optional_dtype(1)));
}

// --- ones_like -------------------------------------------------------------- ops/creation.yaml:50
constexpr Signature<2> ones_like_signature{"ones_like", {"x", "dtype"}, 2, 0b01,
                                           {&program::defs::kOnesLike, ProgramForm::kPlain}};
inline PyObject* call_ones_like(const Arguments<ones_like_signature>& in) {
  return wrap(imperative_ones_like(in.tensor(0), in.optional_dtype(1)));
}

// --- arange ----------------------------------------------------------------- ops/creation.yaml:59
constexpr Signature<4> arange_signature{"arange", {"start", "end", "step", "dtype"}, 4, 0b0001,
                                        {&program::defs::kArange, ProgramForm::kPlain}};
inline PyObject* call_arange(const Arguments<arange_signature>& in) {
  return wrap(imperative_arange(in.scalar(0), in.optional_scalar(1), in.scalar(2, 1),
                                in.optional_dtype(3)));
}

// --- assign ----------------------------------------------------------------- ops/creation.yaml:74
constexpr Signature<1> assign_signature{"assign", {"x"}, 1, 0b1,
                                        {&program::defs::kAssign, ProgramForm::kPlain}};
inline PyObject* call_assign(const Arguments<assign_signature>& in) {
  return wrap(imperative_assign(in.tensor(0)));
}
constexpr Signature<1> assign__signature{"assign_", {"x"}, 1, 0b1,
                                         {&program::defs::kAssign, ProgramForm::kInplace}};
inline PyObject* call_assign_(const Arguments<assign__signature>& in) {
  imperative_assign_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- clone ------------------------------------------------------------------ ops/creation.yaml:82
constexpr Signature<1> clone_signature{"clone", {"x"}, 1, 0b1,
                                       {&program::defs::kClone, ProgramForm::kPlain}};
inline PyObject* call_clone(const Arguments<clone_signature>& in) {
  return wrap(imperative_clone(in.tensor(0)));
}

// --- cast ------------------------------------------------------------------- ops/creation.yaml:90
constexpr Signature<2> cast_signature{"cast", {"x", "dtype"}, 2, 0b11,
                                      {&program::defs::kCast, ProgramForm::kPlain}};
inline PyObject* call_cast(const Arguments<cast_signature>& in) {
  return wrap(imperative_cast(in.tensor(0), in.dtype(1)));
}
constexpr Signature<2> cast__signature{"cast_", {"x", "dtype"}, 2, 0b11,
                                       {&program::defs::kCast, ProgramForm::kInplace}};
inline PyObject* call_cast_(const Arguments<cast__signature>& in) {
  imperative_cast_(in.target(0), in.dtype(1));
  return Py_NewRef(in.object(0));
}

// --- copy_ ----------------------------------------------------------------- ops/creation.yaml:103
constexpr Signature<2> copy__signature{"copy_", {"x", "value"}, 2, 0b11,
                                       {&program::defs::kCopy_, ProgramForm::kInplace}};
inline PyObject* call_copy_(const Arguments<copy__signature>& in) {
  imperative_copy_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- fill ------------------------------------------------------------------ ops/creation.yaml:116
constexpr Signature<2> fill_signature{"fill", {"x", "value"}, 2, 0b01,
                                      {&program::defs::kFill, ProgramForm::kPlain}};
inline PyObject* call_fill(const Arguments<fill_signature>& in) {
  return wrap(imperative_fill(in.tensor(0), in.scalar(1, 0)));
}
constexpr Signature<2> fill__signature{"fill_", {"x", "value"}, 2, 0b01,
                                       {&program::defs::kFill, ProgramForm::kInplace}};
inline PyObject* call_fill_(const Arguments<fill__signature>& in) {
  imperative_fill_(in.target(0), in.scalar(1, 0));
  return Py_NewRef(in.object(0));
}

// --- zero_ ----------------------------------------------------------------- ops/creation.yaml:126
constexpr Signature<1> zero__signature{"zero_", {"x"}, 1, 0b1,
                                       {&program::defs::kZero_, ProgramForm::kInplace}};
inline PyObject* call_zero_(const Arguments<zero__signature>& in) {
  imperative_zero_(in.target(0));
  return Py_NewRef(in.object(0));
}

constexpr EntryRow functions[] = {
    {"arange", function<call_arange>,
     "arange($module, start, end=None, step=1, dtype=None)\n--\n\n"
     "The numbers start, start + step, ... before end; with start alone, 0, 1, ... before\n"
     "start. int64 where all numbers are whole by type, else float32, unless a dtype is "
     "given.\n\n"
     "Args:\n"
     "    start: number.\n"
     "    end: number or None.\n"
     "    step: number.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape depends on the data, dtype [].\n\n"
     "No gradient: no inputs."},
    {"assign", function<call_assign>,
     "assign($module, x)\n--\n\n"
     "A copy of x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Backward keeps nothing."},
    {"assign_", function<call_assign_>,
     "assign_($module, x)\n--\n\n"
     "assign() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"cast", function<call_cast>,
     "cast($module, x, dtype)\n--\n\n"
     "x in another dtype. Floats become integers by cutting towards zero; bool is whether a\n"
     "number is nonzero.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype dtype.\n\n"
     "Backward keeps nothing."},
    {"cast_", function<call_cast_>,
     "cast_($module, x, dtype)\n--\n\n"
     "cast() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"clone", function<call_clone>,
     "clone($module, x)\n--\n\n"
     "A copy of x, contiguous, in memory of its own; gradients pass through it.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Backward keeps nothing."},
    {"copy_", function<call_copy_>,
     "copy_($module, x, value)\n--\n\n"
     "Writes value, broadcast, into x.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: tensor or number.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"fill", function<call_fill>,
     "fill($module, x, value=0)\n--\n\n"
     "A tensor like x whose elements all are value.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: number.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"fill_", function<call_fill_>,
     "fill_($module, x, value=0)\n--\n\n"
     "fill() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"full", function<call_full>,
     "full($module, shape, value, dtype=None)\n--\n\n"
     "A tensor of the given shape whose elements all are value, in the dtype that value has "
     "by\n"
     "itself (bool, int64, float32) unless another is given.\n\n"
     "Args:\n"
     "    shape: integers.\n"
     "    value: number.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape shape, dtype chosen(dtype, dtype(value)).\n\n"
     "No gradient: no inputs."},
    {"ones", function<call_ones>,
     "ones($module, shape, dtype=None)\n--\n\n"
     "A tensor of ones, float32 unless a dtype is given.\n\n"
     "Args:\n"
     "    shape: integers.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape shape, dtype chosen(dtype, float32).\n\n"
     "No gradient: no inputs."},
    {"ones_like", function<call_ones_like>,
     "ones_like($module, x, dtype=None)\n--\n\n"
     "Ones in the shape of x, and in its dtype unless another is given. The result stops\n"
     "gradient.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype chosen(dtype, same(x)).\n\n"
     "No gradient: only the shape of x is read."},
    {"zero_", function<call_zero_>,
     "zero_($module, x)\n--\n\n"
     "Writes zeros into x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"zeros", function<call_zeros>,
     "zeros($module, shape, dtype=None)\n--\n\n"
     "A tensor of zeros, float32 unless a dtype is given.\n\n"
     "Args:\n"
     "    shape: integers.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape shape, dtype chosen(dtype, float32).\n\n"
     "No gradient: no inputs."},
    {"zeros_like", function<call_zeros_like>,
     "zeros_like($module, x, dtype=None)\n--\n\n"
     "Zeros in the shape of x, and in its dtype unless another is given. The result stops\n"
     "gradient.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype chosen(dtype, same(x)).\n\n"
     "No gradient: only the shape of x is read."},
};

constexpr EntryRow methods[] = {
    {"assign", method<call_assign>,
     "assign($self)\n--\n\n"
     "A copy of x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Backward keeps nothing."},
    {"assign_", method<call_assign_>,
     "assign_($self)\n--\n\n"
     "assign() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"cast", method<call_cast>,
     "cast($self, dtype)\n--\n\n"
     "x in another dtype. Floats become integers by cutting towards zero; bool is whether a\n"
     "number is nonzero.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype dtype.\n\n"
     "Backward keeps nothing."},
    {"cast_", method<call_cast_>,
     "cast_($self, dtype)\n--\n\n"
     "cast() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"clone", method<call_clone>,
     "clone($self)\n--\n\n"
     "A copy of x, contiguous, in memory of its own; gradients pass through it.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Backward keeps nothing."},
    {"copy_", method<call_copy_>,
     "copy_($self, value)\n--\n\n"
     "Writes value, broadcast, into x.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: tensor or number.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"fill", method<call_fill>,
     "fill($self, value=0)\n--\n\n"
     "A tensor like x whose elements all are value.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    value: number.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"fill_", method<call_fill_>,
     "fill_($self, value=0)\n--\n\n"
     "fill() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"ones_like", method<call_ones_like>,
     "ones_like($self, dtype=None)\n--\n\n"
     "Ones in the shape of x, and in its dtype unless another is given. The result stops\n"
     "gradient.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype chosen(dtype, same(x)).\n\n"
     "No gradient: only the shape of x is read."},
    {"zero_", method<call_zero_>,
     "zero_($self)\n--\n\n"
     "Writes zeros into x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"zeros_like", method<call_zeros_like>,
     "zeros_like($self, dtype=None)\n--\n\n"
     "Zeros in the shape of x, and in its dtype unless another is given. The result stops\n"
     "gradient.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype chosen(dtype, same(x)).\n\n"
     "No gradient: only the shape of x is read."},
};

}  // namespace

const OpTable creation_table{"creation", functions, methods, {}};

}  // namespace oploom::python
