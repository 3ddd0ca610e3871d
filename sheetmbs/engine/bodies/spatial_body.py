"""Spatial rigid body: q = (r, e0, e1, e2, e3), v = (r-dot, w) with w in the principal axes of inertia.

Euler parameters e are those of the body's own axes; A holds the principal axes in body coordinates, w' = A w.
    R(e) = (2 e0^2 - 1) I + 2 (e e^T + e0 e~),   e-dot = L^T w'/2          Nikravesh (1988), sec. 6.2 to 6.6
With P = R A, w_global = P w, so a row (f; m) in twist space has the entries (f; P^T (s x f + m)), and
    I w-dot = P^T m - w x I w,   I diagonal                                  Euler's equations
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import (
    OX,
    OY,
    OZ,
    P11,
    P12,
    P13,
    P21,
    P22,
    P23,
    P31,
    P32,
    P33,
    R11,
    R12,
    R13,
    R21,
    R22,
    R23,
    R31,
    R32,
    R33,
    SX,
    SY,
    SZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
)
from sheetmbs.engine.vec import cross


@inline_kernel
def normalise(q, at):
    """Euler parameters q[at + 3:at + 7] to unit length."""
    size = 1.0 / math.sqrt(q[at + 3] ** 2 + q[at + 4] ** 2 + q[at + 5] ** 2 + q[at + 6] ** 2)
    for k in range(3, 7):
        q[at + k] *= size


@inline_kernel
def spatial_pose(body, pose, b, q):
    """Rotations of the body's own and of its principal axes, and origin."""
    at = body.q
    e0, e1, e2, e3 = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
    pose[b, R11] = 2.0 * (e0 * e0 + e1 * e1) - 1.0
    pose[b, R12] = 2.0 * (e1 * e2 - e0 * e3)
    pose[b, R13] = 2.0 * (e1 * e3 + e0 * e2)
    pose[b, R21] = 2.0 * (e1 * e2 + e0 * e3)
    pose[b, R22] = 2.0 * (e0 * e0 + e2 * e2) - 1.0
    pose[b, R23] = 2.0 * (e2 * e3 - e0 * e1)
    pose[b, R31] = 2.0 * (e1 * e3 - e0 * e2)
    pose[b, R32] = 2.0 * (e2 * e3 + e0 * e1)
    pose[b, R33] = 2.0 * (e0 * e0 + e3 * e3) - 1.0
    pose[b, OX] = q[at]
    pose[b, OY] = q[at + 1]
    pose[b, OZ] = q[at + 2]
    for r in range(3):
        x, y, z = pose[b, R11 + 3 * r], pose[b, R12 + 3 * r], pose[b, R13 + 3 * r]
        pose[b, P11 + 3 * r] = x * body.a11 + y * body.a21 + z * body.a31
        pose[b, P12 + 3 * r] = x * body.a12 + y * body.a22 + z * body.a32
        pose[b, P13 + 3 * r] = x * body.a13 + y * body.a23 + z * body.a33


@inline_kernel
def spun(pose, b, x, y, z):
    """Global components of a vector in principal axes: P w."""
    return (
        pose[b, P11] * x + pose[b, P12] * y + pose[b, P13] * z,
        pose[b, P21] * x + pose[b, P22] * y + pose[b, P23] * z,
        pose[b, P31] * x + pose[b, P32] * y + pose[b, P33] * z,
    )


@inline_kernel
def spatial_velocity(pose, b, v, at):
    """Velocity of the origin and angular velocity, global, from v[at:at + 6]."""
    pose[b, VX] = v[at]
    pose[b, VY] = v[at + 1]
    pose[b, VZ] = v[at + 2]
    pose[b, WX], pose[b, WY], pose[b, WZ] = spun(pose, b, v[at + 3], v[at + 4], v[at + 5])


@inline_kernel
def spatial_moment(pose, b, place, frame, force, moment):
    """Moment in principal axes about the origin, of a wrench at a frame. force, moment: three numbers each, global."""
    fx, fy, fz = force
    mx, my, mz = moment
    x, y, z = cross(place[frame, SX], place[frame, SY], place[frame, SZ], fx, fy, fz)
    x += mx
    y += my
    z += mz
    return (
        pose[b, P11] * x + pose[b, P21] * y + pose[b, P31] * z,
        pose[b, P12] * x + pose[b, P22] * y + pose[b, P32] * z,
        pose[b, P13] * x + pose[b, P23] * y + pose[b, P33] * z,
    )


@inline_kernel
def axis_moment(pose, b, place, frame, k):
    """The same of a unit force along the global axis k: P^T (s x e_k)."""
    m, n = (k + 1) % 3, (k + 2) % 3
    sm, sn = place[frame, m], place[frame, n]
    m, n = P11 + 3 * m, P11 + 3 * n
    return (
        pose[b, m] * sn - pose[b, n] * sm,
        pose[b, m + 1] * sn - pose[b, n + 1] * sm,
        pose[b, m + 2] * sn - pose[b, n + 2] * sm,
    )


@inline_kernel
def in_body_axes(body, x, y, z):
    """A vector in principal axes in those of the body: A w."""
    return (
        body.a11 * x + body.a12 * y + body.a13 * z,
        body.a21 * x + body.a22 * y + body.a23 * z,
        body.a31 * x + body.a32 * y + body.a33 * z,
    )


@inline_kernel
def spatial_rates(body, q, v, rates):
    """Position rates q-dot of a body in space from velocities v."""
    at = body.q
    e0, e1, e2, e3 = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
    x, y, z = in_body_axes(body, v[body.v + 3], v[body.v + 4], v[body.v + 5])
    for k in range(3):
        rates[at + k] = v[body.v + k]
    rates[at + 3] = 0.5 * (-e1 * x - e2 * y - e3 * z)
    rates[at + 4] = 0.5 * (e0 * x - e3 * y + e2 * z)
    rates[at + 5] = 0.5 * (e3 * x + e0 * y - e1 * z)
    rates[at + 6] = 0.5 * (-e2 * x + e1 * y + e0 * z)


@inline_kernel
def spatial_velocities(body, q, rates, v):
    """The v that has the given q-dot: the inverse of `spatial_rates`, w' = 2 L e-dot."""
    at = body.q
    e0, e1, e2, e3 = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
    d0, d1, d2, d3 = rates[at + 3], rates[at + 4], rates[at + 5], rates[at + 6]
    x = 2.0 * (-e1 * d0 + e0 * d1 + e3 * d2 - e2 * d3)
    y = 2.0 * (-e2 * d0 - e3 * d1 + e0 * d2 + e1 * d3)
    z = 2.0 * (-e3 * d0 + e2 * d1 - e1 * d2 + e0 * d3)
    for k in range(3):
        v[body.v + k] = rates[at + k]
    v[body.v + 3] = body.a11 * x + body.a21 * y + body.a31 * z
    v[body.v + 4] = body.a12 * x + body.a22 * y + body.a32 * z
    v[body.v + 5] = body.a13 * x + body.a23 * y + body.a33 * z


@inline_kernel
def spatial_displace(body, q, dx, dy, dz, ax, ay, az):
    """Move by (dx, dy, dz) and turn by the rotation vector (ax, ay, az), principal axes: e o exp(A a/2)."""
    at = body.q
    q[at] += dx
    q[at + 1] += dy
    q[at + 2] += dz
    x, y, z = in_body_axes(body, ax, ay, az)
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    c = math.cos(half)
    share = 0.5 * math.sin(half) / half if half > 1e-8 else 0.5
    x *= share
    y *= share
    z *= share
    e0, e1, e2, e3 = q[at + 3], q[at + 4], q[at + 5], q[at + 6]
    q[at + 3] = c * e0 - x * e1 - y * e2 - z * e3
    q[at + 4] = c * e1 + x * e0 + z * e2 - y * e3
    q[at + 5] = c * e2 + y * e0 + x * e3 - z * e1
    q[at + 6] = c * e3 + z * e0 + y * e1 - x * e2
    normalise(q, at)


@inline_kernel
def gyroscopic_moment(mass, v, at):
    """-w x I w in principal axes."""
    x, y, z = v[at + 3], v[at + 4], v[at + 5]
    return (
        (mass[at + 4] - mass[at + 5]) * y * z,
        (mass[at + 5] - mass[at + 3]) * z * x,
        (mass[at + 3] - mass[at + 4]) * x * y,
    )
