"""Expressions as C++ that appends ops to a program: the second spelling of the same trees.

Values are Value*, numbers Number or plain literals, lists of integers Numbers. What a name is
called is all that differs between a gradient, a composition and a view's write.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    Source,
    Type,
    is_zero,
)
from generator.model import Attr, Declaration, Input, InputType
from generator.spelling import default_value, dtype_constant, number, quoted

LENGTHS = ("int[]", "axes", "shape")
NUMBERS = ("int", "float", "scalar")


@dataclass(frozen=True)
class ProgramEmitter:
    """decl: the op whose expressions these are; names: what an output or gradient is called."""

    decl: Declaration
    names: Mapping[str, str] = field(default_factory=dict)

    def text(self, expr: Expr) -> str:
        match expr:
            case Ref():
                return self.name(expr)
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
                return self._present(expr)
            case Needs():
                return f"vjp.needs({self.decl.input_names().index(expr.input)})"
            case Choose():
                return self._choose(expr)
            case Compare():
                return f"{self._side(expr.left)} {expr.operator} {self._side(expr.right)}"
            case Logic():
                return self.condition(expr).text
            case Arithmetic():
                return self._arithmetic(expr)
            case ListOf():
                return self._list(expr)
        raise AssertionError(expr)

    def name(self, ref: Ref) -> str:
        own = f"{ref.name}_grad" if ref.source is Source.GRAD else ref.name
        return self.names.get(own, own)

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

    def call(self, call: Call) -> str:
        wanted: list[Input | Attr] = [*call.op.inputs, *call.op.attrs]
        last = max((i for i, arg in enumerate(call.args) if arg is not None), default=-1)
        pairs = list(zip(wanted, call.args, strict=True))[: last + 1]
        return f"ops::{call.op.name}({', '.join(self._argument(w, a) for w, a in pairs)})"

    def _argument(self, wanted: Input | Attr, value: Expr | None) -> str:
        if isinstance(wanted, Input):
            if value is None or value.type is Type.NONE:
                return "{}" if wanted.type is InputType.LIST else "nullptr"
            return self.text(value)
        if value is None:
            assert wanted.default is not None
            return default_value(wanted, wanted.default)
        if wanted.type == "axis":
            return self._plain_int(value)
        return self.text(value)

    def _plain_int(self, expr: Expr) -> str:
        """An integer that must be known while the program is built."""
        plain = isinstance(expr, Const) or (isinstance(expr, Metadata) and expr.function == "ndim")
        if plain or (isinstance(expr, Ref) and self._attr_type(expr) == "axis"):
            return self.text(expr)
        return f"emitted::known_int({self.text(expr)})"

    def _attr_type(self, ref: Ref) -> str | None:
        return self.decl.attr(ref.name).type if ref.source is Source.ATTR else None

    def _metadata(self, expr: Metadata) -> str:
        args = [self.text(expr.of)]
        args += [self._plain_int(arg) for arg in expr.args]
        return f"program::{expr.function}({', '.join(args)})"

    def _present(self, expr: Present) -> str:
        name = self.name(expr.of)
        return f"{name}.has_value()" if expr.of.source is Source.ATTR else f"{name} != nullptr"

    def _choose(self, expr: Choose) -> str:
        kind = {Type.TENSOR: "nullptr"}.get(expr.type)
        sides = [
            kind if kind is not None and is_zero(side) else self._typed(side, expr.type)
            for side in (expr.then, expr.otherwise)
        ]
        return f"{self.condition(expr.test).within(Shape.COMPARE)} ? {sides[0]} : {sides[1]}"

    def _typed(self, side: Expr, kind: Type) -> str:
        """A side of a choice: both have one C++ type."""
        text = self.text(side)
        if isinstance(side, Choose):
            return f"({text})"
        return f"Number({text})" if kind.number and not self._is_number(side) else text

    def _is_number(self, expr: Expr) -> bool:
        if isinstance(expr, Ref):
            return expr.source is Source.LET or self._attr_type(expr) in NUMBERS
        numel = isinstance(expr, Metadata) and expr.function in ("numel", "size")
        return numel or isinstance(expr, Arithmetic)

    def _side(self, expr: Expr) -> str:
        """A side of a comparison: known while the program is built."""
        text = self.text(expr)
        if expr.type.number and self._is_number(expr):
            return f"emitted::known({text})"
        return f"({text})" if isinstance(expr, Choose | Compare | Logic) else text

    def _arithmetic(self, expr: Arithmetic) -> str:
        left = self._operand(expr.left)
        if not self._is_number(expr.left):
            left = f"Number({self.text(expr.left)})"
        return f"{left} {expr.operator} {self._operand(expr.right)}"

    def _operand(self, expr: Expr) -> str:
        text = self.text(expr)
        return f"({text})" if isinstance(expr, Arithmetic | Choose) else text

    def _list(self, expr: ListOf) -> str:
        if expr.type is Type.TENSORS:
            return f"std::vector<Value*>{{{', '.join(self.text(item) for item in expr.items)}}}"
        return f"Numbers{{{', '.join(self._plain_int(item) for item in expr.items)}}}"


def attr_local(attr: Attr, index: int) -> str:
    """The statement that names an attribute, in a function that has `op`."""
    if attr.optional:
        kind = OPTIONAL[attr.type]
        text = f"emitted::given<{kind}>(op.attributes[{index}])"
        return f"const auto {attr.name} = {text};"
    if attr.type in LENGTHS:
        return f"const Numbers {attr.name} = emitted::numbers(op, {index});"
    if attr.type in NUMBERS:
        return f"const Number {attr.name} = emitted::number(op, {index});"
    kind, local = PLAIN[attr.type]
    return f"{local} {attr.name} = emitted::attribute<{kind}>(op, {index});"


# What an attribute is kept as, and the local that reads it.
PLAIN = {
    "bool": ("bool", "const bool"),
    "int": ("std::int64_t", "const std::int64_t"),
    "float": ("double", "const double"),
    "str": ("std::string", "const std::string_view"),
    "dtype": ("DType", "const DType"),
    "scalar": ("Scalar", "const Scalar&"),
    "int[]": ("Lengths", "const Ints"),
    "axis": ("std::int64_t", "const std::int64_t"),
    "axes": ("Lengths", "const Ints"),
    "shape": ("Lengths", "const Ints"),
    "index": ("Index", "const Index&"),
}
OPTIONAL = {name: kind for name, (kind, _) in PLAIN.items()}


def refs_of(exprs: list[Expr], lets: Mapping[str, Expr]) -> list[Ref]:
    """All names that expressions read, through lets, each once."""
    found: dict[Ref, None] = {}
    for expr in exprs:
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.LET:
                found |= dict.fromkeys(refs_of([lets[part.name]], lets))
            elif isinstance(part, Ref):
                found[part] = None
            elif isinstance(part, Present):
                found[part.of] = None
    return list(found)
