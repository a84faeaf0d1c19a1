"""Oracles of ops/creation.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import (
    Array,
    Oracle,
    Refusal,
    Sample,
    grid,
    one_array_samples,
    unary,
)


def full(shape: Any, value: Any, dtype: str | None = None) -> Array:
    own = {bool: "bool", int: "int64", float: "float32"}[type(value)]
    return np.full(shape, value, dtype or own)


def zeros(shape: Any, dtype: str = "float32") -> Array:
    return np.zeros(shape, dtype)


def ones(shape: Any, dtype: str = "float32") -> Array:
    return np.ones(shape, dtype)


def zeros_like(x: Array, dtype: str | None = None) -> Array:
    return np.zeros(x.shape, dtype or x.dtype)


def ones_like(x: Array, dtype: str | None = None) -> Array:
    return np.ones(x.shape, dtype or x.dtype)


def arange(start: Any, end: Any = None, step: Any = 1, dtype: str | None = None) -> Array:
    numbers = [start, step] if end is None else [start, end, step]
    own = "float32" if any(isinstance(n, float) for n in numbers) else "int64"
    first, last = (0, start) if end is None else (start, end)
    count = max(0, int(np.ceil((last - first) / step)))
    return np.asarray(first + np.arange(count) * step).astype(dtype or own)


def cast(x: Array, dtype: str) -> Array:
    return np.asarray(x).astype(dtype)


def fill(x: Array, value: Any = 0) -> Array:
    return np.full(x.shape, value, x.dtype)


def created(samples: tuple[Sample, ...], reference: Any, refusals: tuple[Refusal, ...]) -> Oracle:
    return Oracle(
        reference,
        samples,
        result=None,
        differentiable=(),
        varied=(),
        empties=(),
        refusals=refusals,
    )


def by_shape(*rest: dict[str, Any]) -> tuple[Sample, ...]:
    shapes: tuple[Any, ...] = ([2, 3], [], [0, 2], [67], (4,))
    return tuple(Sample((), {"shape": s, **r}) for s in shapes for r in rest)


NEGATIVE_LENGTH = {"shape": [2, -1]}
DTYPE_CHOICES: tuple[dict[str, Any], ...] = (
    {},
    {"dtype": "float64"},
    {"dtype": "int32"},
    {"dtype": "bool"},
)
LIKE_SAMPLES = tuple(Sample((grid(2, 3),), attrs) for attrs in DTYPE_CHOICES)
LIKE_EMPTIES = (Sample((np.zeros((0, 2)),)), Sample((np.zeros(()),)))

ORACLES = {
    "full": created(
        by_shape({"value": 2.5}, {"value": 7}, {"value": True}, {"value": 3, "dtype": "float64"}),
        full,
        (Refusal(ValueError, (), {**NEGATIVE_LENGTH, "value": 1}, ("full", "-1")),),
    ),
    "zeros": created(
        by_shape(*DTYPE_CHOICES), zeros, (Refusal(ValueError, (), NEGATIVE_LENGTH, ("zeros",)),)
    ),
    "ones": created(
        by_shape(*DTYPE_CHOICES), ones, (Refusal(ValueError, (), NEGATIVE_LENGTH, ("ones",)),)
    ),
    "zeros_like": Oracle(
        zeros_like, LIKE_SAMPLES, result=None, differentiable=(), empties=LIKE_EMPTIES
    ),
    "ones_like": Oracle(
        ones_like, LIKE_SAMPLES, result=None, differentiable=(), empties=LIKE_EMPTIES
    ),
    "arange": created(
        (
            Sample((), {"start": 5}),
            Sample((), {"start": 2, "end": 9, "step": 3}),
            Sample((), {"start": 9, "end": 2, "step": -2}),
            Sample((), {"start": 3, "end": 3}),
            Sample((), {"start": 0.5, "end": 3, "step": 0.75}),
            Sample((), {"start": 5, "dtype": "float64"}),
            Sample((), {"start": -1, "end": 1, "step": 0.1, "dtype": "float64"}),
        ),
        arange,
        (Refusal(ValueError, (), {"start": 1, "end": 5, "step": 0}, ("arange", "step")),),
    ),
    "assign": unary(np.array, edges=()),
    "clone": unary(np.array, edges=()),
    "cast": Oracle(
        cast,
        (
            Sample((grid(5, low=0, high=200),), {"dtype": "uint8"}),
            *(
                Sample((grid(*shape, low=-100, high=100, seed=i),), {"dtype": dtype})
                for i, shape in enumerate([(2, 3), (), (67,)])
                for dtype in ("float64", "float32", "int64", "int32", "bool")
            ),
        ),
        result=None,
        empties=(Sample((np.zeros((0, 2)),), {"dtype": "int64"}),),
        refusals=(
            Refusal(TypeError, (np.ones(2),), {"dtype": "float16"}, ("float16", "float32")),
            Refusal(TypeError, (np.ones(2),), {"dtype": "no such type"}, ("no such type",)),
        ),
    ),
    "copy_": Oracle(
        lambda x, value: np.broadcast_to(value, x.shape).astype(x.dtype),
        (
            Sample((grid(2, 3), grid(2, 3, seed=1))),
            Sample((grid(2, 3), grid(3, seed=1))),
            Sample((grid(67), grid(1, seed=1))),
            Sample((grid(), grid(seed=1))),
            Sample((grid(2, 3), 1.5)),
        ),
        differentiable=(0, 1),
        varied=(0, 1),
        empties=(Sample((np.zeros((0, 2)), np.zeros(2))),),
        refusals=(
            Refusal(ValueError, (np.ones(3), np.ones((2, 3))), {}, ("copy_", "[3]", "[2, 3]")),
            Refusal(TypeError, (np.array([1]), np.array([1.5])), {}, ("copy_", "int64")),
        ),
    ),
    "fill": Oracle(
        fill,
        (
            *one_array_samples(-2, 2, value=True),
            *one_array_samples(-2, 2, value=1),
            Sample((grid(2, 3),), {}),
        ),
        empties=(Sample((np.zeros((2, 0)),), {"value": 3}),),
        refusals=(
            Refusal(TypeError, (np.array([1, 2]),), {"value": 1.5}, ("fill", "int64")),
            Refusal(TypeError, (np.array([True]),), {"value": 2}, ("fill", "bool")),
        ),
    ),
    "zero_": Oracle(
        lambda x: np.zeros_like(x),
        one_array_samples(-2, 2),
        empties=(Sample((np.zeros((0, 2)),)),),
    ),
}
