"""Hypothesis strategies for programs with views, in-place ops, branches, loops and arrays.

They are data, in the form that tests/python/flow.py runs; shapes are followed while drawing, so
that every step is allowed. Nothing is ever bound anew: a write is a step of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

Shape = tuple[int, ...]
Step = dict[str, Any]
SHAPES: tuple[Shape, ...] = ((), (3,), (2, 2), (2, 3))
SMOOTH = ("tanh", "sin", "sigmoid", "scale")
ROUGH = (*SMOOTH, "relu", "abs", "clip")
TWO = ("add", "subtract", "multiply")
ROUGH_TWO = (*TWO, "maximum", "minimum")
NUMBERS = st.sampled_from([-0.75, -0.3, 0.4, 0.9])
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "scale": {"scale": 0.8, "bias": -0.1},
    "clip": {"min": -0.9, "max": 1.1},
}
DEEPEST = 2


@dataclass(frozen=True)
class Name:
    shape: Shape
    writable: bool = True
    entries: int = -1  # of an array: how many are there at least; of a tensor -1


@dataclass(frozen=True)
class Flow:
    """inputs: data by name; out: the names whose elements are summed, all of them watched.

    buffers: inputs that stop gradient, and may be written.
    """

    inputs: dict[str, Any]
    block: list[Step]
    out: list[str]
    buffers: list[str]


@dataclass
class Scope:
    draw: Any  # hypothesis' draw: of any strategy
    rough: bool  # with kinks, and with values that are constants for gradients
    names: dict[str, Name]
    depth: int = 0
    counter: list[int] = field(default_factory=lambda: [0])
    trips: dict[str, int] = field(default_factory=dict)  # of the loops around, by their counters

    def fresh(self) -> str:
        self.counter[0] += 1
        return f"v{self.counter[0]}"

    def inner(self) -> Scope:
        return Scope(
            self.draw, self.rough, dict(self.names), self.depth + 1, self.counter, dict(self.trips)
        )

    def tensors(self, shape: Shape | None = None, writable: bool = False) -> list[str]:
        return [
            n
            for n, x in self.names.items()
            if x.entries < 0
            and (shape is None or x.shape == shape)
            and (x.writable or not writable)
        ]

    def pick(self, names: list[str]) -> str:
        # Later ones more often: they hang on the earlier.
        return str(self.draw(st.sampled_from(names + names[len(names) // 2 :])))

    def unary(self) -> tuple[str, dict[str, Any]]:
        op = self.draw(st.sampled_from(ROUGH if self.rough else SMOOTH))
        return op, ATTRIBUTES.get(op, {})

    def binary(self) -> str:
        return str(self.draw(st.sampled_from(ROUGH_TWO if self.rough else TWO)))

    def operand(self, shape: Shape) -> str | float:
        """What broadcasts to a shape without making it larger."""
        fits = [n for n in self.tensors() if self.names[n].shape in {shape, (), shape[1:]}]
        return self.pick(fits) if fits and self.draw(st.booleans()) else self.draw(NUMBERS)


# --- Steps. Each answers what it draws, and has entered the names it sets; None: not possible here.


def plain(at: Scope) -> Step:
    x = at.pick(at.tensors())
    step: Step = {"set": at.fresh()}
    if at.draw(st.booleans()):
        op, attrs = at.unary()
        step.update(op=op, args=[x], attrs=attrs)
    else:
        step.update(op=at.binary(), args=[x, at.operand(at.names[x].shape)])
    at.names[step["set"]] = Name(at.names[x].shape)
    return step


def in_place(at: Scope) -> Step | None:
    targets = at.tensors(writable=True)
    if not targets:
        return None
    x = at.pick(targets)
    step: Step = {"inplace": x, "no_grad": at.rough and at.draw(st.integers(0, 5)) == 0}
    if at.draw(st.booleans()):
        op, attrs = at.unary()
        return {**step, "op": op, "args": [x], "attrs": attrs}
    return {**step, "op": at.binary(), "args": [x, at.operand(at.names[x].shape)]}


def position(at: Scope, shape: Shape) -> str:
    """A loop's counter, as a position of the first axis; "" where there is none."""
    fits = [name for name, trips in at.trips.items() if shape and trips <= shape[0]]
    return str(at.draw(st.sampled_from(fits or [""])))


def key(at: Scope, shape: Shape) -> Any:
    axis = at.draw(st.integers(0, len(shape) - 1))
    start = at.draw(st.integers(0, shape[axis] - 1))
    index: list[Any] = [slice(None)] * len(shape)
    if at.draw(st.booleans()):
        index[axis] = start
    else:
        index[axis] = slice(start, at.draw(st.integers(start + 1, shape[axis])))
    return tuple(index)


def view(at: Scope) -> Step | None:
    ranked = [n for n in at.tensors() if at.names[n].shape]
    if not ranked:
        return None
    x = at.pick(ranked)
    shape, name = at.names[x].shape, at.fresh()
    kinds = ["slice", "slice", "transpose", "reshape"] + ["detach"] * at.rough
    kind = at.draw(st.sampled_from(kinds))
    step: Step = {"set": name, "op": kind, "args": [x]}
    if kind == "slice" and (counter := position(at, shape)):
        step, made = {"view": name, "of": x, "key": counter}, shape[1:]
    elif kind == "slice":
        index = key(at, shape)
        step = {"view": name, "of": x, "key": index}
        made = np.empty(shape)[index].shape
    elif kind == "transpose":
        step["attrs"] = {"perm": at.draw(st.permutations(range(len(shape))))}
        made = tuple(shape[i] for i in step["attrs"]["perm"])
    elif kind == "reshape":
        made = (int(np.prod(shape)),)
        step["attrs"] = {"shape": list(made)}
    else:
        step, made = {"detach": name, "of": x}, shape
    at.names[name] = Name(tuple(made), at.names[x].writable and kind != "detach")
    return step


def store(at: Scope) -> Step | None:
    targets = [n for n in at.tensors(writable=True) if at.names[n].shape]
    if not targets:
        return None
    x = at.pick(targets)
    shape = at.names[x].shape
    kind = at.draw(st.sampled_from(["part", "part", "rows", "mask"]))
    if kind == "mask":
        where = at.pick(at.tensors(shape))
        return {"store": x, "mask": [where, at.draw(NUMBERS)], "value": at.draw(NUMBERS)}
    if kind == "rows":
        order = at.draw(st.permutations(range(shape[0])))
        rows = order[: at.draw(st.integers(1, shape[0]))]
        return {"store": x, "rows": rows, "value": at.operand(shape[1:])}
    if counter := position(at, shape):
        return {"store": x, "key": counter, "value": at.operand(shape[1:])}
    index = key(at, shape)
    return {"store": x, "key": index, "value": at.operand(np.empty(shape)[index].shape)}


def reduction(at: Scope) -> Step:
    x, name = at.pick(at.tensors()), at.fresh()
    shape = at.names[x].shape
    op = at.draw(st.sampled_from(["sum", "mean", "softmax"])) if shape else "sum"
    at.names[name] = Name(shape[1:] if op != "softmax" else shape)
    attrs = {"axis": 0} if shape else {}
    return {"set": name, "op": op, "args": [x], "attrs": attrs}


def new_array(at: Scope) -> Step:
    x, name = at.pick(at.tensors()), at.fresh()
    at.names[name] = Name(at.names[x].shape, entries=1)
    return {"array": name, "value": x}


def on_array(at: Scope) -> Step | None:
    arrays = [n for n, x in at.names.items() if x.entries >= 0]
    if not arrays:
        return None
    array = at.draw(st.sampled_from(arrays))
    shape, name = at.names[array].shape, at.fresh()
    kind = at.draw(st.sampled_from(["push", "put", "read", "stack"]))
    entry = at.draw(st.integers(0, at.names[array].entries - 1))
    if kind == "push":
        return {"push": array, "value": at.pick(at.tensors(shape) or [array])}
    if kind == "put":
        return {"put": array, "at": entry, "value": at.pick(at.tensors(shape) or [array])}
    at.names[name] = Name(shape)
    if kind == "read":
        return {"read": name, "array": array, "at": entry}
    return {"total": name, "array": array}


def results_of(at: Scope, outer: Scope) -> list[str]:
    """Names of the outer scope, one for each result."""
    count = at.draw(st.integers(1, 3))
    return [at.pick(outer.tensors()) for _ in range(count)]


def condition(at: Scope) -> list[Any]:
    return [at.pick(at.tensors()), at.draw(st.sampled_from("<>")), at.draw(NUMBERS)]


def branch(at: Scope) -> Step | None:
    if at.depth >= DEEPEST:
        return None
    shapes = [at.names[n].shape for n in results_of(at, at)]
    step: Step = {"if": condition(at)}
    for side in ("then", "else"):
        inner = at.inner()
        step[side] = block(inner, 1, 4)
        step[f"{side}_yields"] = [inner.pick(inner.tensors(shape)) for shape in shapes]
    step["results"] = [at.fresh() for _ in shapes]
    at.names.update({n: Name(shape) for n, shape in zip(step["results"], shapes, strict=True)})
    return step


def loop(at: Scope) -> Step | None:
    if at.depth >= DEEPEST:
        return None
    starts = results_of(at, at)
    inner = at.inner()
    carries = [at.fresh() for _ in starts]
    inner.names.update({c: Name(at.names[s].shape) for c, s in zip(carries, starts, strict=True)})
    step: Step = {"while": at.draw(st.integers(0, 3)), "starts": starts, "carries": carries}
    if at.draw(st.booleans()):
        step["until"] = [at.draw(st.sampled_from(carries)), ">", 2.5]
    step["counter"] = at.fresh()
    inner.trips[step["counter"]] = step["while"]
    step["body"] = block(inner, 1, 4)
    shapes = [at.names[s].shape for s in starts]
    step["body_yields"] = [inner.pick(inner.tensors(shape)) for shape in shapes]
    step["results"] = [at.fresh() for _ in shapes]
    at.names.update({n: Name(shape) for n, shape in zip(step["results"], shapes, strict=True)})
    return step


STEPS = (
    *(plain, plain, in_place, in_place, in_place, view, view, store, reduction),
    *(new_array, on_array, on_array, branch, branch, loop, loop),
)


def block(at: Scope, least: int, most: int) -> list[Step]:
    drawn = (at.draw(st.sampled_from(STEPS))(at) for _ in range(at.draw(st.integers(least, most))))
    return [step for step in drawn if step is not None]


@st.composite
def flows(draw: st.DrawFn, rough: bool = True, with_buffers: bool = False) -> Flow:
    inputs: dict[str, Any] = {}
    for name in "abc"[: draw(st.integers(1, 3))]:
        shape = draw(st.sampled_from(SHAPES))
        rng = np.random.default_rng(draw(st.integers(0, 10_000)))
        inputs[name] = rng.uniform(-1.2, 1.2, shape).round(3)
    buffers = list(inputs)[1:] if with_buffers else []
    names = {n: Name(np.shape(x), writable=n in buffers) for n, x in inputs.items()}
    at = Scope(draw, rough, names)
    steps = block(at, 4, 10)
    return Flow(inputs, steps, at.tensors()[-4:], buffers)
