"""The tour: an op from its entry to its gradient, what is refused, an op of your own, and training.

    make demo

Ends with status 1 if the network recognises fewer than 95 % of the digits that it has not seen.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import oploom as ol
from examples.helpers import (
    ROOT,
    WANTED,
    WIDTH,
    Layer,
    digits,
    forward,
    make_layer,
    progress,
    say,
    section,
    show,
)

mpl.use("Agg")
import matplotlib.pyplot as plt

PICTURE = ROOT / "build" / "tour_loss.png"

NEW_OP = """
- op: softplus
  doc: log(1 + exp(x)), without overflow.
  inputs: {x: tensor}
  outputs: {out: {shape: same(x), dtype: float_of(x)}}
  kernel: softplus
  elementwise: true
  inplace: {x: out}
  backward: {x: out_grad * sigmoid(x)}
"""

# --- One op: squeeze_ -----------------------------------------------------------------------------


def registry_entry(op: str) -> tuple[str, str]:
    """An op's lines in the registry, and where they are."""
    for file in sorted((ROOT / "ops").glob("*.yaml")):
        text = file.read_text()
        found = re.search(rf"^- op: {op}\n(?:(?:  .*)?\n)*", text, re.MULTILINE)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            return found[0], f"{file.relative_to(ROOT)}:{line}"
    sys.exit(f"no entry of {op}")


def generated(opening: str, folder: Path) -> tuple[str, str]:
    """A class or function of the generated C++, from the line that opens with these words to the
    brace that closes it, and where it is."""
    for file in sorted((folder / "ops").glob("*.cpp")):
        lines = file.read_text().splitlines()
        for start, text in enumerate(lines):
            if text.startswith(opening) and text.endswith("{"):
                end = next(i for i in range(start, len(lines)) if lines[i].startswith("}"))
                return "\n".join(lines[start : end + 1]), f"generated/ops/{file.name}:{start + 1}"
    sys.exit(f"nothing generated opens with {opening}")


def one_op() -> None:
    section("An op is declared once")
    show(*registry_entry("squeeze"))
    say(
        "From these lines the generator writes two C++ functions, a gradient node, the Python "
        "function and method, a type stub and a page of reference. The node and the in-place "
        "function:"
    )
    for opening in ("struct SqueezeNode", "Tensor& imperative_squeeze_("):
        show(*generated(opening, ROOT / "generated"))

    section("It is called")
    x = ol.rand([5, 1, 10])
    before = x.inplace_version
    y = ol.squeeze_(x, axis=1)
    same = f"y is x: {y is x}; in-place version {before}, then {x.inplace_version}"
    show(f">>> x = ol.rand([5, 1, 10])\n>>> y = ol.squeeze_(x, axis=1)\n>>> y.shape\n{y.shape}")
    show(same)


# --- What is refused ------------------------------------------------------------------------------


def show_refusal(call: str, run: Callable[[], object]) -> None:
    """The full text of the error that run() ends in."""
    try:
        run()
    except (ol.errors.InplaceError, ol.errors.VersionError) as error:
        kinds = f"{type(error).__name__}, a {type(error).__mro__[-4].__name__}"
        wrapped = textwrap.fill(str(error), WIDTH - 4, break_on_hyphens=False)
        show(f">>> {call}\n{kinds}:\n{wrapped}")
    else:
        sys.exit(f"{call} was not refused")


def refusals() -> None:
    section("What would spoil a gradient is refused")
    say("A parameter, a leaf that does not stop gradient, is not written in place:")
    w = ol.rand([5, 1, 10])
    w.stop_gradient = False
    w.name = "w"
    show_refusal("ol.squeeze_(w, axis=1)", lambda: ol.squeeze_(w, axis=1))

    say(
        "A value that some gradient needs may be overwritten, but then backward says so. It knows "
        "who wrote, in which file and line:"
    )
    h = w * 2.0
    h.name = "h"
    loss = h.tanh_().sum()
    h.add_(1.0)
    show(
        ">>> h = w * 2.0\n>>> loss = h.tanh_().sum()    # tanh_ keeps its result for its gradient\n"
        ">>> h.add_(1.0)"
    )
    show_refusal("loss.backward()", loss.backward)
    print(f"\n  w.grad is still {w.grad}: a backward that fails leaves every gradient as it was.")


# --- An op of your own ----------------------------------------------------------------------------


def run_generator(*arguments: str) -> str:
    command = [sys.executable, "-m", "generator", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr


def new_op() -> None:
    section("An op of your own")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        registry = ("--registry", str(folder / "ops.yaml"))
        generate = ("generate", *registry, "--out", str(folder / "generated"))
        shutil.copy(ROOT / "ops.yaml", folder)
        shutil.copytree(ROOT / "ops", folder / "ops")
        family = folder / "ops" / "activation.yaml"
        original = family.read_text()

        say("In a copy of the registry, first with a slip of the finger:")
        family.write_text(original + NEW_OP.replace("inplace", "inplaec"))
        show(run_generator(*generate), "python -m generator generate")

        say("And as it should be:")
        family.write_text(original + NEW_OP)
        show(NEW_OP)
        run_generator(*generate)
        # "==== file" stands above what each generated file says of the op.
        explained = run_generator("explain", "softplus", *registry)
        about, *rest = re.split(r"^==== (.*)\n", explained, flags=re.MULTILINE)
        parts = dict(zip(rest[::2], rest[1::2], strict=True))
        say("Now `python -m generator explain softplus` says what that makes:")
        show(about)
        for name in [name for name in parts if name.startswith(("kernels.h", "ops/"))]:
            show(parts.pop(name), f"generated/{name}")
        say(
            "Only the kernel is left to write. Not shown here: what stands of the op in "
            f"{', '.join(sorted(parts))}."
        )


# --- Training -------------------------------------------------------------------------------------


def train(layers: list[Layer], images: ol.Tensor, labels: ol.Tensor) -> list[float]:
    """Gradient descent with momentum; the loss of each step."""
    parameters = [p for layer in layers for p in layer]
    velocities = [ol.zeros_like(p) for p in parameters]
    batch, epochs = 64, 40
    count = images.shape[0]
    random = np.random.default_rng(1)
    starts = [(epoch, at) for epoch in range(epochs) for at in range(0, count - batch + 1, batch)]
    losses: list[float] = []
    bar = progress(starts)
    for _, at in bar:
        if at == 0:
            order = ol.to_tensor(random.permutation(count))
        chosen = order[at : at + batch]
        loss = ol.cross_entropy(forward(layers, images[chosen]), labels[chosen])
        loss.backward()
        for parameter, velocity in zip(parameters, velocities, strict=True):
            assert parameter.grad is not None
            ol.momentum_(parameter, parameter.grad, velocity, 0.05, mu=0.9)
            parameter.clear_grad()
        losses.append(loss.item())
        bar.set_postfix(loss=f"{losses[-1]:.4f}", refresh=False)
    return losses


@ol.no_grad()
def accuracy(layers: list[Layer], images: ol.Tensor, labels: ol.Tensor) -> float:
    guesses = forward(layers, images).numpy().argmax(axis=1)
    return float((guesses == labels.numpy()).mean())


def draw(losses: list[float]) -> None:
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(losses, color="#9db8d2", linewidth=0.8, label="each step")
    width = 25
    mean = np.convolve(losses, np.ones(width) / width, mode="valid")
    axes.plot(range(width - 1, len(losses)), mean, color="#1f4e79", label=f"mean of {width}")
    axes.set(xlabel="step", ylabel="cross entropy", yscale="log", title="Digits: loss in training")
    axes.legend()
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=120)


def training() -> bool:
    section("It trains")
    seen, held_out = digits()
    say(
        f"Handwritten digits, 8 x 8 pixels: {seen[0].shape[0]} to learn from, "
        f"{held_out[0].shape[0]} held out. Two hidden layers, biases and activations in place, "
        "momentum_ for each step."
    )
    layers = [make_layer(64, 128), make_layer(128, 64), make_layer(64, 10)]
    print(f"\n  held out, before: {accuracy(layers, *held_out):6.1%}\n", flush=True)
    start = time.perf_counter()
    losses = train(layers, *seen)
    seconds = time.perf_counter() - start
    reached = accuracy(layers, *held_out)
    draw(losses)
    print(f"\n  held out, after:  {reached:6.1%}   ({len(losses)} steps in {seconds:.1f} s)")
    print(f"  loss curve:       {PICTURE.relative_to(ROOT)}")
    if reached < WANTED:
        print(f"  that is below the {WANTED:.0%} that this tour promises")
    return reached >= WANTED


def main() -> int:
    print(f"Oploom {ol.__version__}: a tour")
    ol.seed(0)
    one_op()
    refusals()
    new_op()
    return 0 if training() else 1


if __name__ == "__main__":
    sys.exit(main())
