"""The items of `mbs Summary`."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.codes import Count
from sheetmbs.engine.report import Report
from sheetmbs.lower import Lowered
from sheetmbs.workbook.sheets import SummaryValue

Items = tuple[tuple[str, SummaryValue, str], ...]

EXACT = 1e-6
"""Share of the forces from which on reactions that do not balance them are worth a line."""


def summary(lowered: Lowered, solution: Solution, found: Report, compile_seconds: float) -> Items:
    """Items in the order of the sheet; a value that is not known is None."""
    structure, settings = solution.structure, lowered.model.settings
    redundant = str(structure.redundant)
    if structure.redundant:
        redundant += ": " + ", ".join(structure.redundant_names)
    items: list[tuple[str, SummaryValue, str]] = [
        ("title", settings.title or None, ""),
        ("analysis", solution.analysis, ""),
        ("status", solution.status, ""),
        ("bodies", len(lowered.model.bodies), ""),
        ("joints", len(lowered.model.joints), ""),
        ("drivers and guiding columns", len(lowered.model.drivers), ""),
        ("degrees of freedom", structure.degrees_of_freedom, ""),
        ("redundant constraints", redundant if structure.redundant else 0, ""),
    ]
    if np.any(structure.undetermined) and solution.analysis != "kinematic":
        names = [e.name for e, open_ in zip(lowered.elements, structure.undetermined, strict=True) if open_]
        items.append(("reactions not unique, least-norm values given", ", ".join(names), ""))
    if structure.singular_start:
        items.append(("start", "at a singular position", ""))
    items.extend(solution.details)
    counts = solution.counts
    dynamic = solution.analysis == "dynamic"
    items += [
        ("reported rows", len(solution.times), ""),
        ("steps", int(counts[Count.STEPS]) if dynamic else len(solution.times), ""),
        ("rejected steps", int(counts[Count.REJECTIONS]) if dynamic else None, ""),
        ("evaluations", int(counts[Count.EVALUATIONS] if dynamic else counts[Count.ITERATIONS]), ""),
        ("factorisations", int(counts[Count.FACTORISATIONS]), ""),
        ("position violation", _worst(found, 0), "m, rad"),
        ("velocity violation", _worst(found, 1), "m/s, rad/s"),
        ("energy drift", energy_drift(solution, found), "J"),
        ("solve time", solution.seconds, "s"),
        ("compile time", compile_seconds, "s"),
    ]
    return tuple(item for item in items if item[0] != "title" or item[1] is not None)


def _worst(found: Report, which: int) -> float | None:
    return float(np.max(found.worst[:, which])) if len(found.worst) else None


def energy_drift(solution: Solution, found: Report) -> float | None:
    """Largest change of total energy that the work done does not account for; None where the motion is prescribed."""
    if solution.work is None or not len(solution.times):
        return None
    total = found.energy.sum(axis=1) - solution.work
    return float(np.max(np.abs(total - total[0])))
