#pragma once

#include <optional>

#include "runtime/program/builder.h"

// What differentiation needs of the registry without knowing its ops by name. Defined by generated code.
namespace oploom::program::roles {

Value* accumulate(Value* x, Value* y);
Value* sum_to(Value* x, const Numbers& shape);
Value* expand(Value* x, const Numbers& shape);
Value* cast(Value* x, DType dtype);
Value* zeros(const Numbers& shape, std::optional<DType> dtype);
Value* ones(const Numbers& shape, std::optional<DType> dtype);

}  // namespace oploom::program::roles
