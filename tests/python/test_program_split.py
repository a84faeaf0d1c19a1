"""ol.split in programs of an axis whose length is known at run time only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import check

pytestmark = pytest.mark.asan


def recorded(sections: list[int], axis: int = 0) -> tuple[ol.Program, Any, list[Any]]:
    program = ol.Program()
    with program:
        x = program.input("x", [-1] if axis == 0 else [2, -1], "float64", stop_gradient=False)
        return program, x, ol.split(x * 1, sections, axis)


@pytest.mark.parametrize(
    ("sections", "count", "axis"),
    [
        ([2, 2], 4, 0),
        ([1, -1], 5, 0),
        ([-1, 2], 2, 0),
        ([1, -1, 1], 4, 0),
        ([1, 2], 3, 1),
        ([0, -1], 3, 1),
    ],
)
def test_parts_and_their_gradients(sections: list[int], count: int, axis: int) -> None:
    program, x, parts = recorded(sections, axis)
    with program:
        loss = sum((part * part * (k + 1)).sum() for k, part in enumerate(parts))
        g: Any = ol.grad(loss, [x])[0]
    data = np.arange(float(count)) + 1
    data = data if axis == 0 else np.stack([data, -data])
    lengths = [s if s >= 0 else count - sum(s for s in sections if s >= 0) for s in sections]
    wanted = np.split(data, np.cumsum(lengths)[:-1], axis)
    found = program.run({"x": data}, [*parts, g])
    for part, want in zip(found, wanted, strict=False):
        check(part, want)
    check(found[-1], np.concatenate([2 * (k + 1) * w for k, w in enumerate(wanted)], axis))


def test_a_write_into_a_part_reaches_the_whole() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [-1], "float64", stop_gradient=False)
        y = program.input("y", [2], "float64", stop_gradient=False)
        whole = x * 1
        _, middle, end = ol.split(whole, [1, 2, -1])
        middle.multiply_(y)
        end[0] = 7.0
        gx, gy = ol.grad((whole * whole).sum(), [x, y])
    a, b = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([10.0, 20.0])
    forms = [lambda: None, program.functionalize, lambda: program.apply_inplace([whole, gx, gy])]
    for change in forms:
        change()
        found = program.run({"x": a, "y": b}, [whole, gx, gy])
        check(found[0], [1.0, 20.0, 60.0, 7.0, 5.0])
        check(found[1], [2.0, 400.0, 2400.0, 0.0, 10.0])
        check(found[2], [2 * 10 * 4.0, 2 * 20 * 9.0])


@pytest.mark.parametrize("sections", [[2, 2], [1, 1], [5, -1], [4, 0]])
def test_lengths_that_do_not_add_up_are_refused_in_the_run(sections: list[int]) -> None:
    program, _, parts = recorded(sections)
    with pytest.raises(ValueError, match=r"lengths of parts that add up to 3, .*got \["):
        program.run({"x": np.arange(3.0)}, parts)


@pytest.mark.parametrize("sections", [[-1, -1], [1, -1, -1], [-2, 3], [-3, -1]])
def test_lengths_that_never_add_up_are_refused_while_recording(sections: list[int]) -> None:
    with pytest.raises(ValueError, match="lengths of at least 0, of which one may be -1"):
        recorded(sections)
