"""Masses that an analysis needs: none missing, and none zero where that leaves an acceleration undetermined."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.start.ranks import dependence, unit_jacobian
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Body, Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import an

DETERMINED = 1e-6  # of a motion: what counts of it


def check_masses(lowered: Lowered) -> None:
    """Raise WorkbookError naming each body without the mass that the analysis needs."""
    model = lowered.model
    if model.settings.analysis == Analysis.KINEMATIC:
        return
    if not np.any(np.isnan(lowered.bodies.mass)):
        return
    problems = []
    for body in model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        if record.kind != BodyKind.GROUND and np.any(np.isnan(lowered.bodies.mass[record.v : record.v + record.nv])):
            missing = "mass" if body.mass is None else "inertia"
            problems.append(
                Problem(
                    "missing-mass",
                    "error",
                    body.cell,
                    f"{body.name} has no {missing}",
                    f"{an(model.settings.analysis)} analysis needs mass and inertia of every body",
                    f"give its {missing}, or choose the analysis kinematic",
                )
            )
    if problems:
        raise WorkbookError(problems)


def check_determined(lowered: Lowered, q: Floats, t: float) -> None:
    """Raise WorkbookError naming each body whose zero mass or inertia leaves its acceleration undetermined.

    q: (nq,) an assembled configuration. The accelerations at coordinates without mass are determined by the
    constraints where the columns of J there are independent. An angle on which no moment can act keeps its rate instead, as
    that of a rod about its own axis.
    """
    zero = np.flatnonzero(lowered.bodies.zero)
    if lowered.model.settings.analysis not in {Analysis.DYNAMIC, Analysis.MODES} or not len(zero):
        return
    system = lowered.measuring
    columns = unit_jacobian(system, q, t).part(np.arange(len(system.kept)), zero)
    owners = lowered.bodies.owner[zero], lowered.constraints.owner[system.kept]
    undetermined = dependence(columns.transposed, *owners).vectors.T
    loose = np.zeros((len(undetermined), len(lowered.bodies.zero)))
    loose[:, zero] = np.where(np.abs(undetermined) > DETERMINED, undetermined, 0.0)
    problems = []
    for body in lowered.model.bodies:
        number = lowered.bodies.names[body.name]
        record = lowered.bodies.records[number]
        if record.kind == BodyKind.BEAM:
            continue
        own = loose[:, record.v : record.v + record.nv]
        first_angle = 2 if record.kind == BodyKind.PLANAR else 3
        shifts, turns = own[:, :first_angle], own[:, first_angle:]
        axes = turns * np.array([[0.0, 0.0, 1.0]]) if turns.shape[1] == 1 else turns @ lowered.bodies.axes[number].T
        if not np.any(shifts) and not (np.any(turns) and _moment_may_act(lowered.model, body, axes)):
            continue
        what = "mass" if np.any(shifts) else "inertia"
        problems.append(
            Problem(
                f"zero-{what}",
                "error",
                body.cell,
                f"the {what} of {body.name} is 0",
                f"without {what} nothing determines how {body.name} moves under the forces on it",
                f"give it {an(what)}, or joints that leave it no freedom of its own",
            )
        )
    if problems:
        raise WorkbookError(problems)


def _moment_may_act(model: Model, body: Body, axes: Floats) -> bool:
    """Whether a moment about its centre of mass may act on a body about one of ``axes`` (n, 3), body coordinates.

    A force has none about an axis through the point where it acts; of a moment no more is asked than whether there is any.
    """
    markers = [marker for spring in model.springs for marker in (spring.i, spring.j) if marker.body == body.name]
    markers += [force.marker for force in model.forces if force.marker.body == body.name]
    size = float(np.max(np.abs(axes), initial=0.0))
    return bool(
        np.any(body.moment)
        or any(np.max(np.abs(np.cross(axes, m.origin))) > DETERMINED * size for m in markers)
        or any(
            FORCE_TYPES[spring.type].loads("moment") and body.name in {spring.i.body, spring.j.body}
            for spring in model.springs
        )
        or any(any(force.moment) for force in model.forces if force.marker.body == body.name)
        or any(
            np.any(series.moment) or series.point_frame != "centre"
            for series in model.force_series
            if series.body == body.name
        )
    )
