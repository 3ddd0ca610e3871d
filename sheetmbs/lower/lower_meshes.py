"""Couplings of two joints as constraint rows: with the force of their teeth where these touch, else as couples alone.

Teeth of two wheels with centres O1 and O2, c = O2 - O1, and chi_k the azimuth of the line of centres as wheel k sees it:

    Phi = chi_1 - chi_2/R + (h/rho_1) (kappa a_1 . c + (1 - kappa) a_2 . c),    kappa = rho_1/d,  h = -sign(rho_1) tan(beta)

Its gradient is the force (a x e + h a)/rho_1 on wheel 2 at the pitch point and its opposite on wheel 1, so the multiplier is
the moment on wheel 1. The angles of the joints keep their ratio where the bearings hold the wheels, and where these move the
velocities of both wheels along the tooth are the same at the pitch point.

Teeth of a rack, with t = a x e and e fixed on the rack, c from the point of the rack to the centre of the pinion, and theta the
turn of the pinion against the rack:

    Phi = t . c + rho theta - tan(beta) (a_rack . c - rho e . a_pinion)

whose multiplier is the tangential force on the pinion at the pitch point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import RecipeRow, X, Y, Z, in_plane, perpendicular
from sheetmbs.elements.tooth_meshes import GearMesh, RackMesh, Teeth, mesh_of
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower.row_builder import Record, RowBuilder
from sheetmbs.model.model import Joint

UNREPORTED = -1


@dataclass(frozen=True, eq=False)
class ToothForce:
    """What separates two wheels, or a pinion and its rack. i, j: markers of wheel 1 and wheel 2, or of pinion and rack.

    share: of the tangential force, + away from each other. per_multiplier: tangential force over the multiplier of the row.
    on_rack: whether it acts along the first axis of marker j, else along the line of centres.
    """

    i: Marker
    j: Marker
    share: float
    per_multiplier: float
    on_rack: bool = False


def add_coupling(joint: Joint, joints: Mapping[str, Joint], build: RowBuilder) -> ToothForce | None:
    """Add the row of a coupling. Returns what its teeth do besides, None where they do not touch."""
    if joint.couples is None:
        raise ValueError(f"{joint.name} couples nothing")
    first, second = (joints[name].markers for name in joint.couples)
    mesh = mesh_of(joint.type, joint.values, first, second, build.place, build.links)
    angles = ("pressure_angle", "helix_angle")
    given = {name.removesuffix("_angle"): joint.values[name] for name in angles if name in joint.values}
    teeth = Teeth(**given)
    if isinstance(mesh, GearMesh):
        return _add_gear(mesh, teeth, build)
    if isinstance(mesh, RackMesh):
        return _add_rack(mesh, teeth, build)
    _add_couples(joint, joints, build)
    return None


def _marker(body: str, point: Floats, axes: Floats, build: RowBuilder) -> Marker:
    position, turn = build.place[body]
    return Marker(body, np.asarray(turn.T @ (point - position)), np.asarray(turn.T @ axes))


def _triad(line: Floats, axis: Floats) -> Floats:
    """(3, 3) axes with the line first and the axis third."""
    return np.column_stack((line, np.cross(axis, line), axis))


def _add_gear(mesh: GearMesh, teeth: Teeth, build: RowBuilder) -> ToothForce:
    one = _marker(mesh.bodies[0], mesh.centres[0], _triad(mesh.line, mesh.axis), build)
    two = _marker(mesh.bodies[1], mesh.centres[1], _triad(-mesh.line, mesh.axis), build)
    rows = _planar_gear if build.is_planar else _spatial_gear
    build.add(*rows(mesh, teeth, one, two, build))
    apart = 1.0 if mesh.ratio < 0.0 else -1.0
    return ToothForce(one, two, apart * teeth.radial, 1.0 / abs(mesh.radius_1))


def _planar_gear(
    mesh: GearMesh, _teeth: Teeth, one: Marker, two: Marker, build: RowBuilder
) -> tuple[Record, list[Record]]:
    """phi_1 - phi_2/R - (1 - 1/R) psi, psi the azimuth of the line of centres: -Phi by angles that need no counting."""
    ground, share = Marker(GROUND, axes=_triad(mesh.line, mesh.axis)), 1.0 / mesh.ratio
    angle = RecipeRow(RowKind.ANGLE)
    row = _reported(build.row(angle, ground, one, build.angle(ground, one)), 1.0, UNREPORTED, 0)
    turned = _reported(build.row(angle, ground, two, build.angle(ground, two)), -share, UNREPORTED, 6)
    return row, [turned, _reported(build.azimuth(ground, one, two), share - 1.0, 0, 6)]


def _spatial_gear(
    mesh: GearMesh, teeth: Teeth, one: Marker, two: Marker, build: RowBuilder
) -> tuple[Record, list[Record]]:
    terms = [_reported(build.azimuth(two, two, one), -1.0 / mesh.ratio, 6, 0)]
    if teeth.helix:
        part = mesh.ratio / (mesh.ratio - 1.0)
        axial = -np.sign(mesh.radius_1) * teeth.axial / mesh.radius_1
        terms.append(_reported(build.row(in_plane(Z), one, two), part * axial, 0, 6))
        terms.append(_reported(build.row(in_plane(Z), two, one), (part - 1.0) * axial, 6, 0))
    return _reported(build.azimuth(one, one, two), 1.0, 0, 6), terms


def _add_rack(mesh: RackMesh, teeth: Teeth, build: RowBuilder) -> ToothForce:
    axes = _triad(mesh.line, mesh.axis)
    pinion = _marker(mesh.bodies[0], mesh.centre, axes, build)
    rack = _marker(mesh.bodies[1], mesh.point, axes, build)
    _, across, along = axes.T @ (mesh.centre - mesh.point)
    row = _reported(build.row(in_plane(Y), rack, pinion, float(across)), 1.0, 6, 0)
    turning = RecipeRow(RowKind.ANGLE if build.is_planar else RowKind.TURN)
    terms = [_reported(build.row(turning, rack, pinion, build.angle(rack, pinion)), mesh.radius, 6, 0)]
    if teeth.helix and not build.is_planar:
        axial = -teeth.axial
        terms.append(_reported(build.row(in_plane(Z), rack, pinion, float(along)), axial, 6, 0))
        terms.append(_reported(build.row(perpendicular(X, Z), rack, pinion), -axial * mesh.radius, 6, 0))
    build.add(row, terms)
    return ToothForce(pinion, rack, teeth.radial, 1.0, on_rack=True)


def _reported(record: Record, factor: float, slot_i: int, slot_j: int) -> Record:
    """A row or term with its factor. slots: 0 where that side counts to wheel 1 or the pinion, 6 to wheel 2 or the rack."""
    record["factor"], record["slot_i"], record["slot_j"] = factor, slot_i, slot_j
    return record


def _add_couples(joint: Joint, joints: Mapping[str, Joint], build: RowBuilder) -> None:
    """coordinate_2 + factor coordinate_1 = 0, both counted from the start; its reaction is reported on the moving bodies."""
    coupling = JOINTS[joint.type].coupling
    if coupling is None or joint.couples is None:
        raise ValueError(f"{joint.type} is no coupling")
    first, second = (joints[name] for name in joint.couples)
    term = build.change(first, coupling.first)
    term["factor"] = coupling.factor(joint.values)
    row = build.change(second, coupling.second)
    for record, coupled, slot in ((term, first, 0), (row, second, 6)):
        on_i = coupled.j.body == GROUND
        record["slot_i"], record["slot_j"] = (slot, UNREPORTED) if on_i else (UNREPORTED, slot)
    build.add(row, [term])
