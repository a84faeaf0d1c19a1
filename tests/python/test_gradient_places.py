"""Where a gradient ends: the dtype and shape of its tensor, whatever the call mixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol

MIXED: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "multiply_": (lambda x, y: x.multiply_(y), lambda _, y: y),
    "divide_": (lambda x, y: x.divide_(y), lambda _, y: 1 / y),
    "pow_": (lambda x, y: x.pow_(y), lambda x, y: y * x ** (y - 1)),
    "maximum_": (lambda x, y: x.maximum_(y), lambda x, y: (x > y) * 1.0),
    "minimum_": (lambda x, y: x.minimum_(y), lambda x, y: (x < y) * 1.0),
    "add_": (lambda x, y: x.add_(y), lambda _, y: y * 0 + 1),
}


@pytest.mark.parametrize("op", MIXED)
def test_float32_written_with_float64_has_a_float32_gradient(op: str) -> None:
    call, slope = MIXED[op]
    a = ol.to_tensor([1.0, 5.0], stop_gradient=False)
    y = np.array([3.0, 4.0])
    x = a * 1
    (gradient,) = ol.grad([call(x, ol.to_tensor(y)).sum()], [a])
    assert gradient.dtype == "float32"
    np.testing.assert_allclose(gradient.numpy(), slope(np.array([1.0, 5.0]), y), rtol=1e-6)


def test_a_leaf_reshaped_since_its_gradient_came_is_told_so() -> None:
    a = ol.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    b = ol.to_tensor([1.0], stop_gradient=False)
    (b * a.sum()).backward()
    with ol.no_grad():
        a.reshape_([4])
    with pytest.raises(ol.errors.VersionError, match=r"clear_grad\(\)"):
        (b * a.sum()).backward()
    assert b.grad.tolist() == [10.0]
    a.clear_grad()
    (b * a.sum()).backward()
    assert a.grad.tolist() == [1.0] * 4
    assert b.grad.tolist() == [20.0]


def test_a_part_written_by_index_bars_no_older_view() -> None:
    base = ol.zeros([2, 2])
    row = base[1]
    first = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    second = ol.to_tensor([3.0, 4.0], stop_gradient=False)
    base[0] = first
    row.copy_(second)
    (base * base).sum().backward()
    assert first.grad.tolist() == [2.0, 4.0]
    assert second.grad.tolist() == [6.0, 8.0]


@pytest.mark.parametrize("shape", [[2**62, 4], [2**62 + 1, 4]])
def test_an_expand_beyond_63_bits_is_refused(shape: list[int]) -> None:
    with pytest.raises(MemoryError):
        ol.ones([1]).expand(shape)


def test_a_result_like_a_map_that_no_memory_could_hold_is_refused() -> None:
    with pytest.raises(MemoryError):
        ol.relu(ol.ones([1]).expand([2**62]))  # 2 ** 64 bytes: counted in 63 bits, none


def test_a_result_like_an_empty_tensor_has_its_shape() -> None:
    x = ol.zeros([0, 2**62])
    assert ol.relu(x).shape == (0, 2**62)
    assert ol.relu(ol.zeros([3, 0, 2])).shape == (3, 0, 2)
