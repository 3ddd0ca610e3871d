"""Global sensitivity: shares of the variance of each response by Saltelli's samples (Saltelli et al. 2010), by SALib."""

from __future__ import annotations

import warnings
from importlib import import_module
from types import ModuleType

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Evaluated, Fault, Method
from sheetmbs.studies.methods.sampling import spread
from sheetmbs.studies.statistics.saltelli_indices import sobol_indices
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.studies.study_results import SobolIndices

MIN_BLOCKS = 8
"""blocks from which indices are estimated"""


def salib(part: str) -> ModuleType:
    """A part of SALib. Raises WorkbookError where it is not installed."""
    try:
        return import_module(f"SALib.{part}.sobol")
    except ImportError:
        rule, mend = "the method sensitivity needs the package SALib", 'install it with pip install "sheetmbs[study]"'
        raise WorkbookError(
            Problem("missing-package", "error", "Study", "SALib is not installed", rule, mend)
        ) from None


def _run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
    names = [variable.name for variable in study.variables]
    asked = {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}
    with warnings.catch_warnings():  # of a count that is no power of two, which is the user's choice
        warnings.simplefilter("ignore")
        unit = salib("sample").sample(asked, study.samples, calc_second_order=True, seed=study.seed)
    found = evaluate(spread(study, np.asarray(unit)))
    return ChosenVariants(indices=_indices(study, found))


def _indices(study: StudyBook, found: Evaluated) -> tuple[SobolIndices, ...]:
    """Of each response, where enough blocks are whole."""
    columns = zip(study.responses, found.responses.T, strict=True)
    each = (sobol_indices(response.name, column, len(study.variables)) for response, column in columns)
    return tuple(indices for indices in each if indices.blocks >= MIN_BLOCKS)


def _count(study: StudyBook) -> int:
    return study.samples * (2 * len(study.variables) + 2)


def _fault(study: StudyBook) -> Fault | None:
    if study.samples >= MIN_BLOCKS:
        return None
    rule = f"indices are estimated from {MIN_BLOCKS} samples or more"
    return f"samples: {study.samples}", rule, "set samples to a power of two, such as 64"


SENSITIVITY = Method(STUDY_METHODS["sensitivity"], _run, _count, fault=_fault)
