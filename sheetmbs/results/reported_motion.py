"""A motion with all that is reported of it, and a second attempt by another method where its energy does not balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from sheetmbs.analysis.analyse import analyse
from sheetmbs.analysis.integrators.automatic import IMPLICIT
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import AUTO
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.results.judging.accuracy import ENERGY, MAX_RELATIVE_ERROR, Accuracy, accuracy
from sheetmbs.results.judging.notes import faults

INTEGRATOR_ITEMS = ("integrator", "integrator chosen because")
MAX_ERROR_RATIO = 0.1
"""share of an error that is left at most where another method is worth its name"""


@dataclass(frozen=True)
class PostprocessedMotion:
    """A solution with its report and accuracy, each computed when it is first needed.

    with_reactions: False if no force is needed, so that none may fail. with_coordinates: False if no coordinate of a joint is
    needed.
    """

    lowered: Lowered
    solution: Solution
    with_reactions: bool = True
    with_coordinates: bool = True

    @cached_property
    def found(self) -> MotionReport:
        """Reactions, violations, springs, points and energies at all reporting times."""
        wanted = {"with_reactions": self.with_reactions, "with_coordinates": self.with_coordinates}
        return reported(self.lowered, self.solution, **wanted)

    @cached_property
    def accuracy(self) -> Accuracy:
        """Accuracy of the motion, judged by its rows."""
        return accuracy(self.lowered, self.solution, self.found)

    def errors(self) -> Iterator[Problem]:
        """Problems for which the analysis counts as failed."""
        of_forces = faults(self.lowered, self.solution, self.found) if self.with_reactions else ()
        told = (*self.solution.problems, *of_forces)
        return (problem for problem in told if problem.severity == "error")


def judged(seen: PostprocessedMotion, progress: Callable[[float], None] | None = None) -> PostprocessedMotion:
    """Repeat a motion by another method if the integrator is ``auto`` and energy does not balance; return the better one.

    The summary says what was found, and which motion is shown.
    """
    lowered, solution = seen.lowered, seen.solution
    settings = lowered.model.settings
    is_auto = settings.integrator == AUTO.name and settings.formulation != "index-3" and not lowered.model.clearances
    if solution.analysis != Analysis.DYNAMIC or not is_auto or _unbalanced(seen) <= MAX_RELATIVE_ERROR:
        return seen
    error = _unbalanced(seen)
    first = str(dict(item[:2] for item in solution.details)[INTEGRATOR_ITEMS[0]]).removeprefix("auto: ")
    other = replace(lowered, model=replace(lowered.model, settings=replace(settings, integrator=IMPLICIT)))
    again = analyse(other, progress)
    is_whole = len(again.times) == len(solution.times)
    left = _unbalanced(replace(seen, lowered=other, solution=again)) if is_whole else float("inf")
    seconds = solution.seconds + again.seconds
    if left <= MAX_ERROR_RATIO * error:
        why = f"with {first} the energy balance was off by {error:.2g} of its size, so the motion was done again"
        chosen = ((INTEGRATOR_ITEMS[0], f"auto: {IMPLICIT}", ""), (INTEGRATOR_ITEMS[1], why, ""))
        solution = replace(again, details=(*chosen, *_others(again)), seconds=seconds)
    else:
        tried = f"with {IMPLICIT} the energy balance is no better than {error:.2g} of its size either"
        details = (*solution.details, ("motion done again", tried, ""))
        solution = replace(solution, details=details, seconds=seconds)
    return replace(seen, solution=solution)


def _unbalanced(seen: PostprocessedMotion) -> float:
    """Relative error of the energy balance; 0 where it was not judged."""
    return next((error.size for error in seen.accuracy.errors if error.quantity == ENERGY), 0.0)


def _others(solution: Solution) -> tuple[tuple[str, float | int | str, str], ...]:
    return tuple(item for item in solution.details if item[0] not in INTEGRATOR_ITEMS)
