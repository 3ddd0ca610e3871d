"""The methods of design studies as users choose them: their words, and what their variants can show.

How a method chooses its variants stands in `studies/methods`; sheets, charts and sentences read only what is declared here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Effects = Literal["regression", "single changes", "none"]
Finding = Literal["best", "best and effects", "effects", "shares", "indices", "front", "fit"]


@dataclass(frozen=True)
class StudyMethod:
    """A method as users see it.

    Attributes
    ----------
    name
        The word on the sheet Study.
    doc
        What it does, in a sentence.
    effects
        How effects of variables follow from its variants: by linear regression, by changing one variable at a time, or not.
    finding
        What the answer begins with.
    is_search
        Whether later variants depend on the results of earlier ones; a point that was asked for before is no new variant.
    is_sampling
        Whether it spreads variables by their distributions.
    is_stepping
        Whether it goes through the steps or values of variables.
    is_listed
        Whether its variants stand on the sheet Variants.
    is_production
        Whether its variants stand for parts of a production: ranges are those of the variants, and limits have shares.
    is_multi_objective
        Whether it weighs goals against each other instead of adding them up.
    is_fit
        Whether its variables are found from measured columns, each with a prior or with bounds.
    """

    name: str
    doc: str
    effects: Effects = "regression"
    finding: Finding = "best and effects"
    is_search: bool = False
    is_sampling: bool = False
    is_stepping: bool = False
    is_listed: bool = False
    is_production: bool = False
    is_multi_objective: bool = False
    is_fit: bool = False

    def takes(self, setting: str) -> bool:
        """Whether a setting of the sheet Study counts with this method."""
        counted = {
            "samples": self.is_sampling,
            "budget": self.is_search,
            "seed": self.is_sampling or self.is_search or self.is_fit,
            "starts": self.is_fit,
            "interval": self.is_fit,
            "candidates": self.is_fit,
            "linear": self.is_production,
        }
        return counted.get(setting, True)


ONE_AT_A_TIME = StudyMethod(
    "one-at-a-time",
    "one variable after the other goes through its values",
    effects="single changes",
    finding="effects",
    is_stepping=True,
)
GRID = StudyMethod("grid", "every combination of the values of all variables", is_stepping=True)
LISTED = StudyMethod("list", "the variants of the sheet Variants", finding="best", is_listed=True)
LATIN_HYPERCUBE = StudyMethod(
    "latin-hypercube", "samples that cover the range of every variable evenly", is_sampling=True
)
SOBOL = StudyMethod("sobol", "samples that fill the space of all variables evenly", is_sampling=True)
TOLERANCE = StudyMethod(
    "tolerance",
    "independent samples of all variables, as parts come from production",
    finding="shares",
    is_sampling=True,
    is_production=True,
)
SENSITIVITY = StudyMethod("sensitivity", "shares of the variance of each response", finding="indices", is_sampling=True)
OPTIMISE = StudyMethod(
    "optimise",
    "the best variant, by least squares or by an evolutionary search that is refined",
    effects="none",
    finding="best",
    is_search=True,
)
PARETO = StudyMethod(
    "pareto",
    "the variants for which no other is better in all goals",
    effects="none",
    finding="front",
    is_search=True,
    is_multi_objective=True,
)

FIT = StudyMethod(
    "fit",
    "the variables at which measured columns are met best, with what the data can see of each",
    effects="none",
    finding="fit",
    is_fit=True,
)

STUDY_METHODS: dict[str, StudyMethod] = {
    method.name: method
    for method in (
        *(ONE_AT_A_TIME, GRID, LISTED, LATIN_HYPERCUBE, SOBOL),
        *(TOLERANCE, SENSITIVITY, OPTIMISE, PARETO, FIT),
    )
}
