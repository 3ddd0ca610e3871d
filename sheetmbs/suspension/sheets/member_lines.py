"""Lines of the members of an axle, as its drawing on the sheets shows them, at the first pose of the axle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.suspension.elastic.element_kind import PointDistance
from sheetmbs.suspension.elastic.spring_elements import element_spans
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.addons import joints_of, roles_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import (
    BAR,
    CHASSIS,
    LINK,
    ROCKER,
    STRUT,
    T_BASE,
    UPRIGHT,
    WHEEL_CENTRE,
    PartJoint,
)
from sheetmbs.suspension.loads.part_statics import place_of

Floats = NDArray[np.float64]
MIN_PIVOTS = 2
"""points of the hinge of an arm"""


def member_lines(axle: AxleData, wheels: Mapping[str, Wheel]) -> Iterator[Floats]:
    """Yield lines (points, 3), m: links, legs of arms, wheel carriers, rockers, springs and dampers, bars, the rack."""
    for joint in joints_of(axle):
        for side in SIDES[:1] if joint.is_central else SIDES:
            yield from _of_joint(axle, wheels[side], joint)
    for side in SIDES:
        yield from _carrier(axle, wheels, side)
        yield from _rocker(axle, wheels[side])
    ends = [_places(wheels["left"], WHEEL_CENTRE), _places(wheels["right"], WHEEL_CENTRE)]
    if axle.type.is_beam:
        yield np.concatenate(ends)
    across = [axle.rack_point] if axle.is_steered else []
    across += ["bar axis"] if axle.has_point("bar axis") and any(each.body_j == BAR for each in joints_of(axle)) else []
    for name in across:
        yield np.concatenate([_places(wheels[side], name) for side in SIDES])
    yield from _elements(axle, wheels)


def _places(wheel: Wheel, *names: str) -> Floats:
    """(names, 3) of hardpoints at the first pose."""
    return np.array([place_of(wheel, name)[0] for name in names])


def _of_joint(axle: AxleData, wheel: Wheel, joint: PartJoint) -> Iterator[Floats]:
    """A link or a strut; both legs of an arm; the half of a bar."""
    if joint.type in (LINK, STRUT):
        yield _places(wheel, *joint.points)
    elif joint.type == SPHERICAL.name and joint.body_i == CHASSIS:
        yield _places(wheel, joint.points[0], WHEEL_CENTRE)
    elif joint.type == REVOLUTE.name and joint.body_i == CHASSIS:
        if joint.body_j in (BAR, T_BASE):
            yield _places(wheel, joint.points[0], "bar link bar")
        elif joint.body_j != ROCKER and len(joint.points) >= MIN_PIVOTS:
            outer = _outer_joint(axle, joint.body_j)
            yield _places(wheel, joint.points[0], outer, joint.points[1])


def _outer_joint(axle: AxleData, body: str) -> str:
    """The point at the end of an arm: its ball joint, or the wheel that it carries."""
    balls = (each for each in joints_of(axle) if each.type == SPHERICAL.name and each.body_i == body)
    return next((each.points[0] for each in balls), WHEEL_CENTRE)


def _carrier(axle: AxleData, wheels: Mapping[str, Wheel], side: str) -> Iterator[Floats]:
    """From the joints on what carries a wheel to the wheel centre; on a beam square to it."""
    centre = _places(wheels[side], WHEEL_CENTRE)[0]
    own = {axle.wheel_carrier, UPRIGHT}
    for role in roles_of(axle):
        if role.on not in own or role.name == WHEEL_CENTRE or not axle.has_point(role.name):
            continue
        place, to = _places(wheels[side], role.name)[0], centre
        if axle.type.is_beam and role.on == axle.type.wheel_carrier:
            start, end = (_places(wheels[each], WHEEL_CENTRE)[0] for each in SIDES)
            share = np.clip((place - start) @ (end - start) / ((end - start) @ (end - start)), 0.0, 1.0)
            to = start + share * (end - start)
        if np.any(place != to):
            yield np.array([place, to])


def _rocker(axle: AxleData, wheel: Wheel) -> Iterator[Floats]:
    """From the pivot of a rocker round all that it carries."""
    names = [name for name, point in axle.points[wheel.side].items() if point.on == ROCKER]
    if axle.has_rocker and names:
        yield _places(wheel, "rocker pivot", *names, "rocker pivot")


def _elements(axle: AxleData, wheels: Mapping[str, Wheel]) -> Iterator[Floats]:
    """Springs, dampers and stops, one line of those that act between the same points."""
    spans = (span.of for _row, span in element_spans(axle) if isinstance(span.of, PointDistance))
    for of in dict.fromkeys(spans):
        yield np.concatenate([_places(wheels[side], name) for side, name in (of.first, of.second)])
