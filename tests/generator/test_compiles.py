"""What is generated for the toy registry is C++, also where the real registry needs no such op."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from generator.loader import load
from generator.output import write
from generator.render import render

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RULES = {
    "shapes": """
template <typename V, typename Lengths>
std::vector<V> cut(const V& x, const Lengths&, std::int64_t) {
  return {x};
}""",
    "gradients": """
template <typename V, typename Lengths>
std::tuple<V, V, V> tri_grad(const V& x, const V& y, const V& z, const Lengths&, bool) {
  return {x, y, z};
}""",
}


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_compiles(tmp_path: Path) -> None:
    files = render(load(HERE / "toy" / "ops.yaml"))
    write(tmp_path / "generated", files)
    (tmp_path / "runtime" / "rules").mkdir(parents=True)
    for family, rule in RULES.items():
        text = f'#pragma once\n#include "generated/calls.h"\nnamespace oploom::rules {{{rule}\n}}\n'
        (tmp_path / "runtime" / "rules" / f"{family}.h").write_text(text, encoding="utf-8")
    # All in one, so that headers are read once.
    sources = [name for name in files if name.endswith(".cpp") and not name.startswith("python/")]
    everything = tmp_path / "everything.cpp"
    everything.write_text("".join(f'#include "generated/{name}"\n' for name in sources))
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
    command = ["g++", *flags, f"-I{tmp_path}", f"-I{ROOT}", str(everything)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
