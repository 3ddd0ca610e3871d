"""What each member of an axle carries, as columns over the cases: names as of the generated parts, in vehicle axes.

Axial forces count + in tension, of springs + in compression. A joint's force is that on its second body, which of a ball joint
is the upright and of a hinge the arm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Joint
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds.t_bar import SWING
from sheetmbs.suspension.generated.generate import rack_driver
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.loads.arm_forces import arm_columns
from sheetmbs.suspension.loads.axle_statics import AxleLoads
from sheetmbs.suspension.loads.load_column import LoadColumn, force_columns, moment_columns
from sheetmbs.suspension.loads.part_statics import SolvedPart, place_of

TURN = 2.0 * np.pi
BARS = (SpringKind.U_BAR, SpringKind.T_BAR)


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
        if part.kind in BARS:
            higher = np.where(part.length.first[:, 0] - part.length.first[:, 1] >= 0.0, 1.0, -1.0)
            torque, text = part.force * higher, "torque, + where the left wheel is higher"
            if part.name.endswith(SWING):  # both wheels swing it alike
                torque, text = part.force, "torque, as in the sweeps"
            yield LoadColumn(f"{owner}.{part.name}", "N*m", torque, text)
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
    per_turn = axle.number("rack per turn")
    if per_turn is not None:
        torque = force * per_turn / TURN
        text = "on the steering wheel, + to the left"
        yield LoadColumn(f"{axle.name}.steering_torque", "N*m", torque, text, is_member=False)
