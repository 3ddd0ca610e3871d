"""Applied forces on a system at rest."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.applied import apply_loads
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import apply_beams
from sheetmbs.engine.constraints import move_all, place_all
from sheetmbs.engine.forces.all_forces import apply_forces
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats
from sheetmbs.engine.turns import foretell_turns, remember_turns
from sheetmbs.engine.work import Work


@kernel
def static_force(A: Arrays, W: Work, t: float, q: Floats, rest: Floats, force: Floats) -> None:
    """Weights, springs and loads at positions q without velocities: force (nv,). W then holds the residual and Jacobian at q.

    rest: (nv,) zeros.
    """
    evaluate_motions(A.motion, A.curves, A.tapes, t, W.motion, W.hint, W.stack, W.fault)
    foretell_turns(A.counted, W.turn, t)
    place_all(A, W, A.counted, q)
    move_all(A, W, A.counted, rest)
    remember_turns(A.counted, W.turn, t)
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
    if A.beams.record.shape[0] > 0:
        apply_beams(A.beams, W.beam, rest, force)
    apply_forces(A, W, force)
    apply_loads(A, W, t, force)
