"""What each member of an axle carries, as columns over the cases: names as of the generated parts, in vehicle axes.

Axial forces count + in tension, of springs + in compression. A joint's force is that on its second body, which of a ball joint
is the upright and of a hinge the arm.

The force F and moment M of the hinge of an arm about its point O follow from statics. With pivots A and B on the axis a,
b = B - A:

    across the axis   F_B = (a x M_A)/|b|,  F_A = F - F_B, M_A about A        exact
    along it          the sum alone is: each pivot is given half of it (``equal``) or all of it (``max``)

Legs run from either pivot to the outer joint. What acts on the arm beyond its hinge is -F; the part of it in the plane of the
legs is resolved along them, which is exact where it acts at the outer joint. What stands across that plane bends the arm where
something else than the outer joint bears on it, by the outer joint's force across the plane times its distance from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Joint
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds.blade_bar import BLADE_LINK
from sheetmbs.suspension.elastic.kinds.t_bar import SWING
from sheetmbs.suspension.generated.generate import rack_driver
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, PartJoint
from sheetmbs.suspension.loads.axle_statics import AxleLoads
from sheetmbs.suspension.loads.part_statics import SolvedPart, place_of


class LoadColumn(NamedTuple):
    """values: (n,) in its unit. doc: what it is. is_member: whether those who size the part ask for its extremes."""

    name: str
    unit: str
    values: Floats
    doc: str = ""
    is_member: bool = True


def force_columns(name: str, force: Floats) -> Iterator[LoadColumn]:
    """Components (n, 3) of a force."""
    for k, axis in enumerate("xyz"):
        yield LoadColumn(f"{name}.f{axis}", "N", force[:, k])


def moment_columns(name: str, moment: Floats) -> Iterator[LoadColumn]:
    """Components (n, 3) of a moment."""
    for k, axis in enumerate("xyz"):
        yield LoadColumn(f"{name}.m{axis}", "N*m", moment[:, k])


PIVOTS = ("front", "rear", "inner", "outer")
"""of wishbones, and of trailing arms, which have no legs: they carry the wheel themselves"""


def arm_columns(
    found: AxleLoads, side: str, body: str, force: Floats, moment: Floats, place: Floats
) -> Iterator[LoadColumn]:
    """Columns of an arm of a side. force, moment: (n, 3) of its hinge on it, about ``place`` (n, 3)."""
    axle, corner = found.axle, found.axle.corner(side)
    hinge = next(
        (each for each in joints_of(axle) if axle.body_name(each.body_j, side) == body and _is_arm(each)), None
    )
    if hinge is None:
        return
    names = hinge.points
    front, rear = (axle.points[side][name].position for name in names)
    along = (rear - front) / np.linalg.norm(rear - front)
    lengthwise = np.sum(force * along, axis=1)[:, None] * along
    across = force - lengthwise
    about_front = moment + cross(place - front, force)
    at_rear = cross(about_front, along) / np.linalg.norm(rear - front)
    at_front = across - at_rear
    for name, part in zip(names, (at_front, at_rear), strict=True):
        for word, share in (("equal", 0.5), ("max", 1.0)):
            whole = part + share * lengthwise
            text = "half of the force along the hinge" if word == "equal" else "all of the force along the hinge"
            yield LoadColumn(f"{corner}.{name} pivot {word}", "N", np.linalg.norm(whole, axis=1), f"size, with {text}")
            if word == "equal":
                yield from force_columns(f"{corner}.{name} pivot equal", whole)
    outer = _outer_joint(axle, hinge.body_j)
    if outer is not None:
        yield from _legs(found, side, hinge, outer, force)


def _is_arm(joint: PartJoint) -> bool:
    """Whether a joint is the hinge of an arm between two pivots."""
    return joint.type == REVOLUTE.name and joint.body_i == CHASSIS and all(_leg(name) for name in joint.points[:2])


def _leg(point: str) -> str:
    """The word that tells a pivot from the other one; ``""`` of points that are none."""
    return next((word for word in PIVOTS if point.endswith(f" {word}")), "")


def _outer_joint(axle: AxleData, body: str) -> PartJoint | None:
    """The ball joint at the end of an arm."""
    return next((each for each in joints_of(axle) if each.type == SPHERICAL.name and each.body_i == body), None)


def _legs(found: AxleLoads, side: str, hinge: PartJoint, outer: PartJoint, force: Floats) -> Iterator[LoadColumn]:
    axle, corner = found.axle, found.axle.corner(side)
    wheel = found.state.swept.wheels[side]
    pivots = [axle.points[side][name].position for name in hinge.points]
    joint = place_of(wheel, outer.points[0])
    legs = [joint - pivot for pivot in pivots]
    legs = [leg / np.linalg.norm(leg, axis=1, keepdims=True) for leg in legs]
    normal = cross(legs[0], legs[1])
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    matrix = np.stack((*legs, normal), axis=-1)
    tension = np.linalg.solve(matrix, -force[:, :, None])[:, :, 0]
    for name, values in zip(hinge.points, tension.T[:2], strict=True):
        yield LoadColumn(f"{corner}.{hinge.body_j} {_leg(name)} leg", "N", values, "axial, + in tension")
    bracket = _bracket(axle, hinge.body_j)
    number = found.parts[side].number(f"{corner} {outer.name}")
    if bracket is None or number is None:
        return
    on_upright, _moment = found.parts[side].carried.on_side(number, second=True)
    line = (pivots[1] - pivots[0]) / np.linalg.norm(pivots[1] - pivots[0])
    lever = np.abs(np.sum(cross(line, normal) * (joint - place_of(wheel, bracket)), axis=1))
    bending = np.sum(normal * on_upright, axis=1) * lever * np.sign(normal[:, 2])
    text = "where rod, damper or bar bears on it: the ball joint's force across the arm's plane times its distance"
    yield LoadColumn(f"{corner}.{hinge.body_j} bending", "N*m", bending, text)


def _bracket(axle: AxleData, body: str) -> str | None:
    """The point of an arm on which rod, damper or drop link bears, the first that there is."""
    names = ("rod outer", "damper outer", "spring rocker", "bar link suspension")
    points = axle.points["left"]
    return next((name for name in names if name in points and points[name].on == body), None)


TURNING_BARS = (SpringKind.U_BAR, SpringKind.T_BAR)


@dataclass(frozen=True, eq=False)
class CarriedJoint:
    """A joint of a part in n cases. name: with the corner's before it. force, moment: (n, 3) on body j, at the joint there."""

    joint: Joint
    name: str
    place: Floats
    force: Floats
    moment: Floats


def member_columns(found: AxleLoads) -> Iterator[LoadColumn]:
    """All columns of an axle, corner by corner and then of the axle."""
    axle = found.axle
    of_axle: list[LoadColumn] = []
    seen: set[str] = set()
    for side in SIDES:
        corner = axle.corner(side)
        for carried in _joints(found.parts[side]):
            if carried.name in seen:
                continue
            if carried.name.startswith(f"{corner} "):
                seen.add(carried.name)
                yield from _of_joint(found, side, carried, f"{corner}.{carried.name.removeprefix(f'{corner} ')}")
            elif not any(carried.name.startswith(f"{axle.corner(each)} ") for each in SIDES) and found.is_coupled:
                seen.add(carried.name)
                owner = f"{axle.name}.{carried.name.removeprefix(f'{axle.name} ')}"
                of_axle += _of_joint(found, side, carried, owner)
        yield from _elements(found, side, corner)
        yield from _wheel_bearing(found, side, corner)
    yield from of_axle
    yield from _elements(found, "", axle.name)
    yield from _rack(found, axle)


def _joints(part: SolvedPart) -> Iterator[CarriedJoint]:
    """The joints of a part with what they carry."""
    lowered = part.poses.lowered
    joints = {joint.name: joint for joint in lowered.model.joints}
    for number, element in enumerate(lowered.elements):
        if element.what != "joint":
            continue
        force, moment = part.carried.on_side(number, second=True)
        yield CarriedJoint(joints[element.name], element.name, _place(part, element.frame_j), force, moment)


def _place(part: SolvedPart, frame: int) -> Floats:
    """(n, 3) of a frame."""
    record = part.poses.lowered.frames[frame]
    local = np.array([record["x"], record["y"], record["z"]])
    body = int(record["body"])
    names = {number: name for name, number in part.poses.lowered.bodies.names.items()}
    if body == 0:
        return np.broadcast_to(local, (len(part.poses), 3))
    return part.poses.place(names[body], local)


def _of_joint(found: AxleLoads, side: str, carried: CarriedJoint, name: str) -> Iterator[LoadColumn]:
    kind = carried.joint.type
    if kind == "distance":
        yield LoadColumn(name, "N", _tension(found.parts[side], carried))
    elif kind == "spherical":
        yield LoadColumn(name, "N", np.linalg.norm(carried.force, axis=1), "size of the force")
        yield from force_columns(name, carried.force)
    elif kind == SPHERICAL_CYLINDRICAL.name:
        yield from _strut(found, side, carried, name)
    else:
        yield LoadColumn(name, "N", np.linalg.norm(carried.force, axis=1), "size of the force")
        yield from force_columns(name, carried.force)
        yield from moment_columns(name, carried.moment)
        if kind == "revolute":
            yield from arm_columns(found, side, carried.joint.j.body, carried.force, carried.moment, carried.place)


def _tension(part: SolvedPart, carried: CarriedJoint) -> Floats:
    """(n,) + where the link pulls on its ends."""
    number = part.number(carried.name)
    element = part.poses.lowered.elements[number or 0]
    apart = _place(part, element.frame_j) - _place(part, element.frame_i)
    return np.asarray(-np.sum(carried.force * apart, axis=1) / np.linalg.norm(apart, axis=1))


def _strut(found: AxleLoads, side: str, carried: CarriedJoint, name: str) -> Iterator[LoadColumn]:
    """A strut that slides through its top mount: the force across it there, and what that bends it by at its lower end."""
    at_top = carried.force + found.on_tops.get(side, 0.0)
    yield LoadColumn(
        f"{name} top side force", "N", np.linalg.norm(at_top, axis=1), "across the strut, at its top mount"
    )
    yield from force_columns(f"{name} top side force", at_top)
    size = np.linalg.norm(carried.force, axis=1)
    wheel = found.state.swept.wheels[side]
    if found.axle.has_point("strut lower"):
        lever = np.linalg.norm(carried.place - place_of(wheel, "strut lower"), axis=1)
        yield LoadColumn(f"{name} bending", "N*m", size * lever, "of the strut at its lower point")


def _elements(found: AxleLoads, side: str, owner: str) -> Iterator[LoadColumn]:
    """Springs, dampers and stops, + in compression; bars, + where the left wheel is higher."""
    for number, part in enumerate(found.elements):
        if part.side != side:
            continue
        if part.kind in TURNING_BARS:
            higher = np.where(part.length.first[:, 0] - part.length.first[:, 1] >= 0.0, 1.0, -1.0)
            torque, text = part.force * higher, "torque, + where the left wheel is higher"
            if part.name.endswith(SWING):  # both wheels swing it alike
                torque, text = part.force, "torque, as in the sweeps"
            yield LoadColumn(f"{owner}.{part.name}", "N*m", torque, text)
            continue
        if part.kind == SpringKind.BLADE_BAR:
            yield LoadColumn(f"{owner}.{BLADE_LINK}", "N", part.force, "axial, + in tension")
            continue
        unit = "N*m" if part.kind == SpringKind.TORSION_BAR else "N"
        yield LoadColumn(f"{owner}.{part.name}", unit, -part.force, "+ in compression")
        if number in found.beyond:
            text = "how much more the pose needs than the law of the spring gives"
            yield LoadColumn(f"{owner}.{part.name} difference", unit, -found.beyond[number], text, is_member=False)


def _wheel_bearing(found: AxleLoads, side: str, corner: str) -> Iterator[LoadColumn]:
    """What the wheel exerts on its bearing at the wheel centre, in wheel axes: forward, along the spin axis to the left, up."""
    tyre, state = found.tyres[side], found.state.wheels[side]
    left = state.spin.value * state.s
    forward = tyre.along
    axes = np.stack((forward, left, cross(forward, left)), axis=1)
    name = f"{corner}.wheel bearing"
    yield LoadColumn(name, "N", np.linalg.norm(tyre.force, axis=1), "size of the force")
    yield from force_columns(name, np.einsum("nij,nj->ni", axes, tyre.force))
    yield from moment_columns(name, np.einsum("nij,nj->ni", axes, tyre.torque))


def _rack(found: AxleLoads, axle: AxleData) -> Iterator[LoadColumn]:
    """What the pinion exerts on the rack along its travel, and the driver on the wheel."""
    if not axle.is_steered:
        return
    parts = {id(part): part for part in found.parts.values()}
    force = np.asarray(sum(part.driver(rack_driver(axle)) for part in parts.values()))
    yield LoadColumn(f"{axle.name}.rack", "N", force, "on the rack, + to the left")
    yield LoadColumn(f"{axle.name}.steering_force", "N", force, "on the rack, + to the left", is_member=False)
    if axle.number("rack per turn") is None:
        return
    column = axle.column
    torque = force * axle.rack_rate(found.state.swept.placing.rack)
    if column is not None:
        torque = torque / column.efficiency
    text = "on the steering wheel, + to the left"
    yield LoadColumn(f"{axle.name}.steering_torque", "N*m", torque, text, is_member=False)
    if column is not None and column.diameter is not None:
        text = "of each of two hands on the rim of the steering wheel"
        yield LoadColumn(f"{axle.name}.hand_force", "N", np.abs(torque) / column.diameter, text, is_member=False)
