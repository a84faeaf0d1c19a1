// Generated from ops/random.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- rand ---------------------------------------------------------------------- ops/random.yaml:3
constexpr Signature<2> rand_signature{"rand", {"shape", "dtype"}, 2, 0b01,
                                      {&program::defs::kRand, ProgramForm::kPlain}};
inline PyObject* call_rand(const Arguments<rand_signature>& in) {
  return wrap(imperative_rand(in.ints(0), in.optional_dtype(1)));
}

// --- randn -------------------------------------------------------------------- ops/random.yaml:15
constexpr Signature<2> randn_signature{"randn", {"shape", "dtype"}, 2, 0b01,
                                       {&program::defs::kRandn, ProgramForm::kPlain}};
inline PyObject* call_randn(const Arguments<randn_signature>& in) {
  return wrap(imperative_randn(in.ints(0), in.optional_dtype(1)));
}

// --- uniform_ ----------------------------------------------------------------- ops/random.yaml:27
constexpr Signature<7> uniform__signature{
    "uniform_", {"x", "min", "max", "seed", "diag_num", "diag_step", "diag_val"}, 7, 0b0000001,
    {&program::defs::kUniform_, ProgramForm::kInplace}};
inline PyObject* call_uniform_(const Arguments<uniform__signature>& in) {
  imperative_uniform_(in.target(0), in.number(1, -1.0), in.number(2, 1.0), in.integer(3, 0),
                      in.integer(4, 0), in.integer(5, 0), in.number(6, 1.0));
  return Py_NewRef(in.object(0));
}

// --- normal_ ------------------------------------------------------------------ ops/random.yaml:45
constexpr Signature<4> normal__signature{"normal_", {"x", "mean", "std", "seed"}, 4, 0b0001,
                                         {&program::defs::kNormal_, ProgramForm::kInplace}};
inline PyObject* call_normal_(const Arguments<normal__signature>& in) {
  imperative_normal_(in.target(0), in.number(1, 0.0), in.number(2, 1.0), in.integer(3, 0));
  return Py_NewRef(in.object(0));
}

constexpr EntryRow functions[] = {
    {"gaussian_inplace_", function<call_normal_>,
     "gaussian_inplace_($module, x, mean=0.0, std=1.0, seed=0)\n--\n\n"
     "Another name for normal_()."},
    {"normal_", function<call_normal_>,
     "normal_($module, x, mean=0.0, std=1.0, seed=0)\n--\n\n"
     "Overwrites x with draws from the normal distribution of that mean and standard\n"
     "deviation.\n\n"
     "Args:\n"
     "    x: float tensor.\n"
     "    mean: float.\n"
     "    std: float.\n"
     "    seed: int; another number than 0 gives the same draws in every call.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    TypeError: x is not float.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"rand", function<call_rand>,
     "rand($module, shape, dtype=None)\n--\n\n"
     "Draws from the uniform distribution over [0, 1), float32 unless another float dtype is\n"
     "given.\n\n"
     "Args:\n"
     "    shape: integers.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape shape, dtype chosen(dtype, float32).\n\n"
     "No gradient: no inputs."},
    {"randn", function<call_randn>,
     "randn($module, shape, dtype=None)\n--\n\n"
     "Draws from the standard normal distribution, float32 unless another float dtype is\n"
     "given.\n\n"
     "Args:\n"
     "    shape: integers.\n"
     "    dtype: dtype or None.\n\n"
     "Returns:\n"
     "    Shape shape, dtype chosen(dtype, float32).\n\n"
     "No gradient: no inputs."},
    {"uniform_", function<call_uniform_>,
     "uniform_($module, x, min=-1.0, max=1.0, seed=0, diag_num=0, diag_step=0, "
     "diag_val=1.0)\n--\n\n"
     "Overwrites x with draws from the uniform distribution over [min, max).\n\n"
     "Args:\n"
     "    x: float tensor.\n"
     "    min: float.\n"
     "    max: float.\n"
     "    seed: int; another number than 0 gives the same draws in every call.\n"
     "    diag_num: int; how many diagonal elements are set to diag_val instead.\n"
     "    diag_step: int; element i * (diag_step + 1) is on the diagonal.\n"
     "    diag_val: float.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    TypeError: x is not float.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"uniform_inplace_", function<call_uniform_>,
     "uniform_inplace_($module, x, min=-1.0, max=1.0, seed=0, diag_num=0, diag_step=0, "
     "diag_val=1.0)\n--\n\n"
     "Another name for uniform_()."},
};

constexpr EntryRow methods[] = {
    {"gaussian_inplace_", method<call_normal_>,
     "gaussian_inplace_($self, mean=0.0, std=1.0, seed=0)\n--\n\n"
     "Another name for normal_()."},
    {"normal_", method<call_normal_>,
     "normal_($self, mean=0.0, std=1.0, seed=0)\n--\n\n"
     "Overwrites x with draws from the normal distribution of that mean and standard\n"
     "deviation.\n\n"
     "Args:\n"
     "    x: float tensor.\n"
     "    mean: float.\n"
     "    std: float.\n"
     "    seed: int; another number than 0 gives the same draws in every call.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    TypeError: x is not float.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"uniform_", method<call_uniform_>,
     "uniform_($self, min=-1.0, max=1.0, seed=0, diag_num=0, diag_step=0, diag_val=1.0)\n--\n\n"
     "Overwrites x with draws from the uniform distribution over [min, max).\n\n"
     "Args:\n"
     "    x: float tensor.\n"
     "    min: float.\n"
     "    max: float.\n"
     "    seed: int; another number than 0 gives the same draws in every call.\n"
     "    diag_num: int; how many diagonal elements are set to diag_val instead.\n"
     "    diag_step: int; element i * (diag_step + 1) is on the diagonal.\n"
     "    diag_val: float.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result. Returns what\n"
     "was passed.\n\n"
     "Raises:\n"
     "    TypeError: x is not float.\n\n"
     "The gradient is zero: the elements of x are not read."},
    {"uniform_inplace_", method<call_uniform_>,
     "uniform_inplace_($self, min=-1.0, max=1.0, seed=0, diag_num=0, diag_step=0, "
     "diag_val=1.0)\n--\n\n"
     "Another name for uniform_()."},
};

}  // namespace

const OpTable random_table{"random", functions, methods, {}};

}  // namespace oploom::python
