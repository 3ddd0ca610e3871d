"""The equations of one step of the generalized-alpha method on a Lie group, and Newton's method for them.

Arnold and Bruls (2007), sec. 3; Bruls, Cardona and Arnold (2012), sec. 3. b is the acceleration-like variable; velocities are
mass-scaled, so that M = 1:

    a = Q(q, v, t) + J^T lambda                                   Phi(q, t) = 0                                (index 3)
    (1 - alpha_m) b + alpha_m b_n = (1 - alpha_f) a + alpha_f a_n
    q = q_n o exp(h v_n + h^2 ((1/2 - beta) b_n + beta b))        v = v_n + h ((1 - gamma) b_n + gamma b)

Stabilised, both Phi = 0 and J v = nu hold, and q takes a second multiplier (Arnold, Cardona and Bruls 2016, after Gear, Gupta
and Leimkuhler 1985): q = q_n o exp(h v_n + h^2 (..) + J^T eta). Each Newton step solves, with c = (1 - alpha_m)/(1 - alpha_f),

    [c + h gamma D + h^2 beta K    -J^T] [delta b     ]   [Q + J^T lambda - a]
    [J                              0  ] [delta lambda] = [w                 ],    w = -Phi/(h^2 beta) or (nu - J v)/(h gamma)

in which nothing grows as h falls (Bottasso, Bauchau and Cardona 2007): rows are scaled by h, columns by mass. Without K
and D the sparse factor of S = J J^T solves it, exactly enough as long as h^2 K and h D are small. For stiff elements a dense
matrix does, from differences that serve whatever a force depends on, and kept from step to step while it converges.

The tangents are K = -d(Q + J^T lambda)/dq, along `displace`, and D = -dQ/dv, kept apart so that a change of h needs no new
differences. Rows of J are brought to length 1, as columns are by mass: no choice of units matters to the pivots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.stepping.driver import record, zeros
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.algebra.linear import factor, least_norm
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import EPS, SMALL_PIVOT, balance
from sheetmbs.engine.kinematics import displace, row_product
from sheetmbs.engine.records import Floats, Floats2, Ints, Records
from sheetmbs.engine.vec import copy

FACTORISATIONS = int(Count.FACTORISATIONS)
ITERATIONS = int(Count.ITERATIONS)

LARGEST_DENSE = 400  # coordinates: beyond that a dense factor takes longer than short steps
MOST_ITERATIONS = 16
MOST_RENEWALS = 5  # of the tangents in one try of a step
TRUSTED = 0.1  # change of h^2 K over the mass, up to which tangents hold for the state that they lead to
DIVERGING = 0.9  # a correction of more than this times the one before leads nowhere
ASTRAY = 2.0  # the same of the second one, in which residuals of forces and constraints still pass into each other
SLOW = 0.3  # a rate of convergence at which tangents are worth renewing
NOT_STIFF = 0.1  # a rate of convergence without K and D at which these are not worthwhile
ROUNDING = 5e-15  # of the coordinates: what residuals of positions are known to
DIFFERENCE = 1e-7  # of the characteristic length, of 1 rad, and of the largest velocity: for K and D

# How Newton's method ends; stalled: at what rounding leaves where constraints are nearly dependent.
CONVERGED, STALLED, NOT_CONVERGED = 0, 1, 2

# last: length of the last step, 0 for none; of_b, of_matrix: lengths for which b holds, and for which the matrix was factored;
# held: steps taken since the length changed; power: at the start of the last step; noise: what rounding left in it.
# fresh: derivatives must be found again; dense: the dense matrix is in use; stale: its tangents must be renewed; renewed: they
# were in the step under way. Of Newton's method in the step under way: how it ended, the power there, rate of convergence and
# last correction. rate: what errors of velocities are measured by, the largest of |v|/L and |omega|.
ALPHA_STATE = np.dtype(
    [(name, "f8") for name in ("last", "of_b", "of_matrix", "power", "noise", "rate")]
    + [("held", "i8")]
    + [(name, "?") for name in ("fresh", "dense", "stale", "renewed")]
    + [("ended", "i8"), ("end_power", "f8"), ("convergence", "f8"), ("left", "f8")]
)


@dataclass(frozen=True, eq=False)
class Coefficients(Bundle):
    """Coefficients of the generalized-alpha method, see `coefficients`."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    offset: float  # b stands for the acceleration at t + offset h
    position_error: float  # of h^3 q''' in one step
    velocity_error: float  # of h^3 q'''' in one step
    mass: float  # (1 - alpha_m)/(1 - alpha_f): change of a with b


@dataclass(frozen=True, eq=False)
class AlphaMemory(Bundle):
    """What a run of the method keeps between steps and needs in one; accelerations are mass-scaled."""

    state: Annotated[Records, ALPHA_STATE]  # (1,)
    start: Floats  # (nq + nv + 1,) derivative at the start of the step
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
    stiffness: Floats2  # (nv, nv) K
    damping: Floats2  # (nv, nv) D
    matrix: Floats2  # (nv + nr, nv + nr) factors
    pivot: Ints  # (nv + nr,)
    right: Floats  # (nv + nr,)
    row_size: Floats  # (nr,) lengths of the rows of J in the matrix


def coefficients(rho: float, *, hht: bool) -> Coefficients:
    """Coefficients of the generalized-alpha method with spectral radius rho at infinity.

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
        mass=(1.0 - alpha_m) / (1.0 - alpha_f),
    )


def make_memory(nq: int, nv: int, nr: int) -> AlphaMemory:
    """Memory for a model of these numbers of positions, velocities and rows."""
    size = nv + nr if nv <= LARGEST_DENSE else 0
    dense = nv if size else 0
    return AlphaMemory(
        state=record(ALPHA_STATE, fresh=True),
        pivot=np.zeros(size, dtype=np.int64),
        **zeros("start end end_rates trial", nq + nv + 1),
        **zeros("b a jerk new_b new_a new_jerk shift total shifted delta further", nv),
        **zeros("multiplier new_multiplier wanted change row_size", nr),
        **zeros("stiffness damping", dense, dense),
        **zeros("matrix", size, size),
        **zeros("right", size),
    )


@inline_kernel
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
                displace(A.body, A.beams, X.trial[:nq], X.further, A.scale, 1.0)
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


@inline_kernel
def factor_tangent(A, W, X, c, h):
    """Factor the matrix of the Newton step for steps of length h, with the Jacobian in W.

    Returns how large K and D stand in it, as a bound of the rate at which Newton's method converges without them.
    """
    nv, nr = X.b.shape[0], X.multiplier.shape[0]
    jacobian, bodies, rows = W.jacobian, A.body, A.row
    for i in range(nv + nr):
        for k in range(nv + nr):
            X.matrix[i, k] = 0.0
    largest = 0.0
    for i in range(nv):
        size = 0.0
        for k in range(nv):
            X.matrix[i, k] = h * (c.gamma * X.damping[i, k] + h * c.beta * X.stiffness[i, k])
            size += abs(X.matrix[i, k])
        X.matrix[i, i] += c.mass
        largest = max(largest, size / c.mass)
    for r in range(nr):
        row = rows[r]
        X.row_size[r] = math.sqrt(W.square[r]) if W.square[r] > 0.0 else 1.0
        enter_block(X.row_size, bodies[row.body_i], jacobian, row.entry_i, r, nv, X.matrix)
        enter_block(X.row_size, bodies[row.body_j], jacobian, row.entry_j, r, nv, X.matrix)
        if row.terms > 0:
            enter_block(X.row_size, bodies[row.body_k], jacobian, row.entry_k, r, nv, X.matrix)
            enter_block(X.row_size, bodies[row.body_l], jacobian, row.entry_l, r, nv, X.matrix)
    W.count[FACTORISATIONS] += 1
    factor_dense(X.matrix, X.matrix.shape[0], X.pivot)
    return largest


@kernel
def solve_tangent(X, delta, wanted, change) -> None:
    """Solve the Newton step in place: delta (nv,) holds the residual of forces, wanted (nr,) that of the constraints."""
    nv, nr = delta.shape[0], wanted.shape[0]
    for k in range(nv):
        X.right[k] = delta[k]
    for r in range(nr):
        X.right[nv + r] = wanted[r] / X.row_size[r]
    solve_dense(X.matrix, X.matrix.shape[0], X.pivot, X.right)
    for k in range(nv):
        delta[k] = X.right[k]
    for r in range(nr):
        change[r] = X.right[nv + r] / X.row_size[r]


@inline_kernel
def predict(c, X, h):
    """First guess of the unknowns at the end of a step; b is first moved to where it stands for this length of step."""
    state = X.state[0]
    for k in range(X.b.shape[0]):
        X.b[k] += c.offset * (h - state.of_b) * X.jerk[k]
        X.new_b[k] = X.b[k] + h * X.jerk[k]
        X.shift[k] = 0.0
    copy(X.multiplier, X.new_multiplier)
    state.of_b = h


@inline_kernel
def acceleration(c, X, k):
    """Acceleration a at the end of a step: (1 - alpha_m) b + alpha_m b_n = (1 - alpha_f) a + alpha_f a_n."""
    return ((1.0 - c.alpha_m) * X.new_b[k] + c.alpha_m * X.b[k] - c.alpha_f * X.a[k]) / (1.0 - c.alpha_f)


@kernel
def reach_end(A, c, X, h, y) -> None:
    """State at the end of a step of length h from y, with the unknowns as they are in X."""
    nv = A.scale.shape[0]
    nq = A.position_size.shape[0]
    scale = A.scale
    for k in range(nv):
        X.further[k] = h * y[nq + k] / scale[k] + h * h * ((0.5 - c.beta) * X.b[k] + c.beta * X.new_b[k]) + X.shift[k]
        X.end[nq + k] = y[nq + k] + h * ((1.0 - c.gamma) * X.b[k] + c.gamma * X.new_b[k]) * scale[k]
    for m in range(nq):
        X.end[m] = y[m]
    X.end[nq + nv] = y[nq + nv]
    displace(A.body, A.beams, X.end[:nq], X.further, scale, 1.0)


@inline_kernel
def rounding_of(bodies, velocity_class, length, y, h, rate, stabilised):
    """What rounding leaves of errors over sizes: positions are known to it, velocities not stabilised to it over h."""
    far = length
    for b in range(1, bodies.shape[0]):
        for k in range(bodies[b].nv):
            if not velocity_class[bodies[b].v + k]:
                far = max(far, abs(y[bodies[b].q + k]))
    return ROUNDING * far / length * (1.0 if stabilised else 1.0 + 2.0 / (h * rate))


@inline_kernel
def size_of_change(A, change, factor_of):
    """Largest component of a mass-scaled change times a factor, over the sizes of positions; nan if there is one."""
    size = 0.0
    for k in range(change.shape[0]):
        unit = A.scale[k] / (1.0 if A.velocity_class[k] else A.length)
        now = abs(change[k]) * unit * factor_of
        if now > size or not math.isfinite(now):
            size = now
        if not math.isfinite(size):
            break
    return size


@kernel
def factor_rows(A, W) -> int:
    """Factor S with the Jacobian in W, regularised as in `evaluate`. Returns how often solutions are to be refined."""
    eps = EPS if W.pivot_ratio[0] < SMALL_PIVOT else 0.0
    W.pivot_ratio[0] = factor(A.layout, A.row, A.missing, W.jacobian, W, eps)
    W.count[FACTORISATIONS] += 1
    return 1 if eps > 0.0 or W.pivot_ratio[0] < SMALL_PIVOT else 0


@kernel
def solve_step(A, W, c, C, X, t, h, tolerance) -> None:
    """Newton's method for the end of a step to time t, begun with the unknowns in X. Leaves in X.state how it ended.

    tolerance: of the error that it may leave in positions and velocities, by class. S is factored each time, for with bodies of
    little inertia it turns fast.
    """
    state, y = X.state[0], C.y
    floor = rounding_of(A.body, A.velocity_class, A.length, y, h, state.rate, C.project > 0.0)
    before, size, stiffness, renewals = math.inf, 0.0, 0.0, 0
    state.convergence = 0.0
    state.ended = NOT_CONVERGED
    for iteration in range(MOST_ITERATIONS):
        reach_end(A, c, X, h, y)
        is_slow = iteration > 2 and state.convergence > SLOW
        differ = state.dense and renewals < MOST_RENEWALS and (state.stale or is_slow)
        if differ:
            differentiate(A, W, X, t, X.end, X.new_multiplier, state.rate)
            state.stale, state.renewed = False, True
            renewals += 1
        weigh_forces(A, W, X, t)
        if differ or (state.dense and state.of_matrix != h):
            state.of_matrix = h
            stiffness = factor_tangent(A, W, X, c, h)
            state.dense = stiffness > NOT_STIFF
        size = improve(A, W, c, X, h, C.project > 0.0)
        if not math.isfinite(size):
            break
        # a stretched stiff element is stiff sideways too: where the first guess stretches it, nothing else would be corrected
        if differ and state.dense and stiffness * size_of_change(A, X.delta, h * h * c.beta) > TRUSTED:
            state.stale = True
        speed = size / before if before > 0.0 else 0.0  # 0 in the first iteration
        state.convergence = speed
        before = size
        converged = size <= floor or (0.0 < speed < DIVERGING and size * speed / (1.0 - speed) <= tolerance)
        if converged and not (state.dense and state.stale):
            state.ended = CONVERGED
            break
        leads_astray = speed >= (DIVERGING if iteration > 1 else ASTRAY)
        if leads_astray and (renewals in (0, MOST_RENEWALS) or not state.dense):
            break
    reach_end(A, c, X, h, y)
    state.left = size
    if state.ended != CONVERGED and size <= floor / max(W.pivot_ratio[0], ROUNDING):
        state.ended = STALLED


@inline_kernel
def weigh_forces(A, W, X, t):
    """Forces at the end of the step as it stands, to X.total, and with them Phi, nu and J in W."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    W.count[ITERATIONS] += 1
    X.state[0].end_power = balance(A, W, t, X.end[:nq], X.end[nq : nq + nv], X.new_multiplier, X.total)


@inline_kernel
def improve(A, W, c, X, h, stabilised):
    """One Newton step of all unknowns; that of b is left in X.delta. Returns its largest component over the sizes of errors."""
    nv, nr = A.scale.shape[0], X.multiplier.shape[0]
    of_positions, of_velocities = h * h * c.beta, h * c.gamma
    state = X.state[0]
    refinements = factor_rows(A, W) if stabilised or not state.dense else 0
    leave_residuals(A, W, c, X, h, stabilised)
    if state.dense:
        solve_tangent(X, X.delta, X.wanted, X.change)
    else:
        for k in range(nv):
            X.delta[k] /= c.mass
        least_norm(A.layout, W.jacobian, W, X.wanted, X.delta, X.change, refinements)
        for r in range(nr):
            X.change[r] *= c.mass
    for k in range(nv):
        X.new_b[k] += X.delta[k]
    for r in range(nr):
        X.new_multiplier[r] += X.change[r]
    size = size_of_change(A, X.delta, max(of_positions, of_velocities / state.rate))
    if stabilised:
        for k in range(nv):
            X.further[k] = 0.0
        for r in range(nr):
            X.wanted[r] = -W.phi[r] - of_positions * row_product(A.row[r], A.body, W.jacobian, X.delta)
        least_norm(A.layout, W.jacobian, W, X.wanted, X.further, X.change, refinements)
        for k in range(nv):
            X.shift[k] += X.further[k]
        size = max(size, size_of_change(A, X.further, 1.0))
    return size


@inline_kernel
def leave_residuals(A, W, c, X, h, stabilised):
    """Right-hand sides of the Newton step: of the forces to X.delta, of the constraints to X.wanted."""
    nq, scale = A.position_size.shape[0], A.scale
    for k in range(scale.shape[0]):
        mass = A.mass[k] * scale[k] * scale[k]  # 1, but 0 where only the factor has a mass
        X.delta[k] = X.total[k] - mass * acceleration(c, X, k)
        X.further[k] = X.end[nq + k] / scale[k]
    for r in range(X.wanted.shape[0]):
        if stabilised:
            X.wanted[r] = (W.nu[r] - row_product(A.row[r], A.body, W.jacobian, X.further)) / (h * c.gamma)
        else:
            X.wanted[r] = -W.phi[r] / (h * h * c.beta)


@kernel
def estimate_error(A, W, c, X, h) -> float:
    """Error of a step over the sizes of positions and velocities.

    The estimates position_error h^3 q''' and velocity_error h^3 q'''' count as far as the constraints leave them free; the
    dense matrix also takes out what stiff elements do not let happen (Hairer and Wanner 1996, sec. IV.8, eq. 8.20).
    """
    nv, state = X.b.shape[0], X.state[0]
    total = 0.0
    for r in range(X.wanted.shape[0]):
        X.wanted[r] = 0.0
    for order in range(2):
        for k in range(nv):
            if order == 0:
                X.delta[k] = c.position_error * h * h * h * X.new_jerk[k]
            else:
                X.delta[k] = c.velocity_error * h * h * h * (X.new_jerk[k] - X.jerk[k]) * 2.0 / (h + state.last)
        if state.dense:
            for k in range(nv):
                X.delta[k] *= c.mass
            solve_tangent(X, X.delta, X.wanted, X.change)
        else:
            least_norm(A.layout, W.jacobian, W, X.wanted, X.delta, X.change, 0)
        for k in range(nv):
            unit = 1.0 if A.velocity_class[k] else A.length
            if order == 1:
                unit *= state.rate
            total += (X.delta[k] * A.scale[k] / unit) ** 2
    return math.sqrt(total / (2.0 * nv))
