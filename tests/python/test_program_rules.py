"""The in-place rules at record time: calls are refused as in eager mode, in the same words."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import oploom as ol
from oploom.errors import LeafInplaceError
from tests.python.program_support import in_mode
from tests.python.support import array, constant, leaf

pytestmark = pytest.mark.asan

DATA = np.arange(1.0, 7.0).reshape(2, 3)


class Eager:
    """Tensors by name."""

    def input(self, name: str, data: Any, stop: bool) -> Any:
        x = (constant if stop else leaf)(data)
        x.name = name
        return x

    def recording(self) -> AbstractContextManager[Any]:
        return ol.enable_grad()


class Recorded:
    """Inputs of a program by name."""

    def __init__(self) -> None:
        self.program = ol.Program()
        self.feed: dict[str, Any] = {}

    def input(self, name: str, data: Any, stop: bool) -> Any:
        self.feed[name] = np.array(data, "float64")
        return self.program.input(name, self.feed[name].shape, "float64", stop)

    def recording(self) -> AbstractContextManager[Any]:
        return self.program


class Parameters(Eager):
    """Tensors that a program takes in."""

    def __init__(self) -> None:
        self.program = ol.Program()

    def input(self, name: str, data: Any, stop: bool) -> Any:
        return self.program.parameter(super().input(name, data, stop))

    def recording(self) -> AbstractContextManager[Any]:
        return self.program


def without_names(text: str) -> str:
    """Of tensors and values that have none of their own; nor with strides, which values lack."""
    return re.sub(r" and strides \[[\d, ]+\]", "", re.sub(r"tensor_\d+|%\d+", "_", text))


def unrecorded(x: Any) -> Any:
    with ol.no_grad():
        return x[0]


# Rule: what refuses, given w (a leaf), c (a constant) and t (w * 1).
REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "C1": lambda w, c, t: w.add_(1),
    "C1 by another op": lambda w, c, t: ol.multiply_(w, c),
    "C1 by key": lambda w, c, t: w.__setitem__(0, 1.0),
    "C1 by mask": lambda w, c, t: w.__setitem__(c > 2, 1.0),
    "C1 of a shape": lambda w, c, t: w.unsqueeze_(0),
    "C1 of a fill": lambda w, c, t: w.fill_(0.0),
    "C2": lambda w, c, t: w[0].add_(1),
    "C2 of a view of a view": lambda w, c, t: w.T[1:].reshape([2, 2]).T.tanh_(),
    "C2 of a shape": lambda w, c, t: w[0].unsqueeze_(0),
    "C4": lambda w, c, t: unrecorded(w).add_(1),
    "C4 of a history": lambda w, c, t: unrecorded(t).multiply_(2),
    "C4 of a recording call": lambda w, c, t: unrecorded(c).add_(t[0]),
    "C5": lambda w, c, t: t[0].add_(c),
    "C5 of a rank": lambda w, c, t: t.add_(c.unsqueeze(0)),
    "C5 of a length of 1": lambda w, c, t: t[:, :1].add_(c),
    "C6": lambda w, c, t: c.cast("int64").add_(1.5),
    "C6 of a tensor": lambda w, c, t: c.cast("int64").add_(c),
    "C6 of a bool": lambda w, c, t: (c > 1).add_(1),
    "C6 of a view": lambda w, c, t: t[0].cast_("float32"),
    "C7": lambda w, c, t: t[:1].expand([4, 3]).add_(1),
    "C7 of a view": lambda w, c, t: t[:, :1].expand([2, 5])[0].add_(1),
    "C7 by key": lambda w, c, t: t[:1].expand([4, 3]).__setitem__(0, 1.0),
}


@pytest.mark.parametrize("rule", REFUSED)
@pytest.mark.parametrize("mode", [Recorded, Parameters])
def test_refused_in_the_same_words(rule: str, mode: Any) -> None:
    def refusal(mode: Any) -> tuple[type[BaseException], str]:
        w, c = mode.input("w", DATA, False), mode.input("c", DATA, True)
        with mode.recording():
            t = w * 1
            with pytest.raises((ValueError, TypeError)) as caught:
                REFUSED[rule](w, c, t)
        return type(caught.value), without_names(str(caught.value))

    assert refusal(mode()) == refusal(Eager())


# What the rules allow, and what comes of it: all values, flags and gradients.
ALLOWED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "C2 of a detach": lambda w, c, t: w.detach().add_(1),
    "C3": lambda w, c, t: under_no_grad(lambda: w.add_(1)),
    "C3 of a view": lambda w, c, t: under_no_grad(lambda: w[0].multiply_(3)),
    "C4 of a constant": lambda w, c, t: unrecorded(c).add_(1),
    "C8 rows": lambda w, c, t: t.subtract_(t[:, :1]),
    "C8 shifted": lambda w, c, t: t.__setitem__((slice(None), slice(1, None)), t[:, :-1]),
    "C8 turned": lambda w, c, t: t[:, :2].add_(t[:, :2].T),
    "C8 itself": lambda w, c, t: t.multiply_(t),
    "C8 by index": lambda w, c, t: c.__setitem__(c[0].cast("int64") - 1, c[1]),
    "E3": lambda w, c, t: c.multiply_(t),
    "E3 of a view": lambda w, c, t: c[0].add_(t[1]),
    "E3 of a zero": lambda w, c, t: t.fill_(2.0),
    "E3 of an int": lambda w, c, t: t.cast_("int64"),
    "E5": lambda w, c, t: t[0].tanh_(),
    "E5 of split": lambda w, c, t: ol.split(t, 3, 1)[1].exp_(),
    "E6": lambda w, c, t: iadd(t),
    "E7": lambda w, c, t: under_no_grad(lambda: t.add_(c)),
    "E7 of a detach": lambda w, c, t: t.detach().multiply_(c),
    "C6 of a comparison": lambda w, c, t: (c * 1).greater_than_(t),
}


def under_no_grad(function: Callable[[], Any]) -> Any:
    with ol.no_grad():
        return function()


def iadd(t: Any) -> Any:
    t[0, 1:] += 5
    return t


@pytest.mark.parametrize("rule", ALLOWED)
def test_allowed_with_the_same_outcome(rule: str) -> None:
    def outcome(mode: Any) -> tuple[list[Any], list[Any]]:
        w, c = mode.input("w", DATA, False), mode.input("c", [[1.0, 2.0, 1.0]] * 2, True)
        with mode.recording():
            t = w * 1
            view = t[0] if rule != "E3 of an int" else w[0]
            ALLOWED[rule](w, c, t)
            values = [w, c, t, view, w * c]
            flags = [(x.stop_gradient, x.is_leaf, x.shape, str(x.dtype)) for x in values]
            target = (w * c).sum() + (t.sum() if t.dtype == ol.float64 else 0)
            values += [x for x in ol.grad(target, [w]) if x is not None]
        if isinstance(mode, Recorded):
            values = mode.program.run(mode.feed, values)
        return [array(x).tolist() for x in values], flags

    assert outcome(Recorded()) == outcome(Eager())


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.add_(w),
        lambda w: ol.multiply_(w, w),
        lambda w: w.fill_(0.0),
        lambda w: w.add_(1),
    ],
)
def test_a_refused_write_changes_neither_program_nor_parameter(call: Any) -> None:
    w = leaf(DATA)
    program = ol.Program()
    with program:
        program.parameter(w)
        before = str(program)
        with pytest.raises(ol.errors.LeafInplaceError):
            call(w)
        assert str(program) == before
    program.run()
    assert w.inplace_version == 0
    np.testing.assert_array_equal(array(w), DATA)


def test_the_names_in_errors_are_those_of_inputs_and_parameters() -> None:
    w = leaf(DATA)
    w.name = "weights"
    program = ol.Program()
    with program:
        x = program.input("points", [2], "float64", stop_gradient=False)
        for target, name in ((w, "weights"), (x, "points"), (x[:1], "points")):
            with pytest.raises(ol.errors.LeafInplaceError, match=rf"Leaf Tensor \({name}\)"):
                target.add_(1)


def test_flags_of_values_that_have_views_stay() -> None:
    with ol.Program() as program:
        h = program.input("x", [3], "float64", stop_gradient=False) * 1.0
        v = h[0:2]
        for value in (h, v):
            with pytest.raises(ol.errors.InplaceError, match="has views, or is one"):
                value.stop_gradient = True
        w = h.detach()
        w.stop_gradient = False
        del v, value
        h.stop_gradient = True
        assert h.stop_gradient
        assert not w.stop_gradient


# --- Views made before their base got a history.

OLDER: dict[str, tuple[Any, Any, bool]] = {
    "a part of the base": (lambda c: c[0:2], lambda c, x: c.__setitem__(0, x), True),
    "all of it, which a write of a part leaves": (
        lambda c: c[0:3], lambda c, x: c.__setitem__(0, x), True,
    ),
    "all of it, a part times x": (lambda c: c[:], lambda c, x: c[0:2].multiply_(x), True),
    "all of it, which was replaced": (lambda c: c[:], lambda c, x: c.multiply_(x), False),
    "all of it, replaced through a view": (lambda c: c[:], lambda c, x: c[:].multiply_(x), False),
    "all of it, one place at run time": (
        lambda c: c[:], lambda c, x: c.__setitem__((x * 0).cast("int64"), x), True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("mode", ["eager", "program"])
@pytest.mark.parametrize("name", OLDER)
def test_a_view_older_than_the_history_of_its_base(name: str, mode: str) -> None:
    view, write, accepted = OLDER[name]

    def function(x: Any) -> list[Any]:
        c = ol.ones([3], dtype="float64") * 2
        v = view(c)
        write(c, x)
        if accepted:
            v.add_(1.0)
        else:
            with pytest.raises(LeafInplaceError, match="is a view of it"):
                v.add_(1.0)
        return [c]

    in_mode(mode, function, 3.0)
