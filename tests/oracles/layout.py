"""Oracles of ops/layout.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import Array, Oracle, Refusal, Sample, grid, promoted


def squeeze(x: Array, axis: Any = ()) -> Array:
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    named = {a % x.ndim for a in axes} if axes else set(range(x.ndim))
    return x.reshape([n for i, n in enumerate(x.shape) if not (n == 1 and i in named)])


def unsqueeze(x: Array, axis: Any = ()) -> Array:
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    return np.expand_dims(x, axes) if axes else x


def expand(x: Array, shape: Any) -> Array:
    added = len(shape) - x.ndim
    lengths = [x.shape[i - added] if n == -1 else n for i, n in enumerate(shape)]
    return np.broadcast_to(x, lengths)


def set_item(x: Array, value: Any, index: Any) -> Array:
    out = x.copy()
    out[index] = value
    return out


def split(x: Array, num_or_sections: Any, axis: int = 0) -> tuple[Array, ...]:
    if isinstance(num_or_sections, int):
        return tuple(np.split(x, num_or_sections, axis))
    known = [n for n in num_or_sections if n != -1]
    lengths = [x.shape[axis] - sum(known) if n == -1 else n for n in num_or_sections]
    return tuple(np.split(x, np.cumsum(lengths)[:-1], axis))


def layout(
    reference: Any, cases: list[tuple[tuple[int, ...], dict[str, Any]]], **rest: Any
) -> Oracle:
    return Oracle(
        reference,
        tuple(Sample((grid(*shape, seed=i),), attrs) for i, (shape, attrs) in enumerate(cases)),
        ulps=0,
        **rest,
    )


def refuse(kind: type[Exception], lengths: tuple[int, ...], *says: str, **attrs: Any) -> Refusal:
    return Refusal(kind, (np.ones(lengths),), attrs, says)


def empty(lengths: tuple[int, ...], **attrs: Any) -> Sample:
    return Sample((np.zeros(lengths),), attrs)


ORACLES = {
    "reshape": layout(
        lambda x, shape: x.reshape(shape),
        [
            ((2, 3), {"shape": [3, 2]}),
            ((2, 3), {"shape": [-1]}),
            ((2, 3, 4), {"shape": [4, -1, 2]}),
            ((6,), {"shape": (1, 6, 1)}),
            ((1,), {"shape": []}),
            ((), {"shape": [1, 1]}),
        ],
        empties=(
            empty((0, 3), shape=[3, 0]),
            empty((0, 3), shape=[2, -1, 3]),
            empty((2, 0), shape=[0]),
        ),
        refusals=(
            refuse(ValueError, (2, 3), "reshape", "[4]", "[2, 3]", shape=[4]),
            refuse(ValueError, (2, 3), "reshape", shape=[4, -1]),
            refuse(ValueError, (2, 3), "reshape", "-1", shape=[-1, -1]),
            refuse(ValueError, (2, 3), "reshape", "-2", shape=[-2, -3]),
            refuse(ValueError, (0, 3), "reshape", shape=[0, -1]),
        ),
    ),
    "squeeze": layout(
        squeeze,
        [
            ((2, 1, 3), {}),
            ((1, 2, 1), {}),
            ((2, 1, 3), {"axis": 1}),
            ((2, 1, 3), {"axis": [-2]}),
            ((1, 2, 1), {"axis": [0, 2]}),
            ((1, 2, 1), {"axis": [2]}),
            ((2, 3), {"axis": 0}),
            ((1, 1), {}),
            ((), {}),
        ],
        empties=(empty((0, 1)), empty((1, 0), axis=0)),
        refusals=(
            refuse(ValueError, (2, 1), "squeeze", "axis", "2", axis=2),
            refuse(ValueError, (2, 1), "squeeze", "axis", axis=[1, -1]),
        ),
    ),
    "unsqueeze": layout(
        unsqueeze,
        [
            ((2, 3), {"axis": 0}),
            ((2, 3), {"axis": -1}),
            ((2, 3), {"axis": [1]}),
            ((2, 3), {"axis": [0, 3]}),
            ((2, 3), {"axis": [-1, 0]}),
            ((2,), {"axis": [0, 1, 2]}),
            ((2, 3), {}),
            ((), {"axis": 0}),
        ],
        empties=(empty((0, 2), axis=1),),
        refusals=(
            refuse(ValueError, (2, 3), "unsqueeze", "axis", "3", axis=3),
            refuse(ValueError, (2, 3), "unsqueeze", "axis", "-4", axis=-4),
            refuse(ValueError, (2, 3), "unsqueeze", "axis", axis=[1, 1]),
        ),
    ),
    "transpose": layout(
        lambda x, perm: x.transpose(perm),
        [
            ((2, 3), {"perm": [1, 0]}),
            ((2, 3, 4), {"perm": [2, 0, 1]}),
            ((2, 3, 4), {"perm": [1, 2, 0]}),
            ((2, 3, 4), {"perm": [0, -1, 1]}),
            ((2, 3), {"perm": [0, 1]}),
            ((4,), {"perm": [0]}),
            ((), {"perm": []}),
        ],
        empties=(empty((0, 2), perm=[1, 0]),),
        refusals=(
            refuse(ValueError, (2, 3), "transpose", "perm", perm=[0, 0]),
            refuse(ValueError, (2, 3), "transpose", "perm", perm=[0]),
            refuse(ValueError, (2, 3), "transpose", "perm", perm=[0, 2]),
        ),
    ),
    "expand": layout(
        expand,
        [
            ((2, 1), {"shape": [2, 3]}),
            ((3,), {"shape": [2, 3]}),
            ((2, 1, 3), {"shape": [4, -1, 2, -1]}),
            ((), {"shape": [2, 2]}),
            ((2, 3), {"shape": [-1, 3]}),
            ((1,), {"shape": [1]}),
            ((), {"shape": []}),
        ],
        empties=(empty((1, 2), shape=[0, 2]), empty((0, 1), shape=[0, 3])),
        refusals=(
            refuse(ValueError, (2, 3), "expand", "[2, 3]", "[4, 3]", shape=[4, 3]),
            refuse(ValueError, (2, 3), "expand", shape=[3]),
            refuse(ValueError, (3,), "expand", shape=[-1, 3]),
            refuse(ValueError, (1, 3), "expand", "-2", shape=[-2, 3]),
        ),
    ),
    "slice": layout(
        lambda x, index: x[index],
        [
            ((4, 3), {"index": 1}),
            ((4, 3), {"index": (slice(1, 3),)}),
            ((4, 3), {"index": (slice(None, None, 2), -1)}),
            ((4, 3), {"index": (..., slice(0, 2))}),
            ((4, 3), {"index": (None, 2, None)}),
            ((4, 3), {"index": (slice(-3, 100), slice(-100, -1))}),
            ((4, 3), {"index": (3, 2)}),
            ((), {"index": ()}),
            ((), {"index": None}),
        ],
        empties=(empty((4, 3), index=slice(3, 1)), empty((0, 3), index=(slice(None), 1))),
        refusals=(
            refuse(IndexError, (4, 3), "4", index=4),
            refuse(IndexError, (4, 3), "-5", index=-5),
            refuse(IndexError, (4, 3), index=(0, 0, 0)),
            refuse(IndexError, (4, 3), index=(..., ...)),
            refuse(ValueError, (4, 3), "step", index=slice(None, None, -1)),
            refuse(ValueError, (4, 3), "step", index=slice(None, None, 0)),
        ),
    ),
    "set_item": Oracle(
        set_item,
        (
            Sample((grid(4, 3), grid(3, seed=1)), {"index": 1}),
            Sample((grid(4, 3), grid(2, 3, seed=1)), {"index": slice(1, 3)}),
            Sample((grid(4, 3), grid(2, 1, seed=1)), {"index": (slice(None, None, 2), ...)}),
            Sample((grid(4, 3), grid(seed=1)), {"index": (3, 2)}),
            Sample((grid(4, 3), 1.5), {"index": (..., 1)}),
            Sample((grid(4, 3), grid(4, 3, seed=1)), {"index": ()}),
            Sample((grid(4), grid(1, 4, seed=1)), {"index": None}),
        ),
        differentiable=(0, 1),
        varied=(0, 1),
        ulps=0,
        empties=(Sample((np.zeros((0, 3)), 1.0), {"index": slice(None)}),),
        refusals=(
            Refusal(IndexError, (np.ones(3), 1.0), {"index": 3}, ("set_item", "3")),
            Refusal(ValueError, (np.ones(3), np.ones(2)), {"index": slice(None)}, ("set_item",)),
            Refusal(TypeError, (np.array([1, 2]), 1.5), {"index": 0}, ("set_item", "int64")),
        ),
    ),
    "split": layout(
        split,
        [
            ((4, 3), {"num_or_sections": 2}),
            ((4, 3), {"num_or_sections": [1, 3]}),
            ((4, 3), {"num_or_sections": [1, -1, 1], "axis": 0}),
            ((4, 3), {"num_or_sections": 3, "axis": -1}),
            ((2, 3, 2), {"num_or_sections": [2, 0, 1], "axis": 1}),
            ((2,), {"num_or_sections": 1}),
        ],
        empties=(empty((0, 2), num_or_sections=2), empty((0, 2), num_or_sections=2, axis=1)),
        refusals=(
            refuse(ValueError, (4, 3), "split", num_or_sections=3),
            refuse(ValueError, (4, 3), "split", num_or_sections=[1, 2]),
            refuse(ValueError, (4, 3), "split", num_or_sections=[-1, -1]),
            refuse(ValueError, (4, 3), "split", num_or_sections=0),
            refuse(ValueError, (4, 3), "split", "axis", num_or_sections=2, axis=2),
        ),
    ),
    "concat": Oracle(
        lambda xs, axis=0: np.concatenate(xs, axis),
        (
            Sample(([grid(2, 3), grid(1, 3, seed=1)],)),
            Sample(([grid(2, 3), grid(2, 1, seed=1), grid(2, 2, seed=2)],), {"axis": -1}),
            Sample(([grid(4)],)),
            Sample(([grid(2, 2, 2), grid(2, 67, 2, seed=1)],), {"axis": 1}),
            Sample(([grid(2), np.zeros(0), grid(3, seed=1)],)),
        ),
        result=promoted,
        ulps=0,
        empties=(Sample(([np.zeros((0, 2)), np.zeros((0, 2))],), {"axis": 1}),),
        refusals=(
            Refusal(ValueError, ([np.ones((2, 3)), np.ones((2, 2))],), {}, ("concat", "[2, 2]")),
            Refusal(ValueError, ([np.ones((2, 3)), np.ones(3)],), {}, ("concat",)),
            Refusal(ValueError, ([],), {}, ("concat",)),
            Refusal(ValueError, ([np.ones(()), np.ones(())],), {}, ("concat",)),
            Refusal(ValueError, ([np.ones((2, 3))],), {"axis": 2}, ("concat", "axis")),
        ),
    ),
}
