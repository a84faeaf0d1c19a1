"""What a program costs: building its backward, an op in a run, a training step.

    .venv/bin/python benchmarks/program.py

Processor time of this one process, so that what else the machine does matters little; kernels run
on one thread. Rounds go over all that a table compares in turn, and it shows medians over the
rounds. Paddle's static mode appears where this Python can import it.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import oploom as ol
from benchmarks.helpers import table

Run = Callable[[], Any]
Form = Callable[[Any, int, Callable[[Any], Any]], Any]
Numbers = np.ndarray[Any, np.dtype[Any]]
LAYERS = ((64, 128), (128, 64), (64, 10))
RATE = 0.05


def seconds(run: Run) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def medians(runs: Sequence[Run], rounds: int, round_seconds: float) -> list[float]:
    """Seconds a call, of each; a round repeats a call for about so many seconds."""
    for run in runs:
        run()
    repeats = [max(1, int(round_seconds / max(seconds(run), 1e-9))) for run in runs]
    taken: list[list[float]] = [[] for _ in runs]
    gc.collect()
    for _ in range(rounds):
        for run, number, times in zip(runs, repeats, taken, strict=True):
            start = time.process_time()
            for _ in range(number):
                run()
            times.append((time.process_time() - start) / number)
    return [statistics.median(times) for times in taken]


# --- Building a backward --------------------------------------------------------------------------


def chain(x: Any, ops: int, tanh: Callable[[Any], Any]) -> Any:
    for _ in range(ops):
        x = tanh(x)
    return x


def wide(x: Any, ops: int, tanh: Callable[[Any], Any]) -> Any:
    """Every op reads x, and every other one adds up what came."""
    total = tanh(x)
    for _ in range(ops // 2):
        total = total + tanh(x)
    return total


class Oploom:
    name = "Oploom"

    def built(self, form: Form, ops: int) -> tuple[float, float]:
        """Seconds to record the ops, and to append their backward."""
        with ol.Program() as program:
            x = program.input("x", shape=[4], stop_gradient=False)
            start = time.process_time()
            y = form(x, ops, ol.tanh)
            middle = time.process_time()
            ol.grad(y, [x])
            return middle - start, time.process_time() - middle

    def forward(self, ops: int) -> Run:
        """Runs a chain of small ops."""
        with ol.Program() as program:
            y = chain(program.input("x", shape=[4]), ops, ol.tanh)
        feed = {"x": ol.ones([4])}
        return lambda: program.run(feed, fetch=[y])

    def step(self, images: Numbers, labels: Numbers) -> Run:
        weights = [ol.to_tensor(w, stop_gradient=False) for w in first_weights()]
        with ol.Program() as program:
            x = program.input("x", shape=images.shape)
            t = program.input("t", shape=labels.shape, dtype="int64")
            loss = ol.cross_entropy(net(ol, weights, x), t)
            for weight, gradient in ol.append_backward(loss):
                ol.sgd_(weight, RATE, gradient)
        feed = {"x": ol.to_tensor(images), "t": ol.to_tensor(labels)}
        return lambda: program.run(feed, fetch=[loss])


class Paddle:
    """The same in Paddle's static mode, its ops one after the other, too."""

    name = "Paddle"

    def __init__(self) -> None:
        os.environ.update(FLAGS_enable_pir_in_executor_trace_run="true", GLOG_minloglevel="3")
        self.paddle = importlib.import_module("paddle")
        self.paddle.set_device("cpu")
        self.paddle.enable_static()
        self.executor = self.paddle.static.Executor()

    def guarded(self, build: Callable[[], Any]) -> tuple[Any, Any]:
        """A new program, and what `build` answers from inside it."""
        static = self.paddle.static
        main, start = static.Program(), static.Program()
        with static.program_guard(main, start):
            result = build()
        self.executor.run(start)
        return main, result

    def running(self, program: Any, feed: dict[str, Any], fetch: list[Any]) -> Run:
        return lambda: self.executor.run(program, feed=feed, fetch_list=fetch)

    def input(self) -> Any:
        x = self.paddle.static.data("x", [4], "float32")
        x.stop_gradient = False
        return x

    def built(self, form: Form, ops: int) -> tuple[float, float]:
        def build() -> tuple[float, float]:
            x = self.input()
            start = time.process_time()
            y = form(x, ops, self.paddle.tanh)
            middle = time.process_time()
            self.paddle.static.gradients([y], [x])
            return middle - start, time.process_time() - middle

        taken: tuple[float, float] = self.guarded(build)[1]
        return taken

    def forward(self, ops: int) -> Run:
        program, y = self.guarded(lambda: chain(self.input(), ops, self.paddle.tanh))
        return self.running(program, {"x": np.ones(4, "float32")}, [y])

    def step(self, images: Numbers, labels: Numbers) -> Run:
        paddle = self.paddle

        def build() -> Any:
            x = paddle.static.data("x", images.shape, "float32")
            t = paddle.static.data("t", labels.shape, "int64")
            values = first_weights()
            assign = paddle.nn.initializer.Assign
            weights = [
                paddle.create_parameter(list(v.shape), "float32", default_initializer=assign(v))
                for v in values
            ]
            loss = paddle.nn.functional.cross_entropy(net(paddle, weights, x), t)
            paddle.optimizer.SGD(RATE).minimize(loss)
            return loss

        program, loss = self.guarded(build)
        return self.running(program, {"x": images, "t": labels}, [loss])


Library = Oploom | Paddle


def libraries() -> list[Library]:
    found: list[Library] = [Oploom()]
    try:
        found.append(Paddle())
    except Exception as error:
        print(f"Paddle: not here ({type(error).__name__})")
    return found


def first_weights() -> list[Numbers]:
    random = np.random.default_rng(0)
    return [
        array.astype(np.float32)
        for inputs, outputs in LAYERS
        for array in (random.standard_normal((inputs, outputs)) / inputs**0.5, np.zeros(outputs))
    ]


def net(library: Any, weights: Sequence[Any], x: Any) -> Any:
    relu = ol.relu if library is ol else library.nn.functional.relu
    for w, b in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        x = relu(x @ w + b)
    return x @ weights[-2] + weights[-1]


def eager_step(images: Numbers, labels: Numbers, recorded: bool) -> Run:
    """In eager mode; recorded: with a loss that is a program, by to_program()."""
    weights = [ol.to_tensor(w, stop_gradient=False) for w in first_weights()]
    x, t = ol.to_tensor(images), ol.to_tensor(labels)

    def loss_of(x: ol.Tensor, t: ol.Tensor) -> ol.Tensor:
        return ol.cross_entropy(net(ol, weights, x), t)

    called = ol.to_program(loss_of) if recorded else loss_of

    def run() -> ol.Tensor:
        loss = called(x, t)
        loss.backward()
        for weight in weights:
            assert weight.grad is not None
            ol.sgd_(weight, RATE, weight.grad)
            weight.clear_grad()
        return loss

    return run


# --- Tables ---------------------------------------------------------------------------------------


def attempt(library: Library, call: str, *arguments: Any) -> Any:
    """What a call answers; None where another library has no such thing."""
    try:
        return getattr(library, call)(*arguments)
    except Exception as error:
        if isinstance(library, Oploom):
            raise
        print(f"{library.name}: {type(error).__name__}: {str(error).splitlines()[0][:80]}")
        return None


class Builds:
    """Times of building; a library that took long is asked for nothing larger of that form."""

    def __init__(self, rounds: int, patience: float) -> None:
        self.rounds, self.patience = rounds, patience
        self.too_slow: set[tuple[str, Form]] = set()

    def cells(self, library: Library, form: Form, ops: int) -> list[str]:
        taken: list[tuple[float, float]] = []
        while len(taken) < self.rounds and (library.name, form) not in self.too_slow:
            gc.collect()
            one = attempt(library, "built", form, ops)
            if one is not None:
                taken.append(one)
            if one is None or sum(one) > self.patience:
                self.too_slow.add((library.name, form))
        if not taken:
            return ["-", "-", "-"]
        record, grad = (statistics.median(part) for part in zip(*taken, strict=True))
        return [f"{record * 1e3:.1f}", f"{grad * 1e3:.1f}", f"{grad / ops * 1e6:.2f}"]


def backwards(found: Sequence[Library], sizes: Sequence[int], builds: Builds) -> str:
    header = ["backward of", "ops"]
    for library in found:
        header += [f"{library.name}: record ms", "grad ms", "us an op"]
    forms = {"a chain of tanh": chain, "a sum of many tanh(x)": wide}
    rows = []
    for name, form in forms.items():
        for ops in sizes:
            row = [name, f"{ops:,}"]
            for library in found:
                row += builds.cells(library, form, ops)
            rows.append(row)
    return table(header, rows)


def overhead(found: Sequence[Library], ops: int, rounds: int, round_seconds: float) -> str:
    x = ol.ones([4])
    tanh, tanh_ = ol.tanh, ol.tanh_

    def eager() -> None:
        for _ in range(ops):
            tanh(x)

    def eager_inplace() -> None:
        for _ in range(ops):
            tanh_(x)

    runs: dict[str, Run] = {
        "Oploom, eager: tanh(x)": eager,
        "Oploom, eager: tanh_(x)": eager_inplace,
    }
    for library in found:
        run = attempt(library, "forward", ops)
        if run is not None:
            runs[f"{library.name}, in a program"] = run
    taken = medians(list(runs.values()), rounds, round_seconds)
    rows = [[name, f"{t / ops * 1e9:.0f}"] for name, t in zip(runs, taken, strict=True)]
    return table([f"{ops:,} tanh of 4 elements", "ns an op"], rows)


def steps(found: Sequence[Library], batches: Sequence[int], rounds: int, length: float) -> str:
    random = np.random.default_rng(1)
    header = ["a training step, us", *(f"batch {batch}" for batch in batches)]
    columns: list[dict[str, str]] = []
    for batch in batches:
        images = random.standard_normal((batch, LAYERS[0][0])).astype(np.float32)
        labels = random.integers(0, LAYERS[-1][1], batch)
        runs: dict[str, Run] = {
            "Oploom, eager": eager_step(images, labels, recorded=False),
            "Oploom, to_program(loss)": eager_step(images, labels, recorded=True),
        }
        for library in found:
            run = attempt(library, "step", images, labels)
            if run is not None:
                runs[f"{library.name}, a program"] = run
        taken = medians(list(runs.values()), rounds, length)
        columns.append({name: f"{t * 1e6:.0f}" for name, t in zip(runs, taken, strict=True)})
    rows = [[name, *(column.get(name, "-") for column in columns)] for name in columns[0]]
    return table(header, rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description="What a program costs.")
    arguments.add_argument("--rounds", type=int, default=11, help="rounds to take medians of")
    arguments.add_argument("--seconds", type=float, default=0.05, help="length of a call's round")
    arguments.add_argument(
        "--ops", type=int, nargs="+", default=[1_000, 10_000, 50_000], help="of the backwards"
    )
    arguments.add_argument(
        "--patience", type=float, default=1.0, help="seconds, after which no larger one is tried"
    )
    options = arguments.parse_args()
    found = libraries()
    print(backwards(found, options.ops, Builds(min(options.rounds, 3), options.patience)))
    print()
    print(overhead(found, options.ops[0], options.rounds, options.seconds))
    print()
    print(steps(found, (32, 256), options.rounds, options.seconds))


if __name__ == "__main__":
    main()
