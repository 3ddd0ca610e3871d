"""What steps of fixed length skip: the error of a motion whose steps may pass over switches, corners and sharp knots.

Within such a step forces are no polynomial, and a part of it is done with the wrong ones. Neither the balance of energy nor any
other law need tell of it, for the work is summed up at the same places as the forces. So where forces switch, the motion is
found once more by `auto`, whose steps end at every switch, and the difference is counted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.horizon import stops, switches_by_motion
from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import find_corners
from sheetmbs.analysis.task import Integrate, Task
from sheetmbs.engine.codes import Count

Floats = NDArray[np.float64]

METHOD, FORMULATION, RTOL = "auto", "projection", 1e-8  # by which the motion is found once more
DEAREST, AT_LEAST = 20.0, 200_000  # times the evaluations of the run, or so many, after which its error stays unknown


def has_switches(task: Task, run: Run) -> bool:
    """Whether there is anything at which steps of an adaptive method end: a switch, a corner of a curve, a sharp knot."""
    if find_corners(run.arrays, run.work) is not None or switches_by_motion(task.lowered):
        return True
    return len(stops(run.horizon, float(task.times[-1]))) > 1  # the last one is the end


def skipped_by_steps(task: Task, run: Run, integrate: Integrate) -> Floats:
    """(rows,) relative error of the motion at each row, positions and velocities measured as errors of steps are.

    integrate: does a task by a method and a formulation. 0 at rows that the other method does not reach.
    """
    most = max(DEAREST * float(run.work.count[Count.EVALUATIONS]), AT_LEAST)
    settings = replace(task.lowered.model.settings, integrator=METHOD, formulation="auto", rtol=RTOL, atol=None)
    finer = replace(task.lowered, model=replace(task.lowered.model, settings=settings))
    other, _status, _integrator, _system = integrate(replace(task, lowered=finer), METHOD, FORMULATION, most=most)
    both, arrays = min(run.row, other.row), run.arrays
    size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
    error = np.zeros(len(task.times))
    if both:
        rate = max(float(np.max(np.abs(other.rows.v[:both]) / size, initial=0.0)), other.rate)
        q = np.max(np.abs(run.rows.q[:both] - other.rows.q[:both]) / arrays.position_size, axis=1, initial=0.0)
        v = np.max(np.abs(run.rows.v[:both] - other.rows.v[:both]) / size, axis=1, initial=0.0)
        error[:both] = np.maximum(q, v / rate)
    return error
