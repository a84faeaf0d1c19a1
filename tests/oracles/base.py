"""What an oracle is: sample inputs of an op and the NumPy function that gives the right values.

Each family of the registry has a module of its name here with a table ORACLES, by op. Numbers lie
on a grid of odd 64ths: exact in float32, never whole, never on a kink of relu, abs or floor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")
NUMBERS = DTYPES[1:]
INTEGERS = DTYPES[1:4]
FLOATS = DTYPES[4:]


@dataclass(frozen=True)
class Sample:
    """Arguments of one call: arrays, Python numbers, lists of arrays or None; then attributes."""

    inputs: tuple[Any, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """NumPy turns 0-d arrays to numbers at every turn; numbers here are Python's alone."""
        arrays = (np.asarray(x) if isinstance(x, np.generic) else x for x in self.inputs)
        object.__setattr__(self, "inputs", tuple(arrays))

    def arrays(self) -> list[Array]:
        return [x for x in self.inputs if isinstance(x, np.ndarray)]


@dataclass(frozen=True)
class Refusal:
    """Arguments that an op refuses, the kind of error and words that it says."""

    kind: type[Exception]
    inputs: tuple[Any, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    says: tuple[str, ...] = ()


def same(dtypes: Sequence[str]) -> str:
    return dtypes[0]


def floating(dtypes: Sequence[str]) -> str:
    """Of a float function: ints and bool become float32."""
    return dtypes[0] if dtypes[0] in FLOATS else "float32"


def boolean(dtypes: Sequence[str]) -> str:
    del dtypes
    return "bool"


def promoted(dtypes: Sequence[str]) -> str:
    """The array API's table. Weak numbers come as 'weak bool', 'weak int', 'weak float'."""
    strong = [d for d in dtypes if not d.startswith("weak")]
    found = DTYPES[max(DTYPES.index(d) for d in strong)]
    for number in dtypes:
        if number == "weak float" and found not in FLOATS:
            found = "float32"
        if number == "weak int" and found == "bool":
            found = "int64"
    return found


def float_promoted(dtypes: Sequence[str]) -> str:
    return floating([promoted(dtypes)])


def summed(dtypes: Sequence[str]) -> str:
    return dtypes[0] if dtypes[0] in FLOATS else "int64"


@dataclass(frozen=True)
class Oracle:
    """How to judge one op.

    reference: takes a sample's inputs and attributes; gives the output, or a tuple of outputs.
        Where the result is a float all its numbers come as float64. For an op that only writes it
        gives the target's new value.
    differentiable: positions of inputs with a gradient (of an input list: every member).
    varied: positions whose dtype is varied; the others are used as they are in the sample.
    result: the dtype of the first output from those of the varied inputs; None: as the reference's.
    any_dtype: a sample (by number) whose attributes suit every dtype.
    ulps: bound of the float32 error, and of the float64 error, in units of the last place of the
        result, or of magnitude(...) where a result is a sum of terms that cancel.
    edges: special values tried in every place; edge_partners: against each of these.
    """

    reference: Callable[..., Any]
    samples: tuple[Sample, ...]
    dtypes: tuple[str, ...] = DTYPES
    result: Callable[[Sequence[str]], str] | None = same
    any_dtype: int = 0
    differentiable: tuple[int, ...] = (0,)
    varied: tuple[int, ...] = (0,)
    ulps: float = 4
    magnitude: Callable[..., Any] | None = None
    edges: tuple[float, ...] = ()
    edge_partners: tuple[float, ...] = ()
    empties: tuple[Sample, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    checks: tuple[Callable[[], None], ...] = ()


def grid(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Array:
    """Odd multiples of 1/64 between low and high."""
    draws = np.random.default_rng(seed * 1000 + sum((i + 1) * n for i, n in enumerate(shape)))
    first, last = int(np.ceil(low * 32)), int(np.floor(high * 32)) - 1
    return (draws.integers(first, last, size=shape, endpoint=True) * 2 + 1) / 64.0


def distinct(*shape: int, low: float = -4.0, high: float = 4.0, seed: int = 0) -> Array:
    """Like grid, but no two equal: for ops that look for the largest."""
    count = int(np.prod(shape))
    steps = np.linspace(low * 32, high * 32 - 1, count)
    values = (np.round(steps) * 2 + 1) / 64.0
    assert len(set(values)) == count
    return np.random.default_rng(seed).permutation(values).reshape(shape)


# Zeros, infinities, subnormal and huge numbers, ends of the range of exp, quadrants of sin.
EDGES = (
    *(np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0),
    *(1e-45, 1e-40, 1e-38, -1e-38, 1e-30, 1e30, -1e30, 3.4028234e38, -3.4028234e38),
    *(5e-324, 1e-310, 1e-300, 1e300, 1.7976931348623157e308, -1.7976931348623157e308),
    *(8.0, -8.0, 20.0, -20.0, 88.0, 88.7, 88.8, 89.0, -86.0, -87.0, -88.0, -103.0, -104.0, 200.0),
    *(709.0, 709.7, 709.8, 710.0, -708.0, -709.0, -744.0, -746.0, -1000.0, 1000.0),
    *(np.pi, np.pi / 2, -np.pi / 2, 1e3, 1e4, 1e5, 1e7, 1e10, -1e10, 1e15, 16777216.0),
    *(0.999999, 1.000001, 1e-4, -1e-4, 1e-7, -1e-7, 1.5, -1.5, 2.5, -2.5),
)
PAIR_EDGES = (
    *(np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0),
    *(1e-45, 1e-38, 3.4028234e38, -3.4028234e38, 1e-300, 1e300),
)


def one_array_samples(low: float, high: float, **attrs: Any) -> tuple[Sample, ...]:
    """Shapes that fill no SIMD register, one, and several with a rest; rank 0 to 3."""
    return tuple(
        Sample((grid(*shape, low=low, high=high, seed=i),), attrs)
        for i, shape in enumerate([(2, 3), (), (1,), (67,), (3, 1, 5)])
    )


def unary(
    reference: Callable[..., Any],
    low: float = -2.0,
    high: float = 2.0,
    attrs: Sequence[Mapping[str, Any]] = ({},),
    **rest: Any,
) -> Oracle:
    """An op on one tensor, element by element."""
    samples = tuple(s for a in attrs for s in one_array_samples(low, high, **a))
    empties = tuple(Sample((np.zeros(shape),), attrs[0]) for shape in ((0,), (2, 0, 3)))
    return Oracle(reference, samples, **{"edges": EDGES, "empties": empties, **rest})


PAIR_SHAPES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    *(((2, 3), (2, 3)), ((), ()), ((67,), (67,)), ((2, 3), (3,)), ((2, 3), ()), ((2, 3), (2, 1))),
    *(((3,), (2, 3)), ((2, 1), (1, 3)), ((), (4,)), ((3, 1, 2), (4, 1))),
)


def binary(
    reference: Callable[..., Any],
    low: float = -2.0,
    high: float = 2.0,
    other: tuple[float, float] = (-2.0, 2.0),
    numbers: Sequence[Any] = (3, 0.75),
    shift: float = 1 / 128,
    **rest: Any,
) -> Oracle:
    """An op on two operands, element by element, broadcast. With a shift no two are equal."""
    first, last = other
    pairs = [
        (
            grid(*a, low=low, high=high, seed=i),
            grid(*b, low=first, high=last, seed=i + 50) + shift,
        )
        for i, (a, b) in enumerate(PAIR_SHAPES)
    ]
    samples = [Sample(pair) for pair in pairs]
    samples += [Sample((grid(2, 3, low=low, high=high), number)) for number in numbers]
    empties = tuple(
        Sample((np.zeros(a), np.ones(b))) for a, b in (((0,), (0,)), ((2, 0), (1,)), ((0,), (2, 0)))
    )
    given = {
        "result": promoted,
        "differentiable": (0, 1),
        "varied": (0, 1),
        "edges": PAIR_EDGES,
        "edge_partners": PAIR_EDGES,
        "empties": empties,
    }
    return Oracle(reference, tuple(samples), **{**given, **rest})
