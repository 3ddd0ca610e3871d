"""The equations of one step of the generalized-alpha method on a Lie group, and Newton's method for them.

Arnold and Bruls (2007), sec. 3; Bruls, Cardona and Arnold (2012), sec. 3. b is the acceleration-like variable; all in mass-scaled
velocities, so that M = 1:

    a = Q(q, v, t) + J^T lambda                                   Phi(q, t) = 0                                (index 3)
    (1 - alpha_m) b + alpha_m b_n = (1 - alpha_f) a + alpha_f a_n
    q = q_n o exp(h v_n + h^2 ((1/2 - beta) b_n + beta b))        v = v_n + h ((1 - gamma) b_n + gamma b)

Stabilised, both Phi = 0 and J v = nu hold, and q takes a second multiplier (Arnold, Cardona and Bruls 2016, sec. 3, after Gear,
Gupta and Leimkuhler 1985): q = q_n o exp(h v_n + h^2 (..) + J^T eta). Each Newton step solves, with c = (1 - alpha_m)/(1 - alpha_f),

    [c + h gamma D + h^2 beta K    -J^T] [delta b     ]   [Q + J^T lambda - a]
    [J                              0  ] [delta lambda] = [w                 ],    w = -Phi/(h^2 beta) or (nu - J v)/(h gamma)

in which nothing grows as h falls (Bottasso, Bauchau and Cardona 2007): the rows are scaled by h and the columns by mass. As long
as it converges, K and D are left out and the factor of S = J J^T solves the system. For stiff elements the
tangents K = -d(Q + J^T lambda)/dq and D = -dQ/dv are differences along `displace`, and the system is factored densely.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.applied import apply_bushings, apply_loads, apply_springs, read_variables
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_all, place_all, set_rates
from sheetmbs.engine.dense import factor_dense, solve_dense
from sheetmbs.engine.evaluate import EPS, SMALL_PIVOT
from sheetmbs.engine.kinematics import add_gyroscopic, displace, row_product
from sheetmbs.engine.linear import add_transposed, factor, least_norm
from sheetmbs.engine.motions import evaluate_motions
from sheetmbs.engine.vec import copy
from sheetmbs.jit import inline_kernel, kernel

Floats = NDArray[np.float64]

EVALUATIONS = int(Count.EVALUATIONS)
FACTORISATIONS = int(Count.FACTORISATIONS)
ITERATIONS = int(Count.ITERATIONS)

MOST_ITERATIONS = 10
DIVERGING = 0.9  # a correction of more than this times the one before leads nowhere
SLOW = 0.3  # a rate of convergence at which the matrix is worth renewing
DIFFERENCE = 1e-7  # of the characteristic length, of 1 rad, and of the largest velocity: for K and D
ROUNDING = 5e-15  # of the coordinates: what residuals of positions are known to
CONVERGED, STALLED, NOT_CONVERGED = 0, 1, 2  # stalled: at what rounding leaves where constraints are nearly dependent

LARGEST_DENSE = 400  # coordinates: beyond that a dense factor takes longer than short steps


class Coefficients(NamedTuple):
    """Of the method, see `coefficients`; position_error, velocity_error: of h^3 q''' and h^3 q'''' in one step."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    offset: float  # b stands for the acceleration at t + offset h
    position_error: float
    velocity_error: float


class Memory(NamedTuple):
    """What a run of the method keeps between steps and needs in one; accelerations are mass-scaled."""

    b: Floats  # (nv,) acceleration-like variable
    a: Floats  # (nv,) accelerations
    jerk: Floats  # (nv,) difference of the accelerations of the last step over its length
    multiplier: Floats  # (nr,)
    new_b: Floats  # (nv,)
    new_a: Floats  # (nv,)
    new_jerk: Floats  # (nv,)
    new_multiplier: Floats  # (nr,)
    shift: Floats  # (nv,) J^T eta
    total: Floats  # (nv,) Q + J^T lambda
    shifted: Floats  # (nv,) the same at a displaced state
    delta: Floats  # (nv,) correction of b
    further: Floats  # (nv,) correction of the shift; scratch
    wanted: Floats  # (nr,)
    change: Floats  # (nr,) correction of the multipliers
    end: Floats  # (nq + nv + 1,) state at the end of the step
    end_rates: Floats  # (nq + nv + 1,)
    trial: Floats  # (nq + nv + 1,)
    stiffness: Floats  # (nv, nv) K
    damping: Floats  # (nv, nv) D
    matrix: Floats  # (nv + nr, nv + nr) factors
    pivot: NDArray[np.int64]  # (nv + nr,)
    right: Floats  # (nv + nr,)
    row_size: Floats  # (nr,) lengths of the rows of J in the matrix
    clock: Floats  # see `generalized_alpha`


def coefficients(rho: float, *, hht: bool) -> Coefficients:
    """Of the method with spectral radius rho at infinity.

    Chung and Hulbert (1993), eq. 25; with ``hht`` those of Hilber, Hughes and Taylor (1977), alpha_m = 0.
    Raises ValueError where no stable method has this rho: 0 to 1, with ``hht`` 1/2 to 1.
    """
    if not (0.5 if hht else 0.0) <= rho <= 1.0:
        raise ValueError(f"spectral radius {rho:g}: it lies between {0.5 if hht else 0} and 1")
    alpha_m = 0.0 if hht else (2.0 * rho - 1.0) / (rho + 1.0)
    alpha_f = (1.0 - rho) / (1.0 + rho) if hht else rho / (rho + 1.0)
    offset = alpha_m - alpha_f
    gamma = 0.5 - offset
    beta = 0.25 * (1.0 - offset) ** 2
    return Coefficients(
        alpha_m,
        alpha_f,
        beta,
        gamma,
        offset,
        position_error=1.0 / 6.0 - beta - 0.5 * offset,
        velocity_error=1.0 / 12.0 + offset * (alpha_m - 0.5) - offset**2,
    )


def make_memory(nq: int, nv: int, nr: int, places: int) -> Memory:
    """Scratch for a model of these numbers; places: of the clock."""
    size = nv + nr if nv <= LARGEST_DENSE else 0

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape)

    dense = nv if size else 0
    state = nq + nv + 1
    return Memory(
        b=zeros(nv),
        a=zeros(nv),
        jerk=zeros(nv),
        multiplier=zeros(nr),
        new_b=zeros(nv),
        new_a=zeros(nv),
        new_jerk=zeros(nv),
        new_multiplier=zeros(nr),
        shift=zeros(nv),
        total=zeros(nv),
        shifted=zeros(nv),
        delta=zeros(nv),
        further=zeros(nv),
        wanted=zeros(nr),
        change=zeros(nr),
        end=zeros(state),
        end_rates=zeros(state),
        trial=zeros(state),
        stiffness=zeros(dense, dense),
        damping=zeros(dense, dense),
        matrix=zeros(size, size),
        pivot=np.zeros(size, dtype=np.int64),
        right=zeros(size),
        row_size=zeros(nr),
        clock=zeros(places),
    )


@kernel
def balance(A, W, t, q, v, multiplier, total):
    """Mass-scaled Q + J^T lambda to ``total``, and with it Phi, nu and J in W; turns as foretold. Returns the power."""
    rows, parts, bodies, curves, scale = A.row, A.part, A.body, A.curves, A.scale
    pose, place, turn, motion, force = W.pose, W.place, W.turn, W.motion, W.force
    W.count[EVALUATIONS] += 1
    evaluate_motions(A.motion, curves, A.tapes, t, motion, W.hint, W.stack, W.fault)
    set_rates(rows, motion, W.nu)
    place_all(parts, bodies, A.frame, A.turn, pose, place, turn, motion, W.phi, W.gradient, W.jacobian, scale, q)
    move_all(parts, bodies, A.frame, A.turn, pose, place, turn, motion, W.gradient, W.gamma, v)
    power = 0.0
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
        power += A.load_force[k] * v[k]
    read_variables(A.loads.variable, pose, place, W.variable)
    add_gyroscopic(bodies, A.mass, v, force)
    power += apply_springs(A.spring, bodies, curves, pose, place, turn, W.hint, W.spring, force)
    if A.bushings.record.shape[0] > 0:
        power += apply_bushings(A.bushings, bodies, pose, place, W.bushing, force)
    power += apply_loads(
        A.loads, bodies, curves, A.tapes, t, pose, place, W.variable, W.hint, W.stack, W.fault, W.wrench, force
    )
    for k in range(force.shape[0]):
        total[k] = force[k] * scale[k]
    add_transposed(rows, bodies, W.jacobian, multiplier, total)
    for r in range(multiplier.shape[0]):
        power += multiplier[r] * W.nu[r]
    return power


@kernel
def reach_end(A, c, X, h, y, end):
    """State at the end of a step of length h from y with the unknowns as they are in X."""
    nv = A.scale.shape[0]
    nq = A.position_size.shape[0]
    scale = A.scale
    for k in range(nv):
        X.further[k] = h * y[nq + k] / scale[k] + h * h * ((0.5 - c.beta) * X.b[k] + c.beta * X.new_b[k]) + X.shift[k]
        end[nq + k] = y[nq + k] + h * ((1.0 - c.gamma) * X.b[k] + c.gamma * X.new_b[k]) * scale[k]
    for m in range(nq):
        end[m] = y[m]
    displace(A.body, end[:nq], X.further, scale, 1.0)


@kernel
def differentiate(A, W, X, t, state, multiplier, rate):
    """Tangents K and D at a state (q, v) by forward differences, one coordinate after the other."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    balance(A, W, t, state[:nq], state[nq : nq + nv], multiplier, X.total)
    for k in range(nv):
        X.further[k] = 0.0
    for k in range(nv):
        for order in range(2):
            small = DIFFERENCE * (1.0 if A.velocity_class[k] else A.length)
            for m in range(nq + nv):
                X.trial[m] = state[m]
            if order == 0:
                X.further[k] = small / A.scale[k]
                displace(A.body, X.trial[:nq], X.further, A.scale, 1.0)
                X.further[k] = 0.0
            else:
                small *= rate
                X.trial[nq + k] += small
            balance(A, W, t, X.trial[:nq], X.trial[nq : nq + nv], multiplier, X.shifted)
            factor_of = A.scale[k] / small
            for i in range(nv):
                slope = (X.total[i] - X.shifted[i]) * factor_of
                if order == 0:
                    X.stiffness[i, k] = slope
                else:
                    X.damping[i, k] = slope


@inline_kernel
def enter_block(row_size, body, jacobian, entry, r, nv, matrix):
    """The entries of row r for one body, and what it does to that body, in the dense matrix."""
    for k in range(body.nv):
        value = jacobian[entry + k] / row_size[r]
        matrix[nv + r, body.v + k] += value
        matrix[body.v + k, nv + r] -= value


@kernel
def factor_tangent(A, W, X, c, h):
    """Factor the matrix of the Newton step for steps of length h, with the Jacobian in W.

    Returns how large K and D stand in it, as a bound of the rate at which Newton's method converges without them.
    """
    nv, nr = X.b.shape[0], X.multiplier.shape[0]
    mass, jacobian, bodies, rows = (1.0 - c.alpha_m) / (1.0 - c.alpha_f), W.jacobian, A.body, A.row
    for i in range(nv + nr):
        for k in range(nv + nr):
            X.matrix[i, k] = 0.0
    largest = 0.0
    for i in range(nv):
        size = 0.0
        for k in range(nv):
            X.matrix[i, k] = h * (c.gamma * X.damping[i, k] + h * c.beta * X.stiffness[i, k])
            size += abs(X.matrix[i, k])
        X.matrix[i, i] += mass
        largest = max(largest, size / mass)
    for r in range(nr):
        row = rows[r]
        X.row_size[r] = math.sqrt(W.square[r]) if W.square[r] > 0.0 else 1.0
        enter_block(X.row_size, bodies[row.body_i], jacobian, row.entry_i, r, nv, X.matrix)
        enter_block(X.row_size, bodies[row.body_j], jacobian, row.entry_j, r, nv, X.matrix)
        if row.terms > 0:
            enter_block(X.row_size, bodies[row.body_k], jacobian, row.entry_k, r, nv, X.matrix)
            enter_block(X.row_size, bodies[row.body_l], jacobian, row.entry_l, r, nv, X.matrix)
    W.count[FACTORISATIONS] += 1
    factor_dense(X.matrix, X.pivot)
    return largest


@kernel
def solve_tangent(X, delta, wanted, change):
    """Solve the Newton step in place: delta (nv,) holds the residual of forces, wanted (nr,) that of the constraints."""
    nv, nr = delta.shape[0], wanted.shape[0]
    for k in range(nv):
        X.right[k] = delta[k]
    for r in range(nr):
        X.right[nv + r] = wanted[r] / X.row_size[r]
    solve_dense(X.matrix, X.pivot, X.right)
    for k in range(nv):
        delta[k] = X.right[k]
    for r in range(nr):
        change[r] = X.right[nv + r] / X.row_size[r]


@kernel
def solve_step(A, W, c, X, t, h, y, rate, tolerance, stabilised, dense):
    """Newton's method for the end of a step from y to t + h, begun with the unknowns in X.

    tolerance: of the error it leaves in positions and velocities, by class. dense: the matrix in X is to be used; otherwise, and
    where ``stabilised``, S is factored each time, for with bodies of little inertia it turns fast. Returns (status, power at the end, rate of convergence).
    """
    nq, nv, nr = A.position_size.shape[0], A.scale.shape[0], X.multiplier.shape[0]
    rows, bodies, scale, jacobian = A.row, A.body, A.scale, W.jacobian
    mass = (1.0 - c.alpha_m) / (1.0 - c.alpha_f)
    position_factor, velocity_factor = h * h * c.beta, h * c.gamma
    far = A.length
    for b in range(1, bodies.shape[0]):
        for k in range(min(3, bodies[b].nv)):
            if not A.velocity_class[bodies[b].v + k]:
                far = max(far, abs(y[bodies[b].q + k]))
    floor = ROUNDING * far / A.length * (1.0 if stabilised else 1.0 + 2.0 / (h * rate))
    before, speed, power = math.inf, 0.0, 0.0
    refinements = 0
    for k in range(nv):
        X.shift[k] = 0.0
    for iteration in range(MOST_ITERATIONS):
        reach_end(A, c, X, h, y, X.end)
        power = balance(A, W, t + h, X.end[:nq], X.end[nq : nq + nv], X.new_multiplier, X.total)
        W.count[ITERATIONS] += 1
        if stabilised or not dense:
            eps = EPS if W.pivot_ratio[0] < SMALL_PIVOT else 0.0  # as in `evaluate`
            ratio = factor(A.layout, rows, jacobian, W.s, W.inverse_pivot, W.panel, W.square, eps)
            W.count[FACTORISATIONS] += 1
            W.pivot_ratio[0] = ratio
            refinements = 1 if eps > 0.0 or ratio < SMALL_PIVOT else 0
        for k in range(nv):
            a = ((1.0 - c.alpha_m) * X.new_b[k] + c.alpha_m * X.b[k] - c.alpha_f * X.a[k]) / (1.0 - c.alpha_f)
            X.delta[k] = X.total[k] - a
            X.further[k] = X.end[nq + k] / scale[k]
        for r in range(nr):
            if stabilised:
                X.wanted[r] = (W.nu[r] - row_product(rows[r], bodies, jacobian, X.further)) / velocity_factor
            else:
                X.wanted[r] = -W.phi[r] / position_factor
        if dense:
            solve_tangent(X, X.delta, X.wanted, X.change)
        else:
            for k in range(nv):
                X.delta[k] /= mass
            least_norm(
                rows, bodies, A.layout, jacobian, W.s, W.inverse_pivot, X.wanted, X.delta, X.change, W.residual, refinements
            )
            for r in range(nr):
                X.change[r] *= mass
        size = 0.0
        for k in range(nv):
            X.new_b[k] += X.delta[k]
            unit = scale[k] / (1.0 if A.velocity_class[k] else A.length)
            size = max(size, abs(X.delta[k]) * unit * max(position_factor, velocity_factor / rate))
            X.further[k] = 0.0
            if not math.isfinite(X.delta[k]):
                return NOT_CONVERGED, power, math.inf, math.inf
        for r in range(nr):
            X.new_multiplier[r] += X.change[r]
            if not math.isfinite(X.change[r]):
                return NOT_CONVERGED, power, math.inf, math.inf
        if stabilised:
            for r in range(nr):
                X.wanted[r] = -W.phi[r] - position_factor * row_product(rows[r], bodies, jacobian, X.delta)
            least_norm(
                rows, bodies, A.layout, jacobian, W.s, W.inverse_pivot, X.wanted, X.further, X.change, W.residual, refinements
            )
            for k in range(nv):
                X.shift[k] += X.further[k]
                unit = scale[k] / (1.0 if A.velocity_class[k] else A.length)
                size = max(size, abs(X.further[k]) * unit)
        if not math.isfinite(size):
            return NOT_CONVERGED, power, math.inf, math.inf
        if iteration > 0:
            speed = size / before if before > 0.0 else 0.0
        converged = size <= floor
        if iteration > 0 and speed < DIVERGING:
            converged |= size * speed / (1.0 - speed) <= tolerance
        if converged:
            reach_end(A, c, X, h, y, X.end)
            X.end[nq + nv] = y[nq + nv]
            return CONVERGED, power, speed, size
        if iteration > 1 and speed >= DIVERGING:  # at first residuals of forces and constraints pass into each other
            reach_end(A, c, X, h, y, X.end)
            X.end[nq + nv] = y[nq + nv]
            return STALLED if size <= floor / max(W.pivot_ratio[0], ROUNDING) else NOT_CONVERGED, power, speed, size
        before = size
    return NOT_CONVERGED, power, speed, before


@kernel
def measure(A, W, c, X, h, previous, rate, dense):
    """Error of a step over the sizes of positions and velocities.

    previous: length of the step before. The estimates position_error h^3 q''' and velocity_error h^3 q'''' count as far as the
    constraints leave them free; the dense matrix also takes out what stiff elements do not let happen
    (Hairer and Wanner 1996, sec. IV.8, eq. 8.20).
    """
    nv, nr = X.b.shape[0], X.multiplier.shape[0]
    mass = (1.0 - c.alpha_m) / (1.0 - c.alpha_f)
    total = 0.0
    for order in range(2):
        for k in range(nv):
            if order == 0:
                X.delta[k] = c.position_error * h * h * h * X.new_jerk[k]
            else:
                X.delta[k] = c.velocity_error * h * h * h * (X.new_jerk[k] - X.jerk[k]) * 2.0 / (h + previous)
        for r in range(nr):
            X.wanted[r] = 0.0
        if dense:
            for k in range(nv):
                X.delta[k] *= mass
            solve_tangent(X, X.delta, X.wanted, X.change)
        else:
            least_norm(
                A.row, A.body, A.layout, W.jacobian, W.s, W.inverse_pivot, X.wanted, X.delta, X.change, W.residual, 0
            )
        for k in range(nv):
            unit = 1.0 if A.velocity_class[k] else A.length
            if order == 1:
                unit *= rate
            total += (X.delta[k] * A.scale[k] / unit) ** 2
    return math.sqrt(total / (2.0 * nv))


@kernel
def predict(A, c, X, h, previous):
    """First guess of the unknowns at the end of a step; b is first moved to where it stands for this length of step.

    previous: length of step for which b holds.
    """
    for k in range(X.b.shape[0]):
        X.b[k] += c.offset * (h - previous) * X.jerk[k]
        X.new_b[k] = X.b[k] + h * X.jerk[k]
    copy(X.multiplier, X.new_multiplier)
