"""Accelerations of rows at a switch, from the side on which all other quantities of the row are read.

A step ends at a switch with the accelerations before it, a row shows those behind it. Where a force switches by the motion, or
the slope of a spring's curve does, the rounding of the state decides on which side a row lies; there all rows are evaluated
once more, each by the very numbers that are reported.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.horizon import switches_by_motion
from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.compiled import kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.motion.curves import hold_whole_curves
from sheetmbs.engine.records import Floats, Floats3, Ints
from sheetmbs.engine.revolution_counts import KNOWN, KNOWN_RATE, KNOWN_TIME
from sheetmbs.engine.work import Work
from sheetmbs.lower import Lowered


@kernel
def evaluate_rows(
    A: Arrays, W: Work, rows: ReportedRows, chosen: Ints, read: Floats, held: Floats3, state: Floats
) -> None:
    """Evaluate the accelerations of the chosen rows again.

    read: (rows,) times at which functions of time are read. held: (rows, joints, 2) CLOSED and SPEED of located contacts, or
    no rows. state: (2 (nq + nv) + 1,) scratch.
    """
    nq, nv = rows.q.shape[1], rows.v.shape[1]
    q, v, rates = state[:nq], state[nq : nq + nv], state[nq + nv :]
    for n in chosen:
        for m in range(nq):
            q[m] = rows.q[n, m]
        for k in range(nv):
            v[k] = rows.v[n, k]
        for k in range(rows.turn.shape[1]):
            W.turn[k, KNOWN] = rows.turn[n, k]
            W.turn[k, KNOWN_RATE] = 0.0
            W.turn[k, KNOWN_TIME] = read[n]
        if held.shape[0] > 0:
            for c in range(held.shape[1]):
                W.contact[c, CLOSED] = held[n, c, 0]
                W.contact[c, SPEED] = held[n, c, 1]
        evaluate(A, W, read[n], q, v, rates, 0.0)
        for k in range(nv):
            rows.a[n, k] = rates[nq + k]


def settle_rows(lowered: Lowered, run: Run, read: NDArray[np.float64]) -> None:
    """Put the accelerations of all rows on the side of the switches on which the rows are read; see above.

    read: (rows,) times at which functions of time are read. Counts of evaluations stay as they are.
    """
    arrays, work = run.arrays, run.work
    is_anywhere = run.corners is not None or switches_by_motion(lowered)
    chosen = np.arange(run.row) if is_anywhere else np.flatnonzero(read[: run.row] != run.rows.times[: run.row])
    if not len(chosen):
        return
    counts = work.count.copy()
    hold_whole_curves(arrays.elements.curve, arrays.curves, work.held)
    held = np.zeros((0, 0, 2)) if run.contacts is None else run.contacts.held
    evaluate_rows(arrays, work, run.rows, chosen, read, held, np.zeros(2 * len(run.y) - 1))
    work.count[:] = counts
