"""Orientations of spatial bodies over the rows of a motion, as continuous curves: Euler parameters, and yaw, pitch and roll.

Of the two quadruples +-p of Euler parameters each row has the one nearer to the row before. Of an orientation two triples of
angles about z, then y', then x'' are known, and all their turns:

    (yaw, pitch, roll)     and     (yaw + pi, pi - pitch, roll + pi)

At each row that one counts that is nearer to the one before, so that a wheel's pitch counts on past 90 degrees and past a turn.
Where the pitch is a right angle yaw and roll turn about one line, and the yaw of the row before goes on.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.records import Floats2, Floats3, Ints

PARAMETERS = 3  # place of the Euler parameters among the coordinates of a body
# The two triples of an orientation are sqrt(2) pi apart or more, so one that is nearer than half of that to the row before is
# the nearer one; squared.
HALF_TURN_MEASURE = 0.5 * math.pi**2
POLE = 1e-9  # cosine of a pitch below which yaw and roll turn about one line
TURN = 2.0 * math.pi


@inline_kernel
def principal(e0, e1, e2, e3, before):
    """Yaw, pitch in [-pi/2, pi/2] and roll of Euler parameters, and the yaw that is known. before: that of the row before."""
    size = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    e0, e1, e2, e3 = e0 / size, e1 / size, e2 / size, e3 / size
    r11, r21 = 2.0 * (e0 * e0 + e1 * e1) - 1.0, 2.0 * (e1 * e2 + e0 * e3)
    cosine = math.hypot(r11, r21)
    pitch = math.atan2(2.0 * (e0 * e2 - e1 * e3), cosine)
    if cosine > POLE:
        yaw = math.atan2(r21, r11)
        return yaw, pitch, math.atan2(2.0 * (e2 * e3 + e0 * e1), 2.0 * (e0 * e0 + e3 * e3) - 1.0), yaw
    up = 1.0 if pitch > 0.0 else -1.0
    together = math.atan2(up * 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e0 * e0 + e2 * e2) - 1.0)
    return before, pitch, together + up * before, before


@inline_kernel
def apart(yaw, pitch, roll, other_yaw, other_pitch, other_roll):
    """Square of how far two triples of angles are apart, whole turns aside."""
    a, b, c = yaw - other_yaw, pitch - other_pitch, roll - other_roll
    a -= TURN * math.floor(a / TURN + 0.5)
    b -= TURN * math.floor(b / TURN + 0.5)
    c -= TURN * math.floor(c / TURN + 0.5)
    return a * a + b * b + c * c


@inline_kernel
def nearest_turn(angle, before):
    """An angle with as many whole turns as bring it within half a turn of the one before, if it is farther."""
    return angle - TURN * math.floor((angle - before) / TURN + 0.5) if abs(angle - before) > math.pi else angle


@kernel
def report_orientations(q: Floats2, first: Ints, initial: Floats2, euler: Floats3, angles: Floats3) -> None:
    """Orientations of spatial bodies at configurations q (rows, nq).

    first: (bodies,) place of each one's coordinates. initial: (bodies, 3) yaw, pitch, roll of the initial configuration, from
    which the curves begin. euler: (bodies, rows, 4) and angles: (bodies, rows, 3) receive them.
    """
    for b in range(first.shape[0]):
        at = first[b] + PARAMETERS
        before_yaw, before_pitch, before_roll = initial[b, 0], initial[b, 1], initial[b, 2]
        is_other = math.cos(before_pitch) < 0.0
        yaw, pitch, roll = before_yaw, before_pitch, before_roll
        if is_other:
            yaw, pitch, roll = yaw + math.pi, math.pi - pitch, roll + math.pi
        known = yaw
        sign = 1.0
        for n in range(q.shape[0]):
            if n > 0:
                cosine = 0.0
                for k in range(4):
                    cosine += q[n, at + k] * q[n - 1, at + k]
                sign = -sign if cosine < 0.0 else sign
            for k in range(4):
                euler[b, n, k] = sign * q[n, at + k]
            last_yaw, last_pitch, last_roll = yaw, pitch, roll
            e = euler[b, n]
            yaw, pitch, roll, known = principal(e[0], e[1], e[2], e[3], known)
            step = apart(yaw, pitch, roll, last_yaw, last_pitch, last_roll)
            if step >= HALF_TURN_MEASURE and step > apart(
                yaw, pitch, roll, last_yaw + math.pi, math.pi - last_pitch, last_roll + math.pi
            ):
                is_other = not is_other
            shift = math.pi if is_other else 0.0
            before_yaw = nearest_turn(yaw + shift, before_yaw)
            before_pitch = nearest_turn(math.pi - pitch if is_other else pitch, before_pitch)
            before_roll = nearest_turn(roll + shift, before_roll)
            angles[b, n, 0], angles[b, n, 1], angles[b, n, 2] = before_yaw, before_pitch, before_roll
