"""All forces at a state for given multipliers: Q + J^T lambda."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.algebra.linear import add_transposed
from sheetmbs.engine.applied import apply_all
from sheetmbs.engine.codes import Count
from sheetmbs.engine.constraints import move_all, place_all, set_rates
from sheetmbs.engine.forces.friction import separate
from sheetmbs.engine.motion.motions import evaluate_motions

EVALUATIONS = int(Count.EVALUATIONS)


@kernel
def balance(A, W, t, q, v, multiplier, total) -> float:
    """Mass-scaled Q + J^T lambda to ``total``, and with it Phi, nu and J in W; turns as foretold. Returns the power."""
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
