"""Bushing: linear stiffness and damping along and about the axes of marker i.

    d = A_i^T (p_j - p_i),  d-dot = A_i^T (p_j-dot - p_i-dot - w_i x (p_j - p_i))
    theta = rotation vector of A_i^T A_j,  w = A_i^T (w_j - w_i)
    V = (d - d0)^T K (d - d0)/2 + (theta - theta0)^T K_r (theta - theta0)/2
    f = K (d - d0) + C d-dot,   m = T^-T K_r (theta - theta0) + C_r w   on body i, with f at the point p_j
    theta-dot = T^-1 w,  T^-1 = I - theta~/2 + (1/t^2 - (1 + cos t)/(2 t sin t)) theta~^2,  t = |theta|
The last line makes the moments those of the energy V at any rotation; see Geradin and Cardona (2001), sec. 4.5.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.vec import cross, turned

SMALL = 1e-3  # rad: below, series to the fourth order are exact to rounding


@inline_kernel
def marker_to_global(bushing, pose, x, y, z):
    """Global components of a vector given in the axes of marker i."""
    return turned(
        pose,
        bushing.body_i,
        bushing.i11 * x + bushing.i12 * y + bushing.i13 * z,
        bushing.i21 * x + bushing.i22 * y + bushing.i23 * z,
        bushing.i31 * x + bushing.i32 * y + bushing.i33 * z,
    )


@inline_kernel
def marker_axes(bushing, pose):
    """The three axes of marker i, global."""
    i = bushing.body_i
    return (
        turned(pose, i, bushing.i11, bushing.i21, bushing.i31),
        turned(pose, i, bushing.i12, bushing.i22, bushing.i32),
        turned(pose, i, bushing.i13, bushing.i23, bushing.i33),
    )


@inline_kernel
def dot3(a, b):
    """A . b of two tuples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline_kernel
def deflect(bushing, pose, place, out):
    """Deflections d and theta to out[0:6], rates d-dot and w to out[6:12]."""
    i = bushing.frame_i
    j = bushing.frame_j
    bi = bushing.body_i
    bj = bushing.body_j
    axes = marker_axes(bushing, pose)
    far = (place[j, 3] - place[i, 3], place[j, 4] - place[i, 4], place[j, 5] - place[i, 5])
    swept = cross(pose[bi, 15], pose[bi, 16], pose[bi, 17], far[0], far[1], far[2])
    speed = (
        place[j, 6] - place[i, 6] - swept[0],
        place[j, 7] - place[i, 7] - swept[1],
        place[j, 8] - place[i, 8] - swept[2],
    )
    spin = (pose[bj, 15] - pose[bi, 15], pose[bj, 16] - pose[bi, 16], pose[bj, 17] - pose[bi, 17])
    x = turned(pose, bj, bushing.j11, bushing.j21, bushing.j31)
    y = turned(pose, bj, bushing.j12, bushing.j22, bushing.j32)
    z = turned(pose, bj, bushing.j13, bushing.j23, bushing.j33)
    for k in range(3):
        out[k] = dot3(axes[k], far)
        out[6 + k] = dot3(axes[k], speed)
        out[9 + k] = dot3(axes[k], spin)
    ax = dot3(axes[2], y) - dot3(axes[1], z)
    ay = dot3(axes[0], z) - dot3(axes[2], x)
    az = dot3(axes[1], x) - dot3(axes[0], y)
    trace = dot3(axes[0], x) + dot3(axes[1], y) + dot3(axes[2], z)
    sine = 0.5 * math.sqrt(ax * ax + ay * ay + az * az)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    factor = 0.5 * angle / sine if angle > SMALL and sine > 0.0 else 0.5 + angle * angle / 12.0
    out[3] = factor * ax
    out[4] = factor * ay
    out[5] = factor * az


@inline_kernel
def bend_of(angle):
    """The factor of theta~^2 in T^-1."""
    if angle > SMALL:
        return 1.0 / (angle * angle) - (1.0 + math.cos(angle)) / (2.0 * angle * math.sin(angle))
    return 1.0 / 12.0 + angle * angle / 720.0


@inline_kernel
def react(stiffness, damping, rest, out):
    """Force and moment on body i to out[12:18], in the axes of marker i, the force at the point of body j."""
    for k in range(3):
        out[12 + k] = stiffness[k] * (out[k] - rest[k]) + damping[k] * out[6 + k]
    tx, ty, tz = out[3], out[4], out[5]
    mx = stiffness[3] * (tx - rest[3])
    my = stiffness[4] * (ty - rest[4])
    mz = stiffness[5] * (tz - rest[5])
    bend = bend_of(math.sqrt(tx * tx + ty * ty + tz * tz))
    ux, uy, uz = cross(tx, ty, tz, mx, my, mz)
    wx, wy, wz = cross(tx, ty, tz, ux, uy, uz)
    out[15] = mx + 0.5 * ux + bend * wx + damping[3] * out[9]
    out[16] = my + 0.5 * uy + bend * wy + damping[4] * out[10]
    out[17] = mz + 0.5 * uz + bend * wz + damping[5] * out[11]


@inline_kernel
def bushing_gradient(bushing, pose, place, deflection, component, gradient, n):
    """Gradient in twist space, to row n, of a component: 0-2 of d, 3-5 of theta, 6-8 of w (a rate that no angle has).

    deflection: as `deflect` leaves it.
    """
    m = component % 3
    x = 1.0 if m == 0 else 0.0
    y = 1.0 if m == 1 else 0.0
    z = 1.0 if m == 2 else 0.0
    if component < 3:
        i = bushing.frame_i
        j = bushing.frame_j
        ax, ay, az = marker_to_global(bushing, pose, x, y, z)
        dx, dy, dz = place[j, 3] - place[i, 3], place[j, 4] - place[i, 4], place[j, 5] - place[i, 5]
        ex, ey, ez = cross(dx, dy, dz, ax, ay, az)
        gradient[n, 0] = -ax
        gradient[n, 1] = -ay
        gradient[n, 2] = -az
        gradient[n, 3] = -ex
        gradient[n, 4] = -ey
        gradient[n, 5] = -ez
        gradient[n, 6] = ax
        gradient[n, 7] = ay
        gradient[n, 8] = az
        return
    if component < 6:
        tx, ty, tz = deflection[3], deflection[4], deflection[5]
        bend = bend_of(math.sqrt(tx * tx + ty * ty + tz * tz))
        ux, uy, uz = cross(tx, ty, tz, x, y, z)
        wx, wy, wz = cross(tx, ty, tz, ux, uy, uz)
        x += 0.5 * ux + bend * wx
        y += 0.5 * uy + bend * wy
        z += 0.5 * uz + bend * wz
    ax, ay, az = marker_to_global(bushing, pose, x, y, z)
    gradient[n, 3] = -ax
    gradient[n, 4] = -ay
    gradient[n, 5] = -az
    gradient[n, 9] = ax
    gradient[n, 10] = ay
    gradient[n, 11] = az
