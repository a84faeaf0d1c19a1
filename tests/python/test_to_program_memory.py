"""ol.to_program and memory: writes into arguments and closures, views, what backward reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import drawn_leaf as leaf

pytestmark = pytest.mark.asan


def test_writes_into_an_argument() -> None:
    @ol.to_program
    def f(x: ol.Tensor, y: ol.Tensor) -> ol.Tensor:
        x.multiply_(y)
        return x

    x, y = leaf(3), leaf(3)
    h = x * 2
    before = h.inplace_version
    assert f(h, y) is h
    assert h.inplace_version == before + 1
    np.testing.assert_allclose(h.numpy(), 2 * x.numpy() * y.numpy())
    gx, gy = ol.grad(h.sum(), [x, y])
    np.testing.assert_allclose(gx.numpy(), 2 * y.numpy())
    np.testing.assert_allclose(gy.numpy(), 2 * x.numpy())


def test_writes_into_a_tensor_from_outside() -> None:
    w = leaf(2)

    @ol.to_program
    def step(x: ol.Tensor) -> ol.Tensor:
        loss = (w * x).sum()
        (g,) = ol.grad(loss, [w])
        with ol.no_grad():
            w.subtract_(g * 0.5)
        return loss

    start, version = w.numpy().copy(), w.inplace_version
    x = ol.to_tensor([1.0, 2.0], dtype="float64")
    step(x)
    step(x)
    np.testing.assert_allclose(w.numpy(), start - x.numpy())
    assert w.inplace_version == version + 2
    assert w.is_leaf
    assert not w.stop_gradient


def test_a_leaf_is_refused() -> None:
    f = ol.to_program(lambda x: x.add_(1))
    x = leaf(2)
    version = x.inplace_version
    with pytest.raises(ol.errors.LeafInplaceError):
        f(x)
    assert x.inplace_version == version


def test_what_is_overwritten_afterwards() -> None:
    f = ol.to_program(lambda x: (x * x).sum())
    w = leaf(3)
    x = w * 1
    y = f(x)
    x.add_(1)
    with pytest.raises(ol.errors.VersionError, match="add_"):
        y.backward()
    # What no gradient reads may be overwritten.
    f = ol.to_program(lambda x: (x * 3).sum())
    x = w * 1
    y = f(x)
    x.add_(1)
    y.backward()
    np.testing.assert_allclose(w.grad.numpy(), np.full(3, 3.0))


def test_a_result_that_is_overwritten() -> None:
    f = ol.to_program(lambda x: x.tanh())
    x = leaf(3)
    y = f(x)
    y.multiply_(2)
    with pytest.raises(ol.errors.VersionError, match="multiply_"):
        y.sum().backward()
    f = ol.to_program(lambda x: x * 3)  # whose result no gradient reads
    y = f(x)
    y.multiply_(2)
    (g,) = ol.grad(y.sum(), [x])
    np.testing.assert_allclose(g.numpy(), np.full(3, 6.0))


def test_views_of_arguments_are_refused() -> None:
    x = leaf(4)
    for f in (lambda x: x[1:], lambda x: x.reshape([2, 2]), lambda x: x.detach()):
        with pytest.raises(ol.errors.InplaceError, match="a view of 'x'"):
            ol.to_program(f)(x)
    assert ol.to_program(lambda x: x)(x) is x


def test_shapes_of_arguments_stay() -> None:
    f = ol.to_program(lambda x: x.reshape_([2, 2]) * 1)
    with pytest.raises(ol.errors.InplaceError, match="keep its shape"):
        f(leaf(4) * 1)


def test_shared_memory() -> None:
    base = leaf(4) * 1
    total = ol.to_program(lambda x, y: (x * y).sum())
    np.testing.assert_allclose(
        total(base[:2], base[1:3]).item(), (base.numpy()[:2] * base.numpy()[1:3]).sum()
    )

    @ol.to_program
    def write(x: ol.Tensor, y: ol.Tensor) -> ol.Tensor:
        x.add_(1)
        return x * y

    write(leaf(2) * 1, leaf(2))
    before = base.numpy().copy()
    with pytest.raises(ol.errors.InplaceError, match="shares memory"):
        write(base[:2], base[1:3])
    np.testing.assert_array_equal(base.numpy(), before)


def test_how_a_tensor_from_outside_lies_in_memory() -> None:
    def run(wrapped: bool) -> list[Any]:
        w = ol.to_tensor([[1.0, 2.0], [3.0, 4.0]])

        def f() -> ol.Tensor:
            w.reshape([4]).add_(1.0)  # a view of w, or a copy
            return w * 1

        g = ol.to_program(f) if wrapped else f
        found = [g().tolist()]
        w.transpose_([1, 0])
        found.append(g().tolist())
        return [*found, w.tolist()]

    assert run(True) == run(False)


def test_gradients_with_respect_to_a_written_argument() -> None:
    @ol.to_program
    def f(a: ol.Tensor) -> ol.Tensor:
        a.multiply_(3.0)
        return a * a

    x = leaf(2)
    h = x * 1
    y = f(h)
    with pytest.raises(NotImplementedError, match="of the call"):
        ol.grad(y.sum() + h.sum(), [h], retain_graph=True)
    (g,) = ol.grad(y.sum() + h.sum(), [x])
    np.testing.assert_allclose(g.numpy(), 18 * x.numpy() + 3)


def test_hooks_of_a_written_argument() -> None:
    @ol.to_program
    def f(a: ol.Tensor) -> ol.Tensor:
        a.multiply_(3.0)
        return a * a

    def call(use: Any, when: str) -> Any:
        x, seen = leaf(2), list[Any]()
        h = x * 1
        if when == "before":
            h.register_hook(lambda g: seen.append(g.numpy()))
        y = f(h)
        if when == "after":
            h.register_hook(lambda g: seen.append(g.numpy()))
        elif when == "retained":
            h.retain_grad()
        use(h, y).sum().backward()
        return x.numpy(), *seen

    x, seen = call(lambda h, y: h + y, "before")  # of the value that it had then
    np.testing.assert_allclose(seen, 18 * x + 3)
    for when in ("after", "retained"):
        with pytest.raises(NotImplementedError, match="of the call"):
            call(lambda h, y: h + y, when)


def test_the_gradient_mode_inside_is_the_functions_own() -> None:
    def write(a: ol.Tensor) -> None:
        with ol.enable_grad():
            a.multiply_(3.0)

    def square(x: ol.Tensor) -> ol.Tensor:
        with ol.enable_grad():
            return x * x

    for w, g in ((write, square), (ol.to_program(write), ol.to_program(square))):
        x = leaf(2)
        h = x * 1
        with ol.no_grad():
            w(h)
            y = g(x)
        (slope,) = ol.grad(h.sum(), [x])
        assert slope.tolist() == [3, 3]
        assert not y.stop_gradient


def test_flags_of_arguments_and_tensors_from_outside_stay() -> None:
    outside = ol.ones([2])

    def flag(x: ol.Tensor) -> ol.Tensor:
        x.stop_gradient = not x.stop_gradient
        return x * 2

    for f in (flag, lambda x: flag(outside) * x):
        with pytest.raises(ValueError, match="set the flag outside"):
            ol.to_program(f)(ol.ones([2]))


def test_a_write_of_a_call_is_told_by_the_callers_line() -> None:
    @ol.to_program
    def f(a: ol.Tensor) -> None:
        a.multiply_(3.0)

    h = leaf(2) * 1
    y = h * h
    f(h)
    with pytest.raises(ol.errors.VersionError, match=r"at .*test_to_program_memory\.py:\d+"):
        y.sum().backward()


def test_a_write_cuts_the_history_that_it_replaces() -> None:
    @ol.to_program
    def f(a: ol.Tensor, b: ol.Tensor) -> ol.Tensor:
        b.copy_(a * a)
        return b * 1.0

    w, b = leaf(2), ol.zeros([2], dtype="float64")
    for _ in range(3):
        y = f(w, b)
        (slope,) = ol.grad(y.sum() + b.sum(), [w])
        np.testing.assert_allclose(slope.numpy(), 4 * w.numpy())


def test_who_asks_for_the_gradient_of_what_was_written_is_refused_not_forgotten() -> None:
    @ol.to_program
    def f(h: ol.Tensor) -> ol.Tensor:
        h.multiply_(h.detach() * 0 + 3)
        return h * h

    def called() -> tuple[ol.Tensor, ol.Tensor, ol.Tensor]:
        x = leaf(2)
        h = x * 1
        return x, h, f(h)

    refused = pytest.raises(NotImplementedError, match="which is a part of result 0")
    x, h, y = called()
    with refused:
        ol.grad(y.sum(), [x], no_grad_vars=[h])
    np.testing.assert_allclose(ol.grad(y.sum(), [x])[0].numpy(), 18 * x.numpy())
    x, h, y = called()
    h.retain_grad()
    with refused:
        y.sum().backward()
    assert x.grad is None
    x, h, y = called()
    h.register_hook(lambda g: g)
    with refused:
        y.sum().backward()
    x, h, y = called()
    h.register_hook(lambda g: g)
    del h  # nobody asks any more
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 18 * x.numpy())
    x, h, y = called()
    h.register_hook(lambda g: g * 2)  # the other result has no part in it
    h.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [6, 6])


def test_versions_of_a_result_count_as_the_result() -> None:
    @ol.to_program
    def f(x: ol.Tensor) -> tuple[ol.Tensor, ol.Tensor]:
        v = x * 2
        u = v * 3
        with ol.no_grad():
            v.multiply_(0.5)  # to a gradient the same tensor before and after (E7)
        return v, u

    refused = pytest.raises(NotImplementedError, match="which is a part of result 1")
    x = leaf(2)
    v, u = f(x)
    with refused:
        ol.grad([v.sum() + u.sum()], [v])
    v, u = f(x)
    v.register_hook(lambda g: g * 10)
    with refused:
        (v.sum() + u.sum()).backward()
    v, u = f(x)
    np.testing.assert_allclose(ol.grad(v.sum() + u.sum(), [x])[0].numpy(), [8, 8])
