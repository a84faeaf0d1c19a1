"""The recipe "add an op" of CONTRIBUTING.md is true: these files, that command, no other step."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from generator.loader import load
from tests.oracles.calls import references
from tests.oracles.derived import derived

ROOT = Path(__file__).parents[2]
ENTRIES = re.findall(
    r"^```yaml\n(.*?)^```$",
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the registry and of what is generated from it."""
    shutil.copy(ROOT / "ops.yaml", tmp_path)
    shutil.copytree(ROOT / "ops", tmp_path / "ops")
    shutil.copytree(ROOT / "generated", tmp_path / "generated")
    return tmp_path


def run_generator(copy: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", "generate"]
    where = ["--registry", str(copy / "ops.yaml"), "--out", str(copy / "generated")]
    return subprocess.run([*command, *where], cwd=ROOT, capture_output=True, text=True, check=False)


def generate(copy: Path) -> None:
    done = run_generator(copy)
    assert done.returncode == 0, done.stdout + done.stderr


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def add(copy: Path, entry: str) -> dict[str, str]:
    """Appends an entry to the activation family; what changed in generated/ by it."""
    generate(copy)
    before = contents(copy / "generated")
    assert before == contents(ROOT / "generated"), "generated/ is stale: make generate"
    family = copy / "ops" / "activation.yaml"
    family.write_text(family.read_text(encoding="utf-8") + "\n" + entry, encoding="utf-8")
    generate(copy)
    after = contents(copy / "generated")
    assert set(after) == set(before)
    return {name: text for name, text in after.items() if text != before[name]}


def test_the_page_shows_two_entries() -> None:
    assert [re.findall(r"^- op: (\w+)$", e, re.MULTILINE) for e in ENTRIES[:2]] == [
        ["silu"],
        ["softplus"],
    ]
    declared = {op.decl.name for op in load(ROOT / "ops.yaml").ops}
    assert not declared & {"silu", "softplus"}, "the recipe adds an op that is there"


def test_a_composed_op_is_one_file(copy: Path) -> None:
    changed = add(copy, ENTRIES[0])
    sources = changed["ops/activation.cpp"]
    for name in ("imperative_silu(", "imperative_silu_("):
        assert name in sources
        assert name in changed["ops.h"]
    bindings = changed["python/activation.cpp"]
    assert '"silu"' in bindings
    assert '"silu_"' in bindings
    stub = next(text for name, text in changed.items() if name.endswith(".pyi"))
    assert "def silu(" in stub
    assert "def silu_(" in stub
    assert "kernels.h" not in changed


def test_and_its_oracle_comes_from_its_expression(copy: Path) -> None:
    add(copy, ENTRIES[0])
    decl = next(op.decl for op in load(copy / "ops.yaml").ops if op.decl.name == "silu")
    oracle = derived(decl, references())
    assert oracle is not None
    x = np.linspace(-3, 3, 7)
    np.testing.assert_allclose(oracle.reference(x), x / (1 + np.exp(-x)))


def test_an_op_with_a_kernel_declares_it(copy: Path) -> None:
    changed = add(copy, ENTRIES[1])
    assert "void softplus(const Tensor& x, Tensor& out);" in changed["kernels.h"]
    assert "kernels::softplus(" in changed["ops/activation.cpp"]
    families = {"ops/activation.cpp", "python/activation.cpp", "reference/activation.md"}
    shared = {name for name in changed if name not in families}
    assert not [name for name in shared if name.startswith(("ops/", "python/", "reference/"))]


def test_a_mistake_is_answered_with_its_place(copy: Path) -> None:
    family = copy / "ops" / "activation.yaml"
    text = family.read_text(encoding="utf-8") + "\n" + ENTRIES[1].replace("kernel:", "kernal:")
    family.write_text(text, encoding="utf-8")
    before = contents(copy / "generated")
    done = run_generator(copy)
    assert done.returncode == 1
    line = text[: text.index("kernal")].count("\n") + 1
    assert f"activation.yaml:{line}:3: op 'softplus': unknown key 'kernal'" in (
        done.stdout + done.stderr
    )
    assert "did you mean 'kernel'?" in done.stdout + done.stderr
    assert contents(copy / "generated") == before
