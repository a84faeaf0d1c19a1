"""x[key] and x[key] = value against NumPy, in values, gradients and versions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oploom as ol

SHAPE = (3, 4, 5)
FULL = slice(None)
I32 = np.int32

BASIC: list[Any] = [
    0,
    -1,
    (1, 2),
    (1, 2, -3),
    FULL,
    slice(1, None),
    slice(-2, 100),
    slice(2, 1),
    (FULL, slice(0, 4, 2)),
    (slice(None, None, 2), 1, slice(1, 5, 3)),
    ...,
    (..., 0),
    (0, ...),
    (0, ..., 1),
    (1, 2, 3, ...),
    None,
    (None, 0, None, FULL, None),
    (..., None),
    (),
    np.int64(1),
    (np.int32(1), FULL, -1),
]

MASK = (np.arange(60) % 3 == 0).reshape(SHAPE)
ADVANCED: list[Any] = [
    [0, 2],
    [-1, -2, 0],
    np.array([1, 1, 0]),
    np.array([[0, 1], [2, -1]]),
    np.array([], dtype=np.int64),
    ([0, 1], [2, 3]),
    ([0, 1], [2, 3], [-1, 4]),
    (np.array([[0], [2]]), np.array([1, 3])),
    (FULL, [0, 3]),
    (FULL, FULL, [0, 3, 3]),
    (slice(1, None), [0, 3]),
    (0, [1, 2]),
    ([1, 2], 0),
    ([1, 2], FULL, 0),
    (0, FULL, [1, 2]),
    (FULL, 0, [1, 2]),
    (FULL, [1, 2], 0),
    ([0, 1], FULL, [1, 2]),
    ([0, 1], slice(1, 3), np.array([[1, 2], [3, 4]])[:, :2]),
    (FULL, [0, 1], [1, 2]),
    (..., [1, 2]),
    ([0, 1], ..., [1, 2]),
    (None, [0, 2]),
    ([0, 2], None),
    ([0, 2], None, [1, 2]),
    (FULL, None, [0, 2], slice(1, 3)),
    MASK,
    np.zeros(SHAPE, bool),
    [True, False, True],
    np.array([True, False, True]),
    (FULL, np.array([True, False, True, True])),
    (FULL, FULL, np.array([True, False, True, True, False])),
    MASK[:, :, 0],
    (FULL, MASK[0]),
    (0, MASK[0]),
    (MASK[:, :, 0], [0, 1, 2, 0]),
    (slice(0, 2), MASK[0, :, 0], [1]),
    True,
    False,
    (FULL, True),
    (np.array([1, 0], dtype=I32), FULL, np.uint8([2])),
]


def numbers(shape: tuple[int, ...] = SHAPE) -> np.ndarray[Any, Any]:
    return np.arange(1, 1 + np.prod(shape), dtype=np.float64).reshape(shape)


def as_tensors(key: Any) -> Any:
    """The same key with tensors in place of arrays and lists."""
    if isinstance(key, tuple):
        return tuple(as_tensors(item) for item in key)
    if isinstance(key, np.ndarray):
        return ol.to_tensor(key)
    if isinstance(key, list):
        return ol.to_tensor(np.array(key))
    return key


def names(key: Any) -> str:
    return repr(key).replace("\n", "").replace(" ", "")[:60]


@pytest.mark.parametrize("key", BASIC + ADVANCED, ids=names)
@pytest.mark.parametrize("convert", [lambda key: key, as_tensors], ids=["numpy", "tensors"])
def test_read(key: Any, convert: Callable[[Any], Any]) -> None:
    data = numbers()
    expected = data[key]
    x = ol.to_tensor(data, stop_gradient=False)
    part = x[convert(key)]
    assert part.shape == expected.shape
    np.testing.assert_array_equal(part.numpy(), expected)
    weights = numbers(expected.shape)
    (part * ol.to_tensor(weights)).sum().backward()
    gradient = np.zeros(SHAPE)
    np.add.at(gradient, key, weights)
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.numpy(), gradient)


@pytest.mark.parametrize("key", BASIC + ADVANCED, ids=names)
@pytest.mark.parametrize("kind", ["number", "full", "broadcast", "column"])
def test_write(key: Any, kind: str) -> None:
    data = numbers()
    shape = data[key].shape
    value: Any = {
        "number": -1.0,
        "full": -numbers(shape),
        "broadcast": -numbers(shape[-1:]),
        "column": -numbers((*shape[:-1], 1)) if shape else np.array(-1.0),
    }[kind]
    expected = data.copy()
    expected[key] = value
    for convert in (lambda k: k, as_tensors):
        x = ol.to_tensor(data)
        x[convert(key)] = ol.to_tensor(value) if kind != "number" else value
        np.testing.assert_array_equal(x.numpy(), expected)
        assert x.inplace_version == 1


@pytest.mark.parametrize("key", BASIC + ADVANCED, ids=names)
def test_gradients_of_a_write(key: Any) -> None:
    positions = np.arange(60).reshape(SHAPE)[key]
    if len(np.unique(positions)) != positions.size:
        pytest.skip("which of two values lands in one place is not what this test is about")
    start = ol.to_tensor(numbers(), stop_gradient=False)
    value = ol.to_tensor(numbers(positions.shape), stop_gradient=False)
    x = start.clone()
    x[key] = value
    weights = numbers()
    (x * ol.to_tensor(weights)).sum().backward()
    kept = weights.copy()
    kept[key] = 0
    assert start.grad is not None
    assert value.grad is not None
    np.testing.assert_array_equal(start.grad.numpy(), kept)
    np.testing.assert_array_equal(value.grad.numpy(), weights[key])


def test_basic_keys_give_views_and_others_copies() -> None:
    x = ol.zeros([3, 4])
    x[1, ::2].fill_(1.0)
    x[[0, 1]].fill_(5.0)
    x[x == 1].fill_(5.0)
    assert x.tolist() == [[0, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]


def test_write_of_the_part_itself_is_no_write() -> None:
    x = ol.to_tensor(numbers((6,)))
    x[2:5] += 1
    assert x.inplace_version == 1
    x[2:5] **= 2
    assert x.inplace_version == 2
    x[...] = x
    x[None] = x[None]
    assert x.inplace_version == 2
    x[0:2] = x[2:4]
    assert x.inplace_version == 3
    y = ol.to_tensor(numbers((2, 3)))
    y[1] *= 2
    y[:, 1] -= 1
    y[1:2, 0] = y[1, 0]  # another shape, the same bytes: an ordinary write
    assert y.inplace_version == 3
    assert y.tolist() == [[1, 1, 3], [8, 9, 12]]


def test_augmented_assignment_through_masks_and_arrays() -> None:
    x = ol.to_tensor(numbers((6,)))
    x[x > 4] *= 10
    x[[0, 1]] -= 1
    assert x.tolist() == [0, 1, 3, 4, 50, 60]
    assert x.inplace_version == 2


def test_overlapping_reads_and_writes() -> None:
    x = ol.to_tensor(numbers((5,)))
    x[1:] = x[:-1]
    assert x.tolist() == [1, 1, 2, 3, 4]
    i = ol.to_tensor([1, 0, 3, 2])
    i[i] = ol.to_tensor([10, 20, 30, 40])
    assert i.tolist() == [20, 10, 40, 30]


def test_values_may_be_lists_and_arrays() -> None:
    x = ol.zeros([2, 3])
    x[0] = [1, 2, 3]
    x[1] = np.arange(3.0)
    x[:, 0] = (7, 8)
    assert x.tolist() == [[7, 2, 3], [8, 1, 2]]


def test_views_write_into_their_base_with_history() -> None:
    w = ol.to_tensor([2.0, 3.0], stop_gradient=False)
    table = ol.zeros([3, 2])
    for i in range(3):
        table[i] = w * float(i)
    table.sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [3.0, 3.0]


def test_leaf_is_refused() -> None:
    w = ol.to_tensor(numbers(), stop_gradient=False)
    for key in (0, [0, 1], (FULL, [0, 1]), MASK):
        with pytest.raises(ol.errors.LeafInplaceError):
            w[key] = 1.0
    assert w.inplace_version == 0
    with ol.no_grad():
        w[FULL, [0, 1]] = 0.0
        w[0] = 1.0
    assert w.inplace_version == 2
    assert w.is_leaf


@pytest.mark.parametrize(
    ("key", "kind", "message"),
    [
        (3, IndexError, "3"),
        (-4, IndexError, "-4"),
        ((0, 0, 0, 0), IndexError, "at most 3"),
        ((..., ...), IndexError, "ellipsis"),
        (slice(None, None, -1), Exception, "step"),
        (slice(None, None, 0), Exception, "step"),
        ([0.5], IndexError, "must be integers or bools"),
        ([0, 3], IndexError, "3"),
        ([[0], [-4]], IndexError, "-4"),
        ([True, False], IndexError, "mask"),
        (np.ones((3, 5), bool), IndexError, "mask"),
        ("a", TypeError, "str"),
        (1.0, TypeError, "float"),
        ((slice("a"),), TypeError, "str"),
        (([0, 1], [0, 1, 2]), Exception, "broadcast"),
        (([0], [0], [0], [0]), IndexError, "too many"),
    ],
    ids=names,
)
def test_refusals(key: Any, kind: type[Exception], message: str) -> None:
    x = ol.to_tensor(numbers())
    with pytest.raises(kind, match=message):
        x[key]
    with pytest.raises(kind, match=message):
        x[key] = 0.0
    assert x.inplace_version == 0
    np.testing.assert_array_equal(x.numpy(), numbers())


def test_values_that_do_not_fit_are_refused() -> None:
    x = ol.to_tensor(numbers())
    for key in (0, [0, 1], (FULL, [0, 1]), MASK):
        with pytest.raises(ValueError, match=r"7\]"):
            x[key] = ol.zeros([7], dtype="float64")
        with pytest.raises(TypeError, match="not str"):
            x[key] = "text"
    with pytest.raises(TypeError, match="cannot be deleted"):
        del x[0]
    assert x.inplace_version == 0


KEY_ITEMS: list[Any] = [
    0,
    -1,
    FULL,
    slice(1, None),
    slice(None, None, 2),
    None,
    ...,
    [0, 1],
    [1, -1],
    [[0], [1]],
    [True, False],
]


@given(st.lists(st.sampled_from(KEY_ITEMS), min_size=1, max_size=4), st.integers(1, 3))
def test_mixtures(items: list[Any], rank: int) -> None:
    key = tuple(items)
    data = numbers((2, 2, 2)[:rank])
    try:
        expected = data[key]
    except (IndexError, ValueError):
        with pytest.raises((IndexError, ValueError)):
            ol.to_tensor(data)[key]
        return
    np.testing.assert_array_equal(ol.to_tensor(data)[key].numpy(), expected)
    written = data.copy()
    written[key] = -numbers(expected.shape)
    x = ol.to_tensor(data)
    positions = np.arange(data.size).reshape(data.shape)[key]
    x[key] = ol.to_tensor(-numbers(expected.shape))
    if len(np.unique(positions)) == positions.size:
        np.testing.assert_array_equal(x.numpy(), written)


def test_every_pair_of_items() -> None:
    data = numbers((2, 2, 2))
    x = ol.to_tensor(data)
    for key in itertools.product(KEY_ITEMS, KEY_ITEMS):
        if key.count(...) > 1:
            continue
        np.testing.assert_array_equal(x[key].numpy(), data[key], err_msg=repr(key))
