"""How fast kernels are, from a thousand to ten million elements, beside NumPy and PyTorch.

    .venv/bin/python benchmarks/kernels.py

Everything runs on one thread, in float32, fresh results included. A number is microseconds of
processor time a call (median of interleaved rounds); "x NumPy" above 1 means that Oploom is the
faster. A matrix product of about n elements multiplies two square matrices of that size.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import oploom as ol
from benchmarks.helpers import table

Run = Callable[[], Any]
Case = dict[str, Run]  # library -> what it runs
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ROUNDS = 9
LARGEST_PRODUCT = 1_000_000  # a product of two 3162 x 3162 matrices takes too long for a table


def torch_or_none() -> Any:
    try:
        torch = importlib.import_module("torch")
    except Exception:
        return None
    torch.set_num_threads(1)
    return torch


def elementwise_cases(a: Any, b: Any, torch: Any) -> dict[str, Case]:
    x, y = ol.to_tensor(a), ol.to_tensor(b)
    p, q = a.copy(), b.copy()
    one = np.float32(1)
    cases: dict[str, Case] = {
        "x + y": {"Oploom": lambda: x + y, "NumPy": lambda: p + q},
        "x.multiply_(1.0)": {
            "Oploom": lambda: x.multiply_(1.0),
            "NumPy": lambda: np.multiply(p, one, out=p),
        },
        "relu": {"Oploom": lambda: ol.relu(x), "NumPy": lambda: np.maximum(p, 0)},
        "exp": {"Oploom": lambda: ol.exp(x), "NumPy": lambda: np.exp(p)},
        "tanh": {"Oploom": lambda: ol.tanh(x), "NumPy": lambda: np.tanh(p)},
        "sigmoid": {"Oploom": lambda: ol.sigmoid(x), "NumPy": lambda: one / (one + np.exp(-p))},
        "x < y": {"Oploom": lambda: x < y, "NumPy": lambda: p < q},
    }
    if torch is not None:
        s, t = torch.tensor(a.tolist()), torch.tensor(b.tolist())
        cases["x + y"]["PyTorch"] = lambda: s + t
        cases["x.multiply_(1.0)"]["PyTorch"] = lambda: s.mul_(1.0)
        cases["relu"]["PyTorch"] = lambda: torch.relu(s)
        cases["exp"]["PyTorch"] = lambda: torch.exp(s)
        cases["tanh"]["PyTorch"] = lambda: torch.tanh(s)
        cases["sigmoid"]["PyTorch"] = lambda: torch.sigmoid(s)
        cases["x < y"]["PyTorch"] = lambda: s < t
    return cases


def matrix_cases(a: Any, b: Any, torch: Any) -> dict[str, Case]:
    """Reductions, softmax and the matrix product, on square matrices."""
    x, y = ol.to_tensor(a), ol.to_tensor(b)

    def softmax() -> Any:
        e = np.exp(a - a.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    cases: dict[str, Case] = {
        "sum of all": {"Oploom": lambda: x.sum(), "NumPy": lambda: a.sum()},
        "sum over rows": {"Oploom": lambda: x.sum(0), "NumPy": lambda: a.sum(0)},
        "max over columns": {"Oploom": lambda: x.max(1), "NumPy": lambda: a.max(1)},
        "softmax": {"Oploom": lambda: ol.softmax(x, -1), "NumPy": softmax},
        "x.T + y": {"Oploom": lambda: x.transpose(1, 0) + y, "NumPy": lambda: a.T + b},
        "matmul": {"Oploom": lambda: ol.matmul(x, y), "NumPy": lambda: a @ b},
    }
    if torch is not None:
        s, t = torch.tensor(a.tolist()), torch.tensor(b.tolist())
        cases["sum of all"]["PyTorch"] = lambda: s.sum()
        cases["sum over rows"]["PyTorch"] = lambda: s.sum(0)
        cases["max over columns"]["PyTorch"] = lambda: s.amax(1)
        cases["softmax"]["PyTorch"] = lambda: torch.softmax(s, -1)
        cases["x.T + y"]["PyTorch"] = lambda: s.T + t
        cases["matmul"]["PyTorch"] = lambda: s @ t
    if a.size > LARGEST_PRODUCT:
        del cases["matmul"]
    return cases


def medians(case: Case) -> dict[str, float]:
    """Microseconds a call, the libraries taking turns."""
    rounds: dict[str, list[float]] = {library: [] for library in case}
    numbers: dict[str, int] = {}
    for library, run in case.items():
        run()
        start = time.process_time()
        run()
        numbers[library] = max(1, min(2000, int(0.004 / (time.process_time() - start))))
    for _ in range(ROUNDS):
        for library, run in case.items():
            start = time.process_time()
            for _ in range(numbers[library]):
                run()
            rounds[library].append((time.process_time() - start) / numbers[library] * 1e6)
    return {library: statistics.median(times) for library, times in rounds.items()}


def row(name: str, size: int, case: Case, others: list[str]) -> list[str]:
    times = medians(case)
    cells = [name, f"{size:,}", f"{times['Oploom']:.1f}"]
    for library in others:
        cells += [f"{times[library]:.1f}", f"{times[library] / times['Oploom']:.2f}"]
    return cells


def main() -> None:
    arguments = argparse.ArgumentParser(description="How fast kernels are.")
    arguments.add_argument("--largest", type=int, default=SIZES[-1], help="elements, at most")
    options = arguments.parse_args()
    torch = torch_or_none()
    others = ["NumPy"] if torch is None else ["NumPy", "PyTorch"]
    random = np.random.default_rng(0)
    rows: dict[str, list[list[str]]] = {}
    for size in (size for size in SIZES if size <= options.largest):
        flat = [random.standard_normal(size, dtype=np.float32) for _ in range(2)]
        side = math.isqrt(size)
        square = [random.standard_normal((side, side), dtype=np.float32) for _ in range(2)]
        cases = [(size, elementwise_cases(flat[0], flat[1], torch))]
        cases.append((side * side, matrix_cases(square[0], square[1], torch)))
        for elements, group in cases:
            for name, case in group.items():
                rows.setdefault(name, []).append(row(name, elements, case, others))
    header = ["kernel", "elements", "Oploom"]
    for library in others:
        header += [library, f"x {library}"]
    print(table(header, [one for group in rows.values() for one in group]))


if __name__ == "__main__":
    main()
