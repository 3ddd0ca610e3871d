"""Rotational spring-damper-actuator (Nikravesh 1988, sec. 9.2.6 and 9.2.7).

theta = phi_j - phi_i between planar bodies, in space the angle of body j against body i about the axis fixed in body i
m = m_s(theta - theta0) + m_d(theta-dot) + M;  m g acts on body i, -m g on body j: + reduces theta
g = d(theta-dot)/dw, the axis
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import PHI, WZ
from sheetmbs.engine.forces.laws import law
from sheetmbs.engine.forces.translational_spring import (
    ACTUATOR,
    CURVE_C,
    CURVE_K,
    DAMPING,
    DEFLECTION,
    ELASTIC,
    LENGTH,
    NATURAL,
    RATE,
    TOTAL,
    C,
    K,
)
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.revolution_counts import ANGLE, AXIS
from sheetmbs.engine.revolution_counts import RATE as TURN_RATE

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
    number, at, out = A.elements.number, e.number, W.element
    angle, rate, ax, ay, az = angle_and_rate(A, W, e)
    deflection = angle - number[at + NATURAL]
    elastic = law(A, W, e.curve + CURVE_K, number[at + K], deflection)
    damping = law(A, W, e.curve + CURVE_C, number[at + C], rate)
    total = elastic + damping + number[at + ACTUATOR]
    out[e.value + LENGTH] = angle
    out[e.value + RATE] = rate
    out[e.value + ELASTIC] = elastic
    out[e.value + DAMPING] = damping
    out[e.value + TOTAL] = total
    out[e.value + DEFLECTION] = deflection
    for side in range(2):
        body = e.body_i if side == 0 else e.body_j
        frame = e.frame_i if side == 0 else e.frame_j
        m = (1.0 - 2.0 * side) * total
        add_wrench(A, W, body, frame, (0.0, 0.0, 0.0), (m * ax, m * ay, m * az), force)
    return -(damping + number[at + ACTUATOR]) * rate


@inline_kernel
def angle_gradient(A, W, e, gradient, n):
    """Gradient of the angle in twist space, to row n."""
    _angle, _rate, ax, ay, az = angle_and_rate(A, W, e)
    gradient[n, 3] = -ax
    gradient[n, 4] = -ay
    gradient[n, 5] = -az
    gradient[n, 9] = ax
    gradient[n, 10] = ay
    gradient[n, 11] = az


@inline_kernel
def rotational_argument(A, W, e, curve):
    """What a curve's x is at the places in W, and its time derivative (of a rate, 0)."""
    angle, rate, _x, _y, _z = angle_and_rate(A, W, e)
    if curve == CURVE_C:
        return rate, 0.0
    return angle - A.elements.number[e.number + NATURAL], rate
