"""Reported rows, as every integrator writes them."""

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
