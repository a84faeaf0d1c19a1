"""Tensors that a program takes in by reference: writes into them, and lifetimes."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import chain, doubled, text_of
from tests.python.support import check, constant, leaf

pytestmark = pytest.mark.asan

# --- Parameters.


def test_a_parameter_is_taken_in_by_reference() -> None:
    w = leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        y = w * 3
        assert program.parameter(w).shape == (2,)
    assert program.parameters() == [w]
    assert program.parameters()[0] is w
    check(program.run(fetch=y)[0], [3.0, 6.0])
    with ol.no_grad():
        w.add_(1)
    check(program.run(fetch=y)[0], [6.0, 9.0])


def counter() -> tuple[ol.Program, Any, Any]:
    w = constant([1.0, 2.0])
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        before = w * 1
        w.add_(x)
        after = w * 10
    return program, w, [before, after]


@pytest.mark.parametrize(
    "passes",
    [[], ["functionalize"], ["apply_inplace"], ["prune"], ["clean_up"],
     ["functionalize", "clean_up", "prune", "apply_inplace"]],
)  # fmt: skip
def test_a_write_into_a_parameter_is_an_effect(passes: list[str]) -> None:
    program, w, values = counter()
    for name in passes:
        getattr(program, name)(*([[]] if name == "prune" else []))
    check(w, [1.0, 2.0])
    assert w.inplace_version == 0
    fetch = values if "prune" not in passes else []
    found = program.run({"x": [1.0, 1.0]}, fetch)
    check(w, [2.0, 3.0])
    assert w.inplace_version == 1
    for a, b in zip(found, ([1.0, 2.0], [20.0, 30.0]), strict=False):
        check(a, b)
    program.run({"x": [1.0, 1.0]})  # an effect is wanted by nobody, and happens
    check(w, [3.0, 4.0])
    assert w.inplace_version == 2
    check(program.run({"x": [0.0, 0.0]}, w)[0], [3.0, 4.0])


def test_a_run_that_raises_stores_nothing() -> None:
    w, v = constant([1.0, 2.0]), constant([5.0])
    program = ol.Program()
    with program:
        i = program.input("i", [1], "int64")
        w.add_(1)
        taken = w[i]
        v.add_(taken)
    with pytest.raises(IndexError):
        program.run({"i": [7]})
    check(w, [1.0, 2.0])
    check(v, [5.0])
    assert (w.inplace_version, v.inplace_version) == (0, 0)
    program.run({"i": [1]})
    check(w, [2.0, 3.0])
    check(v, [8.0])
    assert (w.inplace_version, v.inplace_version) == (1, 1)


def test_views_see_what_a_run_stored() -> None:
    base = constant([1.0, 2.0, 3.0])
    view = base[1:]
    program = ol.Program()
    with program:
        base[1:].multiply_(10)
    program.run()
    check(view, [20.0, 30.0])
    assert view.inplace_version == base.inplace_version == 1


def test_a_backward_that_kept_a_parameter_sees_the_write_of_a_run() -> None:
    w, x = constant([1.0, 2.0]), leaf([3.0, 4.0])
    loss = (w * x).sum()
    program = ol.Program()
    with program:
        w.add_(1)
    program.run()
    with pytest.raises(ol.errors.VersionError):
        loss.backward()


def test_a_parameter_that_changed_its_shape_or_dtype_is_refused_by_name() -> None:
    w = constant([1.0, 2.0])
    w.name = "w"
    program = ol.Program()
    with program:
        y = w * 3
    w.unsqueeze_(0)
    with pytest.raises(ValueError, match="parameter") as caught:
        program.run(fetch=y)
    assert "[run] parameter 'w': expected float64[2], got shape [1, 2]" in text_of(caught)
    w.squeeze_(0)
    w.cast_("float32")
    with pytest.raises(TypeError, match="parameter") as again:
        program.run(fetch=y)
    assert "[run] parameter 'w': expected dtype float64, got float32" in text_of(again)


def test_the_optimizer_writes_leaves() -> None:
    w = leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        loss = ((w - x) * (w - x)).sum()
        for parameter, gradient in ol.append_backward(loss):
            with ol.no_grad():
                parameter.subtract_(0.1 * gradient)
    eager = np.array([1.0, 2.0])
    for _ in range(5):
        program.run({"x": [0.5, 0.5]}, loss)
        eager -= 0.1 * 2 * (eager - 0.5)
    check(w, eager)
    assert w.inplace_version == 5
    assert w.is_leaf
    assert not w.stop_gradient


# --- Lifetime.


def record_run_and_drop() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [1000], "float64", stop_gradient=False)
        y = ol.cond(x.sum() > 0, lambda: x * ol.to_tensor(np.ones(1000)), lambda: x)
        g: Any = ol.grad(y, [x])[0]
        z = y * leaf(np.ones(1000))
    program.run({"x": np.ones(1000)}, [z, g])
    program.functionalize().apply_inplace([z])
    program.run({"x": np.ones(1000)}, z)


def test_a_program_frees_what_it_held() -> None:
    record_run_and_drop()
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(3):
        record_run_and_drop()
    gc.collect()
    assert ol.bytes_in_use() == before


def test_a_value_keeps_its_program_and_a_program_its_parameters() -> None:
    program, y = doubled()
    kept = y.program
    assert kept is program
    del program, kept
    gc.collect()
    check(y.program.run({"x": [1.0, 2.0]}, y)[0], [2.0, 4.0])

    other = ol.Program()
    with other:
        z = leaf([1.0, 2.0]) * 2
    gc.collect()
    check(other.run(fetch=z)[0], [2.0, 4.0])


def test_runs_leave_nothing_behind() -> None:
    program, values = chain()
    data = np.ones(1000)
    program.run({"x": data}, values[-1])
    gc.collect()
    before = ol.bytes_in_use()
    for _ in range(3):
        program.run({"x": data}, values)
    assert ol.bytes_in_use() == before
