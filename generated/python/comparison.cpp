// Generated from ops/comparison.yaml by `make generate`. Do not edit.

#include "bindings/args.h"
#include "bindings/tables.h"
#include "generated/ops.h"
#include "generated/program.h"
#include "generated/python/tables.h"

namespace oploom::python {
namespace {

// --- equal ----------------------------------------------------------------- ops/comparison.yaml:3
constexpr Signature<2> equal_signature{"equal", {"x", "y"}, 2, 0b11,
                                       {&program::defs::kEqual, ProgramForm::kPlain}};
inline PyObject* call_equal(const Arguments<equal_signature>& in) {
  return wrap(imperative_equal(in.operand(0), in.operand(1)));
}
constexpr Signature<2> equal__signature{"equal_", {"x", "y"}, 2, 0b11,
                                        {&program::defs::kEqual, ProgramForm::kInplace}};
inline PyObject* call_equal_(const Arguments<equal__signature>& in) {
  imperative_equal_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- not_equal ------------------------------------------------------------ ops/comparison.yaml:13
constexpr Signature<2> not_equal_signature{"not_equal", {"x", "y"}, 2, 0b11,
                                           {&program::defs::kNotEqual, ProgramForm::kPlain}};
inline PyObject* call_not_equal(const Arguments<not_equal_signature>& in) {
  return wrap(imperative_not_equal(in.operand(0), in.operand(1)));
}
constexpr Signature<2> not_equal__signature{"not_equal_", {"x", "y"}, 2, 0b11,
                                            {&program::defs::kNotEqual, ProgramForm::kInplace}};
inline PyObject* call_not_equal_(const Arguments<not_equal__signature>& in) {
  imperative_not_equal_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- less_than ------------------------------------------------------------ ops/comparison.yaml:23
constexpr Signature<2> less_than_signature{"less_than", {"x", "y"}, 2, 0b11,
                                           {&program::defs::kLessThan, ProgramForm::kPlain}};
inline PyObject* call_less_than(const Arguments<less_than_signature>& in) {
  return wrap(imperative_less_than(in.operand(0), in.operand(1)));
}
constexpr Signature<2> less_than__signature{"less_than_", {"x", "y"}, 2, 0b11,
                                            {&program::defs::kLessThan, ProgramForm::kInplace}};
inline PyObject* call_less_than_(const Arguments<less_than__signature>& in) {
  imperative_less_than_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- less_equal ----------------------------------------------------------- ops/comparison.yaml:33
constexpr Signature<2> less_equal_signature{"less_equal", {"x", "y"}, 2, 0b11,
                                            {&program::defs::kLessEqual, ProgramForm::kPlain}};
inline PyObject* call_less_equal(const Arguments<less_equal_signature>& in) {
  return wrap(imperative_less_equal(in.operand(0), in.operand(1)));
}
constexpr Signature<2> less_equal__signature{"less_equal_", {"x", "y"}, 2, 0b11,
                                             {&program::defs::kLessEqual, ProgramForm::kInplace}};
inline PyObject* call_less_equal_(const Arguments<less_equal__signature>& in) {
  imperative_less_equal_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- greater_than --------------------------------------------------------- ops/comparison.yaml:43
constexpr Signature<2> greater_than_signature{"greater_than", {"x", "y"}, 2, 0b11,
                                              {&program::defs::kGreaterThan, ProgramForm::kPlain}};
inline PyObject* call_greater_than(const Arguments<greater_than_signature>& in) {
  return wrap(imperative_greater_than(in.operand(0), in.operand(1)));
}
constexpr Signature<2> greater_than__signature{
    "greater_than_", {"x", "y"}, 2, 0b11, {&program::defs::kGreaterThan, ProgramForm::kInplace}};
inline PyObject* call_greater_than_(const Arguments<greater_than__signature>& in) {
  imperative_greater_than_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- greater_equal -------------------------------------------------------- ops/comparison.yaml:53
constexpr Signature<2> greater_equal_signature{
    "greater_equal", {"x", "y"}, 2, 0b11, {&program::defs::kGreaterEqual, ProgramForm::kPlain}};
inline PyObject* call_greater_equal(const Arguments<greater_equal_signature>& in) {
  return wrap(imperative_greater_equal(in.operand(0), in.operand(1)));
}
constexpr Signature<2> greater_equal__signature{
    "greater_equal_", {"x", "y"}, 2, 0b11, {&program::defs::kGreaterEqual, ProgramForm::kInplace}};
inline PyObject* call_greater_equal_(const Arguments<greater_equal__signature>& in) {
  imperative_greater_equal_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- logical_and ---------------------------------------------------------- ops/comparison.yaml:63
constexpr Signature<2> logical_and_signature{"logical_and", {"x", "y"}, 2, 0b11,
                                             {&program::defs::kLogicalAnd, ProgramForm::kPlain}};
inline PyObject* call_logical_and(const Arguments<logical_and_signature>& in) {
  return wrap(imperative_logical_and(in.operand(0), in.operand(1)));
}
constexpr Signature<2> logical_and__signature{"logical_and_", {"x", "y"}, 2, 0b11,
                                              {&program::defs::kLogicalAnd, ProgramForm::kInplace}};
inline PyObject* call_logical_and_(const Arguments<logical_and__signature>& in) {
  imperative_logical_and_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- logical_or ----------------------------------------------------------- ops/comparison.yaml:72
constexpr Signature<2> logical_or_signature{"logical_or", {"x", "y"}, 2, 0b11,
                                            {&program::defs::kLogicalOr, ProgramForm::kPlain}};
inline PyObject* call_logical_or(const Arguments<logical_or_signature>& in) {
  return wrap(imperative_logical_or(in.operand(0), in.operand(1)));
}
constexpr Signature<2> logical_or__signature{"logical_or_", {"x", "y"}, 2, 0b11,
                                             {&program::defs::kLogicalOr, ProgramForm::kInplace}};
inline PyObject* call_logical_or_(const Arguments<logical_or__signature>& in) {
  imperative_logical_or_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- logical_xor ---------------------------------------------------------- ops/comparison.yaml:81
constexpr Signature<2> logical_xor_signature{"logical_xor", {"x", "y"}, 2, 0b11,
                                             {&program::defs::kLogicalXor, ProgramForm::kPlain}};
inline PyObject* call_logical_xor(const Arguments<logical_xor_signature>& in) {
  return wrap(imperative_logical_xor(in.operand(0), in.operand(1)));
}
constexpr Signature<2> logical_xor__signature{"logical_xor_", {"x", "y"}, 2, 0b11,
                                              {&program::defs::kLogicalXor, ProgramForm::kInplace}};
inline PyObject* call_logical_xor_(const Arguments<logical_xor__signature>& in) {
  imperative_logical_xor_(in.target(0), in.operand(1));
  return Py_NewRef(in.object(0));
}

// --- logical_not ---------------------------------------------------------- ops/comparison.yaml:90
constexpr Signature<1> logical_not_signature{"logical_not", {"x"}, 1, 0b1,
                                             {&program::defs::kLogicalNot, ProgramForm::kPlain}};
inline PyObject* call_logical_not(const Arguments<logical_not_signature>& in) {
  return wrap(imperative_logical_not(in.tensor(0)));
}
constexpr Signature<1> logical_not__signature{"logical_not_", {"x"}, 1, 0b1,
                                              {&program::defs::kLogicalNot, ProgramForm::kInplace}};
inline PyObject* call_logical_not_(const Arguments<logical_not__signature>& in) {
  imperative_logical_not_(in.target(0));
  return Py_NewRef(in.object(0));
}

// --- where ---------------------------------------------------------------- ops/comparison.yaml:99
constexpr Signature<3> where_signature{"where", {"condition", "x", "y"}, 3, 0b111,
                                       {&program::defs::kWhere, ProgramForm::kPlain}};
inline PyObject* call_where(const Arguments<where_signature>& in) {
  return wrap(imperative_where(in.tensor(0), in.operand(1), in.operand(2)));
}
constexpr Signature<3> where__signature{"where_", {"condition", "x", "y"}, 3, 0b111,
                                        {&program::defs::kWhere, ProgramForm::kInplace}};
inline PyObject* call_where_(const Arguments<where__signature>& in) {
  imperative_where_(in.tensor(0), in.target(1), in.operand(2));
  return Py_NewRef(in.object(1));
}

constexpr EntryRow functions[] = {
    {"equal", function<call_equal>,
     "equal($module, x, y)\n--\n\n"
     "Whether x equals y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"equal_", function<call_equal_>,
     "equal_($module, x, y)\n--\n\n"
     "equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"greater_equal", function<call_greater_equal>,
     "greater_equal($module, x, y)\n--\n\n"
     "Whether x is at least y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"greater_equal_", function<call_greater_equal_>,
     "greater_equal_($module, x, y)\n--\n\n"
     "greater_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"greater_than", function<call_greater_than>,
     "greater_than($module, x, y)\n--\n\n"
     "Whether x is above y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"greater_than_", function<call_greater_than_>,
     "greater_than_($module, x, y)\n--\n\n"
     "greater_than() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"less_equal", function<call_less_equal>,
     "less_equal($module, x, y)\n--\n\n"
     "Whether x is at most y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"less_equal_", function<call_less_equal_>,
     "less_equal_($module, x, y)\n--\n\n"
     "less_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"less_than", function<call_less_than>,
     "less_than($module, x, y)\n--\n\n"
     "Whether x is below y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"less_than_", function<call_less_than_>,
     "less_than_($module, x, y)\n--\n\n"
     "less_than() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_and", function<call_logical_and>,
     "logical_and($module, x, y)\n--\n\n"
     "Whether x and y both are nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_and_", function<call_logical_and_>,
     "logical_and_($module, x, y)\n--\n\n"
     "logical_and() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_not", function<call_logical_not>,
     "logical_not($module, x)\n--\n\n"
     "Whether x is zero.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype bool.\n\n"
     "No gradient: the result is bool."},
    {"logical_not_", function<call_logical_not_>,
     "logical_not_($module, x)\n--\n\n"
     "logical_not() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_or", function<call_logical_or>,
     "logical_or($module, x, y)\n--\n\n"
     "Whether x or y is nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_or_", function<call_logical_or_>,
     "logical_or_($module, x, y)\n--\n\n"
     "logical_or() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_xor", function<call_logical_xor>,
     "logical_xor($module, x, y)\n--\n\n"
     "Whether just one of x and y is nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_xor_", function<call_logical_xor_>,
     "logical_xor_($module, x, y)\n--\n\n"
     "logical_xor() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"not_equal", function<call_not_equal>,
     "not_equal($module, x, y)\n--\n\n"
     "Whether x differs from y, element by element. NaN differs from all.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"not_equal_", function<call_not_equal_>,
     "not_equal_($module, x, y)\n--\n\n"
     "not_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"where", function<call_where>,
     "where($module, condition, x, y)\n--\n\n"
     "x where condition holds, else y.\n\n"
     "Args:\n"
     "    condition: bool tensor.\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(condition, x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    TypeError: condition is not bool.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps condition."},
    {"where_", function<call_where_>,
     "where_($module, condition, x, y)\n--\n\n"
     "where() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr EntryRow methods[] = {
    {"equal", method<call_equal>,
     "equal($self, y)\n--\n\n"
     "Whether x equals y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"equal_", method<call_equal_>,
     "equal_($self, y)\n--\n\n"
     "equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"greater_equal", method<call_greater_equal>,
     "greater_equal($self, y)\n--\n\n"
     "Whether x is at least y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"greater_equal_", method<call_greater_equal_>,
     "greater_equal_($self, y)\n--\n\n"
     "greater_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"greater_than", method<call_greater_than>,
     "greater_than($self, y)\n--\n\n"
     "Whether x is above y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"greater_than_", method<call_greater_than_>,
     "greater_than_($self, y)\n--\n\n"
     "greater_than() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"less_equal", method<call_less_equal>,
     "less_equal($self, y)\n--\n\n"
     "Whether x is at most y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"less_equal_", method<call_less_equal_>,
     "less_equal_($self, y)\n--\n\n"
     "less_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"less_than", method<call_less_than>,
     "less_than($self, y)\n--\n\n"
     "Whether x is below y, element by element. NaN compares false.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"less_than_", method<call_less_than_>,
     "less_than_($self, y)\n--\n\n"
     "less_than() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_and", method<call_logical_and>,
     "logical_and($self, y)\n--\n\n"
     "Whether x and y both are nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_and_", method<call_logical_and_>,
     "logical_and_($self, y)\n--\n\n"
     "logical_and() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_not", method<call_logical_not>,
     "logical_not($self)\n--\n\n"
     "Whether x is zero.\n\n"
     "Args:\n"
     "    x: tensor.\n\n"
     "Returns:\n"
     "    Shape same(x), dtype bool.\n\n"
     "No gradient: the result is bool."},
    {"logical_not_", method<call_logical_not_>,
     "logical_not_($self)\n--\n\n"
     "logical_not() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_or", method<call_logical_or>,
     "logical_or($self, y)\n--\n\n"
     "Whether x or y is nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_or_", method<call_logical_or_>,
     "logical_or_($self, y)\n--\n\n"
     "logical_or() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"logical_xor", method<call_logical_xor>,
     "logical_xor($self, y)\n--\n\n"
     "Whether just one of x and y is nonzero.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"logical_xor_", method<call_logical_xor_>,
     "logical_xor_($self, y)\n--\n\n"
     "logical_xor() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"not_equal", method<call_not_equal>,
     "not_equal($self, y)\n--\n\n"
     "Whether x differs from y, element by element. NaN differs from all.\n\n"
     "Args:\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(x, y), dtype bool.\n\n"
     "Raises:\n"
     "    ValueError: shapes do not fit.\n\n"
     "No gradient: the result is bool."},
    {"not_equal_", method<call_not_equal_>,
     "not_equal_($self, y)\n--\n\n"
     "not_equal() into x. Returns x itself.\n\n"
     "In place: x gets a new storage, for the dtype changes by definition."},
    {"where", method<call_where, 1>,
     "where($self, condition, y)\n--\n\n"
     "x where condition holds, else y.\n\n"
     "Args:\n"
     "    condition: bool tensor.\n"
     "    x: tensor or number.\n"
     "    y: tensor or number.\n\n"
     "Returns:\n"
     "    Shape broadcast(condition, x, y), dtype promoted(x, y).\n\n"
     "Raises:\n"
     "    TypeError: condition is not bool.\n"
     "    ValueError: shapes do not fit.\n\n"
     "Backward keeps condition."},
    {"where_", method<call_where_, 1>,
     "where_($self, condition, y)\n--\n\n"
     "where() into x. Returns x itself.\n\n"
     "In place: writes x, whose shape and dtype category must hold the result."},
};

constexpr OperatorRow operators[] = {
    {"!=", operation<call_not_equal>},
    {"<", operation<call_less_than>},
    {"<=", operation<call_less_equal>},
    {"==", operation<call_equal>},
    {">", operation<call_greater_than>},
    {">=", operation<call_greater_equal>},
};

}  // namespace

const OpTable comparison_table{"comparison", functions, methods, operators};

}  // namespace oploom::python
