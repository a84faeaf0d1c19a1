"""What the generator writes for the toy registry, word for word.

After a change of templates: UPDATE_GOLDENS=1 pytest tests/generator/test_goldens.py, then read the
difference. Goldens end in .txt, so that no formatter and no build takes them for sources.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.loader import load
from generator.render import render

HERE = Path(__file__).parent
GOLDENS = HERE / "goldens"
FILES = render(load(HERE / "toy" / "ops.yaml"))


def golden(name: str) -> Path:
    return GOLDENS / f"{name}.txt"


@pytest.mark.skipif("UPDATE_GOLDENS" not in os.environ, reason="set UPDATE_GOLDENS to write them")
def test_update() -> None:
    for old in GOLDENS.rglob("*.txt"):
        old.unlink()
    for name, text in FILES.items():
        golden(name).parent.mkdir(parents=True, exist_ok=True)
        golden(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_golden(name: str) -> None:
    assert FILES[name] == golden(name).read_text(encoding="utf-8")


def test_no_golden_without_a_file() -> None:
    kept = {path.relative_to(GOLDENS).as_posix() for path in GOLDENS.rglob("*.txt")}
    assert kept == {f"{name}.txt" for name in FILES}


@pytest.mark.parametrize("name", FILES)
def test_lines_are_short_and_clean(name: str) -> None:
    if name.endswith(".md"):
        return
    for line in FILES[name].splitlines():
        assert len(line) <= 100
        assert line == line.rstrip()
    assert "\n\n\n" not in FILES[name] or name.endswith(".pyi")
    assert FILES[name].endswith("\n")
    assert not FILES[name].endswith("\n\n")
