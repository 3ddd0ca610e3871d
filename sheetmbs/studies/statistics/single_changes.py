"""What a variable does by itself: variants in which it alone differs from the workbook as it is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDING = 1e-12
"""relative to the largest value: a difference that is smaller is none"""


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
