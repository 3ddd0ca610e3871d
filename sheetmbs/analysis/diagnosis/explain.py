"""Failures on the way, in words: which joint, which time, what to change."""

from __future__ import annotations

from sheetmbs.analysis.start.start_problems import stops_at, worst_elements
from sheetmbs.lower import Lowered, System
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.wording import sentence_list


def element_name(lowered: Lowered, number: int) -> str:
    """Name of a force element by its number."""
    return lowered.model.springs[number].name


def locked(lowered: Lowered, system: System, t: float, goal: float) -> Problem:
    """The mechanism cannot follow its drivers any further."""
    worst = worst_elements(lowered, system)
    open_ones = [name for name, _cell, _value in worst]
    drivers = [
        element.name for element in lowered.elements if element.what != "joint" and element.name not in open_ones
    ]
    reached = stops_at(lowered, system, t)
    gaps = sentence_list(open_ones) + (f", which {sentence_list(drivers)} would have to move apart," if drivers else "")
    return Problem(
        "locked",
        "error",
        worst[0][1] if worst else "",
        f"the mechanism moves as far as t = {t:.6g} s{reached} and locks on the way to {goal:.6g} s: {gaps} cannot close",
        "every joint must be able to close at every reported time",
        "check the lengths of the links in this loop and the range of its drivers",
    )


def not_converged(lowered: Lowered, evaluations: int) -> Problem:
    """The augmented Lagrangian did not converge at some evaluations."""
    cells = lowered.model.settings.cells
    return Problem(
        "not-converged",
        "warning",
        cells.get("penalty", cells.get("formulation", "Settings")),
        f"the augmented Lagrangian did not converge at {evaluations} evaluations of the equations of motion",
        "its iteration converges the faster the larger the penalty is against the masses",
        "choose a larger penalty, or the formulation auto",
    )
