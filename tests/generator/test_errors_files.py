"""One test for each way in which the files of a registry can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generator.registries import ADD, entry, problems

# Whole files -> the errors, all of them.
FILES: dict[str, tuple[str, list[str]]] = {
    "nothing to read": ("op: [", ["ops.yaml:1:6: not YAML: expected the node content, but found"]),
    "unquoted types": (
        "- op: dull\n  inputs: {x: tensor[]}\n",
        [
            "ops.yaml:2:21: not YAML: expected ',' or '}', but got '['; "
            'quote types such as "tensor?" and "tensor[]"'
        ],
    ),
    "no list": ("op: dull", ["ops.yaml:1:1: a registry is a list of ops and includes"]),
    "no item": ("- dull", ["ops.yaml:1:3: an item must begin with 'op: NAME' or 'include: FILE'"]),
    "no op": ("- doc: d", ["ops.yaml:1:3: an item must begin with 'op: NAME' or 'include: FILE'"]),
    "a key of a list": (
        "- op: dull\n  [a]: b",
        [
            "ops.yaml:1:3: op 'dull': backward is missing",
            "ops.yaml:1:3: op 'dull': doc is missing",
            "ops.yaml:1:3: op 'dull': needs a kernel or a composite",
            "ops.yaml:1:3: op 'dull': outputs must be declared",
            "ops.yaml:2:3: a key must be a plain name",
        ],
    ),
    "a key twice": (
        entry({"kernel": "kernel: dull\n  kernel: other"}),
        ["ops.yaml:5:3: key 'kernel' is given twice; first in line 4"],
    ),
    "include beside": (
        "- include: a.yaml\n  op: b",
        [
            "ops.yaml:1:12: cannot read 'a.yaml': No such file or directory",
            "ops.yaml:2:3: unknown key 'op' beside include",
        ],
    ),
    "include of a list": (
        "- include: [a.yaml]",
        ["ops.yaml:1:12: include names a file: include: ops/FAMILY.yaml"],
    ),
    "include of nothing": (
        "- include: ops/a.yaml",
        ["ops.yaml:1:12: cannot read 'ops/a.yaml': No such file or directory"],
    ),
    "include of itself": (
        "- include: ops.yaml",
        ["ops.yaml:1:12: files include each other: ops.yaml -> ops.yaml"],
    ),
    "roles beside": (
        "- roles: []\n  op: dull",
        ["ops.yaml:2:3: an item of roles is a list alone: roles: [NAME, ...]"],
    ),
    "roles of a map": ("- roles: [{a: b}]", ["ops.yaml:1:11: roles holds names"]),
    "a role of nobody": (
        "- roles: [zeros]\n" + ADD,
        ["ops.yaml:1:11: no op has the role 'zeros', which the runtime calls"],
    ),
    "a role of two": (
        "- roles: [zeros]\n"
        + entry({"kernel": "kernel: dull\n  role: zeros"})
        + entry({"kernel": "kernel: dull\n  role: zeros"}, "other"),
        ["ops.yaml:12:9: op 'other': role 'zeros' is that of 'dull'"],
    ),
    "a role without a plain form": (
        "- roles: [zeros]\n"
        + entry({"kernel": "kernel: d\n  role: zeros\n  inplace: {x: out}"}, "dull_"),
        ["ops.yaml:6:9: op 'dull_': a role needs a plain form"],
    ),
    "only in place": (
        entry(name="dull_"),
        [
            "ops.yaml:1:3: op 'dull_': a name that ends in _ has only the in-place form: "
            "declare inplace"
        ],
    ),
    "internal in place": (
        entry({"kernel": "kernel: d\n  inplace: {x: out}\n  internal: true"}, "dull_"),
        ["ops.yaml:1:3: op 'dull_': an internal op has a plain form"],
    ),
    "an op twice": (
        entry() + entry(),
        ["ops.yaml:6:3: op 'dull': op 'dull' is taken; first in ops.yaml:1"],
    ),
    "an in-place form twice": (
        entry({"kernel": "kernel: d\n  inplace: {x: out}"})
        + entry({"kernel": "kernel: d\n  inplace: {x: out}"}, "dull_"),
        ["ops.yaml:1:3: op 'dull': its in-place form 'dull_' is also declared in ops.yaml:7"],
    ),
    "count of results": (
        """\
- op: two
  doc: Two.
  inputs: {x: tensor}
  outputs: {a: same(x), b: same(x), c: same(x)}
  kernel: two
  backward: {missing: later}
- op: dull
  doc: Dull.
  inputs: {x: tensor, y: tensor}
  kernel: dull
  backward: {"x, y": two(out_grad)}
""",
        ["ops.yaml:11:22: op 'dull': backward of 2 inputs by 'two', which has 3 outputs"],
    ),
    "all at once": (
        entry({"kernel": "kernal: dull"}) + entry({"inputs": "inputs: {x: tenser}"}, "other"),
        [
            "ops.yaml:1:3: op 'dull': needs a kernel or a composite",
            "ops.yaml:4:3: op 'dull': unknown key 'kernal' (did you mean 'kernel'?)",
            "ops.yaml:8:15: op 'other': input 'x': unknown 'tenser' (did you mean 'tensor'?)",
        ],
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_file(tmp_path: Path, case: str) -> None:
    text, expected = FILES[case]
    found = problems(tmp_path, text)
    assert len(found) == len(expected)
    for line, wanted in zip(found, expected, strict=True):
        assert line.startswith(wanted)


def test_cyclic_and_double_includes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- include: b.yaml\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("- include: a.yaml\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(entry(), encoding="utf-8")
    text = "- include: a.yaml\n- include: c.yaml\n- include: c.yaml\n"
    assert problems(tmp_path, text) == [
        "b.yaml:1:12: files include each other: a.yaml -> b.yaml -> a.yaml",
        "ops.yaml:3:12: 'c.yaml' is included twice",
    ]


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00")
    assert problems(tmp_path, "- include: a.yaml\n") == ["a.yaml:1:1: the file is not UTF-8"]
