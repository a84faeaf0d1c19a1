"""Backward from several threads: a run keeps its state in the nodes, so one goes at a time."""

from __future__ import annotations

import threading

import numpy as np

import oploom as ol


def in_threads(count: int, work: object) -> None:
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()  # type: ignore[operator]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_gradients_of_one_leaf_from_four_threads() -> None:
    leaf = ol.to_tensor(np.ones(200_000), stop_gradient=False)

    def work() -> None:
        for _ in range(10):
            (leaf * 1.0).tanh().exp().backward()

    in_threads(4, work)
    slope = np.exp(np.tanh(1.0)) * (1 - np.tanh(1.0) ** 2)
    np.testing.assert_allclose(leaf.grad.numpy(), 40 * slope, rtol=1e-12)


def test_one_graph_from_four_threads() -> None:
    leaf = ol.to_tensor(np.ones(100_000), stop_gradient=False)
    loss = (leaf * 3.0).square()

    def work() -> None:
        for _ in range(5):
            loss.backward(retain_graph=True)
            (slope,) = ol.grad([loss], [leaf], retain_graph=True)
            np.testing.assert_array_equal(slope.numpy(), 18.0)

    in_threads(4, work)
    np.testing.assert_array_equal(leaf.grad.numpy(), 20 * 18.0)


def test_what_another_thread_asked_for_is_not_asked_for_here() -> None:
    a = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    b = ol.to_tensor([3.0, 4.0], stop_gradient=False)
    x = a * 1.0
    loss = (x * x).sum() + (b * b).sum()
    ol.grad([loss], [a], retain_graph=True)
    with ol.no_grad():
        x.add_(1.0)  # only the gradient of a reads it

    def work() -> None:
        (slope,) = ol.grad([loss], [b], retain_graph=True)
        np.testing.assert_array_equal(slope.numpy(), [6.0, 8.0])

    in_threads(1, work)
