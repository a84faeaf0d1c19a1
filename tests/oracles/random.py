"""Oracles of ops/random.yaml: laws instead of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.oracles.base import Oracle, Refusal

DRAWS = 40_000


def values(x: Any) -> Any:
    return np.array(x.numpy())


def uniform(low: float, high: float) -> Callable[[Any], None]:
    def law(drawn: Any) -> None:
        assert drawn.min() >= low
        assert drawn.max() < high
        width = high - low
        # The bounds are seven standard errors: the seed is fixed, and another one may be taken.
        assert abs(drawn.mean() - (low + high) / 2) < 7 * width / np.sqrt(12 * DRAWS)
        shares = np.histogram(drawn, 16, (low, high))[0] / DRAWS
        assert np.abs(shares - 1 / 16).max() < 7 * np.sqrt(1 / 16 / DRAWS)

    return law


def normal(mean: float, std: float) -> Callable[[Any], None]:
    def law(drawn: Any) -> None:
        z = (drawn - mean) / std
        assert abs(z.mean()) < 7 / np.sqrt(DRAWS)
        assert abs((z**2).mean() - 1) < 7 * np.sqrt(2 / DRAWS)
        assert abs((z**3).mean()) < 7 * np.sqrt(15 / DRAWS)
        assert abs((z**4).mean() - 3) < 7 * np.sqrt(96 / DRAWS)
        assert np.abs(z).max() < 6.5

    return law


def drawn(make: Callable[[], Any], law: Callable[[Any], None], dtype: str) -> Callable[[], None]:
    """The law holds; a seed repeats its draws; the next call and another seed give others."""

    def check() -> None:
        ol.seed(7)
        first, second = values(make()), values(make())
        assert first.dtype == dtype
        law(first.ravel())
        law(second.ravel())
        # No two calls, and no shifted rows of one call, go together.
        for one, other in (
            (first.ravel(), second.ravel()),
            (first.ravel()[1:], first.ravel()[:-1]),
        ):
            assert abs(np.corrcoef(one, other)[0, 1]) < 7 / np.sqrt(DRAWS)
        ol.seed(7)
        np.testing.assert_array_equal(values(make()), first)
        np.testing.assert_array_equal(values(make()), second)
        ol.seed(8)
        assert not np.array_equal(values(make()), first)

    return check


def target(dtype: str = "float32") -> Any:
    return ol.to_tensor(np.zeros(DRAWS, dtype), dtype=dtype)


def seed_attribute(op: str) -> Callable[[], None]:
    def check() -> None:
        first, again, other, free = target(), target(), target(), target()
        getattr(first, op)(seed=5)
        getattr(again, op)(seed=5)
        getattr(other, op)(seed=6)
        getattr(free, op)()
        np.testing.assert_array_equal(values(first), values(again))
        assert not np.array_equal(values(first), values(other))
        assert not np.array_equal(values(first), values(free))

    return check


def diagonal() -> None:
    """diag_num elements, diag_step + 1 apart, are set to diag_val."""
    x = target()
    x.uniform_(min=0.0, max=1.0, diag_num=3, diag_step=4, diag_val=9.0)
    marked = np.flatnonzero(values(x) == 9.0)
    np.testing.assert_array_equal(marked, [0, 5, 10])


def layout_does_not_change_the_draws() -> None:
    ol.seed(3)
    dense = ol.to_tensor(np.zeros((4, 6), "float32"))
    dense.normal_()
    ol.seed(3)
    turned = ol.to_tensor(np.zeros((6, 4), "float32")).transpose([1, 0])
    turned.normal_()
    np.testing.assert_array_equal(values(dense), values(turned))


def empty_and_zero_dimensional() -> None:
    assert ol.rand([0, 3]).shape == (0, 3)
    assert ol.randn([]).shape == ()
    ol.to_tensor(np.zeros((0, 2), "float32")).uniform_()


def reject_integers(op: str) -> Callable[[], None]:
    def check() -> None:
        with pytest.raises(TypeError, match="int64"):
            getattr(ol.to_tensor(np.zeros(3, "int64")), op)()

    return check


def law(*checks: Callable[[], None], refusals: tuple[Refusal, ...] = ()) -> Oracle:
    return Oracle(lambda: None, (), differentiable=(), varied=(), checks=checks, refusals=refusals)


NO_INTEGERS = (Refusal(TypeError, (), {"shape": [2], "dtype": "int64"}, ("int64",)),)

ORACLES = {
    "rand": law(
        drawn(lambda: ol.rand([200, 200]), uniform(0, 1), "float32"),
        drawn(lambda: ol.rand([DRAWS], dtype="float64"), uniform(0, 1), "float64"),
        empty_and_zero_dimensional,
        refusals=NO_INTEGERS,
    ),
    "randn": law(
        drawn(lambda: ol.randn([200, 200]), normal(0, 1), "float32"),
        drawn(lambda: ol.randn([DRAWS], dtype="float64"), normal(0, 1), "float64"),
        refusals=NO_INTEGERS,
    ),
    "uniform_": law(
        drawn(lambda: target().uniform_(), uniform(-1, 1), "float32"),
        drawn(lambda: target("float64").uniform_(min=2.0, max=5.0), uniform(2, 5), "float64"),
        seed_attribute("uniform_"),
        diagonal,
        reject_integers("uniform_"),
        refusals=(Refusal(ValueError, (np.zeros(2),), {"min": 2.0, "max": 1.0}, ("uniform_",)),),
    ),
    "normal_": law(
        drawn(lambda: target().normal_(), normal(0, 1), "float32"),
        drawn(lambda: target("float64").normal_(mean=-3.0, std=0.5), normal(-3, 0.5), "float64"),
        seed_attribute("normal_"),
        layout_does_not_change_the_draws,
        reject_integers("normal_"),
        refusals=(Refusal(ValueError, (np.zeros(2),), {"std": -1.0}, ("normal_", "std")),),
    ),
}
