"""An op in words: for C++ headers, Python docstrings, reference pages and `explain`."""

from __future__ import annotations

from generator.expressions import Source
from generator.layout import wrap_words
from generator.model import Attr, Declaration, Input, InputType, Op, Output, Rule
from generator.plan import NodePlan, NodePlans
from generator.results import by_definition

WIDTH = 96


def documentation(op: Op, plans: NodePlans) -> list[str]:
    """The comment above an op's declarations."""
    lines = wrap_words(op.decl.doc, WIDTH)
    for sentence in facts(op, plans):
        lines += wrap_words(sentence, WIDTH)
    return lines


def facts(op: Op, plans: NodePlans) -> list[str]:
    decl = op.decl
    found = [*argument_facts(decl), result_fact(decl)]
    if decl.pairs:
        found.append(inplace_fact(decl))
    found.append(gradient_fact(op, plans))
    return [fact for fact in found if fact]


def argument_facts(op: Declaration) -> list[str]:
    lines = []
    for item in op.inputs:
        what = describe_input(item)
        if item.doc or item.accepts or item.optional:
            lines.append(f"{item.name}: {what}{f', {item.doc}' if item.doc else ''}.")
    for attr in op.attrs:
        notes = describe_attr(attr)
        if notes:
            lines.append(f"{attr.name}: {notes}.")
    return lines


def describe_input(item: Input) -> str:
    kind = {
        InputType.TENSOR: "tensor",
        InputType.OPERAND: "tensor or number",
        InputType.OPTIONAL: "tensor, may be absent",
        InputType.LIST: "list of tensors",
    }[item.type]
    accepted = {
        "bool": "bool ", "integer": "integer ", "float": "float ", "number": "integer or float ",
        None: "",
    }[item.accepts]  # fmt: skip
    return f"{accepted}{kind}"


def describe_attr(attr: Attr) -> str:
    notes = [attr.doc] if attr.doc else []
    if attr.choices:
        notes.append("one of " + ", ".join(f"'{c}'" for c in attr.choices))
    return "; ".join(notes)


def rule_text(rule: Rule) -> str:
    """A shape or dtype as the registry writes it."""
    if rule.kind == "same":
        return f"same({rule.name})"
    if rule.kind == "infer":
        return f"{rule.name}({', '.join(_argument_text(a) for a in rule.args)})"
    if rule.kind == "value":
        return f"dtype({rule.name})"
    if rule.kind == "lengths":
        return f"[{', '.join(str(n) for n in rule.lengths)}]"
    if rule.kind in ("kernel", "composite"):
        return "depends on the data" if rule.kind == "kernel" else ""
    return rule.name


def _argument_text(rule: Rule) -> str:
    bare = rule.kind in ("same", "value") and not rule.as_dtype
    return rule.name if bare else rule_text(rule)


def describe_output(output: Output) -> str:
    if output.is_list:
        return "a list of tensors"
    shape, dtype = rule_text(output.shape), rule_text(output.dtype)
    if shape == dtype and shape.startswith("same"):
        return f"the shape and dtype of {output.shape.name}"
    parts = [f"shape {shape}" if shape else "", f"dtype {dtype}" if dtype else ""]
    return ", ".join(part for part in parts if part)


def result_fact(op: Declaration) -> str:
    texts = []
    for output in op.visible_outputs:
        text = describe_output(output)
        if text:
            texts.append(f"{output.name}: {text}{f', {output.doc}' if output.doc else ''}.")
    if op.view is not None:
        texts.append(
            "Shares storage with "
            + op.view.input
            + (" where the strides allow it." if op.view.unless_layout else ".")
        )
    return " ".join(texts)


def inplace_fact(op: Declaration) -> str:
    pairs = ", ".join(f"{p.input}" for p in op.pairs)
    if op.update:
        return f"In place: writes {pairs}; takes leaves, is never recorded."
    if op.view is not None:
        return f"In place: {pairs} gets another map of its own bytes."
    if any(by_definition(op, p) for p in op.pairs):
        return f"In place: {pairs} gets a new storage, for the dtype changes by definition."
    return f"In place: writes {pairs}, whose shape and dtype category must hold the result."


def gradient_fact(op: Op, plans: NodePlans) -> str:
    kind = op.backward.kind
    if kind == "zero":
        return f"The gradient is zero: {op.backward.reason}."
    if kind == "none":
        return f"No gradient: {op.backward.reason}."
    if kind == "missing":
        return f"The gradient is not written: {op.backward.reason}."
    if op.decl.composite:
        return "The gradient is that of its parts."
    texts = []
    for plan, where in forms_of(plans):
        kept = keeps(plan, in_place=where == "in place")
        texts.append(f"{where} keeps {kept}" if where else f"keeps {kept}")
    return f"Backward {'; '.join(texts)}." if texts else ""


def forms_of(plans: NodePlans) -> list[tuple[NodePlan, str]]:
    """The nodes, with how to tell them apart where they keep different things."""
    if plans.plain is None or plans.inplace is None:
        return [(plan, "") for plan in plans.distinct()]
    same = keeps(plans.plain, in_place=False) == keeps(plans.inplace, in_place=True)
    if same:
        return [(plans.plain, "")]
    return [(plans.plain, ""), (plans.inplace, "in place")]


def keeps(plan: NodePlan, in_place: bool) -> str:
    """'out', 'a copy of x', 'the shape of x', 'nothing'."""
    targets = plan.op.targets if in_place and plan.op.view is None else frozenset()
    always: list[str] = []
    sometimes: list[str] = []
    for kept in plan.values:
        copied = kept.ref.source is Source.INPUT and kept.ref.name in targets
        name = f"a copy of {kept.ref.name}" if copied else kept.ref.name
        conditional = all(guard.tests for guard in kept.guards)
        (sometimes if conditional else always).append(name)
    names = always
    if sometimes:
        names.append(f"{' or '.join(sometimes)}, as attributes say")
    for what, functions in (("shape", ("shape", "numel", "ndim", "sizes")), ("dtype", ("dtype",))):
        of = sorted({m.ref.name for m in plan.metadata if m.function in functions})
        if of:
            names.append(f"the {what} of {', '.join(of)}")
    return ", ".join(names) if names else "nothing"
