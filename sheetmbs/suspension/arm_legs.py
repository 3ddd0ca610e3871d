"""Wishbones of a suspension as people draw them: a leg from each pivot to the ball joint, in place of one rod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.model.model import Model
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, PartJoint

LEGS = ("front", "rear")


def arm_legs(model: Model, axles: Sequence[AxleData]) -> dict[str, dict[str, Any]]:
    """Lines, faces and ``members``, the names of the lines, of arms on two pivots, by the names of their bodies."""
    return {name: shape for axle in axles for side in SIDES for name, shape in _arms(model, axle, side)}


def _arms(model: Model, axle: AxleData, side: str) -> Iterator[tuple[str, dict[str, Any]]]:
    places = {body.name: np.asarray(body.position) for body in model.bodies}
    for hinge in joints_of(axle):
        name = axle.body_name(hinge.body_j, side)
        outer = _outer_joint(axle, hinge)
        if outer is None or name not in places or not _is_on_two_pivots(hinge):
            continue
        points = [axle.points[side][each].position for each in (*hinge.points[:2], outer.points[0])]
        front, rear, end = ((np.asarray(point) - places[name]).tolist() for point in points)
        lines, members = [[front, end], [rear, end]], [f"{name} {leg} leg" for leg in LEGS]
        yield name, {"lines": lines, "faces": [[front, rear, end]], "members": members}


def _is_on_two_pivots(joint: PartJoint) -> bool:
    ends = [name.rpartition(" ")[2] for name in joint.points[:2]]
    return joint.type == REVOLUTE.name and joint.body_i == CHASSIS and tuple(ends) == LEGS


def _outer_joint(axle: AxleData, hinge: PartJoint) -> PartJoint | None:
    """The ball joint at the end of an arm."""
    return next((each for each in joints_of(axle) if each.type == SPHERICAL.name and each.body_i == hinge.body_j), None)
