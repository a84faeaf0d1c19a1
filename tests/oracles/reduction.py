"""Oracles of ops/reduction.yaml."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracles.base import (
    Array,
    Oracle,
    Refusal,
    Sample,
    distinct,
    floating,
    grid,
    same,
    summed,
)


def over(reduce: Callable[..., Any]) -> Callable[..., Array]:
    def reference(x: Array, axis: Any = (), keepdim: bool = False) -> Array:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
        return np.asarray(reduce(x, axis=axes or None, keepdims=keepdim))

    return reference


CHOICES: tuple[tuple[tuple[int, ...], dict[str, Any]], ...] = (
    ((2, 3), {}),
    ((2, 3), {"axis": 0}),
    ((2, 3), {"axis": [-1], "keepdim": True}),
    ((2, 3, 2), {"axis": [0, 2]}),
    ((2, 3, 2), {"axis": [2, 0], "keepdim": True}),
    ((2, 3, 2), {"axis": 1}),
    ((), {}),
    ((1, 5), {"axis": 0}),
    ((3, 67), {"axis": 1}),
    ((67, 3), {"axis": 0}),
    ((2, 2), {"keepdim": True}),
)
LARGE = (Sample((grid(1000, 33),), {}), Sample((grid(33, 1000),), {"axis": 1}))


def samples(make: Callable[..., Array]) -> tuple[Sample, ...]:
    return tuple(Sample((make(*shape, seed=i),), a) for i, (shape, a) in enumerate(CHOICES))


EMPTIES = (
    Sample((np.zeros((0, 3)),), {"axis": 1}),
    Sample((np.zeros((2, 0)),), {"axis": 0, "keepdim": True}),
)
OVER_NOTHING = (Sample((np.zeros((2, 0)),), {"axis": 1}), Sample((np.zeros((0,)),), {}))


def refusals(op: str) -> tuple[Refusal, ...]:
    x = np.ones((2, 3))
    return (
        Refusal(ValueError, (x,), {"axis": 2}, (op, "axis", "2")),
        Refusal(ValueError, (x,), {"axis": [0, -3]}, (op, "axis", "-3")),
        Refusal(ValueError, (x,), {"axis": [1, -1]}, (op, "axis")),
    )


ORACLES = {
    "sum": Oracle(
        over(np.sum),
        (*samples(grid), *LARGE),
        result=summed,
        magnitude=over(lambda x, **k: np.abs(x).sum(**k)),
        ulps=8,
        empties=EMPTIES + OVER_NOTHING,
        refusals=refusals("sum"),
    ),
    "mean": Oracle(
        over(np.mean),
        (*samples(grid), *LARGE),
        result=floating,
        magnitude=over(lambda x, **k: np.abs(x).mean(**k)),
        ulps=8,
        empties=EMPTIES + OVER_NOTHING,
        refusals=refusals("mean"),
    ),
    "max": Oracle(
        over(np.max),
        (
            *samples(distinct),
            Sample((np.array([[1.0, np.nan, 3.0], [1.0, -np.inf, 0.5]]),), {"axis": 1}),
        ),
        result=same,
        ulps=0,
        empties=EMPTIES,
        refusals=(
            *refusals("max"),
            *(Refusal(ValueError, s.inputs, s.attrs, ("max",)) for s in OVER_NOTHING),
        ),
    ),
}
