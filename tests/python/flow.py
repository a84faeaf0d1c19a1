"""Programs of nested branches and loops as data, run through the library's functions.

A block is a list of steps. Those of tests/data/flow_programs.json: {"set": v, "op", "args"};
{"inplace": v, "op", "args"}; {"if": [v, ">" or "<", number], "then", "else", "yields"};
{"while": trips or [v, "<", number], "carries", "body"}. What a branch or body sets and does not
hand on ends with it. tests/oracles/drawn_flow.py adds views, writes by index, and arrays; results,
loop variables and counters have names of their own there, and a counter can be a key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import oploom as ol

Step = dict[str, Any]
Steps = Sequence[Step]


class Block:
    """Names and their tensors or program values."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = dict(names)

    def run(self, steps: Steps) -> dict[str, Any]:
        for step in steps:
            next(function for kind, function in KINDS.items() if kind in step)(self, step)
        return self.names

    def value(self, x: Any) -> Any:
        return self.names[x] if isinstance(x, str) else x

    def test(self, condition: Sequence[Any], names: dict[str, Any]) -> Any:
        name, sign, number = condition
        x = names[name]
        x = x.sum() if x.ndim else x
        return x > number if sign == ">" else x < number

    def call(self, step: Step) -> None:
        arguments = [self.value(a) for a in step["args"]]
        self.names[step["set"]] = getattr(ol, step["op"])(*arguments, **step.get("attrs", {}))

    def call_in_place(self, step: Step) -> None:
        arguments = [self.value(a) for a in step["args"]]
        with ol.no_grad() if step.get("no_grad") else nullcontext():
            out = getattr(ol, f"{step['op']}_")(*arguments, **step.get("attrs", {}))
        assert out is self.names[step["inplace"]]

    def view(self, step: Step) -> None:
        self.names[step["view"]] = self.names[step["of"]][self.value(step["key"])]

    def detach(self, step: Step) -> None:
        self.names[step["detach"]] = self.names[step["of"]].detach()

    def store(self, step: Step) -> None:
        key = self.value(step.get("key"))
        if "mask" in step:
            key = self.names[step["mask"][0]] > step["mask"][1]
        elif "rows" in step:
            key = ol.to_tensor(step["rows"], dtype="int64")
        self.names[step["store"]][key] = self.value(step["value"])

    # --- Control flow.

    def branch(self, step: Step) -> None:
        def taken(side: str) -> Callable[[], Any]:
            yields = step.get(f"{side}_yields") or step["yields"]

            def function() -> Any:
                found = Block(self.names).run(step[side])
                return tuple(found[n] for n in yields)

            return function

        results = ol.cond(self.test(step["if"], self.names), taken("then"), taken("else"))
        self.names.update(zip(step.get("results") or step["yields"], results, strict=True))

    def loop(self, step: Step) -> None:
        carries: list[str] = step["carries"]
        trips = step["while"]
        counted = isinstance(trips, int)

        def names(variables: Sequence[Any]) -> dict[str, Any]:
            own = dict(zip(carries, variables[counted:], strict=True))
            if "counter" in step:
                own[step["counter"]] = variables[0]
            return {**self.names, **own}

        def condition(*variables: Any) -> Any:
            if not counted:
                return self.test(trips, names(variables))
            goes_on = variables[0] < trips
            if "until" in step:
                ends = self.test(step["until"], names(variables))
                goes_on = ol.logical_and(goes_on, ol.logical_not(ends))
            return goes_on

        def body(*variables: Any) -> Any:
            found = Block(names(variables)).run(step["body"])
            more = [variables[0] + 1] if counted else []
            return (*more, *(found[n] for n in step.get("body_yields") or carries))

        counter = [ol.full([], 0, dtype="int64")] if counted else []
        start = [*counter, *(self.names[n] for n in step.get("starts") or carries)]
        results = ol.while_loop(condition, body, start)
        self.names.update(zip(step.get("results") or carries, results[counted:], strict=True))

    # --- Arrays.

    def new_array(self, step: Step) -> None:
        array = ol.TensorArray()
        array.write(0, self.names[step["value"]])
        self.names[step["array"]] = array

    def push(self, step: Step) -> None:
        array = self.names[step["push"]]
        array.write(array.len(), self.names[step["value"]])

    def put(self, step: Step) -> None:
        self.names[step["put"]].write(step["at"], self.names[step["value"]])

    def read(self, step: Step) -> None:
        self.names[step["read"]] = self.names[step["array"]].read(step["at"])

    def total(self, step: Step) -> None:
        self.names[step["total"]] = ol.sum(self.names[step["array"]].stack(), axis=0)


# By the key that only steps of this kind have, looked for in this order.
KINDS: dict[str, Callable[[Block, Step], None]] = {
    "set": Block.call,
    "inplace": Block.call_in_place,
    "view": Block.view,
    "detach": Block.detach,
    "store": Block.store,
    "if": Block.branch,
    "while": Block.loop,
    "push": Block.push,
    "put": Block.put,
    "read": Block.read,
    "total": Block.total,
    "array": Block.new_array,
}
