"""Global sensitivity: Sobol indices, shares of the variance of each response, from samples in Saltelli's order by SALib.

Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181 (2010) 259-270.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from types import ModuleType

import numpy as np

from sheetmbs.schema import study_methods
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Evaluated, Fault, Method, missing_package
from sheetmbs.studies.methods.samples import spread
from sheetmbs.studies.study_book import Floats, StudyBook
from sheetmbs.studies.study_results import SobolIndices

MIN_BLOCKS = 8
"""blocks from which indices are shown"""
MIN_ESTIMATED_BLOCKS = 2
"""blocks from which they can be estimated at all"""
ROUNDING = 1e-12
"""relative to the largest value: a response that varies by less does not vary"""
RESAMPLING_SEED = 1
"""SALib takes 0 for none"""


def salib(part: str) -> ModuleType:
    """A part of SALib. Raises WorkbookError where it is not installed."""
    try:
        return import_module(f"SALib.{part}.sobol")
    except ImportError:
        raise missing_package("SALib", study_methods.SENSITIVITY.name) from None


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
    rule = f"the method sensitivity needs at least {MIN_BLOCKS} samples"
    return f"samples: {study.samples}", rule, "set samples to a power of two, such as 64"


def sobol_indices(name: str, response: Floats, variables: int) -> SobolIndices:
    """Sobol indices of a response (blocks * (2 variables + 2),), NaN where a variant failed: its whole block is left out.

    Indices are NaN where the response does not vary or too few blocks are left. Bands come from resampling with a fixed seed,
    so that the same samples give the same bands. Needs SALib, of the extra ``study``.
    """
    blocks = response.reshape(-1, 2 * variables + 2)
    held = blocks[np.isfinite(blocks).all(axis=1)]
    left_out = len(blocks) - len(held)
    if len(held) < MIN_ESTIMATED_BLOCKS or np.ptp(held) <= ROUNDING * np.abs(held).max():
        nothing = np.full(variables, np.nan)
        return SobolIndices(name, nothing, nothing, nothing, nothing, len(held), left_out)
    names = [str(number) for number in range(variables)]
    problem = {"num_vars": variables, "names": names, "bounds": [[0.0, 1.0]] * variables}
    with warnings.catch_warnings():  # of indices near 0, whose bands say as much
        warnings.simplefilter("ignore")
        found = salib("analyze").analyze(problem, held.ravel(), calc_second_order=True, seed=RESAMPLING_SEED)
    first, first_band, total, total_band = (np.asarray(found[key]) for key in ("S1", "S1_conf", "ST", "ST_conf"))
    return SobolIndices(name, first, first_band, total, total_band, len(held), left_out)


SENSITIVITY = Method(study_methods.SENSITIVITY, _run, _count, fault=_fault)
