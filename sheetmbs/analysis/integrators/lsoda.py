"""LSODA as scipy has it compiled: Adams to BDF and back by itself (Petzold 1983; Hindmarsh 1983).

Its history belongs to it, so states cannot be put on the constraints between its steps. Instead it integrates

    y' = f(t, P y) + kappa (P y - y)

where P y is y put on the constraints: the same equation on the constraints, and one that leads back to them from beside. With
kappa the largest rate so far, no unit matters and no step becomes shorter: on Andrews' mechanism violations are 400 times
smaller than without, and a parallelogram keeps its branch. Reported states are put on the constraints themselves.

A step ends where a formula of time jumps or a curve of straight lines bends, and the method starts again behind it.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from sheetmbs.analysis.integrators.interface import ReportedRows, Run, Status
from sheetmbs.analysis.integrators.stepping.control import follow_step, work_size
from sheetmbs.analysis.integrators.stepping.driver import TIME_ROUNDING, stops, write_row
from sheetmbs.analysis.integrators.stepping.singular import gets_nowhere
from sheetmbs.compiled import kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats
from sheetmbs.engine.revolution_counts import ANGLE, count_turns, recall_turns, save_turns
from sheetmbs.engine.work import Work

LEAST_RTOL = 100.0 * np.finfo(float).eps  # the least that LSODA accepts: its relative tolerance plays no part here
AT_LEAST = 1e-6  # of the energy of all bodies at the largest rate: what the error of the work is measured by at rest
NOTHING = 1e-200  # smaller derivatives count as zero: LSODA divides by what becomes of them, and gets no number
PATIENCE = 50  # steps in a row that get nowhere near a singular position


@kernel
def derivative(
    A: Arrays, W: Work, t: float, y: Floats, trial: Floats, rates: Floats, project: float, pull: float
) -> bool:
    """Derivative at y put on the constraints, left in ``trial``, and pull towards that. Returns whether it is finite."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    recall_turns(A.counted, W.turn)
    for put in (project, 0.0):
        for m in range(y.shape[0]):
            trial[m] = y[m]
        if not evaluate(A, W, t, trial[:nq], trial[nq : nq + nv], rates, put):
            break
    finite = True
    for m in range(y.shape[0]):
        finite &= math.isfinite(rates[m])
        rates[m] += pull * (trial[m] - y[m])
        if abs(rates[m]) < NOTHING:
            rates[m] = 0.0
    return finite


@kernel
def remember(A: Arrays, W: Work, t: float) -> None:
    """Count the turns at the end of a step, which was evaluated last, and know them as those from which the next one starts."""
    count_turns(A.counted, W.pose, W.place, W.turn, t)
    save_turns(A.counted, W.turn)


@kernel
def report(A: Arrays, W: Work, t: float, trial: Floats, rates: Floats, row: int, rows: ReportedRows) -> None:
    """Write the state that was evaluated last as a row."""
    count_turns(A.counted, W.pose, W.place, W.turn, t)
    write_row(rows, row, trial, rates, W.turn, ANGLE)


class Lsoda:
    """LSODA as an Integrator over a run."""

    def __init__(self, run: Run) -> None:
        arrays, n = run.arrays, len(run.y)
        self.run = run
        self.trial, self.rates = np.zeros(n), np.zeros(n)
        self.speed_size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
        self.tolerance = np.ones(n)
        self.stops = stops(run.horizon, float(run.rows.times[-1]))
        self.near = TIME_ROUNDING * max(abs(run.t), abs(float(run.rows.times[-1])))
        self.solver: Any = None
        self.start = self.end = run.t
        self.first, self.steps, self.stuck = run.t, 0, 0
        remember(arrays, run.work, run.t)

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns DONE, PAUSED, STEP_TOO_SMALL or NOT_FINITE."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # LSODA warns of what its status says too
            try:
                status = self._steps(limit)
            except FloatingPointError:
                status = Status.NOT_FINITE
        run = self.run
        if self.solver is not None:
            run.t = float(self.solver.t)
            self._evaluate(run.t, self.solver.y, 0.0)
            run.y[:], run.rates[:] = self.trial, self.rates
        return int(status)

    def _steps(self, limit: int) -> Status:
        run = self.run
        times = run.rows.times
        for _ in range(limit):
            if run.row >= len(times):
                return Status.DONE
            if self.solver is None or self.solver.status == "finished":
                self._begin()
            if self.solver.step() is not None:
                return Status.STEP_TOO_SMALL
            t, before = float(self.solver.t), float(self.solver.t_old)
            remember(run.arrays, run.work, t)
            self.steps += 1
            run.work.count[Count.STEPS] += 1
            self._weigh()
            if run.row < len(times) and times[run.row] <= t + self.near:
                self._report(self.solver.dense_output(), t)
            if run.from_step:
                follow_step(run.work.feedback, t - before)
            mean = (t - self.first) / self.steps
            self.stuck = self.stuck + 1 if gets_nowhere(t - before, mean, float(run.work.pivot_ratio[0])) else 0
            if self.stuck > PATIENCE:
                return Status.STEP_TOO_SMALL
        return Status.DONE if run.row >= len(times) else Status.PAUSED

    def _begin(self) -> None:
        """Start again from where the motion is, up to the next time at which a step must end."""
        from scipy.integrate import LSODA

        run = self.run
        y = run.y
        if self.solver is not None:
            self.start = float(self.solver.t)
            self._evaluate(self.start, self.solver.y, 0.0)
            y = self.trial.copy()
        ahead = self.stops[self.stops > self.start + self.near]
        self.end = float(ahead[0])
        self._weigh()
        self.solver = LSODA(
            self._derivative,
            self.start,
            y,
            self.end,
            first_step=min(run.first_step, self.end - self.start),
            max_step=longest(run.horizon, self.start, self.end),
            rtol=LEAST_RTOL,
            atol=self.tolerance,
        )

    def _weigh(self) -> None:
        """Set tolerances by the largest rate so far, in the array that LSODA reads."""
        run = self.run
        nq = len(run.arrays.position_size)
        if self.solver is not None:
            run.fastest = max(run.fastest, float(np.max(np.abs(self.solver.y[nq:-1]) / self.speed_size)))
        rate = max(run.fastest, 1.0 / float(run.rows.times[-1] - self.first))
        self.tolerance[:nq] = run.allowed * run.arrays.position_size
        self.tolerance[nq:-1] = run.allowed * rate * self.speed_size
        v = run.y[nq:-1] if self.solver is None else self.solver.y[nq:-1]
        of_work = float(work_size(run.arrays, run.work, v, rate))
        whole = float(run.arrays.mass @ (rate * self.speed_size) ** 2)
        self.tolerance[-1] = run.allowed * max(of_work, AT_LEAST * whole)

    def _derivative(self, t: float, y: Floats) -> Floats:
        """What LSODA integrates. Raises FloatingPointError where it is not finite."""
        if not self._evaluate(t, y, self.run.fastest):
            raise FloatingPointError
        return self.rates.copy()

    def _evaluate(self, t: float, y: Floats, pull: float) -> bool:
        """Derivative on this side of the jumps between which the motion is."""
        run = self.run
        t = min(max(t, self.start + self.near), self.end - self.near)
        pull = pull if run.project > 0.0 else 0.0
        return bool(derivative(run.arrays, run.work, t, np.asarray(y), self.trial, self.rates, run.project, pull))

    def _report(self, dense: Any, t: float) -> None:
        """Write the rows up to the end of a step."""
        run = self.run
        times = run.rows.times
        while run.row < len(times) and times[run.row] <= t + self.near:
            time = float(times[run.row])
            self._evaluate(time, dense(time), 0.0)
            report(run.arrays, run.work, time, self.trial, self.rates, run.row, run.rows)
            run.row += 1


def longest(horizon: Floats, start: float, end: float) -> float:
    """Longest step allowed anywhere from ``start`` to the next stop, ``end``: none passes over a narrow feature of a curve."""
    begin, reach, until = horizon[:-1, 0], horizon[:-1, 1], horizon[1:, 0]
    is_sliding = (until > start) & (begin < end) & (reach > until) & (reach < end)
    is_met = (horizon[:, 0] < end) & (np.append(until, np.inf) > start)
    return float(np.min(reach[is_sliding] - until[is_sliding], initial=np.min(horizon[is_met, 3])))
