"""Angle of body j against body i about an axis in space, counted past a turn; see `engine/revolution_counts.py`.

Phi = theta                                     g_i = (0; -g),  g_j = (0; g)
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.revolution_counts import ANGLE, AXIS


@inline_kernel
def counted_turn(row, turn, gradient, r):
    """Residual; writes the gradient."""
    for k in range(3):
        gradient[r, 3 + k] = -turn[row.k, AXIS + k]
        gradient[r, 9 + k] = turn[row.k, AXIS + k]
    return turn[row.k, ANGLE]
