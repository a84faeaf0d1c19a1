"""What one call costs: Oploom beside a C function that does nothing, and beside others.

    .venv/bin/python benchmarks/percall.py

Tensors of four float32 elements, so that the arithmetic costs next to nothing. All that is
compared is timed in this one process, by its processor time, so that what else the machine does
matters little: rounds go over every call of every library in turn, and the table shows medians over
the rounds. PyTorch and Paddle appear where this Python can import them.

ns     nanoseconds a call, the loop around it included, as timeit tells them
best   the fastest round
x      without the empty loop, as a multiple of a C function (METH_FASTCALL) that returns None
"""

from __future__ import annotations

import argparse
import gc
import importlib
import statistics
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.helpers import build_extension, table

CHAIN = "tanh(" * 10 + "w" + ")" * 10 + ".backward(g)"


@dataclass(frozen=True)
class Call:
    """A statement to time, the multiple of the C function that it is meant to reach, and how it
    reads in a library that spells it in another way."""

    name: str
    statement: str
    reach: float | None
    spelt: dict[str, str] = field(default_factory=dict)


CALLS = [
    Call("relu_(x)", "relu_(x)", 2),
    Call("x.relu_()", "x.relu_()", 2),
    Call("x.add_(y)", "x.add_(y)", 2.5),
    Call("x.squeeze_()  [1]", "x.squeeze_()", 2.5),
    Call("x.unsqueeze_(0).squeeze_(0)", "x.unsqueeze_(0).squeeze_(0)", None),
    Call("add(x, y)", "add(x, y)", 4.5),
    Call("x + y", "x + y", 4),
    Call("x * 2.0", "x * 2.0", 4),
    Call("relu(x)", "relu(x)", 4),
    Call("x.reshape(2, 2)", "x.reshape(2, 2)", 5, {"Paddle": "x.reshape([2, 2])"}),
    Call("x[1:3]", "x[1:3]", 5),
    Call("tanh(w), recorded and freed", "tanh(w)", 8),
    Call("ten tanh, forward + backward  [2]", CHAIN, 150),
]
NOTES = """\
[1] no axis of x has length 1: checks, map and version are done, the shape stays
[2] into w.grad, which each backward adds to; the seed g is given"""


Names = Callable[[], dict[str, Any]]  # makes what the statements speak of


def oploom_names() -> dict[str, Any]:
    import oploom as ol

    numbers = [0.5, -1.0, 2.0, 3.0]
    return {
        "x": ol.to_tensor(numbers),
        "y": ol.zeros([4]),
        "w": ol.to_tensor(numbers, stop_gradient=False),
        "g": ol.ones([4]),
        **{name: getattr(ol, name) for name in ("add", "relu", "relu_", "tanh")},
    }


def torch_names() -> dict[str, Any]:
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    numbers = [0.5, -1.0, 2.0, 3.0]
    return {
        "x": torch.tensor(numbers),
        "y": torch.zeros(4),
        "w": torch.tensor(numbers, requires_grad=True),
        "g": torch.ones(4),
        **{name: getattr(torch, name) for name in ("add", "relu", "relu_", "tanh")},
    }


def paddle_names() -> dict[str, Any]:
    paddle = importlib.import_module("paddle")
    paddle.set_device("cpu")
    functional = paddle.nn.functional
    numbers = [0.5, -1.0, 2.0, 3.0]
    return {
        "x": paddle.to_tensor(numbers),
        "y": paddle.zeros([4]),
        "w": paddle.to_tensor(numbers, stop_gradient=False),
        "g": paddle.ones([4]),
        "add": paddle.add,
        "relu": functional.relu,
        "relu_": functional.relu_,
        "tanh": paddle.tanh,
    }


class Timed:
    """One statement, and the nanoseconds a call that each round took."""

    def __init__(self, statement: str, names: dict[str, Any], round_seconds: float) -> None:
        self.rounds: list[float] = []
        self.timer = timeit.Timer(statement, timer=time.process_time, globals=names)
        self.timer.timeit(100)  # raises here where the library has no such call
        probe = 1000
        while (seconds := self.timer.timeit(probe)) < round_seconds / 10:
            probe *= 4
        self.number = max(1000, int(probe * round_seconds / seconds))

    def run(self) -> None:
        self.rounds.append(self.timer.timeit(self.number) / self.number * 1e9)

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def best(self) -> float:
        return min(self.rounds)


Measured = dict[str, list[Timed | None]]


def libraries() -> dict[str, Names]:
    """The libraries that can be imported here."""
    found: dict[str, Names] = {"Oploom": oploom_names}
    others: dict[str, Names] = {"PyTorch": torch_names, "Paddle": paddle_names}
    for library, names in others.items():
        try:
            names()
            found[library] = names
        except Exception as error:
            print(f"{library}: not here ({type(error).__name__})")
    return found


def timed(call: Call, library: str, names: Names, seconds: float) -> Timed | None:
    """Tensors of its own for each call: one that has had views, say, takes longer to write."""
    try:
        return Timed(call.spelt.get(library, call.statement), names(), seconds)
    except Exception:
        if library == "Oploom":
            raise
        return None


def measure(rounds: int, seconds: float) -> tuple[Timed, Timed, Measured]:
    """The empty loop, the C function, and each library's calls in the order of CALLS."""
    empty = Timed("pass", {}, seconds)
    noop = Timed("noop(x)", {"noop": build_extension("noop").noop, "x": 1.0}, seconds)
    measured: Measured = {
        library: [timed(call, library, names, seconds) for call in CALLS]
        for library, names in libraries().items()
    }
    everything = [empty, noop, *(t for row in measured.values() for t in row if t is not None)]
    gc.collect()
    for _ in range(rounds):
        for one in everything:
            one.run()
    return empty, noop, measured


def report(empty: Timed, noop: Timed, measured: Measured) -> str:
    others = [library for library in measured if library != "Oploom"]
    header = ["call", "ns", "best", "x", "to reach", "x / to reach"]
    for library in others:
        header += [library, "times ours"]
    unit = noop.median - empty.median
    rows = []
    for i, call in enumerate(CALLS):
        ours = measured["Oploom"][i]
        assert ours is not None
        x = (ours.median - empty.median) / unit
        reach = ["", ""] if call.reach is None else [f"{call.reach:g}", f"{x / call.reach:.2f}"]
        row = [call.name, f"{ours.median:.1f}", f"{ours.best:.1f}", f"{x:.1f}", *reach]
        for library in others:
            theirs = measured[library][i]
            if theirs is None:
                row += ["-", ""]
                continue
            row += [f"{theirs.median:.0f}", f"{theirs.median / ours.median:.1f}"]
        rows.append(row)
    base = f"the C function: {unit:.1f} ns net of the empty loop, which takes {empty.median:.1f} ns"
    return "\n".join([table(header, rows), "", base, NOTES])


def main() -> None:
    arguments = argparse.ArgumentParser(description="What one call costs.")
    arguments.add_argument("--rounds", type=int, default=25, help="rounds to take medians of")
    arguments.add_argument("--seconds", type=float, default=0.01, help="length of a call's round")
    options = arguments.parse_args()
    print(report(*measure(options.rounds, options.seconds)))


if __name__ == "__main__":
    main()
