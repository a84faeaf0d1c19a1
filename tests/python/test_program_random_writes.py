"""Random programs of views, in-place ops and refused writes, recorded, against an interpreter.

The same programs and the same interpreter as in test_random_programs.py: it reads every write as a
new value, and so must a program; where eager mode may say that a value was overwritten, a program
must be right.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oploom as ol
from tests.oracles.drawn_programs import Program, programs
from tests.oracles.programs import REMAPS
from tests.python.program_support import PASSES
from tests.python.support import array
from tests.python.test_random_programs import REFUSALS, call

ORDERS = st.lists(st.sampled_from(list(PASSES)), min_size=1, max_size=3)


def record(program: Program, net: ol.Program) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: net.input(name, made["shape"], "float64", made["stop_gradient"])
        for name, made in program.inputs.items()
    }
    quiet = list(values.values())
    for step, raises in zip(program.steps, program.raises, strict=True):
        with ol.no_grad() if step.get("no_grad") else nullcontext():
            if raises:
                with pytest.raises(REFUSALS[raises]):
                    call(step, values)
            else:
                out = call(step, values)
                assert not step["op"].endswith("_") or out is values[step["in"][0]]
                values[step["out"]] = out
        # As in eager mode a view older than its base's history stays a leaf until it is read.
        quiet = [x for x in quiet if x.stop_gradient]
        if not step["op"].endswith("_"):
            quiet.append(values[step["out"]])
    return values


def gradients(program: Program, values: dict[str, Any]) -> dict[str, Any]:
    """Of the target to the inputs that do not stop gradient, as far as it depends on them."""
    names = [n for n, made in program.inputs.items() if not made["stop_gradient"]]
    target = values[program.target]
    if target.stop_gradient or not names:
        return {}
    found = ol.grad(target.sum(), [values[n] for n in names])
    return {n: g for n, g in zip(names, found, strict=True) if g is not None}


@settings(max_examples=300)
@given(programs(), ORDERS)
def test_recorded_is_right_in_every_form(program: Program, order: list[str]) -> None:
    net = ol.Program()
    with net:
        values = record(program, net)
        grads = gradients(program, values)
    machine = program.machine
    # See test_an_input_stays_a_leaf_when_its_shape_changes.
    remapped = {s["out"] for s in program.steps if s["op"] in REMAPS and s.get("no_grad")}
    for name, x in values.items():
        want = machine.tensors[name]
        assert (x.shape, x.stop_gradient) == (want.shape, want.stop), name
        if name not in remapped:
            assert x.is_leaf is want.is_leaf, name
    feed = {n: np.array(made["data"]).reshape(made["shape"]) for n, made in program.inputs.items()}
    fetch = [*values.values(), *grads.values()]
    found = [array(x) for x in net.run(feed, fetch)]
    for name, number in zip(values, found, strict=False):
        want_value = machine.tensors[name].dual().value
        np.testing.assert_allclose(number, want_value, rtol=1e-9, atol=1e-9, err_msg=name)
    for name, number in zip(grads, found[len(values) :], strict=True):
        slope = machine.gradient(program.target, name)[machine.tensors[name].places]
        np.testing.assert_allclose(number, slope, rtol=1e-8, atol=1e-9, err_msg=name)
    for name in order:
        PASSES[name](net, fetch)
        again = [array(x).tobytes() for x in net.run(feed, fetch)]
        assert again == [x.tobytes() for x in found], name


def test_an_input_stays_a_leaf_when_its_shape_changes() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [3], "float64", stop_gradient=False)
        with ol.no_grad():
            x.unsqueeze_(0)
        assert x.shape == (1, 3)
        assert x.is_leaf
