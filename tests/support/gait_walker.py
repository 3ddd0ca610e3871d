"""An exact planar walker: seven segments whose angles are a few harmonics, on a ground that gives what the body demands.

All of it is closed form: positions and accelerations are derivatives of harmonics, the force of the ground is what Newton's
and Euler's equations of the whole body demand, and joint loads are sums over the segments below the joint. Nothing here uses
the package. The harmonics were fitted once, so that feet stand still on the ground and the force acts under them.
"""

from dataclasses import dataclass

import numpy as np

PERIOD, SPEED, MASS, HEIGHT, GRAVITY = 1.1, 1.25, 70.0, 1.75, 9.81
DOUBLE_SUPPORT = 0.12
"""of the stride, from the strike of a foot to the toe off of the other"""
THIGH_LENGTH, SHANK_LENGTH, TRUNK_LENGTH = 0.42, 0.43, 0.50
ANKLE, HEEL, MT5, TOE = (np.array(point) for point in ((0.0, 0.09), (-0.06, 0.02), (0.12, 0.02), (0.19, 0.02)))
"""on the foot, whose sole is y = 0"""
WIDTH = 0.09
"""of each leg from the middle; the right one is at +z"""

# mean, cosines and sines of harmonics. Of the stride: angles in rad of thigh, shank and sole of the right leg (thigh and shank
# from distal to proximal, counter-clockwise from forward). Of the step: the hip in m, without its travel, and the trunk
THIGH = (
    1.726749,
    (0.365035, -0.058805, -0.017587, 0.002468, -0.011841, 0.002190, -0.004316),
    (0.028785, -0.031749, 0.018517, -0.006225, -0.008217, 0.000066, -0.005179),
)
SHANK = (
    1.314317,
    (0.420848, 0.229039, 0.011432, -0.002671, 0.018322, -0.015361, -0.002403),
    (0.268023, -0.132538, -0.067903, 0.001595, -0.007599, -0.012953, 0.007119),
)
FOOT = (
    -0.153146,
    (0.251602, 0.183442, -0.047922, 0.037266, 0.017898, 0.014625, 0.016674),
    (0.290549, -0.215598, -0.032898, 0.003002, -0.009224, 0.003585, -0.004461),
)
HIP_X = (
    0.250000,
    (-0.003965, 0.000886, 0.001449, 0.000245),
    (0.007821, 0.000365, 0.000730, 0.000187),
)
HIP_Y = (
    0.909344,
    (-0.014513, -0.000574, 0.000091, -0.000038),
    (-0.011660, -0.000652, 0.000107, 0.000149),
)
TRUNK = (
    1.519977,
    (0.006110, 0.008368, 0.006058, 0.000781),
    (-0.005084, -0.000330, 0.003477, 0.001003),
)

TABLE = {
    "foot": (0.0145, 0.500, 0.475),
    "shank": (0.0465, 0.433, 0.302),
    "thigh": (0.100, 0.433, 0.323),
    "hat": (0.678, 0.626, 0.496),
}
"""Winter: fraction of the mass, centre of mass from the upper end (hat: the hip), radius of gyration by length"""


@dataclass
class Motion:
    """Something over time with its first two derivatives, each (n,) or (n, 2)."""

    value: np.ndarray
    rate: np.ndarray
    second: np.ndarray

    def __add__(self, other):
        return Motion(self.value + other.value, self.rate + other.rate, self.second + other.second)

    def __sub__(self, other):
        return self + other.times(-1.0)

    def times(self, factor):
        return Motion(factor * self.value, factor * self.rate, factor * self.second)


def harmonics(coefficients, time, base):
    mean, cosines, sines = coefficients
    k = np.arange(1, len(cosines) + 1) * base * 2.0 * np.pi / PERIOD
    c, s = np.cos(np.outer(time, k)), np.sin(np.outer(time, k))
    a, b = np.array(cosines), np.array(sines)
    return Motion(mean + c @ a + s @ b, c @ (k * b) - s @ (k * a), -(c @ (k * k * a) + s @ (k * k * b)))


def arm(angle, length):
    """A vector of that length at a moving angle."""
    along = np.stack([np.cos(angle.value), np.sin(angle.value)], -1)
    across = np.stack([-along[:, 1], along[:, 0]], -1)
    return Motion(
        length * along,
        length * across * angle.rate[:, None],
        length * (across * angle.second[:, None] - along * (angle.rate**2)[:, None]),
    )


def on_foot(ankle, sole, point):
    reach = point - ANKLE
    start = np.arctan2(reach[1], reach[0])
    return ankle + arm(Motion(sole.value + start, sole.rate, sole.second), np.hypot(*reach))


@dataclass
class Piece:
    """A segment: its ends, its angle (distal to proximal), and the load at its upper end on it, core signs."""

    name: str
    mass: float
    inertia: float
    proximal: Motion
    distal: Motion
    angle: Motion
    com: Motion


def piece(name, table, proximal, distal, angle, length):
    fraction, com, gyration = TABLE[table]
    start, end = (distal, proximal) if table == "hat" else (proximal, distal)
    centre = start + (end - start).times(com)
    return Piece(name, MASS * fraction, MASS * fraction * (gyration * length) ** 2, proximal, distal, angle, centre)


@dataclass
class Walk:
    """The walker at some times (n,)."""

    time: np.ndarray
    points: dict[str, Motion]
    pieces: dict[str, Piece]

    def demand(self, names=None):
        """Force (n, 2) and moment about the origin (n,) that the pieces need from outside, their weights aside."""
        force, moment = np.zeros((len(self.time), 2)), np.zeros(len(self.time))
        for name in names or self.pieces:
            each = self.pieces[name]
            own = each.mass * (each.com.second + np.array([0.0, GRAVITY]))
            force += own
            moment += cross(each.com.value, own) + each.inertia * each.angle.second
        return force, moment


def cross(arm_, force):
    return arm_[..., 0] * force[..., 1] - arm_[..., 1] * force[..., 0]


def walk(time):
    """The walker at these times (n,), with all points and pieces."""
    time = np.asarray(time, float)
    travel = Motion(SPEED * time, np.full(len(time), SPEED), np.zeros(len(time)))
    x, y = harmonics(HIP_X, time, 2) + travel, harmonics(HIP_Y, time, 2)
    hip = Motion(*(np.stack([getattr(x, part), getattr(y, part)], -1) for part in ("value", "rate", "second")))
    legs = {
        side: tuple(harmonics(each, time + ahead, 1) for each in (THIGH, SHANK, FOOT))
        for side, ahead in (("right", 0.0), ("left", PERIOD / 2.0))
    }
    return assembled(time, hip, harmonics(TRUNK, time, 2), legs)


def assembled(time, hip, trunk, legs):
    """A body at its hip. trunk: its angle. legs: by side, angles of thigh, shank and sole."""
    shoulder = hip + arm(trunk, TRUNK_LENGTH)
    points = {"shoulder": shoulder, "hip": hip}
    pieces = {"trunk": piece("trunk", "hat", shoulder, hip, trunk, TRUNK_LENGTH)}
    for side, (thigh, shank, sole) in legs.items():
        knee = hip - arm(thigh, THIGH_LENGTH)
        ankle = knee - arm(shank, SHANK_LENGTH)
        heel, mt5, toe = (on_foot(ankle, sole, point) for point in (HEEL, MT5, TOE))
        line = np.arctan2(*(ANKLE - MT5)[::-1])
        foot = Motion(sole.value + line, sole.rate, sole.second)
        points |= {
            f"{side} {name}": each
            for name, each in (("knee", knee), ("ankle", ankle), ("heel", heel), ("mt5", mt5), ("toe", toe))
        }
        points[f"{side} hip"] = hip
        pieces[f"{side} thigh"] = piece(f"{side} thigh", "thigh", hip, knee, thigh, THIGH_LENGTH)
        pieces[f"{side} shank"] = piece(f"{side} shank", "shank", knee, ankle, shank, SHANK_LENGTH)
        pieces[f"{side} foot"] = piece(f"{side} foot", "foot", ankle, mt5, foot, np.hypot(*(ANKLE - MT5)))
    return Walk(time, points, pieces)


def pressure(time):
    """Where the whole force of the ground acts, (n,)."""
    force, moment = walk(time).demand()
    return moment / force[:, 1]


def share(time):
    """The part of the ground's force that the right foot takes, (n,): as its place between the feet tells."""
    phase = np.asarray(time, float) / PERIOD
    begin = np.floor(phase * 2.0) / 2.0
    into = phase - begin
    first, last = pressure(begin * PERIOD), pressure((begin + DOUBLE_SUPPORT) * PERIOD)
    new = np.where(into < DOUBLE_SUPPORT, (pressure(time) - first) / (last - first), 1.0)
    is_right = np.isclose(begin % 1.0, 0.0)
    return np.where(is_right, new, 1.0 - new)


def ground(time):
    """Force (n, 2) and moment about the origin (n,) of the ground on each foot."""
    time = np.asarray(time, float)
    force, moment = walk(time).demand()
    right = share(time)
    phase = time / PERIOD
    begin = np.floor(phase * 2.0) / 2.0
    in_double = phase - begin < DOUBLE_SUPPORT
    old, new = pressure(begin * PERIOD), pressure((begin + DOUBLE_SUPPORT) * PERIOD)
    is_right = np.isclose(begin % 1.0, 0.0)
    of_right = np.where(is_right, new, old) * right * force[:, 1]
    of_left = np.where(is_right, old, new) * (1.0 - right) * force[:, 1]
    single_right = np.where(right > 0.5, moment, 0.0)
    return {
        "right": (force * right[:, None], np.where(in_double, of_right, single_right)),
        "left": (force * (1.0 - right)[:, None], np.where(in_double, of_left, moment - single_right)),
    }


@dataclass
class JointLoad:
    """Load on the distal segment at a joint: force (n, 2), moment (n,), power (n,); angle (n,) of distal minus proximal."""

    force: np.ndarray
    moment: np.ndarray
    power: np.ndarray


def joint_loads(time):
    """The loads of hip, knee and ankle of both sides, by label."""
    return loads_of(walk(time), ground(time))


def loads_of(body, feet):
    """The same of any body. feet: by side, force (n, 2) and moment (n,) about the origin."""
    loads = {}
    for side in ("right", "left"):
        chain = {"ankle": ("foot",), "knee": ("foot", "shank"), "hip": ("foot", "shank", "thigh")}
        above = {"ankle": f"{side} shank", "knee": f"{side} thigh", "hip": "trunk"}
        for joint, below in chain.items():
            force, moment = body.demand([f"{side} {name}" for name in below])
            force, moment = force - feet[side][0], moment - feet[side][1]
            at = body.points[f"{side} {joint}"].value
            own = moment - cross(at, force)
            speed = body.pieces[f"{side} {below[-1]}"].angle.rate - body.pieces[above[joint]].angle.rate
            loads[f"{side} {joint}"] = JointLoad(force, own, own * speed)
    return loads
