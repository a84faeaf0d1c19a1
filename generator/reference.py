"""Reference pages: one for each family, one section for each op."""

from __future__ import annotations

from generator.describe import (
    describe_attr,
    describe_input,
    describe_output,
    gradient_fact,
    inplace_fact,
)
from generator.docstrings import attr_kind, python_default, text_signature
from generator.model import Attr, BackwardText, Input, Op
from generator.plan import NodePlans
from generator.python_text import PythonForm, python_forms


def section(op: Op, plans: NodePlans) -> list[str]:
    """The lines of an op's section, its heading first."""
    decl = op.decl
    forms = python_forms(op, plans)
    lines = [f"## {decl.name}", "", decl.doc, ""]
    if forms:
        lines += ["```python", *(call_line(form) for form in forms), "```", ""]
    else:
        lines += [f"Internal: C++ only, `imperative_{decl.name}`.", ""]
    lines += _arguments(op)
    lines += _results(op)
    notes = [inplace_fact(decl)] if decl.pairs else []
    if decl.operators:
        symbols = ", ".join(f"`{operator.symbol}`" for operator in decl.operators)
        notes.append(f"Python operator: {symbols}.")
    if decl.aliases:
        notes.append(f"Also called {', '.join(f'`{a.name}`' for a in decl.aliases)}.")
    lines += [line for note in notes for line in (note, "")]
    lines += _gradients(op, plans)
    lines += [f"Declared in {decl.source}:{decl.place.line}.", ""]
    return lines


def call_line(form: PythonForm) -> str:
    signature = text_signature(form, form.name, method=False)
    return signature.replace("$module, ", "").replace("$module", "")


def _arguments(op: Op) -> list[str]:
    parameters: list[Input | Attr] = [*op.decl.inputs, *op.decl.attrs]
    if not parameters:
        return []
    lines = ["| argument | type | default | |", "|---|---|---|---|"]
    for parameter in parameters:
        if isinstance(parameter, Input):
            default = "`None`" if parameter.optional else ""
            kind, notes = describe_input(parameter), parameter.doc
        else:
            default = f"`{python_default(parameter.default)}`" if parameter.default else ""
            kind, notes = attr_kind(parameter), describe_attr(parameter)
        lines.append(f"| `{parameter.name}` | {kind} | {default} | {notes} |")
    return [*lines, ""]


def _results(op: Op) -> list[str]:
    lines = []
    for output in op.decl.visible_outputs:
        text = describe_output(output)
        doc = f" {output.doc}." if output.doc else ""
        if text or doc:
            lines.append(f"Result `{output.name}`: {text}.{doc}")
    view = op.decl.view
    if view is not None:
        where = " where the strides allow it, else a copy" if view.unless_layout else ""
        lines.append(f"A view: shares storage with `{view.input}`{where}.")
    return [*lines, ""] if lines else []


def _gradients(op: Op, plans: NodePlans) -> list[str]:
    lines = []
    texts = [("", op.decl.backward_text), ("in place, ", op.decl.backward_inplace_text)]
    for where, text in texts:
        if text is not None and text.kind in ("expressions", "custom"):
            lines += _formulas(where, text)
    fact = gradient_fact(op, plans)
    if lines:
        lines.append("")
    return [*lines, fact, ""] if fact else lines


def _formulas(where: str, text: BackwardText) -> list[str]:
    lines = []
    for gradient in text.gradients:
        names = ", ".join(named.name for named in gradient.inputs)
        formula = " ".join(gradient.text.value.split())
        condition = f" (when `{text.when.value}`)" if text.when else ""
        lines.append(f"- {where}gradient of `{names}`{condition}: `{formula}`")
    lets = [f"`{named.name} = {' '.join(body.value.split())}`" for named, body in text.lets]
    if lets:
        lines.append(f"- with {', '.join(lets)}")
    return lines
