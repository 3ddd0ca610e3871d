"""A planar runner: the body of the walker in flight between two steps, over a ground whose force is given.

The force of the ground is a few sines of the stance, and so the way of the centre of mass is its closed integral: nobody
carries the body in flight. Angles are harmonics, and the hip is where they put the centre of mass. So forces are exact, and
so are the loads of all joints, which follow from the foot up. The harmonics were fitted once so that feet stand still on the
ground and the moment of the force is what the body demands, to 0.8 N m rms: that is what its residual has. Nothing here uses
the package.
"""

import numpy as np
from scipy.interpolate import PchipInterpolator

from tests.support import gait_walker as walker
from tests.support.gait_walker import GRAVITY, MASS, Motion

PERIOD, SPEED = 0.70, 3.3
STANCE = 0.24
"""s of each step"""
STEP = PERIOD / 2.0
UP, FORWARD = np.array([1.0, 0.06, 0.17, 0.10, 0.03]), np.array([0.0, -330.0, 0.0, 0.0, 0.0])
"""of sin(pi s) sin(k pi s), s from strike to toe off: upward by the first of them, forward in N"""
VERTICAL = UP * 2.0 * MASS * GRAVITY * STEP / STANCE
"""N: over a step it carries the weight"""
CENTRE = (-0.239386, 1.028168)
"""m: the centre of mass at a strike, from the heel that strikes"""
PRESSURE = PchipInterpolator([0.0, 0.25, 0.6, 1.0], [0.015, 0.10, 0.165, 0.205])
"""m before the heel, over the stance"""

# as of the walker: mean, cosines and sines of harmonics of the stride, of the trunk those of the step
THIGH = (
    1.833224,
    (0.336996, -0.063237, -0.036144, -0.018712, -0.009079, -0.001862, -0.000417, 0.000056, 0.000501, 0.000423),
    (-0.252365, 0.140913, -0.011195, -0.003139, -0.005733, -0.003831, -0.000328, -0.000526, -0.000675, 0.000135),
)
SHANK = (
    0.995352,
    (0.695565, 0.097655, 0.029082, 0.003835, 0.004959, -0.000014, 0.000535, 0.000299, 0.000738, -0.000752),
    (0.046509, -0.263535, -0.013764, -0.004412, 0.002959, 0.000738, 0.000813, 0.000259, 0.000003, -0.000084),
)
FOOT = (
    -0.548994,
    (0.896636, -0.167738, 0.021301, 0.013395, 0.002217, 0.003721, 0.001231, 0.000133, 0.000476, 0.000238),
    (0.182707, -0.134992, -0.074810, -0.001859, -0.003343, -0.000959, 0.001109, 0.000132, 0.000048, 0.000267),
)
TRUNK = (
    1.437748,
    (0.016001, 0.004764, 0.001153, 0.000313),
    (-0.007473, 0.004802, -0.000208, 0.000253),
)


def _harmonics(coefficients, time, base):
    return walker.harmonics(coefficients, time, base * walker.PERIOD / PERIOD)


def _of_stance(amplitudes, stance):
    """A force over the part of the stance (n,) that has passed, and its first and second integrals over that part."""
    found = Motion(np.zeros(len(stance)), np.zeros(len(stance)), np.zeros(len(stance)))
    for k, amplitude in enumerate(amplitudes, start=1):
        for order, sign in ((k - 1, 0.5), (k + 1, -0.5)):
            w = order * np.pi
            wave = np.cos(w * stance)
            first = np.sin(w * stance) / w if order else stance
            second = (1.0 - wave) / w**2 if order else stance**2 / 2.0
            found += Motion(second, first, wave).times(sign * amplitude)
    return found.second, found.rate, found.value


def _along(amplitudes, into, weight):
    """Where that force brings the mass within a step, from rest and back to the place where it began: periodic.

    weight: N that pulls back.
    """
    stance = np.minimum(into / STANCE, 1.0)
    after = np.maximum(into - STANCE, 0.0)
    force, first, second = _of_stance(amplitudes, stance)
    rate = (first * STANCE - weight * into) / MASS
    value = (second * STANCE**2 + first * STANCE * after - weight * into**2 / 2.0) / MASS
    return value, rate, (np.where(into < STANCE, force, 0.0) - weight) / MASS


def centre_of_mass(time):
    """Its way, by the force of the ground and the weight alone."""
    step = np.floor(time / STEP)
    into = time - step * STEP
    parts = []
    for amplitudes, weight in ((FORWARD, 0.0), (VERTICAL, MASS * GRAVITY)):
        value, rate, second = _along(amplitudes, into, weight)
        [back], _, _ = _along(amplitudes, np.array([STEP]), weight)
        parts.append((value - back * into / STEP, rate - back / STEP, second))
    (x, vx, ax), (y, vy, ay) = parts
    place = np.column_stack((CENTRE[0] + SPEED * time + x, CENTRE[1] + y))
    return Motion(place, np.column_stack((SPEED + vx, vy)), np.column_stack((ax, ay)))


def run(time):
    """The runner at these times (n,), with all points and pieces. The right foot strikes at 0 s, its heel near x = 0."""
    time = np.asarray(time, float)
    legs = {
        side: tuple(_harmonics(each, time + ahead, 1) for each in (THIGH, SHANK, FOOT))
        for side, ahead in (("right", 0.0), ("left", STEP))
    }
    trunk = _harmonics(TRUNK, time, 2)
    nowhere = Motion(*(np.zeros((len(time), 2)),) * 3)
    pieces = walker.assembled(time, nowhere, trunk, legs).pieces.values()
    whole = sum(each.mass for each in pieces)
    centre = nowhere
    for each in pieces:
        centre += each.com.times(each.mass / whole)
    return walker.assembled(time, centre_of_mass(time) - centre, trunk, legs)


def ground(time):
    """Force (n, 2) and moment about the origin (n,) of the ground on each foot."""
    time = np.asarray(time, float)
    step = np.floor(time / STEP)
    into = time - step * STEP
    stance = np.minimum(into / STANCE, 1.0)
    force = np.column_stack([_of_stance(each, stance)[0] for each in (FORWARD, VERTICAL)])
    force[into >= STANCE] = 0.0
    moment = (step * SPEED * STEP + PRESSURE(stance)) * force[:, 1]
    is_right = np.isclose(step % 2.0, 0.0)
    return {
        side: (np.where(mine[:, None], force, 0.0), np.where(mine, moment, 0.0))
        for side, mine in (("right", is_right), ("left", ~is_right))
    }


def joint_loads(time):
    """The loads of hip, knee and ankle of both sides, by label."""
    return walker.loads_of(run(time), ground(time))
