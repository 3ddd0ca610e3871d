"""A model of space that is called planar, or the other way round: one line in place of what follows from it.

Whether it is so is not guessed from single columns: the workbook is read once more in the other dimension, and what is
wrong there is compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.model.model import Settings
from sheetmbs.problems.errors import Problem

ONLY = "models only"
"""what stands at the end of the rule that a cell breaks whose column belongs to the other dimension"""
NOT_IN_DIMENSION = "joint-not-in-dimension"
INERTIAS = ("inertia", "ixx", "iyy", "izz")
MOST_NAMED = 4
FEWER = 4
"""times as many errors in this dimension as in the other make the other one likely"""


def is_in_doubt(problems: Sequence[Problem]) -> bool:
    """Whether some of the problems of a workbook may come from the wrong dimension."""
    return any(map(_is_mark, problems))


def with_right_dimension(here: list[Problem], there: list[Problem], settings: Settings) -> list[Problem]:
    """The problems of a workbook: those given, or where the other dimension fits better that one and its problems.

    here, there: what is wrong in the dimension of the settings, and in the other.
    """
    only_here = [problem for problem in here if problem not in there]
    only_there = [problem for problem in there if problem not in here]
    errors_here, errors_there = _errors(only_here), _errors(only_there)
    if is_in_doubt(only_there) or not is_in_doubt(only_here):
        return here
    doubt = _doubt([problem for problem in only_here if _is_mark(problem)], settings, is_error=errors_here > 0)
    if errors_here and errors_there * FEWER <= errors_here:
        return [doubt, *there]
    if not errors_here and not only_there:
        return [doubt, *(problem for problem in here if problem in there)]
    return here


def _is_mark(problem: Problem) -> bool:
    lacks_inertia = problem.code == "missing-column" and problem.found.split()[-1] in INERTIAS
    return problem.code == NOT_IN_DIMENSION or problem.problem.endswith(ONLY) or lacks_inertia


def _errors(problems: Sequence[Problem]) -> int:
    return sum(problem.severity == "error" for problem in problems)


def _doubt(marks: Sequence[Problem], settings: Settings, *, is_error: bool) -> Problem:
    """The problem that names the wrong dimension. marks: the problems that come from it."""
    other = "3D" if settings.dimension == "2D" else "2D"
    columns: dict[str, list[str]] = {}
    for mark in marks:
        name = mark.found.removeprefix("type: ") if mark.code == NOT_IN_DIMENSION else mark.problem.split()[0]
        if mark.code != "missing-column" and name not in columns.setdefault(mark.sheet, []):
            columns[mark.sheet].append(name)
    named = [f"{sheet}: {', '.join(names[:MOST_NAMED])}" for sheet, names in columns.items()]
    what = "; ".join(named)
    cell = settings.cells.get("dimension", "Settings")
    blank = ", which blank means too" if settings.dimension == "2D" else ""
    found = (
        f"dimension {settings.dimension}{blank}" if "dimension" in settings.cells else "no dimension, which means 2D"
    )
    problem = f"the workbook reads as a {other} model" + (f" ({what})" if what else "")
    return Problem(
        "wrong-dimension-of-model", "error" if is_error else "warning", cell, found, problem, f"did you mean {other}?"
    )
