"""Docstrings and signatures of Python functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.describe import (
    describe_attr,
    describe_input,
    describe_output,
    gradient_fact,
    inplace_fact,
)
from generator.layout import wrap_words
from generator.model import Attr, Default, Input

if TYPE_CHECKING:
    from generator.python_text import PythonForm

WIDTH = 88


def python_default(default: Default) -> str:
    return repr(default.value)


def text_signature(form: PythonForm, name: str, method: bool) -> str:
    """The line that inspect.signature reads."""
    parts = ["$self" if method else "$module"]
    for i, parameter in enumerate(form.parameters):
        if i == form.positional and form.decl.uses_options:
            parts.append("*")
        if method and parameter.name == form.decl.method:
            continue
        parts.append(_parameter(parameter))
    return f"{name}({', '.join(parts)})"


def _parameter(parameter: Input | Attr) -> str:
    if isinstance(parameter, Input):
        return f"{parameter.name}=None" if parameter.optional else parameter.name
    if parameter.default is None:
        return parameter.name
    return f"{parameter.name}={python_default(parameter.default)}"


def docstring(form: PythonForm) -> str:
    """What it does, arguments, result, gradient; without a signature line."""
    decl = form.decl
    if form.inplace and decl.has_plain:
        targets = ", ".join(pair.input for pair in decl.pairs)
        same = f"{targets} itself" if len(decl.pairs) == 1 else "the tensors passed"
        lines = wrap_words(f"{decl.name}() into {targets}. Returns {same}.", WIDTH)
        return "\n".join([*lines, "", *wrap_words(inplace_fact(decl), WIDTH)])
    lines = [*wrap_words(decl.doc, WIDTH), ""]
    if form.parameters:
        lines.append("Args:")
        for parameter in form.parameters:
            lines += _argument(parameter)
        lines.append("")
    if form.inplace:
        lines += wrap_words(f"{inplace_fact(decl)} Returns what was passed.", WIDTH)
    else:
        lines += _returns(form)
    fact = gradient_fact(form.op, form.plans)
    if fact:
        lines += ["", *wrap_words(fact, WIDTH)]
    return "\n".join(lines)


def _argument(parameter: Input | Attr) -> list[str]:
    if isinstance(parameter, Input):
        text = describe_input(parameter)
        text += f", {parameter.doc}" if parameter.doc else ""
    else:
        text = attr_kind(parameter)
        notes = describe_attr(parameter)
        text += f"; {notes}" if notes else ""
    wrapped = wrap_words(f"{parameter.name}: {text}.", WIDTH - 8)
    return [f"    {wrapped[0]}", *(f"        {line}" for line in wrapped[1:])]


def attr_kind(attr: Attr) -> str:
    kind = {
        "bool": "bool", "int": "int", "float": "float", "str": "str", "dtype": "dtype",
        "scalar": "number", "int[]": "integers", "axis": "axis, may be negative",
        "axes": "axis or axes, may be negative", "shape": "lengths, one may be -1",
        "index": "index of integers, slices, None and ellipsis",
    }[attr.type]  # fmt: skip
    return f"{kind} or None" if attr.optional else kind


def _returns(form: PythonForm) -> list[str]:
    visible = form.decl.visible_outputs
    lines = ["Returns:"]
    for output in visible:
        text = describe_output(output) or "a tensor"
        text = f"{text}, {output.doc}" if output.doc else text
        name = f"{output.name}: " if len(visible) > 1 else ""
        wrapped = wrap_words(f"{name}{text}.", WIDTH - 4)
        lines += [f"    {line[:1].upper() + line[1:] if i == 0 and not name else line}"
                  for i, line in enumerate(wrapped)]  # fmt: skip
    if form.decl.view is not None:
        where = " where the strides allow it" if form.decl.view.unless_layout else ""
        lines.append(f"    Shares storage with {form.decl.view.input}{where}.")
    return lines
