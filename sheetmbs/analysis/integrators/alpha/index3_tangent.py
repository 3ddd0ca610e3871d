"""The dense matrix of Newton's method for a step, see `index3.py`: tangents by differences, its factor, solving with it.

The tangents are K = -d(Q + J^T lambda)/dq, along `displace`, and D = -dQ/dv, kept apart so that a change of h needs no new
differences. Rows of J are brought to length 1, as columns are by mass: no choice of units matters to the pivots.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import balance
from sheetmbs.engine.kinematics import displace

FACTORISATIONS = int(Count.FACTORISATIONS)

DIFFERENCE = 1e-7  # of the characteristic length, of 1 rad, and of the largest velocity: for K and D


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
