"""Methods whose variants follow from the sheets alone: one at a time, a grid, and the list of the sheet Variants."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import numpy as np

from sheetmbs.schema import study_methods
from sheetmbs.schema.study_methods import StudyMethod
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Method
from sheetmbs.studies.study_book import Floats, StudyBook, StudyVariable


def _single_changes(study: StudyBook) -> Floats:
    """Points where one variable goes through its values and all others keep theirs, without the baseline, variant 0."""
    baseline = study.as_it_is
    points = []
    for place, variable in enumerate(study.variables):
        for value in _single_values(variable):
            if value != baseline[place]:
                point = baseline.copy()
                point[place] = value
                points.append(point)
    return np.array(points).reshape(-1, len(study.variables))


def _single_values(variable: StudyVariable) -> tuple[float, ...]:
    """The two ends of a range, for its middle is the baseline, unless the sheet asks for steps or values."""
    return variable.bounds if not variable.values and variable.steps in (None, 3) else variable.stepped


def _grid(study: StudyBook) -> Floats:
    """Every combination of the values of all variables, the last variable fastest."""
    return np.array(list(product(*(variable.stepped for variable in study.variables))))


def _listed(study: StudyBook) -> Floats:
    """The rows of the sheet Variants in their order; a blank cell keeps the baseline."""
    values = np.array([variant.values for variant in study.listed])
    return np.where(np.isnan(values), study.as_it_is, values)


def _enumerated(
    declared: StudyMethod, points: Callable[[StudyBook], Floats], count: Callable[[StudyBook], int]
) -> Method:
    def run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
        evaluate(points(study))
        return ChosenVariants()

    return Method(declared, run, count)


ONE_AT_A_TIME = _enumerated(study_methods.ONE_AT_A_TIME, _single_changes, lambda study: len(_single_changes(study)))
GRID = _enumerated(study_methods.GRID, _grid, lambda study: prod(len(variable.stepped) for variable in study.variables))
LISTED = _enumerated(study_methods.LISTED, _listed, lambda study: len(study.listed))
