"""Rules B1 to B4: what backward finds of the values that it saved."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import (
    array,
    central_difference,
    check,
    check_gradient,
    constant,
    derivative,
    inner,
    leaf,
)

VersionError = ol.errors.VersionError


def here() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


@pytest.mark.asan
def test_b1_names_value_op_versions_writer_file_and_line() -> None:
    w, x = inner([1.0, 2.0])
    x.name = "state"
    y = x.square()
    x.add_(1.0)
    line = here() - 1
    x.multiply_(2.0)
    with pytest.raises(VersionError) as caught:
        y.sum().backward()
    text = str(caught.value)
    assert text.startswith(
        "(PermissionDenied) Tensor 'state' used in gradient computation in grad op 'square_grad'"
        " has been modified by an inplace operation."
        " Its version is 2 but the expected version is 0."
    )
    assert "add_" in text
    assert re.search(rf"test_rules_backward\.py\S*\b{line}\b", text), text
    assert issubclass(VersionError, RuntimeError)
    assert w.grad is None


WRITERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "augmented": ("add_", lambda x: x.__iadd__(1.0)),
    "index": ("set_item_", lambda x: x.__setitem__(0, 1.0)),
    "mask": ("index_put_", lambda x: x.__setitem__(constant([True, False], "bool"), 1.0)),
    "view": ("fill_", lambda x: x[0:1].fill_(2.0)),
    "detach": ("exp_", lambda x: x.detach().exp_()),
    "update": ("sgd_", lambda x: ol.sgd_(x, 1.0, constant([1.0, 1.0]))),
    "random": ("uniform_", lambda x: x.uniform_()),
}


@pytest.mark.parametrize("how", WRITERS)
def test_b1_whoever_wrote_is_named(how: str) -> None:
    _, x = inner([1.0, 2.0])
    y = x.square()
    op, write = WRITERS[how]
    write(x)
    with pytest.raises(VersionError, match=rf"{op}\b") as caught:
        y.sum().backward()
    assert "test_rules_backward.py" in str(caught.value)


def test_b1_every_grad_stays_as_it_was() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (w * 2).sum().backward()
    kept = w.grad
    x = w * 1
    y = v * x.square()
    x.fill_(0.0)
    with pytest.raises(VersionError):
        (y + w + v).sum().backward()
    assert w.grad is kept
    check(kept, [2.0, 2.0])
    assert kept.inplace_version == 0
    assert v.grad is None


def test_b1_is_tested_before_anything_is_computed() -> None:
    w = leaf([1.0, 2.0])
    calls = []
    x = w * 1
    y = x.square()
    z = y * 3
    z.register_hook(lambda g: calls.append("z"))
    y.register_hook(lambda g: calls.append("y"))
    x.add_(1.0)
    with pytest.raises(VersionError):
        z.sum().backward()
    assert calls == []


def test_b1_is_tested_again_when_unpacked() -> None:
    """A hook that writes in the middle of backward is caught too."""
    w, x = inner([1.0, 2.0])
    y = x.square()
    z = y * 3
    z.register_hook(lambda g: (x.detach().add_(1.0), None)[1])
    with pytest.raises(VersionError, match="add_"):
        z.sum().backward()
    assert w.grad is None


@pytest.mark.asan
def test_b1_only_values_read_by_a_wanted_gradient_count() -> None:
    w, v = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    a, b = w * 1, v * 1
    product = (a * b).sum()
    a.add_(1.0)
    by_w = derivative(product, w, retain_graph=True)
    check(by_w, [3.0, 4.0])
    with pytest.raises(VersionError, match="add_"):
        ol.grad([product], [v], retain_graph=True)
    with pytest.raises(VersionError):
        product.backward()


def test_b1_a_stopped_input_saves_nothing_of_the_other() -> None:
    w, factor = leaf([1.0, 2.0]), constant([3.0, 4.0])
    x = w * 1
    y = x * factor
    x.fill_(0.0)
    y.sum().backward()
    check_gradient(w, [3.0, 4.0])


def test_b1_says_what_to_do() -> None:
    _, x = inner([1.0])
    y = x.exp()
    y.add_(1.0)
    with pytest.raises(VersionError) as caught:
        y.sum().backward()
    text = str(caught.value)
    assert "exp" in text
    assert "add_" in text
    assert "clone()" in text or "plain" in text or "add(" in text


def test_b1_after_a_refused_backward_others_still_run() -> None:
    w, x = inner([1.0, 2.0])
    y, z = x.square(), x * 3
    x.fill_(5.0)
    with pytest.raises(VersionError):
        (y + z).sum().backward()
    z.sum().backward()
    check_gradient(w, [3.0, 3.0])


@pytest.mark.asan
def test_b2_columns_beside_a_saved_column() -> None:
    w, x = inner([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = x[:, 0].square()
    x[:, 1] = 0.0
    x[:, 1].add_(3.0)
    y.sum().backward()
    check_gradient(w, [[2.0, 0.0], [6.0, 0.0], [10.0, 0.0]])
    _, x = inner([[1.0, 2.0], [3.0, 4.0]])
    y = x[:, 0].square()
    x[1, 0] = 0.0
    with pytest.raises(VersionError):
        y.sum().backward()


def test_b2_exact_bytes_not_spans() -> None:
    """Interleaved strides, blocks inside a saved frame, many entries in the log."""
    w, x = inner(np.arange(64.0).reshape(8, 8))
    y = x[::2, 1::2].square()
    for row in range(1, 8, 2):
        x[row] = 0.0
    x[:, ::2].add_(1.0)
    y.sum().backward()
    expected = np.zeros((8, 8))
    expected[::2, 1::2] = 2 * np.arange(64.0).reshape(8, 8)[::2, 1::2]
    check_gradient(w, expected)


SHAPE_ONLY: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "add": lambda x: x + x,
    "subtract": lambda x: 1 - x,
    "scale": lambda x: x.scale(2.0, 1.0),
    "times number": lambda x: x * 2,
    "divide by number": lambda x: x / 2,
    "negative": lambda x: -x,
    "reshape": lambda x: x.reshape([2, 1]).clone(),
    "transpose": lambda x: x.reshape([2, 1]).transpose([1, 0]).clone(),
    "cast": lambda x: x.cast("float32"),
    "concat": lambda x: ol.concat([x, x]),
    "expand": lambda x: x.expand([3, 2]).clone(),
    "clone": lambda x: x.clone(),
    "rows": lambda x: x[constant([1, 1, 0], "int64")],
}


@pytest.mark.parametrize("name", SHAPE_ONLY)
def test_b2_a_backward_that_needs_only_shape_or_dtype(name: str) -> None:
    w, x = inner([1.0, 2.0])
    slope = array(SHAPE_ONLY[name](constant([1.0, 1.0])).sum()) - array(
        SHAPE_ONLY[name](constant([0.0, 0.0])).sum()
    )
    y = SHAPE_ONLY[name](x)
    x.fill_(7.0)
    y.sum().backward()
    assert w.grad is not None
    np.testing.assert_allclose(array(w.grad).sum(), slope)


COPIED: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "abs_": (lambda x: x.abs_(), np.sign),
    "clip_": (lambda x: x.clip_(-1.0, 1.0), lambda x: (np.abs(x) < 1) * 1.0),
    "sin_": (lambda x: x.sin_(), np.cos),
    "square_": (lambda x: x.square_(), lambda x: 2 * x),
}


@pytest.mark.parametrize("op", COPIED)
def test_b2_a_copied_value_is_never_touched(op: str) -> None:
    data = np.array([0.5, -2.0, 3.0])
    w, x = inner(data)
    call, slope = COPIED[op]
    call(x)
    x.add_(1.0).multiply_(2.0)
    x.sum().backward()
    check_gradient(w, 2 * slope(data))


KEEPS_X = ["abs", "clip", "sin", "square", "elu", "leaky_relu"]
KEEPS_OUT = ["relu", "tanh", "sigmoid", "exp", "softmax"]
ATTRS: dict[str, dict[str, Any]] = {
    "clip": {"min": -1.0, "max": 1.0},
    "leaky_relu": {"negative_slope": 0.1},
    "softmax": {"axis": 0},
}


@pytest.mark.parametrize("op", [*KEEPS_X, *KEEPS_OUT])
def test_b2_formulas_keep_what_the_cases_assume(op: str) -> None:
    keeps_x = op in KEEPS_X
    for overwrite_x in (True, False):
        w, x = inner([0.5, 2.0])
        out = getattr(x, op)(**ATTRS.get(op, {}))
        loss = out.reshape([2]).sum()
        (x if overwrite_x else out).fill_(0.25)
        if overwrite_x is keeps_x:
            with pytest.raises(VersionError, match=f"'{op}_grad'"):
                loss.backward()
        else:
            loss.backward()
            assert w.grad is not None


@pytest.mark.parametrize(
    ("op", "attrs"), [("elu_", {"alpha": 0.7}), ("leaky_relu_", {"negative_slope": 0.1})]
)
def test_b2_in_place_from_the_output_where_that_is_valid(op: str, attrs: dict[str, Any]) -> None:
    data = np.array([0.5, -1.5])
    w, x = inner(data)
    loss = getattr(x, op)(**attrs).sum()
    loss.backward(retain_graph=True)
    slope = 0.7 * np.exp(-1.5) if op == "elu_" else 0.1
    check_gradient(w, [1.0, slope])
    x.add_(1.0)
    with pytest.raises(VersionError):
        loss.backward()


@pytest.mark.parametrize(
    ("op", "attrs", "slope"),
    [("elu_", {"alpha": -0.7}, -0.7 * np.exp(-1.5)), ("leaky_relu_", {"negative_slope": -2.0}, -2)],
)
def test_b4_a_copy_where_the_output_does_not_tell(
    op: str, attrs: dict[str, Any], slope: float
) -> None:
    w, x = inner([0.5, -1.5])
    getattr(x, op)(**attrs)
    x.add_(1.0)
    x.sum().backward()
    check_gradient(w, [1.0, slope])


def test_b3_right_or_refused_for_every_order_of_two_writes() -> None:
    calls: dict[str, Callable[[Any], Any]] = {
        "relu_": lambda x: x.relu_(),
        "tanh_": lambda x: x.tanh_(),
        "exp_": lambda x: x.exp_(),
        "square_": lambda x: x.square_(),
        "add_": lambda x: x.add_(0.5),
        "part": lambda x: x[0:1].sin_(),
        "part by part": lambda x: x[0:1].multiply_(x[1:2]),
        "softmax_": lambda x: x.softmax_(0),
    }

    def value(first: str, second: str, data: Any) -> float:
        x = constant(data)
        calls[first](x)
        return float(array((x * calls[second](x)[0]).sum()))

    refusals = 0
    data = np.array([0.4, -0.3])
    for first in calls:
        for second in calls:
            w, x = inner(data)
            calls[first](x)
            loss = (x * calls[second](x)[0]).sum()
            try:
                loss.backward()
            except VersionError:
                refusals += 1
                continue

            def function(at: Any, first: str = first, second: str = second) -> float:
                return value(first, second, at)

            check_gradient(w, central_difference(function, data), 1e-7)
    assert 0 < refusals < len(calls) ** 2


@pytest.mark.asan
@pytest.mark.parametrize("second_order", [False, True])
@pytest.mark.parametrize(
    ("write", "first", "second"),
    [
        (lambda x: x.multiply_(x), lambda a: 2 * a, lambda a: 2 + 0 * a),
        (lambda x: x.divide_(x), lambda a: 0 * a, lambda a: 0 * a),
        (lambda x: x.multiply_(x[...]), lambda a: 2 * a, lambda a: 2 + 0 * a),
        (lambda x: x.multiply_(x.detach()), lambda a: a, lambda a: 0 * a),
        (lambda x: x.detach().multiply_(2.0), lambda a: 1 + 0 * a, lambda a: 0 * a),
        (lambda x: x.square_(), lambda a: 2 * a, lambda a: 2 + 0 * a),
        (lambda x: x.exp_(), np.exp, np.exp),
    ],
)
def test_b4_saved_values_that_the_call_overwrites(
    write: Any, first: Any, second: Any, second_order: bool
) -> None:
    data = np.array([0.5, 2.0, 3.0])
    w, x = inner(data)
    write(x)
    by_w = derivative(x.sum(), w, create_graph=second_order)
    check(by_w, first(data))
    if second_order:
        if by_w.stop_gradient:
            check(0 * data, second(data))
            return
        again = derivative(by_w.sum(), w)
        check(np.zeros(3) if again is None else array(again), second(data))


def test_b4_a_copy_comes_back_with_its_edge() -> None:
    """x.multiply_(x) on x = w^2: w^4, derivatives 4 w^3, 12 w^2 and 24 w."""
    data = np.array([0.5, 1.5])
    w = leaf(data)
    x = w * w
    x.multiply_(x)
    first = derivative(x.sum(), w, create_graph=True)
    check(first, 4 * data**3)
    second = derivative(first.sum(), w, create_graph=True)
    check(second, 12 * data**2)
    third = derivative(second.sum(), w)
    check(third, 24 * data)


def test_b4_only_what_a_needed_gradient_reads_is_saved() -> None:
    data = np.ones(100_000)
    w, factor = leaf(data), constant(data)
    before = ol.bytes_in_use()
    y = w * 2
    y.multiply_(factor)
    y.add_(factor)
    grown = ol.bytes_in_use() - before
    assert grown < data.nbytes * 1.5
    y.sum().backward()
    check_gradient(w, 2 * data)


def test_b4_one_copy_per_value() -> None:
    data = np.full(100_000, 2.0)
    w, x = inner(data)
    before = ol.bytes_in_use()
    x.multiply_(x)
    assert ol.bytes_in_use() - before < data.nbytes * 1.5
    x.sum().backward()
    check_gradient(w, 2 * data)
