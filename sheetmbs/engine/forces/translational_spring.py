"""Translational spring-damper-actuator (Nikravesh 1988, sec. 9.2.3 to 9.2.5).

d = p_j - p_i,  l = |d|,  u = d/l,  l-dot = u . d-dot
f = f_s(l - l0) + f_d(l-dot) + F;  f u acts on body i at its frame, -f u on body j: + pulls the ends together
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.vec import dot


@inline_kernel
def length_and_rate(place, i, j):
    """Length, its rate, and the unit vector from frame i to frame j (zero where they coincide)."""
    dx = place[j, 3] - place[i, 3]
    dy = place[j, 4] - place[i, 4]
    dz = place[j, 5] - place[i, 5]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    ux = dx * inverse
    uy = dy * inverse
    uz = dz * inverse
    rate = dot(ux, uy, uz, place[j, 6] - place[i, 6], place[j, 7] - place[i, 7], place[j, 8] - place[i, 8])
    return length, rate, ux, uy, uz


@inline_kernel
def length_gradient(place, i, j, gradient, n):
    """Gradient of the length in twist space, to row n."""
    _length, _rate, ux, uy, uz = length_and_rate(place, i, j)
    gradient[n, 0] = -ux
    gradient[n, 1] = -uy
    gradient[n, 2] = -uz
    gradient[n, 6] = ux
    gradient[n, 7] = uy
    gradient[n, 8] = uz
