"""Hypothesis strategies for programs that tests/oracles/programs.py can run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.oracles.duals import Array, KinkError
from tests.oracles.programs import Machine, RefusedError, Tensor, slice_places, viewable

SHAPES: tuple[tuple[int, ...], ...] = ((3,), (4,), (2, 2), (3, 1), (1, 4), (2, 3), (2, 1, 3))
UNARY = ("relu", "tanh", "sigmoid", "exp", "sin", "square", "abs", "scale", "clip", "elu")
ONE = (*UNARY, "leaky_relu", "softmax", "clone")
TWO = ("add", "subtract", "multiply", "divide", "maximum", "minimum")
FACTORS = st.sampled_from([-1.25, -0.5, 0.375, 0.75, 1.5])


@dataclass(frozen=True)
class Program:
    """Steps, what each raises ("" where it must not), and the machine after all of them."""

    inputs: dict[str, Any]
    steps: list[dict[str, Any]]
    raises: list[str]
    machine: Machine
    target: str


@st.composite
def inputs(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in "abc"[: draw(st.integers(1, 3))]:
        shape = draw(st.sampled_from(SHAPES))
        rng = np.random.default_rng(draw(st.integers(0, 10_000)))
        data = rng.uniform(-1.5, 1.5, int(np.prod(shape))).round(3)
        stop = draw(st.integers(0, 2)) == 2
        found[name] = {"shape": list(shape), "data": data.tolist(), "stop_gradient": stop}
    return found


def attributes(draw: st.DrawFn, op: str, x: Tensor) -> dict[str, Any] | None:
    """Attributes for an op on x; None where the op does not suit its shape."""
    rank = len(x.shape)
    plain = op.removesuffix("_")
    if plain == "scale":
        return {"scale": draw(FACTORS), "bias": draw(FACTORS)}
    if plain == "clip":
        return {"min": -0.8, "max": 0.9}
    if plain == "elu":
        return {"alpha": draw(st.sampled_from([0.5, 1.0, 1.25]))}
    if plain == "leaky_relu":
        return {"negative_slope": draw(st.sampled_from([0.1, 0.3]))}
    if plain == "fill":
        return {"value": draw(FACTORS)}
    if plain in {"softmax", "sum", "mean", "slice", "set_item", "rows", "put"} and rank == 0:
        return None
    if plain == "expand":
        return {"shape": [draw(st.integers(1, 3)) if n == 1 else n for n in x.shape]}
    if plain in {"rows", "put"}:
        order = draw(st.permutations(range(x.shape[0])))
        index = order[: draw(st.integers(1, len(order)))]
        return {"index": index if plain == "put" else index + index[:1]}
    if plain == "softmax":
        return {"axis": draw(st.integers(0, rank - 1))}
    if plain in {"sum", "mean"}:
        return {"axis": draw(st.integers(0, rank - 1)), "keepdim": draw(st.booleans())}
    if plain in {"slice", "set_item"}:
        axis = draw(st.integers(0, rank - 1))
        start = draw(st.integers(0, x.shape[axis] - 1))
        return {"axis": axis, "start": start, "end": draw(st.integers(start + 1, x.shape[axis]))}
    if plain == "transpose":
        return {"perm": draw(st.permutations(range(rank)))}
    if plain == "unsqueeze":
        return {"axis": draw(st.integers(0, rank))} if rank < 4 else None
    if plain == "squeeze":
        lengths = [i for i, n in enumerate(x.shape) if n == 1]
        return {"axis": draw(st.sampled_from(lengths))} if lengths else None
    if plain == "reshape":
        return {"shape": draw(st.sampled_from(shapes_of(x.places.size)))}
    return {}


def shapes_of(size: int) -> list[list[int]]:
    pairs = [[n, size // n] for n in range(1, size + 1) if size % n == 0]
    return [[size], *pairs, [1, size, 1]]


KINDS = {
    "one": ONE,
    "one in place": tuple(f"{op}_" for op in (*ONE[:-1], "fill")),
    "two": TWO,
    "two in place": tuple(f"{op}_" for op in (*TWO, "copy", "set_item", "set_item", "put")),
    "reduce": ("sum", "mean", "rows"),
    "view": ("slice", "slice", "transpose", "reshape", "squeeze", "unsqueeze", "expand"),
    "view in place": ("transpose_", "reshape_", "squeeze_", "unsqueeze_"),
    "detach": ("detach",),
}
LIKELY = (
    *("one", "one in place", "one in place", "two", "two in place", "two in place", "two in place"),
    *("reduce", "view", "view", "view", "view in place", "detach"),
)


def likely_targets(draw: st.DrawFn, machine: Machine) -> list[str]:
    """Mostly those that may be written; views more often than their bases."""
    tensors = machine.tensors
    writable = [n for n, x in tensors.items() if x.root.stop or not x.root.leaf]
    if not writable or draw(st.integers(0, 5)) == 5:
        return list(tensors)
    return writable + [n for n in writable if not tensors[n].base]


def step(draw: st.DrawFn, machine: Machine, number: int) -> dict[str, Any] | None:
    kind = draw(st.sampled_from(LIKELY))
    op = draw(st.sampled_from(KINDS[kind]))
    names = list(machine.tensors)
    first = draw(st.sampled_from(likely_targets(draw, machine) if op.endswith("_") else names))
    x = machine.tensors[first]
    attrs = attributes(draw, op, x)
    if attrs is None or x.places.size == 0:
        return None
    arguments = [first]
    if kind.startswith("two"):
        arguments.append(draw(st.sampled_from(names)))
        y = machine.tensors[arguments[1]]
        part = x.places
        if op == "set_item_":
            part = slice_places(x.places, **attrs)
        if op == "put_":
            part = x.places[attrs["index"]]
        try:
            np.broadcast_shapes(part.shape, y.shape)
        except ValueError:
            return None
        if op in {"set_item_", "put_"} and y.places.ndim > part.ndim:
            return None
        if op == "set_item_" and written_into_itself(x, y, part):
            return None
    if op == "reshape_" and not viewable(x.places, attrs["shape"]):
        return None
    made: dict[str, Any] = {"op": op, "in": arguments}
    made["out"] = first if op.endswith("_") else f"t{number}"
    if attrs:
        made["attrs"] = attrs
    if draw(st.integers(0, 6)) == 0:
        made["no_grad"] = True
    return made


def written_into_itself(x: Tensor, y: Tensor, part: Array) -> bool:
    """E6: a value that maps exactly the bytes that would be written is no write."""
    same = np.array_equal(np.squeeze(part), np.squeeze(y.places))
    return x.root.storage is y.root.storage and same


@st.composite
def programs(draw: st.DrawFn) -> Program:
    given = draw(inputs())
    machine = Machine(given)
    steps: list[dict[str, Any]] = []
    raises: list[str] = []
    for number in range(draw(st.integers(4, 18))):
        made = step(draw, machine, number)
        if made is None:
            continue
        try:
            machine.run(made)
            raises.append("")
        except KinkError:
            continue
        except RefusedError as refusal:
            raises.append(str(refusal))
        steps.append(made)
    names = [n for n, x in machine.tensors.items() if not x.stop] or list(machine.tensors)
    return Program(given, steps, raises, machine, draw(st.sampled_from(names)))
