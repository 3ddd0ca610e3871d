"""Masses that an analysis needs: none missing, and none zero where that leaves an acceleration undetermined."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.kinematics import GROUND
from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.lower import Lowered


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
