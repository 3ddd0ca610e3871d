"""Rotational spring-damper-actuator (Nikravesh 1988, sec. 9.2.6 and 9.2.7).

theta = phi_j - phi_i between planar bodies, in space the angle of body j against body i about the axis fixed in body i
m = m_s(theta - theta0) + m_d(theta-dot) + M;  m g acts on body i, -m g on body j: + reduces theta
g = d(theta-dot)/dw, the axis
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.turns import ANGLE, AXIS, RATE


@inline_kernel
def angle_and_rate(spring, pose, turn):
    """Angle of body j against body i, counted past a turn, its rate, and the axis."""
    k = spring.turn
    if k >= 0:
        return turn[k, ANGLE], turn[k, RATE], turn[k, AXIS], turn[k, AXIS + 1], turn[k, AXIS + 2]
    i = spring.body_i
    j = spring.body_j
    return pose[j, 18] - pose[i, 18], pose[j, 17] - pose[i, 17], 0.0, 0.0, 1.0


@inline_kernel
def angle_gradient(spring, pose, turn, gradient, n):
    """Gradient of the angle in twist space, to row n."""
    _angle, _rate, ax, ay, az = angle_and_rate(spring, pose, turn)
    gradient[n, 3] = -ax
    gradient[n, 4] = -ay
    gradient[n, 5] = -az
    gradient[n, 9] = ax
    gradient[n, 10] = ay
    gradient[n, 11] = az
