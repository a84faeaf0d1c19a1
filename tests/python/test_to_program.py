"""ol.to_program: a function as a program, equal to the function itself in values and gradients."""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import drawn_leaf as leaf

pytestmark = pytest.mark.asan

F = Callable[..., Any]


def twins(*tensors: ol.Tensor) -> list[ol.Tensor]:
    return [ol.to_tensor(x.numpy().copy(), stop_gradient=x.stop_gradient) for x in tensors]


def expect_equal(f: F, *args: ol.Tensor, order: int = 1) -> None:
    """Values and gradients of f, up to an order, eager and as a program, to the last few bits."""
    other = twins(*args)
    found, wanted = ol.to_program(f)(*other), f(*args)
    for n in range(order + 1):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-12)
        if n == order:
            return
        more = n + 1 < order
        xs = [x for x in args if not x.stop_gradient]
        ys = [x for x in other if not x.stop_gradient]
        for x, y in zip(
            ol.grad((wanted * wanted).sum(), xs, create_graph=True, retain_graph=True),
            ol.grad((found * found).sum(), ys, create_graph=True, retain_graph=True),
            strict=True,
        ):
            assert (x is None) == (y is None)
            if x is not None and y is not None:
                np.testing.assert_allclose(y.numpy(), x.numpy(), rtol=1e-12)
        if more:
            wanted = sum_of(ol.grad((wanted * wanted).sum(), xs, create_graph=True))
            found = sum_of(ol.grad((found * found).sum(), ys, create_graph=True))


def sum_of(tensors: list[ol.Tensor | None]) -> ol.Tensor:
    total = ol.zeros([], dtype="float64")
    for x in tensors:
        if x is not None:
            total = total + x.sum()
    return total


FUNCTIONS: dict[str, F] = {
    "chain": lambda x: (x.tanh() * x).sum(),
    "two": lambda x, y: (x * y + y.exp()).mean(),
    "in place": lambda x: (x * 2).add_(x).tanh_(),
    "view written": lambda x: written_view(x),
    "loop": lambda x: ol.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), [0, x])[1],
    "branch": lambda x: ol.cond((x.sum() > 2), lambda: x * x, lambda: x * 3),
}


def written_view(x: ol.Tensor) -> ol.Tensor:
    y = x * 1.5
    y[1:].multiply_(2)
    y[0] = y[1].clone() * x[0]
    return y


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_equals_eager(name: str, order: int) -> None:
    args = [leaf(3), leaf(3)] if name == "two" else [leaf(3)]
    expect_equal(FUNCTIONS[name], *args, order=order)


def test_backward_fills_grad() -> None:
    x = leaf(4)
    f = ol.to_program(lambda x: (x.tanh() * x).sum())
    f(x).backward()
    a = x.numpy()
    t = np.tanh(a)
    np.testing.assert_allclose(x.grad.numpy(), t + a * (1 - t * t), rtol=1e-12)


def test_recorded_once_for_each_signature() -> None:
    calls: list[Any] = []

    @ol.to_program
    def f(x: ol.Tensor, k: Any) -> ol.Tensor:
        calls.append((x.shape, k))
        return x * k

    x = leaf(2)
    for _ in range(3):
        np.testing.assert_allclose(f(x, 2).numpy(), x.numpy() * 2)
    assert len(calls) == 1
    f(leaf(3), 2)  # another shape
    f(x, 2.0)  # another type of number
    f(x.detach(), 2)  # another gradient state
    with ol.no_grad():
        f(x, 2)  # another gradient mode
    f(x.cast("float32"), 2)
    f(x, 0.0)
    f(x, -0.0)
    assert len(calls) == 8
    f(x, 2)
    assert len(calls) == 8


def test_one_tensor_twice() -> None:
    f = ol.to_program(lambda x, y: x * y)
    x, y = leaf(2), leaf(2)
    f(x, y)
    z = f(x, x)
    np.testing.assert_allclose(z.numpy(), x.numpy() ** 2)
    (g,) = ol.grad(z.sum(), [x])
    np.testing.assert_allclose(g.numpy(), 2 * x.numpy())


def test_structures_and_other_results() -> None:
    @ol.to_program
    def f(pair: tuple[Any, Any], *, names: dict[str, Any]) -> Any:
        return {"sum": pair[0] + names["b"], "n": 3, "rest": [pair[1], None]}

    a, b = leaf(2), leaf(2)
    found = f((a, "text"), names={"b": b})
    np.testing.assert_allclose(found["sum"].numpy(), a.numpy() + b.numpy())
    assert found["n"] == 3
    assert found["rest"] == ["text", None]


def test_python_choices_are_refused() -> None:
    @ol.to_program
    def f(x: ol.Tensor) -> ol.Tensor:
        return x if x.sum() > 0 else -x

    with pytest.raises(TypeError, match=r"oploom\.cond"):
        f(leaf(2))

    @ol.to_program
    def g(x: ol.Tensor) -> ol.Tensor:
        while x.sum() < 10:
            x = x * 2
        return x

    with pytest.raises(TypeError, match="while_loop"):
        g(leaf(2))


def test_inside_a_program_it_is_a_part_of_that() -> None:
    f = ol.to_program(lambda x: x * 2)
    with ol.Program() as p:
        y = f(p.input("x", [2], "float64"))
    np.testing.assert_allclose(p.run({"x": np.ones(2)}, [y])[0].numpy(), [2, 2])
    with pytest.raises(TypeError, match="inside `with program:`"):
        f(y)


def test_retained_graphs() -> None:
    x = leaf(3)
    f = ol.to_program(lambda x: (x.exp() * x).sum())
    y = f(x)
    first = ol.grad(y, [x], retain_graph=True)[0].numpy()
    second = ol.grad(y, [x])[0].numpy()
    np.testing.assert_array_equal(first, second)
    with pytest.raises(RuntimeError, match="retain_graph"):
        ol.grad(y, [x])


def test_random_numbers_are_the_calls_own() -> None:
    f = ol.to_program(lambda x: x * ol.rand([3], dtype="float64") ** 2)
    x = leaf(3)
    y = f(x)
    factor = y.numpy() / x.numpy()
    (g,) = ol.grad(y.sum(), [x], create_graph=True)  # draws the same numbers again
    np.testing.assert_allclose(g.numpy(), factor, rtol=1e-12)
    assert not np.array_equal(f(x).numpy(), y.numpy())


def test_unused_and_undefined_gradients() -> None:
    f = ol.to_program(lambda x, y: (x * 2, x * y))
    x, y = leaf(2), leaf(2)
    first, _ = f(x, y)
    gx, gy = ol.grad(first.sum(), [x, y])
    np.testing.assert_allclose(gx.numpy(), [2, 2])
    assert gy is None or not np.any(gy.numpy())


def test_closures_change_state() -> None:
    w = ol.to_tensor([2.0, 3.0])
    f = ol.to_program(lambda x: x * w)
    x = ol.ones([2])
    assert f(x).stop_gradient
    w.stop_gradient = False
    y = f(x)
    (g,) = ol.grad(y.sum(), [w])
    assert g.tolist() == [1, 1]


def test_errors_name_the_line() -> None:
    @ol.to_program
    def f(x: ol.Tensor, i: ol.Tensor) -> ol.Tensor:
        return x.index_select(i)

    x = leaf(3)
    assert f(x, ol.to_tensor([1])).shape == (1,)
    with pytest.raises(IndexError, match=r"test_to_program\.py:\d+"):
        f(x, ol.to_tensor([7]))


def test_methods() -> None:
    class Net:
        def __init__(self) -> None:
            self.w = leaf(2)

        @ol.to_program
        def forward(self, x: ol.Tensor) -> ol.Tensor:
            return x * self.w

    net = Net()
    x = leaf(2)
    np.testing.assert_allclose(net.forward(x).numpy(), x.numpy() * net.w.numpy())


def test_nothing_is_left() -> None:
    def once() -> None:
        f = ol.to_program(lambda x: (x.tanh() * x).sum())
        x = leaf(100)
        for _ in range(3):
            f(x).backward()
        f(x)

    once()
    gc.collect()
    before = ol.bytes_in_use()
    once()
    gc.collect()
    assert ol.bytes_in_use() == before


def test_gradients_inside_are_constants_as_in_eager_mode() -> None:
    def f(x: ol.Tensor, create_graph: bool) -> ol.Tensor:
        (g,) = ol.grad((x**3).sum(), [x], create_graph=create_graph)
        return (x * g).sum()

    x = leaf(3)
    for create_graph, factor in ((False, 3), (True, 9)):
        for g in (f, ol.to_program(f)):
            (slope,) = ol.grad(g(x, create_graph), [x])
            np.testing.assert_allclose(slope.numpy(), factor * x.numpy() ** 2, rtol=1e-12)


def test_what_belongs_to_eager_mode_is_refused() -> None:
    w = leaf(2)
    (w * w).sum().backward()
    for f in (
        lambda: w.grad * 1,
        lambda: w.clear_grad(),
        lambda: w.register_hook(lambda g: g),
        lambda: w.retain_grad(),
        lambda: w.numpy(),
    ):
        with pytest.raises(ValueError, match="a program is being recorded"):
            ol.to_program(f)()
    assert w.grad is not None


def test_each_object_has_recordings_of_its_own() -> None:
    class Net:
        def __init__(self, k: float) -> None:
            self.w = ol.to_tensor([k], stop_gradient=False)
            self.calls = 0

        @ol.to_program
        def f(self, x: ol.Tensor) -> ol.Tensor:
            self.calls += 1
            return x * self.w

    x = ol.ones([1])
    a, b = Net(2.0), Net(3.0)
    for _ in range(2):
        assert (a.f(x).item(), b.f(x).item()) == (2.0, 3.0)
    assert (a.calls, b.calls) == (1, 1)
    del a, b
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(3):
        Net(1.0).f(x)
    gc.collect()
    assert ol.bytes_in_use() == before


def test_functions_and_results_that_are_no_good() -> None:
    def generator(x: ol.Tensor) -> Any:
        yield x

    async def later(x: ol.Tensor) -> ol.Tensor:
        return x

    for f in (generator, later):
        with pytest.raises(TypeError, match="generator or an async"):
            ol.to_program(f)
    for result in ({1, 2}, np.zeros(2), object()):
        with pytest.raises(TypeError, match="result: expected tensors"):
            ol.to_program(lambda x, r=result: (x * 1, r))(leaf(2))


def test_names_of_arguments() -> None:
    def f(x: Any, /, **k: Any) -> Any:
        return x * k["x"] + k["self"] * k[""]

    a, b, c, d = (leaf(2) for _ in range(4))
    found = ol.to_program(f)(a, **{"x": b, "self": c, "": d})
    wanted = a.numpy() * b.numpy() + c.numpy() * d.numpy()
    np.testing.assert_allclose(found.numpy(), wanted)


def test_gradients_with_respect_to_a_result_that_another_was_made_of() -> None:
    @ol.to_program
    def f(a: ol.Tensor) -> tuple[ol.Tensor, ol.Tensor]:
        u = a * 2
        return u, u * u

    x = leaf(2)
    u, v = f(x)
    with pytest.raises(NotImplementedError, match="result 0 of the call"):
        ol.grad(v.sum(), [u], retain_graph=True)
    with pytest.raises(NotImplementedError, match="result 0 of the call"):
        ol.grad(v.sum() + u.sum(), [u], retain_graph=True)
    (g,) = ol.grad(u.sum() * 3, [u], retain_graph=True)
    assert g.tolist() == [3, 3]
    t = u * 5
    (g,) = ol.grad(t.sum() + v.sum(), [t], retain_graph=True)
    assert g.tolist() == [1, 1]
    (g,) = ol.grad(v.sum() + u.sum(), [x], retain_graph=True)
    np.testing.assert_allclose(g.numpy(), 8 * x.numpy() + 2)
    u.retain_grad()
    with pytest.raises(NotImplementedError, match="result 0 of the call"):
        v.sum().backward()


def test_one_gradient_of_two_arguments() -> None:
    f = ol.to_program(lambda x, y: (x + y).tanh())
    x, y = leaf(2), leaf(2)
    gx, gy = ol.grad(f(x, y).sum(), [x, y], create_graph=True)
    wanted = 1 - np.tanh(x.numpy() + y.numpy()) ** 2
    np.testing.assert_allclose(gx.numpy(), wanted, rtol=1e-12)
    np.testing.assert_allclose(gy.numpy(), wanted, rtol=1e-12)


def test_random_numbers_follow_the_seed_and_are_no_other_functions() -> None:
    f, g = (ol.to_program(lambda x: x * ol.rand([2])) for _ in range(2))
    x = ol.ones([2])
    ol.seed(3)
    first = [f(x).tolist(), g(x).tolist(), f(x).tolist()]
    ol.seed(3)
    assert [f(x).tolist(), g(x).tolist(), f(x).tolist()] == first
    assert len({tuple(numbers) for numbers in first}) == 3


def test_slices_as_arguments_and_copies() -> None:
    f = ol.to_program(lambda x, key: x[key] * 1)
    x = ol.arange(4)
    assert f(x, slice(0, 2)).tolist() == [0, 1]
    assert copy.deepcopy(f)(x, slice(1, 3)).tolist() == [1, 2]


def test_a_result_that_another_was_made_of_is_no_constant() -> None:
    @ol.to_program
    def f(a: ol.Tensor) -> tuple[ol.Tensor, ol.Tensor]:
        u = a * 2
        return u, u * u

    x = leaf(2)
    u, v = f(x)
    with pytest.raises(NotImplementedError, match="result 0 of the call"):
        ol.grad(v.sum() + u.sum(), [x], no_grad_vars=[u])


def test_a_leaf_made_inside_is_no_result() -> None:
    def f(x: ol.Tensor) -> ol.Tensor:
        y = x.detach() * 2
        y.stop_gradient = False
        return y

    with pytest.raises(ValueError, match="set the flag of the result"):
        ol.to_program(f)(leaf(2))


def test_random_numbers_are_no_programs() -> None:
    f = ol.to_program(lambda: ol.rand([3]))
    with ol.Program() as p:
        a = ol.rand([3])
    ol.seed(5)
    drawn = [tuple(x.tolist()) for _ in range(20) for x in (f(), p.run(fetch=[a])[0])]
    assert len(set(drawn)) == len(drawn)


def test_ops_in_place_that_change_an_argument_and_change_it_back() -> None:
    @ol.to_program
    def f(x: ol.Tensor) -> None:
        x.unsqueeze_(0)
        x.squeeze_(0)

    with pytest.raises(ol.errors.InplaceError, match=r"throughout, got .* to float64\[2\] in the"):
        f(leaf(2) * 1)
