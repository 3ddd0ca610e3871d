"""Azimuth of frame j as body i sees it: the angle about an axis of body i, counted past a turn; see `engine/turns.py`.

Phi = chi                                       g_i = (-p; p x d),  g_j = (p; 0),  d = p_j - p_i
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.turns import ANGLE, AXIS
from sheetmbs.engine.vec import between, cross


@inline_kernel
def azimuth(row, place, turn, gradient, r):
    """Residual; writes the gradient."""
    px, py, pz = turn[row.k, AXIS], turn[row.k, AXIS + 1], turn[row.k, AXIS + 2]
    dx, dy, dz = between(place, row.frame_i, row.frame_j)
    gradient[r, 0] = -px
    gradient[r, 1] = -py
    gradient[r, 2] = -pz
    gradient[r, 3], gradient[r, 4], gradient[r, 5] = cross(px, py, pz, dx, dy, dz)
    gradient[r, 6] = px
    gradient[r, 7] = py
    gradient[r, 8] = pz
    return turn[row.k, ANGLE]
