"""Operators on values of programs, in both orders, with numbers, tensors and values."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import array, constant
from tests.python.test_indexing import numbers


def same(a: Any, b: Any) -> None:
    assert array(a).shape == array(b).shape
    np.testing.assert_array_equal(array(a), array(b))


BINARY = ["add", "sub", "mul", "truediv", "pow", "lt", "le", "gt", "ge", "eq", "ne", "matmul"]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("other", [2, 0.5, True, "tensor", "value"])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_operators(name: str, other: Any, swapped: bool, dtype: str) -> None:
    function = getattr(operator, name)
    if name == "matmul" and not isinstance(other, str):
        pytest.skip("of numbers there is no matrix product")
    data = np.arange(1, 5).reshape(2, 2).astype(dtype)
    second = np.array([[2, 1], [3, 2]]).astype(dtype)

    def both(x: Any, y: Any) -> Any:
        return function(y, x) if swapped else function(x, y)

    def apply(x: Any, value: Any) -> tuple[Any, Any]:
        try:
            return both(x, value), None
        except (TypeError, ValueError) as error:
            return None, (type(error), str(error))

    tensor = ol.to_tensor(second)
    expected, error = apply(ol.to_tensor(data), tensor if isinstance(other, str) else other)
    program = ol.Program()
    with program:
        x = program.input("x", [2, 2], dtype)
        value = program.input("y", [2, 2], dtype) if other == "value" else other
        found, refused = apply(x, tensor if other == "tensor" else value)
    assert refused == error
    if error is None:
        (result,) = program.run(
            {"x": data, "y": second} if other == "value" else {"x": data}, found
        )
        assert result.dtype == expected.dtype == found.dtype
        same(result, expected)


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ipow"])
def test_augmented_operators_write_in_place(name: str) -> None:
    function = getattr(operator, name)
    program = ol.Program()
    with program:
        y: Any = program.input("x", [2], "float64") * 1
        view = y[:1]
        result = function(y, 2.0)
        assert result is y
    expected = constant([3.0, 4.0]) * 1
    function(expected, 2.0)
    found = program.run({"x": [3.0, 4.0]}, [y, view])
    same(found[0], expected)
    same(found[1], expected[:1])


def test_unary_operators_and_methods() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2, 3], "float64")
        values = [-x, abs(x), x.T, x.sum(axis=0), x.mean(), x.reshape([3, -1]), x.cast("int64")]
    data = numbers((2, 3)) - 3.5
    t = constant(data)
    expected = [-t, abs(t), t.T, t.sum(axis=0), t.mean(), t.reshape([3, -1]), t.cast("int64")]
    for a, b in zip(program.run({"x": data}, values), expected, strict=True):
        assert a.dtype == b.dtype
        same(a, b)
