"""Writes into parts of expanded views while a program is recorded: as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import check, leaf

pytestmark = pytest.mark.asan


def row(b: Any) -> Any:
    y = b.expand([2, 3])
    y[0].add_(b)
    return y


def part_of_a_row(b: Any) -> Any:
    y = b.expand([2, 3])
    y[1][0:2] = 5.0
    return y


def view_of_a_row(b: Any) -> Any:
    y = b.expand([2, 3])
    z = y[1]
    z[0] = b[1] * 2
    z.multiply_(z)
    return y


def slice_of_rows(b: Any) -> Any:
    y = b.expand([2, 3])
    y[0:1].tanh_()
    return y


def column(b: Any) -> Any:
    y = b.unsqueeze(1).expand([3, 2])
    y[:, 0].multiply_(b)
    return y


def by_no_grad(b: Any) -> Any:
    y = b.expand([2, 3])
    with ol.no_grad():
        y[1].multiply_(b)
    return y


def after_a_transpose(b: Any) -> Any:
    y = (b * ol.ones([2, 1], dtype="float64")).T[:, 0].expand([2, 3])
    y[0].add_(b)
    return y


CASES: list[Callable[[Any], Any]] = [
    row, part_of_a_row, view_of_a_row, slice_of_rows, column, by_no_grad, after_a_transpose,
]  # fmt: skip
WEIGHTS = np.arange(1.0, 4.0)


@pytest.mark.parametrize("change", ["", "functionalize", "apply_inplace"])
@pytest.mark.parametrize("case", CASES)
def test_as_in_eager_mode(case: Callable[[Any], Any], change: str) -> None:
    def whole(x: Any) -> list[Any]:
        b = x * 1
        y = case(b)
        return [b, y, *ol.grad((y * y).sum() + (b * ol.to_tensor(WEIGHTS)).sum(), [x])]

    program = ol.Program()
    with program:
        values = whole(program.input("x", [3], "float64", stop_gradient=False))
    if change:
        getattr(program, change)(*([values] if change == "apply_inplace" else []))
    data = np.array([1.0, 2.0, -0.5])
    for found, wanted in zip(program.run({"x": data}, values), whole(leaf(data)), strict=True):
        check(found, wanted.numpy())


def test_all_of_an_expanded_view_is_refused() -> None:
    program = ol.Program()
    with program:
        y = program.input("x", [3]).expand([2, 3])
        with pytest.raises(ValueError, match=r"elements that share an address .*clone\(\)"):
            y.add_(1)
