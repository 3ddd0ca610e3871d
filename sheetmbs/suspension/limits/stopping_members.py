"""Which member stops a linkage at its last pose: it has the largest share in the rows of J that become dependent there."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.start.ranks import most_dependent
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import PartJoint

ALIKE = 3.0
"""times the smallest singular value of the other side, up to which both sides stop together"""
MEMBERS = (DISTANCE.name, SPHERICAL.name, SPHERICAL_CYLINDRICAL.name)


def stopping_member(swept: SweptAxle, pose: int) -> tuple[str, str]:
    """What stops an axle at one of its poses, in words, and the cell of a point of it."""
    sizes, vectors = {}, {}
    for part in swept.system.parts:
        wheel = swept.wheels[part.sides[0]]
        sizes[part.sides], vectors[part.sides] = most_dependent(part.driven.system, wheel.poses.q[pose], 0.0)
    least = min(sizes, key=lambda sides: sizes[sides])
    part = next(part for part in swept.system.parts if part.sides == least)
    side, joint = _largest(swept.axle, part, vectors[least])
    together = len(sizes) == 1 or max(sizes.values()) <= ALIKE * min(sizes.values())
    owner = swept.axle.name if together or joint.is_central else f"{swept.axle.name} {side}"
    return f"the {owner} {_in_words(joint)}", swept.axle.points[side][joint.points[0]].cell


def _largest(axle: AxleData, part: ClosedPart, vector: np.ndarray) -> tuple[str, PartJoint]:
    lowered = part.driven.lowered
    shares: dict[str, float] = {}
    for row, entry in zip(part.driven.system.kept, vector, strict=True):
        name = lowered.elements[int(lowered.constraints.owner[row])].name
        shares[name] = float(np.hypot(shares.get(name, 0.0), entry))
    joints = list(joints_of(axle))
    known = [
        (shares.get(f"{axle.name if joint.is_central else axle.corner(side)} {joint.name}", 0.0), side, joint)
        for joint in [each for each in joints if each.type in MEMBERS] or joints
        for side in SIDES
    ]
    _share, side, joint = max(known, key=lambda each: each[0])
    return side, joint


def _in_words(joint: PartJoint) -> str:
    if joint.type == DISTANCE.name:
        return f"{joint.name} goes straight"
    if joint.type == SPHERICAL.name:
        return f"{joint.body_i} goes straight"
    return f"{joint.body_j if joint.type == REVOLUTE.name else joint.name} reaches its end"
