"""Checks of an op's gradients, of first and second order, against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import oploom as ol
from tests.oracles.base import Array, Sample
from tests.oracles.calls import (
    Subject,
    call,
    convert,
    evaluate,
    flat,
    strided,
    tensors,
    with_dtypes,
)


def weights(results: Sequence[Any], seed: int = 0) -> list[Array]:
    """One fixed factor for each element of each output: a loss that tells them apart."""
    rng = np.random.default_rng(seed)
    return [rng.integers(1, 40, size=r.shape) / 16.0 - 1.03125 for r in results]


def smooth_samples(subject: Subject, elements: int) -> list[Sample]:
    """Samples that are finite, not large, and give a float."""
    found = []
    for sample in subject.oracle.samples:
        arrays = [np.asarray(a) for a in flat_arrays(sample.inputs)]
        if sum(a.size for a in arrays) > elements or not all(np.isfinite(a).all() for a in arrays):
            continue
        if subject.floats(sample):
            found.append(sample)
    return found


def flat_arrays(inputs: Sequence[Any]) -> list[Array]:
    members = [m for x in inputs for m in (x if isinstance(x, list) else [x])]
    return [m for m in members if isinstance(m, np.ndarray)]


def places(subject: Subject, sample: Sample) -> list[int]:
    return [
        i for i in subject.oracle.differentiable if isinstance(sample.inputs[i], (np.ndarray, list))
    ]


def variables(inputs: Sequence[Any], where: Sequence[int]) -> list[Any]:
    return flat([inputs[i] for i in where])


def varied_copies(sample: Sample, where: Sequence[int], step: float) -> Iterator[Any]:
    """For each element of each differentiable array: its array's number, index, and two samples."""
    number = 0
    for i in where:
        members = sample.inputs[i] if isinstance(sample.inputs[i], list) else [sample.inputs[i]]
        for k, member in enumerate(members):
            for index in np.ndindex(member.shape):
                moved = []
                for change in (step, -step):
                    other = member.copy()
                    other[index] += change
                    inputs = list(sample.inputs)
                    if isinstance(inputs[i], list):
                        inputs[i] = [*inputs[i][:k], other, *inputs[i][k + 1 :]]
                    else:
                        inputs[i] = other
                    moved.append(Sample(tuple(inputs), sample.attrs))
                yield number, index, moved
            number += 1


def differences(
    sample: Sample, where: Sequence[int], function: Callable[[Sample], float], step: float
) -> list[Array]:
    """Central differences of a function of the sample, by every differentiable array."""
    shapes = [np.shape(a) for a in flat_arrays([sample.inputs[i] for i in where])]
    slopes = [np.zeros(shape) for shape in shapes]
    for number, index, (ahead, behind) in varied_copies(sample, where, step):
        slopes[number][index] = (function(ahead) - function(behind)) / (2 * step)
    return slopes


def outputs(subject: Subject, inputs: list[Any], sample: Sample) -> list[Any]:
    """Of the plain form; of an op that only writes, the targets after a write to clones."""
    if subject.decl.has_plain:
        return call(subject.name, inputs, sample.attrs)
    targets = subject.targets(sample)
    written = [x.clone() if i in targets else x for i, x in enumerate(inputs)]
    call(subject.name, written, sample.attrs)
    return [written[i] for i in targets]


def weighed(results: Sequence[Any], factors: Sequence[Array]) -> Any:
    total = None
    for result, factor in zip(results, factors, strict=True):
        part = (result * ol.to_tensor(factor, dtype=str(result.numpy().dtype))).sum()
        total = part if total is None else total + part
    return total


def as_array(slope: Any, x: Any) -> Array:
    return np.zeros(x.shape) if slope is None else np.array(slope.numpy())


def gradients(subject: Subject, sample: Sample, **options: Any) -> tuple[list[Any], list[Any]]:
    """The leaves of a call, and the gradient of its weighed outputs to each."""
    where = places(subject, sample)
    inputs = tensors(sample, leaves=where)
    xs = variables(inputs, where)
    results = outputs(subject, inputs, sample)
    loss = weighed(results, weights(results))
    if loss.stop_gradient:
        return xs, [None] * len(xs)
    return xs, ol.grad([loss], xs, **options)


def close(found: Array, expected: Array, tolerance: float) -> None:
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def gradient(subject: Subject) -> None:
    """Against central differences of the NumPy function."""
    for sample in smooth_samples(subject, 200):

        def function(at: Sample) -> float:
            values = evaluate(subject.oracle, at)
            return float(sum((v * w).sum() for v, w in zip(values, weights(values), strict=True)))

        expected = differences(sample, places(subject, sample), function, 1e-6)
        xs, slopes = gradients(subject, sample)
        for x, slope, want in zip(xs, slopes, expected, strict=True):
            close(as_array(slope, x), want, 1e-6)
            assert slope is None or (slope.shape == x.shape and slope.stop_gradient)


def second_gradient(subject: Subject) -> None:
    """Against central differences of the first gradient; also by the weights of the outputs."""
    for sample in smooth_samples(subject, 20)[:8]:
        where = places(subject, sample)

        def function(at: Sample) -> float:
            xs, slopes = gradients(subject, at)
            arrays = [as_array(s, x) for s, x in zip(slopes, xs, strict=True)]
            return float(
                sum((a * w).sum() for a, w in zip(arrays, weights(arrays, seed=1), strict=True))
            )

        expected = differences(sample, where, function, 1e-5)
        xs, slopes = gradients(subject, sample, create_graph=True)
        kept = [s for s in slopes if s is not None and not s.stop_gradient]
        found: list[Any] = [None] * len(xs)
        if kept:
            arrays = [np.zeros(x.shape) for x in xs]
            factors = weights(arrays, seed=1)
            chosen = [
                f for f, s in zip(factors, slopes, strict=True) if any(s is one for one in kept)
            ]
            found = ol.grad([weighed(kept, chosen)], xs)
        for x, slope, want in zip(xs, found, expected, strict=True):
            close(as_array(slope, x), want, 2e-5)


def gradient_by_seed(subject: Subject) -> None:
    """The gradient is linear in the gradient that comes in; its derivative by that is itself."""
    for sample in smooth_samples(subject, 20)[:6]:
        where = places(subject, sample)
        inputs = tensors(sample, leaves=where)
        xs = variables(inputs, where)
        results = outputs(subject, inputs, sample)
        alive = [r for r in results if not r.stop_gradient]
        if not alive:
            continue
        seeds = [
            ol.to_tensor(w, dtype="float64", stop_gradient=False) for w in weights(alive, seed=2)
        ]
        slopes = ol.grad(alive, xs, grad_outputs=seeds, create_graph=True)
        kept = [s for s in slopes if s is not None and not s.stop_gradient]
        if not kept:
            continue
        factors = weights(kept, seed=3)
        by_seed = ol.grad([weighed(kept, factors)], seeds, retain_graph=True)
        inner = sum((as_array(s, s) * f).sum() for s, f in zip(kept, factors, strict=True))
        again = sum(
            (as_array(b, s) * as_array(s, s)).sum() for b, s in zip(by_seed, seeds, strict=True)
        )
        np.testing.assert_allclose(again, inner, rtol=1e-9, atol=1e-9)


def gradient_float32(subject: Subject) -> None:
    """Of float32 inputs: float32, and near the float64 one."""
    for sample in smooth_samples(subject, 200):
        if str(sample.attrs.get("dtype", "float64")) != "float64":
            continue
        where = places(subject, sample)
        narrow = with_dtypes(subject.oracle, sample, ["float32"] * len(subject.oracle.varied))
        parts = [convert(x, "float32") if i in where else x for i, x in enumerate(narrow.inputs)]
        narrow = Sample(tuple(parts), sample.attrs)
        _, wide = gradients(subject, sample)
        xs, slopes = gradients(subject, narrow)
        for x, slope, want in zip(xs, slopes, wide, strict=True):
            if slope is not None:
                assert slope.numpy().dtype == np.float32
            close(as_array(slope, x), as_array(want, x), 1e-4)


def gradient_strided(subject: Subject) -> None:
    """Inputs with a layout of their own: the gradient is that of dense inputs, and dense."""
    for sample in smooth_samples(subject, 200):
        where = [i for i in places(subject, sample) if isinstance(sample.inputs[i], np.ndarray)]
        if not where:
            continue
        _, expected = gradients(subject, sample)
        inputs, bases = tensors(sample), []
        for i in where:
            inputs[i], base = strided(sample.inputs[i], stop_gradient=False)
            bases.append(base)
        results = outputs(subject, inputs, sample)
        loss = weighed(results, weights(results))
        if loss.stop_gradient:
            continue
        views = [inputs[i] for i in where]
        slopes = ol.grad([loss], [*views, *bases])
        for view, base, by_view, by_base, want in zip(
            views, bases, slopes[: len(views)], slopes[len(views) :], expected, strict=True
        ):
            close(as_array(by_view, view), as_array(want, view), 1e-9)
            total = as_array(by_base, base).sum()
            np.testing.assert_allclose(total, as_array(want, view).sum(), rtol=1e-9, atol=1e-9)


def gradient_of_empty(subject: Subject) -> None:
    for sample in subject.oracle.empties:
        if subject.floats(sample):
            xs, slopes = gradients(subject, sample)
            assert all(s is None or s.shape == x.shape for x, s in zip(xs, slopes, strict=True))


def applying(subject: Subject) -> Iterator[tuple[str, Callable[[Subject], None]]]:
    """The checks that apply to an op."""
    if not subject.oracle.differentiable or not subject.oracle.samples:
        return
    yield "gradient", gradient
    yield "second gradient", second_gradient
    yield "gradient by seed", gradient_by_seed
    yield "gradient float32", gradient_float32
    yield "gradient strided", gradient_strided
    yield "gradient empty", gradient_of_empty
