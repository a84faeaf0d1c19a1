"""Calls of an op on a sample, what must come out, and how both are compared."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import oploom as ol
from generator.loader import load
from generator.model import Declaration, Registry
from tests.oracles.base import FLOATS, Array, Oracle, Sample
from tests.oracles.derived import derived

ROOT = Path(__file__).parents[2]


@cache
def registry() -> Registry:
    return load(ROOT / "ops.yaml")


@dataclass(frozen=True)
class Subject:
    """One op under test."""

    decl: Declaration
    oracle: Oracle

    @property
    def name(self) -> str:
        return self.decl.name

    @property
    def inplace_name(self) -> str | None:
        return self.decl.inplace_name

    def targets(self, sample: Sample) -> list[int]:
        """Positions of the inputs that the in-place form writes in this sample."""
        written = self.decl.targets
        names = self.decl.input_names()
        return [i for i, x in enumerate(sample.inputs) if names[i] in written and x is not None]

    def floats(self, sample: Sample) -> bool:
        """Whether the sample gives a float64 result, so that differences say something."""
        wide = ["float64"] * len(self.oracle.varied)
        return expected_dtype(self.oracle, sample, wide) == "float64"


def subjects() -> list[Subject]:
    """All ops that users can call and that have an oracle."""
    return [
        Subject(op.decl, found)
        for op in registry().ops
        if not op.decl.internal and (found := oracle_of(op.decl))
    ]


def oracle_of(decl: Declaration) -> Oracle | None:
    """The row of its family's table; of a composed op else one made of its expression."""
    return oracles(decl.family).get(decl.name) or derived(decl, references())


@cache
def references() -> dict[str, Callable[..., Any]]:
    """The NumPy functions of all ops that have a row."""
    families = {op.decl.family for op in registry().ops}
    return {name: o.reference for family in families for name, o in oracles(family).items()}


def oracles(family: str) -> dict[str, Oracle]:
    """The table of a family, empty where it has no module."""
    if not (Path(__file__).parent / f"{family}.py").exists():
        return {}
    table: dict[str, Oracle] = importlib.import_module(f"tests.oracles.{family}").ORACLES
    return table


# --- Inputs


def convert(x: Any, dtype: str) -> Any:
    """A sample's value as another dtype: bool is its sign, uint8 its size."""
    if isinstance(x, list):
        return [convert(member, dtype) for member in x]
    if not isinstance(x, np.ndarray):
        return x
    if dtype == "bool":
        return np.asarray(x > 0)
    return np.asarray(abs(x) if dtype == "uint8" else x).astype(dtype)


def with_dtypes(oracle: Oracle, sample: Sample, dtypes: Sequence[str]) -> Sample:
    inputs = list(sample.inputs)
    for position, dtype in zip(oracle.varied, dtypes, strict=True):
        inputs[position] = convert(inputs[position], dtype)
    return Sample(tuple(inputs), sample.attrs)


def tensor(x: Any, stop_gradient: bool = True) -> Any:
    """An array as a tensor of its dtype; a list of arrays as tensors; all else as it is."""
    if isinstance(x, list):
        return [tensor(member, stop_gradient) for member in x]
    if not isinstance(x, np.ndarray):
        return x
    return ol.to_tensor(x, dtype=str(x.dtype), stop_gradient=stop_gradient)


def tensors(sample: Sample, leaves: Sequence[int] = ()) -> list[Any]:
    return [tensor(x, i not in leaves) for i, x in enumerate(sample.inputs)]


def flat(xs: Sequence[Any]) -> list[Any]:
    """All tensors of a call's arguments."""
    members = [m for x in xs for m in (x if isinstance(x, (list, tuple)) else [x])]
    return [x for x in members if isinstance(x, ol.Tensor)]


def call(name: str, inputs: Sequence[Any], attrs: Any) -> list[Any]:
    """The results of ol.name as a list."""
    out = getattr(ol, name)(*inputs, **attrs)
    return list(out) if isinstance(out, (list, tuple)) else [out]


# --- Expected values


def weak_or_dtype(x: Any) -> str:
    if isinstance(x, list):
        return weak_or_dtype(x[0])
    if isinstance(x, np.ndarray):
        return str(x.dtype)
    return f"weak {type(x).__name__}"


def expected_dtype(oracle: Oracle, sample: Sample, dtypes: Sequence[str] = ()) -> str:
    """Of the first output."""
    if dtypes:
        sample = with_dtypes(oracle, sample, dtypes)
    if oracle.result is None:
        return str(evaluate(oracle, sample)[0].dtype)
    return oracle.result([weak_or_dtype(sample.inputs[i]) for i in oracle.varied])


def evaluate(oracle: Oracle, sample: Sample, function: Any = None) -> list[Array]:
    with np.errstate(all="ignore"):
        found = (function or oracle.reference)(*sample.inputs, **sample.attrs)
    return [np.asarray(x) for x in (found if isinstance(found, (tuple, list)) else [found])]


def exact(oracle: Oracle, sample: Sample) -> Sample:
    """The sample with numbers in which the reference makes no error worth speaking of."""
    if oracle.result is None or expected_dtype(oracle, sample) not in FLOATS:
        return sample
    return with_dtypes(oracle, sample, ["float64"] * len(oracle.varied))


def compare(oracle: Oracle, sample: Sample, results: Sequence[Any]) -> None:
    """The results of a call on exactly this sample are the reference's, within the stated bound."""
    dtype = expected_dtype(oracle, sample)
    wide = exact(oracle, sample)
    expected = evaluate(oracle, wide)
    magnitudes = evaluate(oracle, wide, oracle.magnitude) if oracle.magnitude else expected
    assert len(results) == len(expected)
    for result, want, size in zip(results, expected, magnitudes, strict=True):
        compare_array(np.array(result.numpy()), want, np.dtype(dtype), oracle.ulps, size)


def compare_array(
    found: Array, expected: Array, dtype: np.dtype[Any], ulps: float, magnitude: Array
) -> None:
    assert found.dtype == dtype
    assert found.shape == expected.shape
    with np.errstate(all="ignore"):
        rounded = expected.astype(dtype)
    if dtype.kind != "f" or ulps == 0:
        np.testing.assert_array_equal(found, rounded)
        return
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    limits = np.finfo(dtype)
    size = np.maximum(np.abs(expected), np.abs(magnitude))[finite]
    bound = ulps * float(limits.eps) * size + float(limits.tiny)
    error = np.abs(found[finite].astype("float64") - expected[finite].astype("float64"))
    worst = int(np.argmax(error / bound)) if error.size else 0
    assert (error <= bound).all(), (
        f"found {found[finite][worst]!r}, expected {expected[finite][worst]!r}:"
        f" {error[worst] / bound[worst] * ulps:.3g} units of the last place"
    )


def strided(x: Array, stop_gradient: bool = True) -> tuple[Any, Any]:
    """A tensor with x's values whose axes are reversed and stepped in memory, and its base."""
    if x.ndim == 0:
        base = ol.to_tensor(np.array([0, x, 0]).astype(x.dtype), dtype=str(x.dtype))
        base.stop_gradient = stop_gradient
        return base[1], base
    turned = x.transpose()
    padded = np.zeros((*turned.shape[:-1], turned.shape[-1] * 2 + 1), x.dtype)
    padded[..., 1::2] = turned
    base = ol.to_tensor(padded, dtype=str(x.dtype), stop_gradient=stop_gradient)
    order = list(range(x.ndim))[::-1]
    return base[..., 1::2].transpose(order), base
