"""Tensors with gradients and in-place ops, woven from one registry of ops."""

from __future__ import annotations

from oploom._blas import fitting_kernels

with fitting_kernels():
    from oploom import _oploom

from oploom import errors
from oploom._array import TensorArray
from oploom._control import cond, while_loop
from oploom._grad_mode import enable_grad, no_grad
from oploom._oploom import (
    HookHandle,
    Program,
    ProgramValue,
    Tensor,
    __version__,
    append_backward,
    bool_,
    bytes_in_use,
    dtype,
    float32,
    float64,
    from_dlpack,
    grad,
    int32,
    int64,
    is_grad_enabled,
    seed,
    to_tensor,
    uint8,
)
from oploom._to_program import ProgramFunction, to_program
from oploom._trace import Call, Trace, trace

# The functions of all ops, as generated.
_ops = {name: getattr(_oploom, name) for name in _oploom._op_names}
globals().update(_ops)

__all__ = [
    "Call",
    "HookHandle",
    "Program",
    "ProgramFunction",
    "ProgramValue",
    "Tensor",
    "TensorArray",
    "Trace",
    "__version__",
    "append_backward",
    "bool_",
    "bytes_in_use",
    "cond",
    "dtype",
    "enable_grad",
    "errors",
    "float32",
    "float64",
    "from_dlpack",
    "grad",
    "int32",
    "int64",
    "is_grad_enabled",
    "no_grad",
    "seed",
    "to_program",
    "to_tensor",
    "trace",
    "uint8",
    "while_loop",
    *_ops,
]
