"""Angles about an axis in space, counted past a turn.

With axes a1, a2 fixed in body i and b fixed in body j,
    theta = atan2(s, c),  c = b . a1,  s = b . a2
    theta-dot = g . (w_j - w_i),  g = (c p - s q)/(c^2 + s^2),  p = b x a2,  q = b x a1
    gamma = -g-dot . (w_j - w_i)
where g is the axis itself as long as the bodies have it in common. An azimuth is the angle chi of the line d from frame i to
frame j in the same axes: with c = d . a1, s = d . a2 and u = d-dot - w_i x d,
    chi-dot = p . u,  p = (c a2 - s a1)/(c^2 + s^2)
    gamma = p . (2 w_i x u + w_i x (w_i x d)) + 2 chi-dot (c c-dot + s s-dot)/(c^2 + s^2)
without the frames' own quadratic accelerations. Of all theta + 2 pi n the one counts that lies nearest to
what the last known angle and rate predict.

The three components of a rotation vector are counted in the same way, as three turns one after the other: of all vectors of a
rotation the one counts that lies nearest to what is predicted. See `engine/rotation_vectors.py`. A fourth turn tells whether
that branch can be trusted: the largest sine of the angle by which the vector has left, beyond three quarters of a turn, the
direction that it had there.
"""

import math
from typing import Annotated

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.records import TURN, Floats2, Records
from sheetmbs.engine.rotation_vectors import euler_between, nearest_rotation, short_of_turns, times_inverse_t
from sheetmbs.engine.vec import between, cross, dot, speed_between, turned

TAU = 2.0 * math.pi
ANGLE, RATE, AXIS, GAMMA, GUESS, KNOWN, KNOWN_RATE, KNOWN_TIME, REACHED, SAVED = 0, 1, 2, 5, 6, 7, 8, 9, 10, 11
# Columns of `Work.turn`; AXIS: g, of an azimuth p; REACHED: the angle at the end of a step. From SAVED on: the three known
# ones at its start.
HEADING = GAMMA  # of a component of a rotation vector, which no row needs: that of its direction up to three quarters of a turn
THREE_QUARTERS = 1.5 * math.pi  # rad: beyond, T^-1 makes the rate across the vector more than twice that of the body


@inline_kernel
def wrapped(angle):
    """The angle in [-pi, pi]."""
    return angle - TAU * math.floor(angle / TAU + 0.5)


@inline_kernel
def extrapolate_revolutions(turns, turn, t):
    """Set what the angles should be at time t, from where they were known last."""
    for k in range(turns.shape[0]):
        turn[k, GUESS] = turn[k, KNOWN] + turn[k, KNOWN_RATE] * (t - turn[k, KNOWN_TIME])


@inline_kernel
def remember_turns(turns, turn, t):
    """Take the angles and rates as those at time t, unless a step that failed left none."""
    for k in range(turns.shape[0]):
        if not (math.isfinite(turn[k, ANGLE]) and math.isfinite(turn[k, RATE])):
            continue
        turn[k, KNOWN] = turn[k, ANGLE]
        turn[k, KNOWN_RATE] = turn[k, RATE]
        turn[k, KNOWN_TIME] = t


@inline_kernel
def save_turns(turns, turn):
    """Keep what is known at the start of a step, which may be rejected."""
    for k in range(turns.shape[0]):
        for c in range(3):
            turn[k, SAVED + c] = turn[k, KNOWN + c]


@inline_kernel
def recall_turns(turns, turn):
    """Know again what was known at the start of a step that has been rejected."""
    for k in range(turns.shape[0]):
        for c in range(3):
            turn[k, KNOWN + c] = turn[k, SAVED + c]


@inline_kernel
def place_azimuth(record, pose, place, turn, k):
    """Azimuth and its gradient."""
    ax, ay, az = turned(pose, record.body_i, record.a1x, record.a1y, record.a1z)
    bx, by, bz = turned(pose, record.body_i, record.a2x, record.a2y, record.a2z)
    dx, dy, dz = between(place, record.frame_i, record.frame_j)
    c = dot(dx, dy, dz, ax, ay, az)
    s = dot(dx, dy, dz, bx, by, bz)
    size = c * c + s * s
    inverse = 1.0 / size if size > 0.0 else 0.0
    turn[k, ANGLE] = turn[k, GUESS] + wrapped(math.atan2(s, c) - turn[k, GUESS])
    turn[k, AXIS] = (c * bx - s * ax) * inverse
    turn[k, AXIS + 1] = (c * by - s * ay) * inverse
    turn[k, AXIS + 2] = (c * bz - s * az) * inverse


@inline_kernel
def move_azimuth(record, pose, place, turn, k):
    """Rate of an azimuth and its gamma; after `place_azimuth`."""
    i = record.body_i
    ax, ay, az = turned(pose, i, record.a1x, record.a1y, record.a1z)
    bx, by, bz = turned(pose, i, record.a2x, record.a2y, record.a2z)
    dx, dy, dz = between(place, record.frame_i, record.frame_j)
    vx, vy, vz = speed_between(place, record.frame_i, record.frame_j)
    wx, wy, wz = pose[i, WX], pose[i, WY], pose[i, WZ]
    ex, ey, ez = cross(wx, wy, wz, dx, dy, dz)
    ux, uy, uz = vx - ex, vy - ey, vz - ez
    fx, fy, fz = cross(wx, wy, wz, 2.0 * ux + ex, 2.0 * uy + ey, 2.0 * uz + ez)
    c = dot(dx, dy, dz, ax, ay, az)
    s = dot(dx, dy, dz, bx, by, bz)
    growing = c * dot(ux, uy, uz, ax, ay, az) + s * dot(ux, uy, uz, bx, by, bz)
    size = c * c + s * s
    inverse = 1.0 / size if size > 0.0 else 0.0
    px, py, pz = turn[k, AXIS], turn[k, AXIS + 1], turn[k, AXIS + 2]
    rate = dot(px, py, pz, ux, uy, uz)
    turn[k, RATE] = rate
    turn[k, GAMMA] = dot(px, py, pz, fx, fy, fz) + 2.0 * rate * growing * inverse


@inline_kernel
def axes_of_rotation(record, pose):
    """Global axes x, y, z of body i, then of body j, of the turn that begins a rotation vector."""
    i, j = record.body_i, record.body_j
    ax = turned(pose, i, record.a1x, record.a1y, record.a1z)
    ay = turned(pose, i, record.a2x, record.a2y, record.a2z)
    bx = turned(pose, j, record.bx, record.by, record.bz)
    by = turned(pose, j, record.b2x, record.b2y, record.b2z)
    return ax, ay, cross(*ax, *ay), bx, by, cross(*bx, *by)


@inline_kernel
def place_rotation(record, pose, turn, k):
    """Components of a rotation vector, whose turns begin at k."""
    e, p, q, r = euler_between(*axes_of_rotation(record, pose))
    x, y, z = nearest_rotation(e, p, q, r, turn[k, GUESS], turn[k + 1, GUESS], turn[k + 2, GUESS])
    turn[k, ANGLE], turn[k + 1, ANGLE], turn[k + 2, ANGLE] = x, y, z


@inline_kernel
def watch_rotation(turn, k):
    """Find how far the rotation vector, whose turns begin at k, has left its direction beyond three quarters of a turn."""
    x, y, z = turn[k, ANGLE], turn[k + 1, ANGLE], turn[k + 2, ANGLE]
    size = math.sqrt(x * x + y * y + z * z)
    if size > THREE_QUARTERS:
        ux, uy, uz = cross(x, y, z, turn[k, HEADING], turn[k + 1, HEADING], turn[k + 2, HEADING])
        turn[k + 3, ANGLE] = max(turn[k + 3, ANGLE], math.sqrt(ux * ux + uy * uy + uz * uz) / size)
    elif size > 1.0:  # rad: a direction known well
        turn[k, HEADING], turn[k + 1, HEADING], turn[k + 2, HEADING] = x / size, y / size, z / size


@inline_kernel
def move_rotation(record, pose, turn, k):
    """Rates of the components of a rotation vector, whose turns begin at k."""
    i, j = record.body_i, record.body_j
    ax, ay, az, _bx, _by, _bz = axes_of_rotation(record, pose)
    wx, wy, wz = pose[j, WX] - pose[i, WX], pose[j, WY] - pose[i, WY], pose[j, WZ] - pose[i, WZ]
    tx, ty, tz = short_of_turns(turn[k, ANGLE], turn[k + 1, ANGLE], turn[k + 2, ANGLE])
    about_x = dot(ax[0], ax[1], ax[2], wx, wy, wz)
    about_y = dot(ay[0], ay[1], ay[2], wx, wy, wz)
    about_z = dot(az[0], az[1], az[2], wx, wy, wz)
    x, y, z = times_inverse_t(tx, ty, tz, about_x, about_y, about_z, -1.0)
    turn[k, RATE], turn[k + 1, RATE], turn[k + 2, RATE] = x, y, z
    watch_rotation(turn, k)


@inline_kernel
def place_turns(turns, pose, place, turn):
    """Angles and their gradients at the poses and the places of frames."""
    for k in range(turns.shape[0]):
        record = turns[k]
        if record.sights:
            place_azimuth(record, pose, place, turn, k)
            continue
        if record.component > 0:
            if record.component == 1:
                place_rotation(record, pose, turn, k)
            continue
        ax, ay, az = turned(pose, record.body_i, record.a1x, record.a1y, record.a1z)
        dx, dy, dz = turned(pose, record.body_i, record.a2x, record.a2y, record.a2z)
        bx, by, bz = turned(pose, record.body_j, record.bx, record.by, record.bz)
        c = dot(bx, by, bz, ax, ay, az)
        s = dot(bx, by, bz, dx, dy, dz)
        px, py, pz = cross(bx, by, bz, dx, dy, dz)
        qx, qy, qz = cross(bx, by, bz, ax, ay, az)
        size = c * c + s * s
        inverse = 1.0 / size if size > 0.0 else 0.0
        turn[k, ANGLE] = turn[k, GUESS] + wrapped(math.atan2(s, c) - turn[k, GUESS])
        turn[k, AXIS] = (c * px - s * qx) * inverse
        turn[k, AXIS + 1] = (c * py - s * qy) * inverse
        turn[k, AXIS + 2] = (c * pz - s * qz) * inverse


@inline_kernel
def move_turns(turns, pose, place, turn):
    """Rates of the angles and their gammas; after `place_turns`."""
    for k in range(turns.shape[0]):
        record = turns[k]
        if record.sights:
            move_azimuth(record, pose, place, turn, k)
            continue
        if record.component > 0:
            if record.component == 1:
                move_rotation(record, pose, turn, k)
            continue
        i = record.body_i
        j = record.body_j
        ax, ay, az = turned(pose, i, record.a1x, record.a1y, record.a1z)
        dx, dy, dz = turned(pose, i, record.a2x, record.a2y, record.a2z)
        bx, by, bz = turned(pose, j, record.bx, record.by, record.bz)
        ix, iy, iz = pose[i, WX], pose[i, WY], pose[i, WZ]
        jx, jy, jz = pose[j, WX], pose[j, WY], pose[j, WZ]
        rx, ry, rz = jx - ix, jy - iy, jz - iz
        ux, uy, uz = cross(ix, iy, iz, ax, ay, az)
        vx, vy, vz = cross(ix, iy, iz, dx, dy, dz)
        wx, wy, wz = cross(jx, jy, jz, bx, by, bz)
        c = dot(bx, by, bz, ax, ay, az)
        s = dot(bx, by, bz, dx, dy, dz)
        c1 = dot(wx, wy, wz, ax, ay, az) + dot(bx, by, bz, ux, uy, uz)
        s1 = dot(wx, wy, wz, dx, dy, dz) + dot(bx, by, bz, vx, vy, vz)
        px, py, pz = cross(bx, by, bz, dx, dy, dz)
        qx, qy, qz = cross(bx, by, bz, ax, ay, az)
        p1x, p1y, p1z = cross(wx, wy, wz, dx, dy, dz)
        p2x, p2y, p2z = cross(bx, by, bz, vx, vy, vz)
        q1x, q1y, q1z = cross(wx, wy, wz, ax, ay, az)
        q2x, q2y, q2z = cross(bx, by, bz, ux, uy, uz)
        size = c * c + s * s
        inverse = 1.0 / size if size > 0.0 else 0.0
        rate = dot(turn[k, AXIS], turn[k, AXIS + 1], turn[k, AXIS + 2], rx, ry, rz)
        moving = c1 * dot(px, py, pz, rx, ry, rz) + c * dot(p1x + p2x, p1y + p2y, p1z + p2z, rx, ry, rz)
        moving -= s1 * dot(qx, qy, qz, rx, ry, rz) + s * dot(q1x + q2x, q1y + q2y, q1z + q2z, rx, ry, rz)
        turn[k, RATE] = rate
        turn[k, GAMMA] = -(moving * inverse - rate * 2.0 * (c * c1 + s * s1) * inverse)


@kernel
def count_turns(turns: Annotated[Records, TURN], pose: Floats2, place: Floats2, turn: Floats2, t: float) -> None:
    """Angles and rates at time t, kept as known."""
    extrapolate_revolutions(turns, turn, t)
    place_turns(turns, pose, place, turn)
    move_turns(turns, pose, place, turn)
    remember_turns(turns, turn, t)
