"""The items of `mbs Summary`, with key results on top: the least and largest values of what charts show, loads, frequencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.codes import Count
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Chart, Model
from sheetmbs.problems.listing import sentence_list
from sheetmbs.results.columns.clearance_columns import largest_forces
from sheetmbs.results.columns.motion_rows import has_rates
from sheetmbs.results.judging.accuracy import Accuracy
from sheetmbs.results.judging.creeping import creeping_joints
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ACCURACY_CHECK, SheetSection, SummaryValue

Items = tuple[tuple[str, SummaryValue, str], ...]
MAX_KEY_COLUMNS, MAX_KEY_ROWS = 6, 12
EXTREMES_TOLERANCE = 1e-9
"""of the largest value: extremes that differ by less are one"""


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
        *largest_forces(lowered, solution, found),
        (ACCURACY_CHECK, seen.verdict, ""),
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
        told = "joints hold them along their axes, so axial forces change their stiffness only if EA is given"
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
    items += _violations(lowered, solution, found)
    items += [("energy drift", energy_drift(solution, found), "J"), *momentum_drifts(lowered, solution, found)]
    items += ((f"relative error of the {error.quantity}", error.size, "") for error in seen.errors)
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


def key_results(tables: Sequence[Table], charts: Sequence[Chart], sections: Sequence[SheetSection]) -> Items:
    """Items for the top of `mbs Summary`, no more than are read at a glance."""
    shapes = next((table for table in tables if "frequency" in table.columns), None)
    if shapes is not None:
        return tuple(_frequencies(shapes))[:MAX_KEY_ROWS]
    if sections:
        return tuple(_loads(sections, charts))
    return tuple(_extremes(tables, charts))


def _frequencies(shapes: Table) -> Iterator[tuple[str, SummaryValue, str]]:
    places = [shapes.columns.index(name) for name in ("mode", "frequency")]
    for mode, frequency in shapes.values[:, places].tolist():
        if np.isfinite(frequency):
            yield f"frequency of mode {mode:.0f}", frequency, "Hz"


def _loads(sections: Sequence[SheetSection], charts: Sequence[Chart]) -> Iterator[tuple[str, SummaryValue, str]]:
    """The loads that have charts, as many whole tables as fit."""
    drawn, left = [chart.title for chart in charts], MAX_KEY_ROWS
    for section in sections:
        if section.title in drawn and len(section.names) <= left:
            left -= len(section.names)
            head = section.heads[0]
            for name, value in zip(section.names, section.values[:, 0].tolist(), strict=True):
                yield f"{name}, {head if head != 'size' else section.title.lower()}", value, section.unit


def _extremes(tables: Sequence[Table], charts: Sequence[Chart]) -> Iterator[tuple[str, SummaryValue, str]]:
    """The least and the largest value of the first columns on charts, but for paths and what belongs to no element."""
    columns = {n: (t.units[k], t.values[:, k]) for t in tables for k, n in enumerate(t.columns)}
    names = dict.fromkeys(name for chart in charts if chart.type == "line" for name in chart.y if "." in name)
    for name in list(names)[:MAX_KEY_COLUMNS]:
        unit, values = columns.get(name, ("", np.zeros(0)))
        known = values[np.isfinite(values)]
        if not known.size:
            continue
        low, high = float(known.min()), float(known.max())
        if high - low <= EXTREMES_TOLERANCE * max(abs(low), abs(high)):
            yield name, high, unit
        else:
            yield from ((f"{name} min", low, unit), (f"{name} max", high, unit))
