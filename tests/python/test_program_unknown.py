"""Lengths that are known at run time only: values and gradients are those of eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import Array, array, leaf


def widened(x: Any) -> Any:
    y = x * 1
    y[:, 1:] = y[:, :-1] * 2
    y[0] = 7.0
    y.tanh_()
    return y


def rows_in_a_loop(x: Any) -> Any:
    start = [ol.zeros([], dtype="int64"), x]
    return ol.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, ol.concat([y, x])), start)[1]


OPS: dict[str, Any] = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "max": lambda x: x.max(),
    "sum of rows": lambda x: x.sum(axis=1),
    "mean kept": lambda x: x * x.mean(axis=0, keepdim=True),
    "softmax": lambda x: ol.softmax(x, 1),
    "transpose": lambda x: x.T * 2,
    "matmul": lambda x: ol.matmul(x, x.T),
    "reshape": lambda x: x.reshape([-1]) * 2,
    "reshape and sum": lambda x: x.reshape([-1]).sum(axis=0),
    "unsqueeze": lambda x: x.unsqueeze(1) * 2,
    "expand": lambda x: x.expand([4, -1, -1]) * 2,
    "broadcast": lambda x: x + x[0],
    "broadcast of a column": lambda x: x * x[:, :1],
    "row": lambda x: x[-1],
    "rows": lambda x: x[1:],
    "columns": lambda x: x[..., 1:] * 2,
    "strided": lambda x: x[::2],
    "taken rows": lambda x: x[ol.to_tensor([1, 0, 1])],
    "masked": lambda x: x[x > 2],
    "where": lambda x: ol.where(x > 2, x, x * 3),
    "split": lambda x: ol.split(x, [1, -1], 0)[1],
    "concat": lambda x: ol.concat([x, x * 2], 1),
    "concat of three": lambda x: ol.concat([x[1:], x * x, x[:-1]]),
    "concat, second order": lambda x: ol.grad(
        (ol.concat([x, x * x, x]) ** 3).sum(), [x], create_graph=True
    )[0],
    "zeros like": lambda x: ol.zeros_like(x) + x,
    "ones like": lambda x: ol.ones_like(x) * x,
    "written": widened,
    "a branch": lambda x: ol.cond(x.sum() > 0, lambda: x[1:], lambda: x * 2),
    "a loop": rows_in_a_loop,
    "second order": lambda x: ol.grad((x * x * x[0]).sum(), [x], create_graph=True)[0],
}
SHAPES: list[tuple[int | None, int | None]] = [(None, None), (None, 3), (3, None)]


def eagerly(name: str, data: Array) -> list[Any]:
    x = leaf(data)
    y = OPS[name](x)
    return [y, *ol.grad((y * y).sum(), [x])]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", OPS)
def test_as_in_eager_mode(name: str, shape: tuple[int | None, ...]) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", shape, "float64", stop_gradient=False)
        y = OPS[name](x)
        g: Any = ol.grad((y * y).sum(), [x])[0]
    for rows in (3, 2, 5):
        data = np.arange(rows * 3.0).reshape(rows, 3) - 1
        if shape[0] is not None:
            data = data.T[:3, :] if rows >= 3 else np.ones((3, 2))
        if shape[1] is not None:
            data = data[:, : shape[1]]
        for a, b in zip(program.run({"x": data}, [y, g]), eagerly(name, data), strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(array(a), array(b), rtol=1e-12, atol=1e-12)


def test_lengths_that_do_not_fit_are_found_when_it_runs() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None, 2], "float64")
        y = program.input("y", [None, 2], "float64")
        z = ol.matmul(x, y.T) + x[:, :1]
    assert z.shape == (-1, -1)
    (found,) = program.run({"x": np.ones((3, 2)), "y": np.ones((4, 2))}, z)
    assert found.shape == (3, 4)
    with program, pytest.raises(ValueError, match="squeeze"):
        x.squeeze()
    with program:
        bad = x + y
        kept = (x * 1).add_(y)
    for value in (bad, kept):
        with pytest.raises(ValueError, match="add"):
            program.run({"x": np.ones((3, 2)), "y": np.ones((4, 2))}, value)
    (found,) = program.run({"x": np.ones((3, 2)), "y": np.ones((1, 2))}, bad)
    assert found.shape == (3, 2)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "clean_up",
        "apply_inplace",
        "functionalize",
    ],
)
def test_a_write_that_would_enlarge_its_target_is_refused_when_it_runs(name: str) -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64")
        y = program.input("y", [None], "float64")
        target = x * 1
        target.add_(y)
    if name:
        getattr(program, name)(*([target] if name == "apply_inplace" else []))
    assert program.run({"x": np.ones(3), "y": np.ones(1)}, target)[0].shape == (3,)
    with pytest.raises(ValueError, match="add"):
        program.run({"x": np.ones(1), "y": np.ones(3)}, target)


def test_a_shape_read_after_a_branch_that_reads_the_shape_too() -> None:
    """The other side of the branch must leave the value alone: its shape is read behind, too."""
    program = ol.Program()
    with program:
        x = program.input("x", [None], "float64", stop_gradient=False)
        flag = program.input("flag", [], "bool")
        y = x * 1
        z = ol.cond(flag, lambda: y, lambda: x * 2)
        g: Any = ol.grad(z.sum() + y[:1].sum(), [x])[0]
    for value, wanted in ((True, [2.0, 1.0]), (False, [3.0, 2.0])):
        (found,) = program.run({"x": [1.0, 2.0], "flag": value}, g)
        assert found.tolist() == wanted
