"""ol.to_program and what it keeps alive; methods."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import weakref
from typing import Any, ClassVar

import pytest

import oploom as ol
from tests.python.support import check

pytestmark = pytest.mark.asan


def one() -> ol.Tensor:
    return ol.ones([1])


# --- Cycles through a hook.


def test_a_hook_that_refers_to_the_function() -> None:
    def once() -> Any:
        w = ol.to_tensor([2.0], stop_gradient=False)
        f = ol.to_program(lambda x: (x * w).sum())
        w.register_hook(lambda g: g * (1.0 if f is not None else 0.0))
        for _ in range(2):
            f(one()).backward()
        check(w.grad, [2.0])
        f(one())
        return weakref.ref(w)

    alive = once()
    gc.collect()
    assert alive() is None


class Net:
    """With a hook that refers to it."""

    def __init__(self, k: float = 1.0) -> None:
        self.w = ol.to_tensor([2.0], stop_gradient=False)
        self.k = k
        self.seen: list[float] = []
        self.w.register_hook(lambda g: self.seen.append(g.item()))

    @ol.to_program
    def f(self, x: ol.Tensor) -> ol.Tensor:
        """What it does."""
        return (x * self.w * self.k).sum()

    @ol.to_program
    def change(self, x: ol.Tensor) -> None:
        with ol.no_grad():
            self.w.add_(x)


def test_a_hook_that_refers_to_the_object_of_a_method() -> None:
    net = Net()
    for _ in range(2):
        net.f(one()).backward()
        net.change(one())
    alive = weakref.ref(net)
    del net
    gc.collect()
    assert alive() is None


def test_without_a_hook_an_object_goes_at_once() -> None:
    class Plain:
        @ol.to_program
        def f(self, x: ol.Tensor) -> ol.Tensor:
            return x * 1

    plain = Plain()
    plain.f(one())
    alive = weakref.ref(plain)
    gc.disable()
    try:
        del plain
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("mode", [lambda f: f, ol.to_program], ids=["eager", "to_program"])
@pytest.mark.parametrize("power", [1, 2])
def test_a_graph_calls_no_hook_of_a_leaf_that_nobody_holds(mode: Any, power: int) -> None:
    def graph() -> tuple[ol.Tensor, list[float]]:
        w, seen = ol.to_tensor([2.0], stop_gradient=False), list[float]()
        f = mode(lambda x: (x * w if power == 1 else x * w * w).sum())
        w.register_hook(lambda g: seen.append(g.item() if f else 0.0))
        return f(one()), seen

    y, seen = graph()
    gc.collect()
    other = [ol.ones([1]) for _ in range(100)]  # where what is gone has been
    y.backward()
    gc.collect()
    assert (seen, len(other)) == ([], 100)


def test_a_graph_that_is_over_keeps_no_tensor() -> None:
    class Trained(Net):
        y: Any = None

    net = Trained()
    net.y = net.f(one())
    net.y.backward()
    alive = weakref.ref(net)
    del net
    gc.collect()
    assert alive() is None


def test_another_graph_calls_no_hook_that_is_gone() -> None:
    def graphs() -> tuple[Any, Any]:
        net = Net()
        return net.f(one()), net.w + 1.0

    y, z = graphs()
    gc.collect()
    z.sum().backward()
    y.backward()


def test_hooks_live_for_as_long_as_the_function_can_call_them() -> None:
    def function() -> tuple[Any, list[float]]:
        w = ol.to_tensor([2.0], stop_gradient=False)
        seen: list[float] = []
        f: Any = ol.to_program(lambda x: (x * w).sum())
        w.register_hook(lambda g: seen.append(g.item()) or (None if f else g))  # type: ignore[func-returns-value]
        f(one())
        return f, seen

    f, seen = function()
    for _ in range(2):
        gc.collect()
        f(one()).backward()
    assert seen == [1.0, 1.0]


def test_a_program_that_got_out_keeps_what_it_reads() -> None:
    kept: list[Any] = []

    def once() -> list[float]:
        w = ol.to_tensor([2.0], stop_gradient=False)
        seen: list[float] = []

        @ol.to_program
        def f(x: ol.Tensor) -> ol.Tensor:
            y: Any = x * w
            kept[:] = [y.program]
            return y.sum()

        w.register_hook(lambda g: seen.append(g.item() if f else 0.0))
        f(one())
        return seen

    seen = once()
    gc.collect()
    (w,) = kept[0].parameters()
    (w * 3.0).sum().backward()
    assert seen == [3.0]
    kept.clear()


def test_attributes_of_what_a_recording_reads() -> None:
    def once() -> Any:
        w = ol.to_tensor([2.0])
        f = ol.to_program(lambda x: x * w)
        f(one())
        w.owner = f  # type: ignore[attr-defined]
        gc.collect()
        assert w.owner is f  # type: ignore[attr-defined]
        return weakref.ref(f)

    alive = once()
    gc.collect()
    assert alive() is None


# --- Methods.


def test_a_method_looks_like_one() -> None:
    net = Net()
    assert (net.f.__name__, net.f.__doc__, net.f.__self__) == ("f", "What it does.", net)
    assert net.f.__qualname__ == "Net.f"
    assert list(inspect.signature(net.f).parameters) == ["x"]
    assert list(inspect.signature(Net.f).parameters) == ["self", "x"]
    assert net.f == net.f
    assert net.f != Net().f


def pickled(x: Any) -> Any:
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_copies_of_an_object_record_anew(copied: Any) -> None:
    Stateful.recorded.clear()
    state = Stateful()
    check(state.f(one()), [2.0])
    other = copied(state)
    other.k = 5.0
    for _ in range(2):
        check(other.f(one()), [5.0])
        check(state.f(one()), [2.0])
    assert Stateful.recorded == [2.0, 5.0]


class Stateful:
    recorded: ClassVar[list[float]] = []

    def __init__(self) -> None:
        self.k = 2.0

    @ol.to_program
    def f(self, x: ol.Tensor) -> ol.Tensor:
        self.recorded.append(self.k)
        return x * self.k


def test_objects_without_a_dict() -> None:
    class Slots:
        __slots__ = ("__weakref__", "k")

        def __init__(self, k: float) -> None:
            self.k = k

        @ol.to_program
        def f(self, x: ol.Tensor) -> ol.Tensor:
            return x * self.k

    class Bare(Slots):
        __slots__ = ()

    for kind in (Slots, Bare):
        a, b = kind(2.0), kind(3.0)
        check(a.f(one()), [2.0])
        check(b.f(one()), [3.0])
        alive = weakref.ref(a)
        del a
        gc.collect()
        assert alive() is None


def test_methods_of_a_base_and_of_a_class() -> None:
    class Base:
        @ol.to_program
        def f(self, x: ol.Tensor) -> ol.Tensor:
            return x * 2

    class Derived(Base):
        @ol.to_program
        def f(self, x: ol.Tensor) -> ol.Tensor:
            return super().f(x) + 1

    net = Derived()
    for _ in range(2):
        check(net.f(one()), [3.0])
        check(Base.f(net, one()), [2.0])


def test_the_program_of_a_function_is_not_changed() -> None:
    kept: list[ol.Program] = []

    @ol.to_program
    def f(x: ol.Tensor) -> ol.Tensor:
        y: Any = x * 2
        kept[:] = [y.program]
        return y + 1

    check(f(one()), [3.0])
    for change in ("functionalize", "clean_up", "apply_inplace", "__enter__"):
        with pytest.raises(RuntimeError, match="belongs to a function of to_program"):
            getattr(kept[0], change)()
    with pytest.raises(RuntimeError, match="belongs to a function of to_program"):
        kept[0].prune([])
    check(f(one()), [3.0])
