"""A registry that refers to itself is answered in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.cli import main


def test_an_anchor_in_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    registry = tmp_path / "ops.yaml"
    registry.write_text("- &a {op: *a}\n")
    assert main(["check", "--registry", str(registry)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_an_out_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy = Path(__file__).parent / "toy" / "ops.yaml"
    taken = tmp_path / "taken"
    taken.write_text("")
    assert main(["generate", "--registry", str(toy), "--out", str(taken)]) == 1
    assert "taken" in capsys.readouterr().err
