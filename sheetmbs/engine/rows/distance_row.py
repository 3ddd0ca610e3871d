"""Distance between two frames (not its square, so the multiplier is the force in the link).

Phi   = |d|,  d = p_j - p_i,  u = d/|d|         g_i = (-u; 0),  g_j = (u; 0)
gamma = -(|d-dot|^2 - (u . d-dot)^2)/|d|
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.vec import dot


@inline_kernel
def distance(row, place, gradient, r):
    """Residual; writes the gradient. Coincident frames give a zero gradient."""
    i = row.frame_i
    j = row.frame_j
    dx = place[j, 3] - place[i, 3]
    dy = place[j, 4] - place[i, 4]
    dz = place[j, 5] - place[i, 5]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    gradient[r, 0] = -dx * inverse
    gradient[r, 1] = -dy * inverse
    gradient[r, 2] = -dz * inverse
    gradient[r, 6] = dx * inverse
    gradient[r, 7] = dy * inverse
    gradient[r, 8] = dz * inverse
    return length


@inline_kernel
def distance_gamma(row, place):
    """Right-hand side of the acceleration equation, without the frames' own quadratic accelerations."""
    i = row.frame_i
    j = row.frame_j
    dx = place[j, 3] - place[i, 3]
    dy = place[j, 4] - place[i, 4]
    dz = place[j, 5] - place[i, 5]
    vx = place[j, 6] - place[i, 6]
    vy = place[j, 7] - place[i, 7]
    vz = place[j, 8] - place[i, 8]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    along = dot(dx, dy, dz, vx, vy, vz) * inverse
    return -(dot(vx, vy, vz, vx, vy, vz) - along * along) * inverse
