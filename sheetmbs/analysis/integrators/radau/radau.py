"""Radau IIA of order 5 for stiff springs, dampers and bushings, with the forces of these elements as stage unknowns.

The stages are swept over until they no longer change, see `stages.py`. Starting values are those of the last step's polynomial.
Error estimate after Hairer and Wanner (1996), sec. IV.8, with the operator of the elements in place of a Jacobian; step lengths
after Gustafsson (1994). The estimate goes with h^4, the error of the solution with h^5: the one may be as large as makes the
other fall in proportion to the tolerance. After each step the state is put on the constraints; by how much it is displaced
counts as part of the error.

All evaluations of the equations of motion are one call in a loop, for each place that calls them compiles them once more.
"""

import math

import numpy as np

from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.analysis.integrators.radau.collocation import NODES, STAGES
from sheetmbs.analysis.integrators.radau.stages import (
    Stages,
    choose_directions,
    correct_stages,
    factor_elements,
    filter_error,
    foretell_stages,
    interpolate,
    make_stages,
    place_stages,
    raw_error,
)
from sheetmbs.analysis.integrators.stepping.driver import NEAR, ROUNDING, reached_mark, write_row
from sheetmbs.analysis.integrators.stepping.error_sizes import largest_rate, size_of
from sheetmbs.analysis.status import Status
from sheetmbs.compiled import kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.directions import Directions, find_directions, make_directions, project_directions
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.engine.work import Work

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
ITERATIONS = int(Count.ITERATIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_CONVERGED = int(Status.NOT_CONVERGED)

SAFETY, SLOWEST, FASTEST = 0.9, 0.2, 5.0
SMALLEST_ERROR, LEAST_REMEMBERED = 1e-4, 1e-2  # what the length of the next step is foretold from
SWEEPS = 12
USEFUL = 0.4  # factor from sweep to sweep with which a time costs least: steps with a larger one are shortened
FRESH = 0.2  # factor from which on the matrix of the elements is made anew
SMALLEST_FACTOR = 1e-3
HOPELESS = 2.0  # factor that no new matrix mends
CREEP = 1e-8  # of the whole time: steps as short as this ..
PATIENCE = 100  # .. whose sweeps do not converge, after which it is no use to go on
ITERATION = 0.5  # of the error a step may have: what may be left when the sweeps end
LENIENCY, POWER = 4.0, 0.8  # estimate of error that a step may have: so many times the error itself to the power 4/5

# Places in `clock`.
TIME, STEP, RATE, MARK, OLD_STEP, OLD_ERROR, LAST_STEP, REJECTED, FACTOR, DIVERGED, CREPT = range(11)
CLOCK_PLACES = 11
# What is evaluated next.
START, STAGE, SECOND, END, ROW = range(5)


@kernel
def integrate(
    A: Arrays,
    W: Work,
    D: Directions,
    S: Stages,
    clock: Floats,
    allowed: float,
    project: float,
    rows: ReportedRows,
    horizon: Floats2,
    row: int,
    y: Floats,
    limit: int,
) -> tuple[int, int]:
    """Step on from y until all rows are reported or ``limit`` steps are done. Returns (status, next row).

    y: (nq + nv + 1,) state, S.start its derivative; clock: see its places above; all kept between calls.
    horizon: see `analysis/horizon.py`. project: 0, or the residual to put each step to.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    n = nq + nv + 1
    length = A.length
    none = n - n  # not a constant: what is called with one is compiled a second time
    times, last = rows.times, rows.times.shape[0]
    end = times[last - 1]
    tolerance = LENIENCY * allowed**POWER
    for _ in range(limit):
        if row >= last:
            return DONE, row
        t = clock[TIME]
        rounding = NEAR * max(abs(t), abs(end))
        h = min(clock[STEP], end - t)
        if end - t < 1.5 * clock[STEP] and end - t > clock[STEP]:
            h = 0.5 * (end - t)
        mark = reached_mark(horizon, int(clock[MARK]), t + rounding)
        jumped = mark > int(clock[MARK]) and horizon[mark, 2] > 0.0
        clock[MARK] = mark
        h = min(h, horizon[mark, 1] - t, horizon[mark, 3])
        latest = horizon[mark, 1] - rounding
        is_stuck = clock[CREPT] > PATIENCE or (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t)
        if is_stuck or not h > 0.0:
            return (NOT_CONVERGED if clock[DIVERGED] > 0.0 or clock[CREPT] > PATIENCE else STEP_TOO_SMALL), row
        W.fault[0] = 0
        save_turns(A.counted, W.turn)
        rate = clock[RATE] if clock[RATE] > 0.0 else 1.0 / (end - times[0])
        for m in range(nq + nv):
            S.size[m] = size_of(A.position_size, A.velocity_class, m, rate, length)
        phase = START if jumped else STAGE
        stage, sweep, number = none, none, none
        if jumped:
            clock[LAST_STEP] = 0.0
        renew = True
        before = 0.0
        factor = clock[FACTOR]
        error = math.inf
        while True:
            put = 0.0
            time = t
            if phase == STAGE:
                if stage == 0 and sweep == 0:
                    ratio = h / clock[LAST_STEP] if clock[LAST_STEP] > 0.0 else 0.0
                    foretell_stages(S.k, S.value, S.start, S.history, S.weight, y, h, ratio, nq)
                    place_stages(A.body, A.beams, S.k, S.value, S.size, y, h, S.q, S.v, S.qd)
                time = min(t + NODES[stage] * h, latest)
                for m in range(n):
                    S.trial[m] = S.value[stage, m]
            elif phase == START:
                time = t + rounding
                for m in range(n):
                    S.trial[m] = y[m]
            elif phase == SECOND:
                for m in range(n):
                    S.trial[m] = y[m] + S.error[m]
            elif phase == END:
                time = min(t + h, latest)
                put = project
                for m in range(n):
                    S.trial[m] = S.value[STAGES - 1, m]
            else:
                time = times[row]
                put = project
                interpolate(S.k, S.start, S.weight, y, h, (time - t) / h, S.trial)
            failed = evaluate(A, W, time, S.trial[:nq], S.trial[nq : nq + nv], S.rates, put)

            if phase == START:
                for m in range(n):
                    S.start[m] = S.rates[m]
                phase = STAGE
                continue
            if phase == STAGE:
                for m in range(n):
                    S.found[stage, m] = S.rates[m]
                if renew:
                    find_directions(
                        D.record,
                        D.gradient,
                        D.entry,
                        D.slope,
                        stage,
                        A.spring,
                        A.bushings,
                        A.body,
                        A.curves,
                        A.scale,
                        W.pose,
                        W.place,
                        W.turn,
                        W.spring,
                        W.bushing,
                        W.hint,
                        W.held,
                    )
                    if stage == 0:
                        number = choose_directions(D.record, A.body, D.entry, h, S.chosen)
                    project_directions(
                        D.record,
                        D.entry,
                        D.answer,
                        D.vector,
                        D.zero,
                        D.multiplier,
                        stage,
                        S.chosen,
                        number,
                        A.body,
                        A.layout,
                        W.jacobian,
                        W.s,
                        W.inverse_pivot,
                        W.residual,
                        W.pivot_ratio[0],
                    )
                stage += 1
                if stage < STAGES:
                    continue
                stage = none
                if renew:
                    factor_elements(
                        D.record, A.body, D.entry, D.slope, D.answer, S.chosen, number, h, S.matrix, S.pivot
                    )
                correct_stages(
                    D.record,
                    A.body,
                    D.entry,
                    D.slope,
                    D.answer,
                    S.chosen,
                    number,
                    h,
                    S.matrix,
                    S.pivot,
                    S.force,
                    A.scale,
                    S.found,
                    S.k,
                    S.change,
                    nq,
                )
                moved = place_stages(A.body, A.beams, S.k, S.value, S.size, y, h, S.q, S.v, S.qd)
                moved = math.sqrt(moved / (STAGES * (nq + nv))) / (ITERATION * allowed)
                W.count[ITERATIONS] += 1
                left = moved * max(factor, SMALLEST_FACTOR)  # after the first sweep: with the factor of the last step
                if sweep > 0:
                    factor = moved / before
                    left = moved * factor / (1.0 - factor) if factor < 1.0 else math.inf
                before = moved
                sweep += 1
                if not left <= 1.0:
                    is_old = sweep > 1 and factor > FRESH and not renew  # a matrix made where the stages are no longer
                    is_slow = sweep > 1 and (factor >= 1.0 or left * factor ** (SWEEPS - sweep) > 1.0)
                    is_hopeless = is_slow and not (is_old and factor < HOPELESS)
                    if is_hopeless or sweep == SWEEPS or not math.isfinite(moved):
                        clock[DIVERGED] = 1.0
                        clock[CREPT] += 1.0 if h < CREEP * (end - times[0]) else 0.0
                        break
                    renew = is_old
                    continue
                clock[DIVERGED] = 0.0
                for m in range(n):
                    S.rates[m] = S.start[m]
            if phase <= SECOND:
                raw_error(A.body, A.beams, S.k, S.rates, y, h, A.scale, S.q, S.v, S.error, S.change)
                error = filter_error(
                    D.record,
                    A.body,
                    A.beams,
                    D.entry,
                    D.slope,
                    D.answer,
                    S.chosen,
                    number,
                    h,
                    S.matrix,
                    S.pivot,
                    S.force,
                    A.scale,
                    S.size,
                    S.q,
                    S.v,
                    S.qd,
                    S.error,
                    S.change,
                )
                error = math.sqrt(error / (nq + nv)) / tolerance
                if error <= 1.0:
                    phase = END
                elif phase == STAGE and (clock[REJECTED] > 0.0 or clock[LAST_STEP] == 0.0):
                    phase = SECOND
                else:
                    break
            elif phase == END:
                finite = failed == 0
                for m in range(n):
                    finite &= math.isfinite(S.trial[m]) and math.isfinite(S.rates[m])
                if not finite:
                    error = math.inf
                    break
                if project > 0.0:
                    displaced = 0.0
                    for m in range(nq + nv):
                        change = S.value[STAGES - 1, m] - S.trial[m]
                        displaced += (change / S.size[m]) ** 2
                    error = max(error, (math.sqrt(displaced / (nq + nv)) - project) / tolerance)
                    if error > 1.0:
                        break
                count_turns(A.counted, W.pose, W.turn, t + h)
                for turn in range(A.counted.shape[0]):
                    W.turn[turn, REACHED] = W.turn[turn, ANGLE]
                for m in range(n):
                    W.state[m] = S.trial[m]
                    W.rates[m] = S.rates[m]
                phase = ROW
            else:
                count_turns(A.counted, W.pose, W.turn, times[row])
                write_row(rows, row, S.trial, S.rates, W.turn, ANGLE)
                row += 1
            if phase == ROW:
                if row < last and abs(times[row] - t - h) <= h * ROUNDING:
                    write_row(rows, row, W.state, W.rates, W.turn, REACHED)
                    row += 1
                if row >= last or times[row] > t + h:
                    break
        clock[FACTOR] = min(factor, 0.9) if math.isfinite(factor) else 0.9
        if phase != ROW:
            recall_turns(A.counted, W.turn)
            W.count[REJECTIONS] += 1
            shorter = 0.25 if not error < math.inf else max(SLOWEST, min(SAFETY * error**-0.25, SAFETY))
            if clock[DIVERGED] > 0.0 and math.isfinite(factor) and factor > 0.0:
                shorter = max(0.25, min(0.5, 0.7 * USEFUL / factor))
            clock[STEP] = h * shorter
            clock[REJECTED] = 1.0
            continue
        W.count[STEPS] += 1
        cautious = SAFETY * (2.0 * SWEEPS + 1.0) / (2.0 * SWEEPS + sweep)
        small = max(error, SMALLEST_ERROR)
        longer = cautious * small**-0.25
        if clock[OLD_STEP] > 0.0:
            longer = min(longer, cautious * (h / clock[OLD_STEP]) * (clock[OLD_ERROR] / (small * small)) ** 0.25)
        if sweep > 1:
            longer = min(longer, max(0.5, USEFUL / max(factor, SMALLEST_FACTOR)))
        longer = max(SLOWEST, min(longer, 1.0 if clock[REJECTED] else FASTEST))
        clock[STEP] = max(clock[STEP] if h < clock[STEP] and longer >= 1.0 else 0.0, h * longer)
        clock[REJECTED] = 0.0
        clock[OLD_STEP] = h
        clock[OLD_ERROR] = max(small, LEAST_REMEMBERED)
        clock[LAST_STEP] = h
        clock[TIME] = t + h
        for m in range(n):
            S.history[0, m] = S.start[m]
            for i in range(STAGES):
                S.history[i + 1, m] = S.k[i, m]
            y[m] = W.state[m]
            S.start[m] = W.rates[m]
        clock[RATE] = max(clock[RATE], largest_rate(A.velocity_class, y[nq : nq + nv], length))
    return PAUSED, row


class Radau:
    """Radau IIA of order 5 over a run; its first step is `run.first_step`, wherever the run stands."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.directions = make_directions(run.arrays, STAGES)
        self.stages = make_stages(run.arrays, len(self.directions.record))
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[STEP] = run.first_step
        self.clock[FACTOR] = 0.5

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns a Status."""
        run, clock = self.run, self.clock
        clock[TIME], clock[RATE] = run.t, run.fastest
        self.stages.start[:] = run.rates
        status, run.row = integrate(
            run.arrays,
            run.work,
            self.directions,
            self.stages,
            clock,
            run.allowed,
            run.project,
            run.rows,
            run.horizon,
            run.row,
            run.y,
            limit,
        )
        run.t, run.fastest = float(clock[TIME]), float(clock[RATE])
        run.rates[:] = self.stages.start
        return int(status)
