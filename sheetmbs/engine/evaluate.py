"""The equations of motion at one state: what every analysis is made of.

Index 1 in mass-scaled velocities (u = M^1/2 v, J scaled likewise):

    S lambda = gamma - J M^-1 Q,   S = J M^-1 J^T        v-dot = M^-1 (Q + J^T lambda)

With Baumgarte's terms gamma becomes gamma - 2 alpha (J v - nu) - beta^2 Phi. The state is y = (q, v, w), w the work done by all
forces but weights and springs, which closes the energy balance.
"""

import math

from sheetmbs.engine.applied import apply_forces
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_rows, place_rows, row_product, set_rates
from sheetmbs.engine.kinematics import displace, move_bodies, place_bodies, position_rates
from sheetmbs.engine.linear import add_transposed, assemble, factor, residual_of, solve
from sheetmbs.engine.motions import evaluate_motions
from sheetmbs.jit import inline_kernel, kernel

EVALUATIONS = int(Count.EVALUATIONS)
FACTORISATIONS = int(Count.FACTORISATIONS)
REFINEMENTS = int(Count.REFINEMENTS)

EPS = 1e-11  # regularisation of S; its effect is removed by refinement where pivots are small
SMALL_PIVOT = 1e-6
DEPENDENT_PIVOT = 1e-9
PROJECTIONS = 12


@inline_kernel
def place_all(A, W, q):
    """Poses, frames, residuals and Jacobian at positions q; the motions must have been evaluated."""
    place_bodies(A.body, A.frame, W.pose, W.place, q)
    place_rows(A.row, A.body, W.pose, W.place, W.motion, W.phi, W.gradient, W.jacobian, A.scale)


@inline_kernel
def move_all(A, W, v):
    """Velocities of bodies and frames, and gamma; after `place_all`."""
    move_bodies(A.body, A.frame, W.pose, W.place, v)
    move_rows(A.row, W.pose, W.place, W.motion, W.gradient, W.gamma)


@inline_kernel
def factor_all(A, W, eps):
    """Assemble and factor S at the Jacobian in W."""
    assemble(A.pair, W.jacobian, W.s)
    W.pivot_ratio[0] = factor(A.column, A.target, A.row, W.s, W.inverse_pivot, W.panel, W.diagonal, eps)
    W.count[FACTORISATIONS] += 1


@inline_kernel
def least_norm(A, W, wanted, x, refinements):
    """Add to the mass-scaled x the smallest change with J x = wanted. The multipliers of the change are in W.multiplier.

    wanted: (nr,), x: (nv,). Uses the factor in W. refinements: how often the rest is solved for again.
    """
    residual_of(A.row, A.body, W.jacobian, wanted, x, W.residual)
    for k in range(A.row.shape[0]):
        W.multiplier[k] = W.residual[k]
    solve(A.column, A.panel_row, W.s, W.inverse_pivot, W.multiplier)
    add_transposed(A.row, A.body, W.jacobian, W.multiplier, x)
    for _ in range(refinements):
        residual_of(A.row, A.body, W.jacobian, wanted, x, W.residual)
        solve(A.column, A.panel_row, W.s, W.inverse_pivot, W.residual)
        for k in range(A.row.shape[0]):
            W.multiplier[k] += W.residual[k]
        add_transposed(A.row, A.body, W.jacobian, W.residual, x)
        W.count[REFINEMENTS] += 1


@inline_kernel
def size_of_violation(A, W):
    """Largest position residual, translational rows over the characteristic length."""
    worst = 0.0
    for r in range(A.row.shape[0]):
        size = abs(W.phi[r])
        if A.row[r].compliance > 0.0:
            size /= A.length
        if not size <= worst:
            worst = size
    return worst


@kernel
def evaluate(A, W, t, q, v, rates, alpha, beta, project):
    """State derivative at (t, q, v).

    rates: (nq + nv + 1,) receives q-dot, v-dot and power. project: a violation above 0 asks that q and v first be put on the
    constraints by the mass-weighted least change, positions to that residual with the factor at hand: q and v are then
    changed in place. Returns the size of the change of positions left to judge, negative if they did not come to rest.
    """
    nq = q.shape[0]
    nv = v.shape[0]
    nr = A.row.shape[0]
    W.count[EVALUATIONS] += 1
    evaluate_motions(A, W, t)
    place_all(A, W, q)
    status = 0
    if project > 0.0:
        before = math.inf
        for _ in range(PROJECTIONS):
            size = size_of_violation(A, W)
            if size <= project:
                break
            if not size < 0.9 * before:
                status = 1
                break
            before = size
            for r in range(nr):
                W.multiplier[r] = -W.phi[r]
            solve(A.column, A.panel_row, W.s, W.inverse_pivot, W.multiplier)
            for k in range(nv):
                W.step[k] = 0.0
            add_transposed(A.row, A.body, W.jacobian, W.multiplier, W.step)
            displace(A.body, q, W.step, A.scale, 1.0)
            place_all(A, W, q)
        else:
            status = 1
    factor_all(A, W, EPS)
    set_rates(A.row, W.motion, W.nu)
    refinements = 1 if W.pivot_ratio[0] < SMALL_PIVOT else 0
    if project > 0.0:
        for k in range(nv):
            W.step[k] = v[k] / A.scale[k]
        least_norm(A, W, W.nu, W.step, refinements)
        for k in range(nv):
            v[k] = W.step[k] * A.scale[k]
    move_all(A, W, v)
    apply_forces(A, W, t, v)
    for k in range(nv):
        W.scaled[k] = W.force[k] * A.scale[k]
        W.step[k] = v[k] / A.scale[k]
    if alpha != 0.0 or beta != 0.0:
        for r in range(nr):
            drift = row_product(A.row[r], A.body, W.jacobian, W.step) - W.nu[r]
            W.gamma[r] -= 2.0 * alpha * drift + beta * beta * W.phi[r]
    least_norm(A, W, W.gamma, W.scaled, refinements)
    position_rates(A.body, v, rates)
    power = W.power[0]
    for r in range(nr):
        power += W.multiplier[r] * W.nu[r]
    for k in range(nv):
        rates[nq + k] = W.scaled[k] * A.scale[k]
    rates[nq + nv] = power
    return status
