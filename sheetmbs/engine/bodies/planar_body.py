"""Planar rigid body: q = (x, y, phi), v = (vx, vy, omega) at the centre of mass.

R = [cos phi, -sin phi; sin phi, cos phi]       q-dot = v
twist of a frame at offset s:  (vx - omega s_y, vy + omega s_x, 0; 0, 0, omega)
so a row g in twist space has the entries  (g_1, g_2, s_x g_2 - s_y g_1 + g_6)        Nikravesh (1988), sec. 4.1
"""

import math

from sheetmbs.compiled import inline_kernel


@inline_kernel
def planar_pose(pose, body, q, at):
    """Rotation, origin and counted angle from the coordinates q[at:at + 3]."""
    phi = q[at + 2]
    c = math.cos(phi)
    s = math.sin(phi)
    pose[body, 0] = c
    pose[body, 1] = -s
    pose[body, 3] = s
    pose[body, 4] = c
    pose[body, 8] = 1.0
    pose[body, 9] = q[at]
    pose[body, 10] = q[at + 1]
    pose[body, 18] = phi


@inline_kernel
def planar_velocity(pose, body, v, at):
    """Velocity of the origin and angular velocity from v[at:at + 3]."""
    pose[body, 12] = v[at]
    pose[body, 13] = v[at + 1]
    pose[body, 17] = v[at + 2]


@inline_kernel
def planar_entries(place, frame, fx, fy, mz):
    """Generalised force of a wrench at a frame: also the Jacobian entries of a row in twist space."""
    return fx, fy, place[frame, 0] * fy - place[frame, 1] * fx + mz


@inline_kernel
def planar_rates(v, at_v, rates, at_q):
    """q-dot = v."""
    rates[at_q] = v[at_v]
    rates[at_q + 1] = v[at_v + 1]
    rates[at_q + 2] = v[at_v + 2]
