"""The equations of motion at one state: what every analysis is made of.

Index 1 in mass-scaled velocities (u = M^1/2 v, J scaled likewise):

    S lambda = gamma - J M^-1 Q,   S = J M^-1 J^T        v-dot = M^-1 (Q + J^T lambda)

Feedback of violations (Baumgarte 1972) replaces gamma by gamma - 2 alpha (J v - nu) - beta^2 Phi. The augmented Lagrangian
(Bayo, Garcia de Jalon and Serna 1988) takes alpha = mu omega, beta = omega and a penalty p; its iteration

    (M + p J^T J) a_i+1 = M a_i + p J^T (gamma - J a_i)  is  lambda_i+1 = lambda_i + (S + I/p)^-1 (gamma - J a_i)

Besides q and v, the work done by all forces but weights and springs is a state: it closes the energy balance.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.linear import add_transposed, factor, least_norm, residual_of, solve
from sheetmbs.engine.algebra.partition import put_dependent
from sheetmbs.engine.applied import apply_all
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_all, place_all, set_rates
from sheetmbs.engine.forces.friction import begin_friction, separate, settle_friction
from sheetmbs.engine.kinematics import displace, normalise_positions, position_rates, row_product
from sheetmbs.engine.massless_coordinates import accelerate, release
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats
from sheetmbs.engine.revolution_counts import extrapolate_revolutions, remember_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

EVALUATIONS = int(Count.EVALUATIONS)
FACTORISATIONS = int(Count.FACTORISATIONS)
UNCONVERGED = int(Count.UNCONVERGED)

EPS = 1e-11  # regularisation of S where its pivots are small; refinement removes its effect
SMALL_PIVOT = 1e-6
UNEVEN_FRICTION = 1e-3  # pivots below lose digits that friction needs to find its balance with the reactions
SLOW = 0.5  # a correction of positions that shrinks the residual by less than this is not converging
MOST_ITERATIONS = 30
CONVERGED = 1e-10  # of what the accelerations miss at first, from which on the augmented Lagrangian is done

# Places in `Work.feedback`: Baumgarte's factors, 1/penalty (0: no augmented Lagrangian), tolerance of the dependent
# coordinates (0: no coordinate partitioning).
ALPHA, BETA, SOFTNESS, PARTITION = range(4)


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
def iterate_augmented(A, W, x) -> int:
    """Accelerations and multipliers of the augmented Lagrangian by the factor of S + I/p. Returns 1 if they do not converge.

    As in `accelerate`, x (nv,) is changed so that J x = `Work.gamma`.
    """
    layout, missing, held, multiplier = A.layout, A.missing, W.newton, W.multiplier
    jacobian, wanted, residual = W.jacobian, W.gamma, W.residual
    for r in range(multiplier.shape[0]):
        multiplier[r] = 0.0
    for k in range(held.shape[0]):
        held[k] = 0.0
    first = residual_of(layout.block, jacobian, wanted, x, residual)
    worst = first
    for _ in range(MOST_ITERATIONS):
        if worst <= CONVERGED * first:
            return 0
        solve(layout, W.s, W.inverse_pivot, residual)
        for r in range(multiplier.shape[0]):
            multiplier[r] += residual[r]
        add_transposed(layout.block, jacobian, residual, x)
        release(missing, x, held)
        worst = residual_of(layout.block, jacobian, wanted, x, residual)
    return 1


@kernel
def put_on_constraints(A, W, q, project, is_near) -> int:
    """Place everything at positions q, which are first put on the constraints, to a residual of ``project`` if that is above 0.

    is_near: whether to try with the factor at hand first. Returns 1 if the positions did not come to rest, else 0.
    """
    rows, layout = A.row, A.layout
    jacobian, multiplier, s, inverse_pivot, step = W.jacobian, W.multiplier, W.s, W.inverse_pivot, W.step
    renew = not is_near
    before = math.inf
    if project > 0.0:
        copy(q, W.guess)
    while True:
        place_all(A, W, A.turn, q)
        if project == 0.0:
            return 0
        size = size_of_violation(rows, W.phi, A.length)
        if size <= project:
            return 0
        if not size < SLOW * before:
            if renew:
                return 1
            renew = True
            before = math.inf
            copy(W.guess, q)
            continue
        if renew:
            factor(layout, rows, A.missing, jacobian, W, EPS)
            W.count[FACTORISATIONS] += 1
        before = size
        for r in range(rows.shape[0]):
            multiplier[r] = -W.phi[r]
        solve(layout, s, inverse_pivot, multiplier)
        for k in range(step.shape[0]):
            step[k] = 0.0
        add_transposed(layout.block, jacobian, multiplier, step)
        displace(A.body, A.beams, q, step, A.scale, 1.0)


@kernel
def solve_accelerations(A, W, refinements) -> None:
    """Mass-scaled accelerations from `Work.force` to `Work.scaled`, with their multipliers."""
    scale, scaled = A.scale, W.scaled
    for k in range(scale.shape[0]):
        scaled[k] = W.force[k] * scale[k]
    if W.feedback[SOFTNESS] > 0.0:
        W.count[UNCONVERGED] += iterate_augmented(A, W, scaled)
    elif A.missing.shape[0] > 0:
        accelerate(A, W, scaled)
    else:
        least_norm(A.layout, W.jacobian, W, W.gamma, scaled, W.multiplier, refinements)


@kernel
def evaluate_from(A, W, t, q, v, rates, project, is_near) -> int:
    """Evaluate as `evaluate` does; is_near: whether the factor at hand is of a place near this one."""
    nq, nv, nr = q.shape[0], v.shape[0], W.phi.shape[0]
    rows, bodies, turns, scale = A.row, A.body, A.turn, A.scale
    turn, motion, jacobian, step = W.turn, W.motion, W.jacobian, W.step
    alpha, beta = W.feedback[ALPHA], W.feedback[BETA]
    W.count[EVALUATIONS] += 1
    evaluate_motions(A.motion, A.curves, A.tapes, t, motion, W.hint, W.stack, W.fault)
    is_driven = motion.shape[0] > 1  # else all rows have the first motion, which is zero, and so is nu
    if is_driven:
        set_rates(rows, motion, W.nu)
    normalise_positions(bodies, q)
    extrapolate_revolutions(turns, turn, t)
    status = 0
    if W.feedback[PARTITION] > 0.0:
        status = put_dependent(A, W, q, v, W.feedback[PARTITION], project > 0.0)
        project = 0.0
    # where directions are so unequal that they turn with the bodies, a factor is good for one place
    status = max(status, put_on_constraints(A, W, q, project, is_near and not W.pivot_ratio[0] < SMALL_PIVOT))
    eps = EPS if W.pivot_ratio[0] < SMALL_PIVOT else 0.0  # as it was last time: it changes slowly
    eps = max(eps, W.feedback[SOFTNESS])
    ratio = factor(A.layout, rows, A.missing, jacobian, W, eps)
    W.count[FACTORISATIONS] += 1
    W.pivot_ratio[0] = ratio
    rubs = A.friction.record.shape[0] > 0
    is_uneven = ratio < (UNEVEN_FRICTION if rubs else SMALL_PIVOT)
    refinements = 1 if eps > 0.0 or is_uneven else 0
    if project > 0.0 or alpha != 0.0 or beta != 0.0:
        for k in range(nv):
            step[k] = v[k] / scale[k]
    if project > 0.0:
        least_norm(A.layout, jacobian, W, W.nu, step, W.multiplier, refinements)
        for k in range(nv):
            v[k] = step[k] * scale[k]
    move_all(A, W, turns, v)
    remember_turns(turns, turn, t)
    power = apply_all(A, W, t, v)
    if alpha != 0.0 or beta != 0.0:
        for r in range(nr):
            drift = row_product(rows[r], bodies, jacobian, step) - W.nu[r]
            W.gamma[r] -= 2.0 * alpha * drift + beta * beta * W.phi[r]
    if rubs:
        begin_friction(A, W)
    while True:
        solve_accelerations(A, W, refinements)
        if not rubs:
            break
        done, lost = settle_friction(A, W, A.mass)
        power += lost
        if done:
            break
    position_rates(bodies, A.beams, q, v, rates)
    if is_driven:
        for r in range(nr):
            power += W.multiplier[r] * W.nu[r]
    for k in range(nv):
        rates[nq + k] = W.scaled[k] * scale[k]
    rates[nq + nv] = power
    return status


@kernel
def evaluate(A: Arrays, W: Work, t: float, q: Floats, v: Floats, rates: Floats, project: float) -> int:
    """State derivative at (t, q, v), Euler parameters brought to unit length in place.

    rates: (nq + nv + 1,) receives q-dot, v-dot and power. project: a violation above 0 asks that q and v first be put on the
    constraints by the mass-weighted least change, positions to that residual with the factor at hand: q and v are then
    changed in place. Returns 1 if the positions did not come to rest, else 0.
    """
    return evaluate_from(A, W, t, q, v, rates, project, True)  # noqa: FBT003 - kernels have no keywords


@kernel
def balance(A, W, t, q, v, multiplier, total) -> float:
    """Mass-scaled Q + J^T lambda to ``total``, and with it Phi, nu and J in W; turns as extrapolated. Returns the power."""
    rows, curves, scale = A.row, A.curves, A.scale
    motion, force = W.motion, W.force
    W.count[EVALUATIONS] += 1
    evaluate_motions(A.motion, curves, A.tapes, t, motion, W.hint, W.stack, W.fault)
    set_rates(rows, motion, W.nu)
    place_all(A, W, A.turn, q)
    move_all(A, W, A.turn, v)
    power = apply_all(A, W, t, v)
    if A.friction.has_all_rows:
        power += separate(A, W, multiplier, force)
    for k in range(force.shape[0]):
        total[k] = force[k] * scale[k]
    add_transposed(A.layout.block, W.jacobian, multiplier, total)
    for r in range(multiplier.shape[0]):
        power += multiplier[r] * W.nu[r]
    return power
