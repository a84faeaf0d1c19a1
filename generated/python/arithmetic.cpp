// Generated from ops/arithmetic.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- add ------------------------------------------------------------------- ops/arithmetic.yaml:3
constexpr Signature<2> add_signature{"add", {"x", "y"}, 2, 0b11,
                                     {&program::defs::kAdd, ProgramForm::kPlain}};
inline PyObject* call_add(const Arguments<add_signature>& in) {
  return wrap(imperative_add(in.operand(0), in.operand(1)));
}
constexpr Signature<2> add__signature{"add_", {"x", "y"}, 2, 0b11,
                                      {&program::defs::kAdd, ProgramForm::kInplace}};
inline PyObject* call_add_(const Arguments<add__signature>& in) {
  imperative_add_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- subtract ------------------------------------------------------------- ops/arithmetic.yaml:16
constexpr Signature<2> subtract_signature{"subtract", {"x", "y"}, 2, 0b11,
                                          {&program::defs::kSubtract, ProgramForm::kPlain}};
inline PyObject* call_subtract(const Arguments<subtract_signature>& in) {
  return wrap(imperative_subtract(in.operand(0), in.operand(1)));
}
constexpr Signature<2> subtract__signature{"subtract_", {"x", "y"}, 2, 0b11,
                                           {&program::defs::kSubtract, ProgramForm::kInplace}};
inline PyObject* call_subtract_(const Arguments<subtract__signature>& in) {
  imperative_subtract_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- multiply ------------------------------------------------------------- ops/arithmetic.yaml:29
constexpr Signature<2> multiply_signature{"multiply", {"x", "y"}, 2, 0b11,
                                          {&program::defs::kMultiply, ProgramForm::kPlain}};
inline PyObject* call_multiply(const Arguments<multiply_signature>& in) {
  return wrap(imperative_multiply(in.operand(0), in.operand(1)));
}
constexpr Signature<2> multiply__signature{"multiply_", {"x", "y"}, 2, 0b11,
                                           {&program::defs::kMultiply, ProgramForm::kInplace}};
inline PyObject* call_multiply_(const Arguments<multiply__signature>& in) {
  imperative_multiply_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- divide --------------------------------------------------------------- ops/arithmetic.yaml:41
constexpr Signature<2> divide_signature{"divide", {"x", "y"}, 2, 0b11,
                                        {&program::defs::kDivide, ProgramForm::kPlain}};
inline PyObject* call_divide(const Arguments<divide_signature>& in) {
  return wrap(imperative_divide(in.operand(0), in.operand(1)));
}
constexpr Signature<2> divide__signature{"divide_", {"x", "y"}, 2, 0b11,
                                         {&program::defs::kDivide, ProgramForm::kInplace}};
inline PyObject* call_divide_(const Arguments<divide__signature>& in) {
  imperative_divide_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- pow ------------------------------------------------------------------ ops/arithmetic.yaml:53
constexpr Signature<2> pow_signature{"pow", {"x", "y"}, 2, 0b11,
                                     {&program::defs::kPow, ProgramForm::kPlain}};
inline PyObject* call_pow(const Arguments<pow_signature>& in) {
  return wrap(imperative_pow(in.operand(0), in.operand(1)));
}
constexpr Signature<2> pow__signature{"pow_", {"x", "y"}, 2, 0b11,
                                      {&program::defs::kPow, ProgramForm::kInplace}};
inline PyObject* call_pow_(const Arguments<pow__signature>& in) {
  imperative_pow_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- maximum -------------------------------------------------------------- ops/arithmetic.yaml:94
constexpr Signature<2> maximum_signature{"maximum", {"x", "y"}, 2, 0b11,
                                         {&program::defs::kMaximum, ProgramForm::kPlain}};
inline PyObject* call_maximum(const Arguments<maximum_signature>& in) {
  return wrap(imperative_maximum(in.operand(0), in.operand(1)));
}
constexpr Signature<2> maximum__signature{"maximum_", {"x", "y"}, 2, 0b11,
                                          {&program::defs::kMaximum, ProgramForm::kInplace}};
inline PyObject* call_maximum_(const Arguments<maximum__signature>& in) {
  imperative_maximum_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- minimum ------------------------------------------------------------- ops/arithmetic.yaml:117
constexpr Signature<2> minimum_signature{"minimum", {"x", "y"}, 2, 0b11,
                                         {&program::defs::kMinimum, ProgramForm::kPlain}};
inline PyObject* call_minimum(const Arguments<minimum_signature>& in) {
  return wrap(imperative_minimum(in.operand(0), in.operand(1)));
}
constexpr Signature<2> minimum__signature{"minimum_", {"x", "y"}, 2, 0b11,
                                          {&program::defs::kMinimum, ProgramForm::kInplace}};
inline PyObject* call_minimum_(const Arguments<minimum__signature>& in) {
  imperative_minimum_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- negative ------------------------------------------------------------ ops/arithmetic.yaml:140
constexpr Signature<1> negative_signature{"negative", {"x"}, 1, 0b1,
                                          {&program::defs::kNegative, ProgramForm::kPlain}};
inline PyObject* call_negative(const Arguments<negative_signature>& in) {
  return wrap(imperative_negative(in.tensor(0)));
}
constexpr Signature<1> negative__signature{"negative_", {"x"}, 1, 0b1,
                                           {&program::defs::kNegative, ProgramForm::kInplace}};
inline PyObject* call_negative_(const Arguments<negative__signature>& in) {
  imperative_negative_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- abs ----------------------------------------------------------------- ops/arithmetic.yaml:149
constexpr Signature<1> abs_signature{"abs", {"x"}, 1, 0b1,
                                     {&program::defs::kAbs, ProgramForm::kPlain}};
inline PyObject* call_abs(const Arguments<abs_signature>& in) {
  return wrap(imperative_abs(in.tensor(0)));
}
constexpr Signature<1> abs__signature{"abs_", {"x"}, 1, 0b1,
                                      {&program::defs::kAbs, ProgramForm::kInplace}};
inline PyObject* call_abs_(const Arguments<abs__signature>& in) {
  imperative_abs_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- sign ---------------------------------------------------------------- ops/arithmetic.yaml:158
constexpr Signature<1> sign_signature{"sign", {"x"}, 1, 0b1,
                                      {&program::defs::kSign, ProgramForm::kPlain}};
inline PyObject* call_sign(const Arguments<sign_signature>& in) {
  return wrap(imperative_sign(in.tensor(0)));
}
constexpr Signature<1> sign__signature{"sign_", {"x"}, 1, 0b1,
                                       {&program::defs::kSign, ProgramForm::kInplace}};
inline PyObject* call_sign_(const Arguments<sign__signature>& in) {
  imperative_sign_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- exp ----------------------------------------------------------------- ops/arithmetic.yaml:166
constexpr Signature<1> exp_signature{"exp", {"x"}, 1, 0b1,
                                     {&program::defs::kExp, ProgramForm::kPlain}};
inline PyObject* call_exp(const Arguments<exp_signature>& in) {
  return wrap(imperative_exp(in.tensor(0)));
}
constexpr Signature<1> exp__signature{"exp_", {"x"}, 1, 0b1,
                                      {&program::defs::kExp, ProgramForm::kInplace}};
inline PyObject* call_exp_(const Arguments<exp__signature>& in) {
  imperative_exp_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- log ----------------------------------------------------------------- ops/arithmetic.yaml:175
constexpr Signature<1> log_signature{"log", {"x"}, 1, 0b1,
                                     {&program::defs::kLog, ProgramForm::kPlain}};
inline PyObject* call_log(const Arguments<log_signature>& in) {
  return wrap(imperative_log(in.tensor(0)));
}
constexpr Signature<1> log__signature{"log_", {"x"}, 1, 0b1,
                                      {&program::defs::kLog, ProgramForm::kInplace}};
inline PyObject* call_log_(const Arguments<log__signature>& in) {
  imperative_log_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- sqrt ---------------------------------------------------------------- ops/arithmetic.yaml:184
constexpr Signature<1> sqrt_signature{"sqrt", {"x"}, 1, 0b1,
                                      {&program::defs::kSqrt, ProgramForm::kPlain}};
inline PyObject* call_sqrt(const Arguments<sqrt_signature>& in) {
  return wrap(imperative_sqrt(in.tensor(0)));
}
constexpr Signature<1> sqrt__signature{"sqrt_", {"x"}, 1, 0b1,
                                       {&program::defs::kSqrt, ProgramForm::kInplace}};
inline PyObject* call_sqrt_(const Arguments<sqrt__signature>& in) {
  imperative_sqrt_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- square -------------------------------------------------------------- ops/arithmetic.yaml:193
constexpr Signature<1> square_signature{"square", {"x"}, 1, 0b1,
                                        {&program::defs::kSquare, ProgramForm::kPlain}};
inline PyObject* call_square(const Arguments<square_signature>& in) {
  return wrap(imperative_square(in.tensor(0)));
}
constexpr Signature<1> square__signature{"square_", {"x"}, 1, 0b1,
                                         {&program::defs::kSquare, ProgramForm::kInplace}};
inline PyObject* call_square_(const Arguments<square__signature>& in) {
  imperative_square_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- sin ----------------------------------------------------------------- ops/arithmetic.yaml:201
constexpr Signature<1> sin_signature{"sin", {"x"}, 1, 0b1,
                                     {&program::defs::kSin, ProgramForm::kPlain}};
inline PyObject* call_sin(const Arguments<sin_signature>& in) {
  return wrap(imperative_sin(in.tensor(0)));
}
constexpr Signature<1> sin__signature{"sin_", {"x"}, 1, 0b1,
                                      {&program::defs::kSin, ProgramForm::kInplace}};
inline PyObject* call_sin_(const Arguments<sin__signature>& in) {
  imperative_sin_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- cos ----------------------------------------------------------------- ops/arithmetic.yaml:210
constexpr Signature<1> cos_signature{"cos", {"x"}, 1, 0b1,
                                     {&program::defs::kCos, ProgramForm::kPlain}};
inline PyObject* call_cos(const Arguments<cos_signature>& in) {
  return wrap(imperative_cos(in.tensor(0)));
}
constexpr Signature<1> cos__signature{"cos_", {"x"}, 1, 0b1,
                                      {&program::defs::kCos, ProgramForm::kInplace}};
inline PyObject* call_cos_(const Arguments<cos__signature>& in) {
  imperative_cos_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- clip ---------------------------------------------------------------- ops/arithmetic.yaml:219
constexpr Signature<3> clip_signature{"clip", {"x", "min", "max"}, 3, 0b111,
                                      {&program::defs::kClip, ProgramForm::kPlain}};
inline PyObject* call_clip(const Arguments<clip_signature>& in) {
  return wrap(imperative_clip(in.tensor(0), in.scalar(1), in.scalar(2)));
}
constexpr Signature<3> clip__signature{"clip_", {"x", "min", "max"}, 3, 0b111,
                                       {&program::defs::kClip, ProgramForm::kInplace}};
inline PyObject* call_clip_(const Arguments<clip__signature>& in) {
  imperative_clip_(in.target(0), in.scalar(1), in.scalar(2));
  return Py_NewRef(in.object(0));
}

// --- scale --------------------------------------------------------------- ops/arithmetic.yaml:246
constexpr Signature<4> scale_signature{"scale", {"x", "scale", "bias", "bias_after_scale"}, 4,
                                       0b0001, {&program::defs::kScale, ProgramForm::kPlain}};
inline PyObject* call_scale(const Arguments<scale_signature>& in) {
  return wrap(imperative_scale(in.tensor(0), in.scalar(1, 1.0), in.scalar(2, 0.0),
                               in.boolean(3, true)));
}
constexpr Signature<4> scale__signature{"scale_", {"x", "scale", "bias", "bias_after_scale"}, 4,
                                        0b0001, {&program::defs::kScale, ProgramForm::kInplace}};
inline PyObject* call_scale_(const Arguments<scale__signature>& in) {
  imperative_scale_(in.target(0), in.scalar(1, 1.0), in.scalar(2, 0.0), in.boolean(3, true));
  return Py_NewRef(in.object(0));
}

// --- floor --------------------------------------------------------------- ops/arithmetic.yaml:260
constexpr Signature<1> floor_signature{"floor", {"x"}, 1, 0b1,
                                       {&program::defs::kFloor, ProgramForm::kPlain}};
inline PyObject* call_floor(const Arguments<floor_signature>& in) {
  return wrap(imperative_floor(in.tensor(0)));
}
constexpr Signature<1> floor__signature{"floor_", {"x"}, 1, 0b1,
                                        {&program::defs::kFloor, ProgramForm::kInplace}};
inline PyObject* call_floor_(const Arguments<floor__signature>& in) {
  imperative_floor_(in.target(0));
  return Py_NewRef(in.object(0));
}

constexpr EntryRow functions[] = {
    {"abs", function<call_abs>,
     "abs($module, x)\n--\n\n"
     "The absolute value of x. Its gradient at 0 is 0.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"abs_", function<call_abs_>,
     "abs_($module, x)\n--\n\n"
     "abs() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"add", function<call_add>,
     "add($module, x, y)\n--\n\n"
     "x + y. For bool operands, whether either holds.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"add_", function<call_add_>,
     "add_($module, x, y)\n--\n\n"
     "add() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"clip", function<call_clip>,
     "clip($module, x, min, max)\n--\n\n"
     "x held between min and max; max where min exceeds it. For integers the bounds are cut\n"
     "towards zero. The gradient passes at the bounds.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    min: number.\n"
     "    max: number.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"clip_", function<call_clip_>,
     "clip_($module, x, min, max)\n--\n\n"
     "clip() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"cos", function<call_cos>,
     "cos($module, x)\n--\n\n"
     "The cosine of x, in radians.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"cos_", function<call_cos_>,
     "cos_($module, x)\n--\n\n"
     "cos() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"divide", function<call_divide>,
     "divide($module, x, y)\n--\n\n"
     "x / y. Integers are divided as float32.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype float_promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"divide_", function<call_divide_>,
     "divide_($module, x, y)\n--\n\n"
     "divide() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"exp", function<call_exp>,
     "exp($module, x)\n--\n\n"
     "e to the power x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"exp_", function<call_exp_>,
     "exp_($module, x)\n--\n\n"
     "exp() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"floor", function<call_floor>,
     "floor($module, x)\n--\n\n"
     "The largest whole number that is not above x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "The gradient is zero: constant between its jumps."},
    {"floor_", function<call_floor_>,
     "floor_($module, x)\n--\n\n"
     "floor() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"log", function<call_log>,
     "log($module, x)\n--\n\n"
     "The natural logarithm of x; -inf at 0 and NaN below.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"log_", function<call_log_>,
     "log_($module, x)\n--\n\n"
     "log() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"maximum", function<call_maximum>,
     "maximum($module, x, y)\n--\n\n"
     "The larger of x and y; NaN where either is. Equal operands share the gradient evenly.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"maximum_", function<call_maximum_>,
     "maximum_($module, x, y)\n--\n\n"
     "maximum() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"minimum", function<call_minimum>,
     "minimum($module, x, y)\n--\n\n"
     "The smaller of x and y; NaN where either is. Equal operands share the gradient "
     "evenly.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"minimum_", function<call_minimum_>,
     "minimum_($module, x, y)\n--\n\n"
     "minimum() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"multiply", function<call_multiply>,
     "multiply($module, x, y)\n--\n\n"
     "x * y. For bool operands, whether both hold.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"multiply_", function<call_multiply_>,
     "multiply_($module, x, y)\n--\n\n"
     "multiply() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"negative", function<call_negative>,
     "negative($module, x)\n--\n\n"
     "-x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps nothing."},
    {"negative_", function<call_negative_>,
     "negative_($module, x)\n--\n\n"
     "negative() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"pow", function<call_pow>,
     "pow($module, x, y)\n--\n\n"
     "x to the power y. Integers to a negative integer power are refused.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"pow_", function<call_pow_>,
     "pow_($module, x, y)\n--\n\n"
     "pow() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"scale", function<call_scale>,
     "scale($module, x, scale=1.0, bias=0.0, bias_after_scale=True)\n--\n\n"
     "x * scale + bias, or (x + bias) * scale unless bias_after_scale. Integers with a\n"
     "fractional scale or bias are worked out in float64 and cut towards zero.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    scale: number.\n"
     "    bias: number.\n"
     "    bias_after_scale: bool.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps nothing."},
    {"scale_", function<call_scale_>,
     "scale_($module, x, scale=1.0, bias=0.0, bias_after_scale=True)\n--\n\n"
     "scale() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sign", function<call_sign>,
     "sign($module, x)\n--\n\n"
     "-1, 0 or 1 as x is below, at or above 0; NaN stays.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "The gradient is zero: constant between its jumps."},
    {"sign_", function<call_sign_>,
     "sign_($module, x)\n--\n\n"
     "sign() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sin", function<call_sin>,
     "sin($module, x)\n--\n\n"
     "The sine of x, in radians.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"sin_", function<call_sin_>,
     "sin_($module, x)\n--\n\n"
     "sin() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sqrt", function<call_sqrt>,
     "sqrt($module, x)\n--\n\n"
     "The square root of x; NaN below 0.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"sqrt_", function<call_sqrt_>,
     "sqrt_($module, x)\n--\n\n"
     "sqrt() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"square", function<call_square>,
     "square($module, x)\n--\n\n"
     "x * x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"square_", function<call_square_>,
     "square_($module, x)\n--\n\n"
     "square() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"subtract", function<call_subtract>,
     "subtract($module, x, y)\n--\n\n"
     "x - y. Two bool operands are refused.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"subtract_", function<call_subtract_>,
     "subtract_($module, x, y)\n--\n\n"
     "subtract() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr EntryRow methods[] = {
    {"abs", method<call_abs>,
     "abs($self)\n--\n\n"
     "The absolute value of x. Its gradient at 0 is 0.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"abs_", method<call_abs_>,
     "abs_($self)\n--\n\n"
     "abs() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"add", method<call_add>,
     "add($self, y)\n--\n\n"
     "x + y. For bool operands, whether either holds.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"add_", method<call_add_>,
     "add_($self, y)\n--\n\n"
     "add() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"clip", method<call_clip>,
     "clip($self, min, max)\n--\n\n"
     "x held between min and max; max where min exceeds it. For integers the bounds are cut\n"
     "towards zero. The gradient passes at the bounds.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    min: number.\n"
     "    max: number.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"clip_", method<call_clip_>,
     "clip_($self, min, max)\n--\n\n"
     "clip() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"cos", method<call_cos>,
     "cos($self)\n--\n\n"
     "The cosine of x, in radians.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"cos_", method<call_cos_>,
     "cos_($self)\n--\n\n"
     "cos() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"divide", method<call_divide>,
     "divide($self, y)\n--\n\n"
     "x / y. Integers are divided as float32.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype float_promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"divide_", method<call_divide_>,
     "divide_($self, y)\n--\n\n"
     "divide() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"exp", method<call_exp>,
     "exp($self)\n--\n\n"
     "e to the power x.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"exp_", method<call_exp_>,
     "exp_($self)\n--\n\n"
     "exp() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"floor", method<call_floor>,
     "floor($self)\n--\n\n"
     "The largest whole number that is not above x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "The gradient is zero: constant between its jumps."},
    {"floor_", method<call_floor_>,
     "floor_($self)\n--\n\n"
     "floor() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"log", method<call_log>,
     "log($self)\n--\n\n"
     "The natural logarithm of x; -inf at 0 and NaN below.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"log_", method<call_log_>,
     "log_($self)\n--\n\n"
     "log() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"maximum", method<call_maximum>,
     "maximum($self, y)\n--\n\n"
     "The larger of x and y; NaN where either is. Equal operands share the gradient evenly.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"maximum_", method<call_maximum_>,
     "maximum_($self, y)\n--\n\n"
     "maximum() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"minimum", method<call_minimum>,
     "minimum($self, y)\n--\n\n"
     "The smaller of x and y; NaN where either is. Equal operands share the gradient "
     "evenly.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"minimum_", method<call_minimum_>,
     "minimum_($self, y)\n--\n\n"
     "minimum() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"multiply", method<call_multiply>,
     "multiply($self, y)\n--\n\n"
     "x * y. For bool operands, whether both hold.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"multiply_", method<call_multiply_>,
     "multiply_($self, y)\n--\n\n"
     "multiply() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"negative", method<call_negative>,
     "negative($self)\n--\n\n"
     "-x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps nothing."},
    {"negative_", method<call_negative_>,
     "negative_($self)\n--\n\n"
     "negative() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"pow", method<call_pow>,
     "pow($self, y)\n--\n\n"
     "x to the power y. Integers to a negative integer power are refused.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps x, y; in place keeps y, a copy of x."},
    {"pow_", method<call_pow_>,
     "pow_($self, y)\n--\n\n"
     "pow() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"scale", method<call_scale>,
     "scale($self, scale=1.0, bias=0.0, bias_after_scale=True)\n--\n\n"
     "x * scale + bias, or (x + bias) * scale unless bias_after_scale. Integers with a\n"
     "fractional scale or bias are worked out in float64 and cut towards zero.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n"
     "    scale: number.\n"
     "    bias: number.\n"
     "    bias_after_scale: bool.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps nothing."},
    {"scale_", method<call_scale_>,
     "scale_($self, scale=1.0, bias=0.0, bias_after_scale=True)\n--\n\n"
     "scale() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sign", method<call_sign>,
     "sign($self)\n--\n\n"
     "-1, 0 or 1 as x is below, at or above 0; NaN stays.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "The gradient is zero: constant between its jumps."},
    {"sign_", method<call_sign_>,
     "sign_($self)\n--\n\n"
     "sign() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sin", method<call_sin>,
     "sin($self)\n--\n\n"
     "The sine of x, in radians.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"sin_", method<call_sin_>,
     "sin_($self)\n--\n\n"
     "sin() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sqrt", method<call_sqrt>,
     "sqrt($self)\n--\n\n"
     "The square root of x; NaN below 0.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"sqrt_", method<call_sqrt_>,
     "sqrt_($self)\n--\n\n"
     "sqrt() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"square", method<call_square>,
     "square($self)\n--\n\n"
     "x * x.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps x; in place keeps a copy of x."},
    {"square_", method<call_square_>,
     "square_($self)\n--\n\n"
     "square() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"subtract", method<call_subtract>,
     "subtract($self, y)\n--\n\n"
     "x - y. Two bool operands are refused.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps nothing."},
    {"subtract_", method<call_subtract_>,
     "subtract_($self, y)\n--\n\n"
     "subtract() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr OperatorRow operators[] = {
    {"*", operation<call_multiply>},
    {"**", operation<call_pow>},
    {"**=", operation<call_pow_>},
    {"*=", operation<call_multiply_>},
    {"+", operation<call_add>},
    {"+=", operation<call_add_>},
    {"-", operation<call_subtract>},
    {"-=", operation<call_subtract_>},
    {"/", operation<call_divide>},
    {"/=", operation<call_divide_>},
    {"abs", unary<call_abs>},
    {"neg", unary<call_negative>},
};

}  // namespace

const OpTable arithmetic_table{"arithmetic", functions, methods, operators};

}  // namespace oploom::python
