"""B1 and B2 at length: the log of writes that backward reads, and memory with several owners."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import Array, array, check, check_gradient, constant, inner, leaf

VersionError = ol.errors.VersionError
LENGTH = 1000


@pytest.mark.parametrize("count", [10, 200])
def test_many_writes_beside_a_saved_value_are_no_alarm(count: int) -> None:
    w, x = inner(np.ones(LENGTH))
    y = x[::2].square()
    for i in range(count):
        x[2 * i + 1] = 5.0
    y.sum().backward()
    expected = np.zeros(LENGTH)
    expected[::2] = 2.0
    check_gradient(w, expected)


@pytest.mark.parametrize("where", [0, 1, 300, 599])
def test_a_write_is_never_missed_among_hundreds(where: int) -> None:
    """Past 256 entries the oldest are merged: one alarm too many is possible, one too few never."""
    w, x = inner(np.ones(LENGTH))
    y = x[0:1].square()
    for i in range(600):
        if i == where:
            x[0:1].add_(1.0)
        else:
            x[LENGTH - 1 - i] = 5.0
    with pytest.raises(VersionError):
        y.sum().backward()
    assert w.grad is None


def test_the_oldest_write_after_the_save_is_named() -> None:
    _, x = inner([1.0, 2.0, 3.0])
    x.exp_()
    y = x.square()
    x[2] = 0.0
    x[0:1].fill_(1.0)
    x.relu_()
    with pytest.raises(VersionError, match="set_item_"):
        y.sum().backward()


def test_writes_before_the_save_do_not_count() -> None:
    w, x = inner([1.0, 2.0])
    early = x.clone()
    x.add_(1.0)
    x[0] = 5.0
    y = x.square()
    y.sum().backward()
    check_gradient(w, [0.0, 6.0])
    check(early, [1.0, 2.0])


def test_saves_of_several_times_are_told_apart() -> None:
    w, x = inner([1.0, 2.0, 3.0])
    first = x[0:1].square()
    x[1:2].multiply_(10.0)
    second = x[1:2].square()
    x[2:3].multiply_(100.0)
    third = x[2:3].square()
    (first + second + third).sum().backward()
    check_gradient(w, [2.0, 2 * 20.0 * 10, 2 * 300.0 * 100])


def test_a_saved_value_that_died_leaves_no_log() -> None:
    _, x = inner(np.ones(100))
    in_use = []
    for _ in range(4):
        y = x.square()
        for i in range(50):
            x.detach()[i : i + 1].add_(1.0)
        del y
        gc.collect()  # what earlier tests' tracebacks hold goes at some time
        in_use.append(ol.bytes_in_use())
    assert in_use[1:] == [in_use[1]] * 3


def test_large_columns_are_told_apart() -> None:
    w = leaf(np.ones((2000, 600)))
    x = w * 1
    y = x[:, 3].square()
    x[:, 4] = 0.0
    x[:, 0:3].add_(1.0)
    y.sum().backward()
    expected = np.zeros((2000, 600))
    expected[:, 3] = 2.0
    check_gradient(w, expected)


WRITES_OF_PARTS: dict[str, Callable[[Any], Any]] = {
    "mask elsewhere": lambda x: x.__setitem__(constant([False, False, True], "bool"), 0.0),
    "rows elsewhere": lambda x: x.__setitem__(constant([2], "int64"), 0.0),
    "scatter elsewhere": lambda x: x.scatter_(constant([2], "int64"), constant([0.0])),
}


@pytest.mark.parametrize("name", WRITES_OF_PARTS)
def test_writes_by_index_tensors_count_as_the_whole_target(name: str) -> None:
    """What the log says of them is the target; so an alarm is right, and a gradient would be."""
    w, x = inner([1.0, 2.0, 3.0])
    y = x[0:2].square()
    WRITES_OF_PARTS[name](x)
    try:
        y.sum().backward()
    except VersionError:
        assert w.grad is None
        return
    check_gradient(w, [2.0, 4.0, 0.0])


def test_and_never_as_less() -> None:
    _, x = inner([1.0, 2.0, 3.0])
    y = x.square()
    x[constant([1], "int64")] = 0.0
    with pytest.raises(VersionError):
        y.sum().backward()


def test_a_version_that_moved_without_a_write_to_the_saved_bytes() -> None:
    w, base = inner(np.arange(6.0).reshape(2, 3))
    y = base[0].square()
    base[1].unsqueeze_(0)
    base[1].fill_(7.0)
    assert base.inplace_version == 2
    y.sum().backward()
    check_gradient(w, [[0.0, 2.0, 4.0], [0.0, 0.0, 0.0]])


# --- Memory with several owners


def two_windows(memory: Array) -> tuple[Any, Any]:
    """Two tensors of their own on overlapping memory that came in from outside."""
    return ol.from_dlpack(memory[:-1]), ol.from_dlpack(memory[1:])


def test_foreign_memory_taken_in_twice_is_read_as_it_was() -> None:
    """C8 knows bytes, not storages."""
    memory = np.arange(100.0)
    early, late = two_windows(memory)
    late.copy_(early)
    np.testing.assert_array_equal(memory, np.concatenate([[0.0], np.arange(99.0)]))
    memory[:] = np.arange(100.0)
    late.add_(early)
    expected = np.arange(100.0)
    expected[1:] += np.arange(99.0)
    np.testing.assert_array_equal(memory, expected)


def test_foreign_memory_taken_in_twice_keeps_its_gradients() -> None:
    w = leaf(np.ones(3))
    memory = np.arange(1.0, 5.0)
    early, late = two_windows(memory)
    y = w * early
    late.fill_(0.0)
    y.sum().backward()
    check_gradient(w, [1.0, 2.0, 3.0])


def test_a_cast_after_all_views_died() -> None:
    w, base = inner([1.0, 2.0, 3.0])
    view = base[1:]
    view.multiply_(view.clone())
    del view
    gc.collect()
    base.cast_("float32")
    base.multiply_(2.0)
    check(base, np.array([2.0, 8.0, 18.0], "float32"))
    base.sum().backward()
    check_gradient(w, [2.0, 8.0, 12.0])


def test_a_view_that_outlived_a_base_may_be_cast() -> None:
    w, base = inner([1.0, 2.0, 3.0])
    view = base[1:]
    del base
    gc.collect()
    try:
        view.cast_("float32")
    except ValueError:
        return  # a view stays a view; both answers keep what C6 promises
    view.sum().backward()
    check_gradient(w, [0.0, 1.0, 1.0])


def test_the_same_tensor_as_target_and_index_and_value() -> None:
    x = constant([2, 0, 1], "int64")
    x[x] = x
    expected = np.array([2, 0, 1])
    expected[expected.copy()] = np.array([2, 0, 1])
    check(x, expected)


def test_a_detached_part_written_between_two_readers() -> None:
    w, x = inner([1.0, 2.0])
    first = x * 2
    x.detach()[0:1].add_(5.0)
    second = x * 3
    (first + second).sum().backward()
    check_gradient(w, [5.0, 5.0])
    check(second, [18.0, 6.0])
    check(array(first), [2.0, 4.0])
