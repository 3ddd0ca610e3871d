"""No twist of one shaft against the other: a constant-velocity joint.

With e the Euler parameters of the rotation of body j against axes x, y, z of body i, z along the shaft,
    Phi   = 2 e_3                                   g_j = (0; g),  g_i = (0; -g),  g = e_2 x - e_1 y + e_0 z
    gamma = -g-dot . (w_j - w_i),  g-dot = w_i x g + e-dot_2 x - e-dot_1 y + e-dot_0 z
At Phi = 0 the axis of the rotation stands across the shaft and |g| = 1, whatever the angle between the shafts: the row has no
other root and stays regular where the shafts fold through 180 degrees. (x_i . y_j - y_i . x_j = -4 e_0 e_3 would be 0 for any
half turn too.) The sign of e, which means nothing, is that of e_0 >= 0.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.vec import cross, dot, turned, write_opposite


@inline_kernel
def first_axes(a, b, c):
    """First and second column of the rotation with modified Rodrigues parameters: e = (1 - s, 2 a, 2 b, 2 c)/(1 + s)."""
    s = a * a + b * b + c * c
    inverse = 1.0 / (1.0 + s)
    e0, e1, e2, e3 = (1.0 - s) * inverse, 2.0 * a * inverse, 2.0 * b * inverse, 2.0 * c * inverse
    x = 2.0 * (e0 * e0 + e1 * e1) - 1.0, 2.0 * (e1 * e2 + e0 * e3), 2.0 * (e1 * e3 - e0 * e2)
    y = 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e0 * e0 + e2 * e2) - 1.0, 2.0 * (e2 * e3 + e0 * e1)
    return x, y


@inline_kernel
def relative_parameters(row, pose):
    """Euler parameters of body j against the axes of the row on body i, then these axes x, y and z, global."""
    (ax, ay, az), (bx, by, bz) = first_axes(row.ax, row.ay, row.az)
    (cx, cy, cz), (dx, dy, dz) = first_axes(row.bx, row.by, row.bz)
    xx, xy, xz = turned(pose, row.body_i, ax, ay, az)
    yx, yy, yz = turned(pose, row.body_i, bx, by, bz)
    zx, zy, zz = cross(xx, xy, xz, yx, yy, yz)
    px, py, pz = turned(pose, row.body_j, cx, cy, cz)
    qx, qy, qz = turned(pose, row.body_j, dx, dy, dz)
    rx, ry, rz = cross(px, py, pz, qx, qy, qz)
    a11, a12, a13 = dot(xx, xy, xz, px, py, pz), dot(xx, xy, xz, qx, qy, qz), dot(xx, xy, xz, rx, ry, rz)
    a21, a22, a23 = dot(yx, yy, yz, px, py, pz), dot(yx, yy, yz, qx, qy, qz), dot(yx, yy, yz, rx, ry, rz)
    a31, a32, a33 = dot(zx, zy, zz, px, py, pz), dot(zx, zy, zz, qx, qy, qz), dot(zx, zy, zz, rx, ry, rz)
    # 4 e_k^2 of each; the largest divides (Shepperd 1978)
    s0, s1, s2, s3 = 1.0 + a11 + a22 + a33, 1.0 + a11 - a22 - a33, 1.0 - a11 + a22 - a33, 1.0 - a11 - a22 + a33
    if s0 >= s1 and s0 >= s2 and s0 >= s3:
        part = 0.5 / math.sqrt(s0)
        e0, e1, e2, e3 = part * s0, part * (a32 - a23), part * (a13 - a31), part * (a21 - a12)
    elif s1 >= s2 and s1 >= s3:
        part = 0.5 / math.sqrt(s1)
        e0, e1, e2, e3 = part * (a32 - a23), part * s1, part * (a12 + a21), part * (a13 + a31)
    elif s2 >= s3:
        part = 0.5 / math.sqrt(s2)
        e0, e1, e2, e3 = part * (a13 - a31), part * (a12 + a21), part * s2, part * (a23 + a32)
    else:
        part = 0.5 / math.sqrt(s3)
        e0, e1, e2, e3 = part * (a21 - a12), part * (a13 + a31), part * (a23 + a32), part * s3
    sign = -1.0 if e0 < 0.0 else 1.0
    return (sign * e0, sign * e1, sign * e2, sign * e3), (xx, xy, xz), (yx, yy, yz), (zx, zy, zz)


@inline_kernel
def twist(row, pose, gradient, r):
    """Residual; writes the gradient."""
    (e0, e1, e2, e3), (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = relative_parameters(row, pose)
    gx = e2 * xx - e1 * yx + e0 * zx
    gy = e2 * xy - e1 * yy + e0 * zy
    gz = e2 * xz - e1 * yz + e0 * zz
    write_opposite(gradient, r, 3, gx, gy, gz)
    return 2.0 * e3


@inline_kernel
def twist_gamma(row, pose):
    """Right-hand side of the acceleration equation."""
    (e0, e1, e2, e3), (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = relative_parameters(row, pose)
    i, j = row.body_i, row.body_j
    wx, wy, wz = pose[j, WX] - pose[i, WX], pose[j, WY] - pose[i, WY], pose[j, WZ] - pose[i, WZ]
    a = dot(wx, wy, wz, xx, xy, xz)
    b = dot(wx, wy, wz, yx, yy, yz)
    c = dot(wx, wy, wz, zx, zy, zz)
    d0 = -0.5 * (a * e1 + b * e2 + c * e3)
    d1 = 0.5 * (a * e0 + b * e3 - c * e2)
    d2 = 0.5 * (b * e0 + c * e1 - a * e3)
    gx = e2 * xx - e1 * yx + e0 * zx
    gy = e2 * xy - e1 * yy + e0 * zy
    gz = e2 * xz - e1 * yz + e0 * zz
    ux, uy, uz = cross(pose[i, WX], pose[i, WY], pose[i, WZ], gx, gy, gz)
    return -dot(wx, wy, wz, ux, uy, uz) - (a * d2 - b * d1 + c * d0)
