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
    """Of one vector of Z and x."""
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


@kernel
def renew_basis(A, W, basis, rank, still, remaining):
    """Put Z onto the null space of J at the configuration evaluated last, or make it anew. Returns its number of vectors.

    basis: (d, nv), d the degrees of freedom; rank: vectors it has, 0 none yet. still: (nr,) zeros. remaining: (nv,) scratch.
    """
    layout, x = A.layout, W.step
    jacobian, s, inverse_pivot, multiplier = W.jacobian, W.s, W.inverse_pivot, W.multiplier
    nv = x.shape[0]
    kept = rank > 0
    for j in range(rank):
        if kept:
            for m in range(nv):
                x[m] = basis[j, m]
            least_norm(layout, jacobian, s, inverse_pivot, still, x, multiplier, W.residual, 1)
            kept = normalise_against(basis, j, x) > LOST
    if kept:
        return rank
    # the diagonal of the projector Z Z^T: what is left of it once a vector is found shows where the next one is best looked for
    for k in range(nv):
        for m in range(nv):
            x[m] = 0.0
        x[k] = 1.0
        least_norm(layout, jacobian, s, inverse_pivot, still, x, multiplier, W.residual, 1)
        remaining[k] = x[k]
    for j in range(basis.shape[0]):
        best = 0
        for k in range(nv):
            if remaining[k] > remaining[best]:
                best = k
        if not remaining[best] > 0.5 / nv:  # of a trace that counts the vectors still missing
            return j
        for m in range(nv):
            x[m] = 0.0
        x[best] = 1.0
        least_norm(layout, jacobian, s, inverse_pivot, still, x, multiplier, W.residual, 1)
        normalise_against(basis, j, x)
        for k in range(nv):
            remaining[k] -= basis[j, k] * basis[j, k]
    return basis.shape[0]


@kernel
def linearise(A, W, t, rate, N):
    """Renew Z and both matrices at the state in N.trial, which has been evaluated last, its derivative in N.rates.

    rate: largest of |v|/L and |omega| so far. N: see `NewtonMatrix`.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    basis, trial, moved, base = N.basis, N.trial, N.moved, W.state
    copy(trial, base)
    W.count[JACOBIANS] += 1
    rank = renew_basis(A, W, basis, N.rank[0], N.still, N.residual)
    N.rank[0] = rank
    for k in range(2 * rank):
        vector = k // 2
        largest = 0.0
        for m in range(nv):
            largest = max(
                largest,
                abs(A.scale[m] * basis[vector, m]) / size_of(A.position_size, A.velocity_class, nq + m, 1.0, A.length),
            )
        amount = DIFFERENCE / largest
        copy(base, trial)
        if k % 2 == 0:
            for m in range(nv):
                W.step[m] = basis[vector, m]
            displace(A.body, A.beams, N.trial_q, W.step, A.scale, amount)
        else:
            amount *= rate
            for m in range(nv):
                trial[nq + m] += amount * A.scale[m] * basis[vector, m]
        evaluate(A, W, t, N.trial_q, N.trial_v, moved, 0.0)
        for j in range(rank):
            total = 0.0
            for m in range(nv):
                total += basis[j, m] * (moved[nq + m] - N.rates[nq + m]) / A.scale[m]
            if k % 2 == 0:
                N.by_position[j, vector] = total / amount
            else:
                N.by_velocity[j, vector] = total / amount


@inline_kernel
def factor_newton(N, c):
    """Factor I - c A_v - c^2 A_q."""
    rank = N.rank[0]
    matrix = N.matrix
    for j in range(rank):
        for k in range(rank):
            matrix[j, k] = -c * (N.by_velocity[j, k] + c * N.by_position[j, k])
        matrix[j, j] += 1.0
    factor_dense(matrix, rank, N.swap)
