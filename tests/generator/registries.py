"""Small registries for tests of the generator."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.loader import load
from generator.problems import RegistryError

# A right entry; a case replaces or adds keys of it. Columns count from its first line.
GOOD = {
    "doc": "doc: Nothing much.",
    "inputs": "inputs: {x: tensor}",
    "kernel": "kernel: dull",
    "backward": "backward: {x: out_grad}",
}
ADD = """\
- op: plus
  doc: x + y.
  inputs: {x: operand, y: operand}
  outputs: {out: {shape: "broadcast(x, y)", dtype: "promoted(x, y)"}}
  operator: "+"
  kernel: plus
  elementwise: true
  inplace: {x: out}
  backward: {x: out_grad, y: out_grad}
"""


def entry(keys: Mapping[str, str | None] | None = None, name: str = "dull") -> str:
    """An op from GOOD, with these keys in the place of its own; None leaves a key out."""
    lines = {key: text for key, text in (GOOD | dict(keys or {})).items() if text is not None}
    return f"- op: {name}\n" + "".join(f"  {text}\n" for text in lines.values())


def problems(folder: Path, text: str) -> list[str]:
    path = folder / "ops.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        load(path)
    except RegistryError as error:
        return str(error).splitlines()
    return []


OTHERS = """\
- op: equal
  doc: Whether x equals y.
  inputs: {x: operand, y: operand}
  outputs: {out: {shape: "broadcast(x, y)", dtype: bool}}
  operator: "=="
  kernel: equal
  backward: {none: flags}
- op: tuned
  doc: An op with attributes.
  inputs: {x: tensor}
  attrs:
    n: int
    mode: {type: str, choices: [up, down], default: up}
    lengths: {type: "int[]", default: []}
  kernel: tuned
  backward: {zero: flat}
- op: join
  doc: A list.
  inputs: {xs: "tensor[]"}
  outputs: {out: {shape: "concat_shape(xs, 0)", dtype: promoted(xs)}}
  kernel: join
  backward: {zero: flat}
- op: write_
  doc: Writes.
  inputs: {x: tensor}
  kernel: write_
  elementwise: true
  inplace: {x: out}
  backward: {x: 0}
"""
