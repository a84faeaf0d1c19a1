// Generated from ops/reduction.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- sum -------------------------------------------------------------------- ops/reduction.yaml:3
constexpr Signature<3> sum_signature{"sum", {"x", "axis", "keepdim"}, 3, 0b001,
                                     {&program::defs::kSum, ProgramForm::kPlain}};
inline PyObject* call_sum(const Arguments<sum_signature>& in) {
  return wrap(imperative_sum(in.tensor(0), in.ints(1, {}), in.boolean(2, false)));
}

// --- mean ------------------------------------------------------------------ ops/reduction.yaml:15
constexpr Signature<3> mean_signature{"mean", {"x", "axis", "keepdim"}, 3, 0b001,
                                      {&program::defs::kMean, ProgramForm::kPlain}};
inline PyObject* call_mean(const Arguments<mean_signature>& in) {
  return wrap(imperative_mean(in.tensor(0), in.ints(1, {}), in.boolean(2, false)));
}

// --- max ------------------------------------------------------------------- ops/reduction.yaml:29
constexpr Signature<3> max_signature{"max", {"x", "axis", "keepdim"}, 3, 0b001,
                                     {&program::defs::kMax, ProgramForm::kPlain}};
inline PyObject* call_max(const Arguments<max_signature>& in) {
  return wrap(imperative_max(in.tensor(0), in.ints(1, {}), in.boolean(2, false)));
}

constexpr EntryRow functions[] = {
    {"max", function<call_max>,
     "max($module, x, axis=(), keepdim=False)\n--\n\n"
     "The largest element of x over the axes, over all of them where none is named; NaN where\n"
     "one is NaN. Equal largest elements share the gradient evenly.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype same(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps x, out."},
    {"mean", function<call_mean>,
     "mean($module, x, axis=(), keepdim=False)\n--\n\n"
     "The mean of x over the axes, over all of them where none is named; of integers as\n"
     "float32, and NaN over no elements.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype float_of(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps the shape of out, x."},
    {"sum", function<call_sum>,
     "sum($module, x, axis=(), keepdim=False)\n--\n\n"
     "The sum of x over the axes, over all of them where none is named. Sums of bool and\n"
     "integers are int64; float sums are blocked, so that their error does not grow with the\n"
     "number of elements.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype summed(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
};

constexpr EntryRow methods[] = {
    {"max", method<call_max>,
     "max($self, axis=(), keepdim=False)\n--\n\n"
     "The largest element of x over the axes, over all of them where none is named; NaN where\n"
     "one is NaN. Equal largest elements share the gradient evenly.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype same(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps x, out."},
    {"mean", method<call_mean>,
     "mean($self, axis=(), keepdim=False)\n--\n\n"
     "The mean of x over the axes, over all of them where none is named; of integers as\n"
     "float32, and NaN over no elements.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype float_of(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps the shape of out, x."},
    {"sum", method<call_sum>,
     "sum($self, axis=(), keepdim=False)\n--\n\n"
     "The sum of x over the axes, over all of them where none is named. Sums of bool and\n"
     "integers are int64; float sums are blocked, so that their error does not grow with the\n"
     "number of elements.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis or axes, may be negative.\n"
     "    keepdim: bool; whether reduced axes stay with length 1.\n\n"
     "Returns:\n"
     "    Shape reduced(x, axis, keepdim), dtype summed(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range or shapes do not fit.\n\n"
     "Backward keeps the shape of x."},
};

}  // namespace

const OpTable reduction_table{"reduction", functions, methods, {}};

}  // namespace oploom::python
