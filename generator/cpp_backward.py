"""The body of a node's backward(): what comes from the outputs, what is given to the inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from generator import layout
from generator.bare import bare_lines
from generator.conditions import Condition, all_of, any_of
from generator.cpp_node import NodeNames, edges_wanted, guards_hold, like_member, tests_hold
from generator.emit_eager import EagerEmitter
from generator.expressions import Call, Choose, Expr, Metadata, Present, Ref, Source, Type, is_zero
from generator.plan import GradientPlan, NodePlan, terms
from generator.spelling import quoted


def backward_lines(plan: NodePlan) -> list[str]:
    if plan.kind == "zero":
        return [f"// Zero: {plan.reason}."]
    if plan.kind == "missing":
        message = f"[{plan.op.name}] its gradient is not written: {plan.reason}"
        return [f"raise(ErrorKind::kUnimplemented, {quoted(message)});"]
    return BackwardText(plan).lines()


class BackwardText:
    def __init__(self, plan: NodePlan) -> None:
        self.plan = plan
        self.lets = dict(plan.lets)
        # Lets that were worked out further up, because several gradients or terms read them.
        self.shared = _several(self._lets_of(g.expr) for g in plan.gradients)

    def lines(self) -> list[str]:
        plan = self.plan
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

    def _gradient(self, gradient: GradientPlan) -> list[str]:
        if is_zero(gradient.expr):
            return []
        wanted = edges_wanted(self.plan, [i.name for i in gradient.inputs], "needs")
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
        names = {output: "gradient"}
        body, plain = self._value(call, names)
        if gradient.bare:
            lent = {ref.name: f"{ref.name}_value" for ref in self._reads(call)}
            kernel = bare_lines(call, EagerEmitter(NodeNames(self.plan, lent, names)))
            return [
                f"Tensor gradient = take_grad({self.plan.slot(output)});",
                "if (bare()) {",
                *(f"  {line}" for line in kernel),
                "} else {",
                *(f"  {line}" for line in [*body, f"gradient = {plain};"]),
                "}",
                *self._give(gradient, "std::move(gradient)"),
            ]
        emitter = EagerEmitter(NodeNames(self.plan, self._locals(call)[0], names))
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

    def _give(self, gradient: GradientPlan, text: str) -> list[str]:
        plan, first = self.plan, gradient.inputs[0]
        if len(gradient.inputs) > 1:
            return self._give_each(gradient, text)
        if gradient.like is not None:
            text = f"{like_member(gradient.like)}.bring({text})"
        give = "give_list" if first.is_list else "give"
        return [f"{give}({plan.edge(first.name)}, {text});"]

    def _give_each(self, gradient: GradientPlan, text: str) -> list[str]:
        names = [f"{i.name}_gradient" for i in gradient.inputs]
        lines = [f"auto [{', '.join(names)}] = {text};"]
        for item, name in zip(gradient.inputs, names, strict=True):
            edge = self.plan.edge(item.name)
            lines.append(f"if (needs({edge})) give({edge}, std::move({name}));")
        return lines

    # --- Values that an expression reads, under the names of locals.

    def _value(self, expr: Expr, grads: dict[str, str] | None = None) -> tuple[list[str], str]:
        """Locals that an expression wants, and its text."""
        locals_, lines = self._locals(expr)
        emitter = EagerEmitter(NodeNames(self.plan, locals_, grads or {}))
        for name in self._lets_of(expr):
            if name not in self.shared:
                lines += self._let(name, emitter)
        return lines, emitter.text(expr)

    def _locals(self, expr: Expr) -> tuple[dict[str, str], list[str]]:
        """Names for saved values that an expression reads more than once."""
        locals_: dict[str, str] = {}
        lines: list[str] = []
        for ref, count in sorted(self._reads(expr).items(), key=lambda item: item[0].name):
            kept = self.plan.kept_by(ref.name, ref.source)
            if count > 1 and kept is not None and not any(g.tests for g in kept.guards):
                local = f"{ref.name}_value"
                kind = "std::vector<Tensor>" if ref.type is Type.TENSORS else "Tensor"
                locals_[ref.name] = local
                lines.append(f"const {kind} {local} = {ref.name}.get(*this);")
        return locals_, lines

    def _reads(self, expr: Expr) -> Counter[Ref]:
        """How often saved values are read on one way through; shared lets read theirs before."""
        match expr:
            case Ref(source=Source.INPUT | Source.OUTPUT):
                return Counter([expr])
            case Ref(source=Source.LET) if expr.name not in self.shared:
                return self._reads(self.lets[expr.name])
            case Choose():
                return self._reads(expr.then) | self._reads(expr.otherwise)
            case Metadata() | Present():
                return Counter()
        total: Counter[Ref] = Counter()
        for child in expr.children():
            total += self._reads(child)
        return total

    # --- Lets.

    def _lets_of(self, expr: Expr) -> list[str]:
        """The lets that an expression reads, those that they read themselves first."""
        found: list[str] = []
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.LET and part.name not in found:
                found += [n for n in self._lets_of(self.lets[part.name]) if n not in found]
                found.append(part.name)
        return found

    def _let(self, name: str, emitter: EagerEmitter) -> list[str]:
        """A let of one gradient: worked out where the gradient reads it."""
        ways = [tests_hold(guard, emitter) for guard in self.plan.let_guards[name]]
        wanted = any_of(all_of(way) for way in ways).text if all(ways) else ""
        return self._let_lines(name, emitter, wanted)

    def _shared_lets(self) -> list[str]:
        """Lets of several gradients: worked out where one of them is wanted."""
        lines = []
        emitter = EagerEmitter(NodeNames(self.plan))
        for name, _ in self.plan.lets:
            if name in self.shared:
                guards = self.plan.let_guards[name]
                wanted = guards_hold(self.plan, guards, emitter, "needs").text
                lines += self._let_lines(name, emitter, wanted)
        return lines

    def _let_lines(self, name: str, emitter: EagerEmitter, wanted: str) -> list[str]:
        text = emitter.text(self.lets[name])
        if self.lets[name].type is not Type.TENSOR:
            return [f"const double {name} = {text};"]
        if not wanted:
            return [f"const Tensor {name} = {text};"]
        return [f"Tensor {name};", f"if ({wanted}) {name} = {text};"]

    # --- Several outputs: some of their gradients may be missing (symbolic zeros).

    def _gradient_of_several(self, gradient: GradientPlan, wanted: Condition) -> list[str]:
        parts = terms(gradient.expr)
        if len(parts) == 1 or len(gradient.inputs) > 1:
            zeros, names = self._zeros(gradient.expr)
            body, text = self._value(gradient.expr, names)
            block = [*zeros, *body, *self._give(gradient, text)]
            return _if_block(all_of([wanted, self._any_defined(gradient.expr)]), block)
        lines = [*self._lets_of_terms(parts), "Tensor gradient;"]
        for i, term in enumerate(parts):
            zeros, names = self._zeros(term)
            body, text = self._value(term, names)
            add = f"gradient = {text};"
            if i > 0:
                body = [*body, f"const Tensor term = {text};"]
                plus = f"imperative_{_plus(gradient.expr)}(gradient, term)"
                add = f"gradient = gradient.defined() ? {plus} : term;"
            lines += _if_block(self._any_defined(term), [*zeros, *body, add])
        lines += self._give(gradient, "std::move(gradient)")
        return _if_block(wanted, lines)

    def _lets_of_terms(self, parts: list[Expr]) -> list[str]:
        """Lets that several terms read, where no missing gradient can come in their way."""
        lines = []
        emitter = EagerEmitter(NodeNames(self.plan))
        for name in sorted(_several(self._lets_of(part) for part in parts) - self.shared):
            if not self._grads(self.lets[name]):
                lines += self._let(name, emitter)
                self.shared.add(name)
        return lines

    def _grads(self, expr: Expr) -> list[str]:
        found: list[str] = []
        for part in expr.walk():
            if isinstance(part, Ref) and part.source is Source.GRAD and part.name not in found:
                found.append(part.name)
            elif isinstance(part, Ref) and part.source is Source.LET:
                found += [n for n in self._grads(self.lets[part.name]) if n not in found]
        return found

    def _any_defined(self, expr: Expr) -> Condition:
        return any_of(Condition(f"{name}_grad.defined()") for name in self._grads(expr))

    def _zeros(self, expr: Expr) -> tuple[list[str], dict[str, str]]:
        """Gradients that are missing beside one that is there, as zeros; what these are called."""
        grads = self._grads(expr)
        if len(grads) < 2:
            return [], {}
        lines = [
            f"const Tensor {name}_or_zeros = {name}_grad.defined() ? {name}_grad : "
            f"roles::zeros({name}_shape, {name}_dtype);"
            for name in grads
        ]
        return lines, {name: f"{name}_or_zeros" for name in grads}


def _several(groups: Iterable[list[str]]) -> set[str]:
    """Names that stand in more than one group."""
    counts = Counter(name for group in groups for name in group)
    return {name for name, count in counts.items() if count > 1}


def _if_block(test: Condition, body: list[str]) -> list[str]:
    if len(body) == 1 and not body[0].startswith(("if ", "const ")):
        return [f"if ({test.text}) {body[0]}"]
    return [f"if ({test.text}) {{", *(f"  {line}" for line in body), "}"]


def _plus(expr: Expr) -> str:
    assert isinstance(expr, Call)
    return expr.op.name
