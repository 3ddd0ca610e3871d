"""Azimuth of the line from frame i to frame j about an axis of body i or of the ground, counted past a turn.

Phi = chi                                       g_i = (-p; p x d),  g_j = (p; 0),  d = p_j - p_i

with p of `engine/revolution_counts.py`. The axes are those of the row's turn; on the ground, where ``ax`` is 0, they
take the moment.
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.revolution_counts import ANGLE, AXIS
from sheetmbs.engine.vec import between, cross


@inline_kernel
def azimuth(row, place, turn, gradient, r):
    """Residual; writes the gradient."""
    px, py, pz = turn[row.k, AXIS], turn[row.k, AXIS + 1], turn[row.k, AXIS + 2]
    dx, dy, dz = between(place, row.frame_i, row.frame_j)
    gradient[r, 0] = -px
    gradient[r, 1] = -py
    gradient[r, 2] = -pz
    gradient[r, 3], gradient[r, 4], gradient[r, 5] = cross(row.ax * px, row.ax * py, row.ax * pz, dx, dy, dz)
    gradient[r, 6] = px
    gradient[r, 7] = py
    gradient[r, 8] = pz
    return turn[row.k, ANGLE]
