"""Adams-Bashforth-Moulton with variable step and order 1 to 12, after Shampine and Gordon (1975, ch. 10, STEP and INTRP).

The formulas stand on unequal steps in modified divided differences (Shampine and Gordon 1975, ch. 5; Hairer et al. 1993,
III.5). With the indices of the book, i = 1, 2, .., k, and phi_i the differences of f at t_n, t_(n-1), .. of order i - 1,

    psi_i = t_(n+1) - t_(n+1-i)                alpha_i = h/psi_i
    beta_1 = 1,   beta_i = beta_(i-1) psi_(i-1)/psi_(i-1 of the step before)
    sigma_1 = 1,  sigma_(i+1) = i alpha_i sigma_i
    g_(1,q) = 1/q,   g_(2,q) = 1/(q(q + 1)),   g_(i,q) = g_(i-1,q) - alpha_(i-1) g_(i-1,q+1),   g_i = g_(i,1)

    predictor of order k        p = y + h sum g_i beta_i phi_i
    predicted for t_(n+1)        ahead_(k+1) = 0,   ahead_i = ahead_(i+1) + beta_i phi_i
    corrector of order k + 1    y = p + h g_(k+1) (f(t_(n+1), p) - ahead_1)
    new differences             phi_(k+1) = f(t_(n+1), y) - ahead_1,   phi_i = ahead_i + phi_(k+1)

On equal steps beta_i = sigma_i = 1, phi_i are backward differences and g_i the coefficients of Adams and Bashforth; such a step
of order k errs by h sigma_(k+1) |gamma*_k| phi_(k+1). The interpolant is the polynomial of order k + 1 through y_(n+1) with the
slopes that phi_1, .., phi_(k+1) stand for. A step is

    P  predict y at t + h by the formula of order k         E  f there
    C  correct y by the formula of order k + 1              E  f at the corrected state, put on the constraints

Two evaluations a step, whatever the order. How far f is from what was predicted for it gives the errors of the orders k, k - 1
and k - 2, and after k + 1 equal steps that of order k + 1; the order with the least error is taken. Steps are kept, doubled, or
shortened by at least a tenth, so that most are equal. At the start order and step grow until either fails.

Errors are weighed by class, see `control.py`. The derivative that enters the differences is that of the projected state;
the displacement by which the projection corrects a step counts as part of its error. Differences across a jump say nothing:
behind one the method starts again at order 1.

Steps are shorter than the stretch on which the noise near a singular position counts (see `singular.py`), so one alone seldom
crosses it. An attempt is a series of equal steps from the last good state, taken up with its history, whatever their errors,
until the position lies behind and S is regular again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.stepping.control import (
    are_finite,
    doubled_or_shortened,
    error_of_work,
    follow_step,
    largest_rate,
    size_of,
)
from sheetmbs.analysis.integrators.stepping.driver import (
    MARK_REACH,
    MARK_TIME,
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
    mean_step,
    rate_of,
    reach_turns,
    record,
    reject,
    report_end,
    report_within,
    zeros,
)
from sheetmbs.analysis.integrators.stepping.singular import (
    FAILED,
    GOES_ON,
    REGULAR,
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
)
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Floats2, Records
from sheetmbs.engine.revolution_counts import save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)

SAME = 1e-9  # of a step: as long as the one before
FIRST = 0.25  # of the step at which a formula of order 1 might just err as much as allowed
SEVERAL = 3  # rejections in a row after which order 1 is taken up again
SHORTER, SHORTER_UNKNOWN = 0.5, 0.25  # after a rejection, and where the error is not known at all
HIGHEST = 12  # order of the predictor; the corrector is one order higher
DIFFERENCES = HIGHEST + 3  # rows of phi: row 0 is not used, so that indices are those of the book

# Rows of `formula`; places in them are the book's indices, place 0 is not used.
PSI, BEFORE, ALPHA, BETA, SIGMA, G, SCRATCH, INSIDE, SLOPE = range(9)


def moulton(count: int) -> list[float]:
    """|gamma*_i|, i = 0 to count: constants of the errors of the Adams-Moulton formulas (Hairer et al. 1993, III.1.8)."""
    gamma = [1.0]
    for m in range(1, count + 1):
        gamma.append(-sum(known / (m + 1 - j) for j, known in enumerate(gamma)))
    return [abs(number) for number in gamma]


MOULTON = np.array(moulton(HIGHEST + 1))


def new_formula() -> np.ndarray:
    """Coefficients before the first step."""
    return np.zeros((9, DIFFERENCES + 1))


@kernel
def set_formula(formula, order, h) -> None:
    """Coefficients of a step h of that order; `formula[BEFORE]` holds the psi of the step before."""
    formula[PSI, 1] = h
    formula[ALPHA, 1] = 1.0
    formula[BETA, 1] = 1.0
    formula[SIGMA, 1] = 1.0
    formula[SIGMA, 2] = 1.0
    for i in range(2, order + 1):
        before = formula[BEFORE, i - 1]
        formula[PSI, i] = h + before
        formula[ALPHA, i] = h / formula[PSI, i]
        formula[BETA, i] = formula[BETA, i - 1] * formula[PSI, i - 1] / before
        formula[SIGMA, i + 1] = i * formula[ALPHA, i] * formula[SIGMA, i]
    formula[G, 1] = 1.0
    formula[G, 2] = 0.5
    for q in range(1, order + 1):
        formula[SCRATCH, q] = 1.0 / (q * (q + 1.0))
    for i in range(3, order + 2):
        for q in range(1, order + 3 - i):
            formula[SCRATCH, q] -= formula[ALPHA, i - 1] * formula[SCRATCH, q + 1]
        formula[G, i] = formula[SCRATCH, 1]


@kernel
def predict(formula, order, h, y, phi, ahead, predicted) -> None:
    """Predicted state, and the differences predicted for the end of the step: rows 1 to order of ``ahead``."""
    n = y.shape[0]
    for m in range(n):
        predicted[m] = 0.0
        ahead[order + 1, m] = 0.0
    for i in range(order, 0, -1):
        g = formula[G, i]
        beta = formula[BETA, i]
        for m in range(n):
            star = beta * phi[i, m]
            predicted[m] += g * star
            ahead[i, m] = ahead[i + 1, m] + star
    for m in range(n):
        predicted[m] = y[m] + h * predicted[m]


@kernel
def accept(formula, order, phi, ahead, rates) -> None:
    """Differences at the end of a step, whose derivative is ``rates``."""
    n = rates.shape[0]
    for m in range(n):
        newest = rates[m] - ahead[1, m]
        phi[order + 2, m] = newest - phi[order + 1, m]
        phi[order + 1, m] = newest
    for i in range(1, order + 1):
        for m in range(n):
            phi[i, m] = ahead[i, m] + phi[order + 1, m]
        formula[BEFORE, i] = formula[PSI, i]


@kernel
def interpolate(formula, order, back, y, phi, state) -> None:
    """State at ``back`` (negative) from the end of the last step, which was of that order."""
    for i in range(1, order + 2):
        formula[SCRATCH, i] = 1.0 / i
    formula[INSIDE, 1] = 1.0
    from_end = 0.0
    for j in range(2, order + 2):
        psi = formula[BEFORE, j - 1]
        gamma = (back + from_end) / psi
        eta = back / psi
        for i in range(1, order + 3 - j):
            formula[SCRATCH, i] = gamma * formula[SCRATCH, i] - eta * formula[SCRATCH, i + 1]
        formula[INSIDE, j] = formula[SCRATCH, 1]
        from_end = psi
    n = y.shape[0]
    for m in range(n):
        state[m] = 0.0
    for i in range(order + 1, 0, -1):
        g = formula[INSIDE, i]
        for m in range(n):
            state[m] += g * phi[i, m]
    for m in range(n):
        state[m] = y[m] + back * state[m]


@inline_kernel
def predicted_error(ahead, i, rates, size, count):
    """Norm of the difference phi_i at the end of a step, before the correction."""
    total = 0.0
    for m in range(count):
        total += ((ahead[i, m] + rates[m] - ahead[1, m]) / size[m]) ** 2
    return math.sqrt(total / count)


@inline_kernel
def errors(formula, order, h, ahead, rates, size, count):
    """Errors of a predicted step, of equal steps of its order and of the one below, and the order for which they speak.

    ahead: its row order + 1 is zero. Source: Shampine and Gordon 1975, ch. 7.
    """
    newest = predicted_error(ahead, order + 1, rates, size, count)
    error = h * (formula[G, order] - formula[G, order + 1]) * newest
    same = h * formula[SIGMA, order + 1] * MOULTON[order] * newest
    if order == 1:
        return error, same, 0.0, 1
    lower = h * formula[SIGMA, order] * MOULTON[order - 1] * predicted_error(ahead, order, rates, size, count)
    if order == 2:
        return error, same, lower, 1 if lower <= 0.5 * same else 2
    lowest = h * formula[SIGMA, order - 1] * MOULTON[order - 2] * predicted_error(ahead, order - 1, rates, size, count)
    return error, same, lower, order - 1 if max(lower, lowest) <= same else order


@inline_kernel
def norm(vectors, i, size, count):
    """Root mean square of the first ``count`` components of a row over their sizes."""
    total = 0.0
    for m in range(count):
        total += (vectors[i, m] / size[m]) ** 2
    return math.sqrt(total / count)


@inline_kernel
def next_order(order, lowered, starting, equal, lower, same, higher):
    """Order of the next step and the error of a step of that order.

    lowered: the order for which `errors` spoke. equal: how many equal steps there were with order - 1 and above; lower, same,
    higher: errors of the orders below, of this one and of the one above. Source: the same, ch. 7.
    """
    if lowered < order:
        return order - 1, lower
    if starting and order < HIGHEST:
        return order + 1, 0.0
    if order >= equal:  # the error of the order above is not known
        return order, same
    if order > 1 and lower <= min(same, higher):
        return order - 1, lower
    if order < HIGHEST and higher < (same if order > 1 else 0.5 * same):
        return order + 1, higher
    return order, same


# What the formulas are made for: order of the next step, 0 to begin again, and that of the last; length of the last, s, 0 none;
# how many equal steps there were in a row; whether order and step still grow from step to step.
HISTORY = np.dtype([("order", "i8"), ("last_order", "i8"), ("last_step", "f8"), ("equal", "i8"), ("is_starting", "i8")])
# What the last prediction says: errors of equal steps of the order below and of its own, and the order for which they speak.
ESTIMATE = np.dtype([("lower", "f8"), ("same", "f8"), ("lowered", "i8")])


@dataclass(frozen=True, eq=False)
class AdamsMemory(Bundle):
    """What the method keeps between calls, and scratch; n = nq + nv + 1."""

    phi: Floats2  # (DIFFERENCES, n) differences of the derivative, phi[1] the derivative itself
    formula: Floats2  # (9, DIFFERENCES + 1)
    history: Annotated[Records, HISTORY]  # (1,)
    crossing: Crossing
    good: Floats2  # (DIFFERENCES, n) state to come back to, good[0], with its differences
    good_formula: Floats  # (DIFFERENCES + 1,)
    good_history: Annotated[Records, HISTORY]  # (1,)
    estimate: Annotated[Records, ESTIMATE]  # (1,)
    ahead: Floats2  # (DIFFERENCES, n) differences predicted for the end of a step
    predicted: Floats  # (n,)
    size: Floats  # (n,) what errors are measured by
    rates: Floats  # (n,)
    trial: Floats  # (n,)


# One step.


@inline_kernel
def evaluate_trial(A, W, N, t, project):
    """F at N.trial, to N.rates. Returns whether there are numbers, on the constraints."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    failed = evaluate(A, W, t, N.trial[:nq], N.trial[nq : nq + nv], N.rates, project)
    return not failed and are_finite(N.trial, N.rates)


@kernel
def predict_and_evaluate(A, W, C, N, t, h, latest) -> float:
    """P and E. Returns the error of the step, infinite where it leads nowhere, and leaves what it says in N.estimate."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    order, estimate, clock = N.history[0].order, N.estimate[0], C.clock[0]
    set_formula(N.formula, order, h)
    predict(N.formula, order, h, C.y, N.phi, N.ahead, N.predicted)
    copy(N.predicted, N.trial)
    if not evaluate_trial(A, W, N, min(t + h, latest), 0.0):
        estimate.lowered = 1
        return math.inf
    set_sizes(A, clock, N, max(clock.fastest, largest_rate(A.velocity_class, N.trial[nq : nq + nv], A.length)))
    error, estimate.same, estimate.lower, estimate.lowered = errors(
        N.formula, order, h, N.ahead, N.rates, N.size, nq + nv
    )
    newest = h * (N.ahead[order + 1, nq + nv] + N.rates[nq + nv] - N.ahead[1, nq + nv])
    rate = rate_of(clock, clock.fastest)
    by_work = error_of_work(A, W, N.trial[nq : nq + nv], rate, newest)
    estimate.same = max(estimate.same, N.formula[SIGMA, order + 1] * MOULTON[order] * by_work)
    return max(error, abs(N.formula[G, order] - N.formula[G, order + 1]) * by_work)


@kernel
def correct_and_evaluate(A, W, C, N, t, h, latest) -> float:
    """C and E. Returns what the projection adds to the error."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    gain = h * N.formula[G, N.history[0].order + 1]
    for m in range(N.trial.shape[0]):
        N.predicted[m] += gain * (N.rates[m] - N.ahead[1, m])
    copy(N.predicted, N.trial)
    if not evaluate_trial(A, W, N, min(t + h, latest), C.project):
        N.estimate[0].lowered = 1
        return math.inf
    total = 0.0
    for m in range(nq + nv):
        total += ((N.trial[m] - N.predicted[m]) / N.size[m]) ** 2
    return math.sqrt(total / (nq + nv)) - C.project


@inline_kernel
def set_sizes(A, clock, N, rate):
    """What the errors of the components are measured by, where velocities reach ``rate``."""
    rate = max(rate, 1.0 / (clock.end - clock.origin))
    for m in range(A.position_size.shape[0] + A.scale.shape[0]):
        N.size[m] = size_of(A.position_size, A.velocity_class, m, rate, A.length)


@kernel
def choose_next(A, C, N, h, equal, moved) -> None:
    """Order and length of the next step (Shampine and Gordon 1975, ch. 7). moved: what the projection adds to the error."""
    count = A.position_size.shape[0] + A.scale.shape[0]
    history, estimate = N.history[0], N.estimate[0]
    order = history.order
    if estimate.lowered < order or order == HIGHEST:
        history.is_starting = 0
    is_starting = history.is_starting > 0
    higher = 0.0
    if order < equal:
        higher = h * MOULTON[order + 1] * norm(N.phi, order + 2, N.size, count)
    chosen, error = next_order(order, estimate.lowered, is_starting, equal, estimate.lower, estimate.same, higher)
    history.order = chosen
    C.clock[0].step = h * doubled_or_shortened(max(error, moved), C.allowed, chosen, is_starting)


# The loop over steps.


@kernel
def integrate_adams(A: Arrays, W: Work, C: Course, N: AdamsMemory, limit: int) -> int:
    """Step on until all rows are reported or ``limit`` steps are taken. N.phi[1]: derivative at C.y. Returns a Status."""
    clock, history, crossing = C.clock[0], N.history[0], N.crossing.state[0]
    taken = 0
    while taken < limit:
        if is_finished(C):
            return DONE
        if is_stuck(clock, crossing, W.pivot_ratio[0]):
            begin_crossing(crossing, clock, N.good_history[0].last_step)
            try_again(C, N)
        if look_ahead(C):
            copy(C.y, N.trial)
            evaluate_trial(A, W, N, just_behind(clock), 0.0)
            copy(N.rates, N.phi[1])
            history.order = 0
        if history.order == 0:
            begin(A, C, N)
        elif crossing.attempt == 0 and is_good(history.last_step, mean_step(clock), W.pivot_ratio[0]):
            keep(C, N)
        t, latest = clock.t, latest_time(C)
        h = next_length(C, crossing.attempt > 0)
        if is_too_short(clock, h):
            if crossing.attempt > 0:
                clock.row = crossing.stuck_row
            return STEP_TOO_SMALL
        if C.from_step:
            follow_step(W.feedback, h)
        W.fault[0] = 0
        save_turns(A.counted, W.turn)

        error = predict_and_evaluate(A, W, C, N, t, h, latest)
        if is_taken_back(A, W, C, N, h, error):
            continue
        moved = correct_and_evaluate(A, W, C, N, t, h, latest)
        if is_taken_back(A, W, C, N, h, moved):
            continue
        let_count(A, W, C, N, t, h, moved)
        taken += 1
        if crossing.attempt > 0 and goes_back(W, C, N):
            continue
        while has_row_within(C, t, h):
            interpolate(N.formula, history.last_order, C.rows.times[clock.row] - clock.t, C.y, N.phi, N.trial)
            report_within(A, W, C, N.trial, C.project)
        report_end(W, C, t, h, C.y, N.phi[1])
    return PAUSED


@kernel
def begin(A, C, N) -> None:
    """Forget what was before; the first step follows from the derivative."""
    clock, history = C.clock[0], N.history[0]
    set_sizes(A, clock, N, clock.fastest)
    speed = norm(N.phi, 1, N.size, A.position_size.shape[0] + A.scale.shape[0])
    if speed > 0.0:
        clock.step = FIRST * math.sqrt(C.allowed) / speed
    for m in range(N.phi.shape[1]):
        N.phi[2, m] = 0.0
    history.order = history.is_starting = 1
    history.last_order = history.equal = 0
    history.last_step = 0.0


@inline_kernel
def next_length(C, is_crossing):
    """Length of the next step; one or two equal ones end where a step must end."""
    clock, horizon = C.clock[0], C.horizon
    reach = horizon[clock.mark, MARK_REACH]
    is_last = clock.mark + 1 == horizon.shape[0]
    is_hard = is_last or reach <= horizon[clock.mark + 1, MARK_TIME] or clock.end <= reach
    h, left = clock.step, min(clock.end, reach) - clock.t
    if h >= left:
        h = left
    elif is_hard and 2.0 * h > left:
        h = 0.5 * left
    return h if is_crossing else min(h, longest_step(C))  # a singular position is crossed by equal steps


@kernel
def is_taken_back(A, W, C, N, h, error) -> bool:
    """Whether a step errs too much; it has been taken back then, and the next one is shorter or of lower order."""
    clock, history, crossing = C.clock[0], N.history[0], N.crossing.state[0]
    if crossing.attempt > 0:
        if judge_attempt(crossing, error / C.allowed, is_behind=False) == GOES_ON:
            return False
        reject(A, W, clock)
        try_again(C, N)
        return True
    if error <= C.allowed:
        return False
    reject(A, W, clock)
    is_known = error < math.inf
    history.is_starting = history.equal = 0
    history.last_step = 0.0
    history.order = N.estimate[0].lowered if is_known and clock.rejections < SEVERAL else 1
    shorter = SHORTER if is_known else SHORTER_UNKNOWN
    if clock.rejections > SEVERAL and is_known:
        shorter = min(SHORTER, math.sqrt(0.5 * C.allowed / error))
    clock.step = shorter * h
    return True


@kernel
def let_count(A, W, C, N, t, h, moved) -> None:
    """Let a step count."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    clock, history = C.clock[0], N.history[0]
    order, equal = history.order, 1
    if abs(h - history.last_step) <= SAME * h:  # of them only so many say something about the order above
        equal = min(history.equal, history.last_order) + 1
    accept(N.formula, order, N.phi, N.ahead, N.rates)
    copy(N.trial, C.y)
    advance_clock(W, clock, h)
    clock.ratio = W.pivot_ratio[0]
    clock.fastest = max(clock.fastest, largest_rate(A.velocity_class, N.trial[nq : nq + nv], A.length))
    reach_turns(A, W, t + h)
    history.last_order, history.last_step, history.equal = order, h, equal
    choose_next(A, C, N, h, equal, moved)
    if N.crossing.state[0].attempt > 0:
        history.order, clock.step = order, N.crossing.state[0].tried


@kernel
def goes_back(W, C, N) -> bool:
    """After a step of an attempt: whether the attempt is over and another is to be tried."""
    clock, crossing = C.clock[0], N.crossing.state[0]
    outcome = judge_attempt(crossing, 0.0, clock.t > crossing.stuck_at and W.pivot_ratio[0] > REGULAR)
    if outcome == FAILED:
        try_again(C, N)
    elif outcome != GOES_ON:
        end_crossing(N.crossing, crossing.stuck_at)
    return outcome == FAILED


@kernel
def keep(C, N) -> None:
    """Remember a state with its history."""
    copy(C.y, N.good[0])
    for i in range(1, N.phi.shape[0]):
        copy(N.phi[i], N.good[i])
    copy(N.formula[BEFORE], N.good_formula)
    N.good_history[0] = N.history[0]
    keep_clock(N.crossing, C.clock[0])


@kernel
def try_again(C, N) -> None:
    """Go back to the state that was remembered last, to cross a singular position by other steps."""
    recall_clock(N.crossing, C)
    copy(N.good[0], C.y)
    for i in range(1, N.phi.shape[0]):
        copy(N.good[i], N.phi[i])
    copy(N.good_formula, N.formula[BEFORE])
    N.history[0] = N.good_history[0]
    begin_attempt(N.crossing.state[0], C.clock[0])


class AdamsBashforthMoulton:
    """The method as an Integrator over a run. Source: Shampine and Gordon 1975."""

    def __init__(self, run: Run) -> None:
        n = len(run.y)
        self.run, self.course = run, course_of(run)
        self.memory = AdamsMemory(
            formula=new_formula(),
            history=record(HISTORY),
            crossing=crossing_of(run),
            good_history=record(HISTORY),
            estimate=record(ESTIMATE),
            size=np.ones(n),
            **zeros("phi good ahead", DIFFERENCES, n),
            **zeros("good_formula", DIFFERENCES + 1),
            **zeros("predicted rates trial", n),
        )

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns DONE, PAUSED or STEP_TOO_SMALL."""
        run, memory = self.run, self.memory
        memory.phi[1] = run.rates
        status = integrate_adams(run.arrays, run.work, self.course, memory, limit)
        run.rates[:] = memory.phi[1]
        self.course.update(run)
        memory.crossing.update(run)
        return int(status)
