"""Program mode's cases (36) to (42): arrays, and writes into what others read, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import Case, Cases, check_case, check_differences, recorded
from tests.python.support import array, check, leaf

CASES = Cases()
ROW = [0.5, -1.0, 2.0, 0.25]
THREE = ([1.0, 2.0], [3.0, -4.0], [0.5, 6.0])


def filled(*values: Any) -> ol.TensorArray:
    made = ol.TensorArray()
    for i, value in enumerate(values):
        made.write(i, value)
    return made


@CASES.add(
    36, at=THREE, grads=(1 / 6,) * 3, plain=lambda x, y, z: (x.mean() + y.mean() + z.mean()) / 3
)
def entries_read_beside_the_values(x: Any, y: Any, z: Any) -> Any:
    made = filled(x, y, z)
    read = [made.read(i).mean() for i in range(3)]
    return (sum(read[1:], read[0]) + x.mean() + y.mean() + z.mean()) / 6


@CASES.add(
    37, at=([ROW], [ROW]), grads=(0.125, 0.125), plain=lambda x, y: (x + y).mean() / 2,
)  # fmt: skip
def concat_of_an_array(x: Any, y: Any) -> Any:
    joined = filled(x, y).concat()
    return joined.mean(), joined


@CASES.add(
    37, at=([ROW], [ROW]), grads=(0.125, 0.125), plain=lambda x, y: (x + y).mean() / 2,
)  # fmt: skip
def stack_of_an_array(x: Any, y: Any) -> Any:
    joined = filled(x, y).stack()
    return joined.mean(), joined


@CASES.add(38, at=(np.linspace(-1, 1, 10),), grads=(0.3,), plain=lambda x: (3 * x).mean())
def memory_filled_in_a_loop(x: Any) -> Any:
    def body(i: Any, memory: Any) -> Any:
        memory.write(i + 1, memory.read(i) + x)
        return i + 1, memory

    start = [ol.zeros([], dtype="int64"), filled(ol.zeros_like(x))]
    _, memory = ol.while_loop(lambda i, memory: i < 3, body, start)
    return memory.read(3).mean()


@CASES.add(39, at=(1.5, 2.5), values=(17.0,), grads=(3.0, 5.0), plain=lambda x, y: 3 * x + 5 * y)
def an_entry_read_before_it_is_overwritten(x: Any, y: Any) -> Any:
    made = filled(x)
    r = 3 * made.read(0)
    made.write(0, y)
    return r + 5 * made.read(0)


@CASES.add(39, at=(1.5, 2.5), values=(12.5,), grads=(0.0, 5.0), plain=lambda x, y: 5 * y)
def an_entry_overwritten_unread(x: Any, y: Any) -> Any:
    made = filled(x)
    made.write(0, y)
    return 5 * made.read(0) + 0 * x


def _40(x: Any) -> Any:
    t = 2 * x
    return t * t + np.maximum(t, 0)


@CASES.add(
    40, at=(1.5,), values=(12.0,), grads=(14.0,), plain=_40, eager_may_refuse=True, name="positive"
)
@CASES.add(
    40, at=(-1.0,), values=(4.0,), grads=(-8.0,), plain=_40, eager_may_refuse=True, name="negative"
)
def relu_in_place_of_what_was_squared(x: Any) -> Any:
    t = 2 * x
    u = t * t
    assert ol.relu_(t) is t
    return u + t


@CASES.add(
    41, at=(3.0, 1.0), values=(15.0,), grads=(8.0, 0.0), plain=lambda x, b: x * x + 2 * x,
    eager_may_refuse=True,
)  # fmt: skip
def a_buffer_written_twice(x: Any, first: Any) -> Any:
    buf = first * 1
    buf.copy_(x)
    y = buf * buf
    buf.copy_(2 * x)
    return y + buf


def _42(w: float, c0: float) -> float:
    c, s = c0, 0.0
    for _ in range(3):
        s = s + c * w
        c = c + 1
    return s


@CASES.add(
    42, at=(2.0, 1.0), values=(12.0, 4.0), grads=(6.0, 6.0), plain=_42, eager_may_refuse=True
)
def a_captured_value_written_in_a_loop(w: Any, c0: Any) -> Any:
    c = c0 * 1

    def body(i: Any, s: Any) -> Any:
        s = s + c * w
        c.add_(1)
        return i + 1, s

    start = [ol.zeros([], dtype="int64"), ol.zeros([], dtype="float64")]
    _, s = ol.while_loop(lambda i, s: i < 3, body, start)
    return s, c


@CASES.in_forms()
def test_case(case: Case, form: str) -> None:
    check_case(case, form)


@CASES.with_plain()
def test_differences(case: Case) -> None:
    check_differences(case)


def test_36_gradients_sum_to_one() -> None:
    found = recorded(entries_read_beside_the_values, *THREE).run()
    assert sum(g.sum() for g in found.grads if g is not None) == 1.0


def test_37_gives_both_in_order() -> None:
    for function, shape in ((concat_of_an_array, (2, 4)), (stack_of_an_array, (2, 1, 4))):
        found = recorded(function, [ROW], [ROW]).run()
        check(found.values[1], np.array([ROW, ROW]).reshape(shape))


def test_39_an_entry_that_nobody_reads_is_no_dependence() -> None:
    x, y = leaf(1.5), leaf(2.5)

    def overwritten(x: Any, y: Any) -> Any:
        made = filled(x)
        made.write(0, y)
        return ol.grad(5 * made.read(0), [x, y])

    eager = overwritten(x, y)
    program = ol.Program()
    with program:
        by_x, by_y = overwritten(x, y)
    assert eager[0] is None
    assert by_x is None or not array(program.run({}, by_x)[0]).any()
    check(eager[1], 5.0)
    check(program.run({}, by_y)[0], 5.0)


def test_an_entry_whose_shape_is_read_later() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64", stop_gradient=False)
        entries = filled(ol.cond(x.sum() < 0, lambda: x, lambda: x))
        g: Any = ol.grad(entries.read(0), [x])[0]
    check(program.run({"x": [1.0, 2.0]}, g)[0], [1.0, 1.0])


def test_a_value_of_unknown_length_written_after_its_detach_was_read() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64", stop_gradient=False)
        v = x * 1
        part = v.detach()[:1]
        v.subtract_(0.4)
        g: Any = ol.grad(v * 2 + part.sum(), [x])[0]
    check(program.run({"x": [1.0, 2.0]}, g)[0], [2.0, 2.0])


def test_the_concat_of_an_array_that_a_loop_fills() -> None:
    def f(x: Any) -> Any:
        entries = ol.TensorArray()

        def body(i: Any) -> Any:
            entries.write(i, x * 2)
            return i + 1

        ol.while_loop(lambda i: i < 3, body, [0])
        return entries.concat()

    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        y = f(x)
        g: Any = ol.grad(y.sum(), [x])[0]
    found = program.run({"x": [1.0, 2.0]}, [y, g])
    check(found[0], [2.0, 4.0] * 3)
    check(found[1], [6.0, 6.0])


def concat_in_a_loop(x: Any) -> Any:
    """The sum of the cubes of [2**k x, x**2], over three trips k."""
    entries = ol.TensorArray()
    entries.write(0, x)
    entries.write(1, x * x)

    def body(i: Any, total: Any, entries: Any) -> Any:
        total = total + (entries.concat() ** 3).sum()
        entries.write(0, entries.read(0) * 2)
        return i + 1, total, entries

    start = [ol.zeros([], dtype="int64"), ol.zeros([], dtype="float64"), entries]
    return ol.while_loop(lambda i, *_: i < 3, body, start)[1]


def concat_of_what_a_loop_captures(x: Any) -> Any:
    """The same, of a list that the body writes from inside and reads by concat."""
    entries = ol.TensorArray()
    entries.write(0, x)
    entries.write(1, x * x)
    total = ol.zeros([], dtype="float64")

    def body(i: Any) -> Any:
        total.add_((entries.concat() ** 3).sum())
        entries.write(0, entries.read(0) * 2)
        return i + 1

    ol.while_loop(lambda i: i < 3, body, [ol.zeros([], dtype="int64")])
    return total * 1


@pytest.mark.parametrize("length", [2, None])
@pytest.mark.parametrize("function", [concat_in_a_loop, concat_of_what_a_loop_captures])
def test_concat_inside_a_loop(function: Any, length: int | None) -> None:
    # sum over k of (2**k x)**3 = 73 x**3; three times x**6.
    program = ol.Program()
    with program:
        x = program.input("x", [length], "float64", stop_gradient=False)
        y = function(x)
        g: Any = ol.grad(y, [x])[0]
        h: Any = ol.grad(g.sum(), [x])[0]
    found = program.run({"x": [1.0, -0.5]}, [y, g, h])
    a = np.array([1.0, -0.5])
    check(found[0], (73 * a**3 + 3 * a**6).sum())
    check(found[1], 219 * a**2 + 18 * a**5)
    check(found[2], 438 * a + 90 * a**4)


@pytest.mark.parametrize("change", ["", "functionalize"])
def test_entries_that_are_overwritten_by_ones_of_other_lengths(change: str) -> None:
    def function(x: Any) -> list[Any]:
        entries = ol.TensorArray()
        entries.write(0, x * x)
        first = entries.read(0)

        def body(i: Any, total: Any) -> Any:
            entries.write(0, ol.concat([entries.read(0), x]))
            total = total + (entries.read(0) ** 2).sum()
            entries.write(0, x[1:] * 3)
            return i + 1, total + entries.read(0).sum()

        start = [ol.zeros([], dtype="int64"), ol.zeros([], dtype="float64")]
        total = ol.while_loop(lambda i, t: i < 2, body, start)[1] + first.sum()
        (g,) = ol.grad(total, [x], create_graph=True)
        return [total, g, *ol.grad((g * g).sum(), [x])]

    for length in (3, None):
        program = ol.Program()
        with program:
            values = function(program.input("x", [length], "float64", stop_gradient=False))
        if change:
            getattr(program, change)()
        data = np.array([1.0, -2.0, 0.5])
        for found, wanted in zip(
            program.run({"x": data}, values), function(leaf(data)), strict=True
        ):
            check(found, wanted.numpy())


@pytest.mark.parametrize("length", [2, None])
def test_second_order_through_entries_of_many_lengths(length: int | None) -> None:
    def function(x: Any) -> list[Any]:
        entries = ol.TensorArray()
        for i, part in enumerate((x[:0], x * x, x * x * x)):
            entries.write(i, part)
        joined = (entries.concat() ** 2).sum() + (entries.read(1) ** 2).sum()
        entries.write(0, ol.ones([4], dtype="float64"))
        entries.write(2, x[:1])
        total = joined + (entries.concat() ** 2).sum()
        (g,) = ol.grad(total, [x], create_graph=True)
        (h,) = ol.grad((g * g).sum(), [x], create_graph=True)
        return [total, g, h, *ol.grad(h.sum(), [x])]

    program = ol.Program()
    with program:
        values = function(program.input("x", [length], "float64", stop_gradient=False))
    data = np.array([1.5, -0.5])
    for found, wanted in zip(program.run({"x": data}, values), function(leaf(data)), strict=True):
        check(found, wanted.numpy())


@pytest.mark.parametrize("shape", [(2, None), (None, 2), (None, None), (2, 2)])
def test_rows_that_a_loop_appends_where_some_lengths_are_known(shape: Any) -> None:
    def function(x: Any) -> list[Any]:
        rows = ol.TensorArray()
        rows.write(0, x)

        def body(i: Any) -> Any:
            rows.write(i + 1, rows.read(i) * x)
            return i + 1

        ol.while_loop(lambda i: i < 3, body, [ol.zeros([], dtype="int64")])
        total = rows.stack().sum()
        (g,) = ol.grad(total, [x], create_graph=True)
        return [total, g, *ol.grad((g * g).sum(), [x])]

    program = ol.Program()
    with program:
        values = function(program.input("x", shape, "float64", stop_gradient=False))
    data = np.array([[0.5, -1.0], [2.0, 0.25]])
    total = sum(data**k for k in range(1, 5)).sum()
    first = sum(k * data ** (k - 1) for k in range(1, 5))
    second = sum(k * (k - 1) * data ** (k - 2) for k in range(2, 5))
    found = program.run({"x": data}, values)
    check(found[0], total)
    check(found[1], first)
    check(found[2], 2 * first * second)
