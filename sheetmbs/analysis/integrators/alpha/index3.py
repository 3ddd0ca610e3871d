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
and D the sparse factor of S = J J^T solves it, exactly enough as long as h^2 K and h D are small. For stiff elements the matrix
of `index3_tangent.py` does: dense, from differences that serve whatever a force depends on, and kept from step to step
while it converges.
"""

import math

from sheetmbs.analysis.integrators.alpha.index3_tangent import differentiate, factor_tangent, solve_tangent
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.linear import factor, least_norm
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import EPS, SMALL_PIVOT, balance
from sheetmbs.engine.kinematics import displace, row_product
from sheetmbs.engine.vec import copy

FACTORISATIONS = int(Count.FACTORISATIONS)
ITERATIONS = int(Count.ITERATIONS)

MOST_ITERATIONS = 16
MOST_RENEWALS = 5  # of the tangents in one try of a step
TRUSTED = 0.1  # change of h^2 K over the mass, up to which tangents hold for the state that they lead to
DIVERGING = 0.9  # a correction of more than this times the one before leads nowhere
ASTRAY = 2.0  # the same of the second one, in which residuals of forces and constraints still pass into each other
SLOW = 0.3  # a rate of convergence at which tangents are worth renewing
NOT_STIFF = 0.1  # a rate of convergence without K and D at which these are not worthwhile
ROUNDING = 5e-15  # of the coordinates: what residuals of positions are known to

# How Newton's method ends; stalled: at what rounding leaves where constraints are nearly dependent.
CONVERGED, STALLED, NOT_CONVERGED = 0, 1, 2


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
def shorten(A, W, wanted, x, change, refinements) -> None:
    """Add to x (nv,) the least change with J x = wanted, by the factor of S; its multipliers go to ``change``."""
    least_norm(A.layout, W.jacobian, W, wanted, x, change, refinements)


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
        shorten(A, W, X.wanted, X.delta, X.change, refinements)
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
        shorten(A, W, X.wanted, X.further, X.change, refinements)
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
            shorten(A, W, X.wanted, X.delta, X.change, 0)
        for k in range(nv):
            unit = 1.0 if A.velocity_class[k] else A.length
            if order == 1:
                unit *= state.rate
            total += (X.delta[k] * A.scale[k] / unit) ** 2
    return math.sqrt(total / (2.0 * nv))
