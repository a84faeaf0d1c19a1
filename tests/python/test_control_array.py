"""TensorArray in both modes: entries are values of their moment."""

from __future__ import annotations

from typing import Any

import pytest

import oploom as ol
from tests.python.program_support import both, in_mode, tru, zero
from tests.python.support import check, leaf

pytestmark = pytest.mark.asan


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

    found = in_mode(mode, function, [1.0, 2.0])
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

    found = in_mode(mode, function, [1.0, 2.0])
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

    found = in_mode(mode, function, [1.0, 2.0])
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
        in_mode(mode, function)


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
    with program, pytest.raises(ValueError, match="made before"):
        eager.read(0)


def test_an_array_made_before_recording_stays_eager_modes() -> None:
    entries = ol.TensorArray()
    with ol.Program(), pytest.raises(ValueError, match="one that was made before; make it"):
        entries.write(0, ol.ones([2]))

    def f(array: Any, x: Any) -> Any:
        array.write(0, x * 2.0)
        return x * 1.0

    with pytest.raises(ValueError, match="inside the function that is recorded"):
        ol.to_program(f)(entries, ol.ones([1]))
    with pytest.raises(ValueError, match="inside the function that is recorded"):
        ol.to_program(lambda x: f(entries, x))(ol.ones([1]))
    assert len(entries) == 0
    f(entries, ol.ones([1]))
    check(entries.read(0), [2.0])
