"""ol.grad and backward(): seeds, lists, what is independent, what is replaced, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import oploom as ol
from tests.python.support import check, check_gradient, constant, derivative, inner, leaf


def test_a_list_along_the_inputs() -> None:
    x, y, unrelated = leaf([1.0, 2.0]), leaf([3.0, 4.0]), leaf([5.0])
    by_x, by_none, by_y = ol.grad([(x * y).sum()], [x, unrelated, y])
    check(by_x, [3.0, 4.0])
    check(by_y, [1.0, 2.0])
    assert by_none is None
    assert x.grad is None
    assert y.grad is None


def test_one_tensor_may_stand_for_a_list() -> None:
    x = leaf([1.0, 2.0])
    (slope,) = ol.grad((x * x).sum(), x)
    check(slope, [2.0, 4.0])


def test_without_a_seed_the_gradient_is_ones() -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    check(derivative(x * 3, x), [[3.0, 3.0], [3.0, 3.0]])
    (slope,) = ol.grad([x * 3], [x], grad_outputs=[constant([[1.0, 0.0], [0.0, 2.0]])])
    check(slope, [[3.0, 0.0], [0.0, 6.0]])


def test_seeds_may_be_missing_one_by_one() -> None:
    x = leaf([1.0, 2.0])
    (slope,) = ol.grad([x * 3, x * 5], [x], grad_outputs=[None, constant([1.0, 10.0])])
    check(slope, [8.0, 53.0])


def test_a_target_listed_twice_counts_twice() -> None:
    x = leaf([1.0, 2.0])
    y = x * x
    (slope,) = ol.grad([y, y], [x])
    check(slope, [4.0, 8.0])


def test_a_target_and_its_ancestor_are_summed() -> None:
    x = leaf([1.0, 2.0])
    y = x * x
    (slope,) = ol.grad([y * 3, y], [x])
    check(slope, [8.0, 16.0])
    (slope,) = ol.grad([y * 3, y], [y])
    check(slope, [4.0, 4.0])


def test_a_target_that_is_its_input() -> None:
    x = leaf([1.0, 2.0])
    check(derivative(x, x), [1.0, 1.0])
    y = x * 2
    check(derivative(y, y), [1.0, 1.0])


def test_part_of_a_split_list() -> None:
    """Outputs that nobody used are zeros."""
    x = leaf([1.0, 2.0, 3.0])
    first, _, third = ol.split(x, 3)
    check(derivative(first * 2, x), [2.0, 0.0, 0.0])
    check(derivative(third * 5, x), [0.0, 0.0, 5.0])


def test_a_gradient_in_a_gradient() -> None:
    """x = 3: g = d(x^2)/dx = 6, z = (x - g)^2 = x^2, dz/dx = 6; x = 1: (dy/dx)^2 + y^2 gives 12."""
    x = leaf(3.0)
    slope = derivative(x * x, x, create_graph=True)
    check(slope, 6.0)
    check(derivative((x - slope).square(), x), 6.0)
    x = leaf(1.0)
    y = x * x
    slope = derivative(y, x, create_graph=True)
    check(derivative(slope.square() + y.square(), x), 12.0)


def test_a_derivative_by_the_seed() -> None:
    """y = x * x, seed u, g = grad(y, x, u) = 2 x u; dg/du = 2 at x = 1."""
    x, seed = leaf(1.0), leaf(1.0)
    (slope,) = ol.grad([x * x], [x], grad_outputs=[seed], create_graph=True)
    check(derivative(slope, seed), 2.0)


def test_two_calls_do_not_disturb_each_other() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    z = x * y
    check(derivative(z, x, retain_graph=True), [3.0, 4.0])
    check(derivative(z, y, retain_graph=True), [1.0, 2.0])
    z.sum().backward()
    check_gradient(x, [3.0, 4.0])


def test_no_grad_vars_stop_the_gradient() -> None:
    x = leaf([1.0, 2.0])
    y = x * x
    z = y + x * 3
    (slope,) = ol.grad([z], [x], no_grad_vars=[y])
    check(slope, [3.0, 3.0])


def test_an_input_means_its_present_value() -> None:
    w, x = inner([1.0, 2.0])
    y = x * 3
    x.multiply_(5.0)
    z = x * 7
    check(derivative(z, x, retain_graph=True), [7.0, 7.0])
    check(derivative(z, w, retain_graph=True), [35.0, 35.0])
    with pytest.raises(RuntimeError, match="multiply"):
        ol.grad([y], [x])
    check(derivative(y, w), [3.0, 3.0])


def test_an_input_that_stops_gradient_is_refused() -> None:
    x, y = leaf([1.0]), constant([2.0])
    with pytest.raises(RuntimeError, match="stop_gradient"):
        ol.grad([x * y], [y])
    with pytest.raises(RuntimeError, match="stop"):
        ol.grad([y * 2], [x])


def test_a_result_is_the_caller_s_own() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    total = x + y
    by_x, by_y, by_total = ol.grad([total.sum()], [x, y, total])
    assert by_x is not None
    by_x.fill_(9.0)
    check(by_y, [1.0, 1.0])
    check(by_total, [1.0, 1.0])


def test_create_graph_results_are_differentiable() -> None:
    x = leaf([0.5, 1.5])
    slope = derivative(x.sin().sum(), x, create_graph=True)
    assert slope.stop_gradient is False
    plain = derivative(x.sin().sum(), x)
    assert plain.stop_gradient
    check(derivative(slope.sum(), x), -np.sin([0.5, 1.5]))


def test_grad_inside_no_grad_of_a_graph_made_before() -> None:
    x = leaf([1.0, 2.0])
    y = x.exp()
    with ol.no_grad():
        check(derivative(y, x), np.exp([1.0, 2.0]))
        assert not ol.is_grad_enabled()


def test_backward_inside_a_hook_on_another_graph() -> None:
    x, other = leaf([1.0]), leaf([2.0])

    def hook(gradient: ol.Tensor) -> None:
        with ol.enable_grad():
            (other * other).sum().backward()

    y = x * 2
    y.register_hook(hook)
    y.backward()
    check_gradient(x, [2.0])
    check_gradient(other, [4.0])


def test_a_hook_that_raises_leaves_every_grad() -> None:
    x, y = leaf([1.0]), leaf([2.0])

    def hook(gradient: ol.Tensor) -> None:
        raise KeyError("from the hook")

    z = x * 3
    z.register_hook(hook)
    total = z + y
    with pytest.raises(KeyError, match="from the hook"):
        total.backward(retain_graph=True)
    assert x.grad is None
    assert y.grad is None
    check(derivative(total, y), [1.0])
