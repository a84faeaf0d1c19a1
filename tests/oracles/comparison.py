"""Oracles of ops/comparison.yaml."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracles.base import (
    DTYPES,
    PAIR_SHAPES,
    Oracle,
    Refusal,
    Sample,
    binary,
    boolean,
    grid,
    promoted,
    unary,
)


def compare(reference: Callable[..., Any]) -> Oracle:
    """Numbers are few, so that equal pairs occur; no gradient."""
    near = (-0.1, 0.1)
    return binary(
        reference, low=-0.1, high=0.1, other=near, shift=0, result=boolean, differentiable=()
    )


CONDITIONS = [grid(*shape, seed=9) > 0 for shape in ((2, 3), (), (67,), (3,), (2, 1), (1,))]
BRANCHES = [*PAIR_SHAPES[:6]]

ORACLES = {
    "equal": compare(np.equal),
    "not_equal": compare(np.not_equal),
    "less_than": compare(np.less),
    "less_equal": compare(np.less_equal),
    "greater_than": compare(np.greater),
    "greater_equal": compare(np.greater_equal),
    "logical_and": compare(np.logical_and),
    "logical_or": compare(np.logical_or),
    "logical_xor": compare(np.logical_xor),
    "logical_not": unary(np.logical_not, low=-0.1, high=0.1, result=boolean, differentiable=()),
    "where": Oracle(
        np.where,
        (
            *(
                Sample((c, grid(*a, seed=i), grid(*b, seed=i + 50)))
                for i, (c, (a, b)) in enumerate(zip(CONDITIONS, BRANCHES, strict=True))
            ),
            Sample((CONDITIONS[0], grid(2, 3), 0.5)),
        ),
        dtypes=DTYPES,
        result=promoted,
        differentiable=(1, 2),
        varied=(1, 2),
        empties=(Sample((np.zeros((0, 2), bool), np.zeros((0, 2)), np.zeros((1, 1)))),),
        refusals=(Refusal(TypeError, (np.array([1, 0]), np.ones(2), np.ones(2)), {}, ("bool",)),),
    ),
}
