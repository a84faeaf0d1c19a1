"""Programs that other frameworks have got wrong, each with its right answer."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import (
    array,
    check,
    check_gradient,
    constant,
    inner,
    leaf,
    refused,
)

VersionError = ol.errors.VersionError


@pytest.mark.asan
def test_an_in_place_result_used_directly_as_loss() -> None:
    w = leaf([0.5])
    loss = (w * 3).tanh_()
    loss.backward()
    check_gradient(w, 3 * (1 - np.tanh([1.5]) ** 2))
    w = leaf(0.5)
    x = w * 1
    x.square_()
    x.backward()
    check_gradient(w, 1.0)


@pytest.mark.asan
def test_a_target_without_gradient_and_an_operand_with() -> None:
    w = leaf([2.0, 3.0])
    x = constant([1.0, 1.0])
    x.multiply_(w)
    assert x.stop_gradient is False
    x.multiply_(w)
    x.sum().backward()
    check_gradient(w, [4.0, 6.0])


def test_a_number_minus_a_tensor_in_place() -> None:
    w, x = inner([1.0, 2.0])
    x -= 10
    x *= -1
    check(10 - array(w), array(x))
    x.sum().backward()
    check_gradient(w, [-1.0, -1.0])


@pytest.mark.asan
def test_a_tensor_times_itself_in_place() -> None:
    w, x = inner([3.0, -2.0])
    x.multiply_(x)
    x.sum().backward()
    check_gradient(w, [6.0, -4.0])
    w, x = inner([3.0, -2.0])
    x *= x
    x /= x
    check(x, [1.0, 1.0])


@pytest.mark.asan
def test_minus_its_own_first_column() -> None:
    data = np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    w, a = inner(data)
    a -= a[:, :1]
    check(a, data - data[:, :1])
    (a * constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()
    check_gradient(w, [[-5.0, 2.0, 3.0], [-11.0, 5.0, 6.0]])


@pytest.mark.asan
def test_a_table_filled_row_by_row() -> None:
    w = leaf([1.0, 2.0, 3.0])
    table = ol.zeros([4, 3], dtype="float64")
    for i in range(4):
        table[i] = w * float(i)
    check(table, np.outer(np.arange(4), [1.0, 2.0, 3.0]))
    table.square().sum().backward()
    check_gradient(w, 2 * 14 * np.array([1.0, 2.0, 3.0]))


def test_a_table_filled_by_a_recurrence_says_how_to_write_it() -> None:
    """Each row reads the one before, which the table's own writes overwrite nowhere."""
    w = leaf([0.5, 2.0])
    table = ol.zeros([3, 2], dtype="float64")
    table[0] = w
    for i in (1, 2):
        table[i] = table[i - 1] * w
    table[2].sum().backward()
    check_gradient(w, 3 * np.array([0.25, 4.0]))


@pytest.mark.asan
def test_a_leaf_written_under_no_grad() -> None:
    w = leaf([1.0, 2.0])
    with ol.no_grad():
        w -= 0.5
        w[0] = 7.0
    assert w.is_leaf
    assert w.stop_gradient is False
    check(w, [7.0, 1.5])
    (w * w).sum().backward()
    check_gradient(w, [14.0, 3.0])
    loss = (w * w).sum()
    with ol.no_grad():
        w += 1
    with pytest.raises(VersionError, match="add_"):
        loss.backward()


def test_clip_of_a_parameter() -> None:
    w = leaf([-3.0, 0.5, 3.0])
    with refused(ol.errors.LeafInplaceError, w, says=["clip_", "no_grad"]):
        w.clip_(-1.0, 1.0)
    with ol.no_grad():
        w.clip_(-1.0, 1.0)
    check(w, [-1.0, 0.5, 1.0])
    assert w.inplace_version == 1
    (w * 2).sum().backward()
    check_gradient(w, [2.0, 2.0, 2.0])


@pytest.mark.asan
def test_a_view_of_a_view() -> None:
    w, x = inner(np.arange(24.0).reshape(2, 3, 4))
    view = x[1][:, 1:3]
    deeper = view.transpose([1, 0])[1]
    deeper.multiply_(10.0)
    view.add_(1.0)
    expected = np.arange(24.0).reshape(2, 3, 4)
    expected[1, :, 2] *= 10
    expected[1, :, 1:3] += 1
    check(x, expected)
    x.sum().backward()
    slopes = np.ones((2, 3, 4))
    slopes[1, :, 2] = 10
    check_gradient(w, slopes)


@pytest.mark.asan
def test_plus_itself() -> None:
    w, a = inner([1.0, 2.0])
    a += a
    a += a
    check(a, [4.0, 8.0])
    a.sum().backward()
    check_gradient(w, [4.0, 4.0])


@pytest.mark.asan
def test_a_saved_view_and_a_written_base() -> None:
    w, x = inner([1.0, 2.0, 3.0])
    y = x[0:2].square()
    x.add_(1.0)
    with pytest.raises(VersionError, match="add_"):
        y.sum().backward()
    w, x = inner([1.0, 2.0, 3.0])
    y = x[0:2].square()
    x[2] = 9.0
    y.sum().backward()
    check_gradient(w, [2.0, 4.0, 0.0])


def test_a_saved_base_and_a_written_view() -> None:
    _, x = inner([1.0, 2.0, 3.0])
    y = x.square()
    x.detach()[1:2].fill_(0.0)
    with pytest.raises(VersionError, match="fill_"):
        y.sum().backward()


@pytest.mark.asan
def test_columns_beside_a_saved_column() -> None:
    w, x = inner([[1.0, 2.0], [3.0, 4.0]])
    y = x[:, 0] * x[:, 0]
    x[:, 1].fill_(0.0)
    (y.sum() + x.sum()).backward()
    check_gradient(w, [[3.0, 0.0], [7.0, 0.0]])


def test_zeros_like_of_a_tensor_that_needs_a_gradient() -> None:
    w = leaf([1.0, 2.0])
    for made in (ol.zeros_like(w), ol.ones_like(w), ol.zeros_like(w * 2)):
        assert made.stop_gradient
        assert made.is_leaf
        made.add_(1.0)
        made += w
        assert made.stop_gradient is False


def test_a_chain_of_100_000_ops() -> None:
    w = leaf([1.0])
    gc.collect()
    before = ol.bytes_in_use()
    x = w
    for _ in range(100_000):
        x = x + 1.0
    del x
    assert ol.bytes_in_use() == before
    x = w * 1.0
    for _ in range(50_000):
        x = x * 1.0
        x.add_(1.0)
    x.backward()
    check_gradient(w, [1.0])
    w.clear_grad()
    del x
    assert ol.bytes_in_use() <= before + 1024


def test_a_chain_of_in_place_writes_into_views() -> None:
    w = leaf(np.ones(4))
    x = w * 1.0
    for i in range(20_000):
        x[i % 4 : i % 4 + 1].add_(1.0)
    x.sum().backward()
    check_gradient(w, np.ones(4))


def test_an_accumulator_over_steps() -> None:
    """A running loss is a constant after backward only if it was detached."""
    w = leaf([1.0])
    total = constant([0.0])
    for _ in range(3):
        loss = w * w
        loss.backward()
        total += loss.detach()
    check(total, [3.0])
    assert total.stop_gradient


def test_a_mask_written_into_a_result() -> None:
    w = leaf([1.0, -2.0, 3.0])
    x = w * 2
    x[constant([True, False, True], "bool")] = 0.0
    x.square().sum().backward()
    check_gradient(w, [0.0, -16.0, 0.0])


def test_relu_in_place_after_a_matrix_product() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((4, 3)), rng.standard_normal((3, 2))
    w, v = leaf(a), leaf(b)
    hidden = ol.matmul(w, v)
    hidden.relu_()
    hidden.sum().backward()
    active = (a @ b > 0) * 1.0
    check_gradient(w, active @ b.T)
    check_gradient(v, a.T @ active)


def test_an_in_place_op_in_a_function_that_keeps_its_argument() -> None:
    """y = f(x) + x where f works in place: both see the new value."""

    def f(x: Any) -> Any:
        return x.exp_()

    w = leaf([0.5])
    x = w * 1
    y = f(x) + x
    y.backward()
    check_gradient(w, 2 * np.exp([0.5]))


def test_a_loop_that_swaps_two_halves() -> None:
    w, x = inner([1.0, 2.0, 3.0, 4.0])
    kept = x[0:2].clone()
    x[0:2] = x[2:4]
    x[2:4] = kept
    check(x, [3.0, 4.0, 1.0, 2.0])
    (x * constant([1.0, 2.0, 3.0, 4.0])).sum().backward()
    check_gradient(w, [3.0, 4.0, 1.0, 2.0])


def test_normalising_in_place_by_its_own_sum() -> None:
    data = np.array([[1.0, 3.0], [2.0, 6.0]])
    w, x = inner(data)
    x /= x.sum(1, True)
    check(x, data / data.sum(1, keepdims=True))
    (x * constant([[1.0, 0.0], [0.0, 1.0]])).sum().backward()
    total = data.sum(1)
    check_gradient(
        w,
        [
            [3 / total[0] ** 2, -1 / total[0] ** 2],
            [-6 / total[1] ** 2, 2 / total[1] ** 2],
        ],
    )


def test_scatter_with_repeated_rows() -> None:
    w = leaf([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    x, base = inner(np.zeros((3, 2)))
    base.scatter_(constant([1, 1, 2], "int64"), w)
    check(base, [[0.0, 0.0], [2.0, 2.0], [3.0, 3.0]])
    base.sum().backward()
    check_gradient(w, [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    check_gradient(x, [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
