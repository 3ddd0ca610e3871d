"""The equations of motion at one state: what every analysis is made of.

Index 1 in mass-scaled velocities (u = M^1/2 v, J scaled likewise):

    S lambda = gamma - J M^-1 Q,   S = J M^-1 J^T        v-dot = M^-1 (Q + J^T lambda)

With Baumgarte's terms gamma becomes gamma - 2 alpha (J v - nu) - beta^2 Phi. Besides q and v, the work done by all forces but
weights and springs is a state: it closes the energy balance.
"""

import math

from sheetmbs.engine.applied import apply_bushings, apply_loads, apply_springs, read_variables
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_all, place_all, set_rates
from sheetmbs.engine.kinematics import add_gyroscopic, displace, normalise_positions, position_rates, row_product
from sheetmbs.engine.linear import add_transposed, factor, least_norm, solve
from sheetmbs.engine.motions import evaluate_motions
from sheetmbs.engine.turns import foretell_turns, remember_turns
from sheetmbs.engine.vec import copy
from sheetmbs.jit import inline_kernel, kernel

EVALUATIONS = int(Count.EVALUATIONS)
FACTORISATIONS = int(Count.FACTORISATIONS)

EPS = 1e-11  # regularisation of S where its pivots are small; refinement removes its effect
SMALL_PIVOT = 1e-6
SLOW = 0.5  # a correction of positions that shrinks the residual by less than this is not converging


@inline_kernel
def size_of_violation(rows, phi, length):
    """Largest position residual, translational rows over the characteristic length."""
    worst = 0.0
    for r in range(rows.shape[0]):
        size = abs(phi[r])
        if rows[r].compliance > 0.0:
            size /= length
        if not size <= worst:
            worst = size
    return worst


@kernel
def evaluate(A, W, t, q, v, rates, alpha, beta, project):
    """State derivative at (t, q, v), Euler parameters brought to unit length in place.

    rates: (nq + nv + 1,) receives q-dot, v-dot and power. project: a violation above 0 asks that q and v first be put on the
    constraints by the mass-weighted least change, positions to that residual with the factor at hand: q and v are then
    changed in place. Returns 1 if the positions did not come to rest, else 0.
    """
    nq, nv, nr = q.shape[0], v.shape[0], W.phi.shape[0]
    rows, parts, bodies, frames, turns = A.row, A.part, A.body, A.frame, A.turn
    layout, curves, scale = A.layout, A.curves, A.scale
    pose, place, turn, motion, jacobian, multiplier = W.pose, W.place, W.turn, W.motion, W.jacobian, W.multiplier
    s, inverse_pivot, step, force, scaled = W.s, W.inverse_pivot, W.step, W.force, W.scaled
    W.count[EVALUATIONS] += 1
    evaluate_motions(A.motion, curves, A.tapes, t, motion, W.hint, W.stack, W.fault)
    set_rates(rows, motion, W.nu)
    normalise_positions(bodies, q)
    foretell_turns(turns, turn, t)
    status = 0
    before = math.inf
    renew = W.pivot_ratio[0] < SMALL_PIVOT  # directions so unequal turn with the bodies: a factor is good for one place
    if project > 0.0:
        copy(q, W.guess)
    while True:
        place_all(parts, bodies, frames, turns, pose, place, turn, motion, W.phi, W.gradient, jacobian, scale, q)
        if project == 0.0:
            break
        size = size_of_violation(rows, W.phi, A.length)
        if size <= project:
            break
        if not size < SLOW * before:
            if renew:
                status = 1
                break
            renew = True
            before = math.inf
            copy(W.guess, q)
            continue
        if renew:
            factor(layout, rows, jacobian, s, inverse_pivot, W.panel, W.square, EPS)
            W.count[FACTORISATIONS] += 1
        before = size
        for r in range(nr):
            multiplier[r] = -W.phi[r]
        solve(layout, s, inverse_pivot, multiplier)
        for k in range(nv):
            step[k] = 0.0
        add_transposed(layout.block, jacobian, multiplier, step)
        displace(bodies, q, step, scale, 1.0)
    eps = EPS if W.pivot_ratio[0] < SMALL_PIVOT else 0.0  # as it was last time: it changes slowly
    ratio = factor(layout, rows, jacobian, s, inverse_pivot, W.panel, W.square, eps)
    W.count[FACTORISATIONS] += 1
    W.pivot_ratio[0] = ratio
    refinements = 1 if eps > 0.0 or ratio < SMALL_PIVOT else 0
    for k in range(nv):
        step[k] = v[k] / scale[k]
    if project > 0.0:
        least_norm(layout, jacobian, s, inverse_pivot, W.nu, step, multiplier, W.residual, refinements)
        for k in range(nv):
            v[k] = step[k] * scale[k]
    move_all(parts, bodies, frames, turns, pose, place, turn, motion, W.gradient, W.gamma, v)
    remember_turns(turns, turn, t)
    power = 0.0
    for k in range(nv):
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
    for k in range(nv):
        scaled[k] = force[k] * scale[k]
    if alpha != 0.0 or beta != 0.0:
        for r in range(nr):
            drift = row_product(rows[r], bodies, jacobian, step) - W.nu[r]
            W.gamma[r] -= 2.0 * alpha * drift + beta * beta * W.phi[r]
    least_norm(layout, jacobian, s, inverse_pivot, W.gamma, scaled, multiplier, W.residual, refinements)
    position_rates(bodies, q, v, rates)
    for r in range(nr):
        power += multiplier[r] * W.nu[r]
    for k in range(nv):
        rates[nq + k] = scaled[k] * scale[k]
    rates[nq + nv] = power
    return status
