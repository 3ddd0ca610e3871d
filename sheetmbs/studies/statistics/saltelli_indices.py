"""Sobol indices of first order and total from samples in the order of Saltelli, by the library SALib.

Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181 (2010) 259-270.
"""

from __future__ import annotations

import warnings
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from sheetmbs.studies.study_results import SobolIndices

Floats = NDArray[np.float64]
LEAST_BLOCKS = 2
ROUNDING = 1e-12
SEED = 1
"""of resampling; SALib takes 0 for none"""


def sobol_indices(name: str, response: Floats, variables: int) -> SobolIndices:
    """Sobol indices of a response (blocks * (2 variables + 2),), NaN where a variant failed: its whole block is left out.

    Indices are NaN where the response does not vary or too few blocks are left. Bands come from resampling with a fixed seed,
    so that the same samples give the same bands. Needs SALib, of the extra ``study``.
    """
    blocks = response.reshape(-1, 2 * variables + 2)
    held = blocks[np.isfinite(blocks).all(axis=1)]
    left_out = len(blocks) - len(held)
    if len(held) < LEAST_BLOCKS or np.ptp(held) <= ROUNDING * np.abs(held).max():
        nothing = np.full(variables, np.nan)
        return SobolIndices(name, nothing, nothing, nothing, nothing, len(held), left_out)
    names = [str(number) for number in range(variables)]
    problem = {"num_vars": variables, "names": names, "bounds": [[0.0, 1.0]] * variables}
    with warnings.catch_warnings():  # of indices near 0, whose bands say as much
        warnings.simplefilter("ignore")
        found = import_module("SALib.analyze.sobol").analyze(problem, held.ravel(), calc_second_order=True, seed=SEED)
    first, first_band, total, total_band = (np.asarray(found[key]) for key in ("S1", "S1_conf", "ST", "ST_conf"))
    return SobolIndices(name, first, first_band, total, total_band, len(held), left_out)
