"""Samples of all variables from numbers between 0 and 1, by the inverse of each distribution."""

from __future__ import annotations

import numpy as np

from sheetmbs.studies.study_book import StudyBook, StudyVariable
from sheetmbs.studies.study_results import Floats


def spread(study: StudyBook, unit: Floats) -> Floats:
    """(n, variables) values for (n, variables) numbers between 0 and 1."""
    columns = [_of(variable, unit[:, place]) for place, variable in enumerate(study.variables)]
    return np.column_stack(columns)


def _of(variable: StudyVariable, unit: Floats) -> Floats:
    from scipy.stats import triang, truncnorm

    low, high = variable.bounds
    middle = variable.as_it_is[0]
    if variable.distribution == "normal" and variable.sd is not None:
        sd = abs(variable.value_of(variable.sd) - variable.value_of(0.0)) if variable.how != "value" else variable.sd
        found = truncnorm.ppf(unit, (low - middle) / sd, (high - middle) / sd, loc=middle, scale=sd)
        return np.asarray(np.clip(found, low, high))  # as far as rounding goes
    if variable.distribution == "triangular":
        return np.asarray(triang.ppf(unit, (middle - low) / (high - low), loc=low, scale=high - low))
    return np.asarray(low + unit * (high - low))
