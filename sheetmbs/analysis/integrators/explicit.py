"""One loop for all explicit Runge-Kutta methods: steps, error control, projection, reporting rows.

    k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_j b_j k_j, put on the constraints,   k_s = f(t + h, y1)

Errors are weighed by class, so no user need give absolute tolerances and no choice of units matters: positions by the
characteristic length L, angles by 1, velocities by the largest of |v|/L and |omega| so far, times L or 1. The displacement by
which the projection corrects a step counts as part of its error.

Where constraints become dependent for a moment, as when all bars of a linkage lie in one line, S is singular at one point of a
smooth motion, and steps that end near it shrink without end. The motion is then taken up again from the last state with a
step of usual length, and the point is crossed by the best of ten steps of 0.4 to 1.6 of the mean length.
"""

import math

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
NOT_FINITE = int(Status.NOT_FINITE)

SAFETY, SLOWEST, FASTEST = 0.9, 0.2, 3.0
NEAR = 1e-14  # of a time: what stands for rounding
ROUNDING = 1e-12  # of a step: a reporting row this near to its end is its end
STUCK = 0.02  # of the mean step: what is shorter, near a singular position, gets nowhere
USUAL = 0.5  # of the mean step: a state reached by a longer one is one to come back to
NEARLY_SINGULAR = 1e-3  # smallest pivot of S over its diagonal entry
REGULAR = 1e-2  # the same, of a state to come back to
SETTLED = 5  # steps from which on the mean says something
ATTEMPTS = 10
SHORTEST_ATTEMPT, LONGEST_ATTEMPT = 0.4, 1.6  # of the mean step
HOPELESS = 1e6  # times the error allowed
MOST_HALVINGS = 12  # of a fixed step that leads to no configuration on the constraints
MOST_RETRIES = 200  # in a run: a fixed step that needs more of them is too long

# Places in `clock`.
TIME, STEP, RATE, REJECTED, INDEX, ORIGIN, MARK = range(7)
ATTEMPT, NEXT, BEST, BEST_STEP, GOOD_TIME, GOOD_ROW, GOOD_INDEX, PASSED, PASSED_AT = range(7, 16)
HALVED = PASSED_AT + 8  # behind the first eight times at which singular positions were passed
CLOCK_PLACES = HALVED + 1


@inline_kernel
def largest_rate(A, v, length):
    """Largest of |v|/L and |omega|."""
    worst = 0.0
    for k in range(v.shape[0]):
        size = abs(v[k]) if A.velocity_class[k] else abs(v[k]) / length
        worst = max(worst, size)
    return worst


@inline_kernel
def sum_of_errors(A, weights, h, k_stage, rate, length, nq, nv):
    """Sum of squares of h sum_i weights_i k_i over the sizes of the components."""
    total = 0.0
    for m in range(nq + nv):
        error = 0.0
        for i in range(weights.shape[0]):
            if weights[i] != 0.0:  # a stage that is not used may be anything
                error += weights[i] * k_stage[i, m]
        total += (h * error / size_of(A, m, nq, rate, length)) ** 2
    return total


@inline_kernel
def size_of(A, m, nq, rate, length):
    """What the error of component m of (q, v) is measured by."""
    if m < nq:
        return A.position_size[m]
    return rate if A.velocity_class[m - nq] else rate * length


@kernel
def write_row(row, nq, nv, y, rates, turn, column, Q, V, ACC, WORK, TURNS):
    """Report a state, its derivative and a column of its counted turns as row ``row``."""
    for m in range(nq):
        Q[row, m] = y[m]
    for m in range(nv):
        V[row, m] = y[nq + m]
        ACC[row, m] = rates[nq + m]
    WORK[row] = y[nq + nv]
    for k in range(TURNS.shape[1]):
        TURNS[row, k] = turn[k, column]


@inline_kernel
def attempted(number, mean):
    """Length of the attempt of that number, from 1 on, to cross a singular position."""
    return mean * (SHORTEST_ATTEMPT + (LONGEST_ATTEMPT - SHORTEST_ATTEMPT) * (number - 1.0) / (ATTEMPTS - 1))


@kernel
def integrate(
    A,
    W,
    method,
    rtol,
    h_fixed,
    alpha,
    beta,
    project,
    times,
    horizon,
    last,
    row,
    y,
    k,
    good,
    trial,
    clock,
    limit,
    Q,
    V,
    ACC,
    WORK,
    TURNS,
):
    """Step on from y until the rows up to ``last`` of ``times`` are reported or ``limit`` steps are done.

    y: (nq + nv + 1,) state; k: (total, same) stages, the first one filled; good: (2, same) an earlier state and its derivative;
    trial: (same,) scratch; clock: see its places above; all kept between calls.
    horizon: see `analysis/horizon.py`; how far an adaptive step may reach.
    h_fixed: step of a fixed-step method, 0 for error control. project: 0, or the residual to put each step to.
    Q, V, ACC, WORK, TURNS: rows to fill. Returns (status, next row).
    """
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
            clock[TIME] = clock[GOOD_TIME]
            clock[INDEX] = clock[GOOD_INDEX]
            row = int(clock[GOOD_ROW])
            clock[MARK] = 0.0
            clock[ATTEMPT] = clock[NEXT]
            clock[BEST] = math.inf
            clock[STEP] = attempted(clock[ATTEMPT], mean)
        t = clock[TIME]
        latest = math.inf
        h = min(clock[STEP], end - t)
        if h_fixed > 0.0:
            h = (min(clock[ORIGIN] + (clock[INDEX] + 1.0) * h_fixed, end) - t) * 0.5 ** clock[HALVED]
        if h_fixed == 0.0 and end - t < 1.5 * clock[STEP] and end - t > clock[STEP]:
            h = 0.5 * (end - t)
        if h_fixed == 0.0:
            mark = int(clock[MARK])
            while mark + 1 < horizon.shape[0] and horizon[mark + 1, 0] <= t + NEAR * max(abs(t), abs(end)):
                mark += 1
            if mark > int(clock[MARK]) and horizon[mark, 2] > 0.0:  # behind a jump the first stage is another one
                evaluate(A, W, t + NEAR * max(abs(t), abs(end)), y[:nq], y[nq : nq + nv], k[0], alpha, beta, 0.0)
            clock[MARK] = mark
            h = min(h, horizon[mark, 1] - t)
            latest = horizon[mark, 1] - NEAR * max(abs(t), abs(end))
        if (h <= 4e-15 * max(abs(t), abs(end)) and h < end - t) or not h > 0.0:
            return STEP_TOO_SMALL, row
        W.fault[0] = 0
        failed = 0
        save_turns(A.counted, W.turn)
        for i in range(1, total):
            if i > stages and (failed or times[row] > t + h * (1.0 - ROUNDING)):
                break
            for m in range(n):
                change = 0.0
                for j in range(i):
                    change += method.a[i, j] * k[j, m]
                trial[m] = y[m] + h * change
            at_end = i == stages
            put = project if at_end else 0.0
            time = min(t + method.c[i] * h, latest)
            failed |= evaluate(A, W, time, trial[:nq], trial[nq : nq + nv], k[i], alpha, beta, put)
            if at_end:
                count_turns(A.counted, W.pose, W.turn, t + h)
                for turn in range(A.counted.shape[0]):
                    W.turn[turn, REACHED] = W.turn[turn, ANGLE]
                for m in range(n):
                    W.state[m] = trial[m]
        error = 0.0
        finite = True
        for m in range(n):
            finite &= math.isfinite(W.state[m]) and math.isfinite(k[stages, m])
        if h_fixed > 0.0 and (failed or not finite):
            if not finite or clock[HALVED] == MOST_HALVINGS or W.count[REJECTIONS] == MOST_RETRIES:
                return NOT_FINITE, row
            clock[HALVED] += 1.0
            W.count[REJECTIONS] += 1
            recall_turns(A.counted, W.turn)
            continue
        if h_fixed == 0.0:
            # a step that will be rejected may have led anywhere: what it found counts for itself only
            fastest = max(clock[RATE], largest_rate(A, W.state[nq : nq + nv], length)) if finite else clock[RATE]
            rate = fastest if fastest > 0.0 else 1.0 / (end - clock[ORIGIN])
            first = sum_of_errors(A, method.error[0], h, k, rate, length, nq, nv)
            second = sum_of_errors(A, method.error[1], h, k, rate, length, nq, nv)
            both = first + 0.01 * second
            error = first / math.sqrt(both * (nq + nv)) if both > 0.0 else 0.0
            if second == 0.0:
                error = math.sqrt(first / (nq + nv))
            if project > 0.0:
                moved = 0.0
                for m in range(nq + nv):
                    change = 0.0
                    for j in range(stages):
                        change += method.a[stages, j] * k[j, m]
                    moved += ((y[m] + h * change - W.state[m]) / size_of(A, m, nq, rate, length)) ** 2
                # positions are projected to `project` only, whatever the step: less than that says nothing about it
                error = max(error, math.sqrt(moved / (nq + nv)) - project)
            error /= rtol
            if failed or not finite:
                error = math.inf
            if clock[ATTEMPT] > 0.0 and error > 1.0 and clock[ATTEMPT] <= ATTEMPTS:
                if error < clock[BEST]:
                    clock[BEST] = error
                    clock[BEST_STEP] = h
                clock[STEP] = attempted(clock[ATTEMPT] + 1.0, mean)
                if clock[ATTEMPT] == ATTEMPTS:
                    clock[STEP] = clock[BEST_STEP]
                    if not clock[BEST] < HOPELESS:
                        return STEP_TOO_SMALL, row
                clock[ATTEMPT] += 1.0
                W.count[REJECTIONS] += 1
                recall_turns(A.counted, W.turn)
                continue
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
                continue
            clock[RATE] = fastest
        W.count[STEPS] += 1
        while row < last and times[row] <= t + h * (1.0 + ROUNDING):
            theta = (times[row] - t) / h
            if theta >= 1.0 - ROUNDING:
                write_row(row, nq, nv, W.state, k[stages], W.turn, REACHED, Q, V, ACC, WORK, TURNS)
            else:
                for m in range(n):
                    change = 0.0
                    for i in range(total):
                        weight = 0.0
                        for d in range(method.dense.shape[1] - 1, -1, -1):
                            weight = (weight + method.dense[i, d]) * theta
                        change += weight * k[i, m]
                    trial[m] = y[m] + h * change
                evaluate(A, W, times[row], trial[:nq], trial[nq : nq + nv], W.rates, alpha, beta, project)
                count_turns(A.counted, W.pose, W.turn, times[row])
                write_row(row, nq, nv, trial, W.rates, W.turn, ANGLE, Q, V, ACC, WORK, TURNS)
            row += 1
        for m in range(n):
            y[m] = W.state[m]
            k[0, m] = k[stages, m]
        clock[TIME] = t + h
        clock[INDEX] += 1.0 if clock[HALVED] == 0.0 else 0.0
        clock[HALVED] = 0.0
        if h_fixed == 0.0:
            faster = SAFETY * error ** (-1.0 / method.error_order) if error > 0.0 else FASTEST
            most = 1.0 if clock[REJECTED] else FASTEST
            clock[STEP] = max(clock[STEP] if h < clock[STEP] else 0.0, h * min(max(faster, SLOWEST), most))
            clock[REJECTED] = 0.0
            if h >= USUAL * mean and W.pivot_ratio[0] > REGULAR:
                for m in range(n):
                    good[0, m] = y[m]
                    good[1, m] = k[0, m]
                clock[GOOD_TIME] = clock[TIME]
                clock[GOOD_ROW] = row
                clock[GOOD_INDEX] = clock[INDEX]
                clock[NEXT] = 1.0
    return PAUSED, row
