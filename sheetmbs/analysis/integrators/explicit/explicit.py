"""One loop for all explicit Runge-Kutta methods: steps, error control, projection, reporting rows.

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_j b_j k_j, put on the constraints,   k_s = f(t + h, y1)

Errors are weighed by class, so no user need give absolute tolerances and no choice of units matters: positions by the
characteristic length L, angles by 1, velocities by the largest of |v|/L and |omega| so far, times L or 1. The displacement by
which the projection corrects a step counts as part of its error.

Where constraints become dependent for a moment, as when all bars of a linkage lie in one line, S is singular at one point of a
smooth motion, and steps that end near it shrink without end. The motion is then taken up again from the last state with a
step well past the point, whose distance the falling pivots tell: the best of twelve of different lengths, or the first that is
as accurate as any.
"""

import math

import numpy as np

from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.stepping.errors_and_limits import (
    NEAR,
    largest_rate,
    mean_change,
    reached_mark,
    size_of,
)
from sheetmbs.analysis.integrators.stepping.reporting import ROUNDING, write_row
from sheetmbs.analysis.status import Status
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import ALPHA, BETA, evaluate
from sheetmbs.engine.turns import ANGLE, REACHED, count_turns, recall_turns, save_turns
from sheetmbs.engine.vec import combine, copy
from sheetmbs.jit import inline_kernel, kernel

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)
DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_FINITE = int(Status.NOT_FINITE)

SAFETY, SLOWEST, FASTEST = 0.8, 0.2, 3.0
STUCK = 0.02  # of the mean step: what is shorter, near a singular position, gets nowhere
USUAL = 0.5  # of the mean step: a state reached by a longer one is one to come back to
NEARLY_SINGULAR = 1e-3  # smallest pivot of S over its diagonal entry
REGULAR = 1e-2  # the same, of a state to come back to
SETTLED = 5  # steps from which on the mean says something
ATTEMPTS = 12
SHORTEST_ATTEMPT, LONGEST_ATTEMPT = 1.25, 3.0  # of the way to the singular position
NEAREST, FARTHEST = 0.3, 1.5  # of the mean step: bounds of that way
HOPELESS = 1e6  # times the error allowed
MOST_HALVINGS = 12  # of a fixed step that leads to no configuration on the constraints
MOST_RETRIES = 200  # in a run: a fixed step that needs more of them is too long

ALIKE = 0.5  # steps whose ratio is nearer to 1 share Baumgarte's factors
PER_STEP = 0.1  # of a violation that they undo in a step: more, and violations of stages weigh in the error estimate

# What is evaluated next.
RENEWAL, STAGE, ROW = range(3)
# Places in `clock`.
TIME, STEP, RATE, REJECTED, INDEX, ORIGIN, MARK = range(7)
ATTEMPT, NEXT, BEST, BEST_STEP, GOOD_TIME, GOOD_ROW, GOOD_INDEX, GOOD_RATIO, RATIO, WAY = range(7, 17)
STUCK_ROW, PASSED, PASSED_AT = range(17, 20)
HALVED = PASSED_AT + 8  # behind the first eight times at which singular positions were passed
CLOCK_PLACES = HALVED + 1


@inline_kernel
def mean_error(position_size, velocity_class, method, h, k, error, rate, length, allowed):
    """Error of a step over that allowed, from one estimate or from two (Hairer, Norsett and Wanner 1993, II.10.17)."""
    count = position_size.shape[0] + velocity_class.shape[0]
    combine(method.error[0], k, method.error.shape[1], error)
    first = sum_of_squares(position_size, velocity_class, error, h, rate, length)
    if method.estimates < 2:
        return math.sqrt(first / count) / allowed
    combine(method.error[1], k, method.error.shape[1], error)
    both = first + 0.01 * sum_of_squares(position_size, velocity_class, error, h, rate, length)
    return first / math.sqrt(both * count) / allowed if both > 0.0 else 0.0


@inline_kernel
def sum_of_squares(position_size, velocity_class, error, h, rate, length):
    """Sum of squares of h error[m] over the sizes of the components."""
    total = 0.0
    for m in range(position_size.shape[0] + velocity_class.shape[0]):
        share = h * error[m] / size_of(position_size, velocity_class, m, rate, length)
        total += share * share
    return total


@inline_kernel
def weigh_dense(dense, theta, weights):
    """Weights of all stages in dense output at the share theta of a step."""
    for i in range(weights.shape[0]):
        weights[i] = 0.0
        for power in range(dense.shape[1] - 1, -1, -1):
            weights[i] = (weights[i] + dense[i, power]) * theta


@inline_kernel
def way_to_singular(way, ratio, before, mean):
    """Time from an earlier state to the singular position ahead, where the pivot of S vanishes like its square.

    way: time since that state; before, ratio: pivots then and now; mean: usual step, by which the result is bounded.
    """
    shrinking = math.sqrt(ratio / before) if before > ratio else 0.0
    return min(max(way / (1.0 - shrinking), NEAREST * mean), FARTHEST * mean)


@inline_kernel
def attempted(number, way):
    """Length of the attempt of that number, from 1 on, to cross a singular position that far away."""
    return way * (SHORTEST_ATTEMPT + (LONGEST_ATTEMPT - SHORTEST_ATTEMPT) * (number - 1.0) / (ATTEMPTS - 1))


@kernel
def integrate(
    A,
    W,
    method,
    allowed,
    h_fixed,
    project,
    from_step,
    rows,
    horizon,
    row,
    y,
    k,
    good,
    trial,
    predicted,
    weights,
    clock,
    limit,
):
    """Step on from y until all rows are reported or ``limit`` steps are done.

    y: (nq + nv + 1,) state; k: (total + 1, same) stages, the first one filled, and a row's derivative;
    good: (2, same) an earlier state and its derivative;
    trial, predicted: (same,), weights: (total,) scratch; clock: see its places above; all kept between calls.
    allowed: error of a step. horizon: see `analysis/horizon.py`; how far an adaptive step may reach. h_fixed: step of a
    fixed-step method, 0 for error control. project: 0, or the residual to put each step to. from_step: whether
    Baumgarte's factors follow the step. Returns (status, next row).
    """
    times, last = rows.times, rows.times.shape[0]
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    n = nq + nv + 1
    length = A.length
    stages, total = method.stages, method.a.shape[0]
    end = times[last - 1]
    for _ in range(limit):
        if row >= last:
            return DONE, row
        mean = (clock[TIME] - clock[ORIGIN]) / max(clock[INDEX], 1.0)
        is_stuck = clock[STEP] < STUCK * mean and W.pivot_ratio[0] < NEARLY_SINGULAR and clock[INDEX] > SETTLED
        if h_fixed == 0.0 and clock[ATTEMPT] == 0.0 and is_stuck and 0.0 < clock[NEXT] <= ATTEMPTS:
            for m in range(n):
                y[m] = good[0, m]
                k[0, m] = good[1, m]
            clock[WAY] = way_to_singular(clock[TIME] - clock[GOOD_TIME], clock[RATIO], clock[GOOD_RATIO], mean)
            clock[TIME] = clock[GOOD_TIME]
            clock[INDEX] = clock[GOOD_INDEX]
            clock[STUCK_ROW] = row
            row = int(clock[GOOD_ROW])
            clock[MARK] = 0.0
            clock[ATTEMPT] = clock[NEXT]
            clock[BEST] = math.inf
            clock[STEP] = attempted(clock[ATTEMPT], clock[WAY])
        t = clock[TIME]
        near = NEAR * max(abs(t), abs(end))
        latest = math.inf
        is_renewed = False
        h = min(clock[STEP], end - t)
        if h_fixed > 0.0:
            h = (min(clock[ORIGIN] + (clock[INDEX] + 1.0) * h_fixed, end) - t) * 0.5 ** clock[HALVED]
        if h_fixed == 0.0 and end - t < 1.5 * clock[STEP] and end - t > clock[STEP]:
            h = 0.5 * (end - t)
        if h_fixed == 0.0:
            mark = reached_mark(horizon, int(clock[MARK]), t + near)
            is_renewed = mark > int(clock[MARK]) and horizon[mark, 2] > 0.0  # behind a jump stage 0 is another one
            clock[MARK] = mark
            h = min(h, horizon[mark, 1] - t)
            if clock[ATTEMPT] == 0.0:  # a singular position is crossed in one step
                h = min(h, horizon[mark, 3])
            latest = horizon[mark, 1] - near
        if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
            return STEP_TOO_SMALL, row
        W.fault[0] = 0
        failed = 0
        ratio = 0.0
        if from_step and not ALIKE < h * W.feedback[ALPHA] / PER_STEP < 1.0 / ALIKE:
            W.feedback[ALPHA] = PER_STEP / h
            W.feedback[BETA] = math.sqrt(2.0) * PER_STEP / h
            is_renewed = True
        # one place to evaluate from, be it a stage or a reported row
        phase, i = (RENEWAL, 0) if is_renewed else (STAGE, 1)
        if phase == STAGE:
            save_turns(A.counted, W.turn)
        is_taken = False
        error = 0.0
        while True:
            put = 0.0
            if phase == RENEWAL:
                time = t + near
                copy(y, trial)
            elif phase == STAGE:
                time = min(t + method.c[i] * h, latest)
                combine(method.a[i], k, i, trial)
                for m in range(n):
                    trial[m] = y[m] + h * trial[m]
                if i == stages:
                    put = project
                    copy(trial, predicted)
            else:
                time = times[row]
                put = project
                weigh_dense(method.dense, (time - t) / h, weights)
                combine(weights, k, total, trial)
                for m in range(n):
                    trial[m] = y[m] + h * trial[m]
            failed |= evaluate(A, W, time, trial[:nq], trial[nq : nq + nv], k[i], put)
            if phase == RENEWAL:
                phase, i = STAGE, 1
                save_turns(A.counted, W.turn)
                continue
            if phase == STAGE:
                if i == stages:
                    ratio = W.pivot_ratio[0]
                    count_turns(A.counted, W.pose, W.turn, t + h)
                    for turn in range(A.counted.shape[0]):
                        W.turn[turn, REACHED] = W.turn[turn, ANGLE]
                    copy(trial, W.state)
                i += 1
                if i < total and (i <= stages or not (failed or times[row] > t + h * (1.0 - ROUNDING))):
                    continue
                finite = True
                for m in range(n):
                    finite &= math.isfinite(W.state[m]) and math.isfinite(k[stages, m])
                if h_fixed > 0.0 and (failed or not finite):
                    if not finite or clock[HALVED] == MOST_HALVINGS or W.count[REJECTIONS] == MOST_RETRIES:
                        return NOT_FINITE, row
                    clock[HALVED] += 1.0
                    W.count[REJECTIONS] += 1
                    recall_turns(A.counted, W.turn)
                    break
                if h_fixed == 0.0:
                    # a step that will be rejected may have led anywhere: what it found counts for itself only
                    fastest = clock[RATE]
                    if finite:
                        fastest = max(fastest, largest_rate(A.velocity_class, W.state[nq : nq + nv], length))
                    rate = fastest if fastest > 0.0 else 1.0 / (end - clock[ORIGIN])
                    error = mean_error(A.position_size, A.velocity_class, method, h, k, trial, rate, length, allowed)
                    if project > 0.0:
                        moved = mean_change(A.position_size, A.velocity_class, predicted, W.state, rate, length)
                        # positions are projected to `project` only, whatever the step: less than that says nothing about it
                        error = max(error, (moved - project) / allowed)
                    if failed or not finite:
                        error = math.inf
                    if clock[ATTEMPT] > 0.0 and error > 1.0 and clock[ATTEMPT] <= ATTEMPTS:
                        if error < clock[BEST]:
                            clock[BEST] = error
                            clock[BEST_STEP] = h
                        clock[STEP] = attempted(clock[ATTEMPT] + 1.0, clock[WAY])
                        if clock[ATTEMPT] == ATTEMPTS:
                            clock[STEP] = clock[BEST_STEP]
                            if not clock[BEST] < HOPELESS:
                                return STEP_TOO_SMALL, int(clock[STUCK_ROW])
                        clock[ATTEMPT] += 1.0
                        W.count[REJECTIONS] += 1
                        recall_turns(A.counted, W.turn)
                        break
                    if clock[ATTEMPT] > 0.0:
                        if clock[PASSED] < HALVED - PASSED_AT:
                            clock[PASSED_AT + int(clock[PASSED])] = t + 0.5 * h
                        clock[PASSED] += 1.0
                        clock[NEXT] = clock[ATTEMPT] + 1.0  # should this step have ended short of the position
                        clock[ATTEMPT] = 0.0
                        clock[STEP] = h
                        error = 1.0
                    if not error <= 1.0:
                        slower = SAFETY * error ** (-1.0 / method.error_order) if error < math.inf else 0.25
                        clock[STEP] = h * min(max(slower, SLOWEST), SAFETY)
                        clock[REJECTED] = 1.0
                        W.count[REJECTIONS] += 1
                        recall_turns(A.counted, W.turn)
                        break
                    clock[RATE] = fastest
                is_taken = True
                phase, i = ROW, total
            else:
                count_turns(A.counted, W.pose, W.turn, time)
                write_row(rows, row, trial, k[total], W.turn, ANGLE)
                row += 1
            if row < last and t + h * (1.0 - ROUNDING) <= times[row] <= t + h * (1.0 + ROUNDING):
                write_row(rows, row, W.state, k[stages], W.turn, REACHED)
                row += 1
            if row >= last or times[row] > t + h:
                break
        if not is_taken:
            continue
        W.count[STEPS] += 1
        for m in range(n):
            y[m] = W.state[m]
            k[0, m] = k[stages, m]
        clock[TIME] = t + h
        clock[RATIO] = ratio
        clock[INDEX] += 1.0 if clock[HALVED] == 0.0 else 0.0
        clock[HALVED] = 0.0
        if h_fixed == 0.0:
            faster = SAFETY * error ** (-1.0 / method.error_order) if error > 0.0 else FASTEST
            most = 1.0 if clock[REJECTED] else FASTEST
            clock[STEP] = max(clock[STEP] if h < clock[STEP] else 0.0, h * min(max(faster, SLOWEST), most))
            clock[REJECTED] = 0.0
            if h >= USUAL * mean and ratio > REGULAR:
                for m in range(n):
                    good[0, m] = y[m]
                    good[1, m] = k[0, m]
                clock[GOOD_TIME] = clock[TIME]
                clock[GOOD_RATIO] = ratio
                clock[GOOD_ROW] = row
                clock[GOOD_INDEX] = clock[INDEX]
                clock[NEXT] = 1.0
        if W.pivot_watch[0] > 0.0:
            W.pivot_watch[1] = max(W.pivot_watch[1], ratio)
            if ratio < W.pivot_watch[0] * W.pivot_watch[1]:
                return PAUSED, row
    return PAUSED, row


class ExplicitRungeKutta:
    """The explicit methods as an `Integrator`. watches_pivots: it pauses where they fall as `Work.pivot_watch` says."""

    def __init__(self, run: Run, method: Tableau) -> None:
        size = len(run.y)
        self.run, self.method = run, method
        self.stages = np.zeros((len(method.c) + 1, size))
        self.stages[0] = run.rates
        self.good = np.full((2, size), np.nan)
        self.scratch = (np.zeros(size), np.zeros(size), np.zeros(len(method.c)))
        self.clock = np.zeros(CLOCK_PLACES)
        self.clock[TIME] = self.clock[ORIGIN] = run.t
        self.clock[RATE] = run.fastest
        self.clock[STEP] = run.first_step if method.estimates else run.step
        self.watches_pivots = run.contacts is None
        self.passed_before, self.passages_before = tuple(run.passed), run.passages

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps."""
        run, clock = self.run, self.clock
        self.stages[0] = run.rates
        step = 0.0 if self.method.estimates else run.step
        advance = integrate if run.contacts is None else run.contacts.advance
        status, run.row = advance(
            run.arrays,
            run.work,
            self.method,
            run.allowed,
            step,
            run.project,
            run.from_step,
            run.rows,
            run.horizon,
            run.row,
            run.y,
            self.stages,
            self.good,
            *self.scratch,
            clock,
            limit,
        )
        run.t, run.fastest = float(clock[TIME]), float(clock[RATE])
        run.rates[:] = self.stages[0]
        told = int(min(clock[PASSED], HALVED - PASSED_AT))
        run.passed[:] = [*self.passed_before, *clock[PASSED_AT : PASSED_AT + told].tolist()]
        run.passages = self.passages_before + int(clock[PASSED])
        return int(status)
