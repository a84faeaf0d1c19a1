"""Rules C1 to C6: which writes are refused, before anything is written."""

from __future__ import annotations

import gc
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
    dtype_of,
    inner,
    leaf,
    refused,
    state,
)

LeafInplaceError = ol.errors.LeafInplaceError
InplaceError = ol.errors.InplaceError


def iadd(x: Any) -> None:
    x += 1.0


def ipow(x: Any) -> None:
    x **= 2


def set_range(x: Any) -> None:
    x[0:1] = 5.0


def set_mask(x: Any) -> None:
    x[constant([True, False, True], "bool")] = 5.0


def set_rows(x: Any) -> None:
    x[constant([0, 2], "int64")] = 5.0


WRITES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "relu_": ("relu_", lambda x: x.relu_()),
    "function": ("tanh_", lambda x: ol.tanh_(x)),
    "add_": ("add_", lambda x: x.add_(1.0)),
    "iadd": ("add_", iadd),
    "ipow": ("pow_", ipow),
    "fill_": ("fill_", lambda x: x.fill_(0.0)),
    "zero_": ("zero_", lambda x: x.zero_()),
    "copy_": ("copy_", lambda x: x.copy_(constant([1, 2, 3]))),
    "uniform_": ("uniform_", lambda x: x.uniform_()),
    "normal_": ("normal_", lambda x: x.normal_()),
    "cast_": ("cast_", lambda x: x.cast_("float32")),
    "set_range": ("set_item_", set_range),
    "set_mask": ("index_put_", set_mask),
    "set_rows": ("index_put_", set_rows),
    "clip_": ("clip_", lambda x: x.clip_(-1.0, 1.0)),
    "reshape_": ("reshape_", lambda x: x.reshape_([3, 1])),
}


@pytest.mark.asan
@pytest.mark.parametrize("write", WRITES)
def test_c1_a_leaf_that_needs_a_gradient_is_not_written(write: str) -> None:
    w = leaf([1.0, -2.0, 3.0])
    w.name = "weight"
    op, call = WRITES[write]
    opening = (
        "(InvalidArgument) Leaf Tensor (weight) that doesn't stop gradient"
        " can't use inplace strategy."
    )
    ways_out = ["no_grad", "stop_gradient"]
    with refused(LeafInplaceError, w, says=[opening, op, "[3]", *ways_out]) as caught:
        call(w)
    assert str(caught.value).startswith(opening)
    (w * 2).sum().backward()
    check_gradient(w, [2.0, 2.0, 2.0])


def test_c1_names_the_plain_form_and_the_argument() -> None:
    w = leaf([[1.0], [2.0]])
    with refused(LeafInplaceError, w, says=["[relu_] x:", "[2, 1]", "plain form"]):
        w.relu_()


def test_c1_without_a_name_the_message_has_one() -> None:
    w = leaf([1.0])
    with refused(LeafInplaceError, w, says=[f"Leaf Tensor ({w.name}) that"]):
        w.exp_()
    assert w.name


def test_c1_kinds_of_the_error() -> None:
    assert issubclass(LeafInplaceError, InplaceError)
    assert issubclass(InplaceError, ValueError)


def test_c1_is_for_leaves_that_need_a_gradient_only() -> None:
    data = constant([1.0, -2.0])
    check(data.relu_(), [1.0, 0.0])
    w, y = inner([1.0, -2.0])
    check(y.relu_(), [1.0, 0.0])
    data.stop_gradient = False
    with refused(LeafInplaceError, data):
        data.relu_()
    data.stop_gradient = True
    data.relu_()
    assert w.inplace_version == 0


def test_c1_requires_grad_is_the_opposite_of_stop_gradient() -> None:
    data = constant([1.0])
    data.requires_grad = True
    assert data.stop_gradient is False
    with refused(LeafInplaceError, data):
        data.add_(1)


@pytest.mark.asan
@pytest.mark.parametrize("write", [w for w in WRITES if w not in {"cast_", "set_mask", "set_rows"}])
def test_c2_a_view_of_such_a_leaf_is_not_written(write: str) -> None:
    w = leaf([[1.0, -2.0, 3.0], [4.0, 5.0, 6.0]])
    w.name = "weight"
    view = w[0]
    view.name = "row"
    op, call = WRITES[write]
    with refused(LeafInplaceError, w, view, says=["(InvalidArgument) Leaf Tensor ("]) as caught:
        call(view)
    text = str(caught.value)
    assert "can't use inplace strategy." in text
    assert all(name in text for name in ("row", "weight", op))


@pytest.mark.parametrize("index", [(0,), (slice(None), 1), (None, slice(0, 1))])
def test_c2_views_of_views_too(index: tuple[Any, ...]) -> None:
    w = leaf([[1.0, -2.0], [4.0, 5.0]])
    view = w[index][..., 0:1]
    with refused(LeafInplaceError, w, view):
        view.add_(1.0)
    with refused(LeafInplaceError, w, view):
        view[...] = 1.0


def test_c2_also_when_the_leaf_asked_for_its_gradient_after_the_view() -> None:
    base = constant([1.0, 2.0])
    view = base.reshape([2, 1])
    base.stop_gradient = False
    with refused(LeafInplaceError, base, view):
        view.add_(1.0)


def test_c2_detach_starts_a_family_of_its_own() -> None:
    w = leaf([1.0, 2.0])
    detached = w.detach()
    assert detached.stop_gradient
    assert detached.is_leaf
    detached.add_(1.0)
    detached[0:1].fill_(7.0)
    check(w, [7.0, 3.0])
    assert w.inplace_version == detached.inplace_version == 2
    assert w.stop_gradient is False
    assert w.is_leaf


@pytest.mark.parametrize("write", WRITES)
def test_c3_no_grad_allows_both_and_counts(write: str) -> None:
    w = leaf([1.0, -2.0, 3.0])
    call = WRITES[write][1]
    with ol.no_grad():
        call(w)
    assert w.inplace_version == 1
    assert w.is_leaf
    assert w.stop_gradient is False
    if write in {"cast_", "reshape_"}:
        return
    with ol.no_grad():
        view = w[...]
        call(view)
    assert w.inplace_version == view.inplace_version == 2
    (w * 3).sum().backward()
    check_gradient(w, [3.0, 3.0, 3.0])


def test_c3_holds_for_a_view_made_before() -> None:
    w = leaf([1.0, 2.0])
    view = w[0:1]
    with ol.no_grad():
        view.fill_(9.0)
    check(w, [9.0, 2.0])
    assert w.inplace_version == 1
    view.sum().backward()
    check_gradient(w, [1.0, 0.0])


def unrecorded_view(base: Any) -> Any:
    with ol.no_grad():
        return base[0:1]


def test_c4_a_view_made_under_no_grad_is_a_constant() -> None:
    w = leaf([2.0, 3.0])
    view = unrecorded_view(w)
    assert view.stop_gradient
    assert view.is_leaf
    (view * w[1:2]).sum().backward()
    check_gradient(w, [0.0, 2.0])


@pytest.mark.parametrize("again", [False, True])
def test_c4_it_is_not_written_where_its_origin_needs_a_gradient(again: bool) -> None:
    w = leaf([2.0, 3.0])
    origin = w.clone()
    for base in (w, origin):
        view = unrecorded_view(base)
        if again:
            view = view.reshape([1, 1])
        with refused(ValueError, base, view, says=["no_grad", "add_"]):
            view.add_(1.0)
        with refused(ValueError, base, view):
            view[...] = 1.0
        with ol.no_grad():
            view.add_(1.0)
        check(base, [3.0, 3.0])
        assert base.inplace_version == 1


def test_c4_what_counts_is_the_origin_as_it_is_now() -> None:
    base = constant([1.0, 2.0])
    view = unrecorded_view(base)
    view.add_(1.0)
    base.add_(leaf([1.0, 1.0]))
    with refused(ValueError, base, view):
        view.add_(1.0)


def test_c4_a_recording_call_is_refused() -> None:
    base = constant([1.0, 2.0])
    view = unrecorded_view(base)
    with refused(ValueError, base, view, says=["no_grad"]):
        view.add_(leaf([1.0]))
    with refused(ValueError, base, view):
        view[0:1] = leaf([1.0])


def test_c4_else_it_is_allowed() -> None:
    base = constant([1.0, 2.0])
    view = unrecorded_view(base)
    view.add_(constant([1.0]))
    view[0:1] = 5.0
    check(base, [5.0, 2.0])
    assert base.inplace_version == 2
    assert view.stop_gradient


@pytest.mark.parametrize(
    ("target", "other"),
    [((3,), (2, 3)), ((3,), (1, 3)), ((1, 3), (2, 3)), ((2, 1), (3,)), ((), (1,)), ((1,), (0,))],
)
def test_c5_a_broadcast_does_not_enlarge_the_target(
    target: tuple[int, ...], other: tuple[int, ...]
) -> None:
    for op in ("add_", "subtract_", "multiply_", "divide_", "maximum_", "minimum_", "pow_"):
        x, y = constant(np.ones(target)), constant(np.ones(other))
        shapes = ["[" + ", ".join(map(str, shape)) + "]" for shape in (target, other)]
        result = np.broadcast_shapes(target, other)
        with refused(ValueError, x, y, says=[op]) as caught:
            getattr(x, op)(y)
        text = str(caught.value)
        assert shapes[0] in text
        assert shapes[1] in text or "[" + ", ".join(map(str, result)) + "]" in text


def test_c5_set_item_and_copy_do_not_enlarge_either() -> None:
    x = constant(np.zeros((2, 3)))
    with refused(ValueError, x):
        x[0:1] = constant(np.zeros((2, 3)))
    with refused(ValueError, x):
        x[0] = constant(np.zeros(2))
    with refused(ValueError, x):
        x.copy_(constant(np.zeros((2, 2, 3))))
    x.copy_(constant([1.0, 2.0, 3.0]))
    check(x, [[1, 2, 3], [1, 2, 3]])


def test_c5_a_smaller_operand_is_fine() -> None:
    x = constant(np.zeros((2, 3)))
    x.add_(constant([1.0, 2.0, 3.0])).add_(constant([[10.0], [20.0]])).add_(1)
    check(x, [[12, 13, 14], [22, 23, 24]])


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "bool"])
def test_c6_a_result_of_a_higher_category_is_refused(dtype: str) -> None:
    x = constant([1, 0, 1], dtype)
    calls: list[Callable[[], Any]] = [
        lambda: x.add_(1.5),
        lambda: x.multiply_(constant([1.0, 2.0, 3.0], "float32")),
        lambda: x.divide_(2),
        lambda: x.exp_(),
        lambda: x.sqrt_(),
    ]
    for call in calls:
        with refused(TypeError, x, says=[dtype, "float32"]):
            call()
    if dtype == "bool":
        with refused(TypeError, x, says=["bool", "int64"]):
            x.add_(constant([1, 2, 3], "int64"))


def test_c6_names_the_op_in_its_refusal() -> None:
    with refused(TypeError, says=["add_", "int64", "float32"]):
        constant([1], "int64").add_(1.5)


def test_c6_inside_a_category_the_target_keeps_its_dtype() -> None:
    x = constant([1.0, 2.0], "float32")
    x.add_(constant([0.5, 0.5], "float64"))
    assert dtype_of(x) == "float32"
    check(x, np.array([1.5, 2.5], "float32"))
    n = constant([1, 2], "int32")
    n.add_(constant([2**32 + 1, 1], "int64"))
    assert dtype_of(n) == "int32"
    check(n, np.array([2, 3], "int32"))
    b = constant([250], "uint8")
    b.add_(10)
    check(b, np.array([4], "uint8"))
    f = constant([1.0])
    f.add_(constant([2], "int64"))
    check(f, [3.0])


@pytest.mark.asan
def test_c6_cast_puts_in_a_new_storage() -> None:
    w, x = inner([1.5, 2.5])
    y = x.square()
    out = x.cast_("float32")
    assert out is x
    assert dtype_of(x) == "float32"
    assert x.inplace_version == 1
    y.sum().backward()
    check_gradient(w, [3.0, 5.0])


def test_c6_version_starts_at_the_old_one_plus_one() -> None:
    x = constant([1.5, 2.5])
    x.add_(1).add_(1)
    x.cast_("int64")
    assert x.inplace_version == 3
    check(x, np.array([3, 4]))
    x.add_(1)
    assert x.inplace_version == 4


@pytest.mark.parametrize(
    "op", ["equal_", "not_equal_", "less_than_", "less_equal_", "greater_than_", "greater_equal_"]
)
def test_c6_comparisons_in_place_give_bool(op: str) -> None:
    w, x = inner([1.0, 2.0, 3.0])
    saved = x.exp()
    expected = array(getattr(x, op[:-1])(2.0))
    assert getattr(x, op)(2.0) is x
    assert dtype_of(x) == "bool"
    check(x, expected)
    assert x.inplace_version == 1
    assert x.stop_gradient
    assert x.is_leaf
    saved.sum().backward()
    check_gradient(w, np.exp([1.0, 2.0, 3.0]))


def test_c6_a_new_storage_is_refused_for_a_view() -> None:
    base = constant([1.0, 2.0])
    view = base[0:1]
    calls: list[Callable[[], Any]] = [lambda: view.cast_("int64"), lambda: view.equal_(1.0)]
    for call in calls:
        with refused(ValueError, base, view):
            call()


def test_c6_a_new_storage_is_refused_where_another_tensor_maps_the_old_one() -> None:
    shares: list[Callable[[Any], Any]] = [
        lambda x: x[0:1],
        lambda x: x.detach(),
        lambda x: x.reshape([2, 1]),
    ]
    for share in shares:
        base = constant([1.0, 2.0])
        other = share(base)
        with refused(ValueError, base, other):
            base.cast_("float32")
        with refused(ValueError, base, other):
            base.less_than_(1.0)
        del other
        gc.collect()  # the refusals' tracebacks hold it, too
        base.cast_("float32")
        assert base.inplace_version == 1


def test_c6_saved_values_do_not_count_as_maps() -> None:
    w, x = inner([1.0, 2.0])
    y = x.exp()
    z = y.square()
    y.cast_("float32")
    z.sum().backward()
    check_gradient(w, 2 * np.exp([2.0, 4.0]))


def test_c6_cast_is_recorded() -> None:
    w, x = inner([1.0, 2.0])
    x.cast_("float32")
    assert x.stop_gradient is False
    x.multiply_(3.0)
    x.sum().backward()
    assert dtype_of(w.grad) == "float64"
    check_gradient(w, [3.0, 3.0])


def test_c6_cast_under_no_grad_passes_the_gradient_through() -> None:
    w = leaf([1.5, 2.5])
    x = w * 2
    with ol.no_grad():
        x.cast_("float32")
    assert x.stop_gradient is False
    (x * 5).sum().backward()
    assert dtype_of(w.grad) == "float64"
    check_gradient(w, [10.0, 10.0])


def test_c6_cast_to_an_integer_ends_the_history() -> None:
    _, x = inner([1.5, -2.5])
    x.cast_("int32")
    assert x.stop_gradient
    assert x.is_leaf
    check(x, np.array([1, -2], "int32"))


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        (IndexError, lambda x: x.__setitem__(constant([0, 9], "int64"), 1.0)),
        (IndexError, lambda x: x.__setitem__(constant([0, -5], "int64"), 1.0)),
        (IndexError, lambda x: x.__setitem__(4, 1.0)),
        (IndexError, lambda x: x.__setitem__((0, 0), 1.0)),
        (IndexError, lambda x: x.__setitem__(constant([True, False], "bool"), 1.0)),
        (ValueError, lambda x: x.__setitem__(slice(0, 2), constant([1.0, 2.0, 3.0]))),
        (IndexError, lambda x: x.scatter_(constant([0, 9], "int64"), constant([1.0, 2.0]))),
        (ValueError, lambda x: x.reshape_([5])),
        (ValueError, lambda x: x.transpose_([0, 0])),
        (TypeError, lambda x: x.add_("one")),
        (TypeError, lambda x: x.add_(None)),
    ],
)
def test_a_call_that_raises_changes_nothing(
    kind: type[BaseException], write: Callable[[Any], None]
) -> None:
    """Order of work: data are tested to the end before the first byte is written."""
    w, x = inner([1.0, 2.0, 3.0, 4.0])
    view = x[0:2]
    y = x.square()
    with refused(kind, x, view, y):
        write(x)
    (y + x).sum().backward()
    check_gradient(w, [3.0, 5.0, 7.0, 9.0])


def test_a_refused_call_leaves_its_other_inputs_alone() -> None:
    w = leaf([1.0])
    y = constant([2.0])
    before = state(y)
    with pytest.raises(LeafInplaceError):
        w.multiply_(y)
    assert state(y) == before
