"""The gradient node of an op as C++: members, verify, backward, release."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from generator import layout
from generator.emit_eager import EagerEmitter
from generator.expressions import Call, Expr, Metadata, Ref, Source, Type, is_zero
from generator.plan import GradientPlan, Guard, LikePlan, NodePlan, terms
from generator.spelling import member_type, quoted

METADATA_MEMBER = {
    "shape": "Dims", "dtype": "DType", "numel": "std::int64_t", "ndim": "int",
    "sizes": "std::vector<std::int64_t>",
}  # fmt: skip


@dataclass(frozen=True)
class NodeText:
    class_name: str
    base: str
    constructor: str
    members: list[str]
    verify: list[str]
    backward: list[str]
    release: list[str]


@dataclass(frozen=True)
class NodeNames:
    """Names inside the node: members, and locals of backward()."""

    plan: NodePlan
    locals: dict[str, str] = field(default_factory=dict)  # of saved values read twice
    grads: dict[str, str] = field(default_factory=dict)  # of output gradients that were taken

    def value(self, ref: Ref) -> str:
        if ref.source is Source.GRAD:
            return self.grads.get(ref.name, f"{ref.name}_grad")
        if ref.source in (Source.ATTR, Source.LET):
            return ref.name
        return self.locals.get(ref.name, f"{ref.name}.get(*this)")

    def metadata(self, function: str, ref: Ref) -> str:
        if ref.source is Source.GRAD:
            member = {"ndim": "rank"}.get(function, function)
            return f"{self.value(ref)}.{member}()"
        return f"{ref.name}_{'rank' if function == 'ndim' else function}"

    def present(self, ref: Ref) -> str:
        return f"{ref.name}.has_value()" if ref.source is Source.ATTR else f"{ref.name}_present"

    def needs(self, name: str, decided: bool) -> str:
        return edge_test(self.plan, name, "connected" if decided else "needs")


def edge_test(plan: NodePlan, name: str, function: str) -> str:
    """needs(i) or connected(i); for a list, whether any of it."""
    is_list = plan.list_edge is not None and plan.list_edge.name == name
    return f"{function}{'_from' if is_list else ''}({plan.edge(name)})"


def node_text(plan: NodePlan) -> NodeText:
    slots = max(len(plan.slots), 1)
    name = plan.class_name
    info = f"op_info::{plan.op.name}"
    if plan.list_edge is not None:
        base = f"ListNodeOf<{name}{f', {slots}' if slots > 1 else ''}>"
        constructor = f"explicit {name}(std::size_t inputs) : ListNodeOf({info}, inputs) {{}}"
    else:
        base = f"NodeOf<{name}, {len(plan.edges)}{f', {slots}' if slots > 1 else ''}>"
        constructor = f"{name}() : NodeOf({info}) {{}}"
    return NodeText(
        class_name=name,
        base=base,
        constructor=constructor,
        members=_members(plan),
        verify=_verify(plan),
        backward=BackwardText(plan).lines(),
        release=[f"{kept.ref.name}.release();" for kept in plan.values],
    )


def _members(plan: NodePlan) -> list[str]:
    members = []
    for kind, wanted in (("Saved", Type.TENSOR), ("SavedList", Type.TENSORS)):
        names = [kept.ref.name for kept in plan.values if kept.ref.type is wanted]
        if names:
            members.append(f"{kind} {', '.join(names)};")
    for kind, lists in (("Like", False), ("LikeList", True)):
        likes = [like_member(like) for like in plan.likes if like.input.is_list is lists]
        if likes:
            members.append(f"{kind} {', '.join(likes)};")
    members += [f"{METADATA_MEMBER[m.function]} {m.member};" for m in plan.metadata]
    members += [f"bool {name}_present;" for name in plan.present]
    members += [f"{member_type(plan.op.attr(name))} {name};" for name in plan.attrs]
    return members


def like_member(like: LikePlan) -> str:
    return f"{like.input.name}_like"


def guards_text(plan: NodePlan, guards: tuple[Guard, ...], emitter: EagerEmitter, ask: str) -> str:
    """The condition under which a value is read; ask is needs, connected or node->connected."""
    ways = []
    for guard in guards:
        names = [i.name for i in plan.edges if i.name in guard.inputs]
        edges = " || ".join(edge_test(plan, name, ask) for name in names)
        if ask != "needs" and len(names) == len(plan.edges) and guard.tests:
            names, edges = [], ""  # one of the edges is there whenever a node is made
        tests = []
        for test, holds in guard.tests:
            tests.append(emitter.condition(test) if holds else emitter.negation(test))
        if tests and len(names) > 1:
            edges = f"({edges})"
        ways.append(" && ".join([edges, *tests] if edges else tests))
    if len(ways) > 1:
        return " || ".join(f"({way})" if " && " in way else way for way in ways)
    return ways[0]


def _verify(plan: NodePlan) -> list[str]:
    emitter = EagerEmitter(NodeNames(plan))
    return [
        f"if ({guards_text(plan, kept.guards, emitter, 'needs')}) {kept.ref.name}.verify(*this);"
        for kept in plan.values
    ]


class BackwardText:
    """The body of backward()."""

    def __init__(self, plan: NodePlan) -> None:
        self.plan = plan
        self.lets = dict(plan.lets)
        # How many gradients read each let: those of several are worked out before all.
        self.uses = Counter(name for g in plan.gradients for name in self._lets_of(g.expr))

    def lines(self) -> list[str]:
        plan = self.plan
        if plan.kind == "zero":
            return [f"// Zero: {plan.reason}."]
        if plan.kind == "missing":
            message = f"[{plan.op.name}] its gradient is not written: {plan.reason}"
            return [f"raise(ErrorKind::kUnimplemented, {quoted(message)});"]
        read = {name for g in plan.gradients if g.reused is None for name in g.grads}
        lines = [
            f"const Tensor& {output.name}_grad = grad({i});"
            for i, output in enumerate(plan.slots)
            if output.name in read
        ]
        lines += self._shared_lets()
        for gradient in plan.gradients:
            lines += self._gradient(gradient)
        return lines

    def _lets_of(self, expr: Expr) -> list[str]:
        found: list[str] = []
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.LET and part.name not in found:
                found += [n for n in self._lets_of(self.lets[part.name]) if n not in found]
                found.append(part.name)
        return found

    def _shared_lets(self) -> list[str]:
        lines = []
        for name, expr in self.plan.lets:
            if self.uses[name] < 2:
                continue
            readers = [g for g in self.plan.gradients if name in self._lets_of(g.expr)]
            wanted = self._wanted([i.name for g in readers for i in g.inputs])
            text = EagerEmitter(NodeNames(self.plan)).text(expr)
            kind = "Tensor" if expr.type is Type.TENSOR else "double"
            initial = "" if kind == "Tensor" else " = 0"
            lines += [f"{kind} {name}{initial};", f"if ({wanted}) {name} = {text};"]
        return lines

    def _wanted(self, names: list[str]) -> str:
        unique = list(dict.fromkeys(names))
        return " || ".join(edge_test(self.plan, name, "needs") for name in unique)

    def _gradient(self, gradient: GradientPlan) -> list[str]:
        if is_zero(gradient.expr):
            return []
        wanted = self._wanted([i.name for i in gradient.inputs])
        if len(self.plan.slots) > 1:
            return self._gradient_of_several(gradient, wanted)
        if gradient.reused is not None and isinstance(gradient.expr, Call):
            return _if_block(wanted, self._reusing(gradient, gradient.expr, gradient.reused))
        body, text = self._value(gradient.expr)
        give = self._give(gradient, text)
        if len(gradient.inputs) == 1 and len(give[0]) > 90 and self.plan.kind != "custom":
            # A long expression gets a name, and a line of its own.
            kind = "std::vector<Tensor>" if gradient.inputs[0].is_list else "Tensor"
            body.append(f"{kind} gradient = {text};")
            give = self._give(gradient, "std::move(gradient)")
        return _if_block(wanted, [*body, *give])

    def _reusing(self, gradient: GradientPlan, call: Call, output: str) -> list[str]:
        """The call in the buffer of the output's gradient where the engine alone holds it (B5)."""
        grads = {output: "gradient"}
        body, plain = self._value(call, grads)
        emitter = EagerEmitter(NodeNames(self.plan, self._locals(call)[0], grads))
        write = f"{emitter.call(call, inplace=True)};"
        compute = f"gradient = {plain};"
        choice = [f"if (reusable(gradient)) {write}", f"else {compute}"]
        if max(len(line) for line in choice) > layout.WIDTH - 6:
            choice = ["if (reusable(gradient)) {", f"  {write}", "} else {", f"  {compute}", "}"]
        return [
            f"Tensor gradient = take_grad({self.plan.slot(output)});",
            *body,
            *choice,
            *self._give(gradient, "std::move(gradient)"),
        ]

    def _value(self, expr: Expr, grads: dict[str, str] | None = None) -> tuple[list[str], str]:
        """Locals that an expression wants, and its text."""
        locals_, lines = self._locals(expr)
        emitter = EagerEmitter(NodeNames(self.plan, locals_, grads or {}))
        for name in self._lets_of(expr):
            if self.uses[name] < 2:
                kind = "Tensor" if self.lets[name].type is Type.TENSOR else "double"
                lines.append(f"const {kind} {name} = {emitter.text(self.lets[name])};")
        return lines, emitter.text(expr)

    def _locals(self, expr: Expr) -> tuple[dict[str, str], list[str]]:
        """Names for saved values that an expression reads more than once."""
        counts: Counter[Ref] = Counter()
        self._count(expr, counts)
        locals_: dict[str, str] = {}
        lines: list[str] = []
        for ref, count in sorted(counts.items(), key=lambda item: item[0].name):
            if count > 1:
                local = f"{ref.name}_value"
                kind = "std::vector<Tensor>" if ref.type is Type.TENSORS else "Tensor"
                locals_[ref.name] = local
                lines.append(f"const {kind} {local} = {ref.name}.get(*this);")
        return locals_, lines

    def _count(self, expr: Expr, counts: Counter[Ref]) -> None:
        """How often saved values are read; those of shared lets were read before."""
        if isinstance(expr, Ref):
            if expr.source in (Source.INPUT, Source.OUTPUT):
                counts[expr] += 1
            elif expr.source is Source.LET and self.uses[expr.name] < 2:
                self._count(self.lets[expr.name], counts)
        elif not isinstance(expr, Metadata):
            for child in expr.children():
                self._count(child, counts)

    def _give(self, gradient: GradientPlan, text: str) -> list[str]:
        plan, first = self.plan, gradient.inputs[0]
        if len(gradient.inputs) > 1 or plan.kind == "custom":
            return self._give_each(gradient, text)
        if gradient.like is not None:
            text = f"{like_member(gradient.like)}.bring({text})"
        give = "give_list" if first.is_list else "give"
        return [f"{give}({plan.edge(first.name)}, {text});"]

    def _give_each(self, gradient: GradientPlan, text: str) -> list[str]:
        if len(gradient.inputs) == 1:
            return [f"give({self.plan.edge(gradient.inputs[0].name)}, {text});"]
        names = [f"{i.name}_gradient" for i in gradient.inputs]
        lines = [f"auto [{', '.join(names)}] = {text};"]
        for item, name in zip(gradient.inputs, names, strict=True):
            edge = self.plan.edge(item.name)
            lines.append(f"if (needs({edge})) give({edge}, std::move({name}));")
        return lines

    # --- Several outputs: some of their gradients may be missing (symbolic zeros).

    def _gradient_of_several(self, gradient: GradientPlan, wanted: str) -> list[str]:
        parts = terms(gradient.expr)
        if len(parts) == 1 or len(gradient.inputs) > 1:
            present = self._any_defined(gradient.expr)
            both = f"{f'({wanted})' if ' || ' in wanted else wanted} && {present}"
            zeros = self._zeros(gradient.expr)
            body, text = self._value(gradient.expr)
            return _if_block(both, [*zeros, *body, *self._give(gradient, text)])
        lines = ["Tensor gradient;"]
        for i, term in enumerate(parts):
            body, text = self._value(term)
            add = f"gradient = {text};"
            if i > 0:
                body = [*body, f"const Tensor term = {text};"]
                plus = f"imperative_{_plus(gradient.expr)}(gradient, term)"
                add = f"gradient = gradient.defined() ? {plus} : term;"
            lines += _if_block(self._any_defined(term), [*self._zeros(term), *body, add])
        lines += self._give(gradient, "std::move(gradient)")
        return _if_block(wanted, lines)

    def _grads(self, expr: Expr) -> list[str]:
        found: list[str] = []
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.GRAD and part.name not in found:
                found.append(part.name)
            elif isinstance(part, Ref) and part.source is Source.LET:
                found += [n for n in self._grads(self.lets[part.name]) if n not in found]
        return found

    def _any_defined(self, expr: Expr) -> str:
        tests = [f"{name}_grad.defined()" for name in self._grads(expr)] or ["true"]
        joined = " || ".join(tests)
        return f"({joined})" if len(tests) > 1 else joined

    def _zeros(self, expr: Expr) -> list[str]:
        """Gradients that are missing beside one that is there, as zeros."""
        grads = self._grads(expr)
        if len(grads) < 2:
            return []
        return [
            f"const Tensor {n}_grad = grad({self.plan.slot(n)}).defined() ? "
            f"grad({self.plan.slot(n)}) : roles::zeros({n}_shape, {n}_dtype);"
            for n in grads
        ]


def _if_block(test: str, body: list[str]) -> list[str]:
    if len(body) == 1 and not body[0].startswith(("if ", "const ")):
        return [f"if ({test}) {body[0]}"]
    return [f"if ({test}) {{", *(f"  {line}" for line in body), "}"]


def _plus(expr: Expr) -> str:
    assert isinstance(expr, Call)
    return expr.op.name
