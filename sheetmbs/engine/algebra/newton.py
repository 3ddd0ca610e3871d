"""Positions on the constraints: Phi(q, t) = 0 by a trust-region dogleg, Levenberg-Marquardt or plain Newton.

All three take least-norm steps in mass-scaled coordinates and share one factor of S = J J^T:
    Newton               p = -J^T S^-1 Phi
    Cauchy               p = -(|g|^2/|J g|^2) g,  g = J^T Phi
    dogleg               from the Cauchy point to the Newton point, within the trust radius (Powell 1970)
    Levenberg-Marquardt  p = -J^T (S + mu I)^-1 Phi, the same step as -(J^T J + mu I)^-1 J^T Phi
The regularisation falls with the residual, so dependent rows stop nothing and convergence stays quadratic.
"""

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.linear import EXACT, add_transposed, factor, least_norm_within, residual_of, solve
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_all, place_all, set_rates
from sheetmbs.engine.kinematics import displace, row_product
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.revolution_counts import (
    ANGLE,
    KNOWN,
    KNOWN_RATE,
    SAVED,
    count_turns,
    extrapolate_revolutions,
    recall_turns,
    save_turns,
)
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

FACTORISATIONS = int(Count.FACTORISATIONS)
ITERATIONS = int(Count.ITERATIONS)

DOGLEG, NEWTON, LEVENBERG_MARQUARDT = 0, 1, 2
ITERATION_LIMIT = 150
PATIENCE = 15
STALLED = 0.5  # of the cost left after that many iterations: the dogleg is caught at a saddle, and leaps the next time
LEAST_EPS = 1e-12
LARGEST_EPS = 1e-8  # more drowns what moves heavy bodies where thin rods turn: their rows are as large as 1/inertia
COARSE_EPS = 1e-3  # of a search that was caught: a leap then stays in reach
REFINEMENTS = 2
FIRST_DAMPING = 1e-6
POOR_GAIN, GOOD_GAIN = 0.25, 0.75
SURPRISING = 0.1  # difference from what was expected, from which on a step may have landed on another branch
SURPRISING_TURN = 1.0  # rad: the same for the change of an angle, which may be wrong by whole turns
FALLEN = 0.75  # share of |Phi|^2 to which a step of Newton's method must bring it at least: else it needs guidance
ONE_STEP_RESIDUAL = 1e-7  # residual over the size of the model from which one step of Newton's method leads to rounding
SETTLED = 1e-15  # the same that is rounding
SHORTEST = 0.5**12  # of a step, before a mechanism counts as locked
VELOCITY_SLACK = 1e4  # residual of J v = nu, relative to the tolerance and to nu, from which on J counts as singular
DEAD_POINT = (
    1e-9  # pivot of S over its diagonal: positions known to 1e-10 then tell velocities to no more than 5 digits
)

DONE, NOT_CLOSED, SINGULAR = 0, 1, 2


@inline_kernel
def sum_of_squares(x):
    """Scalar product of a vector with itself."""
    total = 0.0
    for k in range(x.shape[0]):
        total += x[k] * x[k]
    return total


@inline_kernel
def largest(x):
    """Largest absolute entry; inf if one is not a number."""
    worst = 0.0
    for k in range(x.shape[0]):
        if not abs(x[k]) <= worst:
            worst = abs(x[k])
    return worst if worst == worst else math.inf  # noqa: PLR0124 - nan is not itself


@kernel
def solve_positions(A: Arrays, W: Work, t: float, q: Floats, tolerance: float, method: int) -> int:
    """Bring q onto the constraints at time t, by the least change that Newton's way allows.

    q: (nq,) start, changed in place. Returns 0, or 1 if the residual stays above ``tolerance``; q: where the search ended.
    W then holds the residual and the Jacobian at q. An infinite tolerance leaves q where it is.
    """
    phi, step, trial = W.phi, W.step, W.trial
    W.fault[0] = 0
    evaluate_motions(A.motion, A.curves, A.tapes, t, W.motion, W.hint, W.stack, W.fault)
    extrapolate_revolutions(A.turn, W.turn, t)
    copy(q, trial)
    radius = math.inf
    most = LARGEST_EPS  # of the regularisation
    damping = FIRST_DAMPING if method == LEVENBERG_MARQUARDT else 0.0
    cost = math.inf  # |Phi|^2/2 at q
    length = 0.0  # of the step from q to the trial
    expected = 0.0  # fall in cost that the linear model promised for it
    milestone = math.inf  # cost some iterations ago
    promised = 0.0  # the same at the Cauchy point
    left = 0.0  # cost that the linear model leaves where the damping ends its step
    is_placed = False  # whether W holds q
    polishing = False  # one more step once the tolerance is met: it is nearly free and takes the residual to rounding
    for iteration in range(1, ITERATION_LIMIT + 1):
        place_all(A, W, A.turn, trial)
        W.count[ITERATIONS] += 1
        worst = largest(phi)
        new_cost = 0.5 * sum_of_squares(phi)
        gain = (cost - new_cost) / expected if expected > 0.0 else 1.0
        if method == NEWTON or new_cost < cost or (polishing and worst <= tolerance):
            copy(trial, q)
            cost = new_cost
            is_placed = True
            if polishing or worst == 0.0 or tolerance == math.inf:
                break
            polishing = worst <= tolerance
            if method == DOGLEG and gain > GOOD_GAIN:
                radius = max(radius, 2.0 * length)
            if method == LEVENBERG_MARQUARDT and expected > 0.0 and gain > POOR_GAIN:
                damping *= 0.2
            eps = min(max(worst / A.length, LEAST_EPS), most)
            if method == LEVENBERG_MARQUARDT:
                eps = max(eps, damping)
            promised, left = find_ways_down(A, W, eps)
        elif polishing:
            break
        if method == DOGLEG and gain < POOR_GAIN:
            radius = 0.25 * length
        if method == LEVENBERG_MARQUARDT and not new_cost <= cost:
            damping *= 10.0
            expected = 0.0
            cost = math.inf  # back to q, whose Jacobian has been overwritten, with more damping
            copy(q, trial)
            continue
        leaping = False
        if method == DOGLEG and iteration % PATIENCE == 0:
            if cost > STALLED * milestone:
                radius = math.inf
                leaping = most == COARSE_EPS
                most = COARSE_EPS
            milestone = cost
        expected = dogleg_step(W.newton, W.cauchy, radius, step, cost, promised)
        if method == LEVENBERG_MARQUARDT:
            expected = cost - left
        length = math.sqrt(sum_of_squares(step))
        if length == 0.0 or not length < math.inf:
            break
        copy(q, trial)
        displace(A.body, A.beams, trial, step, A.scale, 1.0)
        is_placed = False
        if leaping:
            cost = math.inf
    if not is_placed:
        place_all(A, W, A.turn, q)
    return 0 if largest(phi) <= tolerance else 1


@inline_kernel
def find_ways_down(A, W, eps):
    """The Newton step and the Cauchy point at the residual and the Jacobian in W, to `Work.newton` and `Work.cauchy`.

    Returns how far the linear model says the cost falls at the Cauchy point, and what of it the regularisation eps leaves at
    the end of the Newton step, where Phi + J p = eps C (S + eps C)^-1 Phi.
    """
    rows, phi, multiplier, newton, cauchy = A.row, W.phi, W.multiplier, W.newton, W.cauchy
    factor(A.layout, rows, A.missing, W.jacobian, W, eps)
    W.count[FACTORISATIONS] += 1
    for r in range(phi.shape[0]):
        multiplier[r] = -phi[r]
    solve(A.layout, W.s, W.inverse_pivot, multiplier)
    left = 0.0
    for r in range(phi.shape[0]):
        compliance = rows[r].compliance
        left += 0.5 * (eps * (compliance if compliance > 0.0 else W.square[r]) * multiplier[r]) ** 2
    for k in range(newton.shape[0]):
        newton[k] = 0.0
        cauchy[k] = 0.0
    add_transposed(A.layout.block, W.jacobian, multiplier, newton)
    add_transposed(A.layout.block, W.jacobian, phi, cauchy)
    bend = 0.0
    for r in range(phi.shape[0]):
        bend += row_product(rows[r], A.body, W.jacobian, cauchy) ** 2
    downhill = -sum_of_squares(cauchy) / bend if bend > 0.0 else 0.0
    for k in range(cauchy.shape[0]):
        cauchy[k] *= downhill
    return 0.5 * downhill * downhill * bend, left


@inline_kernel
def dogleg_step(newton, cauchy, radius, step, cost, promised):
    """The step within the radius on the path 0, Cauchy point, Newton point.

    cost: |Phi|^2/2. promised: how far the linear model says it falls at the Cauchy point. Returns the same for the step.
    """
    n = step.shape[0]
    long = math.sqrt(sum_of_squares(newton))
    short = math.sqrt(sum_of_squares(cauchy))
    if long <= radius:
        copy(newton, step)
        return cost
    if short >= radius:
        for k in range(n):
            step[k] = cauchy[k] * (radius / short)
        return (2.0 - radius / short) * (radius / short) * promised
    a = b = 0.0
    for k in range(n):
        d = newton[k] - cauchy[k]
        a += d * d
        b += cauchy[k] * d
    c = short * short - radius * radius
    share = (-b + math.sqrt(b * b - a * c)) / a
    for k in range(n):
        step[k] = cauchy[k] + share * (newton[k] - cauchy[k])
    return cost - (1.0 - share) ** 2 * (cost - promised)


@kernel
def solve_velocities(A: Arrays, W: Work, v: Floats, eps: float) -> float:
    """Least mass-weighted change of v to J v = nu at the Jacobian in W. Returns the residual over 1 + the largest nu."""
    factor_here(A, W, eps)
    return solve_rates(A, W, v)


@kernel
def solve_rates(A, W, v) -> float:
    """The same for other rates of motions, with the factor in W."""
    layout, scale = A.layout, A.scale
    set_rates(A.row, W.motion, W.nu)
    for k in range(v.shape[0]):
        W.step[k] = v[k] / scale[k]
    least_norm_within(layout, W.jacobian, W, W.nu, W.step, W.multiplier, REFINEMENTS, EXACT)
    for k in range(v.shape[0]):
        v[k] = W.step[k] * scale[k]
    return residual_of(layout.block, W.jacobian, W.nu, W.step, W.residual) / (1.0 + largest(W.nu))


@kernel
def solve_accelerations(A, W, v, a) -> None:
    """Accelerations (nv,) with J a = gamma of least weighted size, unique for a fully driven system; after the velocities."""
    scale = A.scale
    move_all(A, W, A.turn, v)
    for k in range(a.shape[0]):
        W.scaled[k] = 0.0
    least_norm_within(A.layout, W.jacobian, W, W.gamma, W.scaled, W.multiplier, REFINEMENTS, EXACT)
    for k in range(a.shape[0]):
        a[k] = W.scaled[k] * scale[k]


@inline_kernel
def surprise(size, expected, found):
    """Largest difference of two configurations, over the size of each coordinate."""
    worst = 0.0
    for k in range(found.shape[0]):
        worst = max(worst, abs(found[k] - expected[k]) / size[k])
    return worst


@inline_kernel
def miscount(turns, turn, h):
    """Largest difference, rad, of the change of a counted angle over a step h from that by the mean of its rates."""
    worst = 0.0
    for k in range(turns.shape[0]):
        change = turn[k, KNOWN] - turn[k, SAVED] - 0.5 * h * (turn[k, KNOWN_RATE] + turn[k, SAVED + 1])
        worst = max(worst, abs(change))
    return worst


@kernel
def close_predicted(A, W, t, tolerance) -> int:
    """Bring W.guess onto the constraints by Newton's method alone. Returns 0, or 1 where the residual falls too slowly.

    W then holds the Jacobian there, and the factor of the last step, which took the residual to rounding: no other is needed.
    """
    evaluate_motions(A.motion, A.curves, A.tapes, t, W.motion, W.hint, W.stack, W.fault)
    extrapolate_revolutions(A.turn, W.turn, t)
    most = math.inf
    is_closed = False
    while True:
        place_all(A, W, A.turn, W.guess)
        W.count[ITERATIONS] += 1
        worst, cost = largest(W.phi), sum_of_squares(W.phi)
        if is_closed or (most < math.inf and worst <= SETTLED * A.length):
            return 0 if worst <= tolerance else 1
        is_closed = worst <= tolerance
        if not (is_closed or cost < most):
            return 1
        most = FALLEN * cost
        factor_here(A, W, LEAST_EPS if worst <= ONE_STEP_RESIDUAL * A.length else min(worst / A.length, LARGEST_EPS))
        for r in range(W.phi.shape[0]):
            W.multiplier[r] = -W.phi[r]
        solve(A.layout, W.s, W.inverse_pivot, W.multiplier)
        for c in range(W.newton.shape[0]):
            W.newton[c] = 0.0
        add_transposed(A.layout.block, W.jacobian, W.multiplier, W.newton)
        displace(A.body, A.beams, W.guess, W.newton, A.scale, 1.0)


@inline_kernel
def factor_here(A, W, eps):
    """Factor J J^T at the Jacobian in W; the worst pivot is in W.pivot_ratio."""
    W.count[FACTORISATIONS] += 1
    W.pivot_ratio[0] = factor(A.layout, A.row, A.missing, W.jacobian, W, eps)


@dataclass(frozen=True, eq=False)
class DrivenMotion(Bundle):
    """A motion that drivers prescribe, as far as it is known, and how its positions are found."""

    times: Floats  # (rows,)
    positions: Floats2  # (rows, nq)
    velocities: Floats2  # (rows, nv)
    accelerations: Floats2  # (rows, nv)
    turns: Floats2  # (rows, counted turns)
    q: Floats  # (nq,) where it has come to, and its derivatives there
    v: Floats  # (nv,)
    a: Floats  # (nv,)
    jerk: Floats  # (nv,) between the last two accelerations
    tolerance: float  # residual of the positions
    method: int  # DOGLEG, NEWTON or LEVENBERG_MARQUARDT


@kernel
def move_through(A: Arrays, W: Work, M: DrivenMotion, first: int, last: int) -> tuple[int, int]:
    """Kinematic analysis of rows first .. last - 1, from the state at row first - 1, or from the start for row 0.

    Each row starts from q + h v + h^2 a/2 + h^3 j/6 with j from the last two accelerations; where that does not close, or
    closes far from there, or angles do not change as their rates say, the step is halved, so that a mechanism stays on its
    branch, and turns are counted, however far apart the rows are.
    Returns (row, why): row ``last`` when all is done, else the row that was not reached with why = NOT_CLOSED or SINGULAR;
    q is then the last sound configuration and W.reached[0] its time.
    """
    bodies, scale, guess = A.body, A.scale, W.guess
    times, q, v, a, jerk, tolerance = M.times, M.q, M.v, M.a, M.jerk, M.tolerance
    for n in range(first, last):
        goal = times[n]
        t = times[n - 1] if n > 0 else goal
        h = goal - t
        least = h * SHORTEST
        while True:
            copy(q, guess)
            for k in range(scale.shape[0]):
                W.newton[k] = h * (v[k] + h * (a[k] / 2.0 + h * jerk[k] / 6.0)) / scale[k]
            displace(bodies, A.beams, guess, W.newton, scale, 1.0)
            copy(guess, W.state)
            open_still = close_predicted(A, W, t + h, tolerance)
            if open_still:
                copy(W.state[: guess.shape[0]], guess)
                open_still = solve_positions(A, W, t + h, guess, tolerance, M.method)
                factor_here(A, W, LEAST_EPS)
            if open_still or (h > least and surprise(A.position_size, W.state, guess) > SURPRISING):
                h *= 0.5
                if open_still and h <= least:
                    W.reached[0] = t
                    return n, NOT_CLOSED
                continue
            rates = M.velocities[n]
            copy(v, rates)
            if solve_rates(A, W, rates) > tolerance * VELOCITY_SLACK or W.pivot_ratio[0] < DEAD_POINT:
                W.reached[0] = t + h
                return n, SINGULAR
            if A.counted.shape[0] > 0:
                move_all(A, W, A.turn, rates)
                save_turns(A.counted, W.turn)
                count_turns(A.counted, W.pose, W.place, W.turn, t + h)
                if h > least and miscount(A.counted, W.turn, h) > SURPRISING_TURN:
                    recall_turns(A.counted, W.turn)
                    h *= 0.5
                    continue
            copy(guess, q)
            copy(rates, v)
            copy(a, jerk)
            solve_accelerations(A, W, v, a)
            for k in range(a.shape[0]):
                jerk[k] = (a[k] - jerk[k]) / h if h > 0.0 else 0.0
            t += h
            if goal - t <= 0.5 * least:
                break
            h = min(2.0 * h, goal - t)
        copy(q, M.positions[n])
        copy(a, M.accelerations[n])
        for k in range(A.counted.shape[0]):
            M.turns[n, k] = W.turn[k, ANGLE]
    return last, DONE
