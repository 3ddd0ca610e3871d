"""Percentiles of a sample with intervals that hold whatever its distribution is.

The number of samples below a percentile has a binomial distribution, so that two of the sorted samples enclose it with a
known probability (David and Nagaraja, Order Statistics, 2003, 7.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PERCENTILES = (0.1, 1.0, 5.0, 50.0, 95.0, 99.0, 99.9)
OUTSIDE = 0.025
"""probability that a percentile lies beyond either end of its interval, at most"""


@dataclass(frozen=True)
class SamplePercentile:
    """A percentile with its 95 % interval.

    value: NaN where there are fewer samples than ``needed``, for then none of them need lie beyond it.
    """

    percent: float
    value: float
    low: float
    high: float
    needed: int


def samples_needed(percent: float) -> int:
    """The fewest samples of which, with 97.5 % probability, at least one lies beyond a percentile on either side."""
    share = percent / 100.0
    return ceil(log(OUTSIDE) / log(max(share, 1.0 - share)))


def sample_percentiles(values: Floats, percents: tuple[float, ...] = PERCENTILES) -> tuple[SamplePercentile, ...]:
    """Percentiles of values (n,), NaN where not known."""
    from scipy.stats import binom

    held = np.sort(values[np.isfinite(values)])
    found = []
    for percent in percents:
        needed, count = samples_needed(percent), len(held)
        if count < needed:
            found.append(SamplePercentile(percent, np.nan, np.nan, np.nan, needed))
            continue
        low, high = (int(binom.ppf(tail, count, percent / 100.0)) for tail in (OUTSIDE, 1.0 - OUTSIDE))
        ends = float(held[max(low - 1, 0)]), float(held[min(high, count - 1)])
        found.append(SamplePercentile(percent, float(np.percentile(held, percent)), *ends, needed))
    return tuple(found)
