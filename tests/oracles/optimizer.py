"""Oracles of ops/optimizer.yaml: the new values of the targets, in their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.base import FLOATS, Array, Oracle, Refusal, Sample, grid


def sgd(
    param: Array,
    learning_rate: Any,
    grad: Array,
    master_param: Any = None,
    multi_precision: bool = False,
) -> Array:
    assert master_param is None
    assert not multi_precision
    return np.asarray(param - learning_rate * grad)


def momentum(
    param: Array,
    grad: Array,
    velocity: Array,
    learning_rate: Any,
    master_param: Any = None,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
    multi_precision: bool = False,
    rescale_grad: float = 1.0,
) -> tuple[Array, Array]:
    assert master_param is None
    assert not multi_precision
    scaled = grad * rescale_grad
    if regularization_method == "l2_decay":
        scaled = scaled + regularization_coeff * param
    speed = mu * velocity + scaled
    step = scaled + mu * speed if use_nesterov else speed
    return param - learning_rate * step, speed


def state(*shape: int) -> tuple[Array, Array, Array]:
    return grid(*shape), grid(*shape, seed=1), grid(*shape, seed=2)


RATE = np.array(0.25)
MOMENTUM_ATTRS: tuple[dict[str, Any], ...] = (
    {"mu": 0.5},
    {"mu": 0.75, "use_nesterov": True},
    {"mu": 0.5, "regularization_method": "l2_decay", "regularization_coeff": 0.125},
    {"mu": 0.5, "rescale_grad": 0.5},
)

ORACLES = {
    "sgd_": Oracle(
        sgd,
        tuple(
            Sample((grid(*shape), rate, grid(*shape, seed=1)))
            for shape in ((2, 3), (), (67,))
            for rate in (0.25, RATE)
        ),
        dtypes=FLOATS,
        differentiable=(),
        varied=(0, 2),
        magnitude=lambda param, rate, grad: abs(param) + abs(rate * grad),
        empties=(Sample((np.zeros((0, 2)), 0.5, np.zeros((0, 2)))),),
        refusals=(
            Refusal(ValueError, (np.ones(2), 0.5, np.ones(3)), {}, ("sgd_", "[2]", "[3]")),
            Refusal(TypeError, (np.array([1]), 0.5, np.ones(1)), {}, ("sgd_", "int64")),
            Refusal(ValueError, (np.ones(2), np.ones(2), np.ones(2)), {}, ("learning_rate",)),
        ),
    ),
    "momentum_": Oracle(
        momentum,
        tuple(
            Sample((*state(*shape), 0.25), attrs)
            for shape in ((2, 3), (), (67,))
            for attrs in MOMENTUM_ATTRS
        ),
        dtypes=FLOATS,
        differentiable=(),
        varied=(0, 1, 2),
        ulps=8,
        magnitude=lambda p, g, v, rate, **attrs: tuple(
            abs(m) for m in momentum(abs(p), -abs(g), -abs(v), rate, **attrs)
        ),
        empties=(Sample((np.zeros(0), np.zeros(0), np.zeros(0), 0.5), {"mu": 0.5}),),
        refusals=(
            Refusal(
                ValueError,
                (np.ones(2), np.ones(2), np.ones(3), 0.5),
                {"mu": 0.5},
                ("momentum_", "[2]", "[3]"),
            ),
            Refusal(
                ValueError,
                (np.ones(2), np.ones(2), np.ones(2), 0.5),
                {"mu": 0.5, "regularization_method": "l1"},
                ("regularization_method", "l1"),
            ),
        ),
    ),
}
