"""What springs, dampers, stops and bars exert on the bodies between which they act."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.elastic.kinds.t_bar import LATERAL, SWING
from sheetmbs.suspension.elastic.kinds.torsion_bar import twisted_hinge
from sheetmbs.suspension.elastic.kinds.u_bar import bar_direction
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement
from sheetmbs.suspension.layout.type_table import BAR, T_BASE, T_HEAD
from sheetmbs.suspension.loads.corner_states import AxleState
from sheetmbs.suspension.loads.part_statics import AxleForces, place_of

Applied = Callable[[AxleForces, AxleData, AxleState, Element], None]


def apply_element(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Add the forces of an element to those on the bodies of an axle."""
    APPLIED.get(part.kind, _between_points)(forces, axle, state, part)


def _row(axle: AxleData, part: Element) -> SpringElement:
    """The row of an element; of one that stands in place of a spring a row that says nothing."""
    named = (row for row in axle.springs if row.name == part.name)
    return next(named, SpringElement(part.name, part.kind, {}, {}))


def _between_points(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Tension between two points of a corner."""
    names = element_ends(_row(axle, part), axle)
    wheel = state.swept.wheels[part.side]
    bodies = [axle.body_name(axle.points[part.side][name].on, part.side) for name in names]
    places = [place_of(wheel, name) for name in names]
    _pull(forces, [(part.side, body, at) for body, at in zip(bodies, places, strict=True)], part.force)


def _across(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Tension between a point of the left side and its mirror image."""
    name = str(_row(axle, part).values["point_i"])
    ends = []
    for side in SIDES:
        body = axle.body_name(axle.points[side][name].on, side)
        ends.append((side, body, place_of(state.swept.wheels[side], name)))
    _pull(forces, ends, part.force)


def _pull(forces: AxleForces, ends: list[tuple[str, str, Floats]], tension: Floats) -> None:
    (side_i, body_i, at_i), (side_j, body_j, at_j) = ends
    apart = at_j - at_i
    force = tension[:, None] * apart / np.linalg.norm(apart, axis=1, keepdims=True)
    forces.add(side_i, body_i, at_i, force, np.zeros_like(force))
    forces.add(side_j, body_j, at_j, -force, np.zeros_like(force))


def _between_halves(forces: AxleForces, axle: AxleData, _state: AxleState, part: Element) -> None:
    """Moment of a U bar: the twist is the angle of its left half less that of its right one, each about its own axis."""
    for side, sign in zip(SIDES, (-1.0, 1.0), strict=True):
        forces.turn(side, axle.body_name(BAR, side), sign * part.force[:, None] * bar_direction(axle, side))


def _in_t_bar(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Moment of a T bar: about its stem between head and base, or in swing about the lateral axis on the base."""
    side, wheel = SIDES[0], state.swept.wheels[SIDES[0]]
    base, head = (axle.body_name(body, side) for body in (T_BASE, T_HEAD))
    if part.name.endswith(SWING):
        along = np.broadcast_to(LATERAL, (len(part.force), 3))
        forces.turn(side, base, -_about(wheel, base, "", along, part) * part.force[:, None] * along)
        return
    points = axle.points
    ends = 0.5 * (points["left"]["bar link bar"].position + points["right"]["bar link bar"].position)
    stem = ends - points[side]["T-bar base"].position
    along = wheel.direction_on(T_BASE, stem / np.linalg.norm(stem)).value
    moment = -_about(wheel, head, base, along, part) * part.force[:, None] * along
    forces.turn(side, head, moment)
    forces.turn(side, base, -moment)


def _at_hinge(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Moment of a torsion bar on the rocker or arm that it turns with."""
    hinge = twisted_hinge(axle)
    if hinge is None:
        raise ValueError(f"the {axle.name} axle has no hinge for a torsion bar")
    first, second = (axle.points[part.side][name].position for name in hinge.points)
    along = np.broadcast_to((second - first) / np.linalg.norm(second - first), (len(part.force), 3))
    body = axle.body_name(hinge.body_j, part.side)
    wheel = state.swept.wheels[part.side]
    forces.turn(part.side, body, -_about(wheel, body, "", along, part) * part.force[:, None] * along)


def _about(wheel: Wheel, body: str, other: str, along: Floats, part: Element) -> float:
    """+1 where the coordinate of an element grows as a body turns about a direction (n, 3) against another, else -1."""

    def rates(name: str) -> Floats:
        drivers = wheel.poses.first.shape[1]
        return np.asarray(np.einsum("ik,nkc,nc->ni", wheel.to_both[:, :drivers], wheel.poses.twist(name)[1], along))

    turning = rates(body) - (rates(other) if other else 0.0)
    return 1.0 if float(np.sum(turning * part.length.first)) >= 0.0 else -1.0


APPLIED: dict[str, Applied] = {
    SpringKind.U_BAR: _between_halves,
    SpringKind.T_BAR: _in_t_bar,
    SpringKind.TORSION_BAR: _at_hinge,
    SpringKind.THIRD_SPRING: _across,
    SpringKind.THIRD_DAMPER: _across,
}
"""kinds that do not act between two points of a corner"""
