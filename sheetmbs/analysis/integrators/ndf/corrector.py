"""The corrector of an implicit multistep method, y = past + c f(t, y), by simplified Newton iteration.

Its unknowns are the velocities; positions follow from q = past + c q-dot(q, v), and the residual r = past + c v-dot - v is
brought to zero with a matrix on the tangent space of the constraints. With projection every iterate is put on the constraints,
and only the part of r along them is left to solve for: a residual across them would deform stiff springs and slow the iteration
down.

Whatever is stiff in a multibody system acts along motions that the joints allow, and these are few. So with Z an orthonormal
basis of the null space of J in mass-scaled velocities u = M^1/2 v (Nikravesh 1988, sec. 7.3; Potra and Rheinboldt 1991)

    v = past + c a(q, v),  q = past + c v      =>      (I - c A_v - c^2 A_q) dz = Z^T r,    dv = M^-1/2 (r + Z (dz - Z^T r))
    A_v = Z^T M^1/2 (da/dv) M^-1/2 Z,          A_q = Z^T M^1/2 (da/dq) M^-1/2 Z

that is Newton's method along Z and functional iteration across, where J a = gamma gives a and nothing is stiff. It takes one
evaluation per column of Z and matrix, whatever the forces are: springs, formulas, curves. Z moves with the bodies: it is
the old one put on the new null space, so that the matrices keep their meaning for some time.

The iteration ends where what is still to come, size rate/(1 - rate), is small enough (Hairer and Wanner 1996, IV.8.10). Where
the rate is seen to be slow, first Z alone is renewed at the next step, then the matrices. With a new matrix
the rate says nothing about the next step: where forces are very stiff, the same matrix may then be a poor one.
"""

import math

from sheetmbs.analysis.integrators.ndf.differences import UNKNOWN_RATE
from sheetmbs.analysis.integrators.stepping.control import size_of
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.algebra.linear import least_norm
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import displace, position_rates
from sheetmbs.engine.vec import copy

ITERATIONS = int(Count.ITERATIONS)
JACOBIANS = int(Count.JACOBIANS)

DIFFERENCE = 1e-8  # of the characteristic length, of 1 rad, of the largest velocity: what states are moved by
LOST = 0.5  # length left of a vector of Z on the new null space, below which Z is made again
MOST_ITERATIONS = 5
NEWTON_SHARE = 0.05  # of the error allowed that the corrector may leave
LEAST_CHANGE = 1e-14  # of the sizes of velocities: rounding of a state
HELD = 0.1  # LEAST_CHANGE HELD/(c rate): rounding of velocities of what stiff springs hold, q = past + c v
TURNED = 0.03  # convergence rate from which on Z is renewed
SLOW = 0.3  # convergence rate from which on the matrices are renewed
LEAST_RATE = 1e-16  # that is trusted: none at all would be so for ever (as in RADAU5)
FORGETTING = 0.8  # power of a rate by which it is trusted less from one step to the next where it is not seen again
SWEEPS = 2  # for Euler parameters, which depend on themselves; each gains a factor c |w|/2

CONVERGED, OUTDATED, HOPELESS = range(3)  # OUTDATED: the same step may succeed with new matrices


@inline_kernel
def product(basis, row, x):
    """Product of one vector of Z and x."""
    total = 0.0
    for m in range(x.shape[0]):
        total += basis[row, m] * x[m]
    return total


@inline_kernel
def normalise_against(basis, row, x):
    """Make x orthogonal to the first ``row`` vectors of Z and put it there, of length 1. Returns the length that was left."""
    for _ in range(2):  # twice is enough (Golub and Van Loan 2013, sec. 5.2.9)
        for j in range(row):
            along = product(basis, j, x)
            for m in range(x.shape[0]):
                x[m] -= along * basis[j, m]
    left = 0.0
    for m in range(x.shape[0]):
        left += x[m] * x[m]
    left = math.sqrt(left)
    for m in range(x.shape[0]):
        basis[row, m] = x[m] / left
    return left


@inline_kernel
def put_along(A, W, N, x):
    """Take out of x what is across the joints at the configuration evaluated last: what is left is along J x = 0."""
    least_norm(A.layout, W.jacobian, W, N.still, x, W.multiplier, 1)


@kernel
def renew_basis(A, W, N) -> None:
    """Put Z onto the null space of J at the configuration evaluated last, or make it again there."""
    rank, x = N.state[0].rank, W.step
    kept = rank > 0
    for j in range(rank):
        if kept:
            copy(N.basis[j], x)
            put_along(A, W, N, x)
            kept = normalise_against(N.basis, j, x) > LOST
    if not kept:
        N.state[0].rank = make_basis(A, W, N)


@inline_kernel
def make_basis(A, W, N):
    """Make Z of projections of unit vectors. Returns its number of vectors.

    The diagonal of the projector Z Z^T, less what is found, shows where the next vector is best looked for.
    """
    x, remaining = W.step, N.residual
    nv = x.shape[0]
    for k in range(nv):
        project_unit(A, W, N, k, x)
        remaining[k] = x[k]
    for j in range(N.basis.shape[0]):
        best = 0
        for k in range(nv):
            if remaining[k] > remaining[best]:
                best = k
        if not remaining[best] > 0.5 / nv:  # of a trace that counts the vectors still missing
            return j
        project_unit(A, W, N, best, x)
        normalise_against(N.basis, j, x)
        for k in range(nv):
            remaining[k] -= N.basis[j, k] * N.basis[j, k]
    return N.basis.shape[0]


@inline_kernel
def project_unit(A, W, N, k, x):
    """The unit vector of coordinate k, along the constraints, to x."""
    for m in range(x.shape[0]):
        x[m] = 0.0
    x[k] = 1.0
    put_along(A, W, N, x)


@inline_kernel
def amount_along(A, vector):
    """How far to go along a vector of Z so that the coordinate that moves most moves by DIFFERENCE of its size."""
    nq = A.position_size.shape[0]
    largest = 0.0
    for m in range(vector.shape[0]):
        size = size_of(A.position_size, A.velocity_class, nq + m, 1.0, A.length)
        largest = max(largest, abs(A.scale[m] * vector[m]) / size)
    return DIFFERENCE / largest


@kernel
def linearise(A, W, N, t) -> None:
    """Renew Z and both matrices at the state in N.trial, which has been evaluated last, its derivative in N.rates."""
    W.count[JACOBIANS] += 1
    copy(N.trial, W.state)
    renew_basis(A, W, N)
    for k in range(N.state[0].rank):
        amount = amount_along(A, N.basis[k])
        copy(W.state, N.trial)
        copy(N.basis[k], W.step)
        displace(A.body, A.beams, N.trial_q, W.step, A.scale, amount)
        enter_column(A, W, N, t, amount, k, N.by_position)
        amount *= N.state[0].rate
        copy(W.state, N.trial)
        for m in range(W.step.shape[0]):
            N.trial_v[m] += amount * A.scale[m] * N.basis[k, m]
        enter_column(A, W, N, t, amount, k, N.by_velocity)


@inline_kernel
def enter_column(A, W, N, t, amount, k, matrix):
    """Column k of a matrix: along Z, the difference of the accelerations in N.trial, ``amount`` away, and in N.rates."""
    nq = A.position_size.shape[0]
    evaluate(A, W, t, N.trial_q, N.trial_v, N.moved, 0.0)
    for j in range(N.state[0].rank):
        total = 0.0
        for m in range(A.scale.shape[0]):
            total += N.basis[j, m] * (N.moved[nq + m] - N.rates[nq + m]) / A.scale[m]
        matrix[j, k] = total / amount


@inline_kernel
def factor_newton(N, c):
    """Factor I - c A_v - c^2 A_q."""
    rank, matrix = N.state[0].rank, N.matrix
    for j in range(rank):
        for k in range(rank):
            matrix[j, k] = -c * (N.by_velocity[j, k] + c * N.by_position[j, k])
        matrix[j, j] += 1.0
    factor_dense(matrix, rank, N.swap)


@inline_kernel
def size_of_change(A, change, first, last, rate):
    """Root mean square of the entries ``first`` to ``last`` of a change of the state over their sizes."""
    total = 0.0
    for m in range(first, last):
        total += (change[m] / size_of(A.position_size, A.velocity_class, m, rate, A.length)) ** 2
    return math.sqrt(total / max(last - first, 1))


@inline_kernel
def follow(bodies, beams, N, c):
    """Positions of the iterate that belong to its velocities."""
    for _ in range(SWEEPS):
        position_rates(bodies, beams, N.x, N.x_v, N.moved)
        for m in range(N.trial_q.shape[0]):
            N.x[m] = N.past[m] + c * N.moved[m]


@inline_kernel
def improve(A, N, c, across):
    """One Newton step of the velocities, which is left in N.moved. across: whether the residual across Z counts too."""
    nq, nv, rank = A.position_size.shape[0], A.scale.shape[0], N.state[0].rank
    basis, residual, along = N.basis, N.residual, N.along
    for m in range(nv):
        residual[m] = (N.past[nq + m] + c * N.rates[nq + m] - N.x[nq + m]) / A.scale[m]
    for j in range(rank):
        along[j] = product(basis, j, residual)
    solve_dense(N.matrix, rank, N.swap, along)
    if across:
        for j in range(rank):
            along[j] -= product(basis, j, residual)
    for m in range(nv):
        change = residual[m] if across else 0.0
        for j in range(rank):
            change += along[j] * basis[j, m]
        N.moved[nq + m] = A.scale[m] * change
        N.x[nq + m] += N.moved[nq + m]


@inline_kernel
def renew_matrices(A, W, N, t, c, relinearise, renew):
    """Renew the matrices or Z alone at the first iterate, and factor them where they are others or c is another one."""
    state = N.state[0]
    if relinearise:
        linearise(A, W, N, t)
    elif renew:
        renew_basis(A, W, N)
    if relinearise or state.factored != c:
        factor_newton(N, c)
        state.factored = c


@kernel
def correct(A, W, C, N, t, c) -> int:
    """Solve y = past + c f(t, y) from N.predicted on, into N.x: positions and velocities. Returns how it ended.

    Each iterate is put on the constraints as far as C.project says.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    state = N.state[0]
    copy(N.predicted, N.x)
    least = LEAST_CHANGE * max(1.0, HELD / (c * state.rate))
    enough = max(NEWTON_SHARE * C.allowed, least)
    relinearise = state.observed > SLOW
    renew = relinearise or state.observed > TURNED
    worst = UNKNOWN_RATE if renew else min(max(state.trusted, LEAST_RATE) ** FORGETTING, UNKNOWN_RATE)
    before = 0.0
    for iteration in range(MOST_ITERATIONS):
        follow(A.body, A.beams, N, c)
        copy(N.x, N.trial)
        failed = evaluate(A, W, t, N.trial_q, N.trial_v, N.rates, C.project)
        W.count[ITERATIONS] += 1
        if failed:
            return HOPELESS
        if C.project > 0.0:
            copy(N.trial_v, N.x_v)
        if iteration == 0:
            renew_matrices(A, W, N, t, c, relinearise, renew)
            state.observed = 0.0 if renew else state.observed
        improve(A, N, c, C.project == 0.0)
        size = size_of_change(A, N.moved, nq, nq + nv, state.rate)
        if not math.isfinite(size):
            state.observed = math.inf
            return HOPELESS
        if iteration > 0:
            ratio = size / before
            worst = ratio if iteration == 1 else max(worst, ratio)
            state.observed = worst
        if size <= least or size * worst < enough * (1.0 - worst):
            follow(A.body, A.beams, N, c)
            state.trusted = UNKNOWN_RATE if renew else worst
            return CONVERGED
        if worst >= 1.0:
            break
        before = size
    state.observed = math.inf
    return HOPELESS if relinearise else OUTDATED
