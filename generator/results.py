"""Facts about results that follow from their declared shape and dtype."""

from __future__ import annotations

from collections.abc import Iterator

from generator.model import Declaration, Output, Pair, Rule
from generator.vocabulary import DTYPES, FOLLOWING_DTYPES, KEEPS_FIRST_SHAPE

FLOATS = tuple(name for name in DTYPES if name.startswith("float"))


def inputs_of(rule: Rule) -> Iterator[str]:
    """The inputs that a rule reads."""
    if rule.kind == "same":
        yield rule.name
    for arg in rule.args:
        yield from inputs_of(arg)


def follows(rule: Rule) -> bool:
    """Whether the dtype is worked out from inputs alone."""
    return rule.kind == "same" or (rule.kind == "infer" and rule.name in FOLLOWING_DTYPES)


def fixed_not_float(op: Declaration, output: Output) -> bool:
    return output.dtype.kind == "dtype" and output.dtype.name not in FLOATS


def always_float(op: Declaration, output: Output) -> bool:
    """Whether a recorded call (some differentiable input is float) gives a float result."""
    rule = output.dtype
    if rule.kind == "dtype":
        return rule.name in FLOATS
    if not follows(rule):
        return False
    read = set(inputs_of(rule))
    return rule.name == "float_of" or all(i.name in read for i in op.inputs if i.grad)


def by_definition(op: Declaration, pair: Pair) -> bool:
    """Whether the result has another dtype or element count by definition (rule C6)."""
    if op.view is not None or op.composite or op.update:
        return False
    output = op.output(pair.output)
    if output.shape.kind == "kernel" or not follows(output.dtype):
        return True
    shape = output.shape
    if shape.kind == "infer" and shape.name in KEEPS_FIRST_SHAPE:
        return shape.args[0].name != pair.input
    keeps = shape.kind == "same" or (shape.kind == "infer" and shape.name == "broadcast")
    return not keeps or pair.input not in set(inputs_of(shape))
