"""Failures on the way, in words: which joint, which time, what to change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.diagnosis.dead_points import cell_of_loop, let_no_further, locking_loop
from sheetmbs.analysis.start.start_problems import stops_at, worst_elements
from sheetmbs.lower import Lowered, System
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list

Floats = NDArray[np.float64]


def element_name(lowered: Lowered, number: int) -> str:
    """Name of a force element by its number; numbers behind those of all elements are beams."""
    names = [*(spring.name for spring in lowered.model.springs), *lowered.bodies.beams]
    return names[number]


def locked(lowered: Lowered, system: System, t: float, goal: float, way: tuple[Floats, Floats]) -> Problem:
    """The mechanism cannot follow its drivers any further. way: (nq,) positions at the start and at time t."""
    open_ones, reached = worst_elements(lowered, system), stops_at(lowered, system, t)
    loop = locking_loop(lowered, system, t, way[1], way[0])
    if loop:
        cell, why = cell_of_loop(loop), let_no_further(loop)
    else:
        cell = open_ones[0][1] if open_ones else ""
        why = f"{sentence_list([name for name, _cell, _value in open_ones]) or 'its joints'} cannot close"
    return Problem(
        "locked",
        "error",
        cell,
        f"the mechanism moves as far as t = {t:.6g} s{reached} and locks on the way to {goal:.6g} s: {why}",
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
