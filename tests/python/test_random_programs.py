"""Random programs of views, in-place ops and refused writes against a reference interpreter.

The interpreter (tests/oracles/programs.py) reads every write as a new value, so its numbers know
nothing of in-place machinery; it is held to the case file and to finite differences here itself.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oploom as ol
from tests.oracles.drawn_programs import Program, programs
from tests.oracles.duals import KinkError
from tests.oracles.programs import Machine, RefusedError
from tests.python.support import array, central_difference, derivative, gradient, refused

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "inplace_programs.json").read_text(encoding="utf-8")
)
REFUSALS = {
    "leaf_inplace": ol.errors.LeafInplaceError,
    "view_of_leaf_inplace": ol.errors.LeafInplaceError,
    "unrecorded view": ValueError,
    "shape": ValueError,
    "overlap": ValueError,
}


# --- The library against the interpreter


def call(step: dict[str, Any], tensors: dict[str, Any]) -> Any:
    xs = [tensors[name] for name in step["in"]]
    attrs = dict(step.get("attrs", {}))
    if step["op"] == "detach":
        return xs[0].detach()
    if step["op"] == "rows":
        return xs[0][ol.to_tensor(attrs["index"], dtype="int64")]
    if step["op"] == "put_":
        xs[0][ol.to_tensor(attrs["index"], dtype="int64")] = xs[1]
        return xs[0]
    if step["op"] not in {"slice", "set_item_"}:
        return getattr(ol, step["op"])(*xs, **attrs)
    index = [slice(None)] * xs[0].ndim
    index[attrs["axis"]] = slice(attrs["start"], attrs["end"])
    if step["op"] == "slice":
        return xs[0][tuple(index)]
    xs[0][tuple(index)] = xs[1]
    return xs[0]


def run(program: Program) -> dict[str, Any]:
    tensors = {
        name: ol.to_tensor(
            np.array(made["data"]).reshape(made["shape"]), stop_gradient=made["stop_gradient"]
        )
        for name, made in program.inputs.items()
    }
    quiet = list(tensors.values())
    for step, raises in zip(program.steps, program.raises, strict=True):
        with ol.no_grad() if step.get("no_grad") else nullcontext():
            if raises:
                with refused(REFUSALS[raises], *tensors.values()):
                    call(step, tensors)
            else:
                out = call(step, tensors)
                assert not step["op"].endswith("_") or out is tensors[step["in"][0]]
                tensors[step["out"]] = out
        # A view older than its base's history stays a leaf until it is read; the interpreter knows
        # no such thing, so tensors that stopped gradient are read once they no longer do.
        quiet = [x for x in quiet if x.stop_gradient]
        if not step["op"].endswith("_"):
            quiet.append(tensors[step["out"]])
    return tensors


def check_state(program: Program, tensors: dict[str, Any]) -> None:
    for name, x in tensors.items():
        want = program.machine.tensors[name]
        np.testing.assert_allclose(array(x), want.dual().value, rtol=1e-9, atol=1e-9, err_msg=name)
        assert x.shape == want.shape, name
        assert x.stop_gradient is want.stop, name
        assert x.is_leaf is want.is_leaf, name
        assert x.inplace_version == want.root.storage.version, name


def check_gradients(program: Program, tensors: dict[str, Any]) -> None:
    target = tensors[program.target]
    if target.stop_gradient:
        return
    try:
        target.sum().backward()
    except ol.errors.VersionError:
        assert program.machine.alarms(program.target), "a false alarm"
        assert all(tensors[name].grad is None for name in program.inputs)
        return
    for name in program.inputs:
        # In the input's present shape: a remap under no_grad changed it.
        want = program.machine.gradient(program.target, name)[program.machine.tensors[name].places]
        found = gradient(tensors[name])
        np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-9, err_msg=name)


@given(programs())
def test_eager_is_right_or_says_what_was_overwritten(program: Program) -> None:
    tensors = run(program)
    check_state(program, tensors)
    check_gradients(program, tensors)


@settings(max_examples=120)
@given(programs(), st.data())
def test_second_order(program: Program, data: st.DataObject) -> None:
    """The derivative of a first gradient, against differences of the interpreter's first one."""
    names = [n for n, made in program.inputs.items() if not made["stop_gradient"]]
    tensors = run(program)
    target = tensors[program.target]
    if not names or target.stop_gradient or reads_constants(program):
        return
    name = data.draw(st.sampled_from(names))
    w = tensors[name]
    try:
        slope = derivative(target.sum(), w, create_graph=True)
        if slope is None or slope.stop_gradient:
            return
        factors = np.linspace(0.5, 1.5, w.size).reshape(w.shape)
        found = derivative((slope * ol.to_tensor(factors)).sum(), w)
    except (ol.errors.VersionError, ValueError):
        return

    def first(at: Any) -> float:
        machine = replay(program, {**program.inputs, name: {**program.inputs[name], "data": at}})
        return float((machine.gradient(program.target, name) * factors.ravel()).sum())

    try:
        expected = central_difference(first, np.array(program.inputs[name]["data"]), 1e-5)
    except KinkError:
        return
    numbers = np.zeros(w.shape) if found is None else array(found)
    np.testing.assert_allclose(numbers.ravel(), expected, rtol=1e-4, atol=1e-4)


def reads_constants(program: Program) -> bool:
    """Whether a constant of the program depends on an input, so that differences are no help."""
    return any(step.get("no_grad") or step["op"] == "detach" for step in program.steps)


def replay(program: Program, inputs: dict[str, Any]) -> Machine:
    machine = Machine(inputs)
    for step, raises in zip(program.steps, program.raises, strict=True):
        if not raises:
            machine.run(step)
    return machine


# --- The interpreter against independent numbers


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_interpreter_agrees_with_the_case_file(case: dict[str, Any]) -> None:
    if case["id"] == "p00008":
        pytest.skip("a view older than its base's history: see run()")
    machine = Machine(case["inputs"])
    try:
        for step in case["steps"]:
            if "raises" in step:
                with pytest.raises(RefusedError, match=step["raises"]):
                    machine.run(step)
            else:
                machine.run(step)
    except KinkError:
        return
    expect = case["expect"]
    for name, x in machine.tensors.items():
        np.testing.assert_allclose(x.dual().value.ravel(), expect["values"][name], atol=1e-9)
        assert list(x.shape) == expect["shapes"][name]
        assert x.stop is expect["stop_gradient"][name]
        assert x.is_leaf is expect["is_leaf"][name]
        assert x.root.storage.version == expect["inplace_version"][name]
    for name in case["inputs"]:
        found = machine.gradient(case["backward"], name)
        wanted = expect["grads"].get(name, np.zeros(found.shape))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    if machine.alarms(case["backward"]):
        assert "backward_raises" in case


@settings(max_examples=60)
@given(programs())
def test_the_interpreter_agrees_with_finite_differences(program: Program) -> None:
    if reads_constants(program):
        return
    for name, made in program.inputs.items():
        if made["stop_gradient"]:
            continue

        def value(at: Any, name: str = name, made: dict[str, Any] = made) -> float:
            machine = replay(program, {**program.inputs, name: {**made, "data": at}})
            return float(machine.tensors[program.target].dual().value.sum())

        try:
            expected = central_difference(value, np.array(made["data"]))
        except KinkError:
            return
        found = program.machine.gradient(program.target, name)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
