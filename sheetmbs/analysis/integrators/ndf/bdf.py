"""Backward differentiation with variable step and order 1 to 5, for stiff motion, on the index-1 equations y' = f(t, y).

The formulas are those of `differences.py` in quasi-constant steps (Shampine and Reichelt 1997): a step of new length begins
with the interpolating polynomial at equal steps of that length. In backward differences, a state that is put on the
constraints after the corrector is one vector added to all of them, which keeps order and damping (Eich 1993); with unequal
steps and a fixed leading coefficient (Brenan, Campbell and Petzold 1996) the history would have to be made again.

The corrector is solved in `corrector.py`. Errors are weighed by class as in `explicit.py`.
"""

import math

import numpy as np

from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.analysis.integrators.ndf.corrector import (
    CONVERGED,
    HOPELESS,
    LEAST_CHANGE,
    CorrectorMemory,
    correct,
    make_memory,
    size_of_change,
)
from sheetmbs.analysis.integrators.ndf.differences import (
    ERROR,
    HIGHEST,
    LEADING,
    append_state,
    change_step,
    interpolate,
    predict,
)
from sheetmbs.analysis.integrators.stepping.driver import NEAR, ROUNDING, write_row
from sheetmbs.analysis.integrators.stepping.error_sizes import largest_rate
from sheetmbs.analysis.status import Status
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)

SAFETY, SLOWEST, FASTEST = 0.8, 0.2, 5.0
SAFETY_LOWER, SAFETY_HIGHER = 0.75, 0.7  # another order must promise a little more
WORTHWHILE = 1.2  # gain in step length below which the step stays as it is
PATIENCE = 10  # rejections, without as many equal steps as the order has between them, before order 1 is taken up again
NOT_CONVERGED = 0.3  # shorter step where the corrector fails with a new matrix
FINEST = 2e-12  # error of a step below which rounding, in differences and in projections, speaks
PROJECT_SHARE = 0.01  # of the error allowed that projections may leave
PROBE = 1e-6  # of the sizes of the state: how far a derivative is looked at along the motion

# Places in `clock`.
TIME, STEP, NEXT, ORDER, EQUAL, MARK, ORIGIN, RATE, REJECTED = range(9)
CLOCK_PLACES = 9


@inline_kernel
def choose_order(A, difference, order, highest, equal, error, allowed, rate, n):
    """Order and factor of the step length after an accepted step; (order, 1) where they stay."""
    best = order
    factor = SAFETY * (allowed / error) ** (1.0 / (order + 1)) if error > 0.0 else FASTEST
    if equal <= order:
        return order, 1.0
    if order > 1:
        lower = ERROR[order - 1] * size_of_change(A, difference[order], 0, n, rate)
        gain = SAFETY_LOWER * (allowed / lower) ** (1.0 / order) if lower > 0.0 else FASTEST
        if gain > factor:
            best, factor = order - 1, gain
    if order < highest:
        higher = ERROR[order + 1] * size_of_change(A, difference[order + 2], 0, n, rate)
        gain = SAFETY_HIGHER * (allowed / higher) ** (1.0 / (order + 2)) if higher > 0.0 else FASTEST
        if gain > factor:
            best, factor = order + 1, gain
    if factor < WORTHWHILE and best == order:
        return order, 1.0
    return best, min(factor, FASTEST)


@kernel
def differentiate(
    A: Arrays,
    W: Work,
    project: float,
    allowed: float,
    highest: int,
    rows: ReportedRows,
    horizon: Floats2,
    row: int,
    y: Floats,
    rates: Floats,
    N: CorrectorMemory,
    clock: Floats,
    limit: int,
) -> tuple[int, int]:
    """Step on from y until all rows are reported, ``limit`` steps are tried, or the method must begin anew.

    Returns (status, next row); clock[ORDER] is 0 where the method must begin anew.

    y, rates: (n,) state and derivative at clock[TIME]; N: see `CorrectorMemory`; clock: see its places above. All are kept
    between calls.
    highest: order not to be exceeded. horizon: see `analysis/horizon.py`.
    """
    nq, nv, n = A.position_size.shape[0], A.scale.shape[0], y.shape[0]
    times, last = rows.times, rows.times.shape[0]
    end = times[last - 1]
    for _ in range(limit):
        if row >= last:
            return DONE, row
        t = clock[TIME]
        near = NEAR * max(abs(t), abs(end))
        rate = clock[RATE] if clock[RATE] > 0.0 else 1.0 / (end - clock[ORIGIN])
        mark = int(clock[MARK])
        while mark + 1 < horizon.shape[0] and horizon[mark + 1, 0] <= t + near:
            mark += 1
            if horizon[mark, 2] > 0.0:  # a jump: differences from before it mislead
                clock[ORDER] = 0
        clock[MARK] = mark
        if clock[REJECTED] > PATIENCE:  # so may those that rounding has got hold of
            clock[ORDER] = 0
            clock[REJECTED] = 0.0
        if clock[ORDER] == 0:
            return PAUSED, row
        left = min(horizon[mark, 1], end) - t
        h = min(clock[NEXT], horizon[mark, 3])
        if left < 2.0 * h:
            h = left if left <= h * (1.0 + ROUNDING) else 0.5 * left
        if h <= 4e-15 * max(abs(t), abs(end)) or not h > 0.0:
            return STEP_TOO_SMALL, row
        order = int(clock[ORDER])
        if h != clock[STEP]:
            change_step(N.difference, order, h / clock[STEP])
            clock[STEP] = h
            clock[EQUAL] = 0.0
        W.fault[0] = 0
        save_turns(A.counted, W.turn)
        predict(N.difference, order, N.predicted, N.past)
        c = h / LEADING[order]
        time = min(t + h, horizon[mark, 1] - near)
        rate = max(rate, largest_rate(A.velocity_class, N.predicted[nq : nq + nv], A.length))
        outcome = correct(A, W, time, c, project, allowed, rate, N)
        if outcome != CONVERGED:
            recall_turns(A.counted, W.turn)
            if outcome == HOPELESS:
                clock[NEXT] = NOT_CONVERGED * h
                clock[REJECTED] += 1.0
                W.count[REJECTIONS] += 1
            continue
        copy(N.x, N.trial)
        failed = evaluate(A, W, time, N.trial_q, N.trial_v, N.rates, project)
        count_turns(A.counted, W.pose, W.turn, t + h)
        for turn in range(A.counted.shape[0]):
            W.turn[turn, REACHED] = W.turn[turn, ANGLE]
        N.trial[n - 1] = N.past[n - 1] + c * N.rates[n - 1]
        finite = True
        for m in range(n):
            finite &= math.isfinite(N.trial[m]) and math.isfinite(N.rates[m])
        rate = max(rate, largest_rate(A.velocity_class, N.trial_v, A.length)) if finite else rate
        for m in range(n):
            N.moved[m] = N.trial[m] - N.predicted[m]
            N.x[m] = N.trial[m] - N.x[m]
        error = ERROR[order] * size_of_change(A, N.moved, 0, nq + nv, rate)
        if project > 0.0:
            error = max(error, size_of_change(A, N.x, 0, nq + nv, rate) - project)
        if failed or not finite:
            error = math.inf
        if not error <= allowed:
            slower = SAFETY * (allowed / error) ** (1.0 / (order + 1))
            if clock[REJECTED] and order > 1:
                clock[ORDER] = order - 1
            clock[NEXT] = h * min(max(slower, SLOWEST), SAFETY)
            clock[REJECTED] += 1.0
            W.count[REJECTIONS] += 1
            recall_turns(A.counted, W.turn)
            continue
        W.count[STEPS] += 1
        append_state(N.difference, order, N.predicted, N.trial)
        copy(N.trial, y)
        copy(N.rates, rates)
        clock[TIME] = t + h
        clock[RATE] = max(clock[RATE], largest_rate(A.velocity_class, N.trial_v, A.length))
        clock[EQUAL] += 1.0
        while row < last and times[row] <= t + h * (1.0 + ROUNDING):
            theta = (times[row] - t) / h
            if theta >= 1.0 - ROUNDING:
                write_row(rows, row, y, rates, W.turn, REACHED)
            else:
                interpolate(N.difference, order, theta - 1.0, N.trial)
                evaluate(A, W, times[row], N.trial_q, N.trial_v, W.rates, project)
                count_turns(A.counted, W.pose, W.turn, times[row])
                write_row(rows, row, N.trial, W.rates, W.turn, ANGLE)
            row += 1
        order, factor = choose_order(A, N.difference, order, highest, clock[EQUAL], error, allowed, rate, nq + nv)
        clock[ORDER] = order
        clock[NEXT] = h * factor
        if clock[EQUAL] > order:
            clock[REJECTED] = 0.0
    return PAUSED, row


class BackwardDifferentiation:
    """Steps over a run by backward differentiation. highest: order not to be exceeded, 1 to 5."""

    def __init__(self, run: Run, highest: int = HIGHEST) -> None:
        self.run, self.work = run, run.work
        self.highest = highest
        self.memory = make_memory(run)
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[TIME] = self.clock[ORIGIN] = run.t
        self.clock[NEXT] = run.first_step
        self.clock[RATE] = run.fastest

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps, rejected ones among them. Returns a Status."""
        run = self.run
        if run.work is not self.work:  # its differences are of a state that was put on other rows
            self.work, self.clock[ORDER] = run.work, 0
        allowed, project = max(run.allowed, FINEST), run.project
        status, run.row = differentiate(
            run.arrays,
            run.work,
            # what is left of violations looks like a velocity to stiff springs
            min(project, max(PROJECT_SHARE * allowed, LEAST_CHANGE)),
            allowed,
            self.highest,
            run.rows,
            run.horizon,
            run.row,
            run.y,
            run.rates,
            self.memory,
            self.clock,
            limit,
        )
        run.t, run.fastest = float(self.clock[TIME]), float(self.clock[RATE])
        if status == Status.PAUSED and self.clock[ORDER] == 0:
            self._begin()
        return int(status)

    def _begin(self) -> None:
        """Take up order 1 at the present state, with a step whose error ERROR_1 h^2 y'' is the one allowed.

        y'' is a difference of derivatives along the motion.
        """
        run, N, clock = self.run, self.memory, self.clock
        arrays, end = run.arrays, float(run.rows.times[-1])
        if run.t > clock[ORIGIN]:  # behind a jump the derivative is another one
            N.trial[:] = run.y
            self._evaluate(run.t + NEAR * max(abs(run.t), abs(end)), run.rates)
        rate = run.fastest if run.fastest > 0.0 else 1.0 / (end - clock[ORIGIN])
        sizes = np.concatenate((arrays.position_size, np.where(arrays.velocity_class == 1, rate, rate * arrays.length)))
        longest = min(clock[NEXT], min(run.horizon[int(clock[MARK]), 1], end) - run.t)
        fastest = np.max(np.abs(run.rates[:-1]) / sizes)
        ahead = min(PROBE / fastest, longest) if fastest > 0.0 else longest
        N.trial[:] = run.y + ahead * run.rates
        self._evaluate(run.t + ahead, N.rates)
        bend = np.sqrt(np.mean(((N.rates - run.rates)[:-1] / ahead / sizes) ** 2))
        h = min(SAFETY * np.sqrt(max(run.allowed, FINEST) / (ERROR[1] * bend)), longest) if bend > 0.0 else longest
        N.difference[:] = 0.0
        N.difference[0] = run.y
        N.difference[1] = h * run.rates
        clock[STEP] = clock[NEXT] = h
        clock[ORDER], clock[EQUAL] = 1, 0

    def _evaluate(self, t: float, rates: Floats) -> None:
        run, N = self.run, self.memory
        evaluate(run.arrays, run.work, t, N.trial_q, N.trial_v, rates, 0.0)
