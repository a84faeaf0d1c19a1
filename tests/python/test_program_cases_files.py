"""Program mode's cases (43) and (44): the programs of both case files, recorded through Python.

The expected numbers come with the files, and know nothing of in-place machinery. Where eager mode
may raise VersionError, program mode must be right.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.flow import Block
from tests.python.program_support import PASSES, Recorded, eagerly, recorded, reloaded, run_after
from tests.python.support import array
from tests.python.test_programs import OPENING, OPENING_END, PROGRAMS, call

FLOW = json.loads(
    (Path(__file__).parents[1] / "data" / "flow_programs.json").read_text(encoding="utf-8")
)
REMAPS = {"reshape_", "squeeze_", "unsqueeze_", "transpose_"}
in_place_programs = pytest.mark.parametrize("program", PROGRAMS, ids=[p["id"] for p in PROGRAMS])
flow_programs = pytest.mark.parametrize("program", FLOW, ids=[p["id"] for p in FLOW])


# --- (43)


def data_of(program: dict[str, Any]) -> dict[str, Any]:
    return {
        name: np.array(given["data"], "float64").reshape(given["shape"])
        for name, given in program["inputs"].items()
    }


def record_step(net: ol.Program, step: dict[str, Any], values: dict[str, Any]) -> None:
    arguments = [values[name] for name in step["in"]]
    attrs = step.get("attrs", {})
    with ol.no_grad() if step.get("no_grad") else nullcontext():
        if "raises" in step:
            before = str(net)
            with pytest.raises(ol.errors.LeafInplaceError) as caught:
                call(step["op"], arguments, attrs)
            assert str(caught.value).startswith(OPENING)
            assert OPENING_END in str(caught.value)
            assert str(net) == before
            return
        out = call(step["op"], arguments, attrs)
    if step["op"].endswith("_"):
        assert out is arguments[0]
    values[step["out"]] = out


def record(program: dict[str, Any], values: dict[str, Any], net: ol.Program) -> dict[str, Any]:
    """All values; values holds the inputs, and is filled. Gradients stand under (name, 'grad')."""
    inputs = {n: values[n] for n, made in program["inputs"].items() if not made["stop_gradient"]}
    with net:
        for step in program["steps"]:
            record_step(net, step, values)
        grads = ol.grad(values[program["backward"]].sum(), list(inputs.values()))
    found: dict[Any, Any] = dict(values)
    found.update({(n, "grad"): g for n, g in zip(inputs, grads, strict=True) if g is not None})
    return found


def record_inputs(program: dict[str, Any]) -> tuple[ol.Program, dict[Any, Any]]:
    net = ol.Program()
    values: dict[str, Any] = {
        name: net.input(name, given["shape"], "float64", given["stop_gradient"])
        for name, given in program["inputs"].items()
    }
    return net, record(program, values, net)


def check_numbers(program: dict[str, Any], numbers: dict[Any, Any]) -> None:
    expect = program["expect"]
    for name, values in expect["values"].items():
        assert list(numbers[name].shape) == expect["shapes"][name]
        np.testing.assert_allclose(numbers[name].ravel(), values, rtol=1e-9, atol=1e-9)
    for name, given in program["inputs"].items():
        if given[
            "stop_gradient"
        ]:  # it may have got a history since: then its handle has a gradient
            continue
        found = numbers.get((name, "grad"), np.zeros(1)).ravel()
        expected = expect["grads"].get(name, np.zeros(found.shape))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)


def numbers_of(net: ol.Program, feed: dict[str, Any], values: dict[Any, Any]) -> dict[Any, Any]:
    found = net.run(feed, list(values.values()))
    return {name: array(x) for name, x in zip(values, found, strict=True)}


@in_place_programs
def test_43_recorded_on_inputs(program: dict[str, Any]) -> None:
    net, values = record_inputs(program)
    feed = data_of(program)
    numbers = numbers_of(net, feed, values)
    check_numbers(program, numbers)
    for name in program["expect"]["values"]:
        assert values[name].stop_gradient is program["expect"]["stop_gradient"][name], name
        assert values[name].is_leaf is program["expect"]["is_leaf"][name], name
    for name, data in data_of(program).items():
        np.testing.assert_array_equal(feed[name], data)


@in_place_programs
def test_43_passes_change_no_bit(program: dict[str, Any]) -> None:
    net, values = record_inputs(program)
    feed = data_of(program)
    before = {name: x.tobytes() for name, x in numbers_of(net, feed, values).items()}
    for name in ("functionalize", "apply_inplace", "prune", "clean_up", "apply_inplace"):
        PASSES[name](net, list(values.values()))
        if name == "functionalize":
            assert not net.is_inplace_net()
        after = {k: x.tobytes() for k, x in numbers_of(net, feed, values).items()}
        assert after == before, name


def writes_into_shapes_of_inputs(program: dict[str, Any]) -> bool:
    return any(
        s["op"] in REMAPS and s["in"][0] in program["inputs"] and "raises" not in s
        for s in program["steps"]
    )


@in_place_programs
def test_43_recorded_on_parameters(program: dict[str, Any]) -> None:
    net = ol.Program()
    stops = {name: given["stop_gradient"] for name, given in program["inputs"].items()}
    tensors = {n: ol.to_tensor(x, stop_gradient=stops[n]) for n, x in data_of(program).items()}
    for tensor in tensors.values():
        assert net.parameter(tensor).shape == tensor.shape
    if writes_into_shapes_of_inputs(program):
        with pytest.raises(ol.errors.InplaceError, match="is a parameter of the program"):
            record(program, dict(tensors), net)
        return
    values = record(program, dict(tensors), net)
    numbers = numbers_of(net, {}, values)
    check_numbers(program, numbers)
    for name, tensor in tensors.items():
        expect = program["expect"]
        np.testing.assert_allclose(array(tensor).ravel(), expect["values"][name], atol=1e-9)
        assert tensor.inplace_version == expect["inplace_version"][name]


# --- (44)


def flow_function(program: dict[str, Any]) -> Any:
    def function(*inputs: Any) -> Any:
        names = dict(zip(program["inputs"], inputs, strict=True))
        return Block(names).run(program["block"])[program["out"]]

    return function


def check_flow(program: dict[str, Any], found: Any) -> None:
    np.testing.assert_allclose(found.values[0], program["value"], rtol=1e-9, atol=1e-9)
    for name, grad in zip(program["inputs"], found.grads, strict=True):
        came = 0.0 if grad is None else grad
        np.testing.assert_allclose(came, program["grads"][name], rtol=1e-9, atol=1e-9)


def record_flow(program: dict[str, Any]) -> Recorded:
    return recorded(flow_function(program), *program["inputs"].values())


@flow_programs
def test_44_eagerly(program: dict[str, Any]) -> None:
    try:
        found = eagerly(flow_function(program), *program["inputs"].values())
    except ol.errors.VersionError:
        return
    check_flow(program, found)


@flow_programs
def test_44_recorded(program: dict[str, Any], tmp_path: Path) -> None:
    net = record_flow(program)
    found = net.run()
    check_flow(program, found)
    assert reloaded(tmp_path / "program.yaml", net).same_bits(found)


@flow_programs
def test_44_passes_change_no_bit(program: dict[str, Any]) -> None:
    net = record_flow(program)
    found = net.run()
    for name in ("apply_inplace", "functionalize", "clean_up", "prune", "apply_inplace"):
        assert run_after([name], net).same_bits(found), name
