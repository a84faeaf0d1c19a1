"""What a gradient node reads, and so keeps: decided from the expressions alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from generator.bare import runs_bare
from generator.expressions import (
    Call,
    Choose,
    Expr,
    Metadata,
    Present,
    Ref,
    Source,
    Type,
    is_zero,
)
from generator.model import Backward, Declaration, Gradient, Input, Op, Output
from generator.results import by_definition, fixed_not_float
from generator.spelling import pascal
from generator.symbols import Symbol, Symbols

Test = tuple[Expr, bool]


@dataclass(frozen=True)
class Guard:
    """When a value is read: a gradient of one of these inputs is wanted, and all tests hold."""

    inputs: frozenset[str]
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Kept:
    """An input or output whose value the node keeps."""

    ref: Ref
    guards: tuple[Guard, ...]


@dataclass(frozen=True)
class KeptMetadata:
    """shape, dtype, numel, ndim or sizes of a value; of a size, the shape is kept."""

    function: str
    ref: Ref
    axis: Expr | None = None

    @property
    def member(self) -> str:
        return f"{self.ref.name}_{'rank' if self.function == 'ndim' else self.function}"


@dataclass(frozen=True)
class LikePlan:
    """The gradient of `input` is brought to its shape and dtype.

    shape, dtype: which input or output the gradient is like, where that is known beforehand.
    """

    input: Input
    shape: Symbol | None
    dtype: Symbol | None


@dataclass(frozen=True)
class GradientPlan:
    inputs: tuple[Input, ...]
    expr: Expr
    like: LikePlan | None
    grads: tuple[str, ...]  # outputs whose gradients are read
    reused: str | None = None  # the output whose gradient buffer may hold the result
    bare: bool = False  # the rule is one kernel, which may run without a call of its op


@dataclass(frozen=True)
class NodePlan:
    op: Declaration
    class_name: str
    kind: str  # expressions, custom, zero, missing
    reason: str
    edges: tuple[Input, ...]  # inputs that can have a gradient; a list comes last
    slots: tuple[Output, ...]  # outputs that can have a gradient
    gradients: tuple[GradientPlan, ...]
    lets: tuple[tuple[str, Expr], ...]
    values: tuple[Kept, ...]
    metadata: tuple[KeptMetadata, ...]
    present: tuple[str, ...]
    attrs: tuple[str, ...]
    let_guards: Mapping[str, tuple[Guard, ...]]

    @property
    def list_edge(self) -> Input | None:
        return self.edges[-1] if self.edges and self.edges[-1].is_list else None

    def edge(self, name: str) -> int:
        return [i.name for i in self.edges].index(name)

    def gives_zero(self, name: str) -> bool:
        """Whether the gradient of an input is a symbolic zero, always."""
        if self.kind == "zero":
            return True
        return any(is_zero(g.expr) for g in self.gradients if name in [i.name for i in g.inputs])

    def slot(self, name: str) -> int:
        return [o.name for o in self.slots].index(name)

    @property
    def likes(self) -> tuple[LikePlan, ...]:
        found = [g.like for g in self.gradients if g.like is not None]
        return tuple(sorted(found, key=lambda like: self.edge(like.input.name)))

    def kept_by(self, name: str, source: Source) -> Kept | None:
        return next((k for k in self.values if k.ref.name == name and k.ref.source is source), None)


@dataclass(frozen=True)
class NodePlans:
    """The node of the plain form and that of the in-place form, often the same."""

    plain: NodePlan | None
    inplace: NodePlan | None

    def distinct(self) -> tuple[NodePlan, ...]:
        found = [plan for plan in (self.plain, self.inplace) if plan is not None]
        return tuple(found) if len(found) < 2 or found[0] is not found[1] else (found[0],)


def plan_nodes(op: Op) -> NodePlans:
    decl = op.decl
    if op.backward.kind in ("none", "absent") or not any(i.grad for i in decl.inputs):
        return NodePlans(None, None)
    plain = _plan(op, op.backward, f"{pascal(decl.name)}Node")
    inplace = plain if decl.pairs else None
    if op.backward_inplace is not None:
        merged = _inplace_backward(op.backward, op.backward_inplace)
        inplace = _plan(op, merged, f"{pascal(decl.name)}InplaceNode")
    return NodePlans(plain if decl.has_plain else None, inplace)


def _inplace_backward(plain: Backward, inplace: Backward) -> Backward:
    """The in-place formula where `when` holds, else the plain one (on a copy of what it reads)."""
    replaced = {g.inputs: g.expr for g in inplace.gradients}
    gradients = []
    for gradient in plain.gradients:
        expr = replaced.get(gradient.inputs, gradient.expr)
        if gradient.inputs in replaced and inplace.when is not None:
            expr = Choose(expr.type, inplace.when, expr, gradient.expr)
        gradients.append(Gradient(gradient.place, gradient.inputs, expr))
    return Backward("expressions", "", tuple(gradients), plain.lets + inplace.lets)


def _plan(op: Op, backward: Backward, class_name: str) -> NodePlan:
    decl = op.decl
    edges = sorted((i for i in decl.inputs if i.grad), key=lambda i: i.is_list)
    lets = dict(backward.lets)
    symbols = Symbols(decl, lets)
    reading = Reading(lets)
    gradients = []
    for gradient in backward.gradients:
        inputs = tuple(decl.input(name) for name in gradient.inputs)
        reading.add(gradient.expr, frozenset(gradient.inputs))
        like = None if backward.kind == "custom" else _like(inputs, gradient.expr, symbols)
        grads = tuple(dict.fromkeys(reading.grads_of(gradient.expr)))
        gradients.append(GradientPlan(inputs, gradient.expr, like, grads))
    slots = tuple(o for o in decl.outputs if o.grad and not fixed_not_float(decl, o))
    if len(slots) > 1:
        reading.keep_for_zeros({n for g in gradients for n in zeros_needed(g.expr, reading)})
    return NodePlan(
        op=decl,
        class_name=class_name,
        kind=backward.kind,
        reason=backward.reason,
        edges=tuple(edges),
        slots=slots,
        gradients=_reusing_last(gradients, symbols, slots),
        lets=backward.lets,
        values=reading.kept_values(decl),
        metadata=tuple(sorted(reading.metadata, key=lambda m: m.member)),
        present=tuple(sorted(reading.present)),
        attrs=tuple(a.name for a in decl.attrs if a.name in reading.attrs),
        let_guards={name: merged_guards(guards) for name, guards in reading.let_guards.items()},
    )


def _like(inputs: tuple[Input, ...], expr: Expr, symbols: Symbols) -> LikePlan | None:
    if len(inputs) > 1 or is_zero(expr):
        return None
    own: Symbol = (Source.INPUT, inputs[0].name)
    if inputs[0].is_list:
        return LikePlan(inputs[0], None, None)
    shape, dtype = symbols.shape(expr), symbols.dtype(expr)
    if shape == own and dtype == own:
        return None
    known = all(s == own or (s is not None and s[0] is Source.OUTPUT) for s in (shape, dtype))
    return LikePlan(inputs[0], shape, dtype) if known else LikePlan(inputs[0], None, None)


def _reusing_last(
    gradients: list[GradientPlan], symbols: Symbols, slots: tuple[Output, ...]
) -> tuple[GradientPlan, ...]:
    """One gradient that may run in the buffer of the output's gradient, read by no one after it."""
    for gradient in gradients:
        bare = runs_bare(gradient.expr)
        if len(slots) == 1 and (bare or _may_reuse(gradient.expr, symbols)):
            others = [other for other in gradients if other is not gradient]
            return (*others, replace(gradient, reused=slots[0].name, bare=bare))
    return tuple(gradients)


def _may_reuse(expr: Expr, symbols: Symbols) -> bool:
    """Whether its outer call has an in-place form that writes the output's gradient."""
    if not isinstance(expr, Call) or not expr.op.has_plain or len(expr.op.pairs) != 1:
        return False
    pair = expr.op.pairs[0]
    ordinary = expr.op.kernel is not None and expr.op.view is None
    if not ordinary or by_definition(expr.op, pair) or len(expr.op.visible_outputs) > 1:
        return False
    target = expr.argument(pair.input)
    if not isinstance(target, Ref) or target.source is not Source.GRAD:
        return False
    reads = [part for part in expr.walk() if isinstance(part, Ref)]
    alone = sum(part.source is Source.GRAD for part in reads) == 1
    alone = alone and all(part.source is not Source.LET for part in reads)
    shape, dtype = symbols.shape(target), symbols.dtype(target)
    return alone and symbols.shape(expr) == shape and symbols.dtype(expr) == dtype


class Reading:
    """Collects what expressions read, each value with when."""

    def __init__(self, lets: dict[str, Expr]) -> None:
        self.lets = lets
        self.values: dict[tuple[Source, str, Type], list[Guard]] = {}
        self.let_guards: dict[str, list[Guard]] = {}
        self.metadata: set[KeptMetadata] = set()
        self.present: set[str] = set()
        self.attrs: set[str] = set()

    def add(self, expr: Expr, inputs: frozenset[str], tests: tuple[Test, ...] = ()) -> None:
        match expr:
            case Ref(source=Source.LET):
                self.let_guards.setdefault(expr.name, []).append(Guard(inputs, tests))
                self.add(self.lets[expr.name], inputs, tests)
            case Ref(source=Source.ATTR):
                self.attrs.add(expr.name)
            case Ref(source=Source.INPUT | Source.OUTPUT):
                key = (expr.source, expr.name, expr.type)
                self.values.setdefault(key, []).append(Guard(inputs, tests))
            case Metadata():
                self._add_metadata(expr, inputs, tests)
            case Present():
                if expr.of.source is Source.ATTR:
                    self.attrs.add(expr.of.name)
                else:
                    self.present.add(expr.of.name)
            case Choose():
                self.add(expr.test, inputs, tests)
                self.add(expr.then, inputs, (*tests, (expr.test, True)))
                self.add(expr.otherwise, inputs, (*tests, (expr.test, False)))
            case _:
                for child in expr.children():
                    self.add(child, inputs, tests)

    def _add_metadata(
        self, expr: Metadata, inputs: frozenset[str], tests: tuple[Test, ...]
    ) -> None:
        for arg in expr.args:
            self.add(arg, inputs, tests)
        if expr.of.source is Source.GRAD:
            return
        function = "shape" if expr.function == "size" else expr.function
        axis = expr.args[0] if function == "sizes" else None
        self.metadata.add(KeptMetadata(function, expr.of, axis))

    def keep_for_zeros(self, outputs: set[str]) -> None:
        for name in outputs:
            ref = Ref(Type.TENSOR, Source.OUTPUT, name)
            self.metadata |= {KeptMetadata("shape", ref), KeptMetadata("dtype", ref)}

    def grads_of(self, expr: Expr) -> Iterator[str]:
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.GRAD:
                yield part.name
            elif isinstance(part, Ref) and part.source is Source.LET:
                yield from self.grads_of(self.lets[part.name])

    def kept_values(self, op: Declaration) -> tuple[Kept, ...]:
        order = [*op.input_names(), *(o.name for o in op.outputs)]
        kept = []
        for (source, name, kind), guards in self.values.items():
            kept.append(Kept(Ref(kind, source, name), merged_guards(guards)))
        return tuple(sorted(kept, key=lambda k: order.index(k.ref.name)))


def merged_guards(guards: list[Guard]) -> tuple[Guard, ...]:
    """The same condition with as few guards as are at hand."""
    found = list(dict.fromkeys(guards))
    while (pair := _complements(found)) is not None:
        first, second, merged = pair
        found = [g for g in found if g not in (first, second, merged)] + [merged]
    always = frozenset(n for g in found if not g.tests for n in g.inputs)
    rest = [g for g in found if g.tests and not g.inputs <= always]
    return tuple([Guard(always), *rest] if always else rest)


def _complements(guards: list[Guard]) -> tuple[Guard, Guard, Guard] | None:
    """Two guards that differ in whether one test holds, and the guard without it."""
    for first in guards:
        for test in first.tests:
            others = tuple(t for t in first.tests if t != test)
            for second in guards:
                opposite = (test[0], not test[1]) in second.tests
                rest = tuple(t for t in second.tests if t[0] != test[0])
                if opposite and second.inputs == first.inputs and rest == others:
                    return first, second, Guard(first.inputs, others)
    return None


def terms(expr: Expr) -> list[Expr]:
    """A gradient is linear in the output gradients: a term that reads missing ones vanishes."""
    if isinstance(expr, Call) and any(o.symbol == "+" for o in expr.op.operators):
        left, right = expr.args[0], expr.args[1]
        if left is not None and right is not None:
            return [*terms(left), *terms(right)]
    return [expr]


def zeros_needed(expr: Expr, reading: Reading) -> Iterator[str]:
    """Output gradients that must be made zeros where they alone are missing."""
    for term in terms(expr):
        read = set(reading.grads_of(term))
        if len(read) > 1:
            yield from read
