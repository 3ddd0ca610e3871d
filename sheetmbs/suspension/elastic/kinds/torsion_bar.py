"""Torsion bars: springs of the turn of a rocker, or of the arm that carries the wheel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.suspension.elastic.element_kind import ElementKind, ElementLength, Law, at_rows
from sheetmbs.suspension.elastic.kinds.u_bar import TUBE, TUBE_NEEDS, tube_stiffness
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import CHASSIS, ROCKER, WHEEL_CENTRE, PartJoint


def twisted_hinge(axle: AxleData) -> PartJoint | None:
    """The hinge about which it is twisted: of the rocker, else of the lower or only arm; None where there is none."""
    hinges = [each for each in joints_of(axle) if each.type == "revolute" and each.body_i == CHASSIS]
    of_body = {hinge.body_j: hinge for hinge in hinges if len(hinge.points) > 1}
    return next((of_body[body] for body in (ROCKER, "lower arm", "arm") if body in of_body), None)


def hinge_direction(hinge: PartJoint, axle: AxleData, side: str) -> Vector:
    """Unit direction of a hinge, from its first point to its second."""
    first, second = (axle.points[side][name].position for name in hinge.points)
    return np.asarray((second - first) / np.linalg.norm(second - first, axis=-1, keepdims=True))


def _turn(_row: SpringElement, swept: SweptAxle) -> Iterator[ElementLength]:
    """The turn of that body, - in bump as a spring gets shorter."""
    hinge = twisted_hinge(swept.axle)
    if hinge is None:
        raise ValueError(f"the {swept.axle.name} axle has no hinge for a torsion bar")
    for number, side in enumerate(SIDES):
        wheel, points = swept.wheels[side], swept.axle.points[side]
        along = hinge_direction(hinge, swept.axle, side)
        arm = points[WHEEL_CENTRE].position - points[hinge.points[0]].position
        turned = wheel.over_both(wheel.turn_of(hinge.body_j, along, arm, arm))
        shorter = -1.0 if np.nansum(turned.first[:, number]) > 0.0 else 1.0
        yield ElementLength(side, turned * shorter, sense=shorter)


def _law(row: SpringElement, _suffix: str, preload: Floats) -> Law:
    """Moment and stiffness over the turn from design."""
    k = tube_stiffness(row)
    return lambda turned: (k * turned - at_rows(preload, len(turned)), np.full_like(turned, k))


TORSION_BAR = ElementKind(
    "torsion bar",
    "spring of the turn of the rocker or of the lower arm",
    numbers=(("k", u.ROTATIONAL_STIFFNESS), ("preload", u.MOMENT), *TUBE),
    needs=(("k",), TUBE_NEEDS),
    lengths=_turn,
    law=_law,
    texts=(),
    is_solved=True,
    turns=True,
)
