"""What a variable does by itself: variants in which it alone differs from the workbook as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SingleChanges:
    """Of one variable, in the order of its values. values: (n,), responses: (n, responses), the workbook as it is among them.

    rows: of the variants.
    """

    values: Floats
    responses: Floats
    rows: NDArray[np.int64]

    def effect(self, response: int) -> float:
        """The response at the largest value less that at the smallest, of those known; NaN of fewer than two."""
        known = self.responses[np.isfinite(self.responses[:, response]), response]
        return float(known[-1] - known[0]) if len(known) > 1 else np.nan

    def span(self, response: int) -> float:
        """The largest value of the response less the smallest; NaN where nothing is known."""
        known = self.responses[np.isfinite(self.responses[:, response]), response]
        return float(np.ptp(known)) if len(known) else np.nan

    def turns(self, response: int) -> bool:
        """Whether the response both rises and falls between, so that its effect hides something."""
        steps = np.diff(self.responses[np.isfinite(self.responses[:, response]), response])
        return bool((steps > 0).any() and (steps < 0).any())


def single_changes(values: Floats, responses: Floats, variable: int) -> SingleChanges:
    """Of a variable, from all variants. values: (variants, variables), responses: (variants, responses), the first as it is."""
    others = np.delete(np.arange(values.shape[1]), variable)
    is_alone = (values[:, others] == values[0, others]).all(axis=1)
    rows = np.flatnonzero(is_alone)
    _, first = np.unique(values[rows, variable], return_index=True)
    rows = rows[first]
    return SingleChanges(values[rows, variable], responses[rows], rows)
