"""What members of an axle with elastic parts carry in equilibrium, in the form in which rigid axles tell it, and its bushings.

Each joint exerts on its bodies what its constraints and springs do: the force along each deformation times its slope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sheetmbs.analysis.driven_positions import Carried
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.suspension.compliance.elastic_axle import LOCKED, ElasticPoses
from sheetmbs.suspension.compliance.elastic_rows import ElasticJoint
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.generated.generate import rack_driver
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.loads.axle_statics import AxleLoads, spring_in_place
from sheetmbs.suspension.loads.member_forces import LoadColumn
from sheetmbs.suspension.loads.part_statics import SolvedPart, about_origin
from sheetmbs.suspension.loads.road import TyreWrench
from sheetmbs.suspension.loads.standing_car import AxleState

PER_MM = 1e3


def elastic_loads(
    of: ElasticPoses, system: AxleSystem, state: AxleState, tyres: Mapping[str, TyreWrench], pull: Floats
) -> AxleLoads:
    """What an axle carries at poses in equilibrium. state: its linkage there. pull: (n, 3) on each unit of mass."""
    axle = system.axle
    wrenches = joint_wrenches(of)
    parts: dict[str, SolvedPart] = {}
    for number, part in enumerate(system.parts):
        poses = state.swept.wheels[part.sides[0]].poses
        lowered = part.driven.lowered
        carried = _carried(of, lowered, wrenches, with_rack=number == 0)
        parts |= dict.fromkeys(part.sides, SolvedPart(part, poses, carried))
    now = of.assembled
    put_in = np.zeros((len(of.poses), 6))
    for tyre in tyres.values():
        put_in += about_origin(tyre.at, tyre.force, tyre.moment)
    for mass, place in state.masses:
        put_in += about_origin(place.value, mass * pull, np.zeros_like(pull))
    left = _unbalanced(of)
    size = np.sum(np.abs(now.weight[:, :, None] * now.jacobian), axis=1)
    elements, beyond = _with_locked(of, state)
    return AxleLoads(
        axle,
        state,
        tyres,
        elements,
        beyond,
        parts,
        np.stack([np.max(np.abs(left), axis=1)] * 2, axis=1),
        np.stack([np.max(size, axis=1)] * 2, axis=1),
        _on_chassis(of, tyres),
        put_in,
        {},
    )


def _with_locked(of: ElasticPoses, state: AxleState) -> tuple[tuple[Element, ...], dict[int, Floats]]:
    """Elements with their tensions, springs in place of any among them, and how much more than by law the locked ones carry."""
    now = of.assembled
    forces = zip(state.elements, now.element_force.T, now.element_stiffness.T, strict=False)
    elements = [part._replace(force=force, stiffness=k) for part, force, k in forces]
    if of.standing.held != LOCKED:
        return tuple(elements), {}
    count, more = len(of.of.elements), of.locked
    for number, _length in enumerate(of.of.structure.in_place):
        elements.append(spring_in_place(state, SIDES[number])._replace(force=more[:, count + number]))
    locked = np.flatnonzero(np.any(of.standing.locks != 0.0, axis=(0, 1))).tolist()
    return tuple(elements), {number: more[:, number] for number in locked}


def _unbalanced(of: ElasticPoses) -> Floats:
    """(n, N) forces and moments on bodies that nothing balances."""
    now = of.assembled
    left = np.einsum("nm,nmk->nk", now.weight, now.jacobian)
    return np.asarray(left - of.of.wheel_loads(of.poses, of.standing))


def _on_chassis(of: ElasticPoses, tyres: Mapping[str, TyreWrench]) -> Floats:
    """(n, 6) force and moment about the origin that joints, springs and bars exert on the chassis."""
    now = of.assembled
    acts = np.ones(len(of.of.deformations), dtype=bool)
    acts[of.of.heights] = acts[of.of.travels] = False
    acts[[row.number for row in of.of.structure.weights]] = False
    on = np.flatnonzero(acts & (of.of.deformations.i == 0))
    whole = -np.einsum("nm,nmk->nk", now.weight[:, on], now.evaluated.slope[:, on, :6])
    other = np.flatnonzero(acts & (of.of.deformations.j == 0))
    whole -= np.einsum("nm,nmk->nk", now.weight[:, other], now.evaluated.slope[:, other, 6:])
    for tyre in tyres.values():
        whole[:, 3:] += tyre.passed
    return np.asarray(whole)


def joint_wrenches(of: ElasticPoses) -> dict[str, dict[int, Floats]]:
    """(n, 6) force and moment about the origin of the car on each body of each joint, by its full name."""
    now, structure = of.assembled, of.of.structure
    rows: dict[str, list[int]] = {}
    for number, owner in enumerate(structure.owners):
        if owner:
            rows.setdefault(owner, []).append(number)
    found: dict[str, dict[int, Floats]] = {}
    for owner, numbers in rows.items():
        own = found.setdefault(owner, {})
        for number in numbers:
            form = structure.deformations[number]
            for body, first in ((form.i, 0), (form.j, 6)):
                wrench = -now.weight[:, number, None] * now.evaluated.slope[:, number, first : first + 6]
                at = of.poses.place[:, body]
                wrench[:, 3:] += cross(at, wrench[:, :3])
                own[body] = own.get(body, np.zeros_like(wrench)) + wrench
    return found


def _carried(
    of: ElasticPoses, lowered: Lowered, wrenches: Mapping[str, Mapping[int, Floats]], *, with_rack: bool
) -> Carried:
    """What the joints of a part carry, at their points there. with_rack: and what drives the rack."""
    n, structure = len(of.poses), of.of.structure
    wrench = np.zeros((n, len(lowered.elements), 12))
    multiplier = np.zeros((n, len(lowered.elements)))
    names = {number: name for name, number in lowered.bodies.names.items()}
    for at, element in enumerate(lowered.elements):
        if element.what == "driver":
            if with_rack and element.name == rack_driver(of.of.axle) and structure.rack is not None:
                multiplier[:, at] = -of.assembled.weight[:, structure.rack]
            continue
        on = wrenches.get(element.name, {})
        frames = [lowered.frames[frame] for frame in (element.frame_i, element.frame_j)]
        bodies = [structure.bodies.get(names.get(int(record["body"]), ""), 0) for record in frames]
        for first, record, body, other in zip((0, 6), frames, bodies, reversed(bodies), strict=True):
            local = np.array([record["x"], record["y"], record["z"]])
            place = _place(of, lowered, int(record["body"]), body, local)
            own = on.get(body)
            if (
                body == 0 and other in on
            ):  # whatever stands between: of an elastic strut top the rod that the spring pushes
                own = -on[other]
            if own is not None:
                wrench[:, at, first : first + 3] = own[:, :3]
                wrench[:, at, first + 3 : first + 6] = own[:, 3:] - cross(place, own[:, :3])
    return Carried(lowered, multiplier, wrench, np.zeros((n, 0)))


def _place(of: ElasticPoses, lowered: Lowered, number: int, body: int, local: Floats) -> Floats:
    """(n, 3) of a point of a body of a model."""
    if number == 0:
        return np.broadcast_to(local, (len(of.poses), 3))
    at_design = lowered.model.bodies[number - 1].position + local
    arm = np.einsum("nij,j->ni", of.poses.turn[:, body], at_design - of.of.structure.origins[body])
    return np.asarray(of.poses.place[:, body] + arm)


def bushing_columns(of: ElasticPoses) -> Iterator[LoadColumn]:
    """Forces and deflections of pivots and ball joints that give way, and which parts are beyond their curves."""
    for joint in filter(lambda each: each.is_told, of.of.structure.joints):
        yield from _of_joint(of, joint, f"{of.of.axle.corner(joint.side)}.{joint.part}")
    for name, values in beyond_curves(of).items():
        text = "1 where the part is beyond the ends of its curve, which goes on with the slope there"
        yield LoadColumn(f"{name}.beyond", "-", values, text, is_member=False)


def beyond_curves(of: ElasticPoses) -> dict[str, Floats]:
    """(n,) 1 where a part is beyond its curve, by corner and part."""
    found: dict[str, Floats] = {}
    for number, parts in of.of.beyond(of.assembled.evaluated.value, of.standing.rack).items():
        for part, outside in parts:
            name = f"{of.of.springs[number].where}.{part}"
            found[name] = np.maximum(found.get(name, np.zeros(len(outside))), outside)
    return found


def _of_joint(of: ElasticPoses, joint: ElasticJoint, name: str) -> Iterator[LoadColumn]:
    """Of a pivot or ball joint: along its axis, + as its outer body is moved along it, and across it."""
    numbers = np.array([*_rows_of(of, joint), *joint.held], dtype=np.int64)
    force = of.assembled.weight[:, numbers] @ joint.directions
    own = [each for each in of.of.structure.joints if (each.part, each.side) == (joint.part, joint.side)]
    moved = sum((_moved(of, each) for each in own), np.zeros((len(of.poses), 3)))
    axis = joint.axes[:, 0]
    for what, vector, unit, size in (("f", force, "N", 1.0), ("d", moved, "mm", PER_MM)):
        axial = vector @ axis
        radial = np.linalg.norm(vector - axial[:, None] * axis, axis=1)
        said = "force of the bushing" if what == "f" else "deflection from design, with what stands behind it"
        yield LoadColumn(
            f"{name}.{what}_radial", unit, size * radial, f"{said}, across its axis", is_member=what == "f"
        )
        yield LoadColumn(f"{name}.{what}_axial", unit, size * axial, f"{said}, along its axis", is_member=what == "f")


def _rows_of(of: ElasticPoses, joint: ElasticJoint) -> list[int]:
    """Numbers of the deformations of its springs."""
    return [of.of.springs[row].terms[0][0] for row in joint.rows]


def _moved(of: ElasticPoses, joint: ElasticJoint) -> Floats:
    """(n, 3) deflection of its springs from design, on body i."""
    rows = np.array(_rows_of(of, joint), dtype=np.int64)
    value = of.assembled.evaluated.value[:, rows] - of.of.design_values[rows]
    return np.asarray(value @ joint.directions[: len(rows)])
