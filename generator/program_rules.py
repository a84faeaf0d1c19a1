"""Gradients, compositions and writes of views as C++ functions that append ops to a program."""

from __future__ import annotations

from collections import Counter

from generator.emit_program import ProgramEmitter, attr_local, refs_of
from generator.expressions import Expr, Ref, RuleCall, Source, Type, is_zero
from generator.model import Declaration, Gradient, Op
from generator.plan import terms
from generator.results import fixed_not_float


def has_vjp(op: Op) -> bool:
    kinds = ("expressions", "custom")
    return op.backward.kind in kinds and any(i.grad for i in op.decl.inputs)


def _attr_locals(decl: Declaration, refs: list[Ref]) -> list[str]:
    names = {ref.name for ref in refs if ref.source is Source.ATTR}
    return [attr_local(a, i) for i, a in enumerate(decl.attrs) if a.name in names]


def _input_locals(decl: Declaration, refs: list[Ref], of: str) -> list[str]:
    names = {ref.name for ref in refs if ref.source is Source.INPUT}
    lines = []
    for i, item in enumerate(decl.inputs):
        if item.name in names and item.is_list:
            get = "list" if of == "vjp" else "group"
            lines.append(f"const std::span<Value* const> {item.name} = {of}.{get}({i});")
        elif item.name in names:
            lines.append(f"Value* {item.name} = {of}.input({i});")
    return lines


# --- Gradients.


class VjpText:
    def __init__(self, op: Op) -> None:
        self.op = op
        self.decl = op.decl
        self.lets = dict(op.backward.lets)
        self.slots = [o for o in op.decl.outputs if o.grad and not fixed_not_float(op.decl, o)]
        groups = [self._lets_of(g.expr) for g in op.backward.gradients]
        counts = Counter(name for group in groups for name in group)
        self.shared = [n for n in self.lets if counts[n] > 1 and not self._grads_missing(n)]

    def lines(self) -> list[str]:
        decl = self.decl
        gradients = [g for g in self.op.backward.gradients if not is_zero(g.expr)]
        refs = refs_of([g.expr for g in gradients], self.lets)
        lines = _input_locals(decl, refs, "vjp")
        for i, output in enumerate(decl.outputs):
            reads = {ref.source for ref in refs if ref.name == output.name}
            if Source.OUTPUT in reads:
                lines.append(f"Value* {output.name} = vjp.output({i});")
            if Source.GRAD in reads:
                lines.append(f"Value* {output.name}_grad = vjp.grad({i});")
        attrs = _attr_locals(decl, refs)
        lines += ["const Op& op = vjp.op();", *attrs] if attrs else []
        for name in self.shared:
            lines += self._shared_let(name, gradients)
        for gradient in gradients:
            lines += self._gradient(gradient)
        return lines

    def _groups(self, gradient: Gradient) -> list[int]:
        names = self.decl.input_names()
        return [names.index(name) for name in gradient.inputs]

    def _wanted(self, gradient: Gradient) -> str:
        return " || ".join(f"vjp.needs({i})" for i in self._groups(gradient))

    def _shared_let(self, name: str, gradients: list[Gradient]) -> list[str]:
        text = ProgramEmitter(self.decl).text(self.lets[name])
        if self.lets[name].type is not Type.TENSOR:
            return [f"const Number {name} = {text};"]
        readers = [g for g in gradients if name in self._lets_of(g.expr)]
        wanted = " || ".join(dict.fromkeys(self._wanted(g) for g in readers))
        return [f"Value* {name} = nullptr;", f"if ({wanted}) {name} = {text};"]

    def _gradient(self, gradient: Gradient) -> list[str]:
        parts = terms(gradient.expr)
        alone = len(self.slots) == 1
        if alone or len(parts) == 1 or len(gradient.inputs) > 1:
            test = self._wanted(gradient)
            if not alone:
                any_grad = self._any_grad(gradient.expr)
                test = f"({test}) && ({any_grad})" if any_grad else test
            body, text = self._value(gradient.expr, alone)
            return _block(test, [*body, *self._give(gradient, text)])
        lines = ["Value* gradient = nullptr;"]
        for i, term in enumerate(parts):
            body, text = self._value(term, alone)
            add = [f"gradient = {text};"]
            if i > 0:
                plus = "roles::accumulate(gradient, term)"
                add = [
                    f"Value* term = {text};",
                    f"gradient = gradient != nullptr ? {plus} : term;",
                ]
            lines += _block(self._any_grad(term), [*body, *add])
        return _block(self._wanted(gradient), [*lines, *self._give(gradient, "gradient")])

    def _give(self, gradient: Gradient, text: str) -> list[str]:
        groups = self._groups(gradient)
        if len(groups) == 1 and not isinstance(gradient.expr, RuleCall):
            give = "give_list" if self.decl.inputs[groups[0]].is_list else "give"
            return [f"vjp.{give}({groups[0]}, {text});"]
        names = [f"{name}_gradient" for name in gradient.inputs]
        lines = [f"const auto [{', '.join(names)}] = {text};"]
        for group, name in zip(groups, names, strict=True):
            give = "give_list" if self.decl.inputs[group].is_list else "give"
            lines.append(f"vjp.{give}({group}, {name});")
        return lines

    def _value(self, expr: Expr, alone: bool) -> tuple[list[str], str]:
        """Statements that an expression wants before it, and its text."""
        lines, names = [], {}
        grads = self._grads(expr)
        if not alone and len(grads) > 1:
            for name in grads:
                index = [o.name for o in self.decl.outputs].index(name)
                zeros = f"zero_gradient(vjp.output({index}))"
                value = f"{name}_grad != nullptr ? {name}_grad : {zeros}"
                lines.append(f"Value* {name}_or_zeros = {value};")
                names[f"{name}_grad"] = f"{name}_or_zeros"
        emitter = ProgramEmitter(self.decl, names)
        for name in self._lets_of(expr):
            if name not in self.shared:
                kind = "Value*" if self.lets[name].type is Type.TENSOR else "const Number"
                lines.append(f"{kind} {name} = {emitter.text(self.lets[name])};")
        return lines, emitter.text(expr)

    def _lets_of(self, expr: Expr) -> list[str]:
        found: list[str] = []
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.LET and part.name not in found:
                found += [n for n in self._lets_of(self.lets[part.name]) if n not in found]
                found.append(part.name)
        return found

    def _grads_missing(self, name: str) -> bool:
        """Whether a let reads a gradient that may be missing."""
        return len(self.slots) > 1 and bool(self._grads(self.lets[name]))

    def _grads(self, expr: Expr) -> list[str]:
        refs = refs_of([expr], self.lets)
        return [ref.name for ref in refs if ref.source is Source.GRAD]

    def _any_grad(self, expr: Expr) -> str:
        return " || ".join(f"{name}_grad != nullptr" for name in self._grads(expr))


def _block(test: str, body: list[str]) -> list[str]:
    if not test:
        return ["{", *(f"  {line}" for line in body), "}"]
    if len(body) == 1 and not body[0].startswith(("if ", "const ", "Value* ")):
        return [f"if ({test}) {body[0]}"]
    return [f"if ({test}) {{", *(f"  {line}" for line in body), "}"]


# --- Compositions and writes.


def compose_lines(op: Op, tests: list[str]) -> list[str]:
    decl = op.decl
    if op.composite is not None:
        refs = refs_of([op.composite], {})
        text = ProgramEmitter(decl).text(op.composite)
    else:
        refs = [Ref(Type.TENSOR, Source.INPUT, i.name) for i in decl.inputs]
        refs += [Ref(Type.INT, Source.ATTR, a.name) for a in decl.attrs]
        names = [*decl.input_names(), *(a.name for a in decl.attrs)]
        text = f"rules::{decl.composite_function}({', '.join(names)})"
    lines = [*tests, *_input_locals(decl, refs, "op"), *_attr_locals(decl, refs)]
    visible = decl.visible_outputs
    if len(visible) > 1:
        results = ", ".join(o.name for o in visible)
        return [*lines, f"const auto [{results}] = {text};", f"return {{{results}}};"]
    return [*lines, f"return {text};" if visible[0].is_list else f"return {{{text}}};"]


def write_lines(op: Op) -> list[str]:
    decl = op.decl
    assert op.write is not None
    assert decl.view is not None
    refs = refs_of([op.write], {})
    names = {decl.view.input: "input", decl.view.output: "part"}
    read = {names[ref.name] for ref in refs if ref.name in names}
    unused = [f"static_cast<void>({name});" for name in ("input", "part") if name not in read]
    attrs = _attr_locals(decl, refs)
    unused += [] if attrs else ["static_cast<void>(op);"]
    others = [r for r in refs if r.source is Source.INPUT and r.name not in names]
    text = ProgramEmitter(decl, names).text(op.write)
    return [*unused, *_input_locals(decl, others, "op"), *attrs, f"return {text};"]
