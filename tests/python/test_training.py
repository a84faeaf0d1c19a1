"""Long training: nothing is left behind, and it learns."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import array, constant, derivative, leaf

STEPS = 100_000


def network(rng: Any) -> list[Any]:
    return [
        leaf(rng.normal(size=(4, 3)), "float32"),
        leaf(np.zeros(3), "float32"),
        leaf(rng.normal(size=(3, 2)), "float32"),
    ]


def test_bytes_in_use_after_100_000_steps_are_those_before() -> None:
    rng = np.random.default_rng(0)
    first, bias, second = network(rng)
    velocity = ol.zeros_like(first)
    x = constant(rng.normal(size=(5, 4)), "float32")
    label = constant(rng.integers(0, 2, 5), "int64")

    def step() -> Any:
        hidden = x @ first
        hidden += bias
        hidden.relu_()
        loss = ol.cross_entropy(hidden @ second, label)
        loss.backward()
        ol.momentum_(first, first.grad, velocity, 0.01, mu=0.9)
        ol.sgd_(bias, 0.01, bias.grad)
        ol.sgd_(second, 0.01, second.grad)
        for parameter in (first, bias, second):
            parameter.clear_grad()
        return loss

    start = float(array(step()))
    for _ in range(100):
        step()
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(STEPS):
        loss = step()
    end = float(array(loss))
    del loss
    assert ol.bytes_in_use() == before
    assert end < start * 0.75
    assert first.inplace_version == STEPS + 101


def test_gradients_kept_and_zeroed_in_place() -> None:
    w = leaf([1.0, -2.0])
    target = constant([3.0, 4.0])
    (w - target).square().sum().backward()
    kept = w.grad
    before = ol.bytes_in_use()
    for _ in range(200):
        kept.zero_()
        (w - target).square().sum().backward()
        assert w.grad is kept
        ol.sgd_(w, 0.1, kept)
    assert ol.bytes_in_use() == before
    np.testing.assert_allclose(array(w), [3.0, 4.0], atol=1e-9)


def test_views_masks_and_hooks_leave_nothing() -> None:
    w = leaf(np.linspace(-1, 1, 6).reshape(2, 3))
    mask = constant([[True, False, True], [False, True, False]], "bool")

    def step() -> None:
        x = w * 2
        x[0].multiply_(x[1].clone())
        x[mask] = 1.0
        x[:, 1:] += x[:, :-1]
        handle = x.register_hook(lambda g: g * 2)
        x.sigmoid_()
        slope = derivative(x.sum(), w, create_graph=True)
        slope.square().sum().backward()
        handle.remove()
        w.clear_grad()

    for _ in range(10):
        step()
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(500):
        step()
    gc.collect()
    assert ol.bytes_in_use() == before


def test_a_refused_call_leaves_nothing() -> None:
    w, y = leaf([1.0, 2.0]), constant([1.0, 2.0, 3.0])
    x = w * 1

    def step() -> None:
        with pytest.raises(ol.errors.LeafInplaceError):
            w.exp_()
        with pytest.raises(ValueError, match=r"\[3\]"):
            x.multiply_(y)
        with pytest.raises(TypeError):
            constant([1], "int64").add_(1.5)
        z = x.square()
        z.add_(x)
        loss = z.exp()
        x.detach().add_(0.0)
        with pytest.raises(ol.errors.VersionError):
            loss.sum().backward()

    for _ in range(10):
        step()
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(300):
        step()
    gc.collect()
    assert ol.bytes_in_use() == before


def test_it_learns_a_curve() -> None:
    """A small network with in-place activations fits sin: the gradients are worth something."""
    rng = np.random.default_rng(1)
    x = constant(np.linspace(-3, 3, 64).reshape(64, 1), "float32")
    y = constant(np.sin(np.linspace(-3, 3, 64)).reshape(64, 1), "float32")
    sizes = [(1, 16), (16,), (16, 16), (16,), (16, 1), (1,)]
    parameters = [leaf(rng.normal(size=s) / np.sqrt(s[0]), "float32") for s in sizes]
    velocities = [ol.zeros_like(p) for p in parameters]
    for _ in range(800):
        h = x
        for i in (0, 2, 4):
            h = h @ parameters[i]
            h += parameters[i + 1]
            if i < 4:
                h.tanh_()
        loss = (h - y).square().mean()
        loss.backward()
        for parameter, velocity in zip(parameters, velocities, strict=True):
            ol.momentum_(parameter, parameter.grad, velocity, 0.05, mu=0.9)
            parameter.clear_grad()
    assert float(array(loss)) < 2e-3
