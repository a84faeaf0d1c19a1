"""cond in both modes: values cross its borders by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import bits, both, in_mode, tru
from tests.python.support import array, check, leaf

pytestmark = pytest.mark.asan


@both
def test_cond_hands_on_what_the_branch_returns(mode: str) -> None:
    def function(x: Any) -> Any:
        one = ol.cond(tru(), lambda: x * 2, lambda: x)
        pair = ol.cond(tru(False), lambda: (x, x), lambda: (x * 3, x * 4))
        listed = ol.cond(tru(), lambda: [x], lambda: [x])
        mixed = ol.cond(tru(), lambda: (x, 2.0), lambda: (x, 3.0))
        assert isinstance(pair, tuple)
        assert isinstance(listed, list)
        assert ol.cond(tru(), lambda: (), lambda: ()) == ()
        return [one, *pair, *listed, *mixed]

    found = in_mode(mode, function, [1.0, 2.0])
    for a, factor in zip(found, (2, 3, 4, 1, 1), strict=False):
        check(a, np.array([1.0, 2.0]) * factor)
    assert found[5] == 2.0


@both
def test_writes_into_results_never_reach_what_was_captured(mode: str) -> None:
    def function(x: Any) -> Any:
        t = x * 1
        view = t[:1]
        for pred in (True, False):
            a, b = ol.cond(tru(pred), lambda: (t, t), lambda: (t, view))
            a.add_(100)
            b.multiply_(7)
        same, part = ol.cond(tru(), lambda: (t, t[1:]), lambda: (t, t[1:]))
        same.fill_(0.0)
        part.fill_(9.0)
        return [t, view, a, b, same, part]

    found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [1.0, 2.0])
    check(found[1], [1.0])
    check(found[2], [101.0, 102.0])
    check(found[3], [7.0])
    check(found[4], [0.0, 0.0])
    check(found[5], [9.0])


@both
def test_a_leaf_returned_from_a_branch_can_be_written(mode: str) -> None:
    def function(x: Any) -> Any:
        y = ol.cond(tru(), lambda: x, lambda: x)
        y.multiply_(x)
        return [x, y, *ol.grad(y.sum(), [x])]

    found = in_mode(mode, function, [3.0, 4.0])
    check(found[0], [3.0, 4.0])
    check(found[1], [9.0, 16.0])
    check(found[2], [6.0, 8.0])


@both
def test_writes_into_captured_values_do_reach_them(mode: str) -> None:
    def function(x: Any) -> Any:
        t, u = x * 1, x * 1
        view = t[:1]

        def then() -> Any:
            t.multiply_(x)
            u[0] = 50.0
            return t

        result = ol.cond(tru(), then, lambda: t)
        t.add_(1)
        ol.cond(tru(False), then, lambda: t)
        return [t, view, u, result, *ol.grad((t + u).sum(), [x])]

    found = in_mode(mode, function, [3.0, 4.0])
    check(found[0], [10.0, 17.0])
    check(found[1], [10.0])
    check(found[2], [50.0, 4.0])
    check(found[3], [9.0, 16.0])
    check(found[4], [6.0, 9.0])


@both
@pytest.mark.parametrize(
    ("pred", "kind"),
    [(lambda x: x, TypeError), (lambda x: x > 0, TypeError), (lambda x: 1, TypeError),
     (lambda x: None, TypeError), (lambda x: (x > 0)[:1], TypeError),
     (lambda x: x.sum(), TypeError), (lambda x: (x > 0).sum(), TypeError)],
)  # fmt: skip
def test_a_condition_is_one_truth_value(mode: str, pred: Any, kind: Any) -> None:
    def function(x: Any) -> Any:
        with pytest.raises(kind):
            ol.cond(pred(x), lambda: x, lambda: x)
        with pytest.raises(kind):
            ol.while_loop(lambda y: pred(x), lambda y: y, [x])
        return [x]

    in_mode(mode, function, [1.0, 2.0])


@pytest.mark.parametrize("mode", ["eager"])
def test_python_truth_values_are_conditions(mode: str) -> None:
    def function(x: Any) -> Any:
        count = 0

        def goes_on(y: Any) -> bool:
            nonlocal count
            count += 1
            return count < 3

        return [ol.cond(True, lambda: x, lambda: -x), *ol.while_loop(goes_on, lambda y: y * 2, [x])]

    found = in_mode(mode, function, [1.0])
    check(found[0], [1.0])
    check(found[1], [4.0])


@both
@pytest.mark.parametrize("result", [None, "text", {"a": 1}, np.ones(2), (None,), [object()]])
def test_results_are_tensors_or_numbers(mode: str, result: Any) -> None:
    def function(x: Any) -> Any:
        with pytest.raises(TypeError, match=r"\[cond, true_fn result"):
            ol.cond(tru(), lambda: result, lambda: x)
        with pytest.raises(TypeError, match=r"\[while_loop, body result"):
            ol.while_loop(lambda y: y.sum() < 10, lambda y: result, [x])
        return [x]

    in_mode(mode, function, [1.0, 2.0])


@pytest.mark.parametrize(
    ("true_fn", "false_fn", "kind"),
    [
        (lambda x: x, lambda x: (x, x), (TypeError, ValueError)),
        (lambda x: (x, x), lambda x: x, (TypeError, ValueError)),
        (lambda x: (x, x), lambda x: (x, x, x), ValueError),
        (lambda x: (x,), lambda x: x, TypeError),
        (lambda x: x, lambda x: x.cast("float32"), TypeError),
        (lambda x: x, lambda x: x.sum(), (TypeError, ValueError)),
        (lambda x: x, lambda x: x > 0, TypeError),
        (lambda x: x, lambda x: ol.TensorArray(), (TypeError, ValueError)),
        (lambda x: 1, lambda x: 2.0, TypeError),
    ],
)
def test_branches_of_a_program_agree(true_fn: Any, false_fn: Any, kind: Any) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        pred = x.sum() > 0
        before = str(program)
        with pytest.raises(kind) as caught:
            ol.cond(pred, lambda: true_fn(x), lambda: false_fn(x))
        assert "cond" in str(caught.value)
        y = ol.cond(pred, lambda: x, lambda: -x)
    assert before in str(program)
    check(program.run({"x": [-1.0, -2.0]}, y)[0], [1.0, 2.0])


def test_lengths_that_differ_between_branches_become_unknown() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64", stop_gradient=False)
        y = ol.cond(x.sum() > 0, lambda: x[:3] * 2, lambda: x * 3)
        assert y.shape == (-1,)
        z = y * y
        g: Any = ol.grad(z, [x])[0]
    for data, used, factor in ((np.ones(4), 3, 2.0), (-np.ones(4), 4, 3.0)):
        found = program.run({"x": data}, [z, g])
        check(found[0], factor**2 * data[:used] ** 2)
        check(found[1], np.where(np.arange(4) < used, 2 * factor**2 * data, 0.0))


def test_eager_control_flow_copies_only_what_is_shared() -> None:
    x = leaf([1.0, 2.0])
    kept = ol.tanh(x)
    shared = ol.cond(True, lambda: kept, lambda: x)
    fresh_places: list[int] = []

    def branch() -> Any:
        made = x * 2
        fresh_places.append(made.numpy().__array_interface__["data"][0])
        return made

    own = ol.cond(True, branch, lambda: x)
    assert bits(array(shared)) == bits(array(kept))
    shared.add_(1)
    np.testing.assert_array_equal(array(kept), np.tanh([1.0, 2.0]))
    assert own.numpy().shape == (2,)


@both
def test_numpy_numbers_are_numbers(mode: str) -> None:
    def function(x: Any) -> Any:
        taken = ol.cond(np.float64(1) > 0, lambda: (x, np.float64(3)), lambda: (-x, np.float64(4)))
        (count,) = ol.while_loop(lambda i: i < 3, lambda i: i + 1, [np.int64(0)])
        return [*taken, count]

    found = in_mode(mode, function, [1.0, 2.0])
    check(found[0], [1.0, 2.0])
    assert found[1] == 3.0
    assert found[2] == 3
    assert found[2].dtype == np.int64
