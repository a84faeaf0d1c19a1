// Generated from ops/activation.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- relu ------------------------------------------------------------------ ops/activation.yaml:3
constexpr Signature<1> relu_signature{"relu", {"x"}, 1, 0b1,
                                      {&program::defs::kRelu, ProgramForm::kPlain}};
inline PyObject* call_relu(const Arguments<relu_signature>& in) {
  return wrap(imperative_relu(in.tensor(0)));
}
constexpr Signature<1> relu__signature{"relu_", {"x"}, 1, 0b1,
                                       {&program::defs::kRelu, ProgramForm::kInplace}};
inline PyObject* call_relu_(const Arguments<relu__signature>& in) {
  imperative_relu_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- tanh ----------------------------------------------------------------- ops/activation.yaml:22
constexpr Signature<1> tanh_signature{"tanh", {"x"}, 1, 0b1,
                                      {&program::defs::kTanh, ProgramForm::kPlain}};
inline PyObject* call_tanh(const Arguments<tanh_signature>& in) {
  return wrap(imperative_tanh(in.tensor(0)));
}
constexpr Signature<1> tanh__signature{"tanh_", {"x"}, 1, 0b1,
                                       {&program::defs::kTanh, ProgramForm::kInplace}};
inline PyObject* call_tanh_(const Arguments<tanh__signature>& in) {
  imperative_tanh_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- sigmoid -------------------------------------------------------------- ops/activation.yaml:42
constexpr Signature<1> sigmoid_signature{"sigmoid", {"x"}, 1, 0b1,
                                         {&program::defs::kSigmoid, ProgramForm::kPlain}};
inline PyObject* call_sigmoid(const Arguments<sigmoid_signature>& in) {
  return wrap(imperative_sigmoid(in.tensor(0)));
}
constexpr Signature<1> sigmoid__signature{"sigmoid_", {"x"}, 1, 0b1,
                                          {&program::defs::kSigmoid, ProgramForm::kInplace}};
inline PyObject* call_sigmoid_(const Arguments<sigmoid__signature>& in) {
  imperative_sigmoid_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- leaky_relu ----------------------------------------------------------- ops/activation.yaml:62
constexpr Signature<2> leaky_relu_signature{"leaky_relu", {"x", "negative_slope"}, 2, 0b01,
                                            {&program::defs::kLeakyRelu, ProgramForm::kPlain}};
inline PyObject* call_leaky_relu(const Arguments<leaky_relu_signature>& in) {
  return wrap(imperative_leaky_relu(in.tensor(0), in.number(1, 0.02)));
}
constexpr Signature<2> leaky_relu__signature{"leaky_relu_", {"x", "negative_slope"}, 2, 0b01,
                                             {&program::defs::kLeakyRelu, ProgramForm::kInplace}};
inline PyObject* call_leaky_relu_(const Arguments<leaky_relu__signature>& in) {
  imperative_leaky_relu_(in.target(0), in.number(1, 0.02));
  return Py_NewRef(in.object(0));
}

// --- elu ------------------------------------------------------------------ ops/activation.yaml:87
constexpr Signature<2> elu_signature{"elu", {"x", "alpha"}, 2, 0b01,
                                     {&program::defs::kElu, ProgramForm::kPlain}};
inline PyObject* call_elu(const Arguments<elu_signature>& in) {
  return wrap(imperative_elu(in.tensor(0), in.number(1, 1.0)));
}
constexpr Signature<2> elu__signature{"elu_", {"x", "alpha"}, 2, 0b01,
                                      {&program::defs::kElu, ProgramForm::kInplace}};
inline PyObject* call_elu_(const Arguments<elu__signature>& in) {
  imperative_elu_(in.target(0), in.number(1, 1.0));
  return Py_NewRef(in.object(0));
}

// --- softmax ------------------------------------------------------------- ops/activation.yaml:138
constexpr Signature<2> softmax_signature{"softmax", {"x", "axis"}, 2, 0b11,
                                         {&program::defs::kSoftmax, ProgramForm::kPlain}};
inline PyObject* call_softmax(const Arguments<softmax_signature>& in) {
  return wrap(imperative_softmax(in.tensor(0), in.integer(1)));
}
constexpr Signature<2> softmax__signature{"softmax_", {"x", "axis"}, 2, 0b11,
                                          {&program::defs::kSoftmax, ProgramForm::kInplace}};
inline PyObject* call_softmax_(const Arguments<softmax__signature>& in) {
  imperative_softmax_(in.target(0), in.integer(1));
  return Py_NewRef(in.object(0));
}

constexpr EntryRow functions[] = {
    {"elu", function<call_elu>,
     "elu($module, x, alpha=1.0)\n--\n\n"
     "x where positive, alpha * (exp(x) - 1) elsewhere.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    alpha: float.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps out or a copy of x, as attributes say."},
    {"elu_", function<call_elu_>,
     "elu_($module, x, alpha=1.0)\n--\n\n"
     "elu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"leaky_relu", function<call_leaky_relu>,
     "leaky_relu($module, x, negative_slope=0.02)\n--\n\n"
     "x where positive, negative_slope * x elsewhere.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    negative_slope: float.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps out or a copy of x, as attributes say."},
    {"leaky_relu_", function<call_leaky_relu_>,
     "leaky_relu_($module, x, negative_slope=0.02)\n--\n\n"
     "leaky_relu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"relu", function<call_relu>,
     "relu($module, x)\n--\n\n"
     "x where positive, 0 elsewhere; NaN stays. Its gradient at 0 is 0.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps out."},
    {"relu_", function<call_relu_>,
     "relu_($module, x)\n--\n\n"
     "relu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sigmoid", function<call_sigmoid>,
     "sigmoid($module, x)\n--\n\n"
     "1 / (1 + exp(-x)).\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"sigmoid_", function<call_sigmoid_>,
     "sigmoid_($module, x)\n--\n\n"
     "sigmoid() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"softmax", function<call_softmax>,
     "softmax($module, x, axis)\n--\n\n"
     "exp(x) divided by its sum along an axis, worked out without overflow.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "Backward keeps out."},
    {"softmax_", function<call_softmax_>,
     "softmax_($module, x, axis)\n--\n\n"
     "softmax() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"tanh", function<call_tanh>,
     "tanh($module, x)\n--\n\n"
     "Hyperbolic tangent, element by element.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"tanh_", function<call_tanh_>,
     "tanh_($module, x)\n--\n\n"
     "tanh() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr EntryRow methods[] = {
    {"elu", method<call_elu>,
     "elu($self, alpha=1.0)\n--\n\n"
     "x where positive, alpha * (exp(x) - 1) elsewhere.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    alpha: float.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps out or a copy of x, as attributes say."},
    {"elu_", method<call_elu_>,
     "elu_($self, alpha=1.0)\n--\n\n"
     "elu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"leaky_relu", method<call_leaky_relu>,
     "leaky_relu($self, negative_slope=0.02)\n--\n\n"
     "x where positive, negative_slope * x elsewhere.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    negative_slope: float.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps x; in place keeps out or a copy of x, as attributes say."},
    {"leaky_relu_", method<call_leaky_relu_>,
     "leaky_relu_($self, negative_slope=0.02)\n--\n\n"
     "leaky_relu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"relu", method<call_relu>,
     "relu($self)\n--\n\n"
     "x where positive, 0 elsewhere; NaN stays. Its gradient at 0 is 0.\n\n"
     "Args:\n"
     "    x: integer or float tensor.\n\n"
     "Returns:\n"
     "    The shape and dtype of x.\n\n"
     "Raises:\n"
     "    TypeError: x is bool.\n\n"
     "Backward keeps out."},
    {"relu_", method<call_relu_>,
     "relu_($self)\n--\n\n"
     "relu() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"sigmoid", method<call_sigmoid>,
     "sigmoid($self)\n--\n\n"
     "1 / (1 + exp(-x)).\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"sigmoid_", method<call_sigmoid_>,
     "sigmoid_($self)\n--\n\n"
     "sigmoid() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"softmax", method<call_softmax>,
     "softmax($self, axis)\n--\n\n"
     "exp(x) divided by its sum along an axis, worked out without overflow.\n\n"
     "Args:\n"
     "    x: tensor.\n"
     "    axis: axis, may be negative.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Raises:\n"
     "    ValueError: axis is out of range.\n\n"
     "Backward keeps out."},
    {"softmax_", method<call_softmax_>,
     "softmax_($self, axis)\n--\n\n"
     "softmax() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
    {"tanh", method<call_tanh>,
     "tanh($self)\n--\n\n"
     "Hyperbolic tangent, element by element.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype float_of(x).\n\n"
     "Backward keeps out."},
    {"tanh_", method<call_tanh_>,
     "tanh_($self)\n--\n\n"
     "tanh() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

}  // namespace

const OpTable activation_table{"activation", functions, methods, {}};

}  // namespace oploom::python
