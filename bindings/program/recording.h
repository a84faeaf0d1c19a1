#pragma once

#include <optional>
#include <string>

#include "bindings/convert.h"
#include "bindings/program/call.h"
#include "bindings/program/value.h"
#include "runtime/program/record.h"

// For functions that are written by hand, while a program is recorded.
namespace oploom::python {

// The object that stands for a handle of the program that is recorded.
PyObject* wrap(const program::Variable& variable);
PyObject* wrap(const program::Variables& variables);  // a list; None for the undefined
// The handle of a value or, for a tensor, of the parameter that it becomes; raises for all else.
program::Variable to_variable(const Where& where, PyObject* object);
// The same where a number may stand.
program::Variable to_operand(const Where& where, PyObject* object);
// A tensor with data of its own in each run.
program::Variable constant(const Tensor& data);
// oploom.to_tensor(): a copy without a history, also of a tensor or value.
PyObject* record_to_tensor(const Where& where, PyObject* data, std::optional<DType> dtype,
                           bool stop_gradient);
// Tensors have no values while a program is recorded: raises with the way out.
void expect_not_recording(const char* what);
// The same for .grad, hooks and backward(), which belong to eager mode.
void expect_eager(const char* what);
// The same for detach_().
void expect_history_of_its_own();
// Of an argument or a tensor from outside, in a function that eager mode calls.
[[noreturn]] void refuse_flag(const char* flag, const std::string& name);
// Raises where a value of a program is used outside of `with`.
void expect_recording(PyObject* value, const char* what);

}  // namespace oploom::python
