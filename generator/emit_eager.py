"""Expressions as C++ that runs at once: calls of imperative_<op>.

A program-mode emitter would be a second module like this one, over the same trees; `Names` is how
both learn what a name is called where the text will stand.
"""

from __future__ import annotations

from typing import Protocol

from generator.conditions import Condition, Shape, all_of, any_of, negated
from generator.expressions import (
    Arithmetic,
    Call,
    Choose,
    Compare,
    Const,
    DTypeName,
    Expr,
    ListOf,
    Logic,
    Metadata,
    Needs,
    Present,
    Ref,
    RuleCall,
    Type,
)
from generator.model import Attr, Input, InputType
from generator.spelling import default_value, dtype_constant, number, options_type, quoted


class Names(Protocol):
    """What names are called in the function where an expression will stand."""

    def value(self, ref: Ref) -> str: ...
    def metadata(self, function: str, ref: Ref) -> str: ...
    def present(self, ref: Ref) -> str: ...
    def needs(self, name: str, decided: bool) -> str:
        """decided: in a condition, which was settled when the node was made."""
        ...


class EagerEmitter:
    def __init__(self, names: Names, in_test: bool = False) -> None:
        self.names = names
        self.in_test = in_test

    def text(self, expr: Expr) -> str:
        match expr:
            case Ref():
                return self.names.value(expr)
            case Const():
                return self._constant(expr)
            case DTypeName():
                return dtype_constant(expr.name)
            case Call():
                return self.call(expr)
            case RuleCall():
                return f"rules::{expr.function}({', '.join(self.text(a) for a in expr.args)})"
            case Metadata():
                return self._metadata(expr)
            case Present():
                return self.names.present(expr.of)
            case Needs():
                return self.names.needs(expr.input, self.in_test)
            case Choose():
                return self._choose(expr)
            case Compare():
                return f"{self._operand(expr.left)} {expr.operator} {self._operand(expr.right)}"
            case Logic():
                return self.condition(expr).text
            case Arithmetic():
                return self._arithmetic(expr)
            case ListOf():
                items = ", ".join(self.text(item) for item in expr.items)
                if expr.type is Type.TENSORS:
                    return f"std::array<Tensor, {len(expr.items)}>{{{items}}}"
                return f"{{{items}}}"
        raise AssertionError(expr)

    def test(self, expr: Expr) -> Condition:
        """A truth value that was settled when the node was made."""
        return EagerEmitter(self.names, in_test=True).condition(expr)

    def condition(self, expr: Expr) -> Condition:
        if isinstance(expr, Logic):
            parts = [self.condition(term) for term in expr.terms]
            if expr.operator == "not":
                return negated(parts[0])
            return all_of(parts) if expr.operator == "and" else any_of(parts)
        shape = {Compare: Shape.COMPARE, Choose: Shape.CHOICE}.get(type(expr), Shape.ATOM)
        return Condition(self.text(expr), shape)

    def _constant(self, expr: Const) -> str:
        if expr.value is None:
            return "std::nullopt"
        return quoted(expr.value) if isinstance(expr.value, str) else number(expr.value)

    def call(self, call: Call, inplace: bool = False) -> str:
        """A call of the plain form, or of the in-place form."""
        op = call.op
        name = f"imperative_{op.inplace_name if inplace else op.name}"
        wanted: list[Input | Attr] = [*op.inputs, *op.attrs]
        if op.uses_options:
            given = [self._argument(w, a) for w, a in zip(op.inputs, call.args, strict=False)]
            attrs = zip(op.attrs, call.args[len(op.inputs) :], strict=True)
            named = [f".{w.name} = {self._argument(w, a)}" for w, a in attrs if a is not None]
            if named:
                given.append(f"{options_type(op)}{{{', '.join(named)}}}")
            return f"{name}({', '.join(given)})"
        last = max((i for i, arg in enumerate(call.args) if arg is not None), default=-1)
        pairs = list(zip(wanted, call.args, strict=True))[: last + 1]
        return f"{name}({', '.join(self._argument(w, a) for w, a in pairs)})"

    def arguments(self, call: Call) -> list[str]:
        """All arguments, in the order of inputs and attributes."""
        wanted: list[Input | Attr] = [*call.op.inputs, *call.op.attrs]
        return [self._argument(w, a) for w, a in zip(wanted, call.args, strict=True)]

    def _argument(self, wanted: Input | Attr, value: Expr | None) -> str:
        if isinstance(wanted, Input):
            absent = value is None or value.type is Type.NONE
            if absent or value is None:
                return "{}" if wanted.type is InputType.LIST else "Tensor()"
            return self.text(value)
        if value is None:
            assert wanted.default is not None
            return default_value(wanted, wanted.default)
        if wanted.type == "float":
            return self._float(value)
        return self.text(value)

    def _float(self, value: Expr) -> str:
        if isinstance(value, Const) and isinstance(value.value, int):
            return number(float(value.value))
        if value.type is Type.INT:
            return f"static_cast<double>({self.text(value)})"
        return self.text(value) + (".to_double()" if value.type is Type.SCALAR else "")

    def _metadata(self, expr: Metadata) -> str:
        if expr.function != "size":
            return self.names.metadata(expr.function, expr.of)
        shape = self.names.metadata("shape", expr.of)
        axis = expr.args[0]
        if isinstance(axis, Const) and isinstance(axis.value, int) and axis.value < 0:
            return f"{shape}[{shape}.size() - {-axis.value}]"
        return f"{shape}[{self.text(axis)}]"

    def _choose(self, expr: Choose) -> str:
        sides = []
        for side in (expr.then, expr.otherwise):
            zero = expr.type is Type.TENSOR and side.type is Type.INT
            sides.append("Tensor()" if zero else self.text(side))
        test = self.test(expr.test).within(Shape.COMPARE)
        return f"{test} ? {sides[0]} : {sides[1]}"

    def _operand(self, expr: Expr) -> str:
        """A side of a comparison or of arithmetic."""
        text = self.text(expr)
        if expr.type is Type.SCALAR:
            return f"{text}.to_double()"
        return f"({text})" if isinstance(expr, Arithmetic | Choose | Compare | Logic) else text

    def _arithmetic(self, expr: Arithmetic) -> str:
        left, right = expr.left, expr.right
        if expr.operator == "-" and isinstance(left, Const) and left.value == 0:
            return f"-{self._operand(right)}"
        if expr.operator == "/" and left.type is Type.INT and right.type is Type.INT:
            return f"{self._float(left)} / {self._float(right)}"
        return f"{self._operand(left)} {expr.operator} {self._operand(right)}"
