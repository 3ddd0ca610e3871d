"""What a method of studies is given and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.studies.study_book import StudyBook
from sheetmbs.studies.study_results import Floats, SobolIndices

Fault = tuple[str, str, str]
"""what was found, the rule, the mend"""


@dataclass(frozen=True)
class Evaluated:
    """What became of n points. responses: (n, responses), NaN where it failed. done: (n,) whether it did not fail.

    residuals: (n, m) of all goals that are targets or curves, weighted, so that the sum of their squares is the objective.
    """

    responses: Floats
    residuals: Floats
    done: NDArray[np.bool_]


Evaluate = Callable[[Floats], Evaluated]
"""of points (n, variables), values of the first cells; a point asked for again is not run again"""


@dataclass(frozen=True)
class ChosenVariants:
    """What a method adds to its variants. is_spent: whether the budget ended its search."""

    indices: tuple[SobolIndices, ...] = ()
    is_spent: bool = False


@dataclass(frozen=True)
class Method:
    """A method. doc: in a sentence. run: asks for variants until it is done. count: how many those are, at most.

    is_search: whether what is asked for depends on answers; a point that was asked for before is then no new variant.
    is_sampling: whether it spreads variables by their distributions. is_stepping: whether it goes through the steps or values
    of variables. fault: what of a study it cannot do, or None.
    """

    name: str
    doc: str
    run: Callable[[StudyBook, Evaluate], ChosenVariants]
    count: Callable[[StudyBook], int]
    is_search: bool = False
    is_sampling: bool = False
    is_stepping: bool = False
    fault: Callable[[StudyBook], Fault | None] = lambda _study: None

    def takes(self, setting: str) -> bool:
        """Whether a setting of the sheet Study counts with it."""
        counted = {"samples": self.is_sampling, "budget": self.is_search, "seed": self.is_sampling or self.is_search}
        return counted.get(setting, True)
