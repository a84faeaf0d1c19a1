"""cond, while_loop and TensorArray in both modes: values cross their borders by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import bits
from tests.python.support import Array, array, check, leaf

both = pytest.mark.parametrize("mode", ["eager", "program"])


def run(mode: str, function: Any, *data: Any) -> list[Array]:
    """What a function of leaves or of inputs gives."""
    if mode == "eager":
        return [array(x) for x in function(*(leaf(x) for x in data))]
    program = ol.Program()
    feed = {f"x{i}": np.array(x, "float64") for i, x in enumerate(data)}
    with program:
        results = function(
            *(program.input(n, x.shape, "float64", stop_gradient=False) for n, x in feed.items())
        )
    return [array(x) for x in program.run(feed, results)]


def tru(value: bool = True) -> Any:
    return ol.full([], value, dtype="bool")


def zero() -> Any:
    return ol.zeros([], dtype="int64")


# --- cond.


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

    found = run(mode, function, [1.0, 2.0])
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

    found = run(mode, function, [1.0, 2.0])
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

    found = run(mode, function, [3.0, 4.0])
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

    found = run(mode, function, [3.0, 4.0])
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

    run(mode, function, [1.0, 2.0])


@pytest.mark.parametrize("mode", ["eager"])
def test_python_truth_values_are_conditions(mode: str) -> None:
    def function(x: Any) -> Any:
        count = 0

        def goes_on(y: Any) -> bool:
            nonlocal count
            count += 1
            return count < 3

        return [ol.cond(True, lambda: x, lambda: -x), *ol.while_loop(goes_on, lambda y: y * 2, [x])]

    found = run(mode, function, [1.0])
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

    run(mode, function, [1.0, 2.0])


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


# --- while_loop.


@both
def test_a_loop_answers_a_list(mode: str) -> None:
    def function(x: Any) -> Any:
        one = ol.while_loop(lambda y: y.sum() < 10, lambda y: y * 2, [x])
        assert isinstance(one, list)
        counted = ol.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, y * 3], (0, x))
        nothing = ol.while_loop(lambda y: y.sum() < 0, lambda y: y * 2, [x])
        return [*one, *counted, *nothing]

    found = run(mode, function, [1.0, 2.0])
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

    found = run(mode, function, [1.0, 2.0])
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

    found = run(mode, function, [1.0])
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

    found = run(mode, function, [2.0, 3.0])
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

    found = run(mode, function, [1.0, 2.0])
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

    run(mode, function, [1.0, 2.0])


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

    run(mode, function, [1.0])


@both
def test_lengths_may_differ_from_trip_to_trip(mode: str) -> None:
    def function(x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            return i + 1, ol.concat([y, x])

        y = ol.while_loop(lambda i, y: i < 3, body, [zero(), x])[1]
        return [y]

    check(run(mode, function, [1.0, 2.0])[0], [1.0, 2.0] * 4)


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


# --- TensorArray.


@both
def test_entries_are_values_of_their_moment(mode: str) -> None:
    def function(x: Any) -> Any:
        t = x * 1
        entries = ol.TensorArray()
        entries.write(0, t)
        t.add_(10)
        entries.write(entries.len(), t)
        first = entries.read(0)
        first.multiply_(100)
        rows = entries.stack()
        rows[1] = 0.0
        flat = entries.concat()
        flat.add_(1)
        again = [entries.read(-2), entries.read(1)]
        entries.write(-1, entries.read(-1))
        return [t, first, *again, rows, flat, entries.stack()]

    found = run(mode, function, [1.0, 2.0])
    check(found[0], [11.0, 12.0])
    check(found[1], [100.0, 200.0])
    check(found[2], [1.0, 2.0])
    check(found[3], [11.0, 12.0])
    check(found[4], [[1.0, 2.0], [0.0, 0.0]])
    check(found[5], [2.0, 3.0, 12.0, 13.0])
    check(found[6], [[1.0, 2.0], [11.0, 12.0]])


@both
def test_arrays_cross_borders_by_value(mode: str) -> None:
    def function(x: Any) -> Any:
        entries = ol.TensorArray()
        entries.write(0, x)

        def body(i: Any, inside: Any) -> Any:
            inside.write(i + 1, inside.read(i) * 2)
            return i + 1, inside

        _, result = ol.while_loop(lambda i, a: i < 2, body, [zero(), entries])
        taken = ol.cond(tru(), lambda: entries, lambda: entries)
        taken.write(1, x * 50)
        result.write(0, x * 0)
        return [entries.len(), result.len(), taken.len(), result.stack(), entries.stack()]

    found = run(mode, function, [1.0, 2.0])
    assert [int(x) for x in found[:3]] == [1, 3, 2]
    check(found[3], [[0.0, 0.0], [2.0, 4.0], [4.0, 8.0]])
    check(found[4], [[1.0, 2.0]])


@both
def test_captured_arrays_are_written(mode: str) -> None:
    def function(x: Any) -> Any:
        entries = ol.TensorArray()

        def body(i: Any) -> Any:
            ol.cond(x.sum() > 0, lambda: entries.write(i, x * i.cast("float64")) or x, lambda: x)  # type: ignore[func-returns-value]  # fmt: skip
            return i + 1

        ol.while_loop(lambda i: i < 3, body, [zero()])
        return [entries.stack(), entries.len(), *ol.grad(entries.stack().sum(axis=0), [x])]

    found = run(mode, function, [1.0, 2.0])
    check(found[0], [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
    assert found[1] == 3
    check(found[2], [3.0, 3.0])


@both
@pytest.mark.parametrize(
    "misuse",
    [
        lambda a, x: a.write(2, x), lambda a, x: a.write(-2, x), lambda a, x: a.read(1),
        lambda a, x: a.read(-2), lambda a, x: a.write(1, x.cast("float32")),
        lambda a, x: a.write(1, x.sum()), lambda a, x: a.write(1, "text"),
        lambda a, x: a.read("0"), lambda a, x: a.write(0.5, x),
    ],
)  # fmt: skip
def test_misuse_of_an_array_is_refused(mode: str, misuse: Any) -> None:
    program = ol.Program()
    errors = (IndexError, TypeError, ValueError)

    def function(x: Any) -> Any:
        entries = ol.TensorArray()
        entries.write(0, x)
        return misuse(entries, x), entries.stack()

    if mode == "eager":
        with pytest.raises(errors):
            function(leaf([1.0, 2.0]))
        return

    def record_and_run() -> None:
        with program:
            found = function(program.input("x", [2], "float64"))
        program.run({"x": [1.0, 2.0]}, [x for x in found if x is not None])

    with pytest.raises(errors):
        record_and_run()


@both
def test_an_empty_array_has_no_stack(mode: str) -> None:
    def function() -> Any:
        empty = ol.TensorArray()
        return [empty.stack()]

    with pytest.raises((ValueError, TypeError), match=r"empty|a new one"):
        run(mode, function)


def test_len_of_an_array_of_a_program_is_a_value() -> None:
    program = ol.Program()
    with program:
        entries = ol.TensorArray()
        with pytest.raises(TypeError, match=r"use array\.len\(\)"):
            len(entries)
        entries.write(0, ol.ones([2]))
        count = entries.len()
        assert "list of float32[2]" in repr(entries)
    assert program.run(fetch=count)[0].item() == 1
    with pytest.raises(TypeError, match="belongs to a program"):
        entries.read(0)
    eager = ol.TensorArray()
    eager.write(0, ol.ones([2]))
    assert len(eager) == 1
    assert repr(eager) == "TensorArray(1 entries)"
    with program, pytest.raises(ValueError, match="filled before"):
        eager.read(0)


def test_an_array_made_before_with_is_recorded_if_it_was_empty() -> None:
    entries = ol.TensorArray()
    program = ol.Program()
    with program:
        entries.write(0, ol.ones([2], dtype="float64"))
        rows = entries.stack()
    check(program.run(fetch=rows)[0], [[1.0, 1.0]])


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
