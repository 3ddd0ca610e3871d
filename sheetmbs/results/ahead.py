"""Compiling on a second core: while the first run waits for the solver, another process compiles the report of results.

Compiling cannot use threads, but what one process has compiled another finds in the cache.
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
from sheetmbs.analysis.structure import Structure
from sheetmbs.engine.report import report
from sheetmbs.lower import lower
from sheetmbs.model import Body, Model
from sheetmbs.results.columns import reported


@contextmanager
def report_compiled_beside() -> Iterator[None]:
    """Compile the report while the body of the with statement runs, where there is a cache and a core to spare."""
    if jit.cache_folder() is None or not jit.is_cold(report) or (os.cpu_count() or 1) < 2:
        yield
        return
    command = (sys.executable, "-c", f"from {__name__} import compile_report; compile_report()")
    quiet = subprocess.DEVNULL
    beside = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603 - a command of our own
    try:
        yield
        beside.wait()
    finally:
        beside.kill()
        beside.wait()


def compile_report() -> None:
    """Compile the report by reporting nothing."""
    lowered = lower(Model(bodies=(Body("body", mass=1.0, inertia=np.eye(3)),)))
    none = np.zeros(0, dtype=np.bool_)
    empty = np.zeros((0, 3))
    structure = Structure(3, none, 0, (), none, (), (), singular_start=False)
    turns = np.zeros((0, 0))
    reported(lowered, Solution("dynamic", "done", np.zeros(0), empty, empty, empty, structure, turns))
