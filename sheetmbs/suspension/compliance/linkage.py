"""The linkage of an axle at poses in equilibrium, with its elastic parts held as they are: how it moves with travel and rack.

With all deflections held, J V_k = e_k and J A_kl = -V_k' phi_qq V_l give the motions of all bodies per unit of each driver and
their second derivatives, from which every metric of a rigid linkage follows at that pose.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.elements.rotation import cross, matrix_of
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.deformations import BodyPoses
from sheetmbs.suspension.compliance.elastic_axle import ElasticAxle, ElasticPoses, inverse_each
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE


@dataclass(frozen=True, eq=False)
class LinkageMotion:
    """first: (n, d, N) motions of all bodies per unit of each driver; second: (n, d, d, N). Drivers: both travels, the rack."""

    first: Floats
    second: Floats


def linkage_motion(of: ElasticPoses) -> LinkageMotion:
    """How the linkage moves from poses in equilibrium, its elastic parts held."""
    axle = of.of
    structure = axle.structure
    drivers = [*structure.travels, *([] if structure.rack is None else [structure.rack])]
    rows = np.array([*structure.frozen, *drivers])
    evaluated = of.assembled.evaluated
    jacobian = of.assembled.jacobian[:, rows]
    inverse = inverse_each(jacobian)
    first = np.swapaxes(inverse[:, :, len(structure.frozen) :], 1, 2)
    curved = evaluated.along(first)[:, rows]
    n, d = first.shape[:2]
    second = -(inverse @ curved.reshape(n, len(rows), d * d))
    return LinkageMotion(first, np.moveaxis(second.reshape(n, axle.size, d, d), 1, 3))


def swept_linkage(of: ElasticPoses, system: AxleSystem, at: Placing, rows: slice) -> SweptAxle:
    """An axle over poses in equilibrium as one that its linkage moves on. rows: of its sweep."""
    motion = linkage_motion(of)
    travel = {side: _travel(of, side) for side in SIDES}
    placing = replace(at, travel=travel)
    found: dict[str, tuple[ClosedPart, Poses]] = {}
    for part in system.parts:
        found |= dict.fromkeys(part.sides, (part, _part_poses(of, motion, part)))
    wheels = system.wheels_of(found, placing, by_contact=True)
    wheels = {side: _with_hub(of, side, wheel) for side, wheel in wheels.items()}
    return SweptAxle(system, wheels, rows, placing, elastic=of)


def _travel(of: ElasticPoses, side: str) -> Floats:
    """(n,) travel of a wheel centre from where it is drawn, m."""
    number = of.of.structure.travels[SIDES.index(side)]
    drawn = of.of.axle.as_drawn.points[side][WHEEL_CENTRE].position[2]
    return np.asarray(of.assembled.evaluated.value[:, number] - drawn)


def _with_hub(of: ElasticPoses, side: str, wheel: Wheel) -> Wheel:
    """A wheel whose bearing gives way has a spin axis of its own on its carrier."""
    axle, structure = of.of.axle, of.of.structure
    carrier, hub = structure.bodies[axle.body_name(axle.wheel_carrier, side)], structure.hubs[side]
    if carrier == hub:
        return wheel
    spin = np.einsum("nji,njk,k->ni", of.poses.turn[:, carrier], of.poses.turn[:, hub], axle.spin_axis(side))
    return replace(wheel, hub_spin=spin)


def _part_poses(of: ElasticPoses, motion: LinkageMotion, part: ClosedPart) -> Poses:
    """Poses and derivatives of the bodies of a part, in the coordinates of its model."""
    lowered = part.driven.lowered
    structure = of.of.structure
    n = len(of.poses)
    steered = [] if structure.rack is None else [len(SIDES)]
    which = [*(SIDES.index(side) for side in part.sides), *steered]
    first, second = motion.first[:, which], motion.second[:, which][:, :, which]
    d = len(which)
    q = np.tile(part.q, (n, 1))
    nv = len(part.driven.system.arrays.scale)
    rates, bends = np.zeros((n, d, nv)), np.zeros((n, d, d, nv))
    for name, number in lowered.bodies.names.items():
        if name not in structure.bodies:
            continue
        own, record = structure.bodies[name], lowered.bodies.records[number]
        body = lowered.model.bodies[number - 1]
        turn = of.poses.turn[:, own]
        arm = np.einsum("nij,j->ni", turn, body.position - structure.origins[own])
        at = int(record.q)
        whole = turn @ matrix_of(body.euler)
        q[:, at : at + 3], q[:, at + 3 : at + 7] = of.poses.place[:, own] + arm, euler_parameters(whole)
        axes = whole @ lowered.bodies.axes[number]
        x = slice(6 * own - 6, 6 * own - 3)
        t = slice(6 * own - 3, 6 * own)
        v, w, a, alpha = first[..., x], first[..., t], second[..., x], second[..., t]
        at = int(record.v)
        rates[..., at : at + 3] = v + cross(w, arm[:, None])
        rates[..., at + 3 : at + 6] = np.einsum("nij,ndi->ndj", axes, w)
        turned = cross(w, arm[:, None])
        twice = cross(w[:, :, None], turned[:, None])
        bends[..., at : at + 3] = a + cross(alpha, arm[:, None, None]) + 0.5 * (twice + np.swapaxes(twice, 1, 2))
        bends[..., at + 3 : at + 6] = np.einsum("nij,ndei->ndej", axes, alpha)
    heights = [of.assembled.evaluated.value[:, structure.travels[SIDES.index(side)]] for side in part.sides]
    value = np.column_stack([*heights, of.standing.rack] if steered else heights)
    return Poses(lowered, value, q, rates, bends)


def euler_parameters(turn: Floats) -> Floats:
    """(n, 4) Euler parameters of rotation matrices (n, 3, 3), by the largest of them; Shepperd (1978)."""
    trace = np.trace(turn, axis1=1, axis2=2)
    squares = np.stack((1.0 + trace, *(1.0 - trace + 2.0 * turn[:, k, k] for k in range(3))), axis=1)
    largest = np.argmax(squares, axis=1)
    found = np.empty((len(turn), 4))
    skewed = np.stack(
        (turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]), axis=1
    )
    even = turn + np.swapaxes(turn, 1, 2)
    for k in range(4):
        rows = largest == k
        if not rows.any():
            continue
        size = np.sqrt(squares[rows, k])
        part = np.empty((int(rows.sum()), 4))
        part[:, k] = size
        for m in range(4):
            if m != k:
                numerator = skewed[rows, (m or k) - 1] if 0 in (m, k) else even[rows, m - 1, k - 1]
                part[:, m] = numerator / size
        found[rows] = 0.5 * part
    return found


def start_poses(axle: ElasticAxle, swept: SweptAxle) -> BodyPoses:
    """Where the bodies of an axle stand in a rigid sweep; bodies that the sweep has not go with those that carry them."""
    structure = axle.structure
    n = len(swept.placing.rack)
    origins = np.array(structure.origins)
    place, turn = np.tile(origins, (n, 1, 1)), np.tile(np.eye(3), (n, len(origins), 1, 1))
    for side in SIDES:
        poses = swept.wheels[side].poses
        carrier = swept.axle.body_name(swept.axle.wheel_carrier, side)
        corner = swept.axle.corner(side)
        for name, number in structure.bodies.items():
            of = carrier if name.startswith(corner) and name not in poses.lowered.bodies.names else name
            if of not in poses.lowered.bodies.names:
                continue
            body = poses.lowered.model.bodies[poses.lowered.bodies.names[of] - 1]
            turn[:, number] = poses.orientation(of) @ matrix_of(body.euler).T
            place[:, number] = poses.position(of) + np.einsum(
                "nij,j->ni", turn[:, number], origins[number] - body.position
            )
    return BodyPoses(place, turn)
