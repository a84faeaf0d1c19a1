"""The code of README.md and docs/*.md runs, and prints what stands below it.

All ```python blocks of a page run in order in one namespace. A ```text block right after one holds
what that block prints, line by line; `...` in it stands for anything.
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    line: int
    code: str
    prints: str | None


def blocks(text: str) -> list[Block]:
    found = []
    fences = list(FENCE.finditer(text))
    for fence, after in zip(fences, [*fences, None][1:], strict=True):
        if fence[1] != "python":
            continue
        follows = after is not None and after[1] == "text"
        between = text[fence.end() : after.start()] if after is not None else "x"
        shown = after[2] if after is not None and follows and not between.strip() else None
        found.append(Block(text.count("\n", 0, fence.start()) + 1, fence[2], shown))
    return found


def agrees(printed: str, expected: str) -> bool:
    wanted = re.sub(r"([\[\]?*])", r"[\1]", expected.strip()).replace("...", "*")
    return fnmatchcase(printed.strip(), wanted)


RUNNABLE = [page for page in PAGES if page.exists() and blocks(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", RUNNABLE, ids=[str(p.relative_to(ROOT)) for p in RUNNABLE])
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        # Blank lines in front, so that errors name lines of the page.
        code = compile("\n" * block.line + block.code, str(page), "exec")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, namespace)
        if block.prints is not None:
            assert agrees(output.getvalue(), block.prints), (
                f"{page.name}:{block.line} prints\n{output.getvalue()}\nand should\n{block.prints}"
            )


def test_pages_that_are_linked_exist() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_files_that_are_named_exist() -> None:
    """Paths in back quotes that begin with a folder of the project and hold no placeholder."""
    folders = [p.name for p in ROOT.iterdir() if p.is_dir()]
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for name in re.findall(r"`([\w.]+/[\w./]*)`", page.read_text(encoding="utf-8")):
            if name.split("/")[0] in folders and not name.startswith("build/"):
                assert (ROOT / name).exists(), f"{page.name} names {name}"


def test_the_reader_of_pages() -> None:
    text = "a\n\n```python\nprint(1)\n```\n\n```text\n1\n```\nb\n```python\nx = 2\n```\n"
    first, second = blocks(text)
    assert (first.line, first.code, first.prints) == (3, "print(1)\n", "1\n")
    assert second.prints is None
    assert agrees("[1, 2] took 3 ms\n", "[1, 2] took ... ms")
    assert not agrees("[1, 3]", "[1, 2]")
