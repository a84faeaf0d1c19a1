"""Gradients where the slope is a matter of convention, or at the ends of a domain.

The conventions are those of PyTorch, and of the texts in the registry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import Array, constant, derivative, gradient, leaf

INF, NAN = np.inf, np.nan

# Of one tensor: the op, where, and the slope there.
SLOPES: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "relu": (lambda x: x.relu(), [0.0, -0.0, INF, -INF, NAN], [0, 0, 1, 0, 1]),
    "leaky_relu": (lambda x: x.leaky_relu(0.1), [0.0, -0.0, INF, -INF], [0.1, 0.1, 1, 0.1]),
    "elu": (lambda x: x.elu(2.0), [0.0, -0.0, INF, -INF], [2, 2, 1, 0]),
    "tanh": (lambda x: x.tanh(), [0.0, INF, -INF, 40.0], [1, 0, 0, 0]),
    "sigmoid": (lambda x: x.sigmoid(), [0.0, INF, -INF, 800.0], [0.25, 0, 0, 0]),
    "exp": (lambda x: x.exp(), [0.0, -INF, INF], [1, 0, INF]),
    "log": (lambda x: x.log(), [0.0, INF], [INF, 0]),
    "sqrt": (lambda x: x.sqrt(), [0.0, INF], [INF, 0]),
    "abs": (lambda x: x.abs(), [0.0, -0.0, INF, -INF], [0, 0, 1, -1]),
    "clip": (lambda x: x.clip(-1.0, 1.0), [-1.0, 1.0, -INF, INF], [1, 1, 0, 0]),
    "sign": (lambda x: x.sign(), [0.0, 1.5, -INF], [0, 0, 0]),
    "floor": (lambda x: x.floor(), [0.0, 1.5, 2.0], [0, 0, 0]),
    "square": (lambda x: x.square(), [0.0, INF], [0, INF]),
    "power 2": (lambda x: x.pow(2.0), [0.0, -3.0], [0, -6]),
    "power 1": (lambda x: x.pow(1.0), [0.0, -3.0, INF], [1, 1, 1]),
    "power 0": (lambda x: x.pow(0.0), [0.0, -3.0, INF], [0, 0, 0]),
    "power 3": (lambda x: x.pow(3.0), [-2.0, 0.0], [12, 0]),
    "power 0.5": (lambda x: x.pow(0.5), [0.0, 4.0], [INF, 0.25]),
    "power -1": (lambda x: x.pow(-1.0), [2.0, -2.0], [-0.25, -0.25]),
    "base 2": (lambda x: 2.0**x, [0.0, -INF], [np.log(2), 0]),
    "base 0": (lambda x: constant(0.0) ** x, [2.0, 0.5], [0, 0]),
    "divide": (lambda x: 1.0 / x, [0.0, INF], [-INF, 0]),
    "softmax": (lambda x: x.softmax(0)[1], [-INF, 0.0], [0, 0]),
    "max tie": (lambda x: x.max(), [3.0, 1.0, 3.0], [0.5, 0, 0.5]),
    "max inf": (lambda x: x.max(), [INF, 1.0], [1, 0]),
    "max nan": (lambda x: x.max(), [NAN, 1.0], [1, 0]),
    "mean": (lambda x: x.mean(), [INF, 1.0], [0.5, 0.5]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", SLOPES)
def test_slopes(name: str, dtype: str) -> None:
    call, at, expected = SLOPES[name]
    x = leaf(at, dtype)
    if name in {"base 2", "base 0", "divide"}:
        at = [float(one) for one in at]
    call(x).sum().backward()
    np.testing.assert_allclose(gradient(x), expected, rtol=1e-6, atol=1e-30)


EACH_ELEMENT = [n for n in SLOPES if not n.startswith(("max", "softmax", "mean"))]


@pytest.mark.parametrize("name", EACH_ELEMENT)
def test_slopes_in_place_and_in_long_rows(name: str) -> None:
    """The same in every lane of a register, and where the op overwrites its input."""
    call, at, expected = SLOPES[name]
    for length in (3, 67):
        row, slopes = np.resize(at, length), np.resize(expected, length)
        x = leaf(row, "float32")
        y = x.clone()
        plain = name.split()[0]
        if plain in {"base", "divide"}:
            call(y).sum().backward()
        else:
            in_place = {"power": "pow"}.get(plain, plain) + "_"
            getattr(y, in_place)(*arguments(name))
            y.sum().backward()
        np.testing.assert_allclose(gradient(x), slopes, rtol=1e-6, atol=1e-30)


def arguments(name: str) -> list[float]:
    if name.startswith("power"):
        return [float(name.split()[1])]
    return {"leaky_relu": [0.1], "elu": [2.0], "clip": [-1.0, 1.0]}.get(name, [])


PAIRS: dict[str, tuple[str, Array, Array, Array, Array]] = {
    "maximum": (
        "maximum",
        np.array([1.0, 2.0, 3.0, INF]),
        np.array([1.0, 3.0, 2.0, INF]),
        np.array([0.5, 0, 1, 0.5]),
        np.array([0.5, 1, 0, 0.5]),
    ),
    "minimum": (
        "minimum",
        np.array([1.0, 2.0, 3.0]),
        np.array([1.0, 3.0, 2.0]),
        np.array([0.5, 1, 0]),
        np.array([0.5, 0, 1]),
    ),
    "pow": (
        "pow",
        np.array([0.0, 0.0, -2.0, 2.0]),
        np.array([2.0, 0.0, 2.0, 0.0]),
        np.array([0, 0, -4.0, 0]),
        np.array([0, -INF, NAN, np.log(2)]),
    ),
    "multiply": (
        "multiply",
        np.array([0.0, INF]),
        np.array([INF, 2.0]),
        np.array([INF, 2.0]),
        np.array([0.0, INF]),
    ),
    "divide": (
        "divide",
        np.array([1.0, 0.0, -1.0]),
        np.array([0.0, 2.0, 0.0]),
        np.array([INF, 0.5, INF]),
        np.array([-INF, 0.0, INF]),
    ),
}


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("name", PAIRS)
def test_slopes_of_pairs(name: str, in_place: bool) -> None:
    op, a, b, by_a, by_b = PAIRS[name]
    x, y = leaf(a), leaf(b)
    target = x.clone() if in_place else x
    out = getattr(target, op + "_" * in_place)(y)
    out.sum().backward()
    np.testing.assert_allclose(gradient(x), by_a)
    found = gradient(y)
    if name == "pow":  # 0 ** 0 by the exponent: 0 by the registry, -inf by the limit from above
        assert found[1] in (0.0, -INF)
        found[1] = by_b[1]
    np.testing.assert_allclose(found, by_b)


def test_where_keeps_infinity_out() -> None:
    """sqrt of a masked negative: the branch not taken gives 0, not NaN, where it is chosen out."""
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    condition = constant([True, False], "bool")
    out = ol.where(condition, x, y)
    out.backward(constant([INF, NAN]))
    np.testing.assert_array_equal(gradient(x), [INF, 0.0])
    np.testing.assert_array_equal(gradient(y), [0.0, NAN])


def test_ops_of_slope_zero_are_recorded() -> None:
    """Their results depend on the input, if not smoothly: the gradient is a zero, shown or not."""
    for op in ("floor", "sign"):
        x = leaf([1.5])
        y = getattr(x, op)()
        assert y.stop_gradient is False
        assert y.is_leaf is False
        slope = derivative((y * x).sum(), x)
        np.testing.assert_array_equal(slope.numpy(), [1.0])


def test_cross_entropy_of_labels_that_do_not_count() -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    ol.cross_entropy(x, constant([-100, 1], "int64")).backward()
    odds = np.exp(3.0 - 4.0)
    share = odds / (1 + odds)
    np.testing.assert_allclose(gradient(x), [[0.0, 0.0], [share, -share]])
