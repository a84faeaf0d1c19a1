"""Matrix products are right with whatever kernels were chosen, and the choice leaves no trace."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import oploom as ol
from oploom._blas import kernels_for


def test_kernels_follow_the_flags() -> None:
    assert kernels_for({"sse2"}) is None
    assert kernels_for({"avx2", "fma", "sse2"}) == "Haswell"
    avx512 = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
    assert kernels_for(avx512 | {"avx2", "fma"}) == "SkylakeX"


def test_the_environment_is_left_alone() -> None:
    code = "import os, oploom; print(os.environ.get('OPENBLAS_CORETYPE'))"
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    for environment, expected in (
        (clean, "None"),
        (clean | {"OPENBLAS_CORETYPE": "Haswell"}, "Haswell"),
    ):
        shown = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout.strip() == expected


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("rows", "inner", "columns"),
    [(1, 1, 1), (3, 5, 7), (17, 33, 9), (64, 128, 96), (255, 129, 131)],
)
def test_products(dtype: str, rows: int, inner: int, columns: int) -> None:
    random = np.random.default_rng(rows)
    x = random.standard_normal((rows, inner)).astype(dtype)
    y = random.standard_normal((inner, columns)).astype(dtype)
    exact = x.astype(np.float64) @ y.astype(np.float64)
    bound = np.abs(x).astype(np.float64) @ np.abs(y).astype(np.float64) * np.finfo(dtype).eps * 4
    for left, right in (
        (ol.to_tensor(x), ol.to_tensor(y)),
        (ol.to_tensor(x.T.copy()).T, ol.to_tensor(y.T.copy()).T),
    ):
        assert (np.abs((left @ right).numpy() - exact) <= bound).all()


def test_importing_does_not_wait_for_numpy() -> None:
    """It takes longer to load than all of Oploom, and is needed only where arrays come in."""
    code = "import sys, oploom; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
