"""The walker in space, on a line: its legs swing in planes that lean inward, so that either foot steps under its middle.

A plane that leans by a constant angle is a rotation that no derivative touches: all motion is that of the planar walker,
turned, and each segment turns about an axis that stands still. So loads are closed sums again. What the body demands acts at
the feet, which stand on one line, and the part of each foot is told by the place of the force, as in the plane.
x forward, y up, z to the right. Nothing here uses the package.
"""

from dataclasses import dataclass

import numpy as np

from tests.support import gait_walker as walker
from tests.support.gait_walker import DOUBLE_SUPPORT, GRAVITY, PERIOD, Motion

HIP = 0.0865
"""m of each hip from the middle"""
LEAN = np.arcsin(HIP / 0.90)
"""rad of each leg's plane, inward"""
SINK = 0.0042
"""m by which a leg that leans is less high"""
UP = np.array([0.0, GRAVITY, 0.0])
ACROSS = {"right": 1.0, "left": -1.0}


def turned(planar, side):
    """Vectors (n, 2) of the plane as (n, 3) in space; of a leg in its plane that leans."""
    lean = ACROSS.get(side, 0.0) * LEAN
    return np.column_stack((planar[:, 0], planar[:, 1] * np.cos(lean), planar[:, 1] * np.sin(lean)))


def axis(side):
    """(3,) about which the segments of a side turn."""
    lean = ACROSS.get(side, 0.0) * LEAN
    return np.array([0.0, -np.sin(lean), np.cos(lean)])


def side_of(name):
    return name.split()[0] if name.split()[0] in ACROSS else ""


def placed(point, hip, side):
    """A point of the planar walker in space, with its derivatives."""
    parts = []
    for own, root in ((point.value, hip.value), (point.rate, hip.rate), (point.second, hip.second)):
        parts.append(np.column_stack((root, np.zeros(len(root)))) + turned(own - root, side))
    parts[0] = parts[0] + [0.0, -SINK, ACROSS.get(side, 0.0) * HIP]
    return Motion(*parts)


@dataclass
class Body:
    """points: by name. pieces: of the planar walker. coms: by piece."""

    points: dict
    pieces: dict
    coms: dict

    def demand(self, names=None):
        """Force and moment about the origin, (n, 6)."""
        total = 0.0
        for name in names or self.pieces:
            each, com = self.pieces[name], self.coms[name]
            force = each.mass * (com.second + UP)
            moment = np.cross(com.value, force) + np.outer(each.inertia * each.angle.second, axis(side_of(name)))
            total = total + np.hstack((force, moment))
        return total


def walk(time):
    """The walker at these times (n,)."""
    flat = walker.walk(time)
    hip = flat.points["hip"]
    points = {name: placed(each, hip, side_of(name)) for name, each in flat.points.items()}
    return Body(points, flat.pieces, {name: placed(each.com, hip, side_of(name)) for name, each in flat.pieces.items()})


def _place(time):
    """Where the whole force acts forward, (n,)."""
    demand = walk(time).demand()
    return demand[:, 5] / demand[:, 1]


def ground(time):
    """Force and moment about the origin (n, 6) of the ground on each foot."""
    time = np.asarray(time, float)
    demand = walk(time).demand()
    begin = np.floor(time / PERIOD * 2.0) / 2.0
    in_double = time / PERIOD - begin < DOUBLE_SUPPORT
    old, new = _place(begin * PERIOD), _place((begin + DOUBLE_SUPPORT) * PERIOD)
    share = np.where(in_double, (_place(time) - old) / (new - old), 1.0)
    force = demand[:, :3] * share[:, None]
    leading = np.cross(np.column_stack((new, np.zeros((len(time), 2)))), force)
    leading = np.where(in_double[:, None], leading, demand[:, 3:])
    ahead = np.hstack((force, leading))
    is_right = np.isclose(begin % 1.0, 0.0)[:, None]
    return {"right": np.where(is_right, ahead, demand - ahead), "left": np.where(is_right, demand - ahead, ahead)}


def joint_moments(time):
    """(n, 3) on the distal segment at hip, knee and ankle of both sides, by label, in axes of the laboratory."""
    body, feet = walk(time), ground(time)
    chain = {"ankle": ("foot",), "knee": ("foot", "shank"), "hip": ("foot", "shank", "thigh")}
    found = {}
    for side in ACROSS:
        for joint, below in chain.items():
            needed = body.demand([f"{side} {name}" for name in below]) - feet[side]
            found[f"{side} {joint}"] = needed[:, 3:] - np.cross(body.points[f"{side} {joint}"].value, needed[:, :3])
    return found


def standing():
    """The walker upright, feet beside each other on the line: points by name, (1, 3)."""
    one, still = np.ones(1), np.zeros(1)
    upright, flat = Motion(0.5 * np.pi * one, still, still), Motion(still, still, still)
    height = walker.THIGH_LENGTH + walker.SHANK_LENGTH + walker.ANKLE[1]
    nowhere = np.zeros((1, 2))
    hip = Motion(np.array([[0.0, height]]), nowhere, nowhere)
    leg = (upright, upright, flat)
    points = walker.assembled(one, hip, upright, {"right": leg, "left": leg}).points
    return {name: placed(each, hip, side_of(name)).value for name, each in points.items()}
