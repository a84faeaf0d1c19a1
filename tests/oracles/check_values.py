"""Checks of an op's values: against NumPy, in every dtype, layout and spelling, at the edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.oracles.base import Sample, boolean, float_promoted, promoted
from tests.oracles.calls import (
    Subject,
    call,
    compare,
    flat,
    strided,
    tensor,
    tensors,
    with_dtypes,
)

MIXED = (promoted, float_promoted, boolean)


def run(subject: Subject, sample: Sample, inputs: list[Any]) -> list[Any]:
    """The plain form's results, or for an op that only writes the targets after the call."""
    if subject.decl.has_plain:
        return call(subject.name, inputs, sample.attrs)
    call(subject.name, inputs, sample.attrs)
    return [inputs[i] for i in subject.targets(sample)]


def check_sample(subject: Subject, sample: Sample) -> None:
    inputs = tensors(sample)
    kept = [np.array(x.numpy()) for x in flat(inputs)]
    results = run(subject, sample, inputs)
    compare(subject.oracle, sample, results)
    assert all(result.stop_gradient and result.is_leaf for result in results)
    if not subject.decl.has_plain:
        return
    for before, x in zip(kept, flat(inputs), strict=True):
        np.testing.assert_array_equal(before, np.array(x.numpy()))
        assert x.inplace_version == 0


def value(subject: Subject) -> None:
    for sample in subject.oracle.samples:
        check_sample(subject, sample)


def float32(subject: Subject) -> None:
    """Against float64 on the same numbers: the bound is the oracle's ulps."""
    for sample in subject.oracle.samples:
        check_sample(
            subject, with_dtypes(subject.oracle, sample, ["float32"] * len(subject.oracle.varied))
        )


def dtypes(subject: Subject) -> None:
    oracle = subject.oracle
    count = len(oracle.varied)
    sample = oracle.samples[oracle.any_dtype]
    choices = (
        list(product(oracle.dtypes, repeat=count))
        if oracle.result in MIXED
        else [(dtype,) * count for dtype in oracle.dtypes]
    )
    for chosen in choices:
        check_sample(subject, with_dtypes(oracle, sample, chosen))
    if oracle.result in MIXED and count == 2:
        for dtype, number in product(oracle.dtypes, (True, 2, 1.5)):
            if oracle.dtypes[0] != "bool" and isinstance(number, bool):
                continue
            if subject.name == "matmul":
                continue
            weak = with_dtypes(oracle, sample, (dtype,) * count)
            check_sample(subject, Sample((*weak.inputs[:-1], number), weak.attrs))


def empty(subject: Subject) -> None:
    for sample in subject.oracle.empties:
        check_sample(subject, sample)


def strided_inputs(subject: Subject) -> None:
    for sample in subject.oracle.samples:
        inputs = [strided(x)[0] if isinstance(x, np.ndarray) else tensor(x) for x in sample.inputs]
        compare(subject.oracle, sample, run(subject, sample, inputs))


def expanded_inputs(subject: Subject) -> None:
    """Inputs whose first axis repeats one row, in strides of 0."""
    for sample in subject.oracle.samples:
        repeated, inputs = [], []
        targets = [] if subject.decl.has_plain else subject.targets(sample)
        for i, x in enumerate(sample.inputs):
            if isinstance(x, np.ndarray) and x.ndim and i not in targets:
                repeated.append(np.broadcast_to(x[:1], x.shape))
                inputs.append(tensor(x[:1]).expand(list(x.shape)))
            else:
                repeated.append(x)
                inputs.append(tensor(x))
        compare(subject.oracle, Sample(tuple(repeated), sample.attrs), run(subject, sample, inputs))


def edges(subject: Subject) -> None:
    """Each special value in each lane of a register and in the rest that fills none."""
    oracle = subject.oracle
    for dtype in ("float32", "float64"):
        if oracle.edge_partners:
            pairs = np.array(list(product(oracle.edges, oracle.edge_partners)))
            columns = [pairs[:, 0], pairs[:, 1]]
        else:
            columns = [np.array(oracle.edges)]
        with np.errstate(all="ignore"):
            rows = [np.resize(c, len(c) * 3 + 1).astype(dtype) for c in columns]
        attrs = [dict(t) for t in {tuple(sorted(s.attrs.items())) for s in oracle.samples}]
        for attr in attrs:
            sample = Sample(tuple(rows), attr)
            compare(oracle, sample, run(subject, sample, tensors(sample)))
            for length in range(1, 9):
                few = Sample(tuple(row[-length:] for row in rows), attr)
                compare(oracle, few, run(subject, few, tensors(few)))


def method(subject: Subject) -> None:
    """x.op(...) is ol.op(x, ...)."""
    position = [i.name for i in subject.decl.inputs].index(str(subject.decl.method))
    for sample in subject.oracle.samples[:3]:
        inputs = tensors(sample)
        own = inputs.pop(position)
        out = getattr(own, subject.name)(*inputs, **sample.attrs)
        results = list(out) if isinstance(out, (list, tuple)) else [out]
        if not subject.decl.has_plain:
            inputs.insert(position, own)
            results = [inputs[i] for i in subject.targets(sample)]
        compare(subject.oracle, sample, results)


def keywords(subject: Subject) -> None:
    """Every argument by its name in the registry; attributes by position too."""
    decl = subject.decl
    names = [i.name for i in decl.inputs]
    for sample in subject.oracle.samples[:3]:
        inputs = tensors(sample)
        named = dict(zip(names, inputs, strict=False))
        out = getattr(ol, subject.name)(**named, **sample.attrs)
        results = list(out) if isinstance(out, (list, tuple)) else [out]
        if not decl.has_plain:
            results = [inputs[i] for i in subject.targets(sample)]
        compare(subject.oracle, sample, results)
        with pytest.raises(TypeError, match="no_such_argument"):
            getattr(ol, subject.name)(**named, **sample.attrs, no_such_argument=1)


def positions(subject: Subject) -> None:
    """Attributes by position, in the registry's order."""
    for sample in subject.oracle.samples[:3]:
        given = []
        for attr in subject.decl.attrs:
            if attr.name not in sample.attrs:
                break
            given.append(sample.attrs[attr.name])
        if len(given) != len(sample.attrs):
            continue
        inputs = tensors(sample)
        results = call(subject.name, [*inputs, *given], {})
        if not subject.decl.has_plain:
            results = [inputs[i] for i in subject.targets(sample)]
        compare(subject.oracle, sample, results)


def aliases(subject: Subject) -> None:
    for alias in subject.decl.aliases:
        for sample in subject.oracle.samples[:2]:
            compare(subject.oracle, sample, call(alias.name, tensors(sample), sample.attrs))


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "**": lambda x, y: x**y,
    "@": lambda x, y: x @ y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
UNARY: dict[str, Callable[[Any], Any]] = {"neg": lambda x: -x, "abs": abs}


def operators(subject: Subject) -> None:
    for operator in subject.decl.operators:
        for sample in subject.oracle.samples:
            if sample.attrs:
                continue
            symbol = BINARY.get(operator.symbol) or UNARY[operator.symbol]
            inputs = tensors(sample)
            compare(subject.oracle, sample, [symbol(*inputs)])
            if operator.reflected and len(inputs) == 2 and not isinstance(inputs[1], ol.Tensor):
                turned = Sample(sample.inputs[::-1])
                compare(subject.oracle, turned, [symbol(*inputs[::-1])])


def traced(subject: Subject) -> None:
    """One call is one traced call, with the op's name; of a composed op too."""
    sample = subject.oracle.samples[0]
    inputs = tensors(sample)
    with ol.trace() as trace:
        run(subject, sample, inputs)
    assert [c.op for c in trace] == [subject.name]


def refusals(subject: Subject) -> None:
    for refusal in subject.oracle.refusals:
        inputs = tensors(Sample(refusal.inputs))
        names = [subject.name] if subject.decl.has_plain else []
        if subject.inplace_name and subject.targets(Sample(refusal.inputs)):
            names.append(subject.inplace_name)
        for name in names:
            before = [np.array(x.numpy()) for x in flat(inputs)]
            with pytest.raises(refusal.kind) as caught:
                call(name, inputs, refusal.attrs)
            for word in refusal.says:
                assert word in str(caught.value)
            for x, kept in zip(flat(inputs), before, strict=True):
                np.testing.assert_array_equal(np.array(x.numpy()), kept)
                assert x.inplace_version == 0


def wrong_kinds(subject: Subject) -> None:
    """A tensor argument of another Python type is a TypeError that names op and argument."""
    sample = subject.oracle.samples[0]
    for i, declared in enumerate(subject.decl.inputs[: len(sample.inputs)]):
        inputs = tensors(sample)
        inputs[i] = "text"
        with pytest.raises(TypeError) as caught:
            call(subject.name, inputs, sample.attrs)
        assert subject.name in str(caught.value)
        assert declared.name in str(caught.value)
    if sample.inputs:
        with pytest.raises(TypeError, match=subject.name):
            getattr(ol, subject.name)()


def laws(subject: Subject) -> None:
    for check in subject.oracle.checks:
        check()


def applying(subject: Subject) -> Iterator[tuple[str, Callable[[Subject], None]]]:
    """The checks that apply to an op."""
    decl, oracle = subject.decl, subject.oracle
    if oracle.samples:
        yield from {"value": value, "keywords": keywords, "wrong kinds": wrong_kinds}.items()
        yield "traced", traced
        if oracle.varied:
            yield from {"float32": float32, "dtypes": dtypes}.items()
            yield from {"strided": strided_inputs, "expanded": expanded_inputs}.items()
        if decl.method is not None:
            yield "method", method
    for name, check, when in (
        ("empty", empty, oracle.empties),
        ("positions", positions, oracle.samples and not decl.uses_options),
        ("edges", edges, oracle.edges),
        ("aliases", aliases, decl.aliases and oracle.samples and decl.has_plain),
        ("operators", operators, decl.operators),
        ("refusals", refusals, oracle.refusals),
        ("laws", laws, oracle.checks),
    ):
        if when:
            yield name, check
