"""A second attempt of the integrator ``auto``: if the energy does not balance, another method does the motion again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sheetmbs.analysis.analyse import analyse
from sheetmbs.analysis.integrators.automatic import IMPLICIT
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import AUTO
from sheetmbs.results.judging.accuracy import COARSEST, ENERGY
from sheetmbs.results.reported_motion import PostprocessedMotion

CHOSEN = ("integrator", "integrator chosen because")
BETTER = 0.1
"""share of an error that is left at most where another method is worth its name"""


def judged(seen: PostprocessedMotion, progress: Callable[[float], None] | None = None) -> PostprocessedMotion:
    """A motion; for ``auto`` with an energy balance that is off, that of another method if it is better.

    What was found, and which one is shown, is told in the summary.
    """
    lowered, solution = seen.lowered, seen.solution
    settings = lowered.model.settings
    is_auto = settings.integrator == AUTO.name and settings.formulation != "index-3" and not lowered.model.clearances
    if solution.analysis != Analysis.DYNAMIC or not is_auto or _unbalanced(seen) <= COARSEST:
        return seen
    error = _unbalanced(seen)
    first = str(dict(item[:2] for item in solution.details)[CHOSEN[0]]).removeprefix("auto: ")
    other = replace(lowered, model=replace(lowered.model, settings=replace(settings, integrator=IMPLICIT)))
    again = analyse(other, progress)
    is_whole = len(again.times) == len(solution.times)
    left = _unbalanced(replace(seen, lowered=other, solution=again)) if is_whole else float("inf")
    seconds = solution.seconds + again.seconds
    if left <= BETTER * error:
        why = f"with {first} the energy balance was off by {error:.2g} of its size, so the motion was done again"
        chosen = ((CHOSEN[0], f"auto: {IMPLICIT}", ""), (CHOSEN[1], why, ""))
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
    return tuple(item for item in solution.details if item[0] not in CHOSEN)
