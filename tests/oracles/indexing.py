"""Oracles of ops/indexing.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import Array, Oracle, Refusal, Sample, grid


def ints(*values: Any, dtype: str = "int64") -> Array:
    return np.array(values, dtype)


def take(x: Array, index: Array, axis: int = 0) -> Array:
    return np.asarray(np.take(x, index, axis))


def scatter(x: Array, index: Array, updates: Array, overwrite: bool = True) -> Array:
    out = x.copy()
    rows = np.atleast_1d(index)
    updates = updates.reshape((len(rows), *x.shape[1:]))
    if overwrite:
        for row, update in zip(rows, updates, strict=True):
            out[row] = update
        return out
    out[rows] = 0
    np.add.at(out, rows, updates)
    return out


def pick(x: Array, indices: list[Array]) -> Array:
    return np.asarray(x[tuple(indices)])


def put(x: Array, indices: list[Array], value: Any, accumulate: bool = False) -> Array:
    out = x.copy()
    if accumulate:
        np.add.at(out, tuple(indices), value)
        return out
    positions = np.broadcast_arrays(*indices)
    places = list(zip(*(p.ravel() for p in positions), strict=True))
    values = np.broadcast_to(value, (*positions[0].shape, *x.shape[len(indices) :]))
    for place, one in zip(places, values.reshape((-1, *x.shape[len(indices) :])), strict=True):
        out[place] = one
    return out


ROWS = ints(2, 0, 2, -1)
GRID = ints([0, 2], [1, -1])

ORACLES = {
    "gather": Oracle(
        take,
        (
            Sample((grid(4, 3), ROWS)),
            Sample((grid(4, 3), ints(1, 1, -3)), {"axis": 1}),
            Sample((grid(3, 2, 2), ints(1, 0)), {"axis": -1}),
            Sample((grid(5), ints(4))),
            Sample((grid(4, 3), np.array(2))),
            Sample((grid(4, 3), ints(3, 1, dtype="int32"))),
            Sample((grid(4, 3), ints(3, 1, dtype="uint8"))),
        ),
        ulps=0,
        empties=(
            Sample((grid(4, 3), ints())),
            Sample((np.zeros((2, 0)), ints(1, 1))),
        ),
        refusals=(
            Refusal(IndexError, (grid(4, 3), ints(0, 4)), {}, ("gather", "4")),
            Refusal(IndexError, (grid(4, 3), ints(0, -5)), {}, ("gather", "-5")),
            Refusal(IndexError, (np.zeros((0, 3)), ints(0)), {}, ("gather",)),
            Refusal(TypeError, (grid(4, 3), np.array([0.0])), {}, ("gather", "index", "float64")),
            Refusal(ValueError, (grid(4, 3), ints(0)), {"axis": 2}, ("gather", "axis")),
        ),
    ),
    "index_select": Oracle(
        take,
        (
            Sample((grid(4, 3), ROWS)),
            Sample((grid(4, 3), ints(1, 1, -3)), {"axis": 1}),
            Sample((grid(3, 2, 2), ints(1, 0)), {"axis": -1}),
        ),
        ulps=0,
        empties=(Sample((grid(4, 3), ints())),),
        refusals=(
            Refusal(IndexError, (grid(4, 3), ints(0, 4)), {}, ("index_select", "4")),
            Refusal(ValueError, (grid(4, 3), GRID), {}, ("index_select", "[2, 2]")),
            Refusal(TypeError, (grid(2), np.array([True, False])), {}, ("index_select", "bool")),
        ),
    ),
    "scatter": Oracle(
        scatter,
        (
            Sample((grid(4, 3), ints(2, 0), grid(2, 3, seed=1))),
            Sample((grid(4, 3), ints(2, 0, 2, -2), grid(4, 3, seed=1))),
            Sample((grid(4, 3), ints(2, 0, 2, -2), grid(4, 3, seed=1)), {"overwrite": False}),
            Sample((grid(5), ints(1, 1), grid(2, seed=1))),
            Sample((grid(5), ints(1, 3), grid(2, seed=1)), {"overwrite": False}),
            Sample((grid(4, 3), ints(3, 1, dtype="int32"), grid(2, 3, seed=1))),
        ),
        differentiable=(0, 2),
        varied=(0, 2),
        ulps=1,
        empties=(Sample((grid(4, 3), ints(), np.zeros((0, 3)))),),
        refusals=(
            Refusal(IndexError, (grid(4), ints(0, 4), np.ones(2)), {}, ("scatter", "4")),
            Refusal(IndexError, (grid(4), ints(-5), np.ones(1)), {}, ("scatter", "-5")),
            Refusal(ValueError, (grid(4), ints(0, 1), np.ones(3)), {}, ("scatter", "[3]")),
            Refusal(TypeError, (grid(4), np.array([0.5]), np.ones(1)), {}, ("scatter", "index")),
        ),
    ),
    "index": Oracle(
        pick,
        (
            Sample((grid(4, 3), [ROWS])),
            Sample((grid(4, 3), [ROWS, ints(0, 1, 2, -1)])),
            Sample((grid(4, 3), [GRID])),
            Sample((grid(4, 3, 2), [ints([0], [1]), ints(2, 0, 1)])),
            Sample((grid(3), [np.array(1)])),
        ),
        ulps=0,
        empties=(Sample((grid(4, 3), [ints()])),),
        refusals=(
            Refusal(IndexError, (grid(4, 3), [ints(4)]), {}, ("index", "4")),
            Refusal(IndexError, (grid(4, 3), [ints(0), ints(-4)]), {}, ("index", "-4")),
            Refusal(IndexError, (grid(4), [ints(0), ints(0)]), {}, ("index",)),
            Refusal(ValueError, (grid(4, 3), [ints(0, 1), ints(0, 1, 2)]), {}, ("index",)),
        ),
    ),
    "index_put": Oracle(
        put,
        (
            Sample((grid(4, 3), [ints(2, 0)], grid(2, 3, seed=1))),
            Sample((grid(4, 3), [ints(2, 0, 2)], grid(3, 3, seed=1))),
            Sample((grid(4, 3), [ints(2, 0, 2)], grid(3, 3, seed=1)), {"accumulate": True}),
            Sample((grid(4, 3), [ROWS, ints(0, 1, 2, -1)], grid(4, seed=1))),
            Sample((grid(4, 3), [ROWS, ints(0, 1, 0, -1)], grid(4, seed=1)), {"accumulate": True}),
            Sample((grid(4, 3), [GRID], grid(3, seed=1))),
            Sample((grid(4, 3), [ints(2, 0)], 1.5)),
        ),
        differentiable=(0, 2),
        varied=(0, 2),
        ulps=2,
        empties=(Sample((grid(4, 3), [ints()], np.ones(3))),),
        refusals=(
            Refusal(IndexError, (grid(4, 3), [ints(4)], 1.0), {}, ("index_put", "4")),
            Refusal(ValueError, (grid(4, 3), [ints(0)], np.ones((2, 3))), {}, ("index_put",)),
            Refusal(TypeError, (ints(1, 2), [ints(0)], 1.5), {}, ("index_put", "int64")),
        ),
    ),
    "nonzero": Oracle(
        lambda x: np.argwhere(x),
        (
            Sample((grid(4, 3) * (grid(4, 3, seed=1) > 0),)),
            Sample((grid(67) * (grid(67, seed=1) > 0),)),
            Sample((np.array(1.5),)),
            Sample((np.array(0.0),)),
        ),
        result=lambda dtypes: "int64",
        differentiable=(),
        ulps=0,
        empties=(Sample((np.zeros((0, 3)),)), Sample((np.zeros((2, 2)),))),
    ),
}
