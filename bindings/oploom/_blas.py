"""Which of OpenBLAS's kernels to load.

OpenBLAS picks them once, when it is loaded, by processor model. A release older than the processor
does not know the model and falls back to its slowest kernels: Debian 12's is 15 times slower so.
What the processor can do is known all the same, from its flags; so, while the library is loaded,
the variable that OpenBLAS reads names the kernels. A variable that the user has set stays as it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_VARIABLE = "OPENBLAS_CORETYPE"
_KERNELS = (
    ("SkylakeX", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
    ("Haswell", {"avx2", "fma"}),
)


def kernels_for(flags: set[str]) -> str | None:
    """The best kernels for a processor with these flags; None leaves the choice to OpenBLAS."""
    return next((name for name, needed in _KERNELS if needed <= flags), None)


def _processor_flags() -> set[str]:
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open() as lines:
        for line in lines:
            if line.startswith("flags"):
                return set(line.split(":", 1)[1].split())
    return set()


@contextlib.contextmanager
def fitting_kernels() -> Iterator[None]:
    """Loads of OpenBLAS inside get kernels that fit the processor."""
    kernels = None if _VARIABLE in os.environ else kernels_for(_processor_flags())
    if kernels is None:
        yield
        return
    os.environ[_VARIABLE] = kernels
    try:
        yield
    finally:
        del os.environ[_VARIABLE]
