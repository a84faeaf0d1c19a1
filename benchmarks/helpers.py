"""What the benchmarks share: small C extensions built on the spot, and plain-text tables."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


def build_extension(name: str) -> ModuleType:
    """Compiles benchmarks/<name>.c against the headers of this very Python, and imports it."""
    source = Path(__file__).with_name(f"{name}.c")
    compiler = shlex.split(sysconfig.get_config_var("CC") or "gcc")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        headers = f"-I{sysconfig.get_path('include')}"
        command = [*compiler, "-O2", "-shared", "-fPIC", headers, str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        spec = importlib.util.spec_from_file_location(name, target)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need; the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return "  ".join([cells[0].ljust(widths[0]), *rest]).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([line(header), rule, *map(line, rows)])
