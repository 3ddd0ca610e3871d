"""Every combination of the values of all variables, the last variable fastest."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from sheetmbs.studying.methods.method import ChosenVariants, Evaluate, Fault, Method
from sheetmbs.studying.study_book import StudyBook

MOST = 1_000_000


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    evaluate(np.array(list(product(*(variable.stepped for variable in study.variables)))))
    return ChosenVariants()


def _count(study: StudyBook) -> int:
    return prod(len(variable.stepped) for variable in study.variables)


def _fault(study: StudyBook) -> Fault | None:
    count = _count(study)
    if count <= MOST:
        return None
    return f"a grid of {count:,} variants", f"a grid has {MOST:,} at most", "take fewer steps, or sample with sobol"


GRID = Method("grid", "every combination of the values of all variables", _run, _count, fault=_fault)
