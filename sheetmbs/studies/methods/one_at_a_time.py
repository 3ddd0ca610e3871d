"""One variable after the other goes through its values, all others as they are."""

from __future__ import annotations

import numpy as np

from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Method
from sheetmbs.studies.study_book import StudyBook, StudyVariable
from sheetmbs.studies.study_results import Floats


def points(study: StudyBook) -> Floats:
    """(n, variables). The workbook as it is is not among them, for it is number 0."""
    as_it_is = study.as_it_is
    found = []
    for place, variable in enumerate(study.variables):
        for value in _values(variable):
            if value != as_it_is[place]:
                point = as_it_is.copy()
                point[place] = value
                found.append(point)
    return np.array(found).reshape(-1, len(study.variables))


def _values(variable: StudyVariable) -> tuple[float, ...]:
    """Low, as it is and high, if nothing else is asked for."""
    return variable.bounds if not variable.values and variable.steps in (None, 3) else variable.stepped


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    evaluate(points(study))
    return ChosenVariants()


ONE_AT_A_TIME = Method(STUDY_METHODS["one-at-a-time"], _run, lambda study: len(points(study)))
