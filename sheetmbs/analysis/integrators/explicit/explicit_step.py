"""Explicit Runge-Kutta methods: one step for all of them, which are data (Hairer, Norsett and Wanner 1993, II.1 to II.6).

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_j b_j k_j, put on the constraints,   k_s = f(t + h, y1)

Errors are weighed by class, see `control.py`. The displacement by which the projection corrects a step counts as part of
its error. A singular position is crossed in one step, see `singular.py`; how far it is the falling pivots tell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.stepping.control import (
    are_finite,
    error_of_work,
    factor_after_rejection,
    factor_after_success,
    follow_step,
    largest_rate,
    mean_change,
    sum_of_squares,
)
from sheetmbs.analysis.integrators.stepping.driver import (
    REJECTIONS,
    Course,
    advance_clock,
    course_of,
    fitted_step,
    fixed_step,
    has_row_within,
    is_finished,
    is_too_short,
    just_behind,
    latest_of_fixed,
    latest_time,
    longest_step,
    look_ahead,
    mean_step,
    pivots_have_fallen,
    rate_of,
    reach_turns,
    reject,
    report_end,
    report_within,
)
from sheetmbs.analysis.integrators.stepping.singular import (
    FAILED,
    Crossing,
    begin_attempt,
    begin_crossing,
    crossing_of,
    end_crossing,
    is_good,
    is_stuck,
    judge_attempt,
    keep_clock,
    recall_clock,
    way_to_singular,
)
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.revolution_counts import save_turns
from sheetmbs.engine.vec import combine, copy
from sheetmbs.engine.work import Work

DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_FINITE = int(Status.NOT_FINITE)

SAFETY, SLOWEST, FASTEST = 0.8, 0.2, 3.0
MOST_HALVINGS = 12  # of a fixed step that leads to no configuration on the constraints
MOST_RETRIES = 200  # in a run: a fixed step that needs more of them is too long


@dataclass(frozen=True, eq=False)
class ExplicitMemory(Bundle):
    """What an explicit method keeps between calls, and scratch; n = nq + nv + 1."""

    tableau: Tableau
    k: Floats2  # (stages with those of dense output, n), k[0] at the start of the step
    good: Floats2  # (2, n) state to come back to, and its derivative
    crossing: Crossing
    trial: Floats  # (n,)
    predicted: Floats  # (n,) end of the step before it is put on the constraints
    weights: Floats  # (stages,) of dense output


# One step.


@inline_kernel
def state_of(weights, k, count, y, h, out):
    """Y + h sum_i weights[i] k_i, i < count."""
    combine(weights, k, count, out)
    for m in range(y.shape[0]):
        out[m] = y[m] + h * out[m]


@inline_kernel
def take_stage(A, W, M, i, time, h, y, project):
    """k_i = f(time, y + h sum_j a_ij k_j), the state left in M.trial. Returns whether it met the constraints: 0."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    state_of(M.tableau.a[i], M.k, i, y, h, M.trial)
    if i == M.tableau.stages:
        copy(M.trial, M.predicted)
    return evaluate(A, W, time, M.trial[:nq], M.trial[nq : nq + nv], M.k[i], project)


@kernel
def take_step(A, W, M, t, h, y, latest, project) -> int:
    """All stages of a step, and its end put on the constraints: W.state, with its derivative k_s. Returns 1 if it failed."""
    failed, T = 0, M.tableau
    for i in range(1, T.stages):
        failed |= take_stage(A, W, M, i, min(t + T.c[i] * h, latest), h, y, 0.0)
    failed |= take_stage(A, W, M, T.stages, min(t + T.c[T.stages] * h, latest), h, y, project)
    reach_turns(A, W, t + h)
    copy(M.trial, W.state)
    return failed


@kernel
def error_of_step(A, W, C, M, h) -> float:
    """Error of a step over that allowed, from one estimate or from two (Hairer, Norsett and Wanner 1993, II.10.17)."""
    T, nq, nv = M.tableau, A.position_size.shape[0], A.scale.shape[0]
    # a step that will be rejected may have led anywhere: what it found counts for itself only
    rate = rate_of(C.clock[0], max(C.clock[0].fastest, largest_rate(A.velocity_class, W.state[nq : nq + nv], A.length)))
    v = W.state[nq : nq + nv]
    combine(T.error[0], M.k, T.error.shape[1], M.trial)
    first = sum_of_squares(A, M.trial, h, rate)
    by_work = error_of_work(A, W, v, rate, h * M.trial[nq + nv])
    if T.estimates < 2:
        error = math.sqrt(first / (nq + nv)) / C.allowed
    else:
        combine(T.error[1], M.k, T.error.shape[1], M.trial)
        both = first + 0.01 * sum_of_squares(A, M.trial, h, rate)
        error = first / math.sqrt(both * (nq + nv)) / C.allowed if both > 0.0 else 0.0
        square = by_work**2
        both = square + 0.01 * error_of_work(A, W, v, rate, h * M.trial[nq + nv]) ** 2
        by_work = square / math.sqrt(both) if both > 0.0 else 0.0
    error = max(error, by_work / C.allowed)
    if C.project > 0.0:
        moved = mean_change(A, M.predicted, W.state, rate)
        # positions are projected to `project` only, whatever the step: less than that says nothing about it
        error = max(error, (moved - C.project) / C.allowed)
    return error


@kernel
def take_dense_stages(A, W, M, t, h, y, latest) -> None:
    """The stages that only dense output needs."""
    T = M.tableau
    for i in range(T.stages + 1, T.a.shape[0]):
        take_stage(A, W, M, i, min(t + T.c[i] * h, latest), h, y, 0.0)


@inline_kernel
def state_within(M, y, h, theta, out):
    """State at the share theta of a step (Hairer, Norsett and Wanner 1993, sec. II.6)."""
    T = M.tableau
    for i in range(T.dense.shape[0]):
        M.weights[i] = 0.0
        for power in range(T.dense.shape[1] - 1, -1, -1):
            M.weights[i] = (M.weights[i] + T.dense[i, power]) * theta
    state_of(M.weights, M.k, T.dense.shape[0], y, h, out)


# The loop over steps.


@kernel
def integrate(A: Arrays, W: Work, C: Course, M: ExplicitMemory, limit: int) -> int:
    """Step on until all rows are reported or ``limit`` steps were tried. M.k[0]: derivative at C.y. Returns a Status."""
    clock, crossing = C.clock[0], M.crossing.state[0]
    is_fixed = C.fixed > 0.0
    for _ in range(limit):
        if is_finished(C):
            return DONE
        mean = mean_step(clock)
        if not is_fixed and is_stuck(clock, crossing, W.pivot_ratio[0]):
            go_back(C, M, mean)
        t, is_renewed = clock.t, look_ahead(C)
        if is_fixed:
            h = fixed_step(C) * 0.5**clock.rejections
            latest = latest_of_fixed(C, h)
        else:
            h, latest = fitted_step(C, clock.step), latest_time(C)
            if crossing.attempt == 0:  # a singular position is crossed in one step
                h = min(h, longest_step(C))
        if is_too_short(clock, h):
            if crossing.attempt > 0:
                clock.row = crossing.stuck_row
            return STEP_TOO_SMALL
        W.fault[0] = 0
        if C.from_step:
            is_renewed |= follow_step(W.feedback, h)
        if is_renewed:
            derive(A, W, M, just_behind(clock), C.y)
        save_turns(A.counted, W.turn)

        failed = take_step(A, W, M, t, h, C.y, latest, C.project)
        ratio = W.pivot_ratio[0]
        finite = are_finite(W.state, M.k[M.tableau.stages])
        error, is_crossing = 1.0, crossing.attempt > 0
        if is_fixed and (failed or not finite):
            if not finite or clock.rejections == MOST_HALVINGS or W.count[REJECTIONS] == MOST_RETRIES:
                return NOT_FINITE
            reject(A, W, clock)
            continue
        if not is_fixed:
            error = error_of_step(A, W, C, M, h) if finite and not failed else math.inf
            if not is_accepted(A, W, C, M, h, error):
                continue
        report_rows(A, W, C, M, t, h, latest)
        accept(A, W, C, M, h, 1.0 if is_crossing else error, ratio, mean)
        if pivots_have_fallen(W, ratio):
            return PAUSED
    return PAUSED


@kernel
def derive(A, W, M, t, y) -> None:
    """Evaluate the derivative at the start of a step again."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    copy(y, M.trial)
    evaluate(A, W, t, M.trial[:nq], M.trial[nq : nq + nv], M.k[0], 0.0)


@kernel
def go_back(C, M, mean) -> None:
    """Be again at the last good state, for a step across the singular position ahead."""
    clock, crossing, good = C.clock[0], M.crossing.state[0], M.crossing.good[0]
    begin_crossing(crossing, clock, way_to_singular(clock.t - good.t, clock.ratio, good.ratio, mean))
    recall_clock(M.crossing, C)
    copy(M.good[0], C.y)
    copy(M.good[1], M.k[0])
    begin_attempt(crossing, clock)


@kernel
def is_accepted(A, W, C, M, h, error) -> bool:
    """Whether an adaptive step counts; if not, it has been taken back."""
    clock, crossing = C.clock[0], M.crossing.state[0]
    if crossing.attempt > 0:
        if judge_attempt(crossing, error, is_behind=True) == FAILED:
            begin_attempt(crossing, clock)
            reject(A, W, clock)
            return False
        end_crossing(M.crossing, clock.t + 0.5 * h)
        clock.step = h
        return True
    if error <= 1.0:
        return True
    clock.step = h * factor_after_rejection(error, M.tableau.error_order, SAFETY, SLOWEST)
    reject(A, W, clock)
    return False


@kernel
def report_rows(A, W, C, M, t, h, latest) -> None:
    """Report the rows up to the end of a step from dense output, put on the constraints."""
    if has_row_within(C, t, h):
        take_dense_stages(A, W, M, t, h, C.y, latest)
    while has_row_within(C, t, h):
        state_within(M, C.y, h, (C.rows.times[C.clock[0].row] - t) / h, M.trial)
        report_within(A, W, C, M.trial, C.project)
    report_end(W, C, t, h, W.state, M.k[M.tableau.stages])


@kernel
def accept(A, W, C, M, h, error, ratio, mean) -> None:
    """Let a step count, and choose the length of the next one."""
    T, nq, nv = M.tableau, A.position_size.shape[0], A.scale.shape[0]
    clock = C.clock[0]
    was_rejected = clock.rejections > 0
    copy(W.state, C.y)
    copy(M.k[T.stages], M.k[0])
    advance_clock(W, clock, h)
    clock.ratio = ratio
    if C.fixed > 0.0:
        clock.taken -= 1 if was_rejected else 0  # a part of a step
        return
    clock.fastest = max(clock.fastest, largest_rate(A.velocity_class, C.y[nq : nq + nv], A.length))
    longer = h * factor_after_success(error, T.error_order, SAFETY, SLOWEST, FASTEST, was_rejected)
    clock.step = max(clock.step if h < clock.step else 0.0, longer)
    if is_good(h, mean, ratio):
        copy(C.y, M.good[0])
        copy(M.k[0], M.good[1])
        keep_clock(M.crossing, clock)


class ExplicitRungeKutta:
    """The explicit methods as an `Integrator`. watches_pivots: it pauses where they fall as `Work.pivot_watch` says."""

    watches_pivots = True

    def __init__(self, run: Run, method: Tableau) -> None:
        size, total = len(run.y), len(method.c)
        self.run = run
        self.course = course_of(run, is_fixed=not method.estimates)
        self.memory = ExplicitMemory(
            tableau=method,
            k=np.zeros((total, size)),
            good=np.full((2, size), np.nan),
            crossing=crossing_of(run),
            trial=np.zeros(size),
            predicted=np.zeros(size),
            weights=np.zeros(total),
        )

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps."""
        run = self.run
        self.memory.k[0] = run.rates
        status = self._integrate(limit)
        run.rates[:] = self.memory.k[0]
        self.course.update(run)
        self.memory.crossing.update(run)
        return status

    def _integrate(self, limit: int) -> int:
        run = self.run
        return int(integrate(run.arrays, run.work, self.course, self.memory, limit))
