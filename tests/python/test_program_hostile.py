"""Files that name gradient ops with operands that do not fit: refused before a kernel reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.test_ops import registry

pytestmark = pytest.mark.asan

HUGE = 10**12
INPUTS: dict[str, tuple[str, Any]] = {
    "x2": ("float64[2]", np.ones(2)),
    "x3": ("float64[3]", np.ones(3)),
    "x9": ("float64[9]", np.ones(9)),
    "x33": ("float64[3, 3]", np.ones((3, 3))),
    "f2": ("float32[2]", np.ones(2, "float32")),
    "b2": ("bool[2]", np.array([True, False])),
    "i2": ("int64[2]", np.array([0, 8])),
    "i3": ("int64[3]", np.array([0, 1, 2])),
    "i33": ("int64[3, 3]", np.ones((3, 3), "int64")),
    "big": ("int64[3]", np.array([0, HUGE, -HUGE])),
}
MAX = "keepdim: false"
ENTROPY = 'axis: 1, ignore_index: -100, reduction: "none"'
# op, operands (a tuple is a list), attributes, the result's type
FILES = [
    *((op, pair, "", "float64[?]") for op in ("tanh_grad", "sigmoid_grad", "relu_grad")
      for pair in (["x9", "x2"], ["x2", "x9"], ["f2", "x2"], ["x2", "f2"], ["b2", "b2"])),
    *((op, pair, "alpha: 1.0", "float64[?]") for op in ("elu_grad", "elu_curvature", "elu_out_grad")
      for pair in (["x2", "x9"], ["f2", "x2"], ["i2", "i2"])),
    ("leaky_relu_grad", ["x2", "x9"], "negative_slope: 1.0", "float64[?]"),
    ("clip_grad", ["x2", "x9"], "min: 0, max: 1", "float64[?]"),
    ("clip_grad", ["b2", "b2"], "min: 0, max: 1", "bool[?]"),
    ("softmax_grad", ["x2", "x9"], "axis: 0", "float64[?]"),
    ("softmax_grad", ["x9", "x2"], "axis: 0", "float64[?]"),
    ("softmax_grad", ["i2", "i2"], "axis: 0", "int64[?]"),
    *((op, operands, "", "float64[?]")
      for op in ("pow_grad", "pow_exponent_grad", "maximum_grad", "minimum_grad")
      for operands in (["x2", "x2", "x9"], ["b2", "b2", "b2"])),
    ("slice_grad", ["x2"], 'shape: [4], index: ["1:9:1"]', "float64[4]"),
    (
        "slice_grad",
        ["x33"],
        'shape: [-1, -1], index: ["0:1000:1", "0:1:1"]',
        "float64[?, ?]",
    ),
    ("section_grad", ["x2"], "shape: [-1], sections: [-1], i: 0, axis: 0", "float64[?]"),
    ("embed", ["x2"], "root_shape: [-1, -1], strides: [1], offset: 0", "float64[?, ?]"),
    ("part", ["x2"], "shape: [-1, -1], strides: [1, 1], offset: 0", "float64[?, ?]"),
    ("gather_grad", ["x2", "i2"], "shape: [-1], axis: 0", "float64[?]"),
    ("index_grad", ["x3", ("big", "big")], "shape: [-1, -1]", "float64[?, ?]"),
    ("sum_to", ["x33"], "shape: [-1, -1]", "float64[?, ?]"),
    ("cross_entropy_weights", ["x3", "i3"], f"shape: [3, -1], {ENTROPY}", "float64[3, ?]"),
    ("slice_grad", ["x9"], 'shape: [4], index: ["1:3:1"]', "float64[4]"),
    ("section", ["x9"], "sections: [1, 300], i: 1, axis: 0", "float64[300]"),
    ("section", ["x9"], "sections: [-1, 10], i: 1, axis: 0", "float64[10]"),
    ("section", ["x9"], "sections: [-1, -1, 9], i: 1, axis: 0", "float64[?]"),
    ("section", ["x9"], "sections: [-2, 11], i: 0, axis: 0", "float64[?]"),
    ("set_section", ["x9", "x2"], "sections: [4, 5], i: 1, axis: 0", "float64[9]"),
    ("set_section", ["x2", "x9"], "sections: [9, -1], i: 0, axis: 0", "float64[2]"),
    ("set_section", ["x2", "x2"], "sections: [2, 3], i: 0, axis: 0", "float64[2]"),
    ("section", ["x9"], "sections: [4, 5], i: 2, axis: 0", "float64[5]"),
    ("section_grad", ["x2"], "shape: [1], sections: [-1, 2], i: 1, axis: 0", "float64[1]"),
    ("section_grad", ["x9"], "shape: [4], sections: [1, 3], i: 1, axis: 0", "float64[4]"),
    ("section_grad", ["x2"], "shape: [4], sections: [900, 2], i: 1, axis: 0", "float64[4]"),
    ("part", ["x2"], "shape: [4], strides: [100000], offset: 0", "float64[4]"),
    ("part", ["x2"], "shape: [2], strides: [1], offset: -99999999", "float64[2]"),
    ("part", ["x2"], "shape: [2], strides: [1, 2], offset: 0", "float64[2]"),
    ("part", ["x2"], f"shape: [3], strides: [{2**62}], offset: {2**62}", "float64[3]"),
    ("part", ["x2"], "shape: [-4], strides: [1], offset: 0", "float64[?]"),
    ("embed", ["x2"], "root_shape: [4], strides: [100000000], offset: 0", "float64[4]"),
    ("embed", ["x2"], "root_shape: [4], strides: [], offset: 0", "float64[4]"),
    ("write_part", ["x2", "x9"], "strides: [1], offset: 0", "float64[2]"),
    ("write_part", ["x9", "x2"], "strides: [10000000], offset: 0", "float64[9]"),
    ("clear_part", ["x2"], "shape: [900000000], strides: [1], offset: 0", "float64[2]"),
    ("gather_grad", ["x2", "i2"], "shape: [1], axis: 0", "float64[1]"),
    ("gather_grad", ["x9", "i2"], "shape: [9000000], axis: 0", "float64[9000000]"),
    ("gather_grad", ["x2", "i2"], "shape: [9], axis: 7", "float64[9]"),
    ("gather_grad", ["x2", "i2"], "shape: [9], axis: -7", "float64[9]"),
    ("scatter_clear", ["x2", "big"], "", "float64[2]"),
    ("scatter_last", ["x2", "big"], "", "float64[3]"),
    ("index_grad", ["x2", ("big",)], "shape: [3]", "float64[3]"),
    ("index_grad", ["x3", ("big",)], "shape: [3]", "float64[3]"),
    ("index_grad", ["x9", ("i2",)], "shape: [3, 3, 3, 3]", "float64[3, 3, 3, 3]"),
    ("index_clear", ["x2", ("big",)], "", "float64[2]"),
    ("index_clear", ["x2", ("i2", "i2")], "", "float64[2]"),
    ("index_last", ["x2", ("big",)], "", "float64[3]"),
    ("sum_to", ["x9"], "shape: [2]", "float64[2]"),
    ("sum_to", ["x2"], "shape: [9]", "float64[9]"),
    ("sum_to", ["x33"], "shape: [2, 2, 2]", "float64[2, 2, 2]"),
    ("max_grad", ["x33", "x2", "x2"], f"axis: [0], {MAX}", "float64[3, 3]"),
    ("max_grad", ["x33", "x3", "x9"], f"axis: [0], {MAX}", "float64[3, 3]"),
    ("max_grad", ["x33", "x3", "x3"], f"axis: [7], {MAX}", "float64[3, 3]"),
    ("max_grad", ["x33", "x3", "x3"], f"axis: [-1], {MAX}", "float64[3, 3]"),
    ("max_pick", ["x33", "x9", "x33"], f"axis: [0], {MAX}", "float64[9]"),
    ("max_pick", ["x33", "x3", "x2"], f"axis: [0], {MAX}", "float64[3]"),
    ("cross_entropy_grad", ["x33", "big", "x3"], ENTROPY, "float64[3, 3]"),
    ("cross_entropy_grad", ["x33", "i3", "x9"], ENTROPY, "float64[3, 3]"),
    ("cross_entropy_grad", ["x33", "i3", "x3"], ENTROPY.replace("1", "5"), "float64[3, 3]"),
    ("cross_entropy_grad", ["x33", "i3", "x3"], ENTROPY.replace("none", "no"), "float64[3, 3]"),
    ("cross_entropy_grad", ["i33", "i3", "i3"], ENTROPY, "int64[3, 3]"),
    ("cross_entropy_weights", ["x3", "i3"], f"shape: [3, 300000], {ENTROPY}".replace("1,", "0,"),
     "float64[3, 300000]"),
    ("cross_entropy_weights", ["x2", "i3"], f"shape: [3, 3], {ENTROPY}", "float64[3, 3]"),
    ("cross_entropy_reduce", ["x33", "i2"], ENTROPY, "float64[?]"),
]  # fmt: skip


def file_of(op: str, operands: list[Any], attributes: str, result: str, known: bool) -> str:
    numbers = {name: i for i, name in enumerate(INPUTS)}
    inputs = [
        [numbers[each] for each in name] if isinstance(name, tuple) else numbers[name]
        for name in operands
    ]
    lines = ["oploom_program: 1", "next: {value: 100, op: 100}", "arguments:"]
    for name, (kind, _) in INPUTS.items():
        shown = (
            kind if known else f"{kind.split('[')[0]}[{', '.join('?' for _ in kind.split(','))}]"
        )
        lines.append(f'- {{value: {numbers[name]}, type: "{shown}", name: "{name}", role: input}}')
    given = f", attributes: {{{attributes}}}" if attributes else ""
    results = f'results: [{{value: 50, type: "{result}"}}]'
    lines += ["ops:", f'- {{op: "{op}", inputs: {inputs}{given}, {results}, number: 1, at: "C++"}}']
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize(
    ("op", "operands", "attributes", "result"),
    FILES,
    ids=[f"{i}-{f[0]}" for i, f in enumerate(FILES)],
)
def test_operands_that_do_not_fit(
    op: str, operands: list[Any], attributes: str, result: str, known: bool, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.yaml"

    def load_and_run(result: str) -> None:
        path.write_text(file_of(op, operands, attributes, result, known))
        program = ol.Program.load(path)
        program.run({name: data for name, (_, data) in INPUTS.items()}, ["%50"])

    with pytest.raises((ValueError, TypeError, IndexError)) as refused:
        load_and_run(result)
    # Where only the result was not of the type that inference finds, what runs is tested as well.
    found = str(refused.value).partition("type: expected ")[2].partition(", got")[0].strip('"')
    if found:
        with pytest.raises((ValueError, TypeError, IndexError), match=rf"\[{op}\]"):
            load_and_run(found)


# The same form of file with operands that fit: what is refused above is refused for its operands.
FITTING = [
    ("tanh_grad", ["x2", "x2"], "", "float64[2]"),
    ("elu_grad", ["x2", "x2"], "alpha: 1.0", "float64[2]"),
    ("pow_grad", ["x2", "x2", "x2"], "", "float64[2]"),
    ("softmax_grad", ["x9", "x9"], "axis: 0", "float64[9]"),
    ("slice_grad", ["x2"], 'shape: [4], index: ["1:3:1"]', "float64[4]"),
    ("section", ["x9"], "sections: [4, -1], i: 1, axis: 0", "float64[5]"),
    ("section_grad", ["x3"], "shape: [4], sections: [1, 3], i: 1, axis: 0", "float64[4]"),
    ("set_section", ["x9", "x2"], "sections: [2, 7], i: 0, axis: 0", "float64[9]"),
    ("part", ["x9"], "shape: [2, 2], strides: [3, 1], offset: 2", "float64[2, 2]"),
    ("embed", ["x2"], "root_shape: [4], strides: [3], offset: 0", "float64[4]"),
    ("write_part", ["x9", "x2"], "strides: [8], offset: 0", "float64[9]"),
    ("clear_part", ["x9"], "shape: [2], strides: [8], offset: 0", "float64[9]"),
    ("gather_grad", ["x3", "i3"], "shape: [5], axis: 0", "float64[5]"),
    ("scatter_clear", ["x3", "i3"], "", "float64[3]"),
    ("scatter_last", ["x3", "i3"], "", "float64[3]"),
    ("index_grad", ["x3", ("i3", "i3")], "shape: [3, 3]", "float64[3, 3]"),
    ("index_clear", ["x33", ("i3",)], "", "float64[3, 3]"),
    ("index_last", ["x33", ("i3",)], "", "float64[3, 3]"),
    ("sum_to", ["x33"], "shape: [1, 3]", "float64[1, 3]"),
    ("max_grad", ["x33", "x3", "x3"], f"axis: [0], {MAX}", "float64[3, 3]"),
    ("max_pick", ["x33", "x3", "x33"], f"axis: [1], {MAX}", "float64[3]"),
    ("cross_entropy_grad", ["x33", "i3", "x3"], ENTROPY, "float64[3, 3]"),
    ("cross_entropy_weights", ["x3", "i3"], f"shape: [3, 3], {ENTROPY}", "float64[3, 3]"),
    ("cross_entropy_reduce", ["x33", "i3"], ENTROPY, "float64[3]"),
]


@pytest.mark.parametrize(
    ("op", "operands", "attributes", "result"), FITTING, ids=[f[0] for f in FITTING]
)
def test_operands_that_fit(
    op: str, operands: list[Any], attributes: str, result: str, tmp_path: Path
) -> None:
    path = tmp_path / "fitting.yaml"
    path.write_text(file_of(op, operands, attributes, result, known=True))
    feed = {name: data for name, (_, data) in INPUTS.items()}
    (found,) = ol.Program.load(path).run(feed, ["%50"])
    assert f"{found.dtype}{list(found.shape)}" == result


def test_every_internal_op_is_tried() -> None:
    internal = {o.decl.name for o in registry().ops if o.decl.internal and not o.decl.composite}
    assert internal == {op for op, *_ in FILES}
