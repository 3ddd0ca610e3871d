"""Studies with many variants: how many a second by so many workers, and the memory that they take.

The study is a weight on springs at rest (`tests/studies/study_books.py`), whose variants cost a few
milliseconds: the fewer a variant
costs, the more its bookkeeping shows. Whole processes are timed, from the start of `sheetmbs study` to its end: starting
workers, the journal, and writing all variants into the workbook count. Memory is the largest that was resident of the process
that was started, and of one of its workers.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import machine, tables
from benchmarks.options import Options
from tests.studies.study_books import study_book
from tests.support.processes import children, resident

WORKERS = (1, 2, 4)
OF_WORKERS = 4000
FEW, MANY = 1000, 100_000
PAUSE = 0.02
"""s between two looks at the memory"""
BY_WORKERS = {"workers": "workers", "seconds": "s", "rate": "variants a second", "speedup": "times one worker"}
BY_VARIANTS = {
    "variants": "variants",
    "seconds": "s",
    "main": "memory where it was started, MB",
    "worker": "of a worker, MB",
}


def measured(folder: Path, samples: int, workers: int) -> dict[str, tables.Value]:
    """One study of so many variants by so many workers. Raises RuntimeError where it fails."""
    book = study_book(folder / "weight.xlsx", "latin-hypercube", samples=samples)
    command = [
        sys.executable,
        "-m",
        "sheetmbs",
        "study",
        str(book),
        "--workers",
        str(workers),
        "-o",
        str(folder / "out.xlsx"),
    ]
    began, main, worker = time.perf_counter(), 0, 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None:
            main = max(main, resident(running.pid))
            worker = max(worker, *map(resident, children(running.pid)), 0)
            time.sleep(PAUSE)
        message = running.stderr.read() if running.stderr else ""
    if running.returncode:
        raise RuntimeError(message)
    seconds = time.perf_counter() - began
    return {
        "workers": workers,
        "variants": samples,
        "seconds": seconds,
        "rate": samples / seconds,
        "main": main / 1e6,
        "worker": worker / 1e6 or None,
    }


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables."""
    shrink = 20 if options.quick else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        by_workers = [measured(folder, OF_WORKERS // shrink, workers) for workers in WORKERS]
        by_variants = [measured(folder, samples // shrink, 2) for samples in (FEW, MANY)]
    alone = float(by_workers[0]["rate"] or 1.0)
    by_workers = [row | {"speedup": float(row["rate"] or 0.0) / alone} for row in by_workers]
    shown = [(by_workers, BY_WORKERS), (by_variants, BY_VARIANTS)]
    for each, columns in shown:
        tables.show(each, columns)
    if options.save:
        tables.save("scale-workers", by_workers)
        tables.save("scale-memory", by_variants)
        text = "\n\n".join(tables.markdown(each, columns) for each, columns in shown)
        tables.into_readme("scale", f"{machine.measured_on(1)}\n\n{text}")
