"""Generalized-alpha and HHT for the constrained equations themselves (index 3): steps, error control, reporting rows.

The equations of one step are those of `index3.py` (Arnold and Bruls 2007). Where the run has a ``step``, all steps are that
long; else the error of each is estimated from the change of the accelerations, as Geradin and Cardona (2001) do for positions,
here with the constants of the method and for velocities too:

    position_error h^2 (a - a_n)        velocity_error h^3 d(j)/dt,   j = (a - a_n)/h

Errors are weighed by class, see `control.py`. The method is of order 2 and errs by O(h^3) in a step; a step may err by
allowed^(3/2), so that h falls as allowed^(1/2) and the error of a run as the tolerance itself. When h changes, b is moved to
where it stands for the new step, which keeps the order, and a longer step waits until what is stiff has died down.

Rows between the ends of steps come from cubic Hermite polynomials; all rows are put on the constraints, positions and
velocities, and evaluated there. The run itself is not changed by that.
"""

from __future__ import annotations

import math

from sheetmbs.analysis.integrators.alpha.index3 import (
    CONVERGED,
    LARGEST_DENSE,
    NOT_CONVERGED,
    SLOW,
    STALLED,
    AlphaMemory,
    Coefficients,
    acceleration,
    coefficients,
    estimate_error,
    make_memory,
    predict,
    solve_step,
)
from sheetmbs.analysis.integrators.alpha.index3 import ROUNDING as UNKNOWN
from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.stepping.control import factor_after_rejection, largest_rate, optimal_factor
from sheetmbs.analysis.integrators.stepping.driver import (
    REJECTIONS,
    ROUNDING,
    Course,
    advance_clock,
    course_of,
    fitted_step,
    fixed_step,
    has_row_at_end,
    has_row_within,
    is_finished,
    is_too_short,
    just_behind,
    latest_of_fixed,
    latest_time,
    longest_step,
    look_ahead,
    rate_of,
    reject,
    report_within,
)
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import displace, position_rates
from sheetmbs.engine.revolution_counts import extrapolate_revolutions, recall_turns, remember_turns, save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_FINITE = int(Status.NOT_FINITE)

ORDER = 3  # of the error of a step
SAFETY, SLOWEST, FASTEST = 0.9, 0.25, 2.0
STEADY = 1.2  # a step that could be longer by less stays as it is: the matrix holds for one length
HOLD = 4  # steps of one length before a longer one: what is stiff must have died down
HALF = 0.5  # a step whose equations are not solved is tried again with half the length
LARGEST_TURN = 0.3  # of a step times the largest rate: further apart, rows in between and first guesses mean little
SHARE_OF_NEWTON = 0.02  # of the error of a step that Newton's method may leave
LEAST_ERROR = 1e-13  # of a step, below which rounding speaks
ROW_RESIDUAL = 1e-12  # of positions over the characteristic length, in reported rows
SHORT = 0.01  # of a step: over which the accelerations are differentiated at a start
SMOOTH = 0.5  # change of the slope of the accelerations over a whole step, up to which it means something


# One step.


@kernel
def take_step(A, W, c, C, X, h) -> float:
    """Try a step of length h, its end left in X. Returns its error over that allowed: 0 with steps of one length.

    Where its equations are not solved with the sparse factor, they are once more with the dense matrix. X.state.ended: how.
    """
    state, nq, nv = X.state[0], A.position_size.shape[0], A.scale.shape[0]
    tolerance = tolerance_of(W, C)
    state.rate = rate_of(C.clock[0], C.clock[0].fastest)
    solve_from_guess(A, W, c, C, X, h, tolerance)
    if state.ended != CONVERGED and not state.renewed and nv <= LARGEST_DENSE:
        W.count[REJECTIONS] += 1
        recall_turns(A.counted, W.turn)
        state.dense = state.stale = True
        solve_from_guess(A, W, c, C, X, h, tolerance)
    if state.ended == NOT_CONVERGED:
        return math.inf
    for k in range(nv):
        X.new_a[k] = acceleration(c, X, k)
        X.new_jerk[k] = (X.new_a[k] - X.a[k]) / h
    if C.fixed > 0.0:
        state.noise = 0.0
        return 0.0
    fastest = max(C.clock[0].fastest, largest_rate(A.velocity_class, X.end[nq : nq + nv], A.length))
    state.rate = fastest if fastest > 0.0 else state.rate
    noise = max(state.left if state.ended == STALLED else 0.0, 0.5 * state.noise)
    error = estimate_error(A, W, c, X, h) / max(tolerance, noise)
    if error <= 1.0:
        state.noise = noise
    return error


@inline_kernel
def tolerance_of(W, C):
    """Error that a step may have: accelerations are known to rounding over h^2, of which an error must be less than C h^3."""
    tolerance = max(C.allowed**1.5, LEAST_ERROR)
    if C.project == 0.0:
        rounding = UNKNOWN / math.sqrt(max(W.pivot_ratio[0], UNKNOWN))
        tolerance = max(tolerance, 0.1 * rounding**0.75)
    return tolerance


@inline_kernel
def solve_from_guess(A, W, c, C, X, h, tolerance):
    """Solve the equations of a step, beginning as if the accelerations went on changing as they do."""
    end = C.clock[0].t + h
    predict(c, X, h)
    extrapolate_revolutions(A.turn, W.turn, end)
    latest = latest_time(C) if C.fixed == 0.0 else latest_of_fixed(C, h)
    solve_step(A, W, c, C, X, min(end, latest), h, SHARE_OF_NEWTON * tolerance)


# The loop over steps.


@kernel
def integrate(A: Arrays, W: Work, c: Coefficients, C: Course, X: AlphaMemory, limit: int) -> int:
    """Step on until all rows are reported or ``limit`` steps were tried. X.start: derivative at C.y. Returns a Status."""
    clock, state = C.clock[0], X.state[0]
    for _ in range(limit):
        if is_finished(C):
            return DONE
        W.fault[0] = 0
        h = length_to_try(C, X)
        if is_too_short(clock, h):
            return STEP_TOO_SMALL
        if state.fresh:
            begin(A, W, C, X, h)
        save_turns(A.counted, W.turn)
        error = take_step(A, W, c, C, X, h)
        if error <= 1.0:
            accept(A, W, C, X, h, error)
            continue
        reject(A, W, clock)
        if state.ended != NOT_CONVERGED:
            clock.step = h * factor_after_rejection(error, ORDER, SAFETY, SLOWEST)
        elif C.fixed > 0.0:
            return NOT_FINITE
        else:
            clock.step = HALF * h
            state.dense = state.renewed = False
    return PAUSED


@inline_kernel
def length_to_try(C, X):
    """Length of the next step. Behind a jump accelerations are others, and X.state.fresh."""
    clock = C.clock[0]
    if look_ahead(C):
        X.state[0].fresh = True
    if C.fixed > 0.0:
        h = fixed_step(C)
        return (
            C.fixed if abs(h - C.fixed) < ROUNDING * C.fixed else h
        )  # not another length for every rounding of the time
    wanted = min(clock.step, LARGEST_TURN / rate_of(clock, clock.fastest))
    return min(fitted_step(C, wanted), longest_step(C))


@kernel
def accept(A, W, C, X, h, error) -> None:
    """Report the rows of a step, let it count, and choose the length of the next one."""
    clock, state = C.clock[0], X.state[0]
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    remember_turns(A.turn, W.turn, clock.t + h)
    finish_end(A, X, h)
    report_rows(A, W, C, X, h)
    state.power = X.start[nq + nv]
    copy(X.end, C.y)
    copy(X.end_rates, X.start)
    copy(X.new_a, X.a)
    copy(X.new_b, X.b)
    copy(X.new_jerk, X.jerk)
    copy(X.new_multiplier, X.multiplier)
    clock.fastest = max(clock.fastest, largest_rate(A.velocity_class, C.y[nq : nq + nv], A.length))
    state.held = state.held + 1 if h == state.last else 0
    state.last = h
    state.renewed = False
    if state.dense and state.convergence > SLOW:
        state.stale = True
    if C.fixed == 0.0:
        faster = min(optimal_factor(error, ORDER, SAFETY, FASTEST), FASTEST)
        may_grow = state.held >= HOLD and clock.rejections == 0 and faster > STEADY
        clock.step = max(clock.step, h * faster if may_grow else h)
    advance_clock(W, clock, h)


@inline_kernel
def finish_end(A, X, h):
    """Derivative at the end of a step, and the work until there, from the power at its ends and a step before."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    n, state = nq + nv, X.state[0]
    position_rates(A.body, A.beams, X.end[:nq], X.end[nq:n], X.end_rates)
    for k in range(nv):
        X.end_rates[nq + k] = X.new_a[k] * A.scale[k]
    first, last, previous = X.start[n], state.end_power, state.last
    X.end_rates[n] = last
    work = 0.5 * h * (first + last)
    if previous > 0.0:
        work -= h**3 / 6.0 * ((last - first) / h - (first - state.power) / previous) / (h + previous)
    X.end[n] += work


@inline_kernel
def report_rows(A, W, C, X, h):
    """Report the rows up to the end of a step, all put on the constraints."""
    clock = C.clock[0]
    residual = C.project if C.project > 0.0 else ROW_RESIDUAL
    while has_row_within(C, clock.t, h):
        interpolate((C.rows.times[clock.row] - clock.t) / h, h, C.y, X.start, X.end, X.end_rates, X.trial)
        report_within(A, W, C, X.trial, residual)
    while has_row_at_end(C, clock.t, h):
        copy(X.end, X.trial)
        report_within(A, W, C, X.trial, residual)


@inline_kernel
def interpolate(theta, h, y, rates, end, end_rates, out):
    """Cubic Hermite polynomial at the share theta of a step."""
    rest = 1.0 - theta
    for m in range(y.shape[0]):
        from_start = rest * rest * ((1.0 + 2.0 * theta) * y[m] + theta * h * rates[m])
        from_end = theta * theta * ((3.0 - 2.0 * theta) * end[m] - rest * h * end_rates[m])
        out[m] = from_start + from_end


@kernel
def begin(A, W, C, X, h) -> None:
    """At the start and behind a jump: accelerations and, where they change smoothly over h, their slope."""
    clock, state, y, rates = C.clock[0], X.state[0], C.y, X.start
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    t = just_behind(clock) if clock.taken > 0 else clock.t
    evaluate(A, W, t, y[:nq], y[nq : nq + nv], rates, 0.0)
    copy(W.multiplier, X.multiplier)
    for k in range(nv):
        X.a[k] = rates[nq + k] / A.scale[k]
        X.b[k] = X.a[k]
    slope_ahead(A, W, X, t, SHORT * h, y, X.jerk)
    slope_ahead(A, W, X, t, h, y, X.new_jerk)
    bent = size = 0.0
    for k in range(nv):
        size += X.jerk[k] * X.jerk[k]
        bent += (X.new_jerk[k] - X.jerk[k]) ** 2
    if not bent <= SMOOTH**2 * size:
        for k in range(nv):
            X.jerk[k] = 0.0
    evaluate(A, W, t, y[:nq], y[nq : nq + nv], X.end_rates, 0.0)  # leave W as it is at the start
    state.fresh = False
    state.of_b = state.last = 0.0


@inline_kernel
def slope_ahead(A, W, X, t, ahead, y, slope):
    """Slope of the accelerations from t to t + ahead, along the motion that begins with those in X.a."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    for k in range(nv):
        X.further[k] = ahead * (y[nq + k] / A.scale[k] + 0.5 * ahead * X.a[k])
        X.end[nq + k] = y[nq + k] + ahead * X.start[nq + k]
    for m in range(nq):
        X.end[m] = y[m]
    displace(A.body, A.beams, X.end[:nq], X.further, A.scale, 1.0)
    evaluate(A, W, t + ahead, X.end[:nq], X.end[nq : nq + nv], X.end_rates, 0.0)
    for k in range(nv):
        slope[k] = (X.end_rates[nq + k] / A.scale[k] - X.a[k]) / ahead


class GeneralizedAlpha:
    """Generalized-alpha (Chung and Hulbert 1993) or, with ``hht``, the method of Hilber, Hughes and Taylor (1977) over a run.

    rho: spectral radius at infinity, what a step leaves of a motion of infinite frequency: 0 to 1, with ``hht`` 1/2 to 1.
    With `run.step` above 0 all steps have that length; else their error is controlled by `run.allowed`. With
    `run.project` above 0 the equations are stabilised: velocities too satisfy their constraints.
    Raises ValueError for a rho that no stable method has.
    """

    def __init__(self, run: Run, rho: float = 0.8, *, hht: bool = False) -> None:
        arrays = run.arrays
        self.run, self.work = run, run.work
        self.coefficients = coefficients(rho, hht=hht)
        self.course = course_of(run, is_fixed=True)
        self.memory = make_memory(len(arrays.position_size), len(arrays.scale), len(arrays.row))

    def advance(self, limit: int) -> int:
        """Try up to ``limit`` steps. Returns a Status: DONE, PAUSED, or why no step can be taken."""
        run = self.run
        if run.work is not self.work:  # other rows have other multipliers
            self.work = run.work
            self.memory.state.fresh = True
        self.memory.start[:] = run.rates
        status = integrate(run.arrays, run.work, self.coefficients, self.course, self.memory, limit)
        run.rates[:] = self.memory.start
        self.course.update(run)
        return int(status)


def generalized_alpha(run: Run) -> GeneralizedAlpha:
    """The method of Chung and Hulbert with the spectral radius of the settings."""
    return GeneralizedAlpha(run, run.spectral_radius)


def hht(run: Run) -> GeneralizedAlpha:
    """The method of Hilber, Hughes and Taylor, likewise."""
    return GeneralizedAlpha(run, run.spectral_radius, hht=True)
