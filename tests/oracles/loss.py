"""Oracles of ops/loss.yaml."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import FLOATS, Array, Oracle, Refusal, Sample, grid


def cross_entropy(
    x: Array, label: Array, axis: int = -1, ignore_index: int = -100, reduction: str = "mean"
) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        top = x.max(axis, keepdims=True)
        logarithms = x - top - np.log(np.exp(x - top).sum(axis, keepdims=True))
        counts = label != ignore_index
        chosen = np.expand_dims(np.where(counts, label, 0), axis)
        losses = -np.take_along_axis(logarithms, chosen, axis).squeeze(axis)
        losses = np.where(counts, losses, 0.0)
        if reduction == "none":
            return losses
        total = np.asarray(losses.sum())
        return total if reduction == "sum" else np.asarray(total / counts.sum())


def labels(*values: Any) -> Array:
    return np.array(values, "int64")


TWO = grid(2, 3), labels(2, 0)
ORACLES = {
    "cross_entropy": Oracle(
        cross_entropy,
        (
            *(Sample(TWO, {"reduction": r}) for r in ("mean", "sum", "none")),
            Sample(TWO),
            Sample((grid(4, 3), labels(2, -100, 0, 1))),
            Sample((grid(4, 3), labels(2, 1, 0, 1)), {"ignore_index": 1, "reduction": "none"}),
            Sample((grid(3, 2), labels(2, 0)), {"axis": 0}),
            Sample((grid(2, 3, 2), labels([2, 0], [1, 1])), {"axis": 1, "reduction": "none"}),
            Sample((grid(3), np.array(1))),
            Sample((grid(2, 3), labels(2, 0).astype("int32"))),
            Sample((np.array([[1000.0, 0.0], [-1000.0, 0.0]]), labels(1, 0))),
            Sample((grid(5, 67), labels(2, 66, 0, 30, 31))),
        ),
        dtypes=FLOATS,
        ulps=16,
        magnitude=lambda x, label, **attrs: 1 + np.abs(cross_entropy(x, label, **attrs)),
        empties=(
            Sample((np.zeros((0, 3)), labels()), {"reduction": "sum"}),
            Sample((np.zeros((0, 3)), labels()), {"reduction": "none"}),
            Sample((np.zeros((0, 3)), labels())),
            Sample((grid(2, 3), labels(-100, -100))),
        ),
        refusals=(
            Refusal(IndexError, (grid(2, 3), labels(0, 3)), {}, ("cross_entropy", "3")),
            Refusal(IndexError, (grid(2, 3), labels(0, -1)), {}, ("cross_entropy", "-1")),
            Refusal(ValueError, (grid(2, 3), labels(0, 1, 2)), {}, ("cross_entropy", "[3]")),
            Refusal(TypeError, (grid(2, 3), np.array([0.0, 1.0])), {}, ("label", "float64")),
            Refusal(ValueError, TWO, {"reduction": "median"}, ("reduction", "median")),
        ),
    ),
}
