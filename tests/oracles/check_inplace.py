"""Checks of an op's in-place form: equal to the plain form, and refused where the rules say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.oracles.base import DTYPES, FLOATS, Array, Sample, same
from tests.oracles.calls import (
    Subject,
    call,
    evaluate,
    expected_dtype,
    flat,
    strided,
    tensor,
    tensors,
    with_dtypes,
)
from tests.oracles.check_gradients import (
    as_array,
    places,
    smooth_samples,
    variables,
    weighed,
    weights,
)

CATEGORY = {"bool": 0, "uint8": 1, "int32": 1, "int64": 1, "float32": 2, "float64": 2}


def replaces(subject: Subject) -> bool:
    """Whether the result has a dtype of its own, so that a new storage comes in (C6)."""
    return subject.decl.has_plain and subject.decl.outputs[0].dtype.kind in {"dtype", "attribute"}


def keeps_shape(sample: Sample, target: int, result: Array) -> bool:
    return bool(np.shape(sample.inputs[target]) == result.shape)


def fitting(subject: Subject) -> Iterator[tuple[Sample, list[int]]]:
    """Samples that the in-place form accepts, with the positions of its targets."""
    for sample in subject.oracle.samples:
        targets = subject.targets(sample)
        if not targets or not all(isinstance(sample.inputs[i], np.ndarray) for i in targets):
            continue
        results = evaluate(subject.oracle, sample)
        if subject.decl.view or all(
            keeps_shape(sample, i, r) for i, r in zip(targets, results, strict=True)
        ):
            yield sample, targets


def write(subject: Subject, inputs: Sequence[Any], sample: Sample) -> Any:
    return getattr(ol, str(subject.inplace_name))(*inputs, **sample.attrs)


def same_elements(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(np.array(found.numpy()), np.array(wanted.numpy()))


def plain_results(subject: Subject, sample: Sample) -> list[Any]:
    if subject.decl.has_plain:
        return call(subject.name, tensors(sample), sample.attrs)
    values = evaluate(subject.oracle, sample)
    return [tensor(v.astype(sample.arrays()[0].dtype)) for v in values]


def inplace(subject: Subject) -> None:
    """The plain form's values, in the object that was passed, with one bump of its version."""
    tolerance = 0.0 if subject.decl.has_plain else 1e-15
    for sample, targets in fitting(subject):
        inputs = tensors(sample)
        out = write(subject, inputs, sample)
        given = list(out) if isinstance(out, (list, tuple)) else [out]
        expected = plain_results(subject, sample)
        for i, wanted in zip(targets, expected, strict=True):
            assert any(inputs[i] is one for one in given)
            assert inputs[i].inplace_version == 1
            assert inputs[i].shape == wanted.shape
            np.testing.assert_allclose(
                np.array(inputs[i].numpy()), np.array(wanted.numpy()), rtol=tolerance, atol=0
            )
            assert str(inputs[i].numpy().dtype) == str(wanted.numpy().dtype)
        for i, x in enumerate(sample.inputs):
            if i not in targets and isinstance(inputs[i], ol.Tensor):
                np.testing.assert_array_equal(np.array(inputs[i].numpy()), x)
                assert inputs[i].inplace_version == 0


def inplace_method(subject: Subject) -> None:
    names = [i.name for i in subject.decl.inputs]
    position = names.index(str(subject.decl.method))
    for sample, targets in fitting(subject):
        if position not in targets:
            return
        inputs, other = tensors(sample), tensors(sample)
        write(subject, inputs, sample)
        own = other.pop(position)
        out = getattr(own, str(subject.inplace_name))(*other, **sample.attrs)
        assert own is out or any(own is one for one in out)
        same_elements(own, inputs[position])


def inplace_strided(subject: Subject) -> None:
    """A target with a layout of its own is written where it lies and nowhere else."""
    for sample, targets in fitting(subject):
        if replaces(subject) or subject.decl.view:
            return
        inputs, views, bases, before = tensors(sample), [], [], []
        for i in targets:
            inputs[i], base = strided(sample.inputs[i])
            views.append(inputs[i])
            bases.append(base)
            before.append(np.array(base.numpy()))
        write(subject, inputs, sample)
        for view, base, old, wanted in zip(
            views, bases, before, plain_results(subject, sample), strict=True
        ):
            np.testing.assert_allclose(
                np.array(view.numpy()), np.array(wanted.numpy()), rtol=1e-15, atol=0
            )
            outside = np.ones(old.shape, bool)
            if wanted.ndim == 0:
                outside[1] = False
            else:
                outside[..., 1::2] = False
            np.testing.assert_array_equal(np.array(base.numpy())[outside], old[outside])
            assert base.inplace_version == 1


def inplace_gradient(subject: Subject) -> None:
    """Gradients, of first and second order, equal the plain form's."""
    smooth = {id(s) for s in smooth_samples(subject, 60)}
    for sample, targets in fitting(subject):
        if id(sample) not in smooth or replaces(subject):
            continue
        found = []
        for in_place in (True, False):
            where = places(subject, sample)
            leaves = tensors(sample, leaves=where)
            xs = variables(leaves, where)
            inputs = [x.clone() if i in targets else x for i, x in enumerate(leaves)]
            if in_place:
                write(subject, inputs, sample)
                results = [inputs[i] for i in targets]
            else:
                results = call(subject.name, inputs, sample.attrs)
            assert all(not r.stop_gradient and not r.is_leaf for r in results)
            slopes = ol.grad([weighed(results, weights(results))], xs, create_graph=True)
            firsts = [as_array(s, x) for s, x in zip(slopes, xs, strict=True)]
            kept = [s for s in slopes if s is not None and not s.stop_gradient]
            seconds: list[Any] = [None] * len(xs)
            if kept:
                seconds = ol.grad([weighed(kept, weights(kept, seed=1))], xs)
            found.append(firsts + [as_array(s, x) for s, x in zip(seconds, xs, strict=True)])
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def inplace_view_gradient(subject: Subject) -> None:
    """A write into a part of a base: the base's gradient is the plain form's there, else 1."""
    for sample, targets in fitting(subject):
        if replaces(subject) or subject.decl.view or len(targets) != 1:
            return
        data = sample.inputs[targets[0]]
        if data.ndim == 0 or data.size > 60 or not subject.floats(sample):
            continue
        leaves = tensors(sample, leaves=targets)
        inputs = list(leaves)
        inputs[targets[0]] = leaves[targets[0]].clone()
        if subject.decl.has_plain:
            loss = weighed(results := call(subject.name, inputs, sample.attrs), weights(results))
            (slope,) = ol.grad([loss], [leaves[targets[0]]])
            expected = as_array(slope, leaves[targets[0]])
        else:
            expected = np.zeros(data.shape)
        padded = np.stack([data, data, data])
        root = ol.to_tensor(padded, stop_gradient=False)
        base = root * 1
        inputs = tensors(sample)
        inputs[targets[0]] = base[1]
        write(subject, inputs, sample)
        if subject.decl.random:
            continue
        factor = weights([base[1]])[0]
        everywhere = np.ones(padded.shape)
        everywhere[1] = factor
        (slope,) = ol.grad([weighed([base], [everywhere])], [root])
        wanted = np.ones(padded.shape)
        wanted[1] = expected
        np.testing.assert_allclose(as_array(slope, root), wanted, rtol=1e-10, atol=1e-12)


def refused(kinds: Any, subject: Subject, inputs: list[Any], sample: Sample) -> str:
    """The in-place call raises one of kinds and changes nothing; its text."""
    before = [(np.array(x.numpy()), x.inplace_version, x.stop_gradient) for x in flat(inputs)]
    with pytest.raises(kinds) as caught:
        write(subject, inputs, sample)
    for x, (data, version, stops) in zip(flat(inputs), before, strict=True):
        np.testing.assert_array_equal(np.array(x.numpy()), data)
        assert (x.inplace_version, x.stop_gradient, x.shape) == (version, stops, data.shape)
    return str(caught.value)


def float_target(sample: Sample, targets: Sequence[int]) -> bool:
    return all(str(sample.inputs[i].dtype) in FLOATS for i in targets)


def leaf(subject: Subject) -> None:
    """C1 and C2 for each target, or C11 for an optimizer step."""
    for sample, targets in fitting(subject):
        if not float_target(sample, targets):
            continue
        for target in targets:
            inputs = tensors(sample, leaves=[target])
            if subject.decl.update:
                write(subject, inputs, sample)
                assert inputs[target].is_leaf
                assert inputs[target].stop_gradient is False
                continue
            text = refused(ol.errors.LeafInplaceError, subject, inputs, sample)
            assert text.startswith("(InvalidArgument) Leaf Tensor (")
            assert "that doesn't stop gradient can't use inplace strategy." in text
            assert str(subject.inplace_name) in text
            base = inputs[target]
            inputs[target] = base[...]
            text = refused(ol.errors.LeafInplaceError, subject, inputs, sample)
            assert text.startswith("(InvalidArgument) Leaf Tensor (")
            with ol.no_grad():
                inputs = tensors(sample, leaves=[target])
                write(subject, inputs, sample)
                assert inputs[target].inplace_version == 1


def enlarging(subject: Subject) -> None:
    """C5: samples whose result has another shape than the target."""
    for sample in subject.oracle.samples:
        targets = subject.targets(sample)
        if len(targets) != 1 or not isinstance(sample.inputs[targets[0]], np.ndarray):
            continue
        result = evaluate(subject.oracle, sample)[0]
        if not keeps_shape(sample, targets[0], result):
            text = refused(ValueError, subject, tensors(sample), sample)
            shape = ", ".join(map(str, np.shape(sample.inputs[targets[0]])))
            assert f"[{shape}]" in text


def category(subject: Subject) -> None:
    """C6: a result of a higher category is refused, one that fits keeps the target's dtype."""
    oracle = subject.oracle
    sample = oracle.samples[oracle.any_dtype]
    targets = subject.targets(sample)
    for target_dtype in oracle.dtypes:
        alone = len(oracle.varied) != 2 or subject.decl.update
        for other in (target_dtype,) if alone else oracle.dtypes:
            dtypes = [target_dtype if i in targets else other for i in oracle.varied]
            mixed = with_dtypes(oracle, sample, dtypes)
            if replaces(subject):
                continue
            result = expected_dtype(oracle, mixed)
            if oracle.result is same:
                result = max(dtypes, key=DTYPES.index)
            inputs = tensors(mixed)
            if CATEGORY[result] > CATEGORY[target_dtype]:
                text = refused(TypeError, subject, inputs, mixed)
                assert target_dtype in text
            else:
                write(subject, inputs, mixed)
                assert str(inputs[targets[0]].numpy().dtype) == target_dtype


def expanded_target(subject: Subject) -> None:
    """C7, or C6 where a new storage would have to come in under a view."""
    for sample, targets in fitting(subject):
        data = sample.inputs[targets[0]]
        if data.ndim == 0 or data.shape[0] < 2:
            continue
        inputs = tensors(sample)
        inputs[targets[0]] = tensor(data[:1]).expand(list(data.shape))
        text = refused(ValueError, subject, inputs, sample)
        assert replaces(subject) or ("expand" in text and "clone()" in text)


def inplace_empty(subject: Subject) -> None:
    for sample in subject.oracle.empties:
        targets = subject.targets(sample)
        if not targets or subject.decl.view:
            continue
        results = evaluate(subject.oracle, sample)
        if all(keeps_shape(sample, i, r) for i, r in zip(targets, results, strict=True)):
            inputs = tensors(sample)
            write(subject, inputs, sample)
            assert all(inputs[i].inplace_version == 1 for i in targets)


def inplace_traced(subject: Subject) -> None:
    """One call, one traced call, which shows the pair."""
    for sample, _ in list(fitting(subject))[:1]:
        with ol.trace() as trace:
            write(subject, tensors(sample), sample)
        assert [c.op for c in trace] == [subject.inplace_name]
        pair = subject.decl.pairs[0]
        assert pair.input in str(trace[0].inplace)
        assert pair.output in str(trace[0].inplace)


def applying(subject: Subject) -> Iterator[tuple[str, Callable[[Subject], None]]]:
    """The checks that apply to an op."""
    decl, oracle = subject.decl, subject.oracle
    if not decl.pairs or not oracle.samples:
        return
    yield "inplace", inplace
    yield "inplace strided", inplace_strided
    yield "inplace empty", inplace_empty
    yield "inplace traced", inplace_traced
    yield "leaf", leaf
    yield "expanded target", expanded_target
    if decl.method is not None:
        yield "inplace method", inplace_method
    if decl.view is None:
        yield "enlarging", enlarging
        yield "category", category
    if oracle.differentiable:
        yield "inplace view gradient", inplace_view_gradient
        if decl.has_plain:
            yield "inplace gradient", inplace_gradient
