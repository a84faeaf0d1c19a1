"""Oracles of ops/arithmetic.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import (
    NUMBERS,
    Array,
    Refusal,
    binary,
    float_promoted,
    floating,
    unary,
)


def clip(x: Array, min: float, max: float) -> Array:
    """Bounds are cut to whole numbers for integers; those beyond the dtype bound nothing."""
    if x.dtype.kind != "f":
        wide = x.astype("int64")
        return np.asarray(np.minimum(np.maximum(wide, int(min)), int(max))).astype(x.dtype)
    return np.asarray(np.minimum(np.maximum(x, min), max)).astype(x.dtype)


def scale(x: Array, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True) -> Array:
    return np.asarray(x * scale + bias if bias_after_scale else (x + bias) * scale).astype(x.dtype)


def power(x: Array, y: Any) -> Array:
    if np.result_type(x, y) == np.bool_:
        return np.where(y, x, True)
    return np.asarray(np.power(x, y))


NO_BOOL = (Refusal(TypeError, (np.array([True, False]),), {}, ("bool",)),)

ORACLES = {
    "add": binary(np.add, magnitude=lambda x, y: abs(x) + abs(y)),
    "subtract": binary(
        np.subtract,
        dtypes=NUMBERS,
        magnitude=lambda x, y: abs(x) + abs(y),
        refusals=(
            Refusal(TypeError, (np.array([True]), np.array([False])), {}, ("subtract", "bool")),
        ),
    ),
    "multiply": binary(np.multiply),
    "divide": binary(np.divide, result=float_promoted, other=(0.5, 3.0)),
    "pow": binary(
        power,
        low=0.25,
        high=3.0,
        other=(0.25, 3.0),
        refusals=(
            Refusal(ValueError, (np.array([2, 3]), np.array([1, -1])), {}, ("pow", "negative")),
        ),
    ),
    "maximum": binary(np.maximum),
    "minimum": binary(np.minimum),
    "negative": unary(np.negative, dtypes=NUMBERS, refusals=NO_BOOL),
    "abs": unary(np.abs, dtypes=NUMBERS, refusals=NO_BOOL),
    "sign": unary(np.sign, dtypes=NUMBERS, refusals=NO_BOOL),
    "exp": unary(np.exp, result=floating),
    "log": unary(np.log, low=0.25, high=4.0, result=floating),
    "sqrt": unary(np.sqrt, low=0.25, high=4.0, result=floating, ulps=1),
    "square": unary(np.square, dtypes=NUMBERS, ulps=1, refusals=NO_BOOL),
    "sin": unary(np.sin, result=floating),
    "cos": unary(np.cos, result=floating),
    "clip": unary(
        clip,
        attrs=({"min": -1.0, "max": 0.75}, {"min": 0, "max": 1}, {"min": 1.0, "max": -1.0}),
        dtypes=NUMBERS,
        refusals=(Refusal(TypeError, (np.array([True]),), {"min": 0, "max": 1}, ("clip", "bool")),),
    ),
    "scale": unary(
        scale,
        attrs=(
            {"scale": 2.5, "bias": -0.5},
            {},
            {"scale": -1.25, "bias": 3.0, "bias_after_scale": False},
            {"scale": 3, "bias": 2},
        ),
        dtypes=NUMBERS,
        ulps=8,
        magnitude=lambda x, scale=1.0, bias=0.0, bias_after_scale=True: (
            (abs(x) + abs(bias)) * abs(scale) + abs(bias)
        ),
    ),
    "floor": unary(np.floor, dtypes=NUMBERS, ulps=0, refusals=NO_BOOL),
}
