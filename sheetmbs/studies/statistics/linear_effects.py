"""What samples say of the effect of each variable: a linear regression on all of them at once.

Saltelli et al., Global Sensitivity Analysis: The Primer, 2008, 1.2.5: standardised regression coefficients, whose squares
sum up to R^2 where variables are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ROUNDING = 1e-12
"""relative to the largest value: a column or response that varies by less does not vary"""


@dataclass(frozen=True)
class LinearEffects:
    """Linear regression of a response.

    slopes, standardised: (variables,) NaN where a variable does not vary. r_squared: share that
    they explain. used: samples. why: none can be told, in words; "" where they can.
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
        return LinearEffects(nothing, nothing, np.nan, count, "no variable varies among the variants that are done")
    if count < len(varied) + 2:
        needed = len(varied) + 2
        return LinearEffects(nothing, nothing, np.nan, count, f"it takes {needed} variants that are done, not {count}")
    deviations = x[:, varied].std(axis=0)
    scaled = (x[:, varied] - x[:, varied].mean(axis=0)) / deviations
    if np.linalg.matrix_rank(scaled) < len(varied):
        return LinearEffects(nothing, nothing, np.nan, count, "variables vary together, so they cannot be told apart")
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
