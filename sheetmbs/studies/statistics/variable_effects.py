"""The effect of each variable: from a linear regression on all of them at once, and from changes of one variable alone.

Saltelli et al., Global Sensitivity Analysis: The Primer, 2008, 1.2.5: standardised regression coefficients, whose squares
sum up to R^2 where variables are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sheetmbs.studies.study_book import Floats

ROUNDING = 1e-12
"""relative to the largest value: values that differ by less do not differ"""


@dataclass(frozen=True)
class LinearEffects:
    """Linear regression of a response.

    slopes, standardised: (variables,) NaN where a variable does not vary. r_squared: share that
    they explain. used: samples. why: the reason why they are unknown, else "".
    """

    slopes: Floats
    standardised: Floats
    r_squared: float
    used: int
    why: str = ""

    @property
    def adjusted(self) -> float:
        """R^2 less what as many variables would explain by chance (Theil 1961), for of few samples they explain anything."""
        left = self.used - int(np.isfinite(self.slopes).sum()) - 1
        return 1.0 - (1.0 - self.r_squared) * (self.used - 1) / left if left > 0 else np.nan


def linear_effects(values: Floats, response: Floats) -> LinearEffects:
    """Linear regression over values (n, variables) of a response (n,), NaN where a variant failed."""
    done = np.isfinite(response)
    x, y = values[done], response[done]
    count, most = x.shape
    nothing = np.full(most, np.nan)
    varied = np.flatnonzero(np.ptp(x, axis=0) > ROUNDING * np.abs(x).max(axis=0)) if count else np.zeros(0, dtype=int)
    if not len(varied):
        return LinearEffects(nothing, nothing, np.nan, count, "no variable varies among the variants that were solved")
    if count < len(varied) + 2:
        needed = len(varied) + 2
        return LinearEffects(
            nothing, nothing, np.nan, count, f"{needed} solved variants are needed, and there are {count}"
        )
    deviations = x[:, varied].std(axis=0)
    scaled = (x[:, varied] - x[:, varied].mean(axis=0)) / deviations
    if np.linalg.matrix_rank(scaled) < len(varied):
        return LinearEffects(
            nothing, nothing, np.nan, count, "some variables vary together, so their effects cannot be separated"
        )
    offset = y - y.mean()
    slopes, standardised = nothing.copy(), nothing.copy()
    if np.ptp(y) <= ROUNDING * np.abs(y).max():
        slopes[varied] = standardised[varied] = 0.0
        return LinearEffects(slopes, standardised, np.nan, count)
    found = np.linalg.lstsq(scaled, offset, rcond=None)[0]
    slopes[varied] = found / deviations
    standardised[varied] = found / y.std()
    left = offset - scaled @ found
    return LinearEffects(slopes, standardised, float(1.0 - left @ left / (offset @ offset)), count)


@dataclass(frozen=True)
class SingleChanges:
    """Changes of one variable alone, in the order of its values.

    values: (n,), responses: (n, responses), the baseline among them. rows: of the variants.
    """

    values: Floats
    responses: Floats
    rows: NDArray[np.int64]

    def known(self, response: int) -> tuple[Floats, Floats]:
        """Values (m,) of the variable at which a response is known, and the response there."""
        is_known = np.isfinite(self.responses[:, response])
        return self.values[is_known], self.responses[is_known, response]

    def effect(self, response: int) -> float:
        """The response at the largest value less that at the smallest, of those known; NaN of fewer than two."""
        known = self.known(response)[1]
        return _difference(known[-1], known[0], known) if len(known) > 1 else np.nan

    def span(self, response: int) -> float:
        """The largest value of the response less the smallest; NaN where nothing is known."""
        known = self.known(response)[1]
        return _difference(known.max(), known.min(), known) if len(known) else np.nan

    def turns(self, response: int) -> bool:
        """Whether the response both rises and falls between, so that its effect hides something."""
        known = self.known(response)[1]
        steps = [_difference(after, before, known) for before, after in pairwise(known)]
        return any(step > 0.0 for step in steps) and any(step < 0.0 for step in steps)


def _difference(one: float, other: float, known: Floats) -> float:
    """Of two values of a response, 0 where it is rounding of all of them."""
    difference = float(one - other)
    return difference if abs(difference) > ROUNDING * np.abs(known).max() else 0.0


def single_changes(values: Floats, responses: Floats, variable: int) -> SingleChanges:
    """Changes of one variable alone among all variants.

    values: (variants, variables), responses: (variants, responses), the baseline first.
    """
    others = np.delete(np.arange(values.shape[1]), variable)
    is_alone = (values[:, others] == values[0, others]).all(axis=1)
    rows = np.flatnonzero(is_alone)
    _, first = np.unique(values[rows, variable], return_index=True)
    rows = rows[first]
    return SingleChanges(values[rows, variable], responses[rows], rows)
