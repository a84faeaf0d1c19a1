"""Program mode's cases (1) to (10): straight lines of ops, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import Case, Cases, appended_ops, check_case, check_differences
from tests.python.support import array, check, constant, leaf

CASES = Cases()


@CASES.add(1, at=([1.0, 2.0, 3.0],), values=(2.0,), grads=([2, 0, 0],), plain=lambda x: 2 * x[0])
def a_part_of_a_split(x: Any) -> Any:
    return 2 * ol.split(x, [1, 1, 1])[0].sum()


@CASES.add(2, at=(3.0,), values=(9.0, 6.0), grads=(6.0,), plain=lambda x: (x - 2 * x) ** 2)
def a_gradient_in_a_formula(x: Any) -> Any:
    (g,) = ol.grad(x * x, [x], create_graph=True)
    return ol.square(x - g), g


@CASES.add(2, at=(1.0,), values=(5.0,), grads=(12.0,), plain=lambda x: (2 * x) ** 2 + (x * x) ** 2)
def the_square_of_a_gradient(x: Any) -> Any:
    y = x * x
    g: Any = ol.grad(y, [x], create_graph=True)[0]
    return g * g + y * y


@CASES.add(5, at=(3.0,), grads=(3.0,))
def a_target_and_its_ancestor_as_sum(x: Any) -> Any:
    y = 2 * x
    return y + y * 0.5


@CASES.add(6, at=(3.0, 4.0), values=(9.0,), grads=(6.0, None), plain=lambda x, y: x * x)
def an_unrelated_input(x: Any, y: Any) -> Any:
    return x * x


@CASES.add(7, at=(3.0,), values=(3.0,), grads=(1.0,))
def an_input_returned(x: Any) -> Any:
    return x


@CASES.in_forms()
def test_case(case: Case, form: str) -> None:
    check_case(case, form)


@CASES.with_plain()
def test_differences(case: Case) -> None:
    check_differences(case)


# --- Several targets, seeds and calls: what grad itself is given.


def in_both_modes(function: Any, *data: Any) -> list[list[Any]]:
    """Arrays that a function of leaves or inputs gives: eagerly, and of a run."""
    eager = function(*(leaf(x) for x in data))
    program = ol.Program()
    feed = {f"x{i}": np.array(x, "float64") for i, x in enumerate(data)}
    with program:
        results = function(
            *(program.input(n, x.shape, "float64", stop_gradient=False) for n, x in feed.items())
        )
    return [[array(x) for x in eager], [array(x) for x in program.run(feed, results)]]


def test_03_a_dummy_seed_is_differentiated() -> None:
    def twice(x: Any, u: Any) -> Any:
        g: Any = ol.grad(x * x, [x], u, create_graph=True)[0]
        return ol.grad(g, [u], ol.ones_like(g))

    for found in in_both_modes(twice, 1.0, 0.0):
        check(found[0], 2.0)


def test_04_a_target_listed_twice_counts_twice() -> None:
    def doubled(x: Any) -> Any:
        y = x * x
        return ol.grad([y, y], [x])

    for found in in_both_modes(doubled, 3.0):
        check(found[0], 12.0)


def test_05_a_target_and_its_ancestor_are_summed() -> None:
    def summed(x: Any) -> Any:
        y = x * x
        z = 5 * y
        return [*ol.grad([y, z], [x], retain_graph=True), *ol.grad([z, y], [x])]

    for found in in_both_modes(summed, 3.0):
        check(found[0], 36.0)
        check(found[1], 36.0)


def test_05_an_input_that_is_a_target_keeps_its_seed() -> None:
    def summed(x: Any) -> Any:
        y = x * x
        return ol.grad([y, x], [x, y])

    for found in in_both_modes(summed, 3.0):
        check(found[0], 7.0)
        check(found[1], 1.0)


def test_06_none_only_without_dependence() -> None:
    def mixed(x: Any, y: Any) -> Any:
        by_x, by_unused, by_zero = ol.grad(x * x + 0 * y, [x, x * y, y])
        assert by_unused is None
        return [by_x, by_zero]

    for found in in_both_modes(mixed, 3.0, 4.0):
        check(found[0], 6.0)
        check(found[1], 0.0)


def test_08_two_calls_do_not_disturb_each_other() -> None:
    def twice(x: Any, y: Any) -> Any:
        z = x * x * y
        first = ol.grad(z, [x, y], retain_graph=True)
        second = ol.grad(z, [x], retain_graph=True)
        third = ol.grad(z + x, [x, y])
        return [*first, *second, *third]

    for found in in_both_modes(twice, 3.0, 2.0):
        np.testing.assert_allclose(found, [12, 9, 12, 13, 9])


# --- What is appended: counted in the program's text.


def test_09_partial_gradients_meet_in_one_sum() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64", stop_gradient=False)
        loss = (ol.tanh(x) + ol.tanh(x)).mean()
    added = appended_ops(program, lambda: ol.grad(loss, [x]))
    assert added.count("tanh_grad") == 2
    assert sum(op.startswith("add") for op in added) == 1


def test_09_a_given_seed_is_used_as_it_is() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64", stop_gradient=False)
        seed = program.input("seed", [4], "float64")
        y = ol.tanh(x)
    assert appended_ops(program, lambda: ol.grad(y, [x], seed)) == ["tanh_grad"]
    with program:
        (dx,) = ol.grad(y, [x], seed)
    a, s = np.array([0.1, -0.5, 0.0, 2.0]), np.array([1.0, 2.0, 3.0, 4.0])
    check(program.run({"x": a, "seed": s}, dx)[0], s * (1 - np.tanh(a) ** 2))


def test_09_a_no_grad_set_leaves_nothing_to_append() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64", stop_gradient=False)
        loss = (ol.tanh(x) + ol.tanh(x)).mean()
    assert appended_ops(program, lambda: ol.append_backward(loss, [x], no_grad_set=[x])) == []
    with program:
        assert ol.grad(loss, [x], no_grad_vars=[x]) == [None]


@pytest.mark.parametrize("cut", ["x", "y"])
def test_09_no_grad_vars_cut_a_path_in_both_modes(cut: str) -> None:
    def through(x: Any, y: Any) -> Any:
        t = x * y
        return ol.grad(t * x, [x, y], no_grad_vars=[t] if cut == "x" else [y])[:1]

    for found in in_both_modes(through, 3.0, 5.0):
        check(found[0], 15.0 if cut == "x" else 30.0)


def test_10_a_gradient_ends_where_the_flag_was_cleared() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64")
        y = ol.relu(x)
        y.stop_gradient = False
        loss = ol.relu(y).mean()
    added = appended_ops(program, lambda: ol.append_backward(loss, [y]))
    assert added.count("relu_grad") == 1

    stopped = constant([-1.0, 2.0, 3.0, -4.0])
    start = ol.relu(stopped)
    start.stop_gradient = False
    (dy,) = ol.grad(ol.relu(start).mean(), [start])
    with program:
        (recorded,) = ol.grad(loss, [y])
    check(program.run({"x": array(stopped)}, recorded)[0], array(dy))
    check(dy, [0, 0.25, 0.25, 0])
