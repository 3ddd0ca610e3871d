"""The variables of a fit as numbers, and the scale that each of them has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FitSpace:
    """Variables of a fit. start: (p,) the cells as they are. low, high: (p,) bounds, infinite where none is given.

    prior_sd: (p,) one standard deviation of what is known before, NaN without prior; then both bounds are finite.
    """

    start: Floats
    low: Floats
    high: Floats
    prior_sd: Floats

    @cached_property
    def has_prior(self) -> Flags:
        """(p,) which variables have a prior."""
        return np.asarray(np.isfinite(self.prior_sd))

    @cached_property
    def scale(self) -> Floats:
        """(p,) prior standard deviation; without prior that of a uniform distribution between the bounds."""
        return np.where(self.has_prior, self.prior_sd, (self.high - self.low) / np.sqrt(12.0))

    def scaled(self, values: Floats) -> Floats:
        """Distances from the start in scales."""
        return np.asarray((values - self.start) / self.scale)

    def values(self, scaled: Floats) -> Floats:
        """Values for distances from the start in scales."""
        return np.asarray(self.start + scaled * self.scale)

    @cached_property
    def scaled_bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper bounds (p,) of scaled variables."""
        return self.scaled(self.low), self.scaled(self.high)
