"""Rules E5 to E9: families of views, indexing, unrecorded writes, hooks, plain forms."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import (
    Array,
    array,
    central_difference,
    check,
    check_gradient,
    constant,
    gradient,
    inner,
    leaf,
    shares_version,
)


@pytest.mark.asan
def test_e5_a_write_into_a_member_reaches_base_and_siblings() -> None:
    w, base = inner([[1.0, 2.0], [3.0, 4.0]])
    row, column = base[0], base[:, 0]
    row.multiply_(10.0)
    check(base, [[10.0, 20.0], [3.0, 4.0]])
    check(column, [10.0, 3.0])
    for read, expected in (
        (base, [[10.0, 10.0], [1.0, 1.0]]),
        (row, [[10.0, 10.0], [0.0, 0.0]]),
        (column, [[10.0, 0.0], [1.0, 0.0]]),
        (base[1], [[0.0, 0.0], [1.0, 1.0]]),
    ):
        w.clear_grad()
        read.sum().backward(retain_graph=True)
        check_gradient(w, expected)


def test_e5_writes_through_several_members_in_turn() -> None:
    w, base = inner([1.0, 2.0, 3.0])
    left, right = base[0:2], base[1:3]
    left.multiply_(2.0)
    right.multiply_(3.0)
    base.add_(1.0)
    left.multiply_(5.0)
    check(base, [15.0, 65.0, 10.0])
    (base * constant([1.0, 10.0, 100.0])).sum().backward()
    check_gradient(w, [10.0, 300.0, 300.0])


def test_e5_a_view_of_a_view_of_a_turned_view() -> None:
    data = np.arange(1.0, 25.0).reshape(2, 3, 4)
    w, base = inner(data)
    view = base.transpose([2, 0, 1])[1:3].reshape([2, 2, 3])[:, 1, 0:2]
    picked = data.transpose(2, 0, 1)[1:3][:, 1, 0:2]
    check(view, picked)
    view.exp_()
    expected = np.ones(data.shape)
    expected.transpose(2, 0, 1)[1:3][:, 1, 0:2] = np.exp(picked)
    base.sum().backward()
    check_gradient(w, expected)


def test_e5_the_gradient_to_the_root_is_assigned_zero() -> None:
    """Multiplying by a mask would give 0 * inf = NaN."""
    w, base = inner([1.0, 2.0])
    v = leaf([5.0])
    base[0:1] = v
    for bad in (np.inf, np.nan):
        w.clear_grad()
        v.clear_grad()
        base.clone().backward(constant([bad, 1.0]), retain_graph=True)
        np.testing.assert_array_equal(gradient(w), [0.0, 1.0])
        np.testing.assert_array_equal(gradient(v), [bad])


@pytest.mark.parametrize("target_needs", [False, True])
@pytest.mark.parametrize("value_needs", [False, True])
def test_e5_four_combinations_for_a_write_into_a_view(
    target_needs: bool, value_needs: bool
) -> None:
    w, v = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([5.0, 6.0])
    base = w.clone() if target_needs else constant([[1.0, 2.0], [3.0, 4.0]])
    base[0].multiply_(v if value_needs else v.detach())
    assert base.stop_gradient is not (target_needs or value_needs)
    check(base, [[5.0, 12.0], [3.0, 4.0]])
    if base.stop_gradient:
        return
    base.sum().backward()
    check_gradient(w, np.array([[5.0, 6.0], [1.0, 1.0]]) * target_needs)
    check_gradient(v, np.array([1.0, 2.0]) * value_needs)


@pytest.mark.asan
def test_e5_split_gives_writable_members() -> None:
    w, base = inner([1.0, 2.0, 3.0, 4.0])
    left, right = ol.split(base, 2)
    assert shares_version(base, left)
    right.multiply_(left)
    left.fill_(0.0)
    check(base, [0.0, 0.0, 3.0, 8.0])
    with pytest.raises(ol.errors.VersionError, match="fill_"):
        base.sum().backward()
    w, base = inner([1.0, 2.0, 3.0, 4.0])
    left, right = ol.split(base, 2)
    right.multiply_(left)
    left.multiply_(3.0)
    with pytest.raises(ol.errors.VersionError):
        base.sum().backward()
    w, base = inner([1.0, 2.0, 3.0, 4.0])
    left, right = ol.split(base, 2)
    right.multiply_(left)
    base.sum().backward()
    check_gradient(w, [4.0, 5.0, 1.0, 2.0])


@pytest.mark.asan
def test_e5_a_view_outlives_its_base() -> None:
    w = leaf([1.0, 2.0, 3.0])
    view = (w * 2)[1:]
    gc.collect()
    view.multiply_(view)
    view.sum().backward()
    check_gradient(w, [0.0, 16.0, 24.0])
    rows = constant(np.zeros((2, 3)))
    kept = rows[1]
    rows[0].add_(w)
    assert kept.stop_gradient is False
    kept.add_(w.detach())
    del rows
    w.clear_grad()
    kept.sum().backward()
    check_gradient(w, [0.0, 0.0, 0.0])


def test_e5_no_cycle_between_base_and_views() -> None:
    w = leaf(np.ones(100))
    in_use = []
    for _ in range(4):
        base = w * 2
        views = [base[i : i + 10] for i in range(0, 100, 10)]
        for view in views:
            view.multiply_(w[0:10])
        del base, views, view
        in_use.append(ol.bytes_in_use())
    assert in_use == [in_use[0]] * 4


READS: dict[str, Any] = {
    "number": 1,
    "negative": -1,
    "slice": slice(1, 3),
    "step": slice(None, None, 2),
    "two": (slice(1, None), slice(0, 3, 2)),
    "none": (slice(None), None, 1),
    "ellipsis": (..., 1),
    "pair": (2, 1),
    "all": (),
}
ROWS = np.array([2, 0, 2])
MASK = np.array([[True, False, True], [False, False, True], [True, True, False], [False] * 3])
GATHERS: dict[str, Any] = {
    "rows": ROWS,
    "mask": MASK,
    "row mask": MASK[:, 0],
    "pairs": (ROWS, np.array([0, 1, 2])),
}


def as_index(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(as_index(part) for part in index)
    return constant(index, str(index.dtype))


@pytest.mark.asan
@pytest.mark.parametrize("name", READS)
def test_e6_basic_indices_read_views(name: str) -> None:
    data = np.arange(12.0).reshape(4, 3)
    w, x = inner(data)
    part = x[READS[name]]
    check(part, data[READS[name]])
    assert shares_version(x, part)
    expected = np.zeros((4, 3))
    expected[READS[name]] = 3.0
    (part * 3).sum().backward()
    check_gradient(w, expected)


@pytest.mark.parametrize("name", READS)
def test_e6_basic_indices_write_with_both_gradients(name: str) -> None:
    data = np.arange(12.0).reshape(4, 3)
    part = data[READS[name]]
    w, x = inner(data)
    v = leaf(np.full(np.shape(part), 7.0))
    x[READS[name]] = v
    expected, kept = data.copy(), np.full((4, 3), 3.0)
    expected[READS[name]] = 7.0
    kept[READS[name]] = 0.0
    check(x, expected)
    assert x.inplace_version == 1
    (x * 3).sum().backward()
    check_gradient(w, kept)
    check_gradient(v, np.full(np.shape(part), 3.0))


@pytest.mark.parametrize("name", GATHERS)
def test_e6_masks_and_index_arrays_read_copies(name: str) -> None:
    data = np.arange(12.0).reshape(4, 3)
    index = GATHERS[name]
    w, x = inner(data)
    for given in (index, as_index(index)):
        part = x[given]
        check(part, data[index])
        assert not shares_version(x, part)
    weights = np.arange(1.0, part.size + 1).reshape(part.shape)
    expected = np.zeros((4, 3))
    np.add.at(expected, index, weights)
    (part * constant(weights)).sum().backward()
    check_gradient(w, expected)


@pytest.mark.parametrize("name", ["mask", "row mask", "pairs", "rows"])
def test_e6_masks_and_index_arrays_write_with_both_gradients(name: str) -> None:
    data = np.arange(12.0).reshape(4, 3)
    index = GATHERS[name] if name != "rows" else np.array([2, 0])
    shape = data[index].shape
    w, x = inner(data)
    v = leaf(np.arange(20.0, 20.0 + np.prod(shape)).reshape(shape))
    x[as_index(index)] = v
    expected, kept = data.copy(), np.full((4, 3), 3.0)
    expected[index] = array(v)
    kept[index] = 0.0
    check(x, expected)
    assert x.inplace_version == 1
    (x * 3).sum().backward()
    check_gradient(w, kept)
    check_gradient(v, np.full(shape, 3.0))


def test_e6_a_number_and_a_broadcast_value() -> None:
    w, x = inner(np.zeros((2, 3)))
    v = leaf([1.0, 2.0, 3.0])
    x[:, 0:2] = 5
    x[constant(MASK[0:2], "bool")] = 9.0
    x[:] = v
    check(x, [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    x.sum().backward()
    check_gradient(v, [2.0, 2.0, 2.0])
    check_gradient(w, np.zeros((2, 3)))


def test_e6_an_index_may_change_afterwards() -> None:
    """Index tensors are inputs: what backward needs of them is tested or copied like all else."""
    w, x = inner([1.0, 2.0, 3.0])
    index = constant([0, 1], "int64")
    y = x[index]
    index.fill_(2)
    try:
        y.sum().backward()
    except ol.errors.VersionError:
        return
    check_gradient(w, [1.0, 1.0, 0.0])


@pytest.mark.asan
def test_e6_an_augmented_assignment_to_a_part_is_one_write() -> None:
    w, x = inner([1.0, 2.0, 3.0, 4.0])
    x[1:3] += 1
    assert x.inplace_version == 1
    x[0:2] **= 2.0
    assert x.inplace_version == 2
    x[3] *= 3.0
    assert x.inplace_version == 3
    check(x, [1.0, 9.0, 4.0, 12.0])
    x.sum().backward()
    check_gradient(w, [2.0, 6.0, 1.0, 3.0])


def test_e6_storing_a_part_into_itself_is_no_write() -> None:
    x = constant([1.0, 2.0, 3.0])
    x[0:2] = x[0:2]
    x[...] = x
    assert x.inplace_version == 0
    x[0:2] = x[1:3]
    assert x.inplace_version == 1
    check(x, [2.0, 3.0, 3.0])


@ol.no_grad()
def shift(x: Any) -> None:
    x.add_(10.0)


UNRECORDED: dict[str, Callable[[Any], Any]] = {
    "no_grad": shift,
    "no_grad view": lambda x: shift(x[...]),
    "detach": lambda x: x.detach().add_(10.0),
    "detach view": lambda x: x.detach()[...].add_(10.0),
    "update": lambda x: ol.sgd_(x, 10.0, constant([-1.0, -1.0])),
}


@pytest.mark.asan
@pytest.mark.parametrize("how", UNRECORDED)
def test_e7_an_unrecorded_write_is_a_shift_by_a_constant(how: str) -> None:
    w = leaf([1.0, 2.0])
    x = w * 3
    view = x[0:1]
    old = x * 1
    UNRECORDED[how](x)
    assert x.inplace_version == 1
    assert x.stop_gradient is False
    assert x.is_leaf is False
    check(x, [13.0, 16.0])
    x.square().sum().backward(retain_graph=True)
    check_gradient(w, [2 * 13.0 * 3, 2 * 16.0 * 3])
    w.clear_grad()
    view.square().sum().backward(retain_graph=True)
    check_gradient(w, [2 * 13.0 * 3, 0.0])
    w.clear_grad()
    old.sum().backward()
    check_gradient(w, [3.0, 3.0])


def test_e7_inside_no_grad_nothing_else_changes() -> None:
    w = leaf([1.0])
    with ol.no_grad():
        w.fill_(4.0)
        w[0] = 5.0
    assert w.is_leaf
    assert w.stop_gradient is False
    assert w.inplace_version == 2
    (w * w).sum().backward()
    check_gradient(w, [10.0])


def test_e8_hooks_stay_with_the_value_they_were_put_on() -> None:
    w = leaf([1.0, 2.0])
    x = w * 1
    seen: dict[str, Array] = {}
    x.register_hook(lambda g: seen.__setitem__("old", array(g)))
    x.multiply_(3.0)
    x.register_hook(lambda g: seen.__setitem__("new", array(g)))
    (x * 2).sum().backward()
    check(seen["old"], [6.0, 6.0])
    check(seen["new"], [2.0, 2.0])
    check_gradient(w, [6.0, 6.0])


def test_e8_a_hook_s_result_takes_the_gradient_s_place() -> None:
    w = leaf([1.0, 2.0])
    x = w * 1
    x.register_hook(lambda g: g * 10)
    x.multiply_(3.0)
    x.sum().backward()
    check_gradient(w, [30.0, 30.0])
    w.clear_grad()
    handle = w.register_hook(lambda g: g * 0)
    (w * 2).sum().backward()
    check_gradient(w, [0.0, 0.0])
    handle.remove()
    w.clear_grad()
    (w * 2).sum().backward()
    check_gradient(w, [2.0, 2.0])


def test_e8_retain_grad_stores_that_of_the_present_value() -> None:
    w = leaf([1.0, 2.0])
    x = w * 1
    x.retain_grad()
    x.multiply_(3.0)
    (x * 5).sum().backward()
    check_gradient(x, [5.0, 5.0])
    check_gradient(w, [15.0, 15.0])


def test_e8_retain_grad_of_a_view_and_a_base() -> None:
    w, base = inner([1.0, 2.0, 3.0])
    part = base[1:]
    base.retain_grad()
    part.retain_grad()
    part.multiply_(10.0)
    base.sum().backward()
    check_gradient(base, [1.0, 1.0, 1.0])
    check_gradient(part, [1.0, 1.0])
    check_gradient(w, [1.0, 10.0, 10.0])


@pytest.mark.asan
def test_e8_an_edit_of_a_hook_is_seen_downstream_only() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    x, y = w * 1, v * 1
    x.register_hook(lambda g: (g.multiply_(10.0), None)[1])
    x.retain_grad()
    total = x + y
    total.retain_grad()
    seed = constant([1.0, 2.0])
    total.backward(seed)
    check(seed, [1.0, 2.0])
    check_gradient(v, [1.0, 2.0])
    check_gradient(w, [10.0, 20.0])
    check_gradient(total, [1.0, 2.0])


def test_e8_an_edit_of_a_leaf_hook_stays_with_the_leaf() -> None:
    w, v = leaf([1.0]), leaf([1.0])
    w.register_hook(lambda g: (g.fill_(7.0), None)[1])
    (w + v).sum().backward()
    check_gradient(w, [7.0])
    check_gradient(v, [1.0])


@pytest.mark.parametrize("layout", ["turned", "cut", "expanded"])
def test_e9_fresh_results_are_contiguous(layout: str) -> None:
    base = constant(np.arange(12.0).reshape(3, 4))
    x = {
        "turned": base.transpose([1, 0]),
        "cut": base[:, :3],
        "expanded": base[:, 0:1].expand([3, 4]),
    }[layout]
    for result in (x.exp(), x + 1, x.clone(), x.cast("float32"), ol.maximum(x, x), x.softmax(0)):
        flat = result.reshape([result.size])
        assert shares_version(result, flat)
        assert not shares_version(result, x)
    copied = x.reshape([x.size])
    assert not shares_version(copied, x)


def test_e9_in_place_keeps_the_target_s_layout() -> None:
    x = constant(np.arange(6.0).reshape(2, 3))
    turned = x.transpose([1, 0])
    turned.exp_().add_(constant(np.ones((3, 2)))).softmax_(0)
    assert not shares_version(turned, turned.reshape([6]))
    assert shares_version(x, x.reshape([6]))


def test_e9_plain_forms_never_change_an_input() -> None:
    x, y = constant([[1.5, -2.0]]), constant([[0.5, 3.0]])
    before = array(x), array(y)
    for result in (x + y, x.relu(), x.clip(0.0, 1.0), ol.maximum(x, y), x.squeeze(0), x.pow(2)):
        assert result is not x
    check(x, before[0])
    check(y, before[1])
    assert x.inplace_version == y.inplace_version == 0
    assert x.shape == (1, 2)


def test_the_gradient_of_a_long_mix_agrees_with_differences() -> None:
    """One program through all of the above, against central differences of its NumPy twin."""

    def twin(data: Array) -> float:
        x = data * 2
        x[1:] = x[:-1].copy() * x[1:]
        x[:, 0] = np.sin(x[:, 0])
        x = x.T.copy()
        x[np.array([2, 0])] += x[1]
        return float((x**2).sum())

    data = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
    w = leaf(data)
    x = w * 2
    x[1:] *= x[:-1].clone()
    x[:, 0].sin_()
    x.transpose_([1, 0])
    rows = constant([2, 0], "int64")
    x[rows] = x[rows] + x[1]
    x.square().sum().backward()
    check_gradient(w, central_difference(twin, data), 1e-5)
