"""Reported rows: a state from dense output is put on the constraints and evaluated, so that all its numbers belong together."""

from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.jit import kernel

ROUNDING = 1e-12  # of a step: a reporting row this near to its end is its end


@kernel
def write_row(rows, row, state, rates, turn, column):
    """Write a state (q, v, work), its derivative and a column of its counted turns as row ``row`` of ``rows``."""
    nq, nv = rows.q.shape[1], rows.v.shape[1]
    for m in range(nq):
        rows.q[row, m] = state[m]
    for m in range(nv):
        rows.v[row, m] = state[nq + m]
        rows.a[row, m] = rates[nq + m]
    rows.work[row] = state[nq + nv]
    for k in range(rows.turn.shape[1]):
        rows.turn[row, k] = turn[k, column]


@kernel
def report(A, W, rows, row, state, project):
    """Evaluate a state at the time of row ``row`` and write it there; the state is put on the constraints in place."""
    nq, nv = rows.q.shape[1], rows.v.shape[1]
    evaluate(A, W, rows.times[row], state[:nq], state[nq : nq + nv], W.rates, project)
    count_turns(A.counted, W.pose, W.turn, rows.times[row])
    write_row(rows, row, state, W.rates, W.turn, ANGLE)
