"""Program mode's cases (11) to (18): branches, in both modes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import Case, Cases, check_case, check_differences, recorded
from tests.python.support import check

CASES = Cases()


@CASES.add(11, at=(-2.0,), values=(2.0,), grads=(-1.0,), plain=abs, name="below_zero")
@CASES.add(11, at=(3.0,), values=(3.0,), grads=(1.0,), plain=abs, name="above_zero")
def absolute_value(a: Any) -> Any:
    return ol.cond(a >= 0, lambda: a, lambda: -a)


@CASES.add(12, at=(1.0, 2.0), values=(2.0,), grads=(0.0, 1.0), plain=lambda a, b: b)
def a_captured_value_returned(a: Any, b: Any) -> Any:
    return ol.cond(a > b, lambda: a * 1, lambda: b)


def nested(i: int) -> Any:
    def function(a: Any) -> Any:
        at = ol.full([], i, dtype="int64")
        return ol.cond(
            at < 5,
            lambda: ol.cond(at < 3, lambda: a - a, lambda: a + a),
            lambda: ol.cond(at < 8, lambda: a * a, lambda: a / a),
        )

    return function


for i in range(10):
    a = 2.0 * i
    value, slope = (0.0, 0.0) if i < 3 else (2 * a, 2.0) if i < 5 else (a * a, 2 * a)
    if i >= 8:
        value, slope = 1.0, 0.0
    CASES.add(13, at=(a,), values=(value,), grads=(slope,), name=f"nested_{i}")(nested(i))


@CASES.add(14, at=(1.23, 1.24), values=(1.23 * 1.24,), grads=(1.24, 1.23), plain=lambda a, b: a * b)
def branches_that_hold_branches(a: Any, b: Any) -> Any:
    def then() -> Any:
        return ol.cond(a < 2, lambda: a * b, lambda: a - b)

    def otherwise() -> Any:
        return ol.cond(b < 2, lambda: a + b, lambda: b - a)

    return ol.cond(a < b, then, otherwise)


POINT = ([0.1, 0.2, 0.3, 0.4], [1.1, -1.2, 1.3, 1.4], [2.1, 2.2, -2.3, 2.4])


def sums(taken: bool) -> Any:
    def function(x: Any, y: Any, z: Any) -> Any:
        a, b = x + y, y - z
        c = ol.cond(ol.full([], taken, dtype="bool"), lambda: b + z + z, lambda: b + z)
        return (a + y + c).mean()

    return function


# x+y and y-z, then z twice or once: by y 1/N through x+y, 1/N again, 1/N through the branch.
CASES.add(
    15, at=POINT, grads=(0.25, 0.75, 0.25), name="true",
    plain=lambda x, y, z: (x + y + y + (y - z) + z + z).mean(),
)(sums(True))  # fmt: skip
CASES.add(
    15, at=POINT, grads=(0.25, 0.75, 0.0), name="false",
    plain=lambda x, y, z: (x + y + y + (y - z) + z).mean(),
)(sums(False))  # fmt: skip


@CASES.add(17, at=(0.5,), values=(0.786448,), grads=(-0.726862,), name="second_order")
def a_gradient_returned_from_a_branch(x: Any) -> Any:
    return ol.cond(x > 0, lambda: ol.grad(ol.tanh(x), [x], create_graph=True)[0], lambda: x * 1)


@CASES.add(18, at=(1.5,), values=(4.5,), grads=(3.0,), plain=lambda a: 3 * a)
def a_branch_that_returns_two(a: Any) -> Any:
    one, two = ol.cond(a > 0, lambda: (a, 2 * a), lambda: (2 * a, a * 1))
    return one + two


@CASES.add(18, at=(1.5,), values=(3.0,), grads=(2.0,), plain=lambda a: 2 * a)
def a_value_returned_twice(a: Any) -> Any:
    one, two = ol.cond(a > 0, lambda: (a, a), lambda: (2 * a, a * 1))
    return one + two


def test_17_is_the_derivative_of_tanh() -> None:
    t = math.tanh(0.5)
    case = next(c for c in CASES if c.number == 17)
    np.testing.assert_allclose(case.values[0], 1 - t * t, atol=1e-6)
    np.testing.assert_allclose(case.grads[0], -2 * t * (1 - t * t), atol=1e-6)


@CASES.in_forms()
def test_case(case: Case, form: str) -> None:
    if case.number == 17:  # given to six digits
        t = math.tanh(0.5)
        case = Case(17, "", case.function, case.at, (-2 * t * (1 - t * t),), (1 - t * t,))
    check_case(case, form)


@CASES.with_plain()
def test_differences(case: Case) -> None:
    check_differences(case)


@pytest.mark.parametrize(("x", "expected"), [(1.0, 6.0), (-1.0, 8.0)])
@pytest.mark.parametrize("form", ["eager", "program", "functionalize", "all passes"])
def test_16_gradients_asked_for_inside_a_branch(x: float, expected: float, form: str) -> None:
    from tests.python.program_support import FORMS

    def function(x: Any) -> Any:
        y = x * 2

        def times(factor: float) -> Any:
            return lambda: ol.grad(y * factor, [x], create_graph=True)[0]

        inside = ol.cond(x > 0, times(3.0), times(4.0))
        return y, inside

    found = FORMS[form](function, x)
    check(found.values[1], expected)
    check(found.grads[0], 2.0)


def test_11_both_branches_of_one_recording() -> None:
    net = recorded(absolute_value, -2.0)
    for x, slope in ((-2.0, -1.0), (5.0, 1.0), (0.0, 1.0)):
        found = net.run(x0=np.array(x))
        check(found.values[0], abs(x))
        check(found.grads[0], slope)
