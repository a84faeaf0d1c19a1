"""Oracles of ops/linalg.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import NUMBERS, Array, Oracle, Refusal, Sample, grid, promoted


def matmul(x: Array, y: Array, transpose_x: bool = False, transpose_y: bool = False) -> Array:
    if transpose_x and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if transpose_y and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    return np.asarray(np.matmul(x, y))


SHAPES: tuple[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]], ...] = (
    ((2, 3), (3, 4), {}),
    ((3, 2), (3, 4), {"transpose_x": True}),
    ((2, 3), (4, 3), {"transpose_y": True}),
    ((3, 2), (4, 3), {"transpose_x": True, "transpose_y": True}),
    ((3,), (3,), {}),
    ((3,), (3, 2), {}),
    ((2, 3), (3,), {}),
    ((3,), (2, 3, 2), {}),
    ((2, 2, 3), (3,), {}),
    ((2, 2, 3), (2, 3, 2), {}),
    ((2, 1, 2, 3), (3, 3, 2), {}),
    ((2, 2, 3), (3, 2), {}),
    ((2, 3), (2, 3, 2), {"transpose_y": False}),
    ((1, 1), (1, 1), {}),
    ((5, 70), (70, 6), {}),
)
EMPTY_SHAPES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((0, 2, 3), (3, 2)),
    ((2, 3), (3, 0)),
    ((0,), (0,)),
)

ORACLES = {
    "matmul": Oracle(
        matmul,
        tuple(
            Sample((grid(*x, seed=i), grid(*y, seed=i + 50)), attrs)
            for i, (x, y, attrs) in enumerate(SHAPES)
        ),
        dtypes=NUMBERS,
        result=promoted,
        differentiable=(0, 1),
        varied=(0, 1),
        magnitude=lambda x, y, **attrs: matmul(abs(x), abs(y), **attrs),
        ulps=8,
        empties=tuple(Sample((np.zeros(x), np.zeros(y))) for x, y in EMPTY_SHAPES),
        refusals=(
            Refusal(ValueError, (np.ones((2, 3)), np.ones((2, 3))), {}, ("matmul", "[2, 3]")),
            Refusal(ValueError, (np.ones((2, 2, 3)), np.ones((3, 3, 2))), {}, ("matmul",)),
            Refusal(ValueError, (np.ones(()), np.ones(2)), {}, ("matmul",)),
            Refusal(TypeError, (np.array([[True]]), np.array([[True]])), {}, ("matmul", "bool")),
        ),
    ),
}
