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
from sheetmbs.analysis.formulations import PROJECTION
from sheetmbs.analysis.integrators.dop853 import DOP853
from sheetmbs.analysis.integrators.explicit import ExplicitRungeKutta
from sheetmbs.analysis.integrators.run import Rows, Run
from sheetmbs.analysis.solution import Solution
from sheetmbs.analysis.structure import Structure
from sheetmbs.engine.applied import apply_all
from sheetmbs.engine.constraints import move_all
from sheetmbs.engine.partition import put_dependent
from sheetmbs.engine.report import report
from sheetmbs.lower import Lowered, lower
from sheetmbs.model import Body, Model, Settings
from sheetmbs.results.columns import reported


@contextmanager
def compiled_beside(analysis: str) -> Iterator[None]:
    """Compile what an analysis needs later while its beginning runs, where there is a cache and cores to spare."""
    cores = os.cpu_count() or 1
    tasks = [] if jit.cache_folder() is None or not jit.is_cold(report) else [compile_report]
    if tasks and analysis == "dynamic":
        tasks = [compile_integrator, compile_partition, compile_report]
    quiet = subprocess.DEVNULL
    processes = [
        subprocess.Popen(  # noqa: S603 - a command of our own
            (sys.executable, "-c", f"from {__name__} import {task.__name__} as task; task()"),
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
        )
        for task in tasks[: cores - 1]
    ]
    jit.COMPILING_BESIDE[:] = processes[:2] if analysis == "dynamic" else []
    try:
        yield
        for process in processes:
            process.wait()
    finally:
        for process in processes:
            process.kill()
            process.wait()


def compile_integrator() -> None:
    """Compile forces, velocities, then the evaluation of a state and the explicit integrator, by taking no step."""
    run = _still()
    arrays, work, v = run.arrays, run.work, run.y[7:13]
    apply_all(arrays, work, 0.0, v)
    move_all(arrays, work, arrays.turn, v)
    ExplicitRungeKutta(run, DOP853).advance(0)


def compile_partition() -> None:
    """Compile the choice of coordinates, which the evaluation of a state refers to."""
    run = _still()
    put_dependent(run.arrays, run.work, run.y[:7], run.y[7:13], 1.0, True)  # noqa: FBT003 - as kernels are called


def _still() -> Run:
    """The start of a run over a single body at rest."""
    lowered = _single()
    system = lowered.arrange()
    q, v, a = (np.zeros((2, size)) for size in (7, 6, 6))
    rows = Rows(np.array([0.0, 1.0]), q, v, a, np.zeros(2), np.zeros((2, 0)))
    return Run(
        arrays=system.arrays,
        work=system.work,
        rows=rows,
        horizon=np.array([[-np.inf, np.inf, 0.0]]),
        allowed=1.0,
        step=0.0,
        first_step=1.0,
        t=0.0,
        y=np.zeros(14),
        rates=np.zeros(14),
        fastest=1.0,
        project=PROJECTION,
    )


def _single() -> Lowered:
    body = Body("body", mass=1.0, inertia=np.eye(3))
    return lower(Model(bodies=(body,), settings=Settings(dimension="3D")))


def compile_report() -> None:
    """Compile the report by reporting nothing."""
    lowered = lower(Model(bodies=(Body("body", mass=1.0, inertia=np.eye(3)),)))
    none = np.zeros(0, dtype=np.bool_)
    empty = np.zeros((0, 3))
    structure = Structure(3, none, 0, (), none, (), (), singular_start=False)
    turns = np.zeros((0, 0))
    reported(lowered, Solution("dynamic", "done", np.zeros(0), empty, empty, empty, structure, turns))
