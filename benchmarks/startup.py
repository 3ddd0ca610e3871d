"""A whole `sheetmbs run` of the gait workbook against only importing the libraries it stands on.

    python benchmarks/startup.py [--runs 15] [--save]

Both sides start a new process each time and alternate, so that a busy moment of the machine hits both. The machine code of
the kernels is kept from a first run that is not timed. ``--save`` writes startup.csv beside this file.
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
from pathlib import Path

HERE = Path(__file__).parent
BOOK = HERE.parent / "workbooks" / "half-hat-leg.xlsx"
IMPORTS = [sys.executable, "-c", "import numpy, numba, openpyxl, lxml"]
LIMIT = 3.0


def cpu_name() -> str:
    """Name of the processor as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def seconds(command: list[str]) -> float:
    """Wall time of a process that must end well."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=HERE.parent)
    return time.perf_counter() - start


def main() -> None:
    """Time both sides, print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / BOOK.name
        shutil.copy(BOOK, book)
        run = [sys.executable, "-m", "sheetmbs", "run", str(book)]
        sides = {"import numpy, numba, openpyxl, lxml": IMPORTS, "sheetmbs run half-hat-leg.xlsx": run}
        for command in sides.values():
            seconds(command)
        times: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(options.runs):
            for name, command in sides.items():
                times[name].append(seconds(command))
    base = statistics.median(times["import numpy, numba, openpyxl, lxml"])
    rows = [
        (name, len(values), f"{statistics.median(values):.3f}", f"{min(values):.3f}", f"{max(values):.3f}",
         f"{statistics.median(values) / base:.2f}", cpu_name(), os.cpu_count())
        for name, values in times.items()
    ]  # fmt: skip
    head = ("what", "runs", "median_s", "least_s", "most_s", "times_imports", "cpu", "cores")
    for row in (head, *rows):
        print(f"{row[0]:38}{row[1]!s:>6}{row[2]:>10}{row[3]:>9}{row[4]:>9}{row[5]:>15}")
    print(f"{cpu_name()}, {os.cpu_count()} cores; the run may take {LIMIT:g} times the imports")
    if options.save:
        with (HERE / "startup.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, *rows])


if __name__ == "__main__":
    main()
