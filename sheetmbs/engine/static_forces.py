"""Forces on a system at rest: those applied, and those that separate teeth, which go with reactions."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.algebra.linear import least_norm
from sheetmbs.engine.applied import apply_loads
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import apply_beams
from sheetmbs.engine.constraints import move_all, place_all
from sheetmbs.engine.forces.all_forces import apply_forces
from sheetmbs.engine.forces.friction import begin_friction, hold_loads, settle_friction
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats
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
