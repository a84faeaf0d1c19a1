"""How many instructions a call takes, counted by callgrind, against a budget.

    make instructions

Times differ from run to run and from machine to machine; counts hardly do, so this can be a gate:
the exit status is 1 where a call is above its budget. Every statement runs in two loops of unlike
length inside one counted process. Their difference, divided by the difference in length, is the
price of one turn; the empty loop's turn is taken off.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.helpers import build_extension, table
from benchmarks.percall import CHAIN, oploom_names

NOOP = "noop(x)"  # a C function that does nothing: what no call can go below
BUDGETS = {
    "relu_(x)": 320,
    "add(x, y)": 640,
    "x + y": 580,
    "x[1:3]": 750,
    CHAIN: 17_000,
}
TITLES = {CHAIN: "ten tanh, forward + backward"}
EMPTY = "pass"
STATEMENTS = [EMPTY, NOOP, *BUDGETS]
SHORT, LONG = 200, 1200


def count_here() -> None:
    """Inside callgrind: one dump for each statement and length of loop."""
    counters: Any = build_extension("counters")
    noop = build_extension("noop").noop
    for statement in STATEMENTS:
        timer = timeit.Timer(statement, globals={"noop": noop, **oploom_names()})
        timer.timeit(300)  # free lists are filled, and the interpreter has specialised the loop
        for length in (SHORT, LONG):
            counters.zero()
            timer.timeit(length)
            counters.dump(f"{length} {statement}")


def read_dumps(folder: Path) -> dict[str, int]:
    """Label of a dump -> instructions in it."""
    counts = {}
    for file in folder.iterdir():
        text = file.read_text(errors="replace")
        label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if label and total:
            counts[label[1]] = int(total[1])
    return counts


def count() -> dict[str, float]:
    """Statement -> instructions a turn, the loop itself included."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "pymalloc"}
    # A choice of kernels made for the real processor may be one that valgrind cannot run.
    environment.pop("OPENBLAS_CORETYPE", None)
    environment["OPENBLAS_NUM_THREADS"] = "1"  # threads that wait for work spin, and are counted
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        command += [sys.executable, __file__, "--count-here"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
        counts = read_dumps(Path(folder))
    return {
        statement: (counts[f"{LONG} {statement}"] - counts[f"{SHORT} {statement}"]) / (LONG - SHORT)
        for statement in STATEMENTS
    }


def main() -> int:
    counts = count()
    rows = [[NOOP, f"{counts[NOOP] - counts[EMPTY]:,.0f}", "", ""]]
    above = []
    for statement, budget in BUDGETS.items():
        title = TITLES.get(statement, statement)
        net = counts[statement] - counts[EMPTY]
        rows.append([title, f"{net:,.0f}", f"{budget:,}", f"{net / budget:.2f}"])
        if net > budget:
            above.append(title)
    print(table(["call", "instructions", "budget", "share"], rows))
    if above:
        print(f"\nabove budget: {'; '.join(above)}")
    return 1 if above else 0


if __name__ == "__main__":
    if "--count-here" in sys.argv:
        count_here()
    else:
        sys.exit(main())
