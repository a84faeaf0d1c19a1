"""Errors while recording leave the program as it was; those of a run name op and line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import doubled
from tests.python.support import check

pytestmark = pytest.mark.asan


def tru() -> Any:
    return ol.ones([], dtype="bool")


# --- Errors while recording leave the program as it was.


REFUSED: list[Any] = [
    lambda x, y: x.matmul(y.unsqueeze(0)),
    lambda x, y: y.reshape([3]),
    lambda x, y: y.add_(x.unsqueeze(0)),
    lambda x, y: ol.concat([]),
    lambda x, y: ol.concat([x, y], axis=3),
    lambda x, y: y[5],
    lambda x, y: x.add_(y),
    lambda x, y: ol.grad(y, [x], [x.detach()[:1]]),
]


@pytest.mark.parametrize("call", REFUSED)
def test_a_refused_call_leaves_the_program_usable(call: Any) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        y = x * 2
        before = str(program)
        with pytest.raises((ValueError, TypeError, IndexError)):
            call(x, y)
        assert before in str(program)
    check(program.run({"x": [1.0, 2.0]}, y)[0], [2.0, 4.0])


@pytest.mark.parametrize("side", [0, 1])
def test_an_exception_in_a_branch_undoes_what_it_recorded(side: int) -> None:
    program, y = doubled()
    with program:
        pred = y.sum() > 0
        before = str(program)

        def fails() -> Any:
            y.multiply_(3)
            ol.tanh(y)
            raise KeyError("mine")

        def other() -> Any:
            y.add_(1)
            return y * 1

        functions = (fails, other) if side == 0 else (other, fails)
        with pytest.raises(KeyError, match="mine"):
            ol.cond(pred, *functions)
        assert str(program) == before
        z = y + 1
    check(program.run({"x": [1.0, 2.0]}, [y, z])[1], [3.0, 5.0])


@pytest.mark.parametrize("where", ["cond", "body", "nested"])
def test_an_exception_in_a_loop_undoes_what_it_recorded(where: str) -> None:
    program, y = doubled()
    with program:
        start = [ol.zeros([], dtype="int64")]
        before = str(program)

        def fails(i: Any) -> Any:
            y.multiply_(3)
            if where == "nested":
                return ol.cond(tru(), lambda: fails_deeper(i), lambda: i)
            raise KeyError("mine")

        def fails_deeper(i: Any) -> Any:
            y.add_(1)
            ol.while_loop(lambda j: j < 2, lambda j: [][j], [i])
            return i

        condition = fails if where == "cond" else lambda i: i < 3
        with pytest.raises((KeyError, TypeError)):
            ol.while_loop(condition, fails, start)
        assert str(program) == before
    check(program.run({"x": [1.0, 2.0]}, y)[0], [2.0, 4.0])


def test_values_of_a_branch_end_with_it() -> None:
    program = ol.Program()
    kept: list[Any] = []

    def branch() -> Any:
        kept.append(ol.ones([2]) * 2)
        return kept[0] + 1

    with program:
        ol.cond(tru(), branch, lambda: ol.ones([2]))
        with pytest.raises(ValueError, match="branch"):
            kept[0] + 1
        inside = ol.Program()
        with pytest.raises(ValueError, match="inputs belong to the whole program"):
            ol.cond(tru(), lambda: program.input("late", [2]), lambda: ol.ones([2]))
    del inside


# --- Errors at run time.


def test_a_run_time_error_names_the_op_and_the_line_that_recorded_it() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64")
        y = program.input("y", [None], "float64")
        z = x + y  # the line in question
    line = z_line()
    with pytest.raises(ValueError, match="add") as caught:
        program.run({"x": np.ones(2), "y": np.ones(3)}, z)
    assert "[add]" in str(caught.value)
    assert f"test_program_errors.py:{line}" in str(caught.value)
    check(program.run({"x": np.ones(2), "y": np.ones(2)}, z)[0], [2.0, 2.0])


def z_line() -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(
            i for i, s in enumerate(file, 1) if s.rstrip().endswith("# the line in question")
        )


def test_a_run_time_error_in_a_loop_names_its_line_too() -> None:
    program = ol.Program()
    with program:
        i = program.input("i", [1], "int64")
        data = ol.to_tensor([1.0, 2.0])

        def body(k: Any) -> Any:
            return k + data[i].sum().cast("int64")

        (k,) = ol.while_loop(lambda k: k < 3, body, [ol.zeros([], dtype="int64")])
    with pytest.raises(IndexError) as caught:
        program.run({"i": [2]}, k)
    line = body.__code__.co_firstlineno + 1
    assert f"test_program_errors.py:{line}" in str(caught.value)
    assert "axis 0 of length 2, got 2" in str(caught.value)


def test_with_ends_after_the_functions_inside() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2])

        def leave() -> ol.Tensor:
            program.__exit__(None, None, None)
            return x

        with pytest.raises(RuntimeError, match="before that of the program's `with`"):
            ol.cond(x.sum() > 0, leave, lambda: x)
        y = x * 2
    assert program.run({"x": [1.0, 2.0]}, [y])[0].tolist() == [2, 4]


def test_programs_that_are_left_out_of_order() -> None:
    def recording() -> Any:
        with ol.Program() as program:
            yield program.input("x", [2])

    first, second = recording(), recording()
    next(first)
    next(second)
    with pytest.raises(RuntimeError, match="innermost"):
        first.close()
    second.close()
    del first, second
    assert ol.ones([1]).tolist() == [1]  # nothing is recorded any more


def test_an_entered_program_lives_until_it_is_left() -> None:
    ol.Program().__enter__()
    inner = ol.Program()
    inner.__enter__()
    x: Any = ol.ones([1])
    assert x.program is inner
    inner.__exit__(None, None, None)
    y: Any = ol.ones([1])
    y.program.__exit__(None, None, None)
    assert ol.ones([1]).tolist() == [1]


def test_a_run_inside_other_recordings_ends_none() -> None:
    o, q, r = ol.Program(), ol.Program(), ol.Program()
    with o:
        with q:
            x = q.input("x", [2])
            with r:
                (found,) = q.run({"x": [1.0, 2.0]}, [x])
        assert type(ol.ones([1])) is ol.ProgramValue
    assert found.tolist() == [1, 2]
    assert ol.ones([1]).tolist() == [1]


def test_a_detached_value_in_a_loop_sees_the_writes_of_its_base() -> None:
    with ol.Program() as program:
        h = program.input("x", [3], "float64") * 1.0
        v = h.detach()

        def body(i: Any) -> Any:
            h.multiply_(v * 1.0)
            return i + 1

        ol.while_loop(lambda i: i < 2, body, [0])
        r, s = h * 1.0, v * 1.0
    for found in program.run({"x": [1.0, 2.0, 3.0]}, [r, s]):
        assert found.tolist() == [1, 16, 81]
