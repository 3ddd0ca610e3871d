"""Radau IIA of order 5 for stiff springs, dampers and bushings, with the forces of these elements as stage unknowns.

`take_step` is Hairer and Wanner (1996), sec. IV.8: the stages are predicted by the last step's polynomial (8.5), Newton's
method solves for them (8.4, 8.10), the error is estimated by (8.19) and, where that is too large at a first or a repeated
step, by (8.20). The next length is that of (8.25), Gustafsson's, in `stepping/control.py`.

With the mass-scaled accelerations a_i of the stages, their residuals r_i = f(Y_i) - a_i and, per stage, the directions W_i of
the elements, their slopes k_i, c_i and the projector P_i onto J u = 0 (see `engine/directions.py`), the forces of the elements
change by s_i:

    s_i - sum_j (c_i h A_ij + k_i h^2 A^2_ij) W_i (r_j - P_j W_j^T s_j) = 0        a_i <- a_i + r_i - P_i W_i^T s_i

that is the simplified Newton iteration (8.4) in deformation space, (I + (c h A + k h^2 A^2) x W P W^T) s = .., and a fixed
point on all else. One iteration is called a sweep: it evaluates all three stages.

The error estimate is that of the book too, with the operator of the elements at the first stage in place of a Jacobian:

    err = (I - h g J)^-1 h g (f(y_0) + sum_j e_j f(Y_j))                                                    (8.19)

The estimate goes with h^4, the error of the solution with h^5: the one may be as large as makes the other fall in proportion
to the tolerance. After each step the state is put on the constraints; by how much it is displaced counts as part of the error.
"""

from __future__ import annotations

import math

from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.radau.stages import (
    ERROR,
    MATRIX,
    NODES,
    REAL,
    SQUARE,
    STAGES,
    Stages,
    interpolate,
    make_stages,
    place_stages,
    predict_stages,
)
from sheetmbs.analysis.integrators.stepping.control import (
    are_finite,
    factor_after_divergence,
    factor_after_rejection,
    largest_rate,
    predictive_factor,
    size_of,
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
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.directions import (
    Directions,
    deformation,
    find_directions,
    make_directions,
    own_inertance,
    project_directions,
)
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import position_rates, velocities_of
from sheetmbs.engine.revolution_counts import save_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

DONE = int(Status.DONE)
PAUSED = int(Status.PAUSED)
STEP_TOO_SMALL = int(Status.STEP_TOO_SMALL)
NOT_CONVERGED = int(Status.NOT_CONVERGED)
ITERATIONS = int(Count.ITERATIONS)

ORDER = 4  # of the error estimate
SAFETY, SLOWEST, FASTEST = 0.9, 0.2, 5.0
SMALLEST_ERROR, LEAST_REMEMBERED = 1e-4, 1e-2  # what the length of the next step is predicted from
USEFUL = 0.4  # convergence rate with which a time costs least: steps with a larger one are shortened
CREEP = 1e-8  # of the whole time: steps as short as this ..
PATIENCE = 100  # .. whose sweeps do not converge, after which it is no use to go on
LENIENCY, POWER = 4.0, 0.8  # estimate of error that a step may have: so many times the error itself to the power 4/5
WEAK = 0.02  # (c h + k h^2) W W^T of a direction that the fixed point may have
SWEEPS = 12
FRESH = 0.2  # convergence rate from which on the matrix of the elements is made again
SMALLEST_RATE, LARGEST_RATE = 1e-3, 0.9  # of convergence, as the next step counts on it
HOPELESS = 2.0  # convergence rate that no new matrix mends
ITERATION = 0.5  # of the error a step may have: what may be left when the sweeps end, kappa in (8.10)


# The equations of the stages.


@kernel
def solve_stages(A, W, D, C, S, h) -> bool:
    """Solve the equations of the stages from those in S on. Returns whether the sweeps converged, into S.state also how fast.

    The sweeps end by eq. (8.10), where what is still to come, |change| rate/(1 - rate), is small enough; before a rate is seen,
    that of the last step is counted on.
    """
    state = S.state[0]
    components = A.position_size.shape[0] + A.scale.shape[0]
    if not state.convergence < LARGEST_RATE:
        state.convergence = LARGEST_RATE
    renew = True
    before = 0.0
    for sweep in range(1, SWEEPS + 1):
        state.sweeps = sweep
        evaluate_stages(A, W, D, C, S, h, renew)
        if renew:
            factor_elements(A, D, S, h)
        correct_stages(A, D, S, h)
        moved = math.sqrt(place_stages(A, S, C.y, h) / (STAGES * components)) / (ITERATION * C.allowed)
        W.count[ITERATIONS] += 1
        left = moved * max(state.convergence, SMALLEST_RATE)
        if sweep > 1:
            rate = moved / before
            state.convergence = rate
            left = moved * rate / (1.0 - rate) if rate < 1.0 else math.inf
        before = moved
        if left <= 1.0:
            return True
        if not math.isfinite(moved):
            return False
        rate = state.convergence
        is_slow = sweep > 1 and (rate >= 1.0 or left * rate ** (SWEEPS - sweep) > 1.0)
        is_old = sweep > 1 and rate > FRESH and not renew  # the matrix was made where the stages are no longer
        if is_slow and not (is_old and rate < HOPELESS):
            return False
        renew = is_old
    return False


@inline_kernel
def evaluate_stages(A, W, D, C, S, h, renew):
    """Derivatives f(Y) of the stages to S.found. renew: whether to find the elements' directions there, too."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    t, latest = C.clock[0].t, latest_time(C)
    for stage in range(STAGES):
        copy(S.value[stage], S.trial)
        time = min(t + NODES[stage] * h, latest)
        evaluate(A, W, time, S.trial[:nq], S.trial[nq : nq + nv], S.found[stage], 0.0)
        if renew:
            linearise_elements(A, W, D, S, h, stage)


@inline_kernel
def linearise_elements(A, W, D, S, h, stage):
    """Directions and slopes of the elements at the stage that was evaluated last, and P W^T of those that are unknowns."""
    find_directions(A, W, D, stage)
    if stage == 0:
        choose_directions(A, D, S, h)
    project_directions(A, W, D, stage, S.chosen, S.state[0].directions)


@inline_kernel
def choose_directions(A, D, S, h):
    """Choose the directions whose force changes enough within a step to be a stage unknown."""
    count = 0
    for n in range(D.record.shape[0]):
        strength = h * D.record[n].damping + h * h * D.record[n].stiffness
        if strength * own_inertance(D.record[n], A.body, D.entry, n * 2 * D.width, D.width) > WEAK:
            S.chosen[count] = n
            count += 1
    S.state[0].directions = count


@inline_kernel
def gain(D, i, j, n, h):
    """Change of the force in direction n at stage i per unit change of its deformation's acceleration at stage j."""
    return h * (D.slope[i, n, 1] * MATRIX[i, j] + D.slope[i, n, 0] * h * SQUARE[i, j])


@kernel
def factor_elements(A, D, S, h) -> None:
    """Matrix of the elements' forces, factored; after the directions of all stages have been found and projected."""
    count, number, chosen, matrix = D.record.shape[0], S.state[0].directions, S.chosen, S.matrix
    for i in range(STAGES):
        for e in range(number):
            n = chosen[e]
            at = (i * count + n) * 2 * D.width
            for j in range(STAGES):
                factor = gain(D, i, j, n, h)
                for f in range(number):
                    own = 1.0 if i == j and e == f else 0.0
                    inertance = deformation(D.record[n], A.body, D.entry, at, D.width, D.answer, j * count + chosen[f])
                    matrix[i * number + e, j * number + f] = own + factor * inertance
    factor_dense(matrix, STAGES * number, S.pivot)


@kernel
def correct_stages(A, D, S, h) -> None:
    """Change the accelerations in S.k by the residuals found - k and the forces of the elements that answer them."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    count, number, force, change = D.record.shape[0], S.state[0].directions, S.force, S.change
    for i in range(STAGES):
        for m in range(nv):
            change[i, m] = (S.found[i, nq + m] - S.k[i, nq + m]) / A.scale[m]
        S.k[i, nq + nv] = S.found[i, nq + nv]
    for i in range(STAGES):
        for e in range(number):
            n = S.chosen[e]
            at = (i * count + n) * 2 * D.width
            total = 0.0
            for j in range(STAGES):
                total += gain(D, i, j, n, h) * deformation(D.record[n], A.body, D.entry, at, D.width, change, j)
            force[i * number + e] = total
    solve_dense(S.matrix, STAGES * number, S.pivot, force)
    for i in range(STAGES):
        for e in range(number):
            for m in range(nv):
                change[i, m] -= force[i * number + e] * D.answer[i * count + S.chosen[e], m]
        for m in range(nv):
            S.k[i, nq + m] += A.scale[m] * change[i, m]


@kernel
def estimate_error(A, D, S, y, h, start) -> float:
    """Error of the step by eq. (8.19), to S.error; the matrix of the elements is lost.

    start: (n,) f(y_0), or for eq. (8.20) f(y_0 + err). Returns the root mean square over the sizes of the components.
    """
    components = A.position_size.shape[0] + A.scale.shape[0]
    raw_error(A, S, y, h, start)
    return math.sqrt(filter_error(A, D, S, h) / components)


@inline_kernel
def raw_error(A, S, y, h, start):
    """Error of a step as if nothing were stiff, h g (f(y_0) + sum_j e_j f(Y_j)), to S.error.

    The same as mass-scaled velocities to S.change[0] (positions) and S.change[1] (velocities).
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    k, error = S.k, S.error
    for m in range(nq + nv):
        error[m] = h * REAL * (start[m] + ERROR[0] * k[0, m] + ERROR[1] * k[1, m] + ERROR[2] * k[2, m])
    for m in range(nq):
        S.q[m] = y[m]
    velocities_of(A.body, A.beams, S.q, error, S.v)
    for m in range(nv):
        S.change[0, m] = S.v[m] / A.scale[m]
        S.change[1, m] = error[nq + m] / A.scale[m]


@inline_kernel
def filter_error(A, D, S, h):
    """Solve (I - h g J) error = `raw_error` in place, J being the elements' at the first stage.

    Returns the sum of squares of the error over the sizes of the components.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    number, chosen, force, error = S.state[0].directions, S.chosen, S.force, S.error
    g = h * REAL
    for e in range(number):
        n = chosen[e]
        at = n * 2 * D.width
        elastic, both = g * D.slope[0, n, 0], g * (D.slope[0, n, 1] + g * D.slope[0, n, 0])
        force[e] = elastic * deformation(D.record[n], A.body, D.entry, at, D.width, S.change, 0)
        force[e] += both * deformation(D.record[n], A.body, D.entry, at, D.width, S.change, 1)
        for f in range(number):
            own = 1.0 if e == f else 0.0
            S.matrix[e, f] = own + both * deformation(D.record[n], A.body, D.entry, at, D.width, D.answer, chosen[f])
    factor_dense(S.matrix, number, S.pivot)
    solve_dense(S.matrix, number, S.pivot, force)
    for m in range(nv):
        for e in range(number):
            error[nq + m] -= A.scale[m] * force[e] * D.answer[chosen[e], m]
        S.v[m] = error[nq + m]
    position_rates(A.body, A.beams, S.q, S.v, S.qd)
    total = 0.0
    for m in range(nq + nv):
        if m < nq:
            error[m] += g * S.qd[m]
        total += (error[m] / S.size[m]) ** 2
    return total


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
        self.course.update(run)
        return int(status)
