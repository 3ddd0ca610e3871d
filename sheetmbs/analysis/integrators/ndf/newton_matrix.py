"""The Newton matrix of an implicit method on the tangent space of the constraints, by differences of accelerations.

Whatever is stiff in a multibody system acts along motions that the joints allow, and these are few. So with Z an orthonormal
basis of the null space of J in mass-scaled velocities u = M^1/2 v (Nikravesh 1988, sec. 7.3; Potra and Rheinboldt 1991)

    v = past + c a(q, v),  q = past + c v      =>      (I - c A_v - c^2 A_q) dz = Z^T r,    dv = M^-1/2 (r + Z (dz - Z^T r))
    A_v = Z^T M^1/2 (da/dv) M^-1/2 Z,          A_q = Z^T M^1/2 (da/dq) M^-1/2 Z

that is Newton's method along Z and functional iteration across, where J a = gamma gives a and nothing is stiff. It takes one
evaluation per column of Z and matrix, whatever the forces are: springs, formulas, curves. Z moves with the bodies: it is
the old one put on the new null space, so that the matrices keep their meaning for some time.
"""

import math

from sheetmbs.analysis.integrators.stepping.error_sizes import size_of
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense
from sheetmbs.engine.algebra.linear import least_norm
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import displace
from sheetmbs.engine.vec import copy

JACOBIANS = int(Count.JACOBIANS)

DIFFERENCE = 1e-8  # of the characteristic length, of 1 rad, of the largest velocity: what states are moved by
LOST = 0.5  # length left of a vector of Z on the new null space, below which Z is made anew


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
    """Put Z onto the null space of J at the configuration evaluated last, or make it anew there."""
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
