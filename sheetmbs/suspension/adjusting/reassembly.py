"""An axle assembled again with adjusted lengths, its springs as long as before, as mechanics do it.

The pose that is found becomes the points and spin axes that everything else sees; the origin of travel stays with the drawn
axle. Where camber or toe is asked for, the shim or the tie rod is solved that gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.marker import Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Joint, Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.adjusting.members import CAMBER, PERCH, SHIM, TOE, Adjustment, Leg, Link, of_kind
from sheetmbs.suspension.elastic.spring_elements import lengths
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, axle_system, level_placing, solved_pairs
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, Hardpoint, Vector

CONVERGED = 1e-14
"""m or rad: changes of lengths and angles that are as good as none"""
NEARLY_CONVERGED = 1e-9
TRIAL_STEP = 1e-5
"""m, by which solved lengths are tried out"""
MAX_STEPS = 30
SPRUNG = (SpringKind.SPRING, SpringKind.TORSION_BAR)
SHIFTED = (SPHERICAL.name, DISTANCE.name)
"""joints whose points may move on one of their bodies"""

PointOnBody = tuple[str, str, str]
"""side, body and point"""

MEND = "change it by less, and look at its unit: a number without one counts in SI"


@dataclass(frozen=True, eq=False)
class Changes:
    """What is changed. lengths: of joints of the model by name, m; shifts: of points on one of their bodies, (3,) m."""

    lengths: Mapping[str, float] = field(default_factory=dict)
    shifts: Mapping[PointOnBody, Vector] = field(default_factory=dict)


def shifted_points(axle: AxleData, adjustments: Sequence[Adjustment]) -> AxleData:
    """An axle whose hardpoints themselves are moved."""
    points = {side: dict(axle.points[side]) for side in SIDES}
    for each in adjustments:
        if each.shift is None:
            continue
        for side in each.sides:
            old = points[side][each.point]
            moved = each.shift if side == "left" or old.is_central else each.shift * MIRROR
            points[side][each.point] = replace(old, position=old.position + moved)
    return replace(axle, points=points)


def reassembled(model: Model, axle: AxleData, adjustments: Sequence[Adjustment]) -> AxleData:
    """An axle with adjusted lengths. model: of the axle as drawn. Raises WorkbookError where it cannot be assembled so."""
    acting = [each for each in adjustments if each.shift is None]
    if not acting:
        return axle
    solved = of_kind(acting, CAMBER, TOE)
    unknowns = [(each, side) for each in solved for side in each.sides]
    perches = {side: sum(each.change for each in of_kind(acting, PERCH) if side in each.sides) for side in SIDES}
    drawn = _held(_at_travel(axle_system(model, axle), np.zeros(len(SIDES))))
    target = {side: float(drawn[side].value[0]) + perches[side] for side in SIDES}

    def assembled(values: Floats) -> SweptAxle:
        given = [(each, side, each.change) for each in acting if each not in solved for side in each.sides]
        given += [(each, side, float(value)) for (each, side), value in zip(unknowns, values, strict=True)]
        changes = _changes(axle, given)
        return _standing(changed_system(model, axle, changes), target)

    def missed(values: Floats) -> Floats:
        wheels = assembled(values).wheels
        angles = {CAMBER: _camber, TOE: _toe}
        return np.array([angles[each.item](wheels[side].spin.value[0], side) - each.change for each, side in unknowns])

    try:
        values = _root(missed, len(unknowns))
        found = assembled(values)
    except (ArithmeticError, ValueError) as error:
        told = "; ".join(f"{each.item} at {each.place}" for each in acting)
        rule = f"the {axle.name} axle cannot be assembled with it: {error}"
        problem = Problem("cannot-assemble", "error", str(acting[0].place), told, rule, MEND)
        raise WorkbookError(problem) from None
    thickness = [(each, side, each.change) for each in of_kind(acting, SHIM) for side in each.sides]
    thickness += [(*unknown, float(value)) for unknown, value in zip(unknowns, values, strict=True)]
    shims: dict[str, float] = {}
    for each, side, thick in thickness:
        if each.shim is not None:
            shims[side] = shims.get(side, 0.0) + thick
    return replace(_at_pose(axle, found, perches), shims=shims)


def _camber(w: Vector, _side: str) -> float:
    return float(-np.arcsin(w[2]))


def _toe(w: Vector, side: str) -> float:
    return float(np.arctan2(w[0], w[1] if side == "left" else -w[1]))


def _root(missed: Callable[[Floats], Floats], count: int) -> Floats:
    """Where ``missed`` of ``count`` unknown lengths is zero, by Newton's method from none. Raises ArithmeticError."""
    values = np.zeros(count)
    if not count:
        return values
    last = np.inf
    for _ in range(MAX_STEPS):
        off = missed(values)
        size = float(np.max(np.abs(off)))
        if size <= CONVERGED or (size < NEARLY_CONVERGED and size >= 0.5 * last):
            return values
        last = size
        tried = [(missed(values + TRIAL_STEP * unit) - off) / TRIAL_STEP for unit in np.eye(count)]
        try:
            values = values - np.linalg.solve(np.column_stack(tried), off)
        except np.linalg.LinAlgError:
            raise ArithmeticError("the shim or rod does not change the angle") from None
    raise ArithmeticError("no length gives this angle")


def _changes(axle: AxleData, given: Sequence[tuple[Adjustment, str, float]]) -> Changes:
    """Lengths and shifts of adjustments, each with its side and its length."""
    lengths: dict[str, float] = {}
    shifts: dict[PointOnBody, Vector] = {}

    def shift(side: str, body: str, point: str, by: Vector) -> None:
        shifts[side, body, point] = shifts.get((side, body, point), np.zeros(3)) + by

    legs: dict[tuple[str, str], list[tuple[Leg, float]]] = {}
    for each, side, length in given:
        if isinstance(each.member, Link):
            name = f"{axle.corner(side)} {each.member.name}"
            lengths[name] = lengths.get(name, 0.0) + length
        elif isinstance(each.member, Leg):
            legs.setdefault((side, each.member.arm), []).append((each.member, length))
        elif each.shim is not None and each.normal is not None:
            away = each.normal if side == "left" else each.normal * MIRROR
            shift(side, axle.wheel_carrier, each.shim[1], -length * away)
    for (side, arm), changed in legs.items():
        by = _of_legs(axle, side, changed)
        for name in {*_points_on(axle, arm, side), changed[0][0].ball.points[0]}:
            shift(side, arm, name, by)
    return Changes(lengths, shifts)


def _of_legs(axle: AxleData, side: str, changed: Sequence[tuple[Leg, float]]) -> Vector:
    """How far the ball joint moves on its arm when one or both legs change."""
    moved, ball = axle, changed[0][0].ball.points[0]
    total = np.zeros(3)
    for leg, longer in changed:
        by = leg.shift(moved, side, longer)
        total = total + by
        point = moved.points[side][ball]
        points = {**moved.points, side: {**moved.points[side], ball: replace(point, position=point.position + by)}}
        moved = replace(moved, points=points)
    return total


def _points_on(axle: AxleData, body: str, side: str) -> list[str]:
    return [name for name, point in axle.points[side].items() if point.on == body]


def changed_system(model: Model, axle: AxleData, changes: Changes) -> AxleSystem:
    """The axle with other lengths and places of joints on their bodies, not yet assembled."""
    parts = {f"{axle.corner(side)} {part.name}": (side, part) for part in joints_of(axle) for side in SIDES}
    turns = {body.name: matrix_of(body.euler) for body in model.bodies}
    joints = []
    for joint in model.joints:
        changed = joint
        side, part = parts.get(joint.name, ("", None))
        if part is not None and part.type in SHIFTED:
            points = (part.points * 2)[:2]
            none = np.zeros(3)
            by_i, by_j = (
                changes.shifts.get((side, body, point), none)
                for body, point in zip((part.body_i, part.body_j), points, strict=True)
            )
            changed = replace(changed, i=_shifted(joint.i, turns, by_i), j=_shifted(joint.j, turns, by_j))
        if joint.type == DISTANCE.name:
            changed = _with_length(changed, model, changes.lengths.get(joint.name, 0.0))
        joints.append(changed)
    placed = {
        side: {
            name: replace(point, position=point.position + changes.shifts.get((side, point.on, name), np.zeros(3)))
            for name, point in axle.points[side].items()
        }
        for side in SIDES
    }
    return axle_system(replace(model, joints=tuple(joints)), replace(axle, points=placed))


def _shifted(marker: Marker, turns: Mapping[str, Floats], by: Vector) -> Marker:
    return replace(
        marker, origin=marker.origin + turns[marker.body].T @ by if marker.body in turns else marker.origin + by
    )


def _with_length(joint: Joint, model: Model, longer: float) -> Joint:
    """A rod of the length that it has as drawn, and more. joint: with its ends where they are now."""
    drawn = next(each for each in model.joints if each.name == joint.name)
    if "length" in drawn.values:
        length = drawn.values["length"]
    else:
        places = {body.name: (body.position, matrix_of(body.euler)) for body in model.bodies}
        ends = [
            places[end.body][0] + places[end.body][1] @ end.origin if end.body in places else end.origin
            for end in (drawn.i, drawn.j)
        ]
        length = float(np.linalg.norm(ends[1] - ends[0]))
    return replace(joint, values={**joint.values, "length": length + longer})


def _held(swept: SweptAxle) -> dict[str, Jet]:
    """What keeps its length on either side, over both travels: spring, else damper; the wheel where there is neither."""
    row = next((row for row in swept.axle.springs if row.kind in SPRUNG), None)
    if row is not None:
        return {part.side: part.length for part in lengths(row, swept)}
    found = {}
    for side, wheel in swept.wheels.items():
        damper = wheel.damper_length
        found[side] = wheel.over_both(wheel.centre.z if damper is None else damper)
    return found


def _at_travel(system: AxleSystem, travel: Floats) -> SweptAxle:
    """An axle at one travel of either wheel (2,). Raises ArithmeticError where it cannot stand there."""
    placing = level_placing({side: travel[[number]] for number, side in enumerate(SIDES)}, np.zeros(1))
    wheels, rows = system.wheels(placing)
    if rows.stop <= rows.start:
        raise ArithmeticError("the linkage does not close")
    return SweptAxle(system, wheels, rows, placing)


def _standing(system: AxleSystem, target: Mapping[str, float]) -> SweptAxle:
    """An axle at the travels at which what keeps its length has it. Raises ArithmeticError where it has no such pose."""
    travel, last = np.zeros(len(SIDES)), np.inf
    for _ in range(MAX_STEPS):
        found = _at_travel(system, travel)
        held = _held(found)
        off = np.array([held[side].value[0] - target[side] for side in SIDES])
        size = float(np.max(np.abs(off)))
        if size <= CONVERGED or (size < NEARLY_CONVERGED and size >= 0.5 * last):
            return found
        last = size
        slopes = np.stack([held[side].first[:, : len(SIDES)] for side in SIDES], axis=1)
        travel = travel - solved_pairs(slopes, off[None])[0]
    raise ArithmeticError("its springs do not get their lengths")


def _at_pose(axle: AxleData, found: SweptAxle, perches: Mapping[str, float]) -> AxleData:
    """The axle as it now stands."""
    points: dict[str, dict[str, Hardpoint]] = {}
    for side, wheel in found.wheels.items():
        placed = {name: wheel.hardpoint(name).value[0] for name in axle.points[side]}
        points[side] = {name: replace(axle.points[side][name], position=at) for name, at in placed.items()}
    spins = {side: wheel.spin.value[0] for side, wheel in found.wheels.items()}
    return replace(axle, points=points, drawn=axle, spins=spins, perches=perches)
