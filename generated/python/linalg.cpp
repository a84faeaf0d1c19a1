// Generated from ops/linalg.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- matmul -------------------------------------------------------------------- ops/linalg.yaml:3
constexpr Signature<4> matmul_signature{"matmul", {"x", "y", "transpose_x", "transpose_y"}, 4,
                                        0b0011, {&program::defs::kMatmul, ProgramForm::kPlain}};
inline PyObject* call_matmul(const Arguments<matmul_signature>& in) {
  return wrap(imperative_matmul(in.tensor(0), in.tensor(1), in.boolean(2, false),
                                in.boolean(3, false)));
}

constexpr EntryRow functions[] = {
    {"matmul", function<call_matmul>,
     "matmul($module, x, y, transpose_x=False, transpose_y=False)\n--\n\n"
     "The matrix product of x and y over their last two axes, after transposing these where\n"
     "asked. A 1-d x is a row and a 1-d y a column whose axis leaves the result; axes before\n"
     "the last two broadcast.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    y: integer or float tensor.\n"
     "    transpose_x: bool; no effect on a 1-d x.\n"
     "    transpose_y: bool; no effect on a 1-d y.\n\n"
     "Returns:\n"
     "    Shape matmul_shape(x, y, transpose_x, transpose_y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    TypeError: x is bool or y is bool.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y, the shape of x, y."},
};

constexpr EntryRow methods[] = {
    {"matmul", method<call_matmul>,
     "matmul($self, y, transpose_x=False, transpose_y=False)\n--\n\n"
     "The matrix product of x and y over their last two axes, after transposing these where\n"
     "asked. A 1-d x is a row and a 1-d y a column whose axis leaves the result; axes before\n"
     "the last two broadcast.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    y: integer or float tensor.\n"
     "    transpose_x: bool; no effect on a 1-d x.\n"
     "    transpose_y: bool; no effect on a 1-d y.\n\n"
     "Returns:\n"
     "    Shape matmul_shape(x, y, transpose_x, transpose_y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    TypeError: x is bool or y is bool.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y, the shape of x, y."},
};

constexpr OperatorRow operators[] = {
    {"@", operation<call_matmul>},
};

}  // namespace

const OpTable linalg_table{"linalg", functions, methods, operators};

}  // namespace oploom::python
