"""What a method of studies is given and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.study_methods import StudyMethod
from sheetmbs.studies.fitting.found_fit import FoundFit
from sheetmbs.studies.fitting.found_uncertainty import FoundUncertainty
from sheetmbs.studies.study_book import Flags, Floats, StudyBook
from sheetmbs.studies.study_results import SobolIndices

Fault = tuple[str, str, str]
"""what was found, the rule, the mend"""


@dataclass(frozen=True)
class Evaluated:
    """What became of n points. responses: (n, responses), NaN where it failed. done: (n,) whether it did not fail.

    residuals: (n, m) of all goals that are targets or curves, weighted, so that the sum of their squares is the objective.
    """

    responses: Floats
    residuals: Floats
    done: Flags


Evaluate = Callable[[Floats], Evaluated]
"""of points (n, variables), values of the first cells; a point asked for again is not run again"""


@dataclass(frozen=True)
class ChosenVariants:
    """What a method adds to its variants. is_spent: whether the budget ended its search.

    fit: what a fit found. uncertainty: of responses, where tolerances are carried by derivatives.
    """

    indices: tuple[SobolIndices, ...] = ()
    is_spent: bool = False
    fit: FoundFit | None = None
    uncertainty: FoundUncertainty | None = None


@dataclass(frozen=True)
class Method:
    """How a method chooses its variants.

    declared: its words and traits. run: asks for variants until it is done; None: it works by derivatives of the model.
    count: how many those are, at most. fault: what of a study it cannot do, or None.
    """

    declared: StudyMethod
    run: Callable[[StudyBook, Evaluate], ChosenVariants] | None
    count: Callable[[StudyBook], int]
    fault: Callable[[StudyBook], Fault | None] = lambda _study: None


def missing_package(package: str, method: str) -> WorkbookError:
    """The error of a method whose package is not installed."""
    rule, mend = f"the method {method} needs the package {package}", 'install it with pip install "sheetmbs[study]"'
    return WorkbookError(Problem("missing-package", "error", "Study", f"{package} is not installed", rule, mend))
