"""Rules E1 to E4: version, map, identity and history after a write that succeeded."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import (
    array,
    check,
    check_gradient,
    constant,
    derivative,
    dtype_of,
    inner,
    leaf,
    refused,
    shares_version,
)

REMAPS: dict[str, tuple[tuple[int, ...], Callable[[Any], Any], tuple[int, ...]]] = {
    "squeeze_": ((2, 1, 3), lambda x: x.squeeze_(1), (2, 3)),
    "unsqueeze_": ((2, 3), lambda x: x.unsqueeze_(1), (2, 1, 3)),
    "reshape_": ((2, 3), lambda x: x.reshape_([3, 2]), (3, 2)),
    "transpose_": ((2, 3), lambda x: x.transpose_([1, 0]), (3, 2)),
}


@pytest.mark.asan
def test_e1_the_version_is_shared_by_base_views_and_detach() -> None:
    base = constant([[1.0, 2.0], [3.0, 4.0]])
    family = [base, base[0], base.reshape([4])[1:], base.transpose([1, 0]), base.detach()]
    for count, member in enumerate(family, start=1):
        member.add_(1.0)
        assert [m.inplace_version for m in family] == [count] * len(family)
    check(base, [[5.0, 7.0], [7.0, 8.0]])
    assert base.clone().inplace_version == 0
    assert (base + 0).inplace_version == 0


def test_e1_every_call_counts_once() -> None:
    x = constant([1.0, 2.0])
    x.add_(1).relu_().fill_(3.0).zero_()
    assert x.inplace_version == 4
    x[0] = 1.0
    x[constant([True, False], "bool")] = 2.0
    x[constant([1], "int64")] = 2.0
    assert x.inplace_version == 7
    x += 1
    x -= 1
    x *= 2
    x /= 2
    x **= 2
    assert x.inplace_version == 12
    x.copy_(constant([1.0, 1.0]))
    assert x.inplace_version == 13


def test_e1_also_where_nothing_is_written() -> None:
    x = constant(np.zeros((0, 3)))
    x.add_(1.0)
    x[0:0] = 1.0
    assert x.inplace_version == 2


def test_e1_reading_and_backward_do_not_count() -> None:
    w, x = inner([1.0, 2.0])
    (x * x).sum().backward()
    x.numpy()
    x.tolist()
    repr(x)
    assert x.inplace_version == 0
    assert w.inplace_version == 0


@pytest.mark.asan
@pytest.mark.parametrize("op", REMAPS)
def test_e1a_only_the_target_s_own_map_changes(op: str) -> None:
    shape, call, after = REMAPS[op]
    data = np.arange(6.0).reshape(shape)
    expected = data.transpose(1, 0) if op == "transpose_" else data.reshape(after)
    base = constant(data)
    view, detached = base[...], base.detach()
    assert call(base) is base
    assert base.shape == after
    assert view.shape == detached.shape == shape
    check(base, expected)
    check(view, data)
    assert base.inplace_version == view.inplace_version == detached.inplace_version == 1
    call(view)
    assert view.shape == after
    assert detached.shape == shape
    base.add_(1.0)
    check(view, expected + 1)
    check(detached, data + 1)


@pytest.mark.parametrize("op", REMAPS)
@pytest.mark.parametrize("no_grad", [False, True])
@pytest.mark.parametrize("of", ["base", "view", "reshaped"])
def test_e1a_is_recorded_as_a_view_step(op: str, no_grad: bool, of: str) -> None:
    shape, call, after = REMAPS[op]
    weights = np.arange(1.0, 7.0).reshape(after)
    w = leaf(np.linspace(-1, 1, 6).reshape(shape))
    base = w * 2
    target = {"base": base, "view": base[...], "reshaped": base.reshape(list(shape))}[of]
    before = array(base)
    with ol.no_grad() if no_grad else ol.enable_grad():
        call(target)
    assert target.stop_gradient is False
    assert target.is_leaf is False
    (target * constant(weights)).sum().backward(retain_graph=True)
    back = weights.transpose(1, 0) if op == "transpose_" else weights.reshape(shape)
    check_gradient(w, 2 * back)
    if of != "base":
        assert base.shape == shape
        check(base, before)
        w.clear_grad()
        base.sum().backward()
        check_gradient(w, np.full(shape, 2.0))


def test_e1a_the_root_keeps_its_history() -> None:
    w = leaf([[1.0, 2.0], [3.0, 4.0]])
    base = w * 3
    row = base[0]
    row.unsqueeze_(0)
    (base * base).sum().backward()
    check_gradient(w, 18 * array(w))
    w.clear_grad()
    base = w * 3
    row = base[0]
    row.reshape_([2, 1])
    row.multiply_(2.0)
    base.sum().backward()
    check_gradient(w, [[6.0, 6.0], [3.0, 3.0]])


@pytest.mark.parametrize("op", REMAPS)
def test_e1a_leaf_rules_hold(op: str) -> None:
    shape, call, _ = REMAPS[op]
    w = leaf(np.ones(shape))
    with refused(ol.errors.LeafInplaceError, w, says=[op]):
        call(w)
    view = w[...]
    with refused(ol.errors.LeafInplaceError, w, view, says=[op]):
        call(view)


@pytest.mark.parametrize("op", REMAPS)
def test_e1a_counts_as_a_write_of_all_bytes_of_the_target(op: str) -> None:
    """The one agreed exception to B2."""
    shape, call, _ = REMAPS[op]
    w, x = inner(np.ones(shape))
    y = x.square()
    call(x)
    with pytest.raises(ol.errors.VersionError, match=op):
        y.sum().backward()
    assert w.grad is None


def test_e1a_of_the_target_and_no_more() -> None:
    w, x = inner([[1.0, 2.0], [3.0, 4.0]])
    y = x[1].square()
    row = x[0]
    row.unsqueeze_(0)
    y.sum().backward()
    check_gradient(w, [[0.0, 0.0], [6.0, 8.0]])


def test_e1a_a_new_buffer_where_the_layout_cannot_say_the_shape() -> None:
    w, x = inner([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x.transpose_([1, 0])
    x.reshape_([6])
    check(x, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0])
    assert x.inplace_version == 2
    (x * constant([1.0, 2, 3, 4, 5, 6])).sum().backward()
    check_gradient(w, [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]])


def test_e1a_which_is_refused_when_shared() -> None:
    x = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    other = x[0]
    turned = x.transpose([1, 0])
    with refused(ValueError, x, turned, other):
        turned.reshape_([6])
    x.transpose_([1, 0])
    del turned
    gc.collect()  # the refusal's traceback holds it, too
    with refused(ValueError, x, other):
        x.reshape_([6])
    del other
    gc.collect()
    x.reshape_([6])
    check(x, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0])


def test_e2_the_very_object_comes_back() -> None:
    x = constant([[4.0, 2.0]])
    for out in (
        x.relu_(),
        ol.relu_(x),
        x.add_(1),
        x.squeeze_(0),
        x.fill_(2),
        x.copy_(x),
        x.cast_("float32"),
        x.scale_(2.0, 1.0),
    ):
        assert out is x
    y = x
    y += 1
    y[0] = 1
    y /= 3
    assert y is x


def test_e2_update_ops_give_their_targets_back() -> None:
    w, velocity = constant([1.0]), constant([0.0])
    out = ol.momentum_(w, constant([1.0]), velocity, 0.1, mu=0.9)
    assert [one is given for one, given in zip(out, (w, velocity, None), strict=True)] == [True] * 3
    assert ol.sgd_(w, 0.1, constant([1.0]))[0] is w


@pytest.mark.asan
@pytest.mark.parametrize("target_needs", [False, True])
@pytest.mark.parametrize("other_needs", [False, True])
@pytest.mark.parametrize("op", ["add_", "multiply_", "maximum_", "divide_"])
def test_e3_all_four_combinations(target_needs: bool, other_needs: bool, op: str) -> None:
    a, b = np.array([3.0, -2.0]), np.array([0.5, 4.0])
    w, v = leaf(a), leaf(b)
    x = w.clone() if target_needs else constant(a)
    y = v.clone() if other_needs else constant(b)
    getattr(x, op)(y)
    needs = target_needs or other_needs
    assert x.stop_gradient is not needs
    assert x.is_leaf is not needs
    assert y.stop_gradient is not other_needs
    check(x, array(getattr(constant(a), op[:-1])(constant(b))))
    if not needs:
        return
    x.sum().backward()
    slopes = {
        "add_": (np.ones(2), np.ones(2)),
        "multiply_": (b, a),
        "maximum_": ((a > b) * 1.0, (b > a) * 1.0),
        "divide_": (1 / b, -a / b**2),
    }[op]
    check_gradient(w, slopes[0] * target_needs)
    check_gradient(v, slopes[1] * other_needs)


@pytest.mark.asan
def test_e3_the_whole_family_follows() -> None:
    base = constant(np.ones((2, 3)))
    before = base[0]
    grand = before[1:]
    stranger = base[1]
    w = leaf([2.0, 3.0, 4.0])
    before.multiply_(w)
    after = base[1:]
    for member in (base, before, grand, stranger, after):
        assert member.stop_gradient is False
        assert member.is_leaf is False
    grand.sum().backward(retain_graph=True)
    check_gradient(w, [0.0, 1.0, 1.0])
    w.clear_grad()
    (base * 2).sum().backward()
    check_gradient(w, [2.0, 2.0, 2.0])


def test_e3_a_view_older_than_the_history_is_a_leaf_until_it_is_read() -> None:
    """What p00008 of the case file wants: docs/decisions.md, "Views older than a history"."""
    w, base = leaf([2.0]), constant([1.0, 1.0])
    view = base[0:1]
    base.multiply_(w)
    with pytest.raises(ol.errors.LeafInplaceError):
        view.fill_(3.0)
    assert view.is_leaf is False
    view.fill_(3.0)
    base.sum().backward()
    check(base, [3.0, 2.0])
    check_gradient(w, [1.0])


def test_e3_detached_tensors_do_not_follow() -> None:
    base = constant([1.0, 2.0])
    detached = base.detach()
    base.multiply_(leaf([2.0, 2.0]))
    assert detached.stop_gradient
    assert detached.is_leaf
    check(detached, [2.0, 4.0])


ZERO_GRADIENT: dict[str, Callable[[Any], Any]] = {
    "floor_": lambda x: x.floor_(),
    "fill_": lambda x: x.fill_(2.0),
    "zero_": lambda x: x.zero_(),
    "normal_": lambda x: x.normal_(),
    "uniform_": lambda x: x.uniform_(),
}


@pytest.mark.parametrize("op", ZERO_GRADIENT)
def test_e3_a_zero_gradient_ends_the_old_history(op: str) -> None:
    w, x = inner([1.5, 2.5])
    ZERO_GRADIENT[op](x)
    assert x.stop_gradient is False
    assert x.is_leaf is False
    v = leaf([3.0, 4.0])
    kept = array(x)
    (x * v).sum().backward()
    check_gradient(w, [0.0, 0.0])
    check_gradient(v, kept)


@pytest.mark.parametrize("op", ZERO_GRADIENT)
def test_e3_of_what_it_writes_only(op: str) -> None:
    w, x = inner([[1.5, 2.5], [3.5, 4.5]])
    ZERO_GRADIENT[op](x[0])
    x.sum().backward()
    check_gradient(w, [[0.0, 0.0], [1.0, 1.0]])


@pytest.mark.parametrize("op", [*ZERO_GRADIENT, "copy_"])
def test_e3_the_old_history_is_asked_for_nothing(op: str) -> None:
    """What the overwritten value kept is no wanted gradient's any more (B1), so it may be gone."""
    v = leaf([3.0, 4.0])
    writes: dict[str, Callable[[Any], Any]] = {**ZERO_GRADIENT, "copy_": lambda x: x.copy_(v)}
    w = leaf([0.5, 1.5])
    x = w.exp()
    writes[op](x)
    (x * v).sum().backward()
    check_gradient(w, [0.0, 0.0])
    assert v.grad is not None


def test_e3_copy_takes_the_source_s_history() -> None:
    w, x = inner([1.0, 2.0])
    v = leaf([3.0, 4.0])
    x.copy_(v * 2)
    (x * 5).sum().backward()
    check_gradient(w, [0.0, 0.0])
    check_gradient(v, [10.0, 10.0])


def test_e3_a_result_that_is_not_float_has_no_history() -> None:
    _, x = inner([1.0, 2.0])
    x.greater_than_(1.5)
    assert x.stop_gradient
    assert x.is_leaf
    _, y = inner([1.0, 2.0])
    y.cast_("int64")
    assert y.stop_gradient
    assert y.is_leaf
    n = constant([1, 2], "int64")
    n.add_(constant([1, 1], "int64"))
    assert n.stop_gradient
    assert dtype_of(n) == "int64"


def test_e3_nothing_is_recorded_without_need() -> None:
    x = constant([1.0])
    x.add_(constant([1.0])).exp_()
    assert x.stop_gradient
    assert x.is_leaf
    with ol.no_grad():
        y = leaf([1.0]) * 2
        y.add_(leaf([1.0]))
    assert y.stop_gradient
    assert y.is_leaf


@pytest.mark.asan
def test_e4_readers_keep_the_old_history() -> None:
    w, x = inner([1.0, 2.0])
    y = x * 3
    x.multiply_(5.0)
    z = x * 7
    (y + z).sum().backward()
    check_gradient(w, [38.0, 38.0])


@pytest.mark.parametrize(
    ("write", "slope"),
    [
        (lambda x: x.add_(x), lambda x: 0 * x + 2),
        (lambda x: x.subtract_(x), lambda x: 0 * x),
        (lambda x: x.multiply_(x), lambda x: 2 * x),
        (lambda x: x.divide_(x), lambda x: 0 * x),
        (lambda x: x.pow_(x), lambda x: x**x * (np.log(x) + 1)),
        (lambda x: x.copy_(x), lambda x: 0 * x + 1),
        (lambda x: x.add_(x[...]), lambda x: 0 * x + 2),
    ],
)
def test_e4_the_node_does_not_feed_itself(
    write: Callable[[Any], Any], slope: Callable[[Any], Any]
) -> None:
    data = np.array([0.5, 2.0, 3.0])
    w, x = inner(data)
    write(x)
    x.sum().backward()
    check_gradient(w, slope(data))


def test_e4_gradients_of_the_old_value_and_the_new_one() -> None:
    w = leaf([1.0, 2.0])
    x = w * w
    old = x * 1
    x.exp_()
    assert derivative(x.sum(), old) is None
    by_present = derivative((x * 3).sum(), x)
    check(by_present, [3.0, 3.0])


def test_views_share_and_plain_results_do_not() -> None:
    x = constant([[1.0, 2.0], [3.0, 4.0]])
    assert shares_version(x, x[0])
    assert shares_version(x, x.detach())
    assert not shares_version(x, x.clone())
    assert not shares_version(x, ol.assign(x))
