"""The command line: what is written, what is said, and the exit status."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.cli import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A copy of the toy registry, to be changed by a test."""
    shutil.copytree(HERE / "toy", tmp_path / "toy")
    return tmp_path / "toy" / "ops.yaml"


def run(command: str, registry: Path, *more: str) -> int:
    return main([command, *more, "--registry", str(registry)])


def edit(registry: Path, before: str, after: str) -> None:
    path = registry.parent / "ops" / "basic.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def times(folder: Path) -> dict[str, int]:
    return {str(p): p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file()}


def test_generate_then_check(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("generate", registry) == 0
    assert "wrote generated/ops/basic.cpp" in capsys.readouterr().out
    assert run("check", registry) == 0
    assert capsys.readouterr() == ("", "")


def test_out(registry: Path, tmp_path: Path) -> None:
    assert run("generate", registry, "--out", str(tmp_path / "elsewhere")) == 0
    assert (tmp_path / "elsewhere" / "ops" / "basic.cpp").is_file()
    assert not (registry.parent / "generated").exists()


def test_only_what_changed_is_written(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("generate", registry)
    folder = registry.parent / "generated"
    before = times(folder)
    capsys.readouterr()
    run("generate", registry)
    assert capsys.readouterr().out == ""
    assert times(folder) == before
    edit(registry, "doc: x + x.", "doc: Twice x.")
    run("generate", registry)
    changed = {name for name, time in times(folder).items() if before[name] != time}
    names = {Path(name).relative_to(folder).as_posix() for name in changed}
    assert names == {
        "oploom_stubs/_ops.pyi",
        "op_table.cpp",
        "ops.h",
        "python/basic.cpp",
        "reference/basic.md",
    }


def test_a_stale_file_goes(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("generate", registry)
    folder = registry.parent / "generated"
    (folder / "notes.md").write_text("Written by hand.\n", encoding="utf-8")
    text = registry.read_text(encoding="utf-8")
    registry.write_text(
        text.replace("- include: ops/gradients.yaml\n- include: ops/shapes.yaml\n", "").replace(
            ", zeros", ""
        ),
        encoding="utf-8",
    )
    capsys.readouterr()
    assert run("generate", registry) == 0
    said = capsys.readouterr().out
    assert "removed generated/ops/shapes.cpp" in said
    assert not (folder / "ops" / "shapes.cpp").exists()
    assert (folder / "notes.md").exists()


def test_check_shows_a_difference(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("generate", registry)
    path = registry.parent / "generated" / "ops" / "basic.cpp"
    path.write_text(path.read_text(encoding="utf-8").replace("kernels::add", "kernels::sub"))
    (registry.parent / "generated" / "roles.h").unlink()
    before = times(registry.parent)
    capsys.readouterr()
    assert run("check", registry) == 1
    out, err = capsys.readouterr()
    assert "-  kernels::sub(x, y, out);\n+  kernels::add(x, y, out);\n" in out
    assert err == "stale: ops/basic.cpp, roles.h; run `make generate`\n"
    assert times(registry.parent) == before


def test_a_bad_registry_writes_nothing(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(registry, "kernel: add", "kernal: add")
    for command in ("generate", "check", "list"):
        assert run(command, registry) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert "ops/basic.yaml:7:3: op 'add': unknown key 'kernal' (did you mean" in err
    assert not (registry.parent / "generated").exists()


def test_a_missing_registry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", tmp_path / "no.yaml") == 1
    assert "cannot read 'no.yaml'" in capsys.readouterr().err


def test_list(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", registry) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 21
    assert lines[0].split() == ["add", "add_", "ops/basic.yaml:1", "x", "+", "y"]


@pytest.mark.parametrize("name", ["leaky", "leaky_", "leaky_unit"])
def test_explain(registry: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run("explain", registry, name) == 0
    out = capsys.readouterr().out
    assert out.startswith("leaky  (ops/basic.yaml:22)\n")
    assert "Backward keeps x; in place keeps a copy of x or out, as attributes say." in out
    for part in (
        "Tensor imperative_leaky(const Tensor& x, double slope = 0.02);",
        "inline Tensor& imperative_leaky_unit_(Tensor& x, double slope = 0.02)",
        "struct LeakyInplaceNode final",
        "Tensor& imperative_leaky_(Tensor& x, double slope) {",
        "void leaky(const Tensor& x, double slope, Tensor& out);",
        '{.name = "leaky",',
        "PyObject* call_leaky_(const Arguments<leaky__signature>& in)",
        "def leaky_(x: Tensor, slope: float = 0.02) -> Tensor:",
        "## leaky",
    ):
        assert part in out


def test_explain_of_nothing(registry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", registry, "leeky") == 1
    assert capsys.readouterr().err == "no op is called 'leeky' (did you mean 'leaky'?)\n"


def test_the_same_in_every_process(registry: Path) -> None:
    """No set's order and no clock goes into the files."""
    texts = []
    for seed in ("1", "2"):
        folder = registry.parent / seed
        command = [sys.executable, "-m", "generator", "generate", "--registry", str(registry)]
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run(
            [*command, "--out", str(folder)], check=True, cwd=ROOT, env=environment, stdout=-3
        )
        files = sorted(p for p in folder.rglob("*") if p.is_file())
        texts.append({p.relative_to(folder): p.read_bytes() for p in files})
    assert texts[0] == texts[1]
