"""Wishbones of a suspension as people draw them: a leg from each pivot to the ball joint, in place of one rod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, PartJoint
from sheetmbs.viewing.packed import Json, plain

LEGS = ("front", "rear")


def with_legs(bodies: Sequence[Json], model: Model, axles: Sequence[AxleData]) -> list[Json]:
    """Bodies of a scene, of which arms on two pivots have legs; ``members`` are the names of these."""
    legs = {name: shape for axle in axles for side in SIDES for name, shape in _arms(model, axle, side)}
    return [body | legs.get(body["name"], {}) for body in bodies]


def _arms(model: Model, axle: AxleData, side: str) -> Iterator[tuple[str, Json]]:
    places = {body.name: np.asarray(body.position) for body in model.bodies}
    for hinge in joints_of(axle):
        name = axle.body_name(hinge.body_j, side)
        outer = _outer_joint(axle, hinge)
        if outer is None or name not in places or not _is_on_two_pivots(hinge):
            continue
        points = [axle.points[side][each].position for each in (*hinge.points[:2], outer.points[0])]
        front, rear, end = (plain(np.asarray(point) - places[name]) for point in points)
        yield (
            name,
            {
                "lines": [[front, end], [rear, end]],
                "faces": [[front, rear, end]],
                "members": [f"{name} {leg} leg" for leg in LEGS],
            },
        )


def _is_on_two_pivots(joint: PartJoint) -> bool:
    ends = [name.rpartition(" ")[2] for name in joint.points[:2]]
    return joint.type == "revolute" and joint.body_i == CHASSIS and tuple(ends) == LEGS


def _outer_joint(axle: AxleData, hinge: PartJoint) -> PartJoint | None:
    """The ball joint at the end of an arm."""
    return next((each for each in joints_of(axle) if each.type == "spherical" and each.body_i == hinge.body_j), None)
