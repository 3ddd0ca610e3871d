"""Rows of angles counted past a turn; see `engine/revolution_counts.py`.

Angle of body j against body i, both planar or ground:
    Phi = phi_j - phi_i                         g_i = (0; -e_z),  g_j = (0; e_z),  gamma = 0
Angle of body j against body i about an axis in space:
    Phi = theta                                 g_i = (0; -g),  g_j = (0; g)
Azimuth of the line from frame i to frame j about an axis of body i or of the ground:
    Phi = chi                                   g_i = (-p; p x d),  g_j = (p; 0),  d = p_j - p_i
The axes are those of the row's turn; on the ground, where ``ax`` is 0, they take the moment.
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import PHI
from sheetmbs.engine.revolution_counts import ANGLE, AXIS
from sheetmbs.engine.vec import between, cross, write_opposite


@inline_kernel
def angle(row, pose, gradient, r):
    """Residual; writes the gradient."""
    gradient[r, 5] = -1.0
    gradient[r, 11] = 1.0
    return pose[row.body_j, PHI] - pose[row.body_i, PHI]


@inline_kernel
def counted_turn(row, turn, gradient, r):
    """Residual; writes the gradient."""
    for k in range(3):
        gradient[r, 3 + k] = -turn[row.k, AXIS + k]
        gradient[r, 9 + k] = turn[row.k, AXIS + k]
    return turn[row.k, ANGLE]


@inline_kernel
def azimuth(row, place, turn, gradient, r):
    """Residual; writes the gradient."""
    px, py, pz = turn[row.k, AXIS], turn[row.k, AXIS + 1], turn[row.k, AXIS + 2]
    dx, dy, dz = between(place, row.frame_i, row.frame_j)
    write_opposite(gradient, r, 0, px, py, pz)
    gradient[r, 3], gradient[r, 4], gradient[r, 5] = cross(row.ax * px, row.ax * py, row.ax * pz, dx, dy, dz)
    return turn[row.k, ANGLE]
