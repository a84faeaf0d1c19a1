"""Random programs with views, in-place ops, nested branches and loops, and arrays.

Eager mode, the recorded program, and the program after passes in any order must agree: the forms
of a program to the last bit, eager mode in values to the last bit, in gradients within 1e-11 of the
largest (its backward sums in another order). Where eager mode says that a value which backward
needs was overwritten, the forms of the program are compared with each other alone.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import oploom as ol
from tests.oracles.drawn_flow import Flow, flows
from tests.python.flow import Block
from tests.python.program_support import (
    PASSES,
    Outcome,
    as_list,
    eagerly,
    recorded,
    recorded_on_parameters,
    reloaded,
    run_after,
)  # fmt: skip
from tests.python.support import Array, array, central_difference, constant, derivative

# At least two of them, each any number of times.
ORDERS = st.lists(st.sampled_from(list(PASSES)), min_size=2, max_size=4)


def function_of(flow: Flow) -> Any:
    """The sum of what the flow takes and gives, and each of what it gives by itself."""

    def function(*inputs: Any) -> Any:
        names = Block(dict(zip(flow.inputs, inputs, strict=True))).run(flow.block)
        found = [names[n] for n in flow.out]
        parts = [ol.sum(x) if x.ndim else x for x in (*inputs, *found)]
        return sum(parts, ol.zeros([], dtype="float64")), *found

    return function


def near(a: Array | None, b: Array | None, bound: float) -> None:
    # A branch that was not taken is no dependence for eager mode.
    x, y = np.broadcast_arrays(0.0 if a is None else a, 0.0 if b is None else b)
    largest = max(1.0, float(np.abs(x).max(initial=0)))
    np.testing.assert_allclose(x, y, rtol=0, atol=bound * largest)


def check_agreement(found: Outcome, eager: Outcome) -> None:
    for a, b in zip(found.values, eager.values, strict=True):
        np.testing.assert_array_equal(a, b)
    for g, h in zip(found.grads, eager.grads, strict=True):
        near(g, h, 1e-11)


def try_eagerly(flow: Flow) -> Outcome | None:
    try:
        return eagerly(function_of(flow), *flow.inputs.values())
    except ol.errors.VersionError:
        return None


@settings(max_examples=200)
@given(flows(), ORDERS)
def test_forms_agree(flow: Flow, order: list[str]) -> None:
    function, data = function_of(flow), list(flow.inputs.values())
    net = recorded(function, *data)
    found = net.run()
    eager = try_eagerly(flow)
    if eager is not None:
        check_agreement(found, eager)
    for name in order:
        after = run_after([name], net)
        assert after.same_bits(found), name
        if name == "functionalize":
            assert not net.program.is_inplace_net()
    assert net.run().same_bits(found)
    for x, given_data in zip(net.feed.values(), data, strict=True):
        np.testing.assert_array_equal(x, given_data)


@settings(max_examples=60)
@given(flows(rough=False))
def test_gradients_agree_with_finite_differences(flow: Flow) -> None:
    function, data = function_of(flow), [np.asarray(x) for x in flow.inputs.values()]
    found = recorded(function, *data).run()
    for i, grad in enumerate(found.grads):

        def value(x: Any, i: int = i) -> float:
            with ol.no_grad():
                return float(function(*map(constant, [*data[:i], x, *data[i + 1 :]]))[0])

        slope = central_difference(value, data[i])
        assert grad is not None
        np.testing.assert_allclose(grad, slope, rtol=1e-5, atol=1e-5)


@settings(max_examples=80)
@given(flows(), ORDERS)
def test_second_order_agrees(flow: Flow, order: list[str]) -> None:
    data = list(flow.inputs.values())

    def function(*inputs: Any) -> Any:
        grads: list[Any] = ol.grad(function_of(flow)(*inputs)[0], list(inputs), create_graph=True)
        parts = [ol.sum(g * g) for g in grads]
        return sum(parts, ol.sum(inputs[0])), *grads

    net = recorded(function, *data)
    found = net.run()
    with suppress(ol.errors.VersionError):
        eager = eagerly(function, *data)
        for a, b in zip([*found.values, *found.grads], [*eager.values, *eager.grads], strict=True):
            near(a, b, 1e-10)
    assert run_after(order, net).same_bits(found)


@settings(max_examples=100)
@given(flows(), ORDERS)
def test_unknown_lengths_agree(flow: Flow, order: list[str]) -> None:
    """What lengths leave open is refused in time; all else is as with known lengths."""
    function, data = function_of(flow), list(flow.inputs.values())
    found = recorded(function, *data).run()
    net = None
    with suppress(ol.errors.InplaceError):  # a write through what may be a view or a copy
        net = recorded(function, *data, unknown=True)
    if net is None:
        return
    check_agreement(net.run(), found)
    again = net.run()
    assert run_after(order, net).same_bits(again)


@settings(max_examples=80)
@given(flows())
def test_inputs_and_parameters_agree(flow: Flow) -> None:
    function, data = function_of(flow), list(flow.inputs.values())
    found = recorded(function, *data).run()
    assert recorded_on_parameters(function, *data).run().same_bits(found)


@settings(max_examples=80)
@given(flows())
def test_files_agree(flow: Flow) -> None:
    function, data = function_of(flow), list(flow.inputs.values())
    net = recorded(function, *data)
    found = net.run()
    with tempfile.TemporaryDirectory() as folder:
        assert reloaded(Path(folder) / "program.yaml", net).same_bits(found)


@settings(max_examples=80)
@given(flows())
def test_to_program_agrees(flow: Flow) -> None:
    """The flow as one call of eager mode, twice: recorded, and run again."""
    function, data = function_of(flow), list(flow.inputs.values())
    found = recorded(function, *data).run()
    whole = ol.to_program(lambda *inputs: tuple(x * 1 for x in function(*inputs)))
    for _ in range(2):
        check_agreement(eagerly(whole, *data), found)


@settings(max_examples=120)
@given(flows(with_buffers=True), ORDERS, st.integers(1, 3))
def test_writes_into_parameters_agree(flow: Flow, order: list[str], runs: int) -> None:
    """As often as it runs, the program does to its parameters what eager mode does to tensors."""
    function = function_of(flow)
    names = list(flow.inputs)

    def tensors() -> list[Any]:
        return [
            ol.to_tensor(np.array(x), stop_gradient=n in flow.buffers)
            for n, x in flow.inputs.items()
        ]

    eager, mine = tensors(), tensors()
    program = ol.Program()
    with program:
        results = as_list(function(*mine))
        grad: Any = ol.grad(results[0], [mine[0]])[0]
    for name in order:
        PASSES[name](program, [*results, grad])
    for _ in range(runs):
        fresh = [
            x if n not in flow.buffers else x.detach() for n, x in zip(names, eager, strict=True)
        ]
        expected = as_list(function(*fresh))
        found = program.run(fetch=[*results, grad])
        for a, b in zip(found, expected, strict=False):
            np.testing.assert_array_equal(array(a), array(b))
        for a, b in zip(mine, eager, strict=True):
            np.testing.assert_array_equal(array(a), array(b))
            # A write in a branch that is not taken counts as one.
            assert a.inplace_version > 0 or b.inplace_version == 0
        try:
            slope = derivative(expected[0], eager[0])
        except ol.errors.VersionError:
            continue
        np.testing.assert_allclose(array(found[-1]), array(slope), rtol=1e-11, atol=1e-11)
