"""Program mode's cases (19) to (35): loops, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np

import oploom as ol
from tests.python.program_support import Case, Cases, check_case, check_differences, recorded
from tests.python.support import check

CASES = Cases()


def trips(count: int, body: Any, start: list[Any]) -> list[Any]:
    """The loop variables after so many trips."""
    first = ol.full([], 0, dtype="int64")

    def step(i: Any, *values: Any) -> Any:
        found = body(*values)
        return i + 1, *(found if isinstance(found, tuple) else (found,))

    return ol.while_loop(lambda i, *values: i < count, step, [first, *start])[1:]


# The plain functions count their trips: at the points given the conditions are on an edge.


def _19(i: float, j: float) -> float:
    x = i
    for _ in range(5):
        x = x + j
    return x - j


@CASES.add(19, at=(0.0, 2.0), values=(8.0,), grads=(1.0, 4.0), plain=_19)
def adds_until_ten(i: Any, j: Any) -> Any:
    (x,) = ol.while_loop(lambda x: x < 10, lambda x: x + j, [i])
    return x - j


def _20(i: float, x: float, y: float) -> float:
    return (i + y) - (x + x)


@CASES.add(20, at=(0.0, 5.0, 10.0), values=(0.0,), grads=(1.0, -2.0, 1.0), plain=_20)
def start_and_capture_share_a_value(i: Any, x: Any, y: Any) -> Any:
    p, q = ol.while_loop(lambda p, q: p < q, lambda p, q: (p + y, q + x), [i, x])
    return p - q


def _21(i: float, x: float) -> float:
    for _ in range(2):
        x = x * i
        i = i + 1
    return x


@CASES.add(21, at=(1.0, 1.0), values=(2.0,), grads=(3.0, 2.0), plain=_21)
def multiplies_by_a_float_counter(i: Any, x: Any) -> Any:
    return ol.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * i), [i, x])[1]


def _22(i: float, x: float) -> float:
    for _ in range(10):
        x = i * i
        i = i + 1
    return x


@CASES.add(22, at=(1.0, 7.0), values=(100.0,), grads=(20.0, 0.0), plain=_22)
def the_square_of_the_counter(i: Any, x: Any) -> Any:
    return ol.while_loop(lambda i, x: i < 11, lambda i, x: (i + 1, i * i), [i, x])[1]


@CASES.add(22, at=(1.0, 7.0), values=(100.0,), grads=(20.0, 0.0), plain=_22, eager_may_refuse=True)
def the_square_of_the_counter_in_place(i: Any, x: Any) -> Any:
    def body(i: Any, x: Any) -> Any:
        x = i * i
        i.add_(1)
        return i, x

    return ol.while_loop(lambda i, x: i < 11, body, [i * 1, x])[1]


@CASES.add(23, at=(0.0, 1.0), grads=(3.0, 1.0), plain=lambda i, x: x + i + (i + 1) + (i + 2))
def adds_a_float_counter(i: Any, x: Any) -> Any:
    return ol.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + i), [i, x])[1]


@CASES.add(23, at=(1.0, 1.0), values=(4.0,), grads=(2.0, 1.0), plain=lambda i, x: x + 2 * i + 1)
def adds_a_float_counter_twice(i: Any, x: Any) -> Any:
    return ol.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + i), [i, x])[1]


@CASES.add(24, at=(5.0, 3.0), values=(5.0,), grads=(1.0, 0.0), plain=lambda x, y: x)
def no_trip(x: Any, y: Any) -> Any:
    return ol.while_loop(lambda x: x < 0, lambda x: x * y, [x])[0]


@CASES.add(25, at=(2.0,), values=(8.0,), grads=(12.0,), plain=lambda w: w**3)
def a_stopped_start(w: Any) -> Any:
    return trips(3, lambda s: s * w, [ol.ones([], dtype="float64")])[0]


@CASES.add(26, at=(1.5,), values=(48.0,), grads=(32.0,), plain=lambda x: 32 * x)
def five_doublings(x: Any) -> Any:
    return trips(5, lambda x: 2 * x, [x])[0]


@CASES.add(27, at=(2.0, 3.0), values=(21.0,), grads=(3.0, 5.0), plain=lambda a, b: 3 * a + 5 * b)
def fibonacci(a: Any, b: Any) -> Any:
    a, b = trips(3, lambda a, b: (b, a + b), [a, b])
    return a + b


def _27(a: float, b: float) -> float:
    for _ in range(3):
        a, b = b, a * b
    return a + b


@CASES.add(27, at=(2.0, 3.0), values=(126.0,), grads=(117.0, 120.0), plain=_27)
def fibonacci_of_products(a: Any, b: Any) -> Any:
    a, b = trips(3, lambda a, b: (b, a * b), [a, b])
    return a + b


@CASES.add(28, at=(1.5,), values=(7.5,), grads=(5.0,), plain=lambda x: 5 * x)
def two_starts_of_one_value(x: Any) -> Any:
    a, b = trips(1, lambda a, b: (a * 2, b * 3), [x, x])
    return a + b


@CASES.add(29, at=(1.5,), values=(18.0,), grads=(12.0,), plain=lambda y: 12 * y)
def a_capture_used_inside_and_after(y: Any) -> Any:
    (s,) = trips(2, lambda s: s + y, [ol.zeros([], dtype="float64")])
    return s + 3 * y + 7 * y


def _30(x: float, y: float) -> float:
    while x < 10:
        x = x * y
    return x


@CASES.add(30, at=(1.0, 2.1), values=(2.1**4,), grads=(19.4481, 37.044), plain=_30)
def trips_that_hang_on_the_data(x: Any, y: Any) -> Any:
    return ol.while_loop(lambda x: x < 10, lambda x: x * y, [x])[0]


@CASES.add(
    31, at=(2.0, 1.1), values=(2 * 1.1**6,), grads=(1.771561, 19.32612),
    plain=lambda x, y: x * y**6,
)  # fmt: skip
def nested_loops(x: Any, y: Any) -> Any:
    def outer(i: Any, x: Any) -> Any:
        inner = ol.while_loop(
            lambda j, x: j <= i, lambda j, x: (j + 1, x * y), [ol.zeros([], dtype="int64"), x]
        )
        return i + 1, inner[1]

    return ol.while_loop(lambda i, x: i < 3, outer, [ol.zeros([], dtype="int64"), x])[1]


def _32(x: float, y: float) -> float:
    for _ in range(4):
        x = x * y if x > 2 else x + y
    return x


@CASES.add(32, at=(1.0, 1.5), values=(8.4375,), grads=(3.375, 20.25), plain=_32)
def a_branch_in_a_loop(x: Any, y: Any) -> Any:
    return trips(4, lambda x: ol.cond(x > 2, lambda: x * y, lambda: x + y), [x])[0]


def loop_in_branch(taken: bool) -> Any:
    def function(x: Any) -> Any:
        return ol.cond(
            ol.full([], taken, dtype="bool"),
            lambda: trips(3, lambda s: s * s, [x])[0],
            lambda: 2 * x,
        )

    return function


CASES.add(
    33, at=(1.1,), values=(1.1**8,), grads=(8 * 1.1**7,), plain=lambda x: x**8,
    name="a_loop_in_the_branch_taken",
)(loop_in_branch(True))  # fmt: skip
CASES.add(
    33, at=(1.1,), values=(2.2,), grads=(2.0,), plain=lambda x: 2 * x,
    name="a_loop_in_the_other_branch",
)(loop_in_branch(False))  # fmt: skip


def _34(i: float, w: float) -> float:
    s = 0.0
    for _ in range(4):
        s = s + w * i
        i = i + 1
    return s


@CASES.add(34, at=(1.0, 3.0), values=(30.0,), grads=(12.0, 10.0), plain=_34)
def the_counter_as_data(i: Any, w: Any) -> Any:
    return trips(4, lambda i, s: (i + 1, s + w * i), [i, ol.zeros([], dtype="float64")])[1]


@CASES.add(35, at=(2.0,), values=(16.0,), grads=(32.0,), plain=lambda x: x**4)
def two_squarings(x: Any) -> Any:
    return trips(2, lambda x: x * x, [x])[0]


@CASES.add(35, at=(2.0,), values=(32.0,), grads=(48.0,), plain=lambda x: 4 * x**3)
def the_second_order_of_two_squarings(x: Any) -> Any:
    (g,) = ol.grad(two_squarings(x), [x], create_graph=True)
    return g


@CASES.in_forms()
def test_case(case: Case, form: str) -> None:
    check_case(case, form)


@CASES.with_plain()
def test_differences(case: Case) -> None:
    check_differences(case)


def test_33_is_given_with_five_digits() -> None:
    np.testing.assert_allclose(8 * 1.1**7, 15.58974, atol=1e-5)


def test_30_one_recording_makes_as_many_trips_as_the_data_ask_for() -> None:
    net = recorded(trips_that_hang_on_the_data, 1.0, 2.1)
    for x, y in ((1.0, 2.1), (9.0, 1.01), (11.0, 3.0), (0.25, 1.5)):
        found = net.run(x0=np.array(x), x1=np.array(y))
        count, expected = 0, x
        while expected < 10:
            expected, count = expected * y, count + 1
        check(found.values[0], expected)
        check(found.grads[0], y**count)
        check(found.grads[1], x * count * y ** (count - 1) if count else 0.0)
