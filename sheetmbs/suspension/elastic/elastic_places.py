"""Which parts an axle has that may be elastic, and the one that a text names."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.synonyms import squashed
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.elastic_parts import (
    BALL,
    BLADE_LINK,
    CHASSIS_TORSION,
    COLUMN,
    END,
    LEGS,
    MEMBER,
    PIVOT,
    RACK_BAR,
    RACK_MOUNT,
    SPRING_END,
    TYRE,
    WHEEL_BEARING,
    PartPlace,
)
from sheetmbs.suspension.layout.type_table import PartJoint

BETWEEN_POINTS = (SpringKind.SPRING, SpringKind.DAMPER, SpringKind.BUMP_STOP, SpringKind.DROOP_STOP)


def pivots(axle: AxleData) -> Iterator[tuple[PartJoint, str]]:
    """Hinges of arms on the chassis, each with one of its two pivots."""
    for joint in axle.type.joints:
        if joint.type == REVOLUTE.name and len(joint.points) > 1:
            for point in joint.points:
                yield joint, point


def elastic_places(axle: AxleData) -> list[PartPlace]:
    """Every part of an axle that may be elastic."""
    found = [*_of_joints(axle), *_of_elements(axle)]
    if axle.is_steered:
        found += [PartPlace(kind, kind) for kind in (RACK_MOUNT, RACK_BAR, COLUMN)]
    found += [PartPlace(kind, kind) for kind in (WHEEL_BEARING, TYRE, CHASSIS_TORSION)]
    first: dict[str, PartPlace] = {}
    for place in found:
        first.setdefault(place.name, place)
    return list(first.values())


def _of_joints(axle: AxleData) -> Iterator[PartPlace]:
    for joint, point in pivots(axle):
        yield PartPlace(point, PIVOT, joint, point)
    joints = joints_of(axle)
    for joint in joints:
        if joint.type in (SPHERICAL.name, SPHERICAL_CYLINDRICAL.name):
            yield PartPlace(joint.points[0], BALL, joint, joint.points[0])
        elif joint.type == DISTANCE.name:
            yield PartPlace(joint.name, MEMBER, joint)
            yield from (PartPlace(point, END, joint, point) for point in joint.points)
    balls = {joint.body_i: joint for joint in joints if joint.type == SPHERICAL.name}
    for joint, _point in pivots(axle):
        if joint.body_j in balls:
            yield PartPlace(f"{joint.body_j} legs", LEGS, balls[joint.body_j])


def _of_elements(axle: AxleData) -> Iterator[PartPlace]:
    if axle.has_kind(SpringKind.BLADE_BAR):
        yield PartPlace(BLADE_LINK, BLADE_LINK)
    for row in axle.springs:
        if row.kind in BETWEEN_POINTS:
            yield from (PartPlace(point, SPRING_END, None, point) for point in element_ends(row, axle))


def place_named(axle: AxleData, text: str) -> PartPlace | None:
    """The part that a text names, a name of another program for a point too; None where the axle has none such."""
    places = elastic_places(axle)
    wanted = squashed(text)
    if wanted in ("pushrod", "pullrod", "rod") and axle.has_rocker:
        wanted = squashed(axle.rod_name)
    known = {squashed(place.name): place for place in places}
    if wanted in known:
        return known[wanted]
    if wanted in ("tierod", "toelink"):
        held = [place for place in places if place.kind == MEMBER and place.joint is not None]
        return next((place for place in held if place.joint is not None and "rack" in _bodies(place.joint)), None)
    return known.get(squashed(standard_name(text)[0]))


def _bodies(joint: PartJoint) -> tuple[str, str]:
    return joint.body_i, joint.body_j
