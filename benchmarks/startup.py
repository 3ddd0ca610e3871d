"""What it takes until results are there: a whole run against the bare imports, the library of kernels, a worker process.

    python benchmarks/startup.py [--runs 15] [--native] [--save]

Every side starts a new process each time, and all sides alternate, so that a busy moment of the machine hits all. Processor
time is that of the user and of the system. Python keeps the modules that it has compiled, whatever the environment says of
that, as it does for users. ``--native`` also builds the kernels for this very processor, which takes a minute, and compares
the time of solving. ``--save`` writes startup.csv beside this file.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
BOOKS = HERE.parent / "workbooks"
IMPORTS = "import numpy, lxml, openpyxl"
RUN = "sheetmbs run half-hat-leg.xlsx"
WORKER = "a worker process ready"
LOAD = "library loaded, a first kernel found"
LIMITS = {
    RUN: "2.5 times the processor time of the imports, aim 1.8; 3 s",
    WORKER: "1 s",
}
SOLVED = ("andrews", "double-wishbone", "half-hat-leg", "wind-turbine")
READY = """
from time import perf_counter
import sheetmbs
from sheetmbs.engine.evaluate import evaluate
began = perf_counter()
from sheetmbs.compiled import library
library.find(evaluate, evaluate.takes)
print(perf_counter() - began)
"""
SOLVE = """
import sys

for book in sys.argv[1:]:
    model = sheetmbs.read(book)
    print(min(sheetmbs.run(model).summary["solve time"] for _ in range(6)))
"""


def cpu_name() -> str:
    """Name of the processor as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def costs(command: Sequence[str], **settings: str) -> tuple[float, float, list[float]]:
    """Wall time and processor time of a process that must end well, and the numbers that it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | settings
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, cwd=HERE.parent, env=environment, text=True)
    wall, after = time.perf_counter() - start, os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return wall, used, [float(word) for word in done.stdout.split()]


def compared(runs: int) -> list[tuple[object, ...]]:
    """Rows of the table: what, runs, median of wall and processor time, the latter over that of the imports."""
    with tempfile.TemporaryDirectory() as folder:
        book = shutil.copy(BOOKS / "half-hat-leg.xlsx", folder)
        sides = {
            IMPORTS: [sys.executable, "-c", IMPORTS],
            RUN: [sys.executable, "-m", "sheetmbs", "run", str(book)],
            WORKER: [sys.executable, "-c", READY],
        }
        found: dict[str, list[tuple[float, float, list[float]]]] = {name: [] for name in sides}
        for command in sides.values():
            costs(command)
        for _ in range(runs):
            for name, command in sides.items():
                found[name].append(costs(command))
    bare = statistics.median(used for _wall, used, _numbers in found[IMPORTS])
    rows: list[tuple[object, ...]] = []
    for name, runs_of in found.items():
        wall, used = (statistics.median(run[k] for run in runs_of) for k in (0, 1))
        rows.append((name, runs, f"{wall:.3f}", f"{used:.3f}", f"{used / bare:.2f}", LIMITS.get(name, "")))
    loads = [numbers[0] for _wall, _used, numbers in found[WORKER]]
    rows.append((LOAD, runs, f"{statistics.median(loads):.3f}", "", "", ""))
    return rows


def against_native(runs: int) -> list[tuple[object, ...]]:
    """Rows of the table: time of solving with the library, and over that with one for this very processor."""
    books = [str(BOOKS / f"{name}.xlsx") for name in SOLVED]
    command = [sys.executable, "-c", SOLVE, *books]
    with tempfile.TemporaryDirectory() as folder:
        native = {"NUMBA_CPU_NAME": "host", "NUMBA_CACHE_DIR": folder}
        costs(command, **native)
        pairs = [(costs(command)[2], costs(command, **native)[2]) for _ in range(runs)]
    rows: list[tuple[object, ...]] = []
    for k, name in enumerate(SOLVED):
        ours, theirs = (min(pair[side][k] for pair in pairs) for side in (0, 1))
        ratio = f"{ours / theirs:.3f}"
        rows.append((f"solving {name}, over code for this processor", runs, f"{ours:.4f}", "", ratio, "1.03"))
    return rows


def main() -> None:
    """Measure, print the table and what its numbers may be at most."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    rows = compared(options.runs) + (against_native(options.runs) if options.native else [])
    head = ("what", "runs", "wall_s", "processor_s", "ratio", "limit")
    for row in (head, *rows):
        print(f"{row[0]!s:52}{row[1]!s:>5}{row[2]!s:>10}{row[3]!s:>13}{row[4]!s:>8}  {row[5]}")
    print(f"{cpu_name()}, {os.cpu_count()} cores")
    if options.save:
        with (HERE / "startup.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow((*head, "cpu", "cores"))
            table.writerows((*row, cpu_name(), os.cpu_count()) for row in rows)


if __name__ == "__main__":
    main()
