"""What the tours share: how they print, their progress bar, and the handwritten digits."""

from __future__ import annotations

import itertools
import math
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import oploom as ol

ROOT = Path(__file__).resolve().parents[1]
WANTED = 0.95
WIDTH = 96

# --- Printing -------------------------------------------------------------------------------------

numbers = itertools.count(1)


def section(title: str) -> None:
    heading = f"{next(numbers)}. {title}"
    print(f"\n{heading}\n{'=' * len(heading)}", flush=True)


def say(text: str) -> None:
    print("\n" + textwrap.fill(text, WIDTH), flush=True)


def show(text: str, where: str = "") -> None:
    """Text of a program or a file, set off from what the tour says."""
    print(f"\n  {where}" if where else "")
    print(textwrap.indent(text.strip("\n"), "  | ", lambda line: True), flush=True)


class Lines:
    """Standard output for a progress bar without a terminal: a line for each of its states."""

    def write(self, text: str) -> None:
        sys.stdout.write(text.replace("\r", "\n"))

    def flush(self) -> None:
        sys.stdout.flush()


def progress(steps: Iterable[Any]) -> Any:
    """The steps, with a bar that shows how many are done."""
    # Some terminals do not tell their height; tqdm would then show nothing.
    place = {"file": sys.stdout} if sys.stdout.isatty() else {"file": Lines(), "mininterval": 1.0}
    return tqdm(steps, "  training", unit="step", ncols=WIDTH, nrows=20, **place)


# --- Digits ---------------------------------------------------------------------------------------

Layer = tuple[ol.Tensor, ol.Tensor]  # weights, biases
Set = tuple[ol.Tensor, ol.Tensor]  # images, labels


def make_layer(inputs: int, outputs: int) -> Layer:
    w = ol.randn([inputs, outputs]).scale_(math.sqrt(2 / inputs))
    b = ol.zeros([outputs])
    w.stop_gradient = b.stop_gradient = False
    return w, b


def forward(layers: list[Layer], x: ol.Tensor) -> ol.Tensor:
    """Each hidden layer has one buffer: the product, then bias and activation in place."""
    for w, b in layers[:-1]:
        x = (x @ w).add_(b).relu_()
    w, b = layers[-1]
    return (x @ w).add_(b)


def digits() -> tuple[Set, Set]:
    """Images and labels, for training and held out."""
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    images = (data.data[order] / 16).astype(np.float32)
    labels = data.target[order].astype(np.int64)
    cut = len(order) * 4 // 5
    training = ol.to_tensor(images[:cut]), ol.to_tensor(labels[:cut])
    held_out = ol.to_tensor(images[cut:]), ol.to_tensor(labels[cut:])
    return training, held_out
