"""What values of programs say of themselves, and what they refuse."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import doubled
from tests.python.support import check, constant

pytestmark = pytest.mark.asan


def tru() -> Any:
    return ol.ones([], dtype="bool")


# --- Values of another program, and outside of `with`.


def test_two_programs_are_not_mixed() -> None:
    first, y = doubled()
    second, z = doubled()
    with first:
        y.stop_gradient = False
    with second:
        z.stop_gradient = False
        for call in (
            lambda: y + z,
            lambda: z + y,
            lambda: ol.concat([z, y]),
            lambda: ol.cond(tru(), lambda: y, lambda: z),
            lambda: ol.grad(y, [z]),
            lambda: (z * 1).add_(y),
        ):
            with pytest.raises(ValueError, match="another"):
                call()
    check(second.run({"x": [1.0, 2.0]}, z)[0], [2.0, 4.0])
    check(first.run({"x": [1.0, 2.0]}, y)[0], [2.0, 4.0])


@pytest.mark.parametrize(
    "use",
    [
        lambda y: y + 1, lambda y: 1 + y, lambda y: -y, lambda y: y * y, lambda y: y > 0,
        lambda y: y == y, lambda y: y[0], lambda y: y.sum(), lambda y: ol.tanh(y),
        lambda y: y.add_(1), lambda y: y.T, lambda y: y.detach(),
        lambda y: ol.concat([y, y]), lambda y: y + constant([1.0, 2.0]),
        lambda y: constant([1.0, 2.0]) + y, lambda y: operator.setitem(y, 0, 1.0),
        lambda y: setattr(y, "stop_gradient", False), lambda y: ol.to_tensor(y),
        lambda y: ol.grad(y, [y]), lambda y: ol.cond(y, lambda: 1, lambda: 2),
        lambda y: ol.while_loop(lambda i: y, lambda i: i, [constant(1.0)]),
    ],
)  # fmt: skip
def test_a_value_used_outside_of_with_says_how(use: Any) -> None:
    _, y = doubled()
    with pytest.raises((TypeError, ValueError)) as caught:
        use(y)
    assert "program" in str(caught.value).lower()


# --- What values do not have.


@pytest.mark.parametrize(
    "use",
    [bool, lambda y: y and 1, lambda y: not y, lambda y: 1 if y else 2, lambda y: max(y, y)],
)
def test_python_cannot_choose_by_a_value(use: Any) -> None:
    program = ol.Program()
    with program:
        y = program.input("x", [], "float64") > 0
        with pytest.raises(TypeError) as caught:
            use(y)
    assert "oploom.cond(" in str(caught.value)
    assert "oploom.while_loop(" in str(caught.value)


@pytest.mark.parametrize("use", [int, float, operator.index, range, lambda y: [1, 2][y]])
def test_a_value_is_no_python_number(use: Any) -> None:
    program = ol.Program()
    with program:
        y = program.input("x", [], "int64") + 1
        with pytest.raises(TypeError) as caught:
            use(y)
        assert "program" in str(caught.value).lower() or "ProgramValue" in str(caught.value)


@pytest.mark.parametrize(
    "use",
    [lambda y: y.item(), lambda y: y.numpy(), lambda y: y.tolist(), np.asarray,
     lambda y: y.numpy(writable=True), lambda y: np.array(y, dtype="float32")],
)  # fmt: skip
def test_a_value_has_no_data(use: Any) -> None:
    program, y = doubled()
    for where in (program, ol.enable_grad()):
        with where, pytest.raises(TypeError, match=r"program\.run\(feed, fetch=\[value\]\)"):
            use(y)


def test_backward_points_to_append_backward() -> None:
    program, y = doubled()
    with program, pytest.raises(TypeError, match=r"append_backward\(loss\) or oploom\.grad"):
        y.backward()


@pytest.mark.parametrize("name", ["grad", "register_hook", "retain_grad", "clear_grad"])
def test_what_belongs_to_eager_mode_is_refused_as_it_is_of_tensors(name: str) -> None:
    program, y = doubled()
    for x in (y, ol.ones([1])):
        with program, pytest.raises(ValueError, match=rf"\[{name}\] a program is being recorded"):
            getattr(x, name)(*[print] if name == "register_hook" else [])
    with pytest.raises(TypeError, match=rf"\[{name}\] %.*oploom\.append_backward"):
        getattr(y, name)
    with program, pytest.raises(ValueError, match=r"\[grad\] a program is being recorded"):
        y.grad = None


def test_detach_in_place_and_versions_are_refused_with_the_way_out() -> None:
    program, y = doubled()
    for x in (y, ol.ones([1])):
        with program, pytest.raises(NotImplementedError, match=r"use detach\(\)"):
            x.detach_()
    with pytest.raises(TypeError, match=r"\[detach_\] .* inside `with program:`"):
        y.detach_()
    for where in (program, ol.enable_grad()):
        with where, pytest.raises(TypeError, match=r"\[inplace_version\] .* outside"):
            y.inplace_version  # noqa: B018


def test_a_value_has_every_attribute_of_a_tensor() -> None:
    missing = {name for name in dir(ol.Tensor) if not hasattr(ol.ProgramValue, name)}
    assert {name for name in missing if not name.startswith("__")} == set()


def test_len_and_iteration_need_a_known_length() -> None:
    program = ol.Program()
    with program:
        known = program.input("a", [3, 2], "float64")
        unknown = program.input("b", [None, 2], "float64")
        scalar = program.input("c", [], "float64")
        assert len(known) == 3
        rows = list(known)
        assert [r.shape for r in rows] == [(2,)] * 3
        p, q, r = known
        for use in (len, list, iter):
            with pytest.raises(TypeError, match="known at run time only"):
                use(unknown)
            with pytest.raises(TypeError):
                use(scalar)
        total = p + q + r + rows[0]
    data = np.arange(6.0).reshape(3, 2)
    check(program.run({"a": data}, total)[0], data.sum(0) + data[0])


def test_what_a_value_says_of_itself() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2, None], "float64", stop_gradient=False)
        y = x + 1
        assert (x.shape, x.ndim, x.size, str(x.dtype), x.name) == ((2, -1), 2, -1, "float64", "x")
        assert not x.stop_gradient
        assert x.requires_grad
        assert x.is_leaf
        assert not y.stop_gradient
        assert not y.is_leaf
        six = ol.ones([2, 3])
        assert (six.size, six.nbytes) == (6, 24)
        assert x.nbytes == -1
    assert repr(x) == "ProgramValue(x: float64[2, ?], stop_gradient=False)"
    assert y.name.startswith("%")
    assert x.program is program
    assert len({x, y, x}) == 2
    with pytest.raises(TypeError):
        ol.ProgramValue()  # type: ignore[call-arg]
    assert repr(program) == "<oploom.Program: 3 ops, 1 inputs, 0 parameters>"


def test_the_text_has_one_op_a_line_and_indents_regions() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        ol.cond(x.sum() > 0, lambda: ol.tanh(x), lambda: x * 2)
    lines = str(program).splitlines()
    assert lines[0] == "input %0 x : float64[2]"
    then = lines.index("  then:")
    assert lines[then + 1].startswith("    %")
    assert "= tanh(%0) : float64[2]" in lines[then + 1]
    assert "test_program_values.py:" in lines[then + 1]
    assert "  else:" in lines
