"""Axis a of body i perpendicular to axis b of body j, type n1 (Nikravesh 1988, eq. 7.6; Haug 1989, eq. 9.4.3).

Phi   = a . b                                   g_i = (0; -b x a),  g_j = (0; b x a)
gamma = -(w_j - w_i) . ((w_j x b) x a + b x (w_i x a))
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.vec import cross, dot, turned, write_opposite


@inline_kernel
def perpendicular(row, pose, gradient, r):
    """Residual; writes the gradient."""
    ax, ay, az = turned(pose, row.body_i, row.ax, row.ay, row.az)
    bx, by, bz = turned(pose, row.body_j, row.bx, row.by, row.bz)
    cx, cy, cz = cross(bx, by, bz, ax, ay, az)
    write_opposite(gradient, r, 3, cx, cy, cz)
    return dot(ax, ay, az, bx, by, bz)


@inline_kernel
def perpendicular_gamma(row, pose):
    """Right-hand side of the acceleration equation."""
    i = row.body_i
    j = row.body_j
    ax, ay, az = turned(pose, i, row.ax, row.ay, row.az)
    bx, by, bz = turned(pose, j, row.bx, row.by, row.bz)
    ux, uy, uz = cross(pose[i, WX], pose[i, WY], pose[i, WZ], ax, ay, az)
    wx, wy, wz = cross(pose[j, WX], pose[j, WY], pose[j, WZ], bx, by, bz)
    cx, cy, cz = cross(wx, wy, wz, ax, ay, az)
    dx, dy, dz = cross(bx, by, bz, ux, uy, uz)
    return -dot(
        pose[j, WX] - pose[i, WX],
        pose[j, WY] - pose[i, WY],
        pose[j, WZ] - pose[i, WZ],
        cx + dx,
        cy + dy,
        cz + dz,
    )
