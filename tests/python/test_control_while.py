"""while_loop in both modes: values cross its borders by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import both, in_mode, zero
from tests.python.support import check


@both
def test_a_loop_answers_a_list(mode: str) -> None:
    def function(x: Any) -> Any:
        one = ol.while_loop(lambda y: y.sum() < 10, lambda y: y * 2, [x])
        assert isinstance(one, list)
        counted = ol.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, y * 3], (0, x))
        nothing = ol.while_loop(lambda y: y.sum() < 0, lambda y: y * 2, [x])
        return [*one, *counted, *nothing]

    found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [4.0, 8.0])
    assert found[1] == 2
    check(found[2], [9.0, 18.0])
    check(found[3], [1.0, 2.0])


@both
def test_writes_into_loop_variables_never_reach_the_start(mode: str) -> None:
    def function(x: Any) -> Any:
        t = x * 1

        def body(i: Any, y: Any, z: Any) -> Any:
            y.multiply_(2)
            z[0] = 0.0
            return i + 1, y, z

        start = [zero(), t, t]
        _, y, z = ol.while_loop(lambda i, y, z: i < 3, body, start)
        for w in (y, z):
            w.add_(1)
        zero_trips = ol.while_loop(lambda i, y: i < 0, lambda i, y: (i, y), [zero(), t])[1]
        zero_trips.fill_(77.0)
        return [t, y, z, *ol.grad((y + z).sum(), [x]), start[1]]

    found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [1.0, 2.0])
    check(found[1], [9.0, 17.0])
    check(found[2], [1.0, 3.0])
    check(found[3], [8.0, 9.0])
    check(found[4], [1.0, 2.0])


@both
def test_variables_of_a_trip_share_nothing(mode: str) -> None:
    def function(x: Any) -> Any:
        def body(i: Any, y: Any, z: Any) -> Any:
            y.add_(1)
            return i + 1, y, y  # two variables from one value

        _, y, z = ol.while_loop(lambda i, y, z: i < 3, body, [zero(), x * 1, x * 1])
        y.add_(100)
        return [y, z]

    found = in_mode(mode, function, [1.0])
    check(found[0], [104.0])
    check(found[1], [4.0])


@both
def test_a_leaf_as_start_can_be_written_in_the_loop(mode: str) -> None:
    def function(x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            y.multiply_(x)
            return i + 1, y

        y = ol.while_loop(lambda i, y: i < 2, body, [zero(), x])[1]
        return [x, y]

    found = in_mode(mode, function, [2.0, 3.0])
    check(found[0], [2.0, 3.0])
    check(found[1], [8.0, 27.0])


@both
def test_writes_into_captured_values_of_a_loop_do_reach_them(mode: str) -> None:
    def function(x: Any) -> Any:
        t = x * 1
        view = t[1:]

        def body(i: Any) -> Any:
            view.multiply_(2)
            t.add_(1)
            return i + 1

        ol.while_loop(lambda i: i < 2, body, [zero()])
        return [t, view, *ol.grad(t.sum(), [x])]

    found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [3.0, 11.0])
    check(found[1], [11.0])
    check(found[2], [1.0, 4.0])


@both
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (lambda i, y: i + 1, ValueError),
        (lambda i, y: (i + 1, y, y), ValueError),
        (lambda i, y: (i + 1, y.cast("float32")), TypeError),
        (lambda i, y: (i + 1, y.sum()), (TypeError, ValueError)),
        (lambda i, y: (i * 1.5, y), TypeError),
        (lambda i, y: (i + 1, ol.TensorArray()), (TypeError, ValueError)),
        (lambda i: i, TypeError),
    ],
)
def test_a_body_gives_back_what_it_got(mode: str, body: Any, kind: Any) -> None:
    def function(x: Any) -> Any:
        with pytest.raises(kind):
            ol.while_loop(lambda i, y: i < 3, body, [zero(), x])
        return [x]

    in_mode(mode, function, [1.0, 2.0])


@both
@pytest.mark.parametrize(
    ("variables", "kind"),
    [([], ValueError), ("ab", TypeError), (None, TypeError), (3, TypeError), ([None], TypeError)],
)
def test_loop_variables_are_a_list(mode: str, variables: Any, kind: Any) -> None:
    def function(x: Any) -> Any:
        with pytest.raises(kind, match="loop_vars"):
            ol.while_loop(lambda *v: x.sum() < 0, lambda *v: v, variables)
        return [x]

    in_mode(mode, function, [1.0])


@both
def test_lengths_may_differ_from_trip_to_trip(mode: str) -> None:
    def function(x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            return i + 1, ol.concat([y, x])

        y = ol.while_loop(lambda i, y: i < 3, body, [zero(), x])[1]
        return [y]

    check(in_mode(mode, function, [1.0, 2.0])[0], [1.0, 2.0] * 4)


def test_the_type_of_a_loop_variable_is_the_join() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        y = ol.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, ol.concat([y, x])), [zero(), x])[
            1
        ]
    assert y.shape == (-1,)
    assert y.dtype == ol.float64
    check(program.run({"x": [1.0, 2.0]}, y)[0], [1.0, 2.0] * 4)


def test_a_condition_of_a_program_writes_into_nothing() -> None:
    program = ol.Program()
    with program:
        t = program.input("x", [2], "float64") * 1

        def condition(i: Any) -> Any:
            t.add_(1)
            return i < 3

        with pytest.raises(ValueError, match="writes into no value from outside"):
            ol.while_loop(condition, lambda i: i + 1, [zero()])


def test_a_loop_variable_that_grows_from_one_row() -> None:
    """A length of 1 is the one that a sum with an unknown length may enlarge."""

    def taken_over(b: Any) -> Any:
        def body(i: Any, v: Any) -> Any:
            return i + 1, ol.cond(v.sum() > 1.0, lambda: ol.concat([v, b]), lambda: b)

        return ol.while_loop(lambda i, v: i < 3, body, [zero(), b])[1]

    for value, rows in ((2.0, 4), (0.25, 1)):
        program = ol.Program()
        with program:
            x = program.input("x", [1], "float64", stop_gradient=False)
            y = taken_over(x)
            g: Any = ol.grad((y * y).sum(), [x])[0]
        found = program.run({"x": [value]}, [y, g])
        check(found[0], [value] * rows)
        check(found[1], [2 * value * rows])


@pytest.mark.parametrize("length", [1, 2])
def test_a_loop_variable_of_unknown_length_that_takes_over_a_known_one(length: int) -> None:
    program = ol.Program()
    with program:
        a = program.input("a", [-1], "float64", stop_gradient=False)
        b = program.input("b", [length], "float64", stop_gradient=False)
        y = ol.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, b), [zero(), a])[1]
        ga, gb = ol.grad((y * y).sum(), [a, b])
    data = np.arange(length) + 1.0
    found = program.run({"a": np.ones(3), "b": data}, [ga, gb])
    check(found[0], np.zeros(3))
    check(found[1], 2 * data)


@both
@pytest.mark.parametrize("write_through", ["base", "detached"])
def test_a_detached_view_of_what_a_branch_in_a_loop_writes(mode: str, write_through: str) -> None:
    """Both are up to date behind the loop, though the branch read one of them in between."""

    def function(x: Any) -> list[Any]:
        b = x * 1
        v = b.detach()

        def branch() -> Any:
            (b if write_through == "base" else v).multiply_(2.0)
            s = v.sum()
            b.multiply_(3.0)
            return s

        def body(i: Any) -> Any:
            ol.cond(b.sum() > 0, branch, lambda: b.sum())
            return i + 1

        ol.while_loop(lambda i: i < 2, body, [zero()])
        return [b, v]

    with ol.no_grad():
        found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [36.0, 72.0])
    check(found[1], [36.0, 72.0])
