"""Distance between two frames (not its square, so the multiplier is the force in the link).

Phi   = |d|,  d = p_j - p_i,  u = d/|d|         g_i = (-u; 0),  g_j = (u; 0)
gamma = -(|d-dot|^2 - (u . d-dot)^2)/|d|
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.vec import between, dot, speed_between, write_opposite


@inline_kernel
def distance(row, place, gradient, r):
    """Residual; writes the gradient. Coincident frames give a zero gradient."""
    i = row.frame_i
    j = row.frame_j
    dx, dy, dz = between(place, i, j)
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    write_opposite(gradient, r, 0, dx * inverse, dy * inverse, dz * inverse)
    return length


@inline_kernel
def distance_gamma(row, place):
    """Right-hand side of the acceleration equation, without the frames' own quadratic accelerations."""
    i = row.frame_i
    j = row.frame_j
    dx, dy, dz = between(place, i, j)
    vx, vy, vz = speed_between(place, i, j)
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    along = dot(dx, dy, dz, vx, vy, vz) * inverse
    return -(dot(vx, vy, vz, vx, vy, vz) - along * along) * inverse
