"""The 240 programs of tests/data/inplace_programs.json, run eagerly.

Each mixes views, in-place ops, leaf writes and refused writes. The expected numbers come with the
file: they read every write as a new value, so no in-place machinery made them.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import array, gradient

PROGRAMS = json.loads(
    (Path(__file__).parents[1] / "data" / "inplace_programs.json").read_text(encoding="utf-8")
)
OPENING = "(InvalidArgument) Leaf Tensor ("
OPENING_END = ") that doesn't stop gradient can't use inplace strategy."


def call(op: str, arguments: list[Any], attrs: dict[str, Any]) -> Any:
    if op != "slice":
        return getattr(ol, op)(*arguments, **attrs)
    index = [slice(None)] * arguments[0].ndim
    index[attrs["axis"]] = slice(attrs["start"], attrs["end"])
    return arguments[0][tuple(index)]


def content(x: Any) -> tuple[Any, ...]:
    """What a refused step must leave alone. Not the flags: to ask for them is to read the tensor,
    and a view older than its base's history is a leaf until it is read (p00008)."""
    return (array(x).tobytes(), x.shape, x.inplace_version)


def run_step(step: dict[str, Any], tensors: dict[str, Any]) -> None:
    arguments = [tensors[name] for name in step["in"]]
    attrs = step.get("attrs", {})
    with ol.no_grad() if step.get("no_grad") else nullcontext():
        if "raises" in step:
            assert step["raises"] in {"leaf_inplace", "view_of_leaf_inplace"}
            before = [content(x) for x in tensors.values()]
            with pytest.raises(ol.errors.LeafInplaceError) as caught:
                call(step["op"], arguments, attrs)
            assert str(caught.value).startswith(OPENING)
            assert OPENING_END in str(caught.value)
            assert [content(x) for x in tensors.values()] == before
            return
        out = call(step["op"], arguments, attrs)
    if step["op"].endswith("_"):
        assert out is arguments[0]
        assert step["out"] == step["in"][0]
    tensors[step["out"]] = out


def check_tensors(expect: dict[str, Any], tensors: dict[str, Any]) -> None:
    assert set(expect["values"]) == set(tensors)
    for name, tensor in tensors.items():
        assert list(tensor.shape) == expect["shapes"][name], name
        assert tensor.stop_gradient is expect["stop_gradient"][name], name
        assert tensor.is_leaf is expect["is_leaf"][name], name
        assert tensor.inplace_version == expect["inplace_version"][name], name
        np.testing.assert_allclose(
            array(tensor).reshape(-1), expect["values"][name], rtol=1e-9, atol=1e-9, err_msg=name
        )


def check_gradients(program: dict[str, Any], tensors: dict[str, Any]) -> None:
    for name in program["inputs"]:
        expected = program["expect"]["grads"].get(name)
        found = gradient(tensors[name]).reshape(-1)
        expected = np.zeros(found.shape) if expected is None else expected
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.asan
@pytest.mark.parametrize("program", PROGRAMS, ids=[program["id"] for program in PROGRAMS])
def test_program(program: dict[str, Any]) -> None:
    tensors: dict[str, Any] = {}
    for name, given in program["inputs"].items():
        data = np.array(given["data"], dtype="float64").reshape(given["shape"])
        tensors[name] = ol.to_tensor(data, stop_gradient=given["stop_gradient"])
    inputs = dict(tensors)
    for step in program["steps"]:
        run_step(step, tensors)
    check_tensors(program["expect"], tensors)
    assert all(tensors[name] is inputs[name] for name in inputs)

    target = tensors[program["backward"]]
    if "backward_raises" in program:
        assert program["backward_raises"] == "version_mismatch"
        try:
            target.sum().backward()
        except ol.errors.VersionError:
            assert all(x.grad is None for x in tensors.values())
            return
    else:
        target.sum().backward()
    check_gradients(program, tensors)
