"""Masses and inertias that do not go with the size of a body, and bodies that nothing holds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.model.model import Beam, Body
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import input_columns
from sheetmbs.workbook.reading.plausible.warning_view import View, sheet_cell, warning

MAX_GYRATION_PER_REACH, MAX_GYRATION_PER_SIZE = 10.0, 2.0
"""times the reach of a body, and times the size of the mechanism: no flywheel and no reduced inertia goes as far as both"""
EXCHANGED_GYRATION_RANGE = (0.02, 3.0)
"""radius of gyration over the size, if mass and inertia change places"""
MAX_DENSITY = 3e4
"""kg/m^3 of a cube around the body: beyond it no body is as heavy"""
MIN_MASS_RATIO = 1e-4
"""part of the largest mass: such a mass only stands in for none"""


def inertias(view: View) -> Iterator[Problem]:
    """A radius of gyration far above the body and the whole mechanism: a wrong unit, or mass and inertia exchanged."""
    heaviest = max((body.mass or 0.0 for body in view.model.bodies), default=0.0)
    is_planar = view.model.settings.dimension == "2D"
    for body in view.model.bodies:
        if isinstance(body, Beam) or body.inertia is None or not body.mass or view.size == 0.0:
            continue
        inertia = float(body.inertia[2, 2] if is_planar else np.max(np.diag(body.inertia)))
        reach = view.reach.get(body.name, 0.0)
        size = reach or view.size
        radius = float(np.sqrt(inertia / body.mass))
        if radius <= MAX_GYRATION_PER_SIZE * view.size or radius <= MAX_GYRATION_PER_REACH * reach:
            continue
        column = "inertia" if is_planar else "ixx"
        cell = view.cell(body.cell, column)
        found = f"{body.name}: mass {body.mass:.4g} kg and inertia {inertia:.4g} kg m^2"
        if body.mass <= MIN_MASS_RATIO * heaviest:
            continue
        if _fit_exchanged(body.mass, inertia, size):
            yield warning(
                "mass-and-inertia",
                cell,
                found,
                f"its mass would lie {radius:.4g} m from its centre on average, in a mechanism of {view.size:.4g} m; "
                "swapped, the two numbers fit",
                "swap mass and inertia, or correct the one that is wrong",
            )
        else:
            yield warning(
                "radius-of-gyration",
                cell,
                found,
                f"its mass would lie {radius:.4g} m from its centre on average, in a mechanism of {view.size:.4g} m",
                "write the unit of the inertia, for instance g*mm^2 or kg*mm^2, or correct the number",
            )


def _fit_exchanged(mass: float, inertia: float, size: float) -> bool:
    """Whether the inertia as a mass and the mass as an inertia would be those of a body of this size."""
    is_of_size = (
        EXCHANGED_GYRATION_RANGE[0] * size < float(np.sqrt(mass / inertia)) < EXCHANGED_GYRATION_RANGE[1] * size
    )
    return is_of_size and inertia < MAX_DENSITY * (2.0 * size) ** 3


def forgotten_bodies(view: View) -> Iterator[Problem]:
    """Bodies that nothing holds, pushes or prescribes, at rest, where others are parts of a mechanism; or no joints at all."""
    model = view.model
    if len(model.bodies) < 2:
        return
    held = {marker.body for marker in view.ends}
    held |= {driver.body for driver in model.drivers if driver.body}
    held |= {force.marker.body for force in model.forces} | {series.body for series in model.force_series}
    loose = [body for body in model.bodies if body.name not in held and _is_at_rest(body)]
    if loose and not held:
        sheet = input_columns.JOINTS.name
        yield warning(
            "no-joints",
            sheet_cell(view.sheet(sheet))
            if view.has_sheet(sheet)
            else sheet_cell(view.sheet(input_columns.BODIES.name)),
            f"{len(model.bodies)} bodies and {'nothing' if view.has_sheet(sheet) else 'no sheet Joints'} to connect them",
            "without joints, springs and forces every body moves independently",
            f"{'fill in the' if view.has_sheet(sheet) else 'add a'} sheet Joints: {input_columns.JOINTS.doc}",
        )
        return
    for body in loose:
        yield warning(
            "loose-body",
            body.cell,
            f"{body.name} is in no joint, no spring, no driver and no force",
            "nothing holds it: it falls from rest, or stays where it is, while the others form a mechanism",
            "add its joints, or switch its row off by active = no",
        )


def _is_at_rest(body: Body) -> bool:
    return not any(np.any(each) for each in (body.velocity, body.angular_velocity, body.force, body.moment))
