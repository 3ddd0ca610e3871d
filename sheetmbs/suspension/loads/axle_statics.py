"""An axle under the forces of its cases, at their poses: forces of its elements, and what its members carry.

At a pose that was found by equilibrium, springs follow their laws. At any other the length of one spring of each wheel is
locked, and its force is what virtual work on the travels asks for: sum_e F_e l_e,i = Q_i of all others. No wheel is held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.holding_kinds import HOLDING, HOLDING_ACROSS, IN_PLACE
from sheetmbs.suspension.elastic.kinds.blade_bar import LINK_END, blade_pose
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.elastic.kinds.t_bar import LATERAL, SWING
from sheetmbs.suspension.elastic.kinds.third_spring import CROSSING, across_ends
from sheetmbs.suspension.elastic.kinds.torsion_bar import twisted_hinge
from sheetmbs.suspension.elastic.kinds.u_bar import bar_direction
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, solved_pairs
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, MassPoint, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import BAR, CHASSIS, T_BASE, T_HEAD
from sheetmbs.suspension.loads.part_statics import AxleForces, SolvedPart, place_of
from sheetmbs.suspension.loads.road import TyreWrench
from sheetmbs.suspension.loads.standing_car import AxleState

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
    """Tension between a point of the left side and one of the right."""
    ends = []
    for side, name in across_ends(_row(axle, part)):
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


def _along_link(forces: AxleForces, axle: AxleData, state: AxleState, part: Element) -> None:
    """Tension of a drop link of a blade; the pivot on the chassis bears what both links exert on the blade."""
    side = part.side
    at = place_of(state.swept.wheels[side], LINK_END)
    tip = blade_pose(state.swept).tip(side)
    body = axle.body_name(axle.points[side][LINK_END].on, side)
    _pull(forces, [(side, body, at), (side, CHASSIS, tip)], part.force)


APPLIED: dict[str, Applied] = {
    SpringKind.U_BAR: _between_halves,
    SpringKind.T_BAR: _in_t_bar,
    SpringKind.TORSION_BAR: _at_hinge,
    **dict.fromkeys(CROSSING, _across),
    SpringKind.BLADE_BAR: _along_link,
}
"""kinds that do not act between two points of a corner"""


MIN_APART = 1e-6
"""of unit directions of travels, from which on two elements work apart"""


@dataclass(frozen=True, eq=False)
class RoadLoads:
    """What the road and gravity do in n cases.

    wrenches: (n, 2, 7, 3) on its wheels, each as a `TyreWrench` has it. pull: (n, 3) on each unit of mass. is_held: (n,)
    whether springs are locked. shift: (3,) from the axes of the axle to those of the car.
    """

    wrenches: Floats
    pull: Floats
    is_held: NDArray[np.bool_]
    shift: Vector


@dataclass(frozen=True, eq=False)
class AxleLoads:
    """An axle in n cases.

    tyres: by side. elements: with their forces at the pose; beyond: (n,) how much more than by its law an element that is
    locked carries in tension, by its place among them. parts: what joints carry, by side. work: (n, 2) what all forces do on
    the travels, and size: of the forces that do it. chassis, put_in: (n, 6) what the chassis is given, and what road and
    weights put in. on_tops: (n, 3) by side, what the weight of a strut rod exerts on its top across the strut.
    """

    axle: AxleData
    state: AxleState
    tyres: Mapping[str, TyreWrench]
    elements: tuple[Element, ...]
    beyond: Mapping[int, Floats]
    parts: Mapping[str, SolvedPart]
    work: Floats
    size: Floats
    chassis: Floats
    put_in: Floats
    on_tops: Mapping[str, Floats]

    @property
    def is_coupled(self) -> bool:
        """Whether both sides close together."""
        left, right = (self.parts[side] for side in SIDES)
        return left is right

    @cached_property
    def residual(self) -> Floats:
        """(n,) the worst of virtual work, of drivers that should carry nothing, and of what the chassis is given."""
        scale = np.maximum(self.size, 1e-30)
        parts = {id(part): part for part in self.parts.values()}
        travels = [held for part in parts.values() for held in part.held_travels(self.axle)]
        held = [np.abs(travel) / scale[:, at] for at, travel in enumerate(travels)]
        largest = np.maximum(np.linalg.norm(self.put_in[:, :3], axis=1), 1e-30)
        lost = np.linalg.norm((self.chassis - self.put_in)[:, :3], axis=1) / largest
        return np.asarray(np.max([*(np.abs(self.work) / scale).T, *held, lost], axis=0))


def is_holdable(axle: AxleData) -> bool:
    """Whether something holds the travels of an axle: a spring, or points between which one can stand."""
    ends = element_ends(IN_PLACE, axle)
    return axle.is_sprung or all(map(axle.has_point, ends))


def solve_axle(
    system: AxleSystem,
    state: AxleState,
    masses: tuple[MassPoint, ...],
    on: RoadLoads,
) -> AxleLoads:
    """Statics of an axle in all cases at once."""
    swept, axle = state.swept, system.axle
    forces = AxleForces(system, swept)
    work, size = np.zeros((2, len(on.pull), len(SIDES)))

    def enter(part: Floats) -> None:
        nonlocal work, size
        work, size = work + part, size + np.abs(part)

    tyres: dict[str, TyreWrench] = {}
    on_tops: dict[str, Floats] = {}
    for number, side in enumerate(SIDES):
        wheel, found = state.wheels[side], TyreWrench(*np.moveaxis(on.wrenches[:, number], 1, 0))
        tyres[side] = found
        carrier = axle.body_name(axle.wheel_carrier, side)
        forces.load(side, carrier, found.at - on.shift, found.force, found.moment)
        forces.pass_by(side, carrier, found.passed)
        enter(np.einsum("nkc,nc->nk", wheel.centre.first, found.force))
        enter(np.einsum("nkc,nc->nk", wheel.turning, found.torque))
    for mass, (amount, place) in zip(masses, state.masses, strict=True):
        weight = amount * on.pull
        if mass.slides_on:
            on_tops[mass.side] = _weigh_on_strut(forces, state, mass, place.value, weight)
        else:
            forces.load(mass.side, mass.body, place.value, weight, np.zeros_like(weight))
        enter(np.einsum("nkc,nc->nk", place.first, weight))
    parts = list(state.elements)
    locked = locked_elements(axle, state, parts) or _springs_in_place(state, parts)
    holding = {number for each in locked for number in each}
    for number, part in enumerate(parts):
        if number not in holding:
            enter(-part.force[:, None] * part.length.first)
    first = np.stack([_joint_slope(parts, each) for each in locked], axis=-1)
    needed = solved_pairs(first, work) if len(locked) == len(SIDES) else _of_one(first, work)
    beyond: dict[int, Floats] = {}
    for at, each in enumerate(locked):
        for number, share in each.items():
            part = parts[number]
            force = np.where(on.is_held, needed[:, at] * share, part.force)
            beyond[number] = force - part.force
            parts[number] = Element(part.name, part.kind, part.side, part.length, force, part.stiffness)
            enter(-force[:, None] * part.length.first)
    for part in parts:
        apply_element(forces, axle, state, part)
    solved = forces.solved()
    return AxleLoads(
        axle, state, tyres, tuple(parts), beyond, solved, work, size, forces.chassis(solved), forces.put_in, on_tops
    )


def _weigh_on_strut(forces: AxleForces, state: AxleState, mass: MassPoint, at: Floats, weight: Floats) -> Floats:
    """The weight of a strut rod (n, 3): along the strut on its top, across it by the lever on top and upright.

    Returns (n, 3) what the top carries across the strut.
    """
    nothing = np.zeros_like(weight)
    top, lower = (place_of(state.swept.wheels[mass.side], name) for name in mass.slides_on)
    apart = lower - top
    square = np.sum(apart**2, axis=1, keepdims=True)
    across = weight - np.sum(weight * apart, axis=1, keepdims=True) / square * apart
    in_upright = across * np.sum((at - top) * apart, axis=1, keepdims=True) / square
    forces.load(mass.side, mass.body, lower, in_upright, nothing)
    forces.load(mass.side, CHASSIS, top, weight - in_upright, nothing)
    return np.asarray(across - in_upright)


Locked = Mapping[int, Floats]
"""elements that are locked together, by their places, with the share (n,) of each in what they carry"""


def locked_elements(axle: AxleData, state: AxleState, parts: Sequence[Element]) -> tuple[Locked, ...]:
    """What holds both travels where the pose is given; no elastic link does.

    One spring of each wheel where they stand there; else two elements that work apart from each other, of those that carry
    across the axle, in the order of `HOLDING_ACROSS`; one alone holds heave, not roll. Both links of a blade are one.
    """
    whole = np.ones(len(state.vectors))
    found: dict[str, Locked] = {}
    for kind in HOLDING:
        for number, part in enumerate(parts):
            if part.kind == kind and part.side and not axle.has_point(f"{part.name} inner"):
                found.setdefault(part.side, {number: whole})
    if len(found) == len(SIDES):
        return tuple(found[side] for side in SIDES)
    across: list[Locked] = []
    for kind in HOLDING_ACROSS:
        own = [number for number, part in enumerate(parts) if part.kind == kind]
        if kind == SpringKind.BLADE_BAR and own:
            balanced = blade_pose(state.swept).balanced
            across.append({number: balanced[parts[number].side] for number in own})
        else:
            across += [{number: whole} for number in own]
    chosen = [*found.values()]
    for each in across:
        slopes = np.stack([_direction(_joint_slope(parts, other)[0]) for other in (*chosen, each)])
        if len(chosen) < len(SIDES) and np.linalg.matrix_rank(slopes, tol=MIN_APART) == len(slopes):
            chosen.append(each)
    return tuple(chosen)


def _joint_slope(parts: Sequence[Element], locked: Locked) -> Floats:
    """(n, 2) by both travels of what elements that are locked together have of length."""
    return np.asarray(sum(share[:, None] * parts[number].length.first for number, share in locked.items()))


def _direction(slope: Floats) -> Floats:
    """(2,) unit direction of the travels along which an element gets longer; zero where none does."""
    size = float(np.linalg.norm(slope))
    return np.asarray(slope / size if size > MIN_APART else np.zeros_like(slope))


def _of_one(first: Floats, work: Floats) -> Floats:
    """(n, 1) force of the one element that holds an axle, by the travels along which it works."""
    slope = first[:, :, 0]
    return np.asarray(np.sum(slope * work, axis=1) / np.sum(slope * slope, axis=1))[:, None]


def _springs_in_place(state: AxleState, parts: list[Element]) -> tuple[Locked, ...]:
    """Springs without force, one for each wheel, behind the elements that there are."""
    first = len(parts)
    parts += [spring_in_place(state, side) for side in SIDES]
    return tuple({first + number: np.ones(len(state.vectors))} for number in range(len(SIDES)))


def spring_in_place(state: AxleState, side: str) -> Element:
    """A spring without force, where one would act."""
    wheel = state.swept.wheels[side]
    ends = element_ends(IN_PLACE, wheel.axle)
    if not all(map(wheel.axle.has_point, ends)):
        raise ValueError(f"nothing holds the travel of {wheel.axle.corner(side)}")
    length = wheel.distance_over_both(*ends)
    nothing = np.zeros(len(length.value))
    return Element("spring", "spring", side, length, nothing, nothing)
