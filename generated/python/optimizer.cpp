// Generated from ops/optimizer.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- sgd_ ------------------------------------------------------------------- ops/optimizer.yaml:3
constexpr Signature<5> sgd__signature{
    "sgd_", {"param", "learning_rate", "grad", "master_param", "multi_precision"}, 4, 0b00111,
    {&program::defs::kSgd_, ProgramForm::kInplace}};
inline PyObject* call_sgd_(const Arguments<sgd__signature>& in) {
  imperative_sgd_(in.target(0), in.operand(1), in.tensor(2), in.optional_target(3),
                  {.multi_precision = in.boolean(4, false)});
  return tuple(Py_NewRef(in.object(0)), in.same(3));
}

// --- momentum_ ------------------------------------------------------------- ops/optimizer.yaml:20
constexpr Signature<11> momentum__signature{
    "momentum_",
    {"param", "grad", "velocity", "learning_rate", "master_param", "mu", "use_nesterov",
     "regularization_method", "regularization_coeff", "multi_precision", "rescale_grad"},
    5, 0b00000101111, {&program::defs::kMomentum_, ProgramForm::kInplace}};
inline PyObject* call_momentum_(const Arguments<momentum__signature>& in) {
  imperative_momentum_(
      in.target(0), in.tensor(1), in.target(2), in.operand(3), in.optional_target(4),
      {.mu = in.number(5), .use_nesterov = in.boolean(6, false),
       .regularization_method = in.string(7, ""), .regularization_coeff = in.number(8, 0.0),
       .multi_precision = in.boolean(9, false), .rescale_grad = in.number(10, 1.0)});
  return tuple(Py_NewRef(in.object(0)), Py_NewRef(in.object(2)), in.same(4));
}

constexpr EntryRow functions[] = {
    {"momentum_", function<call_momentum_>,
     "momentum_($module, param, grad, velocity, learning_rate, master_param=None, *, mu, "
     "use_nesterov=False, regularization_method='', regularization_coeff=0.0, "
     "multi_precision=False, rescale_grad=1.0)\n--\n\n"
     "One step of gradient descent with momentum: velocity = mu * velocity + grad, then param\n"
     "-= learning_rate * velocity, or learning_rate * (grad + mu * velocity) with\n"
     "use_nesterov. grad is scaled by rescale_grad first; regularization_method l2_decay adds\n"
     "regularization_coeff * param to it. With multi_precision master_param takes the step "
     "and\n"
     "param is rounded from it.\n\n"
     "Args:\n"
     "    param: float tensor.\n"
     "    grad: float tensor.\n"
     "    velocity: float tensor.\n"
     "    learning_rate: tensor or number.\n"
     "    master_param: float tensor, may be absent.\n"
     "    mu: float.\n"
     "    use_nesterov: bool.\n"
     "    regularization_method: str; one of '', 'l2_decay'.\n"
     "    regularization_coeff: float.\n"
     "    multi_precision: bool.\n"
     "    rescale_grad: float.\n\n"
     "In place: writes param, velocity, master_param; takes leaves, is never recorded. "
     "Returns\n"
     "what was passed.\n\n"
     "Raises:\n"
     "    TypeError: param is not float or grad is not float or velocity is not float or\n"
     "        master_param is not float.\n"
     "    ValueError: regularization_method is none of its choices."},
    {"sgd_", function<call_sgd_>,
     "sgd_($module, param, learning_rate, grad, master_param=None, *, "
     "multi_precision=False)\n--\n\n"
     "One step of gradient descent: param -= learning_rate * grad. With multi_precision\n"
     "master_param takes the step and param is rounded from it.\n\n"
     "Args:\n"
     "    param: float tensor.\n"
     "    learning_rate: tensor or number.\n"
     "    grad: float tensor.\n"
     "    master_param: float tensor, may be absent.\n"
     "    multi_precision: bool.\n\n"
     "In place: writes param, master_param; takes leaves, is never recorded. Returns what was\n"
     "passed.\n\n"
     "Raises:\n"
     "    TypeError: param is not float or grad is not float or master_param is not float."},
};

}  // namespace

const OpTable optimizer_table{"optimizer", functions, {}, {}};

}  // namespace oploom::python
