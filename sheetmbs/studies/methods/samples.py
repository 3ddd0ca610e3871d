"""Methods that sample: Latin hypercube, Sobol sequence, independent samples of tolerances, and their distributions."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from sheetmbs.schema import study_methods
from sheetmbs.schema.study_methods import StudyMethod
from sheetmbs.studies.methods.method import ChosenVariants, Evaluate, Method
from sheetmbs.studies.study_book import Floats, StudyBook, StudyVariable

LINEAR_RUNS = 4
"""of each variable, at least, where tolerances are carried by derivatives"""


def latin_hypercube(count: int, dimension: int, seed: int) -> Floats:
    """(count, dimension) numbers between 0 and 1, one in each of ``count`` layers of every dimension (McKay et al. 1979)."""
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(dimension, rng=np.random.default_rng(seed)).random(count))


def _latin_hypercube(study: StudyBook) -> Floats:
    return latin_hypercube(study.samples, len(study.variables), study.seed)


def _sobol(study: StudyBook) -> Floats:
    from scipy.stats import qmc

    sequence = qmc.Sobol(len(study.variables), rng=np.random.default_rng(study.seed))
    with warnings.catch_warnings():  # of a count that is no power of two, which is the user's choice
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(sequence.random(study.samples))


def _independent(study: StudyBook) -> Floats:
    return np.random.default_rng(study.seed).random((study.samples, len(study.variables)))


def spread(study: StudyBook, unit: Floats) -> Floats:
    """(n, variables) values for (n, variables) numbers between 0 and 1."""
    return np.column_stack([_quantiles(variable, unit[:, k]) for k, variable in enumerate(study.variables)])


def _quantiles(variable: StudyVariable, unit: Floats) -> Floats:
    from scipy.stats import triang, truncnorm

    low, high = variable.bounds
    middle = variable.as_it_is[0]
    sd = variable.prior_sd
    if variable.distribution == "normal" and sd is not None:
        found = truncnorm.ppf(unit, (low - middle) / sd, (high - middle) / sd, loc=middle, scale=sd)
        return np.asarray(np.clip(found, low, high))  # as far as rounding goes
    if variable.distribution == "triangular":
        return np.asarray(triang.ppf(unit, (middle - low) / (high - low), loc=low, scale=high - low))
    return np.asarray(low + unit * (high - low))


def _sampled(declared: StudyMethod, unit: Callable[[StudyBook], Floats]) -> Method:
    """A method that evaluates samples (samples, variables) of the unit cube once they have their distributions."""

    def run(study: StudyBook, evaluate: Evaluate) -> ChosenVariants:
        evaluate(spread(study, unit(study)))
        return ChosenVariants()

    return Method(
        declared, run, lambda study: study.samples if not study.is_linear else LINEAR_RUNS * len(study.variables)
    )


LATIN_HYPERCUBE = _sampled(study_methods.LATIN_HYPERCUBE, _latin_hypercube)
SOBOL = _sampled(study_methods.SOBOL, _sobol)
TOLERANCE = _sampled(study_methods.TOLERANCE, _independent)
