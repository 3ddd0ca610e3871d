"""The items of `mbs Summary`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.codes import Count
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Model
from sheetmbs.problems.wording import sentence_list
from sheetmbs.results.columns.clearance_columns import largest_forces
from sheetmbs.results.columns.rates import has_rates
from sheetmbs.results.judging.accuracy import Accuracy
from sheetmbs.results.judging.creeping import creeping_joints
from sheetmbs.workbook.sheets.sheet_contents import SummaryValue

Items = tuple[tuple[str, SummaryValue, str], ...]


def summary(lowered: Lowered, solution: Solution, found: MotionReport, seen: Accuracy, key: Items) -> Items:
    """Items in the order of the sheet; a value that is not known is None. key: what a reader came for."""
    structure, settings = solution.structure, lowered.model.settings
    dynamic = solution.analysis == Analysis.DYNAMIC
    redundant = str(structure.redundant)
    if structure.redundant:
        redundant += ": " + ", ".join(structure.redundant_names)
    items: list[tuple[str, SummaryValue, str]] = [
        ("title", settings.title or None, ""),
        ("case", settings.case or None, ""),
        ("analysis", solution.analysis, ""),
        ("status", solution.status, ""),
        *lowered.model.remarks,
        *key,
        ("accuracy check", seen.verdict, ""),
        *_violations(lowered, solution, found),
        ("energy drift", energy_drift(solution, found), "J"),
        *momentum_drifts(lowered, solution, found),
        *((f"relative error of the {error.quantity}", error.size, "") for error in seen.errors),
        *largest_forces(lowered, solution, found),
        ("bodies", len(lowered.model.bodies), ""),
        ("joints", len(lowered.model.joints), ""),
        ("drivers and guiding columns", len(lowered.model.drivers), ""),
        ("degrees of freedom", structure.degrees_of_freedom, ""),
        ("redundant constraints", redundant if structure.redundant else 0, ""),
    ]
    if np.any(structure.undetermined) and solution.analysis != Analysis.KINEMATIC:
        names = [e.name for e, open_ in zip(lowered.elements, structure.undetermined, strict=True) if open_]
        items.append(("reactions not unique, least-norm values given", ", ".join(names), ""))
    if linear := [name for name, beam in lowered.bodies.beams.items() if not beam.shortens]:
        told = "joints hold them along their lines, so axial forces do not change their stiffness; give EA and they do"
        items.append(("beams by the linear theory", f"{sentence_list(linear)}: {told}", ""))
    if structure.idle and not dynamic:
        items.append(("idle rotations", ", ".join(_about(bodies) for bodies in structure.idle), ""))
    if structure.singular_start:
        items.append(("start", "at a singular position", ""))
    creepers = [f"{each.joint.name} (by {each.way_in_words})" for each in creeping_joints(lowered, solution, found)]
    if creepers:
        items.append(("joints that creep where they would stick", ", ".join(creepers), ""))
    if not has_rates(lowered.model) and any(spring.has("damping") for spring in lowered.model.springs):
        items.append(("damper forces", "not known: no driver has a velocity", ""))
    items += [*solution.details, *_work_done(solution), ("solve time", solution.seconds, "s")]
    return tuple(item for item in items if item[0] not in {"title", "case"} or item[1] is not None)


def _about(bodies: tuple[str, ...]) -> str:
    return f"{sentence_list(bodies)} (about {'its' if len(bodies) == 1 else 'their'} own axis)"


def _work_done(solution: Solution) -> Items:
    dynamic, counts = solution.analysis == Analysis.DYNAMIC, solution.counts
    return (
        ("reported rows", len(solution.times), ""),
        ("steps", int(counts[Count.STEPS]) if dynamic else len(solution.times), ""),
        ("rejected steps", int(counts[Count.REJECTIONS]) if dynamic else None, ""),
        ("evaluations", int(counts[Count.EVALUATIONS] if dynamic else counts[Count.ITERATIONS]), ""),
        ("factorisations", int(counts[Count.FACTORISATIONS]), ""),
        ("Newton iterations", int(counts[Count.ITERATIONS]), ""),
    )


def _violations(lowered: Lowered, solution: Solution, found: MotionReport) -> Items:
    """The worst ones, and at which joint, driver or guiding column and when."""
    items: list[tuple[str, SummaryValue, str]] = []
    for which, (kind, unit) in enumerate((("position", "m, rad"), ("velocity", "m/s, rad/s"))):
        worst = found.worst[:, which]
        items.append((f"{kind} violation", float(np.max(worst)) if len(worst) else None, unit))
        if np.any(worst > 0.0):
            row = int(np.nanargmax(worst))
            element = lowered.elements[int(np.argmax((found.position, found.velocity)[which][row]))]
            items.append((f"{kind} violation worst at", f"{element.name}, t = {solution.times[row]:.6g} s", ""))
    return tuple(items)


def energy_drift(solution: Solution, found: MotionReport) -> float | None:
    """Largest change of total energy that the work done does not account for; None where the motion is prescribed."""
    if solution.work is None or not len(solution.times):
        return None
    total = found.energy.sum(axis=1) - solution.work
    return float(np.max(np.abs(total - total[0])))


def momentum_drifts(lowered: Lowered, solution: Solution, found: MotionReport) -> Items:
    """Largest changes of the momenta of a model that moves freely under gravity alone; none for any other.

    Linear momentum changes by m g (t - t0); angular momentum about the common centre of mass does not change.
    """
    mass = float(np.sum(lowered.bodies.body_mass))
    if solution.analysis != Analysis.DYNAMIC or not len(solution.times) or mass == 0.0 or not _is_free(lowered.model):
        return ()
    linear, angular, moment = (found.momentum[:, k : k + 3] for k in (0, 3, 6))
    fallen = np.outer(solution.times - solution.times[0], mass * np.array(lowered.model.settings.gravity))
    spin = angular - np.cross(moment, linear) / mass
    if lowered.model.settings.dimension == "2D":
        fallen[:, 2] = 0.0
    return (
        ("linear momentum drift", _largest(linear - linear[0] - fallen), "kg*m/s"),
        ("angular momentum drift", _largest(spin - spin[0]), "kg*m^2/s"),
    )


def _is_free(model: Model) -> bool:
    """Whether nothing ties the bodies to ground and nothing but gravity acts on them from outside.

    A coupling ties no other bodies than its two joints do.
    """
    pairs = [(joint.i.body, joint.j.body) for joint in model.joints if joint.couples is None]
    pairs += [(spring.i.body, spring.j.body) for spring in model.springs]
    pairs += [(clearance.i.body, clearance.j.body) for clearance in model.clearances]
    return (
        all(GROUND not in pair for pair in pairs)
        and all(driver.body is None for driver in model.drivers)
        and not any(np.any(body.force) or np.any(body.moment) for body in model.bodies)
        and not model.forces
        and not model.force_series
    )


def _largest(vectors: NDArray[np.float64]) -> float:
    return float(np.max(np.linalg.norm(vectors, axis=1)))
