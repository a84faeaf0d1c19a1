"""Oracles of composed ops: the registry's expression, read with the parts' NumPy functions.

So a new composed op needs no row of its own; its parts are proven each by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from generator.model import Declaration, InputType
from tests.oracles.base import FLOATS, NUMBERS, Array, Oracle, binary, floating, promoted, unary

ACCEPTS = {None: None, "float": FLOATS, "number": NUMBERS}


def derived(decl: Declaration, parts: Mapping[str, Callable[..., Any]]) -> Oracle | None:
    """An oracle for an op of one or two tensors and attributes with defaults; else None."""
    plain = all(i.type in (InputType.TENSOR, InputType.OPERAND) for i in decl.inputs)
    if decl.composite_text is None or not plain or any(a.default is None for a in decl.attrs):
        return None
    if decl.inputs[0].accepts not in ACCEPTS:
        return None
    code = compile(decl.composite_text.value, decl.name, "eval")
    names = decl.input_names()
    defaults = {a.name: a.default.value for a in decl.attrs if a.default is not None}

    def reference(*inputs: Any, **attrs: Any) -> Array:
        given = {**defaults, **dict(zip(names, inputs, strict=True)), **attrs}
        return np.asarray(eval(code, {"__builtins__": {}, **parts}, given))

    dtypes = ACCEPTS[decl.inputs[0].accepts]
    chosen: dict[str, Any] = {} if dtypes is None else {"dtypes": dtypes}
    if len(names) == 1:
        return unary(reference, result=floating, ulps=16, edges=(), **chosen)
    if len(names) == 2:
        return binary(reference, result=promoted, ulps=16, edges=(), edge_partners=(), **chosen)
    return None
