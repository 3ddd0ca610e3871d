"""The share of samples for which something holds, and how far it may be off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Share:
    """held of count. low, high: its 95 % interval by Wilson (1927)."""

    held: int
    count: int
    share: float
    low: float
    high: float


def share_of(held: int, count: int) -> Share:
    """A share and its interval; NaN without samples."""
    from scipy.stats import binomtest

    if not count:
        return Share(0, 0, np.nan, np.nan, np.nan)
    ends = binomtest(held, count).proportion_ci(0.95, method="wilson")
    return Share(held, count, held / count, float(ends.low), float(ends.high))
