"""Radau IIA of order 5 for stiff springs, dampers and bushings, with the forces of these elements as stage unknowns.

`take_step` is Hairer and Wanner (1996), sec. IV.8: the stages are foretold by the last step's polynomial (8.5), Newton's
method solves for them (8.4, 8.10), the error is estimated by (8.19) and, where that is too large at a first or a repeated
step, by (8.20). Newton's method and the error estimate are in `stage_equations.py`; the next length is that of (8.25),
Gustafsson's, in `stepping/control.py`.

The estimate goes with h^4, the error of the solution with h^5: the one may be as large as makes the other fall in proportion
to the tolerance. After each step the state is put on the constraints; by how much it is displaced counts as part of the error.
"""

import math

from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.radau.collocation import STAGES
from sheetmbs.analysis.integrators.radau.stage_equations import SWEEPS, estimate_error, solve_stages
from sheetmbs.analysis.integrators.radau.stages import Stages, interpolate, make_stages, place_stages, predict_stages
from sheetmbs.analysis.integrators.stepping.control import (
    factor_after_divergence,
    factor_after_rejection,
    predictive_factor,
)
from sheetmbs.analysis.integrators.stepping.driver import (
    Course,
    advance_clock,
    course_of,
    fitted_step,
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
from sheetmbs.analysis.integrators.stepping.error_sizes import are_finite, largest_rate, size_of
from sheetmbs.analysis.solution import Status
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.directions import Directions, make_directions
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.revolution_counts import save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_CONVERGED = int(Status.NOT_CONVERGED)

ORDER = 4  # of the error estimate
SAFETY, SLOWEST, FASTEST = 0.9, 0.2, 5.0
SMALLEST_ERROR, LEAST_REMEMBERED = 1e-4, 1e-2  # what the length of the next step is foretold from
USEFUL = 0.4  # convergence rate with which a time costs least: steps with a larger one are shortened
SMALLEST_RATE = 1e-3
CREEP = 1e-8  # of the whole time: steps as short as this ..
PATIENCE = 100  # .. whose sweeps do not converge, after which it is no use to go on
LENIENCY, POWER = 4.0, 0.8  # estimate of error that a step may have: so many times the error itself to the power 4/5


# One step.


@kernel
def take_step(A, W, D, C, S, h) -> float:
    """Try a step of length h; its end is left in W.state, its derivative in S.rates. Returns its error over that allowed."""
    state, clock, y = S.state[0], C.clock[0], C.y
    tolerance = LENIENCY * C.allowed**POWER
    predict_stages(A, S, y, h)
    place_stages(A, S, y, h)
    state.diverged = not solve_stages(A, W, D, C, S, h)
    if state.diverged:
        return math.inf
    error = estimate_error(A, D, S, y, h, S.start) / tolerance
    if not error <= 1.0 and (clock.rejections > 0 or state.last_step == 0.0):
        for m in range(y.shape[0]):
            S.trial[m] = y[m] + S.error[m]
        evaluate_trial(A, W, S, clock.t, S.rates, 0.0)
        error = estimate_error(A, D, S, y, h, S.rates) / tolerance
    if not error <= 1.0:
        return error
    return max(error, reach_end(A, W, C, S, h) / tolerance)


@inline_kernel
def evaluate_trial(A, W, S, t, rates, project):
    """The derivative of S.trial to ``rates``. Returns whether it met the constraints: 0."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    return evaluate(A, W, t, S.trial[:nq], S.trial[nq : nq + nv], rates, project)


@inline_kernel
def reach_end(A, W, C, S, h):
    """Put the last stage on the constraints, to W.state. Returns how much farther that moves it than it must be met."""
    copy(S.value[STAGES - 1], S.trial)
    failed = evaluate_trial(A, W, S, min(C.clock[0].t + h, latest_time(C)), S.rates, C.project)
    copy(S.trial, W.state)
    if failed or not are_finite(S.trial, S.rates):
        return math.inf
    if C.project == 0.0:
        return 0.0
    displaced = 0.0
    for m in range(S.size.shape[0]):
        displaced += ((S.value[STAGES - 1, m] - S.trial[m]) / S.size[m]) ** 2
    return math.sqrt(displaced / S.size.shape[0]) - C.project


@inline_kernel
def length_after_success(S, h, error, was_rejected):
    """Length of the next step: by eq. (8.25), but not so long that Newton's method becomes slow."""
    state = S.state[0]
    cautious = SAFETY * (2.0 * SWEEPS + 1.0) / (2.0 * SWEEPS + state.sweeps)
    small = max(error, SMALLEST_ERROR)
    ratio = h / state.old_step if state.old_step > 0.0 else 0.0
    factor = predictive_factor(small, state.old_error, ratio, ORDER, cautious)
    if state.sweeps > 1:
        factor = min(factor, max(0.5, USEFUL / max(state.convergence, SMALLEST_RATE)))
    state.old_step = h
    state.old_error = max(small, LEAST_REMEMBERED)
    return h * max(SLOWEST, min(factor, 1.0 if was_rejected else FASTEST))


@inline_kernel
def length_after_rejection(S, h, error):
    """Length of the step that is tried next, after one that erred too much or whose stages were not solved."""
    if S.state[0].diverged:
        return h * factor_after_divergence(S.state[0].convergence, USEFUL)
    return h * factor_after_rejection(error, ORDER, SAFETY, SLOWEST)


# The loop over steps.


@kernel
def integrate(A: Arrays, W: Work, D: Directions, C: Course, S: Stages, limit: int) -> int:
    """Step on until all rows are reported or ``limit`` steps were tried. S.start: derivative at C.y. Returns a Status."""
    clock, state = C.clock[0], S.state[0]
    span = clock.end - C.rows.times[0]
    for _ in range(limit):
        if is_finished(C):
            return DONE
        W.fault[0] = 0
        if look_ahead(C):
            copy(C.y, S.trial)
            evaluate_trial(A, W, S, just_behind(clock), S.start, 0.0)
            state.last_step = 0.0  # its polynomial does not go on behind a jump
        h = min(fitted_step(C, clock.step), longest_step(C))
        if state.crept > PATIENCE or is_too_short(clock, h):
            return NOT_CONVERGED if state.diverged or state.crept > PATIENCE else STEP_TOO_SMALL
        save_turns(A.counted, W.turn)
        rate = rate_of(clock, clock.fastest)
        for m in range(S.size.shape[0]):
            S.size[m] = size_of(A.position_size, A.velocity_class, m, rate, A.length)
        error = take_step(A, W, D, C, S, h)
        if error <= 1.0:
            accept(A, W, C, S, h, error)
        else:
            state.crept += state.diverged and h < CREEP * span
            clock.step = length_after_rejection(S, h, error)
            reject(A, W, clock)
    return PAUSED


@kernel
def accept(A, W, C, S, h, error) -> None:
    """Report the rows of a step, let it count, and choose the length of the next one."""
    clock, state = C.clock[0], S.state[0]
    t = clock.t
    reach_turns(A, W, t + h)
    while has_row_within(C, t, h):
        interpolate(S, C.y, h, (C.rows.times[clock.row] - t) / h, S.trial)
        report_within(A, W, C, S.trial, C.project)
    report_end(W, C, t, h, W.state, S.rates)
    longer = length_after_success(S, h, error, clock.rejections > 0)
    clock.step = max(clock.step if h < clock.step and longer >= h else 0.0, longer)
    state.last_step = h
    copy(S.start, S.history[0])
    for i in range(STAGES):
        copy(S.k[i], S.history[i + 1])
    copy(W.state, C.y)
    copy(S.rates, S.start)
    advance_clock(W, clock, h)
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    clock.fastest = max(clock.fastest, largest_rate(A.velocity_class, C.y[nq : nq + nv], A.length))


class Radau:
    """Radau IIA of order 5 over a run; its first step is `run.first_step`, wherever the run stands."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.course = course_of(run)
        self.directions = make_directions(run.arrays, STAGES)
        self.stages = make_stages(run.arrays, len(self.directions.record))

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns a Status."""
        run = self.run
        self.stages.start[:] = run.rates
        status = integrate(run.arrays, run.work, self.directions, self.course, self.stages, limit)
        run.rates[:] = self.stages.start
        self.course.tell(run)
        return int(status)
