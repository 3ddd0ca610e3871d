"""Masses that an analysis needs: none missing, and none zero where that leaves an acceleration undetermined."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.kinematics import GROUND
from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.lower import Lowered
from sheetmbs.model import Body, Model

Floats = NDArray[np.float64]

DETERMINED = 1e-6  # of a singular value of J at the coordinates without mass


def check_masses(lowered: Lowered) -> None:
    """Raise WorkbookError naming each body without the mass that the analysis needs."""
    model = lowered.model
    if model.settings.analysis == "kinematic":
        return
    problems = []
    for body in model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        if record.kind != GROUND and np.any(np.isnan(lowered.bodies.mass[record.v : record.v + record.nv])):
            missing = "mass" if body.mass is None else "inertia"
            problems.append(
                Problem(
                    "missing-mass",
                    "error",
                    body.cell,
                    f"{body.name} has no {missing}",
                    f"a {model.settings.analysis} analysis needs mass and inertia of every body",
                    f"give its {missing}, or choose the analysis kinematic",
                )
            )
    if problems:
        raise WorkbookError(problems)


def check_determined(lowered: Lowered, jacobian: Floats) -> None:
    """Raise WorkbookError naming each body whose zero mass or inertia leaves its acceleration undetermined.

    jacobian: (rows, nv) at an assembled configuration. The accelerations at coordinates without mass are determined by the
    constraints where the columns of J there are independent. An angle on which no moment can act keeps its rate instead.
    """
    zero = np.flatnonzero(lowered.bodies.zero)
    if lowered.model.settings.analysis != "dynamic" or not len(zero):
        return
    _, sizes, directions = np.linalg.svd(jacobian[:, zero], full_matrices=True)
    loose = np.zeros(len(lowered.bodies.zero), dtype=np.bool_)
    loose[zero] = np.any(np.abs(directions[int(np.sum(sizes > DETERMINED)) :]) > DETERMINED, axis=0)
    problems = []
    for body in lowered.model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        coordinates = loose[record.v : record.v + record.nv]
        if not np.any(coordinates) or not (np.any(coordinates[:2]) or _moment_may_act(lowered.model, body)):
            continue
        what = "mass" if np.any(coordinates[:2]) else "inertia"
        problems.append(
            Problem(
                f"zero-{what}",
                "error",
                body.cell,
                f"the {what} of {body.name} is 0",
                f"without {what} nothing determines how {body.name} moves under the forces on it",
                f"give it a {what}, or joints that leave it no freedom of its own",
            )
        )
    if problems:
        raise WorkbookError(problems)


def _moment_may_act(model: Model, body: Body) -> bool:
    """Whether a moment about its centre of mass may act on a body: a load or spring off its centre, or one that turns."""
    markers = [marker for spring in model.springs for marker in (spring.i, spring.j) if marker.body == body.name]
    markers += [force.marker for force in model.forces if force.marker.body == body.name]
    return bool(
        body.moment[2]
        or any(np.any(marker.origin) for marker in markers)
        or any(spring.type == "rotational" and body.name in {spring.i.body, spring.j.body} for spring in model.springs)
        or any(force.moment[2] for force in model.forces if force.marker.body == body.name)
        or any(
            np.any(series.moment) or series.point_frame != "centre"
            for series in model.force_series
            if series.body == body.name
        )
    )
