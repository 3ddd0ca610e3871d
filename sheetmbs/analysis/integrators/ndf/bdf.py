"""Backward differentiation with variable step and order 1 to 5, for stiff motion, on the index-1 equations y' = f(t, y).

The formulas are those of `differences.py` in quasi-constant steps (Shampine and Reichelt 1997): a step of new length begins
with the interpolating polynomial at equal steps of that length. In backward differences, a state that is put on the
constraints after the corrector is one vector added to all of them, which keeps order and damping (Eich 1993); with unequal
steps and a fixed leading coefficient (Brenan, Campbell and Petzold 1996) the history would have to be made again.

The corrector is solved in `corrector.py`. Errors are weighed by class, see `control.py`.
"""

import math
from dataclasses import replace

from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.ndf.corrector import CONVERGED, LEAST_CHANGE, OUTDATED, correct, size_of_change
from sheetmbs.analysis.integrators.ndf.differences import (
    ERROR,
    HIGHEST,
    LEADING,
    NdfMemory,
    append_state,
    change_step,
    interpolate,
    make_memory,
    predict,
)
from sheetmbs.analysis.integrators.stepping.control import (
    are_finite,
    error_of_work,
    factor_after_rejection,
    largest_rate,
    optimal_factor,
    size_of,
)
from sheetmbs.analysis.integrators.stepping.driver import (
    MARK_REACH,
    ROUNDING,
    Course,
    advance_clock,
    course_of,
    has_row_within,
    is_finished,
    is_too_short,
    just_behind,
    latest_time,
    longest_step,
    look_ahead,
    rate_of,
    reach_turns,
    reject,
    report_end,
    report_within,
)
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.revolution_counts import save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

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


# One step.


@kernel
def take_step(A, W, C, N, h) -> float:
    """Try a step of length h, its end left in N.trial and N.rates. Returns its error over that allowed."""
    clock, state = C.clock[0], N.state[0]
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    predict(N.difference, state.order, N.predicted, N.past)
    c = h / LEADING[state.order]
    time = min(clock.t + h, latest_time(C))
    fastest = largest_rate(A.velocity_class, N.predicted[nq : nq + nv], A.length)
    state.rate = max(rate_of(clock, clock.fastest), fastest)
    outcome = correct(A, W, C, N, time, c)
    if outcome == OUTDATED:
        outcome = correct(A, W, C, N, time, c)
    state.diverged = outcome != CONVERGED
    if state.diverged:
        return math.inf
    copy(N.x, N.trial)
    failed = evaluate(A, W, time, N.trial_q, N.trial_v, N.rates, C.project)
    N.trial[nq + nv] = N.past[nq + nv] + c * N.rates[nq + nv]
    reach_turns(A, W, clock.t + h)
    if failed or not are_finite(N.trial, N.rates):
        return math.inf
    state.rate = max(state.rate, largest_rate(A.velocity_class, N.trial_v, A.length))
    return error_of_step(A, W, C, N)


@inline_kernel
def error_of_known_work(A, W, N, error):
    """An error of the work over its size; 0 with springs and dampers: where they are stiff, rounding moves what they do."""
    return error_of_work(A, W, N.trial_v, N.state[0].rate, error) if A.elements.direction.shape[0] == 0 else 0.0


@inline_kernel
def error_of_step(A, W, C, N):
    """Error of a step by its formula, or by how much farther it was put to the constraints than they must be met."""
    state, n = N.state[0], A.position_size.shape[0] + A.scale.shape[0]
    for m in range(n):
        N.moved[m] = N.trial[m] - N.predicted[m]
        N.x[m] = N.trial[m] - N.x[m]
    error = ERROR[state.order] * size_of_change(A, N.moved, 0, n, state.rate)
    by_work = ERROR[state.order] * (N.trial[n] - N.predicted[n])
    error = max(error, error_of_known_work(A, W, N, by_work))
    if C.project > 0.0:
        error = max(error, size_of_change(A, N.x, 0, n, state.rate) - C.project)
    return error / C.allowed


@inline_kernel
def size_of_difference(A, W, N, j):
    """Size of a difference of the motion and, as errors are compared with those of the motion, of the work."""
    n, rate = A.position_size.shape[0] + A.scale.shape[0], N.state[0].rate
    by_work = error_of_known_work(A, W, N, N.difference[j, n])
    return max(size_of_change(A, N.difference[j], 0, n, rate), by_work)


@inline_kernel
def choose_order(A, W, C, N, error, highest):
    """Order of the next step and factor of its length: those that promise the longest step (Shampine and Reichelt 1997).

    Both stay for as many equal steps as the differences need, and while there is little to gain.
    """
    state = N.state[0]
    order = state.order
    if state.equal <= order:
        return order, 1.0
    best, factor = order, optimal_factor(error, order + 1, SAFETY, FASTEST)
    if order > 1:
        lower = ERROR[order - 1] * size_of_difference(A, W, N, order)
        gain = optimal_factor(lower / C.allowed, order, SAFETY_LOWER, FASTEST)
        if gain > factor:
            best, factor = order - 1, gain
    if order < highest:
        higher = ERROR[order + 1] * size_of_difference(A, W, N, order + 2)
        gain = optimal_factor(higher / C.allowed, order + 2, SAFETY_HIGHER, FASTEST)
        if gain > factor:
            best, factor = order + 1, gain
    if factor < WORTHWHILE and best == order:
        return order, 1.0
    return best, min(factor, FASTEST)


# The loop over steps.


@kernel
def integrate(A: Arrays, W: Work, C: Course, N: NdfMemory, highest: int, limit: int) -> int:
    """Step on until all rows are reported or ``limit`` steps were tried. N.start: derivative at C.y. Returns a Status.

    highest: order not to be exceeded.
    """
    clock, state = C.clock[0], N.state[0]
    for _ in range(limit):
        if is_finished(C):
            return DONE
        W.fault[0] = 0
        # differences from before a jump mislead, and so may those that rounding has got hold of
        if look_ahead(C) or state.rejected > PATIENCE or state.order == 0:
            begin(A, W, C, N)
        h = length_to_try(C)
        if is_too_short(clock, h):
            return STEP_TOO_SMALL
        if h != state.spacing:
            change_step(N.difference, state.order, h / state.spacing)
            state.spacing, state.equal = h, 0
        save_turns(A.counted, W.turn)
        error = take_step(A, W, C, N, h)
        if error <= 1.0:
            accept(A, W, C, N, h, error, highest)
            continue
        if state.diverged:
            clock.step = NOT_CONVERGED * h
        else:
            clock.step = h * factor_after_rejection(error, state.order + 1, SAFETY, SLOWEST)
            if state.rejected > 0 and state.order > 1:
                state.order -= 1
        state.rejected += 1
        reject(A, W, clock)
    return PAUSED


@inline_kernel
def length_to_try(C):
    """The length wanted; where a step must end before two of them, what is left, or half of it for two equal steps."""
    clock = C.clock[0]
    h = min(clock.step, longest_step(C))
    left = min(C.horizon[clock.mark, MARK_REACH], clock.end) - clock.t
    if left < 2.0 * h:
        h = left if left <= h * (1.0 + ROUNDING) else 0.5 * left
    return h


@kernel
def accept(A, W, C, N, h, error, highest) -> None:
    """Let a step count, report its rows, and choose order and length of the next one."""
    clock, state = C.clock[0], N.state[0]
    t, order = clock.t, state.order
    append_state(N.difference, order, N.predicted, N.trial)
    copy(N.trial, C.y)
    copy(N.rates, N.start)
    clock.fastest = max(clock.fastest, largest_rate(A.velocity_class, N.trial_v, A.length))
    advance_clock(W, clock, h)
    state.equal += 1
    while has_row_within(C, t, h):
        interpolate(N.difference, order, (C.rows.times[clock.row] - t) / h - 1.0, N.trial)
        report_within(A, W, C, N.trial, C.project)
    report_end(W, C, t, h, C.y, N.start)
    state.order, factor = choose_order(A, W, C, N, error, highest)
    clock.step = h * factor
    if state.equal > state.order:
        state.rejected = 0


@kernel
def begin(A, W, C, N) -> None:
    """Take up order 1 at the present state, with a step whose error ERROR_1 h^2 y'' is the one allowed.

    y'' is a difference of derivatives along the motion.
    """
    clock, state, y = C.clock[0], N.state[0], C.y
    n = A.position_size.shape[0] + A.scale.shape[0]
    if clock.t > clock.origin:  # behind a jump the derivative is another one
        copy(y, N.trial)
        evaluate(A, W, just_behind(clock), N.trial_q, N.trial_v, N.start, 0.0)
    rate = rate_of(clock, clock.fastest)
    longest = min(clock.step, min(C.horizon[clock.mark, MARK_REACH], clock.end) - clock.t)
    fastest = 0.0
    for m in range(n):
        fastest = max(fastest, abs(N.start[m]) / size_of(A.position_size, A.velocity_class, m, rate, A.length))
    ahead = min(PROBE / fastest, longest) if fastest > 0.0 else longest
    for m in range(n + 1):
        N.trial[m] = y[m] + ahead * N.start[m]
    evaluate(A, W, clock.t + ahead, N.trial_q, N.trial_v, N.rates, 0.0)
    for m in range(n):
        N.moved[m] = (N.rates[m] - N.start[m]) / ahead
    bend = size_of_change(A, N.moved, 0, n, rate)
    h = min(SAFETY * math.sqrt(C.allowed / (ERROR[1] * bend)), longest) if bend > 0.0 else longest
    for m in range(n + 1):
        for j in range(N.difference.shape[0]):
            N.difference[j, m] = 0.0
        N.difference[0, m] = y[m]
        N.difference[1, m] = h * N.start[m]
    state.order, state.spacing, state.equal, state.rejected = 1, h, 0, 0
    clock.step = h


class BackwardDifferentiation:
    """Steps over a run by backward differentiation. highest: order not to be exceeded, 1 to 5."""

    def __init__(self, run: Run, highest: int = HIGHEST) -> None:
        self.run, self.work = run, run.work
        self.highest = highest
        course = course_of(run)
        allowed = max(course.allowed, FINEST)
        # stiff springs take what is left of violations for velocities
        project = min(course.project, max(PROJECT_SHARE * allowed, LEAST_CHANGE))
        self.course = replace(course, allowed=allowed, project=project)
        self.memory = make_memory(run.arrays)

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps, rejected ones among them. Returns a Status."""
        run = self.run
        if run.work is not self.work:  # its differences are of a state that was put on other rows
            self.work = run.work
            self.memory.state.order = 0
        self.memory.start[:] = run.rates
        status = integrate(run.arrays, run.work, self.course, self.memory, self.highest, limit)
        run.rates[:] = self.memory.start
        self.course.update(run)
        return int(status)
