"""The registry's model: frozen, every part with its place in the registry.

A `Declaration` is what one entry says about names and types; its expressions are still text. An
`Op` is a declaration whose expressions were resolved against all declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from generator.expressions import Expr
from generator.problems import Place
from generator.yaml_tree import Text


class InputType(Enum):
    TENSOR = "tensor"
    OPERAND = "operand"
    OPTIONAL = "tensor?"
    LIST = "tensor[]"


@dataclass(frozen=True)
class Input:
    place: Place
    name: str
    type: InputType
    accepts: str | None  # bool, integer, float, number: the accepted category
    grad: bool  # whether a gradient may be asked for
    reads_shape: bool  # no element is read
    cast: Rule | None  # the dtype that the kernel wants
    doc: str

    @property
    def optional(self) -> bool:
        return self.type is InputType.OPTIONAL

    @property
    def is_list(self) -> bool:
        return self.type is InputType.LIST


@dataclass(frozen=True)
class Attr:
    place: Place
    name: str
    type: str  # bool int float str dtype scalar int[] axis axes shape index
    optional: bool  # type?: Python's None, an absent value
    of: str | None  # the input that axis, axes, shape, index belong to; None: in normal form
    default: Default | None
    choices: tuple[str, ...]
    doc: str
    within: str | None = None  # the attribute whose lengths an index, in normal form, belongs to

    @property
    def normalised(self) -> bool:
        """Whether the function brings it to a normal form first."""
        return self.of is not None


@dataclass(frozen=True)
class Default:
    """A default value; None is Python's None."""

    value: bool | int | float | str | tuple[int, ...] | None


@dataclass(frozen=True)
class Rule:
    """How a shape or dtype follows from inputs and attributes: a call, a name or a constant.

    kind: same, infer (a function of infer.h), attribute, dtype (a dtype's name), value (the dtype
    of a scalar attribute), lengths (a fixed shape), kernel (the kernel makes the result).
    """

    place: Place
    kind: str
    name: str = ""
    args: tuple[Rule, ...] = ()
    lengths: tuple[int, ...] = ()
    as_dtype: bool = False  # of same: its dtype as an argument, not the input itself


@dataclass(frozen=True)
class Output:
    place: Place
    name: str
    is_list: bool
    shape: Rule
    dtype: Rule
    hidden: bool  # kept for backward, returned to nobody
    grad: bool
    doc: str


@dataclass(frozen=True)
class Pair:
    """An in-place pair: the input that is written, the output that it becomes."""

    place: Place
    input: str
    output: str


@dataclass(frozen=True)
class View:
    place: Place
    input: str
    output: str
    unless_layout: bool  # a copy where strides forbid a view


@dataclass(frozen=True)
class Operator:
    place: Place
    symbol: str
    kind: str  # binary, unary, comparison
    reflected: bool


@dataclass(frozen=True)
class GradientText:
    """Gradients of some inputs, as one expression that is not yet resolved."""

    inputs: tuple[Named, ...]
    text: Text


@dataclass(frozen=True)
class Named:
    place: Place
    name: str


@dataclass(frozen=True)
class BackwardText:
    """kind: expressions, custom, zero, none, missing, absent (composite and update ops)."""

    place: Place
    kind: str
    reason: str = ""
    gradients: tuple[GradientText, ...] = ()
    lets: tuple[tuple[Named, Text], ...] = ()
    when: Text | None = None


@dataclass(frozen=True)
class Declaration:
    place: Place
    family: str
    source: str  # the registry file of the entry, as shown in generated text
    name: str
    doc: str
    inputs: tuple[Input, ...]
    attrs: tuple[Attr, ...]
    outputs: tuple[Output, ...]
    kernel: str | None
    composite_text: Text | None
    composite_function: str | None
    check: str | None
    elementwise: bool
    safe_in_place: bool
    any_strides: bool
    pairs: tuple[Pair, ...]
    view: View | None
    writes_text: Text | None
    write_text: tuple[Named, Text] | None
    update: bool
    random: bool
    internal: bool
    operators: tuple[Operator, ...]
    method: str | None  # the input that is self; None: no method
    aliases: tuple[Named, ...]
    role: Named | None
    backward_text: BackwardText
    backward_inplace_text: BackwardText | None

    @property
    def only_inplace(self) -> bool:
        return self.name.endswith("_")

    @property
    def has_plain(self) -> bool:
        return not self.only_inplace

    @property
    def inplace_name(self) -> str | None:
        if not self.pairs:
            return None
        return self.name if self.only_inplace else f"{self.name}_"

    @property
    def composite(self) -> bool:
        return self.composite_text is not None or self.composite_function is not None

    @property
    def visible_outputs(self) -> tuple[Output, ...]:
        return tuple(output for output in self.outputs if not output.hidden)

    @property
    def tests_itself(self) -> bool:
        """Whether eager mode tests what the op gets; an internal one gets what fits, from rules."""
        return not self.internal

    @property
    def uses_options(self) -> bool:
        """Attributes behind an optional input: keyword-only, an options struct in C++."""
        return bool(self.attrs) and any(i.optional for i in self.inputs)

    @property
    def targets(self) -> frozenset[str]:
        return frozenset(pair.input for pair in self.pairs)

    def input(self, name: str) -> Input:
        return next(i for i in self.inputs if i.name == name)

    def attr(self, name: str) -> Attr:
        return next(a for a in self.attrs if a.name == name)

    def output(self, name: str) -> Output:
        return next(o for o in self.outputs if o.name == name)

    def input_names(self) -> tuple[str, ...]:
        return tuple(i.name for i in self.inputs)


@dataclass(frozen=True)
class Gradient:
    place: Place
    inputs: tuple[str, ...]  # several: expr gives one gradient for each
    expr: Expr


@dataclass(frozen=True)
class Backward:
    kind: str
    reason: str
    gradients: tuple[Gradient, ...]
    lets: tuple[tuple[str, Expr], ...]
    when: Expr | None = None


@dataclass(frozen=True)
class Op:
    """A declaration with its expressions resolved."""

    decl: Declaration
    composite: Expr | None
    writes: Expr | None
    write: Expr | None
    backward: Backward
    backward_inplace: Backward | None


@dataclass(frozen=True)
class Registry:
    ops: tuple[Op, ...]
    roles: Mapping[str, Declaration]
    files: tuple[str, ...]

    def families(self) -> dict[str, tuple[Op, ...]]:
        names = sorted({op.decl.family for op in self.ops})
        return {n: tuple(op for op in self.ops if op.decl.family == n) for n in names}
