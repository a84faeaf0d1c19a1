"""Rules B9 to B11 and "no leaks": memory that leaves or enters, buffers, .grad."""

from __future__ import annotations

import gc
import threading
import weakref
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
    inner,
    leaf,
    shares_version,
)

VersionError = ol.errors.VersionError


def test_b9_numpy_gives_read_only_memory() -> None:
    x = constant([1.0, 2.0])
    seen = x.numpy()
    assert not seen.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        seen[0] = 5.0
    x.add_(1.0)
    np.testing.assert_array_equal(seen, [2.0, 3.0])
    view = memoryview(x.numpy())
    assert view.readonly


def test_b9_numpy_copy_is_the_caller_s() -> None:
    x = constant([1.0, 2.0])
    own = x.numpy(copy=True)
    own[0] = 9.0
    check(x, [1.0, 2.0])


@pytest.mark.asan
def test_b9_writable_memory_writes_the_tensor() -> None:
    x = constant([[1.0, 2.0], [3.0, 4.0]])
    memory = x.transpose([1, 0]).numpy(writable=True)
    memory[0, 1] = 9.0
    check(x, [[1.0, 2.0], [9.0, 4.0]])


def test_b9_becoming_foreign_is_a_write_of_all_bytes() -> None:
    w, x = inner([1.0, 2.0])
    y = x.square()
    x[0:1].numpy(writable=True)
    with pytest.raises(VersionError, match="numpy"):
        y.sum().backward()
    assert w.grad is None


def test_b9_backwards_keep_copies_of_foreign_bytes() -> None:
    w = leaf([1.0, 2.0])
    x = constant([3.0, 4.0])
    memory = x.numpy(writable=True)
    y = w * x
    memory[:] = 0.0
    y.sum().backward()
    check_gradient(w, [3.0, 4.0])
    x.fill_(1.0)
    z = w * x[0:1]
    x.add_(1.0)
    w.clear_grad()
    z.sum().backward()
    check_gradient(w, [1.0, 1.0])


def test_b9_foreign_outputs_too() -> None:
    w = leaf([1.0, 2.0])
    x = w * 1
    memory = x.numpy(writable=True)
    x.exp_()
    memory[:] = 0.0
    x.sum().backward()
    check_gradient(w, np.exp([1.0, 2.0]))


@pytest.mark.asan
def test_b9_to_tensor_copies_and_from_dlpack_shares() -> None:
    memory = np.array([1.0, 2.0, 3.0])
    copied, shared = ol.to_tensor(memory), ol.from_dlpack(memory)
    memory[0] = 9.0
    check(copied, [1.0, 2.0, 3.0])
    check(shared, [9.0, 2.0, 3.0])
    shared.add_(1.0)
    np.testing.assert_array_equal(memory, [10.0, 3.0, 4.0])
    again = ol.to_tensor(copied)
    assert not shares_version(again, copied)


def test_b9_writable_memory_taken_in_is_foreign() -> None:
    w = leaf([1.0, 2.0])
    memory = np.array([3.0, 4.0])
    y = w * ol.from_dlpack(memory)
    memory[:] = 0.0
    y.sum().backward()
    check_gradient(w, [3.0, 4.0])


def test_b9_a_versioned_capsule_is_read_only() -> None:
    x = constant([1.0, 2.0])
    seen = np.from_dlpack(x)
    assert not seen.flags.writeable
    x.add_(1.0)
    np.testing.assert_array_equal(seen, [2.0, 3.0])
    w = leaf([1.0, 1.0])
    y = w * x
    x.fill_(0.0)
    with pytest.raises(VersionError):
        y.sum().backward()


def test_b9_a_legacy_capsule_makes_foreign() -> None:
    w = leaf([1.0, 2.0])
    x = constant([3.0, 4.0])
    y = w * x
    capsule = x.__dlpack__()
    with pytest.raises(VersionError):
        y.sum().backward()
    del capsule


def test_b9_memory_outlives_the_tensor() -> None:
    x = constant(np.arange(1000.0))
    seen = x[10:20].numpy()
    del x
    gc.collect()
    np.testing.assert_array_equal(seen, np.arange(10.0, 20.0))
    memory = np.arange(5.0)
    kept = weakref.ref(memory)
    taken = ol.from_dlpack(memory)
    del memory
    check(taken, np.arange(5.0))
    assert kept() is not None
    del taken
    gc.collect()
    assert kept() is None


LAST = ["relu_", "tanh_", "sigmoid_", "exp_", "sqrt_", "elu_", "leaky_relu_"]


@pytest.mark.parametrize("last", [*LAST, "softmax_"])
def test_b10_a_run_of_in_place_ops_holds_one_buffer(last: str) -> None:
    data = np.linspace(0.1, 0.9, 100_000)
    w = leaf(data)
    other = constant(np.ones(data.shape))
    before = ol.bytes_in_use()
    x = w * 2.0
    for _ in range(5):
        x.add_(other).subtract_(0.5).scale_(1.0, 0.25).negative_().negative_()
        x.add_(-0.75)
    getattr(x, last)(*([0] if last == "softmax_" else []))
    assert ol.bytes_in_use() - before < data.nbytes * 1.25
    (x * other).sum().backward()
    assert np.abs(array(w.grad)).max() > 0


def test_b10_the_refusal_says_which_of_the_two_to_change() -> None:
    w = leaf([0.5, 1.0])
    x = w * 2
    x.tanh_()
    x.sigmoid_()
    with pytest.raises(VersionError) as caught:
        x.sum().backward()
    text = str(caught.value)
    assert "tanh" in text
    assert "sigmoid_" in text
    assert "plain" in text or "sigmoid(" in text or "tanh(" in text
    x = (w * 2).tanh_().sigmoid()
    x.sum().backward()
    tanh = np.tanh([1.0, 2.0])
    sigmoid = 1 / (1 + np.exp(-tanh))
    check_gradient(w, 2 * (1 - tanh**2) * sigmoid * (1 - sigmoid))


SUMS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda w: w.sum(),
    "mean": lambda w: w.mean(),
    "row": lambda w: w[0].sum(),
    "turned": lambda w: w.transpose([1, 0]).sum(),
    "expand": lambda w: w.expand([4, 2, 3]).sum(),
    "itself": lambda w: w,
    "clone": lambda w: w.clone(),
    "cast": lambda w: w.cast("float32").sum(),
}


@pytest.mark.asan
@pytest.mark.parametrize("name", SUMS)
def test_b11_grad_is_dense_and_of_the_leaf_s_dtype(name: str) -> None:
    w = leaf(np.ones((2, 3)))
    SUMS[name](w).backward()
    first = array(w.grad)
    assert w.grad.shape == (2, 3)
    assert first.dtype == np.float64
    assert shares_version(w.grad, w.grad.reshape([6]))
    with ol.no_grad():
        w.grad[0, 0] = 100.0
    changed = first.copy()
    changed[0, 0] = 100.0
    check(w.grad, changed)


@pytest.mark.asan
def test_b11_shares_memory_with_nothing_else() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    seed = constant([1.0, 1.0])
    x = w * 1
    x.retain_grad()
    kept: list[Any] = []
    total = x + v
    total.retain_grad()
    total.register_hook(kept.append)
    total.backward(seed)
    tensors = [w.grad, v.grad, x.grad, total.grad, seed, *kept]
    for i, one in enumerate(tensors):
        with ol.no_grad():
            one.detach().fill_(float(i + 10))
    for i, one in enumerate(tensors):
        check(one, [i + 10.0, i + 10.0])
    leaf_seed = constant([5.0, 5.0])
    w.clear_grad()
    w.backward(leaf_seed)
    w.grad.fill_(0.0)
    check(leaf_seed, [5.0, 5.0])


def test_b11_later_backwards_add_in_place() -> None:
    w = leaf([1.0, 2.0])
    (w * 2).sum().backward()
    kept = w.grad
    version = kept.inplace_version
    (w * 3).sum().backward()
    assert w.grad is kept
    assert kept.inplace_version == version + 1
    check(kept, [5.0, 5.0])


def test_b11_unless_a_graph_is_made() -> None:
    w = leaf([1.0, 2.0])
    (w * w).sum().backward(create_graph=True)
    kept = w.grad
    (w * w).sum().backward(create_graph=True)
    check(kept, [2.0, 4.0])
    check(w.grad, [4.0, 8.0])
    (w * 1).sum().backward()
    check(kept, [2.0, 4.0])
    check(w.grad, [5.0, 9.0])


def test_b11_a_plain_grad_is_not_written_by_a_backward_that_makes_a_graph() -> None:
    w = leaf([1.0, 2.0])
    (w * 2).sum().backward()
    kept = w.grad
    (w * w).sum().backward(create_graph=True)
    check(kept, [2.0, 2.0])
    assert kept.stop_gradient
    assert w.grad is not kept
    check(w.grad, [4.0, 6.0])
    assert w.grad.stop_gradient is False


def test_b11_unless_the_gradient_is_watched() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (w * 2).sum().backward()
    kept = w.grad
    later = v * kept
    (w * 3).sum().backward()
    check(w.grad, [5.0, 5.0])
    later.sum().backward()
    check_gradient(v, [2.0, 2.0])


def test_b11_zero_is_an_ordinary_call() -> None:
    w = leaf([1.0, 2.0])
    (w * 2).sum().backward()
    kept = w.grad
    kept.zero_()
    assert kept.inplace_version == 1
    (w * 3).sum().backward()
    assert w.grad is kept
    check(kept, [3.0, 3.0])


def test_b11_grad_may_be_set_and_cleared() -> None:
    w = leaf([1.0, 2.0])
    w.grad = constant([7.0, 8.0])
    (w * 1).sum().backward()
    check_gradient(w, [8.0, 9.0])
    w.clear_grad()
    assert w.grad is None
    w.grad = constant([1.0, 1.0])
    w.grad = None
    assert w.grad is None
    with pytest.raises(ValueError, match=r"\[3\]"):
        w.grad = constant([1.0, 2.0, 3.0])
    with pytest.raises((TypeError, ValueError), match="float32"):
        w.grad = constant([1.0, 2.0], "float32")


def cycle_create_graph(w: Any) -> Any:
    x = w * 1
    x.multiply_(x)
    slope = derivative(x.sum(), w, create_graph=True)
    slope.sum().backward()
    return x


def cycle_hook(w: Any) -> Any:
    x = w * 1
    x.register_hook(lambda g: g * x.detach())
    return x


def cycle_saved_view(w: Any) -> Any:
    x = w * 1
    x[0:1].multiply_(x[1:2])
    x[1:2].square_()
    return x


def cycle_dict(w: Any) -> Any:
    x = w * 1
    x.itself = x
    x.exp_()
    return x


@pytest.mark.asan
@pytest.mark.parametrize(
    "make", [cycle_create_graph, cycle_hook, cycle_saved_view, cycle_dict, lambda w: w.exp()]
)
def test_no_leaks(make: Callable[[Any], Any]) -> None:
    w = leaf([1.0, 2.0])
    make(w)
    w.clear_grad()
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(3):
        x = make(w)
        gone = weakref.ref(x)
        del x
        w.clear_grad()
        gc.collect()
        assert gone() is None
    assert ol.bytes_in_use() == before


def test_a_leaf_dies_with_its_graph() -> None:
    w = leaf([1.0, 2.0])
    gone = weakref.ref(w)
    x = w * 2
    x.multiply_(x)
    x.sum().backward()
    del w, x
    gc.collect()
    assert gone() is None


def test_threads_train_beside_each_other() -> None:
    wrong: list[str] = []

    def train(factor: float) -> None:
        w = leaf(np.full(50_000, factor))
        for _ in range(20):
            w.clear_grad()
            x = w * 2
            x.multiply_(x).add_(1.0)
            x.sum().backward()
            with ol.no_grad():
                if ol.is_grad_enabled():
                    wrong.append("grad mode is not the thread's own")
            if not np.allclose(array(w.grad), 8 * factor):
                wrong.append(f"gradient of {factor}")

    threads = [threading.Thread(target=train, args=(float(i),)) for i in range(1, 5)]
    with ol.no_grad():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
