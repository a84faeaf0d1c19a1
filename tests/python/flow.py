"""Programs of nested branches and loops as data: the steps of tests/data/flow_programs.json.

A block is a list of steps: {"set": v, "op", "args"}; {"inplace": v, "op", "args"};
{"if": [v, ">" or "<", number], "then", "else", "yields"}; {"while": trips or [v, "<", number],
"carries", "body"}. What a branch or body sets and does not hand on ends with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import oploom as ol

Steps = Sequence[dict[str, Any]]


class Block:
    """Names and their tensors or program values; steps call the library's functions."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = dict(names)

    def run(self, steps: Steps) -> dict[str, Any]:
        for step in steps:
            if "if" in step:
                self.branch(step)
            elif "while" in step:
                self.loop(step)
            else:
                self.call(step)
        return self.names

    def call(self, step: dict[str, Any]) -> None:
        arguments = [self.names[a] if isinstance(a, str) else a for a in step["args"]]
        if "set" in step:
            self.names[step["set"]] = getattr(ol, step["op"])(*arguments)
        else:
            target = self.names[step["inplace"]]
            assert getattr(ol, f"{step['op']}_")(*arguments) is target

    def branch(self, step: dict[str, Any]) -> None:
        name, sign, number = step["if"]
        x = self.names[name]

        def taken(steps: Steps) -> Any:
            def function() -> Any:
                found = Block(self.names).run(steps)
                return tuple(found[n] for n in step["yields"])

            return function

        results = ol.cond(
            x > number if sign == ">" else x < number, taken(step["then"]), taken(step["else"])
        )
        self.names.update(zip(step["yields"], results, strict=True))

    def loop(self, step: dict[str, Any]) -> None:
        carries, trips = step["carries"], step["while"]
        counter: list[Any] = []
        if isinstance(trips, int):
            counter.append(ol.full([], 0, dtype="int64"))

        def names(variables: Sequence[Any]) -> dict[str, Any]:
            own = variables[len(counter) :]
            return {**self.names, **dict(zip(carries, own, strict=True))}

        def condition(*variables: Any) -> Any:
            if counter:
                return variables[0] < trips
            name, _, number = trips
            return names(variables)[name] < number

        def body(*variables: Any) -> Any:
            found = Block(names(variables)).run(step["body"])
            more = [variables[0] + 1] if counter else []
            return (*more, *(found[n] for n in carries))

        start = [*counter, *(self.names[n] for n in carries)]
        results = ol.while_loop(condition, body, start)
        self.names.update(zip(carries, results[len(counter) :], strict=True))
