"""Masses of the workbook's own Bodies that can hardly be meant: beside their rod, or on nothing that moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.heavy_members import Member, members_of
from sheetmbs.suspension.layout.unsprung_masses import wheel_body

BESIDE = 0.02
"""share of its length by which the centre of mass of a rod may lie beside its line"""


def doubtful_masses(car: CarData, model: Model) -> Iterator[Problem]:
    """Warnings of masses. model: with the bodies of heavy members."""
    members = {fold(member.body): member for axle in car.axles for member in members_of(axle)}
    held = {marker.body for joint in model.joints for marker in (joint.i, joint.j)}
    wheels = {fold(wheel_body(axle, side)) for axle in car.axles for side in SIDES}
    for body in model.bodies:
        name = fold(body.name)
        if name in members:
            yield from _beside_its_line(members[name], body.cell, body.position)
        elif body.mass and body.name not in held and name not in wheels:
            found = f"the body {body.name}"
            rule = "no joint holds it, so that it weighs on nothing in sweeps and load cases"
            mend = did_you_mean(
                body.name,
                [member.body for member in members.values()] + sorted(held),
                "name a body that the car has, or add its joints",
            )
            yield Problem("loose-body", "warning", body.cell, found, rule, mend)


def _beside_its_line(member: Member, cell: str, place: np.ndarray) -> Iterator[Problem]:
    inner, outer = member.places
    apart, length = member.beside(place), float(np.linalg.norm(outer - inner))
    if apart > BESIDE * length:
        found = f"the centre of mass of {member.body}, {1e3 * apart:.1f} mm beside the line between its ends"
        rule = "in load cases its weight counts at the nearest place on that line"
        yield Problem("beside-its-rod", "warning", cell, found, rule, "look at x, y and z, or leave them blank")
