"""Every op of the registry, recorded: values and gradients to the bit those of eager mode.

The calls are those of the oracles (tests/oracles), which eager mode is judged by in test_ops.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.oracles.base import Sample
from tests.oracles.calls import Subject, call, flat, subjects, tensors
from tests.python.program_support import bits
from tests.python.support import array

SUBJECTS = [s for s in subjects() if s.oracle.samples]
every_op = pytest.mark.parametrize("subject", SUBJECTS, ids=[s.name for s in SUBJECTS])


class Inputs:
    """A sample's arrays as inputs of a program; all else of the sample stays as it is."""

    def __init__(self, sample: Sample, leaves: Any, unknown: bool) -> None:
        self.program, self.unknown = ol.Program(), unknown
        self.feed: dict[str, Any] = {}
        self.values = [self.made(x, i not in leaves) for i, x in enumerate(sample.inputs)]

    def made(self, x: Any, stop: bool) -> Any:
        if isinstance(x, list):
            return [self.made(member, stop) for member in x]
        if not isinstance(x, np.ndarray):
            return x
        name = f"x{len(self.feed)}"
        self.feed[name] = x
        shape = [None] * x.ndim if self.unknown else x.shape
        return self.program.input(name, shape, str(x.dtype), stop)

    def run(self, fetch: list[Any]) -> list[Any]:
        return [array(x) for x in self.program.run(self.feed, fetch)]


def hangs_on_lengths(error: Exception) -> bool:
    """Whether a refusal names lengths that are not known, so that the caller has to."""
    return "unknown lengths" in str(error) or "known at run time only" in str(error)


def targets(results: list[Any]) -> list[Any]:
    return [y for y in results if not y.stop_gradient]


def leaves_of(subject: Subject, sample: Sample) -> tuple[int, ...]:
    return subject.oracle.differentiable if subject.floats(sample) else ()


def given(inputs: list[Any], leaves: Any) -> list[Any]:
    """The tensors or values at positions that have a gradient."""
    found = [inputs[i] for i in leaves if inputs[i] is not None]
    members = [m for x in found for m in (x if isinstance(x, list) else [x])]
    return [x for x in members if isinstance(x, ol.Tensor | ol.ProgramValue)]


def answers(subject: Subject, name: str, sample: Sample, inputs: list[Any], leaves: Any) -> Any:
    """Results and then gradients, Nones left out."""
    results = call(name, inputs, sample.attrs)
    grads: list[Any] = []
    if targets(results) and (wanted := given(inputs, leaves)):
        grads = ol.grad([ol.sum(y * y) for y in targets(results)], wanted)
    return [*results, *(g for g in grads if g is not None)]


def compare(subject: Subject, found: list[Any], expected: list[Any]) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        if subject.decl.random:
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
        else:
            assert bits(a) == bits(b)


@every_op
@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
def test_plain_form(subject: Subject, unknown: bool) -> None:
    if not subject.decl.has_plain:
        pytest.skip("the op only writes")
    for sample in subject.oracle.samples:
        leaves = leaves_of(subject, sample)
        eager = answers(subject, subject.name, sample, tensors(sample, leaves), leaves)
        expected = [array(x) for x in eager]
        recorded = Inputs(sample, leaves, unknown)
        try:
            with recorded.program:
                values = answers(subject, subject.name, sample, recorded.values, leaves)
            found = recorded.run(values)
        except (ValueError, NotImplementedError) as error:
            if unknown and hangs_on_lengths(error):
                continue
            raise
        compare(subject, found, expected)
        recorded.program.clean_up().apply_inplace(values)
        compare(subject, recorded.run(values), expected)


@every_op
@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
def test_in_place_form(subject: Subject, unknown: bool) -> None:
    name = subject.inplace_name
    if name is None:
        pytest.skip("the op has no in-place form")
    for sample in subject.oracle.samples:
        written = subject.targets(sample)
        eager = tensors(sample)
        refused: Any = None
        try:
            call(name, eager, sample.attrs)
        except (ValueError, TypeError) as error:
            refused = type(error)
        recorded = Inputs(sample, (), unknown)
        try:
            with recorded.program:
                call(name, recorded.values, sample.attrs)
            values = flat_values([recorded.values[i] for i in written])
            found = recorded.run(values)
        except (ValueError, TypeError) as error:
            # What lengths decide is decided when it runs.
            if type(error) is refused or (unknown and (refused or hangs_on_lengths(error))):
                continue
            raise
        assert refused is None
        expected = [array(x) for x in flat([eager[i] for i in written])]
        compare(subject, found, expected)
        recorded.program.functionalize()
        compare(subject, recorded.run(values), expected)


def flat_values(xs: list[Any]) -> list[Any]:
    return [m for x in xs for m in (x if isinstance(x, list) else [x])]
