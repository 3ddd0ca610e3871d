"""Vector d from frame i to frame j perpendicular to axis a of body i, type n2 (Nikravesh 1988, eq. 7.7).

    Phi   = a . d,  d = p_j - p_i                   g_i = (-a; a x d),  g_j = (a; 0)
    gamma = -(w_i x (w_i x a)) . d - 2 (w_i x a) . d-dot
With an offset or a motion as right-hand side, it prescribes the displacement along a.
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.vec import between, cross, dot, speed_between, turned, write_opposite


@inline_kernel
def in_plane(row, pose, place, gradient, r):
    """Residual; writes the gradient."""
    i = row.frame_i
    j = row.frame_j
    ax, ay, az = turned(pose, row.body_i, row.ax, row.ay, row.az)
    dx, dy, dz = between(place, i, j)
    write_opposite(gradient, r, 0, ax, ay, az)
    gradient[r, 3], gradient[r, 4], gradient[r, 5] = cross(ax, ay, az, dx, dy, dz)
    return dot(ax, ay, az, dx, dy, dz)


@inline_kernel
def in_plane_gamma(row, pose, place):
    """Right-hand side of the acceleration equation, without the frames' own quadratic accelerations."""
    i = row.frame_i
    j = row.frame_j
    b = row.body_i
    wx = pose[b, WX]
    wy = pose[b, WY]
    wz = pose[b, WZ]
    ax, ay, az = turned(pose, b, row.ax, row.ay, row.az)
    ux, uy, uz = cross(wx, wy, wz, ax, ay, az)
    cx, cy, cz = cross(wx, wy, wz, ux, uy, uz)
    dx, dy, dz = between(place, i, j)
    vx, vy, vz = speed_between(place, i, j)
    far = dot(cx, cy, cz, dx, dy, dz)
    moving = dot(ux, uy, uz, vx, vy, vz)
    return -far - 2.0 * moving
