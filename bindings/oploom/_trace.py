"""Listening to calls of ops."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, overload

from oploom import _oploom


@dataclass(frozen=True, slots=True)
class Traced:
    """A tensor in a traced call, as it was then."""

    argument: str
    id: int
    shape: tuple[int, ...]
    dtype: _oploom.dtype

    def __str__(self) -> str:
        return f"{self.argument}: {self.dtype}{list(self.shape)}"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an op. Times are in nanoseconds; pairs are (input written, its output)."""

    op: str
    inputs: tuple[Traced, ...]
    outputs: tuple[Traced, ...]
    attributes: str
    inplace: tuple[tuple[str, str], ...]
    start_ns: int
    duration_ns: int

    def __str__(self) -> str:
        parts = [str(x) for x in self.inputs]
        if self.attributes:
            parts.append(self.attributes)
        results = ", ".join(str(x) for x in self.outputs)
        pairs = "".join(f"  [{x} -> {out}]" for x, out in self.inplace)
        return f"{self.op}({', '.join(parts)}) -> {results}{pairs}  {self.duration_ns / 1e3:.1f} us"


class Trace(Sequence[Call]):
    """The calls of this thread while a `with trace() as calls:` block runs, and after it."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._recorder: object | None = None

    def __enter__(self) -> Trace:
        if self._recorder is not None:
            raise RuntimeError("this trace is running already")
        self._recorder = _oploom._start_trace()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _oploom._stop_trace(self._recorder)
        self._collect()
        self._recorder = None

    def _collect(self) -> list[Call]:
        if self._recorder is not None:
            self._calls.extend(_call(row) for row in _oploom._take_calls(self._recorder))
        return self._calls

    def __len__(self) -> int:
        return len(self._collect())

    def __iter__(self) -> Iterator[Call]:
        return iter(self._collect())

    @overload
    def __getitem__(self, i: int) -> Call: ...
    @overload
    def __getitem__(self, i: slice) -> list[Call]: ...
    def __getitem__(self, i: int | slice) -> Call | list[Call]:
        return self._collect()[i]

    def __str__(self) -> str:
        return "\n".join(str(call) for call in self)

    def __repr__(self) -> str:
        return f"<trace of {len(self)} calls>"

    def chrome(self) -> dict[str, Any]:
        """The calls in Chrome's trace format, for chrome://tracing and Perfetto."""
        events = [
            {
                "name": call.op,
                "cat": "op",
                "ph": "X",
                "ts": call.start_ns / 1e3,
                "dur": call.duration_ns / 1e3,
                "pid": os.getpid(),
                "tid": 0,
                "args": {
                    "inputs": [str(x) for x in call.inputs],
                    "outputs": [str(x) for x in call.outputs],
                    "attributes": call.attributes,
                    "inplace": [f"{x} -> {out}" for x, out in call.inplace],
                },
            }
            for call in self
        ]
        return {"traceEvents": events, "displayTimeUnit": "ns"}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes chrome() as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.chrome(), file)


def _call(row: tuple[Any, ...]) -> Call:
    op, inputs, outputs, attributes, inplace, start, duration = row
    pairs = (pair.split(" -> ") for pair in inplace.split(", ") if pair)
    return Call(
        op,
        tuple(Traced(*x) for x in inputs),
        tuple(Traced(*x) for x in outputs),
        attributes,
        tuple((x, out) for x, out in pairs),
        start,
        duration,
    )


def trace() -> Trace:
    """Listens to the calls of ops: `with trace() as calls: ...`."""
    return Trace()
