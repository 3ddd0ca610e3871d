"""Forces on a system at rest: those applied, those that separate teeth, and what joints and drivers carry.

J^T lambda = -Q,  and the reactions of each element are G^T lambda
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.algebra.linear import factor, least_norm, least_weighted
from sheetmbs.engine.algebra.newton import LEAST_EPS
from sheetmbs.engine.applied import apply_loads
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import apply_beams
from sheetmbs.engine.constraints import move_all, place_all
from sheetmbs.engine.forces.all_forces import apply_forces
from sheetmbs.engine.forces.friction import begin_friction, hold_loads, settle_friction
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints
from sheetmbs.engine.revolution_counts import extrapolate_revolutions, remember_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work


@kernel
def static_force(A: Arrays, W: Work, t: float, q: Floats, rest: Floats, force: Floats) -> None:
    """Weights, springs and loads at positions q without velocities: force (nv,). W then holds the residual and Jacobian at q.

    rest: (nv,) zeros.
    """
    evaluate_motions(A.motion, A.curves, A.tapes, t, W.motion, W.hint, W.stack, W.fault)
    extrapolate_revolutions(A.counted, W.turn, t)
    place_all(A, W, A.counted, q)
    move_all(A, W, A.counted, rest)
    remember_turns(A.counted, W.turn, t)
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
    if A.beams.record.shape[0] > 0:
        apply_beams(A.beams, W.beam, rest, force)
    apply_forces(A, W, force)
    apply_loads(A, W, t, force)


@kernel
def settle_teeth(
    A: Arrays, W: Work, inertia: Floats, none: Floats, force: Floats, left: Floats, multiplier: Floats, refinements: int
) -> None:
    """Balance reactions with the forces that separate teeth, which are added to force (nv,); after `static_force` and `factor`.

    inertia: (nv,) weights of the Jacobian. none: (rows,) zeros. left: (nv,) receives what joints do not carry, in scaled
    coordinates. multiplier: (rows,) receives what they do.
    """
    scale = A.scale
    copy(force, W.force)
    begin_friction(A, W)
    while True:
        for k in range(scale.shape[0]):
            W.scaled[k] = W.force[k] * scale[k]
        least_norm(A.layout, W.jacobian, W, none, W.scaled, W.multiplier, refinements)
        done, _power = settle_friction(A, W, inertia)
        if done:
            break
    copy(W.force, force)
    copy(W.scaled, left)
    copy(W.multiplier, multiplier)


@kernel
def hold_teeth(A: Arrays, W: Work, force: Floats) -> None:
    """Add the forces that separate teeth to force (nv,) for the loads that were found last; after `static_force`."""
    hold_loads(A, W, force)


@dataclass(frozen=True, eq=False)
class CarriedLoads(Bundle):
    """Configurations, the forces on them, and what is found. Elements are joints and drivers, as the model counts them."""

    owner: Ints  # (nr,) the element of each row
    positions: Floats2  # (n, nq)
    force: Floats2  # (n, nv) applied generalised forces
    multiplier: Floats2  # (n, elements) of an element's last row: of a driver its only one
    wrench: Floats3  # (n, elements, 12) on frame i, then on frame j: force and moment, global
    left: Floats2  # (n, nv) what joints and drivers do not carry: rounding, where drivers fix all freedoms


@kernel
def carry_loads(A: Arrays, W: Work, C: CarriedLoads) -> None:
    """Fill multiplier, wrench and left."""
    scale, parts = A.scale, A.part
    nv, nr = scale.shape[0], W.phi.shape[0]
    for n in range(C.positions.shape[0]):
        place_all(A, W, A.turn, C.positions[n])
        factor(A.layout, A.row, A.missing, W.jacobian, W, LEAST_EPS)
        for k in range(nv):
            W.scaled[k] = -scale[k] * C.force[n, k]
        least_weighted(A.layout, A.row, W, LEAST_EPS, W.scaled)
        for k in range(nv):
            C.left[n, k] = W.scaled[k] / scale[k]
        for r in range(nr):
            C.multiplier[n, C.owner[r]] = W.multiplier[r]
        for p in range(parts.shape[0]):
            part = parts[p]
            c = C.owner[part.target]
            for k in range(6):
                if part.slot_i >= 0:
                    C.wrench[n, c, part.slot_i + k] += W.multiplier[part.target] * W.gradient[p, k]
                if part.slot_j >= 0:
                    C.wrench[n, c, part.slot_j + k] += W.multiplier[part.target] * W.gradient[p, 6 + k]
