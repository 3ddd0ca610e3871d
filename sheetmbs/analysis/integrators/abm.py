"""Adams-Bashforth-Moulton with variable step and variable order 1 to 12, after Shampine and Gordon (1975, ch. 10, STEP and INTRP).

    P  predict y and f at t + h by the formula of order k       E  f there
    C  correct by the formula of order k + 1                    E  f at the corrected state, put on the constraints

Errors of the orders k, k - 1, k - 2 follow from the difference between f and what was foretold for it, that of order k + 1 from the
last corrections; the order with the least error is taken, after a start that raises the order and doubles the step until
either fails. Steps are kept or doubled, or shortened by at least a tenth, so that most are equal.

Two evaluations a step, whatever the order. Errors are weighed by class as in `explicit.py`. The state that the projection
gives is the one whose derivative enters the differences; its displacement counts as error of the step. Differences across
a jump say nothing: behind one the method starts again at order 1.
"""

from __future__ import annotations

import math

import numpy as np

from sheetmbs.analysis.integrators.adams import (
    DIFFERENCES,
    G,
    HIGHEST,
    MOULTON,
    SIGMA,
    accept,
    foretold_error,
    interpolate,
    new_formula,
    norm,
    predict,
    set_formula,
)
from sheetmbs.analysis.integrators.explicit import largest_rate, size_of, write_row
from sheetmbs.analysis.integrators.run import Run
from sheetmbs.analysis.status import Status
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.jit import inline_kernel, kernel

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)

NEAR = 1e-14  # of a time: what stands for rounding
ROUNDING = 1e-12  # of a step: a reporting row this near to its end is its end
SAME = 1e-9  # of a step: as long as the one before
FIRST = 0.25  # of the step at which a formula of order 1 might just err as much as allowed

RESTART, PREDICT, CORRECT, REPORT = range(4)  # what an evaluation is for

# Places in `clock`.
TIME, STEP, RATE, MARK, ORDER, LAST_ORDER, LAST_STEP, EQUAL, STARTING, SPAN, CLOCK_PLACES = range(11)


@inline_kernel
def next_order(order, lowered, starting, equal, lowest, lower, same, higher):
    """Order of the next step and the error of a step of that order.

    lowered: the order that the errors ``lower`` (k - 1) and ``lowest`` (k - 2) asked for; higher: error of order k + 1.
    """
    chosen = order
    if starting and lowered == order and order < HIGHEST:
        return order + 1, 0.0
    if lowered < order:
        chosen = order - 1
    elif order < equal:  # only after order + 1 equal steps is the error of order k + 1 known
        if order == 1:
            chosen = 2 if higher < 0.5 * same else 1
        elif lower <= min(same, higher):
            chosen = order - 1
        elif higher < same and order < HIGHEST:
            chosen = order + 1
    if chosen < order:
        return chosen, lower
    if chosen > order:
        return chosen, higher
    return chosen, same


@inline_kernel
def next_step(h, order, error, allowed, starting):
    """Length of the next step from the error that a step h of that order has: doubled, kept, or shortened."""
    if starting or 0.5 * allowed >= error * 2.0 ** (order + 1):
        return 2.0 * h
    if 0.5 * allowed >= error:
        return h
    return h * max(0.5, min(0.9, (0.5 * allowed / error) ** (1.0 / (order + 1))))


@inline_kernel
def within(h, left, is_hard):
    """Step that does not pass what is left to go; one or two equal ones end where a step must end."""
    if h >= left:
        return left
    return 0.5 * left if is_hard and 2.0 * h > left else h


@kernel
def integrate_adams(
    A,
    W,
    allowed,
    feedback,
    rows,
    horizon,
    row,
    y,
    phi,
    ahead,
    predicted,
    size,
    rates,
    trial,
    trial_q,
    trial_v,
    formula,
    moulton,
    clock,
    limit,
):
    """Step on from y until all ``rows`` are reported or ``limit`` steps are done.

    y: (n,) state; phi, ahead: (DIFFERENCES, n) of its derivative, phi[1] the derivative itself; formula, clock: see their places;
    all kept between calls. predicted, size, rates, trial: (n,) scratch; trial_q, trial_v: the parts of ``trial``.
    Returns (status, next row).
    """
    nq, nv, n = trial_q.shape[0], trial_v.shape[0], y.shape[0]
    times = rows.times
    last = times.shape[0]
    end = times[last - 1]
    steps = failures = lowered = equal = 0
    h = lowest = lower = same = moved = latest = 0.0
    task = PREDICT
    while steps < limit or task != PREDICT:
        t = clock[TIME]
        near = NEAR * max(abs(t), abs(end))
        order = int(clock[ORDER])
        put = 0.0
        if task == PREDICT:
            if row >= last:
                return DONE, row
            mark = int(clock[MARK])
            while mark + 1 < horizon.shape[0] and horizon[mark + 1, 0] <= t + near:
                mark += 1
            if mark > int(clock[MARK]) and horizon[mark, 2] > 0.0:
                task = RESTART
            clock[MARK] = mark
            latest = horizon[mark, 1] - near
        if task == RESTART:
            time = t + near
            for m in range(n):
                trial[m] = y[m]
        elif task == PREDICT:
            if order == 0:
                order = begin(A, phi, size, allowed, nq, nv, clock)
            is_hard = mark + 1 == horizon.shape[0] or horizon[mark, 1] <= horizon[mark + 1, 0] or end <= horizon[mark, 1]
            h = within(clock[STEP], min(end, horizon[mark, 1]) - t, is_hard)
            if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
                return STEP_TOO_SMALL, row
            equal = 1
            if abs(h - clock[LAST_STEP]) <= SAME * h:  # of them only so many say something about the order above
                equal = int(min(clock[EQUAL], clock[LAST_ORDER])) + 1
            set_formula(formula, order, h)
            predict(formula, order, h, y, phi, ahead, predicted)
            time = min(t + h, latest)
            W.fault[0] = 0
            save_turns(A.counted, W.turn)
            for m in range(n):
                trial[m] = predicted[m]
        elif task == CORRECT:
            time = min(t + h, latest)
            put = feedback.project
            for m in range(n):
                predicted[m] += h * formula[G, order + 1] * (rates[m] - ahead[1, m])
                trial[m] = predicted[m]
        else:
            time = times[row]
            put = feedback.project
            interpolate(formula, int(clock[LAST_ORDER]), time - t, y, phi, trial)

        failed = evaluate(A, W, time, trial_q, trial_v, rates, feedback.alpha, feedback.beta, put)

        if task == RESTART:
            for m in range(n):
                phi[1, m] = rates[m]
            clock[ORDER] = 0.0
            task = PREDICT
            continue
        if task == REPORT:
            count_turns(A.counted, W.pose, W.turn, time)
            write_row(row, nq, nv, trial, rates, W.turn, ANGLE, rows.q, rows.v, rows.a, rows.work, rows.turn)
            row += 1
        else:
            finite = not failed
            for m in range(n):
                finite &= math.isfinite(trial[m]) and math.isfinite(rates[m])
            error = math.inf
            if finite and task == PREDICT:
                set_sizes(A, size, max(clock[RATE], largest_rate(A, trial_v, A.length)), nq, nv, clock)
                newest = foretold_error(ahead, order + 1, rates, size, nq + nv)
                error = h * (formula[G, order] - formula[G, order + 1]) * newest
                same = h * formula[SIGMA, order + 1] * moulton[order] * newest
                lower = lowest = 0.0
                lowered = order
                if order > 1:
                    lower = foretold_error(ahead, order, rates, size, nq + nv)
                    lower *= h * formula[SIGMA, order] * moulton[order - 1]
                if order > 2:
                    lowest = foretold_error(ahead, order - 1, rates, size, nq + nv)
                    lowest *= h * formula[SIGMA, order - 1] * moulton[order - 2]
                if (order > 2 and max(lower, lowest) <= same) or (order == 2 and lower <= 0.5 * same):
                    lowered = order - 1
            if finite and task == CORRECT:
                error = moved = displacement(predicted, trial, size, nq + nv) - feedback.project
            if not error <= allowed:
                failures += 1
                W.count[REJECTIONS] += 1
                recall_turns(A.counted, W.turn)
                clock[STARTING] = 0.0
                clock[EQUAL] = 0.0
                clock[LAST_STEP] = 0.0
                clock[ORDER] = lowered if finite and failures < 3 else 1
                shorter = 0.5 if finite else 0.25
                if failures > 3 and finite:
                    shorter = min(0.5, math.sqrt(0.5 * allowed / error))
                clock[STEP] = shorter * h
                task = PREDICT
                continue
            if task == PREDICT:
                task = CORRECT
                continue
            accept(formula, order, phi, ahead, rates)
            for m in range(n):
                y[m] = trial[m]
            clock[TIME] = t + h
            clock[RATE] = max(clock[RATE], largest_rate(A, trial_v, A.length))
            clock[LAST_ORDER] = order
            clock[LAST_STEP] = h
            clock[EQUAL] = equal
            if lowered < order or order == HIGHEST:
                clock[STARTING] = 0.0
            higher = 0.0
            if order < HIGHEST and order < equal:
                higher = h * moulton[order + 1] * norm(phi, order + 2, size, nq + nv)
            chosen, error = next_order(order, lowered, clock[STARTING] > 0.0, equal, lowest, lower, same, higher)
            clock[ORDER] = chosen
            clock[STEP] = next_step(h, chosen, max(error, moved), allowed, clock[STARTING] > 0.0)
            failures = 0
            steps += 1
            W.count[STEPS] += 1
            count_turns(A.counted, W.pose, W.turn, t + h)
            for turn in range(A.counted.shape[0]):
                W.turn[turn, REACHED] = W.turn[turn, ANGLE]
        t = clock[TIME]
        task = PREDICT
        if row < last and times[row] <= t + h * ROUNDING:
            if times[row] < t - h * ROUNDING:
                task = REPORT
            else:
                for m in range(n):
                    rates[m] = phi[1, m]
                write_row(row, nq, nv, y, rates, W.turn, REACHED, rows.q, rows.v, rows.a, rows.work, rows.turn)
                row += 1
    return PAUSED, row


@inline_kernel
def displacement(before, after, size, count):
    """Root mean square of what the projection changed, over the sizes."""
    total = 0.0
    for m in range(count):
        total += ((after[m] - before[m]) / size[m]) ** 2
    return math.sqrt(total / count)


@inline_kernel
def set_sizes(A, size, rate, nq, nv, clock):
    """What the errors of the components are measured by, where velocities reach ``rate``."""
    rate = rate if rate > 0.0 else 1.0 / clock[SPAN]
    for m in range(nq + nv):
        size[m] = size_of(A, m, nq, rate, A.length)


@inline_kernel
def begin(A, phi, size, allowed, nq, nv, clock):
    """Forget what was before; the first step follows from the derivative. Returns the order to start with."""
    set_sizes(A, size, clock[RATE], nq, nv, clock)
    speed = norm(phi, 1, size, nq + nv)
    if speed > 0.0:
        clock[STEP] = FIRST * math.sqrt(allowed) / speed
    for m in range(phi.shape[1]):
        phi[2, m] = 0.0
    clock[ORDER] = clock[STARTING] = 1.0
    clock[LAST_ORDER] = clock[LAST_STEP] = clock[EQUAL] = 0.0
    return 1


class AdamsBashforthMoulton:
    """The method as an Integrator over a run. Source: Shampine and Gordon 1975."""

    def __init__(self, run: Run) -> None:
        n = len(run.y)
        nq = len(run.arrays.position_size)
        self.run = run
        self.phi, self.ahead = np.zeros((DIFFERENCES, n)), np.zeros((DIFFERENCES, n))
        self.predicted, self.size, self.rates, self.trial = (np.ones(n) for _ in range(4))
        self.trial_q, self.trial_v = self.trial[:nq], self.trial[nq : n - 1]
        self.formula = new_formula()
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[TIME], self.clock[STEP], self.clock[RATE] = run.t, run.first_step, run.fastest
        self.clock[SPAN] = run.rows.times[-1] - run.t
        self.phi[1] = run.rates

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns DONE, PAUSED or STEP_TOO_SMALL."""
        run = self.run
        status, run.row = integrate_adams(
            run.arrays,
            run.work,
            run.allowed,
            run.feedback,
            run.rows,
            run.horizon,
            run.row,
            run.y,
            self.phi,
            self.ahead,
            self.predicted,
            self.size,
            self.rates,
            self.trial,
            self.trial_q,
            self.trial_v,
            self.formula,
            MOULTON,
            self.clock,
            limit,
        )
        run.t, run.fastest = float(self.clock[TIME]), float(self.clock[RATE])
        run.rates[:] = self.phi[1]
        return int(status)
