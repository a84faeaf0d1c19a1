"""One test for each way in which an expression can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generator.registries import ADD, OTHERS, entry, problems

# What is wrong with an expression -> the expression for x's gradient, and the error. It begins in
# column 18, behind a quote.
EXPRESSIONS: dict[str, tuple[str, str]] = {
    "syntax": ("out_grad *", "18: op 'dull': 'out_grad *' cannot be read: invalid syntax"),
    "unknown name": ("outgrad", "18: op 'dull': unknown name 'outgrad' (did you mean 'out_grad'?)"),
    "unknown function": (
        "out_grad + pluss(x, x)",
        "29: op 'dull': unknown function 'pluss' (did you mean 'plus'?)",
    ),
    "an in-place op": (
        "write_(x)",
        "18: op 'dull': 'write_' has only an in-place form: expressions write nothing",
    ),
    "outside of the vocabulary": (
        "x[0]",
        "18: op 'dull': 'x[0]' is not in the vocabulary of expressions",
    ),
    "bytes": ("b''", "18: op 'dull': 'b''' is not in the vocabulary of expressions"),
    "call of a call": ("x.shape()", "18: op 'dull': 'x.shape' cannot be called"),
    "stars": ("plus(**x)", "18: op 'dull': ** is not in the vocabulary of expressions"),
    "missing argument": ("plus(x)", "18: op 'dull': plus(): 'y' is missing"),
    "too many arguments": ("plus(x, x, x)", "18: op 'dull': plus() takes 2 arguments, not 3"),
    "unknown argument": (
        "plus(x, z=x)",
        "18: op 'dull': plus() has no argument 'z' (there are: x, y)",
    ),
    "argument twice": ("plus(x, x=x)", "18: op 'dull': plus(): 'x' is given twice"),
    "number for a tensor": (
        "tuned(1, 2)",
        "18: op 'dull': tuned(): 'x' must be a tensor, not an integer; declare it as an operand "
        "to take numbers",
    ),
    "list for a tensor": (
        "tuned([x, x], 2)",
        "18: op 'dull': tuned(): 'x' must be a tensor, not a list of tensors",
    ),
    "tensor for a list": (
        "join(x)",
        "18: op 'dull': join(): 'xs' must be a list of tensors, not a tensor",
    ),
    "tensor for an attribute": (
        "tuned(x, x)",
        "18: op 'dull': tuned(): 'n' must be an integer, not a tensor",
    ),
    "choice": (
        "tuned(x, 1, mode='left')",
        "18: op 'dull': tuned(): 'mode' is one of up, down, not 'left' (there are: down, up)",
    ),
    "perhaps absent": (
        "tuned(x, m)",
        "18: op 'dull': tuned(): 'n' must be there, but the attribute given may be None",
    ),
    "mixed list": (
        "plus([1, x], x)",
        "23: op 'dull': a list holds integers or tensors, not both or others",
    ),
    "operator of no op": ("x @ x", "18: op 'dull': no op declares the operator '@'"),
    "operator of strings": (
        "'a' + 'b'",
        "18: op 'dull': '+' takes tensors or numbers, not a string and a string",
    ),
    "operator of plain numbers": (
        "x + ndim(x) % 2",
        "22: op 'dull': '%' of plain numbers is not in the vocabulary",
    ),
    "division by zero": ("x + 1 / 0", "22: op 'dull': '1 / 0': division by zero"),
    "no real number": ("x + (-1) ** 0.5", "22: op 'dull': '(-1) ** 0.5' is no real number"),
    "chain of comparisons": (
        "x if 1 < 2 < 3 else x",
        "23: op 'dull': write a < b and b < c instead of a < b < c",
    ),
    "is": (
        "x if x is x else x",
        "23: op 'dull': 'x is x' is not in the vocabulary of expressions",
    ),
    "not comparable": (
        "x if 'a' < 1 else x",
        "23: op 'dull': a string and an integer cannot be compared",
    ),
    "lists compared": (
        "x if [1] == [2] else x",
        "23: op 'dull': a list of integers and a list of integers cannot be compared",
    ),
    "condition of a number": (
        "x if 1 else x",
        "23: op 'dull': a condition must be a truth value, not an integer",
    ),
    "condition of a length": (
        "x if numel(x) > 1 else x",
        "23: op 'dull': a condition may read attributes, ndim, dtype, present() and needs(), "
        "not numel()",
    ),
    "condition of data": (
        "x if not (x == x) else x",
        "28: op 'dull': a condition must be a truth value, not a tensor",
    ),
    "two types": (
        "x if needs(x) else 'a'",
        "18: op 'dull': both sides of a choice must be of one type, not a tensor and a string",
    ),
    "metadata of an expression": (
        "x + numel(x + x)",
        "22: op 'dull': numel() takes an input, an output or a gradient of one, not 'x + x'",
    ),
    "sizes of a tensor": (
        "tuned(x, 1, lengths=sizes(x, 0))",
        "38: op 'dull': sizes() takes a list input, not 'x'",
    ),
    "metadata without an axis": (
        "x + size(x)",
        "22: op 'dull': size() takes a name and an axis",
    ),
    "axis of a string": ("x + size(x, 'a')", "22: op 'dull': size(): the axis must be an integer"),
    "question of an expression": (
        "x if needs(x + x) else x",
        "23: op 'dull': needs() takes one name",
    ),
    "question of an output": (
        "x if needs(out) else x",
        "23: op 'dull': needs(): 'out' is no input",
    ),
    "needs of an attribute": (
        "x if needs(m) else x",
        "23: op 'dull': needs(): 'm' is no input that can have a gradient",
    ),
}


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_expression(tmp_path: Path, case: str) -> None:
    expression, expected = EXPRESSIONS[case]
    quoted = expression.replace('"', '\\"')
    attrs = "kernel: dull\n  attrs: {m: {type: 'int?'}}"
    text = entry({"kernel": attrs, "backward": f'backward: {{x: "{quoted}"}}'})
    assert f"ops.yaml:6:{expected}" in problems(tmp_path, text + ADD + OTHERS)
