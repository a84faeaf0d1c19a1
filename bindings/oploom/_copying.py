"""Pickling and copying of tensors: values, flags, name and attributes. A history stays behind."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from oploom import _oploom


def reduce(x: _oploom.Tensor) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """For pickle and copy.copy(): what is made of it is a leaf."""
    return _rebuild, (
        type(x),
        x.numpy(copy=True),
        x.stop_gradient,
        _oploom._given_name(x),
        dict(x.__dict__),
    )


def deepcopy(x: _oploom.Tensor, memo: dict[int, Any]) -> _oploom.Tensor:
    """For copy.deepcopy(): a leaf with its gradient."""
    if not x.is_leaf:
        raise RuntimeError(
            "a tensor with a history cannot be deep-copied; use detach() or clone() on it"
        )
    result = _rebuild(
        type(x),
        x.numpy(),
        x.stop_gradient,
        _oploom._given_name(x),
        {},
    )
    memo[id(x)] = result
    result.__dict__.update(copy.deepcopy(x.__dict__, memo))
    if x.grad is not None:
        result.grad = copy.deepcopy(x.grad, memo)
    return result


def _rebuild(
    cls: type[_oploom.Tensor],
    values: NDArray[Any],
    stop_gradient: bool,
    name: str | None,
    attributes: dict[str, Any],
) -> _oploom.Tensor:
    x = _oploom.Tensor.__new__(cls, values, None, stop_gradient)
    if name is not None:
        x.name = name
    if attributes:
        x.__dict__.update(attributes)
    return x
