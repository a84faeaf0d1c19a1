"""x[key] and x[key] = value on values of programs, as on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import in_mode
from tests.python.support import array, check, constant, leaf
from tests.python.test_indexing import ADVANCED, BASIC, SHAPE, as_tensors, names, numbers


def is_scalar_mask(key: Any) -> bool:
    return any(isinstance(k, bool) for k in (key if isinstance(key, tuple) else (key,)))


KEYS = [key for key in BASIC + ADVANCED if not is_scalar_mask(key)]
KINDS: dict[str, Callable[[Any], Any]] = {"numpy": lambda key: key, "tensors": as_tensors}
keys = pytest.mark.parametrize("key", KEYS, ids=names)
kinds = pytest.mark.parametrize("kind", KINDS)


def same(a: Any, b: Any) -> None:
    assert array(a).shape == array(b).shape
    np.testing.assert_array_equal(array(a), array(b))


@keys
@kinds
def test_read(key: Any, kind: str) -> None:
    data = numbers()
    x = leaf(data)
    expected = x[KINDS[kind](key)]
    weights = constant(numbers(expected.shape))
    slope: Any = ol.grad((expected * weights).sum(), [x])[0]
    program = ol.Program()
    with program:
        x = program.input("x", SHAPE, "float64", stop_gradient=False)
        part = x[KINDS[kind](key)]
        g: Any = ol.grad((part * weights).sum(), [x])[0]
    found = program.run({"x": data}, [part, g])
    same(found[0], expected)
    same(found[1], slope)


@keys
def test_read_of_unknown_lengths(key: Any) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None] * 3, "float64", stop_gradient=False)
        part = x[key]
    expected = numbers()[key]
    assert part.ndim == expected.ndim
    assert all(n in (-1, m) for n, m in zip(part.shape, expected.shape, strict=True))
    same(program.run({"x": numbers()}, part)[0], constant(expected))


@keys
@kinds
def test_write(key: Any, kind: str) -> None:
    data = numbers()
    value = -numbers(data[key].shape)
    expected = data.copy()
    expected[key] = value
    program = ol.Program()
    with program:
        x = program.input("x", SHAPE, "float64", stop_gradient=False)
        v = program.input("v", value.shape, "float64", stop_gradient=False)
        target, numbered = x * 1, x * 1
        target[KINDS[kind](key)] = v
        numbered[KINDS[kind](key)] = -1.0
        grads: list[Any] = ol.grad((target * constant(data)).sum(), [x, v])
    for name in ("clean_up", "functionalize", "apply_inplace"):
        found = program.run({"x": data, "v": value}, [target, numbered, *grads])
        check(found[0], expected)
        expected_number = data.copy()
        expected_number[key] = -1.0
        check(found[1], expected_number)
        positions = np.arange(60).reshape(SHAPE)[key]
        if len(np.unique(positions)) == positions.size:
            kept = data.copy()
            kept[key] = 0
            check(found[2], kept)
            check(found[3], data[key])
        getattr(program, name)(*([[target, numbered, *grads]] if name == "apply_inplace" else []))


@keys
def test_write_of_unknown_lengths(key: Any) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None] * 3, "float64")
        y = x * 1
        y[key] = -1.0
    expected = numbers()
    expected[key] = -1.0
    check(program.run({"x": numbers()}, y)[0], expected)


@keys
def test_gradients_of_unknown_lengths(key: Any) -> None:
    data = numbers()
    positions = np.arange(60).reshape(SHAPE)[key]
    weights = numbers(positions.shape)
    program = ol.Program()
    with program:
        x = program.input("x", [None] * 3, "float64", stop_gradient=False)
        y = x * 1
        y[key] = y[key] * constant(weights)
        g: Any = ol.grad(x[key] * constant(weights), [x])[0]
        h: Any = ol.grad(y, [x])[0]
    found = program.run({"x": data}, [g, h])
    slope = np.zeros(SHAPE)
    np.add.at(slope, key, weights)
    check(found[0], slope)
    if len(np.unique(positions)) == positions.size:
        kept = np.ones(SHAPE)
        kept[key] = weights
        check(found[1], kept)


@pytest.mark.parametrize(
    ("key", "kind"),
    [(3, IndexError), ((0, 0, 0, 0), IndexError), ("a", TypeError), (1.5, TypeError),
     (slice(None, None, -1), ValueError), ((..., ...), IndexError),
     (np.array([1.5]), (TypeError, IndexError)), (np.ones((2, 4), bool), IndexError)],
)  # fmt: skip
def test_keys_are_refused_as_in_eager_mode(key: Any, kind: Any) -> None:
    with pytest.raises((*(kind if isinstance(kind, tuple) else (kind,)), ValueError)) as eager:
        constant(numbers())[key]
    program = ol.Program()
    with program:
        x = program.input("x", SHAPE, "float64")
        with pytest.raises(type(eager.value)) as recorded:
            x[key]
    assert str(recorded.value) == str(eager.value)


@pytest.mark.parametrize("key", [True, False, (slice(None), True)], ids=names)
def test_masks_without_axes_are_refused(key: Any) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", SHAPE, "float64")
        with pytest.raises(NotImplementedError, match="give it an axis"):
            x[key]


# --- Positions that are known at run time only.


def test_a_position_can_be_a_value() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", SHAPE, "float64", stop_gradient=False)
        i = program.input("i", [], "int64")
        row, some, last = x[i], x[:, i], x[i, ..., i]
        g: Any = ol.grad(row.sum() + some.sum() * 10, [x])[0]
    for at in (0, 2, -1):
        found = program.run({"x": numbers(), "i": at}, [row, some, last, g])
        check(found[0], numbers()[at])
        check(found[1], numbers()[:, at])
        check(found[2], numbers()[at, ..., at])
        slope = np.zeros(SHAPE)
        slope[at] += 1
        slope[:, at] += 10
        check(found[3], slope)
    with pytest.raises(IndexError):
        program.run({"x": numbers(), "i": 7}, row)


def test_a_write_at_a_position_that_is_a_value() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [4], "float64", stop_gradient=False)
        i = program.input("i", [], "int64")
        y = x * 1
        y[i] = 10.0
        y[i] += 5
        g: Any = ol.grad(y, [x])[0]
    found = program.run({"x": [1.0, 2.0, 3.0, 4.0], "i": 2}, [y, g])
    check(found[0], [1.0, 2.0, 15.0, 4.0])
    check(found[1], [1.0, 1.0, 0.0, 1.0])


def test_a_part_at_such_a_position_is_a_view() -> None:
    def f(x: Any, i: Any) -> list[Any]:
        y = x * 1
        part = y[i]
        early = part * 1
        y.add_(1)  # the part sees it
        late = part.clone() * x[0]
        part[1:].multiply_(x[1, 1:])  # y sees it
        part.add_(x[2])
        return [early, late, part, y]

    x = ol.to_tensor(numbers(), dtype="float64", stop_gradient=False)
    program = ol.Program()
    with program:
        values = f(
            v := program.input("x", SHAPE, "float64", stop_gradient=False),
            program.input("i", [], "int64"),
        )
        g: Any = ol.grad([y * y for y in values], [v])[0]
    for at in (0, 1, -1):
        wanted = f(x, at)
        slope: Any = ol.grad([y * y for y in wanted], [x])[0]
        *found, found_slope = program.run({"x": numbers(), "i": at}, [*values, g])
        for a, b in zip(found, wanted, strict=True):
            check(a, b.numpy())
        check(found_slope, slope.numpy())


def test_a_loop_fills_rows_by_its_counter() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        rows = ol.zeros([4, 2], dtype="float64")

        def body(i: Any) -> Any:
            rows[i + 1] = rows[i] + x * i.cast("float64")
            return i + 1

        ol.while_loop(lambda i: i < 3, body, [ol.zeros([], dtype="int64")])
        g: Any = ol.grad(rows, [x])[0]
    found = program.run({"x": [1.0, 10.0]}, [rows, g])
    factors = np.array([0.0, 0.0, 1.0, 3.0])
    check(found[0], factors[:, None] * [1.0, 10.0])
    check(found[1], [4.0, 4.0])


# --- Views and writes.


def test_views_alias_as_in_eager_mode() -> None:
    def function(x: Any) -> list[Any]:
        y = x * 1
        row, column, turned, flat = y[1], y[:, 2], y.T, y.reshape([-1])
        copied = y.T.reshape([-1])
        row.multiply_(2)
        column.add_(100)
        turned[0].fill_(-1.0)
        flat[5:7] += 0.5
        copied.add_(7)
        y[0:2] *= 3
        return [y, row, column, turned, flat, copied, *ol.grad(y.sum() + row.sum(), [x])]

    data = numbers((3, 4))
    program = ol.Program()
    with program:
        results = function(program.input("x", [3, 4], "float64", stop_gradient=False))
    for a, b in zip(program.run({"x": data}, results), function(leaf(data)), strict=True):
        same(a, b)


def test_a_reshape_of_unknown_lengths_is_not_written_through() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None, None], "float64")
        maybe = x[:, :2].reshape([-1])
        for call in (lambda: maybe.add_(1), lambda: maybe[0:1].add_(1)):
            with pytest.raises(ol.errors.InplaceError, match=r"run time only. Use clone\(\)"):
                call()
        base = x * 1
        older, sure = base[:, :2].reshape([-1]), base.reshape([-1])
        kept = older.clone()
        base.add_(1)  # of a fresh result reshape is a view for sure
        with pytest.raises(ol.errors.InplaceError, match="is read after a write to its base"):
            older * 2
        sure.multiply_(10)
    found = program.run({"x": numbers((2, 2))}, [base, sure, kept, maybe])
    check(found[0], [[20.0, 30.0], [40.0, 50.0]])
    check(found[1], [20.0, 30.0, 40.0, 50.0])
    check(found[2], [1.0, 2.0, 3.0, 4.0])
    check(found[3], [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("mode", ["eager", "program"])
def test_writing_what_is_there_already_is_no_write(mode: str) -> None:
    """The bytes decide (E6): a detach() shows the same ones."""

    def function(x: Any) -> list[Any]:
        v = x * 1
        d = v.detach()
        v[:] = d
        v[1:3] = v.detach()[1:3]
        v.T[0:2] = v[0:2]
        d[:] = v
        return [v, *ol.grad((v * 3 + d).sum(), [x]), ol.to_tensor(d.stop_gradient) * 1]

    found = in_mode(mode, function, [1.0, 2.0, 3.0])
    check(found[1], [3.0, 3.0, 3.0])
    assert found[2]
