"""Arms that hinge on the chassis in two pivots: forces of the pivots, of the legs, and what bends them.

The hinge's force F and moment M about its point O follow from statics. With pivots A and B on the axis a, b = B - A:

    across the axis   F_B = (a x M_A)/|b|,  F_A = F - F_B, M_A about A        exact
    along it          the sum alone is: each pivot is given half of it (``equal``) or all of it (``max``)

Legs run from either pivot to the outer joint. What acts on the arm beyond its hinge is -F; the part of it in the plane of the
legs is resolved along them, which is exact where it acts at the outer joint. What stands across that plane bends the arm where
something else than the outer joint bears on it, by the outer joint's force across the plane times its distance from there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, PartJoint
from sheetmbs.suspension.loads.axle_statics import AxleLoads
from sheetmbs.suspension.loads.load_column import LoadColumn, force_columns
from sheetmbs.suspension.loads.part_statics import place_of

PIVOTS = ("front", "rear", "inner", "outer")
"""of wishbones, and of trailing arms, which have no legs: they carry the wheel themselves"""


def arm_columns(
    found: AxleLoads, side: str, body: str, force: Floats, moment: Floats, place: Floats
) -> Iterator[LoadColumn]:
    """Columns of an arm of a side. force, moment: (n, 3) of its hinge on it, about ``place`` (n, 3)."""
    axle, corner = found.axle, found.axle.corner(side)
    hinge = next(
        (each for each in joints_of(axle) if axle.body_name(each.body_j, side) == body and _is_arm(each)), None
    )
    if hinge is None:
        return
    names = hinge.points
    front, rear = (axle.points[side][name].position for name in names)
    along = (rear - front) / np.linalg.norm(rear - front)
    lengthwise = np.sum(force * along, axis=1)[:, None] * along
    across = force - lengthwise
    about_front = moment + cross(place - front, force)
    at_rear = cross(about_front, along) / np.linalg.norm(rear - front)
    at_front = across - at_rear
    for name, part in zip(names, (at_front, at_rear), strict=True):
        for word, share in (("equal", 0.5), ("max", 1.0)):
            whole = part + share * lengthwise
            text = "half of the force along the hinge" if word == "equal" else "all of the force along the hinge"
            yield LoadColumn(f"{corner}.{name} pivot {word}", "N", np.linalg.norm(whole, axis=1), f"size, with {text}")
            if word == "equal":
                yield from force_columns(f"{corner}.{name} pivot equal", whole)
    outer = _outer_joint(axle, hinge.body_j)
    if outer is not None:
        yield from _legs(found, side, hinge, outer, force)


def _is_arm(joint: PartJoint) -> bool:
    """Whether a joint is the hinge of an arm between two pivots."""
    return joint.type == REVOLUTE.name and joint.body_i == CHASSIS and all(_leg(name) for name in joint.points[:2])


def _leg(point: str) -> str:
    """The word that tells a pivot from the other one; ``""`` of points that are none."""
    return next((word for word in PIVOTS if point.endswith(f" {word}")), "")


def _outer_joint(axle: AxleData, body: str) -> PartJoint | None:
    """The ball joint at the end of an arm."""
    return next((each for each in joints_of(axle) if each.type == SPHERICAL.name and each.body_i == body), None)


def _legs(found: AxleLoads, side: str, hinge: PartJoint, outer: PartJoint, force: Floats) -> Iterator[LoadColumn]:
    axle, corner = found.axle, found.axle.corner(side)
    wheel = found.state.swept.wheels[side]
    pivots = [axle.points[side][name].position for name in hinge.points]
    joint = place_of(wheel, outer.points[0])
    legs = [joint - pivot for pivot in pivots]
    legs = [leg / np.linalg.norm(leg, axis=1, keepdims=True) for leg in legs]
    normal = cross(legs[0], legs[1])
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    matrix = np.stack((*legs, normal), axis=-1)
    tension = np.linalg.solve(matrix, -force[:, :, None])[:, :, 0]
    for name, values in zip(hinge.points, tension.T[:2], strict=True):
        yield LoadColumn(f"{corner}.{hinge.body_j} {_leg(name)} leg", "N", values, "axial, + in tension")
    bracket = _bracket(axle, hinge.body_j)
    number = found.parts[side].number(f"{corner} {outer.name}")
    if bracket is None or number is None:
        return
    on_upright, _moment = found.parts[side].carried.on_side(number, second=True)
    line = (pivots[1] - pivots[0]) / np.linalg.norm(pivots[1] - pivots[0])
    lever = np.abs(np.sum(cross(line, normal) * (joint - place_of(wheel, bracket)), axis=1))
    bending = np.sum(normal * on_upright, axis=1) * lever * np.sign(normal[:, 2])
    text = "where rod, damper or bar bears on it: the ball joint's force across the arm's plane times its distance"
    yield LoadColumn(f"{corner}.{hinge.body_j} bending", "N*m", bending, text)


def _bracket(axle: AxleData, body: str) -> str | None:
    """The point of an arm on which rod, damper or drop link bears, the first that there is."""
    names = ("rod outer", "damper outer", "spring rocker", "bar link suspension")
    points = axle.points["left"]
    return next((name for name in names if name in points and points[name].on == body), None)
