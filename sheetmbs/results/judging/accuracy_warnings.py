"""A warning where the accuracy of a result is in doubt: of which quantity, since when, how much, and what to change."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import AUTO
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.wording import sentence_list
from sheetmbs.results.judging.accuracy import ENERGY, FORCES, POSITIONS, SKIPPED, Accuracy, Error

FORMULATIONS = {
    "lagrange": "choose the formulation auto, which puts every step back on the constraints",
    "baumgarte": "choose the formulation auto, or larger alpha and beta with steps that are short beside 1/alpha",
    "augmented-lagrangian": "choose the formulation auto, or a larger penalty",
}
"""what to do about a formulation that lets violations stand"""


def doubt(lowered: Lowered, solution: Solution, seen: Accuracy) -> Iterator[Problem]:
    """One warning about what is worst, which names what else is in doubt; none where nothing is."""
    if seen.unknown_from is not None:
        yield Problem(
            "accuracy-in-doubt",
            "warning",
            "",
            f"from t = {seen.unknown_from:.6g} s on there are numbers that are not finite",
            "positions, velocities and accelerations must be finite numbers",
            "look at what moves fastest shortly before, and choose a shorter step or the integrator auto",
        )
    if seen.doubts:
        worst, others = seen.doubts[0], [error.quantity for error in seen.doubts[1:]]
        yield Problem(
            "accuracy-in-doubt",
            "warning",
            _cell(lowered, solution, worst),
            f"{_found(worst)}: a relative error of {worst.size:.2g}, beyond {worst.limit:.2g} from t = {worst.since:.6g} s on"
            + (f"; in doubt for the same reason: {sentence_list(others)}" if others else ""),
            _rule(worst),
            _mend(lowered, solution, worst),
        )


def _cell(lowered: Lowered, solution: Solution, worst: Error) -> str:
    if worst.where is not None:
        return worst.where.cell
    if worst.body is not None:
        return worst.body.cell
    cells = lowered.model.settings.cells
    setting = "step" if solution.rtol is None and "step" in cells else "integrator"
    return cells.get(setting, "Settings")


def _found(worst: Error) -> str:
    if worst.quantity == ENERGY:
        return f"the energy balance is off by up to {worst.amount:.3g} J"
    if worst.quantity == SKIPPED:
        return "steps that end at every switch of a force and every bend of a curve find another motion"
    if worst.body is not None:
        return f"inertia, applied forces and reactions of {worst.body.name} do not balance"
    if worst.where is None:
        return "the forces that were found do not balance"
    if worst.quantity == POSITIONS:
        return f"{worst.where.name} is off by up to {worst.amount:.3g} {worst.unit}"
    return f"the velocities at {worst.where.name} disagree by up to {worst.amount:.3g} {worst.unit}"


def _rule(worst: Error) -> str:
    if worst.quantity == FORCES:
        return "inertia, applied forces and reactions must balance"
    if worst.quantity == SKIPPED:
        return "steps of one length must be short enough for what they pass over"
    if worst.quantity == ENERGY:
        return "kinetic and potential energy less the work of all other forces must stay the same"
    return "every joint, driver and guiding column must hold at all times, redundant ones too"


def _mend(lowered: Lowered, solution: Solution, worst: Error) -> str:
    if worst.quantity == SKIPPED:
        return "choose the integrator auto, or a shorter step that ends at the switches"
    formulation = lowered.model.settings.formulation
    if solution.analysis == Analysis.DYNAMIC and formulation in FORMULATIONS:
        return FORMULATIONS[formulation]
    if worst.where is not None and worst.where.name in solution.structure.redundant_names:
        return f"correct the points and axes of {worst.where.name}: it says what others say too, but not quite the same"
    if solution.analysis != Analysis.DYNAMIC:
        return "choose a smaller tolerance, or keep the motion away from dead points"
    if solution.rtol is None:
        return "choose a shorter step, or the integrator auto"
    if lowered.model.settings.integrator == AUTO.name:
        return "choose a smaller rtol or another integrator, such as radau or bdf, and compare the results"
    return "choose a smaller rtol or the integrator auto, and compare the results"
