// Generated from ops/loss.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- cross_entropy --------------------------------------------------------------- ops/loss.yaml:3
constexpr Signature<5> cross_entropy_signature{
    "cross_entropy", {"x", "label", "axis", "ignore_index", "reduction"}, 5, 0b00011,
    {&program::defs::kCrossEntropy, ProgramForm::kPlain}};
inline PyObject* call_cross_entropy(const Arguments<cross_entropy_signature>& in) {
  return wrap(imperative_cross_entropy(in.tensor(0), in.tensor(1), in.integer(2, -1),
                                       in.integer(3, -100), in.string(4, "mean")));
}

constexpr EntryRow functions[] = {
    {"cross_entropy", function<call_cross_entropy>,
     "cross_entropy($module, x, label, axis=-1, ignore_index=-100, reduction='mean')\n--\n\n"
     "The negative log-likelihood of integer labels under softmax of x along an axis. Labels\n"
     "equal to ignore_index count nothing; mean is over the others, and NaN where there are\n"
     "none.\n\n"
     "Args:\n"
     "    x: float tensor, logits.\n"
     "    label: integer tensor, x's shape without axis.\n"
     "    axis: axis, may be negative.\n"
     "    ignore_index: int.\n"
     "    reduction: str; one of 'none', 'sum', 'mean'.\n\n"
     "Returns:\n"
     "    Shape cross_entropy_shape(x, label, axis, reduction), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: x is not float or label is not integer.\n"
     "    ValueError: axis is out of range or reduction is none of its choices or shapes\n"
     "        do not fit.\n\n"
     "Backward keeps label, probabilities."},
};

constexpr EntryRow methods[] = {
    {"cross_entropy", method<call_cross_entropy>,
     "cross_entropy($self, label, axis=-1, ignore_index=-100, reduction='mean')\n--\n\n"
     "The negative log-likelihood of integer labels under softmax of x along an axis. Labels\n"
     "equal to ignore_index count nothing; mean is over the others, and NaN where there are\n"
     "none.\n\n"
     "Args:\n"
     "    x: float tensor, logits.\n"
     "    label: integer tensor, x's shape without axis.\n"
     "    axis: axis, may be negative.\n"
     "    ignore_index: int.\n"
     "    reduction: str; one of 'none', 'sum', 'mean'.\n\n"
     "Returns:\n"
     "    Shape cross_entropy_shape(x, label, axis, reduction), dtype same(x).\n\n"
     "Raises:\n"
     "    TypeError: x is not float or label is not integer.\n"
     "    ValueError: axis is out of range or reduction is none of its choices or shapes\n"
     "        do not fit.\n\n"
     "Backward keeps label, probabilities."},
};

}  // namespace

const OpTable loss_table{"loss", functions, methods, {}};

}  // namespace oploom::python
