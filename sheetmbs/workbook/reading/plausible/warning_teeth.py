"""Gears and racks whose teeth nobody can place, and racks on the other side of their pinion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.marker import GROUND
from sheetmbs.elements.rotation import euler_of_angles, matrix_of
from sheetmbs.elements.tooth_meshes import NoMesh, RackMesh, mesh_of
from sheetmbs.model.model import Joint
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.reading.plausible.warning_view import View, warning

MIN_AXIS_DISTANCE = 0.1
"""of the radius: a rack whose point lies nearer to the axis of its pinion may be guided on either side"""


def unplaced_teeth(view: View) -> Iterator[Problem]:
    """Couplings without a pitch point, whose bearings therefore carry no tooth force, and racks on the other side."""
    model = view.model
    joints = {joint.name: joint for joint in model.joints}
    is_planar = model.settings.dimension == "2D"
    places = {GROUND: (np.zeros(3), np.eye(3))}
    for body in model.bodies:
        euler = euler_of_angles(float(body.angles[2]), 0.0, 0.0) if is_planar else body.euler
        places[body.name] = body.position, matrix_of(euler)
    for joint in model.joints:
        if joint.couples is None:
            continue
        first, second = (joints[name].markers for name in joint.couples)
        mesh = mesh_of(joint.type, joint.values, first, second, places, model.links)
        if isinstance(mesh, NoMesh):
            yield _no_force(joint, mesh, view)
        elif isinstance(mesh, RackMesh) and (mesh.point - mesh.centre) @ mesh.line < -MIN_AXIS_DISTANCE * mesh.radius:
            yield _other_side(joint, mesh, view)


def _no_force(joint: Joint, mesh: NoMesh, view: View) -> Problem:
    first, second = joint.couples or ("", "")
    return warning(
        "no-pitch-point",
        view.cell(joint.cell, "type"),
        f"{joint.name} couples {first} and {second}, whose bearings carry no tooth force: {mesh.reason}",
        "teeth push where pitch circles touch, which is known for wheels on parallel axes at a distance, and for a rack "
        "that moves across the axis of its pinion; this row acts by moments about both axes, or by a force along a slide",
        "correct points or axes of the two joints if wheels in mesh are meant; else nothing needs to be done",
    )


def _other_side(joint: Joint, mesh: RackMesh, view: View) -> Problem:
    beside = float((mesh.centre - mesh.point) @ mesh.line)
    return warning(
        "rack-beside",
        view.cell(joint.cell, "radius"),
        f"by its radius {joint.name} meshes on one side of {mesh.bodies[0]}, and the point of {mesh.bodies[1]} lies "
        f"{beside:.4g} m to the other",
        "displacement of the rack = radius times angle of the pinion: the sign of the radius says on which side they touch",
        "change the sign of the radius, reverse one of the axes, or move the point of the slide to where the teeth are",
    )
