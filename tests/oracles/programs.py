"""A reference interpreter for programs of views, in-place ops and refused writes.

It knows no in-place machinery. A tensor is a map of element numbers into a root; a root's content
is a value (numbers and their derivatives by all input elements, carried forward), and every write
makes a new one. So values and gradients are right by construction, whatever was overwritten.

Beside it stands a model of what a backward may complain about (rules B1 and B2): a tape of nodes
with the elements that each keeps, and for each element of a root the time of its last write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.oracles.duals import RULES, Array, Dual, KinkError, Rule, spread


class RefusedError(Exception):
    """The step must raise: 'leaf_inplace', 'view_of_leaf_inplace', 'shape' or 'unrecorded view'."""


@dataclass
class Storage:
    """Numbers, flat, with for each the time of its last write. What detach() shares, too."""

    value: Array
    written: Array
    version: int = 0


@dataclass
class Saved:
    """Elements that a node keeps by reference, and when it did."""

    storage: Storage
    places: Array
    time: int


@dataclass
class Node:
    parents: list[Node]
    saved: list[Saved] = field(default_factory=list)
    used: bool = False  # a call was recorded that sends gradients here
    reshaped: bool = False  # of a leaf: its map changed after such a use, so .grad has no shape


@dataclass
class Root:
    """What a family shares."""

    storage: Storage
    slopes: Array  # of each element of the storage
    leaf: bool  # an input with stop_gradient=False that was never written with recording
    stop: bool
    node: Node | None
    changes: int = 0  # of its history


@dataclass
class Tensor:
    root: Root
    places: Array  # element numbers of the root, in the tensor's shape
    base: bool  # the tensor that the root was born with
    node: Node | None = None
    seen: int = 0  # root.changes when node was taken
    unrecorded: bool = False  # a view made under no_grad (C4)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.places.shape)

    @property
    def stop(self) -> bool:
        return self.unrecorded or self.root.stop

    @property
    def is_leaf(self) -> bool:
        if self.unrecorded or self.root.stop:
            return True
        return self.base and self.root.leaf

    def history(self) -> Node | None:
        """The node of the present value; after a change of the root taken from there anew."""
        if self.stop:
            return None
        if self.seen != self.root.changes:
            assert self.root.node is not None
            self.node = self.root.node if self.base else Node([self.root.node])
            self.seen = self.root.changes
        return self.node

    def dual(self) -> Dual:
        slopes = self.root.slopes[self.places]
        return Dual(
            self.root.storage.value[self.places], slopes * 0 if self.stop else slopes.copy()
        )

    def elements(self) -> set[int]:
        return set(self.places.reshape(-1).tolist())


def slice_places(places: Array, axis: int, start: int, end: int) -> Array:
    index: list[Any] = [slice(None)] * places.ndim
    index[axis] = slice(start, end)
    return np.asarray(places[tuple(index)])


VIEWS: dict[str, Callable[..., Array]] = {
    "reshape": lambda places, shape: places.reshape(shape),
    "squeeze": lambda places, axis: np.squeeze(places, axis) if places.shape[axis] == 1 else places,
    "unsqueeze": lambda places, axis: np.expand_dims(places, axis),
    "transpose": lambda places, perm: places.transpose(perm),
    "slice": slice_places,
    "expand": lambda places, shape: np.broadcast_to(places, shape),
}
REMAPS = {"reshape_", "squeeze_", "unsqueeze_", "transpose_"}


def viewable(places: Array, shape: Sequence[int]) -> bool:
    """Whether a reshape is a view: places has the tensor's own strides, and NumPy the same rule."""
    return np.may_share_memory(places, places.reshape(shape))


class Machine:
    """Runs the steps of a program."""

    def __init__(self, inputs: Mapping[str, Mapping[str, Any]]) -> None:
        self.width = sum(int(np.prod(given["shape"])) for given in inputs.values())
        self.time = 0
        self.tensors: dict[str, Tensor] = {}
        self.where: dict[str, slice] = {}
        first = 0
        for name, given in inputs.items():
            data = np.array(given["data"], "float64").reshape(given["shape"])
            slopes = np.zeros((data.size, self.width))
            if not given["stop_gradient"]:
                slopes[:, first : first + data.size] = np.eye(data.size)
            self.where[name] = slice(first, first + data.size)
            first += data.size
            tensor = self.fresh(Dual(data, slopes.reshape((*data.shape, self.width))))
            tensor.root.stop = bool(given["stop_gradient"])
            tensor.root.leaf = True
            if not tensor.stop:
                tensor.node = tensor.root.node = Node([])
            self.tensors[name] = tensor

    def fresh(self, dual: Dual) -> Tensor:
        count = dual.value.size
        storage = Storage(dual.value.reshape(-1).copy(), np.zeros(count, int))
        root = Root(storage, dual.slopes.reshape((-1, self.width)).copy(), True, True, None)
        return Tensor(root, np.arange(count).reshape(dual.value.shape), base=True)

    def run(self, step: Mapping[str, Any]) -> None:
        """One step; raises RefusedError where it must raise, and has changed nothing then."""
        op, attrs = step["op"], step.get("attrs", {})
        xs = [self.tensors[name] for name in step["in"]]
        recorded = not step.get("no_grad", False)
        self.time += 1
        if op == "detach":
            self.tensors[step["out"]] = self.detach(xs[0])
        elif op == "set_item_":
            self.set_part(xs[0], xs[1], slice_places(xs[0].places, **attrs), recorded)
        elif op == "put_":
            self.set_part(xs[0], xs[1], xs[0].places[attrs["index"]], recorded)
            # The log counts a write by an index tensor as one of the whole target.
            xs[0].root.storage.written[xs[0].places] = self.time
        elif op in REMAPS:
            self.remap(op, xs[0], attrs, recorded)
        elif op.endswith("_"):
            self.write(RULES[op[:-1]], xs, attrs, recorded)
        elif op in VIEWS and (op != "reshape" or viewable(xs[0].places, attrs["shape"])):
            self.tensors[step["out"]] = self.view(op, xs[0], attrs, recorded)
        elif op == "reshape":
            moved = xs[0].dual()
            shape = tuple(attrs["shape"])
            moved = Dual(moved.value.reshape(shape), moved.slopes.reshape((*shape, self.width)))
            self.tensors[step["out"]] = self.result(Rule(lambda x: moved), xs, {}, recorded)
        else:
            self.tensors[step["out"]] = self.result(RULES[op], xs, attrs, recorded)

    def result(
        self, rule: Rule, xs: Sequence[Tensor], attrs: Mapping[str, Any], recorded: bool
    ) -> Tensor:
        out = self.fresh(self.compute(rule, xs, attrs))
        if recorded and not all(x.stop for x in xs):
            node = self.node(rule, xs)
            node.saved = [self.save(t) for t in self.kept(rule.keeps, xs, out)]
            out.root.stop = out.root.leaf = False
            out.node = out.root.node = node
        else:
            out.root.slopes[:] = 0
        return out

    def compute(self, rule: Rule, xs: Sequence[Tensor], attrs: Mapping[str, Any]) -> Dual:
        new = rule.function(*(x.dual() for x in xs), **attrs)
        if max(np.abs(new.value).max(initial=0), np.abs(new.slopes).max(initial=0)) > 1e5:
            raise KinkError  # tolerances would say nothing any more
        return new

    def detach(self, x: Tensor) -> Tensor:
        """A family of its own on the same storage."""
        root = Root(x.root.storage, np.zeros_like(x.root.slopes), True, True, None)
        return Tensor(root, x.places, base=True)

    def view(self, op: str, x: Tensor, attrs: Mapping[str, Any], recorded: bool) -> Tensor:
        places = VIEWS[op](x.places, **attrs)
        out = Tensor(x.root, places, base=False, seen=x.root.changes)
        if not recorded or x.unrecorded:
            out.unrecorded = True
        elif not x.stop:
            parent = x.history()
            assert parent is not None
            parent.used = True
            out.node = Node([parent])
            out.seen = x.root.changes
        return out

    def node(self, rule: Rule, xs: Sequence[Tensor]) -> Node:
        wanted = xs[1:] if rule.zero else xs
        histories = [h for x in wanted if (h := x.history()) is not None]
        for history in histories:
            history.used = True
        return Node(histories)

    def kept(self, names: str, xs: Sequence[Tensor], out: Tensor | None) -> list[Tensor]:
        """The tensors that a formula keeps, as far as a wanted gradient reads them."""
        found = []
        x, y = xs[0], xs[-1]
        if "X" in names or ("x" in names and (len(xs) == 1 or not y.stop)):
            found.append(x)
        if "Y" in names or ("y" in names and not x.stop):
            found.append(y)
        if "o" in names:
            assert out is not None
            found.append(out)
        return found

    def save(self, x: Tensor) -> Saved:
        return Saved(x.root.storage, x.places, self.time)

    # --- Writes

    def check_target(self, x: Tensor, recorded: bool, others: Sequence[Tensor]) -> None:
        if len(x.elements()) < x.places.size:
            raise RefusedError("overlap")
        if not recorded:
            return
        if x.unrecorded:
            if not x.root.stop or any(not y.stop for y in others):
                raise RefusedError("unrecorded view")
        elif x.root.leaf and not x.root.stop:
            raise RefusedError("leaf_inplace" if x.base else "view_of_leaf_inplace")

    def remap(self, op: str, x: Tensor, attrs: Mapping[str, Any], recorded: bool) -> None:
        self.check_target(x, recorded, [])
        places = VIEWS[op[:-1]](x.places, **attrs)
        if op == "reshape_" and not viewable(x.places, attrs["shape"]):
            raise RefusedError("layout")
        parent = x.history()
        x.places = places
        if parent is not None and x.is_leaf:
            parent.reshaped = parent.used
        elif parent is not None:
            x.node = Node([parent])
        x.root.storage.written[places] = self.time
        x.root.storage.version += 1

    def write(
        self, rule: Rule, xs: Sequence[Tensor], attrs: Mapping[str, Any], recorded: bool
    ) -> None:
        target, others = xs[0], xs[1:]
        self.check_target(target, recorded, others)
        new = self.compute(rule, xs, attrs)
        if new.value.shape != target.shape:
            raise RefusedError("shape")
        if not recorded or all(x.stop for x in xs):
            self.store(target.root, target.places, new.value, None)
            return
        node = self.node(rule, xs)
        names = rule.keeps_in_place
        kept = [t for t in self.kept(names, xs, target) if not self.overwritten(t, target, names)]
        self.store(target.root, target.places, new.value, new.slopes)
        node.saved = [self.save(t) for t in kept]
        self.rebase(target, node)

    def set_part(self, target: Tensor, value: Tensor, places: Array, recorded: bool) -> None:
        self.check_target(target, recorded, [value])
        new = value.dual()
        if np.broadcast_shapes(new.value.shape, places.shape) != places.shape:
            raise RefusedError("shape")
        new = spread(new, places.shape)
        if not recorded or (target.stop and value.stop):
            self.store(target.root, places, new.value, None)
            return
        node = self.node(RULES["add"], [target, value])
        self.store(target.root, places, new.value, new.slopes)
        self.rebase(target, node)

    def rebase(self, target: Tensor, node: Node) -> None:
        """The target's history is node; the root's a write of it into the value before (E5)."""
        root = target.root
        if target.base:
            root.node = node
        else:
            root.node = Node([node] if root.node is None or root.stop else [node, root.node])
        root.stop = root.leaf = False
        root.changes += 1
        target.node, target.seen = node, root.changes

    def overwritten(self, x: Tensor, target: Tensor, names: str) -> bool:
        """Whether the call overwrites what it would keep of an input: then it keeps a copy."""
        if x is target and names == "o":
            return False
        return x.root.storage is target.root.storage and bool(x.elements() & target.elements())

    def store(self, root: Root, places: Array, value: Array, slopes: Array | None) -> None:
        """New numbers. Without slopes the write is a shift by a constant (rule E7)."""
        root.storage.value = root.storage.value.copy()
        root.storage.value[places] = value
        if slopes is not None:
            root.slopes = root.slopes.copy()
            root.slopes[places] = slopes
        root.storage.written[places] = self.time
        root.storage.version += 1

    # --- Answers

    def gradient(self, name: str, of: str) -> Array:
        """The gradient of the sum of a tensor to an input, flat."""
        dual = self.tensors[name].dual()
        return np.asarray(dual.slopes.reshape((-1, self.width)).sum(0)[self.where[of]])

    def alarms(self, name: str) -> bool:
        """Whether a backward from the tensor reads a value whose bytes were written since."""
        pending, met = [self.tensors[name].history()], set()
        while pending:
            node = pending.pop()
            if node is None or id(node) in met:
                continue
            met.add(id(node))
            if node.reshaped:
                return True
            for kept in node.saved:
                if (kept.storage.written[kept.places] > kept.time).any():
                    return True
            pending.extend(node.parents)
        return False
