"""What the Python tests share: making tensors, asking for gradients, states before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import oploom as ol

Array = np.ndarray[Any, np.dtype[Any]]


def constant(data: Any, dtype: str = "float64") -> Any:
    """A tensor that stops gradient."""
    return ol.to_tensor(np.array(data, dtype=dtype), dtype=dtype)


_RNG = np.random.default_rng(7)


def drawn_leaf(*shape: int) -> ol.Tensor:
    """Of numbers from 0.5 to 1.5, others in each call."""
    return leaf(_RNG.uniform(0.5, 1.5, shape))


def leaf(data: Any, dtype: str = "float64") -> Any:
    """A parameter: a leaf with stop_gradient=False."""
    return ol.to_tensor(np.array(data, dtype=dtype), dtype=dtype, stop_gradient=False)


def inner(data: Any, dtype: str = "float64") -> tuple[Any, Any]:
    """A parameter and a tensor of the same values with a history, which may be written."""
    parameter = leaf(data, dtype)
    return parameter, parameter.clone()


def array(x: Any) -> Array:
    """A copy of a tensor's elements."""
    return np.array(x.numpy())


def dtype_of(x: Any) -> str:
    return str(x.numpy().dtype)


def gradient(x: Any) -> Array:
    """x.grad as an array; zeros where backward left none."""
    return np.zeros(x.shape, dtype=dtype_of(x)) if x.grad is None else array(x.grad)


def derivative(y: Any, x: Any, **options: Any) -> Any:
    """The gradient of y to x, as ol.grad gives it: None where there is none."""
    return ol.grad([y], [x], **options)[0]


def check(actual: Any, expected: Any, tolerance: float = 1e-9) -> None:
    """Values, shape included, of a tensor or array."""
    found = actual if isinstance(actual, np.ndarray) else array(actual)
    wanted = np.asarray(expected)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def check_gradient(x: Any, expected: Any, tolerance: float = 1e-9) -> None:
    check(gradient(x), expected, tolerance)


def state(x: Any) -> tuple[Any, ...]:
    """Everything about a tensor that a refused call must leave alone."""
    found = (
        array(x).tobytes(),
        x.shape,
        dtype_of(x),
        x.inplace_version,
        x.stop_gradient,
        x.is_leaf,
    )
    return (*found, None if x.grad is None else array(x.grad).tobytes())


@contextmanager
def refused(
    kind: type[BaseException] | tuple[type[BaseException], ...],
    *tensors: Any,
    says: Sequence[str] = (),
) -> Iterator[Any]:
    """The block raises kind with all of these texts, and changes none of the tensors."""
    before = [state(x) for x in tensors]
    with pytest.raises(kind) as caught:
        yield caught
    for part in says:
        assert part in str(caught.value)
    assert [state(x) for x in tensors] == before


def shares_version(x: Any, y: Any) -> bool:
    """Whether a write to x is seen by y: what a user can know of shared storage."""
    before = (x.inplace_version, y.inplace_version)
    with ol.no_grad():
        x.detach().add_(0)
    assert x.inplace_version == before[0] + 1
    return bool(y.inplace_version == before[1] + 1)


def central_difference(function: Any, at: Array, step: float = 1e-6) -> Array:
    """The gradient of a function from an array to a number, in float64."""
    slope = np.zeros(at.shape)
    for index in np.ndindex(at.shape):
        ahead, behind = at.copy(), at.copy()
        ahead[index] += step
        behind[index] -= step
        slope[index] = (function(ahead) - function(behind)) / (2 * step)
    return slope
