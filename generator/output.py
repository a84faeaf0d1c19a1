"""Writes what changed and nothing else; says what is stale."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# Every generated file says so; nothing else is ever removed.
MARK = "Generated from "


@dataclass(frozen=True)
class Changes:
    written: tuple[str, ...]  # missing or different
    removed: tuple[str, ...]  # generated once, of no use now

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


def compare(folder: Path, files: Mapping[str, str]) -> Changes:
    written = tuple(name for name in sorted(files) if _text(folder / name) != files[name])
    return Changes(written, tuple(name for name in _generated(folder) if name not in files))


def write(folder: Path, files: Mapping[str, str]) -> Changes:
    changes = compare(folder, files)
    for name in changes.written:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Whole or not at all: a build may read at the same time.
        part = path.with_name(f".{path.name}.part")
        part.write_text(files[name], encoding="utf-8")
        os.replace(part, path)
    for name in changes.removed:
        (folder / name).unlink()
        for parent in (folder / name).parents:
            if parent == folder or any(parent.iterdir()):
                break
            parent.rmdir()
    return changes


def difference(folder: Path, files: Mapping[str, str], changes: Changes) -> str:
    """A unified diff from what is there to what should be."""
    parts: list[str] = []
    for name in sorted((*changes.written, *changes.removed)):
        before = (_text(folder / name) or "").splitlines(keepends=True)
        after = files.get(name, "").splitlines(keepends=True)
        shown = f"{folder.name}/{name}"
        parts += difflib.unified_diff(before, after, shown, f"{shown} (as the registry says)")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in parts)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def _generated(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in (".h", ".cpp", ".pyi", ".md"):
            with path.open(encoding="utf-8", errors="replace") as file:
                if MARK in file.readline():
                    found.append(path.relative_to(folder).as_posix())
    return sorted(found)
