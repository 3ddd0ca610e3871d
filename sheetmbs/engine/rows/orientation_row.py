"""One of three rows that turn a body as measured Euler parameters e(t) tell; those need not be of unit length.

With d = p e*/|e| of the body's own parameters p, found from its rotation by that of e, and d0 >= 0:
    Phi = 2 d_k                                     g_j = (0; d0 u_k + d x u_k),  g_i = 0: it turns against the ground
Of all turns only the one of e itself has d = 0. nu and gamma are the velocity and acceleration of e: `motion/motions.py`.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import R11, R12, R13, R21, R22, R23, R31, R32, R33

SMALLEST = 1e-6
"""of d0: two turns that are opposite have no direction in which they differ"""


@inline_kernel
def orientation(row, pose, motion, gradient, p):
    """Residual; writes the gradient. Its motions stand before that of the row: e0 to e3, then one for each row."""
    k = row.k
    j = row.body_j
    base = row.motion - 4 - k
    a, b, c, d = motion[base, 0], motion[base + 1, 0], motion[base + 2, 0], motion[base + 3, 0]
    size = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    a, b, c, d = a * size, b * size, c * size, d * size
    m11, m12, m13 = 2.0 * (a * a + b * b) - 1.0, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)
    m21, m22, m23 = 2.0 * (b * c + a * d), 2.0 * (a * a + c * c) - 1.0, 2.0 * (c * d - a * b)
    m31, m32, m33 = 2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 2.0 * (a * a + d * d) - 1.0
    r11, r12, r13 = pose[j, R11], pose[j, R12], pose[j, R13]
    r21, r22, r23 = pose[j, R21], pose[j, R22], pose[j, R23]
    r31, r32, r33 = pose[j, R31], pose[j, R32], pose[j, R33]
    trace = r11 * m11 + r12 * m12 + r13 * m13 + r21 * m21 + r22 * m22 + r23 * m23 + r31 * m31 + r32 * m32 + r33 * m33
    d0 = 0.5 * math.sqrt(max(1.0 + trace, 4.0 * SMALLEST * SMALLEST))
    part = 0.25 / d0
    d1 = part * (r31 * m21 + r32 * m22 + r33 * m23 - r21 * m31 - r22 * m32 - r23 * m33)
    d2 = part * (r11 * m31 + r12 * m32 + r13 * m33 - r31 * m11 - r32 * m12 - r33 * m13)
    d3 = part * (r21 * m11 + r22 * m12 + r23 * m13 - r11 * m21 - r12 * m22 - r13 * m23)
    if k == 0:
        gradient[p, 9], gradient[p, 10], gradient[p, 11] = d0, d3, -d2
        return 2.0 * d1
    if k == 1:
        gradient[p, 9], gradient[p, 10], gradient[p, 11] = -d3, d0, d1
        return 2.0 * d2
    gradient[p, 9], gradient[p, 10], gradient[p, 11] = d2, -d1, d0
    return 2.0 * d3
