"""Every combination of the values of all variables, the last variable fastest."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Method
from sheetmbs.studies.study_book import StudyBook


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    evaluate(np.array(list(product(*(variable.stepped for variable in study.variables)))))
    return ChosenVariants()


def _count(study: StudyBook) -> int:
    return prod(len(variable.stepped) for variable in study.variables)


GRID = Method(STUDY_METHODS["grid"], _run, _count)
