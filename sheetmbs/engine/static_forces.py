"""Applied forces on a system at rest."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.applied import apply_bushings, apply_loads, apply_springs, read_variables
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import apply_beams
from sheetmbs.engine.constraints import move_all, place_all
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
    pose, place, turn = W.pose, W.place, W.turn
    place_all(A, W, A.counted, q)
    move_all(A, W, A.counted, rest)
    remember_turns(A.counted, turn, t)
    for k in range(force.shape[0]):
        force[k] = A.base_force[k]
    if A.beams.record.shape[0] > 0:
        apply_beams(A.beams, W.beam, rest, force)
    read_variables(A.loads.variable, pose, place, W.variable)
    apply_springs(A.spring, A.body, A.curves, pose, place, turn, W.hint, W.held, W.spring, force)
    apply_bushings(A.bushings, A.body, pose, place, W.bushing, force)
    apply_loads(
        A.loads, A.body, A.curves, A.tapes, t, pose, place, W.variable, W.hint, W.stack, W.fault, W.wrench, force
    )
