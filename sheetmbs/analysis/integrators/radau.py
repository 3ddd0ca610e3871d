"""Radau IIA of order 5 for stiff springs, dampers and bushings, with the forces of these elements as stage unknowns.

The stages are swept over until they no longer change, see `stages.py`. Starting values are those of the last step's polynomial.
Error estimate after Hairer and Wanner (1996), sec. IV.8, with the operator of the elements in place of a Jacobian; step lengths
after Gustafsson (1994). The estimate is of order 3, the solution of order 5: it may be as large as makes the error of the
solution fall in proportion to the tolerance. After each step the state is put on the constraints; by how much it is displaced
counts as part of the error.
"""

import math

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.collocation import NODES, STAGES
from sheetmbs.analysis.integrators.explicit import largest_rate, size_of, write_row
from sheetmbs.analysis.integrators.run import Run
from sheetmbs.analysis.integrators.stages import (
    choose_directions,
    correct_stages,
    estimate_error,
    factor_elements,
    foretell_stages,
    interpolate,
    make_stages,
    place_stages,
)
from sheetmbs.analysis.status import Status
from sheetmbs.engine.codes import Count
from sheetmbs.engine.directions import find_directions, make_directions, project_directions
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.jit import kernel

Floats = NDArray[np.float64]

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
ITERATIONS = int(Count.ITERATIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_CONVERGED = int(Status.NOT_CONVERGED)

SAFETY, SLOWEST, FASTEST = 0.9, 0.2, 5.0
NEAR = 1e-14  # of a time: what stands for rounding
ROUNDING = 1e-12  # of a step: a reporting row this near to its end is its end
SWEEPS = 12
USEFUL = (
    0.4  # factor from sweep to sweep at which the least work is done per time: where it is larger, steps are shortened
)
FRESH = 0.2  # factor from which on the matrix of the elements is made anew
ITERATION = 0.1  # of the error a step may have: what may be left when the sweeps end
LENIENCY = 1.0

# Places in `clock`.
TIME, STEP, RATE, MARK, OLD_STEP, OLD_ERROR, LAST_STEP, REJECTED, FACTOR, DIVERGED = range(10)
CLOCK_PLACES = 10
# What is evaluated next.
STAGE, SECOND, END, ROW = range(4)


@kernel
def integrate(A, W, D, S, clock, allowed, alpha, beta, project, times, horizon, row, y, limit, Q, V, ACC, WORK, TURNS):
    """Step on from y until all rows of ``times`` are reported or ``limit`` steps are done. Returns (status, next row).

    y: (nq + nv + 1,) state, S.start its derivative; clock: see its places above; all kept between calls.
    horizon: see `analysis/horizon.py`. project: 0, or the residual to put each step to. Q, V, ACC, WORK, TURNS: rows to fill.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    n = nq + nv + 1
    length = A.length
    last = times.shape[0]
    end = times[last - 1]
    tolerance = LENIENCY * allowed**0.8
    for _ in range(limit):
        if row >= last:
            return DONE, row
        t = clock[TIME]
        rounding = NEAR * max(abs(t), abs(end))
        h = min(clock[STEP], end - t)
        if end - t < 1.5 * clock[STEP] and end - t > clock[STEP]:
            h = 0.5 * (end - t)
        mark = int(clock[MARK])
        while mark + 1 < horizon.shape[0] and horizon[mark + 1, 0] <= t + rounding:
            mark += 1
        jumped = mark > int(clock[MARK]) and horizon[mark, 2] > 0.0
        clock[MARK] = mark
        h = min(h, horizon[mark, 1] - t)
        latest = horizon[mark, 1] - rounding
        if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
            return (NOT_CONVERGED if clock[DIVERGED] else STEP_TOO_SMALL), row
        W.fault[0] = 0
        save_turns(A.counted, W.turn)
        rate = clock[RATE] if clock[RATE] > 0.0 else 1.0 / (end - times[0])
        phase = STAGE
        stage = 0
        if jumped:
            stage = -1  # behind a jump the derivative at the start is another one
            clock[LAST_STEP] = 0.0
        else:
            foretell_stages(S, y, h, h / clock[LAST_STEP] if clock[LAST_STEP] > 0.0 else 0.0)
            place_stages(A, S, y, h, rate)
        sweep = 0
        number = 0
        renew = True
        before = 0.0
        factor = clock[FACTOR]
        error = math.inf
        while True:
            put = 0.0
            time = t + rounding
            if phase == STAGE:
                if stage >= 0:
                    time = min(t + NODES[stage] * h, latest)
                for m in range(n):
                    S.trial[m] = S.value[stage, m] if stage >= 0 else y[m]
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
                interpolate(S, y, h, (time - t) / h)
            failed = evaluate(A, W, time, S.trial[:nq], S.trial[nq : nq + nv], S.rates, alpha, beta, put)

            if phase == STAGE:
                if stage < 0:
                    for m in range(n):
                        S.start[m] = S.rates[m]
                    foretell_stages(S, y, h, 0.0)
                    place_stages(A, S, y, h, rate)
                    stage = 0
                    continue
                for m in range(n):
                    S.found[stage, m] = S.rates[m]
                if renew and D.record.shape[0] > 0:
                    find_directions(
                        D,
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
                    )
                    if stage == 0:
                        number = choose_directions(D, S, A.body, h)
                    project_directions(
                        D,
                        stage,
                        S.chosen,
                        number,
                        A.row,
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
                stage = 0
                if renew and number > 0:
                    factor_elements(D, S, A.body, number, h)
                correct_stages(D, S, A.body, A.scale, number, h)
                moved = math.sqrt(place_stages(A, S, y, h, rate) / (STAGES * (nq + nv))) / (ITERATION * allowed)
                W.count[ITERATIONS] += 1
                if sweep > 0:
                    factor = moved / before
                left = moved * factor / (1.0 - factor) if factor < 1.0 else math.inf
                if sweep == 0:
                    left = moved * max(factor, 1e-3)
                before = moved
                sweep += 1
                if not left <= 1.0:
                    is_hopeless = sweep > 1 and (factor >= 1.0 or left * factor ** (SWEEPS - sweep) > 1.0)
                    if is_hopeless or sweep == SWEEPS or not math.isfinite(moved):
                        clock[DIVERGED] = 1.0
                        break
                    renew = sweep > 1 and factor > FRESH
                    continue
                for m in range(n):
                    S.found[0, m] = S.start[m]
                error = math.sqrt(estimate_error(A, D, S, y, S.start, number, h, rate) / (nq + nv)) / tolerance
                clock[DIVERGED] = 0.0
                if not error <= 1.0:
                    if clock[REJECTED] == 0.0 and clock[LAST_STEP] > 0.0:
                        break
                    phase = SECOND
                    continue
                phase = END
            elif phase == SECOND:
                error = math.sqrt(estimate_error(A, D, S, y, S.rates, number, h, rate) / (nq + nv)) / tolerance
                if not error <= 1.0:
                    break
                phase = END
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
                        displaced += (change / size_of(A, m, nq, rate, length)) ** 2
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
                write_row(row, nq, nv, S.trial, S.rates, W.turn, ANGLE, Q, V, ACC, WORK, TURNS)
                row += 1
            if phase == ROW:
                if row < last and abs(times[row] - t - h) <= h * ROUNDING:
                    write_row(row, nq, nv, W.state, W.rates, W.turn, REACHED, Q, V, ACC, WORK, TURNS)
                    row += 1
                if row >= last or times[row] > t + h:
                    break
        clock[FACTOR] = min(factor, 0.9) if math.isfinite(factor) else 0.9
        if phase != ROW:
            recall_turns(A.counted, W.turn)
            W.count[REJECTIONS] += 1
            shorter = 0.25 if not error < math.inf else max(SLOWEST, min(SAFETY * error**-0.25, SAFETY))
            if clock[DIVERGED] and math.isfinite(factor) and factor > 0.0:
                shorter = max(0.25, min(0.5, 0.7 * USEFUL / factor))
            clock[STEP] = h * shorter
            clock[REJECTED] = 1.0
            continue
        W.count[STEPS] += 1
        cautious = SAFETY * (2.0 * SWEEPS + 1.0) / (2.0 * SWEEPS + sweep)
        small = max(error, 1e-4)
        longer = cautious * small**-0.25
        if clock[OLD_STEP] > 0.0:
            longer = min(longer, cautious * (h / clock[OLD_STEP]) * (clock[OLD_ERROR] / (small * small)) ** 0.25)
        if sweep > 1:
            longer = min(longer, max(0.5, USEFUL / max(factor, 1e-3)))
        longer = max(SLOWEST, min(longer, 1.0 if clock[REJECTED] else FASTEST))
        clock[STEP] = max(clock[STEP] if h < clock[STEP] and longer >= 1.0 else 0.0, h * longer)
        clock[REJECTED] = 0.0
        clock[OLD_STEP] = h
        clock[OLD_ERROR] = max(small, 1e-2)
        clock[LAST_STEP] = h
        clock[TIME] = t + h
        for m in range(n):
            S.history[0, m] = S.start[m]
            for i in range(STAGES):
                S.history[i + 1, m] = S.k[i, m]
            y[m] = W.state[m]
            S.start[m] = W.rates[m]
        clock[RATE] = max(clock[RATE], largest_rate(A, y[nq : nq + nv], length))
    return PAUSED, row


class Radau:
    """Radau IIA of order 5 over a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.directions = make_directions(run.arrays, STAGES)
        self.stages = make_stages(run.arrays, len(self.directions.record))
        self.stages.start[:] = run.rates
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[STEP] = run.first_step
        self.clock[FACTOR] = 0.5

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns a Status."""
        run, rows, clock = self.run, self.run.rows, self.clock
        clock[TIME], clock[RATE] = run.t, run.fastest
        status, run.row = integrate(
            run.arrays,
            run.work,
            self.directions,
            self.stages,
            clock,
            run.allowed,
            *run.feedback,
            rows.times,
            run.horizon,
            run.row,
            run.y,
            limit,
            rows.q,
            rows.v,
            rows.a,
            rows.work,
            rows.turn,
        )
        run.t, run.fastest = float(clock[TIME]), float(clock[RATE])
        run.rates[:] = self.stages.start
        return int(status)
