"""How a tensor shows itself."""

from __future__ import annotations

import numpy as np

from oploom import _oploom


def tensor_repr(x: _oploom.Tensor) -> str:
    """Values as NumPy prints them, then dtype and gradient state."""
    name = type(x).__name__
    if _oploom._recording():  # which knows no values
        return f"{name}(shape={list(x.shape)}, dtype={x.dtype}, stop_gradient={x.stop_gradient})"
    with np.printoptions(floatmode="maxprec_equal"):
        values = np.array2string(x.numpy(), separator=", ", prefix=f"{name}(")
    facts = [f"dtype={x.dtype}"]
    if x.size == 0 and x.shape != (0,):
        facts.insert(0, f"shape={list(x.shape)}")
    facts.append(f"stop_gradient={x.stop_gradient}")
    made_by = _oploom._made_by(x)
    if made_by is not None:
        facts.append(f"made_by={made_by}")
    return f"{name}({values}, {', '.join(facts)})"
