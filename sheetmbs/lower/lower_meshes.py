"""Couplings of two joints as constraint rows: with the force of their teeth where these touch, else as couples alone.

Teeth of two wheels with centres O1 and O2, c = O2 - O1, and chi_k the azimuth of the line of centres as wheel k sees it:

    Phi = chi_1 - chi_2/R + (h/rho_1) (kappa a_1 . c + (1 - kappa) a_2 . c),    kappa = rho_1/d,  h = -sign(rho_1) tan(beta)

Its gradient is the force (a x e + h a)/rho_1 on wheel 2 at the pitch point and its opposite on wheel 1, so the multiplier is the
moment on wheel 1. The angles of the joints keep their ratio where the bearings hold the wheels, and where these move the
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
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import RecipeRow, X, Y, Z, in_plane, perpendicular
from sheetmbs.elements.tooth_meshes import GearMesh, RackMesh, Teeth, mesh_of
from sheetmbs.engine.codes import RowKind
from sheetmbs.lower.row_builder import Record, RowBuilder
from sheetmbs.model import Joint

Floats = NDArray[np.float64]
UNREPORTED = -1


@dataclass(frozen=True, eq=False)
class ToothForce:
    """What separates two wheels, or a pinion and its rack. i, j: markers of wheel 1 and wheel 2, or of pinion and rack.

    on_rack: whether it acts along the first axis of marker j, else along the line of centres. share: of the tangential force,
    + away from each other. per_multiplier: tangential force over the multiplier of the row.
    """

    i: Marker
    j: Marker
    on_rack: bool
    share: float
    per_multiplier: float


def add_coupling(joint: Joint, joints: Mapping[str, Joint], build: RowBuilder) -> ToothForce | None:
    """Add the row of a coupling. Returns what its teeth do besides, None where they do not touch."""
    if joint.couples is None:
        raise ValueError(f"{joint.name} couples nothing")
    mesh = mesh_of(joint.type, joint.values, *(joints[name].markers for name in joint.couples), build.place, build.links)
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
    sight = RecipeRow(RowKind.AZIMUTH)
    row = _reported(build.row(sight, one, two), i_is_first=True)
    terms = [_reported(build.row(sight, two, one), -1.0 / mesh.ratio, i_is_first=False)]
    outward = np.sign(mesh.radius_1)
    if teeth.helix and not build.is_planar:
        part = mesh.ratio / (mesh.ratio - 1.0)
        axial = -outward * teeth.axial / mesh.radius_1
        terms.append(_reported(build.row(in_plane(Z), one, two), part * axial, i_is_first=True))
        terms.append(_reported(build.row(in_plane(Z), two, one), -(1.0 - part) * axial, i_is_first=False))
    build.add(row, terms)
    apart = 1.0 if mesh.ratio < 0.0 else -1.0
    return ToothForce(one, two, False, apart * teeth.radial, 1.0 / abs(mesh.radius_1))


def _add_rack(mesh: RackMesh, teeth: Teeth, build: RowBuilder) -> ToothForce:
    axes = _triad(mesh.line, mesh.axis)
    pinion = _marker(mesh.bodies[0], mesh.centre, axes, build)
    rack = _marker(mesh.bodies[1], mesh.point, axes, build)
    _, across, along = axes.T @ (mesh.centre - mesh.point)
    row = _reported(build.row(in_plane(Y), rack, pinion, float(across)), i_is_first=False)
    turning = RecipeRow(RowKind.ANGLE if build.is_planar else RowKind.TURN)
    terms = [_reported(build.row(turning, rack, pinion, build.angle(rack, pinion)), mesh.radius, i_is_first=False)]
    if teeth.helix and not build.is_planar:
        axial = -teeth.axial
        terms.append(_reported(build.row(in_plane(Z), rack, pinion, float(along)), axial, i_is_first=False))
        terms.append(_reported(build.row(perpendicular(X, Z), rack, pinion), -axial * mesh.radius, i_is_first=False))
    build.add(row, terms)
    return ToothForce(pinion, rack, True, teeth.radial, 1.0)


def _reported(record: Record, factor: float = 1.0, *, i_is_first: bool) -> Record:
    """A row or term whose body i is wheel 1 (the pinion), else whose body j is."""
    record["factor"] = factor
    record["slot_i"], record["slot_j"] = (0, 6) if i_is_first else (6, 0)
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
