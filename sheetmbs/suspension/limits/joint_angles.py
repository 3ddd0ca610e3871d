"""How far ball joints turn from design: the direction of a member as seen from the body on the other side of the joint."""

from __future__ import annotations

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData


def joint_angle(wheel: Wheel, point: str) -> Floats | None:
    """(n,) angle of the ball joint at a point against design, rad; None where there is no ball joint."""
    others = _other_end(wheel.axle, point)
    if not others:
        return None
    carrier = wheel.axle.points[wheel.side][point].on
    here = wheel.hardpoint(point).value
    along = sum(wheel.hardpoint(name).value for name in others) / len(others) - here
    points = wheel.axle.points[wheel.side]
    design = sum(points[name].position for name in others) / len(others) - points[point].position
    name = wheel.axle.body_name(carrier, wheel.side)
    if name in wheel.poses.lowered.bodies.names:
        along = np.einsum("nij,ni->nj", wheel.poses.orientation(name), along)
    sine = np.linalg.norm(cross(design, along), axis=1)
    return np.asarray(np.arctan2(sine, along @ design))


def _other_end(axle: AxleData, point: str) -> tuple[str, ...]:
    """Where the member ends that a ball joint holds: at the other joint of a rod, between the pivots of an arm."""
    joints = list(joints_of(axle))
    for joint in joints:
        if joint.type in (DISTANCE.name, SPHERICAL_CYLINDRICAL.name) and point in joint.points:
            return tuple(name for name in joint.points if name != point)
        if joint.type == SPHERICAL.name and joint.points == (point,):
            return next(
                (each.points for each in joints if each.type == REVOLUTE.name and each.body_j == joint.body_i), ()
            )
    return ()
