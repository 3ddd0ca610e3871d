"""How far numbers spread: the smallest, the largest, the mean, and their deviation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """Spread of numbers of which some are not known. at_smallest, at_largest: where they stand. deviation: of a sample (n - 1).

    known: how many there are; without any of them all else is NaN and -1.
    """

    known: int
    smallest: float = np.nan
    largest: float = np.nan
    mean: float = np.nan
    deviation: float = np.nan
    at_smallest: int = -1
    at_largest: int = -1


def spread(values: Floats) -> Spread:
    """Spread of values (n,), NaN where not known. The first of several smallest or largest ones counts."""
    known = int(np.isfinite(values).sum())
    if not known:
        return Spread(0)
    held = values[np.isfinite(values)]
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    deviation = float(held.std(ddof=1)) if known > 1 else np.nan
    return Spread(known, float(values[low]), float(values[high]), float(held.mean()), deviation, low, high)
