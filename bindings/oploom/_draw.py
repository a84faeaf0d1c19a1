"""Pictures of programs, by Graphviz."""

from __future__ import annotations

import shutil
import subprocess
from os import PathLike
from pathlib import Path

_TEXT = ("dot", "gv")


def draw(text: str, path: str | PathLike[str]) -> None:
    """Writes Graphviz text as the picture that the end of the path asks for."""
    target = Path(path)
    kind = target.suffix[1:].lower()
    if kind in _TEXT:
        target.write_text(text, encoding="utf-8")
        return
    if not kind:
        raise ValueError(
            f"[draw] path: expected a name that ends in .svg, .png, .pdf or .dot, got {str(path)!r}"
        )
    program = shutil.which("dot")
    if program is None:
        raise RuntimeError(
            "[draw] Graphviz's `dot` is not installed: install graphviz, or draw to a .dot file"
        )
    done = subprocess.run(
        [program, f"-T{kind}", "-o", str(target.absolute())],  # a name may begin with "-"
        input=text.encode(), capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise ValueError(f"[draw] path: Graphviz cannot draw {str(path)!r}: {said}")
