"""Generalized-alpha and HHT for the constrained equations themselves (index 3): steps, error control, reporting rows.

One step is that of `index3.py`. Where the run has a ``step``, all steps are that long; else the error of each is estimated
from the change of the accelerations, as Geradin and Cardona (2001) do for positions, here with the constants of the method and
for velocities too:

    position_error h^2 (a - a_n)        velocity_error h^3 d(j)/dt,   j = (a - a_n)/h

Errors are weighed by class as in `explicit.py`. The method is of order 2 and errs by O(h^3) in a step; a step may err by
allowed^(3/2), so that h falls as allowed^(1/2) and the error of a run as the tolerance itself. When h changes, b is moved to
where it stands for the new step, which keeps the order, and a longer step waits until what is stiff has died down.

Rows between the ends of steps come from cubic Hermite polynomials; all rows are put on the constraints, positions and
velocities, and evaluated there. The run itself is not changed by that.
"""

from __future__ import annotations

import math

from sheetmbs.analysis.integrators.alpha.index3 import CONVERGED, SLOW, STALLED, measure, predict, solve_step
from sheetmbs.analysis.integrators.alpha.index3 import ROUNDING as UNKNOWN
from sheetmbs.analysis.integrators.alpha.index3_memory import (
    DENSE,
    FRESH,
    HELD,
    INDEX,
    LARGEST_DENSE,
    LAST,
    MARK,
    NOISE,
    OF_B,
    ORIGIN,
    POWER,
    RATE,
    REJECTED,
    RENEWED,
    STALE,
    STEP,
    TIME,
    AlphaMemory,
    Coefficients,
    coefficients,
    make_memory,
)
from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.analysis.integrators.stepping.driver import NEAR, ROUNDING, reached_mark, write_row
from sheetmbs.analysis.integrators.stepping.error_sizes import largest_rate
from sheetmbs.analysis.status import Status
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import displace, position_rates
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.turns import ANGLE, count_turns, foretell_turns, recall_turns, remember_turns, save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_FINITE = int(Status.NOT_FINITE)

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


@inline_kernel
def begin(A, W, X, t, h, y, rates):
    """At the start and behind a jump: accelerations and, where they change smoothly over h, their slope."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    evaluate(A, W, t, y[:nq], y[nq : nq + nv], rates, 0.0)
    copy(W.multiplier, X.multiplier)
    for k in range(nv):
        X.a[k] = rates[nq + k] / A.scale[k]
        X.b[k] = X.a[k]
    bent = size = 0.0
    for order in range(2):
        ahead = h * (SHORT if order == 0 else 1.0)
        for k in range(nv):
            X.further[k] = ahead * (y[nq + k] / A.scale[k] + 0.5 * ahead * X.a[k])
            X.end[nq + k] = y[nq + k] + ahead * rates[nq + k]
        for m in range(nq):
            X.end[m] = y[m]
        displace(A.body, A.beams, X.end[:nq], X.further, A.scale, 1.0)
        evaluate(A, W, t + ahead, X.end[:nq], X.end[nq : nq + nv], X.end_rates, 0.0)
        for k in range(nv):
            slope = (X.end_rates[nq + k] / A.scale[k] - X.a[k]) / ahead
            if order == 0:
                X.jerk[k] = slope
                size += slope * slope
            else:
                bent += (slope - X.jerk[k]) ** 2
    if not bent <= SMOOTH**2 * size:
        for k in range(nv):
            X.jerk[k] = 0.0
    evaluate(A, W, t, y[:nq], y[nq : nq + nv], X.end_rates, 0.0)  # leave W as it is at the start


@inline_kernel
def work_of(h, first, last, previous, before):
    """Work over a step from the power at both ends, and that ``before``, a step of length ``previous`` earlier (0: none)."""
    work = 0.5 * h * (first + last)
    if previous > 0.0:
        work -= h**3 / 6.0 * ((last - first) / h - (first - before) / previous) / (h + previous)
    return work


@inline_kernel
def interpolate(theta, h, y, rates, end, end_rates, out):
    """Cubic Hermite polynomial at the share theta of a step."""
    rest = 1.0 - theta
    for m in range(y.shape[0]):
        from_start = rest * rest * ((1.0 + 2.0 * theta) * y[m] + theta * h * rates[m])
        from_end = theta * theta * ((3.0 - 2.0 * theta) * end[m] - rest * h * end_rates[m])
        out[m] = from_start + from_end


@kernel
def integrate(
    A: Arrays,
    W: Work,
    c: Coefficients,
    X: AlphaMemory,
    allowed: float,
    h_fixed: float,
    project: float,
    rows: ReportedRows,
    horizon: Floats2,
    row: int,
    y: Floats,
    rates: Floats,
    limit: int,
) -> tuple[int, int]:
    """Step on from y until all rows are reported or ``limit`` steps were tried.

    c: Coefficients; X: Memory, kept between calls with its clock. y, rates: (nq + nv + 1,) state and its derivative, moved on.
    allowed: see above. h_fixed: length of all steps, 0 for error control. project: above 0, the stabilised equations.
    horizon: see `analysis/horizon.py`. Returns (status, next row).
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    n = nq + nv + 1
    clock = X.clock
    times, last = rows.times, rows.times.shape[0]
    end = times[last - 1]
    on_row = project if project > 0.0 else ROW_RESIDUAL
    for _ in range(limit):
        if row >= last:
            return DONE, row
        t = clock[TIME]
        near = NEAR * max(abs(t), abs(end))
        rate = clock[RATE] if clock[RATE] > 0.0 else 1.0 / (end - clock[ORIGIN])
        latest = math.inf
        if h_fixed > 0.0:
            h = min(clock[ORIGIN] + (clock[INDEX] + 1.0) * h_fixed, end) - t
            if abs(h - h_fixed) < ROUNDING * h_fixed:
                h = h_fixed  # not another length for every rounding of the time
        else:
            mark = reached_mark(horizon, int(clock[MARK]), t + near)
            if mark > int(clock[MARK]) and horizon[mark, 2] > 0.0:
                clock[FRESH] = 1.0
            clock[MARK] = mark
            h = min(clock[STEP], LARGEST_TURN / rate, end - t)
            if end - t < 1.5 * h and end - t > h:
                h = 0.5 * (end - t)
            h = min(h, horizon[mark, 1] - t, horizon[mark, 3])
            latest = horizon[mark, 1] - near
        if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
            return STEP_TOO_SMALL, row
        tolerance = max(allowed**1.5, LEAST_ERROR)
        if (
            project == 0.0
        ):  # accelerations are known to rounding over h^2: what that makes of the error must be less than C h^3
            rounding = UNKNOWN / math.sqrt(max(W.pivot_ratio[0], UNKNOWN))
            tolerance = max(tolerance, 0.1 * rounding**0.75)
        W.fault[0] = 0
        if clock[FRESH] > 0.0:  # behind a jump accelerations are others
            begin(A, W, X, t + near if clock[INDEX] > 0.0 else t, h, y, rates)
            clock[FRESH] = clock[OF_B] = clock[LAST] = 0.0
        save_turns(A.counted, W.turn)
        predict(c, X, h, clock[OF_B])
        clock[OF_B] = h
        foretell_turns(A.turn, W.turn, t + h)
        solved, power, speed, left = solve_step(
            A, W, c, X, min(t + h, latest) - h, h, y, rate, SHARE_OF_NEWTON * tolerance, project > 0.0
        )
        error = noise = 0.0
        is_last_word = clock[RENEWED] > 0.0 or nv > LARGEST_DENSE
        if solved != CONVERGED and not (solved == STALLED and is_last_word):
            recall_turns(A.counted, W.turn)
            W.count[REJECTIONS] += 1
            if not is_last_word:
                clock[DENSE] = clock[STALE] = 1.0
            elif h_fixed > 0.0:
                return NOT_FINITE, row
            else:
                clock[STEP] = HALF * h
                clock[REJECTED] = 1.0
                clock[DENSE] = clock[RENEWED] = 0.0
            continue
        for k in range(nv):
            X.new_a[k] = (1.0 - c.alpha_m) * X.new_b[k] + c.alpha_m * X.b[k] - c.alpha_f * X.a[k]
            X.new_a[k] /= 1.0 - c.alpha_f
            X.new_jerk[k] = (X.new_a[k] - X.a[k]) / h
        fastest = max(clock[RATE], largest_rate(A.velocity_class, X.end[nq : nq + nv], A.length))
        if h_fixed == 0.0:
            rate = fastest if fastest > 0.0 else rate
            error = measure(A, W, c, X, h, clock[LAST], rate)
            noise = max(left if solved == STALLED else 0.0, 0.5 * clock[NOISE])
            error /= max(tolerance, noise)
            if not error <= 1.0:
                slower = SAFETY * error ** (-1.0 / 3.0) if error < math.inf else SLOWEST
                clock[STEP] = h * min(max(slower, SLOWEST), SAFETY)
                clock[REJECTED] = 1.0
                W.count[REJECTIONS] += 1
                recall_turns(A.counted, W.turn)
                continue
        clock[RATE] = fastest
        W.count[STEPS] += 1
        remember_turns(A.turn, W.turn, t + h)
        position_rates(A.body, A.beams, X.end[:nq], X.end[nq : nq + nv], X.end_rates)
        for k in range(nv):
            X.end_rates[nq + k] = X.new_a[k] * A.scale[k]
        X.end_rates[nq + nv] = power
        X.end[nq + nv] += work_of(h, rates[nq + nv], power, clock[LAST], clock[POWER])
        while row < last and times[row] <= t + h * (1.0 + ROUNDING):
            theta = (times[row] - t) / h
            if theta >= 1.0 - ROUNDING:
                copy(X.end, X.trial)
            else:
                interpolate(theta, h, y, rates, X.end, X.end_rates, X.trial)
            evaluate(A, W, times[row], X.trial[:nq], X.trial[nq : nq + nv], W.rates, on_row)
            count_turns(A.counted, W.pose, W.turn, times[row])
            write_row(rows, row, X.trial, W.rates, W.turn, ANGLE)
            row += 1
        clock[POWER] = rates[nq + nv]
        for m in range(n):
            y[m] = X.end[m]
            rates[m] = X.end_rates[m]
        copy(X.new_a, X.a)
        copy(X.new_b, X.b)
        copy(X.new_jerk, X.jerk)
        copy(X.new_multiplier, X.multiplier)
        clock[TIME] = t + h
        clock[HELD] = clock[HELD] + 1.0 if h == clock[LAST] else 0.0
        clock[LAST] = h
        clock[INDEX] += 1.0
        clock[RENEWED] = 0.0
        clock[NOISE] = noise
        if clock[DENSE] > 0.0 and speed > SLOW:
            clock[STALE] = 1.0
        if h_fixed == 0.0:
            faster = SAFETY * error ** (-1.0 / 3.0) if error > 0.0 else FASTEST
            held = clock[HELD] >= HOLD and clock[REJECTED] == 0.0
            clock[STEP] = max(clock[STEP], h * min(faster, FASTEST) if held and faster > STEADY else h)
            clock[REJECTED] = 0.0
    return PAUSED, row


class GeneralizedAlpha:
    """Generalized-alpha (Chung and Hulbert 1993) or, with ``hht``, the method of Hilber, Hughes and Taylor (1977) over a run.

    rho: spectral radius at infinity, what a step leaves of a motion of infinite frequency: 0 to 1, with ``hht`` 1/2 to 1.
    With `run.step` above 0 all steps have that length; else their error is controlled by `run.allowed`. With
    `run.project` above 0 the equations are stabilised: velocities too satisfy their constraints.
    Raises ValueError for a rho that no stable method has.
    """

    def __init__(self, run: Run, rho: float = 0.8, *, hht: bool = False) -> None:
        self.run = run
        self.coefficients = coefficients(rho, hht=hht)
        arrays, self.work = run.arrays, run.work
        self.memory = make_memory(len(arrays.position_size), len(arrays.scale), len(arrays.row))
        clock = self.memory.clock
        clock[TIME] = clock[ORIGIN] = run.t
        clock[RATE] = run.fastest
        clock[STEP] = run.first_step
        clock[FRESH] = 1.0

    def advance(self, limit: int) -> int:
        """Try up to ``limit`` steps. Returns a Status: DONE, PAUSED, or why no step can be taken."""
        run, memory = self.run, self.memory
        if run.work is not self.work:  # other rows have other multipliers
            self.work, memory.clock[FRESH] = run.work, 1.0
        status, row = integrate(
            run.arrays,
            run.work,
            self.coefficients,
            memory,
            run.allowed,
            run.step,
            run.project,
            run.rows,
            run.horizon,
            run.row,
            run.y,
            run.rates,
            limit,
        )
        run.row, run.t, run.fastest = int(row), float(memory.clock[TIME]), float(memory.clock[RATE])
        return int(status)


def generalized_alpha(run: Run) -> GeneralizedAlpha:
    """The method of Chung and Hulbert with the spectral radius of the settings."""
    return GeneralizedAlpha(run, run.spectral_radius)


def hht(run: Run) -> GeneralizedAlpha:
    """The method of Hilber, Hughes and Taylor, likewise."""
    return GeneralizedAlpha(run, run.spectral_radius, hht=True)
