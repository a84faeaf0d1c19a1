"""Gradient rules that are one elementwise kernel.

Where no graph is recorded and nobody listens, the kernel runs by itself, on a saved value that is
lent to it and in the gradient's own buffer: no call of the op, no new tensors.
"""

from __future__ import annotations

from generator.emit_eager import EagerEmitter
from generator.expressions import Call, Expr, Ref, Source, Type
from generator.model import Declaration, InputType

PLAIN_ATTRIBUTES = ("bool", "int", "float", "scalar")


def runs_bare(expr: Expr) -> bool:
    """Whether a gradient is such a rule: read from saved tensors, shaped like the gradient."""
    if not isinstance(expr, Call) or not _has_plain_kernel(expr.op):
        return False
    output = expr.op.outputs[0]
    if not output.shape.kind == output.dtype.kind == "same" or output.is_list:
        return False
    if output.shape.name != output.dtype.name:
        return False
    given = [(item, expr.argument(item.name)) for item in expr.op.inputs]
    tensors = [arg for _, arg in given if isinstance(arg, Ref) and arg.type is Type.TENSOR]
    grads = [item.name for item, arg in given if isinstance(arg, Ref) and arg.source is Source.GRAD]
    return len(tensors) == len(given) and grads == [output.shape.name]


def _has_plain_kernel(op: Declaration) -> bool:
    """Whether calling its kernel is all that the op does with tensors at hand."""
    ordinary = op.kernel is not None and op.elementwise and op.has_plain and len(op.outputs) == 1
    ordinary = ordinary and not (op.view or op.composite or op.update or op.random)
    ordinary = ordinary and not (op.tests_itself and op.check)
    inputs = all(
        i.type in (InputType.TENSOR, InputType.OPERAND)
        and not (op.tests_itself and i.accepts)
        and i.cast is None
        and not i.reads_shape
        for i in op.inputs
    )
    attrs = all(
        a.type in PLAIN_ATTRIBUTES
        and not (a.optional or a.normalised)
        and not (op.tests_itself and a.choices)
        for a in op.attrs
    )
    return ordinary and inputs and attrs


def bare_lines(call: Call, emitter: EagerEmitter) -> list[str]:
    """The kernel on `gradient`, into its buffer or a fresh one; emitter names saved values."""
    lent = dict.fromkeys(
        arg.name for arg in call.args if isinstance(arg, Ref) and arg.source in SAVED
    )
    lines = [f"const Lent {name}_value({name}, *this);" for name in lent]
    arguments = ", ".join([*emitter.arguments(call), "result"])
    kernel = f"kernels::{call.op.kernel}({arguments});"
    return [*lines, f"rewrite(gradient, [&](Tensor& result) {{ {kernel} }});"]


SAVED = (Source.INPUT, Source.OUTPUT)
