"""Rotational spring-damper-actuator (Nikravesh 1988, sec. 9.2.6 and 9.2.7).

theta = phi_j - phi_i between planar bodies, in space the angle of body j against body i about the axis fixed in body i
m = m_s(theta - theta0) + m_d(theta-dot) + M;  m g acts on body i, -m g on body j: + reduces theta
g = d(theta-dot)/dw, the axis
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import PHI, WZ
from sheetmbs.engine.forces.translational_spring import CURVE_C, NATURAL, spring_force
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.revolution_counts import ANGLE, AXIS
from sheetmbs.engine.revolution_counts import RATE as TURN_RATE
from sheetmbs.engine.vec import write_opposite

ZERO = 4  # the number behind those of a translational one


@inline_kernel
def angle_and_rate(A, W, e):
    """Angle of body j against body i, counted past a turn, its rate, and the axis."""
    k = e.turn
    turn, pose = W.turn, W.pose
    if k >= 0:
        angle = turn[k, ANGLE] - A.elements.number[e.number + ZERO]
        return angle, turn[k, TURN_RATE], turn[k, AXIS], turn[k, AXIS + 1], turn[k, AXIS + 2]
    i = e.body_i
    j = e.body_j
    return pose[j, PHI] - pose[i, PHI], pose[j, WZ] - pose[i, WZ], 0.0, 0.0, 1.0


@inline_kernel
def apply_rotational(A, W, e, force):
    """Values and moments of an element. Returns the power of all but its elastic moment."""
    angle, rate, ax, ay, az = angle_and_rate(A, W, e)
    moment, power = spring_force(A, W, e, angle, rate)
    for side in range(2):
        body = e.body_i if side == 0 else e.body_j
        frame = e.frame_i if side == 0 else e.frame_j
        m = (1.0 - 2.0 * side) * moment
        add_wrench(A, W, body, frame, (0.0, 0.0, 0.0), (m * ax, m * ay, m * az), force)
    return power


@inline_kernel
def angle_gradient(A, W, e, gradient, n):
    """Gradient of the angle in twist space, to row n."""
    _angle, _rate, ax, ay, az = angle_and_rate(A, W, e)
    write_opposite(gradient, n, 3, ax, ay, az)


@inline_kernel
def rotational_argument(A, W, e, curve):
    """What a curve's x is at the places in W, and its time derivative (of a rate, 0)."""
    angle, rate, _x, _y, _z = angle_and_rate(A, W, e)
    if curve == CURVE_C:
        return rate, 0.0
    return angle - A.elements.number[e.number + NATURAL], rate
