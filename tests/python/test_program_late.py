"""Updates that a run makes in the parameters' memory, at its end: what they must not do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import text_of
from tests.python.support import check, constant, leaf

ROWS = 1000  # of 8 bytes: more than a run with a step in place needs beside its gradient


def versions(*tensors: Any) -> list[int]:
    return [tensor.inplace_version for tensor in tensors]


def shared(data: Any) -> Any:
    """A tensor in the memory of an array."""
    return ol.from_dlpack(data)


def step_of(w: Any, v: Any) -> tuple[ol.Program, Any]:
    """One step of momentum for sum(w * x) in w, where x is fed."""
    program = ol.Program()
    with program:
        x = program.input("x", [-1], "float64")
        ((_, g),) = ol.append_backward((w * x).sum())
        ol.momentum_(w, g, v, 0.5, mu=0.5)
    return program, g


def test_a_step_is_that_of_eager_mode_and_needs_no_buffer_for_a_parameter() -> None:
    start = np.linspace(-1, 1, ROWS)
    w, v = leaf(start), constant(np.zeros(ROWS))
    program, g = step_of(w, v)
    x = np.linspace(2, 3, ROWS)
    moved, velocity = start.copy(), np.zeros(ROWS)
    for _ in range(3):
        (found,) = program.run({"x": x}, g)
        check(found, x)
        velocity = 0.5 * velocity + x
        moved -= 0.5 * velocity
        check(w, moved)
        check(v, velocity)
    assert versions(w, v) == [3, 3]
    gradient = constant(x)
    with ol.Program() as alone:
        ol.momentum_(w, gradient, v, 0.5, mu=0.5)
    alone.run()
    check(v, 0.5 * velocity + x)
    assert alone.peak_bytes < w.nbytes


def test_elementwise_writes_of_the_end_need_no_buffer_either() -> None:
    w = constant(np.ones(ROWS))
    program = ol.Program()
    with program:
        x = program.input("x", [ROWS], "float64")
        w.add_(x)
    program.run({"x": np.arange(ROWS, dtype="float64")})
    check(w, np.arange(ROWS) + 1.0)
    assert w.inplace_version == 1
    assert program.peak_bytes < w.nbytes


def test_a_step_that_raises_after_an_update_was_recorded_stores_nothing() -> None:
    w, v = leaf([1.0, 2.0]), constant([0.0, 0.0])
    program = ol.Program()
    with program:
        i = program.input("i", [1], "int64")
        ol.momentum_(w, constant([1.0, 1.0]), v, 0.5, mu=0.5)
        y = constant([1.0, 2.0])[i]
    with pytest.raises(IndexError):
        program.run({"i": [7]}, y)
    check(w, [1.0, 2.0])
    check(v, [0.0, 0.0])
    assert versions(w, v) == [0, 0]
    program.run({"i": [1]}, y)
    check(w, [0.5, 1.5])


def test_an_update_that_is_refused_keeps_those_before_it_from_being_stored() -> None:
    w, u = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    program = ol.Program()
    with program:
        g = program.input("g", [-1], "float64")
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
        ol.sgd_(u, 0.5, g)
    with pytest.raises(ValueError, match="sgd_") as caught:
        program.run({"g": [1.0, 1.0, 1.0]})
    assert "[sgd_] grad: expected param's shape [2], got [3] (recorded at" in text_of(caught)
    check(w, [1.0, 2.0])
    assert versions(w, u) == [0, 0]
    program.run({"g": [1.0, 1.0]})
    check(w, [0.0, 1.0])
    check(u, [2.5, 3.5])


def test_memory_that_cannot_be_written_keeps_other_updates_from_being_stored() -> None:
    data = np.array([3.0, 4.0])
    w, u = leaf([1.0, 2.0]), shared(data)
    program = ol.Program()
    with program:
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
        ol.sgd_(u, 0.5, constant([2.0, 2.0]))
    program.run()
    check(w, [0.0, 1.0])
    assert data.tolist() == [2.0, 3.0]
    data.flags.writeable = False
    read_only = shared(data)
    with ol.Program() as refused:
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
        with pytest.raises(ValueError, match="read-only"):
            ol.sgd_(read_only, 0.5, constant([2.0, 2.0]))
    refused.run()
    check(w, [-1.0, 0.0])
    assert data.tolist() == [2.0, 3.0]


def test_the_old_value_and_the_gradient_can_be_fetched() -> None:
    w, v = leaf([1.0, 2.0]), constant([0.0, 0.0])
    program = ol.Program()
    with program:
        x = program.input("x", [-1], "float64")
        old, view = w.clone(), w.detach()
        ((_, g),) = ol.append_backward((w * x).sum())
        part = g[1:]
        ol.momentum_(w, g, v, 0.5, mu=0.5)
    before, after, gradient, tail = program.run({"x": [2.0, 4.0]}, [old, view, g, part])
    check(before, [1.0, 2.0])
    check(after, [0.0, 0.0])
    check(gradient, [2.0, 4.0])
    check(tail, [4.0])
    check(w, [0.0, 0.0])
    program.run({"x": [2.0, 4.0]})
    check(before, [1.0, 2.0])
    check(after, [0.0, 0.0])


def test_the_new_value_can_be_fetched_and_read() -> None:
    w = leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
        y = w * 10
    new, read = program.run(fetch=[w, y])
    check(new, [0.0, 1.0])
    check(read, [0.0, 10.0])
    program.run()
    check(new, [0.0, 1.0])


def test_a_gradient_in_the_memory_of_an_updated_parameter_is_the_old_one() -> None:
    data = np.array([1.0, 2.0, 4.0, 8.0])
    w, u, g = shared(data[:2]), shared(data[2:]), shared(data[:2])
    program = ol.Program()
    with program:
        ol.sgd_(w, 1.0, constant([1.0, 1.0]))
        ol.sgd_(u, 1.0, g)  # of w's memory, unknown to the program
    program.run()
    assert data.tolist() == [0.0, 1.0, 3.0, 6.0]


def test_what_is_fed_may_lie_in_the_memory_of_an_updated_parameter() -> None:
    data = np.array([1.0, 2.0, 4.0])
    w = shared(data[:2])
    program = ol.Program()
    with program:
        g = program.input("g", [2], "float64")
        ol.sgd_(w, 1.0, g)
    program.run({"g": data[1:]})
    assert data.tolist() == [-1.0, -2.0, 4.0]


def test_two_parameters_in_one_memory() -> None:
    data = np.array([1.0, 2.0, 4.0])
    w, u = shared(data[:2]), shared(data[1:])
    program = ol.Program()
    with program:
        ol.sgd_(w, 1.0, constant([1.0, 1.0]))
        ol.sgd_(u, 1.0, constant([1.0, 1.0]))
    program.run()
    # Each from what it was when the run began; the later effect is the one that stays.
    assert data.tolist() == [0.0, 1.0, 3.0]


def test_another_parameter_may_take_the_old_value() -> None:
    w, kept = leaf([1.0, 2.0]), constant([0.0, 0.0])
    program = ol.Program()
    with program:
        kept.copy_(w.detach())
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
    for expected in ([1.0, 2.0], [0.0, 1.0]):
        program.run()
        check(kept, expected)
    check(w, [-1.0, 0.0])


def test_views_of_a_parameter_see_the_step_and_a_backward_that_kept_it_is_told() -> None:
    w, x = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    loss = (w * x).sum()
    view = w.detach()[1:]
    program = ol.Program()
    with program:
        ol.sgd_(w, 0.5, constant([2.0, 2.0]))
    program.run()
    check(view, [1.0])
    with pytest.raises(ol.errors.VersionError):
        loss.backward()


def test_a_strided_parameter_and_a_strided_gradient() -> None:
    base = constant([[1.0, 2.0], [3.0, 4.0]])
    w = base.transpose([1, 0]).detach()
    u = leaf([[1.0, 2.0], [3.0, 4.0]])
    program = ol.Program()
    with program:
        x = program.input("x", [2, 2], "float64")
        ol.sgd_(w, 1.0, x)
        ol.sgd_(u, 1.0, x.transpose([1, 0]))
    program.run({"x": [[1.0, 2.0], [3.0, 4.0]]})
    check(base, [[0.0, -1.0], [1.0, 0.0]])
    check(u, [[0.0, -1.0], [1.0, 0.0]])


def test_two_steps_of_one_parameter_and_a_step_in_a_branch() -> None:
    w, u = leaf([1.0, 2.0]), leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        x = program.input("x", [], "float64")

        def step() -> Any:
            ol.sgd_(u, 1.0, constant([1.0, 1.0]))
            return x * 1

        ol.sgd_(w, 1.0, constant([1.0, 1.0]))
        ol.sgd_(w, 1.0, w.detach())
        ol.cond(x > 0, step, lambda: x * 2)
    program.run({"x": 1.0})
    check(w, [0.0, 0.0])
    check(u, [0.0, 1.0])
    assert versions(w, u) == [2, 1]
    program.run({"x": -1.0})
    check(u, [0.0, 1.0])


def test_master_parameters() -> None:
    w, g = constant([1.0, 2.0], "float32"), constant([1.0, 1.0], "float32")
    master, v = constant([1.0, 2.0]), constant([0.0, 0.0])
    program = ol.Program()
    with program:
        ol.momentum_(w, g, v, 0.1, master, mu=0.5, multi_precision=True)
    for _ in range(2):
        program.run()
    check(master, [1.0 - 0.1 - 0.15, 2.0 - 0.1 - 0.15])
    check(v, [1.5, 1.5])
    check(w, np.array([0.75, 1.75], "float32"))
