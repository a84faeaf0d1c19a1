"""ol.to_program against eager mode where a program would most easily differ."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from oploom.errors import InplaceError
from tests.python.support import check

pytestmark = pytest.mark.asan

MODES: dict[str, Callable[[Any], Any]] = {"eager": lambda f: f, "to_program": ol.to_program}
both = pytest.mark.parametrize("mode", MODES.values(), ids=MODES)


def leaf(*values: float) -> ol.Tensor:
    return ol.to_tensor(np.array(values), stop_gradient=False)


# --- Gradients of a part of the results.


@both
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_result_that_is_not_used_has_no_part_in_the_gradient(
    mode: Any, create_graph: bool
) -> None:
    f = mode(lambda x: (x.sqrt(), x * x))
    for _ in range(3):  # the derivative is made for what was asked last time
        x = leaf(0.0, 1.0)
        (g,) = ol.grad(f(x)[1].sum(), [x], create_graph=create_graph)
        check(g, [0.0, 2.0])
        if create_graph:
            check(ol.grad(g.sum(), [x])[0], [2.0, 2.0])
        first, second = f(x)
        check(ol.grad(first[1] + second[1], [x])[0], [np.nan, 2.5])


@both
def test_an_argument_that_no_used_result_was_made_of_gets_no_gradient(mode: Any) -> None:
    f = mode(lambda x, y: (x * 2, x * y))
    for _ in range(2):
        x, y = leaf(1.0), leaf(3.0)
        f(x, y)[0].sum().backward()
        check(x.grad, [2.0])
        assert y.grad is None
        f(x, y)[1].sum().backward()
        check(x.grad, [5.0])
        check(y.grad, [1.0])


@both
def test_what_was_written_and_is_not_used_has_no_part_either(mode: Any) -> None:
    @mode
    def f(a: ol.Tensor, x: ol.Tensor) -> ol.Tensor:
        a.copy_(x.sqrt())
        return x * 3

    x = leaf(0.0, 1.0)
    check(ol.grad(f(ol.zeros([2], dtype="float64"), x).sum(), [x])[0], [3.0, 3.0])


@both
def test_retain_graph_whatever_is_asked(mode: Any) -> None:
    f = mode(lambda x: (x * x, x * x * x))
    x = leaf(2.0)
    square, cube = f(x)
    for _ in range(2):
        check(ol.grad(square.sum(), [x], retain_graph=True)[0], [4.0])
        check(ol.grad(cube.sum(), [x], retain_graph=True)[0], [12.0])
    check(ol.grad(square.sum() + cube.sum(), [x])[0], [16.0])
    with pytest.raises(RuntimeError, match="second time"):
        ol.grad(cube.sum(), [x])


# --- Writes.


@both
@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("outside", [False, True])
def test_what_regions_write_under_no_grad_keeps_its_history(
    mode: Any, loop: bool, outside: bool
) -> None:
    def written(h: ol.Tensor) -> None:
        with ol.no_grad():
            if loop:
                ol.while_loop(lambda i: i < 2, lambda i: (h.scale_(0.5), i + 1)[1], [0])
            else:
                taken = ol.ones([], dtype="bool")
                made = ol.cond(taken, lambda: h.scale_(0.25) * 1, lambda: h * 1)
                assert made.stop_gradient

    f = mode(written)
    w = leaf(1.0, 2.0)
    h = w * 3
    if outside:
        with ol.no_grad():
            f(h)
    else:
        f(h)
    check(h, [0.75, 1.5])
    check(ol.grad((h * h).sum(), [w])[0], [4.5, 9.0])  # 2 h, times 3: as if shifted (E7)


@both
def test_a_view_made_under_no_grad_is_refused(mode: Any) -> None:
    f = mode(lambda b: b.scale_(2))
    w = leaf(1.0, 2.0)
    h = w * 3
    with ol.no_grad():
        views = [h[:1], w[:1]]
    for view in views:
        with pytest.raises(InplaceError, match="made under no_grad"):
            f(view)
    check(h, [3.0, 6.0])
    check(w, [1.0, 2.0])
    assert h.inplace_version == w.inplace_version == 0


@both
def test_a_view_of_a_leaf_may_be_written_under_no_grad(mode: Any) -> None:
    def f(v: ol.Tensor) -> None:
        with ol.no_grad():
            v.scale_(0.5)

    def g(v: ol.Tensor) -> None:
        v.detach().scale_(0.5)

    w = leaf(1.0, 2.0)
    mode(f)(w[:])
    mode(g)(w[:1])
    check(w, [0.25, 1.0])
    with pytest.raises(ValueError, match="Leaf Tensor"):
        mode(lambda v: v.scale_(0.5))(w[:])


@both
def test_a_branch_that_is_not_taken_has_written_nothing(mode: Any) -> None:
    @mode
    def f(h: ol.Tensor, taken: ol.Tensor) -> ol.Tensor:
        return ol.cond(taken, lambda: h.scale_(2) * 1, lambda: h * 1)

    x = leaf(1.0, 3.0)
    for taken in (False, True):
        h = x * 2
        square = h * h
        y = f(h, ol.to_tensor(taken))
        assert h.inplace_version == int(taken)
        check(h, [4.0, 12.0] if taken else [2.0, 6.0])
        if taken:
            with pytest.raises(RuntimeError, match=r"scale_|to_program"):
                square.sum().backward()
        else:
            check(ol.grad((square + y + h).sum(), [x])[0], [12.0, 28.0])


def test_a_call_that_is_refused_has_written_nothing() -> None:
    @ol.to_program
    def f(a: ol.Tensor, b: ol.Tensor, w: ol.Tensor) -> None:
        a.add_(1)
        b.copy_(w)

    base, a, w = ol.zeros([3], dtype="float64"), ol.zeros([2], dtype="float64"), leaf(5.0, 5.0)
    with ol.no_grad():
        b = base[:2]
    with pytest.raises(InplaceError, match="made under no_grad"):
        f(a, b, w)
    check(a, [0.0, 0.0])
    check(base, [0.0, 0.0, 0.0])
    assert a.inplace_version == base.inplace_version == 0


# --- Gradients asked for inside, and what was computed outside.


def test_a_gradient_that_would_go_through_what_was_computed_outside_is_refused() -> None:
    def f(h: ol.Tensor, w: ol.Tensor) -> ol.Tensor:
        return ol.grad((h * h + w).sum(), [w])[0]

    g = ol.to_program(f)
    w, v = leaf(1.0), leaf(1.0)
    check(g(v * 2, w), [1.0])  # h does not come from w
    check(f(w * 2, w), [9.0])
    for _ in range(2):
        with pytest.raises(ValueError, match="'w', asked for inside of f, goes through 'h'"):
            g(w * 2, w)
    check(g((w * 2).detach(), w), [1.0])
    h = w * 2
    outside = ol.to_program(lambda w: ol.grad((h * h + w).sum(), [w])[0])
    with pytest.raises(ValueError, match="goes through 'tensor_"):
        outside(w)


def test_what_a_refused_call_met_is_forgotten() -> None:
    w = leaf(1.0)
    h = w * 2

    @ol.to_program
    def f(w: ol.Tensor) -> ol.Tensor:
        with contextlib.suppress(ValueError):
            h + ol.ones([7])  # meets h
        y = w
        for _ in range(20):
            y = y * w
        return ol.grad(y.sum(), [w])[0]

    for _ in range(2):
        check(f(w), [21.0])


@both
def test_gradients_asked_for_of_what_was_computed_outside(mode: Any) -> None:
    @mode
    def step(a: ol.Tensor, b: ol.Tensor) -> list[ol.Tensor]:
        grads = ol.grad((a * a * b).sum(), [a, b], create_graph=True)
        return [a - grads[0], b - grads[1]]

    x, y = leaf(1.0), leaf(3.0)
    a, b = step(x * 2, y * 1)  # 2 - 12, 3 - 4
    check(a, [-10.0])
    check(b, [-1.0])
    check(ol.grad((a + b).sum(), [x, y])[0], [2.0 - 12.0 - 8.0])  # (1 - 2 b - 2 a) 2


@both
def test_no_grad_vars_stop_at_what_was_computed_outside(mode: Any) -> None:
    @mode
    def f(h: ol.Tensor, w: ol.Tensor) -> ol.Tensor:
        return ol.grad((h * h + w).sum(), [w], no_grad_vars=[h])[0]

    w = leaf(1.0)
    check(f(w * 2, w), [1.0])


# --- What cannot be differentiated; threads.


def test_a_derivative_that_is_refused_is_refused_again() -> None:
    def loops(depth: int, y: ol.Tensor) -> ol.Tensor:
        if depth == 0:
            return y * y
        return ol.while_loop(lambda i, y: i < 1, lambda i, y: [i + 1, loops(depth - 1, y)], [0, y])[
            1
        ]

    f = ol.to_program(lambda x: loops(9, x))
    x = leaf(3.0)
    for _ in range(3):
        with pytest.raises(NotImplementedError, match="at most 8 loops"):
            f(x)
    with ol.no_grad():
        check(f(x), [9.0])


def test_threads_that_ask_for_the_gradients_of_different_results() -> None:
    data = np.linspace(0.5, 1.5, 40_000)
    f = ol.to_program(lambda x: (x.exp(), (x * x).tanh(), x * 3))
    wanted = [np.exp(data), 2 * data / np.cosh(data * data) ** 2, np.full_like(data, 3.0)]
    wrong: list[Any] = []

    def ask(seed: int) -> None:
        for number in np.random.default_rng(seed).integers(1, 8, size=25):
            asked = [i for i in range(3) if number >> i & 1]
            x = ol.to_tensor(data, stop_gradient=False)
            results = f(x)
            (g,) = ol.grad([results[i] for i in asked], [x])
            if not np.allclose(g.numpy(), sum(wanted[i] for i in asked), rtol=1e-12):
                wrong.append(asked)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert not wrong
