"""Rules C7 to C11: overlap, several targets, read-only memory, optimizer steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import oploom as ol
from tests.python.support import (
    Array,
    array,
    check,
    check_gradient,
    constant,
    inner,
    leaf,
    refused,
)

InplaceError = ol.errors.InplaceError


@pytest.mark.asan
@pytest.mark.parametrize("recorded", [False, True])
def test_c7_an_expanded_target_is_refused(recorded: bool) -> None:
    base = constant([[1.0], [2.0]])
    wide = (base + leaf([[0.0], [0.0]]) if recorded else base).expand([2, 3])
    writes: list[Callable[[], Any]] = [
        lambda: wide.add_(1.0),
        lambda: wide.relu_(),
        lambda: wide.fill_(0.0),
        lambda: wide.__setitem__((slice(None), slice(0, 2)), 1.0),
        lambda: wide.copy_(constant(np.zeros((2, 3)))),
    ]
    for write in writes:
        with refused(ValueError, base, wide, says=["expand", "clone()"]):
            write()
    with ol.no_grad(), refused(ValueError, base, wide, says=["expand", "clone()"]):
        wide.add_(1.0)
    wide.clone().add_(1.0)


def test_c7_views_of_an_expanded_tensor_are_looked_at_themselves() -> None:
    base = constant([[1.0], [2.0]])
    wide = base.expand([2, 3])
    with refused(ValueError, wide):
        wide[:, 0:2].add_(1.0)
    with refused(ValueError, wide):
        wide.transpose([1, 0])[1:].add_(1.0)
    wide[:, 1:2].add_(1.0)
    wide[:, 0].multiply_(2.0)
    check(base, [[4.0], [6.0]])


def test_c7_a_dimension_of_length_one_never_counts() -> None:
    base = constant([[1.0, 2.0]])
    base.expand([1, 2]).add_(1.0)
    constant(5.0).expand([1, 1]).add_(1.0)
    base.unsqueeze(0).expand([1, 1, 2]).add_(1.0)
    check(base, [[3.0, 4.0]])
    constant(np.zeros((0, 1))).expand([0, 3]).add_(1.0)


@pytest.mark.parametrize(
    ("shape", "strides", "overlaps"),
    [
        ((2, 3), (3, 2), False),  # 0 2 4 3 5 7: spans interleave, no address twice
        ((3, 3), (3, 2), False),
        ((3, 4), (3, 2), True),  # 6 is 2*3 and 3*2 away
        ((2, 2), (1, 1), True),
        ((4, 3), (1, 4), False),
        ((4, 3), (1, 3), True),
        ((2, 2, 2), (5, 3, 1), False),
        ((2, 2, 2), (4, 3, 1), True),  # 4 = 3 + 1
        ((1, 3), (0, 1), False),
        ((3,), (0,), True),
        ((0, 3), (0, 0), False),
    ],
)
def test_c7_is_exact_for_foreign_strides(
    shape: tuple[int, ...], strides: tuple[int, ...], overlaps: bool
) -> None:
    memory = np.arange(32.0)
    steps = tuple(8 * stride for stride in strides)
    window = as_strided(memory, shape, steps)
    x = ol.from_dlpack(window)
    before = memory.copy()
    if overlaps:
        with refused(ValueError, x, says=["clone()"]):
            x.add_(1.0)
        return
    expected = array(x) + 1
    x.add_(1.0)
    check(x, expected)
    changed = as_strided(np.arange(32), shape, steps).ravel()
    before[changed] += 1
    np.testing.assert_array_equal(memory, before)


def isub_column(a: Any) -> None:
    a -= a[:, :1]


def iadd_transposed(a: Any) -> None:
    a += a.transpose([1, 0])


def iadd_self(a: Any) -> None:
    a += a


def move_down(a: Any) -> None:
    a[1:] = a[:-1]


def move_up(a: Any) -> None:
    a[:-1] = a[1:]


def copy_transposed(a: Any) -> None:
    a.copy_(a.transpose([1, 0]))


def np_set(target: Any, source: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """NumPy's answer with every read from a copy made before."""

    def run(x: Array) -> Array:
        x[target] = source(x.copy())
        return x

    return run


REVERSED = constant([2, 1, 0], "int64")

ALIASED: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Any]]] = {
    "a-=a[:,:1]": (isub_column, lambda x: x - x[:, :1]),
    "a+=a.T": (iadd_transposed, lambda x: x + x.T),
    "a+=a": (iadd_self, lambda x: x + x),
    "a*=a": (lambda a: a.multiply_(a), lambda x: x * x),
    "a/=a[0]": (lambda a: a.divide_(a[0]), lambda x: x / x[0]),
    "a**=a[1:2]": (lambda a: a.pow_(a[1:2]), lambda x: x ** x[1:2]),
    "a.maximum_(a.T)": (lambda a: a.maximum_(a.transpose([1, 0])), lambda x: np.maximum(x, x.T)),
    "a[1:]=a[:-1]": (move_down, np_set(slice(1, None), lambda x: x[:-1])),
    "a[:-1]=a[1:]": (move_up, np_set(slice(None, -1), lambda x: x[1:])),
    "a[:,1:]+=a[:,:-1]": (
        lambda a: a[:, 1:].add_(a[:, :-1]),
        np_set((slice(None), slice(1, None)), lambda x: x[:, 1:] + x[:, :-1]),
    ),
    "a.copy_(a.T)": (copy_transposed, lambda x: x.T.copy()),
    "a[rows]=a": (lambda a: a.__setitem__(REVERSED, a), lambda x: x[::-1].copy()),
    "a[rows]=a[1:2]": (
        lambda a: a.__setitem__(REVERSED, a[1:2]),
        lambda x: np.broadcast_to(x[1:2], x.shape).copy(),
    ),
    "a.T.softmax_": (
        lambda a: a.transpose([1, 0]).softmax_(axis=0),
        lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True),
    ),
    "a.scatter_(rows,a)": (lambda a: a.scatter_(REVERSED, a), lambda x: x[::-1].copy()),
}


@pytest.mark.asan
@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("name", ALIASED)
def test_c8_inputs_are_read_as_they_were_before(name: str, recorded: bool) -> None:
    write, reference = ALIASED[name]
    start = np.array([[1.5, 2.0, 0.5], [1.25, 3.0, 2.5], [0.75, 1.0, 2.25]])
    w, a = inner(start) if recorded else (None, constant(start))
    write(a)
    check(a, reference(start.copy()))
    assert a.inplace_version == 1
    if w is None:
        return
    weights = np.linspace(0.5, 2.0, 9).reshape(3, 3)
    (a * constant(weights)).sum().backward()
    step = 1e-6
    expected = np.zeros((3, 3))
    for i, j in np.ndindex(3, 3):
        ahead, behind = start.copy(), start.copy()
        ahead[i, j] += step
        behind[i, j] -= step
        slope = (reference(ahead) - reference(behind)) / (2 * step)
        expected[i, j] = (slope * weights).sum()
    check_gradient(w, expected, 1e-6)


@pytest.mark.parametrize("size", [4, 1000])
def test_c8_index_tensors_are_inputs_too(size: int) -> None:
    reverse = np.arange(size)[::-1].copy()
    index = constant(reverse, "int64")
    index[index] = constant(np.arange(size) * 10 % size, "int64")
    expected = reverse.copy()
    expected[reverse] = np.arange(size) * 10 % size
    check(index, expected)

    index = constant(reverse, "int64")
    index[index] = index
    expected = reverse.copy()
    expected[reverse.copy()] = reverse.copy()
    check(index, expected)

    index = constant(reverse, "int64")
    index.scatter_(index, index)
    check(index, expected)

    mask = constant([True, False, True, True], "bool")
    mask[mask] = constant([False, True, False], "bool")
    check(mask, np.array([False, False, True, False]))


def test_c8_long_rows_shifted_by_one_element() -> None:
    """Beyond one SIMD register, where a kernel that reads what it wrote would show."""
    start = np.arange(257.0)
    for dtype in ("float32", "float64", "int32", "int64", "uint8"):
        x = constant(start % 200, dtype)
        x[1:] = x[:-1]
        check(x, np.concatenate([[0], start[:-1] % 200]).astype(dtype))
        x = constant(start % 200, dtype)
        x[1:].add_(x[:-1])
        wanted = (start % 200).astype(dtype)
        wanted[1:] += wanted[:-1].copy()
        check(x, wanted)


def test_c8_a_detached_or_second_view_is_the_same_memory() -> None:
    w, x = inner([1.0, 2.0, 3.0])
    x[1:].multiply_(x.detach()[:-1])
    check(x, [1.0, 2.0, 6.0])
    x.sum().backward()
    check_gradient(w, [1.0, 1.0, 2.0])


def step(param: Any, grad: Any, velocity: Any, **options: Any) -> Any:
    return ol.momentum_(param, grad, velocity, 0.5, mu=0.9, **options)


@pytest.mark.asan
def test_c9_disjoint_views_of_one_buffer_are_fine_with_one_bump() -> None:
    buffer = constant([1.0, 2.0, 0.5, -0.5])
    step(buffer[0:2], constant([1.0, 1.0]), buffer[2:4])
    velocity = np.array([0.9 * 0.5 + 1, 0.9 * -0.5 + 1])
    check(buffer, [1.0 - 0.5 * velocity[0], 2.0 - 0.5 * velocity[1], *velocity])
    assert buffer.inplace_version == 1
    columns = constant([[1.0, 0.0], [2.0, 0.0]])
    step(columns[:, 0], constant([1.0, 1.0]), columns[:, 1])
    check(columns, [[0.5, 1.0], [1.5, 1.0]])
    assert columns.inplace_version == 1


def test_c9_overlapping_targets_are_refused() -> None:
    buffer = constant([1.0, 2.0, 3.0, 4.0])
    grad = constant([1.0, 1.0])
    for param, velocity in (
        (buffer[0:2], buffer[1:3]),
        (buffer[0:2], buffer[0:2]),
        (buffer[0:3:2], buffer[2:4]),
        (buffer[0:2], buffer.detach()[1:3]),
    ):
        with refused(ValueError, buffer, param, velocity, says=["momentum_"]):
            step(param, grad, velocity)


def test_c9_all_checks_come_before_all_writes() -> None:
    param, grad = constant([1.0, 2.0]), constant([1.0, 1.0])
    for velocity in (
        constant([1.0, 2.0, 3.0]),
        constant([1, 2], "int64"),
        constant([1.0]).expand([2]),
    ):
        with refused((ValueError, TypeError), param, velocity):
            step(param, grad, velocity)
    with refused(ValueError, param, grad):
        step(param, constant([1.0, 2.0, 3.0]), constant([0.0, 0.0]))


def test_c9_the_gradient_may_be_the_velocity_s_own_memory() -> None:
    """C8 for a call with several targets: the input is read as it was."""
    buffer = constant([1.0, 2.0])
    param = constant([0.0, 0.0])
    step(param, buffer, buffer)
    check(buffer, [1.9, 3.8])
    check(param, [-0.95, -1.9])


def read_only() -> tuple[Array, Any]:
    memory = np.arange(4.0)
    memory.flags.writeable = False
    return memory, ol.from_dlpack(memory)


@pytest.mark.asan
def test_c10_read_only_memory_is_no_target() -> None:
    memory, x = read_only()
    writes: list[Callable[[], Any]] = [
        lambda: x.add_(1.0),
        lambda: x[1:3].fill_(0.0),
        lambda: x.__setitem__(0, 1.0),
        lambda: x.detach().zero_(),
        lambda: ol.sgd_(x, 0.1, constant(np.ones(4))),
    ]
    for write in writes:
        with refused(ValueError, x, says=["read-only"]):
            write()
        with ol.no_grad(), refused(ValueError, x, says=["read-only"]):
            write()
    check(x + 1, memory + 1)
    x.clone().add_(1.0)
    np.testing.assert_array_equal(memory, np.arange(4.0))


def test_c10_read_only_memory_may_be_read_in_a_recorded_call() -> None:
    _, x = read_only()
    w = leaf(np.ones(4))
    (w * x).sum().backward()
    check_gradient(w, [0.0, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("name", ["sgd_", "momentum_"])
def test_c11_optimizer_steps_write_leaves(name: str) -> None:
    w = leaf([1.0, 2.0])
    gradient_with_history = leaf([1.0, 10.0]) * 2
    velocity = constant([0.0, 0.0])
    if name == "sgd_":
        ol.sgd_(w, 0.5, gradient_with_history)
    else:
        step(w, gradient_with_history, velocity)
        check(velocity, [2.0, 20.0])
        assert velocity.inplace_version == 1
        assert velocity.stop_gradient
        assert velocity.is_leaf
    check(w, [0.0, -8.0])
    assert w.inplace_version == 1
    assert w.is_leaf
    assert w.stop_gradient is False
    (w * 3).sum().backward()
    check_gradient(w, [3.0, 3.0])


def test_c11_the_learning_rate_may_be_a_tensor() -> None:
    w = leaf([1.0, 2.0])
    ol.sgd_(w, constant(0.25), constant([4.0, 8.0]))
    check(w, [0.0, 0.0])


def test_c11_a_step_before_backward_is_named() -> None:
    w = leaf([1.0, 2.0])
    loss = (w * w).sum()
    ol.sgd_(w, 0.5, constant([1.0, 1.0]))
    with pytest.raises(ol.errors.VersionError, match="sgd_"):
        loss.backward()


def test_c11_a_step_on_a_tensor_with_a_history_shifts_it() -> None:
    """E7 for update ops: the gradient goes straight through."""
    w = leaf([1.0, 2.0])
    x = w * 2
    ol.sgd_(x, 1.0, constant([1.0, 1.0]))
    check(x, [1.0, 3.0])
    x.square().sum().backward()
    check_gradient(w, [4.0, 12.0])


def test_c11_nesterov() -> None:
    w, velocity = constant([1.0]), constant([1.0])
    step(w, constant([2.0]), velocity, use_nesterov=True)
    new_velocity = 0.9 * 1.0 + 2.0
    check(velocity, [new_velocity])
    check(w, [1.0 - (2.0 + 0.9 * new_velocity) * 0.5])
