"""Expressions as a typed tree. How one is spelt in a mode is an emitter's matter (emit_eager)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.model import Declaration


class Type(Enum):
    TENSOR = "a tensor"
    TENSORS = "a list of tensors"
    RESULTS = "several results"
    INT = "an integer"
    FLOAT = "a float"
    SCALAR = "a number"
    BOOL = "a truth value"
    INTS = "a list of integers"
    STR = "a string"
    DTYPE = "a dtype"
    INDEX = "an index"
    NONE = "None"

    @property
    def number(self) -> bool:
        return self in (Type.INT, Type.FLOAT, Type.SCALAR)


class Source(Enum):
    """What a name stands for."""

    INPUT = "input"
    ATTR = "attribute"
    OUTPUT = "output"
    GRAD = "output gradient"
    LET = "let"


@dataclass(frozen=True)
class Expr:
    type: Type

    def children(self) -> tuple[Expr, ...]:
        return ()

    def walk(self) -> Iterator[Expr]:
        yield self
        for child in self.children():
            yield from child.walk()


@dataclass(frozen=True)
class Ref(Expr):
    """The value of a name. Of a GRAD, `name` is the output's name."""

    source: Source
    name: str


@dataclass(frozen=True)
class Const(Expr):
    """A number, truth value, string or None."""

    value: bool | int | float | str | None


@dataclass(frozen=True)
class DTypeName(Expr):
    name: str


@dataclass(frozen=True)
class ListOf(Expr):
    items: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return self.items


@dataclass(frozen=True)
class Call(Expr):
    """A call of an op: one argument for each input, then attribute; None where left out."""

    op: Declaration
    args: tuple[Expr | None, ...]

    def children(self) -> tuple[Expr, ...]:
        return tuple(arg for arg in self.args if arg is not None)

    def argument(self, name: str) -> Expr | None:
        names = [*self.op.input_names(), *(a.name for a in self.op.attrs)]
        return self.args[names.index(name)]


@dataclass(frozen=True)
class RuleCall(Expr):
    """A call of a hand-written rule (runtime/rules), a template over the value type."""

    function: str
    args: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return self.args


@dataclass(frozen=True)
class Metadata(Expr):
    """shape, dtype, ndim, numel, size, sizes of a named value. Reads no element."""

    function: str
    of: Ref
    args: tuple[Expr, ...] = ()

    def children(self) -> tuple[Expr, ...]:
        return (self.of, *self.args)


@dataclass(frozen=True)
class Present(Expr):
    of: Ref


@dataclass(frozen=True)
class Needs(Expr):
    """Whether the gradient of an input is wanted."""

    input: str


@dataclass(frozen=True)
class Choose(Expr):
    """then if test else otherwise; test is known when the node is made."""

    test: Expr
    then: Expr
    otherwise: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.test, self.then, self.otherwise)


@dataclass(frozen=True)
class Compare(Expr):
    operator: str
    left: Expr
    right: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Logic(Expr):
    operator: str  # and, or, not
    terms: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return self.terms


@dataclass(frozen=True)
class Arithmetic(Expr):
    """+ - * / on plain numbers; on tensors these are calls."""

    operator: str
    left: Expr
    right: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


def is_zero(expr: Expr) -> bool:
    """The number 0 as a gradient: a symbolic zero."""
    return isinstance(expr, Const) and expr.value == 0 and expr.type is Type.INT
