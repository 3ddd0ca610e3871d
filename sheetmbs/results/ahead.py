"""Compiling on further cores: while the first run compiles its beginning, other processes compile what comes later.

Compiling cannot use threads, but what one process has compiled another finds in the cache. Each begins with what none of the
others needs soon.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from sheetmbs import jit
from sheetmbs.analysis.solution import Solution
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.engine.motion_report import report
from sheetmbs.lower import lower
from sheetmbs.model import Body, Model
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.workbook.package.printing import RowLayout, printed

WATCH = """
import os, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
"""
"""ends a process together with the one that started it, however that ends: its input is then closed"""


@contextmanager
def compiled_beside() -> Iterator[None]:
    """Compile what an analysis needs later while its beginning runs, where there is a cache and cores to spare."""
    cores = os.cpu_count() or 1
    tasks = [] if jit.cache_folder() is None or not jit.is_cold(report) else [compile_report]
    quiet = subprocess.DEVNULL
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for task in tasks[: cores - 1]:
            command = (sys.executable, "-c", f"{WATCH}from {__name__} import {task.__name__} as task; task()")
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet))  # noqa: S603 - our own
        yield
        for process in processes:
            process.wait()
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def compile_report() -> None:
    """Compile the report by reporting nothing, and what prints the numbers of the sheets."""
    lowered = lower(Model(bodies=(Body("body", mass=1.0, inertia=np.eye(3)),)))
    none = np.zeros(0, dtype=np.bool_)
    empty = np.zeros((0, 3))
    structure = Structure(3, none, 0, (), none, (), singular_start=False, place=lowered.bodies.q)
    turns = np.zeros((0, 0))
    reported(lowered, Solution("dynamic", "done", np.zeros(0), empty, empty, empty, structure, turns))
    list(printed(np.zeros((1, 1)), [0], RowLayout([("", "")], "", ("", "", ""))))
