"""Identity, weak references, collector, subclasses, attributes, threads, the interpreter's end."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import oploom as ol

pytestmark = pytest.mark.asan


def leaf(*values: float) -> Any:
    return ol.to_tensor(list(values), stop_gradient=False)


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    gc.collect()
    before = ol.bytes_in_use()
    yield
    gc.collect()
    assert ol.bytes_in_use() == before


# --- One tensor, one object -----------------------------------------------------------------------


def test_identity() -> None:
    x = ol.to_tensor([-1.0, 2.0])
    assert x.relu_() is x
    assert ol.add_(x, 1.0) is x
    w = leaf(1.0, 2.0)
    (w * w).sum().backward()
    assert w.grad is w.grad
    gradient = w.grad
    del gradient
    assert w.grad.tolist() == [2.0, 4.0]
    assert x.detach() is not x


def test_a_hook_sees_the_same_tensor_each_time() -> None:
    w = leaf(1.0)
    seen: list[Any] = []
    y = w * 2
    y.register_hook(seen.append)
    y.register_hook(lambda g: g * 10)
    y.backward()
    assert seen[0].tolist() == [1.0]
    assert w.grad.tolist() == [20.0]


# --- Weak references ------------------------------------------------------------------------------


def test_weak_references_die_with_the_tensor() -> None:
    x = leaf(1.0)
    ref = weakref.ref(x)
    assert ref() is x
    del x
    assert ref() is None


def test_weak_references_live_while_the_library_holds_the_tensor() -> None:
    w = leaf(1.0)
    (w * 2).backward()
    ref = weakref.ref(w.grad)
    assert ref() is w.grad
    w.clear_grad()
    assert ref() is None


@pytest.mark.parametrize("collect", [False, True])
def test_graphs_do_not_keep_tensors(collect: bool) -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    (first,) = ol.grad(y.sum(), x, create_graph=True)
    view = y[0:1]
    loss = (view * first).sum()
    refs = [weakref.ref(t) for t in (x, y, view, first, loss)]
    del x, y, view, first
    loss.backward()
    del loss
    if collect:
        gc.collect()
    assert [ref() for ref in refs] == [None] * 5


# --- The collector --------------------------------------------------------------------------------


def test_only_tensors_with_attributes_or_hooks_are_tracked() -> None:
    x = leaf(1.0)
    y = x * 2
    assert not gc.is_tracked(x)
    x.note = 1
    assert gc.is_tracked(x)
    assert not gc.is_tracked(y)
    handle = y.register_hook(lambda g: None)
    assert gc.is_tracked(y)
    handle.remove()
    z = ol.to_tensor([1.0])
    assert z.__dict__ == {}
    assert gc.is_tracked(z)


def test_a_hook_on_its_own_tensor() -> None:
    x = leaf(1.0)
    x.register_hook(lambda g, x=x: None)
    y = x * 2
    y.register_hook(lambda g, y=y: None)
    refs = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


def test_a_tensor_in_its_own_attributes() -> None:
    x = leaf(1.0)
    x.me = [x]
    x.handle = x.register_hook(lambda g: None)
    ref = weakref.ref(x)
    del x
    gc.collect()
    assert ref() is None


def test_a_cycle_through_two_tensors_and_a_hook() -> None:
    x, y = leaf(1.0), leaf(2.0)
    x.other = y
    y.register_hook(lambda g, x=x: None)
    ref = weakref.ref(y)
    del x, y
    gc.collect()
    assert ref() is None


def test_a_cycle_is_not_collected_while_the_library_holds_it() -> None:
    w = leaf(1.0)
    (w * 2).backward()
    gradient = w.grad
    gradient.me = gradient
    del gradient
    gc.collect()
    assert w.grad.me is w.grad
    del w.grad.me


def test_hooks_can_be_removed() -> None:
    w = leaf(1.0)
    calls: list[str] = []
    y = w * 2
    first = y.register_hook(lambda g: calls.append("first"))
    second = y.register_hook(lambda g: calls.append("second"))
    assert first.remove() is True
    assert first.remove() is False
    y.backward(retain_graph=True)
    assert calls == ["second"]
    y.add_(1.0)  # the hook stays with the value that it was put on
    assert second.remove() is True
    y.backward()
    assert calls == ["second"]
    handle = w.register_hook(lambda g: calls.append("leaf"))
    (w * 2).backward()
    del w
    assert handle.remove() is True
    assert calls == ["second", "leaf"]


def test_a_hook_that_removes_itself() -> None:
    w = leaf(1.0)
    handles: list[Any] = []
    handles.append(w.register_hook(lambda g: handles[0].remove() and None))
    (w * 2).backward()
    (w * 2).backward()
    assert w.grad.tolist() == [4.0]


# --- Attributes and subclasses --------------------------------------------------------------------


def test_attributes() -> None:
    x = leaf(1.0)
    x.note = "a"
    assert x.note == "a"
    assert vars(x) == {"note": "a"}
    del x.note
    with pytest.raises(AttributeError):
        x.note  # noqa: B018
    with pytest.raises(AttributeError):
        x.shape = (1,)
    x.__dict__ = {"b": 2}
    assert x.b == 2
    y, z = leaf(1.0), leaf(2.0)
    assert y.__dict__ is not z.__dict__
    y.note = 1
    assert not hasattr(z, "note")
    assert not hasattr(leaf(3.0), "note")
    with pytest.raises(AttributeError):
        del z.note


def test_attributes_survive_while_the_library_holds_the_tensor() -> None:
    w = leaf(1.0)
    (w * 2).backward()
    w.grad.note = "kept"
    gc.collect()
    assert w.grad.note == "kept"
    w.clear_grad()


class Parameter(ol.Tensor):
    """A subclass with its own state."""

    __slots__ = ("slot",)
    ended: list[str] = []  # noqa: RUF012

    def __del__(self) -> None:
        self.ended.append(self.name)


class Plain(ol.Tensor):
    def double(self) -> Any:
        return self * 2


def test_subclass() -> None:
    x = Plain([1.0, 2.0], stop_gradient=False)
    assert isinstance(x, ol.Tensor)
    assert x.double().tolist() == [2.0, 4.0]
    assert type(x.double()) is ol.Tensor
    assert x.detach_() is x
    assert x.relu_() is x
    assert ol.add_(x, x) is x
    assert (1 + x).tolist() == [3.0, 5.0]
    assert repr(x).startswith("Plain([2., 4.]")
    x.note = x
    ref = weakref.ref(x)
    del x
    gc.collect()
    assert ref() is None


def test_subclass_with_its_own_new() -> None:
    class Named(ol.Tensor):
        def __new__(cls, label: str, data: Any) -> Named:
            self = super().__new__(cls, data)
            self.label = label
            return self

        def __init__(self, label: str, data: Any) -> None:
            self.size_then = self.size

    x = Named("a", [1.0, 2.0])
    assert (x.label, x.size_then) == ("a", 2)


def test_a_subclass_survives_while_the_library_holds_it() -> None:
    Parameter.ended.clear()
    w = leaf(1.0)
    gradient = Parameter([3.0])
    gradient.name = "gradient"
    gradient.slot = "kept"
    w.grad = gradient
    ref = weakref.ref(gradient)
    del gradient
    gc.collect()
    for _ in range(3):
        assert type(w.grad) is Parameter
        assert w.grad.slot == "kept"
    assert ref() is w.grad
    assert Parameter.ended == []
    w.clear_grad()
    assert Parameter.ended == ["gradient"]
    assert ref() is None


def test_a_finalizer_may_keep_its_tensor() -> None:
    kept: list[Any] = []

    class Phoenix(ol.Tensor):
        def __del__(self) -> None:
            kept.append(self)

    x = Phoenix([1.0])
    del x
    assert kept[0].tolist() == [1.0]
    y = kept.pop() + 1
    assert y.tolist() == [2.0]


def test_many_objects_and_a_deep_chain() -> None:
    many = [ol.to_tensor([float(i)]) for i in range(5000)]
    assert sum(x.item() for x in many) == sum(range(5000))
    x = ol.to_tensor([1.0])
    for _ in range(50_000):
        y = ol.to_tensor([1.0])
        y.previous = x
        x = y
    del x, y, many


def test_tensors_in_a_failed_call() -> None:
    x = ol.to_tensor([1.0])
    for _ in range(10):
        with pytest.raises(TypeError):
            ol.concat([x, x, None])
        with pytest.raises(ValueError, match="broadcast"):
            ol.add(ol.zeros([2]), ol.zeros([3]))


# --- Threads --------------------------------------------------------------------------------------


def run_in_threads(work: Any, count: int = 4) -> None:
    errors: list[BaseException] = []

    def run(i: int) -> None:
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_threads_train_and_hand_over_tensors() -> None:
    shared = ol.ones([200, 300])
    given: list[Any] = [None] * 4

    def work(i: int) -> None:
        w = ol.zeros([300, 1])
        w.stop_gradient = False
        for _ in range(20):
            (shared @ w + 1.0).square().mean().backward()
            with ol.no_grad():
                w.subtract_(w.grad * 0.001)
            w.clear_grad()
        given[i] = w

    run_in_threads(work)
    assert all(w.tolist() == given[0].tolist() for w in given)


def test_modes_are_of_their_thread() -> None:
    def work(i: int) -> None:
        assert ol.is_grad_enabled()

    with ol.no_grad():
        run_in_threads(work, 1)


def test_a_large_kernel_lets_other_threads_run() -> None:
    x = ol.rand([1000, 1000])
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(20):
        x.exp()
    stop.set()
    thread.join()
    assert ticks > 0


def test_a_tensor_that_another_thread_replaces_meanwhile() -> None:
    x = ol.ones([300, 300], dtype="float64")

    def work(i: int) -> None:
        for _ in range(30):
            if i == 0:
                x.cast_("float32" if x.dtype == "float64" else "float64")
            else:
                assert (x + 1.0).size == 90_000

    run_in_threads(work, 3)


# --- The end of the interpreter -------------------------------------------------------------------


def run_program(text: str) -> str:
    result = subprocess.run(
        [sys.executable, "-X", "dev", "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_tensors_that_outlive_the_interpreter() -> None:
    out = run_program(
        """
        import oploom as ol
        class Sub(ol.Tensor):
            def __del__(self): pass
        w = ol.to_tensor([1.0], stop_gradient=False)
        w.note = w
        w.register_hook(lambda g: g)
        y = w.exp()
        y.register_hook(lambda g, y=y: g)
        y.add_(0.0)
        sub = Sub([2.0])
        w.grad = sub
        import builtins, sys
        builtins.kept = [w, y, sub, y.numpy(), memoryview(y.detach())]
        sys.kept = ol.trace().__enter__()
        print("end")
        """
    )
    assert out == "end\n"


def test_daemon_threads_inside_kernels_at_the_end() -> None:
    for _ in range(3):
        out = run_program(
            """
            import threading, time
            import oploom as ol
            x = ol.rand([500, 500])
            def work():
                while True:
                    x @ x
                    x.exp()
            for _ in range(3):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.2)
            print("end")
            """
        )
        assert out == "end\n"


def test_collector_at_work_during_everything() -> None:
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(200):
            x = Plain([1.0, 2.0], stop_gradient=False)
            x.me = x
            y = (x * 2).exp()
            y.register_hook(lambda g, y=y: g * 2)
            y.sum().backward()
            assert x.grad is not None
            x.grad.note = [x.grad.tolist()]
    finally:
        gc.set_threshold(*threshold)
