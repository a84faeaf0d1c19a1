"""Oracles of ops/activation.yaml."""

from __future__ import annotations

import numpy as np

from tests.oracles.base import (
    NUMBERS,
    Array,
    Oracle,
    Refusal,
    Sample,
    floating,
    grid,
    unary,
)


def relu(x: Array) -> Array:
    return np.where(x <= 0, np.zeros_like(x), x)  # NaN stays


def sigmoid(x: Array) -> Array:
    return np.exp(-np.logaddexp(0, -x))


def leaky_relu(x: Array, negative_slope: float = 0.02) -> Array:
    return np.where(x > 0, x, negative_slope * x)


def elu(x: Array, alpha: float = 1.0) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def softmax(x: Array, axis: int) -> Array:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


SOFTMAX_SAMPLES = (
    Sample((grid(2, 3),), {"axis": 1}),
    Sample((grid(2, 3, seed=1),), {"axis": 0}),
    Sample((grid(4),), {"axis": -1}),
    Sample((grid(2, 3, 2),), {"axis": 1}),
    Sample((grid(2, 40, low=-8, high=8),), {"axis": -1}),
    Sample((grid(2, 1),), {"axis": 1}),
    Sample((np.array([[1000.0, 999.0], [-1000.0, -1001.0]]),), {"axis": 1}),
)

ORACLES = {
    "relu": unary(relu, dtypes=NUMBERS),
    "tanh": unary(np.tanh, result=floating, ulps=8),
    "sigmoid": unary(sigmoid, result=floating, ulps=8),
    "leaky_relu": unary(
        leaky_relu, attrs=({}, {"negative_slope": 0.25}, {"negative_slope": -0.5}), result=floating
    ),
    "elu": unary(elu, attrs=({}, {"alpha": 0.5}, {"alpha": -1.5}), result=floating, ulps=8),
    "softmax": Oracle(
        softmax,
        SOFTMAX_SAMPLES,
        result=floating,
        ulps=16,
        empties=(
            Sample((np.zeros((0, 3)),), {"axis": 1}),
            Sample((np.zeros((2, 0)),), {"axis": 0}),
        ),
        refusals=(
            Refusal(ValueError, (np.zeros((2, 3)),), {"axis": 2}, ("softmax", "axis", "2")),
            Refusal(ValueError, (np.zeros((2, 3)),), {"axis": -3}, ("softmax", "axis", "-3")),
        ),
    ),
}
