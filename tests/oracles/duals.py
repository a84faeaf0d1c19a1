"""Ops on numbers that carry their derivatives forward, for tests/oracles/programs.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


class KinkError(Exception):
    """A value so near a kink that a derivative there is a matter of convention."""


@dataclass
class Dual:
    """Numbers and their derivatives: slopes has one axis more, over all input elements."""

    value: Array
    slopes: Array


def away(distance: Array) -> None:
    if distance.size and np.min(np.abs(distance)) < 1e-3:
        raise KinkError


def chain(x: Dual, value: Array, factor: Array) -> Dual:
    return Dual(value, x.slopes * factor[..., None])


def relu(x: Dual) -> Dual:
    away(x.value)
    return chain(x, np.maximum(x.value, 0), (x.value > 0) * 1.0)


def tanh(x: Dual) -> Dual:
    out = np.tanh(x.value)
    return chain(x, out, 1 - out * out)


def sigmoid(x: Dual) -> Dual:
    out = np.exp(-np.logaddexp(0, -x.value))
    return chain(x, out, out * (1 - out))


def exp(x: Dual) -> Dual:
    return chain(x, np.exp(x.value), np.exp(x.value))


def absolute(x: Dual) -> Dual:
    away(x.value)
    return chain(x, np.abs(x.value), np.sign(x.value))


def clip(x: Dual, min: float, max: float) -> Dual:
    away(x.value - min)
    away(x.value - max)
    inside = (x.value > min) & (x.value < max)
    return chain(x, np.minimum(np.maximum(x.value, min), max), inside * 1.0)


def elu(x: Dual, alpha: float = 1.0) -> Dual:
    away(x.value)
    below = alpha * np.exp(np.minimum(x.value, 0))
    return chain(
        x, np.where(x.value > 0, x.value, below - alpha), np.where(x.value > 0, 1.0, below)
    )


def leaky_relu(x: Dual, negative_slope: float = 0.02) -> Dual:
    away(x.value)
    factor = np.where(x.value > 0, 1.0, negative_slope)
    return chain(x, x.value * factor, factor)


def softmax(x: Dual, axis: int) -> Dual:
    out = np.exp(x.value - x.value.max(axis, keepdims=True))
    out = out / out.sum(axis, keepdims=True)
    axis = axis % x.value.ndim
    weighed = out[..., None] * x.slopes
    return Dual(out, weighed - out[..., None] * weighed.sum(axis, keepdims=True))


def total(x: Dual, axis: int, keepdim: bool = False) -> Dual:
    axis = axis % x.value.ndim
    return Dual(x.value.sum(axis, keepdims=keepdim), x.slopes.sum(axis, keepdims=keepdim))


def mean(x: Dual, axis: int, keepdim: bool = False) -> Dual:
    sums, count = total(x, axis, keepdim), x.value.shape[axis]
    return Dual(sums.value / count, sums.slopes / count)


def spread(x: Dual, shape: tuple[int, ...]) -> Dual:
    slopes = x.slopes.reshape((1,) * (len(shape) - x.value.ndim) + x.slopes.shape)
    return Dual(
        np.broadcast_to(x.value, shape), np.broadcast_to(slopes, (*shape, x.slopes.shape[-1]))
    )


def two(x: Dual, y: Dual, value: Callable[[Array, Array], Array], by_x: Any, by_y: Any) -> Dual:
    shape = np.broadcast_shapes(x.value.shape, y.value.shape)
    a, b = spread(x, shape), spread(y, shape)
    slopes = a.slopes * by_x(a.value, b.value)[..., None]
    return Dual(value(a.value, b.value), slopes + b.slopes * by_y(a.value, b.value)[..., None])


def maximum(x: Dual, y: Dual) -> Dual:
    away(x.value - y.value)
    return two(x, y, np.maximum, lambda a, b: (a > b) * 1.0, lambda a, b: (b > a) * 1.0)


def minimum(x: Dual, y: Dual) -> Dual:
    away(x.value - y.value)
    return two(x, y, np.minimum, lambda a, b: (a < b) * 1.0, lambda a, b: (b < a) * 1.0)


def divide(x: Dual, y: Dual) -> Dual:
    if y.value.size and np.min(np.abs(y.value)) < 0.2:
        raise KinkError
    return two(x, y, np.divide, lambda a, b: 1 / b + 0 * a, lambda a, b: -a / b**2)


def copied(x: Dual, y: Dual) -> Dual:
    if np.broadcast_shapes(x.value.shape, y.value.shape) != x.value.shape:
        raise KinkError
    return spread(y, x.value.shape)


def rows(x: Dual, index: list[int]) -> Dual:
    return Dual(x.value[index], x.slopes[index])


def ones(a: Array, b: Array) -> Array:
    return np.ones(np.broadcast_shapes(a.shape, b.shape))


@dataclass(frozen=True)
class Rule:
    """How an op computes, and what its plain and its in-place form keep by reference."""

    function: Callable[..., Dual]
    # Of x, y (each where the other's gradient is wanted), X, Y (where either's is), o (the result).
    keeps: str = ""
    keeps_in_place: str = ""
    zero: bool = False  # the first input's gradient is a symbolic zero: its history ends


RULES: dict[str, Rule] = {
    "relu": Rule(relu, "o", "o"),
    "tanh": Rule(tanh, "o", "o"),
    "sigmoid": Rule(sigmoid, "o", "o"),
    "exp": Rule(exp, "o", "o"),
    "softmax": Rule(softmax, "o", "o"),
    "sin": Rule(lambda x: chain(x, np.sin(x.value), np.cos(x.value)), "x"),
    "square": Rule(lambda x: chain(x, x.value**2, 2 * x.value), "x"),
    "abs": Rule(absolute, "x"),
    "clip": Rule(clip, "x"),
    "elu": Rule(elu, "x", "o"),
    "leaky_relu": Rule(leaky_relu, "x", "o"),
    "scale": Rule(
        lambda x, scale=1.0, bias=0.0: chain(
            x, x.value * scale + bias, np.full(x.value.shape, scale)
        )
    ),
    "clone": Rule(lambda x: x),
    "sum": Rule(total),
    "mean": Rule(mean),
    "fill": Rule(lambda x, value: Dual(np.full(x.value.shape, value), x.slopes * 0), zero=True),
    "add": Rule(lambda x, y: two(x, y, np.add, ones, ones)),
    "subtract": Rule(lambda x, y: two(x, y, np.subtract, ones, lambda a, b: -ones(a, b))),
    "multiply": Rule(
        lambda x, y: two(x, y, np.multiply, lambda a, b: b + 0 * a, lambda a, b: a + 0 * b),
        "xy",
        "y",
    ),
    "divide": Rule(divide, "xY", "Y"),
    "maximum": Rule(maximum, "XY", "Y"),
    "minimum": Rule(minimum, "XY", "Y"),
    "copy": Rule(copied, zero=True),
    "rows": Rule(rows),
}
