"""Torsion bars: springs of the turn of a rocker, or of the arm that carries the wheel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import ElementKind, Law, Span, at_rows
from sheetmbs.suspension.elastic.kinds.u_bar import TUBE, TUBE_NEEDS, tube_stiffness
from sheetmbs.suspension.kinematics.body_motion import turn_about
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import CHASSIS, ROCKER, WHEEL_CENTRE, PartJoint


def twisted_hinge(axle: AxleData) -> PartJoint | None:
    """The hinge about which it is twisted: of the rocker, else of the lower or only arm; None where there is none."""
    hinges = [each for each in joints_of(axle) if each.type == REVOLUTE.name and each.body_i == CHASSIS]
    of_body = {hinge.body_j: hinge for hinge in hinges if len(hinge.points) > 1}
    return next((of_body[body] for body in (ROCKER, "lower arm", "arm") if body in of_body), None)


def hinge_direction(hinge: PartJoint, axle: AxleData, side: str) -> Vector:
    """Unit direction of a hinge, from its first point to its second."""
    first, second = (axle.points[side][name].position for name in hinge.points)
    return np.asarray((second - first) / np.linalg.norm(second - first, axis=-1, keepdims=True))


def _turn(row: SpringElement, axle: AxleData) -> Iterator[Span]:
    """The turn of that body, - in bump as a spring gets shorter."""
    hinge = twisted_hinge(axle)
    if hinge is None:
        raise ValueError(f"the {axle.name} axle has no hinge for a torsion bar")
    for side in row.sides:
        droop = (-1.0, 0.0) if side == SIDES[0] else (0.0, -1.0)
        points = axle.points[side]
        arm = points[WHEEL_CENTRE].position - points[hinge.points[0]].position
        line = hinge_direction(hinge, axle, side), arm
        yield Span(side, turn_about(side, ("", hinge.body_j), line, line), grows_with=droop)


def _law(row: SpringElement, _suffix: str, preload: Floats) -> Law:
    """Moment and stiffness over the turn from design."""
    k = tube_stiffness(row)
    return lambda turned: (k * turned - at_rows(preload, len(turned)), np.full_like(turned, k))


TORSION_BAR = ElementKind(
    SpringKind.TORSION_BAR,
    "spring of the turn of the rocker or of the lower arm",
    numbers=(("k", u.ROTATIONAL_STIFFNESS), ("preload", u.MOMENT), *TUBE),
    needs=(("k",), TUBE_NEEDS),
    spans=_turn,
    law=_law,
    texts=(),
    is_solved=True,
    has_side=True,
    turns=True,
)
