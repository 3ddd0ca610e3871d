"""Rotational spring-damper-actuator between planar bodies (Nikravesh 1988, sec. 9.2.6 and 9.2.7).

theta = phi_j - phi_i;  m = m_s(theta - theta0) + m_d(theta-dot) + M;  m acts on body i, -m on body j: + reduces theta
"""

from sheetmbs.jit import inline_kernel


@inline_kernel
def angle_and_rate(pose, i, j):
    """Angle of body j against body i, counted past a turn, and its rate."""
    return pose[j, 18] - pose[i, 18], pose[j, 17] - pose[i, 17]
