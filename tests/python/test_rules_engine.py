"""Rules B5 to B8: the engine's own buffers, sums by node, higher order, freed graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import (
    array,
    central_difference,
    check,
    check_gradient,
    constant,
    derivative,
    gradient,
    inner,
    leaf,
)


@pytest.mark.asan
def test_b5_gradients_that_a_user_holds_are_not_written() -> None:
    w, v = leaf([1.0, 2.0, 3.0]), leaf([4.0])
    base = w * 1
    kept: list[Any] = []
    base[0:1] = v
    base.register_hook(kept.append)
    base[1:2].multiply_(3.0)
    seed = constant([1.0, 1.0, 1.0])
    base.backward(seed)
    check(seed, [1.0, 1.0, 1.0])
    check(kept[0], [1.0, 3.0, 1.0])
    assert seed.inplace_version == 0
    check_gradient(w, [0.0, 3.0, 1.0])
    check_gradient(v, [1.0])


def test_b5_one_gradient_for_two_inputs_is_not_one_buffer() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    x, y = w * 1, v * 1
    total = x + y
    x.register_hook(lambda g: (g.fill_(0.0), None)[1])
    total.sum().backward()
    check_gradient(v, [1.0, 1.0])


@pytest.mark.asan
def test_b5_a_rule_that_is_one_kernel_writes_no_gradient_that_others_hold() -> None:
    """The seed, what a hook kept, what retain_grad() stores, one gradient for two branches."""
    first, second = np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.25, -3.0])
    w, v = leaf(first), leaf(second)
    total = ol.tanh(w) + ol.sigmoid(v)
    kept: list[Any] = []
    total.register_hook(kept.append)
    total.retain_grad()
    seed = constant([1.0, 2.0, 3.0])
    ol.tanh(total).backward(seed)

    sigmoid = 1 / (1 + np.exp(-second))
    between = np.array([1.0, 2.0, 3.0]) * (1 - np.tanh(np.tanh(first) + sigmoid) ** 2)
    check(seed, [1.0, 2.0, 3.0])
    check(kept[0], between)
    check_gradient(total, between)
    check_gradient(w, between * (1 - np.tanh(first) ** 2))
    check_gradient(v, between * sigmoid * (1 - sigmoid))
    assert seed.inplace_version == 0


def test_b5_a_rule_that_is_one_kernel_is_heard_by_a_trace_and_gives_the_same() -> None:
    def run() -> Any:
        w = leaf([0.5, -1.0, 2.0])
        ol.tanh(ol.relu(ol.tanh(w))).sum().backward()
        return array(w.grad)

    with ol.trace() as calls:
        heard = run()
    np.testing.assert_array_equal(run(), heard)
    names = [call.op for call in calls]
    assert names.count("tanh_grad") == 2
    assert names.count("relu_grad") == 1


@pytest.mark.asan
def test_b1_a_hook_that_writes_what_a_rule_is_still_to_read_is_found() -> None:
    w = leaf([1.0, 2.0])
    y = ol.tanh(w)

    def write(gradient: Any) -> None:
        with ol.no_grad():
            y.fill_(0.0)

    y.register_hook(write)
    with pytest.raises(ol.errors.VersionError, match="'tanh_grad'"):
        (y * 2.0).sum().backward()
    assert w.grad is None


def test_b5_retained_graphs_give_the_same_twice() -> None:
    w, base = inner([1.0, 2.0, 3.0])
    base[0:1] = 5.0
    base[1:].multiply_(2.0)
    loss = (base * constant([1.0, 2.0, 3.0])).sum()
    for _ in range(3):
        w.clear_grad()
        loss.backward(retain_graph=True)
        check_gradient(w, [0.0, 4.0, 6.0])


def test_b5_filling_rows_reuses_the_gradient_buffer() -> None:
    """So that n rows cost n: a fresh buffer of the whole table for each would cost n * n."""
    count = 50
    rows = leaf(np.ones(3))
    table = ol.zeros([count, 3], dtype="float64")
    for i in range(count):
        table[i] = rows * float(i)
    with ol.trace() as calls:
        table.sum().backward()
    ops = [call.op for call in calls]
    # The zeros before the first row want no gradient; what sum hands to the last row is a view.
    assert ops.count("set_item_") == count - 2  # in the engine's own buffer
    assert ops.count("set_item") == 1
    check_gradient(rows, np.full(3, count * (count - 1) / 2))


@pytest.mark.asan
def test_b6_an_in_place_result_used_directly_as_loss() -> None:
    w = leaf([0.5, -0.25])
    y = w * 2
    loss = y.tanh_()
    loss.backward()
    check_gradient(w, 2 * (1 - np.tanh([1.0, -0.5]) ** 2))


def test_b6_a_backward_from_old_and_new_values_at_once() -> None:
    w = leaf([0.5, -0.25])
    y = w * 2
    old = y + 0
    y.tanh_()
    (old * 3 + y).sum().backward()
    check_gradient(w, 6 + 2 * (1 - np.tanh([1.0, -0.5]) ** 2))


def test_b6_the_same_target_written_twice() -> None:
    w = leaf([0.5, -0.25])
    y = w * 2
    first = y * 1
    y.add_(w)
    second = y * 1
    y.multiply_(3.0)
    (first + second + y).backward(constant([1.0, 10.0]))
    check_gradient(w, [2.0 + 3 + 9, 140.0])


SECOND_ORDER: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "in place": (lambda x: x.multiply_(x).sin_(), lambda a: np.sin(a * a)),
    "view": (
        lambda x: (x[0:2].multiply_(x[1:3]), x)[1],
        lambda a: np.concatenate([a[0:2] * a[1:3], a[2:]]),
    ),
    "set part": (
        lambda x: (x.__setitem__(slice(1, 3), x[0:2].clone() ** 3), x)[1],
        lambda a: np.concatenate([a[:1], a[0:2] ** 3]),
    ),
    "set rows": (
        lambda x: (x.__setitem__(constant([2, 0], "int64"), x[0:2].clone() ** 3), x)[1],
        lambda a: np.array([a[1] ** 3, a[1], a[0] ** 3]),
    ),
    "set mask": (
        lambda x: (x.__setitem__(constant([True, False, True], "bool"), x[1:3].exp()), x)[1],
        lambda a: np.array([np.exp(a[1]), a[1], np.exp(a[2])]),
    ),
    "reshape": (
        lambda x: x.reshape_([3, 1]).square_().transpose_([1, 0]).squeeze_(0),
        lambda a: a**2,
    ),
    "copy": (lambda x: x.copy_(x.clone().sin() * 2), lambda a: np.sin(a) * 2),
    "divide": (lambda x: x.divide_(x[0].clone() * x[2].clone()), lambda a: a / (a[0] * a[2])),
    "softmax": (lambda x: x.softmax_(0), lambda a: np.exp(a) / np.exp(a).sum()),
}


@pytest.mark.asan
@pytest.mark.parametrize("name", SECOND_ORDER)
def test_b7_second_and_third_order(name: str) -> None:
    """Each order against central differences of the one below; the first of the NumPy twin."""
    write, twin = SECOND_ORDER[name]
    data = np.array([0.7, 1.3, 0.4])
    weights = np.array([1.0, -2.0, 0.5])

    def derivatives(at: Any, order: int) -> Any:
        w = leaf(at)
        value = (write(w.clone()) * constant(weights)).sum()
        for level in range(order):
            if value.stop_gradient:
                return np.zeros(3)
            slope = derivative(value, w, create_graph=level + 1 < order)
            if slope is None:
                return np.zeros(3)
            value = (slope * constant(weights[::-1])).sum()
        return array(slope)

    check(
        derivatives(data, 1),
        central_difference(lambda at: float((twin(at.copy()) * weights).sum()), data),
        1e-7,
    )
    for order in (2, 3):

        def below(at: Any, order: int = order) -> float:
            return float((derivatives(at, order - 1) * weights[::-1]).sum())

        check(derivatives(data, order), central_difference(below, data, 1e-5), 1e-6)


def test_b7_create_graph_in_backward() -> None:
    w = leaf([2.0])
    x = w * 1
    x.multiply_(x).multiply_(w)
    x.backward(create_graph=True)
    check_gradient(w, [12.0])
    first = w.grad
    assert first.stop_gradient is False
    w.clear_grad()
    first.backward()
    check_gradient(w, [12.0])


def test_b7_gradient_penalty() -> None:
    """(dy/dx)^2 + y^2 of y = x^2 at 1: 12."""
    x = leaf([1.0])
    y = x * 1
    y.square_()
    slope = derivative(y, x, create_graph=True)
    (slope.square() + y.square()).backward()
    check_gradient(x, [12.0])


@pytest.mark.asan
def test_b8_a_freed_graph_says_how_to_keep_it() -> None:
    w = leaf([1.0, 2.0])
    loss = (w * w).exp().sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        loss.backward()
    check_gradient(w, 2 * np.array([1.0, 2.0]) * np.exp([1.0, 4.0]))


def test_b8_retain_graph() -> None:
    w, x = inner([1.0, 2.0])
    loss = x.square().sum()
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    check_gradient(w, [4.0, 8.0])
    x.add_(1.0)
    with pytest.raises(ol.errors.VersionError, match="add_"):
        loss.backward()
    check_gradient(w, [4.0, 8.0])


def test_b8_b1_is_tested_each_time() -> None:
    w, x = inner([1.0, 2.0])
    loss = x.exp().sum() * 2
    loss.backward(retain_graph=True)
    x.fill_(3.0)
    loss.backward(retain_graph=True)
    check_gradient(w, 4 * np.exp([1.0, 2.0]))


def test_b8_a_target_written_in_every_step_is_named() -> None:
    w = leaf([1.0, 2.0])
    running = constant([0.0, 0.0])
    running.name = "running_mean"
    running.multiply_(0.9).add_(w * w)
    (running * w).sum().backward()
    running.multiply_(0.9).add_(w * w)
    with pytest.raises(RuntimeError) as caught:
        (running * w).sum().backward()
    text = str(caught.value)
    assert not isinstance(caught.value, ol.errors.VersionError)
    for part in ("running_mean", "detach_()", "no_grad", "retain_graph=True"):
        assert part in text


@pytest.mark.parametrize("way", ["detach_", "no_grad"])
def test_b8_the_ways_out_work(way: str) -> None:
    w = leaf([1.0, 2.0])
    running = constant([0.0, 0.0])
    for _ in range(3):
        w.clear_grad()
        if way == "detach_":
            running.detach_()
            running.multiply_(0.5).add_(w * w)
        else:
            with ol.no_grad():
                running.multiply_(0.5).add_(w * w)
        (running * w).sum().backward()
    final = (1 + 0.5 + 0.25) * np.array([1.0, 4.0])
    check(running, final)
    own = 2 * np.array([1.0, 2.0]) ** 2 if way == "detach_" else 0.0
    check_gradient(w, final + own)


def test_b8_a_graph_without_saved_values_may_be_freed_as_well() -> None:
    w = leaf([1.0])
    loss = w * 2
    loss.backward()
    loss = w * 2 + 1
    loss.backward()
    check_gradient(w, [4.0])


def test_backward_from_a_tensor_without_a_history_is_refused() -> None:
    with pytest.raises((RuntimeError, ValueError), match="stop_gradient"):
        constant([1.0]).backward()


def test_backward_from_a_leaf_gives_the_seed() -> None:
    w = leaf([1.0, 2.0])
    w.backward()
    check_gradient(w, [1.0, 1.0])
    w.backward(constant([2.0, 3.0]))
    check_gradient(w, [3.0, 4.0])


def test_a_seed_of_another_shape_or_kind_is_refused() -> None:
    w = leaf([1.0, 2.0])
    y = w * 2
    with pytest.raises(ValueError, match=r"\[3\]"):
        y.backward(constant([1.0, 2.0, 3.0]))
    with pytest.raises((TypeError, ValueError)):
        y.backward(constant([1, 2], "int64"))
    assert w.grad is None
    y.backward()
    check(gradient(w), [2.0, 2.0])
