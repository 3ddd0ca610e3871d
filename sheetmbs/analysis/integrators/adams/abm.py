"""Adams-Bashforth-Moulton with variable step and order 1 to 12, after Shampine and Gordon (1975, ch. 10, STEP and INTRP).

    P  predict y at t + h by the formula of order k         E  f there
    C  correct y by the formula of order k + 1              E  f at the corrected state, put on the constraints

Two evaluations a step, whatever the order. How far f is from what was foretold for it gives the errors of the orders k, k - 1
and k - 2, and after k + 1 equal steps that of order k + 1; the order with the least error is taken. Steps are kept, doubled, or
shortened by at least a tenth, so that most are equal. At the start order and step grow until either fails.

Errors are weighed by class as in `explicit.py`. The derivative that enters the differences is that of the projected state; the
displacement by which the projection corrects a step counts as part of its error. Differences across a jump say nothing:
behind one the method starts again at order 1.
"""

from __future__ import annotations

import math

import numpy as np

from sheetmbs.analysis.integrators.adams.adams_formulas import (
    DIFFERENCES,
    HIGHEST,
    MOULTON,
    G,
    accept,
    errors,
    interpolate,
    new_formula,
    next_order,
    next_step,
    norm,
    predict,
    set_formula,
)
from sheetmbs.analysis.integrators.adams.adams_memory import (
    ATTEMPT,
    BEST,
    BEST_STEP,
    CLOCK_PLACES,
    EQUAL,
    INDEX,
    KEPT,
    LAST_ORDER,
    LAST_STEP,
    MARK,
    ORDER,
    ORIGIN,
    PASSED,
    PASSED_AT,
    RATE,
    SPAN,
    STARTING,
    STEP,
    STUCK_AT,
    TIME,
    TRIED,
    WORST,
    attempt,
    keep,
)
from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.analysis.integrators.stepping.control import ALIKE, PER_STEP
from sheetmbs.analysis.integrators.stepping.driver import NEAR, ROUNDING, reached_mark, write_row
from sheetmbs.analysis.integrators.stepping.error_sizes import largest_rate, size_of
from sheetmbs.analysis.integrators.stepping.singular import (
    ATTEMPTS,
    HOPELESS,
    NEARLY_SINGULAR,
    REGULAR,
    SETTLED,
    STUCK,
    USUAL,
)
from sheetmbs.analysis.status import Status
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import ALPHA, BETA, evaluate
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.engine.work import Work

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)

SAME = 1e-9  # of a step: as long as the one before
FIRST = 0.25  # of the step at which a formula of order 1 might just err as much as allowed

RESTART, PREDICT, CORRECT, REPORT = range(4)  # what an evaluation is for


@inline_kernel
def within(h, left, is_hard):
    """Step that does not pass what is left to go; one or two equal ones end where a step must end."""
    if h >= left:
        return left
    return 0.5 * left if is_hard and 2.0 * h > left else h


@kernel
def integrate_adams(
    A: Arrays,
    W: Work,
    allowed: float,
    project: float,
    from_step: bool,
    rows: ReportedRows,
    horizon: Floats2,
    row: int,
    y: Floats,
    phi: Floats2,
    ahead: Floats2,
    predicted: Floats,
    size: Floats,
    rates: Floats,
    trial: Floats,
    trial_q: Floats,
    trial_v: Floats,
    formula: Floats2,
    moulton: Floats,
    good: Floats2,
    good_formula: Floats,
    good_clock: Floats,
    clock: Floats,
    limit: int,
) -> tuple[int, int]:
    """Step on from y until all ``rows`` are reported or ``limit`` steps are done.

    y: (n,) state; phi, ahead: (DIFFERENCES, n) differences of its derivative, phi[1] the derivative itself; formula, moulton:
    see `adams_formulas.py`; good, good_formula, good_clock, clock: see `adams_memory.py`; all kept between calls.
    predicted, size, rates, trial: (n,) scratch; trial_q, trial_v: the parts of ``trial``.
    Returns (status, next row).
    """
    nq, nv, n = trial_q.shape[0], trial_v.shape[0], y.shape[0]
    times = rows.times
    last = times.shape[0]
    end = times[last - 1]
    steps = failures = lowered = equal = mark = 0
    h = lower = same = moved = latest = mean = 0.0
    task = PREDICT
    while steps < limit or task != PREDICT:
        t = clock[TIME]
        near = NEAR * max(abs(t), abs(end))
        order = int(clock[ORDER])
        put = 0.0
        if task == PREDICT:
            if row >= last:
                return DONE, row
            mark = reached_mark(horizon, int(clock[MARK]), t + near)
            if mark > int(clock[MARK]) and horizon[mark, 2] > 0.0:
                task = RESTART
            clock[MARK] = mark
            latest = horizon[mark, 1] - near
            mean = (t - clock[ORIGIN]) / max(clock[INDEX], 1.0)
            is_stuck = clock[STEP] < STUCK * mean and W.pivot_ratio[0] < NEARLY_SINGULAR and clock[INDEX] > SETTLED
            if is_stuck and clock[ATTEMPT] == 0.0 and good_clock[ORDER] > 0.0:
                clock[STUCK_AT] = t
                clock[BEST] = HOPELESS * allowed
                clock[BEST_STEP] = 0.0
                row = attempt(y, phi, formula, clock, good, good_formula, good_clock)
                continue
            if clock[ATTEMPT] == 0.0 and clock[LAST_STEP] >= USUAL * mean and W.pivot_ratio[0] > REGULAR:
                keep(y, phi, formula, clock, good, good_formula, good_clock, row)
        if task == RESTART:
            time = t + near
            for m in range(n):
                trial[m] = y[m]
        elif task == PREDICT:
            if order == 0:
                order = begin(A, phi, size, allowed, nq, nv, clock)
            is_hard = (
                mark + 1 == horizon.shape[0] or horizon[mark, 1] <= horizon[mark + 1, 0] or end <= horizon[mark, 1]
            )
            h = within(clock[STEP], min(end, horizon[mark, 1]) - t, is_hard)
            if clock[ATTEMPT] == 0.0:  # a singular position is crossed in one step
                h = min(h, horizon[mark, 3])
            if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
                return STEP_TOO_SMALL, row
            equal = 1
            if abs(h - clock[LAST_STEP]) <= SAME * h:  # of them only so many say something about the order above
                equal = int(min(clock[EQUAL], clock[LAST_ORDER])) + 1
            if from_step and not ALIKE < h * W.feedback[ALPHA] / PER_STEP < 1.0 / ALIKE:
                W.feedback[ALPHA] = PER_STEP / h
                W.feedback[BETA] = math.sqrt(2.0) * PER_STEP / h
            set_formula(formula, order, h)
            predict(formula, order, h, y, phi, ahead, predicted)
            time = min(t + h, latest)
            W.fault[0] = 0
            save_turns(A.counted, W.turn)
            for m in range(n):
                trial[m] = predicted[m]
        elif task == CORRECT:
            time = min(t + h, latest)
            put = project
            for m in range(n):
                predicted[m] += h * formula[G, order + 1] * (rates[m] - ahead[1, m])
                trial[m] = predicted[m]
        else:
            time = times[row]
            put = project
            interpolate(formula, int(clock[LAST_ORDER]), time - t, y, phi, trial)

        failed = evaluate(A, W, time, trial_q, trial_v, rates, put)

        if task == RESTART:
            for m in range(n):
                phi[1, m] = rates[m]
            clock[ORDER] = 0.0
            task = PREDICT
            continue
        if task == REPORT:
            count_turns(A.counted, W.pose, W.turn, time)
            write_row(rows, row, trial, rates, W.turn, ANGLE)
            row += 1
        else:
            finite = not failed
            for m in range(n):
                finite &= math.isfinite(trial[m]) and math.isfinite(rates[m])
            error = math.inf
            if finite and task == PREDICT:
                set_sizes(A, size, max(clock[RATE], largest_rate(A.velocity_class, trial_v, A.length)), nq, nv, clock)
                error, same, lower, lowered = errors(formula, moulton, order, h, ahead, rates, size, nq + nv)
            if finite and task == CORRECT:
                error = moved = displacement(predicted, trial, size, nq + nv) - project
            if clock[ATTEMPT] > 0.0:  # crossing a singular position: other steps will be tried if these err too much
                clock[WORST] = max(clock[WORST], error)
                if not clock[WORST] < clock[BEST]:
                    if clock[ATTEMPT] > ATTEMPTS:
                        return STEP_TOO_SMALL, row
                    W.count[REJECTIONS] += 1
                    row = attempt(y, phi, formula, clock, good, good_formula, good_clock)
                    task = PREDICT
                    continue
            elif not error <= allowed:
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
            clock[RATE] = max(clock[RATE], largest_rate(A.velocity_class, trial_v, A.length))
            clock[LAST_ORDER] = order
            clock[LAST_STEP] = h
            clock[EQUAL] = equal
            clock[INDEX] += 1.0
            failures = 0
            steps += 1
            W.count[STEPS] += 1
            count_turns(A.counted, W.pose, W.turn, t + h)
            for turn in range(A.counted.shape[0]):
                W.turn[turn, REACHED] = W.turn[turn, ANGLE]
            if lowered < order or order == HIGHEST:
                clock[STARTING] = 0.0
            higher = 0.0
            if order < equal:
                higher = h * moulton[order + 1] * norm(phi, order + 2, size, nq + nv)
            chosen, error = next_order(order, lowered, clock[STARTING] > 0.0, equal, lower, same, higher)
            clock[ORDER] = chosen
            clock[STEP] = next_step(h, chosen, max(error, moved), allowed, clock[STARTING] > 0.0)
            if clock[ATTEMPT] > 0.0:
                clock[ORDER] = order
                clock[STEP] = clock[TRIED]
                if clock[TIME] > clock[STUCK_AT] and W.pivot_ratio[0] > REGULAR:
                    if clock[WORST] > allowed and clock[ATTEMPT] <= ATTEMPTS:
                        clock[BEST] = clock[WORST]
                        clock[BEST_STEP] = clock[TRIED]
                        row = attempt(y, phi, formula, clock, good, good_formula, good_clock)
                        task = PREDICT
                        continue
                    if clock[PASSED] < CLOCK_PLACES - PASSED_AT:
                        clock[PASSED_AT + int(clock[PASSED])] = clock[STUCK_AT]
                    clock[PASSED] += 1.0
                    clock[ATTEMPT] = 0.0
        t = clock[TIME]
        task = PREDICT
        if row < last and times[row] <= t + h * ROUNDING:
            if times[row] < t - h * ROUNDING:
                task = REPORT
            else:
                for m in range(n):
                    rates[m] = phi[1, m]
                write_row(rows, row, y, rates, W.turn, REACHED)
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
    """What the errors of the components are measured by, where velocities reach ``rate``.

    A velocity need be no better than what leads to the error allowed in a position by the end of the motion.
    """
    rate = max(rate, 1.0 / clock[SPAN])
    for m in range(nq + nv):
        size[m] = size_of(A.position_size, A.velocity_class, m, rate, A.length)


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
        self.good, self.good_formula, self.good_clock = (
            np.zeros((DIFFERENCES, n)),
            self.formula[0].copy(),
            np.zeros(KEPT),
        )
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[TIME] = self.clock[ORIGIN] = run.t
        self.clock[STEP], self.clock[RATE] = run.first_step, run.fastest
        self.clock[SPAN] = run.rows.times[-1] - run.t
        self.passed, self.before = 0, run.passages

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns DONE, PAUSED or STEP_TOO_SMALL."""
        run = self.run
        self.phi[1] = run.rates
        status, run.row = integrate_adams(
            run.arrays,
            run.work,
            run.allowed,
            run.project,
            run.from_step,
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
            self.good,
            self.good_formula,
            self.good_clock,
            self.clock,
            limit,
        )
        run.t, run.fastest = float(self.clock[TIME]), float(self.clock[RATE])
        run.rates[:] = self.phi[1]
        known = min(int(self.clock[PASSED]), CLOCK_PLACES - PASSED_AT)
        run.passed += self.clock[PASSED_AT + self.passed : PASSED_AT + known].tolist()
        self.passed = known
        run.passages = self.before + int(self.clock[PASSED])
        return int(status)
