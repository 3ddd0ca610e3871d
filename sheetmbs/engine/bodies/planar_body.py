"""Planar rigid body: q = (x, y, phi), v = (vx, vy, omega) at the centre of mass.

R = [cos phi, -sin phi; sin phi, cos phi]       q-dot = v
twist of a frame at offset s:  (vx - omega s_y, vy + omega s_x, 0; 0, 0, omega)
so a row g in twist space has the entries  (g_1, g_2, s_x g_2 - s_y g_1 + g_6)        Nikravesh (1988), sec. 4.1
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import OX, OY, PHI, R11, R12, R21, R22, R33, SX, SY, VX, VY, WZ


@inline_kernel
def planar_pose(pose, body, q, at):
    """Rotation, origin and counted angle from the coordinates q[at:at + 3]."""
    phi = q[at + 2]
    c = math.cos(phi)
    s = math.sin(phi)
    pose[body, R11] = c
    pose[body, R12] = -s
    pose[body, R21] = s
    pose[body, R22] = c
    pose[body, R33] = 1.0
    pose[body, OX] = q[at]
    pose[body, OY] = q[at + 1]
    pose[body, PHI] = phi


@inline_kernel
def planar_velocity(pose, body, v, at):
    """Velocity of the origin and angular velocity from v[at:at + 3]."""
    pose[body, VX] = v[at]
    pose[body, VY] = v[at + 1]
    pose[body, WZ] = v[at + 2]


@inline_kernel
def planar_entries(place, frame, fx, fy, mz):
    """Generalised force of a wrench at a frame: also the Jacobian entries of a row in twist space."""
    return fx, fy, place[frame, SX] * fy - place[frame, SY] * fx + mz


@inline_kernel
def planar_rates(v, at_v, rates, at_q):
    """Position rates of a planar body: q-dot = v."""
    rates[at_q] = v[at_v]
    rates[at_q + 1] = v[at_v + 1]
    rates[at_q + 2] = v[at_v + 2]
