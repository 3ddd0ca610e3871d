"""Joints with clearance in an analysis: whether they can take part, and what the summary tells of them."""

from __future__ import annotations

from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.elements.clearance_laws import unfit
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem, WorkbookError

Details = tuple[tuple[str, float | str, str], ...]


def check_clearances(lowered: Lowered) -> None:
    """Raises WorkbookError where the analysis or the integrator does not go with the joints with clearance of a model."""
    settings, clearances = lowered.model.settings, lowered.model.clearances
    if not clearances:
        return
    with_memory = any(each.has_memory for each in clearances)
    found = unfit(settings.analysis, settings.integrator, with_memory=with_memory)
    if found:
        setting, rule, mend = found
        cell, value = settings.cells.get(setting, clearances[0].cell), getattr(settings, setting)
        raise WorkbookError(Problem("not-with-clearance", "error", cell, f"{setting} = {value}", rule, mend))


def what_journals_did(lowered: Lowered, run: Run) -> Details:
    """Impacts, longest flight and largest force of each joint with clearance."""
    if run.contacts is None:
        return ()
    found: list[tuple[str, float | str, str]] = []
    for clearance, (impacts, flight, force) in zip(
        lowered.model.clearances, run.contacts.totals(run.t).tolist(), strict=True
    ):
        found += [
            (f"impacts in {clearance.name}", int(impacts), ""),
            (f"longest flight in {clearance.name}", flight, "s"),
            (f"largest normal force in {clearance.name}", force, "N"),
        ]
    return tuple(found)
